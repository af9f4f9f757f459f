//! The table of built-in functions.

use super::code::Mfa;
use super::resolve::Natives;
use super::{Out, Vm};
use crate::bif;
use crate::term::{Atoms, Term};

/// A built-in function.
pub(crate) type Native = fn(&mut Vm, &[Term]) -> Out;

/// Name, arity and code of a function.
pub(crate) type Entry = (&'static str, u32, Native);

/// All of them.
pub(super) fn all(atoms: &mut Atoms) -> Natives {
    let mut natives = Natives::new();
    for (module, entries) in bif::MODULES {
        let module = atoms.intern(module);
        for (name, arity, native) in *entries {
            let name = atoms.intern(name);
            natives.insert(Mfa::new(module, name, *arity), *native);
        }
    }
    natives
}
