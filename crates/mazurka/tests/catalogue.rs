//! The catalogue: what each explorer counts on the programs that are written in Rust.
//!
//! `MAZURKA_LONG=1` runs the cases that take long too.

#[path = "../examples/catalogue/cli.rs"]
mod cli;
#[path = "../examples/catalogue/json.rs"]
mod json;
#[path = "../examples/catalogue/programs/mod.rs"]
mod programs;

use std::collections::BTreeSet;

use cli::Command;
use mazurka::{Algorithm, Check};
use mazurka_testkit::catalogue::{self, Case, Entry, Size};
use mazurka_testkit::processors::all_of;
use programs::{Body, PARAMETER, Program};

#[test]
fn every_explorer_counts_what_the_catalogue_says() {
    let long = std::env::var("MAZURKA_LONG").is_ok_and(|value| value == "1");
    let entries = catalogue::read(catalogue::directory()).unwrap_or_else(|error| panic!("{error}"));
    let mut cases = Vec::new();
    for entry in &entries {
        let Some(program) = programs::find(&entry.name) else { continue };
        for case in entry.cases.iter().filter(|case| long || case.size != Size::Long) {
            let is_wanted = |algorithm: &Algorithm| {
                *algorithm != Algorithm::Naive && case.is_about(algorithm.name())
            };
            let algorithms = Algorithm::ALL.into_iter().filter(is_wanted);
            cases.extend(algorithms.map(|algorithm| (entry, program, case, algorithm)));
        }
    }
    assert!(cases.len() > 100, "only {} runs: where is the catalogue?", cases.len());
    let mismatches = all_of(&cases, |(entry, program, case, algorithm)| {
        let mismatch = run(entry, program, case, *algorithm).err()?;
        Some(format!("{} {:?}, {algorithm}: {mismatch}", program.name, case.params))
    });
    let mismatches = mismatches.join("\n");
    assert!(mismatches.is_empty(), "the counts differ from the catalogue's:\n{mismatches}");
}

/// Runs one case, and says how it differs from what is expected.
fn run(entry: &Entry, program: &Program, case: &Case, algorithm: Algorithm) -> Result<(), String> {
    let parameter = parameter(program, case)?;
    let body = program.body;
    let check = program.prepare(Check::new()).algorithm(algorithm).keep_going(true);
    let verdict = check.run(move || body.run(parameter));
    let mismatches = entry.mismatches(case, &verdict);
    match mismatches.is_empty() {
        true => Ok(()),
        false => Err(mismatches.join("; ")),
    }
}

fn parameter(program: &Program, case: &Case) -> Result<usize, String> {
    let known: &[&str] = match program.body {
        Body::Plain(_) => &[],
        Body::Sized { .. } => &[PARAMETER],
    };
    if !case.params.keys().eq(known) {
        return Err(format!("its parameters are {known:?}"));
    }
    Ok(case.params.get(PARAMETER).map_or(0, |value| *value as usize))
}

#[test]
fn every_program_has_a_name_of_its_own() {
    let names: BTreeSet<_> = programs::ALL.iter().map(|program| program.name).collect();
    assert_eq!(names.len(), programs::ALL.len());
}

#[test]
fn the_defaults_show_the_bug_if_there_is_one() {
    for program in programs::ALL {
        let Ok(Command::Run(run)) = parse(program.name) else { panic!("{}", program.name) };
        let verdict = run.check.max_executions(10_000).run(|| program.body.run(run.parameter));
        let bugs = [": a bug", ": a deadlock", ": a data race", ": a livelock"];
        let faulty = bugs.iter().any(|bug| program.about.ends_with(bug));
        assert_eq!(!verdict.violations.is_empty(), faulty, "{}", program.name);
        assert!(faulty || verdict.is_complete(), "{}", program.name);
    }
}

fn parse(line: &str) -> Result<Command, String> {
    cli::parse(line.split_whitespace().map(str::to_owned))
}

fn complaint(line: &str) -> String {
    match parse(line) {
        Ok(_) => panic!("`{line}` was accepted"),
        Err(complaint) => complaint,
    }
}

#[test]
fn the_command_line_is_read() {
    let line = "lastwrite -D N=7 --algorithm optimal --json --keep-going --time-limit=90s";
    let Ok(Command::Run(run)) = parse(line) else { panic!("{line}") };
    assert_eq!((run.program.name, run.parameter, run.json), ("lastwrite", 7, true));
    assert_eq!(run.parameters(), [("N", 7)]);
    let line = "-DN=2 lastwrite --max-executions 1_000";
    let Ok(Command::Run(run)) = parse(line) else { panic!("{line}") };
    assert_eq!((run.parameter, run.json), (2, false));
    assert!(matches!(parse("--list"), Ok(Command::List)));
    assert!(matches!(parse("--help"), Ok(Command::Help)));
    assert!(cli::USAGE.contains("--list"));
}

#[test]
fn a_typo_is_told_with_what_there_is() {
    let typo = complaint("lastwrte");
    assert!(typo.contains("did you mean `lastwrite`?"), "{typo}");
    assert!(typo.contains("fib_bench_unjoined"), "{typo}");
    let typo = complaint("lastwrite --algoritm optimal");
    assert!(typo.contains("did you mean `--algorithm`?"), "{typo}");
    let typo = complaint("lastwrite --algorithm optmal");
    assert!(typo.contains("did you mean `optimal`?") && typo.contains("source"), "{typo}");
    let far = complaint("zzzzzzzzzz");
    assert!(!far.contains("did you mean") && far.contains("lastwrite"), "{far}");
    let typo = complaint("lastwrite -D M=3");
    assert!(typo.contains("no parameter `M`") && typo.contains("`N`"), "{typo}");
    assert!(complaint("iriw -D N=3").contains("no parameters"));
    assert!(complaint("lastwrite -D N").contains("-D N=3"));
    assert!(complaint("lastwrite -D N=three").contains("not a number"));
    assert!(complaint("lastwrite -D N=-1").contains("not a number"));
    assert!(complaint("lastwrite -D N=0").contains("at least 1"));
    assert!(complaint("lastwrite --time-limit soon").contains("`5m`"));
    assert!(complaint("lastwrite --max-executions").contains("needs a number"));
    assert!(complaint("lastwrite --json=yes").contains("takes no value"));
    assert!(complaint("lastwrite readers").contains("one program at a time"));
    assert!(complaint("").contains("which program?"));
}

#[test]
fn the_object_is_json() {
    let verdict = Check::new().run(|| panic!("on \"purpose\""));
    let object = json::object("p", &[("N", 3)], &verdict);
    assert!(object.starts_with(r#"{"algorithm":"observers","#), "{object}");
    assert!(object.contains(r#""program":"p","parameters":{"N":3},"#), "{object}");
    let names = ["executions", "blocked", "events", "max_depth", "complete", "seconds"];
    assert!(names.iter().all(|name| object.contains(&format!("\"{name}\":"))), "{object}");
    assert!(object.contains(r#""violations":[{"kind":"panic","message":""#), "{object}");
    assert!(object.contains(r#"on \"purpose\""#), "{object}");
}
