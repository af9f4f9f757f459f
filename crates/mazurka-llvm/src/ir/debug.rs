//! What the source calls things: files, lines, variables, fields.

use std::path::{Component, Path, PathBuf};

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The file, as an index into [`DebugInfo::files`].
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// The index of a type in [`DebugInfo::types`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugTypeId(pub u32);

/// A variable of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugVariable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Option<DebugTypeId>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// A field of a struct or a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name; empty for anonymous ones and base classes.
    pub name: String,
    /// Its offset in bytes.
    pub offset: u64,
    /// If it is a bit-field: its first bit, counted from `offset`, and how many it has.
    pub bits: Option<(u8, u8)>,
    /// Its type.
    pub ty: Option<DebugTypeId>,
}

/// A type of the source. Typedefs and qualifiers are resolved (`_Atomic` too).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DebugType {
    /// A number; `signed` for how to show it.
    Basic {
        /// Such as `int`.
        name: String,
        /// In bytes.
        size: u64,
        /// Whether it is signed.
        signed: bool,
        /// Whether it is a floating-point number.
        float: bool,
        /// Whether it is a boolean.
        boolean: bool,
    },
    /// A pointer.
    Pointer(Option<DebugTypeId>),
    /// An array; one dimension, so that an array of arrays has an array as element.
    Array {
        /// Of what.
        element: Option<DebugTypeId>,
        /// How many; 0 if it is not known.
        count: u64,
    },
    /// A struct, a class or a union.
    Record {
        /// Its name; empty for anonymous ones.
        name: String,
        /// In bytes.
        size: u64,
        /// By offset.
        fields: Vec<Field>,
    },
    /// An enumeration.
    Enumeration {
        /// Its name.
        name: String,
        /// In bytes.
        size: u64,
        /// Its constants.
        constants: Vec<(String, i64)>,
    },
    /// A function, or something else that no object is.
    Other,
}

/// The words of the source.
#[derive(Clone, Default, Debug)]
pub struct DebugInfo {
    /// The files, as the compiler names them.
    pub files: Vec<String>,
    /// The types.
    pub types: Vec<DebugType>,
}

impl DebugInfo {
    /// The size of a type in bytes, if it is known.
    pub fn size_of(&self, ty: DebugTypeId) -> Option<u64> {
        Some(match self.get(ty) {
            DebugType::Basic { size, .. }
            | DebugType::Record { size, .. }
            | DebugType::Enumeration { size, .. } => *size,
            DebugType::Pointer(_) => 8,
            DebugType::Array { element, count } => count * self.size_of((*element)?)?,
            DebugType::Other => return None,
        })
    }

    /// The type of the part of a type that starts at an offset and is so long.
    pub fn part(&self, ty: DebugTypeId, offset: u64, len: u64) -> Option<DebugTypeId> {
        match self.get(ty) {
            DebugType::Array { element, .. } => {
                let element = (*element)?;
                let size = self.size_of(element).filter(|size| *size > 0)?;
                self.part(element, offset % size, len)
            }
            DebugType::Record { fields, .. } => {
                let field =
                    fields.iter().filter(|field| field.offset <= offset).max_by_key(|field| {
                        let size = field.ty.and_then(|ty| self.size_of(ty)).unwrap_or(0);
                        (offset + len <= field.offset + size, field.offset)
                    })?;
                self.part(field.ty?, offset - field.offset, len)
            }
            _ => Some(ty),
        }
    }

    /// What the source calls a type, if that is a name.
    pub fn name_of(&self, ty: DebugTypeId) -> Option<String> {
        match self.get(ty) {
            DebugType::Basic { name, .. }
            | DebugType::Record { name, .. }
            | DebugType::Enumeration { name, .. } => (!name.is_empty()).then(|| name.clone()),
            DebugType::Pointer(Some(to)) => Some(format!("{}*", self.name_of(*to)?)),
            DebugType::Array { element, .. } => self.name_of((*element)?),
            DebugType::Pointer(None) | DebugType::Other => None,
        }
    }

    /// A type.
    pub fn get(&self, ty: DebugTypeId) -> &DebugType {
        &self.types[ty.0 as usize]
    }
}

/// Whether a file came with the compiler or the C library.
pub(crate) fn is_of_the_system(file: &str) -> bool {
    // Clang finds headers by paths such as `/usr/bin/../lib/gcc/…/../../include/c++/12/mutex`.
    let mut path = PathBuf::new();
    for component in Path::new(file).components() {
        match component {
            Component::ParentDir if path.parent().is_some() => {
                path.pop();
            }
            other => path.push(other),
        }
    }
    let is_in = |folder: &str| path.starts_with(folder);
    is_in("/usr/include") || is_in("/usr/lib") || path.to_string_lossy().contains("/include/c++/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_system_are_told_from_others() {
        for file in [
            "/usr/include/pthread.h",
            "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex",
            "/usr/lib/llvm-14/lib/clang/14.0.6/include/stddef.h",
            "/opt/llvm/include/c++/v1/mutex",
        ] {
            assert!(is_of_the_system(file), "{file}");
        }
        for file in ["a.cc", "../include/bank.h", "/home/me/usr/include/x.h", "/usr/src/mine/x.c"] {
            assert!(!is_of_the_system(file), "{file}");
        }
    }
}
