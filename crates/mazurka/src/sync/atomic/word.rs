//! What all atomics are made of: a word whose value the runtime keeps.

use mazurka_core::model::{Action, Location, ObjectId, Op, Ways};

use super::Orderings;
use super::access::{Access, Exchange, Load};
use crate::rt::{self, ObjectCell, Operation, Site, Suspension};

/// A word whose value the runtime keeps, and how to show it.
pub(super) struct Word {
    object: ObjectCell,
    /// What it holds at the start of every execution.
    initial: Initial,
    kind: &'static str,
    show: fn(u64) -> String,
}

/// What a word holds at the start. A pointer cannot be made a number in a `const fn`.
#[derive(Clone, Copy)]
pub(super) enum Initial {
    Number(u64),
    Pointer(*mut ()),
}

impl Initial {
    #[inline]
    fn bits(self) -> u64 {
        match self {
            Initial::Number(bits) => bits,
            Initial::Pointer(pointer) => rt::pointer_to_bits(pointer.expose_provenance()),
        }
    }
}

// SAFETY: a pointer in a word is only a number; what is done with it is its user's business, as
// with the `AtomicPtr` of `std`.
unsafe impl Send for Word {}
// SAFETY: as above. The runtime of the calling process keeps the value itself.
unsafe impl Sync for Word {}

impl Word {
    #[track_caller]
    pub(super) const fn new(kind: &'static str, initial: Initial, show: fn(u64) -> String) -> Self {
        Word { object: ObjectCell::new(), initial, kind, show }
    }

    pub(super) const fn set_label(&mut self, label: &'static str) {
        self.object.set_label(label);
    }

    #[inline]
    fn id(&self) -> ObjectId {
        self.object.id(self.kind, self.initial.bits())
    }

    /// Registers the word with the runtime.
    #[track_caller]
    pub(super) fn introduce(&self) {
        if rt::alive() {
            self.id();
        }
    }

    /// Returns the value, for a caller who has the word alone.
    #[track_caller]
    pub(super) fn peek(&self) -> u64 {
        match self.object.known_id() {
            Some(object) => rt::with(|rt| rt.value(object)),
            // Not touched in this execution, so it would start afresh.
            None if self.object.is_untouched() || rt::is_inside() => self.initial.bits(),
            None => rt::with(|_| self.initial.bits()),
        }
    }

    /// Returns the value to be changed by a caller who has the word alone.
    #[track_caller]
    pub(super) fn get_mut(&mut self) -> &mut Initial {
        let bits = self.peek();
        self.initial = match self.initial {
            Initial::Number(_) => Initial::Number(bits),
            Initial::Pointer(_) => {
                Initial::Pointer(std::ptr::with_exposed_provenance_mut(rt::pointer_of_bits(bits)))
            }
        };
        // From now on it is another object, which starts with what the caller makes of it.
        self.object.forget();
        &mut self.initial
    }

    /// Performs an operation as a step.
    ///
    /// Always inlined, as is `suspend`: the process is suspended in the frame of the user's code.
    #[inline(always)]
    #[track_caller]
    pub(super) fn access<A: Access>(
        &self,
        site: Site,
        access: A,
        orderings: Orderings,
    ) -> A::Output {
        match self.begin(site, &access, orderings) {
            Begun::Over(output) => output,
            Begun::Waits(suspension) => {
                suspension.suspend();
                self.finish(site, &access, orderings)
            }
        }
    }

    /// Announces an operation. In a replay, the operation may be over at once.
    #[inline(never)]
    #[track_caller]
    fn begin<A: Access>(&self, site: Site, access: &A, orderings: Orderings) -> Begun<A::Output> {
        if !rt::is_inside() {
            return Begun::Over(self.access_outside(access));
        }
        let repeated = rt::with(|rt| {
            rt.repeat_on(&self.object, (access.name(), site), |old| access.effect(old))
        });
        if let Some(old) = repeated {
            return Begun::Over(access.output(old, access.when().holds(old)));
        }
        if !rt::alive() {
            return Begun::Over(self.access_dying(access));
        }
        let action = self.action(access, orderings);
        match Operation::new(access.name(), site).action(action).begin() {
            Some(suspension) => Begun::Waits(suspension),
            None => Begun::Over(self.finish(site, access, orderings)),
        }
    }

