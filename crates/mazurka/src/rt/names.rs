//! Names of processes and objects that stay the same over all executions of an exploration.

use mazurka_core::model::{Birth, ObjectId, ProcessId};

/// Which of a process's own objects is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Own {
    /// What `park` waits for.
    Token = 0,
    /// Whether it has ended.
    End = 1,
}

/// The tables of names. They only grow.
///
/// A process is named after its parent and its rank among that parent's children. An object is
/// named after the process that touches it first, how many steps that one has taken by then, and
/// how many objects it has named since its last step.
pub(crate) struct Names {
    processes: Vec<ProcessNames>,
    births: Vec<Birth>,
}

#[derive(Default)]
struct ProcessNames {
    children: Vec<u32>,
    /// By the number of steps taken, then by birth and rank.
    objects: Vec<Vec<(Birth, Vec<u32>)>>,
    own: [Option<u32>; 2],
}

impl Names {
    pub(super) fn new() -> Self {
        Names { processes: vec![ProcessNames::default()], births: Vec::new() }
    }

    /// How many processes there have been in any execution.
    pub(super) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// How many objects there have been in any execution.
    pub(super) fn objects(&self) -> usize {
        self.births.len()
    }

    pub(super) fn birth(&self, object: ObjectId) -> Birth {
        self.births.get(object.0 as usize).copied().unwrap_or(Birth::START)
    }

    /// The `rank`-th child of `parent`.
    pub(super) fn child(&mut self, parent: usize, rank: usize) -> usize {
        let next = self.processes.len();
        let children = &mut self.processes[parent].children;
        if let Some(&child) = children.get(rank) {
            return child as usize;
        }
        children.push(next as u32);
        self.processes.push(ProcessNames::default());
        next
    }

    /// The `rank`-th object that `process` names after `steps` steps, as of `birth`.
    pub(super) fn object(
        &mut self,
        process: usize,
        steps: u32,
        birth: Birth,
        rank: usize,
    ) -> ObjectId {
        let by_steps = &mut self.processes[process].objects;
        if by_steps.len() <= steps as usize {
            by_steps.resize_with(steps as usize + 1, Vec::new);
        }
        let by_birth = &mut by_steps[steps as usize];
        let known = by_birth.iter().position(|(known, _)| *known == birth);
        let index = known.unwrap_or_else(|| {
            by_birth.push((birth, Vec::new()));
            by_birth.len() - 1
        });
        let ranked = &mut by_birth[index].1;
        while ranked.len() <= rank {
            ranked.push(self.births.len() as u32);
            self.births.push(birth);
        }
        ObjectId(ranked[rank])
    }

    /// An object that belongs to `process` itself: it means the same in every execution.
    pub(super) fn own(&mut self, process: usize, which: Own) -> ObjectId {
        let births = &mut self.births;
        ObjectId(*self.processes[process].own[which as usize].get_or_insert_with(|| {
            births.push(Birth::START);
            births.len() as u32 - 1
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_depend_on_the_order_in_which_they_are_asked_for_again() {
        let mut names = Names::new();
        let first = names.child(0, 0);
        let second = names.child(0, 1);
        let grandchild = names.child(first, 0);
        assert_eq!([first, second, grandchild], [1, 2, 3]);
        assert_eq!(names.child(first, 0), 3);
        assert_eq!(names.child(0, 1), 2);

        let birth = Birth { process: ProcessId::new(1), steps: 4 };
        let a = names.object(1, 4, birth, 0);
        let b = names.object(2, 0, Birth::START, 0);
        let token = names.own(1, Own::Token);
        assert_eq!(names.object(2, 0, Birth::START, 0), b);
        assert_eq!(names.object(1, 4, birth, 0), a);
        assert_ne!(names.object(1, 4, Birth::LATE, 0), a);
        assert_eq!(names.own(1, Own::Token), token);
        assert_eq!(names.birth(a), birth);
        assert_eq!(names.birth(token), Birth::START);
    }
}
