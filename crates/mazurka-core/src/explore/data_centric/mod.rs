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
//! the past of `w`, and so `w` itself. The node keeps the identities of its children, to know them again;
//! this is the negative annotation.
//!
//! A child is [realised](realise): a sequence of its events is found, if there is one, the machine takes
//! these steps, and then runs on freely.
//!
//! # Read-modify-writes
//!
//! If `w` is a read-modify-write, it may not be in that execution as it is in the child: `e`, if it is a
//! read-modify-write as well, came right before it. But its process is there, and so is what it would
//! observe. So for every read-modify-write whose process's past does not have `e` in it, all that it
//! could observe without having `e` in its past are tried. See [`mutate`].
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
//! now. But something follows the last write to its location, or `e` would be able to go on at the end.
//! So the children are `e`, and all that could write next to its location instead, `e` being left out
//! for now. A waiting read observes only what was last written.
//!
//! # What is observed
//!
//! | actions | |
//! |---|---|
//! | reads, writes, read-modify-writes, compare-exchanges (those that fail are reads) | by observation |
//! | mutexes, parking, and other waiting | by observation; writes to what is waited for are ordered |
//! | additions: reader-writer locks, condition variables | ordered among each other: as read-modify-writes |
//! | channels, mailboxes | all operations on one are ordered |
//! | spinning on several locations | all writes to these locations are ordered, as if they were one |
//! | overlapping, unequal ranges | all writes to them are ordered |
//! | joins, notifications, creation | by the causal past |
//! | choices | each has its own executions |
//!
//! So where other explorers have independent actions (two additions, a send and a receive of another
//! message), this one has more executions than `optimal`. That a location is waited for may turn out
//! late; the search then starts over, and keeps the [lesson](lessons).
//!
//! # Where this departs from the paper
//!
//! * There, the extension of an execution is free, and some observation functions are visited by two
//!   nodes: 12n-3 runs instead of 12n-5 for `opt_lock(n)`. Here a run belongs to one node only.
//! * There, cyclic topologies are made acyclic by ordering the writes between some processes. Here,
//!   realisation is decided exactly on all of them, by closure and then by a search that remembers where
//!   it failed. Only if that takes very long the writes involved are ordered, and that is counted in
//!   [`Verdict::ordered_locations`](crate::verdict::Verdict::ordered_locations).
//! * Nodes keep the identities of their children, 16 bytes each, rather than conditions on them. So the
//!   memory needed is not polynomial in theory, though it is small in practice.
//!
//! # Data races
//!
//! An access to plain memory races with another if neither is in the causal past of the other's process.

mod closure;
mod frame;
mod identity;
mod lessons;
mod mutate;
mod realise;
mod record;

use std::cell::RefCell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::execution::Execution;
use super::strategy::{Next, Position, Strategy};
use crate::model::{Machine, Op, ProcessId, Step};
use frame::{Child, Frame};
use identity::Identity;
pub(crate) use lessons::Lessons;
use mutate::{Mover, bit};
use realise::Realiser;
use record::{Event, Record, pending};

/// The state of the search.
#[derive(Debug)]
pub(crate) struct DataCentric {
    record: Record,
    /// The nodes on the way to the current execution, as far as they can have several children.
    frames: Vec<Frame>,
    /// Frames to be used again.
    spare: Vec<Frame>,
    /// For each group the frames whose next event observes it or waits for it.
    observers: Vec<Vec<u32>>,
    /// For each group the processes that have observed it.
    observing: Vec<u128>,
    /// The child that is being entered.
    entering: Option<Child>,
    /// Whether the current execution has turned out to be impossible.
    is_vain: bool,
    realiser: Realiser,
    lessons: Lessons,
    /// Where the lessons go when the search starts over.
    shared: Rc<RefCell<Lessons>>,
    source_lists: Vec<SmallVec<[u32; 2]>>,
}

