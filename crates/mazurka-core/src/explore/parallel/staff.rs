//! The machines of several workers and their common monitor, whatever the type of the machines.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::execution::Execution;
use crate::memory::Graph;
use crate::model::{Ending, Machine, Program, Violation};
use crate::search::subject::{Subject, Watched};
use crate::search::{Monitor, Options, Progress};
use crate::verdict::Restart;

/// A program whose machines several workers run.
pub(super) trait Staff: Sync {
    /// Starts a machine for a worker. The monitor shows the progress of the `first` one.
    fn start(
        &self,
        is_first: bool,
        work: &mut dyn FnMut(&mut dyn Subject),
    ) -> Result<(), Box<Violation>>;

    /// See [`Program::save`].
    fn save(&self) -> Option<Vec<u8>>;

    /// Calls a function with the program [apart](Program::apart), or with this one if it has none.
    fn apart(&self, run: &mut dyn FnMut(&dyn Staff));

    /// See [`Monitor::hears_of_ends`].
    fn hears_of_ends(&self) -> bool;
}

/// Calls a function with the staff and with the machine of the first worker.
pub(super) fn with_staff<P: Program, R>(
    program: &P,
    machine: &mut P::Machine,
    monitor: &mut (dyn Monitor<P::Machine> + Send),
    options: &Options<'_>,
    explore: impl FnOnce(&dyn Staff, &mut dyn Subject) -> R,
) -> R {
    let hears_of_ends = monitor.hears_of_ends();
    let staff = Machines { program, monitor: &Mutex::new(monitor), options, hears_of_ends };
    let mut first = staff.in_turn(true);
    let renew = || program.start();
    explore(&staff, &mut Watched::with(machine, &mut first, options).renewed_by(&renew))
}

struct Machines<'a, 'b, P: Program> {
    program: &'a P,
    options: &'a Options<'a>,
    monitor: &'a Mutex<&'b mut (dyn Monitor<P::Machine> + Send)>,
    hears_of_ends: bool,
}

impl<'a, 'b, P: Program> Machines<'a, 'b, P> {
    fn in_turn(&self, is_first: bool) -> InTurn<'a, 'b, P::Machine> {
        InTurn { monitor: self.monitor, is_first, hears_of_ends: self.hears_of_ends }
    }
}

impl<P: Program> Staff for Machines<'_, '_, P> {
    fn start(
        &self,
        is_first: bool,
        work: &mut dyn FnMut(&mut dyn Subject),
    ) -> Result<(), Box<Violation>> {
        let mut machine = self.program.start()?;
        work(&mut Watched::with(&mut machine, &mut self.in_turn(is_first), self.options));
        Ok(())
    }

    fn save(&self) -> Option<Vec<u8>> {
        self.program.save()
    }

    fn apart(&self, run: &mut dyn FnMut(&dyn Staff)) {
        let apart = self.program.apart();
        run(&Machines { program: apart.as_ref().unwrap_or(self.program), ..*self });
    }

    fn hears_of_ends(&self) -> bool {
        self.hears_of_ends
    }
}

/// A monitor that receives the executions of all workers, one at a time, and the progress of the
/// first worker.
struct InTurn<'a, 'b, M: Machine> {
    monitor: &'a Mutex<&'b mut (dyn Monitor<M> + Send)>,
    is_first: bool,
    hears_of_ends: bool,
}

impl<'b, M: Machine> InTurn<'_, 'b, M> {
    fn lock(&self) -> MutexGuard<'_, &'b mut (dyn Monitor<M> + Send)> {
        self.monitor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: Machine> Monitor<M> for InTurn<'_, '_, M> {
    fn ended(
        &mut self,
        machine: &M,
        execution: &Execution,
        ending: Option<&Ending>,
        violation: Option<&Violation>,
    ) {
        if self.hears_of_ends {
            self.lock().ended(machine, execution, ending, violation);
        }
    }

    fn graph(&mut self, graph: &Graph) {
        if self.hears_of_ends {
            self.lock().graph(graph);
        }
    }

    fn started_over(&mut self, restart: &Restart) {
        self.lock().started_over(restart);
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        if self.is_first {
            self.lock().progress(progress);
        }
    }
}
