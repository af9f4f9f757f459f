//! Loops that count.
//!
//! A slot that changes by a constant in every iteration is different each time the thread is at the
//! head of the loop. So no iteration leads back to the same state, and there is no need to look for one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::flow::{Tables, block_starts, definitions, falls_through, targets};
use crate::bytecode::{Op, Pc, Slot};
use crate::ir::BinaryOp;

/// What is known of a slot: what some slot was at the head of the loop, plus a constant.
type Value = Option<(Slot, u64)>;

/// A function, as this module looks at it.
pub(super) struct Loops<'a> {
    tables: &'a Tables<'a>,
    ops: &'a [Op],
    entry: Pc,
    frame: u32,
    /// The slots that are never written, and what they hold.
    constants: HashMap<Slot, u64>,
    /// The first instructions of its blocks.
    starts: Vec<usize>,
}

impl<'a> Loops<'a> {
    /// `ops` are the instructions of the function, which start at `entry`; `initial` is what slots hold
    /// when it is called.
    pub(super) fn new(
        tables: &'a Tables<'a>,
        ops: &'a [Op],
        entry: Pc,
        frame: u32,
        initial: &[(Slot, u64)],
    ) -> Self {
        let mut constants: HashMap<_, _> = initial.iter().copied().collect();
        for op in ops {
            written(tables, op, |slot| {
                constants.remove(&slot);
            });
        }
        let starts = block_starts(tables, ops, entry);
        Loops { tables, ops, entry, frame, constants, starts }
    }

    /// Returns whether one of the slots that matter at the head of a loop changes by a constant in every
    /// iteration.
    pub(super) fn counts(&self, head: usize, live: &[Slot]) -> bool {
        let body = self.body(head);
        let start: Vec<Value> = (0..self.frame).map(|slot| Some((slot, 0))).collect();
        let mut back: Option<Vec<Value>> = None;
        let mut before: HashMap<usize, Vec<Value>> = HashMap::new();
        let mut work = vec![(head + 1, start)];
        while let Some((mut at, mut values)) = work.pop() {
            while at != head && body[self.block_of(at)] {
                if self.starts.binary_search(&at).is_ok() {
                    match before.entry(at) {
                        Entry::Vacant(new) => {
                            new.insert(values.clone());
                        }
                        Entry::Occupied(mut known) => {
                            if !join(known.get_mut(), &values) {
                                break;
                            }
                            values.clone_from(known.get());
                        }
                    }
                }
                let op = &self.ops[at];
                self.pass(op, &mut values);
                targets(self.tables, op, |to| {
                    work.push(((to - self.entry) as usize, values.clone()));
                });
                if !falls_through(op) || at + 1 == self.ops.len() {
                    break;
                }
                at += 1;
            }
            if at == head {
                match &mut back {
                    Some(back) => _ = join(back, &values),
                    None => back = Some(values),
                }
            }
        }
        // A number has eight bits at least.
        let changes =
            |slot: Slot, value: Value| value.is_some_and(|(of, by)| of == slot && by as u8 != 0);
        back.is_some_and(|back| live.iter().any(|slot| changes(*slot, back[*slot as usize])))
    }

