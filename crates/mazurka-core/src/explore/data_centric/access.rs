//! What events do to locations.

use smallvec::SmallVec;

use super::super::cells::CellId;
use super::super::execution::{Access as Performed, Execution};
use super::lessons::{Group, Lessons};
use super::record::INITIAL;
use crate::model::{Action, Op, Ways, When};

/// What an event does to one group of locations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) group: Group,
    /// Whether it observes what was written there before.
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// The event whose write it observes, or [`INITIAL`], if it reads.
    pub(super) source: u32,
    /// The event that observes and replaces what it writes, or [`INITIAL`] if there is none.
    pub(super) replaced_by: u32,
    /// What it would do under its condition.
    pub(super) declared: Op,
    pub(super) when: When,
    pub(super) ways: Ways,
    pub(super) waits: bool,
    pub(super) plain: bool,
    /// Whether it is one action on one cell, so that its values are the group's.
    pub(super) simple: bool,
    pub(super) before: u64,
    pub(super) after: u64,
}

/// Whether an access reads and whether it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    pub(super) reads: bool,
    pub(super) writes: bool,
}

impl Access {
    /// What the access is if it takes effect.
    pub(super) fn kind(&self, lessons: &Lessons) -> Kind {
        kind(self.declared, self.when, self.group, lessons)
    }

    /// Whether more than a value decides what it does.
    pub(super) fn needs_conditions(&self) -> bool {
        !self.simple && (self.waits || self.is_conditional())
    }

    /// Whether what it does depends on the value that it finds.
    pub(super) fn is_conditional(&self) -> bool {
        self.when != When::Always
    }
}

/// What an operation counts as.
fn kind(op: Op, when: When, group: Group, lessons: &Lessons) -> Kind {
    match op {
        Op::Read => Kind { reads: true, writes: false },
        Op::Write => {
            Kind { reads: when != When::Always || lessons.is_ordered(group), writes: true }
        }
        // Additions and operations on queues are ordered with everything on their location.
        _ => Kind { reads: true, writes: true },
    }
}

/// The accesses of one event.
pub(super) type Accesses = SmallVec<[Access; 2]>;

/// Notes the cells that somebody waits for.
pub(super) fn learn(performed: &[Performed], lessons: &mut Lessons) {
    if let Some(waiting) = performed.iter().find(|access| access.waits) {
        lessons.is_awaited(waiting.cell);
        for other in performed.iter().filter(|other| other.cell != waiting.cell) {
            lessons.are_awaited_together(waiting.cell, other.cell);
        }
    }
}

/// Puts the accesses of a step together by the groups that they are to.
pub(super) fn gather(
    performed: &[Performed],
    execution: &Execution,
    lessons: &Lessons,
    into: &mut Accesses,
) {
    into.clear();
    for access in performed {
        let group = lessons.group(access.cell);
        let Kind { reads, writes } = kind(access.op, access.when, group, lessons);
        let simple = is_memory(access.declared)
            && !lessons.is_merged(group)
            && !execution.has_overlaps(access.cell);
        add(
            Access {
                group,
                reads,
                writes,
                source: INITIAL,
                replaced_by: INITIAL,
                declared: access.declared,
                when: access.when,
                ways: access.ways,
                waits: access.waits,
                plain: access.plain,
                simple,
                before: access.before,
                after: access.after,
            },
            into,
        );
    }
}

/// The accesses that a process is about to make.
pub(super) fn pending<'a>(
    actions: impl Iterator<Item = (&'a Action, CellId)>,
    execution: &Execution,
    lessons: &Lessons,
) -> Accesses {
    let mut accesses = Accesses::new();
    for (action, cell) in actions {
        let group = lessons.group(cell);
        let Kind { reads, writes } = kind(action.op, action.when, group, lessons);
        let simple =
            is_memory(action.op) && !lessons.is_merged(group) && !execution.has_overlaps(cell);
        add(
            Access {
                group,
                reads,
                writes,
                source: INITIAL,
                replaced_by: INITIAL,
                declared: action.op,
                when: action.when,
                ways: action.ways,
                waits: action.waits,
                plain: action.plain,
                simple,
                before: 0,
                after: 0,
            },
            &mut accesses,
        );
    }
    accesses
}

/// Adds an access to those of its event.
fn add(access: Access, into: &mut Accesses) {
    let Some(known) = into.iter_mut().find(|known| known.group == access.group) else {
        into.push(access);
        return;
    };
    // Of two conditions only one can be told here.
    known.simple &= access.simple && !(known.is_conditional() && access.is_conditional());
    if access.is_conditional() {
        known.when = access.when;
    }
    if access.declared != Op::Read {
        known.declared = access.declared;
        known.ways = access.ways;
        known.after = access.after;
    }
    known.reads |= access.reads;
    known.writes |= access.writes;
    known.waits |= access.waits;
    known.plain |= access.plain;
}

fn is_memory(op: Op) -> bool {
    matches!(op, Op::Read | Op::Write | Op::Update | Op::Add)
}
