//! `Semaphore`.

use std::fmt;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use mazurka::future::Monitor;

use super::permits::{Permits, Place, Unavailable, wake_all};

type Site = &'static Location<'static>;

/// The state of a semaphore: its permits, and how many there were at first.
type State = (Permits, usize);

/// A counting semaphore, as `tokio::sync::Semaphore`.
pub struct Semaphore {
    state: Monitor<State>,
}

/// The error of an acquisition: the semaphore is closed.
#[derive(Debug)]
pub struct AcquireError(());

impl fmt::Display for AcquireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("semaphore closed")
    }
}

impl std::error::Error for AcquireError {}

/// The error of [`Semaphore::try_acquire`].
#[derive(Debug, PartialEq, Eq)]
pub enum TryAcquireError {
    /// The semaphore is closed.
    Closed,
    /// There are not enough permits.
    NoPermits,
}

impl From<Unavailable> for TryAcquireError {
    fn from(error: Unavailable) -> Self {
        match error {
            Unavailable::Closed => TryAcquireError::Closed,
            Unavailable::NoPermits => TryAcquireError::NoPermits,
        }
    }
}

impl fmt::Display for TryAcquireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TryAcquireError::Closed => "semaphore closed",
            TryAcquireError::NoPermits => "no permits available",
        })
    }
}

impl std::error::Error for TryAcquireError {}

impl Semaphore {
    /// The maximum number of permits.
    pub const MAX_PERMITS: usize = usize::MAX >> 3;

    /// Creates a semaphore with this many permits.
    #[track_caller]
    pub const fn new(permits: usize) -> Self {
        Semaphore::of_kind("Semaphore", permits)
    }

    /// Creates a semaphore, as [`Semaphore::new`].
    #[track_caller]
    pub const fn const_new(permits: usize) -> Self {
        Semaphore::new(permits)
    }

    #[track_caller]
    pub(crate) const fn of_kind(kind: &'static str, permits: usize) -> Self {
        assert!(
            permits <= Semaphore::MAX_PERMITS,
            "a semaphore may not have more than MAX_PERMITS permits"
        );
        let state = Monitor::new(kind, (Permits::new(permits), permits));
        Semaphore { state: state.with_reset(|(permits, initial)| permits.reset(*initial)) }
    }

    /// Creates a semaphore that is closed from the start.
    #[track_caller]
    pub(crate) fn closed(kind: &'static str) -> Self {
        let mut permits = Permits::new(0);
        let _ = permits.close();
        Semaphore { state: Monitor::new(kind, (permits, 0)) }
    }

    /// Returns the number of permits that can be acquired.
    #[track_caller]
    pub fn available_permits(&self) -> usize {
        self.state.read("available_permits", Location::caller(), |(permits, _)| permits.available())
    }

    /// Adds permits.
    #[track_caller]
    pub fn add_permits(&self, n: usize) {
        self.release_at("add_permits", n, Location::caller());
    }

    #[track_caller]
    pub(crate) fn release_at(&self, name: &'static str, n: usize, site: Site) {
        if n > 0 {
            wake_all(self.state.update_on_drop(name, site, |state| state.0.release(n)));
        }
    }

    /// Removes up to `n` permits, and returns how many.
    #[track_caller]
    pub fn forget_permits(&self, n: usize) -> usize {
        self.state.update("forget_permits", Location::caller(), |state| state.0.forget(n))
    }

    /// Acquires a permit.
    #[track_caller]
    pub fn acquire(&self) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> {
        self.acquire_many(1)
    }

    /// Acquires several permits.
    #[track_caller]
    pub fn acquire_many(
        &self,
        n: u32,
    ) -> impl Future<Output = Result<SemaphorePermit<'_>, AcquireError>> {
        let acquire = Acquire::new(self, "acquire", n as usize, Location::caller());
        async move {
            acquire.await?;
            Ok(SemaphorePermit { semaphore: self, permits: n })
        }
    }

    /// Acquires a permit if there is one.
    #[track_caller]
    pub fn try_acquire(&self) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.try_acquire_many(1)
    }

    /// Acquires several permits if there are as many.
    #[track_caller]
    pub fn try_acquire_many(&self, n: u32) -> Result<SemaphorePermit<'_>, TryAcquireError> {
        self.try_acquire_at("try_acquire", n as usize, Location::caller())?;
        Ok(SemaphorePermit { semaphore: self, permits: n })
    }

    #[track_caller]
    pub(crate) fn try_acquire_at(
        &self,
        name: &'static str,
        n: usize,
        site: Site,
    ) -> Result<(), Unavailable> {
        self.state.update(name, site, |state| {
            state.0.check(n)?;
            state.0.take(n);
            Ok(())
        })
    }

    /// Acquires a permit that owns a reference to the semaphore.
    #[track_caller]
    pub fn acquire_owned(
        self: Arc<Self>,
    ) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        self.acquire_many_owned(1)
    }

    /// Acquires several permits that own a reference to the semaphore.
    #[track_caller]
    pub fn acquire_many_owned(
        self: Arc<Self>,
        n: u32,
    ) -> impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> {
        let acquire = Acquire::new(Arc::clone(&self), "acquire", n as usize, Location::caller());
        async move {
            acquire.await?;
            Ok(OwnedSemaphorePermit { semaphore: self, permits: n })
        }
    }

    /// Acquires a permit that owns a reference to the semaphore, if there is one.
    #[track_caller]
    pub fn try_acquire_owned(self: Arc<Self>) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.try_acquire_many_owned(1)
    }

    /// Acquires several permits that own a reference to the semaphore, if there are as many.
    #[track_caller]
    pub fn try_acquire_many_owned(
        self: Arc<Self>,
        n: u32,
    ) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        self.try_acquire_at("try_acquire", n as usize, Location::caller())?;
        Ok(OwnedSemaphorePermit { semaphore: self, permits: n })
    }

    /// Closes the semaphore: those who wait, and all who come later, get an error.
    #[track_caller]
    pub fn close(&self) {
        self.close_at("close", Location::caller());
    }

    #[track_caller]
    pub(crate) fn close_at(&self, name: &'static str, site: Site) {
        wake_all(self.state.update(name, site, |state| state.0.close()));
    }

    /// Returns whether the semaphore is closed.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.is_closed_at("is_closed", Location::caller())
    }

    #[track_caller]
    pub(crate) fn is_closed_at(&self, name: &'static str, site: Site) -> bool {
        self.state.read(name, site, |(permits, _)| permits.is_closed())
    }

    /// Returns whether the semaphore is closed, for its only owner. This is not a step.
    pub(crate) fn is_closed_now(&mut self) -> bool {
        self.state.get_mut().0.is_closed()
    }
}

