//! Identifying objects across executions.
//!
//! The search must decide whether two events access the same object even if no execution contains both.
//! But a machine may name objects only when processes first use them (see [`Birth`]). Then one object has
//! different names in different executions, and one name means different objects.
//!
//! What a process *announces* does not depend on the execution: after a given past, its next step always
//! accesses the same objects, whatever their names. So an [`Announcement`] is a process, its past, and a
//! rank among the objects that it announces. All announcements at which one execution sees one object
//! belong to that object. After every event the announcements of all processes are noted. If two objects
//! turn out to be one, they are merged in all known events.
//!
//! This is not too late. The search asks whether `e` conflicts with an explored event `f` only after
//! configurations that are compatible with both. For each of them, some maximal configuration was run that
//! contains `f` and in which `e` was announced; otherwise `e` would not have been found there as an
//! extension. So one execution has seen the objects of both.
//!
//! Inside the explorer, objects are *cells* that are reserved for them. Names that mean the same in every
//! execution are used as they are.

use super::Unfolding;
use super::events::event::{EventId, Parents};
use crate::execution::Execution;
use crate::execution::cells::CellId;
use crate::model::{Action, Birth, Machine, ProcessId};
use rustc_hash::FxHashMap;

/// An occasion at which a process announces an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Announcement {
    process: ProcessId,
    /// The maximal events of its past.
    past: Parents,
    rank: u32,
    /// The start and length of the location in its object. A process announces the location of an
    /// action and all known locations that overlap with it.
    range: (u32, u32),
}

/// A name in the current execution.
#[derive(Clone, Copy, Debug)]
struct Naming {
    name: CellId,
    /// The cell that is reserved for the object.
    object: CellId,
    /// The number of steps after which the name became known.
    since: usize,
}

/// The objects whose names depend on the execution.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Their names in the current execution.
    namings: Vec<Naming>,
    /// For each name its naming in the current execution, if it has one.
    by_name: Vec<Option<u32>>,
    announcements: FxHashMap<Announcement, CellId>,
    /// All cells that were reserved for objects.
    reserved: Vec<CellId>,
    /// The reserved cells that merging has freed.
    spare: Vec<CellId>,
    /// How often two objects were merged.
    pub(crate) merged: u64,
}

/// Two cells that turn out to be one object.
pub(crate) struct Same(pub(crate) CellId, pub(crate) CellId);

/// Returns what a process announces, each with its rank.
fn announced(machine: &dyn Machine, process: ProcessId) -> impl Iterator<Item = (u32, &Action)> {
    let others = machine.guards(process).iter().chain(machine.others(process));
    (0..).zip(machine.next(process).into_iter().chain(others))
}

