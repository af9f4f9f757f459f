//! The work queues: one that all jobs of `mazurka check` share, and one for each job of a test binary.

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{self, RetentionPolicy, Stream};

use crate::Error;
use crate::connection::{Link, PATIENCE, lost};
use crate::job::{Crew, Job};

/// The work queue of `mazurka worker`.
const PARTS: &str = "MAZURKA_PARTS";
/// The consumer that all workers of a queue share.
pub(crate) const WORKERS: &str = "workers";

/// A work queue. Workers that take parts from it can explore all of its jobs.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    /// The id of its only job; `None` if `mazurka worker` takes its parts.
    pub(crate) job: Option<String>,
}

impl Queue {
    /// The queue of `mazurka worker`.
    pub(crate) const SHARED: Queue = Queue { job: None };

    /// Returns the queue of a job.
    pub(crate) fn of(job: &Job) -> Self {
        match job.crew {
            Crew::Command => Queue::SHARED,
            Crew::Binary => Queue { job: Some(job.id.clone()) },
        }
    }

    fn stream(&self) -> String {
        self.job.as_ref().map_or(PARTS.to_owned(), |id| format!("{PARTS}_{id}"))
    }

    /// Returns the subject of the parts of a job.
    pub(crate) fn parts_of(&self, id: &str) -> String {
        match self.job {
            None => format!("mazurka.parts.{id}"),
            Some(_) => format!("mazurka.tests.{id}"),
        }
    }

    /// Returns the subject on which coordinators say how many workers are idle.
    pub(crate) fn hunger(&self) -> String {
        self.job.as_ref().map_or("mazurka.hunger".to_owned(), |id| format!("mazurka.hunger.{id}"))
    }
}

impl Link {
    /// Returns the stream of a queue.
    pub(crate) async fn parts(&self, queue: &Queue) -> Result<Stream, Error> {
        if let Ok(stream) = self.context.get_stream(queue.stream()).await {
            return Ok(stream);
        }
        let config = stream::Config {
            name: queue.stream(),
            subjects: vec![queue.parts_of(queue.job.as_deref().unwrap_or("*"))],
            retention: RetentionPolicy::WorkQueue,
            num_replicas: self.replicas,
            ..stream::Config::default()
        };
        self.context.get_or_create_stream(config).await.map_err(lost)
    }

    /// Returns the consumer that all workers of a queue share.
    pub(crate) async fn workers(&self, queue: &Queue) -> Result<PullConsumer, Error> {
        let config = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: PATIENCE,
            max_deliver: -1,
            // As many workers as there are.
            max_ack_pending: -1,
            max_waiting: 100_000,
            ..pull::Config::default()
        };
        self.parts(queue).await?.get_or_create_consumer(WORKERS, config).await.map_err(lost)
    }

    /// Removes the parts of a job from its queue.
    pub(crate) async fn empty_queue(&self, job: &Job) -> Result<(), Error> {
        let queue = Queue::of(job);
        let parts = self.parts(&queue).await?;
        parts.purge().filter(queue.parts_of(&job.id)).await.map_err(lost)?;
        Ok(())
    }

    /// Removes a job from the queues.
    pub(crate) async fn leave_queue(&self, job: &Job) -> Result<(), Error> {
        let queue = Queue::of(job);
        if queue.job.is_none() {
            return self.empty_queue(job).await;
        }
        // It may be gone already.
        let _ = self.context.delete_stream(queue.stream()).await;
        Ok(())
    }
}
