//! What the program calls its processes.

use std::sync::Arc;

use super::try_with;

/// More than this are not kept.
const CAPACITY: usize = 256;

/// Names of processes. They are the same in every execution, and mostly those of the same kind come
/// one after the other.
#[derive(Default)]
pub(super) struct Labels {
    known: Vec<Arc<str>>,
    /// The place of the one that was asked for last.
    last: usize,
}

impl Labels {
    /// The name that says this.
    fn label(&mut self, text: &str) -> Arc<str> {
        let is_it = |known: &Arc<str>| **known == *text;
        let place = match self.known.get(self.last).is_some_and(is_it) {
            true => Some(self.last),
            false => self.known.iter().position(is_it),
        };
        if let Some(place) = place {
            self.last = place;
            return Arc::clone(&self.known[place]);
        }
        let label = Arc::from(text);
        if self.known.len() < CAPACITY {
            self.known.push(Arc::clone(&label));
        }
        label
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

/// A name for a process: the same as in the executions before, if there was such.
pub(crate) fn label(text: &str) -> Arc<str> {
    try_with(|rt| rt.labels.label(text)).unwrap_or_else(|| Arc::from(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_name_is_there_once() {
        let mut labels = Labels::default();
        let first = ["a", "b", "a", "c"].map(|text| labels.label(text));
        let again = ["a", "b", "a", "c"].map(|text| labels.label(text));
        assert!(first.iter().zip(&again).all(|(one, other)| Arc::ptr_eq(one, other)));
        assert_eq!(again.each_ref().map(|label| &**label), ["a", "b", "a", "c"]);
        assert_eq!(&*labels.label("d"), "d");
    }

    #[test]
    fn names_beyond_what_is_kept_are_right() {
        let mut labels = Labels::default();
        for n in (0..2 * CAPACITY).chain(0..2 * CAPACITY) {
            assert_eq!(*labels.label(&n.to_string()), n.to_string());
        }
    }
}
