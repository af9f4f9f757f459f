//! What events do to groups of locations.
//!
//! An event performs one or more actions on cells. Observation needs to know what it does to each
//! [group](CellGroup): whether it reads, whether it writes, and under which condition. [`gather`]
//! computes that, and [`learn`] notes which cells processes wait for.

use smallvec::SmallVec;

use super::INITIAL;
use crate::execution::cells::CellId;
use crate::execution::value::CellPart;
use crate::execution::{Access as Performed, Execution};
use crate::explore::data_centric::lessons::{CellGroup, Lessons};
use crate::model::{Action, Op, Ways, When};

/// What an event does to one group of locations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupAccess {
    pub(crate) group: CellGroup,
    /// Whether it observes the last write to the group.
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// The event whose write it observes, or [`INITIAL`]; meaningless if it does not read.
    pub(crate) source: u32,
    /// The event that observes and overwrites what it writes, or [`INITIAL`] if there is none.
    pub(crate) replaced_by: u32,
    /// The operation if its condition holds.
    pub(crate) declared: Op,
    pub(crate) when: When,
    pub(crate) ways: Ways,
    pub(crate) waits: bool,
    /// Whether some process polls the group in a loop. The access may then wait in another execution, even
    /// if it does not wait here.
    pub(crate) polled: bool,
    /// Whether it is a read-modify-write and so are all writes to the group, of several processes. Which of them
    /// comes next is a matter of observation, as if it waited.
    pub(crate) chain: bool,
    pub(crate) plain: bool,
    /// Whether the group is one cell without overlaps, so that `before` and `after` are its values.
    pub(crate) simple: bool,
    /// Whether it has more conditions than `when`.
    pub(crate) two_conditions: bool,
    pub(crate) share: Share,
    pub(crate) before: u64,
    pub(crate) after: u64,
}

/// The role of an access on a reader-writer lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Share {
    /// The group is not such a lock.
    No,
    /// An operation of a reader. Operations of readers are not ordered with each other.
    Joins,
    /// An operation of a writer, which is ordered with all others.
    Ends,
}

/// Whether an access reads, and whether it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

impl GroupAccess {
    /// Returns what the access is if its condition holds.
    pub(crate) fn kind(&self, lessons: &Lessons) -> Kind {
        kind(self.declared, self.when, self.group, lessons)
    }

    /// Returns whether the value of the group decides what the access does.
    pub(crate) fn is_told_by_value(&self) -> bool {
        self.simple && !self.two_conditions
    }

    /// Returns whether more than the value of the group decides what the access does.
    pub(crate) fn needs_conditions(&self) -> bool {
        !self.is_told_by_value() && (self.waits || self.is_conditional())
    }

    /// Returns whether the access writes, or would write after another observation.
    pub(crate) fn may_write(&self) -> bool {
        self.writes || !self.declared.is_read()
    }

    /// Returns the value that an addition which was performed would leave if it found `found`.
    pub(crate) fn sum_with(&self, found: u64) -> Option<u64> {
        let is_known = self.simple && self.declared == Op::Add;
        is_known.then(|| found.wrapping_add(self.after.wrapping_sub(self.before)))
    }

    /// Returns whether the access comes next on the group, or another write does. The children of the node of
    /// such an event are divided by that.
    pub(crate) fn takes_turns(&self) -> bool {
        self.waits || self.polled || self.chain
    }

    /// Returns whether the access is a read-modify-write that may be one of a chain.
    pub(super) fn is_update(&self) -> bool {
        self.simple && matches!(self.declared, Op::Update | Op::Add)
    }

    /// Returns whether the access depends on the value that it finds.
    pub(crate) fn is_conditional(&self) -> bool {
        self.when != When::Always
    }
}

/// Returns whether an operation counts as a read and as a write.
fn kind(op: Op, when: When, group: CellGroup, lessons: &Lessons) -> Kind {
    match op {
        Op::Read | Op::ReadPart => Kind { reads: true, writes: false },
        // A reader of a lock observes the last writer.
        Op::Add if lessons.is_shared(group) => Kind { reads: true, writes: false },
        Op::Write => {
            Kind { reads: when != When::Always || lessons.is_ordered(group), writes: true }
        }
        // Other additions and operations on queues are ordered with everything on their location.
        _ => Kind { reads: true, writes: true },
    }
}

