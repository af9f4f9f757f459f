//! Going over a table in parts: `ets:select/3`, `ets:match/3` and the like.
//!
//! A continuation says where the last part has ended: `{Table, Kind, Pattern, Limit, Key, Count}`. The
//! next one begins behind the first `Count` objects of that key (`Key` is a list of it, or empty at the
//! beginning), in the table as it is by then.

use super::ErlangMachine;
use crate::term::{Term, atom};
use crate::vm::process::TableOperation;
use crate::vm::{Out, Table, badarg};

impl ErlangMachine {
    pub(super) fn select_some(&mut self, table: &Table, continuation: Term) -> Out {
        let parts = self.vm.heap.tuple_of::<6>(continuation).ok_or_else(badarg)?;
        let [_, kind, pattern, limit, last, count] = parts;
        let (operation, is_reverse) = match self.vm.atoms.name(kind.as_atom().ok_or_else(badarg)?) {
            "match" => (TableOperation::Match, false),
            "match_object" => (TableOperation::MatchObject, false),
            "select_reverse" => (TableOperation::Select, true),
            _ => (TableOperation::Select, false),
        };
        let clauses = self.clauses_for(operation, pattern)?;
        let limit = limit.as_small().ok_or_else(badarg)? as usize;
        let last = last.as_cons().map(|cons| self.vm.heap.head(cons));
        let mut keys = self.keys_in(table);
        if is_reverse {
            keys.reverse();
        }
        let mut results = Vec::new();
        for key in keys {
            let mut skipped = 0;
            if let Some(last) = last {
                let order = self.key_order(table, key, last);
                let order = if is_reverse { order.reverse() } else { order };
                if order.is_lt() {
                    continue;
                }
                skipped = if order.is_eq() { count.as_small().unwrap_or(0) as usize } else { 0 };
            }
            for (index, object) in self.objects_of(table, key).into_iter().enumerate().skip(skipped)
            {
                results.extend(self.vm.run_clauses(&clauses, object)?);
                if results.len() == limit {
                    let key = self.vm.heap.list(&[key]);
                    let count = Term::int(index as i64 + 1);
                    let next = [parts[0], kind, pattern, parts[3], key, count];
                    let next = self.vm.heap.tuple(&next);
                    let results = self.vm.heap.list(&results);
                    return Ok(self.vm.heap.tuple(&[results, next]));
                }
            }
        }
        let end = Term::atom(atom::END_OF_TABLE);
        match results.is_empty() {
            true => Ok(end),
            false => {
                let results = self.vm.heap.list(&results);
                Ok(self.vm.heap.tuple(&[results, end]))
            }
        }
    }
}
