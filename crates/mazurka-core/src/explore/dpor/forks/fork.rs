//! Prefixes that several workers share.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use crate::execution::Execution;
use crate::execution::footprint::Footprint;
use crate::explore::dpor::forks::branch::Branch;
use crate::explore::dpor::forks::sharing::{SharedSleeper, open_branch};
use crate::explore::dpor::parts::reversal::Reversal;
use crate::explore::dpor::parts::wakeup_tree::{Forest, Path, Tree, weak_initial};
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::model::Step;

/// A prefix from which several workers explore different branches.
///
/// It holds the state that a single worker keeps for each prefix of its execution: the sleep set,
/// and the wakeup tree of the sequences to explore.
#[derive(Debug)]
pub(crate) struct Fork<R: WeakInitials> {
    /// The branch of the fork that leads here, and its step; `None` at the root of the search.
    above: Option<(Way<R>, Step)>,
    pub(crate) depth: usize,
    is_loose: AtomicBool,
    state: Mutex<State<R>>,
    /// Signalled when a taken branch has been entered.
    entered: Condvar,
}

/// A branch of a fork, identified by its index in the sleep set of the fork.
#[derive(Clone, Debug)]
pub(crate) struct Way<R: WeakInitials> {
    pub(crate) fork: Arc<Fork<R>>,
    pub(crate) number: usize,
    /// The branch; `None` until it is entered.
    pub(crate) branch: Option<Arc<Branch>>,
}

#[derive(Debug)]
struct State<R: WeakInitials> {
    /// The initial sleepers, followed by the branches that have been taken.
    asleep: Vec<SharedSleeper<R>>,
    /// The forks behind the branches that have been taken, if there are any.
    below: Vec<Weak<Fork<R>>>,
    forest: Forest,
    tree: Tree,
    /// Whether a worker is about to enter a branch whose footprint is not known yet.
    is_being_entered: bool,
    /// Whether some worker waits until it is entered.
    is_awaited: bool,
    /// Whether the pool offers this fork.
    is_offered: bool,
}

/// The state of a fork that no worker is about to enter.
pub(crate) struct Look<'a, R: WeakInitials> {
    pub(crate) asleep: &'a [SharedSleeper<R>],
    pub(crate) below: &'a [Weak<Fork<R>>],
    pub(crate) forest: &'a Forest,
    pub(crate) tree: Tree,
}

/// The time between two checks for a stop while waiting for another worker.
const PATIENCE: Duration = Duration::from_millis(1);

impl<R: WeakInitials> Fork<R> {
    /// Creates a fork with these sleepers and a tree from another forest. A worker is about to
    /// enter one of its branches.
    pub(crate) fn new(
        above: Option<(Way<R>, Step)>,
        is_loose: bool,
        asleep: Vec<SharedSleeper<R>>,
        (trees, tree): (&mut Forest, Tree),
    ) -> Self {
        let mut forest = Forest::default();
        let tree = forest.adopt(trees, tree);
        let depth = above.as_ref().map_or(0, |(way, _)| way.fork.depth + 1);
        let state = State {
            asleep,
            below: Vec::new(),
            forest,
            tree,
            is_being_entered: true,
            is_awaited: false,
            is_offered: false,
        };
        let is_loose = AtomicBool::new(is_loose);
        let fork =
            Fork { above, depth, is_loose, state: Mutex::new(state), entered: Condvar::new() };
        fork.begin(1 + usize::from(!tree.is_empty()));
        fork
    }

    /// Creates a fork of a saved search. No worker is about to enter it.
    pub(crate) fn restored(
        above: Option<(Way<R>, Step)>,
        is_loose: bool,
        asleep: Vec<SharedSleeper<R>>,
        (forest, tree): (Forest, Tree),
    ) -> Self {
        let depth = above.as_ref().map_or(0, |(way, _)| way.fork.depth + 1);
        let state = State {
            asleep,
            below: Vec::new(),
            forest,
            tree,
            is_being_entered: false,
            is_awaited: false,
            is_offered: false,
        };
        let is_loose = AtomicBool::new(is_loose);
        let fork =
            Fork { above, depth, is_loose, state: Mutex::new(state), entered: Condvar::new() };
        fork.begin(usize::from(!tree.is_empty()));
        fork
    }

