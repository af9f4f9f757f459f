//! The nodes of the search on the way to the current execution.

use smallvec::SmallVec;

use crate::explore::data_centric::graph::identity::Identity;
use crate::explore::data_centric::lessons::CellGroup;
use crate::model::Step;

/// A node of the search: some events with their observations, and the event that comes next.
///
/// Its children divide all executions that have these events among them; see [the module](super).
#[derive(Debug, Default)]
pub(crate) struct Frame {
    /// How many events of each process there are: the set is closed, so that says which.
    pub(crate) cut: SmallVec<[u32; 8]>,
    /// The next event: whose it is, and its rank there.
    pub(crate) process: usize,
    pub(crate) number: u32,
    /// Whether the next event waits.
    pub(crate) waits: bool,
    /// Whether it does not come about for now: what it waits for has not come. Its children are those
    /// in which it has come before, and one in which it has not.
    pub(crate) is_deferred: bool,
    /// Whether it acquires a shared lock: its children are the one in which it comes at once, and the one
    /// in which it does not. See [sharing](super::sharing).
    pub(crate) acquires: bool,
    /// Whether it joins others in that.
    pub(crate) joins: bool,
    /// How many writes to what it waits for it is known not to observe.
    pub(crate) offered: u32,
    /// What the other processes that wait had been offered.
    pub(crate) offers: SmallVec<[Offer; 8]>,
    /// How many groups it observes, and which of them, the one that it waits for first: those that have a
    /// name of their own in each execution do not have the same in all.
    pub(crate) observes: SmallVec<[CellGroup; 2]>,
    /// What the next event was when it came at once; nothing if it was left out instead.
    pub(crate) first: Option<Identity>,
    /// The event by which the current child is told from the others: whose it is, and its rank there.
    /// Nothing if that is the child in which the next event is left out for now.
    pub(crate) told_by: Option<(usize, u32)>,
    /// The children with observations among the events here, and those that choose otherwise, which
    /// are still to be explored.
    pub(crate) open: Vec<Child>,
    /// Whether what the next event could observe among the events here has been looked at.
    pub(crate) looked_back: bool,
    /// How many children have been explored, the current one included.
    pub(crate) explored: usize,
}

impl Frame {
    /// Makes it one without children.
    pub(crate) fn reset(&mut self, cut: impl Iterator<Item = u32>, process: usize, number: u32) {
        self.cut.clear();
        self.cut.extend(cut);
        (self.process, self.number) = (process, number);
        (self.waits, self.is_deferred, self.acquires, self.offered) = (false, false, false, 0);
        self.offers.clear();
        self.observes.clear();
        (self.first, self.told_by) = (None, None);
        self.open.clear();
        self.looked_back = false;
        self.explored = 1;
    }

    /// Whether an event is among those of the node.
    pub(crate) fn has(&self, process: usize, number: u32) -> bool {
        self.cut.get(process).is_some_and(|count| number <= *count)
    }
}

/// That a process waits with its `number`-th event, and does not observe any of the first `writes`
/// writes to the location that it waits for, the initial value included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Offer {
    pub(crate) number: u32,
    pub(crate) writes: u32,
}

/// A child of a node.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    /// A sequence of all of its events.
    pub(crate) steps: Box<[Step]>,
    /// The events that are not as in the execution in which it was found. The last of them is what
    /// tells it from its siblings.
    pub(crate) changed: SmallVec<[Changed; 2]>,
    /// Whether it may turn out to be impossible: what had to be guessed.
    pub(crate) guess: Guess,
    /// Whether it is the one in which the node's next event is left out until something else has come on
    /// the lock that it acquires.
    pub(crate) leaves_out: bool,
}

impl Child {
    /// The one in which the next event of its node, whose events are these steps, is left out.
    pub(crate) fn leaving_out(steps: Box<[Step]>) -> Self {
        let (changed, guess) = (SmallVec::new(), Guess::default());
        Child { steps, changed, guess, leaves_out: true }
    }
}

/// An event that is not as it was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed {
    pub(crate) process: usize,
    pub(crate) number: u32,
    /// What it will be.
    pub(crate) identity: Identity,
}

/// What could not be told before running a child.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Guess {
    /// The first of the events that are changed may have to wait, or may take no effect.
    pub(crate) takes_effect: bool,
    /// The last of them takes no effect; if it does, the sequence is not right.
    pub(crate) is_idle: bool,
}
