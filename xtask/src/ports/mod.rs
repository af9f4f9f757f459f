//! `cargo xtask ports`: the loom tests of published crates, on Mazurka and on loom.

mod build;
mod fetch;
mod measure;
mod packages;
mod table;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use build::Executable;
use measure::Measured;
use packages::{DIFFERENCES, PACKAGES, Package};
use table::{Comparison, Row};

const HELP: &str = "\
Runs the loom tests of published crates on Mazurka and on loom, and prints a table.

Usage: cargo xtask ports [OPTIONS] [CRATE[:TEST]]...

Arguments:
  CRATE[:TEST]       a crate, and a part of the names of its tests; by default all of them

Options:
  --seconds N        the time limit of each test (default: 10)
  --preemptions N    a bound on preemptions, for both checkers (default: none)
  --only CHECKER     run only `mazurka` or only `loom`
  --debug            build without optimisations, which takes less time
";

/// What runs the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Checker {
    Mazurka,
    Loom,
}

impl Checker {
    const ALL: [Checker; 2] = [Checker::Mazurka, Checker::Loom];

    fn name(self) -> &'static str {
        match self {
            Checker::Mazurka => "mazurka",
            Checker::Loom => "loom",
        }
    }
}

/// What is to be run.
struct Options {
    limit: Duration,
    preemptions: Option<String>,
    only: Option<Checker>,
    optimises: bool,
    /// Crates, and parts of the names of their tests.
    selected: Vec<(String, String)>,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self, String> {
        let limit = Duration::from_secs(10);
        let (preemptions, only, selected) = (None, None, Vec::new());
        let mut options = Options { limit, preemptions, only, optimises: true, selected };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("`{arg}` needs a value"));
            let number =
                |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is not a number"));
            match arg.as_str() {
                "--seconds" => {
                    options.limit = Duration::from_secs(u64::from(number(value()?)?));
                }
                "--preemptions" => options.preemptions = Some(number(value()?)?.to_string()),
                "--only" => {
                    let name = value()?;
                    let found = Checker::ALL.into_iter().find(|checker| checker.name() == name);
                    options.only =
                        Some(found.ok_or_else(|| format!("there is no checker `{name}`"))?);
                }
                "--debug" => options.optimises = false,
                option if option.starts_with('-') => {
                    return Err(format!("there is no option `{option}`"));
                }
                selected => {
                    let (name, test) = selected.split_once(':').unwrap_or((selected, ""));
                    if !PACKAGES.iter().any(|package| package.name == name) {
                        let known: Vec<_> = PACKAGES.iter().map(|package| package.name).collect();
                        let known = known.join(", ");
                        return Err(format!("there is no crate `{name}`; there are {known}"));
                    }
                    options.selected.push((name.to_owned(), test.to_owned()));
                }
            }
        }
        Ok(options)
    }

    fn selects(&self, package: &str, test: &str) -> bool {
        let is_selected =
            |(name, part): &(String, String)| name == package && test.contains(part.as_str());
        self.selected.is_empty() || self.selected.iter().any(is_selected)
    }

    fn selects_package(&self, package: &str) -> bool {
        self.selected.is_empty() || self.selected.iter().any(|(name, _)| name == package)
    }

    fn checkers(&self) -> impl Iterator<Item = Checker> {
        Checker::ALL.into_iter().filter(|checker| self.only.is_none_or(|only| only == *checker))
    }
}

/// Runs the command.
pub(crate) fn ports(args: &[String]) -> ExitCode {
    if args.iter().any(|arg| arg == "-h" || arg == "--help") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let options = match Options::parse(args) {
        Ok(options) => options,
        Err(error) => {
            eprint!("error: {error}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let mut differ = 0;
    for package in PACKAGES.iter().filter(|package| options.selects_package(package.name)) {
        match run(package, &options) {
            Ok(number) => differ += number,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    match differ {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Runs the tests of a package and prints its table. Returns the number of wrong verdicts.
fn run(package: &'static Package, options: &Options) -> Result<usize, String> {
    println!("\n## {} {}\n", package.name, package.version);
    let mut programs = Vec::new();
    for checker in options.checkers() {
        let directory = fetch::lay_out(package, checker)?;
        let executables = build::build(package, &directory, options.optimises)?;
        programs.push((checker, directory, executables));
    }
    print!("{}", table::HEADER);
    let mut rows = Vec::new();
    // The programs of both checkers have the same tests, in the same order.
    let Some((_, _, first)) = programs.first() else { return Ok(0) };
    let tests = first.iter().enumerate().flat_map(|(program, executable)| {
        executable.tests.iter().map(move |test| (program, test.clone()))
    });
    for (program, test) in tests.filter(|(_, test)| options.selects(package.name, test)) {
        let mut row = Row { package: package.name, test, mazurka: None, loom: None };
        for (checker, directory, executables) in &programs {
            let Some(executable) = executables.get(program).filter(|it| has(it, &row.test)) else {
                continue;
            };
            let place = (executable.path.as_path(), directory.as_path());
            let measured: Measured = measure::measure(package, *checker, place, &row.test, options)
                .map_err(|error| format!("{} does not run: {error}", row.test))?;
            match checker {
                Checker::Mazurka => row.mazurka = Some(measured),
                Checker::Loom => row.loom = Some(measured),
            }
        }
        print!("{}", table::row(&row));
        rows.push(row);
    }
    println!("\n{}", table::summary(&rows.iter().collect::<Vec<_>>()));
    explain(&rows);
    Ok(rows.iter().filter(|row| row.comparison() == Comparison::Differ).count())
}

fn has(executable: &Executable, test: &str) -> bool {
    executable.tests.iter().any(|known| known == test)
}

/// Lists the tests that end differently, by the reason.
fn explain(rows: &[Row]) {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in rows {
        let reason = match row.comparison() {
            Comparison::Agree => continue,
            Comparison::Known => packages::difference(row.package, &row.test).unwrap_or_default(),
            Comparison::Differ => "not known",
        };
        by_reason.entry(reason).or_default().push(&row.test);
    }
    for (reason, tests) in by_reason {
        println!("- {reason}: `{}`", tests.join("`, `"));
    }
    debug_assert!(DIFFERENCES.iter().all(|known| PACKAGES.iter().any(|p| p.name == known.package)));
}
