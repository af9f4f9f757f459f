//! The tasks of the workspace: `cargo xtask` and the name of a task.
//!
//! It depends only on `std`, so that it builds in a second or two.

mod cluster;
mod docs;
mod instructions;
mod ports;
mod run;
mod screenshots;
mod setup;
mod test;
mod valgrind;

use std::process::ExitCode;

const HELP: &str = "\
The chores of the Mazurka workspace.

Usage: cargo xtask <COMMAND>

Commands:
  setup            check that everything needed is there, and install what can be
  test             set up if need be, then check format, lints, tests and documentation
  docs [--update]  build the book (docs/) as HTML, into target/book; with --update, first rewrite
                   the drawings and the outputs that the book shows
  bench [FILTER]   run the same programs on Mazurka, loom and shuttle, and C programs
                   (cargo xtask bench --help lists its options)
  bench bugs [SEEDS]
                   count the executions to the first failure of classic bugs, with Mazurka's
                   samplers and shuttle's
  bench instructions [FILTER]
                   count the instructions of `optimal` and `data-centric` for each execution of C
                   programs of the catalogue (needs valgrind)
  cluster [FILE.c [OPTION]...]
                   compare `check --cluster` with `check --workers 2`, with a NATS server and two
                   workers on this machine; without a FILE, two searches, of 10 minutes together
  tables [FILTER]...
                   run the rows of the papers' tables, and print published and measured numbers side
                   by side (cargo xtask tables --help lists its options)
  ports [CRATE[:TEST]]...
                   run the loom tests of published crates on Mazurka and on loom
                   (cargo xtask ports --help lists its options)
  oracle [--programs N] [--seed S]
                   compare every explorer with brute force on random programs
  loops [--programs N] [--seed S]
                   compare every explorer with brute force on random programs with event loops
                   (both list their options with --help)
  traces DIR [--algorithm NAME]... [--seconds N]
                   explore the recordings of event-driven programs in a directory
  screenshots [COMMAND]
                   take the pictures of pages in the book with Chromium; COMMAND is the `mazurka` to
                   run (default: a release build)
  valgrind [N]     look for invalid accesses in N random Rust programs with destructors, whose
                   executions are cut short (default: 100)
  publish [OPTION]...
                   package every crate that is to be published and build it from its package, as
                   crates.io would receive it, but upload nothing; --no-verify builds nothing
  runtime          make the IR of the C library anew from its C files (needs clang 14)
  help             print this
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next();
    let rest: Vec<String> = args.collect();
    match (command.as_deref(), rest.as_slice()) {
        (Some("setup"), []) => setup::setup(),
        (Some("test"), []) if !setup::is_ready() => ExitCode::FAILURE,
        (Some("test"), []) => test::test(),
        (Some("docs"), []) => docs::build(),
        (Some("docs"), [update]) if update == "--update" => docs::update(),
        (Some("bench"), [bugs, options @ ..]) if bugs == "bugs" => {
            let package = ["run", "--quiet", "--release", "--package", "mazurka-bench"];
            run::program(&[&package[..], &["--bin", "bugs"]].concat(), options)
        }
        (Some("bench"), [instructions, filter @ ..])
            if instructions == "instructions" && filter.len() < 2 =>
        {
            instructions::instructions(filter.first().map_or("", String::as_str))
        }
        (Some("bench"), _) => {
            // The benchmark runs the command on C programs.
            if !run::succeeds(&["build", "--quiet", "--release", "--package", "mazurka-cli"]) {
                return ExitCode::FAILURE;
            }
            run::program(&["run", "--quiet", "--release", "--package", "mazurka-bench"], &rest)
        }
        (Some("tables"), _) => {
            let names_command = rest.iter().any(|word| word == "--command");
            let build = ["build", "--quiet", "--release", "--package", "mazurka-cli"];
            let is_help = rest.iter().any(|word| word == "--help" || word == "-h");
            if !names_command && !is_help && !run::succeeds(&build) {
                return ExitCode::FAILURE;
            }
            let package = ["run", "--quiet", "--package", "mazurka-book"];
            run::program(&[&package[..], &["--example", "tables"]].concat(), &absolute(rest))
        }
        (Some("cluster"), _) => cluster::cluster(&absolute(rest)),
        (Some("ports"), _) => ports::ports(&rest),
        (Some("oracle"), _) => {
            let package = ["run", "--release", "--package", "mazurka-testkit"];
            run::program(&[&package[..], &["--example", "oracle"]].concat(), &rest)
        }
        (Some("loops"), _) => {
            let package = ["run", "--release", "--package", "mazurka-testkit"];
            run::program(&[&package[..], &["--example", "loops"]].concat(), &rest)
        }
        (Some("traces"), _) => {
            let package = ["run", "--quiet", "--release", "--package", "mazurka-trace"];
            run::program(&[&package[..], &["--example", "traces"]].concat(), &absolute(rest))
        }
        (Some("screenshots"), []) => screenshots::screenshots(None),
        (Some("screenshots"), [command]) => {
            let command = absolute(vec![command.clone()]);
            screenshots::screenshots(command.first().map(String::as_str))
        }
        (Some("valgrind"), []) => valgrind::valgrind("100"),
        (Some("valgrind"), [seeds]) => valgrind::valgrind(seeds),
        (Some("publish"), _) => {
            let publish = ["publish", "--workspace", "--dry-run", "--allow-dirty"];
            let options = rest.iter().map(String::as_str);
            match run::succeeds(&publish.into_iter().chain(options).collect::<Vec<_>>()) {
                true => ExitCode::SUCCESS,
                false => ExitCode::FAILURE,
            }
        }
        (Some("runtime"), []) => {
            // With this variable, the test that compares the IR with its sources writes the IR
            // instead.
            let test = ["test", "--quiet", "--package", "mazurka-llvm", "--test", "runtime"];
            match run::cargo(&test).env("MAZURKA_WRITE_RUNTIME", "1").status() {
                Ok(status) if status.success() => ExitCode::SUCCESS,
                _ => ExitCode::FAILURE,
            }
        }
        (Some("help" | "-h" | "--help"), _) => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        (Some("setup" | "test" | "runtime" | "docs" | "screenshots"), [unknown, ..]) => {
            usage(&format!("unexpected `{unknown}`"))
        }
        (Some(unknown), _) => usage(&format!("there is no command `{unknown}`")),
        (None, _) => usage("which command?"),
    }
}

/// Makes existing paths absolute, because cargo runs in the root of the workspace.
fn absolute(args: Vec<String>) -> Vec<String> {
    let absolute = |arg: String| match std::path::absolute(&arg) {
        Ok(path) if path.exists() => path.to_string_lossy().into_owned(),
        _ => arg,
    };
    args.into_iter().map(absolute).collect()
}

fn usage(message: &str) -> ExitCode {
    eprint!("error: {message}\n\n{HELP}");
    ExitCode::from(2)
}
