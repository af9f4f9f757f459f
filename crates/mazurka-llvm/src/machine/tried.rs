//! What attempts have found, kept for the next time.
//!
//! An [attempt](super::awaits) mostly computes with registers until the next access. Then its outcome depends only
//! on the frames of the thread and on the value that it tries. A thread arrives at a loop with the same frames in
//! many executions, and every thread that waits there tries every new value. So the machine looks an outcome up
//! before it makes an attempt.
//!
//! An outcome is kept only if the attempt has looked up two addresses at most: that of its access, and that of
//! the access at which it has stopped. It must have made no object, and called no library function but one at
//! which every attempt stops. Values that were never written are left out, since other state decides what they
//! do.

use mazurka_core::model::Digest;

use super::LlvmMachine;
use super::awaits::{Attempt, Before};
use super::frame::frames;
use super::thread::Status;
use crate::bytecode::{FRAME_HEADER, Op};
use crate::memory::NEVER_WRITTEN;

/// How many outcomes are kept. A newer one takes the place of an older one.
const SIZE: usize = 1 << 10;

/// The outcomes of attempts.
#[derive(Default)]
pub(super) struct Outcomes {
    /// By the last bits of the digest of the frames and the value: this digest, and the outcome.
    entries: Vec<(u128, Option<Attempt>)>,
}

impl Outcomes {
    fn place(key: u128) -> usize {
        key as usize % SIZE
    }

    pub(super) fn get(&self, key: u128) -> Option<Attempt> {
        let (known, attempt) = self.entries.get(Self::place(key))?;
        attempt.filter(|_| *known == key)
    }

    pub(super) fn keep(&mut self, key: u128, attempt: Attempt) {
        if self.entries.is_empty() {
            self.entries.resize(SIZE, (0, None));
        }
        self.entries[Self::place(key)] = (key, Some(attempt));
    }
}

/// Returns the digest of a situation in which a value is tried. `waits_inside` is whether a loop
/// [waits](super::spin::Watch::waits_for) for the location: what the thread has seen before decides that.
pub(super) fn key(mut situation: Digest, value: u64, waits_inside: bool) -> u128 {
    situation.add(value);
    situation.add(u64::from(waits_inside));
    situation.bits()
}

impl LlvmMachine {
    /// Returns a digest of all that decides, besides the value, what an attempt of a thread finds. Returns `None` if
    /// no outcome can be looked up.
    ///
    /// The object of the access may have been freed since the outcome was found. So its address is looked up.
    pub(super) fn situation(&self, thread: usize) -> Option<Digest> {
        let slot = &self.threads[thread];
        let state = &slot.state;
        // In a loop that counts its rounds, an attempt also depends on how many have been run.
        if self.options.unroll.is_some() || !slot.watch.rounds.is_empty() {
            return None;
        }
        let (a, offset) = match self.code.ops[state.pc as usize] {
            Op::Load { a, offset, .. } => (a, offset),
            Op::CompareExchange { a, .. } | Op::ReadModifyWrite { a, .. } => (a, 0),
            _ => return None,
        };
        let address = slot.stack[(state.base + a) as usize].wrapping_add(offset as u64);
        let spot = self.memory.find(thread, address, state.probe.len).ok()?;
        if spot.byte != state.probe.byte || !spot.is_visible() {
            return None;
        }
        let mut digest = Digest::of(thread as u64);
        digest.add(u64::from(state.base) | u64::from(state.top) << 32);
        digest.add(state.phase);
        for (base, pc) in frames(&self.code, slot) {
            digest.add(u64::from(pc));
            let frame = &slot.stack[base as usize..];
            let function = self.code.function_around(pc);
            let given = function.map_or(FRAME_HEADER, |function| function.given());
            for value in &frame[..given as usize] {
                digest.add(*value);
            }
            for live in self.code.live_at(pc) {
                let value = frame[*live as usize];
                if value == NEVER_WRITTEN {
                    return None;
                }
                digest.add(value);
            }
        }
        Some(digest)
    }

    /// Returns whether the outcome of an attempt, in which so many addresses were looked up, depends only on the
    /// [situation](Self::situation) and the value.
    pub(super) fn is_repeatable(&self, thread: usize, before: &Before, finds: u64) -> bool {
        let state = &self.threads[thread].state;
        let stopped_at_access = || {
            let op = &self.code.ops[state.pc as usize];
            matches!(
                op,
                Op::Load { .. }
                    | Op::Store { .. }
                    | Op::CompareExchange { .. }
                    | Op::ReadModifyWrite { .. }
            )
        };
        let expected = match state.status {
            Status::Ready if stopped_at_access() => 2,
            Status::Gone => 1,
            _ => return false,
        };
        finds == expected
            && self.is_quiet(before, 1)
            && self.memory.has_same_objects_since(&before.log)
    }
}
