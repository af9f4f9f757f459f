//! Time, which may pass at any moment.

use std::fmt;
use std::future::{Future, IntoFuture, poll_fn};
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

pub use std::time::Duration;

/// The errors of timers.
pub mod error {
    pub use super::Elapsed;
}

/// A moment, as `tokio::time::Instant`. Time passes when a timer fires.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instant {
    /// Since the beginning of the execution.
    since: Duration,
}

/// What the beginning of an execution is for `std`.
fn beginning() -> std::time::Instant {
    static BEGINNING: OnceLock<std::time::Instant> = OnceLock::new();
    *BEGINNING.get_or_init(std::time::Instant::now)
}

impl Instant {
    /// Returns the current moment. This is a step.
    #[track_caller]
    pub fn now() -> Self {
        Instant { since: mazurka::future::elapsed() }
    }

    /// Returns the moment of an instant of `std`.
    pub fn from_std(std: std::time::Instant) -> Self {
        Instant { since: std.saturating_duration_since(beginning()) }
    }

    /// Returns the moment as one of `std`.
    pub fn into_std(self) -> std::time::Instant {
        beginning() + self.since
    }

    /// Returns the time since an earlier moment, or zero.
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.since.saturating_sub(earlier.since)
    }

    /// Returns the time since an earlier moment, if it is earlier.
    pub fn checked_duration_since(&self, earlier: Instant) -> Option<Duration> {
        self.since.checked_sub(earlier.since)
    }

    /// Returns the time since an earlier moment, or zero.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }

    /// Returns the time since this moment.
    #[track_caller]
    pub fn elapsed(&self) -> Duration {
        Instant::now().duration_since(*self)
    }

    /// Returns a later moment, unless it is too late.
    pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
        Some(Instant { since: self.since.checked_add(duration)? })
    }

    /// Returns an earlier moment, unless it is before the execution.
    pub fn checked_sub(&self, duration: Duration) -> Option<Instant> {
        Some(Instant { since: self.since.checked_sub(duration)? })
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, duration: Duration) -> Instant {
        Instant { since: self.since + duration }
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.duration_since(earlier)
    }
}

impl Sub<Duration> for Instant {
    type Output = Instant;

    fn sub(self, duration: Duration) -> Instant {
        Instant { since: self.since - duration }
    }
}

impl SubAssign<Duration> for Instant {
    fn sub_assign(&mut self, duration: Duration) {
        *self = *self - duration;
    }
}

impl From<std::time::Instant> for Instant {
    fn from(std: std::time::Instant) -> Self {
        Instant::from_std(std)
    }
}

impl From<Instant> for std::time::Instant {
    fn from(instant: Instant) -> Self {
        instant.into_std()
    }
}

/// Waits for some time.
#[track_caller]
pub fn sleep(duration: Duration) -> Sleep {
    Sleep { timer: mazurka::future::sleep(duration), deadline: None }
}

/// Waits until a moment.
#[track_caller]
pub fn sleep_until(deadline: Instant) -> Sleep {
    let timer = mazurka::future::sleep(deadline.duration_since(Instant::now()));
    Sleep { timer, deadline: Some(deadline) }
}

/// The future of [`sleep`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Sleep {
    timer: mazurka::future::Sleep,
    /// The deadline, if it was given as a moment.
    deadline: Option<Instant>,
}

impl Sleep {
    /// Returns the deadline.
    #[track_caller]
    pub fn deadline(&self) -> Instant {
        self.deadline.unwrap_or_else(|| Instant::now() + self.timer.remaining())
    }

    /// Returns whether the time has passed.
    #[track_caller]
    pub fn is_elapsed(&self) -> bool {
        self.timer.is_over()
    }

    /// Waits until another moment.
    #[track_caller]
    pub fn reset(mut self: Pin<&mut Self>, deadline: Instant) {
        self.timer.reset(deadline.duration_since(Instant::now()));
        self.deadline = Some(deadline);
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.timer).poll(context)
    }
}

/// Waits for a future, but not longer than some time.
#[track_caller]
pub fn timeout<F: IntoFuture>(duration: Duration, future: F) -> Timeout<F::IntoFuture> {
    Timeout { future: future.into_future(), sleep: sleep(duration) }
}

/// Waits for a future, but not longer than until a moment.
#[track_caller]
pub fn timeout_at<F: IntoFuture>(deadline: Instant, future: F) -> Timeout<F::IntoFuture> {
    Timeout { future: future.into_future(), sleep: sleep_until(deadline) }
}

