//! Relations between the events of a graph, as matrices of bits.

use super::EventId;

/// A relation between the events of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    size: usize,
    /// How many words a row has.
    words: usize,
    rows: Vec<u64>,
}

impl Relation {
    /// Returns the empty relation between so many events.
    pub(super) fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Relation { size, words, rows: vec![0; size * words] }
    }

    pub(super) fn has(&self, a: EventId, b: EventId) -> bool {
        self.rows[a as usize * self.words + b as usize / 64] >> (b % 64) & 1 != 0
    }

    pub(super) fn add(&mut self, a: EventId, b: EventId) {
        self.rows[a as usize * self.words + b as usize / 64] |= 1 << (b % 64);
    }

    /// Returns the events that are related to `b`.
    pub(super) fn column(&self, b: EventId) -> impl Iterator<Item = EventId> + '_ {
        (0..self.size as EventId).filter(move |a| self.has(*a, b))
    }

    /// Closes the relation between some events under transitivity. Returns whether that adds pairs.
    pub(super) fn close(&mut self, events: &[EventId]) -> bool {
        let mut added = false;
        for &via in events {
            for &from in events.iter().filter(|from| **from != via) {
                if !self.has(from, via) {
                    continue;
                }
                for word in 0..self.words {
                    let reached = self.rows[via as usize * self.words + word];
                    let row = &mut self.rows[from as usize * self.words + word];
                    added |= reached & !*row != 0;
                    *row |= reached;
                }
            }
        }
        added
    }

    /// Returns whether the relation has no cycle.
    pub(super) fn is_acyclic(&self) -> bool {
        // Depth first: 1 is on the path, 2 is done.
        let mut states = vec![0u8; self.size];
        let mut path: Vec<(usize, usize)> = Vec::new();
        for start in 0..self.size {
            if states[start] != 0 {
                continue;
            }
            states[start] = 1;
            path.push((start, 0));
            while let Some((at, from)) = path.last_mut() {
                let next = (*from..self.size)
                    .find(|to| states[*to] != 2 && self.has(*at as EventId, *to as EventId));
                match next {
                    Some(to) if states[to] == 1 => return false,
                    Some(to) => {
                        *from = to + 1;
                        states[to] = 1;
                        path.push((to, 0));
                    }
                    None => {
                        states[*at] = 2;
                        path.pop();
                    }
                }
            }
        }
        true
    }
}
