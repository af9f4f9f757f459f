//! Running a thread, up to its next action.

use std::sync::Arc;

use mazurka_core::model::{Action, Op as ActionOp, Ways};
use mazurka_core::verdict::ViolationKind;

use super::LlvmMachine;
use super::access::Access;
use super::allowed::Undefined;
use super::registers::{Registers, double, float};
use super::taken_back::Kind;
use super::thread::Probe;
use super::undefined::{is_shift, spreads};
use crate::arithmetic::{self, signed, truncate};
use crate::bytecode::{Code, Op, Pc};
use crate::ir::{AtomicOp, BinaryOp};
use crate::memory::NEVER_WRITTEN;

impl LlvmMachine {
    /// Runs a thread up to its next action. With `permit` the instruction that it is at is that
    /// action, and the scheduler has picked it.
    pub(super) fn run(&mut self, thread: usize, permit: bool) {
        self.running = thread;
        match self.threads[thread].watch.rounds.is_empty() {
            true => self.interpret(thread, permit),
            false => self.run_round(thread, permit),
        }
        if self.threads[thread].state.joins.are_open() {
            self.check_joins(thread);
        }
    }

    /// Does that, whatever loop the thread is in. The code is no reference, because the tables of rare instructions would be looked up at
    /// the beginning of every step then: a hundredth of all instructions.
    pub(super) fn interpret(&mut self, thread: usize, mut permit: bool) {
        let code: *const Code = Arc::as_ptr(&self.code);
        macro_rules! code {
            () => {
                // SAFETY: the machine holds the code for as long as it lives, and never exchanges it.
                unsafe { &*code }
            };
        }
        // SAFETY: as above.
        let ops = unsafe { (*code).ops.as_ptr() };
        let mut pc = self.threads[thread].state.pc;
        let mut budget = self.options.local_steps;
        let mut registers = self.registers(thread);

        macro_rules! get {
            ($slot:expr) => {
                registers.get($slot)
            };
        }
        macro_rules! set {
            ($slot:expr, $value:expr) => {
                registers.set($slot, $value)
            };
        }
        macro_rules! wide {
            ($slot:expr) => {
                u128::from(get!($slot)) | u128::from(get!($slot + 1)) << 64
            };
        }
        macro_rules! set_wide {
            ($slot:expr, $value:expr) => {{
                let value: u128 = $value;
                set!($slot, value as u64);
                set!($slot + 1, (value >> 64) as u64);
            }};
        }
        macro_rules! go {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(_) => return,
                }
            };
        }
        macro_rules! defined {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(why) => {
                        let why = arithmetic::Undefined::message(why).to_owned();
                        let violation =
                            self.violation_at(pc, ViolationKind::UndefinedBehaviour, why);
                        self.fail_at(thread, pc, violation);
                        return;
                    }
                }
            };
        }
        macro_rules! tick {
            () => {
                budget -= 1;
                if budget == 0 {
                    self.runs_for_ever(thread, pc);
                    return;
                }
            };
        }

        macro_rules! integer {
            ($op:expr, $bits:expr, $d:expr, $a:expr, $b:expr) => {{
                let (op, bits) = ($op, $bits);
                let (a, b) = (truncate($a, bits), truncate($b, bits));
                if b >= u64::from(bits) && is_shift(op) {
                    let message =
                        format!("a value of {bits} bits is shifted by {}", signed(b, bits));
                    go!(self.undefined(thread, pc, Undefined::Shift, message));
                }
                set!($d, defined!(arithmetic::integer(op, bits, a, b)));
            }};
        }

        /// Whether one of two values was never written.
        macro_rules! lacks_value {
            ($bits:expr, $a:expr, $b:expr) => {
                ($a == NEVER_WRITTEN || $b == NEVER_WRITTEN) && self.has_no_value($bits)
            };
        }
        macro_rules! branch_on {
            ($bits:expr, $a:expr, $b:expr) => {
                if lacks_value!($bits, $a, $b) {
                    self.uses_no_value(thread, pc, "a branch depends on");
                    return;
                }
            };
        }

        loop {
            debug_assert!((pc as usize) < code!().ops.len());
            // SAFETY: the lowering ends every function with an instruction that does not go on to the
            // next one, and all targets are within the code.
            match *unsafe { &*ops.add(pc as usize) } {
                Op::Move { d, a } => set!(d, get!(a)),
                Op::MoveMany { d, a, count } => registers.copy(d, a, count),
                Op::Add { bits, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    set!(d, truncate(a.wrapping_add(b), bits));
                    if lacks_value!(bits, a, b) {
                        set!(d, NEVER_WRITTEN);
                    }
                }
                Op::Sub { bits, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    set!(d, truncate(a.wrapping_sub(b), bits));
                    if lacks_value!(bits, a, b) {
                        set!(d, NEVER_WRITTEN);
                    }
                }
                Op::Signed { op, bits, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if lacks_value!(bits, a, b) {
                        set!(d, NEVER_WRITTEN);
                    } else {
                        let (result, fits) = arithmetic::signed_result(op, bits, a, b);
                        if !fits {
                            go!(self.overflows(thread, pc, op, bits, (a, b)));
                        }
                        set!(d, result);
                    }
                }
                Op::CheckIndex { a, most } => {
                    let index = get!(a);
                    if index > u64::from(most) && index != NEVER_WRITTEN {
                        self.leaves_array(thread, pc, index, most);
                        return;
                    }
                }
                Op::Integer { op, bits, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if lacks_value!(bits, a, b) && (spreads(op) || self.has_any_value()) {
                        set!(d, NEVER_WRITTEN);
                    } else {
                        integer!(op, bits, d, a, b);
                        if get!(d) == NEVER_WRITTEN {
                            self.memory.note_ambiguity();
                        }
                    }
                }
                Op::Bits { op, bits, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    let is_zero = op == BinaryOp::And && (a == 0 || b == 0);
                    if lacks_value!(bits, a, b) && !is_zero {
                        set!(d, NEVER_WRITTEN);
                    } else {
                        integer!(op, bits, d, a, b);
                    }
                }
                Op::Wide { op, bits, d, a, b } => {
                    set_wide!(d, defined!(arithmetic::wide(op, bits, wide!(a), wide!(b))));
                }
                Op::Float { op, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    let result = float(op, f32::from_bits(a as u32), f32::from_bits(b as u32));
                    let lacks = lacks_value!(32, a, b);
                    set!(d, if lacks { NEVER_WRITTEN } else { u64::from(result.to_bits()) });
                }
                Op::Double { op, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    let result = double(op, f64::from_bits(a), f64::from_bits(b));
                    let lacks = lacks_value!(64, a, b);
                    set!(d, if lacks { NEVER_WRITTEN } else { result.to_bits() });
                }
                Op::LongDouble { op, d, a, b } => {
                    set_wide!(d, super::long_double::arithmetic(op, wide!(a), wide!(b)));
                }
                Op::Negate { bits, d, a } => match bits {
                    32 => set!(d, get!(a) ^ 1 << 31),
                    64 => set!(d, get!(a) ^ 1 << 63),
                    _ => set_wide!(d, wide!(a) ^ 1 << 79),
                },
                Op::Compare { predicate, bits, d, a, b } => {
                    let (a, b) = (get!(a), get!(b));
                    if lacks_value!(bits, a, b) {
                        set!(d, NEVER_WRITTEN);
                    } else {
                        let (a, b) = (truncate(a, bits), truncate(b, bits));
                        set!(d, u64::from(arithmetic::compare(predicate, bits, a, b)));
                    }
                }
                Op::CompareWide { predicate, bits, d, a, b } => {
                    let holds = arithmetic::compare_wide(predicate, bits, wide!(a), wide!(b));
                    set!(d, u64::from(holds));
                }
                Op::CompareFloat { predicate, bits, d, a, b } => {
                    let order = match bits {
                        32 => f32::from_bits(get!(a) as u32)
                            .partial_cmp(&f32::from_bits(get!(b) as u32)),
                        64 => f64::from_bits(get!(a)).partial_cmp(&f64::from_bits(get!(b))),
                        _ => super::long_double::order(wide!(a), wide!(b)),
                    };
                    let lacks = bits <= 64 && lacks_value!(bits, get!(a), get!(b));
                    let holds = u64::from(arithmetic::compare_floats(predicate, order));
                    set!(d, if lacks { NEVER_WRITTEN } else { holds });
                }
                Op::Truncate { bits, d, a } => {
                    let a = get!(a);
                    let lacks = a == NEVER_WRITTEN && self.has_no_value(64);
                    set!(d, if lacks { NEVER_WRITTEN } else { truncate(a, bits) });
                }
                Op::SignExtend { from, to, d, a } => {
                    let a = get!(a);
                    let lacks = a == NEVER_WRITTEN && self.has_no_value(from);
                    set!(
                        d,
                        if lacks { NEVER_WRITTEN } else { truncate(signed(a, from) as u64, to) }
                    );
                }
                Op::Convert { op, from, to, d, a } => {
                    let value = match super::convert::is_wide(from) {
                        true => wide!(a),
                        false => u128::from(get!(a)),
                    };
                    let result = super::convert::convert(op, from, to, value);
                    if !super::convert::fits(op, from, to, value) && get!(a) != NEVER_WRITTEN {
                        let message = "a floating-point number does not fit into the integer type \
                                       that it is converted to";
                        let kind = Undefined::FloatConversion;
                        go!(self.undefined(thread, pc, kind, message.to_owned()));
                    }
                    let lacks = !super::convert::is_wide(from)
                        && get!(a) == NEVER_WRITTEN
                        && self.has_no_value(64);
                    match super::convert::is_wide(to) {
                        true => set_wide!(d, result),
                        false => set!(d, if lacks { NEVER_WRITTEN } else { result as u64 }),
                    }
                }
                Op::Select { d, condition, a, b, count } => {
                    branch_on!(1, get!(condition), 0);
                    let from = if get!(condition) & 1 != 0 { a } else { b };
                    for i in 0..u32::from(count) {
                        set!(d + i, get!(from + i));
                    }
                }
                Op::Extract { d, a, index, width, count } => {
                    let index = (get!(index) as u32).min(count - 1) * u32::from(width);
                    for i in 0..u32::from(width) {
                        set!(d + i, get!(a + index + i));
                    }
                }
                Op::Insert { d, element, index, width, count } => {
                    let index = (get!(index) as u32).min(count - 1) * u32::from(width);
                    for i in 0..u32::from(width) {
                        set!(d + index + i, get!(element + i));
                    }
                }

                Op::Jump { to } => {
                    tick!();
                    pc = to;
                    continue;
                }
                Op::JumpIf { a, to } => {
                    branch_on!(1, get!(a), 0);
                    if get!(a) & 1 != 0 {
                        tick!();
                        pc = to;
                        continue;
                    }
                }
                Op::JumpUnless { a, to } => {
                    branch_on!(1, get!(a), 0);
                    if get!(a) & 1 == 0 {
                        tick!();
                        pc = to;
                        continue;
                    }
                }
                Op::JumpCompare { predicate, bits, a, b, to } => {
                    let (mut a, mut b) = (get!(a), get!(b));
                    if a == NEVER_WRITTEN || b == NEVER_WRITTEN {
                        branch_on!(bits, a, b);
                        (a, b) = (truncate(a, bits), truncate(b, bits));
                    }
                    if arithmetic::compare(predicate, bits, a, b) {
                        tick!();
                        pc = to;
                        continue;
                    }
                }
                Op::Switch { a, table } => {
                    let (value, switch) = (get!(a), &code!().switches[table as usize]);
                    branch_on!(32, value, 0);
                    let found = switch.cases.binary_search_by_key(&value, |(case, _)| *case);
                    tick!();
                    pc = found.map_or(switch.default, |index| switch.cases[index].1);
                    continue;
                }
                Op::Landing { .. } => {}
                Op::Landed { d } => {
                    let [thrown, selector] = self.landed;
                    set!(d, thrown);
                    set!(d + 1, selector);
                }
                Op::LoopHead { id } => {
                    if self.options.unroll.is_some() {
                        go!(self.count_turn(thread, pc, id));
                    }
                    self.at_loop_head(thread, id);
                }

                Op::Offset { d, a, offset } => set!(d, get!(a).wrapping_add(offset as u64)),
                Op::Index { d, a, index, scale } => {
                    if get!(index) == NEVER_WRITTEN && self.has_no_value(64) {
                        self.uses_no_value(thread, pc, "an address depends on");
                        return;
                    }
                    set!(d, get!(a).wrapping_add(get!(index).wrapping_mul(u64::from(scale))));
                }

                Op::Load { size, aligned, atomic, d, a, offset } => {
                    let len = u32::from(size);
                    let address = get!(a).wrapping_add(offset as u64);
                    if aligned && address & u64::from(size - 1) != 0 {
                        go!(self.misaligned(thread, pc, address, size));
                    }
                    let access = Access::read(address, len, atomic);
                    let spot = go!(self.access(thread, pc, access, permit));
                    let mut value = self.memory.read(spot.byte, len);
                    if spot.is_visible() {
                        let action = access.action(spot.location(len)).performed(value, value);
                        self.perform(thread, action, Probe { byte: spot.byte, len });
                        permit = self.threads[thread].state.atomic > 0;
                    }
                    if value == NEVER_WRITTEN >> (64 - 8 * len) {
                        value = self.load_never_written(pc, address, spot.byte, len);
                    }
                    set!(d, value);
                }
                Op::Store { size, aligned, atomic, a, value, offset } => {
                    let len = u32::from(size);
                    let address = get!(a).wrapping_add(offset as u64);
                    if aligned && address & u64::from(size - 1) != 0 {
                        go!(self.misaligned(thread, pc, address, size));
                    }
                    let access = Access::write(address, len, atomic);
                    let spot = go!(self.access(thread, pc, access, permit));
                    let value = get!(value);
                    if spot.is_visible() {
                        let before = self.memory.read(spot.byte, len);
                        let after = truncate(value, (8 * size).min(64));
                        let action = access.action(spot.location(len)).performed(before, after);
                        self.perform(thread, action, Probe { byte: spot.byte, len });
                        permit = self.threads[thread].state.atomic > 0;
                    }
                    self.write(thread, spot, len, value);
                }
                Op::LoadMany { .. } | Op::StoreMany { .. } => {
                    go!(self.access_many(code!(), thread, pc, &mut permit));
                }
                Op::CompareExchange { size, bits, orderings, d, a, expected, new } => {
                    if size > 8 {
                        go!(self.exchange_wide(code!(), thread, pc, &mut permit));
                    } else {
                        let len = u32::from(size);
                        let wanted = truncate(get!(expected), bits);
                        let may_fail = self.options.spurious_failures
                            && self.may_fail_spuriously(code!(), thread, pc);
                        let ways = if may_fail { Ways::MayFail } else { Ways::One };
                        let access = Access::exchange(get!(a), len, orderings, wanted, ways);
                        let spot = go!(self.access(thread, pc, access, permit));
                        let old = self.memory.read(spot.byte, len);
                        // The choice belongs to the first action of a step.
                        let fails = may_fail
                            && self.choice == 1
                            && spot.is_visible()
                            && self.performed.actions.is_empty();
                        let same = old == wanted && !fails;
                        if fails {
                            self.note_spurious_failure(code!(), thread, pc);
                        }
                        let after = if same { truncate(get!(new), bits) } else { old };
                        if spot.is_visible() {
                            let declared = access.action(spot.location(len));
                            let op = if fails { ActionOp::Read } else { declared.op_at(old) };
                            let action = Action { op, ..declared };
                            let probe = Probe { byte: spot.byte, len };
                            self.perform(thread, action.performed(old, after), probe);
                            permit = self.threads[thread].state.atomic > 0;
                        }
                        if same {
                            self.write_updated(thread, spot, len, after);
                        }
                        set!(d, old);
                        set!(d + 1, u64::from(same));
                    }
                }
                Op::ReadModifyWrite { op, size, bits, ordering, d, a, value } => {
                    let len = u32::from(size);
                    let access = Access::update(get!(a), len, ordering);
                    let spot = go!(self.access(thread, pc, access, permit));
                    let old = self.memory.read(spot.byte, len);
                    let new = arithmetic::modify(op, bits, old, truncate(get!(value), bits));
                    if spot.is_visible() {
                        let mut action = access.action(spot.location(len)).performed(old, new);
                        action.unread = code!().is_unused(pc) && adds(op, old, new);
                        self.update = self.kind_of(op, pc);
                        self.perform(thread, action, Probe { byte: spot.byte, len });
                        self.update = Kind::Any;
                        permit = self.threads[thread].state.atomic > 0;
                    }
                    self.write_updated(thread, spot, len, new);
                    set!(d, old);
                }
                Op::Fence { ordering } => {
                    go!(self.fence(thread, pc, ordering, &mut permit));
                }
                Op::Local { d, size } => {
                    let address = go!(self.local(thread, pc, u64::from(size)));
                    set!(d, address);
                }
                Op::LocalMany { d, size, count } => {
                    let size = get!(count).saturating_mul(u64::from(size));
                    let address = go!(self.local(thread, pc, size));
                    set!(d, address);
                }
                Op::Lifetime { a, begins } => {
                    go!(self.lifetime(thread, pc, get!(a), begins, &mut permit));
                }
                Op::SaveStack { d } => set!(d, self.memory.locals(thread) as u64),
                Op::RestoreStack { a } => {
                    go!(self.restore_stack(thread, pc, get!(a) as usize, &mut permit));
                }
                Op::ThreadLocal { d, index } => set!(d, self.thread_local(thread, index)),

                Op::OwnWord { d, number } => {
                    set!(d, self.memory.own_word(thread, number).unwrap_or(0));
                }
                Op::Call { function, site, d } => {
                    tick!();
                    let function = &code!().functions[function as usize];
                    let entry = function.entry.expect("only functions with a body are called so");
                    let site = &code!().sites[site as usize];
                    pc = go!(self.call(thread, pc, function, entry, site, d));
                    registers = self.registers(thread);
                    continue;
                }
                Op::CallPointer { a, site, d } => {
                    tick!();
                    let address = get!(a);
                    let Some(function) = self.function_to_call(code!(), thread, pc, address) else {
                        return;
                    };
                    let site_code = &code!().sites[site as usize];
                    if site_code.signature != function.signature {
                        go!(self.check_signature(code!(), thread, pc, function, site_code));
                    }
                    if let Some(entry) = function.entry {
                        pc = go!(self.call(thread, pc, function, entry, site_code, d));
                        registers = self.registers(thread);
                        continue;
                    }
                    let library = function.library.expect("what can be called is one or the other");
                    match self.call_library(code!(), thread, pc, (library, site, d), permit) {
                        Ok(next) => pc = next,
                        Err(_) => return,
                    }
                    // Without a permit, the function has done nothing that starts an atomic section.
                    permit = permit && self.is_within_section(thread);
                    registers = self.registers(thread);
                    continue;
                }
                Op::CallLibrary { function, site, d } => {
                    tick!();
                    match self.call_library(code!(), thread, pc, (function, site, d), permit) {
                        Ok(next) => pc = next,
                        Err(_) => return,
                    }
                    // Without a permit, the function has done nothing that starts an atomic section.
                    permit = permit && self.is_within_section(thread);
                    registers = self.registers(thread);
                    continue;
                }
                Op::Return { a, count } => {
                    tick!();
                    pc = go!(self.return_from(thread, pc, a, count, &mut permit));
                    registers = self.registers(thread);
                    continue;
                }
                Op::CopyMemory { .. } | Op::FillMemory { .. } => {
                    // It takes several steps if others can see the memory: it is over when it
                    // says so.
                    if !go!(self.copy_or_fill(code!(), thread, pc, &mut permit)) {
                        continue;
                    }
                }
                Op::VaStart { a, arguments } => {
                    let (list, area) = (get!(a), get!(arguments));
                    go!(self.start_variable_arguments(thread, pc, list, area));
                }
                Op::AtomicBegin => self.threads[thread].state.atomic += 1,
                Op::AtomicEnd => {
                    let atomic = &mut self.threads[thread].state.atomic;
                    *atomic = atomic.saturating_sub(1);
                    permit = permit && *atomic > 0;
                }
                Op::EndThread { a } => {
                    let result = get!(a);
                    // What the main thread has on its stack stays: others may run on, and use it.
                    if thread != 0 && self.memory.locals(thread) > 0 {
                        go!(self.end_locals(thread, pc, 0, &mut permit));
                    }
                    self.threads[thread].state.pc = pc;
                    self.end_thread(thread, result);
                    return;
                }
                Op::Trap { message } => {
                    let (kind, message) = code!().messages[message as usize].clone();
                    let violation = self.violation_at(pc, kind, message);
                    self.fail_at(thread, pc, violation);
                    return;
                }
                Op::Unreachable => {
                    let message = "this cannot be reached, says the compiler, but it was: \
                                   a function that must not return did, or one without a result \
                                   must have one";
                    let violation = self.violation_at(
                        pc,
                        ViolationKind::UndefinedBehaviour,
                        message.to_owned(),
                    );
                    self.fail_at(thread, pc, violation);
                    return;
                }
            }
            pc += 1;
        }
    }

    /// The slots of the current frame.
    #[inline]
    fn registers(&mut self, thread: usize) -> Registers {
        let thread = &mut self.threads[thread];
        let base = thread.state.base as usize;
        Registers::new(&mut thread.stack[base..])
    }

    #[cold]
    fn runs_for_ever(&mut self, thread: usize, pc: Pc) {
        let message = format!(
            "a thread runs on and on without touching anything that others can see: \
             it has taken {} jumps and calls since its last step. If its loop does come to an end, \
             give the check less to do, or raise the limit (on the command line, by --max-local-steps)",
            self.options.local_steps
        );
        let violation = self.violation_at(pc, ViolationKind::Unsupported, message);
        self.fail_at(thread, pc, violation);
    }
}

/// Returns whether a read-modify-write adds or subtracts, without an overflow.
#[inline]
fn adds(op: AtomicOp, old: u64, new: u64) -> bool {
    match op {
        AtomicOp::Add => new >= old,
        AtomicOp::Sub => new <= old,
        _ => false,
    }
}
