//! Wakeup trees without footprints, which mean the same to every process.

use crate::model::Step;
use crate::wire::{Malformed, Reader, Wire};

/// The nodes of a wakeup tree in the order of exploration, each with its level. The branches at the
/// root have level 0. A node is a child of the last node before it whose level is one less.
///
/// The list is flat, so that a long sequence does not fill the call stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Plan(Vec<(Step, u32)>);

impl Plan {
    /// Creates the plan of one sequence.
    pub(crate) fn of_sequence(steps: impl IntoIterator<Item = Step>) -> Self {
        Plan(steps.into_iter().zip(0..).collect())
    }

    /// Creates a plan from nodes that are in the order of exploration.
    pub(crate) fn of_nodes(nodes: Vec<(Step, u32)>) -> Self {
        debug_assert!(is_tree(&nodes), "{nodes:?}");
        Plan(nodes)
    }

    /// Returns the nodes.
    pub(crate) fn nodes(&self) -> &[(Step, u32)] {
        &self.0
    }

    /// Returns whether it has no branches.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the steps of the branches at the root.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Step> + '_ {
        self.0.iter().filter(|(_, level)| *level == 0).map(|(step, _)| *step)
    }

    /// Removes the last branch at the root, and returns it as a plan.
    pub(crate) fn split_last(&mut self) -> Plan {
        let start = self.0.iter().rposition(|(_, level)| *level == 0);
        Plan(self.0.split_off(start.unwrap_or(0)))
    }
}

fn is_tree(nodes: &[(Step, u32)]) -> bool {
    let mut most = 0;
    nodes.iter().all(|(_, level)| {
        let fits = *level <= most;
        most = level + 1;
        fits
    })
}

/// Most nodes are children of the node before them.
impl Wire for Plan {
    fn write(&self, to: &mut Vec<u8>) {
        self.0.len().write(to);
        let mut child = 0;
        for (step, level) in &self.0 {
            step.write(to);
            (child - level).write(to);
            child = level + 1;
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut nodes = Vec::new();
        let mut child = 0_u32;
        for _ in 0..usize::read(from)? {
            let (step, up): (Step, u32) = Wire::read(from)?;
            let level = child.checked_sub(up).ok_or(Malformed)?;
            nodes.push((step, level));
            child = level + 1;
        }
        Ok(Plan(nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ProcessId;

    fn step(process: usize) -> Step {
        Step::of(ProcessId::new(process))
    }

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let plan = Plan::of_nodes(
            [(0, 0), (1, 1), (2, 2), (3, 1), (4, 0)].map(|(p, level)| (step(p), level)).to_vec(),
        );
        let mut bytes = Vec::new();
        plan.write(&mut bytes);
        assert_eq!(Plan::read(&mut Reader(&bytes)), Ok(plan.clone()));
    }

    #[test]
    fn the_last_branch_is_split_off() {
        let nodes = [(0, 0), (1, 1), (2, 0), (3, 1), (4, 2)].map(|(p, level)| (step(p), level));
        let mut plan = Plan::of_nodes(nodes.to_vec());
        assert_eq!(plan.split_last(), Plan::of_sequence([2, 3, 4].map(step)));
        assert_eq!(plan.split_last(), Plan::of_sequence([0, 1].map(step)));
        assert!(plan.is_empty() && plan.split_last().is_empty());
    }

    #[test]
    fn a_node_without_a_parent_is_refused() {
        let mut bytes = Vec::new();
        1_usize.write(&mut bytes);
        (step(0), 1_u32).write(&mut bytes);
        assert_eq!(Plan::read(&mut Reader(&bytes)), Err(Malformed));
    }
}
