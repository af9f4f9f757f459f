//! What a search keeps beside its offers.

use crate::explore::parallel::pool::Offer;

/// The number of parts below which no part is let go.
const FEW: usize = 64;

/// Parts of a search that are not offered, but that other parts refer to.
#[derive(Debug)]
pub(super) struct Kept<O> {
    parts: Vec<O>,
    /// The number of parts at which those that are not needed any more are let go.
    full: usize,
}

impl<O> Default for Kept<O> {
    fn default() -> Self {
        Kept { parts: Vec::new(), full: FEW }
    }
}

impl<O: Offer> Kept<O> {
    /// Keeps a part as long as it is needed. Returns parts that are not needed any more.
    ///
    /// It looks for these once the number of parts has doubled, so that each part costs a constant number
    /// of looks on average.
    #[must_use = "it takes time to drop the parts, so drop them where no other worker waits"]
    pub(super) fn keep(&mut self, part: O) -> Vec<O> {
        let mut gone = Vec::new();
        if self.parts.len() >= self.full {
            gone.extend(self.parts.extract_if(.., |part| !part.is_needed()));
            self.full = FEW.max(2 * self.parts.len());
        }
        self.parts.push(part);
        gone
    }

    /// Returns the parts.
    pub(super) fn parts(&self) -> &[O] {
        &self.parts
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;

    /// A part that is needed until the search has come to a time.
    #[derive(Clone, Debug)]
    struct Until(usize, Arc<[AtomicUsize; 2]>);

    impl Offer for Until {
        type Known = ();

        fn depth(&self) -> usize {
            0
        }

        fn is_needed(&self) -> bool {
            let [now, looks] = &*self.1;
            looks.fetch_add(1, Relaxed);
            now.load(Relaxed) < self.0
        }
    }

    const PARTS: usize = 100_000;

    #[test]
    fn what_is_not_needed_any_more_is_let_go_with_few_looks() {
        let state = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let (mut kept, mut most) = (Kept::default(), 0);
        for time in 0..PARTS {
            state[0].store(time, Relaxed);
            let gone = kept.keep(Until(time + 100, state.clone()));
            assert!(gone.iter().all(|part| part.0 <= time));
            most = most.max(kept.parts().len());
        }
        assert!(most <= 300, "{most} parts are kept");
        assert!(state[1].load(Relaxed) <= 2 * PARTS);
    }
}
