//! What all atomics are made of: a word whose value the runtime keeps.

use mazurka_core::model::{Action, Location, ObjectId, Op, Ways, When};

use crate::rt::{self, ObjectCell, Operation, Site, Suspension};

/// A word, and how to show it.
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
            Initial::Pointer(pointer) => pointer.expose_provenance() as u64,
        }
    }
}

// SAFETY: a pointer in a word is only a number; what is done with it is its user's business, as
// with the `AtomicPtr` of `std`.
unsafe impl Send for Word {}
// SAFETY: as above. The value itself is kept by the runtime of whoever asks.
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

    /// Gives the word its name.
    #[track_caller]
    pub(super) fn introduce(&self) {
        if rt::alive() {
            self.id();
        }
    }

    /// The value, for who has the word to itself.
    #[track_caller]
    pub(super) fn peek(&self) -> u64 {
        match self.object.known_id() {
            Some(object) => rt::with(|rt| rt.value(object)),
            // Not touched in this execution, so it would start afresh.
            None if self.object.is_untouched() || rt::is_inside() => self.initial.bits(),
            None => rt::with(|_| self.initial.bits()),
        }
    }

    /// The value to be changed by who has the word to itself.
    #[track_caller]
    pub(super) fn get_mut(&mut self) -> &mut Initial {
        let bits = self.peek();
        self.initial = match self.initial {
            Initial::Number(_) => Initial::Number(bits),
            Initial::Pointer(_) => {
                Initial::Pointer(std::ptr::with_exposed_provenance_mut(bits as usize))
            }
        };
        // From now on it is another object, which starts with what the caller makes of it.
        self.object.forget();
        &mut self.initial
    }

    /// An operation, by its name and place, that is a step to be taken again.
    #[inline]
    #[track_caller]
    fn again(
        &self,
        operation: (&'static str, Site),
        change: impl FnOnce(u64) -> (Op, u64),
    ) -> Option<u64> {
        rt::with(|rt| rt.repeat_on(&self.object, operation, change))
    }

    /// Announces an operation, which ends by `finish` once its turn has come.
    #[inline(always)]
    #[track_caller]
    fn begin(
        &self,
        (name, site): (&'static str, Site),
        op: Op,
        finish: impl FnOnce() -> u64,
    ) -> Begun {
        if !rt::alive() {
            return Begun::Over(self.initial.bits());
        }
        let action = Action::new(op, Location::whole(self.id()));
        match Operation::new(name, site).action(action).begin() {
            Some(suspension) => Begun::Waits(suspension),
            None => Begun::Over(finish()),
        }
    }

    #[inline(always)]
    #[track_caller]
    pub(super) fn load(&self, site: Site) -> u64 {
        match self.begin_load(site) {
            Begun::Over(value) => value,
            Begun::Waits(suspension) => {
                suspension.suspend();
                self.finish_load(site)
            }
        }
    }

    #[inline(never)]
    #[track_caller]
    fn begin_load(&self, site: Site) -> Begun {
        match self.again(("load", site), |value| (Op::Read, value)) {
            Some(value) => Begun::Over(value),
            None => self.begin(("load", site), Op::Read, || self.finish_load(site)),
        }
    }

    #[inline(never)]
    fn finish_load(&self, site: Site) -> u64 {
        if rt::turn_taken().is_none() {
            return self.initial.bits();
        }
        let object = self.id();
        rt::with(|rt| {
            let value = rt.value(object);
            rt.perform(Action::new(Op::Read, Location::whole(object)).performed(value, value));
            rt.log(site, |rt| {
                format!("{}.load() → {}", rt.object_name(object), (self.show)(value))
            });
            value
        })
    }

    #[inline(always)]
    #[track_caller]
    pub(super) fn store(&self, site: Site, new: u64) {
        if let Begun::Waits(suspension) = self.begin_store(site, new) {
            suspension.suspend();
            self.finish_store(site, new);
        }
    }

    #[inline(never)]
    #[track_caller]
    fn begin_store(&self, site: Site, new: u64) -> Begun {
        match self.again(("store", site), |_| (Op::Write, new)) {
            Some(old) => Begun::Over(old),
            None => self.begin(("store", site), Op::Write, || self.finish_store(site, new)),
        }
    }

    #[inline(never)]
    fn finish_store(&self, site: Site, new: u64) -> u64 {
        if rt::turn_taken().is_none() {
            return self.initial.bits();
        }
        let object = self.id();
        rt::with(|rt| {
            let old = rt.value(object);
            rt.perform(Action::new(Op::Write, Location::whole(object)).performed(old, new));
            rt.log(site, |rt| format!("{}.store({})", rt.object_name(object), (self.show)(new)));
            old
        })
    }

    /// Replaces the value by a function of itself, and returns the old one. `operand` is for
    /// people only.
    #[inline(always)]
    #[track_caller]
    pub(super) fn update(
        &self,
        name: &'static str,
        site: Site,
        operand: u64,
        change: impl Fn(u64) -> u64,
    ) -> u64 {
        match self.begin_update((name, site), operand, &change) {
            Begun::Over(old) => old,
            Begun::Waits(suspension) => {
                suspension.suspend();
                self.finish_update((name, site), operand, &change)
            }
        }
    }

    #[inline(never)]
    #[track_caller]
    fn begin_update(
        &self,
        operation: (&'static str, Site),
        operand: u64,
        change: &impl Fn(u64) -> u64,
    ) -> Begun {
        match self.again(operation, |old| (Op::Update, change(old))) {
            Some(old) => Begun::Over(old),
            None => {
                self.begin(operation, Op::Update, || self.finish_update(operation, operand, change))
            }
        }
    }

    #[inline(never)]
    fn finish_update(
        &self,
        (name, site): (&'static str, Site),
        operand: u64,
        change: &impl Fn(u64) -> u64,
    ) -> u64 {
        if rt::turn_taken().is_none() {
            return self.initial.bits();
        }
        let object = self.id();
        rt::with(|rt| {
            let old = rt.value(object);
            let action = Action::new(Op::Update, Location::whole(object));
            rt.perform(action.performed(old, change(old)));
            rt.log(site, |rt| {
                let (operand, old) = ((self.show)(operand), (self.show)(old));
                format!("{}.{name}({operand}) → {old}", rt.object_name(object))
            });
            old
        })
    }

    #[inline]
    #[track_caller]
    pub(super) fn compare_exchange(
        &self,
        name: &'static str,
        site: Site,
        expected: u64,
        new: u64,
        weak: bool,
    ) -> Result<u64, u64> {
        let may_fail = weak && rt::with(|rt| rt.tuning().spurious_failures);
        if !may_fail {
            let exchange = |old| match old == expected {
                true => (Op::Update, new),
                false => (Op::Read, old),
            };
            if let Some(old) = self.again((name, site), exchange) {
                return if old == expected { Ok(old) } else { Err(old) };
            }
        }
        if !rt::alive() {
            return Ok(expected);
        }
        let object = self.id();
        let on = Location::whole(object);
        let mut action = Action::new(Op::Update, on).when(When::Equals(expected));
        let spurious = Spurious { object, expected };
        if may_fail {
            action = action.ways(Ways::MayFail);
        }
        let mut operation = Operation::new(name, site).action(action);
        if may_fail {
            operation = operation.decided_by(&spurious);
        }
        let Some(choice) = operation.turn_here() else { return Ok(expected) };
        rt::with(|rt| {
            let old = rt.value(object);
            let succeeds = old == expected && choice == 0;
            let result = if succeeds {
                rt.perform(action.performed(old, new));
                Ok(old)
            } else {
                rt.perform(Action { op: Op::Read, ..action }.performed(old, old));
                Err(old)
            };
            rt.log(site, |rt| {
                let show = self.show;
                let outcome = match result {
                    Ok(old) => format!("Ok({})", show(old)),
                    Err(old) if old == expected => format!("Err({}), spuriously", show(old)),
                    Err(old) => format!("Err({})", show(old)),
                };
                let object = rt.object_name(object);
                format!("{object}.{name}({}, {}) → {outcome}", show(expected), show(new))
            });
            result
        })
    }
}

/// An operation that has been begun.
enum Begun {
    /// It is over, and this is the value before it.
    Over(u64),
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
