//! The ledger: the branches of all forks of a divided search.

use super::plan::Plan;
use super::stack::{Earlier, Place, Report, Stack};
use crate::explore::parallel::weight::Weight;
use crate::model::Step;

/// The branches of the forks of all stacks that are left to explore.
///
/// It depends on nothing but the sequence of the stacks and reports that it was given, so that another
/// process can come to the same ledger. A fork that is on the path of no stack is dropped.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// The forks; `None` for those that were dropped. The first one is the root.
    forks: Vec<Option<Fork>>,
    free: Vec<usize>,
}

/// A fork.
#[derive(Debug, Default)]
struct Fork {
    /// Its branches in the order of their creation.
    branches: Vec<Branch>,
}

/// A branch of a fork.
#[derive(Debug)]
struct Branch {
    step: Step,
    /// The fork behind it, if there is one.
    below: Option<usize>,
    /// The number of stacks behind it that are left to explore.
    open: usize,
}

const ROOT: usize = 0;

impl Default for Ledger {
    fn default() -> Self {
        Ledger { forks: vec![Some(Fork::default())], free: Vec::new() }
    }
}

impl Ledger {
    fn branches(&mut self, fork: usize) -> &mut Vec<Branch> {
        &mut self.forks[fork].get_or_insert_default().branches
    }

    /// Returns the number of a branch, and adds it if it is new.
    fn branch(&mut self, fork: usize, step: Step) -> usize {
        let branches = self.branches(fork);
        branches.iter().position(|branch| branch.step == step).unwrap_or_else(|| {
            branches.push(Branch { step, below: None, open: 0 });
            branches.len() - 1
        })
    }

    /// Returns the fork behind a branch, and adds it if there is none.
    fn below(&mut self, fork: usize, branch: usize) -> usize {
        if let Some(below) = self.branches(fork)[branch].below {
            return below;
        }
        let below = self.free.pop().unwrap_or_else(|| {
            self.forks.push(None);
            self.forks.len() - 1
        });
        self.forks[below] = Some(Fork::default());
        self.branches(fork)[branch].below = Some(below);
        below
    }

    /// Adds a stack that is left to explore.
    pub(crate) fn open(&mut self, stack: &Stack) {
        let mut fork = ROOT;
        for depth in 0..stack.forks {
            for earlier in &stack.places[depth].before {
                self.branch(fork, earlier.step);
            }
            for step in stack.branches(depth) {
                let branch = self.branch(fork, step);
                self.branches(fork)[branch].open += 1;
            }
            if let Some(step) = stack.path.get(depth).filter(|_| depth + 1 < stack.forks) {
                let branch = self.branch(fork, *step);
                fork = self.below(fork, branch);
            }
        }
    }

    /// Removes a stack. Whatever it leaves has been added, and its reports have been
    /// [processed](Ledger::accept).
    pub(crate) fn close(&mut self, stack: &Stack) {
        let mut fork = ROOT;
        for depth in 0..stack.forks {
            let mut dropped = Vec::new();
            let branches = self.branches(fork);
            for step in stack.branches(depth) {
                let Some(branch) = branches.iter_mut().find(|branch| branch.step == step) else {
                    continue;
                };
                branch.open = branch.open.saturating_sub(1);
                let is_closed = branch.open == 0;
                dropped.extend(branch.below.take_if(|_| is_closed));
            }
            let next = stack.path.get(depth);
            let next = next.and_then(|step| branches.iter().find(|branch| branch.step == *step));
            let below = next.and_then(|branch| branch.below);
            dropped.into_iter().for_each(|fork| self.drop_fork(fork));
            match below {
                Some(below) => fork = below,
                None => return,
            }
        }
    }

    /// Drops a fork and all forks behind it.
    fn drop_fork(&mut self, fork: usize) {
        let mut dropped = vec![fork];
        while let Some(fork) = dropped.pop() {
            let branches = self.forks[fork].take().unwrap_or_default().branches;
            dropped.extend(branches.iter().filter_map(|branch| branch.below));
            self.free.push(fork);
        }
    }

