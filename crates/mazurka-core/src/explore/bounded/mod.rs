//! Exploration by preemptions: all classes that some schedule with at most 0, 1, 2, … preemptions
//! reaches.
//!
//! A preemption is a switch away from an enabled process. An explorer that reduces runs one schedule
//! of each class, and this one may need more preemptions than another schedule of the same class. A
//! bound on the executions of such an explorer would miss classes. Bounded partial order reduction
//! (Coons, Musuvathi and McKinley, OOPSLA 2013) adds conservative backtracking points for this reason.
//! This search goes another way: it is a shortest-path search for classes, where a preemption costs 1
//! and every other step is free. So it reaches each class with the fewest preemptions that lead to it.
//!
//! # The search
//!
//! A schedule is a sequence of *blocks*: steps of one process in a row. The search runs depth-first over
//! the steps that cost nothing: the steps of the current block and, where its process has ended or
//! waits, the first step of a block of any other process. Preemptions are *put off*. A preemption is
//! recorded as the prefix before it and the process that continues. Once everything at the current bound is
//! explored, the bound is raised by 1 and the recorded prefixes are continued. Nothing is run again,
//! except for the steps that lead to a recorded prefix.
//!
//! # What is left out
//!
//! * *Known blocks.* The beginning of a block is a prefix and a process. Two prefixes with the same
//!   Mazurkiewicz trace lead to the same state, and what can follow costs the same. The trace that was
//!   met first was met with at most as many preemptions. See `visited.rs`.
//! * *Needless preemptions.* Let a process be preempted before its step `s`. If `s` is independent of
//!   everything up to the next step of this process, `s` could have been taken before the preemption, in
//!   the same class and at the same cost. Therefore `s` is put to sleep, and a dependent step wakes it. One
//!   more thing changes the cost: if `s` comes earlier, it may enable a process that waits, and a switch
//!   away from that process is then a preemption. So a switch away from a waiting process wakes all.
//! * *Preemptions before steps that do not conflict.* If no other process has touched what `s` touches,
//!   in any execution so far, a preemption before `s` is needless by the same argument. It is kept aside
//!   until another process does. See `contested.rs`.
//!
//! # Redundant executions
//!
//! Each class counts as one execution. Two schedules of a class that differ in the order of independent
//! blocks can have equally few preemptions. The search recognises the second one when it begins another
//! block. The last block of a schedule has no such point: the execution ends, turns out to be of a known
//! class, and counts as blocked.
//!
//! For `observers`, classes are distinguished by the happens-before relation of observed conflicts.
//! Prefixes are still compared by their Mazurkiewicz traces, because later steps may observe the order of
//! conflicts in a prefix.

mod contested;
mod visited;

use std::collections::HashSet;
use std::convert::Infallible;
use std::hash::BuildHasherDefault;
use std::marker::PhantomData;
use std::sync::Arc;

use self::contested::Contested;
use self::visited::Visited;
use crate::execution::order::{AllConflicts, ObservedConflicts, Relation};
use crate::execution::{Declared, DigestHasher, Execution};
use crate::explore::dpor::parts::sleep_set::{SleepSets, Sleeper};
use crate::model::{Machine, Performed, ProcessId, Step, has_no_step};
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use crate::search::{Algorithm, Options};
use crate::verdict::{Bound, PreemptionLevel, Verdict};

/// The search for Mazurkiewicz traces.
pub(crate) type BoundedTraces = Bounded<AllConflicts>;
/// The search for classes that no observer distinguishes.
pub(crate) type BoundedObservers = Bounded<ObservedConflicts>;

/// The state of the search. Classes are distinguished by the relation `R`.
#[derive(Debug)]
pub(crate) struct Bounded<R> {
    /// The last bound, unless the search goes on until everything is explored.
    last: Option<u32>,
    /// The number of preemptions of the current execution.
    level: u32,
    /// Whether to leave anything out. `naive` does not.
    reduces: bool,
    /// One node for each prefix of the current execution, from the prefix `base` on.
    nodes: Vec<Node>,
    used: usize,
    /// The length of the prefix that the search has continued last.
    base: usize,
    /// The process that continues there, until it has moved.
    resumed: Option<ProcessId>,
    /// The digests of the traces of these prefixes.
    digests: Vec<u128>,
    sleep: SleepSets,
    /// The preemptions to continue at this level, and at the next one.
    now: Vec<Arc<Preemption>>,
    later: Vec<Arc<Preemption>>,
    visited: Visited,
    contested: Contested,
    classes: HashSet<u128, BuildHasherDefault<DigestHasher>>,
    /// Whether the current level is explored.
    is_explored: bool,
    /// The execution with all conflicts, if `R` orders fewer.
    traces: Option<Box<Execution>>,
    /// The step that is being taken.
    taking: Option<(Step, u32, Option<Declared>)>,
    relation: PhantomData<R>,
}

/// What is left to do after a prefix.
#[derive(Debug, Default)]
struct Node {
    /// The open steps that cost nothing, in reverse order.
    open: Vec<Step>,
    taken: usize,
    /// The processes that can preempt the process that moved last.
    preempting: Vec<ProcessId>,
    /// The explored steps of the process that they preempt.
    explored: Vec<Sleeper>,
}

