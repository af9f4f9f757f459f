//! Constants: their bytes in memory, and their slots in registers.

use super::function::LARGEST_VALUE;
use crate::arithmetic;
use crate::ir::{CastOp, Constant, FunctionId, GlobalId, Module, Type, TypeId};
use crate::layout;
use crate::memory::address::{GLOBALS, address};
use crate::memory::{function_address, label_address};

/// What constants refer to.
pub(super) struct Constants<'m> {
    pub(super) module: &'m Module,
    pub(super) provides: super::Provides,
    /// Where each global is.
    pub(super) globals: Vec<Home>,
    /// For each function, how many blocks the functions before it have.
    pub(super) first_blocks: Vec<u32>,
}

/// Where a global is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// Among the globals, with this index.
    Global(u32),
    /// Among the thread-local variables, with this index.
    ThreadLocal(u32),
    /// Nowhere: it is weak, and no module defines it.
    Null,
}

type Result<T> = std::result::Result<T, String>;

impl Constants<'_> {
    /// The slots of a constant of a type.
    pub(super) fn slots(&self, ty: TypeId, constant: &Constant) -> Result<Vec<u64>> {
        let types = &self.module.types;
        if let Some(bits) = layout::bits_of(types, ty) {
            return Ok(vec![arithmetic::truncate(self.number(constant)? as u64, bits)]);
        }
        let size = layout::size_of(types, ty);
        if size > LARGEST_VALUE {
            return Err(format!("a constant of {size} bytes is too large"));
        }
        let mut bytes = vec![0; size as usize];
        self.write(ty, constant, &mut bytes)?;
        let mut slots = Vec::new();
        for leaf in layout::leaves(types, ty) {
            let mut value = [0; 16];
            let at = leaf.offset as usize;
            let len = leaf.size as usize;
            value[..len].copy_from_slice(&bytes[at..at + len]);
            let value = arithmetic::truncate_wide(u128::from_le_bytes(value), leaf.bits);
            slots.push(value as u64);
            if leaf.slots() == 2 {
                slots.push((value >> 64) as u64);
            }
        }
        Ok(slots)
    }

    /// Writes the bytes of a constant of a type.
    pub(super) fn write(&self, ty: TypeId, constant: &Constant, out: &mut [u8]) -> Result<()> {
        let types = &self.module.types;
        match constant {
            Constant::Zero | Constant::Undefined | Constant::Null => {}
            Constant::Bytes(bytes) => {
                let len = bytes.len().min(out.len());
                out[..len].copy_from_slice(&bytes[..len]);
            }
            Constant::Aggregate(parts) => {
                let too_many = || "a constant has more parts than its type".to_owned();
                for (i, (part_ty, part)) in parts.iter().enumerate() {
                    let (offset, _) = layout::part(types, ty, i as u64).ok_or_else(too_many)?;
                    let size = layout::size_of(types, *part_ty) as usize;
                    let end = (offset as usize + size).min(out.len());
                    let room = out.get_mut(offset as usize..end).ok_or_else(too_many)?;
                    self.write(*part_ty, part, room)?;
                }
            }
            _ => {
                let value = self.number(constant)?.to_le_bytes();
                let len = out.len().min(16).min(layout::size_of(types, ty) as usize);
                out[..len].copy_from_slice(&value[..len]);
            }
        }
        Ok(())
    }

    /// The bits of a constant that is one number or pointer.
    fn number(&self, constant: &Constant) -> Result<u128> {
        Ok(match constant {
            Constant::Int(value) | Constant::Float(value) => *value,
            Constant::Null | Constant::Zero | Constant::Undefined => 0,
            Constant::Global(global) => u128::from(self.address(*global)?),
            Constant::Function(function) => {
                let declared = &self.module.functions[function.0 as usize];
                match declared.weak && declared.blocks.is_empty() {
                    true if (self.provides)(&declared.name).is_none() => 0,
                    _ => u128::from(function_address(function.0)),
                }
            }
            Constant::Label { function, block } => {
                let FunctionId(id) = *function;
                let function = &self.module.functions[id as usize];
                let block =
                    function.blocks.iter().position(|b| b.name == *block).ok_or_else(|| {
                        format!("`{}` has no block %{block}, whose address is used", function.name)
                    })?;
                u128::from(self.label(id, block))
            }
            Constant::Element { ty, base, indices } => {
                let base = self.number(base)? as u64;
                u128::from(base.wrapping_add(self.offset(*ty, indices)?))
            }
            Constant::Cast { op, from, value, to } => {
                let bits = |ty| layout::bits_of(&self.module.types, ty);
                let number = self.number(value)?;
                match op {
                    CastOp::SExt => {
                        let from = bits(*from).ok_or("a wide constant is extended")?;
                        let to = bits(*to).ok_or("a constant is extended to a wide one")?;
                        let value = arithmetic::signed(number as u64, from) as u64;
                        u128::from(arithmetic::truncate(value, to))
                    }
                    CastOp::Trunc | CastOp::PtrToInt => match bits(*to) {
                        Some(to) => u128::from(arithmetic::truncate(number as u64, to)),
                        None => number,
                    },
                    CastOp::ZExt | CastOp::IntToPtr | CastOp::Bitcast | CastOp::AddrSpaceCast => {
                        number
                    }
                    op => return Err(format!("the constant conversion {op:?} is not supported")),
                }
            }
            Constant::Binary { op, ty, left, right } => {
                let bits = layout::bits_of(&self.module.types, *ty)
                    .ok_or("arithmetic on wide constants is not supported")?;
                let (left, right) = (self.number(left)? as u64, self.number(right)? as u64);
                let result = arithmetic::integer(*op, bits, left, right);
                u128::from(result.map_err(|why| why.message().to_owned())?)
            }
            Constant::Compare { predicate, ty, left, right } => {
                let bits = layout::bits_of(&self.module.types, *ty)
                    .ok_or("comparing wide constants is not supported")?;
                let (left, right) = (self.number(left)? as u64, self.number(right)? as u64);
                u128::from(arithmetic::compare(*predicate, bits, left, right))
            }
            Constant::Select(parts) => match self.number(&parts[0])? & 1 {
                0 => self.number(&parts[2])?,
                _ => self.number(&parts[1])?,
            },
            Constant::Bytes(_) | Constant::Aggregate(_) => {
                return Err("an aggregate is used as a number".to_owned());
            }
            Constant::Unsupported(what) => return Err(format!("{what} is not supported")),
        })
    }

    /// The address of a block of a function.
    pub(super) fn label(&self, function: u32, block: usize) -> u64 {
        label_address(self.first_blocks[function as usize] + block as u32)
    }

    fn address(&self, global: GlobalId) -> Result<u64> {
        match self.globals[global.0 as usize] {
            Home::Global(index) => Ok(address(GLOBALS, index)),
            Home::Null => Ok(0),
            Home::ThreadLocal(_) => {
                Err("the address of a thread-local variable is used as a constant".to_owned())
            }
        }
    }

    /// How far a row of constant indices into a type goes.
    pub(super) fn offset(&self, ty: TypeId, indices: &[(TypeId, Constant)]) -> Result<u64> {
        let types = &self.module.types;
        let mut current = ty;
        let mut offset = 0u64;
        for (i, (index_ty, index)) in indices.iter().enumerate() {
            let index = self.index(*index_ty, index)?;
            if i == 0 {
                offset = index.wrapping_mul(layout::size_of(types, ty));
                continue;
            }
            let (by, part) = layout::part(types, current, index)
                .ok_or("an index goes into something that has no parts")?;
            offset = offset.wrapping_add(by);
            current = part;
        }
        Ok(offset)
    }

    /// A constant index, extended to 64 bits.
    pub(super) fn index(&self, ty: TypeId, index: &Constant) -> Result<u64> {
        let value = self.number(index)? as u64;
        Ok(match self.module.types.get(ty) {
            Type::Int(bits) if *bits < 64 => arithmetic::signed(value, *bits as u8) as u64,
            _ => value,
        })
    }

    /// If a constant is the address of a thread-local variable, or of a part of one: which, and
    /// how far into it.
    pub(super) fn thread_local(&self, constant: &Constant) -> Result<Option<(u32, u64)>> {
        Ok(match constant {
            Constant::Global(global) => match self.globals[global.0 as usize] {
                Home::ThreadLocal(index) => Some((index, 0)),
                _ => None,
            },
            Constant::Element { ty, base, indices } => match self.thread_local(base)? {
                Some((index, offset)) => {
                    Some((index, offset.wrapping_add(self.offset(*ty, indices)?)))
                }
                None => None,
            },
            Constant::Cast { value, .. } => self.thread_local(value)?,
            _ => None,
        })
    }
}
