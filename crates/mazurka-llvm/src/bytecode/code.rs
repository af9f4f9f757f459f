//! A program in bytecode.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mazurka_core::verdict::ViolationKind;

use super::{Op, Pc, Signature, Slot};
use crate::demangle::demangled;
use crate::ir::{DebugInfo, DebugTypeId, DebugVariable, Place};
use crate::layout::Leaf;
use crate::memory::function_address;

/// How many slots at the start of a frame say how to return from it.
pub(crate) const FRAME_HEADER: u32 = 4;

/// A program in bytecode.
pub(crate) struct Code {
    /// All functions, one after the other.
    pub(crate) ops: Vec<Op>,
    /// Where each instruction comes from.
    pub(crate) places: Vec<Option<Place>>,
    pub(crate) functions: Vec<FunctionCode>,
    /// Where functions start, in order, and which they are.
    pub(crate) entries: Vec<(Pc, u32)>,
    pub(crate) sites: Vec<CallSite>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) signatures: Vec<Signature>,
    pub(crate) switches: Vec<Switch>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) messages: Vec<(ViolationKind, String)>,
    /// What a [`Op::CallLibrary`] calls.
    pub(crate) library: Vec<Outside>,
    pub(crate) globals: Vec<GlobalData>,
    /// The thread-local variables.
    pub(crate) thread_locals: Vec<GlobalData>,
    pub(crate) debug: DebugInfo,
    /// Of every file in that, whether it came with the compiler or the C library.
    pub(crate) system_files: Vec<bool>,
    /// What the source calls the locals that need an address, by the instruction.
    pub(crate) locals: HashMap<Pc, DebugVariable>,
    /// The types of what is allocated on the heap, by the instruction, as far as they are known.
    pub(crate) allocated: HashMap<Pc, DebugTypeId>,
    /// For every instruction at which a thread can rest, where its slots are in `live_slots`.
    pub(crate) live: Vec<(u32, u32)>,
    /// The slots that matter to what follows.
    pub(crate) live_slots: Vec<Slot>,
    /// For every instruction with an effect, whether its result is not used.
    pub(crate) unused: Vec<bool>,
    /// The compare-exchanges that may fail spuriously, in the order of the code.
    pub(crate) weak: Vec<Pc>,
    /// The locals that no other thread can reach, by the instructions that make them.
    pub(crate) private_locals: Arc<HashSet<Pc>>,
    /// Where exceptions go that leave a call.
    pub(crate) pads: Vec<Pad>,
    /// The names of labels that computed jumps lead to, by their addresses.
    pub(crate) labels: HashMap<u64, String>,
    /// What runs as the main thread.
    pub(crate) main: u32,
    /// What runs as every other thread: it takes a function and its argument.
    pub(crate) thread: u32,
}

/// A function that the program calls and the library provides.
pub(crate) struct Outside {
    /// As in the IR.
    pub(crate) symbol: String,
    /// As in reports.
    pub(crate) name: &'static str,
}

/// Returns the message about a call of a function that neither the program nor the library defines.
pub(crate) fn unknown_function(symbol: &str) -> String {
    let name = demangled(symbol);
    if ["fstream", "basic_filebuf"].iter().any(|class| name.contains(class)) {
        return format!(
            "a call of `{name}`: there are no files. Use a string stream, or `std::istream &` and \
             `std::ostream &` in the code that is checked"
        );
    }
    format!(
        "a call of `{name}`, which the program does not define and Mazurka does not know: \
         give the file that defines it as well, or define it"
    )
}

