//! Sleep sets.

use std::convert::Infallible;
use std::ops::Range;

use crate::execution::Execution;
use crate::execution::footprint::{Footprint, Touch};
use crate::execution::order::AllConflicts;
use crate::explore::dpor::parts::reversal::Reversal;
use crate::explore::dpor::parts::wakeup_tree::{Candidate, Path};
use crate::explore::dpor::parts::weak_initials::{Fate, Taken, WeakInitials};
use crate::model::Step;
use crate::wire::{Malformed, Reader, Wire};

/// A step that was explored from an earlier prefix, and that no step since then has been dependent
/// on. Taking it now would lead to executions that have been explored.
///
/// The explorer defines the meaning of the `tag`.
#[derive(Clone, Debug)]
pub(crate) struct Sleeper<R: WeakInitials = AllConflicts, T = Infallible> {
    step: Step,
    footprint: Footprint,
    /// Whether it is an alternative that [fails](Execution::is_failure). It covers only sequences that
    /// contain it: after the others, the process may take the other alternative.
    is_failure: bool,
    /// Whether it covers only sequences that contain it, because the search does not rely on what is found
    /// behind it.
    is_loose: bool,
    bystander: R::Bystander,
    tag: Option<T>,
}

impl<R: WeakInitials, T> Sleeper<R, T> {
    /// Creates a sleeper from the explored event at `depth`.
    #[inline]
    pub(crate) fn of_event(execution: &Execution, depth: usize, tag: Option<T>) -> Self {
        let step = execution.event(depth).step;
        let footprint = execution.footprint(depth);
        let is_failure = execution.is_failure(depth);
        let bystander = R::Bystander::default();
        Sleeper { step, footprint, is_failure, is_loose: false, bystander, tag }
    }

    /// Appends the sleeper without its tag to bytes.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        let Sleeper { step, footprint, is_failure, is_loose, bystander, tag: _ } = self;
        step.write(to);
        footprint.write(to);
        is_failure.write(to);
        is_loose.write(to);
        bystander.write(to);
    }

    /// Reads a sleeper, and gives it a tag.
    pub(crate) fn read(from: &mut Reader<'_>, tag: Option<T>) -> Result<Self, Malformed> {
        let (step, footprint, is_failure) = Wire::read(from)?;
        let (is_loose, bystander) = Wire::read(from)?;
        Ok(Sleeper { step, footprint, is_failure, is_loose, bystander, tag })
    }

    /// Returns the step.
    pub(crate) fn step(&self) -> Step {
        self.step
    }

    /// Returns what the step touches.
    pub(crate) fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Returns whether it is [loose](SleepSets::loosen).
    pub(crate) fn is_loose(&self) -> bool {
        self.is_loose
    }

    /// Returns the tag.
    pub(crate) fn tag(&self) -> Option<&T> {
        self.tag.as_ref()
    }

    /// Returns the step as a candidate for a weak initial of a sequence. It was taken at the end of this way.
    pub(crate) fn candidate<'a>(&'a self, path: &'a Path) -> Candidate<'a> {
        Candidate {
            step: self.step,
            footprint: Some(&self.footprint),
            is_failure: self.is_failure,
            planned_at: path.depth(),
            path,
        }
    }

    /// Returns whether this is the given step, or stays asleep after it. With `only_initials`, only
    /// the former counts.
    pub(crate) fn covers_step(
        &self,
        step: Step,
        footprint: &Footprint,
        only_initials: bool,
    ) -> bool {
        // Once it has been taken, later steps of its process count like those of any other process.
        match self.step.process == step.process && !R::is_taken(&self.bystander) {
            true => self.step.choice == step.choice,
            false => !only_initials && self.covers_others() && !self.footprint.dependent(footprint),
        }
    }

    /// Returns whether it covers sequences that do not contain it.
    #[inline]
    fn covers_others(&self) -> bool {
        !self.is_failure && !self.is_loose
    }

    /// Returns whether this sleeper makes a sequence redundant: it is a weak initial of the
    /// sequence or, with `only_initials`, an initial.
    #[inline]
    pub(crate) fn makes_redundant(
        &self,
        execution: &Execution,
        sequence: &Reversal,
        only_initials: bool,
    ) -> bool {
        let mut bystander = self.bystander.clone();
        let mine = (self.step, &self.footprint);
        for step in sequence.steps() {
            let touches = sequence.touches(step).iter().copied();
            match R::watch(&mut bystander, mine, &step.taken(execution), touches) {
                Fate::Open => {}
                Fate::Initial => return true,
                Fate::Overtaken => return false,
            }
        }
        !only_initials && self.covers_others()
    }

    /// Returns whether an event does not affect the sleeper: the sleeper is an initial whatever
    /// follows, or the event is a step of another process that accesses none of its cells.
    #[inline]
    fn ignores(&self, execution: &Execution, event: usize) -> bool {
        let is_mine = |touch: Touch| self.footprint.0.iter().any(|mine| mine.cell == touch.cell);
        R::is_initial(&self.bystander)
            || (execution.event(event).step.process != self.step.process
                && !execution.touches(event).any(is_mine))
    }
}

