//! Tables: `ets`.
//!
//! An operation on one key accesses the entry of this key. An operation on all keys accesses the content
//! of the table. Patterns that contain their keys make `match` and `select` operations on these keys.
//! An operation on a named table also reads the name.

use mazurka_core::model::{Action, Location, Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use super::values::Value;
use crate::term::{Map, Term, atom, compare_exact};
use crate::vm::process::{KeyOperation, TableOperation, Visible};
use crate::vm::tables::{FormerTable, Protection, TableType};
use crate::vm::{Out, Stop, Table, Vm, badarg};

pub(super) type TableId = (u32, u32);

impl ErlangMachine {
    /// Returns the table with a name or an identifier.
    fn table_id(&self, term: Term) -> Option<TableId> {
        if let Some(name) = term.as_atom() {
            let mut all = self.vm.tables.iter();
            return all.find(|(_, t)| t.is_named && t.name == name).map(|(id, _)| *id);
        }
        let id = self.vm.heap.as_ref(term)?;
        self.vm.tables.contains_key(&id).then_some(id)
    }

    /// Returns the key of an operation, given its argument: a key or an object.
    pub(super) fn key_of(
        &self,
        table: &Table,
        operation: KeyOperation,
        argument: Term,
    ) -> Option<Term> {
        use KeyOperation::{DeleteObject, Insert, InsertNew};
        if !matches!(operation, DeleteObject | Insert | InsertNew) {
            return Some(argument);
        }
        let arity = self.vm.heap.arity(argument)?;
        (arity >= table.key_position)
            .then(|| self.vm.heap.element(argument, table.key_position - 1))
    }

    /// Returns the cell that says whether a table exists: its name, or the life of the table.
    fn table_cell(&mut self, table: Term) -> Location {
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
    fn touch_parts(
        &mut self,
        id: TableId,
        table: &Table,
        (what, arguments): (Visible, &[Term; 3]),
        performed: &mut Performed,
    ) {
        let (content, life) = (Thing::Content(id.0, id.1), Thing::TableLife(id.0, id.1));
        let is_found_by_name = arguments[0].as_atom().is_some();
        let (only_reads, keys) = match what {
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
            Visible::EtsInfo if !reads_content(&self.vm, arguments[1]) => (true, Some(Vec::new())),
            Visible::EtsInfo => (true, None),
            // Their accesses are their own.
            _ => {
                self.touch(performed, Op::Update, life);
                return;
            }
        };
        let op = if only_reads { Op::Read } else { Op::Update };
        let changes_all = !only_reads && keys.is_none();
        if is_found_by_name || changes_all {
            self.touch(performed, if changes_all { Op::Update } else { Op::Read }, life);
        }
        let Some(keys) = keys else { return self.touch(performed, op, content) };
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

    /// Returns the value that an operation puts in the entry of its key number `i`, if that does not
    /// depend on what is there and the operation does not return what was there.
    fn value_put(&self, (what, arguments): (Visible, &[Term; 3]), i: usize) -> Option<Value> {
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
    fn forgo_former_tables(&mut self, name: Term, performed: &mut Performed) {
        let Some(name) = name.as_atom() else { return };
        for i in 0..self.vm.former_tables.len() {
            let former = self.vm.former_tables[i];
            if former.name == Some(name) {
                let life = Thing::TableLife(former.id.0, former.id.1);
                self.touch(performed, Op::Update.forgone(), life);
            }
        }
    }

    /// Adds the deletions that the end of a process would perform if it came before other deletions.
    pub(super) fn forgo_deletions(&mut self, process: u32, performed: &mut Performed) {
        for i in 0..self.vm.former_tables.len() {
            let FormerTable { id, name, owner } = self.vm.former_tables[i];
            if owner == process && !self.vm.tables.contains_key(&id) {
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
        use TableOperation as T;
        let patterns = match operation {
            T::Match | T::MatchObject | T::MatchDelete => vec![argument],
            T::Select | T::SelectCount | T::SelectReverse | T::SelectDelete | T::SelectReplace => {
                let clauses = self.vm.heap.elements_of_list(argument)?.into_iter();
                let head = |clause| self.vm.heap.tuple_of::<3>(clause).map(|[head, _, _]| head);
                clauses.map(head).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let key = |pattern| {
            let key = self.key_of(table, KeyOperation::Insert, pattern)?;
            self.is_bound(key).then_some(key)
        };
        patterns.into_iter().map(key).collect()
    }

    /// Returns whether a part of a pattern has no variables. A map matches other maps, so it counts as one
    /// with variables.
    fn is_bound(&self, pattern: Term) -> bool {
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

    /// Returns the names or the references of all tables.
    pub(super) fn all_tables(&mut self) -> Out {
        let mut all: Vec<TableId> = self.vm.tables.keys().copied().collect();
        all.sort_by(|a, b| self.vm.heap.lineage.compare(a.0, b.0).then(a.1.cmp(&b.1)));
        let mut shown = Vec::new();
        for id in all {
            let table = self.vm.tables[&id];
            shown.push(match table.is_named {
                true => Term::atom(table.name),
                false => self.vm.heap.reference(id.0, id.1),
            });
        }
        Ok(self.vm.heap.list(&shown))
    }

    /// Deletes a table.
    pub(super) fn delete_table(&mut self, id: TableId, performed: &mut Performed) {
        let table = self.vm.tables[&id];
        self.touch(performed, Op::Update, Thing::TableLife(id.0, id.1));
        self.touch(performed, Op::Update, Thing::Content(id.0, id.1));
        if table.is_named {
            self.touch(performed, Op::Update, Thing::TableName(table.name.0));
        }
        self.touch(performed, Op::Add, Thing::Tables);
        self.vm.set_table(id, None);
    }

    pub(super) fn act_ets(
        &mut self,
        process: u32,
        what: Visible,
        arguments: &[Term; 3],
        performed: &mut Performed,
    ) -> Out {
        let [first, second, third] = *arguments;
        if what == Visible::EtsNew {
            self.touch(performed, Op::Add, Thing::Tables);
            return self.new_table(process, first, second);
        }
        let id = self.table_id(first);
        if what == Visible::EtsWhereis {
            if id.is_none() && self.is_system_table(first) {
                return Err(self.refuse_system_table(first));
            }
            return Ok(match id {
                Some(id) => self.vm.heap.reference(id.0, id.1),
                None => Term::atom(atom::UNDEFINED),
            });
        }
        self.forgo_former_tables(first, performed);
        if id.is_none() && self.is_system_table(first) {
            return Err(self.refuse_system_table(first));
        }
        let Some(id) = id else {
            // While it was there, it was operated on.
            let on = self.table_cell(first);
            performed.actions.push(Action::new(Op::Update.forgone(), on));
            if matches!(what, Visible::EtsDelete | Visible::EtsRename) {
                self.touch(performed, Op::Add.forgone(), Thing::Tables);
            }
            if let (Visible::EtsGiveAway, Some(to)) = (what, second.as_pid()) {
                self.forgo_life(to, performed);
                let steps = self.vm.me().steps - 1;
                self.forgo_delivery(process, steps, to, performed);
            }
            if let (Visible::EtsRename, Some(name)) = (what, second.as_atom()) {
                self.touch(performed, Op::Update.forgone(), Thing::TableName(name.0));
            }
            return match what {
                Visible::EtsInfo => Ok(Term::atom(atom::UNDEFINED)),
                _ => Err(badarg()),
            };
        };
        let table = self.vm.tables[&id];
        self.touch_parts(id, &table, (what, arguments), performed);
        match what {
            Visible::EtsDelete => {
                // The end of its owner would delete it, too.
                self.touch(performed, Op::Read, Thing::End(table.owner));
                self.delete_table(id, performed);
                Ok(Term::bool(true))
            }
            Visible::EtsInfo => self.table_info(id, &table, second),
            Visible::EtsOptions if table.owner != process => Err(badarg()),
            Visible::EtsOptions => self.set_options(id, table, second),
            Visible::EtsGiveAway => {
                let to = second.as_pid().ok_or_else(badarg)?;
                if table.owner != process || to == process {
                    return Err(badarg());
                }
                self.read_life(to, performed);
                if table.is_named {
                    // It goes with another process from now on.
                    self.touch(performed, Op::Update, Thing::TableName(table.name.0));
                }
                if !self.lives(to) {
                    let steps = self.vm.me().steps - 1;
                    self.forgo_delivery(process, steps, to, performed);
                    return Err(badarg());
                }
                self.vm.set_table(id, Some(Table { owner: to, ..table }));
                let message = self.transfer_message(first, process, third);
                let steps = self.vm.me().steps - 1;
                self.deliver(process, steps, to, message, performed);
                Ok(Term::bool(true))
            }
            Visible::EtsRename => {
                self.check_access(process, &table, false)?;
                let name = second.as_atom().ok_or_else(badarg)?;
                self.touch(performed, Op::Update, Thing::TableName(name.0));
                if table.is_named {
                    if self.table_id(second).is_some() {
                        return Err(badarg());
                    }
                    self.touch(performed, Op::Update, Thing::TableName(table.name.0));
                    self.touch(performed, Op::Add, Thing::Tables);
                }
                self.vm.set_table(id, Some(Table { name, ..table }));
                Ok(if table.is_named { second } else { first })
            }
            Visible::EtsKey(operation) => {
                self.check_access(process, &table, operation.only_reads())?;
                self.act_on_key(id, table, operation, second, third)
            }
            Visible::EtsTable(operation) => {
                self.check_access(process, &table, operation.only_reads())?;
                self.act_on_table(id, table, operation, second)
            }
            _ => Err(badarg()),
        }
    }

    fn check_access(&self, process: u32, table: &Table, reads: bool) -> Result<(), Stop> {
        match table.protection {
            Protection::Public => Ok(()),
            Protection::Protected if reads => Ok(()),
            _ if table.owner == process => Ok(()),
            _ => Err(badarg()),
        }
    }

    fn new_table(&mut self, process: u32, name: Term, options: Term) -> Out {
        let name = name.as_atom().ok_or_else(badarg)?;
        let content = Map::empty(&mut self.vm.heap).term();
        let mut table = Table {
            name,
            is_named: false,
            kind: TableType::Set,
            protection: Protection::Protected,
            key_position: 1,
            owner: process,
            heir: None,
            content,
        };
        for option in self.vm.heap.elements_of_list(options).ok_or_else(badarg)? {
            match option.as_atom() {
                Some(atom::SET) => table.kind = TableType::Set,
                Some(atom::ORDERED_SET) => table.kind = TableType::OrderedSet,
                Some(atom::BAG) => table.kind = TableType::Bag,
                Some(atom::DUPLICATE_BAG) => table.kind = TableType::DuplicateBag,
                Some(atom::PUBLIC) => table.protection = Protection::Public,
                Some(atom::PROTECTED) => table.protection = Protection::Protected,
                Some(atom::PRIVATE) => table.protection = Protection::Private,
                Some(atom::NAMED_TABLE) => table.is_named = true,
                _ => match self.vm.heap.tuple_of::<2>(option) {
                    Some([key, value]) if key.is_atom(atom::KEYPOS) => {
                        let place = value.as_small().filter(|place| *place > 0);
                        table.key_position = place.ok_or_else(badarg)? as usize;
                    }
                    Some([key, _]) if key.is_atom(atom::HEIR) => table.heir = self.heir(option)?,
                    // How the table is to be kept is of no interest.
                    Some(_) => {}
                    None if self.vm.heap.arity(option) == Some(3) => {
                        table.heir = self.heir(option)?;
                    }
                    None if option.as_atom().is_some() => {}
                    None => return Err(badarg()),
                },
            }
        }
        if table.is_named && self.table_id(Term::atom(name)).is_some() {
            return Err(badarg());
        }
        let reference = self.vm.make_ref();
        let id = self.vm.heap.as_ref(reference).ok_or_else(badarg)?;
        self.vm.set_table(id, Some(table));
        Ok(if table.is_named { Term::atom(name) } else { reference })
    }

    /// Reads an option that says who inherits a table.
    fn heir(&self, option: Term) -> Result<Option<(u32, Term)>, Stop> {
        let heap = &self.vm.heap;
        match (heap.tuple_of::<2>(option), heap.tuple_of::<3>(option)) {
            (Some([_, none]), _) if none.is_atom(atom::NONE) => Ok(None),
            (_, Some([key, heir, data])) if key.is_atom(atom::HEIR) => {
                Ok(Some((heir.as_pid().ok_or_else(badarg)?, data)))
            }
            _ => Err(badarg()),
        }
    }

    /// Performs `ets:setopts`, which only changes the heir.
    fn set_options(&mut self, id: TableId, table: Table, options: Term) -> Out {
        let options = match self.vm.heap.elements_of_list(options) {
            Some(options) => options,
            None => vec![options],
        };
        let mut heir = table.heir;
        for option in options {
            heir = self.heir(option)?;
        }
        self.vm.set_table(id, Some(Table { heir, ..table }));
        Ok(Term::bool(true))
    }

    fn table_info(&mut self, id: TableId, table: &Table, item: Term) -> Out {
        let kind = Term::atom(match table.kind {
            TableType::Set => atom::SET,
            TableType::OrderedSet => atom::ORDERED_SET,
            TableType::Bag => atom::BAG,
            TableType::DuplicateBag => atom::DUPLICATE_BAG,
        });
        let protection = Term::atom(match table.protection {
            Protection::Public => atom::PUBLIC,
            Protection::Protected => atom::PROTECTED,
            Protection::Private => atom::PRIVATE,
        });
        let size = Term::int(self.objects_in(table).len() as i64);
        let mut all = vec![
            (Term::atom(self.vm.atoms.intern("id")), self.vm.heap.reference(id.0, id.1)),
            (Term::atom(atom::NAME), Term::atom(table.name)),
            (Term::atom(atom::NAMED_TABLE), Term::bool(table.is_named)),
            (Term::atom(atom::TYPE), kind),
            (Term::atom(atom::SIZE), size),
            (Term::atom(atom::KEYPOS), Term::int(table.key_position as i64)),
            (Term::atom(atom::OWNER), Term::pid(table.owner)),
            (
                Term::atom(atom::HEIR),
                table.heir.map_or(Term::atom(atom::NONE), |(heir, _)| Term::pid(heir)),
            ),
        ];
        all.push((Term::atom(self.vm.atoms.intern("protection")), protection));
        all.push((Term::atom(atom::NODE), Term::atom(atom::NONODE)));
        if item == Term::NONE {
            let pairs: Vec<Term> = all.iter().map(|(k, v)| self.vm.heap.tuple(&[*k, *v])).collect();
            return Ok(self.vm.heap.list(&pairs));
        }
        all.iter().find(|(key, _)| *key == item).map(|(_, value)| *value).ok_or_else(badarg)
    }

    /// Returns the first or last key, or that before or behind another one.
    fn neighbour(
        &self,
        table: &Table,
        keys: &[Term],
        which: TableOperation,
        of: Term,
    ) -> Option<Term> {
        let order = |key: &Term| self.key_order(table, *key, of);
        let found = match which {
            TableOperation::First => keys.first(),
            TableOperation::Last => keys.last(),
            TableOperation::Next => keys.iter().find(|key| order(key).is_gt()),
            _ => keys.iter().rev().find(|key| order(key).is_lt()),
        };
        found.copied()
    }

    /// Returns a neighbouring key with its objects.
    fn look_up(&mut self, table: &Table, keys: &[Term], which: TableOperation, of: Term) -> Out {
        let Some(key) = self.neighbour(table, keys, which, of) else {
            return Ok(Term::atom(atom::END_OF_TABLE));
        };
        let objects = self.objects_of(table, key);
        let objects = self.vm.heap.list(&objects);
        Ok(self.vm.heap.tuple(&[key, objects]))
    }

    fn act_on_table(
        &mut self,
        id: TableId,
        mut table: Table,
        operation: TableOperation,
        argument: Term,
    ) -> Out {
        let keys = self.keys_in(&table);
        let end = Term::atom(atom::END_OF_TABLE);
        match operation {
            TableOperation::InsertList | TableOperation::InsertNewList => {
                let objects = self.vm.heap.elements_of_list(argument).ok_or_else(badarg)?;
                if operation == TableOperation::InsertNewList {
                    for object in &objects {
                        let key = self.key_of(&table, KeyOperation::Insert, *object);
                        if !self.objects_of(&table, key.ok_or_else(badarg)?).is_empty() {
                            return Ok(Term::bool(false));
                        }
                    }
                }
                for object in objects {
                    self.insert(&mut table, object)?;
                }
                self.vm.set_table(id, Some(table));
                Ok(Term::bool(true))
            }
            TableOperation::DeleteAll => {
                table.content = Map::empty(&mut self.vm.heap).term();
                self.vm.set_table(id, Some(table));
                Ok(Term::bool(true))
            }
            TableOperation::First
            | TableOperation::Last
            | TableOperation::Next
            | TableOperation::Prev => {
                Ok(self.neighbour(&table, &keys, operation, argument).unwrap_or(end))
            }
            TableOperation::FirstLookup => self.look_up(&table, &keys, TableOperation::First, end),
            TableOperation::LastLookup => self.look_up(&table, &keys, TableOperation::Last, end),
            TableOperation::NextLookup => {
                self.look_up(&table, &keys, TableOperation::Next, argument)
            }
            TableOperation::PrevLookup => {
                self.look_up(&table, &keys, TableOperation::Prev, argument)
            }
            TableOperation::ToList => {
                let objects = self.objects_in(&table);
                Ok(self.vm.heap.list(&objects))
            }
            TableOperation::Slot => {
                let place = argument.as_small().and_then(|n| usize::try_from(n).ok());
                match keys.get(place.ok_or_else(badarg)?) {
                    Some(key) => {
                        let objects = self.objects_of(&table, *key);
                        Ok(self.vm.heap.list(&objects))
                    }
                    None => Ok(end),
                }
            }
            TableOperation::SelectSome => self.select_some(&table, argument),
            operation => self.select(id, table, operation, argument),
        }
    }
}

/// Returns whether an item of `ets:info` depends on the objects in the table.
fn reads_content(vm: &Vm, item: Term) -> bool {
    let constant = ["id", "name", "named_table", "owner", "heir", "protection", "type", "keypos"];
    item.as_atom().is_none_or(|item| !constant.contains(&vm.atoms.name(item)))
}
