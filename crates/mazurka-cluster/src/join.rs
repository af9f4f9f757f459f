//! Checks of test binaries: every process of the binary publishes the job or joins it, explores parts of it,
//! and gets the verdict.
//!
//! The id of the job is derived from the binary and the check, so that the processes find each other.
//! [`crate`] says which of them coordinates.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use mazurka_core::explore::{Explored, Part};
use mazurka_core::search::Options;
use mazurka_core::verdict::Verdict;

use crate::Error;
use crate::connection::{Address, Cluster, PATIENCE};
use crate::coordinator::{Ended, Flow, Progress};
use crate::job::{Crew, Job, NewJob, State, Status, VERSION};
use crate::queue::Queue;
use crate::worker::Explorers;

/// How often a process that does not coordinate looks at the status.
const GLANCE: Duration = Duration::from_millis(250);

/// The end of a check that this process has published or joined.
#[derive(Debug)]
pub struct Joined {
    /// The findings of all processes.
    pub verdict: Verdict,
    /// As in [`Ended`].
    pub lessons: Option<Part>,
    /// Whether the job had ended before this process came.
    pub was_over: bool,
}

/// Publishes the check of a test binary as a job, or joins the job if another process of the binary has
/// published it. Explores parts of it on this many threads, until it has ended, or until `report` stops
/// it. A job that was stopped is continued.
///
/// # Errors
///
/// If the server cannot be reached, if the job is cancelled, or if another binary checks a program of the
/// same name.
pub fn join(
    address: &Address,
    new: NewJob,
    options: &Options<'static>,
    threads: NonZeroUsize,
    explorers: &dyn Explorers,
    report: &mut dyn FnMut(&Progress<'_>) -> Flow,
) -> Result<Joined, Error> {
    let cluster = Cluster::connect(address)?;
    cluster.refuse_rivals(&new)?;
    let (job, status) = cluster.publish_or_find(new)?;
    if status.state == State::Done {
        return cluster.joined(&job, true);
    }
    let own = Cluster::connect(address)?;
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let work = || own.work_on(&Queue::of(&job), threads, explorers, &stop);
        let working = scope.spawn(work);
        let joined = cluster.see_through(&job, options, report);
        stop.store(true, Relaxed);
        let worked = working.join().unwrap_or_else(|_| Err(Error::new("a worker has panicked")));
        joined.and_then(|joined| worked.map(|()| joined))
    })
}

impl Cluster {
    /// Returns an error if another binary works on a job of the same name now. Its processes would not share
    /// the work with those of this binary.
    fn refuse_rivals(&self, new: &NewJob) -> Result<(), Error> {
        let rivals = || -> Result<Vec<(Job, Status)>, Error> {
            let is_rival = |job: &Job, status: &Status| {
                job.crew == Crew::Binary
                    && job.name == new.name
                    && new.id.as_ref() != Some(&job.id)
                    && status.state == State::Running
            };
            let jobs = self.jobs()?.into_iter();
            Ok(jobs.filter(|(job, status)| is_rival(job, status)).collect())
        };
        let before = rivals()?;
        if before.is_empty() {
            return Ok(());
        }
        // A job whose processes are gone has a status that does not change.
        self.runtime.block_on(async { tokio::time::sleep(PATIENCE / 2).await });
        for (job, status) in rivals()? {
            let lives = |(other, before): &(Job, Status)| {
                other.id == job.id && before.seconds != status.seconds
            };
            if before.iter().any(lives) {
                return Err(Error::new(format!(
                    "the check `{}` is being explored by another test binary, or with other settings \
                     (job {}). Run a copy of the same binary with the same settings on all machines, or \
                     cancel the other job with `mazurka jobs --cluster URL cancel {1}`",
                    new.name, job.id
                )));
            }
        }
        Ok(())
    }

