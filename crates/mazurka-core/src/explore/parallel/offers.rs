//! The offers of a pool, by the lengths of their paths.

use std::collections::BTreeMap;

use crate::explore::parallel::Offer;

/// The parts of the search that workers leave to others.
///
/// A search can have as many of them as executions, so neither adding nor taking one looks at the others.
#[derive(Debug)]
pub(super) struct Offers<O> {
    /// The offers by the lengths of their paths. No list is empty.
    by_depth: BTreeMap<usize, Vec<O>>,
    /// The number of offers in `by_depth`.
    len: usize,
    /// Offers that were [crowded](Offer::is_crowded) when a worker looked for one.
    crowded: Vec<O>,
}

impl<O> Default for Offers<O> {
    fn default() -> Self {
        Offers { by_depth: BTreeMap::new(), len: 0, crowded: Vec::new() }
    }
}

impl<O: Offer> Offers<O> {
    /// Returns the number of offers that are not known to be crowded.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns all offers, those with shorter paths first, and the crowded ones last.
    pub(super) fn iter(&self) -> impl Iterator<Item = &O> {
        self.by_depth.values().flatten().chain(&self.crowded)
    }

    /// Returns whether crowded offers have been put aside.
    pub(super) fn has_crowded(&self) -> bool {
        !self.crowded.is_empty()
    }

    /// Takes the first offer found by `take` that is acceptable. Puts those that it finds before aside, as
    /// crowded, and looks first for earlier ones that are not crowded any more.
    pub(super) fn take_if(
        &mut self,
        is_acceptable: impl Fn(&O) -> bool,
        mut take: impl FnMut(&mut Self) -> Option<O>,
    ) -> Option<O> {
        let mut crowded = std::mem::take(&mut self.crowded);
        crowded.extract_if(.., |offer| is_acceptable(offer)).for_each(|offer| self.add(offer));
        let mut taken = take(self);
        while let Some(offer) = taken.take_if(|offer| !is_acceptable(offer)) {
            crowded.push(offer);
            taken = take(self);
        }
        self.crowded = crowded;
        taken
    }

    /// Takes a crowded offer.
    pub(super) fn take_crowded(&mut self) -> Option<O> {
        self.crowded.pop()
    }

    /// Adds an offer.
    pub(super) fn add(&mut self, offer: O) {
        self.by_depth.entry(offer.depth()).or_default().push(offer);
        self.len += 1;
    }

    /// Takes the newest of the offers with the shortest path.
    pub(super) fn take_nearest(&mut self) -> Option<O> {
        let mut nearest = self.by_depth.first_entry()?;
        let offer = nearest.get_mut().pop();
        if nearest.get().is_empty() {
            nearest.remove();
        }
        self.len -= usize::from(offer.is_some());
        offer
    }

    /// Takes the offer with this number, which counts modulo their number.
    pub(super) fn take_any(&mut self, number: u64) -> Option<O> {
        let mut number = number.checked_rem(self.len as u64)? as usize;
        let holds = |(depth, offers): (&usize, &Vec<O>)| match number < offers.len() {
            true => Some(*depth),
            false => {
                number -= offers.len();
                None
            }
        };
        let depth = self.by_depth.iter().find_map(holds)?;
        let offers = self.by_depth.get_mut(&depth)?;
        let offer = offers.swap_remove(number);
        if offers.is_empty() {
            self.by_depth.remove(&depth);
        }
        self.len -= 1;
        Some(offer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::*;
    use crate::explore::parallel::pieces::Piece;

    fn piece(depth: usize, begun: u32) -> Piece {
        Piece { path: vec![0; depth], begun, ..Piece::default() }
    }

    #[test]
    fn the_shortest_path_comes_first() {
        let mut offers = Offers::default();
        for (depth, begun) in [(3, 0), (1, 1), (2, 2), (1, 3)] {
            offers.add(piece(depth, begun));
        }
        assert_eq!(offers.iter().map(Offer::depth).collect::<Vec<_>>(), [1, 1, 2, 3]);
        let taken = std::iter::from_fn(|| offers.take_nearest());
        assert_eq!(taken.map(|piece| piece.begun).collect::<Vec<_>>(), [3, 1, 2, 0]);
        assert_eq!(offers.len(), 0);
    }

    #[test]
    fn any_offer_can_be_taken() {
        for number in 0..10 {
            let mut offers = Offers::default();
            (0..5).for_each(|begun| offers.add(piece(begun as usize / 2, begun)));
            let taken = std::iter::from_fn(|| offers.take_any(number));
            let mut taken: Vec<u32> = taken.map(|piece| piece.begun).collect();
            assert_eq!(taken[0], number as u32 % 5);
            taken.sort_unstable();
            assert_eq!(taken, [0, 1, 2, 3, 4]);
            assert!(offers.take_any(number).is_none());
        }
    }

    #[test]
    fn crowded_offers_wait_until_they_are_acceptable() {
        let mut offers = Offers::default();
        (0..4).for_each(|begun| offers.add(piece(begun as usize, begun)));
        let from_two = |piece: &Piece| piece.begun >= 2;
        let taken = offers.take_if(from_two, Offers::take_nearest);
        assert_eq!(taken.map(|piece| piece.begun), Some(2));
        assert_eq!((offers.len(), offers.has_crowded(), offers.iter().count()), (1, true, 3));
        let taken = offers.take_if(|piece| piece.begun == 1, Offers::take_nearest);
        assert_eq!(taken.map(|piece| piece.begun), Some(1), "it is not crowded any more");
        assert!(offers.take_if(|_| false, Offers::take_nearest).is_none());
        assert_eq!((offers.len(), offers.iter().count()), (0, 2));
        assert!(offers.take_crowded().is_some() && offers.take_crowded().is_some());
        assert!(offers.take_crowded().is_none());
    }

    /// An offer that counts how often its path is measured.
    #[derive(Clone)]
    struct Counted(usize, Arc<AtomicUsize>);

    impl Offer for Counted {
        type Known = ();

        fn depth(&self) -> usize {
            self.1.fetch_add(1, Relaxed);
            self.0
        }
    }

    #[test]
    fn adding_and_taking_look_at_one_offer() {
        let looks = Arc::new(AtomicUsize::new(0));
        let mut offers = Offers::default();
        for number in 0..10_000 {
            offers.add(Counted(number % 17, looks.clone()));
        }
        while offers.take_nearest().is_some() {}
        assert_eq!(looks.load(Relaxed), 10_000);
    }
}
