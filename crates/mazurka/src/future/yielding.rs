//! `yield_now`.

use std::future::poll_fn;
use std::task::Poll;

/// Lets other tasks run: the task wakes itself, and is pending once.
///
/// This is not a step. As with [`thread::yield_now`](crate::thread::yield_now), a task that would only
/// repeat what it did since its last call is held back until something changes that it has read.
///
/// ```
/// use mazurka::future;
/// use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};
/// use std::sync::Arc;
///
/// mazurka::check(|| {
///     let flag = Arc::new(AtomicBool::new(false));
///     let theirs = Arc::clone(&flag);
///     future::spawn(async move { theirs.store(true, SeqCst) });
///     future::block_on(async {
///         while !flag.load(SeqCst) {
///             future::yield_now().await;
///         }
///     });
/// });
/// ```
pub async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(|context| match std::mem::replace(&mut has_yielded, true) {
        true => Poll::Ready(()),
        false => {
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await;
}
