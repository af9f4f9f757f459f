//! The initial state of a machine.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use mazurka_core::model::Performed;
use mazurka_core::verdict::Violation;

use super::arrivals::Arrivals;
use super::call::Run;
use super::life::FRESH;
use super::rounds::{Patience, Shown};
use super::taken_back::Kind;
use super::thread::{State, Status};
use super::twins::Twins;
use super::undo::{EndingState, Undo};
use super::zero_net::{RoundTrips, ZeroNet};
use super::{LlvmMachine, LlvmOptions};
use crate::bytecode::{Code, Pc};
use crate::memory::CommonIds;
use crate::memory::address::MAX_THREADS;
use crate::memory::{CONSTANT, Memory};

/// What all machines of one program share.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) code: Arc<Code>,
    /// The functions that [`Op::CallLibrary`](crate::bytecode::Op::CallLibrary) calls.
    pub(crate) library: Arc<[Run]>,
    pub(crate) options: Arc<LlvmOptions>,
    /// Whether the program reads a clock.
    pub(crate) reads_clock: bool,
    /// Whether the program cancels threads.
    pub(crate) cancels: bool,
    /// Whether the program sends signals to other threads.
    pub(crate) signals_others: bool,
    /// The size of the table of threads that sleep on futexes, if the program uses these.
    pub(crate) futex_table: Option<u64>,
    /// Whether a thread has got at another thread's memory in a way that could not be followed.
    pub(crate) hides_addresses: Arc<AtomicBool>,
    /// The heads of loops that went back to their start too often.
    pub(crate) cut_loops: Arc<Mutex<BTreeSet<Pc>>>,
    /// The ids that all machines share, if there are several.
    pub(crate) ids: Option<CommonIds>,
    /// Whether more threads use a barrier than it waits for.
    pub(crate) is_crowded: Arc<AtomicBool>,
    /// Whether the program tells interchangeable threads apart.
    pub(crate) tells_twins_apart: Arc<AtomicBool>,
    /// What is known of the loops that count their rounds.
    pub(crate) shown: Arc<Shown>,
    /// What is known of loops with zero net effect.
    pub(crate) round_trips: Arc<RoundTrips>,
    /// For every instruction, whether an assumption comes soon; empty if there are none.
    pub(crate) before_assumptions: Arc<[bool]>,
    /// For every library function, whether it changes only memory and the thread that calls it.
    pub(crate) harmless: Arc<[bool]>,
    /// Whether machines have memory orderings.
    pub(crate) memory_orderings: Arc<AtomicBool>,
}

impl LlvmMachine {
    /// Returns a machine in the initial state, and the violation on the way there, if there is one.
    pub(crate) fn start(setup: &Setup, record: bool) -> (LlvmMachine, Option<Box<Violation>>) {
        let mut machine = LlvmMachine {
            code: Arc::clone(&setup.code),
            library: Arc::clone(&setup.library),
            options: Arc::clone(&setup.options),
            hides_addresses: Arc::clone(&setup.hides_addresses),
            cut_loops: Arc::clone(&setup.cut_loops),
            memory: Memory::new(setup.ids.clone()),
            ids: setup.ids.clone(),
            arrivals: Arrivals::new(&setup.is_crowded),
            twins: Twins::new(&setup.tells_twins_apart),
            patience: Patience::new(&setup.shown),
            zero_net: ZeroNet::new(&setup.round_trips),
            is_repeating: false,
            stack_of_round: Vec::new(),
            awaits: setup.options.awaits,
            before_assumptions: Arc::clone(&setup.before_assumptions),
            harmless: Arc::clone(&setup.harmless),
            has_awaits: false,
            has_debts: false,
            spared: Vec::new(),
            update: Kind::Any,
            is_trying: false,
            is_judging: false,
            memory_orderings: setup.memory_orderings.load(Ordering::Relaxed),
            threads: Vec::new(),
            undo: Undo::default(),
            clock: None,
            cancel_words: None,
            signal_words: None,
            futexes: None,
            output: Vec::new(),
            ending_state: EndingState::default(),
            performed: Performed::default(),
            tried: Performed::default(),
            guards: Vec::new(),
            runnable: Vec::new(),
            violation: None,
            choice: 0,
            recorder: record.then(Box::default),
            known: Default::default(),
            landed: [0; 2],
            scratch: Vec::new(),
            values: Vec::new(),
            failing: Vec::new(),
            stack_before: Vec::new(),
            retry: super::spin::Retry::default(),
            outcomes: super::tried::Outcomes::default(),
            has_arrived: false,
            running: 0,
            origin: None,
            has_any_value: false,
            pc: 0,
        };
        machine.undo.now = 1;
        machine.memory.shares_all =
            machine.memory_orderings || setup.hides_addresses.load(Ordering::Relaxed);
        if !setup.hides_addresses.load(Ordering::Relaxed) {
            machine.memory.private_locals = Arc::clone(&setup.code.private_locals);
        }
        let arguments = machine.set_up_memory();
        if setup.reads_clock {
            machine.clock = Some(machine.memory.add_global(8, false));
        }
        if setup.cancels {
            let size = 8 * MAX_THREADS as u64;
            machine.cancel_words = Some(machine.memory.add_global(size, false));
        }
        machine.futexes = setup.futex_table.map(|size| machine.memory.add_global(size, false));
        if setup.signals_others {
            let mut table = || machine.memory.add_global(8 * MAX_THREADS as u64, false);
            machine.signal_words = Some([table(), table()]);
        }
        machine.new_thread();
        machine.threads[0].state = State { status: Status::Running, ..FRESH };
        machine.set_up_thread_locals(0);
        let stub = &setup.code.functions[setup.code.main as usize];
        let count = setup.options.arguments.len() as u64 + 1;
        machine.enter_first(0, stub, &[count, arguments]);
        machine.runnable.push(0);
        machine.run_all();
        machine.performed.clear();
        let violation = machine.take_violation();
        machine.settle_awaits();
        machine.check_round_trips();
        (machine, violation)
    }
}

impl LlvmMachine {
    /// Sets up the globals, and what `main` gets; returns the address of `argv`.
    fn set_up_memory(&mut self) -> u64 {
        let code = Arc::clone(&self.code);
        for global in code.globals.iter().filter(|global| !global.continues) {
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
