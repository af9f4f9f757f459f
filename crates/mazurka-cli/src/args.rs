//! What can be said on the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use mazurka_core::search::{Algorithm, CutOffOrder, DataRaces, Options, UnfoldingOptions};

use crate::Complaint;
use crate::interrupt;
use crate::values::{self, Definition};

/// Checks concurrent programs under every meaningfully different schedule.
///
/// Mazurka runs a program under its own scheduler, again and again, and steps through every
/// schedule that could make a difference, once. It finds the one that breaks an assertion,
/// deadlocks, races or uses invalid memory, and shows it; or it shows that there is none.
///
/// Rust programs are checked from within their tests: add the crate `mazurka` as a dev-dependency
/// and write `mazurka::check(|| …)` in a `#[test]`.
#[derive(Parser)]
#[command(
    name = "mazurka",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = EXIT_CODES
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  all executions are fine
  1  a violation was found
  2  bad usage or bad input
  3  stopped by a bound, a time limit or Ctrl-C, and nothing found so far";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check a program under every meaningfully different schedule
    #[command(after_help = EXIT_CODES)]
    Check(CheckArgs),
    /// Run one schedule of a program again, and show it step by step
    #[command(override_usage = "mazurka replay [OPTIONS] <FILE>... <SCHEDULE> [-- <FLAGS>...]")]
    Replay(ReplayArgs),
    /// Run several explorers on a program, and show what each took in one table
    Compare(CompareArgs),
    /// List the explorers, the algorithms that decide which executions to run
    Explorers,
    /// Print completions for a shell
    ///
    /// For bash: `mazurka completions bash > ~/.local/share/bash-completion/completions/mazurka`.
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the man page of Mazurka, or of one of its commands
    ///
    /// To read it: `mazurka man | man -l -`.
    Man {
        /// The command whose page to print
        command: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The program: a C or C++ source, or LLVM IR as text (.ll), of which several are linked into
    /// one; a Petri net (.pnml); a recording of an event-driven program (a directory with
    /// trace.txt, or such a file); or Erlang modules (.erl, .beam)
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
    /// Which explorer to use; `mazurka explorers` says what each does
    #[arg(short, long, value_name = "NAME", value_parser = explorer(), default_value = DEFAULT)]
    pub(crate) algorithm: Algorithm,
    /// Go on after a violation, and report every different one
    #[arg(long, short)]
    pub(crate) keep_going: bool,
    /// Print the verdict as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the first failing execution to a file, which `mazurka replay` takes; as JSON if it
    /// ends in `.json`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) unfolding: UnfoldingArgs,
    #[command(flatten)]
    pub(crate) memory: Memory,
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The program, as for `check`; and last the schedule as a report has printed it, or the file
    /// that `check --trace` wrote
    #[arg(required = true, num_args = 2.., value_names = ["FILE", "SCHEDULE"])]
    pub(crate) files_and_schedule: Vec<String>,
    /// Print the execution as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) memory: Memory,
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
}

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// The program, as for `check`
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Which explorers to run
    #[arg(
        short,
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = explorer(),
        default_value = "source,optimal,observers"
    )]
    pub(crate) algorithms: Vec<Algorithm>,
    /// Print the table as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) unfolding: UnfoldingArgs,
    #[command(flatten)]
    pub(crate) memory: Memory,
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
}

/// How far to look.
#[derive(Args)]
#[command(next_help_heading = "How far to look")]
pub(crate) struct Bounds {
    /// Stop after so many executions
    #[arg(long, value_name = "N", value_parser = values::number::<u64>)]
    pub(crate) max_executions: Option<u64>,
    /// Cut executions after so many steps [default: 100000]
    #[arg(long, value_name = "STEPS", value_parser = values::number::<usize>)]
    pub(crate) max_depth: Option<usize>,
    /// Stop after so long: seconds, or a time as `500ms`, `90s`, `5m`, `1h`
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Leave out schedules in which threads that could go on are interrupted more often
    #[arg(long, value_name = "N", value_parser = values::number::<u32>)]
    pub(crate) preemption_bound: Option<u32>,
}

impl Bounds {
    /// What the explorers need to know.
    pub(crate) fn options(&self, algorithm: Algorithm, races: Races) -> Options<'static> {
        let defaults = Options::default();
        Options {
            algorithm,
            max_executions: self.max_executions,
            max_depth: self.max_depth.or(defaults.max_depth),
            time_limit: self.time_limit,
            preemption_bound: self.preemption_bound,
            data_races: races.into(),
            interrupt: Some(interrupt::flag()),
            ..defaults
        }
    }
}

/// How `unfolding` explores.
#[derive(Args)]
#[command(next_help_heading = "The explorer `unfolding`")]
pub(crate) struct UnfoldingArgs {
    /// Go on behind events that lead to known states
    #[arg(long)]
    pub(crate) no_cutoffs: bool,
    /// Of two events that lead to the same state, which one is cut off
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = CutOffs::Size)]
    pub(crate) cutoff_order: CutOffs,
    /// Remember so many events beyond those that are needed [default: all]
    #[arg(long, value_name = "EVENTS", value_parser = values::number::<usize>)]
    pub(crate) cache: Option<usize>,
    /// Look for alternatives that avoid so many of the events that were explored [default: all]
    #[arg(long, value_name = "K", value_parser = values::number::<usize>)]
    pub(crate) alternatives: Option<usize>,
}

/// By which order events are cut off.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum CutOffs {
    /// The one with more causes (McMillan)
    Size,
    /// A finer order, which cuts off more (Esparza, Römer and Vogler)
    Total,
}

