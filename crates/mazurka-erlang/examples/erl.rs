//! Checks one Erlang program: `erl FILE CALL ALGORITHM`.

use mazurka_core::explore::explore;
use mazurka_core::model::Program;
use mazurka_core::search::Options;
use mazurka_erlang::ErlangProgram;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, call, algorithm] = &arguments[..] else {
        eprintln!("usage: erl FILE CALL ALGORITHM");
        std::process::exit(2);
    };
    let program = ErlangProgram::new(&[file.into()], &[], call.parse().expect("a call"));
    let program = program.unwrap_or_else(|error| panic!("{error}")).ignore_deadlocks(true);
    let start = std::time::Instant::now();
    let mut machine = program.start().unwrap_or_else(|violation| panic!("{violation}"));
    println!("started after {:?}", start.elapsed());
    let options = Options {
        algorithm: algorithm.parse().expect("an algorithm"),
        keep_going: true,
        ..Options::default()
    };
    let verdict = explore(&mut machine, &options, &mut ());
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
