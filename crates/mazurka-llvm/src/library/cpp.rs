//! C++: exceptions, which end the program here, and what the compiler calls when all is lost.

use mazurka_core::verdict::ViolationKind;

use super::format::{Source, format};
use super::{Call, Run, Stop};

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("__cxa_allocate_exception", |call| {
        let object = call.allocate(call.int(0).max(16), true);
        call.give(object);
        Ok(())
    }),
    ("__cxa_free_exception", |call| call.free(call.pointer(0))),
    ("__cxa_throw", throw),
    ("__cxa_rethrow", |call| Err(thrown(call, "the exception that was caught"))),
    ("_Unwind_Resume", |call| Err(thrown(call, "an exception"))),
    ("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", |call| {
        Err(thrown(call, "the exception that was kept"))
    }),
    ("__cxa_bad_cast", |call| Err(thrown(call, "`std::bad_cast`"))),
    ("__cxa_bad_typeid", |call| Err(thrown(call, "`std::bad_typeid`"))),
    ("__cxa_throw_bad_array_new_length", |call| Err(thrown(call, "`std::bad_array_new_length`"))),
    ("__cxa_pure_virtual", |call| Err(ends(call, "a pure virtual function is called"))),
    ("__cxa_deleted_virtual", |call| Err(ends(call, "a deleted virtual function is called"))),
    ("_ZSt9terminatev", |call| Err(ends(call, "`std::terminate` is called"))),
    ("_ZSt18uncaught_exceptionv", none_uncaught),
    ("_ZSt19uncaught_exceptionsv", none_uncaught),
    // The allocator of strings, which the library instantiates: there is nothing to it.
    ("_ZNSaIcEC1Ev", nothing),
    ("_ZNSaIcEC2Ev", nothing),
    ("_ZNSaIcEC1ERKS_", nothing),
    ("_ZNSaIcEC2ERKS_", nothing),
    ("_ZNSaIcED1Ev", nothing),
    ("_ZNSaIcED2Ev", nothing),
    // Constructors of the exceptions of the library: they keep where their text is.
    ("_ZNSt13runtime_errorC1EPKc", keep_text),
    ("_ZNSt11logic_errorC1EPKc", keep_text),
    ("_ZNSt12out_of_rangeC1EPKc", keep_text),
    ("_ZNSt12length_errorC1EPKc", keep_text),
    ("_ZNSt12domain_errorC1EPKc", keep_text),
    ("_ZNSt11range_errorC1EPKc", keep_text),
    ("_ZNSt14overflow_errorC1EPKc", keep_text),
    ("_ZNSt15underflow_errorC1EPKc", keep_text),
    ("_ZNSt16invalid_argumentC1EPKc", keep_text),
    ("_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", keep_string),
    ("_ZNSt11logic_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", keep_string),
    ("_ZNSt12out_of_rangeC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", keep_string),
    (
        "_ZNSt16invalid_argumentC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
        keep_string,
    ),
    // What the headers call to throw.
    ("_ZSt17__throw_bad_allocv", |call| Err(thrown(call, "`std::bad_alloc`"))),
    ("_ZSt28__throw_bad_array_new_lengthv", |call| {
        Err(thrown(call, "`std::bad_array_new_length`"))
    }),
    ("_ZSt25__throw_bad_function_callv", |call| Err(thrown(call, "`std::bad_function_call`"))),
    ("_ZSt16__throw_bad_castv", |call| Err(thrown(call, "`std::bad_cast`"))),
    ("_ZSt19__throw_logic_errorPKc", |call| Err(with_text(call, "std::logic_error"))),
    ("_ZSt20__throw_length_errorPKc", |call| Err(with_text(call, "std::length_error"))),
    ("_ZSt20__throw_out_of_rangePKc", |call| Err(with_text(call, "std::out_of_range"))),
    ("_ZSt20__throw_domain_errorPKc", |call| Err(with_text(call, "std::domain_error"))),
    ("_ZSt21__throw_runtime_errorPKc", |call| Err(with_text(call, "std::runtime_error"))),
    ("_ZSt24__throw_invalid_argumentPKc", |call| Err(with_text(call, "std::invalid_argument"))),
    ("_ZSt22__throw_overflow_errorPKc", |call| Err(with_text(call, "std::overflow_error"))),
    ("_ZSt19__throw_ios_failurePKc", |call| Err(with_text(call, "std::ios_base::failure"))),
    ("_ZSt24__throw_out_of_range_fmtPKcz", |call| {
        let directives = call.c_string(call.pointer(0))?;
        let text = format(call, &directives, &mut Source::Call(1))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Err(thrown(call, &format!("`std::out_of_range`: {text}")))
    }),
    ("_ZSt20__throw_system_errori", |call| {
        let error = super::system::error_name(call.signed(0));
        Err(thrown(call, &format!("`std::system_error`: {error}")))
    }),
    ("_ZSt20__throw_future_errori", |call| Err(thrown(call, "`std::future_error`"))),
    ("_ZSt20__throw_bad_weak_ptrv", |call| Err(thrown(call, "`std::bad_weak_ptr`"))),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", |call| {
        let text = text(call, call.pointer(3))?;
        Err(ends(call, &format!("assertion `{text}` failed")))
    }),
];

