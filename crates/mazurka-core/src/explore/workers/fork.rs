//! Nodes of the search that several workers see.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::super::execution::Execution;
use super::super::footprint::Footprint;
use super::super::reversal::Reversal;
use super::super::sleep::Sleeper;
use super::super::tree::{Forest, Tree, weak_initial};
use crate::model::Step;

/// A prefix of executions from which several workers explore, each another branch.
///
/// It holds what the search of one worker keeps of each prefix of its execution: who is asleep there,
/// and the wakeup tree of what is still to be explored.
#[derive(Debug)]
pub(crate) struct Fork {
    /// Which branch of which fork leads here; none at the root of the search.
    above: Option<(Way, Step)>,
    pub(crate) depth: usize,
    is_loose: AtomicBool,
    state: Mutex<State>,
    /// That a branch which was taken has been entered.
    entered: Condvar,
}

/// A branch of a fork, by its number among those who are asleep there.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) fork: Arc<Fork>,
    pub(crate) branch: usize,
}

#[derive(Debug)]
pub(crate) struct State {
    /// Who was asleep from the start, then the branches that have been taken.
    asleep: Vec<Sleeper>,
    /// The forks behind the branches that have been taken, where there is one.
    below: Vec<Weak<Fork>>,
    forest: Forest,
    tree: Tree,
    /// Whether somebody is on the way to a branch, of which it is not known yet what it touches.
    is_being_entered: bool,
}

/// How long to wait for somebody who may have stopped.
const PATIENCE: Duration = Duration::from_millis(1);

impl Fork {
    /// A fork with these sleepers, and a tree that was in another forest.
    pub(crate) fn new(
        above: Option<(Way, Step)>,
        is_loose: bool,
        asleep: Vec<Sleeper>,
        (trees, tree): (&mut Forest, Tree),
    ) -> Self {
        let mut forest = Forest::default();
        let tree = forest.adopt(trees, tree);
        let depth = above.as_ref().map_or(0, |(way, _)| way.fork.depth + 1);
        let state = State { asleep, below: Vec::new(), forest, tree, is_being_entered: true };
        let is_loose = AtomicBool::new(is_loose);
        Fork { above, depth, is_loose, state: Mutex::new(state), entered: Condvar::new() }
    }

    /// Whether it lies below a leaf at which somebody was still asleep.
    pub(crate) fn is_loose(&self) -> bool {
        self.is_loose.load(Relaxed)
    }

    /// Notes that it is a leaf at which somebody is still asleep.
    pub(crate) fn loosen(&self) {
        self.is_loose.store(true, Relaxed);
    }

