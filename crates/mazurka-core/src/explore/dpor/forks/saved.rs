//! Saving a search that all workers have left, and continuing it.
//!
//! When a search is to be saved, every worker ends its current execution, turns its open branches
//! into forks, and leaves. The forks with open branches, and the forks above them, then describe the
//! rest of the search. Forks without open branches are needed, too, if a late sequence may reach
//! them: see `sharing.rs`.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use crate::explore::dpor::forks::branch::Branch;
use crate::explore::dpor::forks::fork::{Fork, Way};
use crate::explore::dpor::forks::sharing::{SharedSleeper, open_branch};
use crate::explore::dpor::parts::sleep_set::Sleeper;
use crate::explore::dpor::parts::wakeup_tree::Forest;
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::explore::parallel::Pool;
use crate::model::Step;
use crate::wire::{Malformed, Reader, Wire};

/// Appends the forks that the rest of the search needs to bytes.
pub(super) fn write<R: WeakInitials>(pool: &Pool<Arc<Fork<R>>>, to: &mut Vec<u8>) {
    let forks = remaining(pool);
    let mut branches = Branches::default();
    for fork in &forks {
        let above = fork.above().and_then(|(way, _)| way.branch.as_ref());
        above.into_iter().for_each(|branch| branches.add(branch));
        fork.with_state(|state| {
            state.asleep.iter().filter_map(open_branch).for_each(|branch| branches.add(branch));
        });
    }
    branches.write(to);
    let numbers: HashMap<*const Fork<R>, usize> =
        forks.iter().enumerate().map(|(number, fork)| (Arc::as_ptr(fork), number)).collect();
    forks.len().write(to);
    for fork in &forks {
        write_fork(fork, &numbers, &branches, to);
    }
}

/// Returns the forks that the rest of the search needs, those with shorter prefixes first.
fn remaining<R: WeakInitials>(pool: &Pool<Arc<Fork<R>>>) -> Vec<Arc<Fork<R>>> {
    let is_open = |fork: &Arc<Fork<R>>| {
        let above = fork.above().and_then(|(way, _)| way.branch.as_ref());
        above.is_none_or(|branch| !branch.is_closed())
    };
    let mut found: HashMap<*const Fork<R>, Arc<Fork<R>>> = HashMap::new();
    for fork in pool.offers().into_iter().chain(pool.kept().into_iter().filter(is_open)) {
        let mut next = Some(fork);
        while let Some(fork) = next {
            next = fork.above().map(|(way, _)| way.fork.clone());
            if found.insert(Arc::as_ptr(&fork), fork).is_some() {
                break;
            }
        }
    }
    let mut forks: Vec<_> = found.into_values().collect();
    forks.sort_by_key(|fork| fork.depth);
    forks
}

/// Reads the forks of a search into a pool.
pub(super) fn read<R: WeakInitials>(
    from: &mut Reader<'_>,
    pool: &Pool<Arc<Fork<R>>>,
) -> Result<(), Malformed> {
    let branches = read_branches(from)?;
    let mut forks: Vec<Read<R>> = Vec::new();
    for _ in 0..usize::read(from)? {
        let fork = read_fork(from, &forks, &branches)?;
        forks.push(fork);
    }
    for (fork, below) in &forks {
        let mut links = Vec::new();
        for number in below {
            links.push(match number {
                Some(number) => {
                    let below = &forks.get(*number).ok_or(Malformed)?.0;
                    pool.keep(below.clone());
                    Arc::downgrade(below)
                }
                None => Weak::new(),
            });
        }
        if fork.link(links) {
            pool.offer(fork.clone());
        }
    }
    Ok(())
}

