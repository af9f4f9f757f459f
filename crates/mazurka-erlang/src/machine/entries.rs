//! Entries of tables: all objects with one key, and the operations on them.

use super::ErlangMachine;
use super::ets::TableId;
use crate::term::{Term, compare, compare_exact, equal_exact};
use crate::vm::process::KeyOperation;
use crate::vm::tables::TableType;
use crate::vm::{Out, Stop, Table, badarg};

impl ErlangMachine {
    /// Returns the objects with a key.
    pub(super) fn objects_of(&self, table: &Table, key: Term) -> Vec<Term> {
        let found = self.vm.lookup(table.content, key);
        found.and_then(|list| self.vm.heap.elements_of_list(list)).unwrap_or_default()
    }

    /// Returns whether two lists of objects are equal.
    pub(super) fn are_equal(&self, some: &[Term], others: &[Term]) -> bool {
        let is_equal = |(a, b): (&Term, &Term)| equal_exact(&self.vm.heap, *a, *b);
        some.len() == others.len() && some.iter().zip(others).all(is_equal)
    }

    /// Returns all keys, in the order in which the table is traversed.
    pub(super) fn keys_in(&self, table: &Table) -> Vec<Term> {
        let mut keys = self.vm.keys(table.content);
        if table.kind == TableType::OrderedSet {
            keys.sort_by(|a, b| self.key_order(table, *a, *b));
        }
        keys
    }

    /// Compares two keys of a table.
    pub(super) fn key_order(&self, table: &Table, a: Term, b: Term) -> std::cmp::Ordering {
        let by_value = match table.kind {
            TableType::OrderedSet => compare(&self.vm.heap, &self.vm.atoms, a, b),
            _ => std::cmp::Ordering::Equal,
        };
        by_value.then_with(|| compare_exact(&self.vm.heap, &self.vm.atoms, a, b))
    }

    /// Returns all objects, in the order of their keys.
    pub(super) fn objects_in(&self, table: &Table) -> Vec<Term> {
        let keys = self.keys_in(table).into_iter();
        keys.flat_map(|key| self.objects_of(table, key)).collect()
    }

    /// Replaces the objects of a key.
    pub(super) fn set_objects(&mut self, table: &mut Table, key: Term, objects: &[Term]) {
        if self.keeps_former() {
            let before = self.objects_of(table, key);
            if !self.are_equal(&before, objects) {
                self.remember(table, key, &before);
            }
        }
        table.content = match objects.is_empty() {
            true => self.vm.without(table.content, key),
            false => {
                let list = self.vm.heap.list(objects);
                self.vm.with(table.content, key, list)
            }
        };
    }

    pub(super) fn insert(&mut self, table: &mut Table, object: Term) -> Result<(), Stop> {
        let key = self.key_of(table, KeyOperation::Insert, object).ok_or_else(badarg)?;
        let mut objects = self.objects_of(table, key);
        match table.kind {
            TableType::Set | TableType::OrderedSet => objects = vec![object],
            TableType::Bag => {
                if !objects.iter().any(|other| equal_exact(&self.vm.heap, *other, object)) {
                    objects.push(object);
                }
            }
            TableType::DuplicateBag => objects.push(object),
        }
        self.set_objects(table, key, &objects);
        Ok(())
    }

