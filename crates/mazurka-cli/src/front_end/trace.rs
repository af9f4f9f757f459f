//! Recorded event-driven programs.

use std::path::Path;
use std::time::Duration;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::Options;
use mazurka_core::verdict::Schedule;
use mazurka_report::Report;
use mazurka_report::page::Details;
use mazurka_trace::{Races, TraceProgram};

use super::{Checked, FrontEnd, Outcome, Source, Workers};
use crate::Complaint;
use crate::checkpoint::Checkpoint;

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    reads: "recordings of event-driven programs (a directory with trace.txt, .txt, .trace)",
    takes_file,
    takes: &["dependence", "report_races"],
    open,
};

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
}
