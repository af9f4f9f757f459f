//! The command line: commands, options, and their help.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{
    Algorithm, CutOffOrder, DataRaces, Options, PreemptionBound, SamplingOptions, UnfoldingOptions,
};

use mazurka_llvm::{Property, Undefined};

use crate::Complaint;
use crate::cluster::{JobsArgs, NatsArgs, WorkerArgs};
use crate::interrupt;
use crate::output::OutputArgs;
use crate::values::{self, Definition};

/// Checks concurrent programs under every meaningfully different schedule.
///
/// Mazurka runs a program under its own scheduler and explores every schedule that can make a
/// difference, once. It reports the schedule that fails an assertion, deadlocks, races or uses
/// invalid memory, step by step; or it shows that no schedule does.
///
/// Rust programs are checked from their own tests: add the crate `mazurka` as a dev-dependency and
/// write `mazurka::check(|| …)` in a `#[test]`.
#[derive(Parser)]
#[command(
    name = "mazurka",
    version,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = EXIT_CODES
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0  every execution was explored, and none fails
  1  a violation was found
  2  bad usage or bad input
  3  no violation was found, but a limit or Ctrl-C stopped the check";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check a program under every meaningfully different schedule
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArgs>),
    /// Run one schedule of a program again and show its steps
    #[command(override_usage = "mazurka replay [OPTIONS] <FILE>... <SCHEDULE> [-- <FLAGS>...]")]
    Replay(ReplayArgs),
    /// Run several explorers on a program and compare their executions and times
    ///
    /// With a range such as `-D N=2..9`, the program is run with each value, and the table has the
    /// growth of the number of executions.
    Compare(CompareArgs),
    /// Show the final states of litmus tests in the C format of herd7 under a memory model
    #[command(after_help = LITMUS_CODES)]
    Litmus(LitmusArgs),
    /// Explore parts of the checks that `mazurka check --cluster` publishes, until Ctrl-C
    Worker(WorkerArgs),
    /// List, show, cancel or resume the checks on a cluster
    Jobs(JobsArgs),
    /// List the explorers: the algorithms that choose the executions to run
    Explorers,
    /// Say which programs are installed that the front ends need, and which are missing
    Doctor,
    /// Write a configuration with comments, `mazurka.toml`
    Init,
    /// Print the completion script of a shell
    ///
    /// To install it for bash: `mazurka completions bash > ~/.local/share/bash-completion/completions/mazurka`.
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of Mazurka or of one of its commands
    ///
    /// To read it: `mazurka man | man -l -`.
    Man {
        /// The command to describe
        command: Option<String>,
    },
}

const LITMUS_CODES: &str = "Exit codes:
  0  the answer of every test is Ok
  1  the answer of some test is No
  2  bad usage or bad input";

