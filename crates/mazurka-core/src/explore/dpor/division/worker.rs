//! The search of some stacks, one after the other.

use std::sync::Arc;

use super::plan::Plan as Planned;
use super::probe::{Probe, Prober, is_possible};
use super::stack::{Earlier, Place, Report, Stack};
use crate::execution::Execution;
use crate::execution::footprint::Footprint;
use crate::execution::order::AllConflicts;
use crate::explore::dpor::optimal::{Optimal, Plan, Prefix, Workers};
use crate::explore::dpor::parts::sleep_set::Sleeper;
use crate::explore::dpor::parts::wakeup_tree::{Candidate, Path, Tree, weak_initial};
use crate::explore::parallel::Pool;
use crate::explore::parallel::pieces::Piece;
use crate::explore::parallel::weight::Weight;
use crate::model::{Lesson, Machine, Step, Violation};
use crate::search::estimate::Estimator;

/// The tag of a sleeper whose branch may not have been explored when the current branch was created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open;

/// A worker that explores stacks, and leaves the rest when the pool pauses.
#[derive(Debug)]
pub(crate) struct Stacks {
    pool: Arc<Pool<Piece>>,
    /// The stacks that have not been begun, with their numbers; the next one last.
    waiting: Vec<(u32, Stack)>,
    /// The stack that is being explored; `None` for the whole search.
    current: Option<(u32, Stack)>,
    /// What is left of the stacks that have been begun.
    left: Vec<Stack>,
    /// By depth, the numbers of explored and of open branches when the search paused, without the current one.
    branches: Vec<(usize, usize)>,
    /// The sequences for forks of these stacks.
    reports: Vec<Report>,
    /// For each fork, the enabled steps that are no known branches.
    probes: Vec<Vec<Probe>>,
    /// For each prefix of the current stack that the execution still begins with, its earlier branches.
    before: Vec<Vec<Earlier>>,
    /// The lengths of the prefixes whose sleep sets have been cleared.
    woken: Vec<usize>,
    prober: Prober,
    /// Whether some path is not possible.
    is_lost: bool,
    rest: Vec<u32>,
    initials: Vec<Step>,
}

impl Stacks {
    /// Creates a worker for these stacks or, if there are none, for the whole search.
    pub(crate) fn new(pool: Arc<Pool<Piece>>, stacks: &[Stack]) -> Self {
        Stacks {
            pool,
            waiting: (0..).zip(stacks.iter().cloned()).collect(),
            current: None,
            left: Vec::new(),
            branches: Vec::new(),
            reports: Vec::new(),
            probes: Vec::new(),
            before: Vec::new(),
            woken: Vec::new(),
            prober: Prober::default(),
            is_lost: false,
            rest: Vec::new(),
            initials: Vec::new(),
        }
    }

    /// Returns whether some path was not possible: it is not that of this program.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Returns what is left of the stacks, and the sequences that were found for their forks.
    pub(crate) fn into_rest(self) -> (Vec<Stack>, Vec<Report>) {
        let waiting = self.waiting.into_iter().map(|(_, stack)| stack);
        (waiting.chain(self.left).collect(), self.reports)
    }

    /// Divides the weight of the stack in which the search paused.
    pub(crate) fn weigh(&mut self, estimator: &Estimator) {
        let Some(rest) = self.left.last_mut() else { return };
        let (mut from, mut weight) = (0, Weight::WHOLE);
        if let Some((_, stack)) = &self.current {
            let end = stack.path.len();
            // The branch that was left open at the end of the path is the first one.
            let (lowest, taken) = match estimator.lowest() {
                Some((depth, returns)) if depth < end => (depth, returns),
                Some((depth, returns)) if depth == end => (end, returns + 1),
                _ => (end, 1),
            };
            let kept = rest.places.iter_mut().zip(&stack.places).take(lowest);
            kept.for_each(|(place, before)| place.weight = before.weight);
            weight = stack.places[lowest].weight;
            let mut all = taken;
            if let Some(place) = rest.places.get_mut(lowest) {
                let open = place.plan.roots().count();
                all += open;
                place.weight = weight.shares(open, all);
            }
            (from, weight) = (lowest + 1, weight.shares(1, all));
        }
        let mut left = Vec::new();
        let branches = |depth: usize| self.branches.get(depth).copied().unwrap_or((0, 0));
        let explored = estimator.divide(from, self.branches.len(), branches, |depth, size| {
            // Below the last open branch, everything is explored.
            if depth < rest.places.len() {
                left.push((depth, size));
            }
        });
        let all: f64 = explored as f64 + left.iter().map(|(_, size)| size).sum::<f64>();
        left.into_iter()
            .for_each(|(depth, size)| rest.places[depth].weight = weight.part(size / all));
    }