impl fmt::Debug for Semaphore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Semaphore").finish_non_exhaustive()
    }
}

/// A future that acquires permits of a semaphore. `S` is a reference to it.
#[derive(Debug)]
pub(crate) struct Acquire<S: std::ops::Deref<Target = Semaphore>> {
    semaphore: S,
    name: &'static str,
    place: Place,
    site: Site,
}

impl<S: std::ops::Deref<Target = Semaphore>> Unpin for Acquire<S> {}

impl<S: std::ops::Deref<Target = Semaphore>> Acquire<S> {
    pub(crate) fn new(semaphore: S, name: &'static str, wanted: usize, site: Site) -> Self {
        Acquire { semaphore, name, place: Place::new(wanted), site }
    }
}

impl<S: std::ops::Deref<Target = Semaphore>> Future for Acquire<S> {
    type Output = Result<(), AcquireError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Acquire { semaphore, name, place, site } = &mut *self;
        let mut old = Vec::new();
        semaphore
            .state
            .poll(name, site, |state| match state.0.is_idle(place, context.waker()) {
                true => Poll::Pending,
                false => state.0.poll(place, context.waker(), &mut old),
            })
            .map(|is_granted| if is_granted { Ok(()) } else { Err(AcquireError(())) })
    }
}

impl<S: std::ops::Deref<Target = Semaphore>> Drop for Acquire<S> {
    fn drop(&mut self) {
        if self.place.is_queued() {
            let Acquire { semaphore, place, site, .. } = self;
            let (wakers, _own) =
                semaphore.state.update_on_drop("cancel", site, |state| state.0.cancel(place));
            wake_all(wakers);
        }
    }
}

macro_rules! permit {
    ($(#[$attribute:meta])* $name:ident $(<$lifetime:lifetime>)?, $semaphore:ty, $clone:expr) => {
        $(#[$attribute])*
        #[must_use = "the permit is released when it is dropped"]
        pub struct $name $(<$lifetime>)? {
            semaphore: $semaphore,
            permits: u32,
        }

        impl $(<$lifetime>)? $name $(<$lifetime>)? {
            /// Keeps the permits from being released.
            pub fn forget(mut self) {
                self.permits = 0;
            }

            /// Merges another permit of the same semaphore into this one.
            ///
            /// # Panics
            ///
            /// If the semaphores differ.
            #[track_caller]
            pub fn merge(&mut self, mut other: Self) {
                assert!(
                    std::ptr::eq(&*self.semaphore, &*other.semaphore),
                    "merging permits from different semaphore instances"
                );
                self.permits += std::mem::take(&mut other.permits);
            }

            /// Splits `n` permits off, if there are as many.
            pub fn split(&mut self, n: usize) -> Option<Self> {
                let n = u32::try_from(n).ok().filter(|n| *n <= self.permits)?;
                self.permits -= n;
                Some($name { semaphore: $clone(&self.semaphore), permits: n })
            }

            /// Returns the number of permits.
            pub fn num_permits(&self) -> usize {
                self.permits as usize
            }
        }

        impl $(<$lifetime>)? Drop for $name $(<$lifetime>)? {
            #[track_caller]
            fn drop(&mut self) {
                self.semaphore.release_at("release", self.permits as usize, Location::caller());
            }
        }

        impl $(<$lifetime>)? fmt::Debug for $name $(<$lifetime>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("permits", &self.permits).finish_non_exhaustive()
            }
        }
    };
}

permit! {
    /// Permits of a semaphore.
    SemaphorePermit<'a>, &'a Semaphore, (|semaphore: &&'a Semaphore| *semaphore)
}
permit! {
    /// Permits that own a reference to their semaphore.
    OwnedSemaphorePermit, Arc<Semaphore>, Arc::clone
}

impl OwnedSemaphorePermit {
    /// Returns the semaphore.
    pub fn semaphore(&self) -> &Arc<Semaphore> {
        &self.semaphore
    }
}