#[derive(Args)]
pub(crate) struct LitmusArgs {
    /// The litmus tests
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// The memory model
    #[arg(long, value_name = "MODEL", value_parser = memory_model(), default_value = "rc11")]
    pub(crate) memory_model: MemoryModel,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The program: C or C++ sources and LLVM IR as text (.ll), which are linked into one program;
    /// Erlang and Elixir modules (.erl, .beam, .ex, .exs); a Petri net (.pnml); or a recording of an event-driven program
    /// (a directory with trace.txt, or a file of that format)
    ///
    /// With `--config`, the names of checks.
    #[arg(
        required_unless_present_any = ["call", "eunit", "exunit", "all", "config", "entry"],
        value_name = "FILE",
        value_hint = ValueHint::AnyPath
    )]
    pub(crate) files: Vec<PathBuf>,
    /// Run all checks of `mazurka.toml`, or of the file that `--config` names
    #[arg(long)]
    pub(crate) all: bool,
    /// Run checks of this configuration; `mazurka init` writes one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// The explorer; `mazurka explorers` describes them
    ///
    /// The default is `observers`, and `graphs` under a memory model.
    #[arg(short, long, value_name = "NAME", value_parser = explorer())]
    pub(crate) algorithm: Option<Algorithm>,
    /// Continue after a violation and report all different violations
    #[arg(long, short)]
    pub(crate) keep_going: bool,
    /// Write the first failing execution to a file that `mazurka replay` reads; as JSON if the name
    /// ends in `.json`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,
    /// Explore with N workers, each on its own processor core [default: the number of cores]
    ///
    /// They run the same executions as one worker. After the first tenth of a second, it may vary
    /// which violation they find first, except for samplers. `observers`, `optimal`, `graphs` and
    /// `naive` can share their work, without a bound on preemptions, and so can samplers. Otherwise one
    /// worker does all the work.
    #[arg(long, value_name = "N", value_parser = values::number::<NonZeroUsize>)]
    pub(crate) workers: Option<NonZeroUsize>,
    /// Save the search to this file every minute and when it is stopped, for --resume
    ///
    /// When the search has ended, the file is removed.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The time between two checkpoints, as for --time-limit [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) checkpoint_every: Option<Duration>,
    /// Continue the search that was saved to this file, and save it there unless --checkpoint names
    /// another file
    ///
    /// The program and all options that decide what is explored must be the same. Limits count from
    /// now on.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) resume: Option<PathBuf>,
    /// Explore on the workers of a cluster, through the NATS server at this address, such as
    /// `nats://host:4222`; `mazurka worker` starts a worker
    ///
    /// The default explorer is `graphs` then. `naive` can be used, too.
    #[arg(long, value_name = "URL")]
    pub(crate) cluster: Option<String>,
    #[command(flatten)]
    pub(crate) nats: NatsArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
    #[command(flatten)]
    pub(crate) unfolding: UnfoldingArgs,
    #[command(flatten)]
    pub(crate) memory: Memory,
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The files of the program, as for `check`, and then the schedule: as a report prints it, or a
    /// file that `check --trace` wrote
    #[arg(required = true, num_args = 1.., value_names = ["FILE", "SCHEDULE"])]
    pub(crate) files_and_schedule: Vec<String>,
    /// Print the execution as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page that shows the execution step by step
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    /// Open that page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) memory: Memory,
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
}

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// The program, as for `check`
    #[arg(
        required_unless_present_any = ["call", "eunit", "exunit", "entry"],
        value_name = "FILE",
        value_hint = ValueHint::FilePath
    )]
    pub(crate) files: Vec<PathBuf>,
    /// The explorers, separated by commas
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
    /// Write a page with a chart of executions and time, and the table
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) sampling: SamplingArgs,
    #[command(flatten)]
    pub(crate) unfolding: UnfoldingArgs,
    #[command(flatten)]
    pub(crate) memory: Memory,
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
}

/// How much to explore.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Bounds {
    /// Stop after N executions
    #[arg(long, value_name = "N", value_parser = values::number::<u64>)]
    pub(crate) max_executions: Option<u64>,
    /// End each execution after this number of steps [default: 100000]
    #[arg(long, value_name = "STEPS", value_parser = values::number::<usize>)]
    pub(crate) max_depth: Option<usize>,
    /// Stop after this time: seconds, or a number with a unit as in `500ms`, `90s`, `5m`, `1h`
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) time_limit: Option<Duration>,
    /// Stop if the check uses more memory than this: bytes, or a number with a unit as in `500M`, `2G`
    /// [default: three quarters of the machine's memory]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    pub(crate) memory_limit: Option<u64>,
    /// Explore only what schedules with at most N preemptions reach: switches away from a thread that
    /// could have continued; `auto` raises N from 0 until everything is explored
    #[arg(long, value_name = "N", value_parser = values::preemptions)]
    pub(crate) preemption_bound: Option<PreemptionBound>,
    /// Do not run samples besides an exhaustive search
    ///
    /// A search that takes longer than a second spends a tenth of its time on random schedules, which
    /// find some violations long before the search reaches them.
    #[arg(long)]
    pub(crate) no_scout: bool,
}

impl Bounds {
    /// Returns the options of an explorer.
    pub(crate) fn options(&self, algorithm: Algorithm, data_races: DataRaces) -> Options<'static> {
        let defaults = Options::default();
        Options {
            algorithm,
            max_executions: self.max_executions,
            max_depth: self.max_depth.or(defaults.max_depth),
            time_limit: self.time_limit,
            preemption_bound: self.preemption_bound,
            scouts: !self.no_scout,
            data_races,
            interrupt: Some(interrupt::flag()),
            ..defaults
        }
    }
}

/// How `random`, `pct`, `pos` and `surw` explore.
#[derive(Args)]
#[command(next_help_heading = "The explorers `random`, `pct`, `pos` and `surw`")]
pub(crate) struct SamplingArgs {
    /// Run N samples [default: 10000, or as many as a limit allows]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>)]
    pub(crate) samples: Option<u64>,
    /// The seed: the same seed runs the same samples [default: 0]
    #[arg(long, value_name = "SEED", value_parser = values::number::<u64>)]
    pub(crate) seed: Option<u64>,
    /// The bug depth of `pct`: it changes priorities at D-1 points [default: 3]
    #[arg(long, value_name = "D", value_parser = values::number::<u32>)]
    pub(crate) bug_depth: Option<u32>,
}

