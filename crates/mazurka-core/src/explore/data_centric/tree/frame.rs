//! Nodes on the path to the current execution, and their children.

use smallvec::SmallVec;

use crate::explore::data_centric::graph::identity::Identity;
use crate::explore::data_centric::lessons::CellGroup;
use crate::explore::fingerprint::Fingerprint;
use crate::model::Step;

/// A node of the search: a closed set of events with their observations, and the next event.
///
/// Its children divide the executions that contain these events; see [`data_centric`](super::super).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Frame {
    /// The events of the node, as the number of events of each process.
    pub(crate) cut: SmallVec<[u32; 8]>,
    /// The process of the next event, and its rank in that process.
    pub(crate) process: usize,
    pub(crate) number: u32,
    /// Whether the next event waits.
    pub(crate) waits: bool,
    /// Whether the next event is not enabled at the node. The children are those in which it observes an
    /// earlier write, and one in which it observes none of them.
    pub(crate) is_deferred: bool,
    /// Whether the next event acquires a reader-writer lock. The children are the one in which it comes at
    /// once, and the one in which it is left out; see [`rwlocks`](super::super::rwlocks).
    pub(crate) acquires: bool,
    /// Whether it acquires the lock for reading.
    pub(crate) joins: bool,
    /// How many writes the next event has been offered.
    pub(crate) offered: u32,
    /// If the next event waits, how many events of the node write to what it waits for, the initial value
    /// included.
    pub(crate) written: u32,
    /// What the other waiting processes had been offered.
    pub(crate) offers: SmallVec<[Offer; 8]>,
    /// The groups that the next event observes in the current execution, the awaited one first. Groups of
    /// objects with late names differ between executions, but their number does not.
    pub(crate) observes: SmallVec<[CellGroup; 2]>,
    /// The identity of the next event in the first child; `None` if that child leaves it out.
    pub(crate) first: Option<Identity>,
    /// The event that distinguishes the current child from the others, as a process and a rank. `None` for
    /// the child that leaves the next event out.
    pub(crate) told_by: Option<(usize, u32)>,
    /// Whether the next event [comes late](super::canonical) among the events of the node, once that is
    /// known of the current child.
    pub(crate) is_late: Option<bool>,
    /// The children that observe writes of the node or take other alternatives, and are still to be
    /// explored.
    pub(crate) open: Vec<Child>,
    /// Whether the children that observe writes of the node have been found.
    pub(crate) looked_back: bool,
    /// How many children have been explored, the current one included.
    pub(crate) explored: usize,
    /// If several workers may find that the second child of an acquisition is needed, the
    /// [claim](super::super::division) that the first of them makes.
    pub(crate) claim: Option<Fingerprint>,
}

impl Frame {
    /// Makes it a node without children.
    pub(crate) fn reset(&mut self, cut: impl Iterator<Item = u32>, process: usize, number: u32) {
        self.cut.clear();
        self.cut.extend(cut);
        (self.process, self.number) = (process, number);
        (self.waits, self.is_deferred, self.acquires, self.offered) = (false, false, false, 0);
        (self.joins, self.written) = (false, 0);
        self.offers.clear();
        self.observes.clear();
        (self.first, self.told_by, self.is_late) = (None, None, None);
        self.open.clear();
        self.looked_back = false;
        self.explored = 1;
        self.claim = None;
    }

    /// Returns whether it is not known yet whether the node of an acquisition has a second child.
    pub(crate) fn is_undecided(&self) -> bool {
        self.acquires && !self.looked_back && self.told_by.is_some()
    }

    /// Returns the node as it is on the path of a child that is left to another worker: without the children
    /// that are still to be explored.
    pub(crate) fn on_path(&self) -> Frame {
        Frame {
            cut: self.cut.clone(),
            offers: self.offers.clone(),
            observes: SmallVec::new(),
            open: Vec::new(),
            is_late: None,
            looked_back: !self.is_undecided(),
            explored: 1,
            ..*self
        }
    }

    /// Returns whether the node contains an event.
    pub(crate) fn has(&self, process: usize, number: u32) -> bool {
        self.cut.get(process).is_some_and(|count| number <= *count)
    }
}

/// The `number`-th event of a process waits, and observes none of the first `writes` writes to the awaited
/// location, the initial value included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offer {
    pub(crate) number: u32,
    pub(crate) writes: u32,
}

/// A child of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Child {
    /// A sequence of its events.
    pub(crate) steps: Box<[Step]>,
    /// The events that differ from the execution in which it was found. The last of them distinguishes
    /// it from its siblings.
    pub(crate) changed: SmallVec<[Changed; 2]>,
    /// What had to be guessed. If a guess is wrong, the child is impossible.
    pub(crate) guess: Guess,
    /// Whether the child leaves the node's next event out until a conflicting operation has come on its
    /// reader-writer lock.
    pub(crate) leaves_out: bool,
}

impl Child {
    /// Returns the child that leaves the next event out, of a node whose events are these steps.
    pub(crate) fn leaving_out(steps: Box<[Step]>) -> Self {
        let (changed, guess) = (SmallVec::new(), Guess::default());
        Child { steps, changed, guess, leaves_out: true }
    }
}

/// An event that differs from the execution in which a child was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Changed {
    pub(crate) process: usize,
    pub(crate) number: u32,
    /// Its identity in the child.
    pub(crate) identity: Identity,
}

/// What is not known before a child is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Guess {
    /// The first changed event is enabled and takes effect.
    pub(crate) takes_effect: bool,
    /// The last changed event takes no effect.
    pub(crate) is_idle: bool,
}
