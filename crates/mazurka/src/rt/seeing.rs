//! Steps that see memory as a memory model allows it, fences, and pointers.

use rustc_hash::FxHashMap;

use mazurka_core::model::{Action, MemoryOrdering, ObjectId, Op, ProcessId, View, When};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::{Operation, Runtime, Site, alive, try_with, with};

/// An object whose value differs for the current step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seeing {
    object: ObjectId,
    /// The value that memory holds.
    held: u64,
    view: View,
}

/// The values of atomic pointers under a memory model.
///
/// The explorer keeps the values of stores, and lets loads see them again in other runs of the closure.
/// An address may differ from run to run. So the value of an atomic pointer is a number, which depends
/// only on the process that first stores or compares the pointer and on the steps that it has taken.
///
/// The allocator may return the address of a block that has been freed, in one run and not in another. If
/// a step that is repeated stores a pointer with another number than before, that pointer gets the number
/// that it had.
#[derive(Default)]
pub(super) struct Pointers {
    numbers: FxHashMap<usize, u64>,
    addresses: FxHashMap<u64, usize>,
    /// Whether a step has stored another value in an integer than in an earlier run.
    is_unstable: bool,
}

impl Pointers {
    pub(super) fn clear(&mut self) {
        if !self.numbers.is_empty() {
            self.numbers.clear();
            self.addresses.clear();
        }
        self.is_unstable = false;
    }

    /// Gives the pointer with a number the number that it had in an earlier run. Returns whether there is
    /// such a pointer.
    #[cold]
    fn rename(&mut self, number: u64, before: u64) -> bool {
        let Some(address) = self.addresses.get(&number).copied().filter(|_| before != 0) else {
            return false;
        };
        self.numbers.insert(address, before);
        self.addresses.insert(before, address);
        true
    }
}

/// Returns the value of an atomic pointer that holds an address.
#[inline]
pub(crate) fn pointer_to_bits(address: usize) -> u64 {
    let number = try_with(|rt| rt.tuning.memory_orderings.then(|| rt.number_of_pointer(address)));
    number.flatten().unwrap_or(address as u64)
}

/// Returns the address that an atomic pointer with a value holds.
#[inline]
pub(crate) fn pointer_of_bits(bits: u64) -> usize {
    let address = try_with(|rt| rt.pointers.addresses.get(&bits).copied());
    address.flatten().unwrap_or(bits as usize)
}

/// Performs a fence. Under a memory model it is a step, as soon as there are several threads.
#[track_caller]
#[inline]
pub(crate) fn fence(ordering: MemoryOrdering, site: Site) {
    if !fence_here(ordering, site) {
        alive();
    }
}

/// Performs a fence, and returns whether it is allowed here. Its address is known to those who
/// [interpret](super::iteration) iterations.
#[allow(improper_ctypes_definitions, reason = "only Rust calls it")]
#[inline(never)]
pub(crate) extern "C-unwind" fn fence_here(ordering: MemoryOrdering, site: Site) -> bool {
    let is_step = try_with(|rt| rt.tuning.memory_orderings && rt.created.len() > 1 && !rt.dead);
    if is_step != Some(true) {
        return true;
    }
    if with(|rt| rt.is_restricted()) {
        return false;
    }
    let action = Action::fence(ordering);
    if Operation::new("fence", site).action(action).turn().is_some() {
        with(|rt| {
            if let Some(performed) = rt.performed() {
                performed.actions.push(action);
            }
            rt.log(site, |_| format!("fence({ordering:?})"));
        });
    }
    true
}

/// Returns an action on an object that has more state than its value. Under a memory model, it updates
/// the value with this ordering unless it waits, so that it never sees an old value.
pub(crate) fn in_present(action: Action, ordering: MemoryOrdering) -> Action {
    if !with(|rt| rt.tuning.memory_orderings) {
        return action;
    }
    let op = if action.op == Op::Add { Op::Add } else { Op::Update };
    let when = if action.waits { action.when } else { When::Always };
    Action { op, when, ..action }.ordered(ordering)
}

