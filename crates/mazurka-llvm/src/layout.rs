//! How types lie in memory (x86-64, little-endian) and in registers.
//!
//! In registers a value is a row of 64-bit slots, one for each number or pointer in it, and two
//! for those that are wider than 64 bits. Numbers are zero-extended. An aggregate is the row of
//! its parts, without padding.

use crate::ir::{Type, TypeId, Types};

/// A number or pointer within a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// Where it starts, in bytes.
    pub(crate) offset: u32,
    /// How many bytes it takes in memory.
    pub(crate) size: u8,
    /// How many of its bits count.
    pub(crate) bits: u8,
    /// Whether it is a pointer.
    pub(crate) pointer: bool,
}

impl Leaf {
    /// How many slots it takes in registers.
    pub(crate) fn slots(self) -> u32 {
        1 + u32::from(self.size > 8)
    }
}

fn round_up(value: u64, align: u64) -> u64 {
    value.div_ceil(align) * align
}

/// The alignment of a type.
pub(crate) fn align_of(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Int(bits) => match bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            65.. if types.aligns_wide_integers() => 16,
            _ => 8,
        },
        Type::Float => 4,
        Type::Double | Type::Pointer => 8,
        Type::LongDouble => 16,
        Type::Array(_, element) => align_of(types, *element),
        Type::Vector(..) => size_of(types, ty).next_power_of_two().clamp(1, 64),
        Type::Struct { packed: true, .. } => 1,
        Type::Struct { fields, .. } => {
            fields.iter().map(|field| align_of(types, *field)).max().unwrap_or(1)
        }
        Type::Void | Type::Function { .. } | Type::Other => 1,
    }
}

/// How many bytes the largest type has.
const LARGEST: u64 = 1 << 48;
/// How many types the largest struct is made of.
const MOST_PARTS: u64 = 1 << 20;

/// Checks that no type contains itself, and that types have a size that can be computed with.
///
/// # Errors
///
/// What is wrong.
pub(crate) fn check(types: &Types) -> Result<(), String> {
    /// What is known of a type.
    #[derive(Clone, Copy)]
    enum Known {
        Nothing,
        /// Its parts are being looked at.
        Open,
        /// How many parts it has, and how deep they nest.
        Done(u64, u32),
    }
    let mut known = vec![Known::Nothing; types.len()];
    for first in 0..types.len() as u32 {
        let mut open = vec![TypeId(first)];
        while let Some(&ty) = open.last() {
            let parts: &[TypeId] = match types.get(ty) {
                Type::Array(_, element) | Type::Vector(_, element) => std::slice::from_ref(element),
                Type::Struct { fields, .. } => fields,
                _ => &[],
            };
            let (mut count, mut depth, mut waits) = (1u64, 0, false);
            if matches!(known[ty.0 as usize], Known::Nothing) {
                known[ty.0 as usize] = Known::Open;
            }
            if matches!(known[ty.0 as usize], Known::Done(..)) {
                open.pop();
                continue;
            }
            for part in parts {
                match known[part.0 as usize] {
                    Known::Nothing => {
                        open.push(*part);
                        waits = true;
                        break;
                    }
                    Known::Open => return Err("a type contains itself".to_owned()),
                    Known::Done(parts, nested) => {
                        count = count.saturating_add(parts);
                        depth = depth.max(nested + 1);
                    }
                }
            }
            if waits {
                continue;
            }
            if count > MOST_PARTS || depth > 1_000 {
                return Err("a type has too many parts, or they nest too deep".to_owned());
            }
            known[ty.0 as usize] = Known::Done(count, depth);
            open.pop();
            if size_of(types, ty) > LARGEST {
                return Err(format!("a type is larger than {LARGEST} bytes"));
            }
        }
    }
    Ok(())
}

/// How many bytes a type takes in an array.
pub(crate) fn size_of(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Int(bits) => match bits {
            0..=8 => 1,
            9..=16 => 2,
            17..=32 => 4,
            33..=64 => 8,
            bits => u64::from(*bits).div_ceil(64) * 8,
        },
        Type::Float => 4,
        Type::Double | Type::Pointer => 8,
        Type::LongDouble => 16,
        Type::Array(count, element) => count.saturating_mul(size_of(types, *element)),
        Type::Vector(count, element) => {
            let size = count.saturating_mul(size_of(types, *element));
            size.checked_next_power_of_two().unwrap_or(u64::MAX).max(1)
        }
        Type::Struct { fields, packed, .. } => {
            let end = fields.iter().fold(0, |end, field| {
                let align = if *packed { 1 } else { align_of(types, *field) };
                round_up(end, align).saturating_add(size_of(types, *field)).min(u64::MAX >> 8)
            });
            round_up(end, align_of(types, ty))
        }
        Type::Void | Type::Function { .. } | Type::Other => 0,
    }
}