    #[inline]
    fn action<A: Access>(&self, access: &A, orderings: Orderings) -> Action {
        let action = Action::new(A::OP, Location::whole(self.id())).when(access.when());
        let Orderings { success, failure } = orderings;
        Action { ordering: Some(success), failure_ordering: failure, ..action }
    }

    /// Performs an operation whose turn it is.
    #[inline(never)]
    #[track_caller]
    fn finish<A: Access>(&self, site: Site, access: &A, orderings: Orderings) -> A::Output {
        match rt::turn_taken() {
            Some(_) => self.perform(site, access, self.action(access, orderings), true),
            None => self.access_dying(access),
        }
    }

    /// Performs `action`, which is what `access` is announced as. It takes effect only if it `may`.
    #[inline]
    fn perform<A: Access>(&self, site: Site, access: &A, action: Action, may: bool) -> A::Output {
        rt::with(|rt| {
            let old = rt.value(action.on.object);
            let takes_effect = may && access.when().holds(old);
            let (op, new) = if takes_effect { access.effect(old) } else { (Op::Read, old) };
            rt.perform(Action { op, ..action }.performed(old, new));
            rt.log(site, |rt| {
                let name = rt.object_name(action.on.object);
                let rest = access.describe(old, takes_effect, self.show);
                format!("{name}.{}{rest}", access.name())
            });
            access.output(old, takes_effect)
        })
    }

    /// Performs an operation outside of a check, in a panic. It has no effect.
    #[cold]
    #[track_caller]
    fn access_outside<A: Access>(&self, access: &A) -> A::Output {
        rt::alive();
        let value = self.initial.bits();
        access.output(value, access.when().holds(value))
    }

    /// Performs an operation in a destructor, while the execution is being torn down. It acts on the
    /// current value, and is not a step: a destructor that swaps a pointer frees what it gets.
    #[cold]
    #[track_caller]
    fn access_dying<A: Access>(&self, access: &A) -> A::Output {
        if !rt::is_inside() {
            return self.access_outside(access);
        }
        let object = self.id();
        rt::with(|rt| {
            let old = rt.value(object);
            let (_, new) = access.effect(old);
            rt.set_value_of_dying(object, new);
            access.output(old, access.when().holds(old))
        })
    }

    /// Loads the value as plain memory.
    #[track_caller]
    pub(super) fn load_plain(&self, site: Site) -> u64 {
        if !rt::alive() {
            return self.access_dying(&Load);
        }
        let object = self.id();
        let action = Action::new(Op::Read, Location::whole(object)).plain();
        if Operation::new("unsync_load", site).action(action).turn().is_none() {
            return self.access_dying(&Load);
        }
        rt::with(|rt| {
            let value = rt.value(object);
            rt.perform(action.performed(value, value));
            let show = self.show;
            rt.log(site, |rt| {
                format!("{}.unsync_load() → {}", rt.object_name(object), show(value))
            });
            value
        })
    }

    /// Performs a compare-exchange that may fail spuriously, if the check is set up so.
    #[inline]
    #[track_caller]
    pub(super) fn exchange_weakly(
        &self,
        site: Site,
        exchange: Exchange,
        orderings: Orderings,
    ) -> Result<u64, u64> {
        if !rt::with(|rt| rt.tuning().spurious_failures) {
            return self.access(site, exchange, orderings);
        }
        if !rt::alive() {
            return self.access_dying(&exchange);
        }
        let action = self.action(&exchange, orderings).ways(Ways::MayFail);
        let spurious = Spurious { object: action.on.object, expected: exchange.expected };
        let operation = Operation::new(exchange.name, site).action(action).decided_by(&spurious);
        match operation.turn_here() {
            Some(choice) => self.perform(site, &exchange, action, choice == 0),
            None => self.access_dying(&exchange),
        }
    }
}

/// An operation that has been begun.
enum Begun<T> {
    /// It is over, and this is what the caller learns.
    Over(T),
    /// It waits for its turn.
    Waits(Suspension<'static>),
}

/// A weak compare-exchange that would succeed may fail instead.
struct Spurious {
    object: ObjectId,
    expected: u64,
}

impl rt::Blocker for Spurious {
    fn alternatives(&self, rt: &rt::Runtime) -> u32 {
        if rt.value(self.object) == self.expected { 2 } else { 1 }
    }
}
