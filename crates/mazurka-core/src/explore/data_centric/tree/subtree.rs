//! Nodes on their own: the executions below a node are explored from its description alone.

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::DataCentric;
use super::frame::{Child, Guess, Offer};
use crate::model::{Machine, ProcessId, Step};
use crate::search::driver::Driver;
use crate::search::subject::Watched;
use crate::search::{Monitor, Options};
use crate::verdict::Verdict;

/// A node of the search with everything below it: all executions that contain certain events with certain
/// observations.
///
/// Subtrees do not depend on each other, so they can be explored in any order. Of two subtrees, one
/// contains the other, or they have no execution in common.
#[derive(Clone, Debug)]
pub struct Subtree {
    /// A sequence of the events of the node.
    steps: Box<[Step]>,
    offers: SmallVec<[Offer; 8]>,
}

impl Subtree {
    /// Returns a sequence of the events that every execution of the subtree contains, with their
    /// observations.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns triples (process, rank, writes): in every execution of the subtree the event of the process
    /// with that rank, which waits, observes none of the first `writes` writes to its location. The
    /// initial value counts as the first. If the event acquires a reader-writer lock, the operations
    /// that conflict with it count instead of writes.
    pub fn offers(&self) -> impl Iterator<Item = (ProcessId, u32, u32)> + '_ {
        let offers = self.offers.iter().enumerate().filter(|(_, offer)| offer.number > 0);
        offers.map(|(process, offer)| (ProcessId::new(process), offer.number, offer.writes))
    }
}

/// Explores the executions of a machine as `data-centric` does, and returns all subtrees that it entered.
/// There may be as many of these as executions.
pub fn explore_with_subtrees<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<M>,
) -> (Verdict, Vec<Subtree>) {
    let nodes = Rc::new(RefCell::new(Vec::new()));
    let verdict = Driver::new(&mut Watched::new(machine, monitor), options).run(|_| {
        nodes.borrow_mut().clear();
        DataCentric { nodes: Some(nodes.clone()), ..DataCentric::default() }
    });
    (verdict, nodes.take())
}

/// Explores the executions of a subtree, on a machine that is in its initial state.
pub fn explore_below<M: Machine>(
    machine: &mut M,
    node: &Subtree,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<M>,
) -> Verdict {
    Driver::new(&mut Watched::new(machine, monitor), options).run(|_| DataCentric::below(node))
}

impl DataCentric {
    /// Returns the search of a subtree.
    fn below(node: &Subtree) -> Self {
        let steps = node.steps.clone();
        let entering =
            Child { steps, changed: SmallVec::new(), guess: Guess::default(), leaves_out: false };
        DataCentric {
            entering: Some(entering).filter(|child| !child.steps.is_empty()),
            offers: node.offers.clone(),
            ..DataCentric::default()
        }
    }

    /// Collects the node to which these steps lead, if nodes are collected.
    pub(crate) fn note_node(&self, steps: &[Step]) {
        if let Some(nodes) = &self.nodes {
            nodes.borrow_mut().push(Subtree { steps: steps.into(), offers: self.offers.clone() });
        }
    }
}
