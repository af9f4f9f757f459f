//! Permits and the queue of those who wait for them: the state of semaphores, locks and channels.
//!
//! As in tokio, the queue is fair. Permits that are released go to the first waiter, even if they are not
//! enough for it, and the others wait behind it. So there are permits left only if no task waits.

use std::collections::VecDeque;
use std::task::{Poll, Waker};

/// Permits, and those who wait for them.
#[derive(Debug)]
pub(crate) struct Permits {
    available: usize,
    is_closed: bool,
    waiters: VecDeque<Waiter>,
    /// The number of the last waiter.
    last: u64,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    /// How many permits it still needs. With 0 it is done, but does not know yet.
    missing: usize,
    waker: Option<Waker>,
}

/// The place of a future that waits for permits.
#[derive(Debug)]
pub(crate) struct Place {
    wanted: usize,
    number: Option<u64>,
}

impl Place {
    pub(crate) const fn new(wanted: usize) -> Self {
        Place { wanted, number: None }
    }

    /// Returns whether the future waits in the queue.
    pub(crate) fn is_queued(&self) -> bool {
        self.number.is_some()
    }
}

/// Why permits cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unavailable {
    Closed,
    NoPermits,
}

/// Wakers to be woken, or only dropped, once the step is over.
pub(crate) type Wakers = Vec<Waker>;

/// Wakes tasks.
#[track_caller]
pub(crate) fn wake_all(wakers: Wakers) {
    wakers.into_iter().for_each(Waker::wake);
}

impl Permits {
    pub(crate) const fn new(available: usize) -> Self {
        Permits { available, is_closed: false, waiters: VecDeque::new(), last: 0 }
    }

    pub(crate) fn available(&self) -> usize {
        self.available
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns whether an acquisition would succeed, or why not.
    pub(crate) fn check(&self, wanted: usize) -> Result<(), Unavailable> {
        match () {
            () if self.is_closed => Err(Unavailable::Closed),
            () if self.available < wanted => Err(Unavailable::NoPermits),
            () => Ok(()),
        }
    }

    /// Takes permits, for which [`check`](Permits::check) has succeeded.
    pub(crate) fn take(&mut self, wanted: usize) {
        self.available -= wanted;
    }

    /// Takes at most this many permits, and returns how many.
    pub(crate) fn forget(&mut self, most: usize) -> usize {
        let forgotten = self.available.min(most);
        self.available -= forgotten;
        forgotten
    }

    /// Polls an acquisition. The wakers that it replaces are added to `old`.
    pub(crate) fn poll(
        &mut self,
        place: &mut Place,
        waker: &Waker,
        old: &mut Wakers,
    ) -> Poll<bool> {
        let Some(number) = place.number else {
            match self.check(place.wanted) {
                Ok(()) => {
                    self.take(place.wanted);
                    return Poll::Ready(true);
                }
                Err(Unavailable::Closed) => return Poll::Ready(false),
                Err(Unavailable::NoPermits) => {}
            }
            self.last += 1;
            place.number = Some(self.last);
            let missing = place.wanted - std::mem::take(&mut self.available);
            let waker = Some(waker.clone());
            self.waiters.push_back(Waiter { number: self.last, missing, waker });
            return Poll::Pending;
        };
        let Some(index) = self.waiters.iter().position(|waiter| waiter.number == number) else {
            return Poll::Ready(false);
        };
        let waiter = &mut self.waiters[index];
        if waiter.missing == 0 || self.is_closed {
            let waiter = self.waiters.remove(index);
            place.number = None;
            let is_granted = waiter.as_ref().is_some_and(|waiter| waiter.missing == 0);
            old.extend(waiter.and_then(|waiter| waiter.waker));
            return Poll::Ready(is_granted);
        }
        if !waiter.waker.as_ref().is_some_and(|known| known.will_wake(waker)) {
            old.extend(waiter.waker.replace(waker.clone()));
        }
        Poll::Pending
    }

    /// Returns whether a poll would change nothing.
    pub(crate) fn is_idle(&self, place: &Place, waker: &Waker) -> bool {
        let Some(number) = place.number else { return false };
        let waiter = self.waiters.iter().find(|waiter| waiter.number == number);
        let knows =
            |waiter: &Waiter| waiter.waker.as_ref().is_some_and(|known| known.will_wake(waker));
        !self.is_closed && waiter.is_some_and(|waiter| waiter.missing > 0 && knows(waiter))
    }

    /// Releases permits. Returns the wakers of those who have enough now.
    #[must_use]
    pub(crate) fn release(&mut self, mut released: usize) -> Wakers {
        let mut wakers = Vec::new();
        for waiter in self.waiters.iter_mut().filter(|waiter| waiter.missing > 0) {
            if released == 0 || self.is_closed {
                break;
            }
            let given = waiter.missing.min(released);
            waiter.missing -= given;
            released -= given;
            if waiter.missing == 0 {
                wakers.extend(waiter.waker.take());
            }
        }
        self.available += released;
        wakers
    }

    /// Gives up a place in the queue. Returns the wakers of those who get its permits.
    #[must_use]
    pub(crate) fn cancel(&mut self, place: &mut Place) -> (Wakers, Option<Waker>) {
        let index = place
            .number
            .take()
            .and_then(|number| self.waiters.iter().position(|waiter| waiter.number == number));
        match index.and_then(|index| self.waiters.remove(index)) {
            Some(waiter) => (self.release(place.wanted - waiter.missing), waiter.waker),
            None => (Vec::new(), None),
        }
    }

    /// Refuses permits from now on. Returns the wakers of all who wait.
    #[must_use]
    pub(crate) fn close(&mut self) -> Wakers {
        self.is_closed = true;
        self.waiters.iter_mut().filter_map(|waiter| waiter.waker.take()).collect()
    }

    /// Begins a new execution.
    pub(crate) fn reset(&mut self, available: usize) {
        *self = Permits::new(available);
    }
}