    /// What is known of it, which may be about to become more.
    fn known(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of it, once that is all there is to know; `None` if everybody is to stop.
    fn settled(&self, stopped: impl Fn() -> bool) -> Option<MutexGuard<'_, State>> {
        let mut state = self.known();
        while state.is_being_entered {
            if stopped() {
                return None;
            }
            let woken = self.entered.wait_timeout(state, PATIENCE);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(state)
    }

    /// Takes the first branch, for a worker on its way there: its tree moves into `trees`. Until
    /// [`enter`](Fork::enter) says what it touches nobody else may take a branch, or plan one.
    pub(crate) fn take_first(&self, trees: &mut Forest) -> Option<Tree> {
        let mut state = self.known();
        let State { forest, tree, is_being_entered, .. } = &mut *state;
        let branch = forest.split_first(tree)?;
        *is_being_entered = true;
        Some(trees.adopt(forest, branch))
    }

    /// Who is asleep before this branch.
    pub(crate) fn asleep_before(&self, branch: usize) -> Vec<Sleeper> {
        let state = self.known();
        state.asleep[..branch.min(state.asleep.len())].to_vec()
    }

    /// Wakes everybody who is asleep, before any branch is entered.
    pub(crate) fn wake_all(&self) {
        let mut state = self.known();
        debug_assert!(state.below.is_empty(), "a branch has been taken");
        state.asleep.clear();
    }

    /// Notes what the branch is that somebody has taken, and the fork behind it if there is one; or that
    /// it was not taken after all. Returns its number, and whether there are more.
    pub(crate) fn enter(&self, branch: Option<(Sleeper, Weak<Fork>)>) -> (usize, bool) {
        let mut state = self.known();
        let number = state.asleep.len();
        if let Some((sleeper, below)) = branch {
            state.asleep.push(sleeper);
            state.below.push(below);
        }
        state.is_being_entered = false;
        let has_more = !state.tree.is_empty();
        drop(state);
        self.entered.notify_all();
        (number, has_more)
    }

    /// The number that the next branch will have which is entered.
    pub(crate) fn next_branch(&self) -> usize {
        self.known().asleep.len()
    }

    /// How many branches have been taken, and how many are open.
    pub(crate) fn branches(&self) -> (usize, usize) {
        let state = self.known();
        (state.below.len(), state.forest.branches(state.tree))
    }

    /// The forks on the way to this one, itself last, and the steps between them.
    pub(crate) fn path(self: &Arc<Self>) -> (Vec<Way>, Vec<Step>) {
        let mut ways = vec![Way { fork: self.clone(), branch: usize::MAX }];
        let mut steps = Vec::new();
        while let Some((way, step)) = &ways[ways.len() - 1].fork.above {
            steps.push(*step);
            let way = way.clone();
            ways.push(way);
        }
        ways.reverse();
        steps.reverse();
        (ways, steps)
    }
}

impl Way {
    /// Plans a sequence that was found beyond this branch, unless it is covered. Returns the fork where
    /// it was planned, if nothing was before.
    pub(crate) fn plan(
        &self,
        execution: &Execution,
        reversal: &Reversal,
        stopped: impl Fn() -> bool,
    ) -> Option<Arc<Fork>> {
        let mut rest: Vec<u32> = (0..reversal.items().len() as u32).collect();
        let mut fork = self.fork.clone();
        // Branches from this one on may have been taken too early to know of it.
        let mut from = self.branch + 1;
        let (depth, is_loose) = (fork.depth, fork.is_loose());
        let covers = |sleeper: &Sleeper| sleeper.makes_redundant(execution, reversal, is_loose);
        loop {
            let mut state = fork.settled(&stopped)?;
            let is_first = Arc::ptr_eq(&fork, &self.fork);
            if is_first && state.asleep[..self.branch].iter().any(covers) {
                return None;
            }
            let taken = state.asleep.get(from..).unwrap_or_default();
            let place = |sleeper: &Sleeper| {
                weak_initial(sleeper.candidate(depth, !is_first), execution, reversal, &rest)
            };
            let way = taken.iter().enumerate().find_map(|(i, s)| place(s).map(|place| (i, place)));
            let Some((branch, place)) = way else {
                let State { forest, tree, .. } = &mut *state;
                let was_empty = tree.is_empty();
                forest.insert_rest((tree, !is_first), depth, execution, reversal, &mut rest);
                let is_open = was_empty && !tree.is_empty();
                drop(state);
                return is_open.then_some(fork);
            };
            if place < rest.len() {
                rest.remove(place);
            }
            let number = from + branch + state.below.len() - state.asleep.len();
            // Without a fork there, whoever explores it does not rely on what others find.
            let next = state.below[number].upgrade()?;
            drop(state);
            from = next.known().bases();
            fork = next;
        }
    }

    /// Plans a step, unless it has been taken. Returns whether that is the only one now.
    pub(crate) fn plan_step(
        &self,
        step: Step,
        footprint: Option<Footprint>,
        stopped: impl Fn() -> bool,
    ) -> bool {
        let Some(mut state) = self.fork.settled(stopped) else { return false };
        let (depth, is_loose) = (self.fork.depth, self.fork.is_loose());
        let unknown = Footprint::default();
        let covers = |(number, sleeper): (usize, &Sleeper)| match &footprint {
            Some(footprint) if number < self.branch => {
                sleeper.is_left_by(step, footprint, is_loose)
            }
            _ => sleeper.is_left_by(step, &unknown, true),
        };
        if state.asleep.iter().enumerate().any(covers) {
            return false;
        }
        let State { forest, tree, .. } = &mut *state;
        let was_empty = tree.is_empty();
        forest.add_step(tree, step, footprint, depth);
        was_empty
    }
}

impl State {
    /// How many were asleep before any branch was taken.
    fn bases(&self) -> usize {
        self.asleep.len() - self.below.len()
    }
}

impl Drop for Fork {
    fn drop(&mut self) {
        // One after the other: executions may be longer than the stack is deep.
        let mut above = self.above.take();
        while let Some((way, _)) = above {
            above = Arc::into_inner(way.fork).and_then(|mut fork| fork.above.take());
        }
    }
}
