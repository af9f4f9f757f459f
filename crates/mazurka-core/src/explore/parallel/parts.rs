//! Parts of a search that any process can explore, on this machine or on another one.
//!
//! A [`Part`] is some [pieces](super::pieces) or, for `optimal`, some
//! [stacks](crate::explore::dpor::division), or, for `data-centric`, some
//! [open children](crate::explore::data_centric::division), with the ids that machines had given to processes and
//! objects when these were split off. Its bytes are all that another process needs, besides the
//! program and the options. A process explores a part [for a while](explore_part), and returns its
//! findings and what is left, as another part. [`Division`] turns that into the parts to explore next.
//!
//! # Ids
//!
//! `graphs` chooses among the processes that can go on by the order of ids, and a path counts branches in
//! the order of the events that are added. A path is therefore followed with the ids that were known when its
//! nodes were opened. A machine never changes an id, it only gives further ones, so the ids that are
//! known when a piece is split off are right for its whole path.
//!
//! Two parts may give different ids to the same thread, if neither knew that thread in the beginning.
//! Such ids are sound. Below a node, the search of one part does not depend on that of another. The search
//! needs no common order of processes, either: at each node, any process may come first. The argument
//! for `graphs` is that of TruSt. A graph that a revisit leads to has one parent. To find that, go to the
//! node at which the revisited read was added, and add events until it is the turn of the write: events
//! in the prefix of the write as they are, all others maximally. Which process comes first at a node is a
//! function of the node, so this chain of nodes is unique, and every graph is visited once.
//!
//! `optimal` compares the branches that different parts have at a fork. These are steps of processes that
//! exist at the fork. The fork was part of a stack before it became one, and all parts whose paths lead
//! through it have the ids that were known then. A part that begins with a reported sequence has the ids of
//! the part that reported it.
//!
//! For `data-centric`, see the module [`division`](crate::explore::data_centric::division).

mod division;
mod exploration;

pub use division::Division;
pub use exploration::explore_part;

use crate::algorithm::Algorithm;
use crate::execution::shared_cells::KnownCell;
use crate::explore::data_centric::division::piece;
use crate::explore::data_centric::division::piece::OpenChild;
use crate::explore::data_centric::lessons::Lessons;
use crate::explore::dpor::division::stack;
use crate::explore::dpor::division::stack::{Report, Stack};
use crate::explore::parallel::pieces::Piece;
use crate::explore::parallel::weight::Weight;
use crate::explore::refuse;
use crate::model::{Lesson, Program};
use crate::search::Options;
use crate::verdict::{Note, Verdict, WeakAccess};
use crate::wire::{Malformed, Reader, Wire, wire_struct};

/// A part of a search. See the [functions](explore_part) that explore it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The number of processes in the initial state; `None` before the search has begun.
    initial: Option<usize>,
    /// What the machines of the program have [learnt](Program::save), if there were any.
    program: Option<Vec<u8>>,
    /// Whether the search has learnt that [coherence](Lesson::CoherenceOrder) is a total order.
    is_total: bool,
    /// Whether the search has learnt that [arrivals](Lesson::Arrivals) are ordered.
    orders_arrivals: bool,
    /// Whether the explorer has given up on the program, and `optimal` explores it instead.
    has_given_up: bool,
    /// The locations that are known to overlap, if the explorer has wakeup trees. For `data-centric`, those
    /// that the lessons are about come first.
    cells: Vec<KnownCell>,
    /// The lessons of `data-centric`.
    lessons: Lessons,
    /// The pieces, by the lengths of their paths. A search that has not begun has none.
    pieces: Vec<Piece>,
    /// The stacks of an explorer with wakeup trees, which has no pieces.
    stacks: Vec<Stack>,
    /// The sequences that were found for forks of the stacks. Only the rest of a part has some.
    reports: Vec<Report>,
    /// The open children of `data-centric`, by the lengths of their paths.
    children: Vec<OpenChild>,
    /// The open children that another part may have left, too, by the claims of their nodes. Only the rest of
    /// a part has some.
    claimed: Vec<OpenChild>,
}

