//! Place/transition nets.

/// A place, which holds at most one token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Whether it holds a token initially.
    pub is_marked: bool,
}

/// A transition, with the indices of the places around it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Transition {
    /// Its name.
    pub name: String,
    /// The places that it takes a token from.
    pub takes: Vec<usize>,
    /// The places that must hold a token, which stays there.
    pub reads: Vec<usize>,
    /// The places that it puts a token into.
    pub puts: Vec<usize>,
}

/// A net.
///
/// It can be [read](Net::from_pnml) from PNML, or built in code:
///
/// ```
/// use mazurka_petri::{Net, Place, Transition};
///
/// let mut net = Net::default();
/// let full = net.add_place("full", true);
/// net.add_transition(Transition { name: "drink".to_owned(), takes: vec![full], ..Transition::default() });
/// assert_eq!((net.places().len(), net.transitions().len()), (1, 1));
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Net {
    places: Vec<Place>,
    transitions: Vec<Transition>,
}

impl Net {
    /// Adds a place, and returns its index.
    pub fn add_place(&mut self, name: impl Into<String>, is_marked: bool) -> usize {
        self.places.push(Place { name: name.into(), is_marked });
        self.places.len() - 1
    }

    /// Adds a transition.
    ///
    /// A place that the transition both takes from and puts into is only read. A place that it both
    /// reads and takes from is only taken from.
    ///
    /// # Panics
    ///
    /// Panics if the transition refers to a place that does not exist.
    pub fn add_transition(&mut self, mut transition: Transition) {
        let Transition { takes, reads, puts, .. } = &mut transition;
        for places in [&mut *takes, &mut *reads, &mut *puts] {
            places.sort_unstable();
            places.dedup();
            assert!(
                places.iter().all(|place| *place < self.places.len()),
                "a transition names a place that the net does not have"
            );
        }
        // A token that is taken and put back is only read; a token that is read and taken is taken.
        let (put_back, taken): (Vec<_>, Vec<_>) =
            takes.iter().copied().partition(|place| puts.contains(place));
        puts.retain(|place| !put_back.contains(place));
        reads.retain(|place| !taken.contains(place));
        reads.extend(put_back);
        reads.sort_unstable();
        reads.dedup();
        *takes = taken;
        self.transitions.push(transition);
    }

    /// Returns the places.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns the transitions.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }
}
