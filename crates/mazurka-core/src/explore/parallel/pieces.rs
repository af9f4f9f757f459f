//! Pieces: parts of a search that need nothing from the rest.
//!
//! Some explorers decide at a node of the search tree, from the path that leads there alone, which
//! branches there are. A subtree is then described by that path, as the number of the branch that was
//! taken at each node. A worker that takes over a [`Piece`] runs the program along the path, and
//! explores the branches that the other worker has left.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::execution::cells::CellId;
use crate::execution::{Execution, Settings};
use crate::explore::parallel::weight::Weight;
use crate::explore::parallel::{Offer, Pool, Work};
use crate::memory::Graph;
use crate::model::{Lesson, Machine, Performed, Step, Violation};
use crate::search::Options;
use crate::search::driver::{Driver, Outcome};
use crate::search::strategy::{Explorer, Next, Position, Strategy};
use crate::verdict::Verdict;
use crate::wire::{Malformed, Reader, Wire, wire_struct};

/// The branches at one node of the search tree that have not been explored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Piece {
    /// How many branches have been begun at each node on the way, the one that leads on included.
    pub(crate) path: Vec<u32>,
    /// How many branches have been begun at the node itself.
    pub(crate) begun: u32,
    /// Its weight, if the search is divided into parts.
    pub(crate) weight: Weight,
}

wire_struct!(Piece { path: path, begun: begun, weight: weight });

impl Offer for Piece {
    type Known = ();

    fn depth(&self) -> usize {
        self.path.len()
    }
}

/// The way to a piece.
#[derive(Debug, Default)]
pub(crate) struct Route {
    piece: Option<Piece>,
    /// How many nodes have been passed.
    passed: usize,
}

/// What to do at a node on the way to a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// Take the branch with this number, counted from 1, and leave the others to others.
    Only(u32),
    /// Explore all branches after the first ones.
    After(u32),
}

impl Route {
    /// Returns the way to a piece.
    pub(crate) fn to(piece: Piece) -> Self {
        Route { piece: Some(piece), passed: 0 }
    }

    /// Returns what to do at the next node; `None` once the piece is reached.
    #[inline]
    pub(crate) fn turn(&mut self) -> Option<Turn> {
        let piece = self.piece.as_ref()?;
        let Some(branch) = piece.path.get(self.passed) else {
            return self.piece.take().map(|piece| Turn::After(piece.begun));
        };
        self.passed += 1;
        Some(Turn::Only(*branch))
    }

    /// Returns whether the piece is reached, or there is none.
    pub(crate) fn has_arrived(&self) -> bool {
        self.piece.is_none()
    }
}

/// An explorer whose search can be divided into pieces.
pub(crate) trait Divide {
    /// Begins a search that explores nothing but a piece.
    fn begin(&mut self, piece: Piece);

    /// Leaves the branches at the node with open branches that is nearest to the root to others. With
    /// `keeps_some`, does so only if there are open branches at another node.
    fn split(&mut self, keeps_some: bool) -> Option<Piece>;

    /// Returns the numbers of branches at the nodes of the current path: those that have been begun, and those
    /// that are open.
    fn nodes(&self) -> Vec<(u32, usize)>;

    /// Returns the way to the piece that is explored.
    fn route(&self) -> &Route;
}

/// Splits off the open branches of a node, which is given with the number of branches that have been
/// begun at each node on the current path.
pub(crate) fn split_first<T>(
    nodes: impl IntoIterator<Item = T>,
    keeps_some: bool,
    begun: impl Fn(&T) -> u32,
    is_open: impl Fn(&T) -> bool,
) -> Option<(Piece, T)> {
    let mut path = Vec::new();
    let mut nodes = nodes.into_iter();
    let first = nodes.by_ref().find(|node| {
        let found = is_open(node);
        if !found {
            path.push(begun(node));
        }
        found
    })?;
    if keeps_some && !nodes.any(|node| is_open(&node)) {
        return None;
    }
    let begun = begun(&first);
    Some((Piece { path, begun, weight: Weight::NONE }, first))
}

/// A search whose workers share [pieces](Piece).
pub(crate) struct Pieces<S>(PhantomData<S>);

/// One of several workers.
pub(super) struct Divided<S> {
    search: S,
    pool: Arc<Pool<Piece>>,
    /// The pieces to explore before those of other workers, the next one last. Those with the longest
    /// paths come first, as in a depth-first search: otherwise there would be more and more pieces.
    first: Vec<Piece>,
    /// The piece that is explored; `None` for the whole search.
    current: Option<Place>,
    /// Whether some piece was not found.
    is_lost: bool,
}

/// Where a piece begins, and its weight.
#[derive(Clone, Copy, Debug)]
struct Place {
    depth: usize,
    begun: u32,
    weight: Weight,
}

/// Returns the weights of the open branches at the nodes of a path, where some piece was explored: at each node,
/// all branches have the same weight.
fn weigh(nodes: &[(u32, usize)], piece: Option<Place>) -> Vec<Weight> {
    let whole = Place { depth: 0, begun: 0, weight: Weight::WHOLE };
    let Place { depth: first, begun: left_out, weight } = piece.unwrap_or(whole);
    let mut current = weight;
    let weigh = |(depth, (begun, open)): (usize, &(u32, usize))| {
        if depth < first {
            return Weight::NONE;
        }
        let begun = if depth == first { begun.saturating_sub(left_out) } else { *begun };
        // A step that goes on without a choice is a branch, too.
        let all = begun.max(1) as usize + open;
        let open = current.shares(*open, all);
        current = current.shares(1, all);
        open
    };
    nodes.iter().enumerate().map(weigh).collect()
}

