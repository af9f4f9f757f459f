//! Going back.
//!
//! Terms are not changed, and the heap is cut off. What does change is little: the local state of
//! the process that takes a step and of those it reaches, tops of stacks, mailboxes, names, tables.
//! Whoever changes it first logs what it was. Of a stack only the part is saved that a step gets
//! to: the rest below it is left alone.

use super::Vm;
use super::process::{Message, Status};
use super::relations::FormerRelation;
use super::tables::{FormerTable, Table};
use crate::term::{Atom, Extent, Term};

/// How to undo one change.
#[derive(Debug)]
pub(super) enum Undo {
    /// What a process was like: the last of the saved states.
    Local(u32),
    /// The top of a stack, from a height on: the last so many of the saved terms.
    Stack(u32, u32, u32),
    /// A message was delivered to a process.
    Delivered(u32),
    /// A message was taken from a place of a mailbox.
    Took(u32, u32),
    /// A receive of a process found no message.
    Missed(u32),
    /// A message was taken away from a place of a mailbox, unseen.
    Dropped(u32, u32, Message),
    Name(Atom, Option<u32>),
    /// A link or a monitor was removed.
    Relation,
    Table((u32, u32), Option<Box<Table>>),
    Persistent(Term),
    Arrays(Term),
    /// When a cell was last written.
    Clock(u32, u64),
    /// A word of the heap that can change.
    Word(usize, u64),
}

/// How things were before a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    extent: Extent,
    log: usize,
    frames: usize,
    output: usize,
}

impl Vm {
    /// How many steps there are to go back.
    pub(crate) fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Begins a step of a process, which runs from now on.
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

    /// Goes on with a step of a process that has been put away.
    pub(crate) fn resume(&mut self, process: u32) {
        self.switch_to(process);
    }

    /// Lets a process run.
    pub(super) fn switch_to(&mut self, process: u32) {
        self.current = process;
        std::mem::swap(&mut self.stack, &mut self.processes[process as usize].stack);
        self.stack_floor = self.stack.len();
        let local = &self.processes[process as usize].local;
        (self.cp, self.handlers) = (local.cp, local.handlers);
    }

    /// Puts the running process away.
    pub(crate) fn put_away(&mut self) {
        let (cp, handlers) = (self.cp, self.handlers);
        let process = &mut self.processes[self.current as usize];
        (process.local.cp, process.local.handlers) = (cp, handlers);
        process.local.height = self.stack.len() as u32;
        std::mem::swap(&mut self.stack, &mut process.stack);
    }

    /// Logs what a process is like.
    pub(super) fn save_local(&mut self, process: u32) {
        self.locals.push(self.processes[process as usize].local);
        self.log.push(Undo::Local(process));
        self.note_change(process);
    }

    /// Logs the part of the stack from a height up to where it is untouched.
    #[cold]
    pub(super) fn save_stack(&mut self, height: usize) {
        let part = &self.stack[height..self.stack_floor];
        self.log.push(Undo::Stack(self.current, height as u32, part.len() as u32));
        self.saved.extend_from_slice(part);
        self.stack_floor = height;
    }

    /// Changes a word of the heap that can change.
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

    /// Gives a name to a process, or takes it away.
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
        self.former_tables.extend(FormerTable::of(id, before.as_ref(), table.as_ref()));
        self.log.push(Undo::Table(id, before.map(Box::new)));
    }

    pub(crate) fn set_persistent(&mut self, terms: Term) {
        let before = std::mem::replace(&mut self.persistent, terms);
        self.log.push(Undo::Persistent(before));
    }

    pub(crate) fn set_arrays(&mut self, arrays: Term) {
        let before = std::mem::replace(&mut self.arrays, arrays);
        self.log.push(Undo::Arrays(before));
    }

    /// Makes the current state the first one: no step can be undone, and no receive that took a message
    /// is looked at again.
    pub(crate) fn forget_steps(&mut self) {
        self.marks.clear();
        self.log.clear();
        self.locals.clear();
        self.saved.clear();
        self.frames.clear();
        self.former_names.clear();
        self.former_relations.clear();
        self.former_tables.clear();
        self.output.clear();
        self.edges.clear();
        for process in &mut self.processes {
            process.taken.clear();
        }
        self.heap.keep_all();
    }

    /// Goes back to the state after the first `len` steps.
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
                let message = process.taken.pop().and_then(|taken| taken.message);
                process.mailbox.insert(place as usize, message.expect("a message was taken"));
            }
            Undo::Missed(process) => {
                self.processes[process as usize].taken.pop();
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
                if FormerTable::of(id, table.as_deref(), now).is_some() {
                    self.former_tables.pop();
                }
                match table {
                    Some(table) => self.tables.insert(id, *table),
                    None => self.tables.remove(&id),
                };
            }
            Undo::Persistent(terms) => self.persistent = terms,
            Undo::Arrays(arrays) => self.arrays = arrays,
            Undo::Clock(cell, time) => self.cell_clocks[cell as usize] = time,
            Undo::Word(place, word) => self.heap.set_raw(place, word),
        }
    }
}