impl SamplingArgs {
    /// Returns the options of the explorers that sample; an error if an option is given without one.
    pub(crate) fn options(&self, algorithms: &[Algorithm]) -> Result<SamplingOptions, Complaint> {
        let samples = algorithms.iter().any(|algorithm| algorithm.samples());
        let given = [("--samples", self.samples.is_some()), ("--seed", self.seed.is_some())];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given && !samples) {
            return Err(format!(
                "`{name}` works only with an explorer that samples: add `--algorithm random`, `pct`, \
                 `pos` or `surw`"
            ));
        }
        if self.bug_depth.is_some() && !algorithms.contains(&Algorithm::Pct) {
            return Err("`--bug-depth` works only with the explorer `pct`: add `--algorithm pct`"
                .to_owned());
        }
        for (name, number) in
            [("--samples", self.samples), ("--bug-depth", self.bug_depth.map(u64::from))]
        {
            if number == Some(0) {
                return Err(format!("`{name}` needs a number of at least 1"));
            }
        }
        let defaults = SamplingOptions::default();
        Ok(SamplingOptions {
            seed: self.seed.unwrap_or(defaults.seed),
            samples: self.samples,
            bug_depth: self.bug_depth.unwrap_or(defaults.bug_depth),
        })
    }
}

/// How `unfolding` explores.
#[derive(Args)]
#[command(next_help_heading = "The explorer `unfolding`")]
pub(crate) struct UnfoldingArgs {
    /// Continue after events that lead to known states
    #[arg(long)]
    pub(crate) no_cutoffs: bool,
    /// The order that decides which of two events with the same state is cut off
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = CutOffs::Size)]
    pub(crate) cutoff_order: CutOffs,
    /// Keep at most this number of events that are not needed at the moment [default: all]
    #[arg(long, value_name = "EVENTS", value_parser = values::number::<usize>)]
    pub(crate) cache: Option<usize>,
    /// Look for alternatives that avoid at most K of the explored events [default: all]
    #[arg(long, value_name = "K", value_parser = values::number::<usize>)]
    pub(crate) alternatives: Option<usize>,
}

/// The order of events for cut-offs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum CutOffs {
    /// Cut off the event with more causes (McMillan)
    Size,
    /// A total order, which cuts off more events (Esparza, Römer and Vogler)
    Total,
}