impl<S: Divide> Divided<S> {
    pub(super) fn new(search: S, pool: Arc<Pool<Piece>>, first: Vec<Piece>) -> Self {
        Divided { search, pool, first, current: None, is_lost: false }
    }

    /// Returns the pieces that have not been begun of those that this worker was given.
    pub(super) fn into_first(self) -> Vec<Piece> {
        self.first
    }

    /// Returns whether some piece was not found: its path is not that of this program.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Leaves some work to others, or all of it.
    #[cold]
    fn share(&mut self) {
        let keeps_some = !self.pool.shares_everything() && !self.pool.is_pausing();
        let weights = match self.pool.is_pausing() {
            true => weigh(&self.search.nodes(), self.current),
            false => Vec::new(),
        };
        while let Some(mut piece) = self.search.split(keeps_some) {
            piece.weight = weights.get(piece.path.len()).copied().unwrap_or_default();
            self.pool.offer(piece);
            if keeps_some {
                break;
            }
        }
    }
}

impl<S: Strategy + Divide> Strategy for Divided<S> {
    type Relation = S::Relation;

    fn settings(has_plain_memory: bool) -> Settings {
        S::settings(has_plain_memory)
    }

    fn next(&mut self, at: &Position<'_>) -> Next {
        self.search.next(at)
    }

    fn performed(&mut self, machine: &dyn Machine, performed: &Performed) {
        self.search.performed(machine, performed);
    }

    fn is_repeated(&self, execution: &Execution) -> bool {
        self.search.is_repeated(execution)
    }

    fn graph(&self) -> Option<&Graph> {
        self.search.graph()
    }

    fn took(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.search.took(machine, execution);
    }

    fn look(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
        failed: bool,
    ) -> Result<bool, Box<Violation>> {
        self.search.look(machine, execution, failed)
    }

    fn review(&mut self, execution: &mut Execution) {
        self.search.review(execution);
    }

    fn gives_up(&self) -> bool {
        self.search.gives_up()
    }

    fn take_data_race(&mut self) -> Option<(CellId, Violation)> {
        self.search.take_data_race()
    }

    fn extend(
        &mut self,
        machine: &mut dyn Machine,
        execution: &mut Execution,
    ) -> Result<usize, Box<Violation>> {
        self.search.extend(machine, execution)
    }

    fn take_lesson(&mut self) -> Option<Lesson> {
        self.search.take_lesson()
    }

    fn ended(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        self.search.ended(machine, execution);
    }

    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        if self.pool.wants_work() {
            self.share();
        }
        self.search.backtrack(execution)
    }

    fn elsewhere(&mut self, _execution: &Execution) -> Option<Vec<Step>> {
        self.is_lost |= !self.search.route().has_arrived();
        let mine = self.first.pop_if(|_| !self.pool.is_pausing());
        let piece = mine.or_else(|| self.pool.accept())?;
        let Piece { ref path, begun, weight } = piece;
        self.current = Some(Place { depth: path.len(), begun, weight });
        self.search.begin(piece);
        Some(Vec::new())
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        self.search.branches(depth)
    }

    fn report(&self, verdict: &mut Verdict) {
        self.search.report(verdict);
    }
}

impl<S: Strategy + Divide + Explorer> Work for Pieces<S> {
    type Offer = Piece;
    type Instead = Self;

    fn explore(
        driver: &mut Driver<'_>,
        pool: &Arc<Pool<Piece>>,
        options: &Options<'_>,
        joins: bool,
    ) -> Outcome {
        let mut search = Divided::new(S::new(options), pool.clone(), Vec::new());
        driver.configure::<Divided<S>>();
        driver.search(&mut search, joins)
    }

    fn write(pool: &Pool<Piece>, to: &mut Vec<u8>) {
        pool.offers().write(to);
    }

    fn read(from: &mut Reader<'_>, pool: &Pool<Piece>) -> Result<(), Malformed> {
        Vec::read(from)?.into_iter().for_each(|piece| pool.offer(piece));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_leads_to_its_piece() {
        let mut route = Route::to(Piece { path: vec![1, 3], begun: 2, ..Piece::default() });
        let turns: Vec<Turn> = std::iter::from_fn(|| route.turn()).collect();
        assert_eq!(turns, [Turn::Only(1), Turn::Only(3), Turn::After(2)]);
    }

    #[test]
    fn the_branches_of_a_node_have_the_same_weight() {
        let shares = |weights: Vec<Weight>| -> Vec<f64> {
            let share =
                |weight: &Weight| (0..=1000).find(|n| Weight::WHOLE.shares(*n, 1000) >= *weight);
            weights.iter().map(|weight| share(weight).unwrap() as f64 / 1000.0).collect()
        };
        // At the second node, one branch of four is explored, one is current, and two are open.
        let nodes = [(1, 0), (2, 2), (0, 1)];
        assert_eq!(shares(weigh(&nodes, None)), [0.0, 0.5, 0.125]);
        // The piece has three branches, and was split off when one had been begun.
        let piece = Place { depth: 1, begun: 1, weight: Weight::WHOLE.shares(3, 5) };
        assert_eq!(shares(weigh(&nodes, Some(piece))), [0.0, 0.4, 0.1]);
    }

    #[test]
    fn the_node_nearest_to_the_root_is_split_off() {
        let nodes = [(1, false), (2, true), (1, false), (1, true)];
        let split = |nodes: &[(u32, bool)], keeps_some| {
            let split = split_first(nodes, keeps_some, |node| node.0, |node| node.1);
            split.map(|(piece, _)| (piece.path, piece.begun))
        };
        assert_eq!(split(&nodes, true), Some((vec![1], 2)));
        assert_eq!(split(&nodes[..3], true), None, "nothing would be left");
        assert_eq!(split(&nodes[..3], false), Some((vec![1], 2)));
    }
}
