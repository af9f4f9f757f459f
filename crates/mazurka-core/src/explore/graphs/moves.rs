//! Which ways there are to go on: `VISIT` and `VISITCOS`.

use std::cmp::Reverse;

use super::events::is_access;
use super::{Attempt, Frame, Graphs, Lineage, Move, Scripted};
use crate::memory::{EventId, Graph, INITIAL, Kind};
use crate::model::{Action, Machine, Op, ProcessId, Ways};
use crate::search::Coherence;
use crate::search::strategy::Next;

/// What an action does once it is known what it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) reads: bool,
    pub(super) writes: bool,
    pub(super) is_blocked: bool,
    /// Whether it takes effect.
    pub(super) holds: bool,
}

/// Returns what an action does to a location with this value if it takes this alternative.
pub(super) fn shape(action: &Action, value: u64, choice: u32) -> Shape {
    let holds = action.when.holds(value);
    let is_blocked = action.waits && !holds;
    let holds = holds && !(action.ways == Ways::MayFail && choice == 1);
    let (reads, writes) = match action.op {
        Op::Read => (true, false),
        Op::Add if action.is_arrival() => (true, false),
        // A write that depends on the value reads it.
        Op::Write if action.when == crate::model::When::Always => (false, true),
        Op::Write | Op::Update | Op::Add => (true, holds),
        _ => (false, false),
    };
    Shape { reads, writes, is_blocked, holds }
}

/// Returns the condition under which a process with these guards performs its action, if that depends only
/// on the value that the action reads. The action is then a wait for one location, as in a loop.
///
/// A compare-exchange may fail at a value at which its loop ends: then a guard says so. A machine that does
/// not know its loops says only what a process spins on. If that is the location of the next action, then an
/// iteration that reads the same value again changes nothing. It may be a read-modify-write, which stores
/// that value. Without it, the graph stays consistent: another read of its write can read from the write
/// before it, and less happens before that read.
pub(super) fn awaited<'a>(action: &Action, guards: &'a [Action]) -> Option<&'a Action> {
    let [guard] = guards else { return None };
    let is_spin = || guard.on == action.on && is_access(action) && shape(action, 0, 0).reads;
    (guard.awaits || is_spin()).then_some(guard)
}

/// Returns whether a process with these guards has to wait if its action reads this value.
pub(super) fn waits_at(action: &Action, guards: &[Action], value: u64) -> bool {
    awaited(action, guards).is_some_and(|guard| !guard.when.holds(value))
        || shape(action, value, 0).is_blocked
}

/// Returns whether a read-modify-write reads from a write, and no revisit deletes it or changes what it reads.
/// So no other read-modify-write can read from the write.
///
/// That is so if its own write is read by an event that was added before that write, which was then not added
/// maximally. With its own write, a revisit also deletes the read-modify-write that reads from it, so that the
/// same holds for this one.
pub(super) fn has_lasting_reader(graph: &Graph, location: u32, write: EventId) -> bool {
    let mut write = write;
    while let Some(reader) = graph.exclusive_reader(location, write) {
        write = reader + 1;
        let reads = graph.reads(location).iter().map(|read| graph.event(*read));
        if { reads }.any(|read| read.reads_from == write && read.stamp <= graph.event(write).stamp)
        {
            return true;
        }
    }
    false
}

