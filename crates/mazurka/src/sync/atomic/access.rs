//! What atomic operations do, each stated once.

use mazurka_core::model::{Op, When};

/// An operation on a word.
///
/// It takes effect if its condition holds; otherwise it only reads.
pub(super) trait Access {
    /// What the operation does if it takes effect.
    const OP: Op;
    /// What the caller learns.
    type Output;

    /// Returns the name of the method.
    fn name(&self) -> &'static str;

    /// Returns the condition under which the operation takes effect.
    #[inline]
    fn when(&self) -> When {
        When::Always
    }

    /// Returns whether the operation may fail although its condition holds.
    #[inline]
    fn is_weak(&self) -> bool {
        false
    }

    /// Returns the new value, if the operation takes effect.
    fn new_value(&self, old: u64) -> u64;

    /// Returns what the caller learns: `took_effect` says whether the operation did. The runtime does this
    /// for the caller, whose code need not look at the value.
    fn output(&self, old: u64, took_effect: bool) -> Self::Output;

    /// Describes the arguments and the result for a report, with `show` for values:
    /// `(2) → 1`.
    fn describe(&self, old: u64, took_effect: bool, show: fn(u64) -> String) -> String;

    /// Returns what the operation does to a word that holds `old`, and the new value.
    #[inline]
    fn effect(&self, old: u64) -> (Op, u64) {
        match self.when().holds(old) {
            true => (Self::OP, self.new_value(old)),
            false => (Op::Read, old),
        }
    }
}

/// `load`. What the caller learns is made of the bits by `from_bits`, as for the operations below.
#[derive(Clone, Copy)]
pub(super) struct Load<R> {
    pub(super) from_bits: R,
}

impl<T, R: Fn(u64) -> T> Access for Load<R> {
    const OP: Op = Op::Read;
    type Output = T;

    fn name(&self) -> &'static str {
        "load"
    }

    #[inline]
    fn new_value(&self, old: u64) -> u64 {
        old
    }

    #[inline]
    fn output(&self, old: u64, _took_effect: bool) -> T {
        (self.from_bits)(old)
    }

    fn describe(&self, old: u64, _took_effect: bool, show: fn(u64) -> String) -> String {
        format!("() → {}", show(old))
    }
}

/// `store`.
#[derive(Clone, Copy)]
pub(super) struct Store(pub(super) u64);

impl Access for Store {
    const OP: Op = Op::Write;
    type Output = ();

    fn name(&self) -> &'static str {
        "store"
    }

    #[inline]
    fn new_value(&self, _old: u64) -> u64 {
        self.0
    }

    #[inline]
    fn output(&self, _old: u64, _took_effect: bool) {}

    fn describe(&self, _old: u64, _took_effect: bool, show: fn(u64) -> String) -> String {
        format!("({})", show(self.0))
    }
}

/// A read-modify-write that always takes effect. `operand` is for reports only.
#[derive(Clone, Copy)]
pub(super) struct Update<F, R> {
    pub(super) name: &'static str,
    pub(super) operand: u64,
    pub(super) change: F,
    pub(super) from_bits: R,
}

impl<T, F: Fn(u64) -> u64, R: Fn(u64) -> T> Access for Update<F, R> {
    const OP: Op = Op::Update;
    type Output = T;

    fn name(&self) -> &'static str {
        self.name
    }

    #[inline]
    fn new_value(&self, old: u64) -> u64 {
        (self.change)(old)
    }

    #[inline]
    fn output(&self, old: u64, _took_effect: bool) -> T {
        (self.from_bits)(old)
    }

    fn describe(&self, old: u64, _took_effect: bool, show: fn(u64) -> String) -> String {
        format!("({}) → {}", show(self.operand), show(old))
    }
}

/// A compare-exchange.
#[derive(Clone, Copy)]
pub(super) struct Exchange<R> {
    pub(super) name: &'static str,
    pub(super) expected: u64,
    pub(super) new: u64,
    pub(super) is_weak: bool,
    pub(super) from_bits: R,
}

impl<T, R: Fn(u64) -> T> Access for Exchange<R> {
    const OP: Op = Op::Update;
    type Output = Result<T, T>;

    fn name(&self) -> &'static str {
        self.name
    }

    #[inline]
    fn when(&self) -> When {
        When::Equals(self.expected)
    }

    #[inline]
    fn is_weak(&self) -> bool {
        self.is_weak
    }

    #[inline]
    fn new_value(&self, _old: u64) -> u64 {
        self.new
    }

    #[inline]
    fn output(&self, old: u64, took_effect: bool) -> Result<T, T> {
        let old = (self.from_bits)(old);
        if took_effect { Ok(old) } else { Err(old) }
    }

    fn describe(&self, old: u64, took_effect: bool, show: fn(u64) -> String) -> String {
        let outcome = match took_effect {
            true => format!("Ok({})", show(old)),
            false if old == self.expected => format!("Err({}), spuriously", show(old)),
            false => format!("Err({})", show(old)),
        };
        format!("({}, {}) → {outcome}", show(self.expected), show(self.new))
    }
}
