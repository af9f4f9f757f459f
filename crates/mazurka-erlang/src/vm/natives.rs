//! The types of built-in functions.
//!
//! The virtual machine does not know which functions are built in: its creator passes a table, so
//! that `bif` depends on `vm` and not the other way round.

use std::collections::HashMap;

use super::code::Mfa;
use super::{Out, Vm};
use crate::term::{Atoms, Term};

/// The code of a built-in function.
pub(crate) type Native = fn(&mut Vm, &[Term]) -> Out;

/// The name, the arity and the code of a built-in function.
pub(crate) type Entry = (&'static str, u32, Native);

/// The built-in functions of modules. A module may occur several times.
pub(crate) type Library = &'static [(&'static str, &'static [Entry])];

/// Built-in functions by their names.
pub(super) type Natives = HashMap<Mfa, Native>;

/// Returns the functions of a library by their names.
pub(super) fn index(library: Library, atoms: &mut Atoms) -> Natives {
    let mut natives = Natives::new();
    for (module, entries) in library {
        let module = atoms.intern(module);
        for (name, arity, native) in *entries {
            let name = atoms.intern(name);
            natives.insert(Mfa::new(module, name, *arity), *native);
        }
    }
    natives
}