impl DataCentric {
    pub(crate) fn new(shared: Rc<RefCell<Lessons>>) -> Self {
        DataCentric {
            record: Record::new(),
            frames: Vec::new(),
            spare: Vec::new(),
            observers: Vec::new(),
            observing: Vec::new(),
            entering: None,
            is_vain: false,
            realiser: Realiser::default(),
            lessons: shared.take(),
            shared,
            source_lists: Vec::new(),
        }
    }

    /// Which process goes on when there is no child to enter: writers first, since what has been
    /// written can be looked back at; those who wait last.
    fn choose<M: Machine>(&self, at: &Position<'_, M>) -> Next {
        let rank = |process: &ProcessId| match at.machine.next(*process) {
            None => 0,
            Some(action) if action.waits || !at.machine.guards(*process).is_empty() => 2,
            Some(action) => u32::from(action.op != Op::Write),
        };
        match at.enabled().min_by_key(rank) {
            Some(process) => Next::Step(Step::of(process)),
            None => Next::End,
        }
    }

    /// What tells the children of a node apart is what this event of theirs observes: its next
    /// event, or what comes instead if that waits.
    fn identity_of_child(&self, frame: &Frame, event: u32, choice: u32) -> Identity {
        if frame.awaits.is_some() {
            return self.record.event(event).identity;
        }
        let reads = self.record.accesses(event).iter().filter(|access| access.reads);
        reads.fold(Identity::INITIAL.choosing(choice), |identity, access| {
            identity.observing(self.record.identity_of(access.source))
        })
    }

    /// Adds a node whose next event is the last one of the execution, if it can have several
    /// children.
    fn add_frame(&mut self, execution: &Execution) {
        let last = self.record.len() as u32 - 1;
        let event = self.record.event(last);
        let accesses = self.record.accesses(last);
        if event.alternatives == 1 && !accesses.iter().any(|access| access.reads) {
            return;
        }
        let mut frame = self.spare.pop().unwrap_or_default();
        let counts = (0..self.record.processes())
            .map(|process| self.record.count(process) - u32::from(process == event.process));
        frame.reset(counts, event.process, event.number);
        let reads = accesses.iter().filter(|access| access.reads);
        frame.observes.extend(reads.map(|access| access.group));
        if event.waits {
            frame.awaits = frame.observes.first().copied();
        }
        let index = self.frames.len() as u32;
        for group in &frame.observes {
            let needed = group.index() + 1;
            if self.observers.len() < needed {
                self.observers.resize_with(needed, Vec::new);
                self.observing.resize(needed, 0);
            }
            self.observers[group.index()].push(index);
            self.observing[group.index()] |= bit(event.process);
        }
        self.frames.push(frame);
        self.add_alternatives(last, execution);
    }

    /// Notes the child of the deepest node that was entered by its event `event`, and its siblings
    /// in which that event chooses otherwise.
    fn add_alternatives(&mut self, event: u32, execution: &Execution) {
        let Some(frame) = self.frames.last() else { return };
        let Event { process, number, choice: chosen, alternatives, .. } = *self.record.event(event);
        let own = self.identity_of_child(frame, event, chosen);
        let awaits = frame.awaits.is_some();
        self.frames.last_mut().expect("it is there").known.insert(own);
        for choice in (0..alternatives).filter(|choice| *choice != chosen && !awaits) {
            let frame = self.frames.last().expect("it is there");
            let identity = self.identity_of_child(frame, event, choice);
            let frame = self.frames.last_mut().expect("it is there");
            if frame.known.insert(identity) {
                let mut steps: Box<[Step]> = execution.steps().collect();
                steps[event as usize].choice = choice;
                let changed = SmallVec::from_slice(&[(process, number)]);
                frame.open.push(Child { identity, steps, changed, is_guess: false });
            }
        }
    }

    /// Takes away the deepest node.
    fn drop_frame(&mut self) {
        if let Some(frame) = self.frames.pop() {
            for group in &frame.observes {
                self.observers[group.index()].pop();
            }
            self.spare.push(frame);
        }
    }

