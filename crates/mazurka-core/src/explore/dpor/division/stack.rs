//! Stacks: depth-first searches that any process can continue.

use super::plan::Plan;
use crate::explore::parallel::weight::Weight;
use crate::model::Step;
use crate::wire::{Malformed, Reader, Wire, wire_struct};

/// The state of a depth-first search between two executions: a path from the root, and what is left to
/// explore at each prefix of it.
///
/// The first prefixes are *forks*: the [ledger](super::ledger::Ledger) knows their branches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stack {
    /// The steps of the path.
    pub(crate) path: Vec<Step>,
    /// The prefixes of the path: one more than it has steps.
    pub(crate) places: Vec<Place>,
    /// How many of the first prefixes are forks. The branches that are left there are among those that the
    /// ledger knows, but only this stack explores them.
    pub(crate) forks: usize,
}

/// A prefix of a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Place {
    /// The branches that come before the next step of the path, in order.
    pub(crate) before: Vec<Earlier>,
    /// The branches that are left.
    pub(crate) plan: Plan,
    /// Whether the search has cleared the sleep set with which it came here.
    pub(crate) is_woken: bool,
    /// Whether the prefix lies below a leaf whose sleep set was not empty.
    pub(crate) is_loose: bool,
    /// The weight of the branches that are left, and of those that the search is likely to add.
    pub(crate) weight: Weight,
}

impl Place {
    /// Leaves the open branches to another stack.
    pub(super) fn clear(&mut self) {
        (self.plan, self.weight) = (Plan::default(), Weight::NONE);
    }
}

/// A branch that comes before another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Earlier {
    pub(crate) step: Step,
    /// Whether its subtree may not have been explored when the other branch was created.
    pub(crate) is_open: bool,
}

wire_struct!(Earlier { step: step, is_open: is_open });
wire_struct!(Place {
    before: before,
    plan: plan,
    is_woken: is_woken,
    is_loose: is_loose,
    weight: weight,
});

/// A sequence that the search of a stack has found for a fork.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Report {
    /// The number of the stack in its part.
    pub(crate) stack: u32,
    /// The length of the fork's prefix.
    pub(crate) depth: u32,
    /// The sequence.
    pub(crate) steps: Vec<Step>,
    /// The steps that are enabled at the fork and known to be weak initials of the sequence.
    pub(crate) initials: Vec<Step>,
}

wire_struct!(Report { stack: stack, depth: depth, steps: steps, initials: initials });

impl Stack {
    /// Returns the steps of its branches at a prefix: the one that it is behind, and those that are left.
    pub(crate) fn branches(&self, depth: usize) -> impl Iterator<Item = Step> + '_ {
        self.path.get(depth).copied().into_iter().chain(self.places[depth].plan.roots())
    }

    /// Returns the weight of all branches that are left.
    pub(crate) fn weight(&self) -> Weight {
        self.places.iter().map(|place| place.weight).sum()
    }

    /// Returns the number of steps in all of its plans and lists.
    pub(crate) fn size(&self) -> usize {
        let size = |place: &Place| 1 + place.before.len() + place.plan.nodes().len();
        self.places.iter().map(size).sum()
    }

    /// Returns the length of the shortest prefix with a branch that can be split off.
    pub(crate) fn first_open(&self) -> Option<usize> {
        let depth = self.places.iter().position(|place| !place.plan.is_empty())?;
        // The only branch of the last prefix would be the whole stack.
        let is_alone = depth == self.path.len() && self.places[depth].plan.roots().count() == 1;
        (!is_alone).then_some(depth)
    }

    /// Splits off a branch at the prefix with open branches that is nearest to the root. That prefix, and
    /// those before it, become forks. Returns `None` if there is no such branch.
    ///
    /// The last branch is split off. The others are still explored one after the other.
    pub(crate) fn split(&mut self) -> Option<Stack> {
        let depth = self.first_open()?;
        let forks = depth + 1;
        self.forks = self.forks.max(forks);
        let place = &mut self.places[depth];
        let weight = place.weight.shares(1, place.plan.roots().count());
        place.weight = place.weight.minus(weight);
        let plan = place.plan.split_last();
        let open = |step: Step| Earlier { step, is_open: true };
        let mut before = self.places[depth].before.clone();
        before.extend(self.branches(depth).map(open));
        let mut places = self.places[..depth].to_vec();
        // Branches that are left at other forks belong to this stack.
        places.iter_mut().for_each(Place::clear);
        places.push(Place { before, plan, weight, ..self.places[depth].clone() });
        Some(Stack { path: self.path[..depth].to_vec(), places, forks })
    }

    /// Returns whether it has the form of a stack.
    fn is_sound(&self) -> bool {
        let Stack { path, places, forks } = self;
        places.len() == path.len() + 1
            && *forks <= places.len()
            && places.last().is_some_and(|place| !place.plan.is_empty())
    }
}

