//! Checks on a cluster: every process of the test binary is a worker.
//!
//! The processes find each other by a digest of the binary, the name of the check and its settings. See
//! the crate `mazurka-cluster`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

use mazurka_cluster::{Address, Crew, Explore, Explorers, Flow, Job, Joined, NewJob};
use mazurka_core::explore::{Explored, Part, PartError};
use mazurka_core::search::{Algorithm, Monitor, Options, Progress};
use mazurka_core::verdict::Bound;
use mazurka_report::{ProgressLine, Run};

use crate::identity;
use crate::rt::{Main, RustMachine, RustProgram};
use crate::settings::Settings;

/// Explores a program together with the other processes of the test binary.
///
/// # Panics
///
/// If the cluster cannot be used, or not for this check.
#[track_caller]
pub(crate) fn check(
    servers: &str,
    name: &str,
    main: &Main<'_>,
    program: &RustProgram<'_>,
    settings: &Settings,
) -> Run {
    try_check(servers, name, main, program, settings)
        .unwrap_or_else(|error| panic!("mazurka: {name}: {error}"))
}

fn try_check(
    servers: &str,
    name: &str,
    main: &Main<'_>,
    program: &RustProgram<'_>,
    settings: &Settings,
) -> Result<Run, String> {
    let options = options(settings)?;
    Run::whole(program, &options).map_err(|error| match options.algorithm {
        Algorithm::Graphs => format!("{error} (on a cluster: MAZURKA_ALGORITHM=optimal)"),
        _ => format!("on a cluster, {error}"),
    })?;
    let digest = identity::digest_of_binary()?;
    let mut hasher = DefaultHasher::new();
    let number = identity::number(name);
    (digest, number, identity::origin(name, settings, &options)).hash(&mut hasher);
    let new = NewJob {
        id: Some(format!("{:016x}", hasher.finish())),
        crew: Crew::Binary,
        name: if number == 1 { name.to_owned() } else { format!("{name} ({number})") },
        options: vec!["--algorithm".to_owned(), options.algorithm.to_string()],
        opens: Vec::new(),
        files: Vec::new(),
        digest,
        memory: 0,
        replay: String::new(),
    };
    let nats = settings.nats.clone();
    let address = Address {
        servers: servers.to_owned(),
        credentials: nats.credentials,
        nkey: nats.nkey,
        authorities: nats.authorities,
        certificate: nats.certificate.zip(nats.key),
        replicas: nats.replicas.map_or(1, NonZero::get),
    };
    let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = settings.workers.unwrap_or_else(cores);
    let crew = Programs { name, main, settings, options: options.clone() };
    let started = Instant::now();
    let mut line = ProgressLine::new(name);
    let mut report = |progress: &mazurka_cluster::Progress<'_>| {
        let (executions, blocked) = (progress.verdict.executions, progress.verdict.blocked);
        let elapsed = started.elapsed();
        let estimate = progress.estimate;
        let shown =
            Progress { executions, blocked, elapsed: progress.elapsed, estimate, position: &[] };
        Monitor::<RustMachine<'_>>::progress(&mut line, &shown);
        let is_over = |max| executions + blocked >= max;
        match () {
            () if settings.max_executions.is_some_and(is_over) => Flow::Stop(Bound::Executions),
            () if settings.time_limit.is_some_and(|limit| elapsed >= limit) => {
                Flow::Stop(Bound::Time)
            }
            () => Flow::Continue,
        }
    };
    let id = new.id.clone().unwrap_or_default();
    let joined = mazurka_cluster::join(&address, new, &options, threads, &crew, &mut report);
    drop(line);
    let Joined { verdict, lessons, was_over } = joined.map_err(|error| error.to_string())?;
    if was_over {
        crew.tell(&format!(
            "the cluster has already finished this check of this binary, and reports its verdict; to \
             check it again, remove it with `mazurka jobs --cluster URL cancel {id}`"
        ));
    }
    if let Some(lessons) = lessons {
        // Without the lessons, the schedules of violations do not fit the program.
        let options = Options { max_executions: Some(1), ..options };
        let _ = Run::explore_part(program, &lessons, &options);
    }
    Ok(Run::of_parts(program, verdict))
}

/// Returns the options of the explorer: without a choice of the user, `graphs`.
fn options(settings: &Settings) -> Result<Options<'static>, String> {
    if settings.checkpoint.is_some() {
        return Err("a cluster keeps the search itself: leave out MAZURKA_CHECKPOINT or \
                    MAZURKA_CLUSTER"
            .to_owned());
    }
    let options = settings.options();
    match settings.algorithm {
        None => Ok(Options { algorithm: Algorithm::Graphs, may_switch: false, ..options }),
        Some(_) => Ok(options),
    }
}

/// Opens the program for each thread.
struct Programs<'a> {
    name: &'a str,
    main: &'a Main<'a>,
    settings: &'a Settings,
    options: Options<'static>,
}

impl Explorers for Programs<'_> {
    fn open(&self, _job: &Job, _directory: &Path) -> Result<Box<dyn Explore + '_>, String> {
        // What one thread has learnt must not change the program of another one.
        let program = RustProgram::new(self.main, self.settings.tuning);
        let program = program.named(self.name.to_owned().into());
        let program = program.with_fingerprint(self.settings.fingerprint.clone());
        Ok(Box::new(Explorer { program, options: self.options.clone() }))
    }

    fn tell(&self, message: &str) {
        use std::io::Write;
        // Past a test harness that would hide it.
        let _ = writeln!(std::io::stderr().lock(), "mazurka: {}: {message}", self.name);
    }
}

struct Explorer<'a> {
    program: RustProgram<'a>,
    options: Options<'static>,
}

impl Explore for Explorer<'_> {
    fn options(&self) -> &Options<'static> {
        &self.options
    }

    fn explore(
        &mut self,
        part: &Part,
        options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError> {
        Run::explore_part(&self.program, part, options)
    }
}
