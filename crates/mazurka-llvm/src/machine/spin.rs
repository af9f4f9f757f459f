//! Spin loops.
//!
//! A thread that comes back to the head of a loop with the same registers, and has changed nothing
//! since it was there last, will do the same again for as long as the values that it read stay the
//! same. So it is held back until one of them has changed.

use std::sync::PoisonError;

use mazurka_core::model::{Action, Digest, Location, Op, When};

use super::LlvmMachine;
use super::access::Halt;
use super::awaits::Await;
use super::rounds::Rounds;
use super::taken_back::Debt;
use super::thread::{Probe, Status};
use crate::bytecode::{Loop, Pc};

/// More reads than these in one round are no spin loop.
const MOST_SEEN: usize = 32;
/// More loops than these are not watched at once.
const MOST_HEADS: usize = 8;

/// A visit of a thread to the head of a loop.
#[derive(Clone, Copy, Debug)]
struct Head {
    id: u32,
    base: u32,
    /// The digest of its registers.
    registers: Digest,
    /// How much it had seen by then.
    seen: u32,
    /// Whether it had an update to take back by then.
    owes: bool,
}

/// A value that was read, or written although it was there already.
#[derive(Clone, Copy, Debug)]
struct Seen {
    on: Location,
    probe: Probe,
    value: u64,
    /// Whether it was written by a store.
    is_stored: bool,
}

/// What a thread has done since it was at heads of loops, and what holds it back.
#[derive(Default, Debug)]
pub(crate) struct Watch {
    heads: Vec<Head>,
    seen: Vec<Seen>,
    /// What holds it back, as actions, and where the values are.
    pub(super) guards: Vec<Action>,
    pub(super) probes: Vec<Probe>,
    /// Whether the iteration that the guards come from has stored a value that was there already.
    has_stored: bool,
    /// The update that it has yet to [take back](super::taken_back).
    pub(super) debt: Option<Debt>,
    /// The iteration that the pending action of the thread would end, if the thread
    /// [retries](super::awaits::Attempt::Retries) then.
    pub(super) retry: Retry,
    /// The loops that the thread is in, outer ones first, if their iterations are bounded.
    turns: Vec<Turn>,
    /// The loops that count their [rounds](super::rounds).
    pub(super) rounds: Rounds,
}

/// An iteration of a loop that changes nothing, and that a thread does not end.
#[derive(Default, Debug)]
pub(super) struct Retry {
    /// The first action of the next iteration.
    pub(super) at: Pc,
    /// What would hold the thread back after the iteration, and where the values are.
    pub(super) guards: Vec<Action>,
    probes: Vec<Probe>,
}

impl Clone for Retry {
    fn clone(&self) -> Self {
        let mut new = Retry::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, other: &Self) {
        self.at = other.at;
        self.guards.clone_from(&other.guards);
        self.probes.clone_from(&other.probes);
    }
}

impl Retry {
    /// Notes an iteration that a thread has ended in an attempt.
    pub(super) fn set(&mut self, at: Pc, watch: &Watch) {
        self.at = at;
        self.guards.clone_from(&watch.guards);
        self.probes.clone_from(&watch.probes);
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.guards.clear();
        self.probes.clear();
    }
}

/// How often a thread has come back to the head of a loop.
#[derive(Clone, Copy, Debug)]
struct Turn {
    id: u32,
    base: u32,
    count: u32,
}

impl Clone for Watch {
    fn clone(&self) -> Self {
        let mut new = Watch::default();
        new.clone_from(self);
        new
    }

    fn clone_from(&mut self, other: &Self) {
        self.heads.clone_from(&other.heads);
        self.seen.clone_from(&other.seen);
        self.guards.clone_from(&other.guards);
        self.probes.clone_from(&other.probes);
        self.has_stored = other.has_stored;
        self.debt = other.debt;
        self.retry.clone_from(&other.retry);
        self.turns.clone_from(&other.turns);
        self.rounds.clone_from(&other.rounds);
    }
}

