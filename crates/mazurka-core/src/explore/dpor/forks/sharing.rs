//! Sharing one search tree among several workers.
//!
//! Every worker runs the algorithm on a part of the search tree: the subtree behind one branch of a
//! [`Fork`]. A worker that is asked to share its work turns the first prefixes of its execution
//! into forks, up to a prefix with open branches, which other workers then take. From then on,
//! these prefixes belong to all workers: sequences to be run from them are planned at the fork.
//!
//! # Why no execution is missed or explored twice
//!
//! At each prefix, the branches are taken in some order, each with the earlier ones asleep, as by a
//! single worker. The difference is that a branch may be taken before the earlier ones have been
//! explored completely. A sequence `v` that is found behind an earlier branch may come too late for
//! the branches that were taken after it. A single worker would insert it below the first of these
//! that is a weak initial of `v`, before it takes that branch.
//!
//! The sequence has to be inserted there. Behind a branch `p` with `q` asleep, a sequence that
//! leaves `q` asleep is dropped, since it is explored behind `q`. There, the search finds the
//! continuations that wake `q`, and plans them below `p`. Therefore the search behind `p` relies on
//! the search behind `q` exactly as long as `q` is asleep.
//!
//! Hence every prefix with a sleeper whose branch may still be explored is a fork, even if only one
//! worker has been there, unless all sleepers are loose. A late sequence is passed on from fork to fork
//! along the branches that are weak initials of it, and is planned where no branch is. If it reaches a
//! prefix that is not a fork, all sleepers there are loose, or their branches have been explored. The
//! search behind that prefix then relies on no future sequences, and covers this one.
//!
//! # Crowded branches
//!
//! As long as a branch is being explored, all forks are kept that rely on it: one or more for every
//! execution that other workers run meanwhile with this branch asleep. To bound their number, a branch
//! on which too many forks rely is *crowded*. Its forks are not entered again until it is closed. Workers
//! that have no other work help to explore that branch, in which they rely on other branches. This
//! changes only the order in which forks are entered. The first open branch in the order of a single worker
//! relies on no other one, so there is always a fork to enter.
//!
//! # Loose sleepers
//!
//! In some programs, a large part of all prefixes would be forks, and workers would wait for each other's
//! late sequences: for 17 loads and a store to one location, a fork for every fifth execution. Therefore
//! the sleepers can be made *loose* when a branch is entered. Behind that branch, each makes a sequence
//! redundant only if it is an initial, not if it is a weak initial. All executions that begin with such a
//! sequence are explored behind the sleeper, so the search relies on nothing that is found there.
//!
//! It does not suffice to make those sleepers loose whose branches may still be explored. Let `q` be such
//! a sleeper, and `s` one that has been explored and makes `v` redundant as a weak initial. An event `e`
//! that wakes `s` races with `s` in an execution behind it. But the sequence `v.x.e` that reverses this
//! race may be redundant because of `q`, and so have to be planned late.
//!
//! Behind the branch, there are further sleepers `s`, from branches that are taken there. They make
//! sequences redundant as before. If `s` is a weak initial of `v`, the search relies on it that behind `s`,
//! for every continuation `v.x.e` with an event `e` that wakes `s`, `s.v.x.e` or an equivalent sequence is
//! explored. It is not if a loose sleeper `q` is an initial of `s.v.x.e`. Then `q` is independent of `s`, so
//! it was asleep before `s` was taken, and it is an initial of `v.x.e`, which is redundant here, too.
//!
//! Two executions that come to an end are never equivalent, as in `division/mod.rs`. But an execution may end
//! because all enabled steps are asleep, if nothing wakes a loose sleeper. It does not count. To make such
//! executions rare, sleepers are made loose only if processes that are awake are planned to wake all of them.
//!
//! Under `observers`, stores and deliveries are not made loose. Only a later observation may show whether
//! they are initials: docs/cluster.md has an example.

use std::sync::{Arc, Weak};

use crate::execution::Execution;
use crate::execution::footprint::Footprint;
use crate::explore::dpor::forks::branch::Branch;
use crate::explore::dpor::forks::fork::{Covered, Fork, Way};
use crate::explore::dpor::optimal::{Optimal, Plan, Prefix, Workers};
use crate::explore::dpor::parts::sleep_set::{SleepSets, Sleeper};
use crate::explore::dpor::parts::wakeup_tree::{Forest, Tree};
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::explore::parallel::Pool;
use crate::model::Step;

