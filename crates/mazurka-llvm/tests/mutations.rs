//! Damaged IR: reading, linking and running it gives an error or a program, but never a panic.
//!
//! The corpus is the library's own IR and IR that clang makes of small programs.

use std::panic::catch_unwind;
use std::path::Path;

use mazurka_llvm::link::link;
use mazurka_llvm::read::read_module;
use mazurka_llvm::{LlvmOptions, LlvmProgram};
use mazurka_testkit::damage::survives;

const WORDS: [&str; 36] = [
    "i32",
    "i64",
    "i1",
    "ptr",
    "[4294967295 x i64]",
    "{ i32, ptr }",
    "<4 x i32>",
    "x86_fp80",
    "void",
    "0",
    "-1",
    "18446744073709551616",
    "1.0e400",
    "0xK7FFF",
    "null",
    "undef",
    "poison",
    "%0",
    "@main",
    "label",
    "to",
    "metadata",
    "!0",
    "type { %self, i32 }",
    "%",
    "@",
    "!",
    "{",
    "}",
    "(",
    ")",
    "<",
    "\"",
    "*",
    ",",
    "9",
];

/// Reads a text as far as that is possible.
fn run(text: &str) {
    let Ok(module) = read_module(text, "damaged.ll") else { return };
    let Ok(module) = link(vec![module]) else { return };
    let options = LlvmOptions { local_steps: 1000, ..LlvmOptions::default() };
    // Only a program that has no `main` can fail here, or one that contains what is not supported.
    let _ = LlvmProgram::new(&module, options);
}

fn compiled(file: &str) -> Option<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(file);
    let mut clang = std::process::Command::new("clang");
    clang.args(["-S", "-emit-llvm", "-g", "-O0", "-DN=2", "-o", "-"]).arg(file);
    let output = clang.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn damaged_modules_do_not_panic() {
    let mut corpus = vec![include_str!("../src/library/runtime/c.ll").to_owned()];
    corpus.extend(
        ["mutex_counter.c", "lastwrite.c", "opt_lock.c"].iter().filter_map(|f| compiled(f)),
    );
    survives("module.ll", &corpus, &WORDS, 2_000, run);
}

/// Types that contain themselves, nesting without end, and numbers that are no numbers.
#[test]
fn damage_that_recursion_does_not_survive() {
    let main = "define i32 @main() {\n  ret i32 0\n}\n";
    let deep =
        |open: &str, close: &str, n: usize| format!("{}i32{}", open.repeat(n), close.repeat(n));
    let texts = [
        format!("%a = type {{ %a }}\n@g = global %a zeroinitializer\n{main}"),
        format!("%a = type {{ %b }}\n%b = type [2 x %a]\n@g = global %b zeroinitializer\n{main}"),
        format!("@g = global {} zeroinitializer\n{main}", deep("{ ", " }", 100_000)),
        format!("@g = global {} zeroinitializer\n{main}", deep("[2 x ", "]", 100_000)),
        format!(
            "@g = global i32 {}0{}\n{main}",
            "add (i32 ".repeat(100_000),
            ", i32 0)".repeat(100_000)
        ),
        format!("@g = global double 1.0e400\n{main}"),
        "define i32 @main() {\n  %b = add i32 %a, 1\n  %a = add i32 %b, 1\n  ret i32 %b\n}\n"
            .to_owned(),
        "define i32 @main() {\n  br label %x\n}\n".to_owned(),
        format!("!0 = {}!{{}}{}\n{main}", "!{".repeat(100_000), "}".repeat(100_000)),
        format!("@g = global [18446744073709551615 x i64] zeroinitializer\n{main}"),
        "define i32 @main() {\n  store [4294967295 x i64] zeroinitializer, ptr null\n  ret i32 0\n}\n"
            .to_owned(),
    ];
    for text in texts {
        let start: String = text.chars().take(80).collect();
        assert!(catch_unwind(|| run(&text)).is_ok(), "{start}");
    }
}

/// A constant whose part is larger than the type of that part says.
#[test]
fn constants_with_too_many_parts_are_refused() {
    let pair = "[2 x i64] [i64 1, i64 2]";
    let text = format!(
        "@x = global {{ [0 x [2 x i64]] }} {{ [0 x [2 x i64]] [{pair}] }}\n\
         define i32 @main() {{\n  ret i32 0\n}}\n"
    );
    let module = read_module(&text, "parts.ll").unwrap();
    let Err(error) = LlvmProgram::new(&module, LlvmOptions::default()) else {
        panic!("it is not refused");
    };
    assert!(error.to_string().contains("more parts than its type"), "{error}");
}
