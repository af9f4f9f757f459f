//! Measures what coordination costs, with a real server.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::{self, kv, stream};
use futures_util::StreamExt;
use mazurka_cluster::{Fold, PartName, PartResult};
use mazurka_core::explore::{Explored, Part};
use mazurka_core::search::Options;
use mazurka_core::verdict::Verdict;

type Any<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const STREAM: &str = "MAZURKA_MEASURE";
/// The size of a message: parts and results have a few kilobytes.
const BYTES: usize = 2048;
const MESSAGES: usize = 20_000;

/// Measures the costs, and prints them.
pub(crate) fn measure(url: &str) -> Any<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let client = async_nats::connect(url).await?;
        let context = jetstream::new(client.clone());
        let _ = context.delete_stream(STREAM).await;
        let config = stream::Config {
            name: STREAM.to_owned(),
            subjects: vec!["mazurka.measure".to_owned()],
            retention: stream::RetentionPolicy::WorkQueue,
            ..stream::Config::default()
        };
        let stream = context.create_stream(config).await?;
        let payload = vec![7_u8; BYTES];

        // The server is never idle: a hundred messages are on their way.
        let started = Instant::now();
        for _ in 0..MESSAGES / 100 {
            let mut stored = Vec::new();
            for _ in 0..100 {
                stored.push(context.publish("mazurka.measure", payload.clone().into()).await?);
            }
            for stored in stored {
                stored.await?;
            }
        }
        // It is stored, and the storage is confirmed.
        let message = started.elapsed().as_secs_f64() / MESSAGES as f64 / 2.0;
        println!("message     {:9.2} us  stored or delivered by the server", message * 1e6);

        let started = Instant::now();
        for _ in 0..1000 {
            client.flush().await?;
            stream.get_info().await?;
        }
        let latency = started.elapsed().as_secs_f64() / 1000.0 / 4.0;
        println!("latency     {:9.2} us  of a message on its way", latency * 1e6);

        let config = pull::Config {
            durable_name: Some("measure".to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: Duration::from_secs(1),
            ..pull::Config::default()
        };
        let consumer = stream.create_consumer(config).await?;
        let take = async || -> Any<_> {
            let mut batch = consumer.fetch().max_messages(1).messages().await?;
            Ok(batch.next().await)
        };
        let started = Instant::now();
        for _ in 0..1000 {
            if let Some(message) = take().await? {
                message?.ack().await?;
            }
        }
        let taken = started.elapsed().as_secs_f64() / 1000.0;
        println!("take        {:9.2} us  a part and acknowledge it", taken * 1e6);
        stream.purge().await?;
        context.publish("mazurka.measure", payload.clone().into()).await?.await?;
        let lost = take().await?;
        let started = Instant::now();
        drop(lost);
        while take().await?.is_none() {}
        let late = started.elapsed().as_secs_f64() - 1.0;
        println!("redelivery  {:9.2} ms  after the deadline", late * 1e3);

        let bucket = "mazurka-measure";
        let _ = context.delete_key_value(bucket).await;
        let config = stream::Config {
            name: format!("KV_{bucket}"),
            subjects: vec![format!("$KV.{bucket}.>")],
            max_messages_per_subject: 1,
            allow_rollup: true,
            allow_direct: true,
            ..stream::Config::default()
        };
        context.create_stream(config).await?;
        let keys: kv::Store = context.get_key_value(bucket).await?;
        let started = Instant::now();
        for key in 0..1000 {
            keys.create(format!("k{key}"), "1".into()).await?;
        }
        let created = started.elapsed().as_secs_f64() / 1000.0;
        println!("key         {:9.2} us  created, one after the other; not used", created * 1e6);
        context.delete_key_value(bucket).await?;
        context.delete_stream(STREAM).await?;
        println!("result      {:9.2} us  read and counted by the coordinator", result() * 1e6);
        Ok(())
    })
}

/// Returns how long the coordinator is busy with a result.
fn result() -> f64 {
    let verdict = Verdict { executions: 1000, ..Verdict::default() };
    let explored = Explored { verdict, rest: Some(Part::start()), starts_over: None };
    let mut fold = Fold::new(&Options::default());
    let mut part = PartName::WHOLE;
    let started = Instant::now();
    for number in 1..=10_000 {
        let outcome = Ok(explored.clone());
        let bytes = PartResult { part, outcome, keys: Vec::new(), parts: 1 }.to_bytes();
        let read = PartResult::from_bytes(&bytes).expect("it was written like this");
        part = fold.add(number, read)[0].0;
    }
    started.elapsed().as_secs_f64() / 10_000.0
}
