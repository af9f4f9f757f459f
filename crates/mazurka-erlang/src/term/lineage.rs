//! The order of processes.
//!
//! The number of a process is fixed when some execution first creates it, so it depends on the
//! order in which an explorer runs the executions. Programs must not notice that: the same schedule
//! has to lead to the same state on every machine. Processes are therefore compared by their place
//! in the tree of parents and children, which depends on the program alone.

use std::cmp::Ordering;

use super::hash::{finish, mix};

/// Where a process comes from.
#[derive(Clone, Copy, Debug)]
struct Origin {
    parent: u32,
    /// How many children the parent had created before.
    rank: u32,
    depth: u32,
    /// A digest of the ranks from the first process to this one.
    digest: u64,
}

/// The tree of all processes that any execution has created.
#[derive(Debug)]
pub(crate) struct Lineage(Vec<Origin>);

impl Default for Lineage {
    /// Returns the tree of the first process, which has the number 0.
    fn default() -> Self {
        Lineage(vec![Origin { parent: 0, rank: 0, depth: 0, digest: 1 }])
    }
}

impl Lineage {
    /// Adds the process with the next free number.
    pub(crate) fn add(&mut self, parent: u32, rank: u32) {
        let Origin { depth, mut digest, .. } = self.0[parent as usize];
        mix(&mut digest, u64::from(rank) + 1);
        self.0.push(Origin { parent, rank, depth: depth + 1, digest: finish(digest) });
    }

    /// Compares two processes: parents come before their children, and children of one parent are
    /// in the order of their creation.
    pub(crate) fn compare(&self, a: u32, b: u32) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let (mut a, mut b) = (a as usize, b as usize);
        let depths = self.0[a].depth.cmp(&self.0[b].depth);
        let up = |process: usize| self.0[process].parent as usize;
        while self.0[a].depth > self.0[b].depth {
            a = up(a);
        }
        while self.0[b].depth > self.0[a].depth {
            b = up(b);
        }
        if a == b {
            return depths;
        }
        while up(a) != up(b) {
            (a, b) = (up(a), up(b));
        }
        self.0[a].rank.cmp(&self.0[b].rank)
    }

    /// Returns a digest of a process that does not depend on its number.
    pub(crate) fn digest(&self, process: u32) -> u64 {
        self.0[process as usize].digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_does_not_depend_on_the_numbers() {
        // Processes 1 and 2 are children of 0, in the other order; 3 is a child of 2.
        let mut lineage = Lineage::default();
        lineage.add(0, 1);
        lineage.add(0, 0);
        lineage.add(2, 0);
        let mut all = [3, 1, 0, 2];
        all.sort_by(|a, b| lineage.compare(*a, *b));
        assert_eq!(all, [0, 2, 3, 1]);
    }
}
