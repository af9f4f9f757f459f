//! Workers: explore parts and publish the results.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use futures_util::future::join_all;
use mazurka_core::explore::{Explored, Part, PartError};
use mazurka_core::search::Options;
use mazurka_core::verdict::{Bound, Verdict, Violation, ViolationKind};
use tokio::sync::{oneshot, watch};

use crate::Error;
use crate::connection::{Cluster, Link, PATIENCE, lost};
use crate::coordinator::Hunger;
use crate::job::{Job, State, Status, VERSION};
use crate::message::{PartResult, Task};
use crate::queue::Queue;

/// How long a worker explores a part before it publishes what it has found.
const SLICE: Duration = Duration::from_secs(1);
/// How long it explores at least, even if others are idle.
const LEAST: Duration = Duration::from_millis(20);
/// Into how many parts a rest is divided at most.
const MOST_PARTS: u32 = 64;
/// How long a worker waits for a part until it asks again.
const WAIT: Duration = Duration::from_secs(2);
/// How often a worker looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a job that a worker refuses is left to others.
const REFUSED: Duration = Duration::from_secs(5);
/// How many different messages to the user a worker remembers.
const MOST_TOLD: usize = 1000;
/// How many programs a thread keeps.
const MOST_PROGRAMS: usize = 4;

/// What a thread of a worker explores with, for one job.
pub trait Explore {
    /// Returns the options of the job.
    fn options(&self) -> &Options<'static>;

    /// Explores a part with these options, which have the limits of the part. Returns the outcome, and a text
    /// for each violation and then for each warning that tells it from others.
    ///
    /// # Errors
    ///
    /// If the part does not fit the program.
    fn explore(
        &mut self,
        part: &Part,
        options: &Options<'_>,
    ) -> Result<(Explored, Vec<String>), PartError>;
}

/// Opens programs.
pub trait Explorers: Sync {
    /// Opens the program of a job, whose files are in a directory.
    ///
    /// # Errors
    ///
    /// If this worker cannot explore it, or if it is not the program that was published.
    fn open(&self, job: &Job, directory: &Path) -> Result<Box<dyn Explore + '_>, String>;

    /// Tells the user something.
    fn tell(&self, message: &str);
}

impl Cluster {
    /// Explores parts of all jobs of `mazurka check`, on this many threads, until `stop` is set.
    ///
    /// # Errors
    ///
    /// If there is no directory for temporary files.
    pub fn work(
        &self,
        threads: NonZeroUsize,
        explorers: &dyn Explorers,
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        self.work_on(&Queue::SHARED, threads, explorers, stop)
    }

    /// Explores parts of a queue, on this many threads, until `stop` is set. If the queue has one job, the
    /// end of the job is the end of the work.
    pub(crate) fn work_on(
        &self,
        queue: &Queue,
        threads: NonZeroUsize,
        explorers: &dyn Explorers,
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        let directory = Directory::new()?;
        let (send_hunger, hunger) = watch::channel(None);
        let worker = Worker {
            link: &self.link,
            queue,
            directory: &directory.0,
            explorers,
            stop,
            hunger,
            jobs: RefCell::default(),
            told: RefCell::default(),
        };
        std::thread::scope(|scope| {
            let slots = (0..threads.get()).map(|_| {
                let (send, requests) = mpsc::channel();
                scope.spawn(move || explore_all(&requests, explorers));
                worker.serve(send)
            });
            let slots = join_all(slots);
            let listener = listen(&self.link, queue.hunger(), &send_hunger);
            self.runtime.block_on(async {
                tokio::select! {
                    _ = slots => {}
                    () = listener => {}
                }
            });
        });
        Ok(())
    }
}

/// A directory of this process for temporary files, which is removed in the end.
#[derive(Debug)]
pub struct Directory(PathBuf);

