//! The virtual machine: code, terms, processes, and what they share.
//!
//! It runs one process at a time, up to its next visible operation, and logs how to undo whatever
//! it does: see [`undo`].

mod alike;
mod arrays;
mod bits;
mod calls;
pub(crate) mod clock;
pub(crate) mod code;
mod exception;
mod flow;
pub(crate) mod instruction;
mod interpreter;
pub(crate) mod lessons;
pub(crate) mod life;
pub(crate) mod liveness;
mod load;
mod matching;
pub(crate) mod natives;
mod patterns;
pub(crate) mod process;
mod receiving;
mod registers;
pub(crate) mod relations;
pub(crate) mod resolve;
pub(crate) mod tables;
mod types;
mod undo;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(crate) use exception::{Class, Exception, Out, Stop, badarg, badarith, error};
pub(crate) use lessons::Lessons;
pub(crate) use load::load_alone;
pub(crate) use process::{Local, Message, Pending, Process, Status, Visible};
pub(crate) use resolve::Finder;
pub(crate) use tables::{FormerTable, Table};

use crate::term::{Atom, Atoms, CommonNumbers, Heap, Map, Term};
use code::Code;
use mazurka_core::model::{Edge, Lesson};
use undo::{Mark, Undo};

/// How many instructions a process may run between two visible operations.
const PATIENCE: u64 = 400_000_000;

/// What a process did that the machine reports as a violation.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// It ended with a reason that is not normal; in words.
    Ended(String),
    /// It needs a built-in function that is not there; in words.
    Missing(String),
    /// It stopped the node.
    Halted(String),
    /// It runs and runs.
    Runs(String),
}

/// The virtual machine.
pub(crate) struct Vm {
    pub(crate) heap: Heap,
    pub(crate) atoms: Atoms,
    /// The numbers that other machines of the program give, too.
    pub(crate) common: Option<CommonNumbers>,
    pub(crate) code: Code,
    pub(crate) finder: Finder,
    natives: natives::Natives,
    /// Code that calls built-in functions, by import.
    stubs: HashMap<u32, u32>,
    /// Registers, of whoever runs.
    pub(crate) x: Vec<Term>,
    pub(crate) f: [f64; 1024],
    /// The stack of whoever runs, and below which height it is as it was before the step.
    pub(crate) stack: Vec<Term>,
    stack_floor: usize,
    /// Who runs.
    pub(crate) current: u32,
    pub(crate) cp: u32,
    /// Where a built-in function is being called.
    at: u32,
    pub(crate) handlers: u32,
    /// Whether the pattern of a receive is being tried.
    is_matching: bool,
    /// Slots that a pattern which is being tried has written to, and what they held.
    overwritten: Vec<(usize, Term)>,
    /// What a built-in function has decided that its process does next.
    pub(crate) intent: Pending,
    pub(crate) processes: Vec<Process>,
    /// Who has which name.
    pub(crate) names: HashMap<Atom, u32>,
    /// Which process had which name before it lost it, in the order of the losses.
    pub(crate) former_names: Vec<(Atom, u32)>,
    /// Links and monitors that are gone, in the order in which they were removed.
    pub(crate) former_relations: Vec<relations::FormerRelation>,
    pub(crate) tables: Tables,
    /// Tables that were deleted or lost their names, in the order in which they did.
    pub(crate) former_tables: Vec<FormerTable>,
    pub(crate) persistent: Term,
    /// Arrays of numbers that processes share, by their references.
    pub(crate) arrays: Term,
    /// Processes that the current step has created, and that have not run yet.
    pub(crate) born: Vec<(u32, life::Task)>,
    pub(crate) edges: Vec<Edge>,
    /// The processes whose next step may deliver a message, and some others, in ascending order.
    pub(crate) senders: Vec<u32>,
    /// Frames of receives that have taken a message.
    frames: Vec<Term>,
    /// The slots of these frames that patterns read.
    pattern_slots: alike::PatternSlots,
    /// A stack for patterns that are tried again.
    scratch: Vec<Term>,
    log: Vec<Undo>,
    /// States of processes that the log puts back.
    locals: Vec<Local>,
    /// Parts of stacks that the log puts back.
    saved: Vec<Term>,
    marks: Vec<Mark>,
    /// What the program has printed.
    pub(crate) output: String,
    pub(crate) trouble: Option<Trouble>,
    /// Whether no step has been taken yet.
    pub(crate) is_starting: bool,
    /// The processes that have ended abnormally before their first visible operation while the program
    /// started, and what to report of each. They take a step to end, and fail in it.
    pub(crate) early_ends: Vec<(u32, String)>,
    /// Which reasons to end for are fine.
    pub(crate) normal_reasons: Vec<Atom>,
    /// What machines of one program have learnt.
    pub(crate) lessons: Arc<Lessons>,
    /// Timeouts of so many milliseconds or more never fire.
    pub(crate) never_after: Option<i64>,
    /// Whether processes look at each other's lives, so that ends and signals are steps.
    pub(crate) lives: bool,
    /// Whether processes look at the number of messages in mailboxes, or at their order.
    pub(crate) mailboxes: bool,
    pub(crate) orders: bool,
    /// Whether processes look at the time.
    pub(crate) times: bool,
    /// Whether messages are in flight before they are delivered.
    pub(crate) is_pairwise: bool,
    /// Whether terms are shown in Elixir's syntax.
    pub(crate) is_elixir: bool,
    /// The system services that run, one bit each.
    pub(crate) services: u32,
    /// Whether this machine has asked for a service that does not run.
    has_asked_for_service: bool,
    /// When each cell was last written, by the number of its object; see [`clock`].
    cell_clocks: Vec<u64>,
    /// Whose local state may have changed since this was last looked at.
    pub(crate) changed: Vec<u32>,
    pub(crate) lesson: Option<Lesson>,
}

