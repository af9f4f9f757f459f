//! `mazurka.toml`: the checks of a project, and `mazurka init`, which writes one.
//!
//! A check is a table whose keys are the options of `mazurka check`. It becomes a command line, so
//! that options mean the same in both places, and mistakes get the same messages.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, ValueHint};
use toml::{Table, Value};

use crate::args::{CheckArgs, Cli, Command};
use crate::check::{self, Failed, Ran};
use crate::front_end;
use crate::{Complaint, Outcome, interrupt, output};

/// The name of the file, if no other is given.
const FILE: &str = "mazurka.toml";

/// The options of the command line that are not those of a single check.
const OF_ALL: [&str; 12] = [
    "files",
    "all",
    "config",
    "entry",
    "json",
    "format",
    "annotations",
    "junit",
    "sarif",
    "html",
    "dot",
    "svg",
];

impl CheckArgs {
    /// Returns whether the checks are those of a configuration.
    pub(crate) fn is_configured(&self) -> bool {
        self.all || self.config.is_some()
    }
}

/// The checks of a project.
struct Config {
    path: PathBuf,
    /// The options of every check.
    defaults: Table,
    checks: Vec<(String, Table)>,
}

/// Runs all checks of a configuration, or those that are named. A check that cannot run, for example
/// because its program does not compile, does not keep the others from running.
///
/// # Errors
///
/// If the configuration itself is wrong. Then no check runs.
pub(crate) fn run(
    args: &CheckArgs,
    given: &ArgMatches,
) -> Result<Vec<Result<Ran, Failed>>, Complaint> {
    if args.trace.is_some() {
        return Err(
            "`--trace` is for a single check: set `trace` of a check in the configuration".into()
        );
    }
    let path = args.config.clone().unwrap_or_else(|| PathBuf::from(FILE));
    let config = Config::read(&path)?;
    let names: Vec<String> = args.files.iter().map(|name| name.display().to_string()).collect();
    let mut checks = Vec::new();
    for (name, check) in config.chosen(&names, args.all)? {
        let complain = |complaint| format!("{}: check `{name}`: {complaint}", path.display());
        checks.push((name, config.parsed(check, given).map_err(complain)?));
    }
    let mut done = Vec::new();
    for (name, (one, given)) in checks {
        if interrupt::was_pressed() {
            break;
        }
        let name = name.to_owned();
        done.push(match check::run_one(&one, &given, args.output.wants_details()) {
            Ok(ran) => {
                let ran = Ran { name, ..ran };
                args.output.say(&ran);
                Ok(ran)
            }
            Err(complaint) => {
                let failed = Failed { name, complaint };
                args.output.say_failed(&failed);
                Err(failed)
            }
        });
    }
    Ok(done)
}

