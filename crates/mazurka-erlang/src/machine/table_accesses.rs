//! The parts of tables that operations of `ets` access.
//!
//! An operation on one key accesses the entry of this key. An operation on all keys accesses the content
//! of the table. Patterns that contain their keys make `match` and `select` operations on these keys, and
//! other patterns may make them operations on [columns](super::columns).
//! An operation on a named table also reads the name.

use mazurka_core::model::{Action, Location, Op, Performed};

use super::ErlangMachine;
use super::ets::TableId;
use super::objects::Thing;
use super::values::Value;
use crate::term::{Map, Term, atom, compare_exact};
use crate::vm::process::{KeyOperation, TableOperation, Visible};
use crate::vm::tables::FormerTable;
use crate::vm::{Table, Vm};

impl ErlangMachine {
    /// Returns the cell that says whether a table exists: its name, or the life of the table.
    pub(super) fn table_cell(&mut self, table: Term) -> Location {
        self.objects.whole(match self.vm.heap.as_ref(table) {
            Some((process, number)) => Thing::TableLife(process, number),
            None => Thing::TableName(table.as_atom().map_or(u32::MAX, |name| name.0)),
        })
    }

    /// Returns the first action of an operation on tables, which looks the table up.
    ///
    /// This action does not depend on whether the table exists, so it changes only by a step of the
    /// process.
    pub(super) fn declare_ets(&mut self, what: Visible, arguments: &[Term; 3]) -> Action {
        // No other process knows a new table without a name.
        let names_table = what == Visible::EtsNew
            && self.vm.heap.elements_of_list(arguments[1]).is_some_and(|options| {
                options.iter().any(|option| option.is_atom(atom::NAMED_TABLE))
            });
        let op = if names_table { Op::Update } else { Op::Read };
        Action::new(op, self.table_cell(arguments[0]))
    }

    /// Accesses the parts of a table on which an operation works.
    pub(super) fn touch_parts(
        &mut self,
        id: TableId,
        table: &Table,
        (what, arguments): (Visible, &[Term; 3]),
        performed: &mut Performed,
    ) {
        let (content, life) = (Thing::Content(id.0, id.1), Thing::TableLife(id.0, id.1));
        let is_found_by_name = arguments[0].as_atom().is_some();
        if !matches!(what, Visible::EtsKey(_) | Visible::EtsTable(_) | Visible::EtsInfo) {
            // Their other accesses are not to parts of the table.
            return self.touch(performed, Op::Update, life);
        }
        let (only_reads, keys) = self.accessed_keys(table, (what, arguments));
        // The accesses to objects that patterns select for a change are known after the change.
        let changes_all = !only_reads && keys.is_none() && !selects_changes(what);
        if is_found_by_name || changes_all {
            self.touch(performed, if changes_all { Op::Update } else { Op::Read }, life);
        }
        let Some(keys) = keys else {
            if let Some(cells) = self.cells_of_patterns(id, table, (what, arguments)) {
                return performed.actions.extend(cells.iter().map(|on| Action::new(Op::Read, *on)));
            }
            return self.touch(performed, if changes_all { Op::Update } else { Op::Read }, content);
        };
        let changes = !only_reads && self.may_change(table, (what, arguments), &keys);
        for (i, key) in keys.iter().enumerate() {
            let on = self.entry_of(id, *key);
            let is_repeated = keys.iter().enumerate().any(|(j, other)| {
                i != j && compare_exact(&self.vm.heap, &self.vm.atoms, *key, *other).is_eq()
            });
            match self.value_put((what, arguments), i).filter(|_| !is_repeated) {
                Some(value) => self.touch_value(on, value, performed),
                None if changes => performed.actions.push(Action::new(Op::Update, on)),
                None => {
                    performed.actions.push(Action::new(Op::Read, on));
                    if !only_reads {
                        performed.actions.push(Action::new(Op::Update.forgone(), on));
                    }
                }
            }
        }
        if changes {
            self.touch(performed, Op::Add, content);
        } else if !only_reads {
            self.touch(performed, Op::Add.forgone(), content);
        }
    }

    /// Returns whether an operation on objects only reads them, and the keys of the objects that it accesses.
    /// The keys are `None` if it accesses the whole content.
    pub(super) fn accessed_keys(
        &self,
        table: &Table,
        (what, arguments): (Visible, &[Term; 3]),
    ) -> (bool, Option<Vec<Term>>) {
        match what {
            Visible::EtsKey(operation) => {
                let key = self.key_of(table, operation, arguments[1]);
                (operation.only_reads(), Some(key.into_iter().collect()))
            }
            Visible::EtsTable(operation) => {
                let keys = match operation {
                    TableOperation::InsertList | TableOperation::InsertNewList => {
                        self.keys_of_list(table, arguments[1])
                    }
                    _ => self.bound_keys(table, operation, arguments[1]),
                };
                (operation.only_reads(), keys)
            }
            _ => (true, (!reads_content(&self.vm, arguments[1])).then(Vec::new)),
        }
    }

    /// Returns the value that an operation puts in the entry of its key number `i`, if that does not
    /// depend on what is there and the operation does not return what was there.
    pub(super) fn value_put(
        &self,
        (what, arguments): (Visible, &[Term; 3]),
        i: usize,
    ) -> Option<Value> {
        let argument = arguments[1];
        match what {
            Visible::EtsKey(KeyOperation::Insert) => Some(Value::Term(argument)),
            Visible::EtsKey(KeyOperation::Delete) => Some(Value::None),
            Visible::EtsKey(KeyOperation::DeleteObject) => Some(Value::Without(argument)),
            Visible::EtsTable(TableOperation::InsertList) => {
                Some(Value::Term(*self.vm.heap.elements_of_list(argument)?.get(i)?))
            }
            _ => None,
        }
    }