/// The accesses of one event.
pub(crate) type Accesses = SmallVec<[GroupAccess; 2]>;

/// Returns the groups that an event observes, the one that it waits for first.
pub(crate) fn observed_groups(accesses: &[GroupAccess]) -> impl Iterator<Item = CellGroup> + '_ {
    let reads = accesses.iter().filter(|access| access.reads);
    let (awaited, others) = (
        reads.clone().filter(|access| access.takes_turns()),
        reads.filter(|access| !access.takes_turns()),
    );
    awaited.chain(others).map(|access| access.group)
}

/// One action of an event, performed or pending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessPart {
    cell: CellId,
    /// What it did, or declares to do.
    op: Op,
    declared: Op,
    when: When,
    ways: Ways,
    waits: bool,
    /// Whether it waits as a loop does.
    awaits: bool,
    /// Whether it is only a guard of the step.
    guard: bool,
    plain: bool,
    before: u64,
    after: u64,
}

impl From<&Performed> for AccessPart {
    fn from(access: &Performed) -> Self {
        let Performed { cell, op, declared, when, ways, waits, awaits, guard, plain, .. } = *access;
        let (before, after) = (access.before, access.after);
        AccessPart { cell, op, declared, when, ways, waits, awaits, guard, plain, before, after }
    }
}

impl AccessPart {
    /// Returns whether it waits for a message in a mailbox or an event in a queue.
    fn takes(&self) -> bool {
        self.waits && matches!(self.op, Op::Take { .. } | Op::Dequeue { .. })
    }

    /// Returns what this action is to a cell within its location.
    fn within(self, cell: CellId) -> Self {
        let op = |op| if op == Op::Add { Op::Update } else { op };
        let (op, declared) = (op(self.op), op(self.declared));
        AccessPart { cell, op, declared, before: 0, after: 0, ..self }
    }

    /// Returns an action that is still to be performed.
    pub(crate) fn pending(action: &Action, cell: CellId) -> Self {
        let Action { op, when, ways, waits, awaits, guard, plain, .. } = *action;
        let (declared, before, after) = (op, 0, 0);
        AccessPart { cell, op, declared, when, ways, waits, awaits, guard, plain, before, after }
    }
}

/// Returns what an event does to the values of cells.
///
/// An access to a range is one to every cell within that range. It is none to a cell that contains the
/// range: an access to that cell is one to the range, too. Accesses to the lives of objects are left out;
/// see [`lives`](super::lives).
pub(super) fn parts_of(
    execution: &Execution,
    event: u32,
) -> impl Iterator<Item = AccessPart> + Clone {
    let accesses = execution.accesses_of(event as usize);
    accesses.iter().enumerate().filter_map(|(i, access)| match access.part {
        CellPart::Whole => (!execution.is_life(access.cell)).then(|| AccessPart::from(access)),
        CellPart::Life => None,
        CellPart::Bytes(_) | CellPart::Unknown => {
            let is_whole = |access: &&Performed| access.part == CellPart::Whole;
            let whole = accesses[..i].iter().rfind(is_whole)?;
            let is_within = execution.contains(whole.cell, access.cell);
            is_within.then(|| AccessPart::from(whole).within(access.cell))
        }
    })
}

/// Notes in `lessons` which cells a process waits for.
pub(crate) fn learn(
    parts: impl Iterator<Item = AccessPart> + Clone,
    process: usize,
    execution: &Execution,
    lessons: &mut Lessons,
) {
    if !parts.clone().any(|part| part.waits) {
        return;
    }
    for part in parts.clone().filter(|part| part.awaits) {
        lessons.is_polled(part.cell);
    }
    let is_alone = parts.clone().nth(1).is_none();
    for part in parts.clone().filter(AccessPart::takes) {
        lessons.is_taken_from(part.cell, is_alone.then_some(process));
    }
    if !is_alone || parts.clone().any(|part| part.guard || part.declared.is_read()) {
        lessons.readers_wait();
    }
    let reader = |part: &AccessPart| part.waits && part.declared == Op::Add;
    if is_alone && let Some(part) = parts.clone().find(reader) {
        lessons.is_joined(part.cell, execution.birth(part.cell));
    }
    if takes_own(parts.clone(), lessons).is_none() {
        lessons.are_awaited(parts.map(|part| (part.cell, execution.birth(part.cell))));
    }
}

