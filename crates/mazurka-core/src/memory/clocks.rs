//! The vector clocks of a graph.

/// The clocks that an event has. A clock says how many of each process's events it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    /// What is before the event in program order, edges included.
    ProgramOrder,
    /// What is before it in `(po ∪ rf)⁺`.
    Prefix,
    /// What happens before it.
    HappensBefore,
    /// Of a write: what happens before a read that acquires from it.
    Released,
    /// What the process has read without acquiring it: an acquire fence does so.
    Acquirable,
    /// What happened before the process's last release fence.
    Fenced,
}

/// How many clocks an event has.
pub(super) const ROWS: usize = 6;

/// The clocks of all events, one after the other. It grows and shrinks like a stack.
#[derive(Clone, Default, Debug)]
pub(super) struct Clocks {
    words: Vec<u32>,
    /// How many processes a clock covers.
    width: usize,
    /// How many blocks of [`ROWS`] clocks there are.
    blocks: usize,
}

impl Clocks {
    /// Makes room for so many processes.
    #[inline]
    pub(super) fn widen(&mut self, processes: usize) {
        if processes > self.width {
            self.widen_to(processes);
        }
    }

    #[cold]
    fn widen_to(&mut self, processes: usize) {
        let width = processes.next_power_of_two().max(4);
        let rows = self.words.len().checked_div(self.width).unwrap_or(0);
        let mut words = vec![0; rows * width];
        for row in 0..rows {
            let old = &self.words[row * self.width..][..self.width];
            words[row * width..][..self.width].copy_from_slice(old);
        }
        (self.words, self.width) = (words, width);
    }

    /// Makes this a copy of the first `blocks` of others.
    pub(super) fn copy_prefix(&mut self, other: &Clocks, blocks: usize) {
        self.words.clear();
        self.words.extend_from_slice(&other.words[..blocks * ROWS * other.width]);
        (self.width, self.blocks) = (other.width, blocks);
    }

    /// Appends a block of clocks that cover nothing.
    #[inline]
    pub(super) fn push(&mut self) -> usize {
        self.words.resize(self.words.len() + ROWS * self.width, 0);
        self.blocks += 1;
        self.blocks - 1
    }

    /// Appends a copy of a block.
    #[inline]
    pub(super) fn push_copy(&mut self, block: usize) -> usize {
        let len = ROWS * self.width;
        self.words.extend_from_within(block * len..(block + 1) * len);
        self.blocks += 1;
        self.blocks - 1
    }

    /// Makes a clock cover nothing.
    #[inline]
    pub(super) fn clear(&mut self, block: usize, row: Row) {
        let at = self.at(block, row);
        self.words[at..at + self.width].fill(0);
    }

    /// Forgets all but the first `blocks`.
    pub(super) fn truncate(&mut self, blocks: usize) {
        self.words.truncate(blocks * ROWS * self.width);
        self.blocks = self.blocks.min(blocks);
    }

    /// Appends a copy of a block of another graph.
    pub(super) fn push_from(&mut self, other: &Clocks, block: usize) {
        debug_assert_eq!(self.width, other.width);
        let len = ROWS * self.width;
        self.words.extend_from_slice(&other.words[block * len..][..len]);
        self.blocks += 1;
    }

    #[inline]
    fn at(&self, block: usize, row: Row) -> usize {
        (block * ROWS + row as usize) * self.width
    }

    #[inline]
    pub(super) fn get(&self, block: usize, row: Row, process: usize) -> u32 {
        match process < self.width {
            true => self.words[self.at(block, row) + process],
            false => 0,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, block: usize, row: Row, process: usize, value: u32) {
        let at = self.at(block, row) + process;
        self.words[at] = value;
    }

    /// Makes a clock cover what a clock of another graph, or of edges, covers.
    pub(super) fn join_from(&mut self, to: (usize, Row), (other, from): (&Clocks, (usize, Row))) {
        debug_assert_eq!(self.width, other.width);
        let (to, from) = (self.at(to.0, to.1), other.at(from.0, from.1));
        let to = &mut self.words[to..to + self.width];
        for (to, from) in to.iter_mut().zip(&other.words[from..from + self.width]) {
            *to = (*to).max(*from);
        }
    }

    /// Makes a clock cover what another one covers.
    #[inline]
    pub(super) fn join(&mut self, to: (usize, Row), from: (usize, Row)) {
        let (to, from) = (self.at(to.0, to.1), self.at(from.0, from.1));
        let (low, high) = self.words.split_at_mut(to.max(from));
        let (to, from) = match to < from {
            true => (&mut low[to..to + self.width], &high[..self.width]),
            false => (&mut high[..self.width], &low[from..from + self.width]),
        };
        for (to, from) in to.iter_mut().zip(from) {
            *to = (*to).max(*from);
        }
    }
}
