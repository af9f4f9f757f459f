//! Bad input and bad usage: a clear error, and exit code 2.

use std::fmt::Write;
use std::process::Command;

use crate::{Scratch, check, run, run_with};

#[test]
fn a_file_that_is_not_there() {
    run("check nowhere.c").refuses(&["the file `nowhere.c` does not exist"]);
    run("check").refuses(&["<FILE>"]);
}

#[test]
fn a_file_of_no_known_kind() {
    let file = Scratch::new("notes.doc", "hello");
    run_with("check", &[file.path()]).refuses(&["notes.doc", ".c", ".ll"]);
}

#[test]
fn a_source_that_is_not_c() {
    check("this is not C at all\n", "").refuses(&["program.c:1", "error"]);
}

#[test]
fn an_empty_source() {
    check("", "").refuses(&["main"]);
}

#[test]
fn a_program_without_main() {
    check("int x;\nvoid f(void) { x = 1; }\n", "").refuses(&["main"]);
}

#[test]
fn an_external_function_that_nobody_knows() {
    let text = "int launch_rockets(int);\nint main(void) {\n    return launch_rockets(3);\n}\n";
    check(text, "").refuses(&["launch_rockets", "program.c:3"]);
}

#[test]
fn an_unsupported_construct() {
    let text = "int main(void) {\n    int a;\n    __asm__ volatile(\"cpuid\" : \"=a\"(a) : : \"ebx\", \
                \"ecx\", \"edx\");\n    return a;\n}\n";
    check(text, "").refuses(&["cpuid", "program.c:3"]);
}

#[test]
fn a_file_cut_in_half() {
    let source = Scratch::new("whole.c", "int x;\nint main(void) { x = 1; return x; }\n");
    let whole = source.path().with_extension("ll");
    let mut clang = Command::new("clang");
    clang.args(["-S", "-emit-llvm", "-o"]).arg(&whole).arg(source.path());
    assert!(clang.status().expect("clang is there").success());
    let text = std::fs::read_to_string(&whole).unwrap();
    run_with("check", &[&whole]).expect(0);
    // In the middle of a line that matters.
    let middle = text.find("store i32").unwrap() + "store i32 1".len();
    let cut = Scratch::new("cut.ll", &text[..middle]);
    let line = text[..middle].matches('\n').count() + 1;
    run_with("check", &[cut.path()]).refuses(&[&format!("cut.ll:{line}")]);
}

#[test]
fn options_that_mean_nothing_for_a_file() {
    let file = Scratch::new("a.ll", "define i32 @main() {\n  ret i32 0\n}\n");
    run_with("check", &[file.path()]).expect(0);
    run_with("check -D N=5", &[file.path()]).refuses(&["-D", "a.ll"]);
    run_with("check --std c11", &[file.path()]).refuses(&["--std", "a.ll"]);
}

#[test]
fn a_clang_that_is_not_there() {
    run("check --clang /nowhere/clang programs/lastwrite.c").refuses(&["/nowhere/clang"]);
}

#[test]
fn typos_get_suggestions() {
    run("chek programs/lastwrite.c").refuses(&["check"]);
    run("check programs/lastwrite.c --algorithm optmal").refuses(&["optimal"]);
    run("check programs/lastwrite.c --algoritm optimal").refuses(&["--algorithm"]);
    run("check programs/lastwrite.c --time-limit soon").refuses(&["`5m`"]);
    run("check programs/lastwrite.c --max-executions many").refuses(&["1000"]);
    run("check programs/lastwrite.c --max-executions 0").refuses(&["from 1 on"]);
    run("check programs/lastwrite.c --memory-limit 10").refuses(&["`500M`"]);
    run("check programs/lastwrite.c -D 5=N").refuses(&["-D N=5"]);
    run("check programs/lastwrite.c --nondet few").refuses(&["`0..3`"]);
    run("man chek").refuses(&["check"]);
}

#[test]
fn a_schedule_that_is_none() {
    run("replay programs/lastwrite.c 1-x-2").refuses(&["`x`", "0-1x3-2.1"]);
    let file = Scratch::new("empty.txt", "nothing here\n");
    run_with("replay programs/lastwrite.c", &[file.path()]).refuses(&["--trace"]);
}

