//! Inline assembly: the instructions of x86 by which programs access memory atomically.
//!
//! Libraries such as concurrencykit and liburcu write their atomic operations in assembly. This module
//! lowers what they use: `mov`, `xchg`, `xadd`, `cmpxchg`, `cmpxchg16b`, arithmetic with and without
//! `lock`, bit tests, bit scans, flags (`setz` and output constraints such as `=@ccz`), and fences, also
//! those of Arm, RISC-V and Power.
//! Everything else is refused with its text when the program gets there.
//!
//! An access to memory by assembly is atomic. It has the ordering that x86 gives it: loads acquire, and
//! stores release. A locked instruction is sequentially consistent and a full fence: no access overtakes
//! it in either direction. `xchg` is always locked.

use mazurka_core::model::MemoryOrdering;
use mazurka_core::verdict::ViolationKind;

use super::assembly_text::{
    Constraint, NAMES, constraints, fence_of, plain_name, split_operands, width_of,
};
use super::function::{Lowering, Result};
use crate::bytecode::{Op, Orderings, Slot};
use crate::ir::{AtomicOp, BinaryOp, Instruction, InstructionKind, Operand, Predicate, TypeId};
use crate::layout;

/// An operand of the whole piece of assembly.
#[derive(Clone, Copy)]
struct Bound {
    /// The slot of its value, or of its address if it is memory.
    slot: Slot,
    is_memory: bool,
    /// How many bits its value has, if its type says so.
    bits: Option<u8>,
}

/// An operand of one instruction.
#[derive(Clone, Copy)]
enum Place {
    /// A slot, with its width if that is known.
    Register(Slot, Option<u8>),
    /// Memory at the address in a slot, plus an offset.
    Memory(Slot, i32),
}

/// Registers and flags, each in a slot, and the operands.
struct Registers {
    operands: Vec<Bound>,
    named: Vec<(&'static str, Slot)>,
    zero: Slot,
    carry: Slot,
}

impl Lowering<'_, '_> {
    /// Lowers inline assembly, or a trap if it is not supported.
    pub(super) fn assembly(&mut self, instruction: &Instruction) -> Result<()> {
        let InstructionKind::Assembly { text, constraints, .. } = &instruction.kind else {
            return Ok(());
        };
        let start = self.builder.ops.len();
        if self.lower_assembly(instruction)?.is_none() {
            self.builder.ops.truncate(start);
            self.builder.places.truncate(start);
            self.trap(format!(
                "this inline assembly is not supported: `{text}` ({constraints}); write it \
                in C, for instance with the `__atomic` builtins"
            ));
        }
        Ok(())
    }