/// Every thread has a few words that belong to the library. These are their numbers.
pub(crate) mod own_words {
    /// `errno`.
    pub(crate) const ERRNO: u32 = 0;
    /// The address of the thread's values for keys.
    pub(crate) const KEY_VALUES: u32 = 2;
    /// The table of places where the clock has stood still.
    pub(crate) const STILL: u32 = 3;
    /// The table of reader-writer locks that the thread holds for reading.
    pub(crate) const READ_LOCKS: u32 = 4;
    /// The list of cleanup handlers of the thread.
    pub(crate) const CLEANUP: u32 = 5;
    /// The value that the thread ends with, while its cleanup handlers run.
    pub(crate) const EXIT_VALUE: u32 = 6;
    /// 0 if the thread can be cancelled, 1 if not.
    pub(crate) const CANCEL_STATE: u32 = 7;
    /// 0 if the thread can be cancelled at cancellation points, 1 if at any moment.
    pub(crate) const CANCEL_TYPE: u32 = 8;
    /// What the thread waits for at a cancellation point.
    pub(crate) const CANCEL_CHOICE: u32 = 9;
    /// The signals that the thread blocks; the next word has those that wait for it.
    pub(crate) const SIGNALS: u32 = 10;
    /// The table of places where the thread has woken spuriously.
    pub(crate) const SPURIOUS: u32 = 12;
    /// A bit for each compare-exchange that has failed spuriously in the thread.
    pub(crate) const WEAK_FAILED: u32 = 13;
    /// The table of robust mutexes that the thread holds.
    pub(crate) const ROBUST: u32 = 14;
    /// The part of an exception that its handler asks for, until the handler begins.
    pub(crate) const CAUGHT: u32 = 15;
}

/// A function.
pub(crate) struct FunctionCode {
    /// As in the IR.
    pub(crate) name: String,
    /// As in the source.
    pub(crate) source_name: String,
    /// Where it starts; `None` if it is declared only.
    pub(crate) entry: Option<Pc>,
    /// The library function of that name, if it is declared only.
    pub(crate) library: Option<u32>,
    /// How many slots its frame has.
    pub(crate) frame: u32,
    /// How many slots its parameters take, from [`FRAME_HEADER`] on.
    pub(crate) parameters: u32,
    /// Where the address of the variable arguments goes.
    pub(crate) variadic: Option<Slot>,
    /// What it takes and returns, as an index into [`Code::signatures`]; `None` if that is not known.
    pub(crate) signature: Option<u32>,
    /// For the first function of a thread: where it ends it.
    pub(crate) exit: Pc,
    /// Constants, and what locals are before they are written.
    pub(crate) initial: Vec<(Slot, u64)>,
}

/// What is passed at a call.
#[derive(Default)]
pub(crate) struct CallSite {
    pub(crate) arguments: Vec<Argument>,
    /// The slots of all arguments, one after the other.
    pub(crate) slots: Vec<Slot>,
    /// How many slots the result takes.
    pub(crate) results: u32,
    /// How many bits of the result count, if it is one number.
    pub(crate) bits: u8,
    /// Whether some argument is passed as a copy of what it points to.
    pub(crate) copies: bool,
    /// What the callee should take and return; `None` if the caller is no code of the program.
    pub(crate) signature: Option<u32>,
}

/// An argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    /// The first of its slots in the frame of the caller.
    pub(crate) slot: Slot,
    pub(crate) kind: ArgumentKind,
    /// How many slots it has.
    pub(crate) slots: u32,
    /// If it is passed as a copy of what it points to: how large that is.
    pub(crate) copied: Option<u32>,
}

/// What an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentKind {
    /// An integer of so many bits.
    Int(u8),
    Float,
    Double,
    LongDouble,
    Pointer,
    Aggregate,
}

/// The scalars of a type.
pub(crate) struct Shape {
    pub(crate) leaves: Vec<Leaf>,
}

/// The cases of a switch.
pub(crate) struct Switch {
    pub(crate) cases: Vec<(u64, Pc)>,
    pub(crate) default: Pc,
}

/// Where an exception goes that leaves a call.
pub(crate) struct Pad {
    /// Where that is.
    pub(crate) to: Pc,
    pub(crate) clauses: Vec<Clause>,
    /// Whether it is to be told of exceptions that it does not handle.
    pub(crate) cleans_up: bool,
    /// Whether all that it does is to end the program.
    pub(crate) gives_up: bool,
}

/// What a landing pad handles. Types are given by the addresses of their descriptions.
pub(crate) enum Clause {
    CatchAll,
    /// Exceptions of a type, and what the pad is told of them.
    Catch {
        ty: u64,
        selector: u32,
    },
    /// All but exceptions of these types.
    Only(Vec<u64>),
}

