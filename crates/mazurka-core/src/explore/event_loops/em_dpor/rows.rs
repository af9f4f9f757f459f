//! Clocks of section 4, one row for each event that changes what a task knows.
//!
//! A clock has one component for each *task*, rather than for each process, since handlers of one
//! process are not ordered by program order. Rows are allocated and freed like a stack.

use crate::explore::event_loops::tasks::NONE;

/// The clocks of an execution.
#[derive(Debug, Default)]
pub(super) struct Rows {
    words: Vec<u32>,
    /// How many components a row has.
    stride: usize,
}

impl Rows {
    /// Returns a row: for each task how many of its events happen before.
    pub(super) fn get(&self, row: u32) -> &[u32] {
        let start = row as usize * self.stride;
        &self.words[start..start + self.stride]
    }

    /// Returns one component of a row.
    #[inline]
    pub(super) fn component(&self, row: u32, task: u32) -> u32 {
        self.words[row as usize * self.stride + task as usize]
    }

    pub(super) fn set(&mut self, row: u32, task: u32, number: u32) {
        self.words[row as usize * self.stride + task as usize] = number;
    }

    /// Adds a copy of the row `from`, or a row of zeros if that is [`NONE`].
    pub(super) fn push(&mut self, from: u32) -> u32 {
        let row = self.words.len().checked_div(self.stride).unwrap_or(0) as u32;
        if from == NONE {
            self.words.resize(self.words.len() + self.stride, 0);
        } else {
            let start = from as usize * self.stride;
            self.words.extend_from_within(start..start + self.stride);
        }
        row
    }

    /// Joins an earlier row into a later one.
    #[inline]
    pub(super) fn join(&mut self, into: u32, from: u32) {
        let stride = self.stride;
        let (into, from) = (into as usize * stride, from as usize * stride);
        debug_assert!(from < into);
        let (before, after) = self.words.split_at_mut(into);
        for (a, b) in after[..stride].iter_mut().zip(&before[from..from + stride]) {
            *a = (*a).max(*b);
        }
    }

    /// Makes room for this many tasks.
    pub(super) fn widen(&mut self, tasks: usize) {
        if tasks <= self.stride {
            return;
        }
        let stride = (tasks + 8).next_multiple_of(8);
        let words = std::mem::take(&mut self.words);
        for row in words.chunks(self.stride.max(1)) {
            self.words.extend_from_slice(row);
            self.words.resize(self.words.len() + stride - self.stride, 0);
        }
        self.stride = stride;
    }

    /// Frees a row and all rows that were added after it.
    pub(super) fn free_from(&mut self, row: u32) {
        self.words.truncate(row as usize * self.stride);
    }
}