/// The sleep sets along the current execution.
///
/// The set at depth `d` holds the steps that were asleep when that prefix was reached, followed by
/// the steps that have been explored from it since. A step that stays asleep from one depth to the
/// next is a member of both sets, but is stored once.
#[derive(Debug)]
pub(crate) struct SleepSets<R: WeakInitials = AllConflicts, T = Infallible> {
    sleepers: Vec<Sleeper<R, T>>,
    /// The members of the sets of all depths, one set after the other.
    members: Vec<u32>,
    /// The start of the set of each depth, and the number of sleepers that were stored by then.
    starts: Vec<(u32, u32)>,
}

impl<R: WeakInitials, T: Clone> SleepSets<R, T> {
    /// Creates an empty set for the empty execution.
    pub(crate) fn new() -> Self {
        SleepSets { sleepers: Vec::new(), members: Vec::new(), starts: vec![(0, 0)] }
    }

    #[inline]
    fn members(&self, depth: usize) -> &[u32] {
        let start = self.starts[depth].0 as usize;
        let end = self.starts.get(depth + 1).map_or(self.members.len(), |end| end.0 as usize);
        &self.members[start..end]
    }

    /// Returns the set at a depth.
    #[inline]
    pub(crate) fn set(&self, depth: usize) -> impl DoubleEndedIterator<Item = &Sleeper<R, T>> {
        self.members(depth).iter().map(|sleeper| &self.sleepers[*sleeper as usize])
    }

    /// Returns whether the set at a depth is empty.
    #[inline]
    pub(crate) fn is_empty(&self, depth: usize) -> bool {
        self.members(depth).is_empty()
    }

    /// Returns whether a later observation may wake some sleeper at a depth.
    pub(crate) fn is_undecided(&self, depth: usize) -> bool {
        self.set(depth).any(|sleeper| R::is_observed_later(&sleeper.footprint))
    }

    /// Returns whether no sleeper at a depth covers sequences that do not contain it.
    pub(crate) fn cover_no_others(&self, depth: usize) -> bool {
        !self.set(depth).any(Sleeper::covers_others)
    }

    /// Returns whether some sleeper at a depth is [loose](Self::loosen).
    pub(crate) fn holds_loose(&self, depth: usize) -> bool {
        self.set(depth).any(Sleeper::is_loose)
    }

    /// Makes the sleepers of the last depth loose: from there on, each covers only sequences that contain
    /// it. They lose their tags.
    pub(crate) fn loosen(&mut self) {
        let start = self.starts.last().map_or(0, |start| start.0 as usize);
        for i in start..self.members.len() {
            let sleeper = &self.sleepers[self.members[i] as usize];
            if !sleeper.is_loose {
                // Shorter prefixes have the same sleeper in their sets.
                let loose = Sleeper { is_loose: true, tag: None, ..sleeper.clone() };
                self.members[i] = self.sleepers.len() as u32;
                self.sleepers.push(loose);
            }
        }
    }

