//! `dpor`: dynamically computed persistent sets.
//!
//! This is the algorithm of Flanagan and Godefroid (*Dynamic partial-order reduction for model
//! checking software*, POPL 2005, figure 3), with clock vectors for its happens-before test.
//!
//! After every step, the algorithm considers the next transition of every process `p`. It looks for
//! the last event `i` of the execution that is dependent on that transition, may be co-enabled with
//! it, and does not happen before it. If there is one, the algorithm adds one of these processes to
//! the backtrack set before `i`:
//!
//! * `p` itself, if it is enabled there, or
//! * a process that is enabled there and has an event after `i` that happens before `p`'s next
//!   transition.
//!
//! If there is no such process, all processes that are enabled there are added.
//!
//! # The parts of figure 3
//!
//! | part | here |
//! |---|---|
//! | the last dependent, co-enabled event `i` | `Dpor::plan_all`, `Execution::races_of_pending` |
//! | the set `E`, and the backtrack set before `i` | `Dpor::plan` |
//! | the search | `Strategy::next`, `Strategy::backtrack` |
//!
//! # Departures from the paper
//!
//! * The paper adds any process of `E`. This implementation adds a process that *starts* the events
//!   that lead to `p`'s next transition: none of these events happens before its first event. With
//!   sleep sets, another process would not suffice. If it is asleep, only executions that start
//!   with it have been covered, and the reversal need not start with it. If the process that starts
//!   the events is asleep, all enabled processes are added, because its races are not seen here.
//! * A transition is considered again once it is performed. Only then are its actions certain: a
//!   compare-exchange may fail, a queue may be empty.
//! * With sleep sets (the default), a step is not taken after a prefix if it has been explored
//!   before and no step since then was dependent on it. Without them, the same trace may be run
//!   many times.

use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::explore::dpor::parts::sleep_set::SleepSets;
use crate::model::{Machine, ProcessId, Step, has_no_step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};

/// The state of the search.
#[derive(Debug)]
pub(crate) struct Dpor {
    /// One set for every prefix of the current execution. Sets beyond its length are kept for their
    /// memory.
    sets: Vec<BacktrackSet>,
    /// The sleep sets, unless they are turned off.
    sleep: Option<SleepSets>,
    firsts: Vec<u32>,
}

/// The open (`backtrack` in the paper) and the explored steps after a prefix.
#[derive(Debug, Default)]
struct BacktrackSet {
    /// The processes that are enabled there.
    enabled: Vec<ProcessId>,
    open: Vec<Step>,
    done: Vec<Step>,
}

impl BacktrackSet {
    fn has(&self, step: Step) -> bool {
        self.open.contains(&step) || self.done.contains(&step)
    }

    fn plan(&mut self, step: Step) {
        if !self.has(step) {
            self.open.push(step);
        }
    }
}

impl Dpor {
    fn with_sleep_sets(sleep_sets: bool) -> Self {
        let sleep = sleep_sets.then(SleepSets::new);
        Dpor { sets: Vec::new(), sleep, firsts: Vec::new() }
    }

    fn is_asleep(&self, depth: usize, step: Step) -> bool {
        self.sleep.as_ref().is_some_and(|sleep| sleep.contains(depth, step))
    }

    /// Initialises the set for the current end of the execution.
    fn arrive(&mut self, machine: &dyn Machine, depth: usize) {
        if self.sets.len() == depth {
            self.sets.push(BacktrackSet::default());
        }
        let set = &mut self.sets[depth];
        let processes = (0..machine.processes()).map(ProcessId::new);
        set.enabled.clear();
        set.enabled.extend(processes.filter(|process| machine.is_enabled(*process)));
        set.open.clear();
        set.done.clear();
    }

