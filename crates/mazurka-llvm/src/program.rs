//! Programs that can be checked: bytecode, and the library that it calls.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mazurka_core::model::Program;
use mazurka_core::verdict::{Schedule, Violation};
use mazurka_report::{Recording, Subject};

use crate::bytecode::lower;
use crate::ir::Module;
use crate::library;
use crate::machine::{LlvmMachine, LlvmOptions, Setup};

/// A C or C++ program that is ready to be checked.
#[derive(Clone)]
pub struct LlvmProgram(Setup);

/// Why a program cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    /// What is wrong, and where.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadError {}

impl LlvmProgram {
    /// Prepares a program to be checked.
    ///
    /// # Errors
    ///
    /// If it has no `main`, or contains something that is not supported.
    pub fn new(module: &Module, options: LlvmOptions) -> Result<Self, LoadError> {
        let provides = |symbol: &str| library::find(symbol).map(|function| function.name);
        let code = lower(module, provides).map_err(|message| LoadError { message })?;
        let found = code.library.iter().filter_map(|outside| library::find(&outside.symbol));
        Ok(LlvmProgram(Setup {
            reads_clock: code.library.iter().any(|outside| library::reads_clock(outside.name)),
            library: found.map(|function| function.run).collect(),
            code: Arc::new(code),
            options: Arc::new(options),
            hides_addresses: Arc::default(),
        }))
    }
}

impl Program for LlvmProgram {
    type Machine = LlvmMachine;

    /// Returns a machine before its first visible action, or the violation that comes earlier.
    fn start(&self) -> Result<LlvmMachine, Box<Violation>> {
        let knew = self.0.hides_addresses.load(Ordering::Relaxed);
        match LlvmMachine::start(&self.0, false) {
            (machine, None) => Ok(machine),
            // The violation is due to what was not known.
            (_, Some(_)) if !knew && self.0.hides_addresses.load(Ordering::Relaxed) => self.start(),
            (_, Some(violation)) => Err(violation),
        }
    }
}

impl Subject for LlvmProgram {
    fn name(&self) -> String {
        self.0.options.name.clone()
    }

    fn record(&self, schedule: &Schedule) -> Recording {
        LlvmMachine::run_recorded(&self.0, schedule)
    }
}
