//! How several workers explore one tree.
//!
//! Every worker runs the algorithm on a part of the search tree: all that lies behind one branch of a
//! [`Fork`]. A worker that is asked to share makes forks of the first prefixes of its execution, up to
//! one with open branches, which others then take. From there on these prefixes are no longer its own:
//! what it finds to be planned there goes to the fork.
//!
//! # Why nothing is missed, and nothing explored twice
//!
//! At each prefix the branches are taken in some order, each with those before it asleep, as by one
//! worker. Only, a branch may be taken before those before it have been explored to their end. So a
//! sequence `v` that is found behind a branch may come too late for those that were taken after it: one
//! worker alone would hang it below the first of these that is a weak initial of `v`, before that is
//! taken.
//!
//! And it must be there. Behind a branch `p` with `q` asleep, a sequence that leaves `q` asleep is
//! dropped, as what it leads to is explored behind `q`, where it is found how that goes on once `q` is
//! overtaken; and that is planned below `p`. So as long as `q` is asleep the search behind `p` relies on
//! the one behind `q`. Once `q` has been woken it does not.
//!
//! Therefore every prefix at which somebody is asleep whose branch may still be explored is a fork, even
//! if one worker alone has come by: there are few of these, as a wakeup sequence wakes everybody. A
//! sequence that comes late is passed on from fork to fork, by the branches that are weak initials of it,
//! and is planned where none is. If it comes to a prefix that is no fork, nobody is asleep there whose
//! branch may still be explored: the search behind it relies on nothing that is still to come, so it
//! covers the sequence.

use std::sync::{Arc, Weak};

use crate::execution::Execution;
use crate::execution::footprint::Footprint;
use crate::explore::dpor::optimal::{Node, Optimal, Plan};
use crate::explore::dpor::parallel::{Fork, Planned, Pool, Way};
use crate::explore::dpor::parts::sleep_set::Sleeper;
use crate::explore::dpor::parts::wakeup_tree::Tree;
use crate::model::Step;

/// What a worker has in common with others.
#[derive(Debug)]
pub(super) struct Share {
    pool: Arc<Pool>,
    /// The forks that its execution has gone through, from the first one on, and by which branch.
    path: Vec<Way>,
    /// Whether it is on its way into a branch of the last one.
    is_entering: bool,
}

impl Optimal {
    /// A worker of many.
    pub(crate) fn of_pool(pool: Arc<Pool>) -> Self {
        let share = Some(Box::new(Share { pool, path: Vec::new(), is_entering: false }));
        Optimal { share, ..Optimal::new() }
    }

    /// Plans to explore `self.reversal` after the first `depth` events, where there is a fork.
    #[cold]
    pub(super) fn plan_at_fork(&mut self, depth: usize, execution: &Execution) -> Plan {
        let Some(Share { pool, path, .. }) = self.share.as_deref() else { return Plan::Made };
        let mut plan = Plan::Certain;
        let way = &path[depth];
        self.reversal.lay_out(execution);
        for choice in 0..self.reversal.ways() {
            self.reversal.choose(choice);
            // Who was asleep when it set out still is.
            if self.sleep.make_redundant(depth, execution, &self.reversal, way.fork.is_loose()) {
                plan = Plan::Redundant;
                continue;
            }
            let stopped = || pool.is_stopping();
            match way.plan(execution, &self.reversal, &mut self.rest, stopped) {
                Planned::Redundant => plan = Plan::Redundant,
                Planned::Covered { is_certain, at } => {
                    plan = plan.min(Plan::of_covered(is_certain));
                    if let Some(fork) = at {
                        pool.offer(&fork);
                    }
                }
            }
        }
        plan
    }

    /// The same for a single step.
    #[cold]
    pub(super) fn plan_step_at_fork(&self, depth: usize, step: Step, footprint: Option<Footprint>) {
        let Some(Share { pool, path, .. }) = self.share.as_deref() else { return };
        let way = &path[depth];
        if way.plan_step(step, footprint, || pool.is_stopping()) {
            pool.offer(&way.fork);
        }
    }

