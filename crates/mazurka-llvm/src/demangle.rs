//! C++ symbols as the source has them.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

/// What a symbol is called in the source: `bank::pay(int)` for `_ZN4bank3payEi`. Names of C are theirs
/// already.
pub(crate) fn demangled(symbol: &str) -> Cow<'_, str> {
    let name = match symbol.starts_with("_Z") {
        true => Symbol::new(symbol.as_bytes()).ok(),
        false => None,
    };
    let options = DemangleOptions::new().hide_expression_literal_types();
    match name.and_then(|name| name.demangle_with_options(&options).ok()) {
        Some(name) => Cow::Owned(in_words(name)),
        None => Cow::Borrowed(symbol),
    }
}

/// More letters than these of what the compiler has made for a class say nothing to anybody.
const MOST_OF_CLASS: usize = 40;

/// `vtable for T` instead of `{vtable(T)}`, as everybody else has it. If `T` is long, what it is a
/// template of is left out.
fn in_words(name: String) -> String {
    let inner = name.strip_prefix('{').and_then(|rest| rest.strip_suffix(")}"));
    match inner.and_then(|inner| inner.split_once('(')) {
        Some((kind, of)) => match of.split_once('<') {
            Some((template, _)) if of.len() > MOST_OF_CLASS => format!("{kind} for {template}<…>"),
            _ => format!("{kind} for {of}"),
        },
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_told_as_in_the_source() {
        for (symbol, name) in [
            ("_ZN4bank3payEi", "bank::pay(int)"),
            ("_ZN7counter5totalE", "counter::total"),
            (
                "_ZNSt6vectorIiSaIiEE9push_backERKi",
                "std::vector<int, std::allocator<int> >::push_back(int const&)",
            ),
            ("_ZTV6Square", "vtable for Square"),
            ("_ZTI6Square", "typeinfo for Square"),
            ("_ZTV5QueueIiE", "vtable for Queue<int>"),
            (
                "_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFvvEEEEEEE",
                "vtable for std::thread::_State_impl<…>",
            ),
        ] {
            assert_eq!(demangled(symbol), name);
        }
    }

    #[test]
    fn other_names_are_left_as_they_are() {
        for name in ["main", "pthread_create", "_Z", "_ZN4ban", "_exit", ""] {
            assert_eq!(demangled(name), name);
        }
    }
}
