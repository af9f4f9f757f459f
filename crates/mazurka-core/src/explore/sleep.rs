//! Sleep sets.

use super::execution::Execution;
use super::footprint::Footprint;
use super::overtake::{Bystander, Fate, Standing, Taken, fate};
use super::reversal::Reversal;
use crate::model::Step;

/// A step that was explored from some earlier prefix, and that no step since then has been
/// dependent on: to take it now would lead to what has been seen.
#[derive(Clone, Debug)]
struct Sleeper {
    step: Step,
    footprint: Footprint,
    bystander: Bystander,
}

/// The sleep sets along the current execution, in one stack.
///
/// The set at depth `d` holds first the steps that were asleep when that prefix was reached, then
/// the steps that have been explored from it since.
#[derive(Debug, Default)]
pub(crate) struct SleepSets {
    sleepers: Vec<Sleeper>,
    /// Where the set of each depth starts.
    starts: Vec<u32>,
}

impl SleepSets {
    /// Sets up the empty set for the empty execution.
    pub(crate) fn new() -> Self {
        SleepSets { sleepers: Vec::new(), starts: vec![0] }
    }

    /// Makes it what it was when it was new.
    pub(crate) fn clear(&mut self) {
        self.sleepers.clear();
        self.starts.truncate(1);
    }

    fn set(&self, depth: usize) -> &[Sleeper] {
        let start = self.starts[depth] as usize;
        let end = self.starts.get(depth + 1).map_or(self.sleepers.len(), |end| *end as usize);
        &self.sleepers[start..end]
    }

    /// Whether nobody is asleep at a depth.
    #[inline]
    pub(crate) fn is_empty(&self, depth: usize) -> bool {
        self.set(depth).is_empty()
    }

    /// Whether a step is asleep at a depth.
    #[inline]
    pub(crate) fn contains(&self, depth: usize, step: Step) -> bool {
        let ready = |sleeper: &Sleeper| sleeper.bystander.standing == Standing::Ready;
        self.set(depth).iter().rev().any(|sleeper| sleeper.step == step && ready(sleeper))
    }

    /// Sets up the set after the execution's last event: whoever was asleep before and is
    /// independent of that event.
    #[inline]
    pub(crate) fn descend(&mut self, execution: &Execution) {
        let depth = execution.len() - 1;
        debug_assert_eq!(self.starts.len(), depth + 1);
        let (start, end) = (self.starts[depth] as usize, self.sleepers.len());
        self.starts.push(end as u32);
        if start == end {
            return;
        }
        let taken = Taken { step: execution.event(depth).step, known_by: None, execution };
        for i in start..end {
            let Sleeper { step, footprint, bystander } = &self.sleepers[i];
            // What follows would come to the same, but not as fast.
            let is_simple = !execution.with_observers && taken.step.process != step.process;
            if is_simple && execution.is_dependent_on(depth, footprint) {
                continue;
            }
            let mut bystander = bystander.clone();
            if is_simple || bystander.watch((*step, footprint), &taken, execution.touches(depth)) {
                let (step, footprint) = (*step, footprint.clone());
                self.sleepers.push(Sleeper { step, footprint, bystander });
            }
        }
    }

    /// Goes back to a depth.
    pub(crate) fn truncate(&mut self, depth: usize) {
        if let Some(end) = self.starts.get(depth + 1) {
            self.sleepers.truncate(*end as usize);
            self.starts.truncate(depth + 1);
        }
    }

    /// Notes that the event at `depth`, the last depth, has been explored: it goes to sleep.
    pub(crate) fn put_to_sleep(&mut self, execution: &Execution, depth: usize) {
        debug_assert_eq!(self.starts.len(), depth + 1);
        let step = execution.event(depth).step;
        let footprint = execution.footprint(depth);
        self.sleepers.push(Sleeper { step, footprint, bystander: Bystander::default() });
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
        self.set(depth).iter().any(|sleeper| match sleeper.step.process == step.process {
            true => sleeper.step.choice == step.choice,
            false => !only_initials && !sleeper.footprint.dependent(footprint),
        })
    }

    /// Wakes everybody at the last depth, so that nothing is taken for seen.
    pub(crate) fn wake_all(&mut self) {
        let start = self.starts.last().map_or(0, |start| *start as usize);
        self.sleepers.truncate(start);
    }

    /// Whether the sequence that reverses a race is redundant after the first `depth` events:
    /// some sleeper is a weak initial of it, or, if `only_initials` count, an initial.
    pub(crate) fn make_redundant(
        &self,
        depth: usize,
        execution: &Execution,
        reversal: &Reversal,
        only_initials: bool,
    ) -> bool {
        if !execution.with_observers {
            return self.set(depth).iter().any(|Sleeper { step, footprint, .. }| {
                match fate(*step, footprint, reversal.items(execution)) {
                    Fate::Taken(_) => true,
                    Fate::Ignored => !only_initials,
                    Fate::Overtaken => false,
                }
            });
        }
        self.set(depth).iter().any(|sleeper| {
            let mut bystander = sleeper.bystander.clone();
            for item in reversal.items(execution) {
                if !bystander.watch(
                    (sleeper.step, &sleeper.footprint),
                    &item.taken(),
                    item.touches(),
                ) {
                    return false;
                }
                if bystander.standing == Standing::First {
                    return true;
                }
            }
            !only_initials
        })
    }
}