impl Watch {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.heads.is_empty()
            && self.guards.is_empty()
            && self.retry.guards.is_empty()
            && self.turns.is_empty()
            && self.rounds.is_empty()
    }

    /// Returns whether something holds the thread back, or would do so after its pending action.
    #[inline]
    pub(super) fn holds_back(&self) -> bool {
        !self.guards.is_empty() || !self.retry.guards.is_empty()
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.progress();
        self.go_on();
        self.turns.clear();
        self.rounds.clear();
    }

    /// The thread takes a step: nothing holds it back any more.
    #[inline]
    pub(super) fn go_on(&mut self) {
        self.guards.clear();
        self.probes.clear();
        self.retry.clear();
    }

    /// The thread is at the head of a loop. Returns how often it has come back to it.
    fn turn(&mut self, id: u32, base: u32) -> u32 {
        self.turns.retain(|turn| turn.base <= base);
        let known = self.turns.iter().rposition(|turn| turn.id == id && turn.base == base);
        let Some(known) = known else {
            self.turns.push(Turn { id, base, count: 0 });
            return 0;
        };
        // Inner loops start anew.
        self.turns.truncate(known + 1);
        self.turns[known].count += 1;
        self.turns[known].count
    }

    /// The thread has changed something: it does not spin.
    #[inline]
    pub(crate) fn progress(&mut self) {
        self.heads.clear();
        self.seen.clear();
        self.debt = None;
    }

    /// The thread will not take back its update: only the loops that it has entered since then count.
    fn forget_debt(&mut self) {
        self.debt = None;
        self.heads.retain(|head| head.owes);
        let known = self.heads.first().map_or(self.seen.len() as u32, |head| head.seen);
        self.seen.drain(..known as usize);
        for head in &mut self.heads {
            head.owes = false;
            head.seen -= known;
        }
    }

    /// Returns whether the thread is in a loop that waits for a location: it began its last iteration with an
    /// access to that location, or is about to do so.
    pub(super) fn waits_for(&self, on: Location, loops: &[Loop]) -> bool {
        let begins =
            |head: &Head| self.seen.get(head.seen as usize).is_none_or(|seen| seen.on == on);
        self.heads.iter().any(|head| loops[head.id as usize].waits && begins(head))
    }

    #[inline]
    pub(super) fn is_watching(&self) -> bool {
        !self.heads.is_empty()
    }

    /// Takes note of an action that the thread has performed. `debt` is what the thread has to take back if
    /// the action has changed something. Returns whether it has taken back an update by it.
    #[inline]
    pub(super) fn note(
        &mut self,
        action: &Action,
        probe: Probe,
        debt: impl Fn() -> Option<Debt>,
    ) -> bool {
        if self.heads.is_empty() {
            return false;
        }
        if action.before != action.after {
            return self.owe(action, probe, debt());
        }
        if self.debt.is_some_and(|debt| debt.is_about(action)) {
            // It sees its own update, and not what the location holds while the thread waits.
            self.forget_debt();
        }
        self.see(action, probe);
        false
    }

    /// Takes note of a value that was read, or was there already.
    #[inline]
    fn see(&mut self, action: &Action, probe: Probe) {
        // Who writes the value that is there changes nothing, unless it had seen another one.
        if !matches!(action.op, Op::Read | Op::Write | Op::Update) {
            return;
        }
        if self.seen.len() == MOST_SEEN && self.debt.is_some() {
            self.forget_debt();
        }
        if self.seen.len() == MOST_SEEN || self.heads.is_empty() {
            return self.progress();
        }
        let is_stored = action.op == Op::Write;
        self.seen.push(Seen { on: action.on, probe, value: action.before, is_stored });
    }

    /// The thread has changed a value: it begins an update that it may take back, or takes that back. Returns
    /// whether it does the latter.
    #[inline(never)]
    fn owe(&mut self, action: &Action, probe: Probe, debt: Option<Debt>) -> bool {
        match (self.debt, debt) {
            (None, Some(debt)) => {
                // If the update is blind, the value does not matter to the iteration.
                if !debt.is_blind() {
                    self.see(action, probe);
                }
                // It may have seen too much.
                self.debt = self.is_watching().then_some(debt);
            }
            (Some(debt), Some(other)) if debt.is_settled_by(&other) => {
                self.debt = None;
                // For loops that it has entered since then, this is a change.
                self.heads.retain(|head| !head.owes);
                if self.heads.is_empty() {
                    self.progress();
                } else if !other.is_blind() {
                    // Additions of other threads may have come in between.
                    let without = debt.undone(action.before);
                    self.see(&Action { before: without, ..*action }, probe);
                }
                return true;
            }
            _ => self.progress(),
        }
        false
    }

    /// Everything that decides when the thread is held back, as words.
    pub(super) fn describe(&self, mut word: impl FnMut(u64)) {
        let location = |on: &Location| {
            u64::from(on.object.0).rotate_left(40)
                ^ u64::from(on.start).rotate_left(20)
                ^ u64::from(on.len)
        };
        for head in &self.heads {
            word(u64::from(head.id) | u64::from(head.base) << 32);
            let bits = head.registers.bits();
            word(bits as u64);
            word((bits >> 64) as u64);
            word(u64::from(head.seen) | u64::from(head.owes) << 32);
        }
        if let Some(debt) = self.debt {
            debt.describe(&mut word);
        }
        for seen in &self.seen {
            word(location(&seen.on));
            word(seen.value);
        }
        for guard in &self.guards {
            word(location(&guard.on));
            if let When::Differs(value) = guard.when {
                word(value);
            }
        }
    }

    /// A function returns whose frame starts at `base`: its loops are over.
    #[inline]
    pub(super) fn returned(&mut self, base: u32) {
        self.rounds.returned(base);
        while self.heads.last().is_some_and(|head| head.base >= base) {
            self.heads.pop();
        }
        if self.heads.is_empty() {
            self.progress();
        }
    }

    /// The thread is at the head of a loop. `drops` says whether an iteration that changes nothing is
    /// dropped: without a store, and with one.
    fn arrive(&mut self, id: u32, base: u32, registers: Digest, drops: [bool; 2]) {
        let seen = self.seen.len() as u32;
        let owes = self.debt.is_some();
        let head = Head { id, base, registers, seen, owes };
        let known = self.heads.iter().rposition(|head| head.id == id && head.base == base);
        let Some(known) = known else {
            if self.heads.len() == MOST_HEADS {
                self.heads.remove(0);
            }
            self.heads.push(head);
            return;
        };
        self.heads.truncate(known + 1);
        let before = std::mem::replace(&mut self.heads[known], head);
        if before.registers != registers || before.seen == seen || before.owes != owes {
            return;
        }
        self.guards.clear();
        self.probes.clear();
        let round = &self.seen[before.seen as usize..];
        let changed = |(i, now): (usize, &Seen)| {
            round[i + 1..].iter().any(|later| later.on == now.on && later.value != now.value)
        };
        self.has_stored = round.iter().any(|seen| seen.is_stored);
        // What changed during the round will look different from the start of the next one.
        if !drops[usize::from(self.has_stored)] && round.iter().enumerate().any(changed) {
            return;
        }
        for (i, now) in round.iter().enumerate() {
            let again = |later: &Seen| (later.on, later.value) == (now.on, now.value);
            if !round[i + 1..].iter().any(again) {
                let guard = Action::new(Op::Read, now.on).when(When::Differs(now.value));
                self.guards.push(guard.guarding());
                self.probes.push(now.probe);
            }
        }
    }
}

