//! Rounds of loops that give up after some of them.
//!
//! A lock may try a thousand times before it waits. An execution in which the fifth attempt succeeds and one in
//! which the sixth does differ in nothing but a counter, if attempts that fail change nothing. So the machine
//! does not explore both. [`Counted`] says which slots are counters: an iteration goes on in the same way
//! whatever their values are, unless it is the last one.
//!
//! Call an iteration *idle* if it performs one action, which changes nothing, and comes back to that action with
//! the same local state but for the counters. Take any execution.
//!
//! * An idle iteration can be taken out. The counters are behind then, which matters only to when the loop gives
//!   up.
//! * An idle iteration can be repeated right after itself. It reads the same value again.
//!
//! So let the loop give up after `n` iterations. In an execution in which it does not give up, all idle iterations
//! can be taken out. In one in which it does, all of them but the last one can be taken out, and that one can be
//! repeated until there are `n` iterations again. Let `r` be the number of iterations after the last idle one.
//! The machine explores the executions with `r` up to a limit, as follows. If an iteration turns out to be idle,
//! its step contains all repetitions of it until the number of iterations that remain is the limit. An execution
//! with a smaller `r` performs further idle iterations, each in a step of its own.
//!
//! At first the limit is zero: the first idle iteration ends the loop. This is right unless the loop has
//! iterations that are not idle, but go on: a compare-exchange may fail, although the load before it has seen
//! that the lock is free. If a loop has both, the limit becomes one, and the search
//! [starts over](mazurka_core::model::Lesson::Rounds). If so many iterations that are not idle have come after
//! repetitions, the limit is raised by one. An execution that is missing with some limit has a prefix that shows
//! this: it is one with as many iterations after the repetitions as the limit allows. Above [`MOST_ROUNDS`], the
//! machine runs every iteration.
//!
//! Repeating reads is sound under every memory model. Nothing comes between them, and they read from one write. An
//! update that leaves the value, such as an exchange in a lock that is taken, is a sequence of updates of which
//! each reads from the one before. Other threads cannot tell them apart.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use mazurka_core::model::{Action, Lesson, Op as ActionOp, Ways};

use super::LlvmMachine;
use super::awaits::{Await, is_single_access};
use super::frame::frames;
use super::thread::{State, Status};
use super::undefined::is_shift;
use crate::arithmetic::{self, truncate};
use crate::bytecode::{Counted, FRAME_HEADER, Op, RoundStep, Slot};
use crate::memory::{LogMark, NEVER_WRITTEN};

/// Above this limit, every iteration is run.
const MOST_ROUNDS: u8 = 4;
/// The limit if every iteration is run.
const ALL: u8 = MOST_ROUNDS + 1;
/// Loops that do not give up after so many iterations are not skipped.
const MOST_SKIPPED: usize = 1 << 16;

/// A loop has had an idle iteration, and one that was not idle.
const IDLE: u8 = 1;
const BUSY: u8 = 2;

/// What executions have shown of the loops of a program. Shared by all machines.
#[derive(Debug)]
pub(crate) struct Shown {
    /// How many iterations are run after repetitions.
    limit: AtomicU8,
    /// The limit that the last replay has supposed.
    supposed: AtomicU8,
    /// Which kinds of iterations each loop has had.
    kinds: Vec<AtomicU8>,
}

impl Shown {
    pub(crate) fn new(loops: usize) -> Self {
        let kinds = (0..loops).map(|_| AtomicU8::new(0)).collect();
        Shown { limit: AtomicU8::new(0), supposed: AtomicU8::new(0), kinds }
    }

    /// Returns a copy that learns by itself.
    pub(crate) fn apart(&self) -> Self {
        let copy = |kind: &AtomicU8| AtomicU8::new(kind.load(Ordering::Relaxed));
        let kinds = self.kinds.iter().map(copy).collect();
        Shown { limit: copy(&self.limit), supposed: AtomicU8::new(0), kinds }
    }

    pub(crate) fn limit(&self) -> u8 {
        self.limit.load(Ordering::Relaxed)
    }