    /// Whether it is on its way into a branch of a fork.
    #[inline]
    pub(super) fn is_entering(&self) -> bool {
        self.share.as_deref().is_some_and(|share| share.is_entering)
    }

    /// The last event is the first behind a fork: tells the others what it touches. If somebody is
    /// asleep behind it whose branch may still be explored, there is another fork.
    #[cold]
    pub(super) fn enter(&mut self, execution: &Execution) {
        let depth = execution.len();
        let Some(share) = self.share.as_deref_mut() else { return };
        let Some(way) = share.path.last_mut() else { return };
        // Nobody else can enter a branch before this one, so its number is known.
        let (number, branch) = way.fork.next_branch();
        (way.number, way.branch) = (number, Some(branch.clone()));
        let sleeper = Sleeper::of_branch(execution, depth - 1, branch.clone());
        if !self.sleep.is_open(depth) {
            return self.end_entering(Some((sleeper, Weak::new())));
        }
        let above = Some((way.clone(), execution.event(depth - 1).step));
        let node = &mut self.nodes[depth];
        let mut others = std::mem::replace(&mut node.tree, Tree::EMPTY);
        node.tree = self.forest.split_first(&mut others).unwrap_or(Tree::EMPTY);
        let asleep = self.sleep.copy(depth);
        let fork = Arc::new(Fork::new(above, node.is_loose, asleep, (&mut self.forest, others)));
        share.pool.keep(&fork);
        self.end_entering(Some((sleeper, Arc::downgrade(&fork))));
        branch.finish(1);
        if let Some(share) = self.share.as_deref_mut() {
            share.path.push(Way { fork, number: usize::MAX, branch: None });
            share.is_entering = true;
            self.forks = depth + 1;
        }
    }

    /// Tells the others what became of the branch that it is on its way to.
    #[cold]
    pub(super) fn end_entering(&mut self, branch: Option<(Sleeper, Weak<Fork>)>) {
        let Some(Share { pool, path, is_entering }) = self.share.as_deref_mut() else { return };
        *is_entering = false;
        let Some(way) = path.last_mut() else { return };
        way.number = way.number.min(way.fork.next_number());
        if way.fork.enter(branch) {
            pool.offer(&way.fork);
        }
    }

    /// Takes another branch of the fork that it is about to enter, if there is one, since the one that it
    /// had turned out not to be possible.
    pub(super) fn take_another_branch(&mut self, depth: usize) {
        let Some(fork) = self.entrance().map(|way| way.fork.clone()) else { return };
        let branch = fork.take_instead(&mut self.forest);
        self.nodes[depth].tree = branch.unwrap_or(Tree::EMPTY);
    }

    /// Notes that somebody is asleep at the last depth, which is where a sequence ends.
    pub(super) fn loosen(&mut self, depth: usize) {
        self.nodes[depth].is_loose = true;
        if let Some(way) = self.entrance() {
            way.fork.loosen();
        }
    }

    /// The fork that it is about to enter.
    fn entrance(&self) -> Option<&Way> {
        self.share.as_deref().filter(|share| share.is_entering).and_then(|share| share.path.last())
    }

    /// Wakes everybody at the last depth, so that nothing is taken for seen.
    pub(super) fn wake_all(&mut self) {
        self.sleep.wake_all();
        if let Some(way) = self.entrance() {
            way.fork.wake_all();
        }
    }

    /// Lets others have some of what is to be explored, if they have nothing to do and there is enough.
    pub(super) fn share_work(&mut self, execution: &Execution) {
        let Some(share) = &self.share else { return };
        if !share.pool.wants_work() {
            return;
        }
        let is_open = |depth: &usize| !self.nodes[*depth].tree.is_empty();
        let mut open = (self.forks..execution.len()).filter(is_open);
        let Some(first) = open.next() else { return };
        let last = open.next_back();
        if share.pool.shares_everything() {
            self.fork_up_to(last.unwrap_or(first), execution);
        } else if last.is_some() || self.forest.branches(self.nodes[first].tree) > 1 {
            self.fork_up_to(first, execution);
        }
    }

