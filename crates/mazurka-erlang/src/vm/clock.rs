//! Time.
//!
//! Each process has a clock of its own, in milliseconds. The clock advances by one whenever the process
//! reads it, and by the time limit of a receive that times out. When a process receives a message, is
//! created, or reads a cell that another process wrote, its clock is set to the clock of the other
//! process, if that is later. So time is monotonic along happens-before.
//!
//! A clock depends only on the events that happen before, so independent steps can be taken in either
//! order. Programs that never ask for the time have no clocks: see [`Lessons`](super::Lessons).

use std::sync::atomic::Ordering;

use mazurka_core::model::Lesson;

use super::Vm;
use super::undo::Undo;

impl Vm {
    /// Advances the clock of the running process by a millisecond, and returns its time.
    pub(crate) fn look_at_clock(&mut self) -> u64 {
        if !self.times {
            self.times = true;
            self.lessons.times.store(true, Ordering::Relaxed);
            self.lesson = Some(Lesson::Times);
        }
        let me = self.me_mut();
        me.ticks += 1;
        me.ticks
    }

    /// Advances the clock of the running process by a time limit, if there is one.
    pub(crate) fn pass_time(&mut self, milliseconds: Option<i64>) {
        if self.times {
            let milliseconds = milliseconds.and_then(|time| u64::try_from(time).ok());
            self.me_mut().ticks += milliseconds.unwrap_or(0);
        }
    }

    /// Sets the clock of the running process to a time, unless it is later.
    pub(crate) fn advance_clock(&mut self, ticks: u64) {
        let me = self.me_mut();
        me.ticks = me.ticks.max(ticks);
    }

    /// Sets the clock of the running process to the last time at which the cell with this number was
    /// written, unless it is later.
    pub(crate) fn read_clock(&mut self, cell: usize) {
        if let Some(&written) = self.cell_clocks.get(cell) {
            self.advance_clock(written);
        }
    }

    /// Notes that the running process writes to the cell with this number.
    pub(crate) fn write_clock(&mut self, cell: usize) {
        let now = self.me().ticks;
        if self.cell_clocks.len() <= cell {
            self.cell_clocks.resize(cell + 1, 0);
        }
        let before = self.cell_clocks[cell];
        if before < now {
            self.cell_clocks[cell] = now;
            self.log(Undo::Clock(cell as u32, before));
        }
    }
}
