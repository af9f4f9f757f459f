//! Types.

use std::collections::HashMap;

/// The index of a type in its module's [`Types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeId(pub u32);

/// A type. Equal types have equal ids, but for named structs, which are told apart by their names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Nothing, as a function's result.
    Void,
    /// An integer of so many bits.
    Int(u32),
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `x86_fp80`, C's `long double`: 16 bytes in memory.
    LongDouble,
    /// A pointer to whatever.
    Pointer,
    /// So many elements of a type.
    Array(u64, TypeId),
    /// A vector of so many elements.
    Vector(u64, TypeId),
    /// Fields one after the other.
    Struct {
        /// The fields; none while an opaque struct has not been defined.
        fields: Vec<TypeId>,
        /// Without padding.
        packed: bool,
        /// What `%struct.x = type …` calls it.
        name: Option<String>,
    },
    /// A function, as the type of a callee.
    Function {
        /// What it returns.
        result: TypeId,
        /// What it takes.
        parameters: Vec<TypeId>,
        /// And whatever else.
        variadic: bool,
    },
    /// Something that values of intrinsics have, and the VM needs not know: metadata, tokens, labels.
    Other,
}

/// The types of a module, each once.
#[derive(Clone, Default, Debug)]
pub struct Types {
    all: Vec<Type>,
    /// The ids of all but the named structs, whose names tell them apart.
    ids: HashMap<Type, TypeId>,
    /// Whether integers of more than 64 bits are aligned to 16 bytes.
    wide_alignment: bool,
}

impl Types {
    /// The type with this id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.all[id.0 as usize]
    }

    /// The id of this type: the one that it has already, or a new one. A named struct always gets
    /// a new one, since only the code that adds it knows which names are the same.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if matches!(ty, Type::Struct { name: Some(_), .. }) {
            self.all.push(ty);
            return TypeId(self.all.len() as u32 - 1);
        }
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.all.len() as u32);
        self.all.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// Says what a named struct is that was added before its definition was known.
    pub fn define(&mut self, id: TypeId, ty: Type) {
        self.all[id.0 as usize] = ty;
    }

    /// Aligns integers of more than 64 bits to 16 bytes, as LLVM does from version 18 on; before,
    /// it was 8.
    pub fn align_wide_integers(&mut self) {
        self.wide_alignment = true;
    }

    /// Whether integers of more than 64 bits are aligned to 16 bytes.
    pub fn aligns_wide_integers(&self) -> bool {
        self.wide_alignment
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