    /// Sets the forks behind the branches of a restored fork. Returns whether it has branches to
    /// offer.
    pub(crate) fn link(&self, below: Vec<Weak<Fork<R>>>) -> bool {
        let mut state = self.known();
        state.below = below;
        state.is_to_be_offered()
    }

    /// Returns the branch of the fork that leads here, and its step.
    pub(crate) fn above(&self) -> Option<&(Way<R>, Step)> {
        self.above.as_ref()
    }

    /// Calls `look` with the state.
    pub(crate) fn with_state<T>(&self, look: impl FnOnce(Look<'_, R>) -> T) -> T {
        let state = self.known();
        debug_assert!(!state.is_being_entered, "a worker is about to enter the fork");
        let State { asleep, below, forest, tree, .. } = &*state;
        look(Look { asleep, below, forest, tree: *tree })
    }

    /// Adds open tasks behind the fork.
    fn begin(&self, tasks: usize) {
        if let Some(branch) = self.above.as_ref().and_then(|(way, _)| way.branch.as_ref()) {
            branch.begin(tasks);
        }
    }

    /// Removes open tasks behind the fork.
    fn finish(&self, tasks: usize) {
        if let Some(branch) = self.above.as_ref().and_then(|(way, _)| way.branch.as_ref()) {
            branch.finish(tasks);
        }
    }

    /// Returns whether it lies below a leaf whose sleep set was not empty.
    pub(crate) fn is_loose(&self) -> bool {
        self.is_loose.load(Relaxed)
    }

    /// Marks it as a leaf whose sleep set is not empty.
    pub(crate) fn loosen(&self) {
        self.is_loose.store(true, Relaxed);
    }

    /// Locks the state, even while a worker is about to enter a branch.
    fn known(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the state once no worker is about to enter a branch. Returns `None` if the search
    /// stops.
    fn settled(&self, stopped: impl Fn() -> bool) -> Option<MutexGuard<'_, State<R>>> {
        let mut state = self.known();
        while state.is_being_entered {
            if stopped() {
                return None;
            }
            state.is_awaited = true;
            let woken = self.entered.wait_timeout(state, PATIENCE);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(state)
    }

    /// Takes the first branch for a worker that is about to enter it, and moves its tree into
    /// `trees`. Until [`enter`](Fork::enter) publishes its footprint, no other worker can take or
    /// plan a branch.
    pub(crate) fn take_first(&self, trees: &mut Forest) -> Option<Tree> {
        let mut state = self.known();
        if state.is_being_entered {
            return None;
        }
        let taken = self.split_first(&mut state, trees)?;
        state.is_being_entered = true;
        self.begin(1);
        if state.tree.is_empty() {
            self.finish(1);
        }
        Some(taken)
    }

    /// Takes another branch instead of a taken one that is not enabled.
    pub(crate) fn take_instead(&self, trees: &mut Forest) -> Option<Tree> {
        let mut state = self.known();
        let taken = self.split_first(&mut state, trees)?;
        if state.tree.is_empty() {
            self.finish(1);
        }
        Some(taken)
    }

    fn split_first(&self, state: &mut State<R>, trees: &mut Forest) -> Option<Tree> {
        let State { forest, tree, .. } = state;
        let branch = forest.split_first(tree)?;
        let taken = trees.adopt(forest, branch);
        if tree.is_empty() {
            // There can be as many forks as executions, and most plan nothing more.
            *forest = Forest::default();
        }
        Some(taken)
    }

    /// Calls `add` with the sleepers before the branch with index `to`, from the one with index `from` on.
    pub(crate) fn each_asleep(&self, from: usize, to: usize, add: impl FnMut(SharedSleeper<R>)) {
        let state = self.known();
        let to = to.min(state.asleep.len());
        state.asleep[from.min(to)..to].iter().cloned().for_each(add);
    }

    /// Removes the sleepers that do not stay asleep, before any branch is entered.
    pub(crate) fn wake(&self, stays: impl Fn(&SharedSleeper<R>) -> bool) {
        let mut state = self.known();
        debug_assert!(state.below.is_empty(), "a branch has been taken");
        state.asleep.retain(stays);
    }

    /// Returns the branch that is about to be entered, and its index.
    pub(crate) fn next_branch(&self) -> (usize, Arc<Branch>) {
        let state = self.known();
        let before = state.asleep.iter().filter_map(open_branch).cloned().collect();
        let above = self.above.as_ref().and_then(|(way, _)| way.branch.clone());
        (state.asleep.len(), Arc::new(Branch::new(above, before)))
    }

    /// Returns the index of the branch that is entered next.
    pub(crate) fn next_number(&self) -> usize {
        self.known().asleep.len()
    }

    /// Publishes the branch that a worker has taken, and the fork behind it if there is one; `None`
    /// if the worker did not take the branch. Returns whether the fork has more branches to offer.
    pub(crate) fn enter(&self, branch: Option<(SharedSleeper<R>, Weak<Fork<R>>)>) -> bool {
        let mut state = self.known();
        if let Some((sleeper, below)) = branch {
            state.asleep.push(sleeper);
            state.below.push(below);
        }
        state.is_being_entered = false;
        self.finish(1);
        let is_open = state.is_to_be_offered();
        // A notification is a system call even if no worker waits.
        let is_awaited = std::mem::take(&mut state.is_awaited);
        drop(state);
        if is_awaited {
            self.entered.notify_all();
        }
        is_open
    }

    /// Returns whether some step is asleep whose branch may still be explored: then late sequences may come.
    pub(crate) fn relies_on_others(&self) -> bool {
        self.known().first_open().is_some()
    }

    /// Returns whether more than `limit` forks rely on the same branch as this one before all others.
    pub(crate) fn is_crowded(&self, limit: usize) -> bool {
        self.known().first_open().is_some_and(|branch| branch.relying() > limit)
    }

    /// Counts this fork at the first branch that it relies on.
    pub(crate) fn count(&self) {
        if let Some(branch) = self.known().first_open() {
            branch.add_relying();
        }
    }

    /// Records that the pool does not offer this fork any more.
    pub(crate) fn withdraw(&self) {
        self.known().is_offered = false;
    }

    /// Returns the number of taken branches and the number of open branches.
    pub(crate) fn branches(&self) -> (usize, usize) {
        let state = self.known();
        (state.below.len(), state.forest.branches(state.tree))
    }

    /// Returns the forks from the root to this one, and the steps between them.
    pub(crate) fn path(self: &Arc<Self>) -> (Vec<Way<R>>, Vec<Step>) {
        let mut ways = vec![Way { fork: self.clone(), number: usize::MAX, branch: None }];
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

/// The outcome of planning a sequence at a fork: taken or planned sequences cover it.
pub(crate) struct Covered<R: WeakInitials> {
    /// Whether it is covered [whatever else](Forest::insert) becomes known.
    pub(crate) is_certain: bool,
    /// A fork to be offered, because the sequence was planned there.
    pub(crate) at: Option<Arc<Fork<R>>>,
}

impl<R: WeakInitials> Way<R> {
    /// Plans a sequence that was found behind this branch, unless it is covered. No step that was asleep when
    /// the branch was taken makes it redundant.
    pub(crate) fn plan(
        &self,
        execution: &Execution,
        reversal: &Reversal,
        rest: &mut Vec<u32>,
        stopped: impl Fn() -> bool,
    ) -> Covered<R> {
        rest.clear();
        rest.extend(0..reversal.steps().len() as u32);
        let mut fork = self.fork.clone();
        // Later branches may have been taken before this sequence was found.
        let mut from = self.number + 1;
        let mut is_certain = true;
        let mut path = Path::new(fork.depth);
        loop {
            let Some(mut state) = fork.settled(&stopped) else {
                return Covered { is_certain: false, at: None };
            };
            let taken = state.asleep.get(from..).unwrap_or_default();
            let place = |sleeper: &SharedSleeper<R>| {
                weak_initial::<R>(sleeper.candidate(&path), execution, reversal, rest)
            };
            let way = taken.iter().enumerate().find_map(|(i, s)| place(s).map(|place| (i, place)));
            let Some((branch, place)) = way else {
                let State { forest, tree, .. } = &mut *state;
                let was_empty = tree.is_empty();
                is_certain &= forest.insert_below::<R>(tree, path, execution, reversal, rest);
                if was_empty && !tree.is_empty() {
                    fork.begin(1);
                }
                let is_open = state.is_to_be_offered();
                drop(state);
                return Covered { is_certain, at: is_open.then_some(fork) };
            };
            match place < rest.len() {
                true => drop(rest.remove(place)),
                false => {
                    is_certain = false;
                    let sleeper = &taken[branch];
                    path.pass(execution, sleeper.step(), Some(sleeper.footprint()));
                }
            }
            // Without a fork there, the worker that explores the branch does not rely on the
            // findings of others.
            let next = state.below[from + branch - state.bases()].upgrade();
            drop(state);
            let Some(next) = next else {
                return Covered { is_certain, at: None };
            };
            from = next.known().bases();
            fork = next;
        }
    }

    /// Plans a step unless it has been taken. Returns whether the fork is to be offered.
    pub(crate) fn plan_step(
        &self,
        step: Step,
        footprint: Option<Footprint>,
        stopped: impl Fn() -> bool,
    ) -> bool {
        let Some(mut state) = self.fork.settled(stopped) else { return false };
        let (depth, is_loose) = (self.fork.depth, self.fork.is_loose());
        let unknown = Footprint::default();
        let covers = |(number, sleeper): (usize, &SharedSleeper<R>)| match &footprint {
            Some(footprint) if number < self.number => {
                sleeper.covers_step(step, footprint, is_loose)
            }
            _ => sleeper.covers_step(step, &unknown, true),
        };
        if state.asleep.iter().enumerate().any(covers) {
            return false;
        }
        let State { forest, tree, .. } = &mut *state;
        if tree.is_empty() {
            self.fork.begin(1);
        }
        forest.add_step(tree, step, footprint, depth);
        state.is_to_be_offered()
    }
}

impl<R: WeakInitials> State<R> {
    /// Returns the number of sleepers before any branch was taken.
    fn bases(&self) -> usize {
        self.asleep.len() - self.below.len()
    }

    /// Returns the first step that is asleep whose branch may still be explored, if there is one.
    fn first_open(&self) -> Option<&Arc<Branch>> {
        self.asleep[..self.bases()].iter().find_map(open_branch)
    }

    /// Returns whether there are branches to take that the pool does not offer yet. Marks the fork
    /// as offered.
    fn is_to_be_offered(&mut self) -> bool {
        let is_open = !self.tree.is_empty() && !self.is_being_entered && !self.is_offered;
        self.is_offered |= is_open;
        is_open
    }
}

impl<R: WeakInitials> Drop for Fork<R> {
    fn drop(&mut self) {
        // Drop iteratively: an execution may be longer than the stack is deep.
        let mut above = self.above.take();
        while let Some((way, _)) = above {
            above = Arc::into_inner(way.fork).and_then(|mut fork| fork.above.take());
        }
    }
}
