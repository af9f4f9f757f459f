//! All histories that a step can have within the current configuration.
//!
//! In the paper's terms these are the candidates for `H`, for one transition `t`. A history of a step
//! contains the past of its process, and its other maximal events are dependent on the step. So a history
//! is a choice among the earlier accesses to the cells that the step accesses: a set that contains, with
//! every access, the accesses that happen before it.

use smallvec::SmallVec;

use crate::execution::Access;
use crate::execution::cells::CellId;
use crate::execution::effort;
use crate::execution::value::CellPart;
use crate::explore::unfolding::events::configuration::Configuration;
use crate::model::dependence::{covers, dependent};
use crate::model::{Forgone, Op, ProcessId};

/// What a step may do to a cell, over all histories.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    pub(crate) cell: CellId,
    pub(crate) op: Op,
    /// Whether it may only read after some histories.
    pub(crate) may_read: bool,
}

impl Pattern {
    pub(crate) fn of(access: &Access) -> Self {
        let is_fixed = is_fixed(access);
        let op = if is_fixed { access.op } else { access.declared_op() };
        Pattern { cell: access.cell, op, may_read: !is_fixed }
    }

    /// Adds the pattern of an access that the step performs after some history. A step may access a cell
    /// more than once: it may read a value and then replace it.
    pub(crate) fn add(patterns: &mut SmallVec<[Pattern; 2]>, cell: CellId, op: Op) {
        let is_covered = |pattern: &Pattern| {
            pattern.cell == cell
                && (pattern.depends_on_all() || pattern.op == op || covers(pattern.op, op))
        };
        if !patterns.iter().any(is_covered) {
            patterns.push(Pattern { cell, op, may_read: true });
        }
    }

    /// Returns whether the step may depend on all accesses to the cell.
    fn depends_on_all(&self) -> bool {
        // The result of an operation on a queue depends on all others. A post always does the same.
        !(self.op.is_memory() || matches!(self.op, Op::Post { .. }))
    }

    /// Returns whether accesses with this operation are ordered with all that the step may depend on.
    fn is_covered_by(&self, op: Op) -> bool {
        covers(op, self.op) && (!self.may_read || covers(op, Op::Read))
    }

    fn may_depend_on(&self, op: Op) -> bool {
        self.depends_on_all()
            || dependent(self.op, op)
            || (self.may_read && dependent(Op::Read, op))
    }
}

/// Returns whether an access does the same whatever its history.
pub(crate) fn is_fixed(access: &Access) -> bool {
    use crate::model::{Ways, When};
    (access.op.is_memory() || matches!(access.op, Op::Post { .. }))
        && !access.waits
        && access.when == When::Always
        && access.ways == Ways::One
        && !has_failed(access)
}

/// Returns whether a step with these accesses does the same whatever its history.
pub(crate) fn are_fixed(accesses: &[Access]) -> bool {
    accesses.iter().all(is_fixed) && !may_branch(accesses)
}

/// Returns whether a value that the step reads may decide which accesses follow, as in an atomic section.
pub(crate) fn may_branch(accesses: &[Access]) -> bool {
    if accesses.iter().any(|access| access.op == Op::Forgone(Forgone::Anything)) {
        return true;
    }
    let mut whole = accesses.iter().filter(|it| it.part == CellPart::Whole && !it.guard);
    whole.next_back();
    whole.any(|access| access.op.is_memory() && access.op != Op::Write && !access.waits)
}

/// Returns whether the step of an unconditional access has failed instead of performing its declared
/// operation. What it does after another history is then unknown.
pub(crate) fn has_failed(access: &Access) -> bool {
    use crate::model::When;
    access.op.is_memory() && access.when == When::Always && access.op != access.declared
}

/// The step of a process after some of its events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'a> {
    pub(crate) process: ProcessId,
    /// The rank of the step in its process.
    pub(crate) number: u32,
    /// What happens before the step whatever it accesses.
    pub(crate) past: &'a [u32],
}

/// A set of the events that a step may depend on, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HistoryChoice(u64);

impl HistoryChoice {
    const BITS: usize = u64::BITS as usize;
}

/// Histories in one buffer, and the state of their enumeration.
#[derive(Debug, Default)]
pub(crate) struct Histories {
    words: Vec<u32>,
    width: usize,
    /// The events that the step may depend on.
    items: Vec<u32>,
    /// For each of these events the set of those that happen after it.
    behind: Vec<u64>,
    /// For each decision so far whether the event is in the history.
    chosen: Vec<bool>,
    /// The histories after each of these decisions.
    stack: Vec<u32>,
}

