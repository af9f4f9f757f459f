//! Programs in bytecode under the scheduler's control.

mod access;
mod allowed;
mod arrivals;
pub(crate) mod awaits;
mod call;
mod cancel;
mod convert;
mod describe;
mod ending;
mod fingerprint;
mod folded;
mod frame;
mod jump;
mod leaks;
mod life;
mod livelock;
mod long_double;
mod names;
mod options;
mod outside;
mod places;
mod property;
mod record;
mod registers;
pub(crate) mod rounds;
mod run;
mod seeing;
mod signals;
mod slow;
pub(crate) mod spin;
mod start;
mod step;
mod taken_back;
pub(crate) mod thread;
mod tried;
pub(crate) mod twins;
mod type_info;
mod undefined;
mod undo;
mod unwind;
mod values;
pub(crate) mod zero_net;

pub(crate) use access::LIFE;
pub use allowed::{Allowed, Undefined};
pub(crate) use call::{Call, Run, Stop};
pub(crate) use cancel::CancelChoice;
pub(crate) use folded::folded;
pub(crate) use jump::Target;
pub(crate) use long_double::{from_double, to_double};
pub use options::{LlvmOptions, Random};
pub use property::Property;
pub(crate) use property::{OVERFLOW, REACHED};
pub(crate) use record::{FUTEX_LOCKED, LOCK_ALL};
pub(crate) use start::Setup;
pub(crate) use unwind::Thrown;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use mazurka_core::model::{Action, Ending, Machine, Performed, ProcessId, Step, View, Ways};
use mazurka_core::verdict::{Violation, ViolationKind};

use mazurka_report::LineKind;

use crate::bytecode::{Code, Pc};
use crate::memory::CommonIds;
use crate::memory::Memory;
use thread::{Probe, Status, Thread};
use undo::{EndingState, Undo};

/// A C or C++ program in some state.
pub struct LlvmMachine {
    pub(crate) code: Arc<Code>,
    /// The functions that [`Op::CallLibrary`](crate::bytecode::Op::CallLibrary) calls.
    library: Arc<[Run]>,
    pub(crate) options: Arc<LlvmOptions>,
    /// Shared with the program.
    hides_addresses: Arc<AtomicBool>,
    /// The heads of loops that went back to their start too often.
    cut_loops: Arc<Mutex<BTreeSet<Pc>>>,
    /// The ids that all machines share, if there are several.
    ids: Option<CommonIds>,
    /// Which threads use which barriers.
    arrivals: arrivals::Arrivals,
    /// Whether the program tells interchangeable threads apart.
    twins: twins::Twins,
    /// How many iterations are run of loops that count them.
    patience: rounds::Patience,
    /// What is known of loops with zero net effect.
    zero_net: zero_net::ZeroNet,
    /// Whether the next action repeats the last one, so that it is not reported.
    is_repeating: bool,
    /// A buffer for the stack of a thread before an iteration.
    stack_of_round: Vec<u64>,
    /// Whether pure iterations of loops are left out.
    awaits: bool,
    /// Whether an action has been an await, or may have been: it spares programs without any the search.
    has_awaits: bool,
    /// Whether a thread has had an update to take back.
    has_debts: bool,
    /// The threads to whose updates the current step does not matter.
    spared: Vec<u32>,
    /// What the read-modify-write is that is being performed.
    update: taken_back::Kind,
    /// For every instruction, whether an assumption comes soon; empty if there are none.
    before_assumptions: Arc<[bool]>,
    /// For every library function, whether an attempt may call it.
    harmless: Arc<[bool]>,
    /// Whether what runs will be undone at once.
    is_trying: bool,
    /// Whether the steps that are taken only find out whether threads wait for ever.
    is_judging: bool,
    pub(crate) memory: Memory,
    /// Every thread that there has been in any execution, by process id.
    pub(crate) threads: Vec<Thread>,
    undo: Undo,
    /// The address of the clock, if the program reads it.
    clock: Option<u64>,
    /// The address of the words that say which threads are to be cancelled, if the program does so.
    cancel_words: Option<u64>,
    /// The addresses of the signals that threads block, and of those that are pending for them, if the
    /// program sends signals to other threads.
    signal_words: Option<[u64; 2]>,
    /// The address of the words for threads that sleep on futexes, if the program uses these.
    futexes: Option<u64>,
    /// What the program has printed.
    pub(crate) output: Vec<u8>,
    ending_state: EndingState,
    performed: Performed,
    /// What an attempt has performed.
    tried: Performed,
    guards: Vec<Action>,
    /// Threads that are to run before the step is over.
    runnable: Vec<usize>,
    violation: Option<Box<Violation>>,
    /// Whether the program is checked under a memory model.
    memory_orderings: bool,
    /// The alternative that the current step takes.
    pub(crate) choice: u32,
    recorder: Option<Box<record::Recorder>>,
    /// What is known of the state that was asked for last.
    known: RefCell<fingerprint::Known>,
    /// What the landing pad is given to which an exception goes in this step.
    landed: [u64; 2],
    /// Bytes on their way from one place to another.
    scratch: Vec<u8>,
    /// Buffers for attempts: values, and the stack of the thread.
    values: Vec<u64>,
    failing: Vec<u64>,
    stack_before: Vec<u64>,
    /// The iteration that the last attempt has ended.
    retry: spin::Retry,
    /// What attempts have found.
    outcomes: tried::Outcomes,
    /// Whether a thread has been at the head of a loop since the last attempt began.
    has_arrived: bool,
    /// The thread that runs, or has run last.
    running: usize,
    /// The last load of memory that was never written: where it is, and what it has read.
    origin: Option<(Pc, u64, u32)>,
    /// Whether the program has got an unknown value.
    has_any_value: bool,
    /// The instruction that is being executed, for the sake of those who need to know its place.
    pub(crate) pc: Pc,
}

