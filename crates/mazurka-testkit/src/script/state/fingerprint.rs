//! Fingerprints of the states of a script.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::State;

impl State {
    /// Returns a digest of the state that decides all future behaviour.
    ///
    /// The numbers of steps and messages, and the receivers of taken messages, only name things.
    /// They are not included.
    pub fn fingerprint(&self) -> u128 {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            salt.hash(&mut hasher);
            self.cells.hash(&mut hasher);
            for queue in &self.queues {
                (&queue.messages, queue.senders, queue.closed).hash(&mut hasher);
                // A send has no `freed_by` only until the queue has been full.
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
