//! The objects that the keys of a table had earlier in the execution.
//!
//! An operation that comes earlier changes other objects, and so accesses other columns. What these are is kept
//! for each key: the lists of objects that it had, each once, the latest first. The lists are a part of the
//! table, so they are undone with it. They are kept only in programs that select objects, see
//! [`columns`](super::columns).

use super::ErlangMachine;
use crate::term::{Map, Term, equal_exact};
use crate::vm::Table;

impl ErlangMachine {
    /// Returns whether tables keep former objects.
    pub(super) fn keeps_former(&self) -> bool {
        self.vm.columns || self.vm.selections
    }

    /// Records that a key no longer has these objects.
    pub(super) fn remember(&mut self, table: &mut Table, key: Term, objects: &[Term]) {
        if !self.keeps_former() {
            return;
        }
        let list = self.vm.heap.list(objects);
        let mut lists = vec![list];
        let older = self.former_lists(table, key);
        lists.extend(older.into_iter().filter(|older| !equal_exact(&self.vm.heap, *older, list)));
        let lists = self.vm.heap.list(&lists);
        let former = match table.former {
            Term::NIL => Map::empty(&mut self.vm.heap).term(),
            former => former,
        };
        table.former = self.vm.with(former, key, lists);
    }

    /// Records that all keys lose their objects.
    pub(super) fn remember_all(&mut self, table: &mut Table) {
        if self.keeps_former() {
            for key in self.keys_in(table) {
                let objects = self.objects_of(table, key);
                self.remember(table, key, &objects);
            }
        }
    }

    /// Returns the objects that a key had, once for each of its changes, the latest first. Equal objects are
    /// returned once.
    pub(super) fn former_objects(
        &self,
        table: &Table,
        key: Term,
    ) -> impl Iterator<Item = Vec<Term>> {
        let lists = self.former_lists(table, key).into_iter();
        lists.map(|list| self.vm.heap.elements_of_list(list).unwrap_or_default())
    }

    fn former_lists(&self, table: &Table, key: Term) -> Vec<Term> {
        match table.former {
            Term::NIL => Vec::new(),
            former => {
                let lists = self.vm.lookup(former, key);
                lists.and_then(|lists| self.vm.heap.elements_of_list(lists)).unwrap_or_default()
            }
        }
    }

    /// Returns the keys whose objects have changed.
    pub(super) fn changed_keys(&self, table: &Table) -> Vec<Term> {
        match table.former {
            Term::NIL => Vec::new(),
            former => self.vm.keys(former),
        }
    }
}