    /// Returns whether a step is asleep at a depth.
    #[inline]
    pub(crate) fn contains(&self, depth: usize, step: Step) -> bool {
        let is_it =
            |sleeper: &Sleeper<R, T>| sleeper.step == step && R::is_ready(&sleeper.bystander);
        self.set(depth).rev().any(is_it)
    }

    /// Returns the steps that are asleep at a depth.
    pub(crate) fn steps(&self, depth: usize) -> Vec<Step> {
        let ready = self.set(depth).filter(|sleeper| R::is_ready(&sleeper.bystander));
        ready.map(|sleeper| sleeper.step).collect()
    }

    /// Returns what a step touches if it is in the sleep set at `depth`.
    pub(crate) fn footprint(&self, depth: usize, step: Step) -> Option<&Footprint> {
        let sleeper = self.set(depth).rev().find(|sleeper| sleeper.step == step);
        sleeper.map(|sleeper| &sleeper.footprint)
    }

    /// Creates the set after the last event of the execution: the sleepers before it that it does
    /// not wake.
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

    /// Adds to the last set the members of the set `before` the event at `depth`, the last event,
    /// that this event does not wake.
    fn keep_asleep(&mut self, before: Range<usize>, execution: &Execution, depth: usize) {
        // The step reports which messages it matches of those that sleepers are about to deliver.
        let (step, known_by, is_planned) = (execution.event(depth).step, None, false);
        let taken = Taken { step, known_by, is_planned, execution };
        for i in before {
            let member = self.members[i];
            let sleeper = &self.sleepers[member as usize];
            if sleeper.ignores(execution, depth) {
                self.members.push(member);
                continue;
            }
            let Sleeper { step, footprint, is_failure, is_loose, bystander, tag } = sleeper;
            let mut bystander = bystander.clone();
            let fate =
                R::watch(&mut bystander, (*step, footprint), &taken, execution.touches(depth));
            if fate == Fate::Overtaken {
                continue;
            }
            // A relation without bystander state leaves the sleeper unchanged.
            if size_of::<R::Bystander>() == 0 {
                self.members.push(member);
                continue;
            }
            let (step, footprint, tag) = (*step, footprint.clone(), tag.clone());
            let (is_failure, is_loose) = (*is_failure, *is_loose);
            self.members.push(self.sleepers.len() as u32);
            self.sleepers.push(Sleeper { step, footprint, is_failure, is_loose, bystander, tag });
        }
    }

    /// Truncates to a depth.
    pub(crate) fn truncate(&mut self, depth: usize) {
        if let Some((members, sleepers)) = self.starts.get(depth + 1) {
            self.members.truncate(*members as usize);
            self.sleepers.truncate(*sleepers as usize);
            self.starts.truncate(depth + 1);
        }
    }

    /// Adds the explored event at `depth`, the last depth, to its sleep set.
    #[inline]
    pub(crate) fn put_to_sleep(&mut self, execution: &Execution, depth: usize) {
        debug_assert_eq!(self.starts.len(), depth + 1);
        self.add(Sleeper::of_event(execution, depth, None));
    }

    /// Adds a sleeper to the set of the last depth.
    #[inline]
    pub(crate) fn add(&mut self, sleeper: Sleeper<R, T>) {
        self.members.push(self.sleepers.len() as u32);
        self.sleepers.push(sleeper);
    }

    /// Truncates to a depth, and clears its set.
    pub(crate) fn empty(&mut self, depth: usize) {
        let (members, sleepers) = self.starts[depth];
        self.members.truncate(members as usize);
        self.sleepers.truncate(sleepers as usize);
        self.starts.truncate(depth + 1);
    }