    /// Publishes a job unless there is one with its id.
    fn publish_or_find(&self, new: NewJob) -> Result<(Job, Status), Error> {
        let id = new.id.clone().unwrap_or_default();
        let digest = format!("{:016x}", new.digest);
        self.runtime.block_on(async {
            let mut found = self.link.job(&id).await?;
            if found.as_ref().is_some_and(|(_, status)| status.state == State::Cancelled) {
                self.link.forget(&id).await?;
                found = None;
            }
            if found.is_none() {
                match self.link.publish(new).await {
                    Ok(job) => return Ok((job, Status::new(&self.link.name))),
                    // Another process may have been faster.
                    Err(error) => found = Some(self.link.job(&id).await?.ok_or(error)?),
                }
            }
            match found {
                Some((job, status)) if job.version == VERSION && job.digest == digest => {
                    Ok((job, status))
                }
                _ => Err(Error::new(format!(
                    "the job `{id}` belongs to another test binary or to another version of Mazurka; \
                     remove it with `mazurka jobs --cluster URL cancel {id}`"
                ))),
            }
        })
    }

    /// Coordinates a job or waits for its coordinator, until the job has ended or is stopped.
    fn see_through(
        &self,
        job: &Job,
        options: &Options<'static>,
        report: &mut dyn FnMut(&Progress<'_>) -> Flow,
    ) -> Result<Joined, Error> {
        let started = Instant::now();
        let mut seen = None;
        let mut changed = Instant::now();
        loop {
            let found = self.runtime.block_on(self.link.job(&job.id));
            let (status, trouble) = match found {
                Ok(Some((_, status))) => (Some(status), None),
                Ok(None) => return Err(Error::new(format!("the job `{}` was cancelled", job.id))),
                Err(trouble) => (None, Some(trouble)),
            };
            if let Some(status) = status {
                let is_ours = status.coordinator == self.link.name;
                let is_silent = changed.elapsed() >= PATIENCE;
                match status.state {
                    State::Done => return self.joined(job, false),
                    State::Cancelled => {
                        return Err(Error::new(format!("the job `{}` was cancelled", job.id)));
                    }
                    // This process has come to continue it, unless it was stopped while this process
                    // took part.
                    State::Stopped if seen.is_some() => return self.joined(job, false),
                    State::Running if !is_ours && !is_silent => {}
                    State::Running | State::Stopped => {
                        match self.coordinate(job, options, report) {
                            Ok(Ended { verdict, lessons, .. }) => {
                                return Ok(Joined { verdict, lessons, was_over: false });
                            }
                            Err(error) if error.is_elsewhere => {}
                            Err(error) => return Err(error),
                        }
                    }
                }
                let sign = (status.seconds.to_bits(), status.coordinator.clone());
                if seen.as_ref() != Some(&sign) {
                    changed = Instant::now();
                    seen = Some(sign);
                }
                let (executions, blocked) = (status.executions, status.blocked);
                let verdict = Verdict { executions, blocked, ..Verdict::default() };
                let elapsed = Duration::try_from_secs_f64(status.seconds).unwrap_or_default();
                let (open, busy, idle) = (status.open, 1, 0);
                let (estimate, trouble) = (status.estimate(), None);
                let progress =
                    Progress { verdict: &verdict, open, busy, idle, elapsed, estimate, trouble };
                if let Flow::Stop(bound) = report(&progress) {
                    let elapsed = started.elapsed();
                    let verdict = Verdict { stopped: Some(bound), elapsed, ..verdict };
                    return Ok(Joined { verdict, lessons: None, was_over: false });
                }
            } else {
                // No coordinator can be judged by what this process does not see.
                changed = Instant::now();
                let (verdict, elapsed) = (Verdict::default(), started.elapsed());
                let (open, busy, idle) = (0, 0, 0);
                let trouble = trouble.as_ref();
                let estimate = None;
                let progress =
                    Progress { verdict: &verdict, open, busy, idle, elapsed, estimate, trouble };
                if let (Flow::Stop(_), Some(trouble)) = (report(&progress), trouble) {
                    return Err(trouble.clone());
                }
            }
            self.runtime.block_on(async { tokio::time::sleep(GLANCE).await });
        }
    }

    /// Returns the findings that the coordinator has stored.
    fn joined(&self, job: &Job, was_over: bool) -> Result<Joined, Error> {
        let Explored { verdict, rest, .. } = self.runtime.block_on(self.link.verdict(&job.id))?;
        Ok(Joined { verdict, lessons: rest, was_over })
    }
}
