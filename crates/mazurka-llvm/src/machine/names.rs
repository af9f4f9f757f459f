//! What memory is called: variables, their fields and elements, and memory on the heap.
//!
//! Memory on the heap has no name in the source. It is called after the type of what points to it,
//! if that is known, and the line that allocated it: `node@17`. If that line has allocated several
//! objects, a recording numbers them as they come: `node@17#2`.

use super::LlvmMachine;
use crate::bytecode::Pc;
use crate::demangle::demangled;
use crate::ir::{DebugType, DebugTypeId, DebugVariable};
use crate::memory::address::{
    GLOBALS, HEAPS, STACKS, TABLES, depth_and_tag, id_of, name_of, owner_of, table_of,
};

/// Something in the source's words that an address belongs to.
pub(super) struct Owner {
    pub(super) name: String,
    pub(super) ty: Option<DebugTypeId>,
    /// How far into it the address goes.
    pub(super) offset: u64,
}

impl LlvmMachine {
    /// What an address belongs to: a variable, or an element of what was allocated on the heap.
    pub(super) fn owner_of(&self, address: u64) -> Option<Owner> {
        self.variable_at(address).or_else(|| self.allocation_at(address))
    }

    /// The variable that an address belongs to.
    pub(super) fn variable_at(&self, address: u64) -> Option<Owner> {
        let (address, offset) = self.memory.split(address);
        let offset = u64::from(offset);
        let named = |name: &str, debug: Option<&DebugVariable>| match debug {
            Some(variable) => Owner { name: variable.name.clone(), ty: variable.ty, offset },
            None => Owner { name: demangled(name).into_owned(), ty: None, offset },
        };
        match table_of(address) {
            GLOBALS => {
                let global = self.code.globals.get(id_of(address) as usize)?;
                Some(named(&global.name, global.debug.as_ref()))
            }
            HEAPS..STACKS => {
                let index = (id_of(address) as usize).checked_sub(1)?;
                let variable = self.code.thread_locals.get(index)?;
                Some(named(&variable.name, variable.debug.as_ref()))
            }
            STACKS..TABLES => {
                let object = self.memory.object_at(address)?;
                let variable = self.code.locals.get(&object.site)?;
                Some(Owner { name: variable.name.clone(), ty: variable.ty, offset })
            }
            _ => None,
        }
    }

    /// Returns the symbol of the global variable that an address belongs to.
    pub(crate) fn global_around(&self, address: u64) -> Option<&str> {
        let (address, _) = self.memory.split(address);
        let is_global = table_of(address) == GLOBALS;
        let global = self.code.globals.get(id_of(address) as usize).filter(|_| is_global)?;
        Some(&global.name)
    }

    /// Returns whether one of the functions that a thread is in has such a symbol.
    pub(crate) fn is_called_by(&self, thread: usize, is_it: impl Fn(&str) -> bool) -> bool {
        let mut callers = self.callers(thread, self.pc);
        callers.any(|caller| {
            self.code.function_around(caller.pc).is_some_and(|function| is_it(&function.name))
        })
    }

    /// The memory on the heap that an address belongs to, and which element of it.
    fn allocation_at(&self, address: u64) -> Option<Owner> {
        if !(HEAPS..STACKS).contains(&table_of(address)) {
            return None;
        }
        let (address, offset) = self.memory.split(address);
        let object = self.memory.object_at(address)?;
        let place = self.code.place(object.site)?;
        let ty = self.code.allocated.get(&object.site).copied();
        let mut name = ty.and_then(|ty| self.code.debug.name_of(ty)).unwrap_or("heap".to_owned());
        name.push('@');
        if self.main_file() != Some(place.file) {
            let file = self.code.debug.files.get(place.file as usize)?;
            let base = file.rsplit('/').next().unwrap_or(file);
            name.push_str(&format!("{base}:"));
        }
        name.push_str(&place.line.to_string());
        if let Some(recorder) = &self.recorder {
            let rank = recorder.rank_of(&name, name_of(address));
            if rank > 1 {
                name.push_str(&format!("#{rank}"));
            }
        }
        let mut offset = u64::from(offset);
        let size = ty.and_then(|ty| self.code.debug.size_of(ty)).unwrap_or(0);
        if size > 0 && u64::from(object.size) > size {
            name.push_str(&format!("[{}]", offset / size));
            offset %= size;
        }
        Some(Owner { name, ty, offset })
    }

    /// The file that `main` is in.
    fn main_file(&self) -> Option<u32> {
        let main = self.code.functions.iter().find(|function| function.name == "main")?;
        let mut instructions = main.entry?..self.code.ops.len() as Pc;
        instructions.find_map(|pc| self.code.place(pc)).map(|place| place.file)
    }

    /// Memory in C's words, such as `a[3].next`.
    pub(crate) fn describe_memory(&self, address: u64, len: u32) -> String {
        if let Some(Owner { mut name, ty, offset }) = self.owner_of(address) {
            self.append_path(&mut name, ty, offset, u64::from(len));
            return name;
        }
        let table = table_of(address);
        if !(HEAPS..TABLES).contains(&table) {
            return format!("{address:#x}");
        }
        let (start, offset) = self.memory.split(address);
        let (kind, index) = match table >= STACKS {
            true => ("local", depth_and_tag(id_of(start)).0),
            false => ("heap", id_of(start)),
        };
        let mut name = format!("{kind}#{}.{index}", owner_of(table));
        append_offset(&mut name, u64::from(offset));
        name
    }

    /// Goes down from a variable to the part of it that starts at an offset and is so long.
    fn append_path(&self, name: &mut String, ty: Option<DebugTypeId>, offset: u64, len: u64) {
        let debug = &self.code.debug;
        let Some(ty) = ty else { return append_offset(name, offset) };
        match debug.get(ty) {
            DebugType::Array { element, .. } => {
                let Some(size) = element.and_then(|element| debug.size_of(element)) else {
                    return;
                };
                if size == 0 || (offset == 0 && len > size) {
                    return;
                }
                name.push_str(&format!("[{}]", offset / size));
                self.append_path(name, *element, offset % size, len);
            }
            DebugType::Record { fields, size, .. } => {
                if offset == 0 && len >= *size && fields.len() != 1 {
                    return;
                }
                let field =
                    fields.iter().filter(|field| field.offset <= offset).max_by_key(|field| {
                        let size = field.ty.and_then(|ty| debug.size_of(ty)).unwrap_or(0);
                        let fits = offset + len <= field.offset + size;
                        (fits, field.offset, !field.name.is_empty())
                    });
                // What is inside of the C library's own types has no names.
                let Some(field) = field.filter(|field| !field.name.starts_with("__")) else {
                    return;
                };
                // Nor is how the C++ library's types wrap those.
                let is_wrapped = fields.len() == 1 && field.name.starts_with("_M_");
                if !field.name.is_empty() && !is_wrapped {
                    name.push('.');
                    name.push_str(&field.name);
                }
                self.append_path(name, field.ty, offset - field.offset, len);
            }
            _ => append_offset(name, offset),
        }
    }
}

fn append_offset(name: &mut String, offset: u64) {
    if offset != 0 {
        name.push_str(&format!("+{offset}"));
    }
}
