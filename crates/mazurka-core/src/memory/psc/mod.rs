//! Cycles of `psc`, which RC11 asks to be acyclic.
//!
//! | file | its part |
//! |---|---|
//! | `mod` | the search for cycles along the steps of `psc` |
//! | `accesses` | the search in a graph without `seq_cst` fences that gets one more event |
//! | `pairs` | the definition, pair by pair, that the searches are compared with |
//!
//! ```text
//! scb      = po ∪ po|≠loc;hb;po|≠loc ∪ hb|loc ∪ mo ∪ fr
//! psc_base = ([E_sc] ∪ [F_sc];hb?) ; scb ; ([E_sc] ∪ hb?;[F_sc])
//! psc_F    = [F_sc] ; (hb ∪ hb;eco;hb) ; [F_sc]
//! psc      = psc_base ∪ psc_F
//! ```
//!
//! # Steps
//!
//! A pair of `psc` is a sequence of steps between events. The place in the definition that a sequence has
//! got to is a [`Role`], and a node of the search is an event in a role:
//!
//! | from | to | by |
//! |---|---|---|
//! | `Source` of `e` | `Leaves` of `e`, and `scb` from `e` | `[E_sc]`, `[F_sc]` |
//! | `Source` of a fence | `Behind` and `Leaves` of the first events that it happens before | `[F_sc];hb` |
//! | `Behind` of `x` | `Behind` of the next event in program order | `hb` |
//! | `Behind` of a `seq_cst` fence | its `Source` | `[F_sc];hb;[F_sc]` |
//! | `Behind` of `x` | `scb` from `x` | `[F_sc];hb;scb` |
//! | `Behind` of `x` | `Before` of each read that follows `x` in `eco` | `[F_sc];hb;eco` |
//! | `Leaves` of `x` | an end at the events that follow by the first two parts of `scb` | `scb` |
//! | an end at `y` | `Source` of `y` if it is `seq_cst`, and `Before` of `y` | `[E_sc]`, `[F_sc]` |
//! | `Before` of `y` | `Source` of the first `seq_cst` fences that `y` happens before | `hb;[F_sc]` |
//!
//! What follows a write in `eco` follows it in `scb`, so that only reads remain for `eco`. `psc` leads from
//! an event to all `seq_cst` events behind it in program order. So it suffices to reach the first one of each
//! process, and the same holds for the events that a fence happens before.
//!
//! Every cycle of steps has a `Source`, since the other roles lead forwards in program order or to later
//! roles. So the steps have a cycle if and only if `psc` has one. The search is depth first, and visits each
//! node once.

mod accesses;
mod pairs;

use super::coherence::has_successors;
use super::graph::{EventId, Graph, INITIAL, Kind};
use super::witness::write_of;
use crate::model::{MemoryOrdering, ProcessId};

/// Returns whether `psc` has a cycle, if it had none before the last event was added.
///
/// A new pair of `psc` ends in the last event, or goes through a pair of `mo` or `fr` that starts with it.
/// So the last event is the source of a pair on the cycle, or comes behind a fence that is.
pub(super) fn gets_cycle(graph: &Graph, last: EventId) -> bool {
    if !has_successors(graph, last) {
        return false;
    }
    let is_source = is_sc(graph, last);
    let has_fences = (0..last).any(|event| is_sc_fence(graph, event));
    let is_behind = has_fences
        && (0..last).any(|event| is_sc_fence(graph, event) && graph.happens_before(event, last));
    let before = |a: EventId, b: EventId| is_before(graph, a, b);
    let found = match has_fences {
        false => is_source && accesses::gets_cycle(graph, last),
        true if !is_source && !is_behind => false,
        true => {
            let mut search = Search::new(graph, before);
            is_source && search.finds_cycle(Role::Source, last)
                || is_behind && search.finds_cycle(Role::Behind, last)
        }
    };
    debug_assert!(!pairs::is_small(graph) || found == pairs::has_cycle(graph, &before));
    found
}

/// Returns whether `psc` has a cycle. `before` says which writes to a location come before others in a coherence
/// order, which may be partial.
pub(super) fn has_cycle(graph: &Graph, before: impl Fn(EventId, EventId) -> bool) -> bool {
    let mut search = Search::new(graph, &before);
    let mut events = 0..graph.events().len() as EventId;
    let found = events.any(|event| is_sc(graph, event) && search.finds_cycle(Role::Source, event));
    debug_assert!(!pairs::is_small(graph) || found == pairs::has_cycle(graph, &before));
    found
}

