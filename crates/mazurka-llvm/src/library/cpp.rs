//! C++: what the compiler calls when something is thrown, or when all is lost.
//!
//! What exceptions are made of, and the classes that the library has, is in IR
//! (`runtime/exceptions.c`).

use mazurka_core::verdict::ViolationKind;

use crate::bytecode::own_words::CAUGHT;
use crate::machine::Thrown;
use crate::machine::{Call, Run, Stop};

/// `std::ios_base::width(std::streamsize)`
pub(super) const SET_WIDTH: &str = "_ZNSt8ios_base5widthEl";

/// Where `std::ios_base` has the width.
const WIDTH: u64 = 16;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[
    ("__mazurka_unwind", |call| {
        Err(Stop::Throw(Thrown {
            thrown: call.pointer(0),
            ty: call.pointer(1),
            object: call.pointer(2),
        }))
    }),
    ("__mazurka_caught", |call| {
        let word = call.own_word(CAUGHT);
        let caught = call.read(word, 8)?;
        if call.int(0) & 1 != 0 {
            call.write(word, 8, 0)?;
        }
        call.give(caught);
        Ok(())
    }),
    ("__cxa_pure_virtual", |call| Err(ends(call, "a pure virtual function is called"))),
    ("__cxa_deleted_virtual", |call| Err(ends(call, "a deleted virtual function is called"))),
    ("_ZSt9terminatev", |call| Err(ends(call, "`std::terminate` is called"))),
    (SET_WIDTH, set_width),
    ("__mazurka_freeze", |call| {
        call.machine.memory.freeze(call.pointer(0));
        Ok(())
    }),
    // The allocator of strings, which the library instantiates: there is nothing to it.
    ("_ZNSaIcEC1Ev", nothing),
    ("_ZNSaIcEC2Ev", nothing),
    ("_ZNSaIcEC1ERKS_", nothing),
    ("_ZNSaIcEC2ERKS_", nothing),
    ("_ZNSaIcED1Ev", nothing),
    ("_ZNSaIcED2Ev", nothing),
    // What libstdc++ and programs tell ThreadSanitizer about locks.
    ("__tsan_mutex_create", nothing),
    ("__tsan_mutex_destroy", nothing),
    ("__tsan_mutex_pre_lock", nothing),
    ("__tsan_mutex_post_lock", nothing),
    ("__tsan_mutex_pre_unlock", |call| {
        call.give_int(0);
        Ok(())
    }),
    ("__tsan_mutex_post_unlock", nothing),
    ("__tsan_mutex_pre_signal", nothing),
    ("__tsan_mutex_post_signal", nothing),
    ("__tsan_mutex_pre_divert", nothing),
    ("__tsan_mutex_post_divert", nothing),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", |call| {
        let text = call.c_string(call.pointer(3))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Err(call.violation(ViolationKind::Assertion, format!("assertion `{text}` failed")))
    }),
];

fn nothing(_: &mut Call<'_>) -> Result<(), Stop> {
    Ok(())
}

/// Sets the width of a stream. Every output sets it to 0. If it is 0 already, nothing is written, so
/// that threads that print to `std::cout` do not race.
fn set_width(call: &mut Call<'_>) -> Result<(), Stop> {
    let width = call.pointer(0).wrapping_add(WIDTH);
    let before = call.read(width, 8)?;
    if before != call.int(1) {
        call.write(width, 8, call.int(1))?;
    }
    call.give(before);
    Ok(())
}

fn ends(call: &Call<'_>, message: &str) -> Stop {
    call.violation(ViolationKind::Abort, message)
}
