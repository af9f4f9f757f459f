//! The cost of an execution grows like its length.

use std::fmt::Write as _;

use mazurka_core::execution::effort;
use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options};
use mazurka_testkit::script::ScriptProgram;

/// What a process does again and again.
const STATEMENTS: [&str; 10] = [
    "write x0 1",
    "write d0 1",
    "r0 = read x0",
    "r0 = fetch_add x0 1",
    "add x0 1",
    "r0 = swap x0 1",
    "write x0.low 1",
    "lock m0\nunlock m0",
    "r0 = read x0\nwrite x0 r0+1",
    "add x0 1\nr0 = read x0",
];

/// A process performs a statement `n` times, and another one reads the variable after that.
fn program(statement: &str, n: usize) -> ScriptProgram {
    let variable = if statement.contains("d0") { "d0" } else { "x0" };
    let mut text =
        format!("process 0 {{\nspawn 1\njoin 1\nr0 = read {variable}\n}}\nprocess 1 {{\n");
    for _ in 0..n {
        writeln!(text, "{statement}").unwrap();
    }
    text += "}\n";
    ScriptProgram::new(&text.parse().unwrap()).unwrap()
}

/// Returns how many earlier events an explorer looks at.
fn looks(program: &ScriptProgram, algorithm: Algorithm) -> u64 {
    let options = Options { algorithm, max_depth: Some(100_000), ..Options::default() };
    let before = effort::looks();
    let verdict = ScriptProgram::explore(&mut program.start().unwrap(), &options, &mut ());
    assert_eq!((verdict.executions, verdict.is_complete()), (1, true));
    effort::looks() - before
}

#[test]
fn twice_as_long_takes_twice_as_many_looks() {
    let mut wrong = String::new();
    for algorithm in Algorithm::ALL {
        for statement in STATEMENTS {
            let short = looks(&program(statement, 200), algorithm);
            let long = looks(&program(statement, 400), algorithm);
            if long > 2 * short + 50 {
                writeln!(wrong, "{algorithm}, `{statement}`: {short}, {long}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "the number of looks grows faster than the length:\n{wrong}");
}