/// Appends stacks to bytes. In most cases, a stack has most of its path in common with the stack before it.
pub(crate) fn write(stacks: &[Stack], to: &mut Vec<u8>) {
    stacks.len().write(to);
    let mut before: Option<&Stack> = None;
    for stack in stacks {
        let Stack { path, places, forks } = stack;
        let mine = path.iter().zip(places);
        let others = before.into_iter().flat_map(|before| before.path.iter().zip(&before.places));
        let common = mine.zip(others).take_while(|(mine, other)| mine == other).count();
        common.write(to);
        path[common..].to_vec().write(to);
        places[common..].iter().for_each(|place| place.write(to));
        forks.write(to);
        before = Some(stack);
    }
}

/// The maximum [size](Stack::size) of all stacks of a part.
const MOST: usize = 5_000_000;

/// Reads stacks.
pub(crate) fn read(from: &mut Reader<'_>) -> Result<Vec<Stack>, Malformed> {
    let mut stacks: Vec<Stack> = Vec::new();
    // A few bytes could otherwise stand for paths that fill the memory.
    let mut room = MOST;
    for _ in 0..usize::read(from)? {
        let common = usize::read(from)?;
        let (mut path, mut places) = (Vec::new(), Vec::new());
        if common > 0 {
            let before = stacks.last().ok_or(Malformed)?;
            let shared = before.path.get(..common).ok_or(Malformed)?;
            let size = |place: &Place| 1 + place.before.len() + place.plan.nodes().len();
            let shared_size: usize = before.places[..common].iter().map(size).sum();
            room = room.checked_sub(shared_size).ok_or(Malformed)?;
            path.extend_from_slice(shared);
            places.extend_from_slice(&before.places[..common]);
        }
        path.extend(Vec::<Step>::read(from)?);
        for _ in common..=path.len() {
            places.push(Place::read(from)?);
        }
        let stack = Stack { path, places, forks: usize::read(from)? };
        room = room.checked_sub(1).ok_or(Malformed)?;
        if !stack.is_sound() {
            return Err(Malformed);
        }
        stacks.push(stack);
    }
    Ok(stacks)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::ProcessId;

    pub(in super::super) fn step(process: usize) -> Step {
        Step::of(ProcessId::new(process))
    }

    /// Returns a stack without forks, with the plans of its prefixes, each of single steps.
    pub(in super::super) fn stack(path: &[usize], plans: &[&[usize]]) -> Stack {
        let plan = |steps: &&[usize]| Plan::of_nodes(steps.iter().map(|p| (step(*p), 0)).collect());
        let places = plans.iter().map(|steps| Place { plan: plan(steps), ..Place::default() });
        let path = path.iter().map(|process| step(*process)).collect();
        Stack { path, places: places.collect(), forks: 0 }
    }

    #[test]
    fn stacks_are_read_as_they_were_written() {
        let mut first = stack(&[0, 1], &[&[], &[2, 3], &[4]]);
        let split = first.split().unwrap();
        let stacks = vec![first, split, stack(&[5], &[&[], &[1]])];
        let mut bytes = Vec::new();
        write(&stacks, &mut bytes);
        assert_eq!(read(&mut Reader(&bytes)).as_ref(), Ok(&stacks));
        for len in 0..bytes.len() {
            assert!(read(&mut Reader(&bytes[..len])).is_err());
        }
    }

    #[test]
    fn a_branch_comes_after_those_before_it() {
        let mut rest = stack(&[0, 1], &[&[], &[2, 3], &[4]]);
        let (last, first) = (rest.split().unwrap(), rest.split().unwrap());
        let stacks = [rest, first, last];
        let number = |step: Step| step.process.index();
        let branches = |stack: &Stack| stack.branches(1).map(number).collect::<Vec<_>>();
        assert_eq!(stacks.iter().map(branches).collect::<Vec<_>>(), [[1], [2], [3]]);
        let before = |stack: &Stack| -> Vec<usize> {
            stack.places[1].before.iter().map(|earlier| number(earlier.step)).collect()
        };
        assert_eq!(stacks.iter().map(before).collect::<Vec<_>>(), [vec![], vec![1], vec![1, 2]]);
        assert!(stacks.iter().all(|stack| stack.forks == 2 && stack.is_sound()));
        // The first one has an open branch further down, but that is all it has.
        assert!(stacks.into_iter().all(|mut stack| stack.split().is_none()));
    }

    #[test]
    fn paths_that_fill_the_memory_are_refused() {
        let mut bytes = Vec::new();
        usize::MAX.write(&mut bytes);
        0_usize.write(&mut bytes);
        vec![step(0); 100_000].write(&mut bytes);
        let last = Place { plan: Plan::of_sequence([step(0)]), ..Place::default() };
        (0..100_000).for_each(|_| Place::default().write(&mut bytes));
        last.write(&mut bytes);
        0_usize.write(&mut bytes);
        for _ in 0..1000 {
            100_000_usize.write(&mut bytes);
            Vec::<Step>::new().write(&mut bytes);
            last.write(&mut bytes);
            0_usize.write(&mut bytes);
        }
        assert!(read(&mut Reader(&bytes)).is_err());
    }
}
