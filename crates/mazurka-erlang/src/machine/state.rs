//! States as words, for explorers that compare states.
//!
//! A state is everything that decides what the program can do next. For each process that has not ended,
//! it contains the position in the code, the slots of the stack that the process may still read, the
//! pending operation, the mailbox in order, the name, links, monitors, aliases, the dictionary and the
//! flags. It also contains the running timers, the tables and the persistent terms. It contains neither
//! the output of the program nor the numbers of steps, references and children so far.
//!
//! Processes and references are written as their *ranks* among all that occur in the state. So a server
//! that creates a reference for each call, or a process for each request, returns to an earlier state.
//! Ranks preserve the order of terms, so sorted data stays sorted. A program can still distinguish two
//! such states if it compares a process that it creates later with an existing one.
//!
//! The clock of each process is part of the state. A process that keeps asking for the time, or for
//! unique integers, never returns to an earlier state.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use mazurka_core::model::Digest;

use super::ErlangMachine;
use crate::term::{Bits, Kind, Lineage, Map, Term};
use crate::vm::editions::Versions;
use crate::vm::liveness::Liveness;
use crate::vm::process::{Local, Timer};
use crate::vm::{Pending, Status, Vm};

/// Buffers that are kept, so that writing a state allocates nothing.
#[derive(Default)]
pub(super) struct Survey {
    words: Vec<u64>,
    /// The indices of processes and references in the words.
    processes: Vec<usize>,
    references: Vec<usize>,
    /// The processes and references that occur, in ascending order.
    known_processes: Vec<u64>,
    known_references: Vec<u64>,
    tables: Vec<(u32, u32)>,
    liveness: Liveness,
}

pub(super) type SurveyCell = RefCell<Survey>;

/// Collects the words of a value by its derived hash.
struct Collect<'a>(&'a mut Vec<u64>);

impl Hasher for Collect<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend(bytes.iter().map(|byte| u64::from(*byte)));
    }

    fn write_isize(&mut self, number: isize) {
        self.0.push(number as u64);
    }

    fn finish(&self) -> u64 {
        0
    }
}

impl Survey {
    fn word(&mut self, word: u64) {
        self.words.push(word);
    }

    fn process(&mut self, process: u32) {
        self.processes.push(self.words.len());
        self.words.push(process.into());
    }

    fn reference(&mut self, reference: u64) {
        self.references.push(self.words.len());
        self.words.push(reference);
    }

    /// Adds a term. The words of a term are not a prefix of the words of another term.
    fn term(&mut self, vm: &Vm, mut term: Term) {
        let heap = &vm.heap;
        while let Some(cons) = term.as_cons() {
            self.word(Term::cons_at(0).to_word());
            self.term(vm, heap.head(cons));
            term = heap.tail(cons);
        }
        if let Some(process) = term.as_pid() {
            self.word(Term::pid(0).to_word());
            return self.process(process);
        }
        let Some(place) = term.as_box() else { return self.word(term.to_word()) };
        let (kind, size) = heap.header(place);
        let header = |size: usize| Term::boxed_at(size << 8 | kind as usize).to_word();
        match kind {
            Kind::Tuple | Kind::Fun | Kind::Export => {
                self.word(header(size));
                (1..=size).for_each(|i| self.term(vm, heap.word(place + i)));
            }
            Kind::Map | Kind::MapTree | Kind::MapNode => {
                let entries = Map::of(heap, term).map(|map| map.entries(heap)).unwrap_or_default();
                // Equal maps may have different representations.
                self.word(Term::boxed_at(entries.len() << 8 | Kind::Map as usize).to_word());
                for (key, value) in entries {
                    self.term(vm, key);
                    self.term(vm, value);
                }
            }
            Kind::Bits => {
                self.word(header(0));
                self.bits(vm, Bits { start: heap.raw(place + 1), len: heap.raw(place + 2) });
            }
            Kind::Match => {
                let [now, end, start] = [1, 2, 3].map(|i| heap.raw(place + i));
                self.word(header(0));
                self.word(now - start);
                self.bits(vm, Bits { start, len: end - start });
            }
            Kind::Ref => {
                self.word(header(0));
                self.reference(heap.raw(place + 1));
            }
            Kind::Float | Kind::Big => {
                self.word(header(size));
                (1..=size).for_each(|i| self.word(heap.raw(place + i)));
            }
        }
    }

