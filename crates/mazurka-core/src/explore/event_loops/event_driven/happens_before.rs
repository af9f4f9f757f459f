//! Happens-before in an execution that has ended, where posts to one queue are not ordered; and the cones
//! of its events.

use super::bits::{self, Bits, Matrix};
use super::classes::Cone;
use super::links::Link;
use crate::execution::cells::{CellId, NO_EVENT};
use crate::execution::{Access, Execution};
use crate::explore::event_loops::tasks::{NONE, Tasks};
use crate::model::{ProcessId, dependence};

/// An earlier event that an event is in conflict with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    pub(super) with: u32,
    /// Whether no third event orders the two.
    pub(super) is_immediate: bool,
}

/// The happens-before relation of an execution.
#[derive(Debug, Default)]
pub(super) struct HappensBefore {
    pub(super) len: usize,
    /// For each event all events that happen before it.
    pub(super) past: Matrix,
    /// For each event the events that happen before it whatever it accesses.
    pub(super) fixed: Matrix,
    pub(super) cones: Vec<Cone>,
    pub(super) conflicts: Vec<Conflict>,
    /// Where the conflicts of each event start.
    starts: Vec<u32>,
    /// For each cell whether it is a lock that merely locks.
    locks: Vec<bool>,
    /// The edges between processes.
    links: Vec<Link>,
    scratch: Vec<u32>,
}

/// The reasons for which an event happens before another one. Each enters a cone in its own way.
#[derive(Clone, Copy)]
enum Why {
    Task = 1,
    Post,
    Loop,
    Link,
    Conflict,
    Handlers,
}

/// A cone under construction.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConeSum(Cone);

impl ConeSum {
    fn new(task: u64, number: u32, choice: u32) -> Self {
        let name = (u128::from(task) << 64) | (u128::from(number) << 32) | u128::from(choice);
        ConeSum(Cone::new(name).then(0))
    }

    fn add(&mut self, why: Why, cone: Cone) {
        self.0 = self.0.and(cone.then(why as u128));
    }

    /// Adds an event that it is in conflict with.
    pub(super) fn add_conflict(&mut self, cone: Cone) {
        self.add(Why::Conflict, cone);
    }

    pub(super) fn finish(self) -> Cone {
        self.0.then(0)
    }
}

impl HappensBefore {
    /// Computes the relation for an execution.
    pub(super) fn build(&mut self, tasks: &Tasks, links: &[Link], execution: &Execution) {
        self.links.clear();
        self.links.extend_from_slice(links);
        self.len = tasks.events.len();
        self.past.reset(self.len);
        self.fixed.reset(self.len);
        self.cones.clear();
        self.conflicts.clear();
        self.starts.clear();
        // A cell may be something else in each execution.
        self.locks.clear();
        for access in &execution.accesses {
            self.note(access.cell, access.takes_lock() && access.merely_locks);
        }
        let mut last_of: Vec<u32> = vec![NONE; tasks.current.len()];
        for index in 0..self.len as u32 {
            let event = &tasks.events[index as usize];
            let process = event.step.process;
            let mut sum = self.fix(tasks, index, last_of[process.index()]);
            last_of[process.index()] = index;
            self.starts.push(self.conflicts.len() as u32);
            let accesses = execution.accesses_of(index as usize);
            let mut found = std::mem::take(&mut self.scratch);
            self.collect(execution, accesses, process, |_| true, &mut found);
            let mut row = Bits(self.fixed.row(index).to_vec());
            for with in &found {
                let is_immediate = !row.contains(*with);
                if is_immediate {
                    bits::join(&mut row.0, self.past.row(*with));
                    row.insert(*with);
                    sum.add_conflict(self.cones[*with as usize]);
                }
                self.conflicts.push(Conflict { with: *with, is_immediate });
                self.past.join(index, *with);
            }
            self.scratch = found;
            self.cones.push(sum.finish());
        }
        self.starts.push(self.conflicts.len() as u32);
    }

    fn note(&mut self, cell: CellId, is_lock: bool) {
        let cell = cell.0 as usize;
        if self.locks.len() <= cell {
            self.locks.resize(cell + 1, false);
        }
        self.locks[cell] |= is_lock;
    }

    fn is_lock(&self, cell: CellId) -> bool {
        self.locks.get(cell.0 as usize).copied().unwrap_or(false)
    }

    pub(super) fn conflicts_of(&self, event: u32) -> &[Conflict] {
        let (start, end) = (self.starts[event as usize], self.starts[event as usize + 1]);
        &self.conflicts[start as usize..end as usize]
    }

    fn put(&mut self, into: u32, from: u32) {
        if from != NONE {
            self.past.join(into, from);
        }
    }