impl Directory {
    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Creates the directory.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub fn new() -> Result<Self, Error> {
        let nanoseconds = std::time::UNIX_EPOCH.elapsed().unwrap_or_default().subsec_nanos();
        let name = format!("mazurka-worker-{}-{nanoseconds}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // It must be new: others may write to the directory of all temporary files.
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(|error| {
            Error::new(format!("{} cannot be created: {error}; set TMPDIR", path.display()))
        })?;
        Ok(Directory(path))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A part for a thread to explore.
struct Request {
    job: Arc<Job>,
    directory: PathBuf,
    part: Part,
    interrupt: Arc<AtomicBool>,
    answer: oneshot::Sender<Answer>,
}

enum Answer {
    Explored(Box<Explored>, Vec<String>),
    /// The part could not be explored.
    Failed(String),
    /// This worker cannot explore the program.
    Refused(String),
}

/// Explores what is asked for, on a thread of its own.
fn explore_all(requests: &mpsc::Receiver<Request>, explorers: &dyn Explorers) {
    let mut open: Vec<(String, Box<dyn Explore + '_>)> = Vec::new();
    while let Ok(Request { job, directory, part, interrupt, answer }) = requests.recv() {
        let explored = catch_unwind(AssertUnwindSafe(|| {
            if !open.iter().any(|(id, _)| *id == job.id) {
                let explorer = match explorers.open(&job, &directory) {
                    Ok(explorer) => explorer,
                    Err(reason) => return Answer::Refused(reason),
                };
                if open.len() == MOST_PROGRAMS {
                    open.remove(0);
                }
                open.push((job.id.clone(), explorer));
            }
            let explorer = open.iter_mut().find(|(id, _)| *id == job.id);
            let (_, explorer) = explorer.expect("it was opened");
            let options = Options {
                time_limit: Some(SLICE),
                interrupt: Some(&interrupt),
                max_executions: None,
                ..explorer.options().clone()
            };
            match explorer.explore(&part, &options) {
                Ok((explored, keys)) => Answer::Explored(Box::new(explored), keys),
                Err(error) => Answer::Failed(error.to_string()),
            }
        }));
        let explored = explored.unwrap_or_else(|panic| {
            open.retain(|(id, _)| *id != job.id);
            Answer::Failed(format!("the explorer panicked: {}", message_of(&*panic)))
        });
        let _ = answer.send(explored);
    }
}

fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// Passes on what coordinators say.
async fn listen(link: &Link, subject: String, hunger: &watch::Sender<Option<Hunger>>) {
    loop {
        if let Ok(mut messages) = link.client.subscribe(subject.clone()).await {
            while let Some(message) = messages.next().await {
                if let Ok(heard) = serde_json::from_slice(&message.payload) {
                    hunger.send_replace(Some(heard));
                }
            }
        }
        tokio::time::sleep(REFUSED).await;
    }
}

struct Worker<'a> {
    link: &'a Link,
    queue: &'a Queue,
    directory: &'a Path,
    explorers: &'a dyn Explorers,
    stop: &'a AtomicBool,
    hunger: watch::Receiver<Option<Hunger>>,
    /// The jobs whose files are in the directory.
    jobs: RefCell<HashMap<String, Arc<Job>>>,
    /// What the user was told.
    told: RefCell<HashSet<String>>,
}

/// What to do with a message.
enum Done {
    Acknowledge,
    /// It will never be of use.
    Discard,
    /// Another worker may do better.
    Leave,
}

impl Worker<'_> {
    fn tell_once(&self, message: &str) {
        let mut told = self.told.borrow_mut();
        // Messages may name jobs that do not exist.
        if told.len() >= MOST_TOLD {
            told.clear();
        }
        if told.insert(message.to_owned()) {
            self.explorers.tell(message);
        }
    }

    /// Takes parts for one thread, until this process is to stop.
    async fn serve(&self, thread: mpsc::Sender<Request>) {
        while !self.stop.load(Relaxed) {
            if let Err(error) = self.serve_some(&thread).await {
                if self.is_over().await {
                    return;
                }
                self.tell_once(&format!("{error}; trying again"));
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
        }
    }

    /// Returns whether the only job of the queue has ended.
    async fn is_over(&self) -> bool {
        let Some(id) = &self.queue.job else { return false };
        let has_ended = |status: Status| matches!(status.state, State::Done | State::Cancelled);
        self.link.job(id).await.is_ok_and(|found| found.is_none_or(|(_, status)| has_ended(status)))
    }

    /// Waits until this process is to stop.
    async fn stopped(&self) {
        while !self.stop.load(Relaxed) {
            tokio::time::sleep(GLANCE).await;
        }
    }

    async fn serve_some(&self, thread: &mpsc::Sender<Request>) -> Result<(), Error> {
        let consumer = self.link.workers(self.queue).await?;
        while !self.stop.load(Relaxed) {
            let batch = consumer.batch().max_messages(1).expires(WAIT).messages().await;
            let mut batch = batch.map_err(lost)?;
            let message = tokio::select! {
                message = batch.next() => message,
                () = self.stopped() => return Ok(()),
            };
            let Some(message) = message else { continue };
            let message = message.map_err(lost)?;
            let kind = match self.handle(&message, thread).await? {
                Done::Acknowledge => AckKind::Ack,
                Done::Discard => AckKind::Term,
                Done::Leave => AckKind::Nak(Some(REFUSED)),
            };
            message.ack_with(kind).await.map_err(lost)?;
        }
        Ok(())
    }

    /// Explores a part and publishes the result. If that fails, the part is delivered again.
    async fn handle(
        &self,
        message: &Message,
        thread: &mpsc::Sender<Request>,
    ) -> Result<Done, Error> {
        let Ok(Task { job: id, part: name, search }) = Task::read(&message.payload) else {
            self.tell_once("a message in the queue is no part of a search, and was ignored");
            return Ok(Done::Discard);
        };
        let job = match self.find(&id).await {
            Ok(Some(job)) => job,
            Ok(None) => return Ok(Done::Discard),
            Err(refusal) => {
                self.tell_once(&format!("job {id}: {refusal}"));
                return Ok(Done::Leave);
            }
        };
        let (answer, parts) = self.explore(message, &job, search, thread).await?;
        let (outcome, keys) = match answer {
            Answer::Explored(explored, keys) => (Ok(*explored), keys),
            Answer::Failed(reason) => {
                self.tell_once(&format!("job {id}: {reason}"));
                (Err(reason), Vec::new())
            }
            Answer::Refused(reason) => {
                self.tell_once(&format!("job {id}: {reason}"));
                return Ok(Done::Leave);
            }
        };
        let result = PartResult { part: name, outcome, keys, parts };
        match self.publish(&id, &result).await? {
            Stored::Yes => Ok(Done::Acknowledge),
            // The job has ended or was cancelled.
            Stored::NoStream => Ok(Done::Discard),
            Stored::TooLarge => {
                let message = "the result of a part is larger than the NATS server allows: raise \
                               `max_payload` in its configuration";
                let violation = Violation::new(ViolationKind::Unsupported, message.to_owned());
                let keys = vec![message.to_owned()];
                let stopped = Some(Bound::Violation);
                let violations = vec![violation];
                let verdict = Verdict { violations, stopped, ..Verdict::default() };
                let explored = Explored { verdict, rest: None, starts_over: None };
                let result = PartResult { part: name, outcome: Ok(explored), keys, parts: 1 };
                self.publish(&id, &result).await?;
                Ok(Done::Acknowledge)
            }
        }
    }

    /// Returns a job whose files are in the directory; `None` if it has ended. The error says why this
    /// worker refuses it.
    async fn find(&self, id: &str) -> Result<Option<Arc<Job>>, Error> {
        if let Some(job) = self.jobs.borrow().get(id) {
            return Ok(Some(job.clone()));
        }
        let Some((job, Status { state, .. })) = self.link.job(id).await? else { return Ok(None) };
        if matches!(state, State::Done | State::Cancelled) {
            return Ok(None);
        }
        if job.version != VERSION {
            return Err(Error::new(format!(
                "it was published by Mazurka {}, and this worker is {VERSION}; install the same \
                 version everywhere",
                job.version
            )));
        }
        let files = self.link.files(&job).await?;
        let directory = self.directory.join(id);
        let unwritable = |error| Error::of("its files cannot be written", error);
        std::fs::create_dir_all(&directory).map_err(unwritable)?;
        for file in files {
            std::fs::write(directory.join(&file.name), &file.bytes).map_err(unwritable)?;
        }
        let job = Arc::new(job);
        self.jobs.borrow_mut().insert(id.to_owned(), job.clone());
        Ok(Some(job))
    }

    /// Explores a part, and tells the server from time to time that this worker is alive. Returns the
    /// answer, and into how many parts the rest is to be divided.
    async fn explore(
        &self,
        message: &Message,
        job: &Arc<Job>,
        part: Part,
        thread: &mpsc::Sender<Request>,
    ) -> Result<(Answer, u32), Error> {
        let (answer, mut answered) = oneshot::channel();
        let interrupt = Arc::new(AtomicBool::new(false));
        let directory = self.directory.join(&job.id);
        let request =
            Request { job: job.clone(), directory, part, interrupt: interrupt.clone(), answer };
        thread.send(request).map_err(|_| Error::new("a thread of this worker has ended"))?;
        let started = Instant::now();
        let mut hunger = self.hunger.clone();
        hunger.mark_unchanged();
        let mut parts = 1;
        let mut heartbeat = tokio::time::interval(PATIENCE / 4);
        loop {
            tokio::select! {
                answer = &mut answered => {
                    let answer = answer.map_err(|_| Error::new("a thread of this worker has ended"))?;
                    return Ok((answer, parts));
                }
                () = self.stopped(), if !interrupt.load(Relaxed) => {
                    interrupt.store(true, Relaxed);
                }
                _ = heartbeat.tick() => {
                    // If it is late, another worker gets the part, which does no harm.
                    let _ = message.ack_with(AckKind::Progress).await;
                }
                Ok(()) = hunger.changed() => {
                    let heard = *hunger.borrow_and_update();
                    if let Some(Hunger { idle, busy }) = heard {
                        let (divided, chance) = answer_to_hunger(idle, busy);
                        if started.elapsed() >= LEAST && random() < chance {
                            parts = divided;
                            interrupt.store(true, Relaxed);
                        }
                    }
                }
            }
        }
    }

    async fn publish(&self, id: &str, result: &PartResult) -> Result<Stored, Error> {
        let mut message = PublishMessage::build().payload(result.to_bytes().into());
        // Failures are counted, so that the server must not drop them.
        if result.outcome.is_ok() {
            message = message.message_id(result.part.to_string());
        }
        let sent = self.link.context.send_publish(Link::results_of(id), message).await;
        let stored = match sent {
            Ok(stored) => stored.await.map(|_| ()),
            Err(error) => Err(error),
        };
        match stored {
            Ok(()) => Ok(Stored::Yes),
            Err(error) => match error.kind() {
                PublishErrorKind::MaxPayloadExceeded => Ok(Stored::TooLarge),
                PublishErrorKind::StreamNotFound => {
                    self.jobs.borrow_mut().remove(id);
                    let _ = std::fs::remove_dir_all(self.directory.join(id));
                    Ok(Stored::NoStream)
                }
                _ => Err(lost(error)),
            },
        }
    }
}

/// Returns into how many parts a busy worker divides what is left of its part, and with which probability it
/// does so, if some workers are idle and some are busy. There are two parts more for each idle worker, and no
/// more busy workers are interrupted than that takes.
pub fn answer_to_hunger(idle: u32, busy: u32) -> (u32, f64) {
    let (idle, busy) = (idle.max(1), busy.max(1));
    let divided = idle.min(busy);
    let parts = 1 + idle.saturating_mul(2).div_ceil(divided).min(MOST_PARTS);
    (parts, f64::from(divided) / f64::from(busy))
}

/// Returns a random number below 1.
fn random() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 11;
    bits as f64 / (1_u64 << 53) as f64
}

/// Whether the server has stored a result.
enum Stored {
    Yes,
    NoStream,
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_idle_worker_does_not_interrupt_all_others() {
        assert_eq!(answer_to_hunger(1, 1), (3, 1.0));
        assert_eq!(answer_to_hunger(1, 1000), (3, 0.001));
        assert_eq!(answer_to_hunger(100, 10), (21, 1.0));
        assert_eq!(answer_to_hunger(4_000_000_000, 0), (1 + MOST_PARTS, 1.0));
    }
}