    /// Checks that a child has turned out as it was meant to.
    fn enter(&mut self, child: &Child, execution: &Execution) {
        let Some(frame) = self.frames.last() else { return };
        let (process, number) = match frame.awaits {
            Some(_) => child.changed[0],
            None => (frame.process, frame.number),
        };
        let event = self.record.find(process, number).expect("it was among the steps");
        let choice = self.record.event(event).choice;
        if self.identity_of_child(frame, event, choice) == child.identity {
            self.add_alternatives(event, execution);
        } else if child.is_guess {
            self.is_vain = true;
        } else {
            // Its events have not done what they did before: some object has got another name.
            self.lessons.doubt_names();
        }
    }
}

impl<M: Machine> Strategy<M> for DataCentric {
    fn next(&mut self, at: &Position<'_, M>) -> Next {
        if self.is_vain {
            return Next::Asleep;
        }
        let Some(child) = &self.entering else { return self.choose(at) };
        let step = child.steps[at.depth()];
        let possible = at.machine.is_enabled(step.process)
            && step.choice < at.machine.alternatives(step.process);
        if possible {
            return Next::Step(step);
        }
        if !child.is_guess {
            self.lessons.doubt_names();
        }
        self.is_vain = true;
        Next::Asleep
    }

    fn took(&mut self, machine: &M, execution: &mut Execution) {
        self.record.admit(machine.processes());
        let last = execution.len() - 1;
        let step = execution.event(last).step;
        let own = (step.process.index(), execution.event(last).number);
        let is_fresh = self.entering.as_ref().is_none_or(|child| child.changed.contains(&own));
        let edges = execution.last_edges();
        execution.data_race = self.record.push(execution, edges, &mut self.lessons, is_fresh);
        match self.entering.take() {
            None => self.add_frame(execution),
            Some(child) if child.steps.len() == execution.len() => self.enter(&child, execution),
            child => self.entering = child,
        }
    }

    fn ended(&mut self, machine: &M, execution: &mut Execution) {
        self.entering = None;
        let mut waiting: SmallVec<[Mover; 4]> = SmallVec::new();
        for process in (0..machine.processes()).map(ProcessId::new) {
            if machine.is_enabled(process) {
                continue;
            }
            let actions = machine.next(process).into_iter().chain(machine.guards(process));
            let actions: SmallVec<[_; 2]> =
                actions.map(|action| (action, execution.meet(machine, action))).collect();
            let Some((_, awaited)) = actions.iter().find(|(action, _)| action.waits) else {
                continue;
            };
            self.lessons.is_awaited(*awaited);
            for (_, other) in actions.iter().filter(|(_, cell)| cell != awaited) {
                self.lessons.are_awaited_together(*awaited, *other);
            }
            let accesses = pending(actions.into_iter(), execution, &self.lessons);
            self.record.admit(machine.processes());
            waiting.push(Mover::pending(&self.record, process.index(), accesses));
        }
        self.lessons.notice_overlaps(execution.overlaps());
        if !self.is_vain && !self.lessons.has_news() {
            for event in 0..self.record.len() as u32 {
                self.look_ahead(&Mover::of_event(&self.record, event));
            }
            for mover in &waiting {
                self.look_ahead(mover);
            }
        }
        self.is_vain = false;
        if self.lessons.take_news() {
            self.shared.replace(std::mem::take(&mut self.lessons));
            execution.restart();
        }
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        loop {
            let deepest = self.frames.len().checked_sub(1)?;
            if !std::mem::replace(&mut self.frames[deepest].looked_back, true) {
                self.look_back(deepest);
            }
            let frame = &mut self.frames[deepest];
            let Some(child) = frame.open.pop() else {
                self.drop_frame();
                continue;
            };
            frame.explored += 1;
            let common = execution.steps().zip(&child.steps).take_while(|(a, b)| a == *b).count();
            // At least its last step is taken again, so that it is seen to be as it should.
            let len = common.min(child.steps.len() - 1);
            self.record.truncate(len);
            self.entering = Some(child);
            return Some(len);
        }
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        let Some(frame) = self.frames.get(depth) else { return (0, 0) };
        (frame.explored - 1, frame.open.len())
    }
}