impl LlvmMachine {
    /// The thread has done something that it may not do: it has ended.
    #[cold]
    pub(crate) fn fail(&mut self, thread: usize, violation: Box<Violation>) {
        self.threads[thread].state.status = Status::Gone;
        self.threads[thread].watch.clear();
        self.ending_state.failed = true;
        if self.is_recording() {
            let pc = self.threads[thread].state.pc;
            let in_short = self.recorder.as_ref().and_then(|recorder| recorder.take_short());
            let text = in_short.unwrap_or_else(|| match violation.message.split_once(", at ") {
                Some((text, _)) => text.to_owned(),
                None => violation.message.clone(),
            });
            self.note(thread, Some(pc), LineKind::Failure, text);
        }
        self.violation.get_or_insert(violation);
    }

    /// The value that an action waits for.
    #[inline]
    fn probe(&self, probe: Probe) -> u64 {
        self.memory.read(probe.byte, probe.len)
    }

    /// Returns whether neither the action of a thread nor its guards hold it back. Explorers ask for every
    /// thread at every step, and for most threads without a need for this: it is not inlined there.
    #[inline(never)]
    fn is_let_through(&self, thread: usize) -> bool {
        self.is_at_possible_action(thread) && !self.has_spun(thread) && self.guards_hold(thread)
    }

    /// Returns the first thread from `from` on that has a next step and of which `holds` is true.
    #[inline]
    fn first_with_step(
        &self,
        from: ProcessId,
        holds: impl Fn(ProcessId) -> bool,
    ) -> Option<ProcessId> {
        let from = from.index().max(self.ending_state.ended as usize);
        let threads = self.threads.iter().enumerate().skip(from);
        let with_step = threads
            .filter(|(_, thread)| matches!(thread.state.status, Status::Ready | Status::Choosing));
        with_step.map(|(index, _)| ProcessId::new(index)).find(|process| holds(*process))
    }

    /// Whether a thread could take its step if it was not for its guards.
    #[inline]
    fn is_at_possible_action(&self, thread: usize) -> bool {
        let state = &self.threads[thread].state;
        match state.status {
            Status::Ready => {
                !state.action.waits || state.action.when.holds(self.probe(state.probe))
            }
            Status::Choosing => true,
            _ => false,
        }
    }

    /// What the program has printed in this execution so far.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// With which code the program has ended, if it has: by `exit`, or by a return from `main`.
    pub fn exit_code(&self) -> Option<i32> {
        self.ending_state.exit_code.or_else(|| {
            let main = &self.threads[0].state;
            (main.status == Status::Ended).then_some(main.result as i32)
        })
    }
}

impl Machine for LlvmMachine {
    #[inline]
    fn processes(&self) -> usize {
        self.threads.len()
    }

    #[inline]
    fn next(&self, process: ProcessId) -> Option<&Action> {
        let state = &self.threads.get(process.index())?.state;
        (state.status == Status::Ready && !self.has_spun(process.index())).then_some(&state.action)
    }

    #[inline]
    fn guards(&self, process: ProcessId) -> &[Action] {
        // Few threads have guards, and this is asked of all of them at every step.
        let guarded = |thread: &&Thread| !thread.watch.guards.is_empty();
        let has_next =
            |thread: &&Thread| matches!(thread.state.status, Status::Ready | Status::Choosing);
        match self.threads.get(process.index()).filter(guarded).filter(has_next) {
            Some(thread) if !self.has_spun(process.index()) => &thread.watch.guards,
            _ => &[],
        }
    }