    /// Plans a step of `process` before the event `first`. `is_past` returns whether an event
    /// happens before that step.
    fn plan(
        &mut self,
        first: usize,
        process: ProcessId,
        execution: &Execution,
        is_past: impl Fn(usize) -> bool,
    ) {
        let set = &mut self.sets[first];
        let past = || (first + 1..execution.len()).filter(|event| is_past(*event));
        // A process starts the events that lead to the transition if no event of the transition's
        // past happens before its first event there. If that past is empty, `process` itself does.
        let starts = |candidate: ProcessId| {
            let mine = past().find(|event| execution.event(*event).step.process == candidate);
            match mine {
                Some(mine) => !past().any(|e| e < mine && execution.happens_before(e, mine)),
                None => candidate == process && past().next().is_none(),
            }
        };
        let candidates = || set.enabled.iter().copied().filter(|p| starts(*p));
        if candidates().any(|candidate| set.has(Step::of(candidate))) {
            return;
        }
        let asleep = |candidate: &ProcessId| {
            let sleep = self.sleep.as_ref();
            sleep.is_some_and(|sleep| sleep.contains(first, Step::of(*candidate)))
        };
        match candidates().next().filter(|candidate| !asleep(candidate)) {
            Some(candidate) => set.plan(Step::of(candidate)),
            None => {
                for i in 0..set.enabled.len() {
                    set.plan(Step::of(set.enabled[i]));
                }
            }
        }
    }

    /// Plans the races of the next transition of every process, and of the last event.
    fn plan_all(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        let last = execution.len() - 1;
        let process = execution.event(last).step.process;
        for i in 0..execution.races_since(last).len() {
            let first = execution.races_since(last)[i].first as usize;
            self.plan(first, process, execution, |event| {
                event < last
                    && execution.happens_before(event, last)
                    && !execution.happens_before(first, event)
            });
        }
        let mut firsts = std::mem::take(&mut self.firsts);
        for process in (0..machine.processes()).map(ProcessId::new) {
            if !has_no_step(machine, process) {
                execution.races_of_pending::<AllConflicts>(machine, process, &mut firsts);
                if let Some(first) = firsts.first() {
                    self.plan(*first as usize, process, execution, |event| {
                        execution.happens_before_next(event, process)
                    });
                }
            }
        }
        self.firsts = firsts;
    }
}

impl Explorer for Dpor {
    fn new(options: &Options<'_>) -> Self {
        Dpor::with_sleep_sets(options.sleep_sets)
    }
}

impl Strategy for Dpor {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_>) -> Next {
        let depth = at.depth();
        if depth == 0 && self.sets.is_empty() {
            self.arrive(at.machine, 0);
        }
        while let Some(lowest) =
            (0..self.sets[depth].open.len()).min_by_key(|i| self.sets[depth].open[*i])
        {
            let step = self.sets[depth].open.swap_remove(lowest);
            self.sets[depth].done.push(step);
            let possible = at.machine.is_enabled(step.process);
            if possible && !self.is_asleep(depth, step) {
                return Next::Step(step);
            }
        }
        let set = &self.sets[depth];
        if !set.done.is_empty() {
            return Next::Asleep;
        }
        if set.enabled.is_empty() {
            return Next::End;
        }
        let mut steps = at.enabled().flat_map(|process| {
            (0..at.machine.alternatives(process)).map(move |choice| Step { process, choice })
        });
        let free = steps.find(|step| !self.is_asleep(depth, *step));
        match free {
            Some(step) => {
                self.sets[depth].done.push(step);
                Next::Step(step)
            }
            None => Next::Asleep,
        }
    }

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        let depth = execution.len() - 1;
        let event = execution.event(depth);
        for choice in (0..event.alternatives).filter(|choice| *choice != event.step.choice) {
            self.sets[depth].plan(Step { choice, ..event.step });
        }
        if let Some(sleep) = &mut self.sleep {
            sleep.descend(execution);
        }
        self.arrive(machine, execution.len());
        self.plan_all(machine, execution);
    }

    fn ended(&mut self, _machine: &dyn Machine, _execution: &mut Execution) {}

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let mut depths = (0..execution.len()).rev();
        let depth = depths.find(|depth| {
            let set = &self.sets[*depth];
            set.open.iter().any(|step| !self.is_asleep(*depth, *step))
        })?;
        if let Some(sleep) = &mut self.sleep {
            sleep.truncate(depth);
            sleep.put_to_sleep(execution, depth);
        }
        Some(depth)
    }

    fn asleep(&self, depth: usize) -> Vec<Step> {
        self.sleep.as_ref().map_or_else(Vec::new, |sleep| sleep.steps(depth))
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let Some(set) = self.sets.get(depth) else { return (0, 0) };
        (set.done.len().saturating_sub(1), set.open.len())
    }
}
