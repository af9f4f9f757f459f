//! Checks one Erlang program: `erl FILE CALL ALGORITHM [DIRECTORY…]`. Timeouts of a second or more
//! never fire.

use std::path::PathBuf;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::Options;
use mazurka_erlang::ErlangProgram;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, call, algorithm, directories @ ..] = &arguments[..] else {
        eprintln!("usage: erl FILE CALL ALGORITHM [DIRECTORY…]");
        std::process::exit(2);
    };
    let directories: Vec<PathBuf> = directories.iter().map(PathBuf::from).collect();
    let program = ErlangProgram::new(&[file.into()], &directories, call.parse().expect("a call"));
    let program = program.unwrap_or_else(|error| panic!("{error}")).ignore_deadlocks(true);
    let program = program.never_after(1000);
    let start = std::time::Instant::now();
    let mut machine = program.start().unwrap_or_else(|violation| panic!("{violation}"));
    println!("started after {:?}", start.elapsed());
    let options = Options {
        algorithm: algorithm.parse().expect("an algorithm"),
        keep_going: true,
        ..Options::default()
    };
    let verdict = ErlangProgram::explore(&mut machine, &options, &mut ());
    println!(
        "{} executions, {} blocked, {} events, {:?}, {:.0}/s; all in {:?}",
        verdict.executions,
        verdict.blocked,
        verdict.events,
        verdict.elapsed,
        verdict.rate(),
        start.elapsed()
    );
    for violation in &verdict.violations {
        println!("{violation}");
    }
    print!("{}", machine.output());
    for line in machine.describe_processes() {
        println!("{line}");
    }
}
