//! `mazurka check`.

use clap::ArgMatches;
use mazurka_core::search::Options;
use mazurka_core::verdict::Bound;

use crate::args::CheckArgs;
use crate::checkpoint::Checkpoint;
use crate::front_end::{self, Source, Workers};
use crate::{Complaint, Outcome, interrupt, json, replay, summary, trace_file};

pub(crate) fn run(args: &CheckArgs, given: &ArgMatches) -> Result<Outcome, Complaint> {
    let source = Source { files: &args.files, options: &args.program };
    let algorithm = args.algorithm()?;
    let unfolding = args.unfolding.options(&[algorithm])?;
    let program = front_end::open(&source, given)?;
    interrupt::listen();
    let keep_going = args.keep_going;
    let options = args.bounds.options(algorithm, args.memory.races);
    let memory_model = args.program.memory_model.unwrap_or_default();
    let may_switch = args.algorithm.is_none();
    let options = Options { keep_going, unfolding, memory_model, may_switch, ..options };
    let mut checkpoint = Checkpoint::of(args, &options, given)?;
    let workers = Workers::of(args.workers);
    let mut outcome = program.check(&options, workers, checkpoint.as_mut())?;
    for report in outcome.reports.iter_mut().chain(&mut outcome.warnings) {
        let command = |schedule: &_| replay::command(&source, schedule, report, given);
        *report = report.clone().with_replay_command(command);
    }
    if let Some(complaint) = outcome.complaint() {
        return Err(complaint);
    }
    summary::say(&source.name(), &outcome);
    if let Some(checkpoint) = checkpoint {
        if let Some(trouble) = &checkpoint.trouble {
            return Err(trouble.clone());
        }
        match outcome.verdict.stopped {
            None | Some(Bound::Violation | Bound::Depth) => checkpoint.remove(),
            Some(_) => eprint!("{}", checkpoint.advice()),
        }
    }
    if let (Some(path), Some(report)) = (&args.trace, outcome.reports.first()) {
        trace_file::write(path, report)?;
    }
    if args.json {
        println!("{}", json::of_check(&source, &outcome));
    }
    Ok(Outcome::of(&outcome.verdict))
}
