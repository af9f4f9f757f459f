//! Sleep sets.

use std::ops::Range;
use std::sync::Arc;

use crate::execution::Execution;
use crate::execution::footprint::{Footprint, Touch};
use crate::explore::dpor::parallel::Branch;
use crate::explore::dpor::parts::reversal::Reversal;
use crate::explore::dpor::parts::wakeup_tree::Candidate;
use crate::explore::dpor::parts::weak_initials::{Bystander, Fate, Standing, Taken, fate};
use crate::model::{Op, Step};

/// A step that was explored from some earlier prefix, and that no step since then has been
/// dependent on: to take it now would lead to what has been seen.
#[derive(Clone, Debug)]
pub(crate) struct Sleeper {
    step: Step,
    footprint: Footprint,
    bystander: Bystander,
    /// The branch of a fork that it is, if somebody else may still be exploring it.
    branch: Option<Arc<Branch>>,
}

impl Sleeper {
    /// The event at `depth`, which has been explored.
    #[inline]
    fn of_event(execution: &Execution, depth: usize) -> Self {
        let step = execution.event(depth).step;
        let footprint = execution.footprint(depth);
        Sleeper { step, footprint, bystander: Bystander::default(), branch: None }
    }

    /// The same if it is a branch of a fork, which somebody may still be exploring.
    pub(crate) fn of_branch(execution: &Execution, depth: usize, branch: Arc<Branch>) -> Self {
        Sleeper { branch: Some(branch), ..Sleeper::of_event(execution, depth) }
    }

    /// The branch that it is, if somebody may still be exploring that.
    pub(crate) fn open_branch(&self) -> Option<&Arc<Branch>> {
        self.branch.as_ref().filter(|branch| !branch.is_closed())
    }

    /// The same step as one that was taken after `depth` events, which is where a sequence starts
    /// unless `is_below` says that others are taken before.
    pub(crate) fn candidate(&self, depth: usize, is_below: bool) -> Candidate<'_> {
        Candidate {
            step: self.step,
            footprint: Some(&self.footprint),
            planned_at: depth,
            depth: (!is_below).then_some(depth),
        }
    }

    /// Whether it is that very step, or, unless `only_initials` count, would still be asleep after a
    /// step with this footprint.
    pub(crate) fn is_left_by(
        &self,
        step: Step,
        footprint: &Footprint,
        only_initials: bool,
    ) -> bool {
        // Once it has been taken, its process goes on as any other one does.
        let is_taken = matches!(self.bystander.standing, Standing::TakenBehind | Standing::First);
        match self.step.process == step.process && !is_taken {
            true => self.step.choice == step.choice,
            false => !only_initials && !self.footprint.dependent(footprint),
        }
    }

    /// Whether it makes a sequence redundant: it is a weak initial of it, or, if `only_initials`
    /// count, an initial.
    pub(crate) fn makes_redundant(
        &self,
        execution: &Execution,
        reversal: &Reversal,
        only_initials: bool,
    ) -> bool {
        match execution.with_observers {
            true => self.makes_unobserved(execution, reversal, only_initials),
            false => self.starts(reversal, only_initials),
        }
    }

    /// The same without observers.
    #[inline]
    fn starts(&self, reversal: &Reversal, only_initials: bool) -> bool {
        match fate(self.step, &self.footprint, reversal, reversal.items().iter()) {
            Fate::Taken(_) => true,
            Fate::Ignored => !only_initials,
            Fate::Overtaken => false,
        }
    }

    /// The same with observers.
    #[inline]
    fn makes_unobserved(
        &self,
        execution: &Execution,
        reversal: &Reversal,
        only_initials: bool,
    ) -> bool {
        let mut bystander = self.bystander.clone();
        for item in reversal.items() {
            if !bystander.watch(
                (self.step, &self.footprint),
                &item.taken(execution),
                reversal.touches(item).iter().copied(),
            ) {
                return false;
            }
            if bystander.standing == Standing::First {
                return true;
            }
        }
        !only_initials
    }

    /// Whether it sleeps on as it is, or not, after an event, if that is plain to see.
    #[inline]
    fn sleeps_on(&self, execution: &Execution, event: usize) -> Option<bool> {
        if self.bystander.standing == Standing::First {
            return Some(true);
        }
        if execution.event(event).step.process == self.step.process {
            return None;
        }
        match execution.with_observers {
            false => Some(!execution.is_dependent_on(event, &self.footprint)),
            true => {
                let mine = |touch: Touch| self.footprint.0.iter().any(|t| t.cell == touch.cell);
                (!execution.touches(event).any(mine)).then_some(true)
            }
        }
    }
}

