//! Vector clocks, in one arena.

/// A clock in a [`Clocks`] arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ClockId(u32);

/// The number of components that are copied and compared at once. Most programs have no more
/// processes.
const LANES: usize = 8;

/// Vector clocks of equal width, allocated and freed like a stack.
///
/// Component `p` of the clock of an event is the number of events of process `p` that happen before
/// it, including the event itself. The `n`-th event of process `p` happens before another event if
/// and only if component `p` of the other's clock is at least `n`.
#[derive(Debug)]
pub(crate) struct Clocks {
    /// The number of chunks of each clock.
    width: usize,
    /// The number of allocated clocks.
    count: u32,
    chunks: Vec<[u32; LANES]>,
}

impl Clocks {
    /// The clock of a process with an empty past.
    pub(crate) const ZERO: ClockId = ClockId(0);

    pub(crate) fn new() -> Self {
        Clocks { width: 1, count: 1, chunks: vec![[0; LANES]] }
    }

    #[inline]
    fn start(&self, clock: ClockId) -> usize {
        clock.0 as usize * self.width
    }

    #[inline]
    pub(crate) fn of(&self, clock: ClockId) -> &[u32] {
        let start = self.start(clock);
        self.chunks[start..start + self.width].as_flattened()
    }

    #[inline]
    pub(crate) fn component(&self, clock: ClockId, process: usize) -> u32 {
        self.chunks[self.start(clock) + process / LANES][process % LANES]
    }

    /// Returns a function that reads the component of one process in a clock. It is faster than
    /// [`component`](Self::component) for many clocks.
    #[inline]
    pub(crate) fn components_of(&self, process: usize) -> impl Fn(ClockId) -> u32 + '_ {
        let (chunk, lane) = (process / LANES, process % LANES);
        move |clock| self.chunks[self.start(clock) + chunk][lane]
    }

    #[inline]
    pub(crate) fn set(&mut self, clock: ClockId, process: usize, events: u32) {
        let start = self.start(clock);
        self.chunks[start + process / LANES][process % LANES] = events;
    }

    /// Allocates a copy of a clock.
    #[inline]
    pub(crate) fn copy(&mut self, clock: ClockId) -> ClockId {
        let copy = self.next();
        match self.width {
            1 => self.chunks.push(self.chunks[clock.0 as usize]),
            _ => self.copy_chunks(clock),
        }
        self.count += 1;
        copy
    }

    // Out of line, because most clocks have one chunk.
    #[inline(never)]
    fn copy_chunks(&mut self, clock: ClockId) {
        let start = self.start(clock);
        self.chunks.extend_from_within(start..start + self.width);
    }

    /// Allocates a clock with these components.
    pub(crate) fn add(&mut self, components: &[u32]) -> ClockId {
        let clock = self.next();
        let (chunks, rest) = components.as_chunks();
        debug_assert!(chunks.len() == self.width && rest.is_empty());
        self.chunks.extend_from_slice(chunks);
        self.count += 1;
        clock
    }

    /// Returns the id of the next clock to be allocated.
    #[inline]
    pub(crate) fn next(&self) -> ClockId {
        ClockId(self.count)
    }

    /// Joins `earlier` into `later`, which must have been allocated after `earlier`.
    #[inline]
    pub(crate) fn join(&mut self, later: ClockId, earlier: ClockId) {
        debug_assert!(earlier < later);
        let start = self.start(later);
        let from = self.start(earlier);
        if self.width == 1 {
            let theirs = self.chunks[from];
            return join_chunk(&mut self.chunks[start], &theirs);
        }
        let (head, tail) = self.chunks.split_at_mut(start);
        for (mine, theirs) in tail[..self.width].iter_mut().zip(&head[from..from + self.width]) {
            join_chunk(mine, theirs);
        }
    }

    /// Frees this clock and all clocks that were allocated after it.
    pub(crate) fn free_from(&mut self, clock: ClockId) {
        let start = self.start(clock);
        self.chunks.truncate(start);
        self.count = clock.0;
    }

    /// Makes room for this many processes.
    pub(crate) fn widen(&mut self, processes: usize) {
        if processes <= self.width * LANES {
            return;
        }
        // Grow by at least one half, so that creating processes one by one takes amortised constant
        // time.
        let width = processes.div_ceil(LANES).max(self.width + self.width / 2);
        let mut chunks = Vec::with_capacity(self.count as usize * width);
        for clock in self.chunks.chunks_exact(self.width) {
            chunks.extend_from_slice(clock);
            chunks.resize(chunks.len() + width - self.width, [0; LANES]);
        }
        self.chunks = chunks;
        self.width = width;
    }
}

#[inline]
fn join_chunk(into: &mut [u32; LANES], from: &[u32; LANES]) {
    for (mine, theirs) in into.iter_mut().zip(from) {
        // No process takes more than `i32::MAX` steps, and baseline SIMD instructions compare only
        // signed integers.
        *mine = (*mine as i32).max(*theirs as i32) as u32;
    }
}

/// Sets each component of `into` to the minimum of both clocks.
#[inline]
pub(crate) fn meet(into: &mut [u32], from: &[u32]) {
    let (mine, my_rest) = into.as_chunks_mut::<LANES>();
    let (theirs, their_rest) = from.as_chunks::<LANES>();
    debug_assert!(my_rest.is_empty() && their_rest.is_empty());
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        for (mine, theirs) in mine.iter_mut().zip(theirs) {
            *mine = (*mine as i32).min(*theirs as i32) as u32;
        }
    }
}

/// Sets each component of `into` to the maximum of both clocks.
#[inline]
pub(crate) fn join(into: &mut [u32], from: &[u32]) {
    let (mine, my_rest) = into.as_chunks_mut();
    let (theirs, their_rest) = from.as_chunks();
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        join_chunk(mine, theirs);
    }
    for (mine, theirs) in my_rest.iter_mut().zip(their_rest) {
        *mine = (*mine).max(*theirs);
    }
}

/// Copies a clock.
#[inline]
pub(crate) fn assign(into: &mut Vec<u32>, from: &[u32]) {
    into.resize(from.len(), 0);
    let (mine, my_rest) = into.as_chunks_mut::<LANES>();
    let (theirs, their_rest) = from.as_chunks();
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine = *theirs;
    }
    my_rest.copy_from_slice(their_rest);
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
        assert_eq!(clocks.of(b)[..4], [2, 5, 0, 0]);
    }
}