    pub(crate) fn set_limit(&self, limit: u8) {
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// Supposes the next larger limit, because a schedule does not fit. Returns `false` once all limits have been
    /// supposed, and goes back to the first one.
    pub(crate) fn suppose(&self) -> bool {
        let next = self.supposed.load(Ordering::Relaxed) + 1;
        let supposed = if next > ALL { 0 } else { next };
        self.supposed.store(supposed, Ordering::Relaxed);
        self.set_limit(supposed);
        supposed != 0
    }

    /// Makes the limit larger than it was.
    fn raise(&self, from: u8) {
        self.limit.fetch_max(from.saturating_add(1).min(ALL), Ordering::Relaxed);
    }
}

/// How many iterations a machine runs after repetitions.
pub(super) struct Patience {
    shown: Arc<Shown>,
    /// The limit in this execution.
    limit: u8,
    /// The limit that has been reported.
    reported: u8,
}

impl Patience {
    pub(super) fn new(shown: &Arc<Shown>) -> Self {
        let limit = shown.limit();
        Patience { shown: Arc::clone(shown), limit, reported: limit }
    }

    /// Returns the lesson that the limit is too small, once for each limit.
    #[inline]
    pub(super) fn lesson(&mut self) -> Option<Lesson> {
        let limit = self.shown.limit();
        let is_new = self.reported < limit;
        self.reported = limit;
        is_new.then_some(Lesson::Rounds)
    }

    /// The machine is in its initial state again: the next execution knows what has been learnt.
    pub(super) fn start_over(&mut self) {
        self.limit = self.reported;
    }

    /// Notes a kind of iteration of a loop. A loop with both kinds needs a limit.
    fn note(&self, id: u32, kind: u8) {
        let kinds = &self.shown.kinds[id as usize];
        if kinds.load(Ordering::Relaxed) & kind == 0 {
            kinds.fetch_or(kind, Ordering::Relaxed);
        }
        if self.limit == 0 && kinds.load(Ordering::Relaxed) == IDLE | BUSY {
            self.shown.raise(0);
        }
    }
}

/// A loop that counts its rounds, or contains one that does, and that a thread is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    id: u32,
    base: u32,
    /// How often it has come back to the head.
    turns: u32,
    /// Whether an idle iteration has been repeated.
    has_skipped: bool,
    /// How many iterations there have been since the last idle one.
    busy: u32,
}

/// The loops that count their rounds, and that a thread is in, outer ones first.
#[derive(Default, Debug)]
pub(super) struct Rounds(Vec<Round>);