impl Graphs {
    /// Opens a node for the next step of a process, and returns the first move. A read that is revisited
    /// is given by the write that it reads from, and its stamp.
    pub(super) fn open(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        revisited: Option<(EventId, u32)>,
    ) -> Option<Move> {
        let lineage = self.lineage_mut();
        let (steps, events) = (lineage.steps.len(), lineage.graph.events().len());
        let edges = lineage.graph.edges();
        let mut moves = self.spare_moves.pop().unwrap_or_default();
        let action = self.next_action(machine, process);
        self.choose_step(machine, process, revisited, &mut moves);
        if self.follows.is_some() {
            self.keep_followed(machine, &mut moves);
        }
        if self.reduces_symmetry {
            self.keep_canonical(machine, process, &mut moves);
        }
        // What is added maximally comes first, and revisits come last. Among these, a write that reads from a
        // later one comes first: it revisits later reads, so that fewer steps are taken again after it.
        let is_revisit = |this: &Move| matches!(this, Move::Revisits(_));
        if moves.len() > 1 {
            moves.sort_by_key(|this| match this {
                Move::Revisits(attempt) => {
                    let source = attempt.reads_from.filter(|write| *write != INITIAL);
                    (true, Reverse(source))
                }
                _ => (false, Reverse(None)),
            });
            moves.reverse();
        }
        let first = match moves.last() {
            Some(first) if !is_revisit(first) => moves.pop(),
            _ => None,
        };
        if moves.is_empty() {
            self.spare_moves.push(moves);
            return first;
        }
        let begun = u32::from(first.is_some());
        self.lineage_mut().frames.push(Frame { steps, events, edges, action, moves, begun });
        self.turn(first)
    }

    /// Collects the moves of the next step of a process.
    pub(super) fn choose_step(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        revisited: Option<(EventId, u32)>,
        moves: &mut Vec<Move>,
    ) {
        match self.next_action(machine, process) {
            Some(action) if is_access(&action) => {
                self.choose_access(machine, process, &action, revisited, moves);
            }
            _ => self.choose(machine, process, moves),
        }
    }

    /// Collects the alternatives of a step without an access to memory.
    fn choose(&self, machine: &dyn Machine, process: ProcessId, moves: &mut Vec<Move>) {
        for choice in 0..machine.alternatives(process) {
            let attempt = Attempt { process, choice, reads_from: None, stamp: None };
            moves.push(Move::Forward(attempt, 0));
        }
    }

    /// Collects the moves of an access to memory.
    fn choose_access(
        &mut self,
        machine: &dyn Machine,
        process: ProcessId,
        action: &Action,
        revisited: Option<(EventId, u32)>,
        moves: &mut Vec<Move>,
    ) {
        let Some(location) = self.location_of(machine, process, action) else { return };
        let reads = shape(action, 0, 0).reads;
        match self.coherence {
            Coherence::Observed if reads => {
                self.choose_observed_read(machine, process, action, location, revisited, moves);
                return;
            }
            Coherence::Observed => {
                self.choose_observed_write(machine, process, location, moves);
                return;
            }
            Coherence::Total => {}
        }
        if !reads {
            // A write: it comes last first.
            let count = machine.alternatives(process);
            for choice in 0..count {
                let attempt = Attempt { process, choice, reads_from: None, stamp: None };
                self.place(action, location, attempt, moves);
                self.consider_revisits(location, attempt, moves);
            }
            return;
        }
        let stamp = revisited.map(|(_, stamp)| stamp);
        // The last write comes first.
        let graph = &self.lineage().graph;
        let last = graph.coherence(location).len();
        let positions = match revisited {
            Some((write, _)) => {
                let position = graph.position(location, write);
                position..=position
            }
            None if graph.is_settled(process, location) => last..=last,
            None => graph.floor_of_next(process, location)..=last,
        };
        let guards = machine.guards(process);
        for position in positions.rev() {
            let write = match position {
                0 => INITIAL,
                position => self.lineage().graph.coherence(location)[position - 1],
            };
            let value = self.lineage().graph.value_of(location, write);
            let count = match action.ways {
                Ways::One => machine.alternatives(process),
                ways => ways.count(value, action.when.holds(value)),
            };
            let attempt = Attempt { process, choice: 0, reads_from: Some(write), stamp };
            let waits = waits_at(action, guards, value);
            if waits && position < last && revisited.is_none() {
                // A read that is blocked by an older value was not added maximally. No write revisits
                // it, so that all that comes of it are variants of other graphs.
                continue;
            }
            let is_exclusive = !waits && count == 1 && shape(action, value, 0).writes;
            if is_exclusive && has_lasting_reader(&self.lineage().graph, location, write) {
                continue;
            }
            // Nothing follows a read from the last write, so that it is in no cycle.
            if position < last && !self.allows_read(action, location, attempt) {
                continue;
            }
            if waits {
                moves.push(Move::Block(attempt));
                continue;
            }
            for choice in 0..count {
                let attempt = Attempt { choice, ..attempt };
                match shape(action, value, choice).writes {
                    false => moves.push(Move::Forward(attempt, 0)),
                    true => {
                        self.place(action, location, attempt, moves);
                        self.consider_revisits(location, attempt, moves);
                    }
                }
            }
        }
    }