/// A sleeper that may be a branch of a fork.
pub(super) type SharedSleeper<R> = Sleeper<R, Arc<Branch>>;

/// Returns the branch of a sleeper if some worker may still be exploring it.
pub(super) fn open_branch<R: WeakInitials>(sleeper: &SharedSleeper<R>) -> Option<&Arc<Branch>> {
    sleeper.tag().filter(|branch| !branch.is_closed())
}

/// One of several workers.
#[derive(Debug)]
pub(super) struct Share<R: WeakInitials> {
    pool: Arc<Pool<Arc<Fork<R>>>>,
    /// The forks that the current execution has passed, from the root on, and their branches.
    path: Vec<Way<R>>,
    /// Whether the worker is about to enter a branch of the last fork.
    is_entering: bool,
    rest: Vec<u32>,
    /// The number of first prefixes that are forks.
    forks: usize,
}

impl<R: WeakInitials> Share<R> {
    /// Creates a worker that has not started.
    pub(super) fn new(pool: Arc<Pool<Arc<Fork<R>>>>) -> Self {
        Share { pool, path: Vec::new(), is_entering: false, rest: Vec::new(), forks: 0 }
    }

    /// Returns the fork of which the worker is about to enter a branch.
    fn entrance(&self) -> Option<&Way<R>> {
        self.path.last().filter(|_| self.is_entering)
    }

    /// Publishes the branch that the worker was about to enter.
    #[cold]
    fn end_entering(&mut self, branch: Option<(SharedSleeper<R>, Weak<Fork<R>>)>) {
        self.is_entering = false;
        let Some(way) = self.path.last_mut() else { return };
        way.number = way.number.min(way.fork.next_number());
        if way.fork.enter(branch) {
            self.pool.offer(way.fork.clone());
        }
    }
}

impl<R: WeakInitials> Workers<R> for Share<R> {
    type Tag = Arc<Branch>;

    fn forks(&self) -> usize {
        self.forks
    }

    #[cold]
    fn plan(search: &mut Optimal<R, Self>, depth: usize, execution: &Execution) -> Plan {
        let Share { pool, path, rest, .. } = &mut search.workers;
        let mut plan = Plan::Certain;
        let way = &path[depth];
        search.reversal.lay_out(execution);
        for choice in 0..search.reversal.ways() {
            if !search.reversal.choose(execution, depth, choice) {
                continue;
            }
            let is_loose = way.fork.is_loose();
            // These are the sleepers of the fork from when the branch was entered.
            debug_assert_eq!(search.sleep.len(depth), way.number);
            if search.sleep.make_redundant(depth, execution, &search.reversal, is_loose) {
                plan = Plan::Redundant;
                continue;
            }
            let Covered { is_certain, at } =
                way.plan(execution, &search.reversal, rest, || pool.is_stopping());
            plan = plan.min(Plan::of_covered(is_certain));
            at.into_iter().for_each(|fork| pool.offer(fork));
        }
        plan
    }

    #[cold]
    fn plan_step(&mut self, depth: usize, step: Step, footprint: Option<Footprint>) {
        let way = &self.path[depth];
        if way.plan_step(step, footprint, || self.pool.is_stopping()) {
            self.pool.offer(way.fork.clone());
        }
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let Some(way) = self.path.get(depth) else { return (0, 0) };
        let (taken, open) = way.fork.branches();
        (taken.saturating_sub(1), open)
    }

    fn took(search: &mut Optimal<R, Self>, execution: &Execution) {
        if search.workers.is_entering {
            search.enter(execution);
        }
    }

    fn ended(&mut self) {
        if self.is_entering {
            self.end_entering(None);
        }
    }

    /// Takes another branch of the fork that the worker is about to enter, if there is one.
    fn find_another_branch(search: &mut Optimal<R, Self>, depth: usize) {
        let Some(way) = search.workers.entrance() else { return };
        let branch = way.fork.take_instead(&mut search.forest);
        search.prefixes[depth].tree = branch.unwrap_or(Tree::EMPTY);
    }