    /// Computes what happens before an event whatever it accesses. `last` is the previous event of its
    /// process.
    fn fix(&mut self, tasks: &Tasks, index: u32, last: u32) -> ConeSum {
        let event = &tasks.events[index as usize];
        let task = &tasks.tasks[event.task as usize];
        let process = event.step.process;
        let mut sum = ConeSum::new(task.name, event.number, event.step.choice);
        let previous = match event.number.checked_sub(1) {
            Some(previous) => task.events[previous as usize],
            None => NONE,
        };
        if previous != NONE {
            self.put(index, previous);
            sum.add(Why::Task, self.cones[previous as usize]);
        } else if task.is_handler {
            self.put(index, task.post);
            sum.add(Why::Post, self.cones[task.post as usize]);
            let own = &tasks.tasks[tasks.own(process) as usize].events;
            if let Some(own) = own.iter().rev().find(|own| **own < index) {
                self.put(index, *own);
                sum.add(Why::Loop, self.cones[*own as usize]);
            }
            // The queue is FIFO.
            for other in tasks.called(process) {
                let other = &tasks.tasks[other as usize];
                if other.begin() < index && self.past.has(task.post, other.post) {
                    self.put(index, other.last());
                }
            }
        }
        let resumes = !task.is_handler && previous != NONE && tasks.events[previous as usize].ends;
        if resumes {
            for other in tasks.called(process) {
                let other = &tasks.tasks[other as usize];
                if other.last() < index {
                    self.put(index, other.last());
                    sum.add(Why::Handlers, self.cones[other.last() as usize]);
                }
            }
        }
        let since = if last == NONE { 0 } else { last };
        for i in 0..self.links.len() {
            let link = self.links[i];
            if link.to == process && link.is_between(since, index) {
                self.put(index, link.from);
                sum.add(Why::Link, self.cones[link.from as usize]);
            }
        }
        let row = Bits(self.past.row(index).to_vec());
        for before in row.iter() {
            self.fixed.insert(index, before);
        }
        sum
    }

    /// Returns what would happen before the next event of a process, whatever it touches.
    pub(super) fn fix_next(
        &self,
        tasks: &Tasks,
        process: ProcessId,
        task: u32,
        choice: u32,
    ) -> (Bits, ConeSum) {
        let state = &tasks.tasks[task as usize];
        let mut fixed = Bits::none(self.len);
        let mut sum = ConeSum::new(state.name, state.events.len() as u32, choice);
        let mut put = |why: Why, from: u32, sum: &mut ConeSum| {
            bits::join(&mut fixed.0, self.past.row(from));
            fixed.insert(from);
            sum.add(why, self.cones[from as usize]);
        };
        if state.last() != NONE {
            put(Why::Task, state.last(), &mut sum);
        } else if state.is_handler {
            put(Why::Post, state.post, &mut sum);
            let own = tasks.tasks[tasks.own(process) as usize].last();
            if own != NONE {
                put(Why::Loop, own, &mut sum);
            }
        }
        let last = tasks.events.iter().rposition(|event| event.step.process == process);
        for link in &self.links {
            if link.to == process && link.is_between(last.unwrap_or(0) as u32, self.len as u32) {
                put(Why::Link, link.from, &mut sum);
            }
        }
        (fixed, sum)
    }

    /// Returns the cone of an event without what it is in conflict with.
    pub(super) fn cone_without_conflicts(&self, tasks: &Tasks, index: u32, choice: u32) -> ConeSum {
        let event = &tasks.events[index as usize];
        let task = &tasks.tasks[event.task as usize];
        let process = event.step.process;
        let mut sum = ConeSum::new(task.name, event.number, choice);
        let last = (0..index).rev().find(|e| tasks.events[*e as usize].step.process == process);
        let previous = event.number.checked_sub(1).map(|previous| task.events[previous as usize]);
        if let Some(previous) = previous {
            sum.add(Why::Task, self.cones[previous as usize]);
        } else if task.is_handler {
            sum.add(Why::Post, self.cones[task.post as usize]);
            let own = &tasks.tasks[tasks.own(process) as usize].events;
            if let Some(own) = own.iter().rev().find(|own| **own < index) {
                sum.add(Why::Loop, self.cones[*own as usize]);
            }
        }
        if !task.is_handler && previous.is_some_and(|p| tasks.events[p as usize].ends) {
            for other in tasks.called(process) {
                let other = &tasks.tasks[other as usize];
                if other.last() < index {
                    sum.add(Why::Handlers, self.cones[other.last() as usize]);
                }
            }
        }
        for link in &self.links {
            if link.to == process && link.is_between(last.unwrap_or(0), index) {
                sum.add(Why::Link, self.cones[link.from as usize]);
            }
        }
        sum
    }

    /// Collects the events that some accesses of a process are in conflict with, latest first: on each
    /// cell up to one that all earlier ones happen before. Only events that `counts` accepts count.
    pub(super) fn collect(
        &self,
        execution: &Execution,
        accesses: &[Access],
        process: ProcessId,
        counts: impl Fn(u32) -> bool,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        for new in accesses {
            let is_lock = self.is_lock(new.cell);
            let mut owner_seen = None;
            let mut next = new.previous;
            while next != NO_EVENT {
                let access = &execution.accesses[next as usize];
                next = access.previous;
                if access.event == new.event || !counts(access.event) {
                    continue;
                }
                if !dependence::depend_in_tasks(access.op, new.op) {
                    continue;
                }
                let owner = execution.event(access.event as usize).step.process;
                if is_lock {
                    // Handlers of one process do not contend for a lock, so their operations are not
                    // ordered.
                    if owner == process {
                        continue;
                    }
                    found.push(access.event);
                    if dependence::is_barrier(access.op) {
                        match owner_seen {
                            Some(other) if other != owner => break,
                            _ => owner_seen = Some(owner),
                        }
                    }
                } else {
                    found.push(access.event);
                    if dependence::is_barrier(access.op) {
                        break;
                    }
                }
            }
        }
        found.sort_unstable_by_key(|event| std::cmp::Reverse(*event));
        found.dedup();
    }

    /// Removes an event, and all events that happen after it, from a set.
    pub(super) fn cut(&self, set: &mut Bits, event: u32) {
        for later in event..self.len as u32 {
            if set.contains(later) && (later == event || self.past.has(later, event)) {
                set.remove(later);
            }
        }
    }
}
