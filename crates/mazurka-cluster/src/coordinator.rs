//! The coordinator: adds up results, and keeps the queue filled.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::Stream;
use futures_util::{FutureExt, StreamExt};
use mazurka_core::explore::{Explored, Part};
use mazurka_core::search::{Estimate, Options};
use mazurka_core::verdict::{Bound, Verdict};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::Error;
use crate::connection::{Cluster, Link, lost};
use crate::fold::Fold;
use crate::job::{Crew, Job, State, Status};
use crate::message::{PartName, PartResult, task};
use crate::queue::{Queue, WORKERS};

/// How often the coordinator looks whether workers are idle.
const HUNGER_INTERVAL: Duration = Duration::from_millis(25);
/// How long it waits for a result that is known to be there.
const READING: Duration = Duration::from_secs(2);
/// How many results it reads before it does something else.
const MOST_RESULTS: usize = 500;
/// How often it writes the status, and looks for lost parts.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);
/// How long it waits after an error.
const PAUSE: Duration = Duration::from_millis(250);

/// How far a job has come.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The findings so far.
    pub verdict: &'a Verdict,
    /// The number of parts that are left.
    pub open: usize,
    /// The number of workers that explore, of any job.
    pub busy: usize,
    /// The number of workers that wait for parts.
    pub idle: usize,
    /// How long the job has been worked on.
    pub elapsed: Duration,
    /// An estimate of the number of executions, including those that end early.
    pub estimate: Option<Estimate>,
    /// Why the server cannot be reached at the moment.
    pub trouble: Option<&'a Error>,
}

/// Whether a job goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It does.
    Continue,
    /// This limit stops it.
    Stop(Bound),
}

/// How a job has ended, or was stopped.
#[derive(Debug)]
pub struct Ended {
    /// The findings.
    pub verdict: Verdict,
    /// The whole search, with what workers have learnt about the program; `None` if that is nothing. A
    /// process that explores it for an execution can replay the schedules of the findings.
    pub lessons: Option<Part>,
    /// Whether it can be resumed.
    pub is_stopped: bool,
    /// The number of results that counted, and of those that were duplicates or unknown.
    pub results: (u64, u64),
}

/// What coordinators tell workers.
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
pub(crate) struct Hunger {
    pub(crate) idle: u32,
    pub(crate) busy: u32,
}

impl Cluster {
    /// Adds up the results of a job until it has ended, or until `report` stops it. This continues from
    /// wherever an earlier coordinator has come.
    ///
    /// # Errors
    ///
    /// If the job is cancelled. While the server cannot be reached, the coordinator tries again.
    pub fn coordinate(
        &self,
        job: &Job,
        options: &Options<'static>,
        report: &mut dyn FnMut(&Progress<'_>) -> Flow,
    ) -> Result<Ended, Error> {
        self.runtime.block_on(async {
            let mut coordinator = Coordinator {
                link: &self.link,
                job,
                queue: Queue::of(job),
                fold: Fold::new(options),
                next: 1,
                started: Instant::now(),
                before: None,
                workers: (0, 0),
                report,
            };
            loop {
                let trouble = match coordinator.session().await {
                    Ok(flow) => return coordinator.end(flow).await,
                    Err(End::Elsewhere(how)) => {
                        return Err(Error::elsewhere(format!("the job `{}` {how}", job.id)));
                    }
                    Err(End::Trouble(trouble)) => trouble,
                };
                if let Flow::Stop(_) = coordinator.report(Some(&trouble)) {
                    // The status stays as it is; the job can be resumed.
                    return Err(trouble);
                }
                tokio::time::sleep(PAUSE).await;
            }
        })
    }
}

struct Coordinator<'a> {
    link: &'a Link,
    job: &'a Job,
    queue: Queue,
    fold: Fold,
    /// The number of the next result in the stream.
    next: u64,
    started: Instant,
    /// How long earlier coordinators have worked, once this is the coordinator.
    before: Option<Duration>,
    /// The numbers of busy and of idle workers.
    workers: (usize, usize),
    report: &'a mut dyn FnMut(&Progress<'_>) -> Flow,
}

/// Reads results in order.
struct Reader {
    messages: pull::Stream,
    /// Whether nothing has been read. If the first message does not have the number that was asked for,
    /// then there is none with that number.
    is_fresh: bool,
    /// Whether a message got lost on the way. A new reader begins with it.
    has_gap: bool,
}

