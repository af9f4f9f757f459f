//! Checks on a cluster: `check --cluster`, `worker` and `jobs`.
//!
//! A job has the words of a command line. A worker runs none of them: it reads them as options of
//! `check`, and refuses all that do not say what to explore ([`SHIPPED`]).

mod check;
mod jobs;
mod worker;

pub(crate) use check::check;
pub(crate) use jobs::{JobsArgs, jobs};
pub(crate) use worker::{WorkerArgs, work};

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, ValueHint};
use mazurka_cluster::{Address, Cluster, Job};
use mazurka_core::search::Options;

use crate::args::{CheckArgs, Cli, Command};
use crate::front_end::{self, Checked, Source};
use crate::{Complaint, values, watchdog};

/// How to log in to a NATS server.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "The cluster")]
pub(crate) struct NatsArgs {
    /// Log in to the NATS server with this file of credentials, as `nsc` writes it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    nats_creds: Option<PathBuf>,
    /// Log in to the NATS server with the NKey whose seed is in this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    nats_nkey: Option<PathBuf>,
    /// Use TLS, and trust the authorities whose certificates are in this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    nats_ca: Option<PathBuf>,
    /// The certificate of this client, for TLS
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "nats_key")]
    nats_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "nats_cert")]
    nats_key: Option<PathBuf>,
    /// On how many NATS servers to keep streams that do not exist yet [default: 1]
    #[arg(long, value_name = "N", value_parser = values::number::<usize>)]
    nats_replicas: Option<usize>,
}

impl NatsArgs {
    fn connect(&self, servers: &str) -> Result<Cluster, Complaint> {
        let address = Address {
            servers: servers.to_owned(),
            credentials: self.nats_creds.clone(),
            nkey: self.nats_nkey.clone(),
            authorities: self.nats_ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
            replicas: self.nats_replicas.unwrap_or(1),
        };
        Cluster::connect(&address).map_err(|error| error.to_string())
    }
}

/// The options that say what to explore. Workers need them.
const SHIPPED: [&str; 25] = [
    "algorithm",
    "allow",
    "app",
    "call",
    "coherence",
    "delivery",
    "eunit",
    "exunit",
    "ignore",
    "keep_going",
    "leaks",
    "marking",
    "max_depth",
    "max_local_steps",
    "memory_model",
    "never_after",
    "nondet",
    "no_awaits",
    "no_symmetry",
    "races",
    "rand",
    "spurious_failures",
    "spurious_wakeups",
    "symmetry",
    "treat_as_normal",
];

/// A check of a job, whose files are on this machine.
struct Opened {
    args: CheckArgs,
    program: Box<dyn Checked>,
    options: Options<'static>,
}

/// Opens the program of a job, whose files are in a directory.
fn open(job: &Job, directory: &Path) -> Result<Opened, Complaint> {
    let files: Vec<PathBuf> = job
        .opens
        .iter()
        .map(|name| if name == "." { directory.to_owned() } else { directory.join(name) })
        .collect();
    let files = files.iter().map(|file| file.display().to_string());
    let words = ["mazurka".to_owned(), "check".to_owned()].into_iter().chain(files);
    let matches = Cli::command().try_get_matches_from(words.chain(job.options.iter().cloned()));
    let odd = |reason: &str| format!("its options are not those of a check on a cluster: {reason}");
    let matches = matches.map_err(|error| odd(&error.to_string()))?;
    let given = matches.subcommand().map_or(&matches, |(_, matches)| matches);
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let mut given_ids = given.ids().map(clap::Id::as_str).filter(|id| is_given(id));
    if let Some(id) = given_ids.find(|id| *id != "files" && is_option(id) && !SHIPPED.contains(id))
    {
        return Err(odd(&format!("`{id}` is not allowed")));
    }
    let cli = Cli::from_arg_matches(&matches).map_err(|error| odd(&error.to_string()))?;
    let Command::Check(args) = cli.command else { return Err(odd("it is another command")) };
    watchdog::set_job_memory(job.memory.max(1));
    let source = Source { title: Some(&job.name), ..Source::new(&args.files, &args.program) };
    let program = front_end::open(&source, given)?;
    let algorithm = args.algorithm()?;
    let options = args.options(algorithm)?;
    program.must_divide(&options)?;
    let digest = format!("{:016x}", program.program_digest());
    if digest != job.digest {
        return Err(format!(
            "its program has the digest {}, and is read here as {digest}: install the same build of \
             Mazurka everywhere",
            job.digest
        ));
    }
    Ok(Opened { args: *args, program, options })
}

/// Returns whether this is the id of an option, and not of a group of options.
fn is_option(id: &str) -> bool {
    let command = Cli::command();
    let check = command.find_subcommand("check").expect("there is a command `check`");
    check.get_arguments().any(|option| option.get_id() == id)
}

/// The words of the options that workers need, as they were given.
fn shipped_words(args: &CheckArgs, given: &ArgMatches) -> Result<Vec<String>, Complaint> {
    let command = Cli::command();
    let check = command.find_subcommand("check").expect("there is a command `check`");
    let mut words = vec!["--algorithm".to_owned(), args.algorithm()?.to_string()];
    for option in check.get_arguments() {
        let id = option.get_id().as_str();
        let is_given = given.value_source(id) == Some(ValueSource::CommandLine);
        if !is_given || id == "algorithm" {
            continue;
        }
        if check::STAYS.contains(&id) {
            continue;
        }
        let spelling = front_end::spelling(option);
        if !SHIPPED.contains(&id) {
            return Err(format!(
                "`{spelling}` cannot be used with --cluster; leave one of them out"
            ));
        }
        let values = given.get_raw(id).into_iter().flatten();
        let values = values.map(|value| value.to_string_lossy().into_owned());
        match option.get_action().takes_values() {
            false => words.push(spelling),
            // A value may begin with a dash.
            true => words.extend(values.map(|value| format!("{spelling}={value}"))),
        }
    }
    Ok(words)
}
