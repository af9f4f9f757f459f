//! Loops with zero net effect that wait where they begin.
//!
//! A reader-writer lock may subtract from a counter, find that the lock is taken, add the same again, wait until
//! the counter has another value, and retry. Call such an iteration of one location a *round trip*: a read-modify-write
//! that adds a number, a second one that subtracts the number and does not use its result, and perhaps a loop that
//! loads the location until it has one of some values. Then the thread is back where the first one was, with the
//! same local state. [`taken_back`](super::taken_back) leaves out round trips that have been run. Here, none is run: the
//! first read-modify-write is an [await](super::awaits), which is enabled only at values that begin no round trip.
//!
//! # Why nothing is missed
//!
//! Take an execution with round trips. While a thread is between its two updates, the location holds the sum of an
//! *actual* value, which it would hold without all round trips, and of the *debts* of such threads. Suppose that every
//! other access to the location by a thread `q`, at the actual value `v` and the sum `s` of debts,
//!
//! 1. does the same with the value `v` as with `v + s`, or
//! 2. begins a round trip or another pure iteration with `v + s`.
//!
//! Then all round trips can be taken out, together with the pure iterations of the second case. What remains is an
//! execution in which the first read-modify-write of such a loop waits. An iteration that is not over at the end
//! of the execution can be taken out as well, if the thread waits at the location for ever without it, too: if the
//! loop of loads waits at a value, the first read-modify-write has to.
//!
//! The machine checks these conditions in every state that it visits, for every thread that is about to access the
//! location. It supposes that each other thread of the program may have any of the known debts of the location, or
//! none. Where a thread is in the execution at that point does not matter, because a thread may arrive at its
//! loop earlier in an equivalent execution. For the same reason, a thread that waits is tried with all values that
//! the location is known to have had.
//!
//! Debts must be known before the first access to the location. So the search
//! [starts over](mazurka_core::model::Lesson::RoundTrips) for each new one. If a condition does not hold, it starts
//! over as well, and round trips from that location are run.
//!
//! Under a memory model, a thread may read from any write, so an access is checked at all actual values. A plain
//! store would break the first condition, so that all writes to the location are read-modify-writes, and their
//! coherence order is a chain of reads-from. If a round trip is taken out of the chain, each access reads from the
//! write before it instead. Every release sequence goes on through the chain, so the only synchronisation that is
//! lost comes from the round trip itself: the remaining graph is consistent, and orders fewer events.

mod iteration;
mod known;

use mazurka_core::model::Digest;

use super::LlvmMachine;
use super::awaits::{Attempt, Await};
use super::taken_back::Kind;
use super::thread::{State, Status};
use crate::bytecode::Op as Instruction;
use iteration::Iteration;
pub(crate) use known::RoundTrips;
pub(super) use known::ZeroNet;
use known::{Check, Spot};

impl LlvmMachine {
    /// Returns whether a thread may be about to begin a round trip.
    fn may_begin_round_trip(&self, thread: usize) -> bool {
        let State { pc, awaits, .. } = self.threads[thread].state;
        matches!(
            self.code.ops[pc as usize],
            Instruction::ReadModifyWrite { op, .. } if self.kind_of(op, pc) == Kind::Addition
        ) && awaits != Await::No
            && self.options.unroll.is_none()
            && self.threads[thread].watch.rounds.is_empty()
    }

    /// Returns what a thread does if there is a value at the location of its action. A round trip is a loop.
    pub(super) fn attempt_or_round_trip(
        &mut self,
        thread: usize,
        value: u64,
        situation: Option<Digest>,
    ) -> Attempt {
        match self.attempt(thread, value, situation) {
            Attempt::GoesOn if self.begins_round_trip(thread, value, situation) => Attempt::Loops,
            attempt => attempt,
        }
    }

