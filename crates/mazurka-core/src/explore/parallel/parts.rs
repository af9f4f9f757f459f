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
//! That is sound. Below a node, the search of one part does not depend on that of another. The search
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

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::pieces::{Divide, Divided, Piece};
use super::weight::{Scales, Weight};
use super::{Member, Offer, Pool, Sharing};
use crate::algorithm::Algorithm;
use crate::execution::order::AllConflicts;
use crate::execution::shared_cells::{CommonCells, KnownCell};
use crate::explore::data_centric::division::piece::{self, OpenChild};
use crate::explore::data_centric::division::worker::Worker;
use crate::explore::data_centric::lessons::Lessons;
use crate::explore::dpor::division::Stacks;
use crate::explore::dpor::division::ledger::Ledger;
use crate::explore::dpor::division::stack::{self, Report, Stack};
use crate::explore::dpor::optimal::Optimal;
use crate::explore::fingerprint::Fingerprint;
use crate::explore::graphs::Graphs;
use crate::explore::naive::Naive;
use crate::explore::{refuse, start};
use crate::model::{Lesson, Machine, Program};
use crate::search::driver::{Driver, Outcome, Teacher};
use crate::search::estimate::Estimator;
use crate::search::strategy::{Explorer, Strategy};
use crate::search::subject::{Subject, Watched};
use crate::search::{Coherence, Estimate, Monitor, Options};
use crate::verdict::{Bound, Note, Restart, Verdict, ViolationKind, WeakAccess};
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
/// That of `observers` cannot. A sequence that is redundant in one part, because a sleeping write is unobserved
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

/// The state of a divided search that belongs to no part: which branches the parts of an explorer with
/// wakeup trees have where, and how much of the search is explored. The process that collects the results of
/// all parts has one.
#[derive(Debug, Default)]
pub struct Division {
    ledger: Ledger,
    /// The claims that parts of `data-centric` have made.
    claims: HashSet<Fingerprint>,
    scales: Scales,
}

/// The maximum number of parts that an exploration leaves, unless they would be large.
const MOST_PARTS: usize = 1024;

/// A part with more steps than this in its stacks or open children is divided, so that messages do not become
/// too large.
const LARGE: usize = 100_000;

impl Division {
    /// Returns the parts that are left after a part was explored once, at most `most` if they are not
    /// large. `rest` is what its exploration has left.
    ///
    /// The outcome depends on nothing but the sequence of calls. Every part that it returns must be explored
    /// until nothing is left.
    pub fn settle(&mut self, part: &Part, rest: Option<Part>, most: usize) -> Vec<Part> {
        self.scales.explore(part.weight(), rest.as_ref().map_or(Weight::NONE, Part::weight));
        let rest = rest.map(|rest| self.divide(part, rest, most.min(MOST_PARTS)));
        part.stacks.iter().for_each(|stack| self.ledger.close(stack));
        rest.unwrap_or_default()
    }

    /// Notes how many executions have been explored, including those that ended early.
    pub fn count(&mut self, executions: u64) {
        self.scales.count(executions);
    }

    /// Returns an estimate of the size of the search; `None` if too little is explored. It depends on nothing
    /// but the sequence of calls of the other functions.
    pub fn estimate(&self) -> Option<Estimate> {
        self.scales.estimate()
    }

    fn divide(&mut self, part: &Part, mut rest: Part, most: usize) -> Vec<Part> {
        if !rest.children.is_empty() || !rest.claimed.is_empty() {
            return self.divide_children(rest, most);
        }
        if rest.stacks.is_empty() && rest.reports.is_empty() {
            return rest.divide(most);
        }
        let mut stacks = std::mem::take(&mut rest.stacks);
        stacks.iter().for_each(|stack| self.ledger.open(stack));
        for stack in &mut stacks {
            for (depth, place) in
                stack.places.iter_mut().enumerate().filter(|(_, p)| !p.plan.is_empty())
            {
                if place.weight == Weight::NONE {
                    // The search has added branches since the place was weighed.
                    place.weight = self.scales.add(depth);
                } else {
                    self.scales.note(depth, place.weight.shares(1, place.plan.roots().count()));
                }
            }
        }
        for report in std::mem::take(&mut rest.reports) {
            let Some(mut new) = self.ledger.accept(&part.stacks, report) else { continue };
            let depth = new.path.len();
            new.places[depth].weight = self.scales.add(depth);
            stacks.push(new);
        }
        if stacks.is_empty() {
            return Vec::new();
        }
        let size: usize = stacks.iter().map(Stack::size).sum();
        let most = most.max(size / LARGE);
        self.ledger.divide(&mut stacks, most);
        stacks.sort_by_key(|stack| stack.path.len());
        Part { stacks, ..rest }.divide(most)
    }

