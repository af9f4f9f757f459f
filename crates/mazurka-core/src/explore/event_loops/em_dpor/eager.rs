//! `BacktrackEager`, Algorithm 4: reordering posts as DPOR does, as if posts to one queue were dependent.

use super::EmDpor;
use super::history::History;
use super::sets::ProcessSet;
use super::target::Second;
use crate::execution::Execution;
use crate::explore::event_loops::tasks::NONE;

/// The extended happens-before relation `⇝`, as clocks of all events of the execution.
#[derive(Debug, Default)]
pub(super) struct ExtendedOrder {
    rows: Vec<u32>,
    width: usize,
    /// Pairs of posts that count as dependent.
    edges: Vec<(u32, u32)>,
}

impl ExtendedOrder {
    fn row(&self, event: u32) -> &[u32] {
        let start = event as usize * self.width;
        &self.rows[start..start + self.width]
    }

    fn join(&mut self, into: u32, from: u32) {
        let (into, from) = (into as usize * self.width, from as usize * self.width);
        for i in 0..self.width {
            self.rows[into + i] = self.rows[into + i].max(self.rows[from + i]);
        }
    }

    fn happens_before(&self, history: &History, i: u32, k: u32) -> bool {
        let event = &history.events[i as usize];
        self.row(k)[event.task as usize] >= event.number
    }

    /// Closes the relation by transitivity and FIFO, from the event `from` on.
    fn close(&mut self, history: &History, from: u32) {
        self.width = history.tasks.tasks.len();
        let len = history.events.len();
        self.rows.resize(len * self.width, 0);
        for event in from..len as u32 {
            let at = &history.events[event as usize];
            let start = event as usize * self.width;
            // `⇝` contains happens-before.
            self.rows[start..start + self.width]
                .copy_from_slice(&history.rows.get(at.row)[..self.width]);
            let task = &history.task(at.task);
            let place = task.events.partition_point(|other| *other < event);
            if let Some(previous) = place.checked_sub(1) {
                self.join(event, task.events[previous]);
            }
            for predecessor in history.predecessors_of(event as usize) {
                self.join(event, *predecessor);
            }
            for edge in 0..self.edges.len() {
                if self.edges[edge].1 == event {
                    self.join(event, self.edges[edge].0);
                }
            }
            if place == 0 && task.post != NONE {
                // The FIFO rule.
                let queue = history.queue_of_event(task.post);
                for call in queue.calls.iter().take_while(|call| **call < event) {
                    let handler = history.events[*call as usize].task;
                    let end = history.task(handler).last();
                    if self.row(task.post)[handler as usize] > 0 && end < event {
                        self.join(event, end);
                    }
                }
            }
        }
    }
}

impl EmDpor {
    /// `BacktrackEager(w, i, r')`.
    pub(super) fn backtrack_eager(&mut self, _execution: &Execution, i: u32, second: Second) {
        let mut rows = std::mem::take(&mut self.scratch.eager);
        rows.edges.clear();
        rows.close(&self.history, 0); // line 1
        let mut is_ordered = false;
        for k in 1..i {
            let process = self.history.events[k as usize].process;
            if self.history.tasks.events[k as usize].posts == NONE {
                continue;
            }
            let posts = &self.history.queue_of_event(k).posts;
            let nearest =
                posts.iter().rev().find(|j| **j < k && !rows.happens_before(&self.history, **j, k));
            let Some(j) = nearest.copied() else { continue }; // line 4
            let leads_up = |l: u32| rows.happens_before(&self.history, l, k);
            let threads = self.threads_between(j, k, process, leads_up); // line 5
            self.add_any_or_all(j, &threads); // line 6
            self.record_pair(j, Second::Event(k)); // line 7
            rows.edges.push((j, k));
            rows.close(&self.history, k); // line 8
            if self.is_ordered_by(&rows, i, second) {
                is_ordered = true; // line 9
                break;
            }
        }
        if !is_ordered {
            let process = match second {
                Second::Event(event) => self.history.events[event as usize].process,
                Second::Pending { process, .. } => process,
            };
            let end = self.history.events.len() as u32;
            let leads_up = |l: u32| self.is_ordered_by(&rows, l, second);
            let threads = self.threads_between(i, end, process, leads_up); // lines 13 to 17
            self.add_any_or_all(i, &threads); // lines 18 and 19
            self.record_pair(i, second); // line 20
        }
        self.scratch.eager = rows;
    }

    /// Returns whether `event ⇝ second`.
    fn is_ordered_by(&self, rows: &ExtendedOrder, event: u32, second: Second) -> bool {
        match second {
            Second::Event(later) => {
                event != later && rows.happens_before(&self.history, event, later)
            }
            Second::Pending { task, past, .. } => {
                let last = self.history.task(task).last();
                match last {
                    NONE => self.history.is_in(event, past),
                    last => rows.happens_before(&self.history, event, last),
                }
            }
        }
    }

    /// Returns the processes that are enabled before the event `j`, and that are `process` or have an event
    /// between `j` and `k` that leads to `k`.
    fn threads_between(
        &self,
        j: u32,
        k: u32,
        process: crate::model::ProcessId,
        leads_up: impl Fn(u32) -> bool,
    ) -> ProcessSet {
        let enabled = &self.points[j as usize].enabled;
        let mut threads = ProcessSet::default();
        if enabled.contains(process) {
            threads.insert(process);
        }
        for l in j + 1..k {
            let owner = self.history.events[l as usize].process;
            if enabled.contains(owner) && !threads.contains(owner) && leads_up(l) {
                threads.insert(owner);
            }
        }
        threads
    }

    fn add_any_or_all(&mut self, event: u32, threads: &ProcessSet) {
        if threads.is_empty() {
            let point = &mut self.points[event as usize];
            let enabled = point.enabled.clone();
            point.backtrack.extend(&enabled);
        } else {
            self.add_any(event, threads);
        }
    }
}
