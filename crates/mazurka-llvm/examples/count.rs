//! Counts the executions of a C program: `cargo run --example count -- optimal program.c -DN=3`.

use std::process::ExitCode;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_llvm::compile::Source;
use mazurka_llvm::{LlvmOptions, LlvmProgram};
use mazurka_report::{Report, Style, Subject};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let algorithm: Algorithm = match arguments.next().map(|name| name.parse()) {
        Some(Ok(algorithm)) => algorithm,
        _ => {
            eprintln!("usage: count ALGORITHM FILE [FLAGS FOR CLANG]");
            return ExitCode::from(2);
        }
    };
    let mut source = Source::new(arguments.next());
    source.flags = arguments.map(Into::into).collect();
    let module = match source.load() {
        Ok(module) => module,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let program = match LlvmProgram::new(&module, LlvmOptions::default()) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut machine = match program.start() {
        Ok(machine) => machine,
        Err(violation) => {
            println!("{violation}");
            return ExitCode::from(1);
        }
    };
    let options = Options {
        algorithm,
        keep_going: true,
        data_races: DataRaces::Ignore,
        ..Options::default()
    };
    let verdict = LlvmProgram::explore(&mut machine, &options, &mut ());
    println!(
        "{} executions, {} blocked, {} events, depth {}, {:.3} s, {:.0}/s",
        verdict.executions,
        verdict.blocked,
        verdict.events,
        verdict.max_depth,
        verdict.elapsed.as_secs_f64(),
        verdict.rate()
    );
    for violation in &verdict.violations {
        let recording = program.record(&violation.schedule);
        let report = Report::on_violation(&program.name(), violation, recording);
        println!("{}", report.render(&Style::plain()).0);
    }
    ExitCode::SUCCESS
}
