//! Entries of tables that processes poll.
//!
//! A loop that calls `ets:lookup`, `ets:lookup_element` or `ets:member` with one key until the entry changes is a
//! [poll](super::polls). Explorers then have to know the value of the entry, and every step that changes it.
//!
//! The value of an entry is a digest of its objects. No objects and no table have values of their own.
//! Every step that may change an entry with a key that is polled updates it, and tells its values before and
//! after. This includes operations on the whole table and its deletion. Equal inserts do not commute there.
//!
//! A poll reads the entry, but not the life of the table: the deletion of the table changes the entry, too. A
//! lookup by a name reads an entry of its own. Its value is that of the table that has the name, so steps that
//! give a table a name or take it away change it. In a private table, the value also contains the owner, who
//! alone may read it. Lookups in private tables by reference do not wait.

use mazurka_core::model::{Action, Location, Op, Performed};

use super::ErlangMachine;
use super::ets::TableId;
use super::objects::Thing;
use super::polls::MOST;
use super::state::digest;
use crate::term::{Atom, Heap, Kind, Map, Term, hash};
use crate::vm::process::{KeyOperation, Visible};
use crate::vm::tables::Protection;
use crate::vm::{Out, Table, badarg};

/// The value of an entry at the start. The table of a reference is empty, and no table has a name.
const INITIAL: u64 = 0;

/// The value of an entry of a table that is deleted, or of an empty table that has a name.
const OTHER: u64 = u64::MAX;

/// What a lookup finds a table by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FoundBy {
    Reference(TableId),
    Name(Atom),
}

/// An entry: how its table is found, and the hash of its key.
pub(super) type Entry = (FoundBy, u32);

/// A version of a table, or `None` if there is no table.
pub(super) type Version = Option<(TableId, Table)>;

impl ErlangMachine {
    /// Returns the entry that an operation reads, if it is a lookup of one key.
    ///
    /// This does not depend on whether the table exists, so it changes only by a step of the process.
    pub(super) fn read_entry(&self, what: Visible, arguments: &[Term; 3]) -> Option<Entry> {
        let Visible::EtsKey(operation) = what else { return None };
        if !operation.only_reads() || self.is_system_table(arguments[0]) {
            return None;
        }
        let by = match arguments[0].as_atom() {
            Some(name) => FoundBy::Name(name),
            None => {
                let id = self.vm.heap.as_ref(arguments[0])?;
                let table = self.vm.tables.get(&id).copied();
                // A table that is deleted was private if it ever was.
                let table = table.or_else(|| self.vm.former_versions(id).next())?;
                if table.protection == Protection::Private {
                    return None;
                }
                FoundBy::Reference(id)
            }
        };
        Some((by, hash(&self.vm.heap, &self.vm.atoms, arguments[1]) as u32))
    }

