//! TREE

mod canonical;
mod children;
pub(crate) mod detour;
mod entering;
pub(crate) mod frame;
pub(crate) mod movable;
mod mutation;
mod offers;
pub(crate) mod subtree;

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use self::detour::Detour;
use self::frame::{Child, Frame, Offer};
use self::subtree::Subtree;
use crate::explore::data_centric::graph::ObservationGraph;
use crate::explore::data_centric::lessons::Lessons;
use crate::explore::data_centric::realise::Realiser;
use crate::model::{Machine, Op, ProcessId, Step};
use crate::search::strategy::{Next, Position};

/// The state of the search.
#[derive(Debug)]
pub(crate) struct DataCentric {
    pub(super) graph: ObservationGraph,
    /// The nodes on the way to the current execution, as far as they can have several children.
    pub(super) frames: Vec<Frame>,
    /// Children that are explored before the rest below their nodes, each from below the one before.
    pub(super) detours: Vec<Detour>,
    /// The children that were found in the current execution, each with its node.
    pub(super) found: Vec<(usize, Child)>,
    /// Frames to be used again.
    pub(super) spare: Vec<Frame>,
    /// For each group the frames whose next event observes it or waits for it.
    pub(super) observers: Vec<Vec<u32>>,
    /// For each group the processes that have observed it.
    pub(super) observing: Vec<u128>,
    /// What each process that waits to read is known not to observe.
    pub(super) offers: SmallVec<[Offer; 8]>,
    /// The child that is being entered.
    pub(super) entering: Option<Child>,
    /// Whether the current execution has turned out to be impossible.
    pub(super) is_vain: bool,
    pub(super) realiser: Realiser,
    pub(super) lessons: Lessons,
    /// Where the lessons go when the search starts over.
    pub(super) shared: Rc<RefCell<Lessons>>,
    /// The nodes that were entered, if anybody wants to know.
    pub(super) nodes: Option<Rc<RefCell<Vec<Subtree>>>>,
    pub(super) source_lists: Vec<SmallVec<[u32; 2]>>,
    pub(super) options: Vec<u32>,
}

impl DataCentric {
    pub(crate) fn new(shared: Rc<RefCell<Lessons>>) -> Self {
        DataCentric {
            graph: ObservationGraph::new(),
            frames: Vec::new(),
            detours: Vec::new(),
            found: Vec::new(),
            spare: Vec::new(),
            observers: Vec::new(),
            observing: Vec::new(),
            offers: SmallVec::new(),
            entering: None,
            is_vain: false,
            realiser: Realiser::default(),
            lessons: shared.take(),
            shared,
            nodes: None,
            source_lists: Vec::new(),
            options: Vec::new(),
        }
    }

    /// Which process goes on when there is no child to enter: writers first, since what has been
    /// written can be looked back at; those who wait last.
    pub(super) fn choose<M: Machine>(&mut self, at: &Position<'_, M>) -> Next {
        let rank = |process: &ProcessId| match at.machine.next(*process) {
            None => 0,
            // Who joins others keeps none of them out.
            Some(action) if action.waits => 2 + u32::from(action.op != Op::Add),
            Some(_) if !at.machine.guards(*process).is_empty() => 3,
            Some(action) => u32::from(action.op != Op::Write),
        };
        let chosen = self.whose_turn(at).or_else(|| {
            let is_left_out =
                |process: &ProcessId| self.is_left_out(at.machine, at.execution, *process);
            at.enabled().filter(|process| !is_left_out(process)).min_by_key(rank)
        });
        match chosen {
            Some(process) => Next::Step(Step::of(process)),
            None if at.first_enabled().is_some() => Next::Asleep,
            None => Next::End,
        }
    }
}
