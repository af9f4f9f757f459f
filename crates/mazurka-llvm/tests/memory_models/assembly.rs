//! Inline assembly that is a fence.

use mazurka_core::memory::MemoryModel::{Pso, Ra, Rc11, Tso};

use super::{VARIABLES, counts, fails_under, threads, verdict};

/// Returns inline assembly that also keeps the compiler from moving memory accesses.
fn assembly(text: &str) -> String {
    format!("__asm__ volatile(\"{text}\" ::: \"memory\", \"cc\");")
}

#[test]
fn full_fences() {
    for text in ["mfence", "lock; addl $0, (%%rsp)", "dmb ish", "dsb sy", "fence rw, rw", "sync"] {
        let fence = assembly(text);
        let first = format!("ST(x, 1, relaxed); {fence} a = LD(y, relaxed);");
        let second = format!("ST(y, 1, relaxed); {fence} b = LD(x, relaxed);");
        fails_under(&threads(VARIABLES, &[&first, &second], "assert(a || b);"), &[Ra]);
    }
}

#[test]
fn weaker_fences_let_loads_overtake_stores() {
    for text in ["", "sfence", "lfence", "dmb ishst", "dmb ishld", "lwsync", "fence rw, w", "isb"] {
        let fence = assembly(text);
        let first = format!("ST(x, 1, relaxed); {fence} a = LD(y, relaxed);");
        let second = format!("ST(y, 1, relaxed); {fence} b = LD(x, relaxed);");
        let text = threads(VARIABLES, &[&first, &second], "assert(a || b);");
        fails_under(&text, &[Tso, Pso, Ra, Rc11]);
    }
}

#[test]
fn message_passing_needs_fences_on_both_sides() {
    let program = |store: &str, load: &str| {
        let (store, load) = (assembly(store), assembly(load));
        let writer = format!("ST(x, 1, relaxed); {store} ST(y, 1, relaxed);");
        let reader = format!("a = LD(y, relaxed); {load} b = LD(x, relaxed);");
        threads(VARIABLES, &[&writer, &reader], "assert(!a || b);")
    };
    for (store, load) in
        [("sfence", "lfence"), ("dmb ishst", "dmb ishld"), ("fence w, w", "fence r, r")]
    {
        fails_under(&program(store, load), &[]);
        fails_under(&program(store, ""), &[Ra, Rc11]);
        fails_under(&program("", load), &[Pso, Ra, Rc11]);
    }
}

/// A locked instruction is a full fence on x86, whatever memory it is about.
#[test]
fn locked_instructions_are_full_fences() {
    for text in [
        "xchgl %0, %1",
        "lock; xaddl %0, %1",
        "lock; cmpxchgl %0, %1",
        "lock; orl %0, %1",
        "lock; btsl %0, %1",
        "lock; negl %1",
    ] {
        let fence = |memory: &str| {
            format!(
                "{{ int v = 1; __asm__ volatile(\"{text}\" : \"+r\"(v), \"+m\"({memory}) :: \
                 \"memory\", \"cc\", \"rax\"); }}"
            )
        };
        let globals = format!("int p, q;\n{VARIABLES}");
        let first = format!("ST(x, 1, relaxed); {} a = LD(y, relaxed);", fence("p"));
        let second = format!("ST(y, 1, relaxed); {} b = LD(x, relaxed);", fence("q"));
        fails_under(&threads(&globals, &[&first, &second], "assert(a || b);"), &[Ra]);
    }
}

/// A loop around a locked instruction waits for the value with which it ends, as one around an exchange of
/// C11 does. The fences do not make its iterations executions of their own.
#[test]
fn a_spin_lock_by_a_locked_instruction_is_an_await() {
    let program = |lock: &str, unlock: &str| {
        let globals = format!("atomic_int held; int inside;\n{VARIABLES}");
        let body = format!("{lock} assert(inside == 0); inside = 1; inside = 0; {unlock}");
        threads(&globals, &[&body, &body, &body], "")
    };
    let by_assembly = program(
        "{ int v; do { v = 1; __asm__ volatile(\"xchgl %0, %1\" : \"+r\"(v), \"+m\"(held) :: \
         \"memory\"); } while (v); }",
        "__asm__ volatile(\"movl %1, %0\" : \"=m\"(held) : \"r\"(0) : \"memory\");",
    );
    let by_c11 = program("while (atomic_exchange(&held, 1)) ;", "ST(held, 0, release);");
    counts(&by_assembly, [6; 5]);
    counts(&by_c11, [6; 5]);
    assert_eq!(verdict(&by_assembly, Rc11).blocked, verdict(&by_c11, Rc11).blocked);
}
