//! Columns: `match` and `select` by an element other than the key.
//!
//! A *column* consists of all objects of a table that have a given element in a given place. The pattern
//! `{'_', done}` matches only objects in the column of `done` in the second place. An operation whose
//! patterns contain such elements reads one column per pattern instead of the whole content. Inserts and
//! deletions add to the columns of the objects that they change.
//!
//! Steps access columns only in programs with such patterns, see [`lessons`](crate::vm::lessons).
//! Operations that change the table as a whole update its life, which every operation reads.

use mazurka_core::model::{Action, Location, Op, Performed};

use super::ErlangMachine;
use super::ets::TableId;
use super::objects::Thing;
use super::table_accesses::selects_changes;
use crate::term::{Term, equal_exact, hash};
use crate::vm::Table;
use crate::vm::process::{KeyOperation, TableOperation, Visible};

impl ErlangMachine {
    /// Returns the cells that an operation with patterns reads: for each pattern, the entry of its key or
    /// a column. Returns `None` if the operation reads the whole content.
    pub(super) fn cells_of_patterns(
        &mut self,
        id: TableId,
        table: &Table,
        (what, arguments): (Visible, &[Term; 3]),
    ) -> Option<Vec<Location>> {
        let Visible::EtsTable(operation) = what else { return None };
        let patterns = self.patterns_of(operation, arguments[1])?;
        let cells = patterns.into_iter().map(|pattern| self.cell_of_pattern(id, table, pattern));
        let cells = cells.collect::<Option<Vec<Location>>>()?;
        self.vm.watch_columns();
        Some(cells)
    }

    fn cell_of_pattern(
        &mut self,
        id: TableId,
        table: &Table,
        [pattern, conditions]: [Term; 2],
    ) -> Option<Location> {
        let elements = self.vm.heap.elements(pattern)?;
        let values: Vec<Option<Term>> =
            elements.iter().map(|element| self.value_of(*element, conditions)).collect();
        if let Some(key) = *values.get(table.key_position - 1)? {
            return Some(self.entry_of(id, key));
        }
        let (place, value) =
            values.iter().enumerate().find_map(|(i, value)| Some((i, (*value)?)))?;
        Some(self.column(id, elements.len(), place, value))
    }

    /// Returns the only term that a part of a pattern matches: the part itself, or the term that the
    /// conditions compare it with.
    fn value_of(&self, part: Term, conditions: Term) -> Option<Term> {
        if self.is_bound(part) {
            return Some(part);
        }
        let conditions = self.vm.heap.elements_of_list(conditions)?;
        conditions.into_iter().find_map(|condition| self.value_in(part, condition))
    }

    /// Returns the term that a variable equals wherever a condition holds, if the condition says so.
    fn value_in(&self, variable: Term, condition: Term) -> Option<Term> {
        let parts = self.vm.heap.elements(condition)?;
        let is_variable = |term: Term| variable.as_atom().is_some() && term == variable;
        let is_constant = |term: Term| self.vm.heap.elements(term).is_none() && self.is_bound(term);
        match (self.vm.atoms.name(parts.first()?.as_atom()?), &parts[1..]) {
            ("andalso" | "and", parts) => {
                parts.iter().find_map(|part| self.value_in(variable, *part))
            }
            ("=:=", [a, b]) if is_variable(*a) && is_constant(*b) => Some(*b),
            ("=:=", [a, b]) if is_variable(*b) && is_constant(*a) => Some(*a),
            _ => None,
        }
    }

    /// Returns the column of an element in a place of objects with this arity. Elements with the same hash
    /// share a column, which is sound.
    fn column(&mut self, id: TableId, arity: usize, place: usize, element: Term) -> Location {
        let hash = hash(&self.vm.heap, &self.vm.atoms, element) as u32;
        let place = (arity as u32).wrapping_mul(0x0101).wrapping_add(place as u32);
        self.objects.whole(Thing::Column(id.0, id.1, hash.rotate_left(7) ^ place))
    }

    /// Adds the columns of an object to a list.
    fn columns_of(&mut self, id: TableId, table: &Table, object: Term, all: &mut Vec<Location>) {
        let elements = self.vm.heap.elements(object).unwrap_or_default();
        for (place, element) in elements.iter().enumerate() {
            if place + 1 != table.key_position {
                let column = self.column(id, elements.len(), place, *element);
                if !all.contains(&column) {
                    all.push(column);
                }
            }
        }
    }

    /// Accesses the columns of the objects that an operation has changed, given the table `before`. If
    /// patterns without keys selected these objects, accesses the entries of the objects, too.
    pub(super) fn touch_changes(
        &mut self,
        id: TableId,
        before: &Table,
        operation: (Visible, &[Term; 3]),
        performed: &mut Performed,
    ) {
        let (only_reads, keys) = self.accessed_keys(before, operation);
        let Some(after) = self.vm.tables.get(&id).copied().filter(|_| !only_reads) else { return };
        let (all, are_selected) = match keys {
            Some(keys) => (keys, false),
            None if selects_changes(operation.0) => {
                self.vm.watch_selections();
                (self.keys_in(before), true)
            }
            None => return,
        };
        if !self.vm.columns && !are_selected {
            return;
        }
        let puts_value = self.value_put(operation, 0).is_some();
        let mut changed = Vec::new();
        let mut touched = Vec::new();
        for key in &all {
            let Some(old) = self.replaced_objects(before, puts_value, &after, *key) else {
                continue;
            };
            changed.push(*key);
            if self.vm.columns {
                for object in old.into_iter().chain(self.objects_of(&after, *key)) {
                    self.columns_of(id, before, object, &mut touched);
                }
            }
        }
        performed.actions.extend(touched.iter().map(|on| Action::new(Op::Add, *on)));
        let all = match are_selected {
            false => all,
            true => self.touch_selected(id, &after, operation, &changed, performed),
        };
        self.forgo_columns(id, [before, &after], operation, &all, &touched, performed);
    }

