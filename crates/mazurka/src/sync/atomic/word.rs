//! What all atomics are made of: a word whose value the runtime keeps.

use std::mem::MaybeUninit;

use mazurka_core::model::{Action, Location, ObjectId, Op, Ways, When};

use super::Orderings;
use super::access::{Access, Load};
use crate::rt::{self, Functions, KnownIteration, MAGIC, ObjectCell, Operation, Runtime, Site};

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
    /// Always inlined: the process is suspended in the frame of the user's code.
    #[inline(always)]
    #[track_caller]
    pub(super) fn access<A: Access>(
        &self,
        site: Site,
        access: A,
        orderings: Orderings,
    ) -> A::Output {
        let mut output = MaybeUninit::uninit();
        let to = output.as_mut_ptr();
        let functions = Self::functions::<A>();
        // SAFETY: there is room for the output.
        let Begun { how, at } =
            unsafe { Self::begin::<A>(self, site, &access, orderings, to, functions) };
        match how {
            OVER => {}
            APART => return self.access_apart(site, &access, orderings),
            // SAFETY: `begin` has just returned this, and there is room for the output.
            suspender => unsafe {
                rt::suspend_in_loop([suspender, at]);
                Self::finish::<A>(self, site, &access, orderings, to, functions);
            },
        }
        // SAFETY: the operation is over, so one of the two has written it.
        unsafe { output.assume_init() }
    }

    /// Announces an operation. In a replay, the operation may be over at once, and its output is written to
    /// `to`.
    ///
    /// This and [`finish`](Self::finish) have the calling convention of C: if the operation is in a loop, the
    /// runtime does what they do to registers and to the stack when it interprets the loop, and recognises them by
    /// their last argument.
    ///
    /// # Safety
    ///
    /// There is room for the output.
    #[allow(improper_ctypes_definitions, reason = "only Rust calls it")]
    #[inline(never)]
    unsafe extern "C-unwind" fn begin<A: Access>(
        &self,
        site: Site,
        access: &A,
        orderings: Orderings,
        to: *mut A::Output,
        functions: &'static Functions,
    ) -> Begun {
        if !rt::is_inside() {
            return Begun { how: APART, at: 0 };
        }
        let repeated = rt::with(|rt| {
            rt.repeat_on(&self.object, (access.name(), site), |old| access.effect(old))
        });
        if let Some(old) = repeated {
            // SAFETY: the caller says that there is room.
            unsafe { to.write(access.output(old, access.when().holds(old))) };
            return Begun { how: OVER, at: 0 };
        }
        let is_apart = |rt: &Runtime| {
            rt.is_dead()
                || rt.is_restricted()
                || (access.is_weak() && rt.tuning().spurious_failures)
        };
        if rt::with(|rt| is_apart(rt)) {
            return Begun { how: APART, at: 0 };
        }
        let action = self.action(access, orderings);
        let may_await = rt::with(|rt| rt.may_await(site, action.on.object));
        let Some(suspension) = Operation::new(access.name(), site).action(action).begin() else {
            // SAFETY: the caller says that there is room.
            unsafe { Self::finish::<A>(self, site, access, orderings, to, functions) };
            return Begun { how: OVER, at: 0 };
        };
        let [how, at] = match may_await {
            Some(is_again) => {
                let known = self.iteration(site, access, functions);
                rt::with(|rt| rt.note_await((site, is_again), suspension, known))
            }
            None => suspension.into_words(),
        };
        Begun { how, at }
    }

    /// Returns what the runtime must know to interpret an iteration of a loop.
    fn iteration<A: Access>(
        &self,
        site: Site,
        access: &A,
        functions: &'static Functions,
    ) -> KnownIteration {
        KnownIteration {
            functions,
            yields: rt::yield_here as *const () as usize,
            fence: rt::fence_here as *const () as usize,
            word: std::ptr::from_ref(self) as usize,
            site: std::ptr::from_ref(site) as usize,
            access: std::ptr::from_ref(access).expose_provenance(),
            suspender: 0,
            at: 0,
        }
    }

    /// Returns the functions of an operation.
    #[inline(always)]
    const fn functions<A: Access>() -> &'static Functions {
        const {
            &Functions {
                magic: MAGIC,
                begin: Self::begin::<A> as *const (),
                finish: Self::finish::<A> as *const (),
                size: size_of::<A>(),
                effect: |access, old| {
                    let access = std::ptr::with_exposed_provenance::<A>(access);
                    // SAFETY: it is the address of a copy.
                    unsafe { &*access }.effect(old).1
                },
                output: |access, old, to| {
                    let access = std::ptr::with_exposed_provenance::<A>(access);
                    // SAFETY: as above.
                    let access = unsafe { &*access };
                    let is_small = size_of::<A::Output>() <= to.len();
                    if is_small {
                        let output = access.output(old, access.when().holds(old));
                        // SAFETY: there is room for it.
                        unsafe { to.as_mut_ptr().cast::<A::Output>().write_unaligned(output) };
                    }
                    is_small.then_some(size_of::<A::Output>())
                },
            }
        }
    }

    /// Performs an operation outside of a check, in a destructor of an execution that is being torn down, or
    /// where operations are not allowed as usual; or one that may fail spuriously.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn access_apart<A: Access>(&self, site: Site, access: &A, orderings: Orderings) -> A::Output {
        if !rt::is_inside() {
            return self.access_outside(access);
        }
        if !rt::alive() {
            return self.access_dying(access);
        }
        let action = self.action(access, orderings);
        let operation = Operation::new(access.name(), site);
        let is_weak = access.is_weak() && rt::with(|rt| rt.tuning().spurious_failures);
        let turn = match access.when() {
            When::Equals(expected) if is_weak => {
                let spurious = Spurious { object: action.on.object, expected };
                operation.action(action.ways(Ways::MayFail)).decided_by(&spurious).turn_here()
            }
            _ => operation.action(action).turn_here(),
        };
        match turn {
            Some(choice) => self.perform(site, access, action, choice == 0),
            None => self.access_dying(access),
        }
    }

    #[inline]
    fn action<A: Access>(&self, access: &A, orderings: Orderings) -> Action {
        let action = Action::new(A::OP, Location::whole(self.id())).when(access.when());
        let Orderings { success, failure } = orderings;
        Action { ordering: Some(success), failure_ordering: failure, ..action }
    }

    /// Performs an operation whose turn it is, and writes its output to `to`.
    ///
    /// # Safety
    ///
    /// There is room for the output.
    #[allow(improper_ctypes_definitions, reason = "only Rust calls it")]
    #[inline(never)]
    unsafe extern "C-unwind" fn finish<A: Access>(
        &self,
        site: Site,
        access: &A,
        orderings: Orderings,
        to: *mut A::Output,
        _functions: &'static Functions,
    ) {
        let output = match rt::turn_taken() {
            Some(_) => self.perform(site, access, self.action(access, orderings), true),
            None => self.access_dying(access),
        };
        // SAFETY: the caller says that there is room.
        unsafe { to.write(output) };
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
            return self.access_dying(&Load { from_bits: |bits| bits });
        }
        let object = self.id();
        let action = Action::new(Op::Read, Location::whole(object)).plain();
        if Operation::new("unsync_load", site).action(action).turn().is_none() {
            return self.access_dying(&Load { from_bits: |bits| bits });
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
}

/// The operation is over, and its output has been written.
const OVER: usize = 0;
/// The operation is not performed as usual: see [`Word::access_apart`].
const APART: usize = 1;

/// An operation that has been begun.
#[repr(C)]
struct Begun {
    /// [`OVER`] or [`APART`], or else the operation waits for its turn, and these two are what
    /// [`rt::suspend_in_loop`] needs.
    how: usize,
    at: usize,
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
