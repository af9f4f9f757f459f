//! Accesses to memory, and which of them are actions.

use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op, Ways, When};
use mazurka_core::verdict::Violation;

use super::LlvmMachine;
use super::awaits::Await;
use super::taken_back::Debt;
use super::thread::{Probe, Status, Thread};
use crate::bytecode::{Orderings, Pc};
use crate::memory::{CONSTANT, Fault, Spot};

/// A thread stops, for now or for ever. Its status says which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Halt;

/// The length of an access to the [life](Location::life) of an object.
pub(crate) const LIFE: u32 = u32::MAX;

/// A kind of access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) address: u64,
    pub(super) len: u32,
    /// Its memory ordering, or `None` if it is plain.
    pub(super) atomic: Option<MemoryOrdering>,
    /// The ordering if its condition does not hold.
    pub(super) failure: Option<MemoryOrdering>,
    pub(super) op: Op,
    pub(super) when: When,
    /// Whether it may fail although its condition holds.
    pub(super) ways: Ways,
}

/// Returns the next action of a thread under a memory model.
///
/// Unlocking fails if the thread does not hold the lock, which is state besides the value. So it reads the
/// value that it overwrites, and is ordered with all other operations on the lock.
fn pending(action: Action) -> Action {
    match (action.op, action.plain || action.ordering.is_some()) {
        (Op::Write, false) => Action { op: Op::Update, ..action.ordered(MemoryOrdering::Release) },
        _ => action.ordered_as_object(),
    }
}

impl LlvmMachine {
    /// Writes to memory; a thread that changes something does not spin.
    #[inline]
    pub(crate) fn write(&mut self, thread: usize, spot: Spot, len: u32, value: u64) {
        if self.threads[thread].watch.is_watching() && self.memory.read(spot.byte, len) != value {
            self.threads[thread].watch.progress();
        }
        self.memory.write(spot, len, value);
    }

    /// Writes what an atomic update leaves. If the thread has [performed](Self::perform) it as an action, its
    /// watch knows about it.
    #[inline]
    pub(super) fn write_updated(&mut self, thread: usize, spot: Spot, len: u32, value: u64) {
        match spot.is_visible() && self.memory.is_shared() {
            true => self.memory.write(spot, len, value),
            false => self.write(thread, spot, len, value),
        }
    }

    /// Reports an action that a thread has performed.
    #[inline]
    pub(crate) fn perform(&mut self, thread: usize, mut action: Action, probe: Probe) {
        if !self.memory.is_shared() {
            return;
        }
        // Atomic sections do not race with each other, but with plain accesses outside of them.
        action.plain &= self.threads[thread].state.atomic == 0;
        if self.memory_orderings {
            action = action.ordered_as_object();
        }
        let may_owe = self.awaits && !self.memory_orderings;
        let kind = self.update;
        let Thread { watch, state, .. } = &mut self.threads[thread];
        let debt = || Debt::new(&action, kind).filter(|_| may_owe && state.atomic == 0);
        self.ending_state.takes_back |= watch.note(&action, probe, debt);
        self.has_debts |= watch.debt.is_some();
        if std::mem::take(&mut self.is_repeating) {
            return;
        }
        if self.is_recording() {
            self.note_action(thread, &action);
        }
        self.performed.actions.push(action);
    }

    /// The thread is at an action: it waits for its turn.
    #[inline]
    pub(super) fn suspend(&mut self, thread: usize, pc: Pc, action: Action, probe: Probe) {
        let awaits = match self.may_await(thread, pc, &action) {
            true => Await::New,
            false => Await::No,
        };
        self.has_awaits |= awaits == Await::New;
        let state = &mut self.threads[thread].state;
        state.awaits = awaits;
        state.status = Status::Ready;
        state.pc = pc;
        state.probe = probe;
        state.alternatives = 1;
        state.action = action;
        state.action.plain &= state.atomic == 0;
        if self.memory_orderings {
            state.action = match state.atomic {
                0 => pending(state.action),
                _ => state.action.ordered_as_object(),
            };
        }
        if action.waits {
            // What the explorers are told of the value at the start is what it is now, as long
            // as they have seen no thread change it.
            state.action.before = self.memory.read(probe.byte, probe.len);
        }
    }

