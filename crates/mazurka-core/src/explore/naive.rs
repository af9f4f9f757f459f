//! `naive`: every interleaving.
//!
//! A depth-first search over all enabled processes and all their alternatives. It uses no
//! independence, and is what the other explorers are compared with: every final state, deadlock and
//! violation that it reaches, they must reach too.

use crate::execution::Execution;
use crate::execution::order::AllConflicts;
use crate::explore::parallel::pieces::{Divide, Piece, Route, Turn, split_first};
use crate::model::{Machine, Step};
use crate::search::Options;
use crate::search::strategy::{Explorer, Next, Position, Strategy};

// ANCHOR: state
/// The state of the search: for every prefix of the current execution, what is left to do.
#[derive(Debug, Default)]
pub(crate) struct Naive {
    nodes: Vec<Node>,
    used: usize,
    /// The way to the piece that is to be explored.
    route: Route,
}

#[derive(Debug, Default)]
struct Node {
    /// The steps that are still to be taken, in reverse order.
    open: Vec<Step>,
    done: usize,
}
// ANCHOR_END: state

impl Explorer for Naive {
    fn new(_options: &Options<'_>) -> Self {
        Naive::default()
    }
}

impl Divide for Naive {
    fn begin(&mut self, piece: Piece) {
        self.used = 0;
        self.route = Route::to(piece);
    }

    fn split(&mut self, keeps_some: bool) -> Option<Piece> {
        let nodes = self.nodes[..self.used].iter_mut();
        let begun = |node: &&mut Node| node.done as u32 + 1;
        let (piece, node) = split_first(nodes, keeps_some, begun, |node| !node.open.is_empty())?;
        node.open.clear();
        Some(piece)
    }

    fn nodes(&self) -> Vec<(u32, usize)> {
        self.nodes[..self.used].iter().map(|node| (node.done as u32 + 1, node.open.len())).collect()
    }

    fn route(&self) -> &Route {
        &self.route
    }
}

impl Strategy for Naive {
    type Relation = AllConflicts;

    // ANCHOR: next
    fn next(&mut self, at: &Position<'_>) -> Next {
        let depth = at.depth();
        if self.used == depth {
            if self.nodes.len() == depth {
                self.nodes.push(Node::default());
            }
            self.used += 1;
            let node = &mut self.nodes[depth];
            node.done = 0;
            node.open.clear();
            for process in at.enabled().filter(|process| at.allows(*process)) {
                let choices = 0..at.machine.alternatives(process);
                node.open.extend(choices.map(|choice| Step { process, choice }));
            }
            if node.open.is_empty() {
                return Next::End;
            }
            node.open.reverse();
            let all = node.open.len();
            match self.route.turn() {
                None => {}
                Some(Turn::Only(branch)) => {
                    let step = node.open.get(all.wrapping_sub(branch as usize)).copied();
                    node.done = (branch as usize).saturating_sub(1);
                    node.open.clear();
                    node.open.extend(step);
                }
                Some(Turn::After(begun)) => {
                    node.done = begun as usize;
                    node.open.truncate(all.saturating_sub(begun as usize));
                }
            }
        }
        self.nodes[depth].open.pop().map_or(Next::End, Next::Step)
    }
    // ANCHOR_END: next

    // ANCHOR: races
    fn took(&mut self, _machine: &dyn Machine, _execution: &mut Execution) {}

    fn ended(&mut self, _machine: &dyn Machine, _execution: &mut Execution) {}
    // ANCHOR_END: races

    // ANCHOR: backtrack
    fn backtrack(&mut self, execution: &Execution) -> Option<usize> {
        let deepest = self.used.min(execution.len());
        let depth = (0..deepest).rev().find(|depth| !self.nodes[*depth].open.is_empty())?;
        self.used = depth + 1;
        self.nodes[depth].done += 1;
        Some(depth)
    }

    fn branches(&self, depth: usize) -> (usize, usize) {
        self.nodes.get(depth).map_or((0, 0), |node| (node.done, node.open.len()))
    }
    // ANCHOR_END: backtrack
}
