//! Which slots matter where threads rest.

use crate::bytecode::{CallSite, FRAME_HEADER, NOWHERE, Op, Pad, Pc, Shape, Slot, Switch};

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

/// What instructions refer to.
pub(super) struct Tables<'a> {
    pub(super) sites: &'a [CallSite],
    pub(super) shapes: &'a [Shape],
    pub(super) switches: &'a [Switch],
    pub(super) pads: &'a [Pad],
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

fn block_starts(tables: &Tables<'_>, ops: &[Op], entry: Pc) -> Vec<usize> {
    let mut starts = vec![0];
    for (i, op) in ops.iter().enumerate() {
        let mut jumps = !falls_through(op);
        targets(tables, op, |to| {
            jumps = true;
            starts.push((to - entry) as usize);
        });
        if jumps && i + 1 < ops.len() {
            starts.push(i + 1);
        }
        if matches!(op, Op::LoopHead { .. }) {
            starts.push(i);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

fn falls_through(op: &Op) -> bool {
    !matches!(
        op,
        Op::Jump { .. }
            | Op::Switch { .. }
            | Op::Return { .. }
            | Op::EndThread { .. }
            | Op::Trap { .. }
            | Op::Unreachable
    )
}

fn targets(tables: &Tables<'_>, op: &Op, mut see: impl FnMut(Pc)) {
    match op {
        Op::Jump { to }
        | Op::JumpIf { to, .. }
        | Op::JumpUnless { to, .. }
        | Op::JumpCompare { to, .. } => see(*to),
        Op::Switch { table, .. } => {
            let switch = &tables.switches[*table as usize];
            switch.cases.iter().for_each(|(_, to)| see(*to));
            see(switch.default);
        }
        Op::Landing { pad } => see(tables.pads[*pad as usize].to),
        _ => {}
    }
}

/// Calls `see` for every slot that an instruction writes for sure.
fn definitions(tables: &Tables<'_>, op: &Op, mut see: impl FnMut(Slot)) {
    let mut many = |d: Slot, count: u32| {
        if d != NOWHERE {
            (d..d + count).for_each(&mut see);
        }
    };
    match *op {
        Op::Move { d, .. }
        | Op::Add { d, .. }
        | Op::Signed { d, .. }
        | Op::Sub { d, .. }
        | Op::Integer { d, .. }
        | Op::Bits { d, .. }
        | Op::Float { d, .. }
        | Op::Double { d, .. }
        | Op::Compare { d, .. }
        | Op::CompareWide { d, .. }
        | Op::CompareFloat { d, .. }
        | Op::Truncate { d, .. }
        | Op::SignExtend { d, .. }
        | Op::Offset { d, .. }
        | Op::Index { d, .. }
        | Op::Load { d, .. }
        | Op::ReadModifyWrite { d, .. }
        | Op::Local { d, .. }
        | Op::LocalMany { d, .. }
        | Op::OwnWord { d, .. }
        | Op::SaveStack { d }
        | Op::ThreadLocal { d, .. } => many(d, 1),
        Op::Wide { d, .. } | Op::LongDouble { d, .. } => many(d, 2),
        Op::Negate { bits, d, .. } => many(d, if bits > 64 { 2 } else { 1 }),
        Op::MoveMany { d, count, .. } => many(d, count),
        Op::Landed { d } => many(d, 2),
        Op::Convert { to, d, .. } => many(d, width(to)),
        Op::Select { d, count, .. } => many(d, u32::from(count)),
        Op::Extract { d, width, .. } => many(d, u32::from(width)),
        Op::LoadMany { d, shape, .. } => many(d, shape_slots(tables, shape)),
        Op::CompareExchange { size, d, .. } => many(d, if size > 8 { 3 } else { 2 }),
        Op::Call { site, d, .. }
        | Op::CallPointer { site, d, .. }
        | Op::CallLibrary { site, d, .. } => many(d, tables.sites[site as usize].results),
        // How far a copy got that is done in several steps.
        Op::CopyMemory { state, .. } | Op::FillMemory { state, .. } => many(state, 3),
        _ => {}
    }
}

fn width(scalar: crate::bytecode::Scalar) -> u32 {
    use crate::bytecode::Scalar;
    match scalar {
        Scalar::Int(bits) => 1 + u32::from(bits > 64),
        Scalar::LongDouble => 2,
        Scalar::Float | Scalar::Double => 1,
    }
}

fn shape_slots(tables: &Tables<'_>, shape: u32) -> u32 {
    tables.shapes[shape as usize].leaves.iter().map(|leaf| leaf.slots()).sum()
}

/// Calls `see` for every slot that an instruction reads.
fn reads(tables: &Tables<'_>, op: &Op, mut see: impl FnMut(Slot)) {
    let mut many = |a: Slot, count: u32| (a..a + count).for_each(&mut see);
    match *op {
        Op::Move { a, .. }
        | Op::Truncate { a, .. }
        | Op::SignExtend { a, .. }
        | Op::JumpIf { a, .. }
        | Op::JumpUnless { a, .. }
        | Op::Switch { a, .. }
        | Op::Offset { a, .. }
        | Op::Load { a, .. }
        | Op::LoadMany { a, .. }
        | Op::CheckIndex { a, .. }
        | Op::Lifetime { a, .. }
        | Op::RestoreStack { a }
        | Op::EndThread { a } => many(a, 1),
        Op::MoveMany { a, count, .. } | Op::Return { a, count } => many(a, count),
        Op::Add { a, b, .. }
        | Op::Signed { a, b, .. }
        | Op::Sub { a, b, .. }
        | Op::Integer { a, b, .. }
        | Op::Bits { a, b, .. }
        | Op::Float { a, b, .. }
        | Op::Double { a, b, .. }
        | Op::Compare { a, b, .. }
        | Op::JumpCompare { a, b, .. } => {
            many(a, 1);
            many(b, 1);
        }
        Op::Wide { a, b, .. } | Op::LongDouble { a, b, .. } | Op::CompareWide { a, b, .. } => {
            many(a, 2);
            many(b, 2);
        }
        Op::CompareFloat { bits, a, b, .. } => {
            let width = if bits > 64 { 2 } else { 1 };
            many(a, width);
            many(b, width);
        }
        Op::Negate { bits, a, .. } => many(a, if bits > 64 { 2 } else { 1 }),
        Op::Convert { from, a, .. } => many(a, width(from)),
        Op::Select { condition, a, b, count, .. } => {
            many(condition, 1);
            many(a, u32::from(count));
            many(b, u32::from(count));
        }
        Op::Extract { a, index, width, count, .. } => {
            many(a, u32::from(width) * count);
            many(index, 1);
        }
        Op::Insert { d, element, index, width, count } => {
            many(d, u32::from(width) * count);
            many(element, u32::from(width));
            many(index, 1);
        }
        Op::Index { a, index, .. } => {
            many(a, 1);
            many(index, 1);
        }
        Op::Store { a, value, .. } => {
            many(a, 1);
            many(value, 1);
        }
        Op::StoreMany { a, value, shape, .. } => {
            many(a, 1);
            many(value, shape_slots(tables, shape));
        }
        Op::CompareExchange { size, a, expected, new, .. } => {
            let width = if size > 8 { 2 } else { 1 };
            many(a, 1);
            many(expected, width);
            many(new, width);
        }
        Op::ReadModifyWrite { a, value, .. } => {
            many(a, 1);
            many(value, 1);
        }
        Op::LocalMany { count, .. } => many(count, 1),
        Op::Call { site, .. } | Op::CallLibrary { site, .. } => {
            tables.sites[site as usize].slots.iter().for_each(|slot| many(*slot, 1));
        }
        Op::CallPointer { a, site, .. } => {
            many(a, 1);
            tables.sites[site as usize].slots.iter().for_each(|slot| many(*slot, 1));
        }
        Op::CopyMemory { to, from, len, state, .. } => {
            many(to, 1);
            many(from, 1);
            many(len, 1);
            many(state, 3);
        }
        Op::FillMemory { to, byte, len, state } => {
            many(to, 1);
            many(byte, 1);
            many(len, 1);
            many(state, 3);
        }
        Op::VaStart { a, arguments } => {
            many(a, 1);
            many(arguments, 1);
        }
        Op::Jump { .. }
        | Op::Landing { .. }
        | Op::Landed { .. }
        | Op::LoopHead { .. }
        | Op::Local { .. }
        | Op::ThreadLocal { .. }
        | Op::OwnWord { .. }
        | Op::SaveStack { .. }
        | Op::Fence { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Trap { .. }
        | Op::Unreachable => {}
    }
}
