//! The program's own words for places, threads and memory.

use std::sync::atomic::Ordering;

use mazurka_core::verdict::{Violation, ViolationKind};

use super::LlvmMachine;
use crate::bytecode::Pc;
use crate::ir::{DebugType, DebugTypeId, DebugVariable};
use crate::memory::address::{GLOBALS, HEAPS, STACKS, TABLES, id_of, offset_of, table_of};
use crate::memory::{Fault, function_at};

/// That a function is not there.
pub(crate) fn unknown(name: &str) -> String {
    format!(
        "a call of `{name}`, which the program does not define and Mazurka does not know: \
         give the file that defines it as well, or define it"
    )
}

impl LlvmMachine {
    /// What a thread is called.
    pub(crate) fn thread_name(&self, thread: usize) -> String {
        if thread == 0 {
            return "main".to_owned();
        }
        let function = self.threads.get(thread).and_then(|thread| function_at(thread.function));
        match function.and_then(|function| self.code.functions.get(function as usize)) {
            Some(function) => format!("thread {thread} ({})", function.source_name),
            None => format!("thread {thread}"),
        }
    }

    /// A violation at an instruction.
    #[cold]
    pub(crate) fn violation_at(
        &self,
        pc: Pc,
        kind: ViolationKind,
        mut message: String,
    ) -> Box<Violation> {
        if let Some(place) = self.code.place_name(pc) {
            message.push_str(", at ");
            message.push_str(&place);
        }
        Box::new(Violation::new(kind, message))
    }

    /// The violation that an access to memory is.
    #[cold]
    pub(crate) fn fault_at(&self, pc: Pc, address: u64, len: u32, fault: Fault) -> Box<Violation> {
        let object = self.describe_object(address);
        let bytes = if len == 1 { "1 byte".to_owned() } else { format!("{len} bytes") };
        let message = match fault {
            Fault::Null if address == 0 => "the null pointer is used".to_owned(),
            Fault::Null => {
                format!("the null pointer is used, with an offset of {}", address as i64)
            }
            Fault::NoObject => format!("{address:#x} is used as an address, and there is nothing"),
            Fault::NeverWritten => "a pointer is used that was never written".to_owned(),
            Fault::OutOfBounds { size, offset } => {
                format!("{bytes} at offset {offset} of {object}, which has {size} bytes")
            }
            Fault::Freed => format!("{object} is used after it was freed"),
            Fault::Returned => {
                "a local variable is used after its function has returned".to_owned()
            }
            Fault::Constant => format!("{object} is written, but is constant"),
            Fault::Function => "a function is used as data".to_owned(),
            Fault::Misaligned => {
                format!("an atomic access to {bytes} of {object} is not aligned")
            }
            Fault::Hidden => format!(
                "{object} belongs to another thread, and its address has never been given to this \
                 one in a way that can be followed: the check must start anew"
            ),
            Fault::NotOnHeap => format!("{object} is freed, but was not allocated on the heap"),
            Fault::NotAtStart { offset } => {
                format!("{object} is freed by a pointer that is {offset} bytes into it")
            }
            Fault::FreedTwice => format!("{object} is freed twice"),
        };
        let kind = match fault {
            Fault::Hidden => {
                self.hides_addresses.store(true, Ordering::Relaxed);
                ViolationKind::Nondeterminism
            }
            _ => ViolationKind::InvalidMemory,
        };
        self.violation_at(pc, kind, message)
    }

    /// That a pointer was read that nobody has written.
    #[cold]
    pub(super) fn pointer_never_written(&mut self, thread: usize, pc: Pc, address: u64) {
        let name = self.describe_memory(address, 8);
        let message = format!("the pointer {name} is read, but was never written");
        let violation = self.violation_at(pc, ViolationKind::InvalidMemory, message);
        self.fail_at(thread, pc, violation);
    }

    /// What an object is, in a sentence.
    pub(crate) fn describe_object(&self, address: u64) -> String {
        if let Some(variable) = self.variable_at(address) {
            return format!("`{}`", variable.0);
        }
        let table = table_of(address);
        let site =
            self.memory.object_at(address).and_then(|object| self.code.place_name(object.site));
        match (table, site) {
            (HEAPS..STACKS, Some(site)) => format!("the memory allocated at {site}"),
            (HEAPS..STACKS, None) => "memory on the heap".to_owned(),
            (STACKS..TABLES, _) => "a local variable".to_owned(),
            _ => match function_at(address) {
                Some(function) => match self.code.functions.get(function as usize) {
                    Some(function) => format!("the function `{}`", function.source_name),
                    None => "a function".to_owned(),
                },
                None => format!("the memory at {address:#x}"),
            },
        }
    }

    /// The variable that an address belongs to: its name and its type.
    pub(super) fn variable_at(&self, address: u64) -> Option<(String, Option<DebugTypeId>)> {
        let named = |name: &str, debug: Option<&DebugVariable>| match debug {
            Some(variable) => (variable.name.clone(), variable.ty),
            None => (name.to_owned(), None),
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
                Some((variable.name.clone(), variable.ty))
            }
            _ => None,
        }
    }

    /// Memory in C's words, such as `a[3].next`.
    pub(crate) fn describe_memory(&self, address: u64, len: u32) -> String {
        let offset = u64::from(offset_of(address));
        match self.variable_at(address) {
            Some((mut name, ty)) => {
                self.append_path(&mut name, ty, offset, u64::from(len));
                name
            }
            None => {
                let table = table_of(address);
                let owner = table & (crate::memory::address::MAX_THREADS - 1);
                let kind = if table >= STACKS { "local" } else { "heap" };
                let mut name = format!("{kind}#{owner}.{}", id_of(address) & 0xFFFF);
                if offset != 0 {
                    name.push_str(&format!("+{offset}"));
                }
                name
            }
        }
    }

    /// Goes down from a variable to the part of it that starts at an offset and is so long.
    fn append_path(&self, name: &mut String, ty: Option<DebugTypeId>, offset: u64, len: u64) {
        let Some(ty) = ty else {
            if offset != 0 {
                name.push_str(&format!("+{offset}"));
            }
            return;
        };
        match &self.code.debug.types[ty.0 as usize] {
            DebugType::Array { element, .. } => {
                let Some(size) = element.and_then(|element| self.debug_size(element)) else {
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
                        let size = field.ty.and_then(|ty| self.debug_size(ty)).unwrap_or(0);
                        let fits = offset + len <= field.offset + size;
                        (fits, field.offset, !field.name.is_empty())
                    });
                // What is inside of the C library's own types is nobody's business.
                let Some(field) = field.filter(|field| !field.name.starts_with("__")) else {
                    return;
                };
                if !field.name.is_empty() {
                    name.push('.');
                    name.push_str(&field.name);
                }
                self.append_path(name, field.ty, offset - field.offset, len);
            }
            _ if offset != 0 => name.push_str(&format!("+{offset}")),
            _ => {}
        }
    }

    pub(super) fn debug_size(&self, ty: DebugTypeId) -> Option<u64> {
        Some(match &self.code.debug.types[ty.0 as usize] {
            DebugType::Basic { size, .. }
            | DebugType::Record { size, .. }
            | DebugType::Enumeration { size, .. } => *size,
            DebugType::Pointer(_) => 8,
            DebugType::Array { element, count } => count * self.debug_size((*element)?)?,
            DebugType::Other => return None,
        })
    }
}
