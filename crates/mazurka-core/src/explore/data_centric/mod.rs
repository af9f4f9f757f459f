//! `data-centric`: exactly one execution per observation function.
//!
//! After Chalupa, Chatterjee, Pavlogiannis, Sinha and Vaidya, *Data-centric dynamic partial order
//! reduction* (POPL 2018).
//!
//! The *observation function* of an execution maps every read to the write that it observes. Processes
//! are deterministic, so that it determines what every process does; two executions with the same one
//! differ only in how unobserved events are ordered. Initial values are writes, too, and a
//! read-modify-write reads and writes.
//!
//! # The search
//!
//! A node of the search is a set `S` of events, each with what it observes, that is closed: all that an
//! event needs to come about as it does is in it (this is the paper's positive annotation; the set of
//! reads that it fixes is local to the node). A node stands for all executions that contain `S`. At a
//! node, some process is chosen, any will do, and its next event `e` is looked at:
//!
//! * If `e` observes nothing and chooses nothing, it is added, and that is all.
//! * If `e` reads, then in every execution that contains `S` it observes some write `w`, and so these
//!   executions are divided by `w`, that is, by which event it is and by all of its causal past. For
//!   each there is one child, with the events of `S`, the past of `w`, `w` and `e`. No two children have
//!   an execution in common, and none is without any, since every closed set that can be realised can
//!   be run on to an end. So each observation function is met exactly once.
//!
//! What children there are becomes known bit by bit. The first is what comes of running `e` at once.
//! Those with `w` in `S` are found by *looking back* when that has been explored, and those with another
//! `w` by *looking ahead* from `S`: whenever an execution below the node ends, all writes in it that do
//! not have `e` in their past are what `e` could observe (*mutation*). Every child is found that way, by
//! induction on the size of the past of `w`: let `w` be last in it, and let `e` come right before `w`; it
//! then observes something with a smaller past. Among the executions of that child there is one that has
//! the past of `w`, and so `w` itself.
//!
//! A child is *realised* (see `realise.rs`): a sequence of its events is found, if there is one, the machine
//! takes these steps, and then runs on freely.
//!
//! # Memory
//!
//! A node can have exponentially many children: as many as there are ways for `w` to come about. So they
//! are not remembered. A child may be found in many executions, but it is entered from one of them only,
//! the *canonical* one, which can be told by looking at it: what is not in `S` and not in the past of `w`
//! observes the latest write that it could (see `canonical.rs`). This is the negative annotation: it says
//! what has been explored elsewhere, but it is computed, not kept. The child is then explored at once, in a
//! *detour* (see `detour.rs`), and nothing is left of it afterwards.
//!
//! Let `n` be the number of events of the longest execution, and let no event read more than `m` locations,
//! which is one for all that reads memory. What is kept are the nodes on the way to the current execution, at
//! most `n`, and those that detours have set aside: there are at most `n` detours under way, as `detour.rs`
//! shows, with at most `n` nodes each. A node has as many children to look back at as there are writes in
//! `S` to what `e` reads, or alternatives to choose from: at most `n^m`. The children of a detour were found
//! in one execution, as pairs of a node, a write, and what these observe: at most `n^(2m+2)`. Each of them is
//! a sequence of at most `n` steps. All that is polynomial in `n`, however many executions there are.
//!
//! Nodes know nothing of each other: a node is a sequence of its events and what processes that wait have
//! been [offered](#waiting), and [`explore_below`] explores what is below it, and nothing else, from these
//! alone. The executions of two nodes, neither of which is below the other, are different ones. So
//! the children of a node can be explored in any order, and by anybody.
//!
//! # Read-modify-writes
//!
//! If `w` is a read-modify-write, it may not be in that execution as it is in the child: `e`, if it is a
//! read-modify-write as well, came right before it. But its process is there, and so is what it would
//! observe. So for every read-modify-write whose process's past does not have `e` in it, all that it
//! could observe without having `e` in its past are tried. See `mutate.rs`.
//!
//! # Waiting
//!
//! A process that waits (for a lock, a token, a message, or that spins) may or may not be able to go on,
//! according to what was last written to a location. The writes to such a location are *ordered*: each
//! observes the one before it, so that an observation function determines who can go on, and with it
//! which executions are maximal. For a mutex that changes nothing, since lock and unlock take turns
//! anyway.
//!
//! An event `e` that waits need not come about in all executions that contain `S`, even if it could come
//! now. But then something follows the last write to its location, or `e` would be able to go on at the
//! end. So the children are `e`, and all that could write next to its location instead, `e` being left
//! out for now.
//!
//! If `e` only reads, it may as well observe an earlier write than the last one, as long as what comes
//! behind that is in `S` anyway. So it has a node of its own as soon as there is something new that it
//! could observe, even if it could not come now: then one of the children is that it observes nothing
//! of what is there. What it has been *offered*, and is known not to observe, is remembered.
//!
//! # What is observed
//!
//! | actions | |
//! |---|---|
//! | reads, writes, read-modify-writes, compare-exchanges (those that fail are reads) | by observation |
//! | mutexes, parking, and other waiting | by observation; writes to what is waited for are ordered |
//! | reader-writer locks | by observation: who locks for reading observes the last writer, and who locks for writing the readers since then, too; see [below](#reader-writer-locks) |
//! | other additions: condition variables, reader-writer locks that are used irregularly (tried, say) | ordered with everything else on the location |
//! | deliveries to a mailbox, posts to a queue | ordered |
//! | receives that wait for a message in the process's own mailbox, or for an event in its queue | they observe the message that they take: which one that is follows from the order of deliveries |
//! | looks into a mailbox (which do not wait), mailboxes with several receivers | ordered with the deliveries |
//! | channels | all operations on one are ordered |
//! | spinning on several locations | all writes to these locations are ordered; whoever spins observes the last of them |
//! | overlapping, unequal ranges | all writes to them are ordered |
//! | joins, notifications, creation | by the causal past |
//! | choices | each has its own executions |
//!
//! So there are more executions than those of `optimal` where that one has independent actions and this
//! one orders them: two additions; a send to a channel and a receive of another message from it; a look
//! into a mailbox that finds a message, and other deliveries; a write to one location and a read of another,
//! if somebody waits for both at once. Everywhere else there are at most as many.
//!
//! That a location is waited for may turn out late; the search then starts over, and keeps the lesson.
//!
//! ## Reader-writer locks
//!
//! The children of a process that waits for a mutex are all that could come next on it instead, and these
//! divide the executions because what is done to a mutex is ordered. Readers of a lock are not: two of them
//! could both come before a writer that waits. So an acquisition of such a lock has two children only: it
//! comes at once, or it does not, and is then left out until something else has come on the lock (see
//! `sharing.rs`). Whether there is any execution below the second child cannot always be told without
//! running into it. So there may be runs in vain, which count as blocked. As far as the oracle knows, it
//! takes a process that waits for ever in some execution for there to be any.
//!
//! # Where this departs from the paper
//!
//! * There, the extension of an execution is free, and some observation functions are visited by two
//!   nodes: 12n-3 runs instead of 12n-5 for `opt_lock(n)`. Here a run belongs to one node only.
//! * There, cyclic topologies are made acyclic by ordering the writes between some processes. Here,
//!   realisation is decided exactly on all of them, by closure and then by a search that remembers where
//!   it failed. Only if that takes very long the writes involved are ordered, and that is counted in
//!   [`Verdict::ordered_locations`](crate::verdict::Verdict::ordered_locations).
//! * There, the negative annotation of a node is a set of writes for each read, which its later siblings
//!   inherit. Here it is a condition on the execution from which a child is entered.
//!
//! # Data races
//!
//! An access to plain memory races with another if neither is in the causal past of the other's process.