impl LlvmMachine {
    /// The thread is at the head of a loop. Ends the execution if it has come back there too often.
    #[inline(never)]
    pub(super) fn count_turn(&mut self, thread: usize, pc: Pc, id: u32) -> Result<(), Halt> {
        let Some(most) = self.options.unroll else { return Ok(()) };
        let slot = &mut self.threads[thread];
        if slot.watch.turn(id, slot.state.base) <= most {
            return Ok(());
        }
        slot.state.pc = pc;
        if self.is_trying {
            slot.state.status = Status::Gone;
        } else {
            slot.state.status = Status::Stopped;
            self.fail_assumption();
            self.cut_loops.lock().unwrap_or_else(PoisonError::into_inner).insert(pc);
        }
        Err(Halt)
    }

    /// The thread is at the head of a loop. A loop that counts never repeats itself.
    #[inline]
    pub(super) fn at_loop_head(&mut self, thread: usize, id: u32) {
        let has_rounds = self.code.loops[id as usize].has_rounds;
        if has_rounds {
            let slot = &mut self.threads[thread];
            slot.watch.rounds.turn(id, slot.state.base);
        }
        if self.code.loops[id as usize].counts {
            return;
        }
        self.has_arrived = true;
        let slot = &self.threads[thread];
        let base = slot.state.base;
        let mut registers = Digest::default();
        for live in &self.code.loops[id as usize].live {
            let value = slot.stack[(base + live) as usize];
            registers.add(value);
        }
        let drops = [false, true].map(|has_stored| self.drops_iteration(has_stored));
        self.threads[thread].watch.arrive(id, base, registers, drops);
    }

