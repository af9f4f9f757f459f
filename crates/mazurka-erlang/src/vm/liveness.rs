//! Live slots: the slots of a frame that a process may still read.
//!
//! A slot that is overwritten before it is read, or never read again, is not part of the
//! [state](crate::machine). The compiler clears some of these slots before calls, but not all. This is a
//! backward data-flow analysis of the code of a function, run when one of its frames is first met.

use std::collections::HashMap;

use super::code::Code;
use super::instruction::{Instruction, Place, PlaceKind, Row};

/// Slots, by their distance from the top of the stack. Those that do not fit in count as read.
type Slots = u64;

/// The results of the analysis so far.
#[derive(Default)]
pub(crate) struct Liveness {
    /// The live slots of each instruction of a function, by the start of the function.
    functions: HashMap<u32, Vec<Slots>>,
}

impl Liveness {
    /// Returns whether a process at `pc` may still read a slot of its frame.
    pub(crate) fn is_live(&mut self, code: &Code, pc: u32, slot: usize) -> bool {
        if slot >= Slots::BITS as usize {
            return true;
        }
        let Some(function) = code.function_at(pc) else { return true };
        let start = function.start;
        let slots = self.functions.entry(start).or_insert_with(|| survey(code, start));
        slots[(pc - start) as usize] >> slot & 1 == 1
    }
}

/// Returns the live slots of each instruction of a function.
fn survey(code: &Code, start: u32) -> Vec<Slots> {
    let next = code.functions.partition_point(|function| function.start <= start);
    let end = code.functions.get(next).map_or(code.instructions.len() as u32, |next| next.start);
    let instructions = &code.instructions[start as usize..end as usize];
    let handlers: Vec<u32> = instructions
        .iter()
        .filter_map(|instruction| match instruction {
            Instruction::Catch { handler, .. } => Some(*handler),
            _ => None,
        })
        .collect();
    let mut live = vec![0; instructions.len()];
    loop {
        let mut changed = false;
        // Any instruction may raise an exception, which may go to any handler of the function.
        let at = |live: &[Slots], pc: u32| match pc.checked_sub(start) {
            Some(index) => live.get(index as usize).copied().unwrap_or(0),
            None => 0,
        };
        let caught = handlers.iter().fold(0, |slots, handler| slots | at(&live, *handler));
        for (index, instruction) in instructions.iter().enumerate().rev() {
            let mut after = caught;
            targets(code, *instruction, |pc| after |= at(&live, pc));
            if goes_on(*instruction) {
                after |= at(&live, start + index as u32 + 1);
            }
            let before = before(code, *instruction, after);
            changed |= std::mem::replace(&mut live[index], before) != before;
        }
        if !changed {
            return live;
        }
    }
}

/// Returns the slots that are live before an instruction, given the slots that are live after it.
fn before(code: &Code, instruction: Instruction, after: Slots) -> Slots {
    use Instruction as I;
    match instruction {
        // There is no frame before the one and after the other.
        I::Allocate { .. } | I::Deallocate { .. } => 0,
        I::Trim { count } => after.checked_shl(count).unwrap_or(0),
        _ => {
            let (mut read, mut written) = (0, 0);
            operands(code, instruction, |place, is_written| {
                if let PlaceKind::Y(slot) = place.kind() {
                    let slot = 1u64.checked_shl(slot as u32).unwrap_or(0);
                    *if is_written { &mut written } else { &mut read } |= slot;
                }
            });
            after & !written | read
        }
    }
}

/// Returns whether the next instruction may be executed after this one.
pub(super) fn goes_on(instruction: Instruction) -> bool {
    use Instruction as I;
    !matches!(
        instruction,
        I::FunctionClause { .. }
            | I::End
            | I::CallLast { .. }
            | I::CallOnly { .. }
            | I::CallExtLast { .. }
            | I::CallExtOnly { .. }
            | I::ApplyLast { .. }
            | I::Return
            | I::Jump { .. }
            | I::SelectValue { .. }
            | I::SelectArity { .. }
            | I::NextMessage { .. }
            | I::Wait { .. }
            | I::TryCaseEnd { .. }
            | I::Raise { .. }
            | I::BadMatch { .. }
            | I::CaseEnd { .. }
            | I::IfEnd
            | I::BadRecord { .. }
            | I::Obsolete { .. }
    )
}

/// Calls `target` with each other instruction of the function that may follow an instruction.
pub(super) fn targets(code: &Code, instruction: Instruction, mut target: impl FnMut(u32)) {
    use Instruction as I;
    match instruction {
        I::Jump { to } | I::NextMessage { to } | I::Wait { to } | I::WaitTimeout { to, .. } => {
            target(to);
        }
        I::LoopReceive { empty, .. } => target(empty),
        I::SelectValue { fail, cases, .. } | I::SelectArity { fail, cases, .. } => {
            target(fail);
            code.cases[cases.range()].iter().for_each(|(_, to)| target(*to));
        }
        I::PutMap { fail, .. }
        | I::HasMapFields { fail, .. }
        | I::GetMapElements { fail, .. }
        | I::Is { fail, .. }
        | I::IsFunction { fail, .. }
        | I::HasArity { fail, .. }
        | I::IsTagged { fail, .. }
        | I::Less { fail, .. }
        | I::NotLess { fail, .. }
        | I::Equal { fail, .. }
        | I::NotEqual { fail, .. }
        | I::Same { fail, .. }
        | I::NotSame { fail, .. }
        | I::Add { fail, .. }
        | I::Subtract { fail, .. }
        | I::Bif { fail, .. }
        | I::StartMatch { fail, .. }
        | I::GetInteger { fail, .. }
        | I::GetFloat { fail, .. }
        | I::GetBits { fail, .. }
        | I::SkipBits { fail, .. }
        | I::GetUtf { fail, .. }
        | I::TestTail { fail, .. }
        | I::TestUnit { fail, .. }
        | I::TestBits { fail, .. }
        | I::MatchString { fail, .. }
        | I::CreateBits { fail, .. } => target(fail),
        _ => {}
    }
}