mod access;
mod canonical;
mod children;
mod closure;
mod detour;
mod frame;
mod identity;
mod lessons;
mod mover;
mod mutate;
mod node;
mod offers;
mod readers;
mod realise;
mod record;
mod run;
mod sharing;
mod waiting;

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use crate::execution::Execution;
use crate::model::{Machine, Op, ProcessId, Step};
use crate::search::strategy::{Next, Position};
use access::observed_groups;
use detour::Detour;
use frame::{Changed, Child, Frame, Guess, Offer};
pub(crate) use lessons::Lessons;
use mover::Mover;
pub use node::{Node, explore_below, explore_with_nodes};
use realise::Realiser;
use record::{Event, Record, bit};

/// The state of the search.
#[derive(Debug)]
pub(crate) struct DataCentric {
    record: Record,
    /// The nodes on the way to the current execution, as far as they can have several children.
    frames: Vec<Frame>,
    /// Children that are explored before the rest below their nodes, each from below the one before.
    detours: Vec<Detour>,
    /// The children that were found in the current execution, each with its node.
    found: Vec<(usize, Child)>,
    /// Frames to be used again.
    spare: Vec<Frame>,
    /// For each group the frames whose next event observes it or waits for it.
    observers: Vec<Vec<u32>>,
    /// For each group the processes that have observed it.
    observing: Vec<u128>,
    /// What each process that waits to read is known not to observe.
    offers: SmallVec<[Offer; 8]>,
    /// The child that is being entered.
    entering: Option<Child>,
    /// Whether the current execution has turned out to be impossible.
    is_vain: bool,
    realiser: Realiser,
    lessons: Lessons,
    /// Where the lessons go when the search starts over.
    shared: Rc<RefCell<Lessons>>,
    /// The nodes that were entered, if anybody wants to know.
    nodes: Option<Rc<RefCell<Vec<Node>>>>,
    source_lists: Vec<SmallVec<[u32; 2]>>,
    options: Vec<u32>,
}