    /// Returns the number of the current stack, and the state of a fork in it.
    fn fork(&self, depth: usize) -> Option<(u32, &Place)> {
        let (number, stack) = self.current.as_ref()?;
        Some((*number, &stack.places[depth]))
    }

    /// Reports a sequence for a fork, unless the ledger would drop it.
    fn report(&mut self, depth: usize, steps: impl Iterator<Item = Step>, initials: &[Step]) {
        let Some((stack, place)) = self.fork(depth) else { return };
        let is_branch = |step: &Step| place.before.iter().any(|earlier| earlier.step == *step);
        if initials.iter().any(is_branch) {
            return;
        }
        // If the other sequence is dropped or gets a branch, the same branch covers this one.
        let covers = |other: &Report| {
            (other.stack, other.depth) == (stack, depth as u32)
                && other.initials.iter().all(|step| initials.contains(step))
        };
        if !self.reports.iter().rev().any(covers) {
            let (depth, steps, initials) = (depth as u32, steps.collect(), initials.to_vec());
            self.reports.push(Report { stack, depth, steps, initials });
        }
    }
}

impl Workers<AllConflicts> for Stacks {
    type Tag = Open;

    const IS_DIVIDED: bool = true;

    fn forks(&self) -> usize {
        self.current.as_ref().map_or(0, |(_, stack)| stack.forks)
    }

    #[cold]
    fn plan(search: &mut Optimal<AllConflicts, Self>, depth: usize, execution: &Execution) -> Plan {
        let mut plan = Plan::Made;
        let is_loose = search.prefixes[depth].is_loose;
        search.reversal.lay_out(execution);
        for choice in 0..search.reversal.ways() {
            if !search.reversal.choose(execution, depth, choice) {
                continue;
            }
            if search.makes_redundant(depth, execution, is_loose) {
                plan = Plan::Redundant;
                continue;
            }
            let tree = &mut search.prefixes[depth].tree;
            let inserted =
                search.forest.insert_into::<AllConflicts>(tree, depth, execution, &search.reversal);
            if inserted.is_some() {
                continue;
            }
            let stacks = &mut search.workers;
            let mut rest = std::mem::take(&mut stacks.rest);
            let mut initials = std::mem::take(&mut stacks.initials);
            let steps = search.reversal.steps();
            rest.clear();
            rest.extend(0..steps.len() as u32);
            initials.clear();
            initials.extend(steps.first().map(|first| first.step));
            for probe in stacks.probes.get(depth).into_iter().flatten() {
                let candidate = Candidate {
                    step: probe.step,
                    footprint: Some(&probe.footprint),
                    is_failure: probe.is_failure,
                    planned_at: depth,
                    path: &Path::new(depth),
                };
                let place =
                    weak_initial::<AllConflicts>(candidate, execution, &search.reversal, &rest);
                if place.is_some() && !initials.contains(&probe.step) {
                    initials.push(probe.step);
                }
            }
            stacks.report(depth, steps.iter().map(|step| step.step), &initials);
            (stacks.rest, stacks.initials) = (rest, initials);
        }
        plan
    }

    fn plan_step(&mut self, depth: usize, step: Step, _footprint: Option<Footprint>) {
        self.report(depth, std::iter::once(step), &[step]);
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        self.fork(depth).map_or((0, 0), |(_, place)| (place.before.len(), 0))
    }

    fn took(search: &mut Optimal<AllConflicts, Self>, execution: &Execution) {
        let stacks = &mut search.workers;
        // The last prefix is new, and no fork.
        if let Some((_, stack)) = &mut stacks.current {
            stack.forks = stack.forks.min(execution.len());
        }
        stacks.before.truncate(execution.len());
        while stacks.woken.pop_if(|depth| *depth >= execution.len()).is_some() {}
    }

    fn wake_all(&mut self, depth: usize) {
        self.woken.push(depth);
    }

    /// Leaves the rest of the stack if the pool pauses.
    fn share_work(search: &mut Optimal<AllConflicts, Self>, execution: &Execution) {
        if !search.workers.pool.is_pausing() {
            return;
        }
        if let Some(rest) = search.stack(execution) {
            let branches = |prefix: &Prefix| {
                (prefix.taken.saturating_sub(1) as usize, search.forest.branches(prefix.tree))
            };
            search.workers.branches = search.prefixes.iter().map(branches).collect();
            search.workers.left.push(rest);
        }
        for prefix in &mut search.prefixes {
            search.forest.discard(std::mem::replace(&mut prefix.tree, Tree::EMPTY));
        }
    }

