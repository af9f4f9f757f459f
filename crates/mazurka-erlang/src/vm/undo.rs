//! Undoing steps.
//!
//! Terms never change, so undoing a step truncates the heap. A step changes little else: the local state
//! of its process and of the processes that it affects, tops of stacks, mailboxes, names and tables. A
//! change is logged together with the previous value. Of a stack, only the part that the step pops or
//! overwrites is saved.

use super::Vm;
use super::editions::Versions;
use super::process::{Message, Process, Status};
use super::relations::FormerRelation;
use super::tables::{FormerTable, Table};
use crate::term::{Atom, Extent, Term};

/// How to undo one change.
#[derive(Debug)]
pub(super) enum Undo {
    /// The local state of a process changed; the previous one is the last of the saved states.
    Local(u32),
    /// The top of a stack changed, from a height on; its terms are the last so many of the saved terms.
    Stack(u32, u32, u32),
    /// A message was delivered to a process.
    Delivered(u32),
    /// A message was taken from a place of a mailbox.
    Took(u32, u32),
    /// A receive of a process found no message.
    Missed(u32),
    /// A message was removed from a place of a mailbox without a receive.
    Dropped(u32, u32, Message),
    Name(Atom, Option<u32>),
    /// A link or a monitor was removed.
    Relation,
    Table((u32, u32), Option<Box<Table>>),
    /// The versions of a module changed.
    Versions(Atom, Option<Versions>),
    Persistent(Term),
    Arrays(Term),
    /// The time of the last write to a cell changed.
    Clock(u32, u64),
    /// A mutable word of the heap changed.
    Word(usize, u64),
}

/// The lengths of all logs and buffers before a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    extent: Extent,
    log: usize,
    frames: usize,
    output: usize,
}

impl Vm {
    /// Returns the number of steps that can be undone.
    pub(crate) fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Begins a step of a process, and makes it the running process.
    pub(crate) fn begin_step(&mut self, process: u32) {
        self.marks.push(Mark {
            extent: self.heap.extent(),
            log: self.log.len(),
            frames: self.frames.len(),
            output: self.output.len(),
        });
        self.save_local(process);
        self.switch_to(process);
    }

    /// Continues a step of a process after [`put_away`](Self::put_away).
    pub(crate) fn resume(&mut self, process: u32) {
        self.switch_to(process);
    }

    /// Makes a process the running process.
    pub(super) fn switch_to(&mut self, process: u32) {
        self.current = process;
        std::mem::swap(&mut self.stack, &mut self.processes[process as usize].stack);
        self.stack_floor = self.stack.len();
        let local = &self.processes[process as usize].local;
        (self.cp, self.handlers) = (local.cp, local.handlers);
    }

    /// Saves the registers and the stack of the running process.
    pub(crate) fn put_away(&mut self) {
        let (cp, handlers) = (self.cp, self.handlers);
        let process = &mut self.processes[self.current as usize];
        (process.local.cp, process.local.handlers) = (cp, handlers);
        process.local.height = self.stack.len() as u32;
        std::mem::swap(&mut self.stack, &mut process.stack);
    }

    /// Logs the local state of a process.
    pub(super) fn save_local(&mut self, process: u32) {
        self.locals.push(self.processes[process as usize].local);
        self.log.push(Undo::Local(process));
        self.note_change(process);
    }

    /// Logs the part of the stack between a height and the part that was saved before.
    #[cold]
    pub(super) fn save_stack(&mut self, height: usize) {
        let part = &self.stack[height..self.stack_floor];
        self.log.push(Undo::Stack(self.current, height as u32, part.len() as u32));
        self.saved.extend_from_slice(part);
        self.stack_floor = height;
    }

    /// Changes a mutable word of the heap.
    pub(crate) fn change_word(&mut self, place: usize, word: u64) {
        if let Some(mark) = self.marks.last()
            && place < mark.extent.words
        {
            self.log.push(Undo::Word(place, self.heap.raw(place)));
        }
        self.heap.set_raw(place, word);
    }

    pub(super) fn log(&mut self, undo: Undo) {
        self.log.push(undo);
    }

    pub(super) fn log_delivery(&mut self, to: u32) {
        self.log.push(Undo::Delivered(to));
    }

    pub(super) fn log_take(&mut self, process: u32, place: u32) {
        self.log.push(Undo::Took(process, place));
    }

    pub(super) fn log_miss(&mut self, process: u32) {
        self.log.push(Undo::Missed(process));
    }

    pub(super) fn log_drop(&mut self, process: u32, place: u32, message: Message) {
        self.log.push(Undo::Dropped(process, place, message));
    }

    /// Registers a name for a process, or unregisters it.
    pub(crate) fn set_name(&mut self, name: Atom, process: Option<u32>) {
        let before = match process {
            Some(process) => self.names.insert(name, process),
            None => self.names.remove(&name),
        };
        if let (None, Some(holder)) = (process, before) {
            self.former_names.push((name, holder));
        }
        self.log.push(Undo::Name(name, before));
    }

    /// Records that a link or a monitor is gone.
    pub(super) fn lose_relation(&mut self, relation: FormerRelation) {
        self.former_relations.push(relation);
        self.log.push(Undo::Relation);
    }

    pub(crate) fn set_table(&mut self, id: (u32, u32), table: Option<Table>) {
        let before = match table {
            Some(table) => self.tables.insert(id, table),
            None => self.tables.remove(&id),
        };
        let former = FormerTable::of(id, before.as_ref(), table.as_ref(), self.current);
        self.former_tables.extend(former);
        self.log.push(Undo::Table(id, before.map(Box::new)));
    }

