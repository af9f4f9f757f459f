//! Pieces of the search, for several workers.
//!
//! Which moves there are in a frame depends only on its graph, and so on the moves that lead there. A
//! move that adds an event is taken at once on the way to a piece. A revisit is left as the only move of
//! its frame, and taken when the search goes back.

use super::{Frame, Graphs, Lineage, Move};
use crate::explore::parallel::pieces::{Divide, Piece, Route, Turn, split_first};

impl Divide for Graphs {
    fn begin(&mut self, piece: Piece) {
        self.lineages.clear();
        self.lineages.push(Lineage::default());
        self.waiting.clear();
        self.route = Route::to(piece);
    }

    fn split(&mut self, keeps_some: bool) -> Option<Piece> {
        if self.is_detour {
            return None;
        }
        let frames = self.lineages.iter_mut().flat_map(|lineage| &mut lineage.frames);
        let begun = |frame: &&mut Frame| frame.begun;
        let (piece, frame) =
            split_first(frames, keeps_some, begun, |frame| !frame.moves.is_empty())?;
        frame.moves.clear();
        Some(piece)
    }

    fn nodes(&self) -> Vec<(u32, usize)> {
        let frames = self.lineages.iter().flat_map(|lineage| &lineage.frames);
        frames.map(|frame| (frame.begun, frame.moves.len())).collect()
    }

    fn route(&self) -> &Route {
        &self.route
    }
}

impl Graphs {
    /// Returns the move to begin with in the last frame, which has been opened with `first`.
    #[inline]
    pub(super) fn turn(&mut self, first: Option<Move>) -> Option<Move> {
        match self.route.turn() {
            None => first,
            Some(turn) => self.turn_to(turn, first),
        }
    }

    /// The same for a frame of writes that a step performed besides its first action. The search goes
    /// on with the step unless it is to revisit.
    #[inline]
    pub(super) fn turn_late(&mut self) {
        match self.route.turn() {
            None => {}
            Some(Turn::Only(0)) => self.frame_mut().moves.clear(),
            Some(turn) => {
                self.turn_to(turn, None);
            }
        }
    }

    fn frame_mut(&mut self) -> &mut Frame {
        self.lineage_mut().frames.last_mut().expect("the frame has been opened")
    }

    #[cold]
    fn turn_to(&mut self, turn: Turn, first: Option<Move>) -> Option<Move> {
        let next = match turn {
            Turn::Only(branch) if branch == self.frame_mut().begun => {
                self.frame_mut().moves.clear();
                return first;
            }
            Turn::Only(branch) => {
                self.skip(branch.saturating_sub(1));
                let next = self.frame_mut().moves.pop();
                self.frame_mut().moves.clear();
                next
            }
            Turn::After(begun) => {
                self.skip(begun);
                self.frame_mut().moves.pop()
            }
        };
        if let Some(Move::Forward(..) | Move::Block(_)) = next {
            self.frame_mut().begun += 1;
            return next;
        }
        self.frame_mut().moves.extend(next);
        self.is_detour = true;
        None
    }

    /// Leaves the first moves of the last frame to others.
    fn skip(&mut self, moves: u32) {
        while self.frame_mut().begun < moves {
            self.frame_mut().begun += 1;
            let Some(skipped) = self.frame_mut().moves.pop() else { return };
            self.plan_all(skipped);
        }
    }
}