    fn retries(&self, process: ProcessId) -> &[Action] {
        match self.threads.get(process.index()) {
            Some(thread) if !thread.watch.guards.is_empty() && self.has_spun(process.index()) => {
                &thread.watch.guards
            }
            _ => &[],
        }
    }

    fn takes_back(&self) -> bool {
        self.ending_state.takes_back
    }

    /// Returns an empty slice: an operation waits for one action.
    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    #[inline]
    fn is_enabled(&self, process: ProcessId) -> bool {
        let index = process.index();
        let Some(thread) = self.threads.get(index) else { return false };
        match thread.state.status {
            Status::Ready if !thread.state.action.waits && thread.watch.guards.is_empty() => true,
            Status::Ready | Status::Choosing => self.is_let_through(index),
            _ => false,
        }
    }

    fn first_enabled(&self, from: ProcessId) -> Option<ProcessId> {
        self.first_with_step(from, |process| self.is_enabled(process))
    }

    fn first_waiting(&self, from: ProcessId) -> Option<ProcessId> {
        self.first_with_step(from, |process| self.waits(process))
    }

    #[inline]
    fn alternatives(&self, process: ProcessId) -> u32 {
        let Some(thread) = self.threads.get(process.index()) else { return 1 };
        let state = &thread.state;
        match state.action.ways {
            Ways::One => state.alternatives,
            ways if state.status == Status::Ready => {
                let value = self.probe(state.probe);
                ways.count(value, state.action.when.holds(value))
            }
            _ => state.alternatives,
        }
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        // There is always a first alternative.
        let has_choice = step.choice == 0 || step.choice < self.alternatives(step.process);
        if !self.is_enabled(step.process) || !has_choice {
            let message = format!("the step {step} cannot be taken here");
            return Err(Box::new(Violation::new(ViolationKind::Nondeterminism, message)));
        }
        self.begin_step();
        self.run_step(step, performed)
    }

    fn has_memory_orderings(&self) -> bool {
        self.memory_orderings
    }

    fn place(&self, process: ProcessId) -> Option<String> {
        let thread = process.index();
        let pc = self.threads.get(thread)?.state.pc;
        let place = self.place_of(self.own_place(thread, pc))?;
        Some(format!("{}:{}", place.file, place.line))
    }

    fn value(&self, process: ProcessId) -> Option<u64> {
        self.next_value(process)
    }

    fn step_seeing(
        &mut self,
        step: Step,
        view: View,
        performed: &mut Performed,
    ) -> Result<(), Box<Violation>> {
        self.step_with(step, view, performed)
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        while self.undo.steps.len() > len {
            self.undo_step();
        }
        if len == 0 {
            self.twins.start_over();
            self.patience.start_over();
            self.zero_net.start_over();
            self.start_over();
        }
        Ok(())
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        self.twin_of(process)
    }

    fn ending(&self) -> Ending {
        self.how_it_ended()
    }

    fn fingerprint(&self) -> Option<u128> {
        Some(self.digest(None))
    }

    fn write_state(&self, words: &mut Vec<u64>) -> Option<u128> {
        Some(self.digest(Some(words)))
    }
}

impl LlvmMachine {
    /// The program ends by `exit`.
    pub(crate) fn set_exit_code(&mut self, code: i32) {
        self.ending_state.exit_code.get_or_insert(code);
    }

    /// What it ends with, if it ends by `exit`.
    pub(crate) fn exit_code_given(&self) -> Option<i32> {
        self.ending_state.exit_code
    }

    /// The main thread ends, and the program does not.
    pub(crate) fn leave_main(&mut self) {
        self.ending_state.main_left = true;
    }

    /// Returns whether the main thread has ended by `pthread_exit` while other threads may run.
    pub(crate) fn outlives_main(&self) -> bool {
        self.ending_state.main_left && self.ending_state.unjoined > 0
    }

    /// Returns the address of the words for threads that sleep on futexes.
    pub(crate) fn futexes(&self) -> Option<u64> {
        self.futexes
    }

    /// Returns the address of the clock, if the program reads it.
    pub(crate) fn clock(&self) -> Option<u64> {
        self.clock
    }

    /// An assumption does not hold: the execution does not count.
    pub(crate) fn fail_assumption(&mut self) {
        self.ending_state.assumption_failed = true;
    }
}