    /// Returns whether an operation that may change the entries of these keys does so here. An operation
    /// that does not only reads.
    fn may_change(
        &self,
        table: &Table,
        (what, arguments): (Visible, &[Term; 3]),
        keys: &[Term],
    ) -> bool {
        let has = |key: &Term| !self.objects_of(table, *key).is_empty();
        let has_default = || match what {
            Visible::EtsKey(KeyOperation::UpdateElement) => {
                self.vm.heap.tuple_of::<3>(arguments[2]).is_some()
            }
            _ => {
                let extra = self.vm.heap.tuple_of::<2>(arguments[2]);
                extra.is_some_and(|[_, default]| default != Term::NIL)
            }
        };
        match what {
            Visible::EtsKey(KeyOperation::InsertNew)
            | Visible::EtsTable(TableOperation::InsertNewList) => !keys.iter().any(has),
            Visible::EtsKey(KeyOperation::Take)
            | Visible::EtsTable(
                TableOperation::MatchDelete
                | TableOperation::SelectDelete
                | TableOperation::SelectReplace,
            ) => keys.iter().any(has),
            Visible::EtsKey(KeyOperation::UpdateElement | KeyOperation::UpdateCounter) => {
                keys.iter().any(has) || has_default()
            }
            _ => true,
        }
    }

    /// Adds the actions that the operation would perform on tables that have lost this name since.
    pub(super) fn forgo_former_tables(&mut self, name: Term, performed: &mut Performed) {
        let Some(name) = name.as_atom() else { return };
        for i in 0..self.vm.former_tables.len() {
            let former = self.vm.former_tables[i];
            if former.name == Some(name) && former.lost_by != self.vm.current {
                let life = Thing::TableLife(former.id.0, former.id.1);
                self.touch(performed, Op::Update.forgone(), life);
            }
        }
    }

    /// Adds the deletions that the end of a process would perform if it came before other deletions.
    pub(super) fn forgo_deletions(&mut self, process: u32, performed: &mut Performed) {
        for i in 0..self.vm.former_tables.len() {
            let FormerTable { id, name, owner, lost_by } = self.vm.former_tables[i];
            let is_later = lost_by != process && !self.vm.tables.contains_key(&id);
            if owner == process && is_later {
                self.touch(performed, Op::Update.forgone(), Thing::TableLife(id.0, id.1));
                self.touch(performed, Op::Update.forgone(), Thing::Content(id.0, id.1));
                self.touch(performed, Op::Add.forgone(), Thing::Tables);
                if let Some(name) = name {
                    self.touch(performed, Op::Update.forgone(), Thing::TableName(name.0));
                }
            }
        }
    }

    /// Returns the keys of a list of objects, if all of them have one.
    fn keys_of_list(&self, table: &Table, objects: Term) -> Option<Vec<Term>> {
        let objects = self.vm.heap.elements_of_list(objects)?;
        objects.iter().map(|object| self.key_of(table, KeyOperation::Insert, *object)).collect()
    }

    /// Returns the only keys that an operation looks at, if its patterns say which these are.
    fn bound_keys(
        &self,
        table: &Table,
        operation: TableOperation,
        argument: Term,
    ) -> Option<Vec<Term>> {
        let key = |pattern| {
            let key = self.key_of(table, KeyOperation::Insert, pattern)?;
            self.is_bound(key).then_some(key)
        };
        self.patterns_of(operation, argument)?.into_iter().map(|[head, _]| key(head)).collect()
    }

    /// Returns the patterns of an operation, with their conditions. Returns `None` if it has none, or if
    /// they are malformed.
    pub(super) fn patterns_of(
        &self,
        operation: TableOperation,
        argument: Term,
    ) -> Option<Vec<[Term; 2]>> {
        use TableOperation as T;
        match operation {
            T::Match | T::MatchObject | T::MatchDelete => Some(vec![[argument, Term::NIL]]),
            T::Select | T::SelectCount | T::SelectReverse | T::SelectDelete | T::SelectReplace => {
                let clauses = self.vm.heap.elements_of_list(argument)?.into_iter();
                let clause = |clause| self.vm.heap.tuple_of::<3>(clause).map(|[h, c, _]| [h, c]);
                clauses.map(clause).collect()
            }
            _ => None,
        }
    }

    /// Returns whether a part of a pattern has no variables. A map matches other maps, so it counts as one
    /// with variables.
    pub(super) fn is_bound(&self, pattern: Term) -> bool {
        if let Some(name) = pattern.as_atom() {
            let name = self.vm.atoms.name(name);
            return name != "_" && !name.starts_with('$');
        }
        if let Some(cons) = pattern.as_cons() {
            return self.is_bound(self.vm.heap.head(cons))
                && self.is_bound(self.vm.heap.tail(cons));
        }
        match self.vm.heap.elements(pattern) {
            Some(elements) => elements.iter().all(|element| self.is_bound(*element)),
            None => Map::of(&self.vm.heap, pattern).is_none(),
        }
    }
}

/// Returns whether an operation changes the objects that its patterns select.
pub(super) fn selects_changes(what: Visible) -> bool {
    use TableOperation as T;
    matches!(what, Visible::EtsTable(T::MatchDelete | T::SelectDelete | T::SelectReplace))
}

/// Returns whether an item of `ets:info` depends on the objects in the table.
fn reads_content(vm: &Vm, item: Term) -> bool {
    let constant = ["id", "name", "named_table", "owner", "heir", "protection", "type", "keypos"];
    item.as_atom().is_none_or(|item| !constant.contains(&vm.atoms.name(item)))
}
