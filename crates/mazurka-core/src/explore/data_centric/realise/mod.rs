//! Realisation: a sequence of given events in which every read observes a given write, if there is
//! one.
//!
//! The events are a causally closed part of the current execution, together with one or two that
//! observe something else than they did there.
//!
//! # How it is decided
//!
//! Events are taken one after the other. A location is *open* while some event is still to observe what
//! was last written to it; nobody may write to it then but the last of these observers. So a read can
//! be taken as soon as the write that it observes has been, and a write as soon as its location is not
//! open. What can be taken depends only on the set of events that have been taken: of the writes in it,
//! at most one per location has observers left, or else it could not have come about.
//!
//! Most events can be taken as soon as possible without closing any way: reads, writes that nobody
//! observes, and read-modify-writes (nobody else can write to their location before they do). A choice
//! there is only between writes that open a location. So:
//!
//! 1. Events are taken in the order of the current execution wherever that is possible. That mostly
//!    succeeds, and keeps most of the current execution.
//! 2. If not, the partial order that follows from program order, edges and observations is closed (see
//!    `closure.rs`); a cycle in it means that there is no such sequence.
//! 3. Otherwise the choices are searched depth first, within the closed order. A set of events that led
//!    nowhere is remembered, and not tried again. With few processes there are few such sets: at most
//!    `n^k` for `n` events of `k` processes.
//! 4. If that takes more than a budget, nobody knows, and the caller falls back to something coarser.

mod closure;

use std::collections::HashSet;

use smallvec::SmallVec;

use crate::execution::clock::ClockId;
use crate::explore::data_centric::graph::{INITIAL, Record};
use crate::explore::data_centric::lessons::Group;
use crate::model::{ProcessId, Step};
use closure::{Closure, Order};

/// Stands for the first of the [extra](Extra) events, as something that is observed.
pub(crate) const FIRST_EXTRA: u32 = u32::MAX - 1;

/// How many sets of events are tried before the search is given up.
const BUDGET: u32 = 200_000;

/// What an event does to a group of locations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) group: Group,
    /// The event whose write it observes, [`INITIAL`] or [`FIRST_EXTRA`], if it reads.
    pub(crate) source: Option<u32>,
    pub(crate) writes: bool,
}

/// An event that is not as in the current execution.
#[derive(Clone, Debug)]
pub(crate) struct Extra {
    pub(crate) process: usize,
    pub(crate) number: u32,
    pub(crate) choice: u32,
    /// What happens before it, and whether that is more than its process's past.
    pub(crate) past: ClockId,
    pub(crate) joined: bool,
    pub(crate) touches: SmallVec<[Touch; 2]>,
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// There is such a sequence: [`Realiser::steps`].
    Yes,
    /// There is none.
    No,
    /// It took too long to find out.
    Unknown,
}

/// An event of the problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) process: u32,
    /// Its rank in its process, from 1.
    pub(crate) number: u32,
    choice: u32,
    /// Where in the list of pasts it says what happens before it, if that is more than its process's
    /// past.
    pub(crate) past: Option<u32>,
    pub(crate) touches: (u32, u32),
}

/// What a node does to a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeTouch {
    pub(crate) group: u32,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// The node whose write it observes, or [`INITIAL`].
    pub(crate) source: u32,
    /// How many nodes observe what it writes.
    readers: u32,
}

/// Decides which observations can be realised. Its buffers are used again.
#[derive(Debug, Default)]
pub(crate) struct Realiser {
    pub(crate) nodes: Vec<Node>,
    pub(crate) touches: Vec<NodeTouch>,
    /// The first of them that is not as in the execution. Those before it are in its order.
    first_extra: u32,
    /// For each process its nodes, in order.
    pub(crate) lines: Vec<Vec<u32>>,
    /// How many nodes of each process come before some nodes, one after the other.
    pub(crate) pasts: Vec<u32>,
    /// The node of each event of the execution.
    node_of: Vec<u32>,
    /// For each group how many are still to observe what was last written to it, and how many
    /// observe the initial value.
    open: Vec<u32>,
    /// How many of each process's nodes have been taken.
    taken: Vec<u32>,
    order: Vec<u32>,
    failed: HashSet<u128>,
    choices: Vec<Choice>,
    closure: Closure,
}