    /// Returns whether a thread begins a round trip if there is a value at the location of its action, and round trips
    /// from there are not run. They are in the rare situations in which no result can be kept.
    fn begins_round_trip(&mut self, thread: usize, value: u64, situation: Option<Digest>) -> bool {
        let Some(situation) = situation.filter(|_| self.may_begin_round_trip(thread)) else {
            return false;
        };
        let on = self.threads[thread].state.action.on;
        let Some(index) = self.zero_net.spot(on) else {
            if let Iteration::Returns(debt) | Iteration::Waits(debt, _) =
                self.iteration(thread, value, None)
            {
                self.zero_net.round_trips.learn(on, debt, self.threads.len());
            }
            return false;
        };
        let spot = &self.zero_net.spots[index];
        if spot.are_run {
            return false;
        }
        let key = spot.key(situation, value, Check::RoundTrip);
        if self.zero_net.has_passed(key) {
            return true;
        }
        let iteration = self.iteration(thread, value, None);
        let (Iteration::Returns(debt) | Iteration::Waits(debt, _)) = iteration else {
            return false;
        };
        if !self.zero_net.spots[index].debts.contains(&debt) {
            self.zero_net.round_trips.learn(on, debt, self.threads.len());
            return false;
        }
        if let Iteration::Waits(_, at_load) = iteration
            && !self.returns_from_loads(thread, value, (situation, at_load), index)
        {
            self.zero_net.give_up(on);
            return false;
        }
        self.zero_net.pass(key);
        true
    }

    /// Returns whether a thread whose round trip begins with a value either stays in its loop of loads or comes back
    /// from there, whatever it loads, and does not stay at a value at which it need not have made the round trip.
    fn returns_from_loads(
        &mut self,
        thread: usize,
        value: u64,
        (situation, at_load): (Digest, Digest),
        index: usize,
    ) -> bool {
        let held = std::mem::take(&mut self.zero_net.spots[index].held);
        let returns = held.iter().all(|load| {
            let (mut digest, bits) = (situation, at_load.bits());
            for word in [bits as u64, (bits >> 64) as u64, *load] {
                digest.add(word);
            }
            if self.zero_net.has_passed(digest.bits()) {
                return true;
            }
            let returns = match self.iteration(thread, value, Some(*load)) {
                Iteration::Returns(_) => true,
                Iteration::Waits(..) => self.iteration(thread, *load, None) != Iteration::Other,
                Iteration::Other => false,
            };
            if returns {
                self.zero_net.pass(digest.bits());
            }
            returns
        });
        self.zero_net.spots[index].held = held;
        returns
    }

    /// Checks the conditions under which round trips need not be run, and notes where they have to be.
    #[inline]
    pub(super) fn check_round_trips(&mut self) {
        if !self.zero_net.spots.is_empty() {
            for thread in 0..self.threads.len() {
                self.check_access(thread);
            }
        }
    }

    /// Notes the values of the locations that a step has accessed, and that round trips have to be run from those that
    /// it has accessed after its first action.
    #[inline]
    pub(super) fn note_accesses(&mut self) {
        if !self.zero_net.spots.is_empty() {
            self.note_all_accesses();
        }
    }

    #[inline(never)]
    fn note_all_accesses(&mut self) {
        let actions = self.performed.actions.iter().filter(|action| !action.guard);
        for (rank, action) in actions.enumerate() {
            let is_about = |spot: &Spot| !spot.are_run && spot.on.overlaps(action.on);
            let Some(index) = self.zero_net.spots.iter().position(is_about) else { continue };
            let spot = &mut self.zero_net.spots[index];
            if rank > 0 {
                let on = spot.on;
                self.zero_net.give_up(on);
            } else if action.on == spot.on {
                spot.note(action.before);
                spot.note(action.after);
            }
        }
    }