impl UnfoldingArgs {
    /// What the explorer needs to know; an error if these are not for one of the explorers.
    pub(crate) fn options(&self, algorithms: &[Algorithm]) -> Result<UnfoldingOptions, Complaint> {
        let unfolds = algorithms.contains(&Algorithm::Unfolding);
        let given = [
            ("--no-cutoffs", self.no_cutoffs),
            ("--cutoff-order", self.cutoff_order != CutOffs::Size),
            ("--cache", self.cache.is_some()),
            ("--alternatives", self.alternatives.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given && !unfolds) {
            return Err(format!("`{name}` is for `--algorithm unfolding` only"));
        }
        if self.alternatives == Some(0) {
            return Err("`--alternatives 0` would avoid nothing; take 1 or more".to_owned());
        }
        Ok(UnfoldingOptions {
            cut_offs: !self.no_cutoffs,
            order: match self.cutoff_order {
                CutOffs::Size => CutOffOrder::Size,
                CutOffs::Total => CutOffOrder::Total,
            },
            cache: self.cache,
            alternatives: self.alternatives,
        })
    }
}

/// What to look for in memory.
#[derive(Args)]
#[command(next_help_heading = "What to look for")]
pub(crate) struct Memory {
    /// What a data race on plain memory is
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Races::Warn)]
    pub(crate) races: Races,
}

/// What to do about data races.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Races {
    /// A warning, once for each location
    Warn,
    /// A violation
    Error,
    /// Nothing to tell
    Off,
}

impl From<Races> for DataRaces {
    fn from(races: Races) -> Self {
        match races {
            Races::Warn => DataRaces::Warn,
            Races::Error => DataRaces::Report,
            Races::Off => DataRaces::Ignore,
        }
    }
}

/// How the program is read and what it is. Which of these a program takes depends on its front
/// end, and one that it does not take is refused.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The program")]
pub(crate) struct ProgramOptions {
    /// Define a macro, 1 if it has no value: `-D N=5`
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub(crate) define: Vec<Definition>,
    /// Look for headers in this directory too
    #[arg(short = 'I', value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) include: Vec<PathBuf>,
    /// The language standard: `c11`, `c++17`
    #[arg(long, value_name = "STANDARD")]
    pub(crate) std: Option<String>,
    /// The clang to compile with [default: the one that is found]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath)]
    pub(crate) clang: Option<PathBuf>,
    /// Heap memory that nobody can reach when the program has ended is a violation
    #[arg(long)]
    pub(crate) leaks: bool,
    /// The values that `__VERIFIER_nondet_int` and the like can have, all of which are tried:
    /// `0..3` (both included)
    #[arg(long, value_name = "RANGE", value_parser = values::range, allow_hyphen_values = true)]
    pub(crate) nondet: Option<(i64, i64)>,
    /// What `rand` returns: `seed=N`, a sequence that depends on N; or `choose=N`, each of 0 to N-1
    /// is tried [default: seed=0]
    #[arg(long, value_name = "HOW", value_parser = values::rand)]
    pub(crate) rand: Option<values::Rand>,
    /// Instead of deadlocks of a Petri net, look for a marking: the places that hold a token, and
    /// after a `!` those that do not: `critical1,critical2,!idle`
    #[arg(long, value_name = "PLACES")]
    pub(crate) marking: Option<String>,
    /// Which operations of a recording come after which [default: `dependence.txt` beside it]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) dependence: Option<PathBuf>,
    /// List the pairs of conflicting accesses of a recording that were seen in both orders
    #[arg(long)]
    pub(crate) report_races: bool,
    /// What an Erlang program starts with: `lock:test(4)`
    #[arg(long, value_name = "CALL")]
    pub(crate) call: Option<String>,
    /// Look for compiled Erlang modules in this directory too (also: `-pa DIR`)
    #[arg(long = "code-path", alias = "pa", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) code_path: Vec<PathBuf>,
    /// Let Erlang processes wait for messages for ever: that is what servers do
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) ignore: Option<Ignored>,
    /// Let Erlang processes end for this reason, or with a tuple that starts with it
    #[arg(long, value_name = "REASON")]
    pub(crate) treat_as_normal: Vec<String>,
    /// Let timeouts of Erlang programs of so many milliseconds or more never fire
    #[arg(long, value_name = "MS", value_parser = values::number::<u32>)]
    pub(crate) never_after: Option<u32>,
    /// More flags for clang
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}

/// What need not be reported.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Ignored {
    /// Processes that wait for a message when nothing else can run
    Deadlock,
}

/// The explorer that is used by default.
const DEFAULT: &str = "observers";

/// One explorer, by its name: typos get suggestions.
fn explorer() -> impl TypedValueParser<Value = Algorithm> {
    let names = Algorithm::ALL.map(|a| PossibleValue::new(a.name()).help(a.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_description_is_sound() {
        Cli::command().debug_assert();
        assert_eq!(DEFAULT, Algorithm::default().name());
    }

    #[test]
    fn flags_for_clang_come_last() {
        let line = "mazurka check a.c b.c -D N=5 -DM -I include --std c11 -- -O1 -Wall";
        let cli = Cli::parse_from(line.split(' '));
        let Command::Check(args) = cli.command else { panic!("{line}") };
        assert_eq!(args.files.len(), 2);
        assert_eq!(args.program.define.len(), 2);
        assert_eq!(args.program.flags, ["-O1", "-Wall"]);
        let line = "mazurka replay a.c b.c 0-1x3 -- -O1";
        let Command::Replay(args) = Cli::parse_from(line.split(' ')).command else { panic!() };
        assert_eq!(args.files_and_schedule, ["a.c", "b.c", "0-1x3"]);
    }
}