    fn bits(&mut self, vm: &Vm, bits: Bits) {
        self.word(bits.len);
        let bytes = vm.heap.bytes_of(bits);
        self.words.extend(bytes.iter().map(|byte| u64::from(*byte)));
    }

    fn terms(&mut self, vm: &Vm, terms: &[Term]) {
        terms.iter().for_each(|term| self.term(vm, *term));
    }

    fn pending(&mut self, vm: &Vm, pending: Pending) {
        match pending {
            Pending::Nothing => self.word(0),
            Pending::Send { to, message, result } => {
                self.word(1);
                self.process(to);
                self.terms(vm, &[message, result]);
            }
            Pending::Receive { waits } => self.word(2 | u64::from(waits) << 8),
            Pending::Sleep => self.word(3),
            Pending::Do { what, arguments } => {
                self.word(4);
                what.hash(&mut Collect(&mut self.words));
                self.terms(vm, &arguments);
            }
            Pending::Fire { to, message } => {
                self.word(5);
                self.terms(vm, &[to, message]);
            }
            Pending::End => self.word(6),
            Pending::Tell => self.word(7),
        }
    }

    /// Adds a process that has not ended.
    fn alive(&mut self, vm: &Vm, process: u32) {
        let slot = &vm.processes[process as usize];
        let local = &slot.local;
        self.word(u64::MAX);
        self.process(process);
        let flags = u64::from(local.status == Status::Ending)
            | u64::from(local.traps_exits) << 1
            | u64::from(local.timer != Timer::No) << 2
            | u64::from(local.timer == Timer::Running) << 3
            | u64::from(local.leads_to_program) << 4;
        self.word(flags);
        self.word(local.ticks);
        self.word(local.suspenders.into());
        self.word(local.priority.0.into());
        self.word(u64::from(local.pc) << 32 | u64::from(local.cp));
        self.word(local.name.map_or(u64::MAX, |name| name.0.into()));
        self.process(local.parent);
        self.pending(vm, local.pending);
        let Local { signal, reason, to_tell, .. } = *local;
        self.terms(vm, &[signal, reason, to_tell, local.dictionary, local.links]);
        self.terms(vm, &[local.watchers, local.watched, local.aliases, local.channels]);
        self.terms(vm, &[local.suspending, local.group_leader, local.initial_call]);
        self.stack(vm, process);
        self.word(slot.mailbox.len() as u64);
        for message in &slot.mailbox {
            self.word(message.ticks);
            self.term(vm, message.content);
        }
    }

    /// Adds the frames of a process, from the innermost one on.
    fn stack(&mut self, vm: &Vm, process: u32) {
        let slot = &vm.processes[process as usize];
        let mut liveness = std::mem::take(&mut self.liveness);
        let mut pc = slot.local.pc;
        // A function that has no frame has left where to return to in its register.
        if slot.local.cp > 0 {
            pc = slot.local.cp;
        }
        let mut end = slot.stack.len();
        while end > 0 {
            let frame = &slot.stack[..end];
            let slots = frame.iter().rev().take_while(|slot| slot.as_return().is_none()).count();
            for (index, term) in frame.iter().rev().take(slots).enumerate() {
                // Where exceptions go always matters.
                let matters = term.as_handler().is_some() || liveness.is_live(&vm.code, pc, index);
                self.term(vm, if matters { *term } else { Term::NONE });
            }
            end -= slots;
            let Some(back) = frame[..end].last().and_then(|slot| slot.as_return()) else { break };
            self.word(Term::return_to(back).to_word());
            (pc, end) = (back, end - 1);
        }
        self.word(u64::MAX);
        self.liveness = liveness;
    }

