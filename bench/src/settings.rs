//! The command line.

use crate::programs::{Case, Program};
use crate::tools::Tool;
use crate::{alone, awaits, c, weak};

/// What `--help` prints.
pub(crate) const HELP: &str = "\
Runs the same programs on Mazurka, loom and shuttle, and compares them. Then
programs that only Mazurka runs: message passing, and observation functions.
Then checks C programs: how fast, in how much memory, and how many times faster
than Nidhugg and GenMC, whose times for the same executions are known. Then C
programs that wait in loops, beside what GenMC runs. Then C programs under the
memory model RC11, beside GenMC if that is installed.

Usage: cargo xtask bench [FILTER] [OPTIONS]

Arguments:
  [FILTER]         only the programs with this in their name

Options:
  --only NAME      only this program; may be repeated
  --tool NAME      only this tool (mazurka, loom or shuttle); may be repeated
  --rust           only the Rust programs
  --alone          only the Rust programs that no other tool runs
  --c              only the C programs
  --seconds S      how long a tool may explore a program [default: 10]
  --json           print one JSON object in the end instead of the table
  --list           list the programs and their parameters, and run nothing
  -h, --help       print this

An exploration that ends before that time is up is repeated until it is, and the
median of the times counts. Times are of the processor, save where several
workers share the work, and for reading: whatever they are, the exit code is 0. It is 1 if a tool failed, or if Mazurka ran more or
fewer executions than the program has Mazurkiewicz traces, and 2 for bad usage.
";

/// What the user chose.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) filter: Option<String>,
    pub(crate) only: Vec<Program>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) rust: bool,
    pub(crate) alone: bool,
    pub(crate) c: bool,
    pub(crate) seconds: f64,
    pub(crate) json: bool,
    pub(crate) list: bool,
    pub(crate) help: bool,
}

impl Settings {
    /// Reads the command line.
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Settings {
            filter: None,
            only: Vec::new(),
            tools: Vec::new(),
            rust: true,
            alone: true,
            c: true,
            seconds: 10.0,
            json: false,
            list: false,
            help: false,
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("`{arg}` needs a value"));
            match arg.as_str() {
                "--only" => {
                    let name = value()?;
                    let found = Program::ALL.iter().find(|(program, _)| program.name() == name);
                    let (program, _) =
                        found.ok_or_else(|| format!("there is no program `{name}`; see --list"))?;
                    settings.only.push(*program);
                }
                "--tool" => {
                    let name = value()?;
                    let found = Tool::ALL.into_iter().find(|tool| tool.name() == name);
                    let none = || format!("there is no tool `{name}`; see --help");
                    settings.tools.push(found.ok_or_else(none)?);
                }
                "--seconds" => {
                    let text = value()?;
                    let seconds = text.parse().ok().filter(|s| (0.001..=1e6).contains(s));
                    let wrong = || format!("`{text}` is no number of seconds");
                    settings.seconds = seconds.ok_or_else(wrong)?;
                }
                "--rust" => settings.c = false,
                "--alone" => (settings.rust, settings.c) = (false, false),
                "--c" => (settings.rust, settings.alone) = (false, false),
                "--json" => settings.json = true,
                "--list" => settings.list = true,
                "-h" | "--help" => settings.help = true,
                option if option.starts_with('-') => {
                    return Err(format!("there is no option `{option}`"));
                }
                _ if settings.filter.is_some() => {
                    return Err(format!("there is already a filter before `{arg}`"));
                }
                _ => settings.filter = Some(arg),
            }
        }
        if settings.tools.is_empty() {
            settings.tools = Tool::ALL.to_vec();
        }
        if !settings.rust && !settings.alone && !settings.c {
            return Err("--rust, --alone and --c leave nothing together".to_owned());
        }
        // These are about the comparison.
        if !settings.only.is_empty() || settings.tools.len() < Tool::ALL.len() {
            (settings.alone, settings.c) = (false, false);
        }
        let is_empty = settings.cases().is_empty()
            && settings.lone_cases().is_empty()
            && settings.c_cases().is_empty()
            && settings.await_cases().is_empty()
            && settings.weak_cases().is_empty();
        if is_empty {
            return Err("no program has such a name; see --list".to_owned());
        }
        Ok(settings)
    }

    /// Returns the programs to run on every tool.
    pub(crate) fn cases(&self) -> Vec<Case> {
        let wanted = |program: Program| {
            self.rust
                && (self.only.is_empty() || self.only.contains(&program))
                && self.has(program.name())
        };
        let programs = Program::ALL.into_iter().filter(|(program, _)| wanted(*program));
        programs.flat_map(|(program, ns)| ns.iter().map(move |&n| Case { program, n })).collect()
    }

    /// Returns the programs to run on Mazurka alone.
    pub(crate) fn lone_cases(&self) -> Vec<alone::Case> {
        let wanted = |case: &alone::Case| self.alone && self.has(case.program);
        alone::ALL.into_iter().filter(wanted).collect()
    }

    /// Returns the C programs to run.
    pub(crate) fn c_cases(&self) -> Vec<c::Case> {
        c::ALL.into_iter().filter(|case| self.c && self.has(case.program)).collect()
    }

    /// Returns the C programs with loops that wait to run.
    pub(crate) fn await_cases(&self) -> Vec<awaits::Case> {
        awaits::ALL.into_iter().filter(|case| self.c && self.has(case.program)).collect()
    }

    /// Returns the C programs to run under RC11.
    pub(crate) fn weak_cases(&self) -> Vec<weak::Case> {
        weak::ALL.into_iter().filter(|case| self.c && self.has(case.program)).collect()
    }

    /// Returns whether the user wants programs with this name.
    fn has(&self, name: &str) -> bool {
        self.filter.as_ref().is_none_or(|filter| name.contains(filter))
    }
}