impl UnfoldingArgs {
    /// Returns the options of `unfolding`; an error if an option is given without that explorer.
    pub(crate) fn options(&self, algorithms: &[Algorithm]) -> Result<UnfoldingOptions, Complaint> {
        let unfolds = algorithms.contains(&Algorithm::Unfolding);
        let given = [
            ("--no-cutoffs", self.no_cutoffs),
            ("--cutoff-order", self.cutoff_order != CutOffs::Size),
            ("--cache", self.cache.is_some()),
            ("--alternatives", self.alternatives.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given && !unfolds) {
            return Err(format!(
                "`{name}` works only with the explorer `unfolding`: add `--algorithm unfolding`"
            ));
        }
        if self.alternatives == Some(0) {
            return Err("`--alternatives` needs a number of at least 1".to_owned());
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
    /// What to do about a data race on plain memory [default: error under the memory models ra and
    /// rc11, where it is undefined behaviour, and warn otherwise]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) races: Option<Races>,
}

impl Memory {
    /// Returns what a check does about data races.
    ///
    /// # Errors
    ///
    /// If there is a property file that cannot be read.
    pub(crate) fn data_races(&self, program: &ProgramOptions) -> Result<DataRaces, Complaint> {
        Ok(match (self.races, program.property()?) {
            (Some(races), _) => races.into(),
            (None, Some(property)) if property.has_races() => DataRaces::Report,
            (None, Some(_)) => DataRaces::Ignore,
            (None, None) => DataRaces::Undefined,
        })
    }
}

/// What to do about data races.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Races {
    /// Warn, once for each location
    Warn,
    /// Report a violation
    Error,
    /// Ignore it
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

/// How the program is read and started. Each front end takes some of these options and refuses the
/// others.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The program")]
pub(crate) struct ProgramOptions {
    /// Define a macro of a C or C++ program, as in `-D N=5`; without a value it is 1
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = values::definition)]
    pub(crate) define: Vec<Definition>,
    /// Search this directory for headers, too
    #[arg(short = 'I', value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) include: Vec<PathBuf>,
    /// The language standard, such as `c11` or `c++17`
    #[arg(long, value_name = "STANDARD")]
    pub(crate) std: Option<String>,
    /// The clang to compile with [default: the newest that Mazurka finds]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath)]
    pub(crate) clang: Option<PathBuf>,
    /// Report heap memory that is never freed and that no pointer leads to at the end
    #[arg(long)]
    pub(crate) leaks: bool,
    /// Report only violations of this property of a C or C++ program, a file of SV-COMP:
    /// unreach-call, no-data-race, no-overflow, valid-memsafety or valid-memcleanup
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["races", "leaks"]
    )]
    pub(crate) property: Option<PathBuf>,
    /// Run the iterations of a C or C++ loop that change nothing, instead of waiting until the loop
    /// can end
    #[arg(long)]
    pub(crate) no_awaits: bool,
    /// Let waits on condition variables of a C or C++ program end without a notification, at most once
    /// for each thread at each place
    #[arg(long)]
    pub(crate) spurious_wakeups: bool,
    /// Let weak compare-exchanges of a C or C++ program fail although the value is the expected one
    #[arg(long)]
    pub(crate) spurious_failures: bool,
    /// Link this file to a C or C++ program: a source file, LLVM IR as text (.ll) or as bitcode (.bc)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) link: Vec<PathBuf>,
    /// Compile the files of a C or C++ program as this `compile_commands.json`, or the one in this
    /// directory, says, and link those of its files that the program needs
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) compile_commands: Option<PathBuf>,
    /// The file with `main`, as for FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) entry: Vec<PathBuf>,
    /// Undefined behaviour of C and C++ that is no violation, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = undefined())]
    pub(crate) allow: Vec<Undefined>,
    /// How many jumps and calls a thread may take within one step [default: 10000000]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>)]
    pub(crate) max_local_steps: Option<u64>,
    /// Let each loop of a C or C++ program go back to its start at most N times; executions in which one
    /// goes back more often are cut, and the check is incomplete
    #[arg(long, value_name = "N", value_parser = values::number::<u32>)]
    pub(crate) unroll: Option<u32>,
    /// The values of `__VERIFIER_nondet_int` and similar functions, such as `0..3` (both ends
    /// included); Mazurka tries all of them
    #[arg(long, value_name = "RANGE", value_parser = values::range, allow_hyphen_values = true)]
    pub(crate) nondet: Option<(i64, i64)>,
    /// What `rand` returns: `seed=N` for a fixed sequence that depends on N, or `choose=N` to try
    /// each number from 0 to N-1 [default: seed=0]
    #[arg(long, value_name = "HOW", value_parser = values::rand)]
    pub(crate) rand: Option<values::Rand>,
    /// The memory model of a C or C++ program. Models other than `sc` need the explorer `graphs`
    /// [default: auto]
    #[arg(long, value_name = "MODEL", value_parser = memory_model())]
    pub(crate) memory_model: Option<MemoryModel>,
    /// Look for a marking of a Petri net instead of deadlocks: the places that hold a token, and
    /// after a `!` the places that do not, as in `critical1,critical2,!idle`
    #[arg(long, value_name = "PLACES")]
    pub(crate) marking: Option<String>,
    /// The order of operations of a recording [default: `dependence.txt` in its directory]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) dependence: Option<PathBuf>,
    /// List the pairs of conflicting accesses of a recording that occur in both orders
    #[arg(long)]
    pub(crate) report_races: bool,
    /// The call that starts an Erlang program, such as `lock:test(4)`
    #[arg(long, value_name = "CALL")]
    pub(crate) call: Option<String>,
    /// Run one test of EUnit instead of a call: `module:name_test`
    #[arg(long, value_name = "TEST", conflicts_with_all = ["call", "exunit"])]
    pub(crate) eunit: Option<String>,
    /// Run one test of ExUnit instead of a call, by its module and name: `CounterTest:counts up`
    #[arg(long, value_name = "TEST", conflicts_with = "call")]
    pub(crate) exunit: Option<String>,
    /// Start this Erlang application, and those that it needs, before the call
    #[arg(long, value_name = "NAME")]
    pub(crate) app: Vec<String>,
    /// Search this directory for compiled Erlang modules, too, and the directories `NAME/ebin` below it
    /// (also: `-pa DIR`)
    #[arg(long = "code-path", alias = "pa", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) code_path: Vec<PathBuf>,
    /// Do not report Erlang processes that wait for a message for ever, as servers do
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) ignore: Option<Ignored>,
    /// Do not report Erlang processes that exit with this reason or with a tuple that starts with it
    #[arg(long, value_name = "REASON")]
    pub(crate) treat_as_normal: Vec<String>,
    /// Timeouts and timers of an Erlang program of at least this many milliseconds never fire
    #[arg(long, value_name = "MS", value_parser = values::number::<u32>)]
    pub(crate) never_after: Option<u32>,
    /// When messages of an Erlang program are delivered
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub(crate) delivery: Delivery,
    /// Flags for clang
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) flags: Vec<String>,
}

