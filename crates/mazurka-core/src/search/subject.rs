//! The machine that a driver explores, whatever its type.
//!
//! Explorers are compiled once, for all front ends: they call a machine through [`Machine`] as a trait
//! object. A call by way of a table costs little beside a step, and the explorers would otherwise be
//! compiled for every machine: that made up half of the time to build and test Mazurka.

use crate::algorithm::Algorithm;
use crate::execution::Execution;
use crate::memory::Graph;
use crate::model::{
    Action, Birth, Ending, Machine, ObjectId, Performed, ProcessId, Step, View, Violation,
};
use crate::search::twins::Twins;
use crate::search::{Monitor, Options, Progress};
use crate::verdict::Restart;

/// A machine with the monitor of its executions.
pub(crate) trait Subject: Machine {
    /// Replaces the machine by a new one of the same program, which knows what earlier machines have
    /// learnt. If the program cannot be started again, rewinds the machine to its initial state.
    fn renew(&mut self) -> Result<(), Box<Violation>>;

    /// Returns the interchangeable processes of the current execution.
    fn twins(&mut self) -> &mut Twins;

    /// See [`Monitor::ended`].
    fn ended(
        &mut self,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    );

    /// See [`Monitor::graph`].
    fn graph(&mut self, graph: &Graph);

    /// See [`Monitor::hears_of_sleep_sets`].
    fn hears_of_sleep_sets(&self) -> bool;

    /// See [`Monitor::asleep`].
    fn asleep(&mut self, depth: usize, steps: &[Step]);

    /// See [`Monitor::started_over`].
    fn started_over(&mut self, restart: &Restart);

    /// See [`Monitor::wants_progress`].
    fn wants_progress(&mut self, runs: u64) -> bool;

    /// See [`Monitor::progress`].
    fn progress(&mut self, progress: &Progress<'_>);
}

/// A function that starts another machine of the same program.
pub(crate) type Renew<'a, M> = &'a dyn Fn() -> Result<M, Box<Violation>>;

/// The [`Subject`] for a type of machines.
pub(crate) struct Watched<'a, M: Machine> {
    machine: &'a mut M,
    monitor: &'a mut dyn Monitor<M>,
    renew: Option<Renew<'a, M>>,
    twins: Twins,
}

impl<'a, M: Machine> Watched<'a, M> {
    /// Creates the subject of a search that starts over with the same machine.
    pub(crate) fn new(machine: &'a mut M, monitor: &'a mut dyn Monitor<M>) -> Self {
        Watched { machine, monitor, renew: None, twins: Twins::default() }
    }

    /// Creates the subject of a search with these options.
    pub(crate) fn with(
        machine: &'a mut M,
        monitor: &'a mut dyn Monitor<M>,
        options: &Options<'_>,
    ) -> Self {
        let twins = match options.reduces_symmetry() {
            true if options.algorithm == Algorithm::Graphs => Twins::counting(machine),
            true => Twins::new(machine, options.algorithm),
            false => Twins::default(),
        };
        Watched { twins, ..Watched::new(machine, monitor) }
    }

    /// Sets the function that starts another machine after a machine taught a lesson.
    pub(crate) fn renewed_by(self, renew: Renew<'a, M>) -> Self {
        Watched { renew: Some(renew), ..self }
    }
}

impl<M: Machine> Subject for Watched<'_, M> {
    fn renew(&mut self) -> Result<(), Box<Violation>> {
        match self.renew {
            None => self.machine.rewind(0)?,
            Some(renew) => {
                self.machine.abandon();
                *self.machine = renew()?;
            }
        }
        self.twins.start(self.machine);
        Ok(())
    }

    fn twins(&mut self) -> &mut Twins {
        &mut self.twins
    }

    fn ended(
        &mut self,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        self.monitor.ended(self.machine, execution, ending, violation);
    }

    fn graph(&mut self, graph: &Graph) {
        self.monitor.graph(graph);
    }

    fn hears_of_sleep_sets(&self) -> bool {
        self.monitor.hears_of_sleep_sets()
    }

    fn asleep(&mut self, depth: usize, steps: &[Step]) {
        self.monitor.asleep(depth, steps);
    }

    fn started_over(&mut self, restart: &Restart) {
        self.monitor.started_over(restart);
    }

    fn wants_progress(&mut self, runs: u64) -> bool {
        self.monitor.wants_progress(runs)
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        self.monitor.progress(progress);
    }
}

// A method that is not passed on would silently have its default.
#[deny(clippy::missing_trait_methods)]
impl<M: Machine> Machine for Watched<'_, M> {
    fn processes(&self) -> usize {
        self.machine.processes()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        match self.twins.holds(process) {
            true => None,
            false => self.machine.next(process),
        }
    }

    fn guards(&self, process: ProcessId) -> &[Action] {
        match self.twins.holds(process) {
            true => &[],
            false => self.machine.guards(process),
        }
    }

    fn others(&self, process: ProcessId) -> &[Action] {
        match self.twins.holds(process) {
            true => &[],
            false => self.machine.others(process),
        }
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        !self.twins.holds(process) && self.machine.is_enabled(process)
    }

    fn waits(&self, process: ProcessId) -> bool {
        !self.twins.holds(process) && self.machine.waits(process)
    }

    fn first_enabled(&self, from: ProcessId) -> Option<ProcessId> {
        let mut found = self.machine.first_enabled(from);
        while let Some(process) = found.filter(|process| self.twins.holds(*process)) {
            found = self.machine.first_enabled(process.next());
        }
        found
    }

    fn first_waiting(&self, from: ProcessId) -> Option<ProcessId> {
        let mut found = self.machine.first_waiting(from);
        while let Some(process) = found.filter(|process| self.twins.holds(*process)) {
            found = self.machine.first_waiting(process.next());
        }
        found
    }

    fn alternatives(&self, process: ProcessId) -> u32 {
        self.twins.alternatives(process, self.machine.alternatives(process))
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let result = self.machine.step(step, performed);
        self.twins.took(self.machine, step, performed, &result);
        result
    }

    fn has_memory_orderings(&self) -> bool {
        self.machine.has_memory_orderings()
    }

    fn place(&self, process: ProcessId) -> Option<String> {
        self.machine.place(process)
    }

    fn value(&self, process: ProcessId) -> Option<u64> {
        self.machine.value(process)
    }

    fn step_seeing(
        &mut self,
        step: Step,
        view: View,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        let result = self.machine.step_seeing(step, view, performed);
        self.twins.took(self.machine, step, performed, &result);
        result
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.twins.rewind(len);
        self.machine.rewind(len)
    }

    fn ending(&self) -> Ending {
        self.twins.ending(self.machine).unwrap_or_else(|| self.machine.ending())
    }

    fn recorded(&self, len: usize) -> Option<ProcessId> {
        self.machine.recorded(len)
    }

    fn has_plain_memory(&self) -> bool {
        self.machine.has_plain_memory()
    }

    fn fingerprint(&self) -> Option<u128> {
        self.machine.fingerprint()
    }

    fn write_state(&self, words: &mut Vec<u64>) -> Option<u128> {
        self.machine.write_state(words)
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        self.machine.twin(process)
    }

    fn takes_back(&self) -> bool {
        self.machine.takes_back()
    }

    fn retries(&self, process: ProcessId) -> &[Action] {
        match self.twins.holds(process) {
            true => &[],
            false => self.machine.retries(process),
        }
    }

    fn birth(&self, object: ObjectId) -> Birth {
        self.machine.birth(object)
    }

    fn names_late(&self) -> bool {
        self.machine.names_late()
    }

    fn abandon(&mut self) {
        self.machine.abandon();
    }
}