    fn block_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    /// Returns for each block whether the head can be reached from it.
    fn body(&self, head: usize) -> Vec<bool> {
        let mut body = vec![false; self.starts.len()];
        body[self.block_of(head)] = true;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for block in (0..self.starts.len()).rev().filter(|block| *block != self.block_of(head))
            {
                let end = self.starts.get(block + 1).copied().unwrap_or(self.ops.len());
                let last = &self.ops[end - 1];
                let mut reaches = falls_through(last) && body.get(block + 1) == Some(&true);
                targets(self.tables, last, |to| {
                    reaches |= body[self.block_of((to - self.entry) as usize)];
                });
                changed |= reaches && !std::mem::replace(&mut body[block], reaches);
            }
        }
        body
    }

    /// Follows what an instruction does.
    fn pass(&self, op: &Op, values: &mut [Value]) {
        let constant = |slot: &Slot| self.constants.get(slot).copied();
        let plus = |a: &Slot, by: u64| {
            let (slot, before) = values[*a as usize]?;
            Some((slot, before.wrapping_add(by)))
        };
        let result = match op {
            Op::Move { d, a } => Some((*d, values[*a as usize])),
            Op::Add { bits: 8.., d, a, b }
            | Op::Signed { op: BinaryOp::Add, bits: 8.., d, a, b } => {
                let sum = match (constant(a), constant(b)) {
                    (_, Some(by)) => plus(a, by),
                    (Some(by), None) => plus(b, by),
                    (None, None) => None,
                };
                Some((*d, sum))
            }
            Op::Sub { bits: 8.., d, a, b }
            | Op::Signed { op: BinaryOp::Sub, bits: 8.., d, a, b } => {
                Some((*d, constant(b).and_then(|by| plus(a, by.wrapping_neg()))))
            }
            Op::Offset { d, a, offset } => Some((*d, plus(a, *offset as u64))),
            _ => None,
        };
        written(self.tables, op, |slot| values[slot as usize] = None);
        if let Some((d, value)) = result
            && let Some(slot) = values.get_mut(d as usize)
        {
            *slot = value;
        }
    }
}

/// Keeps what both know. Returns whether that is less than before.
fn join(known: &mut [Value], other: &[Value]) -> bool {
    let mut changed = false;
    for (known, other) in known.iter_mut().zip(other) {
        if known.is_some() && known != other {
            *known = None;
            changed = true;
        }
    }
    changed
}

/// Calls `see` for every slot that an instruction may write.
pub(super) fn written(tables: &Tables<'_>, op: &Op, mut see: impl FnMut(Slot)) {
    match *op {
        Op::Insert { d, width, count, .. } => (d..d + u32::from(width) * count).for_each(see),
        _ => definitions(tables, op, &mut see),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Predicate;

    const I: Slot = 4;
    const NEXT: Slot = 5;
    const SEEN: Slot = 6;
    const ONE: Slot = 7;
    const END: Slot = 8;

    /// Returns whether a loop counts whose head is the first of these instructions.
    fn counts(ops: &[Op]) -> bool {
        let tables = Tables { sites: &[], shapes: &[], switches: &[], pads: &[] };
        let loops = Loops::new(&tables, ops, 0, 9, &[(ONE, 1), (END, 10)]);
        loops.counts(0, &[I])
    }

    fn leave(to: Pc) -> Op {
        Op::JumpCompare { predicate: Predicate::Eq, bits: 32, a: I, b: END, to }
    }

    fn increment() -> [Op; 2] {
        let sum = Op::Signed { op: BinaryOp::Add, bits: 32, d: NEXT, a: I, b: ONE };
        [sum, Op::Move { d: I, a: NEXT }]
    }

    #[test]
    fn a_loop_counts_if_every_iteration_adds_a_constant() {
        let [sum, copy] = increment();
        let end = Op::Return { a: I, count: 1 };
        let ops = [Op::LoopHead { id: 0 }, leave(5), sum, copy, Op::Jump { to: 0 }, end];
        assert!(counts(&ops));
        let up_and_down = Op::Sub { bits: 32, d: I, a: NEXT, b: ONE };
        let ops = [Op::LoopHead { id: 0 }, leave(5), sum, up_and_down, Op::Jump { to: 0 }, end];
        assert!(!counts(&ops), "the slot is what it was");
    }

    #[test]
    fn a_loop_with_an_iteration_that_only_reads_does_not_count() {
        let [sum, copy] = increment();
        let load = Op::Load { size: 4, aligned: true, atomic: None, d: SEEN, a: END, offset: 0 };
        let again = Op::JumpUnless { a: SEEN, to: 0 };
        let end = Op::Return { a: I, count: 1 };
        let ops =
            [Op::LoopHead { id: 0 }, leave(7), load, again, sum, copy, Op::Jump { to: 0 }, end];
        assert!(!counts(&ops));
        assert!(!counts(&[Op::LoopHead { id: 0 }, load, again, end]));
    }
}
