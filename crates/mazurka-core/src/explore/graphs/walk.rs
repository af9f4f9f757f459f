//! Walking through execution graphs step by step: the caller decides what is read.

use super::{Attempt, Graphs, Move};
use crate::memory::{EventId, Graph, MemoryModel};
use crate::model::{Machine, Performed, ProcessId, Step, View, Violation};
use crate::search::strategy::{Explorer, Next};
use crate::search::{Algorithm, Coherence, Options};

/// One way in which a process can take its next step under a memory model.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    attempt: Attempt,
    position: usize,
}

impl Way {
    /// Returns the step.
    pub fn step(&self) -> Step {
        Step { process: self.attempt.process, choice: self.attempt.choice }
    }

    /// Returns the write that the step reads from, if it reads. This may be
    /// [`INITIAL`](crate::memory::INITIAL).
    pub fn reads_from(&self) -> Option<EventId> {
        self.attempt.reads_from
    }

    /// Returns the position of the step's write in coherence order, counted from 1. Returns 0 if it
    /// does not write.
    pub fn position(&self) -> usize {
        self.position
    }
}

/// One execution of a machine under a memory model. At each step, the caller chooses among the
/// [ways](Way) that leave the execution graph consistent. Nothing is revisited: a step reads from writes
/// that have been performed.
///
/// A walk must not be continued after a step has failed.
pub struct Walk<'a, M> {
    machine: &'a mut M,
    graphs: Graphs,
    has_data_race: bool,
    buffer: Vec<Move>,
}

impl<'a, M: Machine> Walk<'a, M> {
    /// Rewinds a machine, which must have [memory orderings](Machine::has_memory_orderings), to its
    /// initial state, and starts a walk there.
    ///
    /// # Errors
    ///
    /// If the machine does not return to its initial state.
    pub fn new(machine: &'a mut M, memory_model: MemoryModel) -> Result<Self, Box<Violation>> {
        machine.rewind(0)?;
        let algorithm = Algorithm::Graphs;
        let coherence = Some(Coherence::Total);
        let symmetry = Some(false);
        let options = Options {
            algorithm,
            memory_model,
            coherence,
            symmetry,
            // A walk does not start over.
            ordered_arrivals: true,
            ..Options::default()
        };
        let graphs = Graphs::new(&options);
        Ok(Walk { machine, graphs, has_data_race: false, buffer: Vec::new() })
    }

    /// Returns the machine in its current state.
    pub fn machine(&self) -> &M {
        self.machine
    }

    /// Returns the execution graph so far.
    pub fn graph(&self) -> &Graph {
        &self.graphs.lineage().graph
    }

    /// Returns the ways in which a process can go on. A step that sees memory as it is comes first.
    /// Returns none if the process has ended or waits, or if the explorer cannot run its next action.
    pub fn ways(&mut self, process: ProcessId) -> Vec<Way> {
        if !self.graphs.can_go_on(self.machine, process) {
            return Vec::new();
        }
        self.buffer.clear();
        self.graphs.choose_step(self.machine, process, None, &mut self.buffer);
        let forward = |this: &Move| match this {
            Move::Forward(attempt, position) => {
                Some(Way { attempt: *attempt, position: *position })
            }
            _ => None,
        };
        self.buffer.iter().filter_map(forward).collect()
    }

    /// Returns what a step sees of memory if it is taken in one of the current [ways](Self::ways).
    pub fn view(&mut self, way: Way) -> View {
        let this = Move::Forward(way.attempt, way.position);
        self.graphs.view_of(self.machine, this).map_or(View::PRESENT, |(view, _)| view)
    }

    /// Takes a step in one of the current [ways](Self::ways), and returns what it sees of memory.
    /// `performed` describes the step.
    pub fn take(
        &mut self,
        way: Way,
        performed: &mut Performed,
    ) -> (View, Result<(), Box<Violation>>) {
        let next = self.graphs.take(self.machine, way.attempt, way.position);
        let Next::See(step, view) = next else { unreachable!("a way is a step") };
        performed.clear();
        let result = self.machine.step_seeing(step, view, performed);
        self.graphs.fill_in(performed);
        self.graphs.note_spinning(self.machine);
        self.has_data_race |= self.graphs.race.take().is_some();
        (view, result)
    }

    /// Returns whether the execution has a data race under the memory model.
    pub fn has_data_race(&self) -> bool {
        self.has_data_race
    }

    /// Returns whether the execution is one of the program's, if no process can go on. Otherwise a process
    /// has read an old value in vain, and would try again; or the explorer cannot run an action.
    pub fn is_maximal(&self) -> bool {
        self.graphs.end_total(&*self.machine) == Next::End
    }
}