/// When messages are delivered.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Default, Debug)]
pub(crate) enum Delivery {
    /// At once, as on one node
    #[default]
    Instant,
    /// At any time after they were sent: only messages from one process to another stay in order
    Pairwise,
}

/// What Mazurka does not report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Ignored {
    /// Processes that wait for a message when no process can run
    Deadlock,
}

impl ProgramOptions {
    /// Adds the files of `--entry` to those that are named otherwise.
    pub(crate) fn add_entries(&self, files: &mut Vec<PathBuf>) {
        for entry in &self.entry {
            if !files.contains(entry) {
                files.push(entry.clone());
            }
        }
    }

    /// Returns the property that the program is checked for, if there is one.
    ///
    /// # Errors
    ///
    /// If its file cannot be read, or is none of a property that Mazurka can check.
    pub(crate) fn property(&self) -> Result<Option<Property>, Complaint> {
        let Some(file) = &self.property else { return Ok(None) };
        let complain = |reason: String| format!("the property file {}: {reason}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| complain(error.to_string()))?;
        Property::parse(&text).map(Some).map_err(complain)
    }
}

impl CheckArgs {
    /// Returns the explorer; an error if it does not fit the memory model.
    pub(crate) fn algorithm(&self) -> Result<Algorithm, Complaint> {
        match (self.algorithm, self.program.memory_model.unwrap_or_default()) {
            (None, _) if self.cluster.is_some() => Ok(Algorithm::Graphs),
            (None, MemoryModel::Auto | MemoryModel::Sc) => Ok(Algorithm::default()),
            (Some(algorithm), MemoryModel::Auto | MemoryModel::Sc) => Ok(algorithm),
            (None | Some(Algorithm::Graphs), _) => Ok(Algorithm::Graphs),
            (Some(algorithm), _) => Err(format!(
                "`{algorithm}` explores schedules, which are sequentially consistent: leave out \
                 `--memory-model`, or use `--algorithm graphs`"
            )),
        }
    }
}

/// Returns a parser of the names of memory models.
fn memory_model() -> impl TypedValueParser<Value = MemoryModel> {
    let all = [MemoryModel::Auto].into_iter().chain(MemoryModel::ALL);
    let names = all.map(|m| PossibleValue::new(m.name()).help(m.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}

/// Returns a parser of the kinds of undefined behaviour.
fn undefined() -> impl TypedValueParser<Value = Undefined> {
    PossibleValuesParser::new(Undefined::ALL.map(|(name, _)| name)).map(|name| {
        let known = Undefined::ALL.into_iter().find(|(known, _)| *known == name);
        known.expect("the parser takes only these names").1
    })
}

/// Returns a parser of the names of explorers, which suggests a name for a typo.
fn explorer() -> impl TypedValueParser<Value = Algorithm> {
    let names = Algorithm::EVERY.map(|a| PossibleValue::new(a.name()).help(a.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_description_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_memory_model_decides_the_explorer() {
        let algorithm = |line: &str| {
            let cli = Cli::parse_from(line.split(' '));
            let Command::Check(args) = cli.command else { panic!("{line}") };
            args.algorithm()
        };
        assert_eq!(algorithm("mazurka check a.c"), Ok(Algorithm::Observers));
        assert_eq!(algorithm("mazurka check a.c --memory-model tso"), Ok(Algorithm::Graphs));
        let error = algorithm("mazurka check a.c --memory-model rc11 -a optimal").unwrap_err();
        assert!(error.contains("use `--algorithm graphs`"), "{error}");
        assert_eq!(algorithm("mazurka check a.c -a graphs"), Ok(Algorithm::Graphs));
        assert_eq!(algorithm("mazurka check a.c --memory-model sc"), Ok(Algorithm::Observers));
        let line = "mazurka check a.c --memory-model sc -a optimal";
        assert_eq!(algorithm(line), Ok(Algorithm::Optimal));
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