fn write_fork<R: WeakInitials>(
    fork: &Arc<Fork<R>>,
    numbers: &HashMap<*const Fork<R>, usize>,
    branches: &Branches,
    to: &mut Vec<u8>,
) {
    let above = fork.above().map(|(way, step)| {
        let branch = way.branch.as_ref().and_then(|branch| branches.number(branch));
        ((numbers[&Arc::as_ptr(&way.fork)], way.number), (branch, *step))
    });
    above.write(to);
    fork.is_loose().write(to);
    fork.with_state(|state| {
        state.asleep.len().write(to);
        for sleeper in state.asleep {
            open_branch(sleeper).and_then(|branch| branches.number(branch)).write(to);
            sleeper.write(to);
        }
        let number = |below: &Weak<Fork<R>>| numbers.get(&below.as_ptr()).copied();
        let below: Vec<Option<usize>> = state.below.iter().map(number).collect();
        below.write(to);
        state.forest.write(state.tree, to);
    });
}

type Read<R> = (Arc<Fork<R>>, Vec<Option<usize>>);

fn read_fork<R: WeakInitials>(
    from: &mut Reader<'_>,
    forks: &[Read<R>],
    branches: &[Arc<Branch>],
) -> Result<Read<R>, Malformed> {
    type Above = ((usize, usize), (Option<usize>, Step));
    let branch = |number: Option<usize>| match number {
        Some(number) => branches.get(number).cloned().map(Some).ok_or(Malformed),
        None => Ok(None),
    };
    let above = match Option::<Above>::read(from)? {
        Some(((fork, number), (leads_by, step))) => {
            let fork = forks.get(fork).ok_or(Malformed)?.0.clone();
            Some((Way { fork, number, branch: branch(leads_by)? }, step))
        }
        None => None,
    };
    let is_loose = bool::read(from)?;
    let mut asleep: Vec<SharedSleeper<R>> = Vec::new();
    for _ in 0..usize::read(from)? {
        let tag = branch(Wire::read(from)?)?;
        asleep.push(Sleeper::read(from, tag)?);
    }
    let below: Vec<Option<usize>> = Wire::read(from)?;
    if below.len() > asleep.len() {
        return Err(Malformed);
    }
    let mut forest = Forest::default();
    let tree = forest.read(from)?;
    Ok((Arc::new(Fork::restored(above, is_loose, asleep, (forest, tree))), below))
}

/// The open branches of a search, each after the branches that it refers to.
#[derive(Default)]
struct Branches {
    numbers: HashMap<*const Branch, usize>,
    all: Vec<Arc<Branch>>,
}

impl Branches {
    /// Returns the number of a branch, if it is open.
    fn number(&self, branch: &Arc<Branch>) -> Option<usize> {
        self.numbers.get(&Arc::as_ptr(branch)).copied()
    }

    /// Adds a branch and the branches that it refers to, unless it is closed.
    fn add(&mut self, branch: &Arc<Branch>) {
        // An explicit stack: there may be as many branches above as an execution has steps.
        let mut stack = vec![(branch.clone(), false)];
        while let Some((branch, is_after_others)) = stack.pop() {
            if branch.is_closed() || self.number(&branch).is_some() {
                continue;
            }
            if is_after_others {
                self.numbers.insert(Arc::as_ptr(&branch), self.all.len());
                self.all.push(branch);
                continue;
            }
            stack.push((branch.clone(), true));
            stack.extend(branch.refers_to().map(|other| (other.clone(), false)));
        }
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.all.len().write(to);
        for branch in &self.all {
            branch.above().and_then(|above| self.number(above)).write(to);
            let before: Vec<usize> =
                branch.before().iter().filter_map(|before| self.number(before)).collect();
            before.write(to);
        }
    }
}

fn read_branches(from: &mut Reader<'_>) -> Result<Vec<Arc<Branch>>, Malformed> {
    let mut branches: Vec<Arc<Branch>> = Vec::new();
    for _ in 0..usize::read(from)? {
        let (above, before): (Option<usize>, Vec<usize>) = Wire::read(from)?;
        let get = |number: usize| branches.get(number).cloned().ok_or(Malformed);
        let above = above.map(get).transpose()?;
        let before = before.into_iter().map(get).collect::<Result<_, _>>()?;
        branches.push(Arc::new(Branch::restored(above, before)));
    }
    Ok(branches)
}
