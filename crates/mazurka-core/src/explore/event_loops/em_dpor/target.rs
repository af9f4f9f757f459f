//! Where to backtrack, and with which process: `FindTarget` and `ReschedulePending`, Algorithms 2 and 3.

use super::EmDpor;
use super::sets::ProcessSet;
use crate::execution::Execution;
use crate::explore::event_loops::tasks::NONE;
use crate::model::ProcessId;

/// The transition `r'` that is to be moved before another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Second {
    /// An event of the execution.
    Event(u32),
    /// The next transition of a process.
    Pending {
        process: ProcessId,
        task: u32,
        /// The clock of its task.
        past: u32,
        /// An event that counts as happening before it, or [`NONE`]; see line 6 of Algorithm 5.
        after: u32,
    },
}

impl Second {
    /// Returns the same transition, with an event that counts as happening before it.
    pub(super) fn after(self, event: u32) -> Self {
        match self {
            Second::Event(_) => self,
            Second::Pending { process, task, past, .. } => {
                Second::Pending { process, task, past, after: event }
            }
        }
    }
}

impl EmDpor {
    fn process_of(&self, second: Second) -> ProcessId {
        match second {
            Second::Event(event) => self.history.events[event as usize].process,
            Second::Pending { process, .. } => process,
        }
    }

    fn task_of(&self, second: Second) -> u32 {
        match second {
            Second::Event(event) => self.history.events[event as usize].task,
            Second::Pending { task, .. } => task,
        }
    }

    /// Returns the task that a transition posts, or [`NONE`].
    fn posted_by(&self, second: Second) -> u32 {
        match second {
            Second::Event(event) => self.history.tasks.events[event as usize].posts,
            Second::Pending { .. } => NONE,
        }
    }

    /// Computes the clock of what happens before a transition, into `self.scratch.clock`.
    fn clock_of(&mut self, second: Second) {
        let clock = &mut self.scratch.clock;
        clock.clear();
        let (row, after) = match second {
            Second::Event(event) => (self.history.events[event as usize].row, NONE),
            Second::Pending { past, after, .. } => (past, after),
        };
        match row {
            NONE => clock.resize(self.history.tasks.tasks.len(), 0),
            row => clock.extend_from_slice(self.history.rows.get(row)),
        }
        if after != NONE {
            let row = self.history.rows.get(self.history.events[after as usize].row);
            for (mine, theirs) in clock.iter_mut().zip(row) {
                *mine = (*mine).max(*theirs);
            }
        }
    }

    /// `FindTarget(w, r_i, r')`.
    pub(super) fn find_target(&mut self, execution: &Execution, i: u32, second: Second) {
        let first = self.history.events[i as usize];
        if let Second::Event(event) = second
            && self.history.happens_before(i, event)
        {
            return; // line 2
        }
        if first.process == self.process_of(second) {
            // Step 1: reorder the posts of their handlers. Without posts their order is fixed.
            let posts = [first.task, self.task_of(second)];
            let [one, other] = posts.map(|task| self.history.task(task).post);
            if one != NONE && other != NONE && one != other {
                self.find_target(execution, one, Second::Event(other)); // line 4
            }
            return;
        }
        // Step 2: candidates are the tasks that lead to r', and the task of r' itself.
        self.clock_of(second);
        let point = &self.points[i as usize];
        let is_candidate = |task: u32| {
            let process = self.history.task(task).process;
            if !process.is_some_and(|process| point.enabled.contains(process)) {
                return false;
            }
            let last = self.history.last_in(task, &self.scratch.clock);
            (last != NONE && last > i) || task == self.task_of(second)
        };
        let tasks = 0..self.history.tasks.tasks.len() as u32;
        let mut threads = ProcessSet::default();
        let mut pending = NONE;
        for task in tasks.filter(|task| is_candidate(*task)) {
            let Some(process) = self.history.task(task).process else { continue };
            threads.insert(process);
            if pending == NONE && self.history.is_blocked(task, i) {
                pending = task;
            }
        }
        let mut unexplored = threads.clone();
        unexplored.remove_all(&point.done); // line 12
        if !unexplored.is_empty() {
            self.add_any(i, &unexplored); // line 14
            self.record_pair(i, second); // line 15
        } else if pending != NONE {
            self.reschedule_pending(execution, i, pending); // line 18
        } else if !threads.is_empty() {
            self.add_any(i, &threads); // line 21
            self.record_pair(i, second);
        } else {
            self.backtrack_eager(execution, i, second);
        }
    }

    /// Adds one of some processes to the backtrack set before an event: the lowest, unless one is in it.
    pub(super) fn add_any(&mut self, event: u32, of: &ProcessSet) {
        let point = &mut self.points[event as usize];
        if point.backtrack.first_common(of).is_none()
            && let Some(process) = of.first()
        {
            point.backtrack.insert(process);
        }
    }

    /// Adds two transitions to `RP`, if both are posts.
    pub(super) fn record_pair(&mut self, i: u32, second: Second) {
        let pair = (self.history.tasks.events[i as usize].posts, self.posted_by(second));
        let reordered = &mut self.points[i as usize].reordered;
        if pair.0 != NONE && pair.1 != NONE && !reordered.contains(&pair) {
            reordered.push(pair);
        }
    }

    /// `ReschedulePending(w, pending, r_i)`, where `first` is any of `pending`.
    fn reschedule_pending(&mut self, execution: &Execution, i: u32, first: u32) {
        // Step 3a. Pairs of a process and a blocked event that it should handle earlier.
        let mut swaps: Vec<(ProcessId, u32)> = Vec::new();
        let mut worklist = Vec::new();
        let Some(process) = self.history.task(first).process else { return };
        swaps.push((process, first));
        worklist.push(self.history.executable(process, i));
        // Step 3b. Blocked events that lead to the blocking ones.
        let mut next = 0;
        while let Some(executable) = worklist.get(next).copied() {
            next += 1;
            if executable == NONE {
                continue;
            }
            let end = self.history.task(executable).last();
            if end == NONE {
                continue;
            }
            let row = self.history.events[end as usize].row;
            for task in 0..self.history.tasks.tasks.len() as u32 {
                let Some(process) = self.history.task(task).process else { continue };
                let leads_up = self.history.last_in(task, self.history.rows.get(row)) != NONE;
                if !leads_up
                    || !self.points[i as usize].done.contains(process)
                    || !self.history.is_blocked(task, i)
                {
                    continue;
                }
                let executable = self.history.executable(process, i);
                if !worklist.contains(&executable) {
                    worklist.push(executable);
                }
                if !swaps.contains(&(process, task)) {
                    swaps.push((process, task));
                }
            }
        }
        // Step 3c. For each process, reorder the post of one blocked event with the executable one.
        swaps.sort_by_key(|(process, _)| *process);
        swaps.dedup_by_key(|(process, _)| *process);
        for (process, blocked) in swaps {
            let executable = self.history.executable(process, i);
            if executable == NONE {
                continue;
            }
            let [one, other] = [executable, blocked].map(|task| self.history.task(task).post);
            if one != NONE && other != NONE {
                self.find_target(execution, one, Second::Event(other));
            }
        }
    }
}