/// Calls `visit` with each operand of an instruction, and whether it is written. An operand that is both
/// read and written counts as read. An operand that is written only if a test succeeds counts as neither.
pub(super) fn operands(code: &Code, instruction: Instruction, mut visit: impl FnMut(Place, bool)) {
    use Instruction as I;
    let row = |row: Row| code.operands[row.range()].iter().copied();
    let mut read = |places: &[Place]| places.iter().for_each(|place| visit(*place, false));
    match instruction {
        I::CallFun2 { function, .. } => read(&[function]),
        I::Swap { a, b }
        | I::Less { a, b, .. }
        | I::NotLess { a, b, .. }
        | I::Equal { a, b, .. }
        | I::NotEqual { a, b, .. }
        | I::Same { a, b, .. }
        | I::NotSame { a, b, .. }
        | I::Add { a, b, .. }
        | I::Subtract { a, b, .. } => read(&[a, b]),
        I::Move { from, .. } | I::StartMatch { from, .. } => read(&[from]),
        I::FloatMove { from, .. } | I::FloatConvert { from, .. } | I::FloatNegate { from, .. } => {
            read(&[from]);
        }
        I::FloatArithmetic { a, b, .. } => read(&[a, b]),
        I::GetList { list, .. } | I::GetHead { list, .. } | I::GetTail { list, .. } => {
            read(&[list]);
        }
        I::GetElement { tuple, .. } | I::SelectArity { tuple, .. } => read(&[tuple]),
        I::SetElement { value, tuple, .. } => read(&[value, tuple]),
        I::PutList { head, tail, .. } => read(&[head, tail]),
        I::PutTuple { elements, .. } => row(elements).for_each(|place| read(&[place])),
        I::UpdateTuple { from, updates, .. } => {
            read(&[from]);
            row(updates).for_each(|place| read(&[place]));
        }
        I::MakeFun { free, .. } => row(free).for_each(|place| read(&[place])),
        I::PutMap { map, entries, .. } => {
            read(&[map]);
            row(entries).for_each(|place| read(&[place]));
        }
        I::HasMapFields { map, keys, .. } => {
            read(&[map]);
            row(keys).for_each(|place| read(&[place]));
        }
        I::GetMapElements { map, entries, .. } => {
            read(&[map]);
            row(entries).step_by(2).for_each(|key| read(&[key]));
        }
        I::Is { term, .. } | I::SelectValue { term, .. } => read(&[term]),
        I::IsFunction { term, arity, .. } => read(&[term, arity]),
        I::HasArity { tuple, .. } | I::IsTagged { tuple, .. } => read(&[tuple]),
        I::Bif { arguments, .. } => row(arguments).for_each(|place| read(&[place])),
        I::WaitTimeout { time, .. } => read(&[time]),
        I::TryCaseEnd { value }
        | I::BadMatch { value }
        | I::CaseEnd { value }
        | I::BadRecord { value } => read(&[value]),
        I::Raise { trace, reason } => read(&[trace, reason]),
        I::GetInteger { context, size, .. }
        | I::GetFloat { context, size, .. }
        | I::GetBits { context, size, .. }
        | I::SkipBits { context, size, .. } => read(&[context, size]),
        I::GetUtf { context, .. }
        | I::TestTail { context, .. }
        | I::TestUnit { context, .. }
        | I::TestBits { context, .. }
        | I::MatchString { context, .. }
        | I::GetRest { context, .. }
        | I::GetPosition { context, .. } => read(&[context]),
        I::SetPosition { context, position } => read(&[context, position]),
        I::CreateBits { segments, .. } => {
            code.segments[segments.range()].iter().for_each(|part| read(&[part.value, part.size]));
        }
        _ => {}
    }
    match instruction {
        I::Move { to, .. }
        | I::GetHead { to, .. }
        | I::GetTail { to, .. }
        | I::GetElement { to, .. }
        | I::PutList { to, .. }
        | I::PutTuple { to, .. }
        | I::UpdateTuple { to, .. }
        | I::MakeFun { to, .. }
        | I::FloatMove { to, .. }
        | I::GetRest { to, .. }
        | I::GetPosition { to, .. } => visit(to, true),
        I::GetList { head, tail, .. } => [head, tail].iter().for_each(|to| visit(*to, true)),
        I::Clear { slots } => row(slots).for_each(|slot| visit(slot, true)),
        I::Catch { slot, .. } | I::CatchEnd { slot } | I::TryEnd { slot } | I::TryCase { slot } => {
            visit(slot, true);
        }
        _ => {}
    }
}
