//! What tells the states of a script apart.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::State;

impl State {
    /// A digest of all that decides what can happen from now on.
    ///
    /// How many steps were taken, how many messages there have been, and which messages were taken by
    /// whom, only gives names to things.
    pub fn fingerprint(&self) -> u128 {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            salt.hash(&mut hasher);
            self.cells.hash(&mut hasher);
            for queue in &self.queues {
                (&queue.messages, queue.senders, queue.closed).hash(&mut hasher);
                // Only as long as it has not been full once do sends have nobody to thank for room.
                queue.capacity.map(|capacity| queue.sent.min(capacity)).hash(&mut hasher);
            }
            for mailbox in &self.mailboxes {
                mailbox.values().for_each(|value| value.hash(&mut hasher));
                u64::MAX.hash(&mut hasher);
            }
            for process in &self.processes {
                (process.status, process.at, process.registers).hash(&mut hasher);
                (process.held, &process.seen, &process.guards).hash(&mut hasher);
                (process.waits_on, process.hung_up).hash(&mut hasher);
            }
            hasher.finish()
        };
        u128::from(half(1)) << 64 | u128::from(half(2))
    }
}
