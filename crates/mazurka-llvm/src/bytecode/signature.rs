//! The types of functions and of calls, as far as both sides must agree on them.
//!
//! A call through a pointer of another type than the function has is undefined. LLVM IR does not tell
//! apart pointers to different types, nor signed and unsigned integers, so neither does a signature.

use std::fmt;

/// A number or a pointer that is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part {
    /// An integer of so many bits.
    Int(u32),
    Float,
    Double,
    LongDouble,
    Pointer,
    /// A copy of so many bytes.
    Copy(u32),
}

/// Whether a call or a function has arguments besides the named ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Further {
    No,
    /// It is variadic.
    Yes,
    /// The type of the call is variadic and names all arguments: so does clang for a call without a
    /// prototype, whose callee need not be variadic.
    Perhaps,
}

/// What a function takes and returns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signature {
    /// Empty for `void`.
    pub(crate) result: Vec<Part>,
    pub(crate) parameters: Vec<Vec<Part>>,
    pub(crate) further: Further,
}

impl Signature {
    /// Returns whether a call of this signature may call a function of another one.
    pub(crate) fn may_call(&self, callee: &Signature) -> bool {
        let is_variadic = callee.further == Further::Yes;
        self.result == callee.result
            && match self.further {
                Further::No => !is_variadic && self.parameters == callee.parameters,
                Further::Yes => is_variadic && self.parameters == callee.parameters,
                // C programs call functions without parameters and a prototype with arguments.
                Further::Perhaps => self.parameters.starts_with(&callee.parameters),
            }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Int(1) => f.write_str("bool"),
            Part::Int(bits) => write!(f, "int{bits}"),
            Part::Float => f.write_str("float"),
            Part::Double => f.write_str("double"),
            Part::LongDouble => f.write_str("long double"),
            Part::Pointer => f.write_str("pointer"),
            Part::Copy(bytes) => write!(f, "struct of {bytes} bytes"),
        }
    }
}

/// Writes a result or a parameter.
fn write_parts(f: &mut fmt::Formatter<'_>, parts: &[Part]) -> fmt::Result {
    match parts {
        [] => f.write_str("void"),
        [part] => write!(f, "{part}"),
        parts => {
            f.write_str("{")?;
            for (i, part) in parts.iter().enumerate() {
                write!(f, "{}{part}", if i > 0 { ", " } else { "" })?;
            }
            f.write_str("}")
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_parts(f, &self.result)?;
        f.write_str(" (")?;
        for (i, parameter) in self.parameters.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            write_parts(f, parameter)?;
        }
        match (self.further, self.parameters.is_empty()) {
            (Further::Yes, false) => f.write_str(", ...")?,
            (Further::Yes, true) => f.write_str("...")?,
            (_, true) => f.write_str("void")?,
            _ => {}
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(result: &[Part], parameters: &[Part], further: Further) -> Signature {
        let parameters = parameters.iter().map(|part| vec![*part]).collect();
        Signature { result: result.to_vec(), parameters, further }
    }

    #[test]
    fn calls_without_a_prototype_may_call_what_their_arguments_fit() {
        let one = signature(&[Part::Int(32)], &[Part::Pointer], Further::No);
        let two = signature(&[Part::Int(32)], &[Part::Pointer, Part::Int(64)], Further::No);
        assert!(one.may_call(&one) && !one.may_call(&two) && !two.may_call(&one));
        let variadic = Signature { further: Further::Yes, ..one.clone() };
        assert!(!one.may_call(&variadic) && !variadic.may_call(&one));
        let unprototyped = Signature { further: Further::Perhaps, ..one.clone() };
        assert!(unprototyped.may_call(&one) && unprototyped.may_call(&variadic));
        assert!(!unprototyped.may_call(&two));
    }

    #[test]
    fn signatures_are_shown_as_in_c() {
        let parts = [Part::Pointer, Part::Copy(40), Part::Int(1)];
        assert_eq!(
            signature(&[], &parts, Further::Yes).to_string(),
            "void (pointer, struct of 40 bytes, bool, ...)"
        );
        assert_eq!(signature(&[Part::Double], &[], Further::No).to_string(), "double (void)");
    }
}