    fn take_over(
        search: &mut Optimal<AllConflicts, Self>,
        _execution: &Execution,
    ) -> Option<Vec<Step>> {
        let stacks = &mut search.workers;
        if stacks.pool.is_pausing() {
            return None;
        }
        let (number, stack) = stacks.waiting.pop()?;
        let path = stack.path.clone();
        stacks.current = Some((number, stack));
        Some(path)
    }

    fn arrives(
        search: &mut Optimal<AllConflicts, Self>,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<bool, Box<Violation>> {
        let depth = execution.len();
        let Some((number, stack)) = search.workers.current.take() else { return Ok(true) };
        if depth == 0 {
            search.begin(&stack);
        }
        search.rebuild(machine, execution, &stack)?;
        let next = stack.path.get(depth);
        let is_possible = next.is_none_or(|step| is_possible(machine, *step));
        search.workers.is_lost |= !is_possible;
        search.workers.current = Some((number, stack));
        Ok(is_possible)
    }

    fn take_lesson(&mut self) -> Option<Lesson> {
        self.prober.lesson.take()
    }
}

impl Optimal<AllConflicts, Stacks> {
    /// Forgets the stack before.
    fn begin(&mut self, stack: &Stack) {
        for prefix in self.prefixes.drain(..) {
            self.forest.discard(prefix.tree);
        }
        self.sleep.empty(0);
        self.new_from = stack.path.len();
        let stacks = &mut self.workers;
        stacks.probes.clear();
        stacks.before.clear();
        stacks.woken.clear();
    }

    /// Restores the state of the search at the end of the execution, which is a prefix of the path of a
    /// stack.
    fn rebuild(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        stack: &Stack,
    ) -> Result<(), Box<Violation>> {
        let depth = execution.len();
        let Place { before, plan, is_woken, is_loose, weight: _ } = &stack.places[depth];
        let was_loose = self.prefixes.last().is_some_and(|prefix| prefix.is_loose);
        if depth > 0 {
            self.sleep.descend(execution);
        }
        let stacks = &mut self.workers;
        if *is_woken {
            self.sleep.wake_all();
            stacks.woken.push(depth);
        }
        let inherited = self.sleep.len(depth) as u32;
        for earlier in before {
            let tag = earlier.is_open.then_some(Open);
            let sleeper = |execution: &Execution| Sleeper::of_event(execution, depth, tag);
            let sleeper = stacks.prober.probe(machine, execution, earlier.step, sleeper)?;
            sleeper.into_iter().for_each(|sleeper| self.sleep.add(sleeper));
        }
        let tree = stacks.prober.tree(machine, execution, plan, &mut self.forest)?;
        let next = stack.path.get(depth).copied();
        if depth < stack.forks {
            let is_known = |step: Step| {
                next == Some(step) || before.iter().any(|earlier| earlier.step == step)
            };
            let probes = stacks.prober.enabled(machine, execution, is_known)?;
            stacks.probes.push(probes);
        }
        stacks.before.push(before.clone());
        let is_open = |sleeper: &Sleeper<AllConflicts, Open>| sleeper.tag().is_some();
        let loosened = was_loose || self.sleep.set(depth).any(is_open);
        let is_loose = *is_loose || (loosened && !self.sleep.is_empty(depth));
        let taken = before.len() as u32 + u32::from(next.is_some());
        let mut prefix = Prefix::new(tree, is_loose);
        (prefix.taken, prefix.inherited) = (taken, inherited);
        self.prefixes.push(prefix);
        Ok(())
    }

    /// Returns what is left to explore after the current execution, or `None` if that is nothing.
    fn stack(&self, execution: &Execution) -> Option<Stack> {
        let stacks = &self.workers;
        let forks = stacks.forks();
        let is_open = |depth: &usize| !self.prefixes[*depth].tree.is_empty();
        let last = (0..execution.len()).rev().find(is_open)?;
        let path: Vec<Step> = execution.steps().take(last).collect();
        let place = |depth: usize| {
            let Prefix { tree, taken, is_loose, .. } = self.prefixes[depth];
            let mut before = stacks.before.get(depth).cloned().unwrap_or_default();
            // The current branch has been taken, and is not asleep.
            let added = (taken as usize).saturating_sub(before.len() + 1);
            let asleep = self.sleep.set(depth).rev().take(added).map(Sleeper::step);
            let from = before.len();
            before.extend(asleep.map(|step| Earlier { step, is_open: false }));
            before[from..].reverse();
            if depth == last {
                let step = execution.event(depth).step;
                before.push(Earlier { step, is_open: false });
            }
            let is_woken = stacks.woken.contains(&depth);
            let plan = Planned::of_nodes(self.forest.steps(tree));
            Place { before, plan, is_woken, is_loose, weight: Weight::NONE }
        };
        Some(Stack { path, places: (0..=last).map(place).collect(), forks: forks.min(last + 1) })
    }
}