    /// Finds what an access refers to. If that is visible and the thread has no permission, it
    /// waits for its turn.
    #[inline]
    pub(super) fn access(
        &mut self,
        thread: usize,
        pc: Pc,
        access: Access,
        permit: bool,
    ) -> Result<Spot, Halt> {
        let found = self.memory.find(thread, access.address, access.len);
        let spot = match found {
            Ok(spot) => spot,
            Err(fault) => return Err(self.refuse(thread, pc, access, permit, fault)),
        };
        let writes = !matches!(access.op, Op::Read);
        // Atomic accesses are of a power of two of bytes.
        let misaligned = access.atomic.is_some() && access.address & u64::from(access.len - 1) != 0;
        if misaligned || (writes && spot.flags & CONSTANT != 0) {
            let fault = if misaligned { Fault::Misaligned } else { Fault::Constant };
            return Err(self.refuse(thread, pc, access, permit, fault));
        }
        self.pc = pc;
        if spot.is_visible() && !permit {
            let action = access.action(spot.location(access.len));
            self.suspend(thread, pc, action, Probe { byte: spot.byte, len: access.len.min(8) });
            return Err(Halt);
        }
        Ok(spot)
    }

    /// Ends a thread whose access is not possible. If another thread may have freed the object, the access
    /// is an action all the same, so that it is tried in other orders, too.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse(
        &mut self,
        thread: usize,
        pc: Pc,
        access: Access,
        permit: bool,
        fault: Fault,
    ) -> Halt {
        let may_be_of_others =
            matches!(fault, Fault::Freed | Fault::FreedTwice | Fault::Returned | Fault::BlockEnded);
        if may_be_of_others && let Some(object) = self.memory.known_name(access.address) {
            let start = self.memory.offset_of(access.address);
            let on = match access.len {
                LIFE => Location::life(ObjectId(object)),
                len => Location { object: ObjectId(object), start, len },
            };
            let action = access.action(on);
            if !permit {
                self.suspend(thread, pc, action, Probe { byte: 0, len: 1 });
                self.threads[thread].state.action.waits = false;
                return Halt;
            }
            self.performed.actions.push(Action { when: When::Always, ..action });
        }
        let size = || self.memory.object_at(access.address).map_or(1, |object| object.size.max(1));
        let len = if access.len == LIFE { size() } else { access.len };
        let violation = self.fault_at(pc, access.address, len, fault);
        self.fail_at(thread, pc, violation)
    }

    /// The thread ends by a violation.
    #[cold]
    #[inline(never)]
    pub(super) fn fail_at(&mut self, thread: usize, pc: Pc, violation: Box<Violation>) -> Halt {
        self.threads[thread].state.pc = pc;
        self.fail(thread, violation);
        Halt
    }
}

impl Access {
    #[inline]
    pub(super) fn read(address: u64, len: u32, atomic: Option<MemoryOrdering>) -> Self {
        let (op, when, ways) = (Op::Read, When::Always, Ways::One);
        Access { address, len, atomic, failure: None, op, when, ways }
    }

    #[inline]
    pub(super) fn write(address: u64, len: u32, atomic: Option<MemoryOrdering>) -> Self {
        let (op, when, ways) = (Op::Write, When::Always, Ways::One);
        Access { address, len, atomic, failure: None, op, when, ways }
    }

    #[inline]
    pub(super) fn update(address: u64, len: u32, ordering: MemoryOrdering) -> Self {
        let (op, when, ways) = (Op::Update, When::Always, Ways::One);
        Access { address, len, atomic: Some(ordering), failure: None, op, when, ways }
    }

    #[inline]
    pub(super) fn exchange(
        address: u64,
        len: u32,
        orderings: Orderings,
        expected: u64,
        ways: Ways,
    ) -> Self {
        Access {
            ways,
            address,
            len,
            atomic: Some(orderings.success()),
            failure: Some(orderings.failure()),
            op: Op::Update,
            when: When::Equals(expected),
        }
    }

    /// The action that it is at a location.
    #[inline]
    pub(super) fn action(&self, on: Location) -> Action {
        let action = Action::new(self.op, on).when(self.when).ways(self.ways);
        let (ordering, failure_ordering) = (self.atomic, self.failure);
        Action { plain: ordering.is_none(), ordering, failure_ordering, ..action }
    }
}