/// The outcome of exploring a part of a search for a while.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The findings. Its counts are those of the explored executions alone.
    pub verdict: Verdict,
    /// What is left of the part.
    pub rest: Option<Part>,
    /// The lesson for which the whole search starts over, with [`rest`](Explored::rest). The verdict is
    /// empty then.
    pub starts_over: Option<Lesson>,
}

/// Why a part of a search cannot be explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartError {
    /// The explorer cannot divide its search, or the front end cannot restore its ids.
    Unsupported(String),
    /// The part is damaged, or does not belong to the program.
    Malformed,
}

impl std::fmt::Display for PartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PartError::Unsupported(reason) => f.write_str(reason),
            PartError::Malformed => {
                f.write_str("this part of a search is damaged, or belongs to another program")
            }
        }
    }
}

impl std::error::Error for PartError {}

impl From<Malformed> for PartError {
    fn from(_: Malformed) -> Self {
        PartError::Malformed
    }
}

impl Part {
    /// Returns the whole search of a program.
    ///
    /// # Errors
    ///
    /// If the search cannot be divided.
    pub fn whole<P: Program>(program: &P, options: &Options<'_>) -> Result<Part, PartError> {
        let unsupported = |reason: &str| Err(PartError::Unsupported(reason.to_owned()));
        if !is_divisible(options.algorithm) {
            return Err(PartError::Unsupported(format!(
                "the explorer `{}` cannot divide its search into parts: use `optimal`, \
                 `data-centric`, `graphs` or `naive`",
                options.algorithm
            )));
        }
        if options.preemption_bound.is_some() {
            return unsupported("a search with a bound on preemptions cannot be divided");
        }
        let Some(program) = program.for_workers().filter(|program| program.save().is_some()) else {
            return unsupported("this front end cannot divide a search");
        };
        if let Some(refusal) = program.start().ok().and_then(|machine| refuse(&machine, options)) {
            let message = refusal.violations.first().map(|violation| violation.message.as_str());
            return unsupported(message.unwrap_or_default());
        }
        Ok(Part::start())
    }

    /// Returns the part that is the whole search, of a program that can be [divided](Part::whole).
    pub fn start() -> Part {
        Part {
            initial: None,
            program: None,
            is_total: false,
            orders_arrivals: false,
            has_given_up: false,
            cells: Vec::new(),
            lessons: Lessons::default(),
            pieces: Vec::new(),
            stacks: Vec::new(),
            reports: Vec::new(),
            children: Vec::new(),
            claimed: Vec::new(),
        }
    }

    /// Returns the notes that the verdict has after this part was explored.
    pub fn notes(&self) -> &'static [Note] {
        if self.has_given_up { &[Note::Overlap] } else { &[] }
    }

    /// Divides the part into at most this many parts of about the same size, at least one.
    #[must_use]
    fn divide(self, most: usize) -> Vec<Part> {
        let count = self.pieces().min(most).max(1);
        if count == 1 {
            return vec![self];
        }
        let Part { pieces, stacks, reports: _, children, claimed: _, .. } = self;
        let (reports, claimed) = (Vec::new(), Vec::new());
        let (no_pieces, no_stacks, no_children) = (Vec::new(), Vec::new(), Vec::new());
        let empty = Part {
            pieces: no_pieces,
            stacks: no_stacks,
            reports,
            children: no_children,
            claimed,
            ..self
        };
        let mut parts = vec![empty; count];
        // The shorter the path, the more there is to do.
        for (number, piece) in pieces.into_iter().enumerate() {
            parts[number % count].pieces.push(piece);
        }
        for (number, stack) in stacks.into_iter().enumerate() {
            parts[number % count].stacks.push(stack);
        }
        for (number, child) in children.into_iter().enumerate() {
            parts[number % count].children.push(child);
        }
        parts
    }

    /// Returns its share of the whole search.
    fn weight(&self) -> Weight {
        if self.initial.is_none() {
            return Weight::WHOLE;
        }
        let pieces = self.pieces.iter().map(|piece| piece.weight);
        let children = self.children.iter().map(|child| child.weight);
        pieces.chain(children).chain(self.stacks.iter().map(Stack::weight)).sum()
    }

    /// Returns how many pieces the part has: it can be divided into as many parts.
    pub fn pieces(&self) -> usize {
        self.pieces.len() + self.stacks.len() + self.children.len()
    }

    /// Returns the part as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// Reads a part, which may come from anywhere.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of a part.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        from_bytes(bytes)
    }
}