    /// Adds the move to try all revisits by the write of an attempt, unless there are none.
    pub(super) fn consider_revisits(&self, location: u32, attempt: Attempt, moves: &mut Vec<Move>) {
        let graph = &self.lineage().graph;
        let Attempt { process, reads_from, .. } = attempt;
        let stays = |write: EventId| has_lasting_reader(graph, location, write);
        if !graph.has_seen_reads(process, location, reads_from) && !reads_from.is_some_and(stays) {
            moves.push(Move::Revisits(attempt));
        }
    }

    /// Returns whether the graph stays consistent if the read of an attempt is added.
    pub(super) fn allows_read(&mut self, action: &Action, location: u32, attempt: Attempt) -> bool {
        let model = self.model;
        let Lineage { graph, .. } = self.lineage_mut();
        let (events, edges) = (graph.events().len(), graph.edges());
        let value = graph.value_of(location, attempt.reads_from.unwrap_or(INITIAL));
        let shape = shape(action, value, attempt.choice);
        let read = super::events::read_of(action, location, attempt, shape, 0);
        let id = graph.push(read, 0, model);
        let allowed = model.admits(graph, id);
        graph.truncate(events, edges);
        allowed
    }

    /// Adds the places that the write of an attempt can have in coherence order to the moves.
    fn place(&mut self, action: &Action, location: u32, attempt: Attempt, moves: &mut Vec<Move>) {
        let model = self.model;
        let Lineage { graph, .. } = self.lineage_mut();
        let (events, edges) = (graph.events().len(), graph.edges());
        let last = graph.coherence(location).len() + 1;
        let positions = match attempt.reads_from {
            // No two read-modify-writes read from one write.
            Some(write) if graph.exclusive_reader(location, write).is_some() => return,
            Some(write) => {
                let position = graph.position(location, write) + 1;
                position..=position
            }
            None => 1..=last,
        };
        for position in positions.rev() {
            if position == last {
                // Nothing follows the last write, so that it is in no cycle.
                moves.push(Move::Forward(attempt, position));
                if attempt.reads_from.is_none() && graph.is_settled(attempt.process, location) {
                    break;
                }
                continue;
            }
            let write =
                super::events::push_access(graph, action, location, attempt, position, model);
            let write = write.expect("the attempt writes");
            let allowed = model.admits(graph, write);
            let is_lowest = position <= graph.floor(write);
            graph.truncate(events, edges);
            if allowed {
                moves.push(Move::Forward(attempt, position));
            }
            if is_lowest {
                break;
            }
        }
    }

    /// Follows the script. Returns the step to take, if there is one.
    pub(super) fn follow(&mut self, machine: &dyn Machine, scripted: Scripted) -> Option<Next> {
        match scripted {
            Scripted::Repeat(step) => {
                let taken = self.lineage().steps[step];
                self.taking = None;
                Some(Next::See(taken.step, self.view_again(&taken)))
            }
            Scripted::Again(step) => Some(self.take_again(machine, step)),
            Scripted::BlockAgain(event) => {
                self.block_again(machine, event);
                None
            }
            Scripted::Write(attempt, position) => {
                // The write that it reads from is named as in the parent.
                let names = &self.lineage().names;
                let reads_from = attempt.reads_from.map(|write| match write {
                    INITIAL => INITIAL,
                    write => names[write as usize],
                });
                Some(self.take(machine, Attempt { reads_from, ..attempt }, position))
            }
            Scripted::Read { process, stamp, writer, index } => {
                let write = self.lineage().graph.events_of(writer)[index as usize - 1];
                debug_assert_eq!(self.lineage().graph.event(write).kind, Kind::Write);
                self.chosen = self.open(machine, process, Some((write, stamp)));
                None
            }
        }
    }
}