fn nothing(_: &mut Call<'_>) -> Result<(), Stop> {
    Ok(())
}

fn none_uncaught(call: &mut Call<'_>) -> Result<(), Stop> {
    call.give(0);
    Ok(())
}

fn ends(call: &Call<'_>, message: &str) -> Stop {
    call.violation(ViolationKind::Panic, message)
}

/// Exceptions are not followed to where they are caught. One that nobody catches ends the program;
/// of another one there is nothing to say.
fn thrown(call: &Call<'_>, what: &str) -> Stop {
    if is_caught(call) {
        let message = format!(
            "the program throws {what}, which it may catch: exceptions are not supported, \
             so what happens then cannot be checked"
        );
        return call.violation(ViolationKind::Unsupported, message);
    }
    ends(call, &format!("the program throws {what}, and nobody catches it"))
}

/// Whether a call on the stack has a handler around it. A frame starts with where its caller goes
/// on, and where the caller's frame starts.
fn is_caught(call: &Call<'_>) -> bool {
    let caught = &call.machine.code.caught;
    let thread = &call.machine.threads[call.thread];
    let mut base = thread.state.base;
    let mut found = caught.contains(&call.machine.pc);
    while base != 0 && !found {
        let header = thread.stack[base as usize];
        let back = header as u32;
        // A library function that calls back is returned to; all else, to what is behind the call.
        found = caught.contains(&back) || caught.contains(&back.wrapping_sub(1));
        base = (header >> 32) as u32;
    }
    found
}

fn text(call: &mut Call<'_>, address: u64) -> Result<String, Stop> {
    Ok(String::from_utf8_lossy(&call.c_string(address)?).into_owned())
}

fn with_text(call: &mut Call<'_>, name: &str) -> Stop {
    match text(call, call.pointer(0)) {
        Ok(text) => thrown(call, &format!("`{name}`: {text}")),
        Err(stop) => stop,
    }
}

/// Where an exception of the library keeps the address of its text.
const TEXT: u64 = 8;

fn keep_text(call: &mut Call<'_>) -> Result<(), Stop> {
    call.write(call.pointer(0).wrapping_add(TEXT), 8, call.pointer(1))
}

fn keep_string(call: &mut Call<'_>) -> Result<(), Stop> {
    let characters = call.read(call.pointer(1), 8)?;
    call.write(call.pointer(0).wrapping_add(TEXT), 8, characters)
}

fn throw(call: &mut Call<'_>) -> Result<(), Stop> {
    let (object, description) = (call.pointer(0), call.pointer(1));
    // A description of a type is a virtual table, and the mangled name.
    let name = call.read(description.wrapping_add(8), 8)?;
    let name = type_name(&text(call, name)?);
    let mut message = format!("`{name}`");
    if name.starts_with("std::") && call.size_of(object).is_some_and(|size| size >= 16) {
        let kept = call.read(object.wrapping_add(TEXT), 8)?;
        if kept != 0
            && let Ok(text) = text(call, kept)
        {
            message = format!("{message}: {text}");
        }
    }
    Err(thrown(call, &message))
}

/// The name of a type, from the mangled one, where that is simple.
fn type_name(mangled: &str) -> String {
    let basic = match mangled {
        "i" => "int",
        "j" => "unsigned int",
        "l" => "long",
        "m" => "unsigned long",
        "c" => "char",
        "b" => "bool",
        "d" => "double",
        "f" => "float",
        "PKc" => "const char *",
        "Pc" => "char *",
        _ => "",
    };
    if !basic.is_empty() {
        return basic.to_owned();
    }
    let mut rest = mangled.trim_start_matches('*').trim_start_matches('N');
    let mut parts = Vec::new();
    if let Some(behind) = rest.strip_prefix("St") {
        parts.push("std");
        rest = behind;
    }
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(len) = rest[..digits].parse::<usize>() else { break };
        let Some(part) = rest.get(digits..digits + len) else { break };
        parts.push(part);
        rest = &rest[digits + len..];
    }
    match parts.is_empty() || !matches!(rest, "" | "E") {
        true => mangled.to_owned(),
        false => parts.join("::"),
    }
}

#[cfg(test)]
mod tests {
    use super::type_name;

    #[test]
    fn names_of_types() {
        assert_eq!(type_name("i"), "int");
        assert_eq!(type_name("St13runtime_error"), "std::runtime_error");
        assert_eq!(type_name("7MyError"), "MyError");
        assert_eq!(type_name("N3lib5outer7MyErrorE"), "lib::outer::MyError");
        assert_eq!(type_name("St6vectorIiSaIiEE"), "St6vectorIiSaIiEE");
    }
}
