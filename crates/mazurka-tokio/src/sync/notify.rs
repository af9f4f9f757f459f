//! `Notify`.

use std::collections::VecDeque;
use std::future::Future;
use std::ops::Deref;
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mazurka::future::Monitor;

use super::permits::wake_all;

type Site = &'static Location<'static>;

/// Notifies one task, or all tasks that wait, as `tokio::sync::Notify`.
#[derive(Debug)]
pub struct Notify {
    state: Monitor<State>,
}

#[derive(Debug)]
struct State {
    /// Whether the next task that waits need not.
    has_permit: bool,
    /// How often all waiters were notified.
    generation: u64,
    waiters: VecDeque<Waiter>,
    /// The number of the last waiter.
    last: u64,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    waker: Option<Waker>,
    /// Whether it was notified, as the only one or as one of all.
    notified: Option<By>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    One,
    All,
}

impl State {
    const fn new() -> Self {
        State { has_permit: false, generation: 0, waiters: VecDeque::new(), last: 0 }
    }

    /// Notifies one waiter, or leaves a permit.
    fn notify_one(&mut self, is_last: bool) -> Option<Waker> {
        let mut waiting = self.waiters.iter_mut().filter(|waiter| waiter.notified.is_none());
        let waiter = if is_last { waiting.next_back() } else { waiting.next() };
        match waiter {
            Some(waiter) => {
                waiter.notified = Some(By::One);
                waiter.waker.take()
            }
            None => {
                self.has_permit = true;
                None
            }
        }
    }
}

impl Notify {
    /// Creates a `Notify` without a permit.
    #[track_caller]
    pub const fn new() -> Self {
        let state = Monitor::new("Notify", State::new());
        Notify { state: state.with_reset(|state| *state = State::new()) }
    }

    /// Creates a `Notify`, as [`Notify::new`].
    #[track_caller]
    pub const fn const_new() -> Self {
        Notify::new()
    }

    /// Notifies the task that has waited longest. If no task waits, the next one need not.
    #[track_caller]
    pub fn notify_one(&self) {
        let waker =
            self.state.update("notify_one", Location::caller(), |state| state.notify_one(false));
        wake_all(waker.into_iter().collect());
    }

    /// Notifies the task that has waited shortest. If no task waits, the next one need not.
    #[track_caller]
    pub fn notify_last(&self) {
        let waker =
            self.state.update("notify_last", Location::caller(), |state| state.notify_one(true));
        wake_all(waker.into_iter().collect());
    }

    /// Notifies all tasks that wait. No permit is left for others.
    #[track_caller]
    pub fn notify_waiters(&self) {
        wake_all(self.state.update("notify_waiters", Location::caller(), |state| {
            state.generation += 1;
            let waiting = state.waiters.iter_mut().filter(|waiter| waiter.notified.is_none());
            waiting
                .filter_map(|waiter| {
                    waiter.notified = Some(By::All);
                    waiter.waker.take()
                })
                .collect()
        }));
    }

    /// Returns a future that is ready once it is notified.
    #[track_caller]
    pub fn notified(&self) -> Notified<'_> {
        Notified(Waiting::new(self, Location::caller()))
    }

    /// Returns a future, as [`Notify::notified`], that owns a reference.
    #[track_caller]
    pub fn notified_owned(self: Arc<Self>) -> OwnedNotified {
        OwnedNotified(Waiting::new(self, Location::caller()))
    }
}

impl Default for Notify {
    #[track_caller]
    fn default() -> Self {
        Notify::new()
    }
}

/// A future that waits. `N` is a reference to the `Notify`.
#[derive(Debug)]
struct Waiting<N: Deref<Target = Notify>> {
    notify: N,
    /// How often all waiters had been notified when the future was created.
    generation: u64,
    /// Its number, if it is a waiter.
    number: Option<u64>,
    is_done: bool,
    site: Site,
}

impl<N: Deref<Target = Notify>> Waiting<N> {
    #[track_caller]
    fn new(notify: N, site: Site) -> Self {
        let generation = notify.state.read("notified", site, |state| state.generation);
        Waiting { notify, generation, number: None, is_done: false, site }
    }

    fn poll(&mut self, waker: Option<&Waker>) -> Poll<()> {
        if self.is_done {
            return Poll::Ready(());
        }
        let Waiting { notify, generation, number, site, .. } = self;
        let mut old = None;
        let poll = notify.state.poll("notified", site, |state| {
            let known = number
                .and_then(|number| state.waiters.iter().position(|waiter| waiter.number == number));
            let Some(index) = known else {
                if state.generation != *generation {
                    return Poll::Ready(());
                }
                if state.has_permit {
                    state.has_permit = false;
                    return Poll::Ready(());
                }
                state.last += 1;
                *number = Some(state.last);
                let waiter = Waiter { number: state.last, waker: waker.cloned(), notified: None };
                state.waiters.push_back(waiter);
                return Poll::Pending;
            };
            if state.waiters[index].notified.is_some() {
                old = state.waiters.remove(index).and_then(|waiter| waiter.waker);
                *number = None;
                return Poll::Ready(());
            }
            if let Some(waker) = waker {
                let known = state.waiters[index].waker.as_ref();
                if !known.is_some_and(|known| known.will_wake(waker)) {
                    old = state.waiters[index].waker.replace(waker.clone());
                }
            }
            Poll::Pending
        });
        self.is_done = poll.is_ready();
        poll
    }
}

impl<N: Deref<Target = Notify>> Drop for Waiting<N> {
    fn drop(&mut self) {
        let Some(number) = self.number.take() else { return };
        let (waker, _own) = self.notify.state.update_on_drop("cancel", self.site, |state| {
            let index = state.waiters.iter().position(|waiter| waiter.number == number);
            let waiter = index.and_then(|index| state.waiters.remove(index));
            // A notification that is not used goes to the next.
            match waiter {
                Some(Waiter { notified: Some(By::One), waker, .. }) => {
                    (state.notify_one(false), waker)
                }
                waiter => (None, waiter.and_then(|waiter| waiter.waker)),
            }
        });
        wake_all(waker.into_iter().collect());
    }
}

macro_rules! notified {
    ($(#[$attribute:meta])* $name:ident $(<$lifetime:lifetime>)?, $notify:ty) => {
        $(#[$attribute])*
        #[derive(Debug)]
        #[must_use = "futures do nothing unless polled"]
        pub struct $name $(<$lifetime>)? (Waiting<$notify>);

        impl $(<$lifetime>)? $name $(<$lifetime>)? {
            /// Begins to wait, as a poll does. Returns whether the future is ready.
            pub fn enable(self: Pin<&mut Self>) -> bool {
                self.get_mut().0.poll(None).is_ready()
            }
        }

        impl $(<$lifetime>)? Future for $name $(<$lifetime>)? {
            type Output = ();

            fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
                self.get_mut().0.poll(Some(context.waker()))
            }
        }
    };
}

notified! {
    /// The future of [`Notify::notified`].
    Notified<'a>, &'a Notify
}
notified! {
    /// The future of [`Notify::notified_owned`].
    OwnedNotified, Arc<Notify>
}
