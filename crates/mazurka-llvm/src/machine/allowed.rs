//! Undefined behaviour that the user allows.

/// A kind of undefined behaviour that can be allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// A branch, an address or output that depends on a value that was never written.
    Uninitialised,
    /// Arithmetic on signed integers whose result does not fit. If it is allowed, it wraps around.
    SignedOverflow,
    /// A shift by a negative number or by at least the width of the value.
    Shift,
    /// A conversion from a floating-point number to an integer type that cannot represent it.
    FloatConversion,
    /// An access to memory whose address is not a multiple of the alignment of its type.
    Alignment,
    /// A call of `memcpy`, `strcpy`, `sprintf` or their like whose source and target overlap.
    Overlap,
    /// Memory of `new[]` that is freed by `delete` or `free`, and other pairs that do not match.
    MismatchedFree,
    /// A call of a function through a pointer of another type.
    FunctionType,
    /// A null pointer that `printf` prints as a string. If it is allowed, the output is `(null)`.
    NullString,
}

impl Undefined {
    /// All kinds, with the names that users give.
    pub const ALL: [(&'static str, Undefined); 9] = [
        ("uninitialised", Undefined::Uninitialised),
        ("signed-overflow", Undefined::SignedOverflow),
        ("shift", Undefined::Shift),
        ("float-conversion", Undefined::FloatConversion),
        ("alignment", Undefined::Alignment),
        ("overlap", Undefined::Overlap),
        ("mismatched-free", Undefined::MismatchedFree),
        ("function-type", Undefined::FunctionType),
        ("null-string", Undefined::NullString),
    ];
}

/// Kinds of undefined behaviour that are no violations.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Allowed(u16);

impl Allowed {
    /// Adds a kind.
    #[must_use]
    pub fn and(self, kind: Undefined) -> Allowed {
        Allowed(self.0 | 1 << kind as u16)
    }

    /// Adds the kinds of another set.
    #[must_use]
    pub fn union(self, other: Allowed) -> Allowed {
        Allowed(self.0 | other.0)
    }

    /// Returns whether a kind is allowed.
    #[must_use]
    pub fn contains(self, kind: Undefined) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}