/// A preemption that has been put off.
#[derive(Debug)]
struct Preemption {
    /// The steps of the execution in which it could have happened, and the number of those before it.
    steps: Arc<[Step]>,
    depth: usize,
    /// The process that continues.
    process: ProcessId,
    /// The number of preemptions, including this one.
    level: u32,
    /// The steps that are asleep.
    asleep: Arc<[Sleeper]>,
    /// The digest of the trace of the prefix.
    digest: u128,
}

impl<R: Relation> Explorer for Bounded<R> {
    fn new(options: &Options<'_>) -> Self {
        Bounded {
            last: options.preemption_bound.and_then(|bound| bound.number()),
            level: 0,
            reduces: options.algorithm != Algorithm::Naive,
            nodes: Vec::new(),
            used: 0,
            base: 0,
            resumed: None,
            digests: vec![0],
            sleep: SleepSets::new(),
            now: Vec::new(),
            later: Vec::new(),
            visited: Visited::default(),
            contested: Contested::default(),
            classes: HashSet::default(),
            is_explored: false,
            traces: R::ORDERS_LATER.then(Box::default),
            taking: None,
            relation: PhantomData,
        }
    }
}

impl<R> Bounded<R> {
    /// Returns the awake steps of a process.
    fn steps_of(&self, machine: &dyn Machine, process: ProcessId, depth: usize) -> Vec<Step> {
        let steps = (0..machine.alternatives(process)).map(|choice| Step { process, choice });
        steps.filter(|step| !self.sleep.contains(depth, *step)).collect()
    }

    /// Fills the node of a new prefix.
    fn arrive(&mut self, at: &Position<'_>) {
        let depth = at.depth();
        let mut node = match self.nodes.get_mut(depth) {
            Some(node) => std::mem::take(node),
            None => {
                self.nodes.resize_with(depth + 1, Node::default);
                Node::default()
            }
        };
        self.used = depth + 1;
        node.open.clear();
        node.preempting.clear();
        node.explored.clear();
        node.taken = 0;
        let machine = at.machine;
        let is_enabled = |process: &ProcessId| machine.is_enabled(*process);
        let enabled = (0..machine.processes()).map(ProcessId::new).filter(is_enabled);
        let last = at.execution.last_process();
        if let Some(process) = self.resumed.take() {
            node.open = self.steps_of(machine, process, depth);
        } else if let Some(last) = last.filter(is_enabled) {
            node.open = self.steps_of(machine, last, depth);
            let others = enabled.filter(|process| *process != last);
            node.preempting
                .extend(others.filter(|p| !self.steps_of(machine, *p, depth).is_empty()));
        } else {
            if last.is_some_and(|last| !has_no_step(machine, last)) {
                self.sleep.wake_all();
            }
            for process in enabled {
                let steps = self.steps_of(machine, process, depth);
                let digest = self.digests[depth - self.base];
                let asleep = self.sleep.set(depth).map(Sleeper::step);
                if !self.reduces || self.visited.insert(digest, process, asleep) {
                    node.open.extend(steps);
                }
            }
        }
        node.open.reverse();
        self.nodes[depth] = node;
    }

    /// Records the preemptions after the first `depth` events, from which everything else is
    /// explored.
    fn put_off(&mut self, depth: usize, steps: &Arc<[Step]>) {
        let node = &mut self.nodes[depth];
        if node.preempting.is_empty() {
            return;
        }
        let explored = std::mem::take(&mut node.explored);
        let touches: Vec<_> =
            explored.iter().flat_map(|s| s.footprint().0.iter().copied()).collect();
        let asleep: Arc<[Sleeper]> = match self.reduces {
            true => self.sleep.set(depth).cloned().chain(explored).collect(),
            false => Arc::default(),
        };
        for process in std::mem::take(&mut self.nodes[depth].preempting) {
            let preemption = Arc::new(Preemption {
                steps: steps.clone(),
                depth,
                process,
                level: self.level + 1,
                asleep: asleep.clone(),
                digest: self.digests[depth - self.base],
            });
            let preempted = preemption.steps[depth].process;
            if !self.reduces || self.contested.is_contested(preempted, &touches) {
                self.later.push(preemption);
            } else {
                self.contested.keep_aside(preempted, &touches, &preemption);
            }
        }
    }

    /// Schedules the preemptions that turned out to be needed.
    fn schedule_contested(&mut self) {
        for preemption in self.contested.released() {
            match preemption.level <= self.level {
                true => self.now.push(preemption),
                false => self.later.push(preemption),
            }
        }
    }

    /// Notes what the last event of an execution has touched, and updates the sleep set and the digest.
    fn descend(&mut self, execution: &Execution) {
        let depth = execution.len();
        self.sleep.descend(execution);
        self.digests.truncate(depth - self.base);
        let before = self.digests[depth - 1 - self.base];
        self.digests.push(before.wrapping_add(execution.digest_of_event(depth - 1)));
        let process = execution.event(depth - 1).step.process;
        self.contested.note(process, execution.touches(depth - 1));
    }

