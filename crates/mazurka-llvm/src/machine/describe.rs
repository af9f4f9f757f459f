//! The program's own words for places, threads and memory.

use std::sync::atomic::Ordering;

use mazurka_core::verdict::{Violation, ViolationKind};

use super::LlvmMachine;
use crate::bytecode::{FunctionCode, GlobalData, Pc};
use crate::demangle::demangled;
use crate::memory::address::{GLOBALS, HEAPS, STACKS, TABLES, id_of, table_of};
use crate::memory::{Fault, function_at};

impl LlvmMachine {
    /// What a thread is called.
    pub(crate) fn thread_name(&self, thread: usize) -> String {
        if thread == 0 {
            return "main".to_owned();
        }
        // Not its id, which is by the order in which threads were met in any execution.
        let number = self.threads.get(thread).map_or(0, |thread| thread.state.number);
        let function = self.threads.get(thread).and_then(|thread| function_at(thread.function));
        let function = function.and_then(|function| self.code.functions.get(function as usize));
        // What starts `std::thread`s is nothing that the program knows of.
        let is_known = |function: &&FunctionCode| !function.name.starts_with("__mazurka_");
        match function.filter(is_known) {
            Some(function) => format!("thread {number} ({})", function.source_name),
            None => format!("thread {number}"),
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
        if let Some(place) = self.code.place_name(self.own_place(self.running, pc)) {
            message.push_str(", at ");
            message.push_str(&place);
        }
        Box::new(Violation::new(kind, message))
    }

    /// The violation that an access to memory is.
    #[cold]
    pub(crate) fn fault_at(&self, pc: Pc, address: u64, len: u32, fault: Fault) -> Box<Violation> {
        if let Some(recorder) = &self.recorder {
            let name = self.describe_memory(address, len);
            recorder.in_short(match fault {
                Fault::Freed => Some(format!("{name}, which is freed")),
                Fault::FreedTwice => Some(format!("free({name}) again")),
                Fault::OutOfBounds { .. } => Some(format!("{name}, out of bounds")),
                _ => None,
            });
        }
        if let Some(global) = self.missing_global(address) {
            let message = format!(
                "`{}` is used, which the program does not define and Mazurka does not have: give \
                 the file that defines it as well",
                demangled(&global.name)
            );
            return self.violation_at(pc, ViolationKind::Unsupported, message);
        }
        let object = self.describe_object(address);
        let bytes = if len == 1 { "1 byte".to_owned() } else { format!("{len} bytes") };
        let shared_local = self.memory.site_of_shared_local(address);
        let message = match fault {
            // The return from a function is no action if the blocks of its locals have ended before. So the
            // message must not depend on how far the thread has got.
            Fault::Returned | Fault::BlockEnded if shared_local.is_some() => {
                let local = shared_local.and_then(|site| self.code.locals.get(&site));
                let name =
                    local.map_or("a local variable".to_owned(), |it| format!("`{}`", it.name));
                format!("{name} is used after the end of its lifetime")
            }
            Fault::Null if address == 0 => "the null pointer is used".to_owned(),
            Fault::Null => {
                format!("the null pointer is used, with an offset of {}", address as i64)
            }
            Fault::NoObject => format!("{address:#x} is used as an address, and there is nothing"),
            Fault::NeverWritten => self.pointer_never_written(pc),
            Fault::OutOfBounds { size, offset } => {
                format!("{bytes} at offset {offset} of {object}, which has {size} bytes")
            }
            Fault::Freed => {
                format!("{object} is used after it was freed{}", self.where_freed(address))
            }
            Fault::Returned => {
                "a local variable is used after its function has returned".to_owned()
            }
            Fault::BlockEnded => {
                let name = self.describe_memory(address, len);
                format!("`{name}` is used after the end of its block{}", self.where_freed(address))
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
            Fault::FreedTwice => {
                format!("{object} is freed twice: it was freed before{}", self.where_freed(address))
            }
        };
        let kind = match fault {
            Fault::Hidden if !self.is_trying => {
                self.hides_addresses.store(true, Ordering::Relaxed);
                ViolationKind::Nondeterminism
            }
            _ => ViolationKind::InvalidMemory,
        };
        self.violation_at(pc, kind, message)
    }

    /// Returns the global at an address if nothing defines it.
    fn missing_global(&self, address: u64) -> Option<&GlobalData> {
        let index = (table_of(address) == GLOBALS)
            .then(|| id_of(self.memory.start_of(address)) as usize)?;
        self.code.globals.get(index).filter(|global| global.is_missing)
    }

    /// Where an object was freed, to go after that it was.
    fn where_freed(&self, address: u64) -> String {
        let object = self.memory.object_at(address);
        match object.and_then(|object| self.code.place_name(object.freed)) {
            Some(place) => format!(" (at {place})"),
            None => String::new(),
        }
    }

    /// What an object is, in a sentence.
    pub(crate) fn describe_object(&self, address: u64) -> String {
        if let Some(variable) = self.variable_at(address) {
            return format!("`{}`", variable.name);
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
}
