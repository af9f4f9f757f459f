//! `source`: source sets with sleep sets.
//!
//! This is Source DPOR (Abdulla, Aronis, Jonsson and Sagonas, *Source sets: a foundation for
//! optimal dynamic partial order reduction*, Algorithm 1). Like [`optimal`](super::optimal), it
//! reverses races, but it plans only the first step of each reversal. This is cheaper, and also
//! covers every Mazurkiewicz trace exactly once. However, some executions turn out to be redundant
//! only after several steps, when all enabled processes are asleep. These count as blocked.
//!
//! For a race of `e` with `e'` in `E`, let `v = notdep(e, E).e'` with `E` taken up to `e'`, and let
//! `E'` be the prefix before `e`. The processes that can start a sequence equivalent to `v` are its
//! *initials*. If none of them is planned at `E'`, explored from it, or asleep there, one is added.
//!
//! # The parts of Algorithm 1
//!
//! | part | here |
//! |---|---|
//! | the search, with sleep sets | `Strategy::next`, `Strategy::took`, `Strategy::backtrack` |
//! | races, and `v` | `Strategy::ended`, `Reversal` |
//! | an initial of `v`, unless one is there | `Source::plan`, `Reversal::initials` |
//!
//! # Departures from the paper
//!
//! * Races are reversed at the end of an execution, not after each step.
//! * The explorer adds the initial that comes last in `v`. Any initial would do: the maximal
//!   executions are the same, but the number of redundant ones depends on it.
//! * The actions of `e'` may change if it comes before `e`: a compare-exchange may succeed, a
//!   channel may not be closed yet. It may then be dependent on events that it was independent of,
//!   and its order with these matters, too. For such a race, the initials of `v` with all of `E`
//!   are considered as well, and again in later executions that continue differently. If nothing is
//!   known of the actions, `e'` counts as dependent on all events.
//! * Blocking and choices are treated as in `optimal`.

use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::execution::without::Certainty;
use crate::explore::dpor::parts::reversal::Reversal;
use crate::explore::dpor::parts::sleep_set::SleepSets;
use crate::model::{Machine, ProcessId, Step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};

/// The state of the search.
#[derive(Debug)]
pub(crate) struct Source {
    /// One set for every prefix of the current execution. Sets beyond its length are kept for their
    /// memory.
    sets: Vec<SourceSet>,
    sleep: SleepSets,
    /// The position of the first new event of this execution.
    new_from: usize,
    reversal: Reversal,
    initials: Vec<Step>,
    firsts: Vec<u32>,
    races: Vec<u32>,
}

/// The steps to explore after a prefix.
#[derive(Debug, Default)]
struct SourceSet {
    /// The open steps (`backtrack` in the paper, without the explored ones).
    open: Vec<Step>,
    taken: u32,
}

impl Default for Source {
    fn default() -> Self {
        Source {
            sets: vec![SourceSet::default()],
            sleep: SleepSets::new(),
            new_from: 0,
            reversal: Reversal::default(),
            initials: Vec::new(),
            firsts: Vec::new(),
            races: Vec::new(),
        }
    }
}

impl Source {
    /// Ensures that some initial of `self.reversal`, restricted to events before `until`, is
    /// explored after the first `depth` events.
    fn plan(&mut self, depth: usize, execution: &Execution, until: usize) {
        self.reversal.initials(execution, until, &mut self.initials);
        // What the last step touches is a prediction. A sleeper has been run from here, and may have
        // touched more: then it is no initial.
        let Source { sleep, reversal, initials, .. } = self;
        initials.retain(|step| {
            sleep
                .footprint(depth, *step)
                .is_none_or(|footprint| reversal.is_initial_as(execution, until, *step, footprint))
        });
        let open = &mut self.sets[depth].open;
        let covered = |step: &Step| open.contains(step) || self.sleep.contains(depth, *step);
        if self.initials.iter().any(covered) {
            return;
        }
        open.extend(self.initials.last());
    }
}

impl Explorer for Source {
    fn new(_options: &Options<'_>) -> Self {
        Source::default()
    }
}

impl Strategy for Source {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_>) -> Next {
        let depth = at.depth();
        loop {
            let open = &mut self.sets[depth].open;
            let Some(lowest) = (0..open.len()).min_by_key(|i| open[*i]) else { break };
            let step = open.swap_remove(lowest);
            let possible = at.machine.is_enabled(step.process)
                && step.choice < at.machine.alternatives(step.process);
            debug_assert!(possible, "an initial is enabled");
            if possible && !self.sleep.contains(depth, step) {
                self.sets[depth].taken += 1;
                return Next::Step(step);
            }
        }
        let set = &mut self.sets[depth];
        if set.taken > 0 {
            return Next::Asleep;
        }
        let mut enabled = at.enabled().peekable();
        if enabled.peek().is_none() {
            return Next::End;
        }
        let awake = |process: &ProcessId| {
            let mut steps = (0..at.machine.alternatives(*process))
                .map(|choice| Step { process: *process, choice });
            steps.find(|step| !self.sleep.contains(depth, *step))
        };
        let mut candidates = enabled.filter_map(|process| awake(&process));
        match candidates.next() {
            Some(step) => {
                set.taken += 1;
                Next::Step(step)
            }
            None => Next::Asleep,
        }
    }

    fn took(&mut self, _machine: &dyn Machine, execution: &mut Execution) {
        let depth = execution.len() - 1;
        let event = execution.event(depth);
        if event.alternatives > 1 {
            let open = &mut self.sets[depth].open;
            for choice in (0..event.alternatives).filter(|choice| *choice != event.step.choice) {
                let step = Step { choice, ..event.step };
                if !open.contains(&step) && !self.sleep.contains(depth, step) {
                    open.push(step);
                }
            }
        }
        self.sleep.descend(execution);
        if self.sets.len() == execution.len() {
            self.sets.push(SourceSet::default());
        }
        let set = &mut self.sets[execution.len()];
        set.open.clear();
        set.taken = 0;
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        let mut races = std::mem::take(&mut self.races);
        execution.open_races::<AllConflicts>(self.new_from, true, &mut races);
        for race in races.iter().map(|index| execution.race(*index)) {
            self.reversal.of_race(execution, race);
            if self.reversal.certainty() == Certainty::None {
                self.reversal.set_last_footprint(execution.footprint_of_anything());
            }
            if race.second as usize >= self.new_from {
                self.plan(race.first as usize, execution, race.second as usize);
            }
            if self.reversal.changes_its_mind(execution) {
                self.plan(race.first as usize, execution, execution.len());
            }
        }
        self.races = races;
        for process in machine.waiting() {
            let mut firsts = std::mem::take(&mut self.firsts);
            execution.races_of_pending::<AllConflicts>(machine, process, &mut firsts);
            for first in &firsts {
                self.reversal.of_pending(execution, *first, machine, process);
                self.plan(*first as usize, execution, execution.len());
            }
            self.firsts = firsts;
        }
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let depth = (0..execution.len()).rev().find(|depth| !self.sets[*depth].open.is_empty())?;
        self.sleep.truncate(depth);
        self.sleep.put_to_sleep(execution, depth);
        self.new_from = depth;
        Some(depth)
    }

    fn asleep(&self, depth: usize) -> Vec<Step> {
        self.sleep.steps(depth)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let Some(set) = self.sets.get(depth) else { return (0, 0) };
        (set.taken.saturating_sub(1) as usize, set.open.len())
    }
}
