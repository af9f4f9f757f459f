//! The named litmus tests under every model. Whether an outcome is allowed, and the number of execution
//! graphs, follow from the definitions of the models; the comments count them.

use mazurka_core::memory::MemoryModel::{self, Pso, Ra, Rc11, Sc, Tso};
use mazurka_litmus::{Outcome, Test};

/// Returns whether the outcome that a test asks for is reachable, and the number of execution graphs.
fn run(text: &str, model: MemoryModel) -> (bool, u64) {
    let test: Test = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let outcome = Outcome::of(&test, model);
    let (positive, negative) = outcome.witnesses();
    (positive > 0, positive + negative)
}

/// Returns a test of two locations with these bodies, where `$st` and `$ld` are memory orders.
fn test(name: &str, bodies: &[&str], condition: &str, (store, load): (&str, &str)) -> String {
    let mut text = format!("C {name}\n{{}}\n");
    for (i, body) in bodies.iter().enumerate() {
        let body = body
            .replace("St(", "atomic_store_explicit(")
            .replace("Ld(", "atomic_load_explicit(")
            .replace("$st", &format!("memory_order_{store}"))
            .replace("$ld", &format!("memory_order_{load}"))
            .replace("Fence", "atomic_thread_fence(memory_order_seq_cst)");
        text += &format!("P{i} (atomic_int* x, atomic_int* y) {{ {body} }}\n");
    }
    text + condition
}

const RELAXED: (&str, &str) = ("relaxed", "relaxed");
const ACQ_REL: (&str, &str) = ("release", "acquire");
const SEQ_CST: (&str, &str) = ("seq_cst", "seq_cst");

/// Asserts what each model says of a test.
#[track_caller]
fn expect(text: &str, expected: &[(MemoryModel, bool, u64)]) {
    for (model, allowed, graphs) in expected {
        assert_eq!(run(text, *model), (*allowed, *graphs), "{model}\n{text}");
    }
}

#[test]
fn sb() {
    let bodies = ["St(x, 1, $st); int r = Ld(y, $ld);", "St(y, 1, $st); int r = Ld(x, $ld);"];
    let sb = |orders| test("SB", &bodies, "exists (0:r=0 /\\ 1:r=0)", orders);
    // Each of the two loads reads from one of two writes, and 0/0 is one of four.
    expect(&sb(RELAXED), &[(Sc, false, 3), (Tso, true, 4), (Pso, true, 4), (Rc11, true, 4)]);
    expect(&sb(ACQ_REL), &[(Sc, false, 3), (Tso, true, 4), (Ra, true, 4), (Rc11, true, 4)]);
    expect(&sb(SEQ_CST), &[(Sc, false, 3), (Tso, false, 3), (Ra, true, 4), (Rc11, false, 3)]);
    let fenced =
        ["St(x, 1, $st); Fence; int r = Ld(y, $ld);", "St(y, 1, $st); Fence; int r = Ld(x, $ld);"];
    let fenced = test("SB+fences", &fenced, "exists (0:r=0 /\\ 1:r=0)", RELAXED);
    expect(&fenced, &[(Tso, false, 3), (Pso, false, 3), (Rc11, false, 3), (Ra, true, 4)]);
}

#[test]
fn mp() {
    let bodies =
        ["St(x, 1, relaxed); St(y, 1, $st);", "int r = Ld(y, $ld); int s = Ld(x, relaxed);"];
    let mp = |orders| test("MP", &bodies, "exists (1:r=1 /\\ 1:s=0)", orders);
    expect(&mp(RELAXED), &[(Sc, false, 3), (Tso, false, 3), (Pso, true, 4), (Rc11, true, 4)]);
    expect(&mp(ACQ_REL), &[(Sc, false, 3), (Tso, false, 3), (Pso, false, 3), (Rc11, false, 3)]);
    expect(&mp(("relaxed", "acquire")), &[(Ra, true, 4), (Rc11, true, 4)]);
}

