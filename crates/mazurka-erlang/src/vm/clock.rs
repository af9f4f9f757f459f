//! Time.
//!
//! No process can know how much time has passed on the real machine, so each has a clock of its own,
//! in milliseconds. It moves on by one whenever the process looks at it, and by the time limit of a
//! receive that has found nothing. What a process learns from another process happens after what the
//! other one did, so its clock is set to that of the other one if that is later: when it receives a
//! message, when it is created, and when it reads what the other one has written to a cell.
//!
//! A clock depends only on what happens before, so it is the same whichever of two independent steps is
//! taken first. Programs that never look at the time do without: see [`Lessons`](super::Lessons).

use std::sync::atomic::Ordering;

use mazurka_core::model::Lesson;

use super::Vm;
use super::undo::Undo;

impl Vm {
    /// Moves the clock of the running process on by a millisecond, and returns its time.
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

    /// Moves the clock of the running process on by a time limit, if it is one.
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