impl Clone for Rounds {
    fn clone(&self) -> Self {
        Rounds(self.0.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

impl Rounds {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The thread is at the head of a loop.
    pub(super) fn turn(&mut self, id: u32, base: u32) {
        self.returned(base + 1);
        match self.0.iter().rposition(|round| round.id == id && round.base == base) {
            Some(known) => {
                self.0.truncate(known + 1);
                self.0[known].turns += 1;
            }
            None => self.0.push(Round { id, base, turns: 0, has_skipped: false, busy: 0 }),
        }
    }

    /// A function returns whose frame starts at `base`.
    #[inline]
    pub(super) fn returned(&mut self, base: u32) {
        while self.0.last().is_some_and(|round| round.base >= base) {
            self.0.pop();
        }
    }
}

/// A thread before a step that may be an idle iteration.
struct Before {
    state: State,
    log: LogMark,
    locals: usize,
    printed: usize,
    actions: usize,
    edges: usize,
}

impl LlvmMachine {
    /// Runs a thread that is in a loop that counts its rounds.
    #[inline(never)]
    pub(super) fn run_round(&mut self, thread: usize, permit: bool) {
        let round = self.threads[thread].watch.rounds.0.last().copied();
        let before = match permit && self.awaits && self.patience.limit < ALL {
            true => round.and_then(|round| self.before_round(thread, round)),
            false => None,
        };
        self.interpret(thread, permit);
        let Some(round) = round else { return };
        let Some(now) = self.threads[thread].watch.rounds.0.last() else { return };
        let turns = now.turns.wrapping_sub(round.turns);
        if (now.id, now.base) != (round.id, round.base) || turns == 0 {
            return;
        }
        match before {
            Some((before, stack)) => {
                let is_idle = turns == 1 && self.is_idle(thread, &before, &stack, round);
                self.stack_of_round = stack;
                match is_idle {
                    true => self.repeat(thread, round),
                    false => self.note_busy(thread, round),
                }
            }
            None => self.note_busy(thread, round),
        }
    }

    /// Returns what a thread is before a step, if that step may be an idle iteration.
    fn before_round(&mut self, thread: usize, round: Round) -> Option<(Before, Vec<u64>)> {
        self.code.loops[round.id as usize].counted.as_ref()?;
        let slot = &self.threads[thread];
        let State { action, pc, atomic, .. } = slot.state;
        // The status is `Running` by now.
        let may_be_idle = matches!(action.op, ActionOp::Read | ActionOp::Update)
            && !action.plain
            && action.ways == Ways::One
            && atomic == 0
            && is_single_access(&self.code.ops[pc as usize]);
        if !may_be_idle {
            return None;
        }
        let mut stack = std::mem::take(&mut self.stack_of_round);
        stack.clear();
        stack.extend_from_slice(&slot.stack[..slot.state.top as usize]);
        let before = Before {
            state: slot.state,
            log: self.memory.log_mark(),
            locals: self.memory.locals(thread),
            printed: self.output.len(),
            actions: self.performed.actions.len(),
            edges: self.performed.edges.len(),
        };
        Some((before, stack))
    }

    /// Returns whether a thread has run an idle iteration of a loop.
    fn is_idle(&self, thread: usize, before: &Before, stack: &[u64], round: Round) -> bool {
        let is_quiet = self.performed.actions.len() == before.actions + 1
            && self.performed.edges.len() == before.edges
            && self.violation.is_none()
            && self.runnable.is_empty()
            && self.output.len() == before.printed;
        let changes_nothing = |action: &Action| action.before == action.after;
        if !is_quiet || !self.performed.actions[before.actions..].iter().all(changes_nothing) {
            return false;
        }
        let new = &self.threads[thread].state;
        let free = new.space.next..new.space.end;
        new.is_ready_like(&before.state)
            && self.memory.locals(thread) == before.locals
            && self.has_same_frames_but_counters(thread, stack, round)
            && self.memory.is_unchanged_since(&before.log, free)
    }

    /// Returns whether the frames of a thread are the same as in `stack`, as far as they matter, but for the
    /// counters of a loop.
    fn has_same_frames_but_counters(&self, thread: usize, stack: &[u64], round: Round) -> bool {
        let code = &self.code;
        let counted = code.loops[round.id as usize].counted.as_ref();
        let is_counter = |base: u32, slot: u32| {
            base == round.base
                && counted.is_some_and(|counted| counted.slots.binary_search(&slot).is_ok())
        };
        let thread = &self.threads[thread];
        frames(code, thread).all(|(base, pc)| {
            let (new, old) = (&thread.stack[base as usize..], &stack[base as usize..]);
            let given = code.function_around(pc).map_or(FRAME_HEADER, |function| function.given());
            let is_same =
                |slot: &u32| new[*slot as usize] == old[*slot as usize] || is_counter(base, *slot);
            new[..given as usize] == old[..given as usize] && code.live_at(pc).iter().all(is_same)
        })
    }

    /// An iteration was not idle, but the loop goes on.
    fn note_busy(&mut self, thread: usize, round: Round) {
        self.patience.note(round.id, BUSY);
        let Some(now) = self.threads[thread].watch.rounds.0.last_mut() else { return };
        now.busy += 1;
        let limit = self.patience.limit;
        if limit > 0 && now.has_skipped && now.busy >= u32::from(limit) {
            self.patience.shown.raise(limit);
        }
    }

    /// Repeats an iteration, which was idle, until the number of those that remain is the limit.
    fn repeat(&mut self, thread: usize, round: Round) {
        self.patience.note(round.id, IDLE);
        let limit = usize::from(self.patience.limit);
        let slot = &mut self.threads[thread];
        if let Some(now) = slot.watch.rounds.0.last_mut() {
            now.busy = 0;
        }
        let code = Arc::clone(&self.code);
        let Some(counted) = &code.loops[round.id as usize].counted else { return };
        let at = frames(&code, slot).find(|(base, _)| *base == round.base);
        let Some((_, pc)) = at else { return };
        let (Some(first), Some(function)) = (counted.step_after(pc), code.function_around(pc))
        else {
            return;
        };
        let from = round.base as usize;
        let mut frame = slot.stack[from..from + function.frame as usize].to_vec();
        let Some(slots) = last_round(&code.ops, counted, first, &mut frame, limit) else { return };
        for (counter, value) in counted.slots.iter().zip(slots) {
            slot.stack[(round.base + counter) as usize] = value;
        }
        if let Some(now) = slot.watch.rounds.0.last_mut() {
            now.has_skipped = true;
        }
        slot.watch.go_on();
        slot.state.status = Status::Running;
        slot.state.awaits = Await::No;
        self.is_repeating = true;
        self.interpret(thread, true);
        self.is_repeating = false;
    }
}

/// Returns the counters of a loop in the iteration after which as many remain as the limit says. `first` is the
/// step that a thread executes next, and `frame` has the slots of its function, at an instruction of the current
/// iteration. The result is for the same instruction. Returns `None` if no more iterations remain after the
/// current one, or if the loop does not give up.
fn last_round(
    ops: &[Op],
    counted: &Counted,
    first: usize,
    frame: &mut [u64],
    limit: usize,
) -> Option<Vec<u64>> {
    // The counters in the last iterations.
    let mut rounds: VecDeque<Vec<u64>> = VecDeque::with_capacity(limit + 1);
    let (done, left) = counted.steps.split_at(first);
    for _ in 0..MOST_SKIPPED {
        let mut now = match rounds.len() == limit + 1 {
            true => rounds.pop_front().unwrap_or_default(),
            false => Vec::with_capacity(counted.slots.len()),
        };
        now.clear();
        now.extend(counted.slots.iter().map(|slot| frame[*slot as usize]));
        rounds.push_back(now);
        for (pc, step) in left.iter().chain(done) {
            let is_taken = pass(&ops[*pc as usize], frame)?;
            let leaves = match step {
                RoundStep::Computes => false,
                RoundStep::LeavesIfTaken => is_taken,
                RoundStep::LeavesUnlessTaken => !is_taken,
            };
            if leaves {
                return rounds.pop_front().filter(|_| rounds.len() == limit);
            }
        }
    }
    None
}

/// Executes an instruction that computes a counter, or a branch that depends on one. Returns whether the branch is
/// taken, and `None` if the instruction has no result.
fn pass(op: &Op, frame: &mut [u64]) -> Option<bool> {
    let get = |slot: Slot| Some(frame[slot as usize]).filter(|value| *value != NEVER_WRITTEN);
    let (d, value) = match *op {
        Op::Move { d, a } => (d, get(a)?),
        Op::Add { bits, d, a, b } => (d, truncate(get(a)?.wrapping_add(get(b)?), bits)),
        Op::Sub { bits, d, a, b } => (d, truncate(get(a)?.wrapping_sub(get(b)?), bits)),
        Op::Signed { op, bits, d, a, b } => {
            let (result, fits) = arithmetic::signed_result(op, bits, get(a)?, get(b)?);
            (d, fits.then_some(result)?)
        }
        Op::Integer { op, bits, d, a, b } | Op::Bits { op, bits, d, a, b } => {
            let (a, b) = (truncate(get(a)?, bits), truncate(get(b)?, bits));
            if is_shift(op) && b >= u64::from(bits) {
                return None;
            }
            (d, arithmetic::integer(op, bits, a, b).ok()?)
        }
        Op::Compare { predicate, bits, d, a, b } => {
            let (a, b) = (truncate(get(a)?, bits), truncate(get(b)?, bits));
            (d, u64::from(arithmetic::compare(predicate, bits, a, b)))
        }
        Op::Truncate { bits, d, a } => (d, truncate(get(a)?, bits)),
        Op::SignExtend { from, to, d, a } => {
            (d, truncate(arithmetic::signed(get(a)?, from) as u64, to))
        }
        Op::Select { d, condition, a, b, .. } => {
            (d, get(if get(condition)? & 1 != 0 { a } else { b })?)
        }
        Op::Offset { d, a, offset } => (d, get(a)?.wrapping_add(offset as u64)),
        Op::JumpIf { a, .. } => return Some(get(a)? & 1 != 0),
        Op::JumpUnless { a, .. } => return Some(get(a)? & 1 == 0),
        Op::JumpCompare { predicate, bits, a, b, .. } => {
            return Some(arithmetic::compare(predicate, bits, get(a)?, get(b)?));
        }
        _ => return None,
    };
    frame[d as usize] = value;
    Some(false)
}