/// A place where one of several writes was taken.
#[derive(Clone, Copy, Debug)]
struct Choice {
    /// How many nodes had been taken before.
    len: usize,
    /// The node that is being tried.
    tried: u32,
    digest: u128,
}

impl Realiser {
    /// Whether the events of the execution within `cut` (so many of each process) and some others
    /// can be put into a sequence in which all observe what they should.
    pub(crate) fn realise(&mut self, record: &Record, cut: &[u32], extras: &[Extra]) -> Answer {
        self.pose(record, cut, extras);
        self.solve()
    }

    fn solve(&mut self) -> Answer {
        if self.follow() {
            return Answer::Yes;
        }
        let order = Order {
            nodes: &self.nodes,
            touches: &self.touches,
            lines: &self.lines,
            pasts: &self.pasts,
        };
        match self.closure.close(&order) {
            true => self.search(),
            false => Answer::No,
        }
    }

    /// The sequence that was found.
    pub(crate) fn steps(&self) -> impl ExactSizeIterator<Item = Step> + '_ {
        self.order.iter().map(|node| {
            let Node { process, choice, .. } = self.nodes[*node as usize];
            Step { process: ProcessId::new(process as usize), choice }
        })
    }

    /// The groups in which there is a choice between writes.
    pub(crate) fn contested(&self) -> impl Iterator<Item = Group> + '_ {
        let is_open = |touch: &&NodeTouch| touch.writes && !touch.reads && touch.readers > 0;
        self.touches.iter().filter(is_open).map(|touch| Group(touch.group))
    }

    /// Sets up the problem.
    fn pose(&mut self, record: &Record, cut: &[u32], extras: &[Extra]) {
        self.clear(record.processes());
        self.node_of.clear();
        self.node_of.resize(record.len(), INITIAL);
        for index in 0..record.len() as u32 {
            let event = record.event(index);
            if cut.get(event.process).is_none_or(|count| event.number > *count) {
                continue;
            }
            self.node_of[index as usize] = self.nodes.len() as u32;
            let past = event.past.joined.then(|| record.clock(event.past.clock));
            self.begin(event.process, event.number, event.choice, past);
            for access in record.accesses(index) {
                let source = access.reads.then_some(access.source);
                self.touch(Touch { group: access.group, source, writes: access.writes }, INITIAL);
            }
        }
        let first_extra = self.nodes.len() as u32;
        self.first_extra = first_extra;
        for extra in extras {
            let past = extra.joined.then(|| record.clock(extra.past));
            self.begin(extra.process, extra.number, extra.choice, past);
            for touch in &extra.touches {
                self.touch(*touch, first_extra);
            }
        }
    }

    fn clear(&mut self, processes: usize) {
        self.first_extra = 0;
        self.nodes.clear();
        self.touches.clear();
        self.pasts.clear();
        self.lines.resize_with(processes, Vec::new);
        self.lines.iter_mut().for_each(Vec::clear);
    }

    /// Adds a node; the [touches](Realiser::touch) that follow are its own. Nodes come in an order in
    /// which each comes behind what is in its past, and behind what it observes.
    fn begin(&mut self, process: usize, number: u32, choice: u32, past: Option<&[u32]>) {
        let touches = (self.touches.len() as u32, self.touches.len() as u32);
        let past = past.map(|past| {
            let start = self.pasts.len() as u32;
            self.pasts.extend_from_slice(&past[..self.lines.len()]);
            start
        });
        self.lines[process].push(self.nodes.len() as u32);
        self.nodes.push(Node { process: process as u32, number, choice, past, touches });
    }

    fn touch(&mut self, touch: Touch, first_extra: u32) {
        let source = match touch.source {
            None | Some(INITIAL) => INITIAL,
            Some(FIRST_EXTRA) => first_extra,
            Some(event) => self.node_of[event as usize],
        };
        debug_assert!(
            touch.source.is_none_or(|s| s == INITIAL || source != INITIAL),
            "what is observed is among the events"
        );
        self.add_touch(touch.group.0, touch.source.is_some(), touch.writes, source);
    }

    fn add_touch(&mut self, group: u32, reads: bool, writes: bool, source: u32) {
        if self.open.len() <= group as usize {
            self.open.resize(group as usize + 1, 0);
        }
        if reads && source != INITIAL {
            let (start, end) = self.nodes[source as usize].touches;
            let written = self.touches[start as usize..end as usize].iter_mut();
            for write in written.filter(|touch| touch.group == group && touch.writes) {
                write.readers += 1;
            }
        }
        self.touches.push(NodeTouch { group, reads, writes, source, readers: 0 });
        let node = self.nodes.last_mut().expect("one has begun");
        node.touches.1 = self.touches.len() as u32;
    }

    /// Goes back to where nothing has been taken.
    fn restart(&mut self) {
        for touch in &self.touches {
            self.open[touch.group as usize] = 0;
        }
        for touch in &self.touches {
            if touch.reads && touch.source == INITIAL {
                self.open[touch.group as usize] += 1;
            }
        }
        self.taken.clear();
        self.taken.resize(self.lines.len(), 0);
        self.order.clear();
    }

    #[inline]
    fn touches_of(&self, node: u32) -> &[NodeTouch] {
        let (start, end) = self.nodes[node as usize].touches;
        &self.touches[start as usize..end as usize]
    }

    /// The next node of a process.
    #[inline]
    fn head(&self, process: usize) -> Option<u32> {
        self.lines[process].get(self.taken[process] as usize).copied()
    }

    fn was_taken(&self, node: u32) -> bool {
        let Node { process, number, .. } = self.nodes[node as usize];
        self.taken[process as usize] >= number
    }

    /// Whether a node can be taken now, its process's past having been taken.
    fn is_possible(&self, node: u32) -> bool {
        let fits = |touch: &NodeTouch| {
            let open = self.open[touch.group as usize];
            match (touch.reads, touch.writes) {
                (true, writes) => {
                    (touch.source == INITIAL || self.was_taken(touch.source))
                        && (!writes || open == 1)
                }
                (false, _) => open == 0,
            }
        };
        if !self.touches_of(node).iter().all(fits) {
            return false;
        }
        let Node { past, process: own, .. } = self.nodes[node as usize];
        past.is_none_or(|start| {
            let before = self.pasts[start as usize..].iter().zip(&self.taken).enumerate();
            let mut others = before.filter(|(process, _)| *process != own as usize);
            others.all(|(_, (wanted, taken))| taken >= wanted)
        })
    }

    fn take(&mut self, node: u32) {
        let (start, end) = self.nodes[node as usize].touches;
        for touch in &self.touches[start as usize..end as usize] {
            let open = &mut self.open[touch.group as usize];
            *open -= u32::from(touch.reads);
            if touch.writes {
                *open = touch.readers;
            }
        }
        self.taken[self.nodes[node as usize].process as usize] += 1;
        self.order.push(node);
    }

    fn take_back(&mut self) -> u32 {
        let node = self.order.pop().expect("it was taken");
        let (start, end) = self.nodes[node as usize].touches;
        for touch in &self.touches[start as usize..end as usize] {
            let open = &mut self.open[touch.group as usize];
            if touch.writes {
                *open = 0;
            }
            *open += u32::from(touch.reads);
        }
        self.taken[self.nodes[node as usize].process as usize] -= 1;
        node
    }

    /// Takes nodes in the order of the execution wherever that is possible, and says whether all
    /// could be taken.
    fn follow(&mut self) -> bool {
        self.restart();
        // Nothing is in the way of those that come before what the extra ones must come before.
        for node in 0..self.first_in_the_way() {
            self.take(node);
        }
        loop {
            let heads = (0..self.lines.len()).filter_map(|process| self.head(process));
            let possible = heads.filter(|node| self.is_possible(*node));
            match possible.min() {
                Some(node) => self.take(node),
                None => return self.order.len() == self.nodes.len(),
            }
        }
    }

    /// The first node that must not come before one of the extra ones, because that observes something
    /// earlier; or the first of these themselves.
    fn first_in_the_way(&self) -> u32 {
        let mut first = self.first_extra;
        for extra in self.first_extra..self.nodes.len() as u32 {
            for read in self.touches_of(extra).iter().filter(|touch| touch.reads) {
                let behind = if read.source == INITIAL { 0 } else { read.source + 1 };
                let writes = |node: &u32| {
                    let mut touches = self.touches_of(*node).iter();
                    touches.any(|touch| touch.writes && touch.group == read.group)
                };
                first = (behind..first).find(writes).unwrap_or(first);
            }
        }
        first
    }

    /// Whether taking a node at once cannot be wrong: it opens no location that was not open.
    fn is_harmless(&self, node: u32) -> bool {
        self.touches_of(node).iter().all(|touch| !touch.writes || touch.reads || touch.readers == 0)
    }

    /// Searches for a sequence.
    fn search(&mut self) -> Answer {
        self.restart();
        self.failed.clear();
        self.choices.clear();
        let mut budget = BUDGET;
        loop {
            self.take_harmless();
            if self.order.len() == self.nodes.len() {
                return Answer::Yes;
            }
            let digest = self.digest();
            let next = match self.failed.contains(&digest) {
                true => None,
                false => self.next_choice(0),
            };
            let choice = match next {
                Some(tried) => Choice { len: self.order.len(), tried, digest },
                None => {
                    self.failed.insert(digest);
                    match self.next_after_failure() {
                        Some(choice) => choice,
                        None => return Answer::No,
                    }
                }
            };
            self.choices.push(choice);
            self.take(choice.tried);
            budget -= 1;
            if budget == 0 {
                return Answer::Unknown;
            }
        }
    }

    /// Goes back to the last choice in which something has not been tried.
    fn next_after_failure(&mut self) -> Option<Choice> {
        while let Some(choice) = self.choices.pop() {
            while self.order.len() > choice.len {
                self.take_back();
            }
            if let Some(tried) = self.next_choice(choice.tried + 1) {
                return Some(Choice { tried, ..choice });
            }
            self.failed.insert(choice.digest);
        }
        None
    }

    fn take_harmless(&mut self) {
        let mut idle = 0;
        let mut process = 0;
        while idle < self.lines.len() {
            idle += 1;
            while let Some(node) = self.head(process)
                && self.is_harmless(node)
                && self.is_possible(node)
            {
                self.take(node);
                idle = 0;
            }
            process = (process + 1) % self.lines.len();
        }
    }

    /// The first node from `from` on, in the order of the execution, that can be taken now and that
    /// nothing comes before in the closed order.
    fn next_choice(&self, from: u32) -> Option<u32> {
        let heads = (0..self.lines.len()).filter_map(|process| self.head(process));
        let candidates = heads.filter(|node| *node >= from);
        let possible = candidates
            .filter(|node| self.is_possible(*node) && self.closure.allows(*node, &self.taken));
        possible.min()
    }

    /// Stands for the set of nodes that have been taken.
    fn digest(&self) -> u128 {
        let mix = |digest: u128, taken: &u32| {
            let x = (digest ^ u128::from(*taken))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            x ^ x >> 71
        };
        self.taken.iter().fold(1, mix)
    }
}

#[cfg(test)]
mod tests;