    fn divide_children(&mut self, mut rest: Part, most: usize) -> Vec<Part> {
        rest.children.iter().for_each(|open| self.scales.note(open.path.len(), open.weight));
        for mut open in std::mem::take(&mut rest.claimed) {
            let claim = open.path.last().and_then(|node| node.claim);
            if claim.is_some_and(|claim| self.claims.insert(claim)) {
                open.weight = self.scales.add(open.path.len());
                rest.children.push(open);
            }
        }
        if rest.children.is_empty() {
            return Vec::new();
        }
        rest.children.sort_by_key(|open| open.path.len());
        let size: usize = rest.children.iter().map(OpenChild::size).sum();
        rest.divide(most.max(size / LARGE))
    }
}

/// Explores a part of a search until the time limit, the limit on executions, or an interrupt; then the
/// rest is returned. At least one execution is run.
///
/// The verdict is stopped only by a violation or by the limit on the depth. Executions are counted once
/// if every part is explored once, however the search was [divided](Division).
///
/// # Errors
///
/// If the part does not belong to the program, or the search cannot be divided.
pub fn explore_part<P: Program>(
    program: &P,
    part: &Part,
    options: &Options<'_>,
    monitor: &mut dyn Monitor<P::Machine>,
) -> Result<Explored, PartError> {
    if !is_divisible(options.algorithm) {
        return Part::whole(program, options).and(Err(PartError::Malformed));
    }
    let is_data_centric = options.algorithm == Algorithm::DataCentric;
    let has_children = is_data_centric && !part.has_given_up;
    let has_stacks = options.algorithm == Algorithm::Optimal || part.has_given_up;
    let has_pieces = !has_stacks && !has_children;
    let is_of_another = (part.has_given_up && !is_data_centric)
        || (!has_pieces && !part.pieces.is_empty())
        || (!has_stacks && !part.stacks.is_empty())
        || (!has_children && !part.children.is_empty());
    if is_of_another || !part.reports.is_empty() || !part.claimed.is_empty() {
        return Err(PartError::Malformed);
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
        let initial = part.initial.unwrap_or(machine.processes());
        let save = || program.save();
        let machine = &mut Watched::with(machine, monitor, &options);
        let mut explorer = Exploration { machine, save: &save, part, initial, options: &options };
        result = match options.algorithm {
            _ if has_stacks => explorer.stacks(),
            Algorithm::Naive => explorer.pieces::<Naive>(),
            Algorithm::DataCentric => explorer.children(),
            _ => explorer.pieces::<Graphs>(),
        };
        Verdict { stopped: None, ..Verdict::default() }
    });
    match verdict.stopped {
        // The program failed before its first step.
        Some(_) => Ok(Explored { verdict, rest: None, starts_over: None }),
        None => result,
    }
}

/// The exploration of a part.
struct Exploration<'a> {
    machine: &'a mut dyn Subject,
    /// Returns what the machines of the program have learnt.
    save: &'a dyn Fn() -> Option<Vec<u8>>,
    part: &'a Part,
    /// The number of processes in the initial state.
    initial: usize,
    options: &'a Options<'a>,
}

/// The end of a search.
enum End {
    /// The search paused.
    Paused,
    /// The search is complete, or was stopped by a violation.
    Over,
    /// The part must be explored again.
    Again,
    /// The whole search must start over.
    StartOver(Lesson),
    /// The whole search must start over with another explorer.
    GaveUp,
}

