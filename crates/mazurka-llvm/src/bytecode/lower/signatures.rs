//! The signatures of functions and calls.

use super::Builder;
use crate::bytecode::{Further, Part, Signature};
use crate::ir::{Function, LIBRARY, Module, Type, TypeId, Types};
use crate::layout;

/// Values with more bytes or elements than this are not looked into. No compiler passes them so.
const LARGEST: u64 = 4096;

/// Returns the parts of a value of a type.
fn parts(types: &Types, ty: TypeId) -> Vec<Part> {
    let size = layout::size_of(types, ty);
    match types.get(ty) {
        Type::Array(count, _) | Type::Vector(count, _) if size.max(*count) > LARGEST => {
            vec![Part::Copy(size as u32)]
        }
        Type::Struct { .. } if size > LARGEST => vec![Part::Copy(size as u32)],
        Type::Void => Vec::new(),
        Type::Int(bits) => vec![Part::Int(*bits)],
        Type::Float => vec![Part::Float],
        Type::Double => vec![Part::Double],
        Type::LongDouble => vec![Part::LongDouble],
        Type::Pointer => vec![Part::Pointer],
        Type::Array(count, ty) | Type::Vector(count, ty) => {
            (0..*count).flat_map(|_| parts(types, *ty)).collect()
        }
        Type::Struct { fields, .. } => {
            fields.iter().flat_map(|field| parts(types, *field)).collect()
        }
        Type::Function { .. } | Type::Other => Vec::new(),
    }
}

/// Returns the parts of an argument, which may be a pointer to what is copied.
fn argument(types: &Types, ty: TypeId, copied: Option<TypeId>) -> Vec<Part> {
    match copied {
        Some(ty) => vec![Part::Copy(layout::size_of(types, ty) as u32)],
        None => parts(types, ty),
    }
}

/// Returns the signature of a function, or `None` if it is declared without a prototype, or is one of
/// the library.
pub(super) fn of_function(module: &Module, function: &Function) -> Option<Signature> {
    if module.files.get(function.file as usize).is_some_and(|file| file == LIBRARY) {
        return None;
    }
    let types = &module.types;
    let parameters = function.parameters.iter();
    let parameters: Vec<_> = parameters.map(|p| argument(types, p.ty, p.by_value)).collect();
    if function.blocks.is_empty() && function.variadic && parameters.is_empty() {
        return None;
    }
    let further = if function.variadic { Further::Yes } else { Further::No };
    Some(Signature { result: parts(types, function.result), parameters, further })
}

/// Returns the signature of a call with arguments of these types, of which so many are named if it is
/// variadic.
pub(super) fn of_call(
    types: &Types,
    result: TypeId,
    arguments: impl ExactSizeIterator<Item = (TypeId, Option<TypeId>)>,
    named: Option<u32>,
) -> Signature {
    let count = arguments.len();
    let further = match named {
        None => Further::No,
        Some(named) if named as usize == count => Further::Perhaps,
        Some(_) => Further::Yes,
    };
    let arguments = arguments.take(named.map_or(count, |named| named as usize));
    let parameters = arguments.map(|(ty, copied)| argument(types, ty, copied)).collect();
    Signature { result: parts(types, result), parameters, further }
}

impl Builder {
    /// Returns the number of a signature.
    pub(super) fn signature(&mut self, signature: Signature) -> u32 {
        if let Some(id) = self.signature_ids.get(&signature) {
            return *id;
        }
        let id = self.signatures.len() as u32;
        self.signatures.push(signature.clone());
        self.signature_ids.insert(signature, id);
        id
    }
}