/// The future of [`timeout`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub struct Timeout<F> {
    future: F,
    sleep: Sleep,
}

impl<F> Timeout<F> {
    /// Returns the future.
    pub fn get_ref(&self) -> &F {
        &self.future
    }

    /// Returns the future.
    pub fn get_mut(&mut self) -> &mut F {
        &mut self.future
    }

    /// Returns the future.
    pub fn into_inner(self) -> F {
        self.future
    }
}

/// The time was up.
#[derive(Debug, PartialEq, Eq)]
pub struct Elapsed(());

impl fmt::Display for Elapsed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("deadline has elapsed")
    }
}

impl std::error::Error for Elapsed {}

impl From<Elapsed> for std::io::Error {
    fn from(_: Elapsed) -> Self {
        std::io::ErrorKind::TimedOut.into()
    }
}

impl<F: Future> Future for Timeout<F> {
    type Output = Result<F::Output, Elapsed>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // SAFETY: the future is pinned with the whole, and the timer need not be.
        let Timeout { future, sleep } = unsafe { self.get_unchecked_mut() };
        // SAFETY: as above.
        if let Poll::Ready(output) = unsafe { Pin::new_unchecked(future) }.poll(context) {
            return Poll::Ready(Ok(output));
        }
        Pin::new(sleep).poll(context).map(|()| Err(Elapsed(())))
    }
}

/// Returns an interval whose first tick is now.
///
/// # Panics
///
/// If the period is zero.
#[track_caller]
pub fn interval(period: Duration) -> Interval {
    assert!(period > Duration::ZERO, "`period` must be non-zero.");
    Interval {
        timer: mazurka::future::sleep(Duration::ZERO),
        period,
        behavior: MissedTickBehavior::default(),
    }
}

/// Returns an interval whose first tick is at a moment.
///
/// # Panics
///
/// If the period is zero.
#[track_caller]
pub fn interval_at(start: Instant, period: Duration) -> Interval {
    assert!(period > Duration::ZERO, "`period` must be non-zero.");
    let timer = mazurka::future::sleep(start.duration_since(Instant::now()));
    Interval { timer, period, behavior: MissedTickBehavior::default() }
}

/// What an interval does if it is late. As time passes only when a timer fires, no tick is ever missed by a
/// task that waits for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissedTickBehavior {
    /// Ticks as fast as possible until it has caught up.
    #[default]
    Burst,
    /// Ticks a period after the last tick.
    Delay,
    /// Ticks at the next multiple of the period.
    Skip,
}

/// Ticks of a clock.
#[derive(Debug)]
pub struct Interval {
    timer: mazurka::future::Sleep,
    period: Duration,
    behavior: MissedTickBehavior,
}

impl Interval {
    /// Waits for the next tick.
    pub async fn tick(&mut self) -> Instant {
        poll_fn(|context| self.poll_tick(context)).await
    }

    /// Polls for the next tick.
    pub fn poll_tick(&mut self, context: &mut Context<'_>) -> Poll<Instant> {
        if Pin::new(&mut self.timer).poll(context).is_pending() {
            return Poll::Pending;
        }
        match self.behavior {
            MissedTickBehavior::Burst | MissedTickBehavior::Skip => self.timer.restart(self.period),
            MissedTickBehavior::Delay => self.timer.reset(self.period),
        }
        Poll::Ready(Instant::now())
    }

    /// Makes the next tick one period from now.
    #[track_caller]
    pub fn reset(&mut self) {
        self.timer.reset(self.period);
    }

    /// Makes the next tick now.
    #[track_caller]
    pub fn reset_immediately(&mut self) {
        self.timer.reset(Duration::ZERO);
    }

    /// Makes the next tick after some time.
    #[track_caller]
    pub fn reset_after(&mut self, after: Duration) {
        self.timer.reset(after);
    }

    /// Makes the next tick at a moment.
    #[track_caller]
    pub fn reset_at(&mut self, deadline: Instant) {
        self.timer.reset(deadline.duration_since(Instant::now()));
    }

    /// Returns what the interval does if it is late.
    pub fn missed_tick_behavior(&self) -> MissedTickBehavior {
        self.behavior
    }

    /// Sets what the interval does if it is late.
    pub fn set_missed_tick_behavior(&mut self, behavior: MissedTickBehavior) {
        self.behavior = behavior;
    }

    /// Returns the period.
    pub fn period(&self) -> Duration {
        self.period
    }
}