/// Returns an action with an ordering, if the program is checked under a memory model.
pub(super) fn ordered(action: Action, ordering: MemoryOrdering) -> Action {
    match with(|rt| rt.tuning.memory_orderings) {
        true => action.ordered(ordering),
        false => action,
    }
}

impl Runtime {
    #[cold]
    fn number_of_pointer(&mut self, address: usize) -> u64 {
        if address == 0 {
            return 0;
        }
        if let Some(number) = self.pointers.numbers.get(&address) {
            return *number;
        }
        let (process, steps) = match self.processes.get(self.current) {
            Some(slot) => (self.current as u64 + 1, u64::from(slot.steps)),
            None => (0, 0),
        };
        // Several pointers may get their numbers in one step.
        let mut number = process << 48 | steps << 16;
        while self.pointers.addresses.contains_key(&number) {
            number += 1;
        }
        self.pointers.numbers.insert(address, number);
        self.pointers.addresses.insert(number, address);
        number
    }

    /// Lets the next operation of a process see memory as `view` says, until its action is performed.
    #[inline]
    pub(super) fn see(&mut self, process: ProcessId, view: View) {
        self.unsee();
        if view != View::PRESENT {
            self.begin_seeing(process, view);
        }
    }

    #[cold]
    fn begin_seeing(&mut self, process: ProcessId, view: View) {
        let slot = self.processes.get(process.index());
        let action = slot.and_then(|slot| slot.pending.action());
        let Some(object) = action.filter(|a| a.op.is_memory()).map(|a| a.on.object) else { return };
        let held = self.value(object);
        if let Some(sees) = view.sees {
            self.objects[object.0 as usize].value = sees;
        }
        self.seeing = Some(Seeing { object, held, view });
    }

    /// Undoes [`see`](Self::see) if no action was performed.
    #[inline]
    pub(super) fn unsee(&mut self) {
        if let Some(Seeing { object, held, .. }) = self.seeing.take() {
            self.objects[object.0 as usize].value = held;
        }
    }

    /// Puts the value into memory that is there after the first action of a step.
    #[cold]
    pub(super) fn settle(&mut self, action: &Action) {
        // Neither takes steps again: the last step that was recorded is another one.
        if self.ahead.is_some() || self.runs_out {
            return;
        }
        let mut after = action.after;
        if !std::mem::replace(&mut self.is_settled, true) && !action.plain {
            let before = self.replay.leaves(after);
            if before != after {
                match self.pointers.rename(after, before) {
                    true => after = before,
                    false => {
                        self.pointers.is_unstable = true;
                        // A later step might see an address of an earlier run, and use it.
                        self.replay.give_up();
                    }
                }
                self.objects[action.on.object.0 as usize].value = after;
            }
        }
        let Some(Seeing { object, held, view }) = self.seeing else { return };
        if object != action.on.object {
            return;
        }
        self.seeing = None;
        let value = match action.op {
            Op::Read => held,
            _ => view.leaves.unwrap_or(after),
        };
        self.objects[object.0 as usize].value = value;
    }

    /// Returns whether a step that was taken again has stored another value than before.
    pub(super) fn is_unstable(&self) -> bool {
        self.pointers.is_unstable
    }

    /// Returns an error if a replay has stored other values than before.
    pub(super) fn check_stable(&self) -> Result<(), Box<Violation>> {
        if !self.pointers.is_unstable {
            return Ok(());
        }
        let message = "an atomic integer holds another value in each run of the closure, such as an \
                       address. A memory model needs the same values: use `AtomicPtr`, or check the \
                       program under `sc` (MAZURKA_MEMORY_MODEL=sc)";
        Err(Box::new(Violation::new(ViolationKind::Unsupported, message.to_owned())))
    }
}