    /// Checks the next access of a thread.
    fn check_access(&mut self, thread: usize) {
        let State { status, action, probe, .. } = self.threads[thread].state;
        let is_about = |spot: &Spot| !spot.are_run && spot.on.overlaps(action.on);
        let index = self.zero_net.spots.iter().position(is_about);
        let Some(index) = index.filter(|_| status == Status::Ready) else { return };
        if !self.may_meet_debts(thread) {
            return;
        }
        let others = self.zero_net.others(self.threads.len());
        let spot = &mut self.zero_net.spots[index];
        let on = spot.on;
        if action.on != on {
            return self.zero_net.give_up(on);
        }
        spot.suppose(others);
        let value = self.memory.read(probe.byte, probe.len);
        spot.note(value);
        if spot.is_too_large() || !self.is_harmless(thread, index, value) {
            self.zero_net.give_up(on);
        }
    }

    /// Returns whether another thread may be in a round trip when a thread takes its next step. It may not if all others
    /// have ended and been joined: by this thread, or by others of which that holds.
    fn may_meet_debts(&self, thread: usize) -> bool {
        self.threads.iter().enumerate().any(|(other, slot)| {
            let is_over = slot.state.status == Status::Ended && slot.claimed;
            other != thread && slot.state.status != Status::Absent && !is_over
        })
    }

    /// Returns whether the next access of a thread does the same whatever debts other threads have, or begins a
    /// pure iteration.
    fn is_harmless(&mut self, thread: usize, index: usize, value: u64) -> bool {
        let State { pc, action, awaits, atomic, .. } = self.threads[thread].state;
        let kind = match self.code.ops[pc as usize] {
            _ if action.plain || atomic != 0 => return false,
            Instruction::ReadModifyWrite { op, .. } => self.kind_of(op, pc),
            Instruction::Load { .. } | Instruction::CompareExchange { .. } => Kind::Any,
            _ => return false,
        };
        if kind == Kind::BlindAddition && !action.waits {
            return true;
        }
        let situation = self.situation(thread);
        let key = situation.map(|at| self.zero_net.spots[index].key(at, value, Check::Access));
        if key.is_some_and(|key| self.zero_net.has_passed(key)) {
            return true;
        }
        let mut are_pure = std::mem::take(&mut self.zero_net.are_pure);
        are_pure.clear();
        for i in 0..self.zero_net.spots[index].held.len() {
            let held = self.zero_net.spots[index].held[i];
            let is_pure = awaits != Await::No
                && self.attempt_or_round_trip(thread, held, situation) != Attempt::GoesOn;
            are_pure.push(is_pure);
        }
        let is_harmless = self.are_alike(thread, index, value, &are_pure);
        self.zero_net.are_pure = are_pure;
        if let Some(key) = key.filter(|_| is_harmless) {
            self.zero_net.pass(key);
        }
        is_harmless
    }

    /// Returns whether the next access of a thread does the same at an actual value with debts as without, or begins
    /// a pure iteration with them. `are_pure` says at which of the values that the location may hold it begins one.
    ///
    /// A thread that waits may have waited at any actual value. Under a memory model, any access may read any of
    /// them.
    fn are_alike(&mut self, thread: usize, index: usize, value: u64, are_pure: &[bool]) -> bool {
        let spot = &self.zero_net.spots[index];
        let count = spot.sums.len();
        for rank in 0..spot.actual.len() {
            let spot = &self.zero_net.spots[index];
            let (actual, indices) = (spot.actual[rank], rank * count..(rank + 1) * count);
            let held = |spot: &Spot, i: usize| spot.indices[i] as usize;
            if are_pure[held(spot, indices.start)] {
                if !{ indices }.all(|i| are_pure[held(spot, i)]) {
                    return false;
                }
                continue;
            }
            if actual != value && !self.memory_orderings {
                continue;
            }
            let now = self.after(thread, actual);
            for i in indices.skip(1) {
                let spot = &self.zero_net.spots[index];
                let (is_pure, with) = (are_pure[held(spot, i)], spot.held[held(spot, i)]);
                let is_alike = is_pure || {
                    let with = self.after(thread, with);
                    now.as_ref().zip(with).is_some_and(|(now, with)| now.is_like(&with))
                };
                if !is_alike {
                    return false;
                }
            }
        }
        true
    }
}