/// Why a session ends without a result.
enum End {
    /// Another process has ended the job or coordinates it now.
    Elsewhere(&'static str),
    Trouble(Error),
}

impl From<Error> for End {
    fn from(trouble: Error) -> Self {
        End::Trouble(trouble)
    }
}

impl Coordinator<'_> {
    fn elapsed(&self) -> Duration {
        self.before.unwrap_or_default() + self.started.elapsed()
    }

    fn report(&mut self, trouble: Option<&Error>) -> Flow {
        let elapsed = self.elapsed();
        (self.report)(&Progress {
            verdict: self.fold.verdict(),
            open: self.fold.open().len(),
            busy: self.workers.0,
            idle: self.workers.1,
            elapsed,
            estimate: self.fold.estimate(),
            trouble,
        })
    }

    /// Works until the job ends or is stopped, or the server does not answer.
    async fn session(&mut self) -> Result<Flow, End> {
        if self.before.is_none() {
            let before = self.link.lead(&self.job.id).await?;
            self.before = Some(Duration::try_from_secs_f64(before).unwrap_or_default());
        }
        self.must_run().await?;
        let parts = self.link.parts(&self.queue).await?;
        let results = self.link.results(&self.job.id).await?;
        let mut reader = self.reader(&results).await?;
        // Parts that results leave are published below, unless they have results, too.
        let last = results.get_info().await.map_err(lost)?.state.last_sequence;
        while self.next <= last {
            let from = self.next;
            self.read(&mut reader, READING).await?;
            if self.next == from || reader.has_gap {
                reader = self.reader(&results).await?;
            }
        }
        if self.fold.is_over() {
            return Ok(Flow::Continue);
        }
        if self.queued(&parts).await? < self.fold.open().len() {
            self.publish_open().await?;
        }
        let (mut fed, mut told) = (Instant::now(), Instant::now());
        loop {
            let from = self.next;
            let left = self.read(&mut reader, HUNGER_INTERVAL).await?;
            self.publish(&left).await?;
            if reader.has_gap {
                reader = self.reader(&results).await?;
            }
            if self.fold.is_over() {
                return Ok(Flow::Continue);
            }
            if let stop @ Flow::Stop(_) = self.report(None) {
                return Ok(stop);
            }
            if fed.elapsed() >= HUNGER_INTERVAL {
                fed = Instant::now();
                self.tell_hunger(&parts).await?;
            }
            if told.elapsed() >= STATUS_INTERVAL {
                told = Instant::now();
                self.must_run().await?;
                self.put_status(State::Running).await?;
                // First the queue, then the results: see the argument in the documentation.
                let queued = self.queued(&parts).await?;
                let last = results.get_info().await.map_err(lost)?.state.last_sequence;
                match () {
                    () if self.next <= last && self.next == from => {
                        // The last message got lost, or the server has forgotten the consumer.
                        reader = self.reader(&results).await?;
                    }
                    () if self.next > last && queued == 0 => self.publish_open().await?,
                    () => {}
                }
            }
        }
    }

    /// Returns an error if another process has ended the job, or coordinates it now.
    async fn must_run(&self) -> Result<(), End> {
        let Some((_, status)) = self.link.job(&self.job.id).await? else {
            return Err(End::Elsewhere("was cancelled"));
        };
        match status.state {
            State::Done => Err(End::Elsewhere("was ended by another process")),
            State::Cancelled => Err(End::Elsewhere("was cancelled")),
            State::Running | State::Stopped if status.coordinator != self.link.name => {
                Err(End::Elsewhere("is coordinated by another process now"))
            }
            State::Running | State::Stopped => Ok(()),
        }
    }