impl Config {
    fn read(path: &Path) -> Result<Config, Complaint> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            format!(
                "{} cannot be read: {error}; `mazurka init` writes one, and `--config FILE` names \
                 another",
                path.display()
            )
        })?;
        let complain = |what: &str| format!("{}: {what}", path.display());
        let mut table: Table = text.parse().map_err(|error| complain(&format!("{error}")))?;
        let defaults = match table.remove("defaults") {
            None => Table::new(),
            Some(Value::Table(defaults)) => defaults,
            Some(_) => return Err(complain("`defaults` must be a table: `[defaults]`")),
        };
        let mut checks = Vec::new();
        match table.remove("check") {
            Some(Value::Table(tables)) => {
                for (name, check) in tables {
                    let Value::Table(check) = check else {
                        return Err(complain(&format!(
                            "`check.{name}` must be a table: `[check.{name}]`"
                        )));
                    };
                    checks.push((name, check));
                }
            }
            _ => return Err(complain("there are no checks: add a table such as `[check.queue]`")),
        }
        if let Some(key) = table.keys().next() {
            return Err(complain(&format!("`{key}` is unknown: there are `defaults` and `check`")));
        }
        Ok(Config { path: path.to_owned(), defaults, checks })
    }

    /// Returns the checks with these names, or all.
    fn chosen<'a>(
        &'a self,
        names: &[String],
        all: bool,
    ) -> Result<Vec<(&'a str, &'a Table)>, Complaint> {
        let known = || {
            let names: Vec<_> = self.checks.iter().map(|(name, _)| name.as_str()).collect();
            names.join(", ")
        };
        let everything = || self.checks.iter().map(|(name, check)| (name.as_str(), check));
        match (names, all) {
            ([], true) => Ok(everything().collect()),
            ([], false) => {
                Err(format!("name the checks to run, or add `--all`; there are {}", known()))
            }
            (_, true) => Err("`--all` runs all checks: leave out the names".to_owned()),
            (names, false) => {
                let find = |name: &String| {
                    let found = everything().find(|(known, _)| known == name);
                    found.ok_or_else(|| {
                        format!(
                            "{} has no check `{name}`; there are {}",
                            self.path.display(),
                            known()
                        )
                    })
                };
                names.iter().map(find).collect()
            }
        }
    }

    /// Returns the arguments of a check, and which of them are given.
    fn parsed(
        &self,
        check: &Table,
        given: &ArgMatches,
    ) -> Result<(Box<CheckArgs>, ArgMatches), Complaint> {
        let words = self.command_line(check, given)?;
        let matches = Cli::command().try_get_matches_from(words).map_err(|error| {
            let text = error.to_string();
            let text = text.split("\n\nUsage:").next().unwrap_or_default();
            text.trim_start_matches("error: ").trim_end().to_owned()
        })?;
        let cli = Cli::from_arg_matches(&matches).map_err(|error| error.to_string())?;
        match (cli.command, matches.subcommand()) {
            (Command::Check(args), Some((_, given))) => Ok((args, given.clone())),
            _ => unreachable!("the command line is that of `check`"),
        }
    }

    /// Returns the command line of a check. Options of the command line take precedence over those
    /// of the check, and these over the defaults.
    fn command_line(&self, check: &Table, given: &ArgMatches) -> Result<Vec<OsString>, Complaint> {
        let command = Cli::command();
        let check_command = command.find_subcommand("check").expect("there is a command `check`");
        let options: Vec<&clap::Arg> = check_command.get_arguments().collect();
        let is_given = |option: &clap::Arg| {
            given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let mut words: Vec<OsString> = vec!["mazurka".into(), "check".into()];
        let mut last = Vec::new();
        let files =
            match check.get("files") {
                Some(Value::Array(files)) if !files.is_empty() => files,
                _ => return Err(
                    "`files` must be a list with at least one file, as in `files = [\"queue.c\"]`"
                        .into(),
                ),
            };
        for file in files {
            let Value::String(file) = file else {
                return Err("`files` must be a list of strings".into());
            };
            words.push(self.beside(file).into());
        }
        let settings = self.defaults.iter().filter(|(key, _)| !check.contains_key(*key));
        for (key, value) in check.iter().chain(settings).filter(|(key, _)| *key != "files") {
            let is_named = |option: &&&clap::Arg| {
                let id = option.get_id().as_str();
                !OF_ALL.contains(&id)
                    && (option.get_long() == Some(key) || id == key.replace('-', "_"))
            };
            let Some(option) = options.iter().find(is_named) else {
                return Err(format!(
                    "`{key}` is no option of a check; `mazurka check --help` lists them"
                ));
            };
            if is_given(option) {
                continue;
            }
            for value in values(key, value, option)? {
                match option.is_last_set() {
                    true => last.push(value.into()),
                    false if !option.get_action().takes_values() => {
                        words.push(front_end::spelling(option).into());
                    }
                    false => {
                        let is_path = match option.get_value_hint() {
                            ValueHint::FilePath | ValueHint::DirPath | ValueHint::AnyPath => true,
                            // The name of a program is looked up in `PATH`.
                            ValueHint::ExecutablePath => value.contains('/'),
                            _ => false,
                        };
                        let value = if is_path { self.beside(&value).into() } else { value.into() };
                        words.extend([front_end::spelling(option).into(), value]);
                    }
                }
            }
        }
        for option in options.iter().filter(|option| is_given(option)) {
            let id = option.get_id().as_str();
            if OF_ALL.contains(&id) {
                continue;
            }
            let values = given.get_raw(id).into_iter().flatten().map(OsString::from);
            match option.is_last_set() {
                true => last.extend(values),
                false if !option.get_action().takes_values() => {
                    words.push(front_end::spelling(option).into());
                }
                false => values
                    .for_each(|value| words.extend([front_end::spelling(option).into(), value])),
            }
        }
        if !last.is_empty() {
            words.push("--".into());
            words.extend(last);
        }
        Ok(words)
    }

    /// Returns a path relative to the directory of the configuration.
    fn beside(&self, path: &str) -> PathBuf {
        match self.path.parent() {
            Some(directory) => directory.join(path),
            None => PathBuf::from(path),
        }
    }
}