/// The sleep sets along the current execution.
///
/// The set at depth `d` holds first the steps that were asleep when that prefix was reached, then
/// the steps that have been explored from it since. Who stays asleep from one depth to the next is
/// in both sets, but is written down once.
#[derive(Debug, Default)]
pub(crate) struct SleepSets {
    sleepers: Vec<Sleeper>,
    /// The sets of all depths, one after the other: who is in them.
    members: Vec<u32>,
    /// Where the set of each depth starts, and how many sleepers were known by then.
    starts: Vec<(u32, u32)>,
}

impl SleepSets {
    /// Sets up the empty set for the empty execution.
    pub(crate) fn new() -> Self {
        SleepSets { sleepers: Vec::new(), members: Vec::new(), starts: vec![(0, 0)] }
    }

    /// Makes it what it was when it was new.
    pub(crate) fn clear(&mut self) {
        self.sleepers.clear();
        self.members.clear();
        self.starts.truncate(1);
    }

    #[inline]
    fn members(&self, depth: usize) -> &[u32] {
        let start = self.starts[depth].0 as usize;
        let end = self.starts.get(depth + 1).map_or(self.members.len(), |end| end.0 as usize);
        &self.members[start..end]
    }

    #[inline]
    fn set(&self, depth: usize) -> impl DoubleEndedIterator<Item = &Sleeper> {
        self.members(depth).iter().map(|sleeper| &self.sleepers[*sleeper as usize])
    }

    /// Whether nobody is asleep at a depth.
    #[inline]
    pub(crate) fn is_empty(&self, depth: usize) -> bool {
        self.members(depth).is_empty()
    }

    /// Whether all that the sleepers at a depth do is dependent on others whoever observes it.
    pub(crate) fn is_certain(&self, depth: usize) -> bool {
        let is_observed = |touch: &Touch| matches!(touch.op, Op::Write | Op::Deliver { .. });
        self.set(depth).all(|sleeper| !sleeper.footprint.0.iter().any(is_observed))
    }

    /// Whether a step is asleep at a depth.
    #[inline]
    pub(crate) fn contains(&self, depth: usize, step: Step) -> bool {
        let ready = |sleeper: &Sleeper| sleeper.bystander.standing == Standing::Ready;
        self.set(depth).rev().any(|sleeper| sleeper.step == step && ready(sleeper))
    }

    /// Sets up the set after the execution's last event: whoever was asleep before and is
    /// independent of that event.
    #[inline]
    pub(crate) fn descend(&mut self, execution: &Execution) {
        let depth = execution.len() - 1;
        debug_assert_eq!(self.starts.len(), depth + 1);
        let (start, end) = (self.starts[depth].0 as usize, self.members.len());
        self.starts.push((end as u32, self.sleepers.len() as u32));
        if start < end {
            self.keep_asleep(start..end, execution, depth);
        }
    }

