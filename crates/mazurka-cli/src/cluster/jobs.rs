//! `mazurka jobs`.

use std::time::Duration;

use clap::{Args, Subcommand};
use mazurka_cluster::{Cluster, Crew, Job, State, Status, VERSION};
use mazurka_core::search::Progress;
use mazurka_report::{left, thousands};

use super::{NatsArgs, check, open};
use crate::output::OutputArgs;
use crate::watchdog::{self, Watch};
use crate::{Complaint, Outcome, interrupt};

#[derive(Args)]
pub(crate) struct JobsArgs {
    /// The NATS server, such as `nats://host:4222`
    #[arg(long, value_name = "URL")]
    cluster: String,
    #[command(flatten)]
    nats: NatsArgs,
    #[command(subcommand)]
    command: Option<JobsCommand>,
}

#[derive(Subcommand)]
enum JobsCommand {
    /// List all jobs, which is the default
    List,
    /// Show one job
    Show {
        /// The id of the job
        id: String,
    },
    /// Cancel a job; remove one that has ended
    Cancel {
        /// The id of the job
        id: String,
    },
    /// Continue a job whose coordinator was stopped or has died, and report on it
    Resume {
        /// The id of the job
        id: String,
        #[command(flatten)]
        output: Box<OutputArgs>,
    },
}

/// `mazurka jobs`.
pub(crate) fn jobs(args: &JobsArgs) -> Result<Outcome, Complaint> {
    let cluster = args.nats.connect(&args.cluster)?;
    let find = |id: &str| cluster.job(id).map_err(|error| error.to_string());
    match &args.command {
        None | Some(JobsCommand::List) => {
            let jobs = cluster.jobs().map_err(|error| error.to_string())?;
            if jobs.is_empty() {
                eprintln!("There are no jobs; `mazurka check FILE --cluster URL` publishes one.");
            }
            jobs.iter().for_each(|(job, status)| println!("{}", line(job, status)));
        }
        Some(JobsCommand::Show { id }) => {
            let (job, status) = find(id)?;
            println!("{}", line(&job, &status));
            println!("  version   {}", job.version);
            println!("  options   {}", job.options.join(" "));
            println!("  digest    {}", job.digest);
            println!("  parts     {} left", status.open);
            println!("  time      {:.1} s", status.seconds);
            if let Some(left) = left_of(&status) {
                println!("  explored  {left}");
            }
        }
        Some(JobsCommand::Cancel { id }) => {
            let (job, status) = find(id)?;
            cluster.cancel(&job, &status).map_err(|error| error.to_string())?;
            eprintln!(
                "job {id}: {}",
                match status.state {
                    State::Done | State::Cancelled => "removed",
                    State::Running | State::Stopped => "cancelled",
                }
            );
        }
        Some(JobsCommand::Resume { id, output }) => {
            let (job, status) = find(id)?;
            return resume(&cluster, &job, &status, output);
        }
    }
    Ok(Outcome::Fine)
}

/// Returns a line about a job.
fn line(job: &Job, status: &Status) -> String {
    let state = match status.state {
        State::Running => "running",
        State::Stopped => "stopped",
        State::Done => "done",
        State::Cancelled => "cancelled",
    };
    format!(
        "{}  {state:9}  {} executions, {} blocked, {} violations  {}",
        job.id,
        thousands(status.executions),
        thousands(status.blocked),
        status.violations,
        job.name
    )
}

/// Returns how much of a job is explored, and for how long it will go on: `5.0 to 25 %, 3 to 19 min left`.
fn left_of(status: &Status) -> Option<String> {
    let is_open = matches!(status.state, State::Running | State::Stopped);
    let estimate = status.estimate().filter(|_| is_open)?;
    let elapsed = Duration::try_from_secs_f64(status.seconds).ok()?;
    let Status { executions, blocked, .. } = *status;
    let progress = Progress { executions, blocked, elapsed, estimate: None, position: &[] };
    Some(left(&progress, estimate).trim_start_matches(", ").to_owned())
}

/// Continues a job. The files of the program come from the cluster.
fn resume(
    cluster: &Cluster,
    job: &Job,
    status: &Status,
    output: &OutputArgs,
) -> Result<Outcome, Complaint> {
    match status.state {
        State::Done => return Err(format!("the job `{}` has ended", job.id)),
        State::Cancelled => return Err(format!("the job `{}` was cancelled", job.id)),
        State::Running | State::Stopped => {}
    }
    if job.crew == Crew::Binary {
        return Err(format!(
            "the job `{}` belongs to a test binary. To continue it, run the test again: \
             `MAZURKA_CLUSTER=URL cargo test --features mazurka/cluster {}`",
            job.id, job.name
        ));
    }
    if job.version != VERSION {
        return Err(format!(
            "the job `{}` was published by Mazurka {}, and this is {VERSION}; use the same version",
            job.id, job.version
        ));
    }
    interrupt::listen();
    watchdog::start(Watch { memory_limit: None, json: output.json });
    let files = cluster.files(job).map_err(|error| error.to_string())?;
    let directory = mazurka_cluster::Directory::new().map_err(|error| error.to_string())?;
    for file in files {
        let path = directory.path().join(&file.name);
        std::fs::write(&path, &file.bytes)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    let mut opened = open(job, directory.path())?;
    opened.args.output = output.clone();
    let wants_page = output.wants_details();
    let ran =
        check::follow(cluster, job, &opened.args, &*opened.program, &opened.options, wants_page)?;
    output.say(&ran);
    if output.json {
        println!("{}", ran.json);
    }
    let outcome = Outcome::of(&ran.outcome.verdict);
    output.write(&[Ok(ran)])?;
    Ok(outcome)
}