    /// Returns the next preemption to continue, at the lowest possible level.
    fn next_preemption(&mut self) -> Option<Arc<Preemption>> {
        loop {
            while let Some(preemption) = self.now.pop() {
                let Preemption { digest, process, .. } = *preemption;
                let asleep = preemption.asleep.iter().map(Sleeper::step);
                if !self.reduces || self.visited.insert(digest, process, asleep) {
                    return Some(preemption);
                }
            }
            if self.later.is_empty() || self.last.is_some_and(|last| self.level >= last) {
                return None;
            }
            self.level += 1;
            self.now = std::mem::take(&mut self.later);
        }
    }
}

impl<R: Relation> Strategy for Bounded<R> {
    type Relation = R;

    fn next(&mut self, at: &Position<'_>) -> Next {
        let depth = at.depth();
        if self.used <= depth {
            self.arrive(at);
        }
        let node = &mut self.nodes[depth];
        if let Some(step) = node.open.pop() {
            node.taken += 1;
            self.repeats(at.machine, at.execution, step);
            return Next::Step(step);
        }
        if at.enabled().next().is_some() {
            return Next::Asleep;
        }
        let class = match R::ORDERS_LATER {
            true => at.execution.trace_digest(),
            false => self.digests[depth - self.base],
        };
        match !self.reduces || self.classes.insert(class) {
            true => Next::End,
            false => Next::Asleep,
        }
    }

    fn repeats(&mut self, machine: &dyn Machine, execution: &Execution, step: Step) {
        if let Some(traces) = &mut self.traces {
            traces.truncate(execution.len());
            let declared = machine.next(step.process).map(Declared::of);
            self.taking = Some((step, machine.alternatives(step.process), declared));
        }
    }

    fn performed(&mut self, machine: &dyn Machine, performed: &Performed) {
        self.repeated(machine, performed);
    }

    fn repeated(&mut self, machine: &dyn Machine, performed: &Performed) {
        if let (Some(traces), Some((step, alternatives, declared))) =
            (&mut self.traces, self.taking.take())
        {
            traces.push::<AllConflicts>(machine, step, alternatives, declared.as_ref(), performed);
        }
    }

    fn took(&mut self, _machine: &dyn Machine, execution: &mut Execution) {
        match self.traces.take() {
            Some(traces) => {
                self.descend(&traces);
                self.traces = Some(traces);
            }
            None => self.descend(execution),
        }
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        // A process that waits at the end touches what it waits for.
        for process in (0..machine.processes()).map(ProcessId::new) {
            let actions = machine.next(process).into_iter();
            let actions = actions.chain(machine.guards(process)).chain(machine.others(process));
            let execution = self.traces.as_deref_mut().unwrap_or(execution);
            for action in actions {
                let cell = execution.cell(machine, action.on);
                self.contested.note_pending(process, cell);
            }
        }
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let traces = self.traces.take();
        let all = traces.as_deref().unwrap_or(execution);
        let mut steps: Option<Arc<[Step]>> = None;
        let mut found = None;
        for depth in (self.base..all.len()).rev() {
            self.sleep.truncate(depth);
            let node = &mut self.nodes[depth];
            if !node.preempting.is_empty() {
                node.explored.push(Sleeper::of_event(all, depth, None::<Infallible>));
            }
            if !node.open.is_empty() {
                found = Some(depth);
                break;
            }
            let steps = steps.get_or_insert_with(|| all.steps().collect());
            self.put_off(depth, steps);
        }
        self.schedule_contested();
        self.traces = traces;
        self.used = found? + 1;
        found
    }

    fn elsewhere(&mut self, _execution: &Execution) -> Option<Vec<Step>> {
        let Some(preemption) = self.next_preemption() else {
            self.is_explored = true;
            return None;
        };
        let Preemption { steps, depth, process, level, asleep, digest } = &*preemption;
        debug_assert!(*level <= self.level, "its turn has come");
        (self.base, self.used, self.resumed) = (*depth, *depth, Some(*process));
        self.digests.clear();
        self.digests.push(*digest);
        self.sleep.empty(0);
        (0..*depth).for_each(|_| self.sleep.deepen());
        asleep.iter().for_each(|sleeper| self.sleep.add(sleeper.clone()));
        Some(steps[..*depth].to_vec())
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let put_off = if depth == 0 { self.now.len() + self.later.len() } else { 0 };
        match self.nodes.get(depth).filter(|_| depth >= self.base) {
            Some(node) => (node.taken.saturating_sub(1), node.open.len() + put_off),
            None => (0, put_off),
        }
    }

    fn report(&self, verdict: &mut Verdict) {
        let is_explored = self.is_explored && verdict.stopped.is_none();
        verdict.preemptions = Some(PreemptionLevel { bound: self.level, is_explored });
        if is_explored && !self.later.is_empty() {
            verdict.stopped = Some(Bound::Preemptions);
        }
    }
}