    /// Returns a reader of the results that have not been read.
    async fn reader(&self, results: &Stream) -> Result<Reader, Error> {
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.next },
            ack_policy: AckPolicy::None,
            inactive_threshold: Duration::from_secs(60),
            ..pull::Config::default()
        };
        let consumer: PullConsumer = results.create_consumer(config).await.map_err(lost)?;
        let messages = consumer.stream().max_messages_per_batch(MOST_RESULTS).messages().await;
        Ok(Reader { messages: messages.map_err(lost)?, is_fresh: true, has_gap: false })
    }

    /// Reads the results that are there. If there are none, waits for one. Returns the parts that they
    /// leave.
    async fn read(
        &mut self,
        reader: &mut Reader,
        wait: Duration,
    ) -> Result<Vec<(PartName, Vec<u8>)>, Error> {
        let mut left = Vec::new();
        for number in 0..MOST_RESULTS {
            let next = match number {
                0 => timeout(wait, reader.messages.next()).await.ok(),
                _ => reader.messages.next().now_or_never(),
            };
            let message = match next {
                None => break,
                Some(None) => return Err(lost("the stream of results has ended")),
                Some(Some(message)) => message,
            };
            let message = message.map_err(lost)?;
            let number = message.info().map_err(lost)?.stream_sequence;
            if number < self.next {
                continue;
            }
            if number > self.next && !reader.is_fresh {
                reader.has_gap = true;
                break;
            }
            reader.is_fresh = false;
            self.next = number + 1;
            // What is no result of this protocol does not count.
            if let Ok(result) = PartResult::from_bytes(&message.payload) {
                left.extend(self.fold.add(number, result));
            }
        }
        Ok(left)
    }

    /// Returns how many parts of the job are in the queue, those included that are being explored.
    async fn queued(&self, parts: &Stream) -> Result<usize, Error> {
        let subject = self.queue.parts_of(&self.job.id);
        let mut subjects = parts.info_with_subjects(&subject).await.map_err(lost)?;
        let mut queued = 0;
        while let Some(found) = subjects.next().await {
            queued += found.map_err(lost)?.1;
        }
        Ok(queued)
    }

    async fn publish_open(&self) -> Result<(), Error> {
        let open: Vec<_> =
            self.fold.open().iter().map(|(name, part)| (*name, part.clone())).collect();
        self.publish(&open).await
    }

    /// Puts parts into the queue.
    async fn publish(&self, parts: &[(PartName, Vec<u8>)]) -> Result<(), Error> {
        let subject = self.queue.parts_of(&self.job.id);
        // As many at a time as the client lets through.
        for parts in parts.chunks(100) {
            let mut stored = Vec::new();
            for (name, part) in parts {
                let message = task(&self.job.id, *name, part);
                let sent = self.link.context.publish(subject.clone(), message.into()).await;
                stored.push(sent.map_err(lost)?);
            }
            for stored in stored {
                stored.await.map_err(lost)?;
            }
        }
        Ok(())
    }

    /// Asks busy workers to divide their parts if others are idle.
    async fn tell_hunger(&mut self, parts: &Stream) -> Result<(), Error> {
        // Before the first worker comes, there is no consumer.
        let Ok(info) = parts.consumer_info(WORKERS).await else { return Ok(()) };
        self.workers = (info.num_ack_pending, info.num_waiting);
        let idle = info.num_waiting.saturating_sub(info.num_pending as usize);
        if idle > 0 && info.num_ack_pending > 0 {
            let hunger = Hunger { idle: idle as u32, busy: info.num_ack_pending as u32 };
            let message = serde_json::to_vec(&hunger).map_err(lost)?;
            self.link.client.publish(self.queue.hunger(), message.into()).await.map_err(lost)?;
        }
        Ok(())
    }

    async fn put_status(&self, state: State) -> Result<(), Error> {
        let verdict = self.fold.verdict();
        let status = Status {
            state,
            executions: verdict.executions,
            blocked: verdict.blocked,
            violations: verdict.violations.len(),
            open: self.fold.open().len(),
            seconds: self.elapsed().as_secs_f64(),
            estimate: self.fold.estimate().map(|it| [it.low, it.likely, it.high]),
            coordinator: self.link.name.clone(),
        };
        self.link.put_status(&self.job.id, &status).await
    }

    /// Ends the job, or leaves it to be resumed.
    async fn end(self, flow: Flow) -> Result<Ended, Error> {
        let mut verdict = self.fold.verdict().clone();
        verdict.elapsed = self.elapsed();
        let results = (self.fold.counted, self.fold.ignored);
        if let Flow::Stop(bound) = flow {
            verdict.stopped.get_or_insert(bound);
        }
        let lessons = self.fold.lessons().cloned();
        if self.job.crew == Crew::Binary {
            let (verdict, rest) = (verdict.clone(), lessons.clone());
            let found = Explored { verdict, rest, starts_over: None };
            self.link.put_verdict(&self.job.id, &found).await?;
        }
        let is_stopped = match flow {
            Flow::Stop(_) => {
                self.link.empty_queue(self.job).await?;
                self.put_status(State::Stopped).await?;
                true
            }
            Flow::Continue => {
                self.put_status(State::Done).await?;
                self.link.clean_up(self.job).await?;
                false
            }
        };
        Ok(Ended { verdict, lessons, is_stopped, results })
    }
}