#[test]
fn lb() {
    let bodies = ["int r = Ld(x, $ld); St(y, 1, $st);", "int r = Ld(y, $ld); St(x, 1, $st);"];
    let lb = test("LB", &bodies, "exists (0:r=1 /\\ 1:r=1)", RELAXED);
    // No model here allows cycles of program order and reads-from.
    expect(&lb, &MemoryModel::ALL.map(|model| (model, false, 3)));
}

#[test]
fn two_plus_two_w() {
    let bodies = ["St(x, 1, $st); St(y, 2, $st);", "St(y, 1, $st); St(x, 2, $st);"];
    let test = |orders| test("2+2W", &bodies, "exists ([x]=1 /\\ [y]=1)", orders);
    // Two orders of the writes to each location.
    expect(&test(RELAXED), &[(Sc, false, 3), (Tso, false, 3), (Pso, true, 4), (Rc11, true, 4)]);
    expect(&test(ACQ_REL), &[(Pso, false, 3), (Ra, true, 4), (Rc11, true, 4)]);
    expect(&test(SEQ_CST), &[(Rc11, false, 3), (Ra, true, 4)]);
}

#[test]
fn r() {
    let bodies = ["St(x, 1, $st); St(y, 1, $st);", "St(y, 2, $st); int r = Ld(x, $ld);"];
    let test = |orders| test("R", &bodies, "exists ([y]=2 /\\ 1:r=0)", orders);
    expect(&test(RELAXED), &[(Sc, false, 3), (Tso, true, 4), (Pso, true, 4), (Rc11, true, 4)]);
    expect(&test(SEQ_CST), &[(Tso, false, 3), (Rc11, false, 3)]);
}

#[test]
fn s() {
    let bodies = ["St(x, 2, relaxed); St(y, 1, $st);", "int r = Ld(y, $ld); St(x, 1, relaxed);"];
    let test = |orders| test("S", &bodies, "exists (1:r=1 /\\ [x]=2)", orders);
    expect(&test(RELAXED), &[(Sc, false, 3), (Tso, false, 3), (Pso, true, 4), (Rc11, true, 4)]);
    expect(&test(ACQ_REL), &[(Pso, false, 3), (Ra, false, 3), (Rc11, false, 3)]);
}

#[test]
fn wrc() {
    let bodies = [
        "St(x, 1, $st);",
        "int r = Ld(x, $ld); St(y, 1, $st);",
        "int r = Ld(y, $ld); int s = Ld(x, $ld);",
    ];
    let test = |orders| test("WRC", &bodies, "exists (1:r=1 /\\ 2:r=1 /\\ 2:s=0)", orders);
    // Each of the three loads reads from one of two writes.
    expect(&test(RELAXED), &[(Sc, false, 7), (Tso, false, 7), (Pso, false, 7), (Rc11, true, 8)]);
    expect(&test(ACQ_REL), &[(Ra, false, 7), (Rc11, false, 7)]);
}

#[test]
fn iriw() {
    let bodies = [
        "St(x, 1, $st);",
        "St(y, 1, $st);",
        "int r = Ld(x, $ld); int s = Ld(y, $ld);",
        "int r = Ld(y, $ld); int s = Ld(x, $ld);",
    ];
    let condition = "exists (2:r=1 /\\ 2:s=0 /\\ 3:r=1 /\\ 3:s=0)";
    let test = |orders| test("IRIW", &bodies, condition, orders);
    expect(&test(ACQ_REL), &[(Sc, false, 15), (Tso, false, 15), (Ra, true, 16), (Rc11, true, 16)]);
    expect(&test(SEQ_CST), &[(Rc11, false, 15), (Ra, true, 16)]);
}