    /// Returns the entry that an operation reads, if keys with this hash are polled.
    pub(super) fn polled_entry(&self, what: Visible, arguments: &[Term; 3]) -> Option<Entry> {
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

    /// Returns the location of an entry.
    pub(super) fn location_of(&mut self, (by, hash): Entry) -> Location {
        self.objects.whole(match by {
            FoundBy::Reference((process, number)) => Thing::Entry(process, number, hash),
            FoundBy::Name(name) => Thing::NamedEntry(name.0, hash),
        })
    }

    /// Returns the read of an entry with a key that is polled.
    pub(super) fn declare_polled(&mut self, process: u32, entry: Entry) -> Action {
        let on = self.location_of(entry);
        self.await_other_values(process, on)
    }

    /// Performs the lookup of an entry with a key that is polled. Its read has been reported.
    pub(super) fn look_up_polled(
        &mut self,
        process: u32,
        operation: KeyOperation,
        arguments: &[Term; 3],
    ) -> Out {
        let id = self.table_id(arguments[0]).ok_or_else(badarg)?;
        let table = self.vm.tables[&id];
        self.check_access(process, &table, true)?;
        self.act_on_key(id, table, operation, arguments[1], arguments[2])
    }

    /// Returns the table of an entry, if there is one.
    pub(super) fn version_now(&self, by: FoundBy) -> Version {
        let id = match by {
            FoundBy::Reference(id) => id,
            FoundBy::Name(name) => self.table_id(Term::atom(name))?,
        };
        self.vm.tables.get(&id).map(|table| (id, *table))
    }

    /// Returns the value of an entry.
    pub(super) fn value_of_entry(&self, (by, hash): Entry) -> u64 {
        self.value_in_version(by, self.version_now(by), hash)
    }

    /// Returns the value of an entry in a version of its table. Keys with the same hash share an entry.
    fn value_in_version(&self, by: FoundBy, version: Version, of: u32) -> u64 {
        let (empty, deleted) = match by {
            FoundBy::Reference(_) => (INITIAL, OTHER),
            FoundBy::Name(_) => (OTHER, INITIAL),
        };
        let Some((_, table)) = version else { return deleted };
        let mut words = Vec::new();
        let heap = &self.vm.heap;
        for (key, objects) in
            Map::of(heap, table.content).map(|map| map.entries(heap)).unwrap_or_default()
        {
            if hash(heap, &self.vm.atoms, key) as u32 == of {
                self.write_term(objects, &mut words);
            }
        }
        if table.protection == Protection::Private {
            words.push(u64::from(table.owner));
        }
        match words.is_empty() {
            true => empty,
            false => (digest(&words) as u64).clamp(INITIAL + 1, OTHER - 1),
        }
    }

    /// Returns the values that an entry has and had earlier in this execution, each with a version of the table
    /// in which the entry has it, the latest first. Leaves out values with functions, which may have other numbers
    /// on other machines.
    pub(super) fn versions_of(&self, (by, of): Entry) -> Vec<(u64, Version)> {
        let mut found: Vec<(u64, Version)> = Vec::new();
        let mut add = |version: Version| {
            let value = self.value_in_version(by, version, of);
            let is_known = found.iter().any(|(known, _)| *known == value);
            if !is_known && !version.is_some_and(|(_, table)| self.has_functions(table.content, of))
            {
                found.push((value, version));
            }
            found.len() < MOST
        };
        add(self.version_now(by));
        let has_name = |table: &Table, name| table.is_named && table.name == name;
        match by {
            FoundBy::Reference(id) => {
                let _ = self.vm.former_versions(id).all(|table| add(Some((id, table))));
            }
            // A name is free before a table gets it, and after the table is deleted.
            FoundBy::Name(name) => {
                let former = self.vm.all_former_versions();
                let mut former = former.filter(|(_, table)| has_name(table, name));
                let _ = add(None) && former.all(|version| add(Some(version)));
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

    /// Returns all entries with keys that are polled and that an operation may change, with their values.
    pub(super) fn values_before(&self, what: Visible, arguments: &[Term; 3]) -> Vec<(Entry, u64)> {
        if self.vm.polled_keys.is_empty() {
            return Vec::new();
        }
        let id = self.table_id(arguments[0]).filter(|_| what != Visible::EtsNew);
        let name = id.map(|id| self.vm.tables[&id]).filter(|t| t.is_named).map(|t| t.name);
        let new_name = match what {
            Visible::EtsNew => arguments[0].as_atom(),
            Visible::EtsRename => arguments[1].as_atom(),
            _ => None,
        };
        let names = name.into_iter().chain(new_name).map(FoundBy::Name);
        let ways = id.map(FoundBy::Reference).into_iter().chain(names);
        ways.flat_map(|by| self.vm.polled_keys.iter().map(move |hash| (by, *hash)))
            .map(|entry| (entry, self.value_of_entry(entry)))
            .collect()
    }

    /// Puts values into the accesses of an operation to entries with keys that are polled. The accesses are the
    /// performed actions from `first` on, and `before` has the values before the operation.
    pub(super) fn put_values(
        &mut self,
        what: Visible,
        before: &[(Entry, u64)],
        first: usize,
        performed: &mut Performed,
    ) {
        if what == Visible::EtsDelete {
            // The deletion has updated all entries.
            return;
        }
        let is_on_objects = matches!(what, Visible::EtsKey(_) | Visible::EtsTable(_));
        let mut changes_all = false;
        // The entries of the table by reference come first.
        let mut changed = Vec::new();
        for ((by, hash), before) in before {
            let after = self.value_of_entry((*by, *hash));
            let on = self.location_of((*by, *hash));
            let FoundBy::Reference(id) = *by else {
                if *before != after || changes_all || changed.contains(hash) {
                    performed.actions.push(Action::new(Op::Update, on).performed(*before, after));
                }
                continue;
            };
            let life = self.objects.whole(Thing::TableLife(id.0, id.1));
            let accesses = &performed.actions[first..];
            changes_all =
                is_on_objects && accesses.iter().any(|a| (a.on, a.op) == (life, Op::Update));
            let is_access =
                |action: &Action| action.on == on && !matches!(action.op, Op::Forgone(_));
            let is_read = accesses.iter().any(|action| is_access(action) && action.op == Op::Read);
            let is_changed =
                accesses.iter().any(|action| is_access(action) && action.op != Op::Read);
            let op = match *before != after || changes_all || is_changed {
                true => Op::Update,
                false if is_read => Op::Read,
                false => continue,
            };
            if op == Op::Update {
                changed.push(*hash);
            }
            let mut place = 0;
            performed.actions.retain(|action| {
                place += 1;
                place <= first || !is_access(action)
            });
            performed.actions.push(Action::new(op, on).performed(*before, after));
        }
    }

    /// Reports that an operation on a table that is not there would have accessed entries with keys that are
    /// polled, by its reference or its name.
    pub(super) fn forgo_polled_entries(&mut self, table: Term, performed: &mut Performed) {
        let name = table.as_atom();
        let former = self.vm.former_tables.iter().filter(|former| former.name == name);
        let former = former.filter(|_| name.is_some()).map(|former| former.id);
        let ids = former.chain(self.vm.heap.as_ref(table)).map(FoundBy::Reference);
        let ways: Vec<FoundBy> = ids.chain(name.map(FoundBy::Name)).collect();
        for by in ways {
            for i in 0..self.vm.polled_keys.len() {
                let on = self.location_of((by, self.vm.polled_keys[i]));
                performed.actions.push(Action::new(Op::Update.forgone(), on));
            }
        }
    }

    /// Updates all entries of a table with keys that are polled to `after`, since the table is deleted or has
    /// another owner.
    pub(super) fn change_polled_entries(
        &mut self,
        (id, table): (TableId, Table),
        after: Option<Table>,
        performed: &mut Performed,
    ) {
        let name = Some(FoundBy::Name(table.name)).filter(|_| table.is_named);
        for by in [Some(FoundBy::Reference(id)), name].into_iter().flatten() {
            for i in 0..self.vm.polled_keys.len() {
                let hash = self.vm.polled_keys[i];
                let on = self.location_of((by, hash));
                let before = self.value_in_version(by, Some((id, table)), hash);
                let after = self.value_in_version(by, after.map(|table| (id, table)), hash);
                if before != after {
                    performed.actions.push(Action::new(Op::Update, on).performed(before, after));
                }
            }
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