/// Returns whether the search of an explorer can be divided into parts.
///
/// The search of `observers` cannot. A sequence that is redundant in one part, because a sleeping write is unobserved
/// there, may be the only way to a sequence in which a read observes that write. The search relies on
/// the sleeper's branch to find the latter. Workers pass it on into branches that have been taken: see
/// `forks/sharing.rs`. The ledger drops it. docs/cluster.md has an example.
pub fn is_divisible(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Optimal | Algorithm::DataCentric | Algorithm::Graphs | Algorithm::Naive
    )
}

fn to_bytes(value: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.write(&mut bytes);
    bytes
}

fn from_bytes<T: Wire>(bytes: &[u8]) -> Result<T, PartError> {
    let mut reader = Reader(bytes);
    let value = T::read(&mut reader)?;
    match reader.0.is_empty() {
        true => Ok(value),
        false => Err(PartError::Malformed),
    }
}

/// Pieces lie along a path, so that each has most of its path in common with the piece before it.
impl Wire for Part {
    fn write(&self, to: &mut Vec<u8>) {
        self.initial.write(to);
        self.program.write(to);
        self.is_total.write(to);
        self.orders_arrivals.write(to);
        self.pieces.len().write(to);
        let mut before: &[u32] = &[];
        for Piece { path, begun, weight } in &self.pieces {
            let common = path.iter().zip(before).take_while(|(mine, other)| mine == other).count();
            common.write(to);
            path[common..].to_vec().write(to);
            begun.write(to);
            weight.write(to);
            before = path;
        }
        self.cells.write(to);
        stack::write(&self.stacks, to);
        self.reports.write(to);
        self.has_given_up.write(to);
        self.lessons.write(to);
        piece::write(&self.children, to);
        piece::write(&self.claimed, to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (initial, program, is_total) = Wire::read(from)?;
        let orders_arrivals = Wire::read(from)?;
        let mut pieces: Vec<Piece> = Vec::new();
        // A few bytes could otherwise stand for paths that fill the memory.
        let mut room = MOST_STEPS;
        for _ in 0..usize::read(from)? {
            let (common, rest, begun): (usize, Vec<u32>, u32) = Wire::read(from)?;
            let before = pieces.last().map_or(&[][..], |piece| &piece.path);
            let mut path = before.get(..common).ok_or(Malformed)?.to_vec();
            path.extend(rest);
            room = room.checked_sub(path.len() + 1).ok_or(Malformed)?;
            pieces.push(Piece { path, begun, weight: Wire::read(from)? });
        }
        let cells: Vec<KnownCell> = Wire::read(from)?;
        let is_sound = |(location, _): &KnownCell| {
            location.object.0 < MOST_OBJECTS && location.start.checked_add(location.len).is_some()
        };
        if !cells.iter().all(is_sound) {
            return Err(Malformed);
        }
        let stacks = stack::read(from)?;
        let reports = Wire::read(from)?;
        let has_given_up = Wire::read(from)?;
        let lessons = Lessons::read(from)?;
        if lessons.cells() > cells.len() {
            return Err(Malformed);
        }
        let children = piece::read(from)?;
        let claimed = piece::read(from)?;
        Ok(Part {
            initial,
            program,
            is_total,
            orders_arrivals,
            has_given_up,
            cells,
            lessons,
            pieces,
            stacks,
            reports,
            children,
            claimed,
        })
    }
}

/// The maximum number of steps of all paths of a part.
const MOST_STEPS: usize = 50_000_000;

/// The maximum number of objects whose locations are known: a table has an entry for each.
const MOST_OBJECTS: u32 = 1 << 22;

/// What is left of a search, and the lesson for which it starts over.
struct Rest {
    rest: Option<Part>,
    starts_over: Option<Lesson>,
    /// The place of the first weak access, if there is one.
    weak: Option<Option<String>>,
}

wire_struct!(Rest { rest: rest, starts_over: starts_over, weak: weak });

impl Explored {
    /// Returns the outcome as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Explored { verdict, rest, starts_over } = self;
        let mut bytes = to_bytes(verdict);
        let weak = verdict.weak_access.as_ref().map(|weak| weak.place.clone());
        Rest { rest: rest.clone(), starts_over: *starts_over, weak }.write(&mut bytes);
        bytes
    }

