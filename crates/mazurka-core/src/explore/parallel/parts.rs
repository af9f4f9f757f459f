//! Parts of a search that any process can explore, on this machine or on another one.
//!
//! A [`Part`] is some [pieces](super::pieces), with the ids that machines had given to processes and
//! objects when the pieces were split off. Its bytes are all that another process needs, besides the
//! program and the options. A process explores a part [for a while](explore_part), and returns its
//! findings and what is left, as another part.
//!
//! # Ids
//!
//! `graphs` adds the next event of the first process that can go on, by the order of ids, and a path
//! counts branches in that order. A path is therefore followed with the ids that were known when its
//! nodes were opened. A machine never changes an id, it only gives further ones, so the ids that are
//! known when a piece is split off are right for its whole path.
//!
//! Two parts may give different ids to the same thread, if neither knew that thread in the beginning.
//! That is sound. Below a node, the search of one part does not depend on that of another. The search
//! needs no common order of processes, either: at each node, any process may come first. The argument
//! for `graphs` is that of TruSt. A graph that a revisit leads to has one parent. To find that, go to the
//! node at which the revisited read was added, and add events until it is the turn of the write: events
//! in the prefix of the write as they are, all others maximally. Which process comes first at a node is a
//! function of the node, so this chain of nodes is unique, and every graph is visited once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pieces::{Divide, Divided, Piece};
use super::{Member, Pool, Sharing};
use crate::algorithm::Algorithm;
use crate::execution::shared_cells::CommonCells;
use crate::explore::graphs::Graphs;
use crate::explore::naive::Naive;
use crate::explore::{refuse, start};
use crate::model::{Lesson, Program};
use crate::search::driver::{Driver, Outcome, Teacher};
use crate::search::strategy::{Explorer, Strategy};
use crate::search::subject::{Subject, Watched};
use crate::search::{Coherence, Options};
use crate::verdict::{Bound, Verdict, ViolationKind, WeakAccess};
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
    /// The pieces, by the lengths of their paths. A search that has not begun has none.
    pieces: Vec<Piece>,
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
        if !matches!(options.algorithm, Algorithm::Naive | Algorithm::Graphs) {
            return Err(PartError::Unsupported(format!(
                "the explorer `{}` cannot divide its search into independent parts: use `graphs` or \
                 `naive`",
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
    pub const fn start() -> Part {
        Part { initial: None, program: None, is_total: false, pieces: Vec::new() }
    }

    /// Divides the part into at most this many parts of about the same size, at least one.
    #[must_use]
    pub fn divide(self, most: usize) -> Vec<Part> {
        let count = self.pieces.len().min(most).max(1);
        if count == 1 {
            return vec![self];
        }
        let Part { initial, program, is_total, pieces } = self;
        let empty = Part { initial, program, is_total, pieces: Vec::new() };
        let mut parts = vec![empty; count];
        // The shorter the path, the more there is to do.
        for (number, piece) in pieces.into_iter().enumerate() {
            parts[number % count].pieces.push(piece);
        }
        parts
    }

    /// Returns how many pieces the part has: it can be [divided](Part::divide) into as many parts.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
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
        self.pieces.len().write(to);
        let mut before: &[u32] = &[];
        for Piece { path, begun } in &self.pieces {
            let common = path.iter().zip(before).take_while(|(mine, other)| mine == other).count();
            common.write(to);
            path[common..].to_vec().write(to);
            begun.write(to);
            before = path;
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (initial, program, is_total) = Wire::read(from)?;
        let mut pieces: Vec<Piece> = Vec::new();
        // A few bytes could otherwise stand for paths that fill the memory.
        let mut room = MOST_STEPS;
        for _ in 0..usize::read(from)? {
            let (common, rest, begun): (usize, Vec<u32>, u32) = Wire::read(from)?;
            let before = pieces.last().map_or(&[][..], |piece| &piece.path);
            let mut path = before.get(..common).ok_or(Malformed)?.to_vec();
            path.extend(rest);
            room = room.checked_sub(path.len() + 1).ok_or(Malformed)?;
            pieces.push(Piece { path, begun });
        }
        Ok(Part { initial, program, is_total, pieces })
    }
}

/// The maximum number of steps of all paths of a part.
const MOST_STEPS: usize = 50_000_000;

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

/// Explores a part of a search until the time limit, the limit on executions, or an interrupt; then the
/// rest is returned. At least one execution is run.
///
/// The verdict is stopped only by a violation or by the limit on the depth. Executions are counted once
/// if every part is explored once, however the search was divided.
///
/// # Errors
///
/// If the part does not belong to the program, or the search cannot be divided.
pub fn explore_part<P: Program>(
    program: &P,
    part: &Part,
    options: &Options<'_>,
) -> Result<Explored, PartError> {
    match options.algorithm {
        Algorithm::Naive | Algorithm::Graphs => {}
        _ => return Part::whole(program, options).and(Err(PartError::Malformed)),
    }
    let unsupported = || PartError::Unsupported("this front end cannot divide a search".to_owned());
    let program = program.for_workers().ok_or_else(unsupported)?;
    if part.program.as_ref().is_some_and(|saved| !program.restore(saved)) {
        return Err(PartError::Malformed);
    }
    // Another explorer could not go on with the rest.
    let mut options = Options { may_switch: false, scouts: false, ..options.clone() };
    if part.is_total {
        options.coherence = Some(Coherence::Total);
    }
    let mut result = Err(PartError::Malformed);
    let verdict = start(&program, &options, |machine| {
        if let Some(refusal) = refuse(machine, &options) {
            return refusal;
        }
        let explore = match options.algorithm {
            Algorithm::Naive => explore::<Naive>,
            _ => explore::<Graphs>,
        };
        let save = || program.save();
        result = explore(&mut Watched::with(machine, &mut (), &options), &save, part, &options);
        Verdict { stopped: None, ..Verdict::default() }
    });
    match verdict.stopped {
        // The program failed before its first step.
        Some(_) => Ok(Explored { verdict, rest: None, starts_over: None }),
        None => result,
    }
}

fn explore<S: Strategy + Divide + Explorer>(
    machine: &mut dyn Subject,
    save_program: &dyn Fn() -> Option<Vec<u8>>,
    part: &Part,
    options: &Options<'_>,
) -> Result<Explored, PartError> {
    let initial = part.initial.unwrap_or(machine.processes());
    let cells = Arc::new(CommonCells::default());
    let is_total = part.is_total;
    let save = |pieces| Part { initial: Some(initial), program: save_program(), is_total, pieces };
    loop {
        // It pauses only for limits.
        let never = Instant::now() + Duration::from_secs(1 << 30);
        let pool =
            Arc::new(Pool::new(1, Sharing::OnDemand, cells.clone(), initial).until(1, never));
        let member = Member::new(pool.clone());
        let mut driver = Driver::of_team(machine, options, member);
        driver.execution().share_cells(cells.clone());
        driver.execution().set_initial(initial);
        let mut search = Divided::new(S::new(options), pool.clone(), part.pieces.clone());
        driver.configure::<Divided<S>>();
        let outcome = driver.search(&mut search, !part.pieces.is_empty());
        let verdict = driver.finish();
        let done = |verdict, rest| Ok(Explored { verdict, rest, starts_over: None });
        let start_over = |lesson, rest| {
            let verdict = Verdict { algorithm: options.algorithm, ..Verdict::default() };
            Ok(Explored { verdict, rest: Some(rest), starts_over: Some(lesson) })
        };
        match outcome {
            _ if search.is_lost() => return Err(PartError::Malformed),
            Outcome::Done if pool.is_pausing() => {
                let mut pieces = search.into_first();
                pieces.extend(pool.offers());
                pieces.sort_by_key(|piece| piece.path.len());
                return done(verdict, (!pieces.is_empty()).then(|| save(pieces)));
            }
            Outcome::Done | Outcome::GaveUp => return done(verdict, None),
            Outcome::Stopped => {
                let is_nondeterministic = |verdict: &Verdict| {
                    verdict.violations.iter().any(|v| v.kind == ViolationKind::Nondeterminism)
                };
                debug_assert!(
                    verdict.stopped == Some(Bound::Violation) || is_nondeterministic(&verdict)
                );
                return done(verdict, None);
            }
            Outcome::StartOver(lesson @ Lesson::CoherenceOrder(_), _) => {
                let rest = Part { initial: None, is_total: true, ..save(Vec::new()) };
                return start_over(lesson, rest);
            }
            // The machine and its ids stay the same, and so does the search tree.
            Outcome::StartOver(_, Teacher::Execution) => {
                if let Err(violation) = machine.rewind(0) {
                    let stopped = Some(Bound::Violation);
                    let verdict = Verdict { violations: vec![*violation], stopped, ..verdict };
                    return done(verdict, None);
                }
            }
            Outcome::StartOver(lesson, Teacher::Machine) => {
                let rest = Part { initial: None, ..save(Vec::new()) };
                return start_over(lesson, rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_were_written() {
        let pieces = [(vec![], 1), (vec![1, 3], 2), (vec![1, 3, 300], 1), (vec![2, 1, 1, 1], 7)];
        let pieces = pieces.map(|(path, begun)| Piece { path, begun }).to_vec();
        let program = Some(b"ids".to_vec());
        let part = Part { initial: Some(1), program, is_total: true, pieces };
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
    fn paths_that_fill_the_memory_are_refused() {
        // Each piece repeats the path of the piece before it.
        let mut bytes = to_bytes(&(None::<usize>, None::<Vec<u8>>));
        usize::MAX.write(&mut bytes);
        (0_usize, vec![1_u32; 100_000], 1_u32).write(&mut bytes);
        for _ in 0..1000 {
            (100_000_usize, Vec::<u32>::new(), 1_u32).write(&mut bytes);
        }
        assert_eq!(Part::from_bytes(&bytes), Err(PartError::Malformed));
    }
}
