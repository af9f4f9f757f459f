//! `mazurka replay`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::ArgMatches;
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};
use mazurka_report::page::{page, write_page};
use mazurka_report::{Report, Style};

use crate::args::ReplayArgs;
use crate::check::Shown;
use crate::front_end::{self, Source};
use crate::{Complaint, Outcome, interrupt, output, trace_file};

pub(crate) fn run(args: &ReplayArgs, given: &ArgMatches) -> Result<Outcome, Complaint> {
    let Some((schedule, files)) = args.files_and_schedule.split_last() else {
        return Err("name the file of a program and a schedule".to_owned());
    };
    let mut files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    args.program.add_entries(&mut files);
    let source = Source::new(&files, &args.program);
    let schedule = read(schedule)?;
    let program = front_end::open(&source, given)?;
    interrupt::listen();
    // What is looked for are races in this one schedule, and they end it.
    let data_races = args.memory.data_races(&args.program)?;
    let options = Options {
        algorithm: Algorithm::Naive,
        data_races,
        interrupt: Some(interrupt::flag()),
        ..Options::default()
    };
    let outcome = program.replay(&schedule, &options);
    let Some(report) = outcome.reports.first() else {
        return Err("the schedule leads to no execution; was the program changed since?".to_owned());
    };
    let page = match (&args.html, args.open) {
        (None, false) => None,
        (path, _) => {
            Some(write_html(path.as_deref(), &source, &Shown::of(&*program, report), report)?)
        }
    };
    if args.json {
        println!("{}", report.to_json());
    } else {
        let style = Style { fold: false, ..Style::stdout() };
        println!("{}", report.render(&style).0.trim_end());
    }
    if let (Some(page), true) = (page, args.open)
        && let Err(complaint) = open(&page)
    {
        // The report is printed already, also as JSON.
        eprintln!("error: {complaint}");
        return Ok(Outcome::Unusable);
    }
    match (&report.recording().misfit, report.violation()) {
        (Some(_), _) => Ok(Outcome::Unusable),
        (None, Some(violation)) if violation.kind == ViolationKind::Unsupported => {
            Ok(Outcome::Unusable)
        }
        (None, Some(_)) => Ok(Outcome::Violation),
        (None, None) => Ok(Outcome::Fine),
    }
}

/// Writes the page of a report to this file, or to one in the directory for temporary files. Returns its
/// path.
fn write_html(
    path: Option<&Path>,
    source: &Source<'_>,
    shown: &Shown,
    report: &Report,
) -> Result<PathBuf, Complaint> {
    let page = page(&source.name(), &report.headline(), &[shown.entry(report, false)]);
    match path {
        Some(path) => output::write(path, &page).map(|()| path.to_owned()),
        None => write_page(&std::env::temp_dir(), &source.name(), &page)
            .map_err(|error| format!("the page cannot be written: {error}; name a file by --html")),
    }
}

/// Opens a page in a browser.
fn open(path: &Path) -> Result<(), Complaint> {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    // A relative path might look like an option.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let status = Command::new(opener).arg(&path).stdout(Stdio::null()).status();
    let reason = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(_) => format!("`{opener}` opened no browser"),
        Err(error) => format!("no browser was opened, because `{opener}` does not start: {error}"),
    };
    Err(format!("{reason}. Open the page yourself: {}", path.display()))
}

/// A schedule, or a file that has one.
fn read(text: &str) -> Result<Schedule, Complaint> {
    match text.parse() {
        Ok(schedule) => Ok(schedule),
        Err(_) if Path::new(text).is_file() => trace_file::read(Path::new(text)),
        Err(error) => Err(format!(
            "{error}. There is no file of that name, either; `mazurka check --trace FILE` writes one"
        )),
    }
}

/// The line for a shell that runs a schedule of a program again.
pub(crate) fn command(
    source: &Source<'_>,
    schedule: &Schedule,
    report: &Report,
    given: &ArgMatches,
) -> String {
    let mut words = vec!["mazurka".to_owned(), "replay".to_owned()];
    words.extend(source.files.iter().map(|file| quoted(&file.display().to_string())));
    // A program may fail before its first step.
    let schedule = schedule.to_string();
    words.push(quoted(&schedule));
    let is_race = |violation: &Violation| violation.kind == ViolationKind::DataRace;
    // A property file says itself what counts.
    let has_property = given.try_get_raw("property").is_ok_and(|property| property.is_some());
    if report.violation().is_some_and(is_race) && !has_property {
        words.extend(["--races".to_owned(), "error".to_owned()]);
    }
    words.extend(front_end::given_again(given).iter().map(|word| quoted(word)));
    words.join(" ")
}

/// Returns the command that replays an execution, with `SCHEDULE` in place of the schedule.
pub(crate) fn template(source: &Source<'_>, given: &ArgMatches) -> String {
    let mut words = vec!["mazurka".to_owned(), "replay".to_owned()];
    words.extend(source.files.iter().map(|file| quoted(&file.display().to_string())));
    words.push("SCHEDULE".to_owned());
    words.extend(front_end::given_again(given).iter().map(|word| quoted(word)));
    words.join(" ")
}

/// An argument for a shell.
pub(crate) fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    match !argument.is_empty() && argument.chars().all(plain) {
        true => argument.to_owned(),
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    }
}