/// How many bytes a load or a store of a type touches: for a number of an odd width, that is less
/// than it takes in an array.
pub(crate) fn stored_size(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Int(bits) => u64::from(*bits).div_ceil(8),
        _ => size_of(types, ty),
    }
}

/// Where a field of a struct, or an element of an array, starts, and its type.
pub(crate) fn part(types: &Types, ty: TypeId, index: u64) -> Option<(u64, TypeId)> {
    match types.get(ty) {
        Type::Array(_, element) | Type::Vector(_, element) => {
            Some((index.wrapping_mul(size_of(types, *element)), *element))
        }
        Type::Struct { fields, packed, .. } => {
            let mut end = 0;
            for (i, field) in fields.iter().enumerate() {
                let align = if *packed { 1 } else { align_of(types, *field) };
                end = round_up(end, align);
                if i as u64 == index {
                    return Some((end, *field));
                }
                end += size_of(types, *field);
            }
            None
        }
        _ => None,
    }
}

/// The numbers and pointers in a type, in order.
pub(crate) fn leaves(types: &Types, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(types, ty, 0, &mut found);
    found
}

fn collect(types: &Types, ty: TypeId, offset: u64, found: &mut Vec<Leaf>) {
    let mut leaf = |size: u8, bits: u8, pointer: bool| {
        found.push(Leaf { offset: offset as u32, size, bits, pointer });
    };
    match types.get(ty) {
        Type::Int(bits) => {
            leaf(stored_size(types, ty).min(16) as u8, (*bits).min(128) as u8, false);
        }
        Type::Float => leaf(4, 32, false),
        Type::Double => leaf(8, 64, false),
        Type::Pointer => leaf(8, 64, true),
        Type::LongDouble => leaf(16, 80, false),
        Type::Array(count, element) | Type::Vector(count, element) => {
            let size = size_of(types, *element);
            for i in 0..*count {
                collect(types, *element, offset + i * size, found);
            }
        }
        Type::Struct { fields, .. } => {
            for i in 0..fields.len() as u64 {
                if let Some((at, field)) = part(types, ty, i) {
                    collect(types, field, offset + at, found);
                }
            }
        }
        Type::Void | Type::Function { .. } | Type::Other => {}
    }
}

/// How many slots a value of a type takes in registers.
pub(crate) fn slots_of(types: &Types, ty: TypeId) -> u32 {
    match types.get(ty) {
        Type::Int(bits) => 1 + u32::from(*bits > 64),
        Type::Float | Type::Double | Type::Pointer => 1,
        Type::LongDouble => 2,
        Type::Array(count, element) | Type::Vector(count, element) => {
            *count as u32 * slots_of(types, *element)
        }
        Type::Struct { fields, .. } => fields.iter().map(|field| slots_of(types, *field)).sum(),
        Type::Void | Type::Function { .. } | Type::Other => 0,
    }
}

/// Where a part of an aggregate starts among its slots, and the part's type.
pub(crate) fn slot_part(types: &Types, ty: TypeId, index: u32) -> Option<(u32, TypeId)> {
    match types.get(ty) {
        Type::Array(_, element) | Type::Vector(_, element) => {
            Some((index * slots_of(types, *element), *element))
        }
        Type::Struct { fields, .. } => {
            let field = *fields.get(index as usize)?;
            let before = fields[..index as usize].iter().map(|field| slots_of(types, *field));
            Some((before.sum(), field))
        }
        _ => None,
    }
}

/// The bits of a scalar type, where it is one that takes a single slot.
pub(crate) fn bits_of(types: &Types, ty: TypeId) -> Option<u8> {
    match types.get(ty) {
        Type::Int(bits) if *bits <= 64 => Some(*bits as u8),
        Type::Float => Some(32),
        Type::Double | Type::Pointer => Some(64),
        _ => None,
    }
}
