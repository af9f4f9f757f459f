//! `dpor`: persistent sets, found dynamically.
//!
//! This is the algorithm of Flanagan and Godefroid (*Dynamic partial-order reduction for model
//! checking software*, POPL 2005, figure 3), with clock vectors for its happens-before test.
//!
//! After every step, for every process `p` with a next transition, it looks for the last event
//! `i` of the execution that is dependent on that transition, may be co-enabled with it, and does
//! not happen before it. If there is one, then before `i` one of these should be tried:
//!
//! * `p` itself, if it is enabled there, or
//! * a process that is enabled there and has an event behind `i` that happens before `p`'s next
//!   transition,
//!
//! and if there are none, every process that is enabled there. Of several, one that is planned or
//! has been tried already is preferred, else the lowest.
//!
//! The paper lets any of these be taken. Here it is one that *starts* the events leading up to
//! `p`'s next transition, that is, none of them happens before its first. With sleep sets another
//! one would not do: if it is asleep, only what starts with it has been covered, and the reversal
//! need not start with it.
//!
//! If that one is asleep, everybody is tried: what it would have raced with in turn, and what
//! would have been planned on account of that, is not seen here.
//!
//! A transition is looked at again once it is performed, since only then is it known for sure what
//! it does: a compare-exchange may fail, a queue be empty.
//!
//! With sleep sets (the default) a step is not taken from a prefix if it has been tried before it
//! and nothing since then was dependent on it. Without them, the same trace may be run many times.

use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::explore::dpor::parts::sleep_set::SleepSets;
use crate::model::{Machine, ProcessId, Step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};

/// The state of the search.
#[derive(Debug)]
pub(crate) struct Dpor {
    /// One for every prefix of the current execution; those beyond are kept for their memory.
    nodes: Vec<Node>,
    /// Sleep sets, unless they are turned off.
    sleep: Option<SleepSets>,
    firsts: Vec<u32>,
}

#[derive(Debug, Default)]
struct Node {
    /// Who could move here.
    enabled: Vec<ProcessId>,
    open: Vec<Step>,
    done: Vec<Step>,
}

impl Node {
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
        Dpor { nodes: Vec::new(), sleep, firsts: Vec::new() }
    }

    fn asleep(&self, depth: usize, step: Step) -> bool {
        self.sleep.as_ref().is_some_and(|sleep| sleep.contains(depth, step))
    }

    /// Sets up the node for the current end of the execution.
    fn arrive<M: Machine>(&mut self, machine: &M, depth: usize) {
        if self.nodes.len() == depth {
            self.nodes.push(Node::default());
        }
        let node = &mut self.nodes[depth];
        let processes = (0..machine.processes()).map(ProcessId::new);
        node.enabled.clear();
        node.enabled.extend(processes.filter(|process| machine.is_enabled(*process)));
        node.open.clear();
        node.done.clear();
    }

    /// Plans to let `process` take a step before the event `first`; `is_past` says which events
    /// happen before that step.
    fn plan(
        &mut self,
        first: usize,
        process: ProcessId,
        execution: &Execution,
        is_past: impl Fn(usize) -> bool,
    ) {
        let node = &mut self.nodes[first];
        let past = || (first + 1..execution.len()).filter(|event| is_past(*event));
        // Whoever starts what leads up to the transition: an event of its past with nothing of
        // that past before it, or the process itself.
        let starts = |candidate: ProcessId| {
            let mine = past().find(|event| execution.event(*event).step.process == candidate);
            match mine {
                Some(mine) => !past().any(|e| e < mine && execution.happens_before(e, mine)),
                None => candidate == process && past().next().is_none(),
            }
        };
        let candidates = || node.enabled.iter().copied().filter(|p| starts(*p));
        if candidates().any(|candidate| node.has(Step::of(candidate))) {
            return;
        }
        let asleep = |candidate: &ProcessId| {
            let sleep = self.sleep.as_ref();
            sleep.is_some_and(|sleep| sleep.contains(first, Step::of(*candidate)))
        };
        match candidates().next().filter(|candidate| !asleep(candidate)) {
            Some(candidate) => node.plan(Step::of(candidate)),
            None => {
                for i in 0..node.enabled.len() {
                    node.plan(Step::of(node.enabled[i]));
                }
            }
        }
    }

    /// Looks for races of every process's next transition, and of the last event.
    fn plan_all<M: Machine>(&mut self, machine: &M, execution: &mut Execution) {
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
            if machine.next(process).is_some() || !machine.guards(process).is_empty() {
                execution.races_of_pending::<AllConflicts, M>(machine, process, &mut firsts);
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

impl<M: Machine> Strategy<M> for Dpor {
    type Relation = AllConflicts;

    fn next(&mut self, at: &Position<'_, M>) -> Next {
        let depth = at.depth();
        if depth == 0 && self.nodes.is_empty() {
            self.arrive(at.machine, 0);
        }
        while let Some(lowest) =
            (0..self.nodes[depth].open.len()).min_by_key(|i| self.nodes[depth].open[*i])
        {
            let step = self.nodes[depth].open.swap_remove(lowest);
            self.nodes[depth].done.push(step);
            let possible = at.machine.is_enabled(step.process);
            if possible && at.allows(step.process) && !self.asleep(depth, step) {
                return Next::Step(step);
            }
            if let Some(earlier) = at.where_to_try_instead(step.process) {
                self.nodes[earlier].plan(step);
            }
        }
        if at.left_out.get() {
            return Next::Cut;
        }
        let node = &self.nodes[depth];
        if !node.done.is_empty() {
            return Next::Asleep;
        }
        if node.enabled.is_empty() {
            return Next::End;
        }
        let mut steps = at.enabled().flat_map(|process| {
            (0..at.machine.alternatives(process)).map(move |choice| Step { process, choice })
        });
        let free = steps.find(|step| at.allows(step.process) && !self.asleep(depth, *step));
        match free {
            Some(step) => {
                self.nodes[depth].done.push(step);
                Next::Step(step)
            }
            None if at.confined_to.is_some() => Next::Cut,
            None => Next::Asleep,
        }
    }

    fn took(&mut self, machine: &M, execution: &mut Execution) {
        let depth = execution.len() - 1;
        let event = execution.event(depth);
        for choice in (0..event.alternatives).filter(|choice| *choice != event.step.choice) {
            self.nodes[depth].plan(Step { choice, ..event.step });
        }
        if let Some(sleep) = &mut self.sleep {
            sleep.descend(execution);
        }
        self.arrive(machine, execution.len());
        self.plan_all(machine, execution);
    }

    fn ended(&mut self, _machine: &M, _execution: &mut Execution) {}

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let mut depths = (0..execution.len()).rev();
        let depth = depths.find(|depth| {
            let node = &self.nodes[*depth];
            node.open.iter().any(|step| !self.asleep(*depth, *step))
        })?;
        if let Some(sleep) = &mut self.sleep {
            sleep.truncate(depth);
            sleep.put_to_sleep(execution, depth);
        }
        Some(depth)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let Some(node) = self.nodes.get(depth) else { return (0, 0) };
        (node.done.len().saturating_sub(1), node.open.len())
    }
}
