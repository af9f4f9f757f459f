//! Mazurkiewicz traces, by definition.

use mazurka_core::model::{Action, Op, Performed, ProcessId, Step, dependence};

/// One event of an execution.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) step: Step,
    pub(super) actions: Vec<Action>,
    pub(super) bit: u32,
    /// The last events that happen before it because of the past of its process: the previous event
    /// of its process, and the sources of edges.
    pub(super) linked: u128,
    /// The events that happen before it because of the past of its process, without its own
    /// actions.
    inherited: u128,
    /// All events that happen before it.
    before: u128,
}

/// An execution with its happens-before relation.
///
/// An event is named by its process and its index in that process, which are the same in all
/// equivalent executions. A set of events is a set of bits, one for each name. Everything is
/// computed from the definitions in the simplest way. The explorers use vector clocks, and share no
/// code with this.
#[derive(Clone, Debug)]
pub struct Trace {
    events: Vec<Event>,
    /// For each process, the events that happen before its next one, and the last of these; after
    /// each step.
    pasts: Vec<Vec<Past>>,
    processes: usize,
}

#[derive(Clone, Copy, Default, Debug)]
struct Past {
    all: u128,
    last: u128,
}

/// An execution in which one process has more events than a [`Trace`] can name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

impl Trace {
    /// Creates an empty execution.
    pub fn new(processes: usize) -> Self {
        Trace { events: Vec::new(), pasts: vec![vec![Past::default(); processes]], processes }
    }

    /// Removes all steps but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.events.truncate(len);
        self.pasts.truncate(len + 1);
    }

    /// Appends a step and its effects.
    pub fn push(&mut self, step: Step, performed: &Performed) -> Result<(), TooLong> {
        let per_process = 128 / self.processes as u32;
        let process = step.process.index();
        let is_own = |event: &&Event| event.step.process == step.process;
        let index = self.events.iter().filter(is_own).count() as u32;
        if index >= per_process {
            return Err(TooLong);
        }
        let bit = process as u32 * per_process + index;

        let mut past = self.pasts[self.events.len()].clone();
        let Past { all: inherited, last: linked } = past[process];
        let mut before = inherited;
        for earlier in &self.events {
            if are_dependent(&earlier.actions, &performed.actions) {
                before |= earlier.before | 1 << earlier.bit;
            }
        }
        past[process] = Past { all: before | 1 << bit, last: 1 << bit };
        for edge in &performed.edges {
            let Past { all, last } = past[edge.from.index()];
            let to = &mut past[edge.to.index()];
            *to = Past { all: to.all | all, last: to.last | last };
        }
        self.pasts.push(past);
        let actions = performed.actions.clone();
        self.events.push(Event { step, actions, bit, linked, inherited, before });
        Ok(())
    }

    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the last events that happen before the next one of a process because of its past.
    pub(super) fn last_before_next(&self, process: ProcessId) -> u128 {
        self.pasts[self.events.len()][process.index()].last
    }

    /// Returns the steps.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.events.iter().map(|event| event.step)
    }

    /// Returns whether the event at one position happens before the event at another.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        self.events[second].before & (1 << self.events[first].bit) != 0
    }

    /// Returns a digest of all events, their choices, and the events that happen before each. Apart
    /// from collisions of 128 bits, it differs if and only if the executions are not equivalent.
    pub fn canonical(&self) -> u128 {
        canonical(self.events.iter().map(|event| (event, event.before)))
    }

    /// Returns whether two accesses to plain memory conflict and are ordered only by that conflict.
    pub fn has_data_race(&self) -> bool {
        (0..self.events.len()).any(|second| (0..second).any(|first| self.is_race(first, second)))
    }

    fn is_race(&self, first: usize, second: usize) -> bool {
        let bit = 1u128 << self.events[first].bit;
        let later = &self.events[second];
        if !are_racing(&self.events[first].actions, &later.actions) || later.inherited & bit != 0 {
            return false;
        }
        let is_between =
            |event: &Event| event.before & bit != 0 && later.before >> event.bit & 1 != 0;
        !self.events[first + 1..second].iter().any(is_between)
    }
}

/// Returns a digest of events and of the events that happen before each, independent of their
/// order.
pub(super) fn canonical<'a>(events: impl Iterator<Item = (&'a Event, u128)>) -> u128 {
    let mut events: Vec<_> = events.collect();
    events.sort_unstable_by_key(|(event, _)| event.bit);
    let mut digest = Digest::default();
    for (event, before) in events {
        digest.add(u64::from(event.bit) << 32 | u64::from(event.step.choice));
        digest.add(before as u64);
        digest.add((before >> 64) as u64);
    }
    digest.value()
}

/// Returns whether two steps with these actions are dependent.
pub(super) fn are_dependent(first: &[Action], second: &[Action]) -> bool {
    let depend = |a: &Action, b: &Action| dependence::depend((a.on, a.op), (b.on, b.op));
    first.iter().any(|a| second.iter().any(|b| depend(a, b)))
}

fn are_racing(first: &[Action], second: &[Action]) -> bool {
    let conflict = |a: &Action, b: &Action| {
        a.plain && b.plain && a.on.overlaps(b.on) && (a.op != Op::Read || b.op != Op::Read)
    };
    first.iter().any(|a| second.iter().any(|b| conflict(a, b)))
}

/// Two multiplicative hashes, side by side.
#[derive(Default)]
pub(super) struct Digest {
    halves: [u64; 2],
}

impl Digest {
    pub(super) fn add(&mut self, word: u64) {
        const FACTORS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
        for (half, factor) in self.halves.iter_mut().zip(FACTORS) {
            let mixed = (*half ^ word).wrapping_add(factor).wrapping_mul(factor | 1);
            *half = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31);
        }
    }

    pub(super) fn value(&self) -> u128 {
        u128::from(self.halves[0]) << 64 | u128::from(self.halves[1])
    }
}
