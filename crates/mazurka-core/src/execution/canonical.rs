//! The canonical form of an execution: a digest of its Mazurkiewicz trace.

use std::hash::Hasher;

use super::Execution;
use super::event::Event;

/// Mixes a word into a digest (two rounds of splitmix64, with different constants for each half).
fn mix(digest: [u64; 2], word: u64) -> [u64; 2] {
    let round = |state: u64, multiplier: u64| {
        let mixed = (state ^ word).wrapping_mul(multiplier);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 32)
    };
    [
        round(digest[0], 0xbf58_476d_1ce4_e5b9),
        round(digest[1].rotate_left(17), 0xff51_afd7_ed55_8ccd),
    ]
}

impl Execution {
    /// Returns a digest of the trace of the execution, which is the same for every order of its
    /// independent events.
    ///
    /// An event is its process, its number in this process, its alternative, and the events that
    /// happen before it. The digest of an execution is the sum of the digests of its events. Digests
    /// of executions of the same machine can be compared.
    pub fn trace_digest(&self) -> u128 {
        let digests = self.events.iter().map(|event| self.digest_of(event));
        digests.fold(0, u128::wrapping_add)
    }

    /// Returns the digest of an event, which is what it adds to the digest of the execution.
    pub(crate) fn digest_of_event(&self, event: usize) -> u128 {
        self.digest_of(&self.events[event])
    }

    fn digest_of(&self, event: &Event) -> u128 {
        let who = (event.step.process.index() as u64) << 32 | u64::from(event.number);
        let digest = mix([0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b], who);
        let digest = mix(digest, u64::from(event.step.choice));
        let past = (0u64..).zip(self.clocks.of(event.clock)).filter(|(_, number)| **number > 0);
        let [high, low] = past.fold(digest, |digest, (process, number)| {
            mix(digest, process << 32 | u64::from(*number))
        });
        (u128::from(high) << 64) | u128::from(low)
    }
}

/// A hasher for keys that are digests already.
#[derive(Default)]
pub(crate) struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u128(&mut self, digest: u128) {
        self.0 = digest as u64;
    }
}