    pub(crate) fn set_versions(&mut self, module: Atom, versions: Versions) {
        let before = self.versions.insert(module, versions);
        self.log.push(Undo::Versions(module, before));
    }

    pub(crate) fn set_persistent(&mut self, terms: Term) {
        let before = std::mem::replace(&mut self.persistent, terms);
        self.log.push(Undo::Persistent(before));
    }

    pub(crate) fn set_arrays(&mut self, arrays: Term) {
        let before = std::mem::replace(&mut self.arrays, arrays);
        self.log.push(Undo::Arrays(before));
    }

    /// Makes the current state the initial state: no step can be undone, and deliveries are not compared
    /// with earlier receives.
    pub(crate) fn forget_steps(&mut self) {
        self.marks.clear();
        self.log.clear();
        self.locals.clear();
        self.saved.clear();
        self.frames.clear();
        self.former_names.clear();
        self.former_relations.clear();
        self.former_tables.clear();
        self.tables.values_mut().for_each(|table| table.former = Term::NIL);
        self.output.clear();
        self.edges.clear();
        self.processes.iter_mut().for_each(Process::forget_receives);
        self.heap.keep_all();
    }

    /// Returns to the state after the first `len` steps.
    pub(crate) fn rewind(&mut self, len: usize) {
        let Some(mark) = self.marks.get(len).copied() else { return };
        self.marks.truncate(len);
        while self.log.len() > mark.log {
            let undo = self.log.pop().expect("the log is longer");
            self.undo(undo);
        }
        self.heap.truncate(mark.extent);
        self.frames.truncate(mark.frames);
        self.output.truncate(mark.output);
        self.trouble = None;
    }

    /// Returns all arrays as they were before each of their changes in this execution, the latest first.
    pub(super) fn former_arrays(&self) -> impl Iterator<Item = Term> + '_ {
        self.log.iter().rev().filter_map(|undo| match undo {
            Undo::Arrays(arrays) => Some(*arrays),
            _ => None,
        })
    }

    /// Returns a table as it was before each of its changes in this execution, the latest first.
    pub(crate) fn former_versions(&self, id: (u32, u32)) -> impl Iterator<Item = Table> + '_ {
        let all = self.all_former_versions().filter(move |(changed, _)| *changed == id);
        all.map(|(_, table)| table)
    }

    /// Returns all tables as they were before each of their changes in this execution, the latest first.
    pub(crate) fn all_former_versions(&self) -> impl Iterator<Item = ((u32, u32), Table)> + '_ {
        self.log.iter().rev().filter_map(|undo| match undo {
            Undo::Table(id, Some(before)) => Some((*id, **before)),
            _ => None,
        })
    }

    /// Returns whether the last step has changed only the local state of a process, and numbers in arrays, tables
    /// and names so many times. The output belongs to no process.
    pub(crate) fn has_changed_only(&self, process: u32, times: usize) -> bool {
        let Some(mark) = self.marks.last() else { return false };
        let log = &self.log[mark.log..];
        let is_local = |undo: &Undo| match undo {
            Undo::Local(changed) | Undo::Stack(changed, ..) => *changed == process,
            Undo::Arrays(_) | Undo::Table(..) | Undo::Name(..) => true,
            _ => false,
        };
        let is_change =
            |undo: &&Undo| matches!(undo, Undo::Arrays(_) | Undo::Table(..) | Undo::Name(..));
        let changes = log.iter().filter(is_change).count();
        self.output.len() == mark.output && changes == times && log.iter().all(is_local)
    }

    fn undo(&mut self, undo: Undo) {
        match undo {
            Undo::Local(process) => {
                self.note_change(process);
                let process = &mut self.processes[process as usize];
                process.local = self.locals.pop().expect("there is one for each entry of the log");
                process.stack.truncate(process.local.height as usize);
                if process.local.status == Status::Absent {
                    process.stack.clear();
                    process.mailbox.clear();
                    process.taken.clear();
                    process.heads.clear();
                }
            }
            Undo::Stack(process, height, len) => {
                let stack = &mut self.processes[process as usize].stack;
                stack.truncate(height as usize);
                stack.extend(self.saved.drain(self.saved.len() - len as usize..));
            }
            Undo::Delivered(to) => {
                self.processes[to as usize].mailbox.pop();
            }
            Undo::Took(process, place) => {
                let process = &mut self.processes[process as usize];
                let message = process.forget_last_receive().and_then(|taken| taken.message);
                process.mailbox.insert(place as usize, message.expect("a message was taken"));
            }
            Undo::Missed(process) => {
                self.processes[process as usize].forget_last_receive();
            }
            Undo::Dropped(process, place, message) => {
                self.processes[process as usize].mailbox.insert(place as usize, message);
            }
            Undo::Name(name, process) => {
                match process {
                    Some(process) => {
                        self.former_names.pop();
                        self.names.insert(name, process)
                    }
                    None => self.names.remove(&name),
                };
            }
            Undo::Relation => {
                self.former_relations.pop();
            }
            Undo::Table(id, table) => {
                let now = self.tables.get(&id);
                if FormerTable::of(id, table.as_deref(), now, self.current).is_some() {
                    self.former_tables.pop();
                }
                match table {
                    Some(table) => self.tables.insert(id, *table),
                    None => self.tables.remove(&id),
                };
            }
            Undo::Versions(module, versions) => {
                match versions {
                    Some(versions) => self.versions.insert(module, versions),
                    None => self.versions.remove(&module),
                };
            }
            Undo::Persistent(terms) => self.persistent = terms,
            Undo::Arrays(arrays) => self.arrays = arrays,
            Undo::Clock(cell, time) => self.cell_clocks[cell as usize] = time,
            Undo::Word(place, word) => self.heap.set_raw(place, word),
        }
    }
}