    /// Processes a sequence that the search of one of these stacks has found. Returns the stack that
    /// explores it, unless a branch covers it.
    pub(crate) fn accept(&mut self, stacks: &[Stack], report: Report) -> Option<Stack> {
        let Report { stack, depth, steps, initials } = report;
        let (stack, depth) = (stacks.get(stack as usize)?, depth as usize);
        let first = *steps.first()?;
        if depth >= stack.forks {
            return None;
        }
        let mut fork = ROOT;
        for step in stack.path.get(..depth)? {
            let branch = self.branch(fork, *step);
            fork = self.below(fork, branch);
        }
        let branches = self.branches(fork);
        if branches.iter().any(|branch| branch.step == first || initials.contains(&branch.step)) {
            return None;
        }
        let earlier = |branch: &Branch| Earlier { step: branch.step, is_open: branch.open > 0 };
        let before = branches.iter().map(earlier).collect();
        let plan = Plan::of_sequence(steps);
        let mut places = stack.places[..depth].to_vec();
        places.iter_mut().for_each(Place::clear);
        places.push(Place { before, plan, weight: Weight::NONE, ..stack.places[depth].clone() });
        let new = Stack { path: stack.path[..depth].to_vec(), places, forks: depth + 1 };
        self.open(&new);
        Some(new)
    }

    /// Divides stacks that are left to explore, if possible, until there are this many.
    pub(crate) fn divide(&mut self, stacks: &mut Vec<Stack>, most: usize) {
        while stacks.len() < most {
            let depths = stacks.iter().map(Stack::first_open).enumerate();
            let open = depths.filter_map(|(number, depth)| Some((depth?, number)));
            let Some((_, number)) = open.min() else { return };
            let before = stacks[number].clone();
            let Some(split) = stacks[number].split() else { return };
            self.open(&stacks[number]);
            self.open(&split);
            self.close(&before);
            stacks.push(split);
        }
    }

    /// Returns the number of forks.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.forks.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::stack::tests::{stack, step};
    use super::*;

    fn report(stack: u32, depth: u32, steps: &[usize], initials: &[usize]) -> Report {
        let steps_of = |processes: &[usize]| processes.iter().map(|p| step(*p)).collect();
        Report { stack, depth, steps: steps_of(steps), initials: steps_of(initials) }
    }

    fn before(stack: &Stack, depth: usize) -> Vec<(usize, bool)> {
        let earlier = |earlier: &Earlier| (earlier.step.process.index(), earlier.is_open);
        stack.places[depth].before.iter().map(earlier).collect()
    }

    #[test]
    fn a_sequence_is_explored_unless_a_branch_covers_it() {
        let mut ledger = Ledger::default();
        let mut stacks = vec![stack(&[0, 1], &[&[], &[2], &[3]])];
        ledger.open(&stacks[0]);
        ledger.divide(&mut stacks, 2);
        assert_eq!(stacks.len(), 2);
        assert!(ledger.accept(&stacks, report(0, 1, &[5, 2], &[5, 2])).is_none());
        assert!(ledger.accept(&stacks, report(0, 2, &[5], &[5])).is_none(), "that is no fork");
        assert!(ledger.accept(&stacks, report(9, 0, &[5], &[5])).is_none());
        let new = ledger.accept(&stacks, report(1, 1, &[5, 6], &[5])).unwrap();
        assert_eq!(before(&new, 1), [(1, true), (2, true)]);
        assert!(ledger.accept(&stacks, report(0, 1, &[6, 5], &[6, 5])).is_none());
        ledger.close(&stacks[0]);
        let new = ledger.accept(&stacks, report(1, 1, &[7], &[7])).unwrap();
        assert_eq!(before(&new, 1), [(1, false), (2, true), (5, true)]);
        let new = ledger.accept(&stacks, report(1, 0, &[4], &[4])).unwrap();
        assert_eq!((before(&new, 0), new.forks), (vec![(0, true)], 1));
    }

    #[test]
    fn forks_on_no_path_are_dropped() {
        let mut ledger = Ledger::default();
        let mut stacks = vec![stack(&[0, 1, 2], &[&[], &[], &[3], &[4]])];
        ledger.divide(&mut stacks, 9);
        assert_eq!((stacks.len(), ledger.len()), (2, 3));
        let new = ledger.accept(&stacks, report(0, 0, &[8], &[8])).unwrap();
        stacks.iter().for_each(|stack| ledger.close(stack));
        assert_eq!(ledger.len(), 1);
        ledger.close(&new);
        // A stack that was never added does no harm.
        ledger.close(&new);
        assert_eq!(ledger.len(), 1);
    }
}