    fn loosen(&self) {
        if let Some(way) = self.entrance() {
            way.fork.loosen();
        }
    }

    fn wake_strict(&self) {
        if let Some(way) = self.entrance() {
            way.fork.wake(Sleeper::is_loose);
        }
    }

    fn wake_all(&mut self, _depth: usize) {
        if let Some(way) = self.entrance() {
            way.fork.wake(|_| false);
        }
    }

    /// Shares open branches if another worker is idle and there are enough.
    fn share_work(search: &mut Optimal<R, Self>, execution: &Execution) {
        let Share { pool, forks, .. } = &search.workers;
        if !pool.wants_work() {
            return;
        }
        let is_open = |depth: &usize| !search.prefixes[*depth].tree.is_empty();
        let mut open = (*forks..execution.len()).filter(is_open);
        let Some(first) = open.next() else { return };
        let last = open.next_back();
        if pool.shares_everything() || pool.is_pausing() {
            search.fork_up_to(last.unwrap_or(first), execution);
        } else if last.is_some() || search.forest.branches(search.prefixes[first].tree) > 1 {
            search.fork_up_to(first, execution);
        }
    }

    /// Takes an open branch and returns the steps that lead to it. The worker prefers the last fork
    /// on its own path, and otherwise takes an offer of another worker. It waits until there is
    /// one. Returns `None` once the search is complete.
    fn take_over(search: &mut Optimal<R, Self>, execution: &Execution) -> Option<Vec<Step>> {
        let share = &mut search.workers;
        let left = share.path.last().and_then(|way| way.branch.as_ref());
        left.iter().for_each(|branch| branch.finish(1));
        if share.pool.is_pausing() {
            return None;
        }
        if share.pool.is_followed() && !share.pool.is_stopping() {
            while let Some(way) = share.path.pop() {
                // Its branches are among the offers.
                if share.pool.is_crowded(&way.fork) {
                    continue;
                }
                if let Some(tree) = way.fork.take_first(&mut search.forest) {
                    let depth = way.fork.depth;
                    search.go_back_to(way, tree);
                    return Some(execution.steps().take(depth).collect());
                }
            }
        }
        search.take_from_others()
    }
}

impl<R: WeakInitials> SleepSets<R, Arc<Branch>> {
    /// Returns whether the search at a depth relies on sequences that other workers may still find.
    fn relies_on_others(&self, depth: usize) -> bool {
        self.set(depth).any(|sleeper| open_branch(sleeper).is_some())
    }

    /// Makes all sleepers of the last depth loose if processes that are awake are going to wake them, by the
    /// tree of that depth. Returns whether it has done so.
    fn loosen_woken(&mut self, depth: usize, forest: &Forest, planned: Tree) -> bool {
        let asleep = self.steps(depth);
        let is_awake = |process| asleep.iter().all(|step| step.process != process);
        let is_woken = |sleeper: &Sleeper<R, Arc<Branch>>| {
            let (step, footprint) = (sleeper.step(), sleeper.footprint());
            sleeper.is_loose()
                || !R::is_observed_later(footprint)
                    && forest.first_dependent(planned, step, footprint).is_some_and(is_awake)
        };
        let are_woken = self.set(depth).all(is_woken);
        if are_woken {
            self.loosen();
        }
        are_woken
    }
}

/// Returns the sleepers of a prefix, with room for one branch: most forks get no second one.
fn asleep<R: WeakInitials>(
    sleep: &SleepSets<R, Arc<Branch>>,
    depth: usize,
) -> Vec<SharedSleeper<R>> {
    let mut asleep = Vec::with_capacity(sleep.len(depth) + 1);
    asleep.extend(sleep.set(depth).cloned());
    asleep
}

