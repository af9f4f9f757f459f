//! `mazurka check`.

use clap::ArgMatches;
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::Bound;
use mazurka_report::page::{Details, Entry};
use mazurka_report::{Explanation, Report};

use crate::args::CheckArgs;
use crate::checkpoint;
use crate::front_end::{self, Checked, Source, Workers};
use crate::watchdog::{self, Watch};
use crate::{Complaint, Outcome, cluster, config, interrupt, json, output, replay, trace_file};

/// A check that has been run.
pub(crate) struct Ran {
    /// The name of the check: its files, or its name in the configuration.
    pub(crate) name: String,
    pub(crate) outcome: front_end::Outcome,
    /// The verdict as JSON.
    pub(crate) json: String,
    /// What a page shows of each violation and then of each warning, if one is to be written.
    pub(crate) pages: Vec<Shown>,
    /// How to continue the check, if it was saved and is not complete.
    pub(crate) advice: String,
    /// Why the check could not be saved.
    pub(crate) trouble: Option<Complaint>,
}

/// A check of a configuration that could not run, for example because its program does not compile.
pub(crate) struct Failed {
    /// The name of the check in the configuration.
    pub(crate) name: String,
    pub(crate) complaint: Complaint,
}

/// What a page shows of a violation besides its report.
pub(crate) struct Shown {
    pub(crate) details: Details,
    pub(crate) why: String,
    pub(crate) decisive: Vec<usize>,
    /// A similar execution that passes.
    pub(crate) passing: Option<(Report, Details)>,
}

impl Shown {
    /// Collects what a page shows of a report.
    pub(crate) fn of(program: &dyn Checked, report: &Report) -> Self {
        let explanation = report.explanation();
        let passing = explanation.and_then(|explanation| explanation.passing.as_ref());
        Shown {
            details: program.details(report.schedule()),
            why: explanation.map(Explanation::text).unwrap_or_default(),
            decisive: explanation.map(Explanation::decisive).unwrap_or_default(),
            passing: passing.map(|schedule| (program.passing(schedule), program.details(schedule))),
        }
    }

    /// Returns the entry of a page.
    pub(crate) fn entry<'a>(&'a self, report: &'a Report, is_warning: bool) -> Entry<'a> {
        Entry {
            report,
            details: &self.details,
            is_warning,
            why: &self.why,
            decisive: &self.decisive,
            passing: self.passing.as_ref().map(|(report, details)| (report, details)),
        }
    }
}

pub(crate) fn run(args: &CheckArgs, given: &ArgMatches) -> Result<Outcome, Complaint> {
    if args.is_configured() && args.output.tree.is_some() {
        return Err(
            "`--tree` shows the search of one program: name its file instead of `--all` or \
                    `--config`"
                .to_owned(),
        );
    }
    args.output.validate()?;
    args.trace.iter().try_for_each(|path| output::has_directory(path))?;
    interrupt::listen();
    watchdog::start(Watch { memory_limit: args.bounds.memory_limit, json: args.output.json });
    let checks = match args.is_configured() {
        true => config::run(args, given)?,
        false => {
            let ran = run_one(args, given, args.output.wants_details())?;
            args.output.say(&ran);
            vec![Ok(ran)]
        }
    };
    if let Some(trouble) = checks.iter().flatten().find_map(|ran| ran.trouble.as_ref()) {
        return Err(trouble.clone());
    }
    args.output.write(&checks)?;
    if args.output.json {
        match (&checks[..], args.is_configured()) {
            ([Ok(ran)], false) => println!("{}", ran.json),
            (checks, _) => println!("{}", json::of_checks(checks)),
        }
    }
    let outcome = |check: &Result<Ran, Failed>| match check {
        Ok(ran) => Outcome::of(&ran.outcome.verdict),
        Err(_) => Outcome::Unusable,
    };
    let worst = checks.iter().map(outcome).max();
    Ok(worst.unwrap_or(Outcome::Fine))
}

impl CheckArgs {
    /// Returns how to explore with this explorer.
    pub(crate) fn options(&self, algorithm: Algorithm) -> Result<Options<'static>, Complaint> {
        let options = self.bounds.options(algorithm, self.memory.data_races(&self.program)?);
        Ok(Options {
            keep_going: self.keep_going,
            unfolding: self.unfolding.options(&[algorithm])?,
            sampling: self.sampling.options(&[algorithm])?,
            memory_model: self.program.memory_model.unwrap_or_default(),
            may_switch: self.algorithm.is_none(),
            coherence: self.coherence,
            symmetry: self.symmetry(algorithm)?,
            ..options
        })
    }
}

/// Runs one check.
pub(crate) fn run_one(
    args: &CheckArgs,
    given: &ArgMatches,
    wants_page: bool,
) -> Result<Ran, Complaint> {
    let source = Source::new(&args.files, &args.program);
    let algorithm = args.algorithm()?;
    let options = args.options(algorithm)?;
    watchdog::begin(watchdog::Check {
        name: source.name(),
        time_limit: args.bounds.time_limit,
        saves: args.checkpoint.is_some() || args.resume.is_some() || args.cluster.is_some(),
    });
    let open = front_end::open(&source, given);
    let program = open.inspect_err(|_| watchdog::end_if_interrupted())?;
    let options = Options { time_limit: options.time_limit.map(watchdog::time_left), ..options };
    if args.cluster.is_some() {
        return cluster::check(args, given, &*program, &options, wants_page);
    }
    let mut checkpoint = checkpoint::of(args, &options, given)?;
    let workers = Workers::of(args.workers);
    let explain = args.output.explain;
    let mut outcome = program.check(&options, workers, checkpoint.as_mut(), explain)?;
    for report in outcome.reports.iter_mut().chain(&mut outcome.warnings) {
        let command = |schedule: &_| replay::command(&source, schedule, report, given);
        *report = report.clone().with_replay_command(command);
    }
    if let Some(complaint) = outcome.complaint() {
        return Err(complaint);
    }
    let trouble = checkpoint.as_ref().and_then(|checkpoint| checkpoint.trouble.clone());
    let mut advice = String::new();
    if let Some(checkpoint) = checkpoint.filter(|_| trouble.is_none()) {
        match outcome.verdict.stopped {
            None | Some(Bound::Violation | Bound::Depth) => checkpoint.remove(),
            Some(_) => advice = checkpoint::advice(&checkpoint),
        }
    }
    if let (Some(path), Some(report)) = (&args.trace, outcome.reports.first()) {
        trace_file::write(path, report)?;
    }
    if let Some(path) = &args.output.tree {
        output::write(path, &program.tree(&options))?;
    }
    let pages = match wants_page {
        true => outcome.all().map(|report| Shown::of(&*program, report)).collect(),
        false => Vec::new(),
    };
    let json = json::of_check(&source, &outcome);
    Ok(Ran { name: source.name(), json, outcome, pages, advice, trouble })
}
