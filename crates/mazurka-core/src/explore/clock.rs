//! Vector clocks, in one arena.

/// A clock in a [`Clocks`] arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ClockId(u32);

/// Vector clocks of equal width, allocated and freed like a stack.
///
/// Component `p` of an event's clock is the number of events of process `p` that happen before
/// it, itself included. So an event, the `n`-th of its process `p`, happens before another one
/// exactly if component `p` of the other's clock is at least `n`.
#[derive(Debug)]
pub(crate) struct Clocks {
    width: usize,
    words: Vec<u32>,
}

impl Clocks {
    /// The clock of a process that has seen nothing.
    pub(crate) const ZERO: ClockId = ClockId(0);

    pub(crate) fn new() -> Self {
        let width = 4;
        Clocks { width, words: vec![0; width] }
    }

    fn start(&self, clock: ClockId) -> usize {
        clock.0 as usize * self.width
    }

    #[inline]
    pub(crate) fn of(&self, clock: ClockId) -> &[u32] {
        let start = self.start(clock);
        &self.words[start..start + self.width]
    }

    #[inline]
    pub(crate) fn component(&self, clock: ClockId, process: usize) -> u32 {
        self.words[self.start(clock) + process]
    }

    #[inline]
    pub(crate) fn set(&mut self, clock: ClockId, process: usize, events: u32) {
        let start = self.start(clock);
        self.words[start + process] = events;
    }

    /// Allocates a copy of a clock.
    #[inline]
    pub(crate) fn copy(&mut self, clock: ClockId) -> ClockId {
        let start = self.start(clock);
        let copy = self.next();
        self.words.extend_from_within(start..start + self.width);
        copy
    }

    /// Allocates a clock with these components.
    pub(crate) fn add(&mut self, components: &[u32]) -> ClockId {
        debug_assert_eq!(components.len(), self.width);
        let clock = self.next();
        self.words.extend_from_slice(components);
        clock
    }

    /// The clock that is allocated next.
    #[inline]
    pub(crate) fn next(&self) -> ClockId {
        ClockId((self.words.len() / self.width) as u32)
    }

    /// Lets `later`, which was allocated after `earlier`, include it.
    #[inline]
    pub(crate) fn join(&mut self, later: ClockId, earlier: ClockId) {
        debug_assert!(earlier < later);
        let start = self.start(later);
        let (head, tail) = self.words.split_at_mut(start);
        let from = earlier.0 as usize * self.width;
        join(&mut tail[..self.width], &head[from..from + self.width]);
    }

    /// Frees this clock and all that were allocated after it.
    pub(crate) fn free_from(&mut self, clock: ClockId) {
        let start = self.start(clock);
        self.words.truncate(start);
    }

    /// Makes room for so many processes.
    pub(crate) fn widen(&mut self, processes: usize) {
        if processes <= self.width {
            return;
        }
        let width = processes.next_power_of_two();
        let mut words = Vec::with_capacity(self.words.len() / self.width * width);
        for clock in self.words.chunks_exact(self.width) {
            words.extend_from_slice(clock);
            words.resize(words.len() + width - self.width, 0);
        }
        self.words = words;
        self.width = width;
    }
}

/// Lets one clock include another.
#[inline]
pub(crate) fn join(into: &mut [u32], from: &[u32]) {
    for (mine, theirs) in into.iter_mut().zip(from) {
        *mine = (*mine).max(*theirs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widening_keeps_what_is_there() {
        let mut clocks = Clocks::new();
        let clock = clocks.copy(Clocks::ZERO);
        clocks.set(clock, 3, 7);
        clocks.widen(100);
        assert_eq!(clocks.component(clock, 3), 7);
        assert_eq!(clocks.component(clock, 99), 0);
        assert_eq!(clocks.component(Clocks::ZERO, 3), 0);
    }

    #[test]
    fn a_join_takes_the_larger_components() {
        let mut clocks = Clocks::new();
        let a = clocks.copy(Clocks::ZERO);
        clocks.set(a, 0, 2);
        let b = clocks.copy(Clocks::ZERO);
        clocks.set(b, 1, 5);
        clocks.join(b, a);
        assert_eq!(clocks.of(b), [2, 5, 0, 0]);
    }
}