fn is_sc(graph: &Graph, event: EventId) -> bool {
    graph.event(event).ordering.is_some_and(MemoryOrdering::is_seq_cst)
}

fn is_sc_fence(graph: &Graph, event: EventId) -> bool {
    graph.event(event).kind == Kind::Fence && is_sc(graph, event)
}

/// Returns whether two events access one location.
fn is_same_location(graph: &Graph, a: EventId, b: EventId) -> bool {
    let location = |event: EventId| graph.event(event).location_if_memory();
    location(a).is_some() && location(a) == location(b)
}

/// Returns whether a write comes before another one in the coherence order of a graph.
fn is_before(graph: &Graph, a: EventId, b: EventId) -> bool {
    let position = |write: EventId| match write {
        INITIAL => 0,
        write => graph.event(write).position,
    };
    position(a) < position(b)
}

/// The place in the definition of `psc` that the steps to an event have got to.
#[derive(Clone, Copy, Debug)]
enum Role {
    /// A pair begins at this event, which is `seq_cst`.
    Source,
    /// A fence that is a source happens before this event.
    Behind,
    /// The part of `scb` that goes through program order begins at this event.
    Leaves,
    /// A pair ends in a fence that this event happens before.
    Before,
}

/// How many roles there are.
const ROLES: usize = 4;

/// How far the search has got with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    New,
    /// The node is on the current path.
    Open,
    Done,
}

/// What the search has to do next.
#[derive(Clone, Copy, Debug)]
enum Task {
    Enter(Role, EventId),
    Leave(Role, EventId),
}

/// A search for cycles along the steps of `psc`.
struct Search<'a, B> {
    graph: &'a Graph,
    before: B,
    /// By event: the first `seq_cst` event of its process from this event on, or [`INITIAL`].
    next_sc: Vec<EventId>,
    /// By event: the first `seq_cst` fence of its process from this event on, or [`INITIAL`].
    next_fence: Vec<EventId>,
    /// The states of the roles of each event.
    states: Vec<[State; ROLES]>,
    tasks: Vec<Task>,
    /// Whether a step leads to a node on the current path.
    has_cycle: bool,
}

impl<'a, B: Fn(EventId, EventId) -> bool> Search<'a, B> {
    fn new(graph: &'a Graph, before: B) -> Self {
        let count = graph.events().len();
        let (mut next_sc, mut next_fence) = (vec![INITIAL; count], vec![INITIAL; count]);
        for process in processes(graph) {
            let (mut sc, mut fence) = (INITIAL, INITIAL);
            for event in graph.events_of(process).iter().rev().copied() {
                if is_sc(graph, event) {
                    sc = event;
                }
                if is_sc_fence(graph, event) {
                    fence = event;
                }
                next_sc[event as usize] = sc;
                next_fence[event as usize] = fence;
            }
        }
        let states = vec![[State::New; ROLES]; count];
        let tasks = Vec::new();
        Search { graph, before, next_sc, next_fence, states, tasks, has_cycle: false }
    }

