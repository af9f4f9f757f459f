//! Where control goes from an instruction, and which slots it reads and writes.

use crate::bytecode::{CallSite, NOWHERE, Op, Pad, Pc, Scalar, Shape, Slot, Switch};

/// What instructions refer to.
pub(super) struct Tables<'a> {
    pub(super) sites: &'a [CallSite],
    pub(super) shapes: &'a [Shape],
    pub(super) switches: &'a [Switch],
    pub(super) pads: &'a [Pad],
}

/// Returns the first instructions of the blocks of a function, counted from its first one.
pub(super) fn block_starts(tables: &Tables<'_>, ops: &[Op], entry: Pc) -> Vec<usize> {
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

/// Returns whether control may go on at the next instruction.
pub(super) fn falls_through(op: &Op) -> bool {
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

/// Calls `see` for every instruction to which an instruction may jump.
pub(super) fn targets(tables: &Tables<'_>, op: &Op, mut see: impl FnMut(Pc)) {
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
pub(super) fn definitions(tables: &Tables<'_>, op: &Op, mut see: impl FnMut(Slot)) {
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

fn width(scalar: Scalar) -> u32 {
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
pub(super) fn reads(tables: &Tables<'_>, op: &Op, mut see: impl FnMut(Slot)) {
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