    /// Returns whether an execution is dropped after an iteration that changes nothing.
    ///
    /// Under a memory model, an iteration that has stored is kept, even if the value was there already.
    /// Another thread may read from that store, and it may come before others in coherence order. An
    /// iteration with a read-modify-write that leaves the value is dropped: it follows the write that it
    /// reads from.
    #[inline]
    fn drops_iteration(&self, has_stored: bool) -> bool {
        self.awaits && !(self.memory_orderings && has_stored)
    }

    /// Whether something has changed of what the thread saw while it was spinning, or it does not
    /// spin.
    #[inline]
    pub(super) fn guards_hold(&self, thread: usize) -> bool {
        let watch = &self.threads[thread].watch;
        watch.guards.is_empty() || self.has_changed(&watch.guards, &watch.probes)
    }

    /// Returns whether something has changed of what a thread has seen in the iteration that its pending
    /// action would end.
    pub(super) fn has_retry_changed(&self, thread: usize) -> bool {
        let retry = &self.threads[thread].watch.retry;
        self.has_changed(&retry.guards, &retry.probes)
    }

    #[inline]
    fn has_changed(&self, guards: &[Action], probes: &[Probe]) -> bool {
        let holds = |(guard, probe): (&Action, &Probe)| {
            guard.when.holds(self.memory.read(probe.byte, probe.len))
        };
        guards.iter().zip(probes).any(holds)
    }

    /// Returns whether a thread has run a pure iteration of a loop. Then it does not go on: the
    /// same happens in an execution without that iteration.
    #[inline]
    pub(super) fn has_spun(&self, thread: usize) -> bool {
        let thread = &self.threads[thread];
        let is_guarded = matches!(thread.state.awaits, Await::Guarded { .. });
        !thread.watch.guards.is_empty()
            && !is_guarded
            && self.drops_iteration(thread.watch.has_stored)
    }

    /// The thread takes its step: what held it back becomes part of that, as it is before it.
    #[inline(always)]
    pub(super) fn take_guards(&mut self, thread: usize) {
        let watch = &self.threads[thread].watch;
        if !watch.guards.is_empty() || !watch.retry.guards.is_empty() {
            self.take_all_guards(thread);
        }
    }

    #[inline(never)]
    fn take_all_guards(&mut self, thread: usize) {
        self.guards.clear();
        let watch = &mut self.threads[thread].watch;
        if watch.guards.is_empty() {
            return watch.retry.clear();
        }
        for (guard, probe) in watch.guards.iter().zip(&watch.probes) {
            let now = self.memory.read(probe.byte, probe.len);
            self.guards.push(guard.performed(now, now));
        }
        watch.go_on();
    }
}
