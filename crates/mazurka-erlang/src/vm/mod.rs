//! The virtual machine: code, terms, processes, and what they share.
//!
//! It runs one process at a time, up to its next visible operation, and logs how to undo each change: see
//! [`undo`].

mod alike;
mod arrays;
mod bits;
mod calls;
pub(crate) mod clock;
pub(crate) mod code;
pub(crate) mod compiler;
pub(crate) mod editions;
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
pub(crate) mod twins;
mod types;
mod undo;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

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

/// The most instructions that a process may run between two visible operations.
const PATIENCE: u64 = 400_000_000;

/// An event that the machine reports as a violation.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// A process ended with a reason that is not normal. The text is for the report.
    Ended(String),
    /// A process needs a built-in function that Mazurka lacks. The text is for the report.
    Missing(String),
    /// A process stopped the node.
    Halted(String),
    /// A process exceeds the limit of instructions.
    Runs(String),
}

/// The virtual machine.
pub(crate) struct Vm {
    pub(crate) heap: Heap,
    pub(crate) atoms: Atoms,
    /// The numbers that all machines of the program share.
    pub(crate) common: Option<CommonNumbers>,
    pub(crate) code: Code,
    pub(crate) finder: Finder,
    /// The modules that the program loads while it runs, and the code that was loaded.
    pub(crate) dynamic: HashSet<Atom>,
    pub(crate) editions: Vec<editions::Edition>,
    /// The versions of modules, as far as the program has changed them.
    pub(crate) versions: HashMap<Atom, editions::Versions>,
    natives: natives::Natives,
    /// The code that calls each built-in function, by import.
    stubs: HashMap<u32, u32>,
    /// The registers of the running process.
    pub(crate) x: Vec<Term>,
    pub(crate) f: [f64; 1024],
    /// The stack of the running process, and the height up to which the step has not changed it.
    pub(crate) stack: Vec<Term>,
    stack_floor: usize,
    /// The running process.
    pub(crate) current: u32,
    pub(crate) cp: u32,
    /// The place in the code from which a built-in function is called.
    pub(crate) at: u32,
    pub(crate) handlers: u32,
    /// Whether the patterns of a receive are being evaluated.
    is_matching: bool,
    /// The slots that the evaluation of patterns has overwritten, with their previous terms.
    overwritten: Vec<(usize, Term)>,
    /// The next step of the running process, set by a built-in function.
    pub(crate) intent: Pending,
    pub(crate) processes: Vec<Process>,
    /// The process that has each name.
    pub(crate) names: HashMap<Atom, u32>,
    /// The names that processes have lost, in the order of the losses.
    pub(crate) former_names: Vec<(Atom, u32)>,
    /// The links and monitors that were removed, in this order.
    pub(crate) former_relations: Vec<relations::FormerRelation>,
    pub(crate) tables: Tables,
    /// The tables that were deleted or lost their names, in this order.
    pub(crate) former_tables: Vec<FormerTable>,
    pub(crate) persistent: Term,
    /// Arrays of numbers that processes share, by their references.
    pub(crate) arrays: Term,
    /// Processes that the current step has created, and that have not run yet.
    pub(crate) born: Vec<(u32, life::Task)>,
    pub(crate) edges: Vec<Edge>,
    /// The processes whose next step may deliver a message, and some others, in ascending order.
    pub(crate) senders: Vec<u32>,
    /// The frames of receives that were performed.
    frames: Vec<Term>,
    /// The slots of frames that the patterns at a place in the code read.
    pattern_slots: alike::PatternSlots,
    /// A stack on which patterns are evaluated again.
    scratch: Vec<Term>,
    log: Vec<Undo>,
    /// The states of processes that the log restores.
    locals: Vec<Local>,
    /// The parts of stacks that the log restores.
    saved: Vec<Term>,
    marks: Vec<Mark>,
    /// The output of the program.
    pub(crate) output: String,
    pub(crate) trouble: Option<Trouble>,
    /// Whether no step has been taken yet.
    pub(crate) is_starting: bool,
    /// The processes that have ended abnormally before their first visible operation, with the text of the
    /// report. They fail in the step in which they end.
    pub(crate) early_ends: Vec<(u32, String)>,
    /// The reasons to end that are no violations, besides `normal`.
    pub(crate) normal_reasons: Vec<Atom>,
    /// The lessons of all machines of the program.
    pub(crate) lessons: Arc<Lessons>,
    /// The number of milliseconds from which on timeouts never fire.
    pub(crate) never_after: Option<i64>,
    /// Whether processes look at each other's lives, so that ends and signals are steps.
    pub(crate) lives: bool,
    /// Whether processes look at the number of messages in mailboxes.
    pub(crate) mailboxes: bool,
    /// The processes whose messages other processes look at, by [`bit_of`](Vm::bit_of).
    orders: u64,
    /// Whether processes select objects of tables by elements other than the key.
    pub(crate) columns: bool,
    /// Whether processes change objects of tables that patterns select.
    pub(crate) selections: bool,
    /// Whether processes poll numbers of arrays.
    pub(crate) polls: bool,
    /// The hashes of the keys of tables that processes poll.
    pub(crate) polled_keys: Vec<u32>,
    /// Those that this machine has found out since its initial state.
    pub(crate) new_polled_keys: Vec<u32>,
    /// Whether processes suspend each other, so that every step waits until its process may run.
    pub(crate) suspends: bool,
    /// Whether processes change each other's group leaders.
    pub(crate) leaders: bool,
    /// Whether processes look at the time.
    pub(crate) times: bool,
    /// Whether the program tells [twins](twins) apart.
    pub(crate) apart: twins::Apart,
    /// Whether messages are in flight before they are delivered.
    pub(crate) is_pairwise: bool,
    /// Whether terms are shown in Elixir's syntax.
    pub(crate) is_elixir: bool,
    /// The system services that run, one bit each.
    pub(crate) services: u32,
    /// Whether this machine has asked for a service that does not run.
    has_asked_for_service: bool,
    /// The time of the last write to each cell, by the number of its object; see [`clock`].
    cell_clocks: Vec<u64>,
    /// The processes whose local states may have changed since their actions were computed.
    pub(crate) changed: Vec<u32>,
    pub(crate) lesson: Option<Lesson>,
}