    /// Reads an outcome, which may come from anywhere.
    ///
    /// # Errors
    ///
    /// If the bytes are not those of an outcome.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        let mut reader = Reader(bytes);
        let mut verdict = Verdict::read(&mut reader)?;
        let Rest { rest, starts_over, weak } = from_bytes(reader.0)?;
        let treated = crate::verdict::Treated::AsSeqCst;
        verdict.weak_access = weak.map(|place| Box::new(WeakAccess { place, treated }));
        Ok(Explored { verdict, rest, starts_over })
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_were_written() {
        let pieces = [(vec![], 1), (vec![1, 3], 2), (vec![1, 3, 300], 1), (vec![2, 1, 1, 1], 7)];
        let pieces = pieces.map(|(path, begun)| Piece { path, begun, ..Piece::default() }).to_vec();
        let program = Some(b"ids".to_vec());
        let initial = Some(1);
        let part = Part { initial, program, is_total: true, pieces, ..Part::start() };
        let bytes = part.to_bytes();
        assert_eq!(Part::from_bytes(&bytes).as_ref(), Ok(&part));
        for len in 0..bytes.len() {
            assert_eq!(Part::from_bytes(&bytes[..len]), Err(PartError::Malformed));
        }
        let parts = part.clone().divide(3);
        assert_eq!(parts.iter().map(Part::pieces).collect::<Vec<_>>(), [2, 1, 1]);
        assert_eq!(part.divide(9).len(), 4);
    }

    #[test]
    fn a_part_that_weighs_more_than_the_whole_search_is_refused() {
        let bytes = |weight: u64| {
            let mut bytes = to_bytes(&((Some(1_usize), None::<Vec<u8>>, false), (false, 1_usize)));
            ((0_usize, vec![1_u32, 2], 1_u32), weight).write(&mut bytes);
            (0_usize, 0_usize, 0_usize).write(&mut bytes);
            false.write(&mut bytes);
            Lessons::default().write(&mut bytes);
            (0_usize, 0_usize).write(&mut bytes);
            bytes
        };
        assert!(Part::from_bytes(&bytes(1 << 53)).is_ok());
        for weight in [(1 << 53) + 1, f64::NAN.to_bits(), (-1.0_f64).to_bits(), u64::MAX] {
            assert_eq!(Part::from_bytes(&bytes(weight)), Err(PartError::Malformed), "{weight}");
        }
    }

    #[test]
    fn paths_that_fill_the_memory_are_refused() {
        // Each piece repeats the path of the piece before it.
        let mut bytes = to_bytes(&(None::<usize>, None::<Vec<u8>>));
        usize::MAX.write(&mut bytes);
        ((0_usize, vec![1_u32; 100_000], 1_u32), 0_u32).write(&mut bytes);
        for _ in 0..1000 {
            ((100_000_usize, Vec::<u32>::new(), 1_u32), 0_u32).write(&mut bytes);
        }
        assert_eq!(Part::from_bytes(&bytes), Err(PartError::Malformed));
    }
}
