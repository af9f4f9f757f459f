//! `cargo xtask bench instructions`: the instructions that an execution of a C program takes, counted by
//! callgrind.
//!
//! Instructions do not depend on what else the machine does. The start of the command is not counted: a check
//! that stops after its first execution is subtracted.

use std::path::Path;
use std::process::{Command, ExitCode};

use super::run;

/// The programs, each with its N.
const PROGRAMS: [(&str, u32); 17] = [
    ("mutex_counter", 6),
    ("pthread_demo", 5),
    ("ticket_lock", 5),
    ("ttas_lock", 3),
    ("mcs_lock", 3),
    ("casrot", 7),
    ("fib_bench", 4),
    ("fib_bench_unjoined", 3),
    ("lamport", 2),
    ("treiber_stack", 3),
    ("indexer", 13),
    ("opt_lock", 5),
    ("lastzero", 8),
    ("readers", 9),
    ("ms_queue", 2),
    ("mpmc_queue", 2),
    ("seqlock", 2),
];

/// What a check took.
struct Cost {
    executions: u64,
    instructions: u64,
}

/// Prints a row for each program whose name contains `filter`: executions, and thousands of instructions of
/// `optimal` and `data-centric` for each execution.
pub(crate) fn instructions(filter: &str) -> ExitCode {
    let build = ["build", "--quiet", "--release", "--package", "mazurka-cli"];
    if !run::succeeds(&build) {
        return ExitCode::FAILURE;
    }
    let mazurka = run::target().join("release/mazurka");
    println!(
        "| program | executions of `optimal` | of `data-centric` | instructions (thousands) of `optimal` | of `data-centric` | ratio |"
    );
    println!("|---|--:|--:|--:|--:|--:|");
    for (program, n) in PROGRAMS.iter().filter(|(program, _)| program.contains(filter)) {
        let each = |algorithm| each(&mazurka, program, *n, algorithm);
        let [optimal, data_centric] = match (each("optimal"), each("data-centric")) {
            (Ok(optimal), Ok(data_centric)) => [optimal, data_centric],
            (Err(message), _) | (_, Err(message)) => {
                eprintln!("error: programs/{program}.c: {message}");
                return ExitCode::FAILURE;
            }
        };
        let thousands = [&optimal, &data_centric].map(|cost| cost.instructions / 1_000);
        let ratio = data_centric.instructions as f64 / optimal.instructions as f64;
        let executions = [optimal.executions, data_centric.executions];
        println!(
            "| `{program}`, N = {n} | {} | {} | {} | {} | {ratio:.1} |",
            executions[0], executions[1], thousands[0], thousands[1]
        );
    }
    ExitCode::SUCCESS
}

/// Returns the number of executions, and the instructions for each.
fn each(mazurka: &Path, program: &str, n: u32, algorithm: &str) -> Result<Cost, String> {
    let check = |options: &[&str]| {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(mazurka).args(["check", &format!("programs/{program}.c"), "-D"]);
        command.args([&format!("N={n}"), "--algorithm", algorithm, "--no-symmetry", "--json"]);
        command.args(["--no-scout", "--workers", "1"]).args(options).current_dir(run::root());
        let output =
            command.output().map_err(|error| format!("valgrind does not start: {error}"))?;
        let number = |text: &[u8], key: &str| {
            let text = String::from_utf8_lossy(text);
            let (_, rest) = text.split_once(key)?;
            let digits = rest.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse().ok()
        };
        let executions = number(&output.stdout, "\"executions\":");
        let instructions = number(&output.stderr, "Collected :");
        executions.zip(instructions).ok_or_else(|| {
            format!("callgrind failed:\n{}", String::from_utf8_lossy(&output.stderr))
        })
    };
    let (executions, all) = check(&["--keep-going"])?;
    let (_, start) = check(&["--max-executions", "1"])?;
    Ok(Cost { executions, instructions: (all - start) / executions.max(1) })
}