    /// Lets those `before` the last event, the one at `depth`, who may sleep on do so.
    fn keep_asleep(&mut self, before: Range<usize>, execution: &Execution, depth: usize) {
        let taken = Taken { step: execution.event(depth).step, known_by: None, execution };
        for i in before {
            let member = self.members[i];
            let sleeper = &self.sleepers[member as usize];
            match sleeper.sleeps_on(execution, depth) {
                Some(true) => self.members.push(member),
                Some(false) => {}
                None => {
                    let Sleeper { step, footprint, bystander, branch } = sleeper;
                    let mut bystander = bystander.clone();
                    if bystander.watch((*step, footprint), &taken, execution.touches(depth)) {
                        let (step, footprint, branch) = (*step, footprint.clone(), branch.clone());
                        self.members.push(self.sleepers.len() as u32);
                        self.sleepers.push(Sleeper { step, footprint, bystander, branch });
                    }
                }
            }
        }
    }

    /// Goes back to a depth.
    pub(crate) fn truncate(&mut self, depth: usize) {
        if let Some((members, sleepers)) = self.starts.get(depth + 1) {
            self.members.truncate(*members as usize);
            self.sleepers.truncate(*sleepers as usize);
            self.starts.truncate(depth + 1);
        }
    }

    /// Notes that the event at `depth`, the last depth, has been explored: it goes to sleep.
    #[inline]
    pub(crate) fn put_to_sleep(&mut self, execution: &Execution, depth: usize) {
        debug_assert_eq!(self.starts.len(), depth + 1);
        self.members.push(self.sleepers.len() as u32);
        self.sleepers.push(Sleeper::of_event(execution, depth));
    }

    /// The set of a depth, for somebody else.
    pub(crate) fn copy(&self, depth: usize) -> Vec<Sleeper> {
        self.set(depth).cloned().collect()
    }

    /// Whether somebody may still be exploring one who is asleep at a depth.
    pub(crate) fn is_open(&self, depth: usize) -> bool {
        self.set(depth).any(|sleeper| sleeper.open_branch().is_some())
    }

    /// Adds somebody else's sleepers to the set of the last depth.
    pub(crate) fn add(&mut self, sleepers: impl Iterator<Item = Sleeper>) {
        for sleeper in sleepers {
            self.members.push(self.sleepers.len() as u32);
            self.sleepers.push(sleeper);
        }
    }

    /// Goes back to a depth, and empties its set.
    pub(crate) fn empty(&mut self, depth: usize) {
        let (members, sleepers) = self.starts[depth];
        self.members.truncate(members as usize);
        self.sleepers.truncate(sleepers as usize);
        self.starts.truncate(depth + 1);
    }

    /// Sets up an empty set for the next depth.
    pub(crate) fn deepen(&mut self) {
        self.starts.push((self.members.len() as u32, self.sleepers.len() as u32));
    }

    /// Whether that very step is asleep at a depth, or, unless `only_initials` count, somebody
    /// would still be asleep after a step with this footprint.
    pub(crate) fn keeps_asleep(
        &self,
        depth: usize,
        step: Step,
        footprint: &Footprint,
        only_initials: bool,
    ) -> bool {
        self.set(depth).any(|sleeper| sleeper.is_left_by(step, footprint, only_initials))
    }

    /// Wakes everybody at the last depth, so that nothing is taken for seen.
    pub(crate) fn wake_all(&mut self) {
        let start = self.starts.last().map_or(0, |start| start.0 as usize);
        self.members.truncate(start);
    }

    /// Whether the sequence that reverses a race is redundant after the first `depth` events:
    /// some sleeper is a weak initial of it, or, if `only_initials` count, an initial.
    #[inline]
    pub(crate) fn make_redundant(
        &self,
        depth: usize,
        execution: &Execution,
        reversal: &Reversal,
        only_initials: bool,
    ) -> bool {
        if execution.with_observers {
            return self.make_unobserved(depth, execution, reversal, only_initials);
        }
        self.set(depth).any(|sleeper| sleeper.starts(reversal, only_initials))
    }

    /// The same with observers. It is apart so that it does not slow the other one down.
    #[inline(never)]
    fn make_unobserved(
        &self,
        depth: usize,
        execution: &Execution,
        reversal: &Reversal,
        only_initials: bool,
    ) -> bool {
        self.set(depth).any(|sleeper| sleeper.makes_unobserved(execution, reversal, only_initials))
    }
}
