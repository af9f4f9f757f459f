//! A worker that loses a message: `select!` drops the branch that has already received it.
//!
//! The check fails, and prints the schedule.

// ANCHOR: program
use tokio::sync::{mpsc, oneshot};

#[tokio::main]
async fn main() {
    let (jobs, mut queue) = mpsc::channel(1);
    let (stop, mut is_stopped) = oneshot::channel();
    tokio::spawn(async move {
        jobs.send("job").await.unwrap();
        stop.send(()).unwrap();
    });
    let work = async {
        let job = queue.recv().await;
        tokio::task::yield_now().await; // prepares for the job
        job
    };
    let job = tokio::select! {
        job = work => job,
        _ = &mut is_stopped => queue.try_recv().ok(), // the last job
    };
    assert_eq!(job, Some("job"));
}
// ANCHOR_END: program
