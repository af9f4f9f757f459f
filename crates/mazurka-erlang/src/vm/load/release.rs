//! Of which release a module is.

use crate::beam::{Container, LAST_OPCODE};
use crate::term::{Atoms, Heap, Term, decode_etf};

/// The compiler of the pinned release, as modules name it.
const COMPILER: &str = "8.2";

/// Makes sure that the module was compiled by the release that the interpreter is made for.
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
    let is_pinned = |version: &str| {
        version.strip_prefix(COMPILER).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    match found {
        Some(version) if is_pinned(&version) => {}
        Some(version) => {
            return Err(format!(
                "it was compiled by version {version} of the compiler ({}); Mazurka runs modules \
                 of Erlang/OTP 25 (compiler {COMPILER}): compile it with the `erlc` of that release",
                release(&version)
            ));
        }
        None if container.last_opcode > LAST_OPCODE => {
            return Err("it was compiled by a later release than Erlang/OTP 25: compile it with \
                        the `erlc` of that release"
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
        () if starts("7.5") || starts("7.6") => "Erlang/OTP 22 or 23",
        () if starts("8.0") || starts("8.1") => "Erlang/OTP 24",
        () if starts("8.3") || starts("8.4") => "Erlang/OTP 26",
        () if starts("8.5") || starts("8.6") => "Erlang/OTP 27",
        () if starts("9.") => "Erlang/OTP 28 or later",
        () => "another release",
    }
}