    /// Lowers inline assembly; returns `None` if it contains something that is not supported.
    fn lower_assembly(&mut self, instruction: &Instruction) -> Result<Option<()>> {
        let InstructionKind::Assembly { text, constraints: all, result, arguments } =
            &instruction.kind
        else {
            return Ok(None);
        };
        let all = constraints(all);
        let Some(mut registers) = self.bind(&all, *result, arguments)? else { return Ok(None) };
        let mut locked = false;
        for statement in text.split([';', '\n']) {
            let mut statement = statement.trim();
            if let Some(rest) = statement.strip_prefix("lock") {
                locked = true;
                statement = rest.trim();
            }
            if statement.is_empty() || statement.starts_with('#') {
                continue;
            }
            if let Some(ordering) = fence_of(statement) {
                if let Some(ordering) = ordering {
                    self.emit(Op::Fence { ordering });
                }
                continue;
            }
            // The usual way to write a fence, on the stack of the native thread.
            if locked && (statement.contains("(%rsp)") || statement.contains("(%esp)")) {
                self.emit(Op::Fence { ordering: MemoryOrdering::SeqCst });
                locked = false;
                continue;
            }
            let (name, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
            let operands: Option<Vec<Place>> = split_operands(rest)
                .into_iter()
                .map(|operand| self.place_of(&registers, operand))
                .collect();
            let Some(operands) = operands else { return Ok(None) };
            if self.one(&mut registers, name, &operands, locked).is_none() {
                return Ok(None);
            }
            locked = false;
        }
        self.deliver(instruction, &all, *result, &registers)
    }

    /// Puts the arguments into registers.
    fn bind(
        &mut self,
        all: &[Constraint<'_>],
        result: TypeId,
        arguments: &[(TypeId, Operand)],
    ) -> Result<Option<Registers>> {
        let types = &self.constants.module.types;
        let zero = self.frame.constant(vec![0]);
        let mut registers =
            Registers { operands: Vec::new(), named: Vec::new(), zero, carry: zero };
        for name in NAMES {
            let slot = self.temporary(1);
            self.moves(slot, zero, 1);
            registers.named.push((name, slot));
        }
        let outputs = self.outputs(all, result);
        let mut arguments = arguments.iter();
        let mut output = 0;
        for constraint in all {
            let of_type = match constraint.is_output && !constraint.is_memory {
                true => {
                    output += 1;
                    outputs.get(output - 1).and_then(|(_, ty)| layout::bits_of(types, *ty))
                }
                false => None,
            };
            let named = constraint.register.and_then(plain_name);
            let named = named.and_then(|name| registers.find(name));
            if constraint.is_output && !constraint.is_memory {
                let slot = match named {
                    Some(slot) => slot,
                    None => self.temporary(1),
                };
                if named.is_none() {
                    self.moves(slot, zero, 1);
                }
                registers.operands.push(Bound { slot, is_memory: false, bits: of_type });
                continue;
            }
            let Some((ty, argument)) = arguments.next() else { return Ok(None) };
            let Some(bits) = layout::bits_of(types, *ty) else { return Ok(None) };
            let value = self.operand(argument)?;
            let slot = match constraint.tied.map(|tied| registers.operands.get(tied)) {
                Some(Some(output)) => output.slot,
                Some(None) => return Ok(None),
                None => match named {
                    Some(slot) => slot,
                    None => self.temporary(1),
                },
            };
            self.moves(slot, value, 1);
            let bits = (!constraint.is_memory).then_some(bits);
            registers.operands.push(Bound { slot, is_memory: constraint.is_memory, bits });
        }
        Ok(Some(registers))
    }

    /// Returns where in the result each output is that is no memory, and its type.
    fn outputs(&self, all: &[Constraint<'_>], result: TypeId) -> Vec<(u32, TypeId)> {
        let count = all.iter().filter(|one| one.is_output && !one.is_memory).count();
        match count {
            0 => Vec::new(),
            1 => vec![(0, result)],
            count => (0..count as u32)
                .map_while(|i| layout::slot_part(&self.constants.module.types, result, i))
                .collect(),
        }
    }

    /// Moves the outputs into the result.
    fn deliver(
        &mut self,
        instruction: &Instruction,
        all: &[Constraint<'_>],
        result: TypeId,
        registers: &Registers,
    ) -> Result<Option<()>> {
        let outputs = self.outputs(all, result);
        let d = self.result(instruction);
        if d == crate::bytecode::NOWHERE {
            return Ok(Some(()));
        }
        let values = all.iter().zip(&registers.operands);
        let values = values.filter(|(one, _)| one.is_output && !one.is_memory);
        for ((one, bound), (at, ty)) in values.zip(outputs) {
            let slot = match one.register.and_then(|register| register.strip_prefix("@cc")) {
                Some("z" | "e") => registers.zero,
                Some("c") => registers.carry,
                Some(_) => return Ok(None),
                None => bound.slot,
            };
            let Some(bits) = layout::bits_of(&self.constants.module.types, ty) else {
                return Ok(None);
            };
            self.emit(Op::Truncate { bits, d: d + at, a: slot });
        }
        Ok(Some(()))
    }

    /// Returns what an operand of an instruction refers to.
    fn place_of(&mut self, registers: &Registers, text: &str) -> Option<Place> {
        if let Some(number) = text.strip_prefix("$$") {
            let value = number.trim().parse::<i64>().ok()?;
            return Some(Place::Register(self.frame.constant(vec![value as u64]), None));
        }
        if let Some((offset, base)) = text.split_once('(') {
            let offset = if offset.is_empty() { 0 } else { offset.trim().parse().ok()? };
            let base = self.place_of(registers, base.strip_suffix(')')?.trim())?;
            let Place::Register(slot, _) = base else { return None };
            return Some(Place::Memory(slot, offset));
        }
        if text.starts_with('%') {
            return Some(Place::Register(registers.find(plain_name(text)?)?, None));
        }
        let text = text.strip_prefix('$')?;
        let braced = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
        let (number, width) =
            braced.unwrap_or(text).split_once(':').unwrap_or((braced.unwrap_or(text), ""));
        let bound = *registers.operands.get(number.parse::<usize>().ok()?)?;
        Some(match bound.is_memory {
            true => Place::Memory(bound.slot, 0),
            false => Place::Register(bound.slot, width_of(width).or(bound.bits)),
        })
    }

    /// Lowers one instruction.
    fn one(
        &mut self,
        registers: &mut Registers,
        name: &str,
        operands: &[Place],
        locked: bool,
    ) -> Option<()> {
        let (stem, bits) = stem_of(name, operands)?;
        match (stem, operands) {
            ("pause" | "nop" | "rep" | "repz" | "prefetch", _) => {}
            // The counter of cycles stands still, as that of `__builtin_readcyclecounter`.
            ("rdtsc" | "rdtscp", []) => {
                let zero = self.frame.constant(vec![0]);
                for name in ["ax", "dx", "cx"] {
                    self.moves(registers.find(name)?, zero, 1);
                }
            }
            ("ud2", _) => self.trap_as(ViolationKind::Abort, "the program traps".to_owned()),
            ("mov", [from, to]) => {
                let value = self.fetch(*from, bits)?;
                self.put(*to, bits, value);
            }
            ("xchg", [a, b]) => {
                let (memory, register) = memory_and_register(*a, *b)?;
                let old = self.update(AtomicOp::Exchange, memory, bits, register)?;
                self.moves(register, old, 1);
            }
            ("xadd", [Place::Register(value, _), memory]) => {
                let old =
                    self.arithmetic(registers, BinaryOp::Add, *memory, bits, *value, locked)?;
                self.moves(*value, old, 1);
            }
            ("add" | "sub" | "and" | "or" | "xor", [Place::Register(value, _), to]) => {
                let op = match stem {
                    "add" => BinaryOp::Add,
                    "sub" => BinaryOp::Sub,
                    "and" => BinaryOp::And,
                    "or" => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                self.arithmetic(registers, op, *to, bits, *value, locked)?;
            }
            ("inc" | "dec", [to]) => {
                let one = self.frame.constant(vec![1]);
                let op = if stem == "inc" { BinaryOp::Add } else { BinaryOp::Sub };
                self.arithmetic(registers, op, *to, bits, one, locked)?;
            }
            ("not", [to]) => {
                let ones = self.frame.constant(vec![u64::MAX]);
                self.arithmetic(registers, BinaryOp::Xor, *to, bits, ones, locked)?;
            }
            ("neg", [to]) => self.negate(registers, *to, bits, locked)?,
            ("cmpxchg", [Place::Register(new, _), Place::Memory(a, offset)]) => {
                let address = self.plus(*a, *offset);
                let accumulator = registers.find("ax")?;
                let expected = self.temporary(1);
                self.emit(Op::Truncate { bits, d: expected, a: accumulator });
                let value = self.temporary(1);
                self.emit(Op::Truncate { bits, d: value, a: *new });
                let d = self.temporary(2);
                let orderings = Orderings::new((MemoryOrdering::SeqCst, MemoryOrdering::SeqCst));
                let size = bits / 8;
                let exchange = Op::CompareExchange {
                    size,
                    bits,
                    orderings,
                    d,
                    a: address,
                    expected,
                    new: value,
                };
                self.emit_locked(exchange, locked);
                self.moves(accumulator, d, 1);
                registers.zero = d + 1;
            }
            ("cmpxchg16b", [Place::Memory(a, offset)]) => {
                self.exchange_pair(registers, *a, *offset, locked)?;
            }
            ("bts" | "btr" | "btc", [Place::Register(bit, _), memory]) => {
                self.bit_test(registers, stem, *memory, bits, *bit, locked)?;
            }
            ("bsr" | "bsf", [from, Place::Register(to, _)]) => {
                let value = self.fetch(*from, bits)?;
                self.scan(registers, stem == "bsr", bits, value, *to)?;
            }
            ("setz" | "sete" | "setnz" | "setne" | "setc" | "setnc", [to]) => {
                let flag = if stem.ends_with('c') { registers.carry } else { registers.zero };
                let mut value = flag;
                if stem.starts_with("setn") {
                    value = self.temporary(1);
                    let one = self.frame.constant(vec![1]);
                    let op = BinaryOp::Xor;
                    self.emit(Op::Integer { op, bits: 8, d: value, a: flag, b: one });
                }
                self.put(*to, 8, value);
            }
            _ => return None,
        }
        Some(())
    }

    fn plus(&mut self, slot: Slot, offset: i32) -> Slot {
        if offset == 0 {
            return slot;
        }
        let d = self.temporary(1);
        self.emit(Op::Offset { d, a: slot, offset: i64::from(offset) });
        d
    }

    /// Returns a slot with the value of an operand.
    fn fetch(&mut self, from: Place, bits: u8) -> Option<Slot> {
        Some(match from {
            Place::Register(slot, _) => {
                let d = self.temporary(1);
                self.emit(Op::Truncate { bits, d, a: slot });
                d
            }
            Place::Memory(a, offset) => {
                let d = self.temporary(1);
                let (size, atomic) = (bits / 8, Some(MemoryOrdering::Acquire));
                self.emit(Op::Load { size, aligned: false, atomic, d, a, offset });
                d
            }
        })
    }

    fn put(&mut self, to: Place, bits: u8, value: Slot) {
        match to {
            Place::Register(slot, _) => self.moves(slot, value, 1),
            Place::Memory(a, offset) => {
                let (size, atomic) = (bits / 8, Some(MemoryOrdering::Release));
                self.emit(Op::Store { size, aligned: false, atomic, a, value, offset });
            }
        }
    }

    /// Emits an atomic read-modify-write; returns a slot with the value before.
    fn update(&mut self, op: AtomicOp, memory: Place, bits: u8, value: Slot) -> Option<Slot> {
        let Place::Memory(a, offset) = memory else { return None };
        let a = self.plus(a, offset);
        let operand = self.temporary(1);
        self.emit(Op::Truncate { bits, d: operand, a: value });
        let d = self.temporary(1);
        let (size, ordering) = (bits / 8, MemoryOrdering::SeqCst);
        self.emit_locked(
            Op::ReadModifyWrite { op, size, bits, ordering, d, a, value: operand },
            true,
        );
        Some(d)
    }

    /// Emits an access. If it is locked, it is a full fence, too.
    fn emit_locked(&mut self, access: Op, locked: bool) {
        let fence = Op::Fence { ordering: MemoryOrdering::SeqCst };
        if locked {
            self.emit(fence);
        }
        self.emit(access);
        if locked {
            self.emit(fence);
        }
    }

    /// Emits `to = to op value`, and sets the zero flag; returns a slot with the value before.
    fn arithmetic(
        &mut self,
        registers: &mut Registers,
        op: BinaryOp,
        to: Place,
        bits: u8,
        value: Slot,
        locked: bool,
    ) -> Option<Slot> {
        let old = match (to, locked) {
            (Place::Memory(..), true) => {
                let op = match op {
                    BinaryOp::Add => AtomicOp::Add,
                    BinaryOp::Sub => AtomicOp::Sub,
                    BinaryOp::And => AtomicOp::And,
                    BinaryOp::Or => AtomicOp::Or,
                    _ => AtomicOp::Xor,
                };
                self.update(op, to, bits, value)?
            }
            _ => self.fetch(to, bits)?,
        };
        let new = self.temporary(1);
        let operand = self.temporary(1);
        self.emit(Op::Truncate { bits, d: operand, a: value });
        self.emit(match op {
            BinaryOp::Add => Op::Add { bits, d: new, a: old, b: operand },
            BinaryOp::Sub => Op::Sub { bits, d: new, a: old, b: operand },
            op => Op::Integer { op, bits, d: new, a: old, b: operand },
        });
        if !(locked && matches!(to, Place::Memory(..))) {
            self.put(to, bits, new);
        }
        self.set_zero(registers, bits, new);
        Some(old)
    }

    fn set_zero(&mut self, registers: &mut Registers, bits: u8, value: Slot) {
        let (d, b) = (self.temporary(1), self.frame.constant(vec![0]));
        self.emit(Op::Compare { predicate: Predicate::Eq, bits, d, a: value, b });
        registers.zero = d;
    }

    /// Emits a negation.
    fn negate(
        &mut self,
        registers: &mut Registers,
        to: Place,
        bits: u8,
        locked: bool,
    ) -> Option<()> {
        let zero = self.frame.constant(vec![0]);
        let old = match locked {
            true => self.update(AtomicOp::ReverseSub, to, bits, zero)?,
            false => self.fetch(to, bits)?,
        };
        let new = self.temporary(1);
        self.emit(Op::Sub { bits, d: new, a: zero, b: old });
        if !locked {
            self.put(to, bits, new);
        }
        self.set_zero(registers, bits, new);
        Some(())
    }

    fn exchange_pair(
        &mut self,
        registers: &mut Registers,
        a: Slot,
        offset: i32,
        locked: bool,
    ) -> Option<()> {
        let a = self.plus(a, offset);
        let (ax, bx) = (registers.find("ax")?, registers.find("bx")?);
        let (cx, dx) = (registers.find("cx")?, registers.find("dx")?);
        let (expected, new, d) = (self.temporary(2), self.temporary(2), self.temporary(3));
        for (to, from) in [(expected, ax), (expected + 1, dx), (new, bx), (new + 1, cx)] {
            self.emit(Op::Move { d: to, a: from });
        }
        let orderings = Orderings::new((MemoryOrdering::SeqCst, MemoryOrdering::SeqCst));
        let exchange = Op::CompareExchange { size: 16, bits: 128, orderings, d, a, expected, new };
        self.emit_locked(exchange, locked);
        self.moves(ax, d, 1);
        self.moves(dx, d + 1, 1);
        registers.zero = d + 2;
        Some(())
    }

    /// Emits `bts`, `btr` or `btc`: changes a bit, and sets the carry flag to what it was. The bit may lie
    /// in a later word.
    fn bit_test(
        &mut self,
        registers: &mut Registers,
        stem: &str,
        memory: Place,
        bits: u8,
        bit: Slot,
        locked: bool,
    ) -> Option<()> {
        let Place::Memory(a, offset) = memory else { return None };
        let a = self.plus(a, offset);
        let mut constant = |value: u64| self.frame.constant(vec![value]);
        let (low, shift) = (constant(u64::from(bits) - 1), constant(u64::from(bits.ilog2())));
        let (one, ones) = (constant(1), constant(u64::MAX));
        let (index, word, address) = (self.temporary(1), self.temporary(1), self.temporary(1));
        self.emit(Op::Integer { op: BinaryOp::And, bits: 64, d: index, a: bit, b: low });
        self.emit(Op::Integer { op: BinaryOp::AShr, bits: 64, d: word, a: bit, b: shift });
        self.emit(Op::Index { d: address, a, index: word, scale: u32::from(bits / 8) });
        let mask = self.temporary(1);
        self.emit(Op::Integer { op: BinaryOp::Shl, bits: 64, d: mask, a: one, b: index });
        let op = match stem {
            "bts" => BinaryOp::Or,
            "btc" => BinaryOp::Xor,
            _ => {
                self.emit(Op::Integer { op: BinaryOp::Xor, bits: 64, d: mask, a: mask, b: ones });
                BinaryOp::And
            }
        };
        let old = self.arithmetic(registers, op, Place::Memory(address, 0), bits, mask, locked)?;
        let carry = self.temporary(1);
        self.emit(Op::Integer { op: BinaryOp::LShr, bits: 64, d: carry, a: old, b: index });
        self.emit(Op::Truncate { bits: 1, d: carry, a: carry });
        registers.carry = carry;
        Some(())
    }

    /// Emits a search for the highest or lowest bit: bit by bit, as such code is rare.
    fn scan(
        &mut self,
        registers: &mut Registers,
        from_top: bool,
        bits: u8,
        value: Slot,
        to: Slot,
    ) -> Option<()> {
        self.set_zero(registers, bits, value);
        let (bit, is_set) = (self.temporary(1), self.temporary(1));
        let order: Vec<u8> = if from_top { (0..bits).collect() } else { (0..bits).rev().collect() };
        for index in order {
            let number = self.frame.constant(vec![u64::from(index)]);
            self.emit(Op::Integer { op: BinaryOp::LShr, bits, d: bit, a: value, b: number });
            self.emit(Op::Truncate { bits: 1, d: is_set, a: bit });
            self.emit(Op::Select { d: to, condition: is_set, a: number, b: to, count: 1 });
        }
        Some(())
    }
}

impl Registers {
    fn find(&self, name: &str) -> Option<Slot> {
        self.named.iter().find(|(known, _)| *known == name).map(|(_, slot)| *slot)
    }
}

fn memory_and_register(a: Place, b: Place) -> Option<(Place, Slot)> {
    match (a, b) {
        (Place::Memory(..), Place::Register(slot, _)) => Some((a, slot)),
        (Place::Register(slot, _), Place::Memory(..)) => Some((b, slot)),
        _ => None,
    }
}

/// Returns an instruction's name without the letter for its width, and that width.
fn stem_of<'n>(name: &'n str, operands: &[Place]) -> Option<(&'n str, u8)> {
    const STEMS: [&str; 17] = [
        "mov", "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "inc", "dec", "not",
        "neg", "bts", "btr", "btc", "bsr",
    ];
    if name.starts_with("prefetch") {
        return Some(("prefetch", 8));
    }
    let known = |stem: &str| STEMS.contains(&stem) || stem == "bsf";
    if let Some(bits) = name.get(name.len().checked_sub(1)?..).and_then(width_of)
        && known(&name[..name.len() - 1])
    {
        return Some((&name[..name.len() - 1], bits));
    }
    let of_register = operands.iter().find_map(|place| match place {
        Place::Register(_, bits) => *bits,
        Place::Memory(..) => None,
    });
    match known(name) {
        true => Some((name, of_register?)),
        false => Some((name, 64)),
    }
}