    /// Returns the objects that a key had before those that it has `after` an operation. These are its
    /// objects `before` the operation if the operation has changed them.
    ///
    /// Otherwise, if the operation puts a value, they are its objects before an equal write. Equal writes
    /// commute, so each of them must access the columns that the first of them has changed. Without that,
    /// their order would decide which of them depends on a `match` by a column.
    fn replaced_objects(
        &self,
        before: &Table,
        puts_value: bool,
        after: &Table,
        key: Term,
    ) -> Option<Vec<Term>> {
        let new = self.objects_of(after, key);
        let differs = |old: &Vec<Term>| !self.are_equal(old, &new);
        let old = Some(self.objects_of(before, key)).filter(differs);
        old.or_else(|| self.former_objects(after, key).find(|old| puts_value && differs(old)))
    }

    /// Accesses the entries of objects that patterns selected for a change, and forgoes those of objects
    /// that the patterns would have selected earlier. Returns the keys of the latter.
    fn touch_selected(
        &mut self,
        id: TableId,
        table: &Table,
        operation: (Visible, &[Term; 3]),
        changed: &[Term],
        performed: &mut Performed,
    ) -> Vec<Term> {
        let content = Thing::Content(id.0, id.1);
        for key in changed {
            let on = self.entry_of(id, *key);
            performed.actions.push(Action::new(Op::Update, on));
        }
        let op = if changed.is_empty() { Op::Add.forgone() } else { Op::Add };
        self.touch(performed, op, content);
        let mut former_keys = Vec::new();
        for key in self.changed_keys(table) {
            if changed.iter().any(|known| equal_exact(&self.vm.heap, *known, key)) {
                continue;
            }
            let former: Vec<Term> = self.former_objects(table, key).flatten().collect();
            if former.into_iter().any(|object| self.selected(operation, object).is_some()) {
                former_keys.push(key);
            }
        }
        for key in &former_keys {
            let on = self.entry_of(id, *key);
            performed.actions.push(Action::new(Op::Update.forgone(), on));
        }
        former_keys
    }

    /// Returns what the patterns of an operation make of an object, if they match it.
    fn selected(&mut self, (what, arguments): (Visible, &[Term; 3]), object: Term) -> Option<Term> {
        let Visible::EtsTable(operation) = what else { return None };
        let clauses = self.clauses_for(operation, arguments[1]).ok()?;
        self.vm.run_clauses(&clauses, object).ok()?
    }

    /// Adds the columns that an operation on these keys would access if it came earlier: those of objects
    /// that were there, and of objects that it would insert.
    fn forgo_columns(
        &mut self,
        id: TableId,
        [table, after]: [&Table; 2],
        (what, arguments): (Visible, &[Term; 3]),
        keys: &[Term],
        touched: &[Location],
        performed: &mut Performed,
    ) {
        if !self.vm.columns {
            return;
        }
        let mut objects = match what {
            Visible::EtsKey(KeyOperation::Insert | KeyOperation::InsertNew) => vec![arguments[1]],
            Visible::EtsTable(TableOperation::InsertList | TableOperation::InsertNewList) => {
                self.vm.heap.elements_of_list(arguments[1]).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        for key in keys {
            let former: Vec<Vec<Term>> = self.former_objects(after, *key).collect();
            for old in std::iter::once(self.objects_of(table, *key)).chain(former) {
                let new = self.changed_object(table, (what, arguments), *key, old.first().copied());
                objects.extend(old.into_iter().chain(new));
            }
        }
        let mut columns = Vec::new();
        for object in objects {
            self.columns_of(id, table, object, &mut columns);
        }
        columns.retain(|column| !touched.contains(column));
        performed.actions.extend(columns.iter().map(|on| Action::new(Op::Add.forgone(), *on)));
    }

    /// Returns the object that an operation puts in the place of another one, if that depends on the latter.
    fn changed_object(
        &mut self,
        table: &Table,
        (what, arguments): (Visible, &[Term; 3]),
        key: Term,
        object: Option<Term>,
    ) -> Option<Term> {
        match what {
            Visible::EtsKey(KeyOperation::UpdateElement) => {
                let (changes, default) = match self.vm.heap.tuple_of::<3>(arguments[2]) {
                    Some([changes, default, _]) => (changes, Some(default)),
                    None => (arguments[2], None),
                };
                let object = match object {
                    Some(object) => object,
                    None => self.with_key(table, default?, key).ok()?,
                };
                self.update_elements(table, object, changes).ok()
            }
            Visible::EtsKey(KeyOperation::UpdateCounter) => {
                let [operations, default] = self.vm.heap.tuple_of::<2>(arguments[2])?;
                let object = match object {
                    Some(object) => object,
                    None if default == Term::NIL => return None,
                    None => self.with_key(table, default, key).ok()?,
                };
                self.update_counters(table, object, operations).ok().map(|(new, _)| new)
            }
            Visible::EtsTable(TableOperation::SelectReplace) => {
                self.selected((what, arguments), object?)
            }
            _ => None,
        }
    }
}