/// Returns the values of an option; a switch that is on has one empty value.
fn values(key: &str, value: &Value, option: &clap::Arg) -> Result<Vec<String>, Complaint> {
    let takes_values = option.get_action().takes_values();
    let one = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        _ => Err(format!("`{key}` must be a string, a number, or a list of these")),
    };
    match value {
        Value::Boolean(on) if !takes_values => {
            Ok(if *on { vec![String::new()] } else { Vec::new() })
        }
        _ if !takes_values => Err(format!("`{key}` must be `true` or `false`")),
        Value::Array(values) => values.iter().map(one).collect(),
        value => Ok(vec![one(value)?]),
    }
}

/// `mazurka init`: writes a configuration.
pub(crate) fn init() -> Result<Outcome, Complaint> {
    let path = Path::new(FILE);
    if path.exists() {
        return Err(format!("{FILE} is there already; it was not changed"));
    }
    let mut text = HEAD.to_owned();
    let mut programs: Vec<String> = std::fs::read_dir(".")
        .map_err(|error| format!("this directory cannot be read: {error}"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| [".c", ".cc", ".cpp", ".cxx", ".pnml"].iter().any(|end| name.ends_with(end)))
        .collect();
    programs.sort();
    for program in &programs {
        let stem = Path::new(program).file_stem().unwrap_or_default().to_string_lossy();
        let file = Value::from(program.as_str());
        text.push_str(&format!("\n[check.{}]\nfiles = [{file}]\n", quoted(&stem)));
    }
    if programs.is_empty() {
        text.push_str(EXAMPLE);
    }
    output::write(path, &text)?;
    eprintln!("mazurka: wrote {FILE}; `mazurka check --all` runs its checks");
    Ok(Outcome::Fine)
}

/// Returns a name as a key of TOML.
fn quoted(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => Value::from(name).to_string(),
    }
}

const HEAD: &str = r#"# The checks of this project. `mazurka check --all` runs all of them, and
# `mazurka check --config mazurka.toml NAME` one.
#
# The keys are the options of `mazurka check`, without the dashes: `mazurka check --help` lists
# them. Paths are relative to this file.

# The options of every check.
[defaults]
# algorithm = "observers"   # `mazurka explorers` lists the others
# time-limit = "5m"         # stop after this time; the check is then incomplete
# races = "error"           # data races are violations
# keep-going = true         # report all different violations
"#;

const EXAMPLE: &str = r#"
# One table for each check.
# [check.queue]
# files = ["src/queue.c", "tests/queue_test.c"]
# define = ["N=3", "NDEBUG"]
# include = ["include"]
# preemption-bound = 3
#
# [check.lock]
# files = ["lock.erl"]
# call = "lock:test(4)"
"#;