#[test]
fn directories_binary_files_and_other_kinds() {
    run("check programs").refuses(&["`programs` is a directory", "trace.txt"]);
    run("check programs/lastwrite.c programs/read_arcs.pnml").refuses(&[
        "lastwrite.c",
        "read_arcs.pnml",
        "different front ends",
    ]);
    let binary = "\u{0}\u{1}\u{2}";
    for (name, about_binary, about_empty) in [
        ("a.txt", "a.txt:1: ", "a.txt: the file contains no operation"),
        ("a.pnml", "a.pnml:1: ", "a.pnml:1: "),
        ("a.ll", "a.ll:1: ", "`main`"),
    ] {
        let file = Scratch::new(name, binary);
        run_with("check", &[file.path()]).refuses(&[about_binary]);
        let empty = Scratch::new(name, "");
        run_with("check", &[empty.path()]).refuses(&[about_empty]);
    }
}

#[test]
fn a_damaged_recording() {
    let file = Scratch::new("trace.txt", "1 START\n2 THREADINIT tid:1\nHREADEXIT tid:1\n");
    run_with("check", &[file.path()]).refuses(&["trace.txt:3: `HREADEXIT` is not the index"]);
}

#[test]
fn errors_are_json_if_the_verdict_would_be() {
    for line in [
        "check nowhere.c --json",
        "check programs/lastwrite.c --json --algorithm optmal",
        "check programs/lastwrite.c --json --no-such-option",
        "check --json",
        "compare nowhere.c --json",
        "replay programs/lastwrite.c 1-x-2 --json",
    ] {
        let said = run(line).expect(2);
        let object: serde_json::Value = serde_json::from_str(&said.stdout).expect("it is JSON");
        let error = object["error"].as_str().unwrap_or_default();
        assert!(!error.is_empty() && !error.contains("Usage:"), "{line}: {}", said.all());
        let start = error.lines().next().unwrap_or_default();
        assert!(said.stderr.contains(start), "{line}: {}", said.all());
    }
    // What follows `--` is for clang.
    let said = run("check nowhere.c -- --json").expect(2);
    assert!(said.stdout.is_empty(), "{}", said.all());
}

#[test]
fn a_schedule_of_another_program() {
    let said = run("replay programs/lastwrite.c 1-1-1-1-1").expect(2);
    assert!(said.stdout.contains("it does not fit the program"), "{}", said.all());
}

#[test]
fn nondeterminism_needs_a_range() {
    let text = "int __VERIFIER_nondet_int(void);\nint main(void) {\n    if (__VERIFIER_nondet_int()) \
                return 1;\n}\n";
    check(text, "").refuses(&["--nondet", "program.c:3"]);
    check(text, "--nondet 0..3").expect(0);
}

#[test]
fn random_numbers_are_fixed_or_chosen() {
    let text = "#include <stdlib.h>\n#include <assert.h>\nint main(void) {\n    assert(rand() != \
                2);\n    return 0;\n}\n";
    check(text, "").expect(0);
    let said = check(text, "--rand choose=2 --json").expect(0);
    assert_eq!(said.member("executions"), "2");
    check(text, "--rand choose=3").expect(1);
    check(text, "--rand sometimes").refuses(&["choose=3"]);
}

#[test]
fn a_thread_that_never_ends_and_never_does_anything_visible() {
    let text = "int main(void) {\n    for (int i = 0;; i++)\n        ;\n    return 0;\n}\n";
    check(text, "").refuses(&["runs on and on", "program.c:2"]);
}

#[test]
fn ten_thousand_lines_are_no_problem() {
    let mut text = String::from("#include <assert.h>\nint x;\n");
    for i in 0..2_500 {
        let _ = write!(text, "static int f{i}(int a) {{\n    x = a + {i};\n    return x;\n}}\n");
    }
    text.push_str("int main(void) {\n    assert(f7(1) == 8);\n    return 0;\n}\n");
    let said = check(&text, "--json").expect(0);
    assert_eq!(said.member("executions"), "1");
}