/// Returns the message that a step takes, if its only action is to take a message from the mailbox or
/// queue of its own process; [`Op::NONE`] if the step is pending.
///
/// Such a step takes the first message that it can, and the order of deliveries determines which that is.
/// So it observes nothing but that message.
pub(crate) fn takes_own(
    mut parts: impl Iterator<Item = AccessPart>,
    lessons: &Lessons,
) -> Option<u32> {
    let part = parts.next()?;
    match part.op {
        Op::Take { message } | Op::Dequeue { message }
            if part.takes() && lessons.is_own(part.cell) && parts.next().is_none() =>
        {
            Some(message)
        }
        _ => None,
    }
}

/// Combines the actions of a step by group.
///
/// A step that waits for several cells observes their joint group. A step that may write to one of these
/// cells observes and writes the joint group.
pub(crate) fn gather(
    parts: impl Iterator<Item = AccessPart> + Clone,
    execution: &Execution,
    lessons: &Lessons,
    into: &mut Accesses,
) {
    into.clear();
    if takes_own(parts.clone(), lessons).is_some() {
        return;
    }
    let first = parts.clone().next().map(|part| part.cell);
    let waits_for_several =
        parts.clone().any(|part| part.waits) && parts.clone().any(|part| Some(part.cell) != first);
    for part in parts {
        let group = lessons.group(part.cell);
        let joint = lessons.joint_group(part.cell, execution.birth(part.cell));
        let is_apart = !waits_for_several || joint.is_none();
        if is_apart || !part.declared.is_read() {
            let when = if is_apart || !part.waits { part.when } else { When::Always };
            let simple = part.declared.is_memory()
                && lessons.is_single(group)
                && !execution.shares_values(part.cell);
            let access = part.on(group, lessons);
            let is_update = !part.waits && matches!(part.declared, Op::Update | Op::Add);
            add(
                GroupAccess {
                    when,
                    waits: part.waits && is_apart,
                    polled: is_apart && lessons.polls(part.cell),
                    chain: is_update && simple && lessons.is_chain(group),
                    simple,
                    ..access
                },
                into,
            );
        }
        if let Some(joint) = joint.filter(|_| waits_for_several || !part.declared.is_read()) {
            let access = part.on(joint, lessons);
            let waits = part.waits && waits_for_several;
            add(GroupAccess { waits, plain: false, ways: Ways::One, ..access }, into);
        }
    }
}

impl AccessPart {
    fn on(&self, group: CellGroup, lessons: &Lessons) -> GroupAccess {
        let Kind { reads, writes } = kind(self.op, self.when, group, lessons);
        let share = match lessons.is_shared(group) {
            false => Share::No,
            true if self.op == Op::Add => Share::Joins,
            true => Share::Ends,
        };
        GroupAccess {
            group,
            reads,
            writes,
            source: INITIAL,
            replaced_by: INITIAL,
            declared: self.declared,
            when: self.when,
            ways: self.ways,
            waits: self.waits,
            polled: false,
            chain: false,
            plain: self.plain,
            simple: false,
            two_conditions: false,
            share,
            before: self.before,
            after: self.after,
        }
    }
}

/// Adds an access, or combines it with the access to the same group.
fn add(access: GroupAccess, into: &mut Accesses) {
    let Some(known) = into.iter_mut().find(|known| known.group == access.group) else {
        into.push(access);
        return;
    };
    known.simple &= access.simple;
    known.two_conditions |= known.is_conditional() && access.is_conditional();
    if access.is_conditional() {
        known.when = access.when;
    }
    if !access.declared.is_read() {
        known.declared = access.declared;
        known.ways = access.ways;
        known.after = access.after;
    }
    known.reads |= access.reads;
    known.writes |= access.writes;
    known.waits |= access.waits;
    known.polled |= access.polled;
    known.chain &= access.chain;
    known.plain |= access.plain;
}