    /// Returns whether a cycle is reachable from an event in a role, and was not found before.
    fn finds_cycle(&mut self, role: Role, event: EventId) -> bool {
        self.reach(role, event);
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Leave(role, event) => *self.state(role, event) = State::Done,
                Task::Enter(role, event) if *self.state(role, event) == State::New => {
                    *self.state(role, event) = State::Open;
                    self.tasks.push(Task::Leave(role, event));
                    self.follow(role, event);
                    if self.has_cycle {
                        return true;
                    }
                }
                // Another step has led there since.
                Task::Enter(..) => {}
            }
        }
        false
    }

    fn state(&mut self, role: Role, event: EventId) -> &mut State {
        &mut self.states[event as usize][role as usize]
    }

    fn reach(&mut self, role: Role, event: EventId) {
        match *self.state(role, event) {
            State::New => self.tasks.push(Task::Enter(role, event)),
            State::Open => self.has_cycle = true,
            State::Done => {}
        }
    }

    /// Takes all steps from a node.
    fn follow(&mut self, role: Role, event: EventId) {
        match role {
            Role::Source => {
                self.reach(Role::Leaves, event);
                self.follow_access(event);
                if self.graph.event(event).kind == Kind::Fence {
                    for process in processes(self.graph) {
                        if let Some(first) = self.first_behind(event, process) {
                            self.reach(Role::Behind, first);
                            self.reach(Role::Leaves, first);
                        }
                    }
                }
            }
            Role::Behind => {
                if let Some(next) = self.next(event) {
                    self.reach(Role::Behind, next);
                }
                if self.next_fence[event as usize] == event {
                    self.reach(Role::Source, event);
                }
                self.follow_access(event);
                self.follow_to_reads(event);
            }
            Role::Leaves => self.follow_program_order(event),
            Role::Before => {
                for process in processes(self.graph) {
                    let Some(first) = self.first_behind(event, process) else { continue };
                    let fence = self.next_fence[first as usize];
                    if fence != INITIAL {
                        self.reach(Role::Source, fence);
                    }
                }
            }
        }
    }

    /// Ends `scb` at an event.
    fn end_at(&mut self, event: EventId) {
        if self.next_sc[event as usize] == event {
            self.reach(Role::Source, event);
        }
        self.reach(Role::Before, event);
    }

    /// Ends `scb` at an event, and at all later ones of its process.
    fn end_from(&mut self, event: EventId) {
        let sc = self.next_sc[event as usize];
        if sc != INITIAL {
            self.reach(Role::Source, sc);
        }
        self.reach(Role::Before, event);
    }

    /// Follows `mo ∪ fr ∪ hb|loc` from an event.
    fn follow_access(&mut self, event: EventId) {
        let graph = self.graph;
        let Some(location) = graph.event(event).location_if_memory() else { return };
        let from = write_of(graph, event);
        for write in graph.coherence(location) {
            if (self.before)(from, *write) {
                self.end_at(*write);
            }
        }
        for other in graph.coherence(location).iter().chain(graph.reads(location)) {
            // An event is run before all events that it happens before.
            if *other > event && graph.happens_before(event, *other) {
                self.end_at(*other);
            }
        }
    }

    /// Follows `eco` from an event to reads.
    fn follow_to_reads(&mut self, event: EventId) {
        let graph = self.graph;
        let Some(location) = graph.event(event).location_if_memory() else { return };
        let from = write_of(graph, event);
        for read in graph.reads(location) {
            let to = graph.event(*read).reads_from;
            if from == to && from == event || (self.before)(from, to) {
                self.reach(Role::Before, *read);
            }
        }
    }

    /// Follows `po ∪ po|≠loc;hb;po|≠loc` from an event.
    ///
    /// The second part leads to all events behind the first one with an event on another location in between:
    /// one of these two is on another location than a later event.
    fn follow_program_order(&mut self, event: EventId) {
        if let Some(next) = self.next(event) {
            self.end_from(next);
        }
        let Some(behind) = self.next_elsewhere(event) else { return };
        let own = self.graph.event(event).process;
        for process in processes(self.graph).filter(|process| *process != own) {
            let first = self.first_behind(behind, process);
            if let Some(end) = first.and_then(|first| self.next_elsewhere(first)) {
                self.end_from(end);
            }
        }
    }

    /// Returns the next event in program order.
    fn next(&self, event: EventId) -> Option<EventId> {
        let event = self.graph.event(event);
        self.graph.events_of(event.process).get(event.index as usize).copied()
    }

    /// Returns the next event in program order that does not access the same location.
    fn next_elsewhere(&self, event: EventId) -> Option<EventId> {
        let graph = self.graph;
        let from = graph.event(event);
        let mut later = graph.events_of(from.process)[from.index as usize..].iter().copied();
        later.find(|other| !is_same_location(graph, event, *other))
    }

    /// Returns the first event of a process that an event happens before.
    fn first_behind(&self, event: EventId, process: ProcessId) -> Option<EventId> {
        let graph = self.graph;
        let events = graph.events_of(process);
        let last = events.last()?;
        if !graph.happens_before(event, *last) {
            return None;
        }
        let first = events.partition_point(|other| !graph.happens_before(event, *other));
        Some(events[first])
    }
}

fn processes(graph: &Graph) -> impl Iterator<Item = ProcessId> + use<> {
    (0..graph.processes()).map(ProcessId::new)
}

#[cfg(test)]
mod tests;
