//! Recorded event-driven programs.

use std::path::Path;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::Options;
use mazurka_trace::{Races, TraceProgram};

use super::then::Then;
use super::{Checked, FrontEnd, Outcome, Shipped, Source};
use crate::Complaint;

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    reads: "recordings of event-driven programs (a directory with trace.txt, .txt, .trace)",
    takes_file,
    takes: &["dependence", "report_races"],
    open,
    ship,
};

fn ship(source: &Source<'_>) -> Result<Shipped, Complaint> {
    let [path] = source.files else {
        return Err(
            "a recording is one directory or one file: check one recording at a time".to_owned()
        );
    };
    let trace = if path.is_dir() { path.join("trace.txt") } else { path.clone() };
    let beside = trace.with_file_name("dependence.txt");
    let dependence = source.options.dependence.clone().or(beside.exists().then_some(beside));
    let mut files = Vec::new();
    for (path, name) in [(Some(trace), "trace.txt"), (dependence, "dependence.txt")] {
        let Some(path) = path else { continue };
        let bytes = std::fs::read(&path)
            .map_err(|error| format!("{}: the file cannot be read: {error}", path.display()))?;
        files.push((name.to_owned(), bytes));
    }
    Ok(Shipped { files, opens: vec![".".to_owned()] })
}

fn takes_file(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    file.join("trace.txt").is_file() || matches!(extension, Some("txt" | "trace"))
}

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    let [path] = source.files else {
        return Err(
            "a recording is one directory or one file: check one recording at a time".to_owned()
        );
    };
    let dependence = source.options.dependence.as_deref();
    let program = TraceProgram::read(path, dependence).map_err(|error| error.to_string())?;
    Ok(match source.options.report_races {
        true => Box::new(Then {
            program,
            then: list_races,
            not_divided: "`--report-races` cannot be used on a cluster",
        }),
        false => Box::new(program),
    })
}

/// Lists the races of a recording.
fn list_races(program: &TraceProgram, options: &Options<'_>, _outcome: &mut Outcome) {
    let mut races = Races::new(program);
    if let Ok(mut machine) = program.start() {
        // A violation is no reason not to look at the rest.
        let options = Options { keep_going: true, ..options.clone() };
        TraceProgram::explore(&mut machine, &options, &mut races);
    }
    match races.found().len() {
        0 => eprintln!("No two conflicting accesses occur in both orders."),
        n => eprint!(
            "Pairs of conflicting accesses that occur in both orders: {n}\n{}",
            races.describe()
        ),
    }
}
