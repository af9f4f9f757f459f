//! Options of the program: how it is compiled, read and started.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use mazurka_core::memory::MemoryModel;
use mazurka_core::search::Coherence;
use mazurka_llvm::{Property, Undefined};

use crate::Complaint;
use crate::values::{self, Definition};

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
    /// Start this Erlang application, and those that it needs, before the call; its environment may follow:
    /// `lager[{crash_log,undefined}]`
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

/// Returns a parser of the names of memory models.
pub(super) fn memory_model() -> impl TypedValueParser<Value = MemoryModel> {
    let all = [MemoryModel::Auto].into_iter().chain(MemoryModel::ALL);
    let names = all.map(|m| PossibleValue::new(m.name()).help(m.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}

/// Returns a parser of the names of coherence orders.
pub(super) fn coherence() -> impl TypedValueParser<Value = Coherence> {
    let names = Coherence::ALL.map(|c| PossibleValue::new(c.name()).help(c.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}

/// Returns a parser of the kinds of undefined behaviour.
fn undefined() -> impl TypedValueParser<Value = Undefined> {
    PossibleValuesParser::new(Undefined::ALL.map(|(name, _)| name)).map(|name| {
        let known = Undefined::ALL.into_iter().find(|(known, _)| *known == name);
        known.expect("the parser takes only these names").1
    })
}