    fn tables(&mut self, vm: &Vm) {
        let mut tables = std::mem::take(&mut self.tables);
        tables.clear();
        tables.extend(vm.tables.keys().copied());
        tables.sort_unstable();
        for id in &tables {
            let table = &vm.tables[id];
            self.reference(u64::from(id.0) << 32 | u64::from(id.1));
            self.word(u64::from(table.name.0) << 1 | u64::from(table.is_named));
            let shape = table.kind as u64 | (table.protection as u64) << 8;
            self.word(shape | (table.key_position as u64) << 16);
            self.process(table.owner);
            let heir = table.heir.map(|(heir, data)| [Term::pid(heir), data]);
            self.terms(vm, &heir.unwrap_or([Term::NIL; 2]));
            self.term(vm, table.content);
        }
        self.tables = tables;
    }

    /// Replaces the numbers of processes and references by their ranks.
    fn rename(&mut self, lineage: &Lineage) {
        let Survey { words, processes, references, known_processes, known_references, .. } = self;
        known_references.clear();
        known_references.extend(references.iter().map(|place| words[*place]));
        known_references.sort_unstable();
        known_references.dedup();
        known_processes.clear();
        known_processes.extend(processes.iter().map(|place| words[*place]));
        known_processes.extend(known_references.iter().map(|reference| reference >> 32));
        let compare = |a: &u64, b: &u64| lineage.compare(*a as u32, *b as u32);
        known_processes.sort_unstable_by(compare);
        known_processes.dedup();
        let rank_of = |process: u64| {
            known_processes.partition_point(|other| compare(other, &process).is_lt()) as u64
        };
        for place in processes.drain(..) {
            words[place] = rank_of(words[place]);
        }
        for place in references.drain(..) {
            // References are ordered by their owners first, then by their numbers.
            let owner = words[place] >> 32;
            let first = known_references.partition_point(|other| *other < owner << 32);
            let number = known_references.partition_point(|other| *other < words[place]) - first;
            words[place] = rank_of(owner) << 32 | number as u64;
        }
    }

    /// Returns the words of a state.
    fn describe(&mut self, vm: &Vm) -> &[u64] {
        self.words.clear();
        for process in 0..vm.processes.len() as u32 {
            let local = vm.local(process);
            // A timer that has been cancelled takes a step yet, which does nothing.
            let is_there = matches!(local.status, Status::Alive | Status::Ending);
            if is_there && local.timer != Timer::Cancelled {
                self.alive(vm, process);
            }
        }
        self.word(u64::MAX - 1);
        self.tables(vm);
        self.terms(vm, &[vm.persistent, vm.arrays]);
        let mut modules: Vec<_> = vm.versions.iter().collect();
        modules.sort_unstable_by_key(|(module, _)| module.0);
        for (module, Versions { current, old }) in modules {
            self.word(module.0.into());
            let digest = |edition: u32| vm.editions[edition as usize].digest;
            self.words.extend([*current, *old].map(|edition| edition.map_or(u64::MAX, digest)));
        }
        self.rename(&vm.heap.lineage);
        &self.words
    }
}

/// Returns a digest of words.
pub(super) fn digest(words: &[u64]) -> u128 {
    Digest::of_words(words.iter().copied()).bits()
}

impl ErlangMachine {
    /// Returns a digest of the state.
    pub(super) fn digest(&self) -> u128 {
        digest(self.survey.borrow_mut().describe(&self.vm))
    }

    /// Returns the words of a process, with the numbers of processes and references.
    pub(super) fn words_of(&self, process: u32) -> Vec<u64> {
        let mut survey = self.survey.borrow_mut();
        survey.words.clear();
        survey.alive(&self.vm, process);
        survey.processes.clear();
        survey.references.clear();
        survey.words.clone()
    }

    /// Adds the words of a term, with the numbers of processes and references.
    pub(super) fn write_term(&self, term: Term, words: &mut Vec<u64>) {
        let mut survey = self.survey.borrow_mut();
        survey.words.clear();
        survey.term(&self.vm, term);
        words.extend_from_slice(&survey.words);
        survey.processes.clear();
        survey.references.clear();
    }

    /// Adds the words of the state, and returns its digest.
    pub(super) fn write_all(&self, words: &mut Vec<u64>) -> u128 {
        let mut survey = self.survey.borrow_mut();
        let state = survey.describe(&self.vm);
        words.extend_from_slice(state);
        digest(state)
    }
}