/// Tables of `ets`, by who made them and how many it had made before.
pub(crate) type Tables = HashMap<(u32, u32), Table>;

impl Vm {
    pub(crate) fn new(
        finder: Finder,
        lessons: Arc<Lessons>,
        common: Option<CommonNumbers>,
        library: natives::Library,
    ) -> Vm {
        let mut vm = Vm {
            heap: Heap::default(),
            atoms: Atoms::new(common.clone()),
            common,
            code: Code::default(),
            finder,
            natives: HashMap::new(),
            stubs: HashMap::new(),
            changed: Vec::new(),
            x: vec![Term::NIL; 1024],
            f: [0.0; 1024],
            stack: Vec::new(),
            stack_floor: 0,
            current: 0,
            cp: 0,
            at: 0,
            handlers: 0,
            is_matching: false,
            overwritten: Vec::new(),
            intent: Pending::Nothing,
            processes: Vec::new(),
            names: HashMap::new(),
            former_names: Vec::new(),
            former_relations: Vec::new(),
            tables: HashMap::new(),
            former_tables: Vec::new(),
            persistent: Term::NIL,
            arrays: Term::NIL,
            born: Vec::new(),
            edges: Vec::new(),
            frames: Vec::new(),
            pattern_slots: alike::PatternSlots::new(),
            senders: Vec::new(),
            scratch: Vec::new(),
            log: Vec::new(),
            locals: Vec::new(),
            saved: Vec::new(),
            marks: Vec::new(),
            output: String::new(),
            trouble: None,
            is_starting: true,
            early_ends: Vec::new(),
            normal_reasons: Vec::new(),
            lives: lessons.lives.load(Ordering::Relaxed),
            mailboxes: lessons.mailboxes.load(Ordering::Relaxed),
            orders: lessons.orders.load(Ordering::Relaxed),
            times: lessons.times.load(Ordering::Relaxed),
            is_pairwise: false,
            is_elixir: false,
            services: lessons.services.load(Ordering::Relaxed),
            has_asked_for_service: false,
            cell_clocks: Vec::new(),
            lessons,
            never_after: None,
            lesson: None,
        };
        vm.persistent = Map::empty(&mut vm.heap).term();
        vm.arrays = vm.persistent;
        vm.install(library);
        vm.heap.keep_all();
        vm
    }

    /// The process that runs.
    #[inline]
    pub(crate) fn me(&self) -> &Local {
        &self.processes[self.current as usize].local
    }

    /// The process that runs, to be changed: its step has saved what it was like.
    #[inline]
    pub(crate) fn me_mut(&mut self) -> &mut Local {
        &mut self.processes[self.current as usize].local
    }

    #[inline]
    pub(crate) fn local(&self, process: u32) -> &Local {
        &self.processes[process as usize].local
    }

    /// A process, to be changed in a step of another one.
    pub(crate) fn local_mut(&mut self, process: u32) -> &mut Local {
        self.save_local(process);
        &mut self.processes[process as usize].local
    }

    /// Says that lives of processes matter: their ends become steps from now on, and every
    /// execution so far has to be looked at again.
    pub(crate) fn watch_lives(&mut self) {
        if !self.lives {
            self.lives = true;
            self.lessons.lives.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Ends);
        }
    }

    /// Records that the number of messages in mailboxes matters, and their order if `is_order` says so.
    /// From now on, every delivery changes these.
    pub(crate) fn watch_mailboxes(&mut self, is_order: bool) {
        if !self.mailboxes || (is_order && !self.orders) {
            self.mailboxes = true;
            self.lessons.mailboxes.store(true, Ordering::Relaxed);
            if is_order {
                self.orders = true;
                self.lessons.orders.store(true, Ordering::Relaxed);
            }
            self.lesson = Some(Lesson::Mailboxes);
        }
    }

    /// Says that the program needs a system service, which has to run from the start: the search starts
    /// over. If the machine cannot be started again, the program is refused with `text`.
    pub(crate) fn ask_for_service(&mut self, service: u32, text: String) -> Stop {
        if !std::mem::replace(&mut self.has_asked_for_service, true) {
            self.lessons.services.fetch_or(1 << service, Ordering::Relaxed);
            self.lesson = Some(Lesson::System);
        }
        self.refuse(text)
    }

    /// Notes that a process is to be looked at again.
    #[inline]
    pub(crate) fn note_change(&mut self, process: u32) {
        let slot = &mut self.processes[process as usize];
        if !std::mem::replace(&mut slot.has_changed, true) {
            self.changed.push(process);
        }
        if !std::mem::replace(&mut slot.is_sender, true) {
            let place = self.senders.partition_point(|other| *other < process);
            self.senders.insert(place, process);
        }
    }

    /// A reference that is the same in every execution.
    pub(crate) fn make_ref(&mut self) -> Term {
        let me = self.me_mut();
        me.references += 1;
        let number = me.references;
        self.heap.reference(self.current, number)
    }
}
