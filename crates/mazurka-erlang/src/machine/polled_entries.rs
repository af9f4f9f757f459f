//! Entries of tables that processes poll.
//!
//! A loop that calls `ets:lookup`, `ets:lookup_element` or `ets:member` with one key until the entry changes is a
//! [poll](super::polls). Explorers then have to know the value of the entry, and every step that changes it.
//!
//! The value of an entry is a digest of its objects, 0 if there are none, and [`DELETED`] if the table is deleted.
//! Every step that may change an entry with a key that is polled updates it, and tells its values before and
//! after. This includes operations on the whole table and its deletion. Equal inserts do not commute there.
//!
//! A poll reads the entry, but not the life of the table: the deletion of the table changes the entry, too. Only
//! polls of tables by reference wait, because a name may get another table. Polls of private tables do not wait:
//! which process may read such a table depends on its owner.

use mazurka_core::model::{Action, Location, Op, Performed};

use super::ErlangMachine;
use super::ets::TableId;
use super::objects::Thing;
use super::polls::MOST;
use super::state::digest;
use crate::term::{Heap, Kind, Map, Term, hash};
use crate::vm::Table;
use crate::vm::process::Visible;
use crate::vm::tables::Protection;

/// The value of an entry of a table that is deleted.
const DELETED: u64 = u64::MAX;

impl ErlangMachine {
    /// Returns the entry that an operation reads, if it is a lookup of one key in a table by reference: the
    /// table, and the hash of the key.
    pub(super) fn read_entry(
        &self,
        what: Visible,
        arguments: &[Term; 3],
    ) -> Option<(TableId, u32)> {
        let Visible::EtsKey(operation) = what else { return None };
        if !operation.only_reads() {
            return None;
        }
        let id = self.vm.heap.as_ref(arguments[0])?;
        let table = self.vm.tables.get(&id).copied();
        // A table that is deleted was private if it ever was.
        let table = table.or_else(|| self.vm.former_versions(id).next())?;
        if table.protection == Protection::Private {
            return None;
        }
        Some((id, hash(&self.vm.heap, &self.vm.atoms, arguments[1]) as u32))
    }

    /// Returns the entry that an operation reads, if keys with this hash are polled.
    pub(super) fn polled_entry(
        &self,
        what: Visible,
        arguments: &[Term; 3],
    ) -> Option<(TableId, u32)> {
        if self.vm.polled_keys.is_empty() {
            return None;
        }
        self.read_entry(what, arguments).filter(|(_, hash)| self.vm.polled_keys.contains(hash))
    }

    /// Returns whether a location is an entry with a key that is polled.
    pub(super) fn is_polled_entry(&self, on: Location) -> bool {
        !self.vm.polled_keys.is_empty()
            && matches!(self.objects.thing(on.object), Thing::Entry(_, _, hash) if self.vm.polled_keys.contains(&hash))
    }

    /// Returns the read of an entry with a key that is polled.
    pub(super) fn declare_polled(&mut self, process: u32, id: TableId, hash: u32) -> Action {
        let on = self.objects.whole(Thing::Entry(id.0, id.1, hash));
        self.await_other_values(process, on)
    }

    /// Returns the value of an entry.
    pub(super) fn value_of_entry(&self, id: TableId, hash: u32) -> u64 {
        match self.vm.tables.get(&id) {
            Some(table) => self.value_in_content(table.content, hash),
            None => DELETED,
        }
    }

    /// Returns the value of an entry of a table with this content. Keys with the same hash share an entry.
    fn value_in_content(&self, content: Term, of: u32) -> u64 {
        let mut words = Vec::new();
        let heap = &self.vm.heap;
        for (key, objects) in
            Map::of(heap, content).map(|map| map.entries(heap)).unwrap_or_default()
        {
            if hash(heap, &self.vm.atoms, key) as u32 == of {
                self.write_term(objects, &mut words);
            }
        }
        match words.is_empty() {
            true => 0,
            false => (digest(&words) as u64).clamp(1, DELETED - 1),
        }
    }

