//! Searches that are saved while they run, so that another process can continue them.

use std::fmt;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use crate::explore::auto::{self, Switch};
use crate::explore::parallel::{Crew, Pool, Sharing, Staff, Work, share, with_staff};
use crate::explore::{refuse, start};
use crate::model::Program;
use crate::search::{Monitor, Options};
use crate::verdict::Verdict;
use crate::wire::{Malformed, Reader, Wire};

/// Where and when a search is saved.
pub struct Checkpoints<'a> {
    /// The time between two checkpoints. There is another one when a limit ends the search.
    pub interval: Duration,
    /// Keeps a checkpoint.
    pub keep: &'a mut dyn FnMut(&[u8]),
    /// The checkpoint to continue from.
    pub from: Option<&'a [u8]>,
}

/// Why a search cannot be saved, or not be continued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckpointError {
    /// The explorer, or the front end, cannot save a search.
    Unsupported,
    /// The checkpoint is damaged.
    Malformed,
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CheckpointError::Unsupported => {
                "this search cannot be saved: checkpoints need the explorer `observers`, `optimal`, \
                 `data-centric`, `graphs` or `naive`, no bound on preemptions, and a front end that can restore its names"
            }
            CheckpointError::Malformed => "the checkpoint is damaged",
        })
    }
}

impl std::error::Error for CheckpointError {}

/// Explores the executions of a program with some workers, and saves the search now and then.
///
/// The counts are those of an uninterrupted search, however often the search is saved and continued.
/// Limits count from the checkpoint that the search continues from.
///
/// # Errors
///
/// If the search cannot be saved, or if the checkpoint to continue from is damaged.
pub fn check_with_checkpoints<P: Program>(
    program: &P,
    workers: NonZeroUsize,
    options: &Options<'_>,
    monitor: &mut (dyn Monitor<P::Machine> + Send),
    mut checkpoints: Checkpoints<'_>,
) -> Result<Verdict, CheckpointError> {
    let is_shared = options.algorithm.shares_work() && options.preemption_bound.is_none();
    let program = program.for_workers().filter(|program| is_shared && program.save().is_some());
    let program = program.ok_or(CheckpointError::Unsupported)?;
    let from = checkpoints.from.map(Progress::read).transpose();
    let mut from = from.map_err(|Malformed| CheckpointError::Malformed)?;
    let mut options = options.clone();
    if let Some(progress) = &from {
        let runs = progress.discarded.0 + progress.discarded.1;
        let runs = runs + progress.verdict.executions + progress.verdict.blocked;
        options.max_executions = options.max_executions.map(|max| max.saturating_add(runs));
        let before = progress.switch.as_ref().map_or(Duration::ZERO, |switch| switch.elapsed);
        let elapsed = before + progress.verdict.elapsed;
        options.time_limit = options.time_limit.map(|limit| limit.saturating_add(elapsed));
    }
    let switched = from.as_ref().and_then(|progress| progress.switch.clone());
    let mut is_damaged = false;
    let verdict = auto::check(&program, &options, switched, |options, switch| {
        let from = from.take();
        match &from {
            Some(progress) if !program.restore(&progress.program) => {
                is_damaged = true;
                return Verdict::default();
            }
            Some(_) => {}
            None => switch.iter().for_each(|switch| monitor.started_over(switch.restart())),
        }
        start(&program, options, |machine| {
            if let Some(refusal) = refuse(machine, options) {
                return refusal;
            }
            let (checkpoints, switch) = (&mut checkpoints, switch.cloned());
            let has_given_up = from.as_ref().is_some_and(|progress| progress.has_given_up);
            let is_damaged = &mut is_damaged;
            let save = Save { checkpoints, from, switch, has_given_up, is_damaged };
            with_staff(&program, machine, &mut *monitor, options, |staff, first| {
                let crew = Crew { staff, workers, sharing: Sharing::OnDemand, options };
                share(&crew, first, Some(save))
            })
        })
    });
    match is_damaged {
        true => Err(CheckpointError::Malformed),
        false => Ok(verdict),
    }
}

/// What the workers of a saved search need.
pub(super) struct Save<'a, 'b> {
    pub(super) checkpoints: &'a mut Checkpoints<'b>,
    from: Option<Progress>,
    /// The switch of the check to another explorer, if it has switched.
    switch: Option<Switch>,
    /// Whether the workers have given up on the explorer of the options, and another one explores.
    has_given_up: bool,
    is_damaged: &'a mut bool,
}

/// The state of a search, except for its forks.
pub(super) struct Progress {
    /// The switch of the check to another explorer, if it has switched.
    switch: Option<Switch>,
    /// What the machines of the program have learnt.
    program: Vec<u8>,
    /// Whether the workers have given up on the explorer of the options.
    has_given_up: bool,
    /// The findings so far.
    pub(super) verdict: Verdict,
    /// The numbers of executions before the search last started over.
    pub(super) discarded: (u64, u64),
    /// The forks and everything else that the workers share.
    pool: Vec<u8>,
}

impl Progress {
    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader(bytes);
        let from = &mut reader;
        let (switch, program, has_given_up) = Wire::read(from)?;
        let (verdict, discarded, pool) = Wire::read(from)?;
        let is_valid = |switch: &Option<Switch>| switch.iter().all(Switch::is_valid);
        match reader.0.is_empty() && is_valid(&switch) {
            true => Ok(Progress { switch, program, has_given_up, verdict, discarded, pool }),
            false => Err(Malformed),
        }
    }
}

impl Save<'_, '_> {
    /// Returns whether the workers have given up on the explorer of the options.
    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    /// Notes that the workers have given up, and another explorer explores.
    pub(super) fn give_up(&mut self) {
        self.has_given_up = true;
    }

    /// Returns the state to continue from, and the forks.
    pub(super) fn take<W: Work>(&mut self, workers: usize) -> Option<(Progress, Pool<W::Offer>)> {
        let progress = self.from.take()?;
        let mut reader = Reader(&progress.pool);
        match Pool::read::<W>(&mut reader, workers, Sharing::OnDemand) {
            Ok(pool) if reader.0.is_empty() => Some((progress, pool)),
            _ => {
                *self.is_damaged = true;
                None
            }
        }
    }

    /// Returns the time of the next checkpoint.
    pub(super) fn due(&self) -> Instant {
        Instant::now() + self.checkpoints.interval
    }

    /// Keeps the state of a search that all workers have left.
    pub(super) fn keep<W: Work>(
        &mut self,
        staff: &dyn Staff,
        verdict: &Verdict,
        discarded: (u64, u64),
        pool: &Pool<W::Offer>,
    ) {
        let mut bytes = Vec::new();
        self.switch.write(&mut bytes);
        staff.save().unwrap_or_default().write(&mut bytes);
        self.has_given_up.write(&mut bytes);
        verdict.write(&mut bytes);
        discarded.write(&mut bytes);
        let mut forks = Vec::new();
        pool.write::<W>(&mut forks);
        forks.write(&mut bytes);
        (self.checkpoints.keep)(&bytes);
    }
}