impl Exploration<'_> {
    /// Explores the pieces of the part.
    fn pieces<S: Strategy + Divide + Explorer>(&mut self) -> Result<Explored, PartError> {
        let part = self.part;
        let cells = Arc::new(CommonCells::default());
        loop {
            let pool = self.pool(&cells);
            let search = S::new(self.options);
            let mut search = Divided::new(search, pool.clone(), part.pieces.clone());
            let joins = !part.pieces.is_empty();
            let (end, verdict) = self.run(&mut search, &pool, &cells, joins, |_, _| {});
            if search.is_lost() {
                return Err(PartError::Malformed);
            }
            match end {
                End::Again => {}
                End::Paused => {
                    let mut pieces = search.into_first();
                    pieces.extend(pool.offers());
                    pieces.sort_by_key(|piece| piece.path.len());
                    let rest =
                        (!pieces.is_empty()).then(|| Part { pieces, ..self.saved(Vec::new()) });
                    return Ok(Explored { verdict, rest, starts_over: None });
                }
                End::Over | End::GaveUp => {
                    return Ok(Explored { verdict, rest: None, starts_over: None });
                }
                End::StartOver(lesson) => return Ok(self.start_over(lesson, Vec::new())),
            }
        }
    }

    /// Explores the stacks of the part.
    fn stacks(&mut self) -> Result<Explored, PartError> {
        let part = self.part;
        let cells = Arc::new(CommonCells::of_part(&part.cells));
        loop {
            let pool = self.pool(&cells);
            let mut search: Optimal<AllConflicts, Stacks> =
                Optimal::by(Stacks::new(pool.clone(), &part.stacks));
            let joins = !part.stacks.is_empty();
            let weigh = |search: &mut Optimal<AllConflicts, Stacks>, estimator: &Estimator| {
                search.workers.weigh(estimator);
            };
            let (end, verdict) = self.run(&mut search, &pool, &cells, joins, weigh);
            if search.workers.is_lost() {
                return Err(PartError::Malformed);
            }
            match end {
                End::Again => {}
                End::Paused | End::Over | End::GaveUp => {
                    let (stacks, reports) = search.workers.into_rest();
                    let is_open = !stacks.is_empty() || !reports.is_empty();
                    let is_open = is_open && verdict.stopped != Some(Bound::Violation);
                    let rest = is_open.then(|| Part {
                        stacks,
                        reports,
                        ..self.saved(cells.overlapping())
                    });
                    return Ok(Explored { verdict, rest, starts_over: None });
                }
                End::StartOver(lesson) => return Ok(self.start_over(lesson, cells.overlapping())),
            }
        }
    }

    /// Explores the open children of the part.
    fn children(&mut self) -> Result<Explored, PartError> {
        let part = self.part;
        let cells = Arc::new(CommonCells::of_part(&part.cells));
        loop {
            let pool: Arc<Pool<OpenChild>> = self.pool(&cells);
            pool.with_known(|known| known.lessons = part.lessons.clone());
            let mut worker = Worker::of_part(pool.clone(), part.children.clone());
            let joins = !part.children.is_empty();
            let (end, mut verdict) = self.run(&mut worker, &pool, &cells, joins, |_, _| {});
            worker.report(&mut verdict);
            match end {
                End::Again => {}
                End::Paused | End::Over => {
                    let (mut children, claimed) = worker.into_rest();
                    children.extend(pool.offers());
                    children.sort_by_key(|open| open.path.len());
                    let is_open = !children.is_empty() || !claimed.is_empty();
                    let is_open = is_open && verdict.stopped != Some(Bound::Violation);
                    let saved =
                        || Part { lessons: part.lessons.clone(), ..self.saved(part.cells.clone()) };
                    let rest = is_open.then(|| Part { children, claimed, ..saved() });
                    return Ok(Explored { verdict, rest, starts_over: None });
                }
                End::GaveUp => {
                    let explored = self.start_over(Lesson::Observations, cells.overlapping());
                    let rest = explored.rest.map(|rest| Part { has_given_up: true, ..rest });
                    return Ok(Explored { rest, ..explored });
                }
                End::StartOver(lesson @ (Lesson::Observations | Lesson::Overlap)) => {
                    let (told, lessons) = worker.lessons().told();
                    let mut known = cells.some(&told);
                    let others = cells.overlapping().into_iter();
                    let others: Vec<_> = others.filter(|cell| !known.contains(cell)).collect();
                    known.extend(others);
                    let explored = self.start_over(lesson, known);
                    let rest = explored.rest.map(|rest| Part { lessons, ..rest });
                    return Ok(Explored { rest, ..explored });
                }
                // The lessons are about the ids of the old machine.
                End::StartOver(lesson) => return Ok(self.start_over(lesson, Vec::new())),
            }
        }
    }

    /// Returns whether the part has open children.
    fn has_children(&self) -> bool {
        self.options.algorithm == Algorithm::DataCentric && !self.part.has_given_up
    }

    /// Returns a pool for one worker, which pauses only for limits.
    fn pool<O: Offer>(&self, cells: &Arc<CommonCells>) -> Arc<Pool<O>> {
        let never = Instant::now() + Duration::from_secs(1 << 30);
        let pool = Pool::new(1, Sharing::OnDemand, cells.clone(), self.initial);
        Arc::new(pool.until(1, never))
    }

    /// Returns a part with the knowledge of the search, but nothing to explore.
    fn saved(&self, cells: Vec<KnownCell>) -> Part {
        Part {
            initial: Some(self.initial),
            program: (self.save)(),
            is_total: self.part.is_total,
            has_given_up: self.part.has_given_up,
            cells,
            ..Part::start()
        }
    }

    /// Returns the outcome of a part for which the whole search must start over.
    fn start_over(&self, lesson: Lesson, cells: Vec<KnownCell>) -> Explored {
        let is_total = self.part.is_total || matches!(lesson, Lesson::CoherenceOrder(_));
        let rest = Part { initial: None, is_total, ..self.saved(cells) };
        let verdict = Verdict { algorithm: self.options.algorithm, ..Verdict::default() };
        Explored { verdict, rest: Some(rest), starts_over: Some(lesson) }
    }

    /// Explores from the initial state or, if the search `joins`, only what it was given. Then calls `weigh`.
    fn run<S: Strategy, O: Offer>(
        &mut self,
        search: &mut S,
        pool: &Arc<Pool<O>>,
        cells: &Arc<CommonCells>,
        joins: bool,
        weigh: impl FnOnce(&mut S, &Estimator),
    ) -> (End, Verdict) {
        let member = Member::new(pool.clone());
        let mut driver = Driver::of_team(self.machine, self.options, member);
        driver.execution().share_cells(cells.clone());
        driver.execution().set_initial(self.initial);
        driver.configure::<S>();
        let outcome = driver.search(search, joins);
        weigh(search, driver.estimator());
        let verdict = driver.finish();
        let end = match outcome {
            Outcome::Done if pool.is_pausing() => End::Paused,
            Outcome::Done => End::Over,
            Outcome::GaveUp => End::GaveUp,
            Outcome::Stopped => {
                let is_nondeterministic = |verdict: &Verdict| {
                    verdict.violations.iter().any(|v| v.kind == ViolationKind::Nondeterminism)
                };
                debug_assert!(
                    verdict.stopped == Some(Bound::Violation) || is_nondeterministic(&verdict)
                );
                End::Over
            }
            Outcome::StartOver(lesson, Teacher::Machine)
            | Outcome::StartOver(
                lesson @ (Lesson::CoherenceOrder(_) | Lesson::Observations),
                Teacher::Execution,
            ) => End::StartOver(lesson),
            // What an event observes depends on it.
            Outcome::StartOver(Lesson::Overlap, Teacher::Execution) if self.has_children() => {
                End::StartOver(Lesson::Overlap)
            }
            // The machine and its ids stay the same, and so does the search tree.
            Outcome::StartOver(lesson, Teacher::Execution) => match self.machine.rewind(0) {
                Ok(()) => {
                    let Verdict { executions, blocked, elapsed, .. } = verdict;
                    let restart = Restart { lesson, executions, blocked, elapsed };
                    self.machine.started_over(&restart);
                    End::Again
                }
                Err(violation) => {
                    let stopped = Some(Bound::Violation);
                    let violations = vec![*violation];
                    return (End::Over, Verdict { violations, stopped, ..verdict });
                }
            },
        };
        (end, verdict)
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
            let mut bytes = to_bytes(&((Some(1_usize), None::<Vec<u8>>, false), 1_usize));
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
