//! Nodes on their own: what is below one is explored from its description alone.

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::DataCentric;
use super::frame::{Child, Guess, Offer};
use crate::explore::data_centric::lessons::Lessons;
use crate::model::{Machine, ProcessId, Step};
use crate::search::driver::Driver;
use crate::search::{Monitor, Options};
use crate::verdict::Verdict;

/// A node of the search: all executions that have certain events with certain observations.
///
/// This is all that there is to know of one: nodes know nothing of each other, so that they can be
/// explored in any order, and by anybody. Of two nodes, one is below the other, or no execution is below
/// both.
#[derive(Clone, Debug)]
pub struct Subtree {
    /// A sequence of its events.
    steps: Box<[Step]>,
    offers: SmallVec<[Offer; 8]>,
}

impl Subtree {
    /// A sequence of all events that every execution below it has, with the observations that they have
    /// there.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What processes are known not to observe: if the given one has so many events, then the last of
    /// these, which waits, observes none of the first so many writes to its location. The initial value
    /// counts as the first. If it acquires a lock that several can share, then all operations count that it
    /// conflicts with: all for a writer, and those of writers for a reader.
    pub fn offers(&self) -> impl Iterator<Item = (ProcessId, u32, u32)> + '_ {
        let offers = self.offers.iter().enumerate().filter(|(_, offer)| offer.number > 0);
        offers.map(|(process, offer)| (ProcessId::new(process), offer.number, offer.writes))
    }
}

/// Explores the executions of a machine as `data-centric` does, and tells the nodes that were entered.
/// There may be as many of these as there are executions.
pub fn explore_with_subtrees<M: Machine>(
    machine: &mut M,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<M>,
) -> (Verdict, Vec<Subtree>) {
    let lessons = Rc::new(RefCell::new(Lessons::default()));
    let nodes = Rc::new(RefCell::new(Vec::new()));
    let verdict = Driver::new(machine, options, monitor).run(|| {
        nodes.borrow_mut().clear();
        DataCentric { nodes: Some(nodes.clone()), ..DataCentric::new(lessons.clone()) }
    });
    (verdict, nodes.take())
}

/// Explores the executions below a node, on a machine that is in its initial state.
pub fn explore_below<M: Machine>(
    machine: &mut M,
    node: &Subtree,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<M>,
) -> Verdict {
    let lessons = Rc::new(RefCell::new(Lessons::default()));
    Driver::new(machine, options, monitor).run(|| DataCentric::below(node, lessons.clone()))
}

impl DataCentric {
    /// The search of what is below a node.
    fn below(node: &Subtree, lessons: Rc<RefCell<Lessons>>) -> Self {
        let steps = node.steps.clone();
        let entering =
            Child { steps, changed: SmallVec::new(), guess: Guess::default(), leaves_out: false };
        DataCentric {
            entering: Some(entering).filter(|child| !child.steps.is_empty()),
            offers: node.offers.clone(),
            ..DataCentric::new(lessons)
        }
    }

    /// Notes that the node to which these steps lead has been entered, if anybody wants to know.
    pub(crate) fn note_node(&self, steps: &[Step]) {
        if let Some(nodes) = &self.nodes {
            nodes.borrow_mut().push(Subtree { steps: steps.into(), offers: self.offers.clone() });
        }
    }
}