    /// Makes forks of its own prefixes up to that of length `last`.
    fn fork_up_to(&mut self, last: usize, execution: &Execution) {
        for depth in self.forks..=last {
            let Some(Share { pool, path, .. }) = self.share.as_deref_mut() else { return };
            let step_before = |depth: usize| execution.event(depth - 1).step;
            let above = path.last().map(|way| (way.clone(), step_before(depth)));
            let before = path.last().and_then(|way| way.branch.clone());
            let asleep = self.sleep.copy(depth);
            let node = &mut self.nodes[depth];
            let tree = std::mem::replace(&mut node.tree, Tree::EMPTY);
            let trees = (&mut self.forest, tree);
            let fork = Arc::new(Fork::new(above, node.is_loose, asleep, trees));
            let (number, branch) = fork.next_branch();
            let mine = Sleeper::of_branch(execution, depth, branch.clone());
            if fork.enter(Some((mine, Weak::new()))) {
                pool.offer(&fork);
            }
            path.push(Way { fork, number, branch: Some(branch) });
            // It is behind that one now.
            before.iter().for_each(|branch| branch.finish(1));
        }
        self.forks = last + 1;
    }

    /// Takes a branch that is left, and returns the steps that lead there: mostly one of the last fork on
    /// its own path, else whatever others have left. It waits until there is one; `None` once everything
    /// has been explored.
    pub(super) fn take_over(&mut self, execution: &Execution) -> Option<Vec<Step>> {
        let share = self.share.as_deref_mut()?;
        let left = share.path.last().and_then(|way| way.branch.as_ref());
        left.iter().for_each(|branch| branch.finish(1));
        if share.pool.is_followed() && !share.pool.is_stopping() {
            while let Some(way) = share.path.pop() {
                if let Some(tree) = way.fork.take_first(&mut self.forest) {
                    let depth = way.fork.depth;
                    self.go_back_to(way.fork, tree);
                    return Some(execution.steps().take(depth).collect());
                }
            }
        }
        self.take_from_others()
    }

    /// Enters a branch of a fork on its own path, of which those behind it have been taken off.
    fn go_back_to(&mut self, fork: Arc<Fork>, tree: Tree) {
        let depth = fork.depth;
        self.sleep.empty(depth);
        self.sleep.add(fork.asleep_before(usize::MAX).into_iter());
        self.nodes.truncate(depth + 1);
        let node = &mut self.nodes[depth];
        node.tree = tree;
        node.is_loose = fork.is_loose();
        node.taken = node.taken.max(1);
        (self.forks, self.new_from) = (depth + 1, depth);
        if let Some(share) = self.share.as_deref_mut() {
            share.path.push(Way { fork, number: usize::MAX, branch: None });
            share.is_entering = true;
        }
    }

    /// Takes a branch that others have left.
    fn take_from_others(&mut self) -> Option<Vec<Step>> {
        let Share { pool, path, is_entering } = self.share.as_deref_mut()?;
        path.clear();
        let (fork, tree) = loop {
            let fork = pool.accept()?;
            if let Some(tree) = fork.take_first(&mut self.forest) {
                break (fork, tree);
            }
        };
        let (ways, steps) = fork.path();
        (*path, *is_entering) = (ways, true);
        self.sleep.clear();
        self.nodes.clear();
        for way in path.iter() {
            if way.fork.depth > 0 {
                self.sleep.deepen();
            }
            self.sleep.add(way.fork.asleep_before(way.number).into_iter());
            self.nodes.push(Node::new(Tree::EMPTY, way.fork.is_loose()));
        }
        let node = &mut self.nodes[fork.depth];
        (node.tree, node.taken) = (tree, 1);
        (self.forks, self.new_from) = (path.len(), fork.depth);
        Some(steps)
    }

    /// How many branches of a fork have been taken, but for its own, and how many are open.
    pub(super) fn branches_of_fork(&self, depth: usize) -> (usize, usize) {
        let Some(way) = self.share.as_deref().and_then(|share| share.path.get(depth)) else {
            return (0, 0);
        };
        let (taken, open) = way.fork.branches();
        (taken.saturating_sub(1), open)
    }
}