    /// Creates an empty set for the next depth.
    pub(crate) fn deepen(&mut self) {
        self.starts.push((self.members.len() as u32, self.sleepers.len() as u32));
    }

    /// Clears the set of the last depth, so that nothing is redundant there.
    pub(crate) fn wake_all(&mut self) {
        let start = self.starts.last().map_or(0, |start| start.0 as usize);
        self.members.truncate(start);
    }

    /// Removes the sleepers of the last depth that are not loose.
    pub(crate) fn wake_strict(&mut self) {
        let start = self.starts.last().map_or(0, |start| start.0 as usize);
        let is_loose = |member: &mut u32| self.sleepers[*member as usize].is_loose;
        let loose: Vec<u32> = self.members.extract_if(start.., is_loose).collect();
        self.members.truncate(start);
        self.members.extend(loose);
    }

    /// Returns whether some sleeper at a depth [covers](Sleeper::covers_step) a step.
    pub(crate) fn cover_step(
        &self,
        depth: usize,
        step: Step,
        footprint: &Footprint,
        only_initials: bool,
    ) -> bool {
        self.set(depth).any(|sleeper| sleeper.covers_step(step, footprint, only_initials))
    }

    /// Returns whether a sequence is redundant after the first `depth` events: some sleeper is a
    /// weak initial of it or, with `only_initials`, an initial.
    #[inline]
    pub(crate) fn make_redundant(
        &self,
        depth: usize,
        execution: &Execution,
        sequence: &Reversal,
        only_initials: bool,
    ) -> bool {
        self.set(depth).any(|sleeper| sleeper.makes_redundant(execution, sequence, only_initials))
    }

    /// Returns whether a sequence is redundant after the first `depth` events: one of the first `inherited`
    /// sleepers is an initial of it, or another one is a weak initial.
    pub(crate) fn make_redundant_below(
        &self,
        depth: usize,
        execution: &Execution,
        sequence: &Reversal,
        inherited: usize,
    ) -> bool {
        let covers = |(number, sleeper): (usize, &Sleeper<R, T>)| {
            sleeper.makes_redundant(execution, sequence, number < inherited)
        };
        self.set(depth).enumerate().any(covers)
    }

    /// Returns the number of sleepers at a depth.
    pub(crate) fn len(&self, depth: usize) -> usize {
        self.members(depth).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::cells::CellId;
    use crate::model::{Op, ProcessId};

    fn sleeper(process: usize, tag: u32) -> Sleeper<AllConflicts, u32> {
        let (step, tag) = (Step::of(ProcessId::new(process)), Some(tag));
        let footprint = [Touch { cell: CellId(0), op: Op::Read }].into_iter().collect();
        Sleeper { step, footprint, is_failure: false, is_loose: false, bystander: (), tag }
    }

    #[test]
    fn a_loose_sleeper_covers_only_its_own_step() {
        let mut sets = SleepSets::new();
        sets.add(sleeper(0, 1));
        sets.deepen();
        // The sleeper of the first process stays asleep.
        sets.members.push(0);
        sets.loosen();
        sets.add(sleeper(1, 2));
        let other = Step::of(ProcessId::new(2));
        let independent = Footprint::default();
        let covers = |number: usize, step: Step| {
            let sleeper = sets.set(1).nth(number).unwrap();
            sleeper.covers_step(step, &independent, false)
        };
        assert_eq!([covers(0, other), covers(1, other)], [false, true]);
        assert!(covers(0, Step::of(ProcessId::new(0))));
        let tags: Vec<_> = sets.set(1).map(|sleeper| sleeper.tag().copied()).collect();
        assert_eq!(tags, [None, Some(2)]);
        // It is not loose at the shorter prefix.
        assert!(!sets.holds_loose(0) && sets.holds_loose(1));
        sets.wake_strict();
        assert_eq!(sets.steps(1), [Step::of(ProcessId::new(0))]);
        sets.truncate(0);
        assert_eq!((sets.len(0), sets.sleepers.len()), (1, 1));
    }
}