    /// Returns the values that an entry has and had earlier in this execution, each with a version of the table
    /// in which the entry has it, the latest first. Leaves out values with functions, which may have other numbers
    /// on other machines.
    pub(super) fn versions_of(&self, id: TableId, of: u32) -> Vec<(u64, Option<Table>)> {
        let now = self.vm.tables.get(&id).copied();
        let mut found: Vec<(u64, Option<Table>)> = Vec::new();
        if now.is_none() {
            found.push((DELETED, None));
        }
        for table in now.into_iter().chain(self.vm.former_versions(id)) {
            let value = self.value_in_content(table.content, of);
            let is_known = found.iter().any(|(known, _)| *known == value);
            if !is_known && !self.has_functions(table.content, of) {
                found.push((value, Some(table)));
            }
            if found.len() == MOST {
                break;
            }
        }
        found
    }

    /// Returns whether an entry of a table with this content has objects with functions.
    fn has_functions(&self, content: Term, of: u32) -> bool {
        let heap = &self.vm.heap;
        let entries = Map::of(heap, content).map(|map| map.entries(heap)).unwrap_or_default();
        let is_in = |key: Term| hash(heap, &self.vm.atoms, key) as u32 == of;
        entries.iter().any(|(key, objects)| is_in(*key) && has_functions(heap, *objects))
    }

    /// Returns the values of all entries of a table with keys that are polled.
    pub(super) fn values_of_entries(&self, id: TableId) -> Vec<u64> {
        self.vm.polled_keys.iter().map(|hash| self.value_of_entry(id, *hash)).collect()
    }

    /// Puts values into the accesses of an operation to entries with keys that are polled. The accesses are the
    /// performed actions from `first` on, and `before` has the values before the operation.
    pub(super) fn put_values(
        &mut self,
        id: TableId,
        (what, arguments): (Visible, &[Term; 3]),
        before: &[u64],
        first: usize,
        performed: &mut Performed,
    ) {
        if !self.vm.tables.contains_key(&id) {
            // The deletion has updated all entries.
            return;
        }
        let life = self.objects.whole(Thing::TableLife(id.0, id.1));
        let is_on_objects = matches!(what, Visible::EtsKey(_) | Visible::EtsTable(_));
        let changes_all = is_on_objects
            && performed.actions[first..].iter().any(|a| (a.on, a.op) == (life, Op::Update));
        let polled = self.polled_entry(what, arguments);
        for (i, before) in before.iter().enumerate() {
            let hash = self.vm.polled_keys[i];
            let after = self.value_of_entry(id, hash);
            let on = self.objects.whole(Thing::Entry(id.0, id.1, hash));
            let is_access =
                |action: &Action| action.on == on && !matches!(action.op, Op::Forgone(_));
            let reads = |action: &Action| is_access(action) && action.op == Op::Read;
            let changes = *before != after
                || changes_all
                || performed.actions[first..].iter().any(|a| is_access(a) && !reads(a));
            let is_read = performed.actions[first..].iter().any(|action| reads(action));
            if !changes && !is_read {
                continue;
            }
            let mut place = 0;
            performed.actions.retain(|action| {
                place += 1;
                place <= first || !is_access(action)
            });
            // A poll has read the entry already.
            if changes {
                performed.actions.push(Action::new(Op::Update, on).performed(*before, after));
            } else if polled != Some((id, hash)) {
                performed.actions.push(Action::new(Op::Read, on).performed(*before, after));
            }
        }
    }

    /// Updates all entries of a table with keys that are polled, since the table is deleted.
    pub(super) fn lose_polled_entries(&mut self, id: TableId, performed: &mut Performed) {
        for i in 0..self.vm.polled_keys.len() {
            let hash = self.vm.polled_keys[i];
            let on = self.objects.whole(Thing::Entry(id.0, id.1, hash));
            let action = Action::new(Op::Update, on);
            performed.actions.push(action.performed(self.value_of_entry(id, hash), DELETED));
        }
    }
}

/// Returns whether a function is a part of a term.
fn has_functions(heap: &Heap, mut term: Term) -> bool {
    while let Some(cons) = term.as_cons() {
        if has_functions(heap, heap.head(cons)) {
            return true;
        }
        term = heap.tail(cons);
    }
    if let Some(map) = Map::of(heap, term) {
        let is_in =
            |(key, value): &(Term, Term)| has_functions(heap, *key) || has_functions(heap, *value);
        return map.entries(heap).iter().any(is_in);
    }
    heap.is_kind(term, Kind::Fun)
        || heap
            .elements(term)
            .is_some_and(|all| all.iter().any(|element| has_functions(heap, *element)))
}
