//! The command line: commands, options, and their help.

mod program;
mod search;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::{Algorithm, Coherence};

pub(crate) use self::program::{Delivery, ProgramOptions};
use self::program::{coherence, memory_model};
use self::search::explorer;
pub(crate) use self::search::{Bounds, Memory, SamplingArgs, UnfoldingArgs};
use crate::Complaint;
use crate::cluster::{JobsArgs, NatsArgs, WorkerArgs};
use crate::front_end;
use crate::output::OutputArgs;
use crate::values;

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
    /// Which execution graphs the explorer `graphs` tells apart [default: observed]
    ///
    /// With `observed`, graphs that differ only in the coherence order of writes are one. `total` counts
    /// them one by one, as other tools do.
    #[arg(long, value_name = "WHICH", value_parser = coherence())]
    pub(crate) coherence: Option<Coherence>,
    /// Count executions that differ by a permutation of threads as one
    ///
    /// Threads can be permuted if they are created one after the other with the same function and the same
    /// argument. This is the default of `observers` and `graphs`. `optimal`, `source`, `dpor` and `naive` can do
    /// the same.
    #[arg(long, conflicts_with = "no_symmetry")]
    pub(crate) symmetry: bool,
    /// Count executions that differ by a permutation of threads separately
    #[arg(long)]
    pub(crate) no_symmetry: bool,
    /// Continue after a violation and report all different violations
    #[arg(long, short)]
    pub(crate) keep_going: bool,
    /// Write the first failing execution to a file that `mazurka replay` reads; as JSON if the name
    /// ends in `.json`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,
    /// Explore with N workers, each on its own processor core [default: the number of cores]
    ///
    /// They run the same executions as one worker. After the first 33,000 steps, about a twentieth of a
    /// second, it may vary which violation they find first, except for samplers. `observers`, `optimal`,
    /// `data-centric`, `graphs` and `naive` can share their work, without a bound on preemptions, and so can
    /// samplers. Otherwise one worker does all the work.
    #[arg(long, value_name = "N", value_parser = values::workers)]
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
    /// The default explorer is then `graphs` for C and C++, and `optimal` for other programs. `data-centric` and
    /// `naive` can be used, too.
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

impl CheckArgs {
    /// Returns whether executions that differ by a permutation of threads count as one, if the user says so;
    /// an error if this explorer cannot do that.
    pub(crate) fn symmetry(&self, algorithm: Algorithm) -> Result<Option<bool>, Complaint> {
        if self.symmetry && !algorithm.may_reduce_symmetry() {
            return Err(format!(
                "`{algorithm}` cannot count executions that differ by a permutation of threads as one: leave \
                 out `--symmetry`, or use `--algorithm observers`, `graphs`, `optimal`, `source`, `dpor` or \
                 `naive`"
            ));
        }
        if self.symmetry && self.bounds.preemption_bound.is_some() {
            return Err(
                "a permutation of threads may change the number of preemptions: leave out \
                        `--symmetry` or `--preemption-bound`"
                    .to_owned(),
            );
        }
        Ok(match (self.symmetry, self.no_symmetry) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        })
    }

    /// Returns the explorer; an error if it does not fit the memory model, or `--coherence`.
    pub(crate) fn algorithm(&self) -> Result<Algorithm, Complaint> {
        match (self.algorithm, self.coherence) {
            (_, None) => {}
            (None | Some(Algorithm::Graphs), Some(_)) => return Ok(Algorithm::Graphs),
            (Some(algorithm), Some(_)) => {
                return Err(format!(
                    "`{algorithm}` explores schedules, and not execution graphs: leave out \
                     `--coherence`, or use `--algorithm graphs`"
                ));
            }
        }
        match (self.algorithm, self.program.memory_model.unwrap_or_default()) {
            (None, _) if self.cluster.is_some() => Ok(front_end::default_on_cluster(&self.files)),
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
    fn the_kind_of_program_decides_the_explorer_on_a_cluster() {
        let algorithm = |words: &str| {
            let line = format!("mazurka check --cluster nats://localhost {words}");
            let cli = Cli::parse_from(line.split(' '));
            let Command::Check(args) = cli.command else { panic!("{line}") };
            args.algorithm()
        };
        assert_eq!(algorithm("a.c"), Ok(Algorithm::Graphs));
        assert_eq!(algorithm("a.erl"), Ok(Algorithm::Optimal));
        assert_eq!(algorithm("--call a:b()"), Ok(Algorithm::Optimal));
        assert_eq!(algorithm("a.pnml"), Ok(Algorithm::Optimal));
        assert_eq!(algorithm("a.c -a optimal"), Ok(Algorithm::Optimal));
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
