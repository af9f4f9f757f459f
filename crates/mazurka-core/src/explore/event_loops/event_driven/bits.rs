//! Sets of events of an execution, one bit each.

/// A set of the events of an execution.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Bits(pub(super) Vec<u64>);

impl Bits {
    /// Returns the first `len` events.
    pub(super) fn all(len: usize) -> Self {
        let mut words = vec![u64::MAX; len.div_ceil(64)];
        if !len.is_multiple_of(64) {
            words[len / 64] = (1 << (len % 64)) - 1;
        }
        Bits(words)
    }

    pub(super) fn none(len: usize) -> Self {
        Bits(vec![0; len.div_ceil(64)])
    }

    #[inline]
    pub(super) fn contains(&self, event: u32) -> bool {
        contains(&self.0, event)
    }

    #[inline]
    pub(super) fn insert(&mut self, event: u32) {
        self.0[event as usize / 64] |= 1 << (event % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, event: u32) {
        self.0[event as usize / 64] &= !(1 << (event % 64));
    }

    /// Returns the events, first to last.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(i as u32 * 64 + bit)
            })
        })
    }
}

#[inline]
pub(super) fn contains(words: &[u64], event: u32) -> bool {
    words[event as usize / 64] >> (event % 64) & 1 == 1
}

#[inline]
pub(super) fn join(into: &mut [u64], from: &[u64]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a |= b;
    }
}

/// Returns whether all of `inner` is in `outer`.
#[inline]
pub(super) fn is_subset(inner: &[u64], outer: &[u64]) -> bool {
    inner.iter().zip(outer).all(|(a, b)| a & !b == 0)
}

/// A set of events for each event.
#[derive(Clone, Default, Debug)]
pub(super) struct Matrix {
    words: usize,
    rows: Vec<u64>,
}

impl Matrix {
    /// Makes room for `len` events, each with an empty set.
    pub(super) fn reset(&mut self, len: usize) {
        self.words = len.div_ceil(64);
        self.rows.clear();
        self.rows.resize(len * self.words, 0);
    }

    pub(super) fn copy_from(&mut self, other: &Matrix) {
        self.words = other.words;
        self.rows.clear();
        self.rows.extend_from_slice(&other.rows);
    }

    #[inline]
    pub(super) fn row(&self, event: u32) -> &[u64] {
        let start = event as usize * self.words;
        &self.rows[start..start + self.words]
    }

    #[inline]
    pub(super) fn has(&self, row: u32, event: u32) -> bool {
        contains(self.row(row), event)
    }

    pub(super) fn insert(&mut self, row: u32, event: u32) {
        let start = row as usize * self.words;
        self.rows[start + event as usize / 64] |= 1 << (event % 64);
    }

    /// Joins the set of an event, and the event itself, into the set of another one.
    #[inline]
    pub(super) fn join(&mut self, into: u32, from: u32) {
        self.insert(into, from);
        let (into, from) = (into as usize * self.words, from as usize * self.words);
        for i in 0..self.words {
            self.rows[into + i] |= self.rows[from + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set = Bits::all(70);
        set.remove(3);
        set.remove(69);
        assert_eq!(set.iter().count(), 68);
        assert!(set.contains(68) && !set.contains(69));
        let mut other = Bits::none(70);
        other.insert(64);
        assert!(is_subset(&other.0, &set.0) && !is_subset(&set.0, &other.0));
        join(&mut other.0, &set.0);
        assert_eq!(other, set);
    }
}
