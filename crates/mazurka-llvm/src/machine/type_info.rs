//! Descriptions of C++ types, as the compiler writes them: which exceptions are caught as what.
//!
//! A description starts with the address of a virtual table, by which its sort is known, and the
//! mangled name. A class with one base goes on with the description of that; one with several, with
//! flags, their number and for each its description and offset; a pointer, with flags and the
//! description of what it points to.

use super::LlvmMachine;
use super::unwind::Thrown;
use crate::memory::address::{GLOBALS, address, id_of, table_of};

/// The longest text that is shown of an exception.
const LONGEST_TEXT: u64 = 1000;

/// What a description is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    ClassWithBase,
    ClassWithBases,
    Pointer,
    Other,
}

impl LlvmMachine {
    /// The object of an exception, as a handler of everything sees it.
    pub(super) fn whole(&self, thread: usize, exception: &Thrown) -> u64 {
        match self.is_pointer(thread, exception.ty) {
            true => self.word(thread, exception.object).unwrap_or(0),
            false => exception.object,
        }
    }

    /// What a handler of some type sees of an exception: the part of the object that is of that
    /// type, or the pointer that was thrown; `None` if it does not catch it.
    pub(super) fn part(&self, thread: usize, exception: &Thrown, wanted: u64) -> Option<u64> {
        let whole = self.whole(thread, exception);
        if self.name(thread, exception.ty) == "Dn" && self.is_pointer(thread, wanted) {
            return Some(0); // `nullptr`
        }
        if !self.is_pointer(thread, exception.ty) {
            return self.class_part(thread, whole, exception.ty, wanted);
        }
        if self.is_same(thread, exception.ty, wanted) {
            return Some(whole);
        }
        if !self.is_pointer(thread, wanted) {
            return None;
        }
        match (self.name(thread, wanted).as_str(), self.sort(thread, exception.ty)) {
            ("Pv" | "PKv", _) => Some(whole),
            (_, Sort::Pointer) if self.sort(thread, wanted) == Sort::Pointer => {
                let pointee = |ty| self.word(thread, ty + 24);
                self.class_part(thread, whole, pointee(exception.ty)?, pointee(wanted)?)
            }
            _ => None,
        }
    }

    /// The part of an object of one class that is of another.
    fn class_part(&self, thread: usize, object: u64, ty: u64, wanted: u64) -> Option<u64> {
        if self.is_same(thread, ty, wanted) {
            return Some(object);
        }
        match self.sort(thread, ty) {
            Sort::ClassWithBase => {
                self.class_part(thread, object, self.word(thread, ty + 16)?, wanted)
            }
            Sort::ClassWithBases => {
                let count = self.word(thread, ty + 16)? >> 32;
                (0..count).find_map(|i| {
                    let base = self.word(thread, ty + 24 + 16 * i)?;
                    let flags = self.word(thread, ty + 32 + 16 * i)?;
                    let mut offset = (flags as i64 >> 8) as u64;
                    if flags & 1 != 0 {
                        // A virtual base: the object's table says where it is.
                        let table = self.word(thread, object)?;
                        offset = self.word(thread, table.wrapping_add(offset))?;
                    }
                    let is_public = flags & 2 != 0;
                    let part = object.wrapping_add(offset);
                    is_public.then(|| self.class_part(thread, part, base, wanted)).flatten()
                })
            }
            Sort::Pointer | Sort::Other => None,
        }
    }

    /// There may be several descriptions of one type.
    fn is_same(&self, thread: usize, a: u64, b: u64) -> bool {
        a == b || (b != 0 && self.name(thread, a) == self.name(thread, b))
    }

    fn is_pointer(&self, thread: usize, ty: u64) -> bool {
        self.name(thread, ty).trim_start_matches('*').starts_with('P')
    }

    fn sort(&self, thread: usize, ty: u64) -> Sort {
        let table = self.word(thread, ty).unwrap_or(0);
        if table_of(table) != GLOBALS {
            return Sort::Other;
        }
        match self.code.globals.get(id_of(table) as usize).map(|global| global.name.as_str()) {
            Some("_ZTVN10__cxxabiv120__si_class_type_infoE") => Sort::ClassWithBase,
            Some("_ZTVN10__cxxabiv121__vmi_class_type_infoE") => Sort::ClassWithBases,
            Some("_ZTVN10__cxxabiv119__pointer_type_infoE") => Sort::Pointer,
            _ => Sort::Other,
        }
    }

    /// Returns the mangled name of a type.
    fn name(&self, thread: usize, ty: u64) -> String {
        match self.word(thread, ty + 8) {
            None | Some(0) => String::new(),
            Some(name) => self.text(thread, name),
        }
    }

    /// A word of memory. To look at it is no action: descriptions and virtual tables never change.
    pub(super) fn word(&self, thread: usize, address: u64) -> Option<u64> {
        let spot = self.memory.find(thread, address, 8).ok()?;
        Some(self.memory.read(spot.byte, 8))
    }

    fn text(&self, thread: usize, address: u64) -> String {
        let byte = |i| {
            let spot = self.memory.find(thread, address.wrapping_add(i), 1).ok()?;
            Some(self.memory.read(spot.byte, 1) as u8).filter(|byte| *byte != 0)
        };
        let bytes: Vec<u8> = (0..LONGEST_TEXT).map_while(byte).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// An exception in the source's words, with the text that those of the library have.
    pub(super) fn describe_thrown(&self, thread: usize, exception: &Thrown) -> String {
        let name = type_name(&self.name(thread, exception.ty));
        let text = ["_ZTISt13runtime_error", "_ZTISt11logic_error"].iter().find_map(|class| {
            let index = self.code.globals.iter().position(|global| global.name == *class)?;
            let part = self.part(thread, exception, address(GLOBALS, index as u32))?;
            Some(self.text(thread, self.word(thread, part + 8)?))
        });
        match text.filter(|text| !text.is_empty()) {
            Some(text) => format!("`{name}`: {text}"),
            None => format!("`{name}`"),
        }
    }
}

/// The name of a type, from the mangled one, where that is simple.
fn type_name(mangled: &str) -> String {
    let basic = match mangled {
        "i" => "int",
        "j" => "unsigned int",
        "l" => "long",
        "m" => "unsigned long",
        "c" => "char",
        "b" => "bool",
        "d" => "double",
        "f" => "float",
        "PKc" => "const char *",
        "Pc" => "char *",
        _ => "",
    };
    if !basic.is_empty() {
        return basic.to_owned();
    }
    let mut rest = mangled.trim_start_matches('*').trim_start_matches('N');
    let mut parts = Vec::new();
    if let Some(behind) = rest.strip_prefix("St") {
        parts.push("std");
        rest = behind;
    }
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(len) = rest[..digits].parse::<usize>() else { break };
        let Some(part) = rest.get(digits..digits + len) else { break };
        parts.push(part);
        rest = &rest[digits + len..];
    }
    match parts.is_empty() || !matches!(rest, "" | "E") {
        true => mangled.to_owned(),
        false => parts.join("::"),
    }
}

#[cfg(test)]
mod tests {
    use super::type_name;

    #[test]
    fn names_of_types() {
        assert_eq!(type_name("i"), "int");
        assert_eq!(type_name("St13runtime_error"), "std::runtime_error");
        assert_eq!(type_name("7MyError"), "MyError");
        assert_eq!(type_name("N3lib5outer7MyErrorE"), "lib::outer::MyError");
        assert_eq!(type_name("St6vectorIiSaIiEE"), "St6vectorIiSaIiEE");
    }
}