impl Histories {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.words.chunks_exact(self.width.max(1))
    }

    /// Collects all histories of a step with these patterns, or, if `new_from` is given, only those that
    /// contain an event from that position on.
    pub(crate) fn collect(
        &mut self,
        configuration: &Configuration,
        slot: Slot<'_>,
        patterns: &[Pattern],
        new_from: Option<usize>,
    ) {
        self.words.clear();
        self.width = configuration.width();
        self.find_items(configuration, slot, patterns);
        if new_from.is_some_and(|from| self.items.last().is_none_or(|i| (*i as usize) < from)) {
            return;
        }
        self.chosen.clear();
        self.stack.clear();
        self.stack.extend_from_slice(slot.past);
        // For each event in turn, first include it, then leave it out.
        loop {
            while self.chosen.len() < self.items.len() {
                let choose = self.can_choose_next(configuration);
                self.decide(configuration, choose);
            }
            let is_new = |from: usize| {
                let mut chosen = self.items.iter().zip(&self.chosen).filter(|(_, chosen)| **chosen);
                chosen.next_back().is_some_and(|(item, _)| *item as usize >= from)
            };
            if new_from.is_none_or(is_new) {
                let start = self.stack.len() - self.width;
                self.words.extend_from_slice(&self.stack[start..]);
            }
            loop {
                match self.chosen.pop() {
                    None => return,
                    Some(was_chosen) => {
                        self.stack.truncate(self.stack.len() - self.width);
                        if was_chosen {
                            self.decide(configuration, false);
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Prepares to enumerate the histories of a step that does the same after each of them, from large to
    /// small. Returns the largest, or `None` if there are too many events to choose from.
    pub(crate) fn descend_from_all(
        &mut self,
        configuration: &Configuration,
        slot: Slot<'_>,
        patterns: &[Pattern],
    ) -> Option<HistoryChoice> {
        self.width = configuration.width();
        self.find_items(configuration, slot, patterns);
        if self.items.len() > HistoryChoice::BITS {
            return None;
        }
        self.behind.clear();
        for (i, item) in self.items.iter().enumerate() {
            let later = self.items.iter().enumerate().skip(i + 1);
            let behind = later.filter(|(_, other)| {
                configuration.happens_before(*item as usize, **other as usize)
            });
            self.behind.push(behind.fold(0, |all, (other, _)| all | 1 << other));
        }
        Some(HistoryChoice(match self.items.len() {
            0 => 0,
            len => u64::MAX >> (HistoryChoice::BITS - len),
        }))
    }

    /// Returns the choices with one maximal event less.
    pub(crate) fn smaller(
        &self,
        choice: HistoryChoice,
    ) -> impl Iterator<Item = HistoryChoice> + '_ {
        let chosen = (0..self.items.len()).filter(move |i| choice.0 >> i & 1 != 0);
        let maximal = chosen.filter(move |i| self.behind[*i] & choice.0 == 0);
        maximal.map(move |i| HistoryChoice(choice.0 & !(1 << i)))
    }

    /// The history that a choice leads to.
    pub(crate) fn of_choice(
        &self,
        configuration: &Configuration,
        past: &[u32],
        choice: HistoryChoice,
        history: &mut Vec<u32>,
    ) {
        history.clear();
        history.extend_from_slice(past);
        for (i, item) in self.items.iter().enumerate() {
            if choice.0 >> i & 1 != 0 {
                crate::execution::clock::join(history, configuration.clock(*item as usize));
            }
        }
    }

    /// Finds the events that the step may depend on, in the order of the configuration. Events of its past
    /// are left out, and so are events that happen after it.
    fn find_items(&mut self, configuration: &Configuration, slot: Slot<'_>, patterns: &[Pattern]) {
        self.items.clear();
        let own = configuration.find(slot.process, slot.number).unwrap_or(configuration.len());
        for pattern in patterns {
            let (earlier, later) = configuration.accesses_around(pattern.cell, own);
            let is_past = |index: usize| configuration.is_in(index, slot.past);
            self.add_items(earlier.rev(), pattern, is_past);
            let happens_later = |index: usize| {
                debug_assert!(!is_past(index), "the past of a step comes before it");
                configuration.clock(index)[slot.process.index()] >= slot.number
            };
            self.add_items(later, pattern, happens_later);
        }
        self.items.sort_unstable();
        self.items.dedup();
    }

    /// Adds the events of accesses that the step may depend on, unless they are ordered with it. Stops
    /// where all further ones are.
    fn add_items<'a>(
        &mut self,
        accesses: impl Iterator<Item = &'a Access>,
        pattern: &Pattern,
        is_ordered: impl Fn(usize) -> bool,
    ) {
        for access in accesses {
            effort::look();
            if is_ordered(access.event as usize) {
                if pattern.is_covered_by(access.op) {
                    break;
                }
            } else if pattern.may_depend_on(access.op) {
                self.items.push(access.event);
            }
        }
    }

    /// Returns whether the next event can be chosen: no event before it has been left out.
    fn can_choose_next(&self, configuration: &Configuration) -> bool {
        let next = self.items[self.chosen.len()] as usize;
        let decided = self.items.iter().zip(&self.chosen);
        let mut left_out = decided.filter(|(_, chosen)| !**chosen);
        !left_out.any(|(item, _)| configuration.happens_before(*item as usize, next))
    }

    fn decide(&mut self, configuration: &Configuration, choose: bool) {
        let start = self.stack.len() - self.width;
        self.stack.extend_from_within(start..);
        if choose {
            let next = self.items[self.chosen.len()] as usize;
            let start = self.stack.len() - self.width;
            crate::execution::clock::join(&mut self.stack[start..], configuration.clock(next));
        }
        self.chosen.push(choose);
    }
}