impl Names {
    /// Returns whether there are such objects.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.namings.is_empty()
    }

    /// Returns the object that a name of the current execution means.
    #[inline]
    pub(crate) fn object(&self, execution: &Execution, name: CellId) -> Option<CellId> {
        match execution.birth(name) == Birth::START {
            true => Some(name),
            false => self.naming(name).map(|naming| naming.object),
        }
    }

    /// Returns the object that a name means after the first `len` steps of the current execution
    /// and others behind them, of which `heard` tells.
    pub(crate) fn object_elsewhere(
        &self,
        execution: &Execution,
        name: CellId,
        len: usize,
        heard: &[(CellId, CellId)],
    ) -> Option<CellId> {
        if execution.birth(name) == Birth::START {
            return Some(name);
        }
        if let Some(naming) = self.naming(name).filter(|naming| naming.since <= len) {
            return Some(naming.object);
        }
        heard.iter().find(|(heard, _)| *heard == name).map(|(_, object)| *object)
    }

    fn naming(&self, name: CellId) -> Option<&Naming> {
        let index = self.by_name.get(name.0 as usize).copied().flatten()?;
        Some(&self.namings[index as usize])
    }

    /// Returns the object with this name, and creates it if the name is new.
    pub(crate) fn object_or_new(&mut self, execution: &mut Execution, name: CellId) -> CellId {
        if let Some(object) = self.object(execution, name) {
            return object;
        }
        let object = self.new_object(execution);
        self.call(name, object, execution.len());
        object
    }

    fn new_object(&mut self, execution: &mut Execution) -> CellId {
        self.spare.pop().unwrap_or_else(|| {
            let cell = execution.reserve_cell();
            self.reserved.push(cell);
            cell
        })
    }

    /// Returns whether two cells are objects that may turn out to be one.
    pub(crate) fn may_be_same(&self, one: CellId, other: CellId) -> bool {
        self.reserved.contains(&one) && self.reserved.contains(&other)
    }

    fn call(&mut self, name: CellId, object: CellId, since: usize) {
        let index = name.0 as usize;
        if self.by_name.len() <= index {
            self.by_name.resize(index + 1, None);
        }
        self.by_name[index] = Some(self.namings.len() as u32);
        self.namings.push(Naming { name, object, since });
    }

    /// Returns whether the current execution has a name for an object.
    fn is_called(&self, object: CellId) -> bool {
        self.namings.iter().any(|naming| naming.object == object)
    }

    /// Forgets the names that became known after the first `len` steps.
    pub(crate) fn truncate(&mut self, len: usize) {
        while let Some(naming) = self.namings.pop_if(|naming| naming.since > len) {
            self.by_name[naming.name.0 as usize] = None;
        }
    }

    /// Forgets all announcements but those behind events that are `kept`.
    pub(crate) fn retain(&mut self, kept: impl Fn(EventId) -> bool) {
        self.announcements
            .retain(|announcement, _| announcement.past.iter().all(|event| kept(*event)));
    }

    /// Collects the names of the objects that a process announces in another execution after this
    /// `past`, with the objects.
    pub(crate) fn hear(
        &self,
        machine: &dyn Machine,
        execution: &mut Execution,
        (process, past): (ProcessId, &Parents),
        heard: &mut Vec<(CellId, CellId)>,
    ) {
        for (rank, action) in announced(machine, process) {
            let whole = execution.cell(machine, action.on);
            if execution.birth(whole) == Birth::START {
                continue;
            }
            for name in std::iter::once(&whole).chain(execution.overlapping(whole)) {
                let (past, range) = (past.clone(), execution.range(*name));
                let announcement = Announcement { process, past, rank, range };
                heard.extend(self.announcements.get(&announcement).map(|object| (*name, *object)));
            }
        }
    }

    /// Records the name under which an object is announced. Returns two objects if they turn out to be
    /// one.
    fn note(
        &mut self,
        execution: &mut Execution,
        announcement: Announcement,
        name: CellId,
    ) -> Option<Same> {
        let known = self.announcements.get(&announcement).copied();
        match (self.object(execution, name), known) {
            (Some(object), Some(known)) if object == known => None,
            (Some(object), Some(known)) => Some(Same(object, known)),
            (None, Some(known)) => {
                // An object that has another name in this execution is a different one: merging fails.
                let object = match self.is_called(known) {
                    true => self.new_object(execution),
                    false => known,
                };
                self.call(name, object, execution.len());
                (object != known).then_some(Same(object, known))
            }
            (_, None) => {
                let object = self.object_or_new(execution, name);
                self.announcements.insert(announcement, object);
                None
            }
        }
    }

    /// Merges two objects. Returns `false` if they are different in the current execution.
    fn merge(&mut self, Same(one, other): &Same) -> bool {
        if self.is_called(*one) && self.is_called(*other) {
            return false;
        }
        let rename = |object: &mut CellId| {
            if object == other {
                *object = *one;
            }
        };
        self.namings.iter_mut().for_each(|naming| rename(&mut naming.object));
        self.announcements.values_mut().for_each(rename);
        self.spare.push(*other);
        self.merged += 1;
        true
    }
}

impl Unfolding {
    /// Notes the announcements of all processes.
    pub(crate) fn hear_announcements(&mut self, machine: &dyn Machine, execution: &mut Execution) {
        for process in (0..machine.processes()).map(ProcessId::new) {
            let mut past = None;
            for (rank, action) in announced(machine, process) {
                let whole = execution.cell(machine, action.on);
                if execution.birth(whole) == Birth::START {
                    continue;
                }
                // States contain names, too, so they cannot be compared.
                self.is_lost |= self.has_cut_offs;
                let past = past.get_or_insert_with(|| {
                    let past = &mut self.past;
                    past.clear();
                    past.resize(self.configuration.width(), 0);
                    execution.copy_past(process, past);
                    self.configuration.maximal(past)
                });
                for i in 0..=execution.overlapping(whole).len() {
                    let name = match i.checked_sub(1) {
                        Some(part) => execution.overlapping(whole)[part],
                        None => whole,
                    };
                    let range = execution.range(name);
                    let announcement = Announcement { process, past: past.clone(), rank, range };
                    if let Some(same) = self.names.note(execution, announcement, name) {
                        self.merge(&same);
                    }
                }
            }
        }
    }

    /// Merges two objects in all events that access them.
    pub(crate) fn merge(&mut self, same: &Same) {
        if !self.names.merge(same) {
            self.is_lost = true;
            return;
        }
        let Same(one, other) = *same;
        self.configuration.rename(other, one);
        self.prefix.rename(other, one);
    }
}