impl<R: WeakInitials> Optimal<R, Share<R>> {
    /// Publishes the footprint of the last event, the first behind a fork. If some step is asleep
    /// behind it whose branch may still be explored, and is not made loose, creates another fork.
    #[cold]
    fn enter(&mut self, execution: &Execution) {
        let depth = execution.len();
        let share = &mut self.workers;
        let Some(way) = share.path.last_mut() else { return };
        let is_fork = self.sleep.relies_on_others(depth)
            && !self.sleep.loosen_woken(depth, &self.forest, self.prefixes[depth].tree);
        // No other worker can enter a branch before this one, so its index is known.
        let (number, branch) = way.fork.next_branch();
        (way.number, way.branch) = (number, Some(branch.clone()));
        let sleeper = Sleeper::of_event(execution, depth - 1, Some(branch.clone()));
        if !is_fork {
            return share.end_entering(Some((sleeper, Weak::new())));
        }
        let above = Some((way.clone(), execution.event(depth - 1).step));
        let prefix = &mut self.prefixes[depth];
        let mut others = std::mem::replace(&mut prefix.tree, Tree::EMPTY);
        prefix.tree = self.forest.split_first(&mut others).unwrap_or(Tree::EMPTY);
        let asleep = asleep(&self.sleep, depth);
        let trees = (&mut self.forest, others);
        let fork = Arc::new(Fork::new(above, prefix.is_loose, asleep, trees));
        fork.count();
        share.pool.keep(fork.clone());
        share.end_entering(Some((sleeper, Arc::downgrade(&fork))));
        branch.finish(1);
        share.path.push(Way { fork, number: usize::MAX, branch: None });
        (share.is_entering, share.forks) = (true, depth + 1);
    }

    /// Turns the prefixes of the current execution up to length `last` into forks.
    fn fork_up_to(&mut self, last: usize, execution: &Execution) {
        let Share { pool, path, forks, .. } = &mut self.workers;
        for depth in *forks..=last {
            let step_before = |depth: usize| execution.event(depth - 1).step;
            let above = path.last().map(|way| (way.clone(), step_before(depth)));
            let before = path.last().and_then(|way| way.branch.clone());
            let asleep = asleep(&self.sleep, depth);
            let prefix = &mut self.prefixes[depth];
            let tree = std::mem::replace(&mut prefix.tree, Tree::EMPTY);
            let trees = (&mut self.forest, tree);
            let fork = Arc::new(Fork::new(above, prefix.is_loose, asleep, trees));
            let (number, branch) = fork.next_branch();
            let mine = Sleeper::of_event(execution, depth, Some(branch.clone()));
            if fork.enter(Some((mine, Weak::new()))) {
                pool.offer(fork.clone());
            }
            path.push(Way { fork, number, branch: Some(branch) });
            // The worker is behind the new branch now.
            before.iter().for_each(|branch| branch.finish(1));
        }
        *forks = last + 1;
    }

    /// Enters a branch of a fork on the worker's own path, from which the later forks have been
    /// removed.
    fn go_back_to(&mut self, Way { fork, number, .. }: Way<R>, tree: Tree) {
        let depth = fork.depth;
        // The first sleepers are those from when the worker came here before.
        self.sleep.truncate(depth);
        debug_assert_eq!(self.sleep.len(depth), number);
        fork.each_asleep(number, usize::MAX, |sleeper| self.sleep.add(sleeper));
        self.prefixes.truncate(depth + 1);
        let prefix = &mut self.prefixes[depth];
        prefix.tree = tree;
        prefix.is_loose = fork.is_loose();
        prefix.taken = prefix.taken.max(1);
        self.new_from = depth;
        let share = &mut self.workers;
        share.path.push(Way { fork, number: usize::MAX, branch: None });
        (share.is_entering, share.forks) = (true, depth + 1);
    }

    /// Takes a branch that another worker offers.
    fn take_from_others(&mut self) -> Option<Vec<Step>> {
        let Share { pool, path, is_entering, forks, .. } = &mut self.workers;
        path.clear();
        let (fork, tree) = loop {
            let fork = pool.accept()?;
            if let Some(tree) = fork.take_first(&mut self.forest) {
                break (fork, tree);
            }
        };
        let steps;
        (*path, steps) = fork.path();
        (*is_entering, *forks) = (true, path.len());
        self.sleep.empty(0);
        self.prefixes.clear();
        for way in path.iter() {
            if way.fork.depth > 0 {
                self.sleep.deepen();
            }
            way.fork.each_asleep(0, way.number, |sleeper| self.sleep.add(sleeper));
            self.prefixes.push(Prefix::new(Tree::EMPTY, way.fork.is_loose()));
        }
        let prefix = &mut self.prefixes[fork.depth];
        (prefix.tree, prefix.taken) = (tree, 1);
        self.new_from = fork.depth;
        Some(steps)
    }
}
