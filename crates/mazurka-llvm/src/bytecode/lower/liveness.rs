//! Which slots matter where threads rest.

use super::flow::{Tables, block_starts, definitions, falls_through, reads, targets};
use crate::bytecode::{FRAME_HEADER, Op, Pc, Slot};

/// A set of slots.
#[derive(Clone, PartialEq)]
struct Slots(Vec<u64>);

impl Slots {
    fn insert(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word |= 1 << (slot % 64);
        }
    }

    fn contains(&self, slot: Slot) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 != 0)
    }

    fn remove(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word &= !(1 << (slot % 64));
        }
    }

    fn join(&mut self, other: &Slots) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    /// Those of its slots that are in another set too, behind the header of the frame.
    fn in_order(&self, other: &Slots) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (i, (word, other)) in self.0.iter().zip(&other.0).enumerate() {
            let mut left = word & other;
            while left != 0 {
                slots.push(64 * i as u32 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        slots.retain(|slot| *slot >= FRAME_HEADER);
        slots
    }
}

/// Whether a thread can rest at an instruction: because it is an action, or calls a function, or is
/// the head of a loop.
fn rests(op: &Op) -> bool {
    matches!(
        op,
        Op::LoopHead { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::LoadMany { .. }
            | Op::StoreMany { .. }
            | Op::CompareExchange { .. }
            | Op::ReadModifyWrite { .. }
            | Op::Call { .. }
            | Op::CallPointer { .. }
            | Op::CallLibrary { .. }
            | Op::Return { .. }
            | Op::CopyMemory { .. }
            | Op::FillMemory { .. }
            | Op::Lifetime { .. }
            | Op::RestoreStack { .. }
            | Op::EndThread { .. }
    )
}

/// Which slots matter in a function. Instructions are counted from its first one.
#[derive(Default)]
pub(super) struct Liveness {
    /// For every instruction at which a thread can rest, the slots that matter to what follows.
    pub(super) rests: Vec<(usize, Vec<Slot>)>,
    /// The instructions with an effect whose result no instruction uses.
    pub(super) unused: Vec<usize>,
    /// The slots that matter at the start of each block.
    live_in: Vec<Slots>,
}

impl Liveness {
    /// Returns whether a slot matters at the start of a block.
    pub(super) fn enters(&self, block: usize, slot: Slot) -> bool {
        self.live_in[block].contains(slot)
    }
}

/// Returns which slots matter in a function. `ops` are its instructions, which start at `entry`.
///
/// A slot matters if it is used for more than the computation of slots that do not matter: without
/// optimisation, clang copies the results of atomic operations, whether they are used or not.
pub(super) fn liveness(tables: &Tables<'_>, ops: &[Op], entry: Pc, frame: u32) -> Liveness {
    let empty = Slots(vec![0; (frame as usize).div_ceil(64)]);
    // What is never written but when the function is called is the same at all times.
    let mut written = empty.clone();
    for op in ops {
        definitions(tables, op, |slot| written.insert(slot));
    }
    let starts = block_starts(tables, ops, entry);
    let mut live_in = vec![empty.clone(); starts.len()];
    let block_of = |pc: Pc| starts.partition_point(|start| *start <= (pc - entry) as usize) - 1;
    let end_of = |block: usize| starts.get(block + 1).copied().unwrap_or(ops.len());
    let live_out = |block: usize, live_in: &[Slots]| {
        let mut live = empty.clone();
        let last = &ops[end_of(block) - 1];
        targets(tables, last, |to| live.join(&live_in[block_of(to)]));
        if falls_through(last) && block + 1 < starts.len() {
            live.join(&live_in[block + 1]);
        }
        live
    };
    let is_used = |op: &Op, live: &Slots| {
        let mut is_used = false;
        definitions(tables, op, |slot| is_used |= live.contains(slot));
        is_used
    };
    let pass = |op: &Op, live: &mut Slots| {
        if only_computes(op) && !is_used(op, live) {
            return;
        }
        definitions(tables, op, |slot| live.remove(slot));
        reads(tables, op, |slot| live.insert(slot));
    };
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..starts.len()).rev() {
            let mut live = live_out(block, &live_in);
            for op in ops[starts[block]..end_of(block)].iter().rev() {
                pass(op, &mut live);
            }
            if live != live_in[block] {
                live_in[block] = live;
                changed = true;
            }
        }
    }
    let mut found = Liveness::default();
    for (block, start) in starts.iter().enumerate() {
        let mut live = live_out(block, &live_in);
        for at in (*start..end_of(block)).rev() {
            let has_effect = matches!(ops[at], Op::ReadModifyWrite { .. } | Op::CallLibrary { .. });
            if has_effect && !is_used(&ops[at], &live) {
                found.unused.push(at);
            }
            pass(&ops[at], &mut live);
            if rests(&ops[at]) {
                found.rests.push((at, live.in_order(&written)));
            }
        }
    }
    found.live_in = live_in;
    found
}

/// Returns whether an instruction does nothing but compute its result, for all operands. Signed arithmetic may
/// overflow, and an index may have no value, which are violations.
fn only_computes(op: &Op) -> bool {
    matches!(
        op,
        Op::Move { .. }
            | Op::MoveMany { .. }
            | Op::Add { .. }
            | Op::Sub { .. }
            | Op::Compare { .. }
            | Op::Truncate { .. }
            | Op::SignExtend { .. }
            | Op::Offset { .. }
    )
}
