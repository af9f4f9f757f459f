//! Records the sizes of pieces of a real search.
//!
//! The recorder listens to the results of a job, and tells its workers all the time that others are idle.
//! So they divide their parts as finely as they can.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::StreamExt;
use mazurka_cluster::{PartName, PartResult};

/// How often workers are told to divide their parts.
const INTERVAL: Duration = Duration::from_millis(20);
/// The job is over after this time without a result.
const SILENCE: Duration = Duration::from_secs(5);

/// A result: its part, the number of executions, and the number of parts that it leaves.
struct Explored {
    part: PartName,
    executions: u64,
    left: u32,
}

/// Listens to the results of the next job. Prints a line for each time that a part was divided: the number
/// of executions in each of its parts.
pub(crate) fn record(url: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let results = runtime.block_on(async {
        let client = async_nats::connect(url).await?;
        let mut messages = client.subscribe("mazurka.results.*").await?;
        let mut ticks = tokio::time::interval(INTERVAL);
        let mut results = Vec::new();
        let mut silence = Duration::ZERO;
        while results.is_empty() || silence < SILENCE {
            tokio::select! {
                Some(message) = messages.next() => {
                    silence = Duration::ZERO;
                    // Each result has a number in its stream, even one that does not count.
                    results.push(read(&message.payload));
                }
                _ = ticks.tick() => {
                    silence += INTERVAL;
                    client.publish("mazurka.hunger", r#"{"idle":64,"busy":1}"#.into()).await?;
                }
            }
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(results)
    })?;
    // A part has its result after that of the part that it was divided from.
    let mut sizes: HashMap<PartName, u64> = HashMap::new();
    let mut lines = Vec::new();
    for (index, result) in results.iter().enumerate().rev() {
        let number = index as u64 + 1;
        let Some(Explored { part, executions, left }) = result else { continue };
        let of = |number_in: u32| {
            let name = PartName { result: number, number: number_in };
            sizes.get(&name).copied().unwrap_or(0)
        };
        let parts: Vec<u64> = (0..*left).map(of).collect();
        sizes.insert(*part, executions + parts.iter().sum::<u64>());
        if *left > 1 {
            let parts: Vec<String> = parts.iter().map(u64::to_string).collect();
            lines.push(parts.join(" "));
        }
    }
    lines.iter().rev().for_each(|line| println!("{line}"));
    Ok(())
}

fn read(payload: &[u8]) -> Option<Explored> {
    let result = PartResult::from_bytes(payload).ok()?;
    let explored = result.outcome.ok()?;
    let executions = explored.verdict.executions + explored.verdict.blocked;
    let most = result.parts.max(1) as usize;
    let rest = explored.rest.map(|rest| rest.pieces().clamp(1, most));
    Some(Explored { part: result.part, executions, left: rest.unwrap_or(0) as u32 })
}
