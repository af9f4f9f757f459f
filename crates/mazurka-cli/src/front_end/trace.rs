//! Recorded event-driven programs.

use std::path::Path;
use std::time::Duration;

use mazurka_core::explore::{Checkable, Explored, Part, PartError};
use mazurka_core::model::Program;
use mazurka_core::search::Options;
use mazurka_core::verdict::{Schedule, Verdict};
use mazurka_report::Report;
use mazurka_report::page::Details;
use mazurka_trace::{Races, TraceProgram};

use super::{Checked, FrontEnd, Outcome, Shipped, Source, Workers};
use crate::Complaint;
use crate::checkpoint::Checkpoint;

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
        true => Box::new(WithRaces(program)),
        false => Box::new(program),
    })
}

/// A recording whose races are listed, too.
struct WithRaces(TraceProgram);

impl Checked for WithRaces {
    fn check(
        &self,
        options: &Options<'_>,
        workers: Workers,
        checkpoint: Option<&mut Checkpoint>,
        explain: Duration,
    ) -> Result<Outcome, Complaint> {
        let outcome = Checked::check(&self.0, options, workers, checkpoint, explain)?;
        let mut races = Races::new(&self.0);
        if let Ok(mut machine) = self.0.start() {
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
        Ok(outcome)
    }

    fn replay(&self, schedule: &Schedule, options: &Options<'_>) -> Outcome {
        self.0.replay(schedule, options)
    }

    fn details(&self, schedule: &Schedule) -> Details {
        self.0.details(schedule)
    }

    fn passing(&self, schedule: &Schedule) -> Report {
        self.0.passing(schedule)
    }

    fn tree(&self, options: &Options<'_>) -> String {
        self.0.tree(options)
    }

    fn program_digest(&self) -> u64 {
        Program::digest(&self.0)
    }

    fn must_divide(&self, options: &Options<'_>) -> Result<(), Complaint> {
        self.0.must_divide(options)
    }

    fn explore_part(
        &self,
        part: &Part,
        options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError> {
        self.0.explore_part(part, options)
    }

    fn conclude(&self, verdict: Verdict, explain: Duration) -> Outcome {
        self.0.conclude(verdict, explain)
    }
}