/// Tables of `ets`, by the process that created them and the number of its references before.
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
            dynamic: HashSet::new(),
            editions: Vec::new(),
            versions: HashMap::new(),
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
            columns: lessons.columns.load(Ordering::Relaxed),
            selections: lessons.selections.load(Ordering::Relaxed),
            polls: lessons.polls.load(Ordering::Relaxed),
            polled_keys: lessons.known_keys().into_iter().collect(),
            new_polled_keys: Vec::new(),
            suspends: lessons.suspends.load(Ordering::Relaxed),
            leaders: lessons.leaders.load(Ordering::Relaxed),
            times: lessons.times.load(Ordering::Relaxed),
            apart: twins::Apart::new(lessons.apart.load(Ordering::Relaxed)),
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
        vm.watch_known_modules();
        vm.heap.keep_all();
        vm
    }

    /// Returns the running process.
    #[inline]
    pub(crate) fn me(&self) -> &Local {
        &self.processes[self.current as usize].local
    }

    /// Returns the running process for a change. Its state was saved when the step began.
    #[inline]
    pub(crate) fn me_mut(&mut self) -> &mut Local {
        &mut self.processes[self.current as usize].local
    }

    #[inline]
    pub(crate) fn local(&self, process: u32) -> &Local {
        &self.processes[process as usize].local
    }

    /// Returns a process for a change in a step of another process, and saves its state.
    pub(crate) fn local_mut(&mut self, process: u32) -> &mut Local {
        self.save_local(process);
        &mut self.processes[process as usize].local
    }

    /// Records that lives of processes matter. From now on, their ends are steps, and the search starts
    /// over.
    pub(crate) fn watch_lives(&mut self) {
        if !self.lives {
            self.lives = true;
            self.lessons.lives.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Ends);
        }
    }

    /// Records that the number of messages in mailboxes matters. From now on, deliveries and receives
    /// change it.
    pub(crate) fn watch_mailboxes(&mut self) {
        if !self.mailboxes {
            self.mailboxes = true;
            self.lessons.mailboxes.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Mailboxes);
        }
    }

    /// Records that the order of the messages of a process matters. From now on, deliveries to the
    /// process change it.
    pub(crate) fn watch_order(&mut self, process: u32) {
        if !self.has_watched_order(process) {
            self.orders |= self.bit_of(process);
            self.lessons.orders.fetch_or(self.orders, Ordering::Relaxed);
            self.lesson = Some(Lesson::Mailboxes);
        }
    }

    /// Returns whether the order of the messages of a process matters. Processes may share a bit, which
    /// costs executions but loses none.
    #[inline]
    pub(crate) fn has_watched_order(&self, process: u32) -> bool {
        self.orders != 0 && self.orders & self.bit_of(process) != 0
    }

    /// Records that columns of tables matter. From now on, inserts and deletions change them.
    pub(crate) fn watch_columns(&mut self) {
        if !self.columns {
            self.columns = true;
            self.lessons.columns.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Columns);
        }
    }

    /// Records that processes change objects that patterns select. From now on, tables keep their former
    /// objects.
    pub(crate) fn watch_selections(&mut self) {
        if !self.selections {
            self.selections = true;
            self.lessons.selections.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Columns);
        }
    }

    /// Records that processes poll numbers of arrays. From now on, polls wait.
    pub(crate) fn watch_polls(&mut self) {
        if !self.polls {
            self.polls = true;
            self.lessons.polls.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Loops);
        }
    }

    /// Records that processes poll entries of tables with a key of this hash. In the next execution, these polls
    /// wait: the steps of this execution have not told the values of the entries.
    pub(crate) fn watch_key(&mut self, hash: u32) {
        if !self.is_polled_key(hash) {
            self.new_polled_keys.push(hash);
            self.lessons.keys.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
            self.lesson = Some(Lesson::Loops);
        }
    }

    /// Returns whether processes are known to poll entries with a key of this hash.
    pub(crate) fn is_polled_key(&self, hash: u32) -> bool {
        self.polled_keys.contains(&hash) || self.new_polled_keys.contains(&hash)
    }

    /// Returns whether processes poll numbers of arrays or entries of tables.
    #[inline]
    pub(crate) fn has_polls(&self) -> bool {
        self.polls || !self.polled_keys.is_empty()
    }

    /// Records that processes suspend each other. From now on, steps wait until their processes may run.
    pub(crate) fn watch_suspensions(&mut self) {
        if !self.suspends {
            self.suspends = true;
            self.lessons.suspends.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Control);
        }
    }

    /// Records that processes change each other's group leaders. From now on, reads of them are steps.
    pub(crate) fn watch_leaders(&mut self) {
        if !self.leaders {
            self.leaders = true;
            self.lessons.leaders.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Control);
        }
    }

    /// Returns whether a process belongs to the program: it is neither the first process, which stands for the
    /// terminal, nor a part of the system or of the start of an application.
    pub(crate) fn is_program(&self, process: u32) -> bool {
        process != 0 && !self.processes[process as usize].is_system && !self.is_master(process)
    }

    /// Returns whether a process is the master of an application.
    pub(crate) fn is_master(&self, process: u32) -> bool {
        let local = self.local(process);
        // A process of `proc_lib` keeps the call that started it in its dictionary.
        let key = self.atoms.find("$initial_call").map(Term::atom);
        let by_proc_lib = key.and_then(|key| self.lookup(local.dictionary, key));
        let calls = [Some(local.initial_call), by_proc_lib].into_iter().flatten();
        let mut modules = calls.filter_map(|call| self.heap.tuple_of::<3>(call)?[0].as_atom());
        modules.any(|module| self.atoms.name(module) == "application_master")
    }

    /// Returns the bit of a process. It is the same on all machines of a program.
    fn bit_of(&self, process: u32) -> u64 {
        1 << (self.heap.lineage.digest(process) % u64::from(u64::BITS))
    }

    /// Records that the program needs a system service. The service has to run from the start, so the
    /// search starts over. If the machine cannot be started again, refuses the program with `text`.
    pub(crate) fn ask_for_service(&mut self, service: u32, text: String) -> Stop {
        if !std::mem::replace(&mut self.has_asked_for_service, true) {
            self.lessons.services.fetch_or(1 << service, Ordering::Relaxed);
            self.lesson = Some(Lesson::System);
        }
        self.refuse(text)
    }

    /// Records that the next action of a process may have changed.
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

    /// Creates a reference, which is the same in every execution.
    pub(crate) fn make_ref(&mut self) -> Term {
        self.tell_apart(self.current);
        let me = self.me_mut();
        me.references += 1;
        let number = me.references;
        self.heap.reference(self.current, number)
    }
}
