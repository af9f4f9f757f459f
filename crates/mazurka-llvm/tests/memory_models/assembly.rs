//! Inline assembly that is only a fence.

use mazurka_core::memory::MemoryModel::{Pso, Ra, Rc11, Tso};

use super::{VARIABLES, fails_under, threads};

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