    pub(super) fn act_on_key(
        &mut self,
        id: TableId,
        mut table: Table,
        operation: KeyOperation,
        argument: Term,
        extra: Term,
    ) -> Out {
        let key = self.key_of(&table, operation, argument).ok_or_else(badarg)?;
        let objects = self.objects_of(&table, key);
        let result = match operation {
            KeyOperation::Lookup => return Ok(self.vm.heap.list(&objects)),
            KeyOperation::Member => return Ok(Term::bool(!objects.is_empty())),
            KeyOperation::LookupElement => {
                let (place, default) = match self.vm.heap.tuple_of::<2>(extra) {
                    Some([place, default]) => (place, Some(default)),
                    None => (extra, None),
                };
                let place = place.as_small().filter(|place| *place > 0).ok_or_else(badarg)?;
                let element = |vm: &crate::vm::Vm, object: Term| {
                    let arity = vm.heap.arity(object).unwrap_or(0);
                    (arity >= place as usize)
                        .then(|| vm.heap.element(object, place as usize - 1))
                        .ok_or_else(badarg)
                };
                if objects.is_empty() {
                    return default.ok_or_else(badarg);
                }
                if matches!(table.kind, TableType::Set | TableType::OrderedSet) {
                    return element(&self.vm, objects[0]);
                }
                let all: Result<Vec<Term>, Stop> =
                    objects.iter().map(|object| element(&self.vm, *object)).collect();
                return all.map(|all| self.vm.heap.list(&all));
            }
            KeyOperation::Insert => {
                self.insert(&mut table, argument)?;
                Term::bool(true)
            }
            KeyOperation::InsertNew => {
                if objects.is_empty() {
                    self.insert(&mut table, argument)?;
                }
                Term::bool(objects.is_empty())
            }
            KeyOperation::Delete => {
                self.set_objects(&mut table, key, &[]);
                Term::bool(true)
            }
            KeyOperation::DeleteObject => {
                let mut left = objects;
                left.retain(|object| !equal_exact(&self.vm.heap, *object, argument));
                self.set_objects(&mut table, key, &left);
                Term::bool(true)
            }
            KeyOperation::Take => {
                self.set_objects(&mut table, key, &[]);
                self.vm.heap.list(&objects)
            }
            KeyOperation::UpdateElement => {
                let (changes, default) = match self.vm.heap.tuple_of::<3>(extra) {
                    Some([changes, default, _]) => (changes, Some(default)),
                    None => (extra, None),
                };
                let object = match (objects.first(), default) {
                    (Some(object), _) => *object,
                    (None, Some(default)) => self.with_key(&table, default, key)?,
                    (None, None) => return Ok(Term::bool(false)),
                };
                let new = self.update_elements(&table, object, changes)?;
                self.set_objects(&mut table, key, &[new]);
                Term::bool(true)
            }
            KeyOperation::UpdateCounter => {
                let Some([operations, default]) = self.vm.heap.tuple_of::<2>(extra) else {
                    return Err(badarg());
                };
                let object = match objects.first() {
                    Some(object) => *object,
                    None if default != Term::NIL => self.with_key(&table, default, key)?,
                    None => return Err(badarg()),
                };
                let (new, result) = self.update_counters(&table, object, operations)?;
                self.set_objects(&mut table, key, &[new]);
                result
            }
        };
        self.vm.set_table(id, Some(table));
        Ok(result)
    }

    /// Returns an object with another key.
    pub(super) fn with_key(&mut self, table: &Table, object: Term, key: Term) -> Out {
        let mut elements = self.vm.heap.elements(object).ok_or_else(badarg)?;
        *elements.get_mut(table.key_position - 1).ok_or_else(badarg)? = key;
        Ok(self.vm.heap.tuple(&elements))
    }

    pub(super) fn update_elements(&mut self, table: &Table, object: Term, changes: Term) -> Out {
        let mut elements = self.vm.heap.elements(object).ok_or_else(badarg)?;
        let changes = match self.vm.heap.elements_of_list(changes) {
            Some(all) => all,
            None => vec![changes],
        };
        for change in changes {
            let [place, value] = self.vm.heap.tuple_of::<2>(change).ok_or_else(badarg)?;
            let place = place.as_small().filter(|place| *place > 0).ok_or_else(badarg)? as usize;
            if place == table.key_position {
                return Err(badarg());
            }
            *elements.get_mut(place - 1).ok_or_else(badarg)? = value;
        }
        Ok(self.vm.heap.tuple(&elements))
    }

    pub(super) fn update_counters(
        &mut self,
        table: &Table,
        object: Term,
        operations: Term,
    ) -> Result<(Term, Term), Stop> {
        let mut elements = self.vm.heap.elements(object).ok_or_else(badarg)?;
        let (list, is_list) = match operations {
            operations if operations.is_list() => {
                (self.vm.heap.elements_of_list(operations).ok_or_else(badarg)?, true)
            }
            operation => (vec![operation], false),
        };
        let mut results = Vec::new();
        for operation in list {
            let (place, increment, bound) = match self.vm.heap.elements(operation) {
                None => (table.key_position as i64 + 1, operation, None),
                Some(parts) => match parts[..] {
                    [place, by] => (place.as_small().ok_or_else(badarg)?, by, None),
                    [place, by, limit, to] => {
                        (place.as_small().ok_or_else(badarg)?, by, Some((limit, to)))
                    }
                    _ => return Err(badarg()),
                },
            };
            let place = usize::try_from(place - 1).map_err(|_| badarg())?;
            let before = *elements.get(place).ok_or_else(badarg)?;
            if !self.vm.heap.is_integer(before) || !self.vm.heap.is_integer(increment) {
                return Err(badarg());
            }
            let mut after = self.vm.add(before, increment)?;
            if let Some((limit, to)) = bound {
                let order = |a, b| crate::term::compare(&self.vm.heap, &self.vm.atoms, a, b);
                let beyond = match order(increment, Term::int(0)).is_ge() {
                    true => order(after, limit).is_gt(),
                    false => order(after, limit).is_lt(),
                };
                after = if beyond { to } else { after };
            }
            elements[place] = after;
            results.push(after);
        }
        let new = self.vm.heap.tuple(&elements);
        let result = match is_list {
            true => self.vm.heap.list(&results),
            false => results.first().copied().ok_or_else(badarg)?,
        };
        Ok((new, result))
    }
}
