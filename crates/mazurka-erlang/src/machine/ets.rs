//! The operations of `ets` on tables as a whole.

use mazurka_core::model::{Action, Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Map, Term, atom};
use crate::vm::process::{KeyOperation, TableOperation, Visible};
use crate::vm::tables::{Protection, TableType};
use crate::vm::{Out, Stop, Table, badarg};

pub(super) type TableId = (u32, u32);

impl ErlangMachine {
    /// Returns the table with a name or an identifier.
    pub(super) fn table_id(&self, term: Term) -> Option<TableId> {
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
        self.change_polled_entries((id, table), None, performed);
        self.touch(performed, Op::Update, Thing::TableLife(id.0, id.1));
        self.touch(performed, Op::Update, Thing::Content(id.0, id.1));
        if table.is_named {
            self.touch(performed, Op::Update, Thing::TableName(table.name.0));
        }
        self.touch(performed, Op::Add, Thing::Tables);
        self.vm.set_table(id, None);
    }

    /// Performs an operation on tables.
    pub(super) fn act_ets(
        &mut self,
        process: u32,
        what: Visible,
        arguments: &[Term; 3],
        performed: &mut Performed,
    ) -> Out {
        if let Visible::EtsKey(operation) = what
            && self.polled_entry(what, arguments).is_some()
        {
            return self.look_up_polled(process, operation, arguments);
        }
        let (first, before) = (performed.actions.len(), self.values_before(what, arguments));
        let result = self.act_on_tables(process, what, arguments, performed);
        self.put_values(what, &before, first, performed);
        result
    }

    fn act_on_tables(
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
            self.forgo_polled_entries(first, performed);
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
                let result = self.act_on_key(id, table, operation, second, third);
                self.touch_changes(id, &table, (what, arguments), performed);
                result
            }
            Visible::EtsTable(operation) => {
                self.check_access(process, &table, operation.only_reads())?;
                let result = self.act_on_table(id, table, operation, second);
                self.touch_changes(id, &table, (what, arguments), performed);
                result
            }
            _ => Err(badarg()),
        }
    }

    pub(super) fn check_access(
        &self,
        process: u32,
        table: &Table,
        reads: bool,
    ) -> Result<(), Stop> {
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
            former: Term::NIL,
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
                    // Other options concern the implementation of the table.
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
                self.remember_all(&mut table);
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