/// A loop.
#[derive(Default)]
pub(crate) struct Loop {
    /// The slots that matter to what follows.
    pub(crate) live: Vec<Slot>,
    /// Whether one of them is different in every iteration.
    pub(crate) counts: bool,
    /// Whether an iteration may perform a single atomic access, and no other.
    pub(crate) waits: bool,
    /// How it counts its rounds, if nothing but its end depends on that.
    pub(crate) counted: Option<Box<Counted>>,
    /// Whether it counts its rounds in this way, or contains a loop that does.
    pub(crate) has_rounds: bool,
}

/// How a loop counts its rounds, if nothing but its end depends on that.
pub(crate) struct Counted {
    /// The slots that depend on the number of the round.
    pub(crate) slots: Vec<Slot>,
    /// The instructions that compute these slots, and the branches that depend on them, in the order in which
    /// each round executes them.
    pub(crate) steps: Vec<(Pc, RoundStep)>,
    /// Where its blocks start and end, and the first of the steps that comes in the block or after it.
    pub(crate) blocks: Vec<(Pc, Pc, usize)>,
}

/// What an instruction does to the number of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoundStep {
    /// It computes a slot that depends on the number.
    Computes,
    /// It is a branch that leaves the loop if it is taken.
    LeavesIfTaken,
    /// It is a branch that leaves the loop if it is not taken.
    LeavesUnlessTaken,
}

impl Counted {
    /// Returns the first of the steps that comes after an instruction in a round, if the instruction is in the
    /// loop.
    pub(crate) fn step_after(&self, pc: Pc) -> Option<usize> {
        let (start, _, first) =
            *self.blocks.iter().find(|(start, end, _)| (*start..*end).contains(&pc))?;
        let done = self.steps.iter().filter(|(at, _)| (start..pc).contains(at)).count();
        Some(first + done)
    }
}

/// A global variable.
#[derive(Clone)]
pub(crate) struct GlobalData {
    /// Whether it is no variable, but stands for a further index that the variable before it takes.
    pub(crate) continues: bool,
    /// Whether nothing defines it: then it has no bytes.
    pub(crate) is_missing: bool,
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) constant: bool,
    /// Its bytes at the start.
    pub(crate) initial: Vec<u8>,
    pub(crate) debug: Option<DebugVariable>,
}

impl FunctionCode {
    /// How many slots from the start of its frame on are given by the caller.
    pub(crate) fn given(&self) -> u32 {
        FRAME_HEADER + self.parameters + u32::from(self.variadic.is_some())
    }
}

impl Code {
    /// The function that an instruction is in.
    pub(crate) fn function_around(&self, pc: Pc) -> Option<&FunctionCode> {
        let before = self.entries.partition_point(|(entry, _)| *entry <= pc);
        let (_, function) = self.entries.get(before.checked_sub(1)?)?;
        self.functions.get(*function as usize)
    }

    /// Returns the address of the function with a symbol, if the program has it.
    pub(crate) fn function_named(&self, symbol: &str) -> Option<u64> {
        let has_it = |function: &FunctionCode| function.name == symbol && function.entry.is_some();
        self.functions.iter().position(has_it).map(|index| function_address(index as u32))
    }

    /// The slots that matter to a thread that rests at an instruction.
    pub(crate) fn live_at(&self, pc: Pc) -> &[Slot] {
        let (start, end) = self.live.get(pc as usize).copied().unwrap_or_default();
        &self.live_slots[start as usize..end as usize]
    }

    /// Returns whether no instruction uses the result of this one.
    #[inline]
    pub(crate) fn is_unused(&self, pc: Pc) -> bool {
        self.unused.get(pc as usize).is_some_and(|unused| *unused)
    }

    /// Where an instruction is in the source, as `file.c:12:5`.
    pub(crate) fn place(&self, pc: Pc) -> Option<Place> {
        self.places.get(pc as usize).copied().flatten()
    }

    /// Returns the place of an instruction in the source, in words.
    pub(crate) fn place_name(&self, pc: Pc) -> Option<String> {
        let place = self.place(pc)?;
        let file = self.debug.files.get(place.file as usize)?;
        Some(match place.column {
            0 => format!("{file}:{}", place.line),
            column => format!("{file}:{}:{column}", place.line),
        })
    }
}