impl DataCentric {
    pub(crate) fn new(shared: Rc<RefCell<Lessons>>) -> Self {
        DataCentric {
            record: Record::new(),
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
    fn choose<M: Machine>(&mut self, at: &Position<'_, M>) -> Next {
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

    /// Adds a node whose next event is the last one of the execution, if it can have several
    /// children.
    fn add_frame(&mut self, execution: &Execution) {
        let last = self.record.len() as u32 - 1;
        if self.is_on_shared_lock(last) {
            self.add_acquisition(last);
            return;
        }
        let event = self.record.event(last);
        let accesses = self.record.accesses(last);
        if event.alternatives == 1 && !accesses.iter().any(|access| access.reads) {
            return;
        }
        let waits = event.waits;
        let mut frame = self.new_frame(last);
        frame.waits = waits;
        self.frames.push(frame);
        self.add_alternatives(last, execution);
    }

    /// A node whose next event is this one, the last of the execution.
    fn new_frame(&mut self, last: u32) -> Frame {
        let mut frame = self.spare.pop().unwrap_or_default();
        let event = self.record.event(last);
        let counts = (0..self.record.processes())
            .map(|process| self.record.count(process) - u32::from(process == event.process));
        frame.reset(counts, event.process, event.number);
        frame.observes.extend(observed_groups(self.record.accesses(last)));
        frame.offers.extend_from_slice(&self.offers);
        let offer = self.offers.get(event.process).copied().unwrap_or_default();
        frame.offered = if offer.number == event.number { offer.writes } else { 0 };
        frame.first = Some(event.identity);
        frame.told_by = Some((event.process, event.number));
        frame
    }

    /// Adds the children of the deepest node in which its event `event` chooses otherwise.
    fn add_alternatives(&mut self, event: u32, execution: &Execution) {
        let deepest = self.frames.len().wrapping_sub(1);
        let Some(frame) = self.frames.last_mut() else { return };
        let Event { process, number, choice: chosen, alternatives, .. } = *self.record.event(event);
        // What comes instead of an event that waits is found with all of its choices.
        let is_own = (process, number) == (frame.process, frame.number);
        if chosen != 0 || (frame.waits && !is_own) {
            return;
        }
        for choice in 1..alternatives {
            let mut steps: Box<[Step]> = execution.steps().collect();
            steps[event as usize].choice = choice;
            let identity = self.record.identity_choosing(event, choice);
            let changed = smallvec![Changed { process, number, identity }];
            let child = Child { steps, changed, guess: Guess::default(), leaves_out: false };
            match self.detours.last_mut().and_then(|detour| detour.children_at(deepest)) {
                Some(children) => children.push((deepest, child)),
                None => frame.open.push(child),
            }
        }
    }

    /// Finds out for each group whose next events observe it. An object may go by another name than
    /// in the execution before, so this is done anew in each.
    fn index_frames(&mut self, waiting: &[Mover]) {
        self.observers.iter_mut().for_each(Vec::clear);
        self.observing.fill(0);
        for (index, frame) in self.frames.iter_mut().enumerate() {
            if frame.is_deferred {
                continue; // All that could come instead is among the executions of one child.
            }
            let accesses = match self.record.find(frame.process, frame.number) {
                Some(event) => self.record.accesses(event),
                // It waits, and something else came instead.
                None => {
                    let mut pending = waiting.iter().filter(|m| m.is_of(frame.process));
                    pending.next().map_or(&[][..], Mover::accesses)
                }
            };
            frame.observes.clear();
            frame.observes.extend(observed_groups(accesses));
            if frame.acquires {
                continue; // Neither does it matter what comes instead of it.
            }
            for group in &frame.observes {
                let needed = group.index() + 1;
                if self.observers.len() < needed {
                    self.observers.resize_with(needed, Vec::new);
                    self.observing.resize(needed, 0);
                }
                self.observers[group.index()].push(index as u32);
                self.observing[group.index()] |= bit(frame.process);
            }
        }
    }

    /// Takes away the deepest node.
    fn drop_frame(&mut self) {
        self.spare.extend(self.frames.pop());
    }

    /// Sets out for a child, and says how many steps of the execution it begins with.
    fn go_to(&mut self, child: Child, execution: &Execution) -> usize {
        let common = execution.steps().zip(&child.steps).take_while(|(a, b)| a == *b).count();
        if child.leaves_out && common == child.steps.len() {
            self.record.truncate(common);
            self.leave_out(&child);
            return common;
        }
        // At least its last step is taken again, so that it is seen to be as it should.
        let len = common.min(child.steps.len() - 1);
        self.record.truncate(len);
        self.entering = Some(child);
        len
    }

    /// Checks that a child has turned out as it was meant to.
    fn enter(&mut self, child: &Child, execution: &Execution) {
        if child.leaves_out {
            self.leave_out(child);
            return;
        }
        for (i, changed) in child.changed.iter().enumerate() {
            let event = self.record.find(changed.process, changed.number);
            let event = event.expect("it was among the steps");
            let is_last = i + 1 == child.changed.len();
            if self.record.event(event).identity != changed.identity {
                // If the first has taken no effect, the last could not observe that. Otherwise the
                // events have not done what they did before: some object has got another name.
                if !(is_last && i > 0 && child.guess.takes_effect) {
                    self.lessons.doubt_names();
                }
                self.is_vain = true;
                return;
            }
            if is_last {
                let has_effect = self.record.accesses(event).iter().any(|access| access.writes);
                if child.guess.is_idle && has_effect {
                    self.is_vain = true;
                    return;
                }
                self.settle(changed);
                self.note_node(&child.steps);
                if let Some(frame) = self.frames.last_mut() {
                    frame.told_by = Some((changed.process, changed.number));
                }
                self.add_alternatives(event, execution);
            }
        }
    }
}
