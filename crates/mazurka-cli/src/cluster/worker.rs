//! `mazurka worker`.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;

use clap::Args;
use mazurka_cluster::{Explore, Explorers, Job};
use mazurka_core::explore::{Explored, Part, PartError};
use mazurka_core::search::Options;

use super::{NatsArgs, Opened, open};
use crate::{Complaint, Outcome, interrupt, values};

#[derive(Args)]
pub(crate) struct WorkerArgs {
    /// The NATS server, such as `nats://host:4222`
    #[arg(long, value_name = "URL")]
    cluster: String,
    /// Explore with N threads [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = values::workers)]
    workers: Option<NonZeroUsize>,
    #[command(flatten)]
    nats: NatsArgs,
}

/// `mazurka worker`: explores until a signal comes. What it has explored by then is published.
pub(crate) fn work(args: &WorkerArgs) -> Result<Outcome, Complaint> {
    interrupt::listen();
    let cluster = args.nats.connect(&args.cluster)?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let workers = args.workers.unwrap_or_else(cores);
    eprintln!("mazurka worker: {workers} threads wait for work");
    let opener = Opener { opening: Mutex::new(()) };
    cluster.work(workers, &opener, interrupt::flag()).map_err(|error| error.to_string())?;
    Ok(Outcome::Fine)
}

struct Opener {
    /// One program is read at a time: the memory that a program may use is a setting of the process.
    opening: Mutex<()>,
}

impl Explorers for Opener {
    fn open(&self, job: &Job, directory: &Path) -> Result<Box<dyn Explore + '_>, String> {
        let _opening = self.opening.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(Box::new(open(job, directory)?))
    }

    fn tell(&self, message: &str) {
        eprintln!("mazurka worker: {message}");
    }
}

impl Explore for Opened {
    fn options(&self) -> &Options<'static> {
        &self.options
    }

    fn explore(
        &mut self,
        part: &Part,
        options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError> {
        self.program.explore_part(part, options)
    }
}
