//! Programs that machines are made of.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_core::model::{Performed, Program};
use mazurka_core::verdict::Violation;

use super::undo::{EndingState, Undo};
use super::{FRESH, LlvmMachine, LlvmOptions};
use crate::bytecode::{Code, lower};
use crate::ir::Module;
use crate::machine::thread::{State, Status};
use crate::memory::{CONSTANT, Memory};

/// A C or C++ program that machines can be made of.
#[derive(Clone)]
pub struct LlvmProgram {
    code: Arc<Code>,
    pub(super) options: Arc<LlvmOptions>,
    /// Whether a thread has come by another one's memory in a way that could not be followed.
    pub(super) hides_addresses: Arc<AtomicBool>,
}

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
    /// Makes a program ready to run.
    ///
    /// # Errors
    ///
    /// If it has no `main`, or something in it is not supported.
    pub fn new(module: &Module, options: LlvmOptions) -> Result<Self, LoadError> {
        let code = lower(module).map_err(|message| LoadError { message })?;
        Ok(LlvmProgram {
            code: Arc::new(code),
            options: Arc::new(options),
            hides_addresses: Arc::default(),
        })
    }

    /// A machine in the initial state, and what went wrong on the way there, if something did.
    pub(super) fn start_machine(&self, record: bool) -> (LlvmMachine, Option<Box<Violation>>) {
        let mut machine = LlvmMachine {
            code: Arc::clone(&self.code),
            options: Arc::clone(&self.options),
            hides_addresses: Arc::clone(&self.hides_addresses),
            memory: Memory::new(),
            threads: Vec::new(),
            undo: Undo::default(),
            output: Vec::new(),
            ending_state: EndingState::default(),
            performed: Performed::default(),
            guards: Vec::new(),
            runnable: Vec::new(),
            violation: None,
            choice: 0,
            recorder: record.then(Box::default),
            known: Default::default(),
            landed: [0; 2],
            scratch: Vec::new(),
            running: 0,
            pc: 0,
        };
        machine.undo.now = 1;
        machine.memory.shares_all = self.hides_addresses.load(Ordering::Relaxed);
        let arguments = machine.set_up_memory();
        machine.new_thread();
        machine.threads[0].state = State { status: Status::Running, ..FRESH };
        machine.set_up_thread_locals(0);
        let stub = &self.code.functions[self.code.main as usize];
        let count = self.options.arguments.len() as u64 + 1;
        machine.enter_first(0, stub, &[count, arguments]);
        machine.runnable.push(0);
        machine.run_all();
        machine.performed.clear();
        let violation = machine.violation.take();
        (machine, violation)
    }
}

impl LlvmMachine {
    /// Sets up the globals, and what `main` gets; returns the address of `argv`.
    fn set_up_memory(&mut self) -> u64 {
        let code = Arc::clone(&self.code);
        for global in &code.globals {
            let address = self.memory.add_global(global.size, global.constant);
            if global.initial.iter().any(|byte| *byte != 0)
                && let Ok(mut spot) = self.memory.find(0, address, global.size as u32)
            {
                spot.flags &= !CONSTANT;
                self.memory.write_bytes(spot, &global.initial);
            }
        }
        let options = Arc::clone(&self.options);
        let mut pointers = Vec::new();
        for text in [&options.name].into_iter().chain(&options.arguments) {
            let mut bytes = text.clone().into_bytes();
            bytes.push(0);
            let address = self.memory.add_global(bytes.len() as u64, false);
            self.initialise(address, &bytes);
            pointers.push(address);
        }
        pointers.push(0);
        let address = self.memory.add_global(8 * pointers.len() as u64, false);
        let bytes: Vec<u8> = pointers.iter().flat_map(|pointer| pointer.to_le_bytes()).collect();
        self.initialise(address, &bytes);
        address
    }

    fn initialise(&mut self, address: u64, bytes: &[u8]) {
        if let Ok(spot) = self.memory.find(0, address, bytes.len() as u32) {
            self.memory.write_bytes(spot, bytes);
        }
    }
}

impl Program for LlvmProgram {
    type Machine = LlvmMachine;

    /// The error is a program that fails before its first visible action.
    fn start(&self) -> Result<LlvmMachine, Box<Violation>> {
        match self.start_machine(false) {
            (machine, None) => Ok(machine),
            (_, Some(violation)) => Err(violation),
        }
    }
}
