//! Of which release a module is.

use crate::beam::{Container, LAST_OPCODE};
use crate::term::{Atoms, Heap, Term, decode_etf};

/// The compilers of the releases that the interpreter is made for, Erlang/OTP 22 to 27, as modules
/// name them.
const COMPILERS: [&str; 10] =
    ["7.4", "7.5", "7.6", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5", "8.6"];

/// Makes sure that the module was compiled by a release that the interpreter is made for.
pub(super) fn check_release(
    heap: &mut Heap,
    atoms: &mut Atoms,
    container: &Container,
) -> Result<(), String> {
    let info = decode_etf(heap, atoms, &container.compile_info).unwrap_or(Term::NIL);
    let version = atoms.intern("version");
    let mut found = None;
    heap.walk(info, |entry| {
        if let Some([key, value]) = heap.tuple_of::<2>(entry)
            && key.is_atom(version)
        {
            let chars = heap.elements_of_list(value).unwrap_or_default();
            let text = chars.iter().filter_map(|c| c.as_small());
            found = Some(text.filter_map(|c| char::from_u32(c as u32)).collect::<String>());
        }
    });
    let is_known = |version: &str| {
        let rests = COMPILERS.iter().filter_map(|compiler| version.strip_prefix(compiler));
        rests.into_iter().any(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match found {
        Some(version) if is_known(&version) => {}
        Some(version) => {
            return Err(format!(
                "it was compiled by version {version} of the compiler ({}); Mazurka runs modules \
                 of Erlang/OTP 22 to 27: compile it with the `erlc` of one of these releases",
                release(&version)
            ));
        }
        None if container.last_opcode > LAST_OPCODE => {
            return Err("it was compiled by a later release than Erlang/OTP 27: compile it with \
                        the `erlc` of Erlang/OTP 22 to 27"
                .into());
        }
        // Compiled without saying by what: the instructions will show.
        None => {}
    }
    Ok(())
}

/// Of which release a version of the compiler is part.
fn release(version: &str) -> &'static str {
    let starts = |prefix: &str| version.starts_with(prefix);
    match () {
        () if starts("9.") => "Erlang/OTP 28 or later",
        () => "another release",
    }
}