#[test]
fn corr() {
    let bodies = ["St(x, 1, $st);", "int r = Ld(x, $ld); int s = Ld(x, $ld);"];
    let test = test("CoRR", &bodies, "exists (1:r=1 /\\ 1:s=0)", RELAXED);
    expect(&test, &MemoryModel::ALL.map(|model| (model, false, 3)));
}

#[test]
fn read_modify_writes_are_atomic() {
    let text = "C RMW
{ [x]=0; }
P0 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
P1 (atomic_int* x) { int r = atomic_fetch_add_explicit(x, 1, memory_order_relaxed); }
P2 (atomic_int* x) {
  int e = 0;
  int r = atomic_compare_exchange_strong_explicit(x, &e, 5, memory_order_relaxed, memory_order_relaxed);
}
forall ([x]=2 \\/ [x]=7)";
    // The exchange is first, or it fails and reads 1 or 2; two orders of the additions.
    let test: Test = text.parse().unwrap();
    let outcome = Outcome::of(&test, Rc11);
    assert!(outcome.is_validated(), "{outcome}");
    assert_eq!(outcome.witnesses(), (6, 0));
}

#[test]
fn plain_accesses_race() {
    let text = "C MP+plain
{ int x; atomic_int y = 0; }
P0 (int* x, atomic_int* y) { *x = 1; atomic_store_explicit(y, 1, memory_order_relaxed); }
P1 (int* x, atomic_int* y) {
  int r = atomic_load_explicit(y, memory_order_acquire);
  int s = 0;
  if (r == 1) { s = *x; } else s = 7;
}
exists (1:s=1)";
    let test: Test = text.parse().unwrap();
    assert!(Outcome::of(&test, Rc11).has_data_race);
    let released: Test = text.replacen("relaxed", "release", 1).parse().unwrap();
    let outcome = Outcome::of(&released, Rc11);
    assert!(!outcome.has_data_race && outcome.states.len() == 2, "{outcome}");
}

#[test]
fn the_outcome_is_printed_as_herd_does() {
    let bodies = ["St(x, 1, $st); int r = Ld(y, $ld);", "St(y, 1, $st); int r = Ld(x, $ld);"];
    let test: Test = test("SB", &bodies, "exists (0:r=0 /\\ 1:r=0)", RELAXED).parse().unwrap();
    assert_eq!(
        Outcome::of(&test, Tso).to_string(),
        "Test SB Allowed
States 4
1     *>0:r=0; 1:r=0;
1     :>0:r=0; 1:r=1;
1     :>0:r=1; 1:r=0;
1     :>0:r=1; 1:r=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:r=0 /\\ 1:r=0)
Observation SB Sometimes 1 3
"
    );
}

#[test]
fn mistakes_have_a_line_and_say_what_to_do() {
    for (text, line, message) in [
        ("X86 SB\n{}", 1, "begins with `C`"),
        ("C t\n{}\nP1 (int* x) {}\nexists (x=1)", 3, "must be `P0`"),
        ("C t\n{}\nP0 (int x) {}\nexists (x=1)", 3, "must be a pointer"),
        ("C t\n{}\nP0 (int* x) {\n  *y = 1;\n}\nexists (x=1)", 4, "not a parameter"),
        ("C t\n{}\nP0 (int* x) {\n  while (1) {}\n}\nexists (x=1)", 4, "no loops"),
        ("C t\n{}\nP0 (int* x) { smp_mb(); }\nexists (x=1)", 3, "`smp_mb` is not supported"),
        ("C t\n{}\nP0 (int* x) { *x = 1; }\nexists (y=1)", 4, "no location `y`"),
        ("C t\n{}\nP0 (int* x) { *x = 1; }\nexists (1:r=1)", 4, "no thread 1"),
        ("C t\n{}\nP0 (int* x) { *x = 1; }\n", 3, "`exists`"),
    ] {
        let error = text.parse::<Test>().expect_err(text);
        assert_eq!(error.line, line, "{error}\n{text}");
        assert!(error.message.contains(message), "{error}\n{text}");
    }
}
