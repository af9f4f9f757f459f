//! A value whose changes are watched.
//!
//! As in tokio, the value is under a reader-writer lock of its own: [`Receiver::borrow`] holds it, and a sender
//! waits for it.

use std::fmt;
use std::future::{Future, poll_fn};
use std::ops::Deref;
use std::panic::Location;
use std::sync::{Arc, PoisonError};
use std::task::{Poll, Waker};

use mazurka::future::Monitor;
use mazurka::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::counted::Handles;
use super::permits::wake_all;

type Site = &'static Location<'static>;

/// The errors of this channel.
pub mod error {
    use std::fmt;

    /// There is no receiver: the value was not sent.
    #[derive(PartialEq, Eq, Clone, Copy)]
    pub struct SendError<T>(pub T);

    impl<T> fmt::Debug for SendError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("SendError").finish_non_exhaustive()
        }
    }

    impl<T> fmt::Display for SendError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("channel closed")
        }
    }

    impl<T> std::error::Error for SendError<T> {}

    /// No sender is left.
    #[derive(Debug, Clone)]
    pub struct RecvError(pub(super) ());

    impl fmt::Display for RecvError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("channel closed")
        }
    }

    impl std::error::Error for RecvError {}
}

use error::{RecvError, SendError};

struct Channel<T> {
    value: RwLock<T>,
    state: Monitor<State>,
    senders: Handles,
}

struct State {
    version: u64,
    is_closed: bool,
    receivers: usize,
    /// The tasks that wait for a change, by the numbers of their futures.
    waiting: Vec<(u64, Waker)>,
    /// The tasks that wait until there is no receiver.
    closing: Vec<(u64, Waker)>,
    last: u64,
}

/// A future that may be in a list.
struct Waiting<'a> {
    state: &'a Monitor<State>,
    number: Option<u64>,
    is_closing: bool,
    site: Site,
}

impl State {
    fn list(&mut self, is_closing: bool) -> &mut Vec<(u64, Waker)> {
        if is_closing { &mut self.closing } else { &mut self.waiting }
    }
}

impl Waiting<'_> {
    /// Polls until `is_ready` returns a result.
    fn poll<R>(
        &mut self,
        name: &'static str,
        waker: &Waker,
        is_ready: impl FnOnce(&State) -> Option<R>,
    ) -> Poll<R> {
        let Waiting { state, number, is_closing, site } = self;
        let mut _old = None;
        state.poll(name, site, |state| {
            if let Some(result) = is_ready(state) {
                return Poll::Ready(result);
            }
            let index =
                state.list(*is_closing).iter().position(|(known, _)| Some(*known) == *number);
            match index {
                Some(index) => {
                    _old = Some(std::mem::replace(
                        &mut state.list(*is_closing)[index].1,
                        waker.clone(),
                    ));
                }
                None => {
                    state.last += 1;
                    let own = *number.insert(state.last);
                    state.list(*is_closing).push((own, waker.clone()));
                }
            }
            Poll::Pending
        })
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            let is_closing = self.is_closing;
            let _old = self.state.update_on_drop("cancel", self.site, |state| {
                let list = state.list(is_closing);
                let index = list.iter().position(|(known, _)| *known == number)?;
                Some(list.swap_remove(index))
            });
        }
    }
}

impl<T> Channel<T> {
    #[track_caller]
    fn read(&self) -> RwLockReadGuard<'_, T> {
        self.value.read().unwrap_or_else(PoisonError::into_inner)
    }

    #[track_caller]
    fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.value.write().unwrap_or_else(PoisonError::into_inner)
    }

    #[track_caller]
    fn version(&self, name: &'static str) -> (u64, bool) {
        self.state.read(name, Location::caller(), |state| (state.version, state.is_closed))
    }
}

/// Creates a channel with this value.
#[track_caller]
pub fn channel<T>(value: T) -> (Sender<T>, Receiver<T>) {
    let sender = Sender::of(value, 1);
    let receiver = Receiver { channel: Arc::clone(&sender.channel), version: 0 };
    (sender, receiver)
}

/// A sender.
pub struct Sender<T> {
    channel: Arc<Channel<T>>,
}

impl<T> Sender<T> {
    /// Creates a sender without a receiver.
    #[track_caller]
    pub fn new(value: T) -> Self {
        Sender::of(value, 0)
    }

    #[track_caller]
    fn of(value: T, receivers: usize) -> Self {
        let (waiting, closing) = (Vec::new(), Vec::new());
        let state = State { version: 0, is_closed: false, receivers, waiting, closing, last: 0 };
        let state = Monitor::new("watch::channel", state);
        state.introduce();
        let (value, senders) = (RwLock::new(value), Handles::one("senders"));
        Sender { channel: Arc::new(Channel { value, state, senders }) }
    }

    /// Sends a value.
    ///
    /// # Errors
    ///
    /// Returns the value if there is no receiver.
    #[track_caller]
    pub fn send(&self, value: T) -> Result<(), SendError<T>> {
        match self.receiver_count() {
            0 => Err(SendError(value)),
            _ => {
                self.send_replace(value);
                Ok(())
            }
        }
    }

    /// Changes the value.
    #[track_caller]
    pub fn send_modify(&self, modify: impl FnOnce(&mut T)) {
        self.send_if_modified(|value| {
            modify(value);
            true
        });
    }

    /// Changes the value. Receivers learn of it if `modify` returns `true`.
    #[track_caller]
    pub fn send_if_modified(&self, modify: impl FnOnce(&mut T) -> bool) -> bool {
        let mut value = self.channel.write();
        let is_modified = modify(&mut value);
        let wakers = match is_modified {
            true => self.channel.state.update("send", Location::caller(), |state| {
                state.version += 1;
                state.waiting.drain(..).map(|(_, waker)| waker).collect()
            }),
            false => Vec::new(),
        };
        drop(value);
        wake_all(wakers);
        is_modified
    }

    /// Sends a value, and returns the previous one.
    #[track_caller]
    pub fn send_replace(&self, mut value: T) -> T {
        self.send_modify(|old| std::mem::swap(old, &mut value));
        value
    }

    /// Returns the current value.
    #[track_caller]
    pub fn borrow(&self) -> Ref<'_, T> {
        Ref { value: self.channel.read(), has_changed: false }
    }

    /// Returns whether there is no receiver.
    #[track_caller]
    pub fn is_closed(&self) -> bool {
        self.receiver_count() == 0
    }

    /// Waits until there is no receiver.
    #[track_caller]
    pub fn closed(&self) -> impl Future<Output = ()> {
        let site = Location::caller();
        async move {
            let state = &self.channel.state;
            let mut waiting = Waiting { state, number: None, is_closing: true, site };
            poll_fn(|context| {
                waiting
                    .poll("closed", context.waker(), |state| (state.receivers == 0).then_some(()))
            })
            .await;
        }
    }

    /// Creates a receiver that has seen the current value.
    #[track_caller]
    pub fn subscribe(&self) -> Receiver<T> {
        let version = self.channel.state.update("subscribe", Location::caller(), |state| {
            state.receivers += 1;
            state.version
        });
        Receiver { channel: Arc::clone(&self.channel), version }
    }

    /// Returns the number of receivers.
    #[track_caller]
    pub fn receiver_count(&self) -> usize {
        self.channel.state.read("receiver_count", Location::caller(), |state| state.receivers)
    }

    /// Returns the number of senders.
    #[track_caller]
    pub fn sender_count(&self) -> usize {
        self.channel.senders.count()
    }

    /// Returns whether both senders are of the same channel.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel)
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.channel.senders.add();
        Sender { channel: Arc::clone(&self.channel) }
    }
}

impl<T: Default> Default for Sender<T> {
    #[track_caller]
    fn default() -> Self {
        Sender::new(T::default())
    }
}

impl<T> Drop for Sender<T> {
    #[track_caller]
    fn drop(&mut self) {
        if self.channel.senders.remove() {
            wake_all(self.channel.state.update_on_drop(
                "drop last sender",
                Location::caller(),
                |state| {
                    state.is_closed = true;
                    state.waiting.drain(..).map(|(_, waker)| waker).collect()
                },
            ));
        }
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("watch::Sender")
    }
}

/// A receiver.
pub struct Receiver<T> {
    channel: Arc<Channel<T>>,
    /// The version that it has seen.
    version: u64,
}

/// The current value, which cannot change meanwhile.
pub struct Ref<'a, T> {
    value: RwLockReadGuard<'a, T>,
    has_changed: bool,
}

impl<T> Ref<'_, T> {
    /// Returns whether the receiver had not seen the value before.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }
}

impl<T> Deref for Ref<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T> Receiver<T> {
    /// Returns the current value, but does not mark it as seen.
    #[track_caller]
    pub fn borrow(&self) -> Ref<'_, T> {
        let value = self.channel.read();
        let (version, _) = self.channel.version("borrow");
        Ref { value, has_changed: version != self.version }
    }

    /// Returns the current value, and marks it as seen.
    #[track_caller]
    pub fn borrow_and_update(&mut self) -> Ref<'_, T> {
        let value = self.channel.read();
        let (version, _) = self.channel.version("borrow_and_update");
        let has_changed = version != std::mem::replace(&mut self.version, version);
        Ref { value, has_changed }
    }

    /// Returns whether there is a value that was not seen.
    ///
    /// # Errors
    ///
    /// If no sender is left.
    #[track_caller]
    pub fn has_changed(&self) -> Result<bool, RecvError> {
        match self.channel.version("has_changed") {
            (_, true) => Err(RecvError(())),
            (version, false) => Ok(version != self.version),
        }
    }

    /// Marks the current value as not seen.
    pub fn mark_changed(&mut self) {
        self.version = self.version.wrapping_sub(1);
    }

    /// Marks the current value as seen.
    #[track_caller]
    pub fn mark_unchanged(&mut self) {
        self.version = self.channel.version("mark_unchanged").0;
    }

    /// Waits for a value that was not seen, and marks it as seen.
    #[track_caller]
    pub fn changed(&mut self) -> impl Future<Output = Result<(), RecvError>> {
        let site = Location::caller();
        async move { changed(&self.channel, &mut self.version, site).await }
    }

    /// Waits for a value for which `condition` holds, and marks it as seen.
    #[track_caller]
    pub fn wait_for(
        &mut self,
        mut condition: impl FnMut(&T) -> bool,
    ) -> impl Future<Output = Result<Ref<'_, T>, RecvError>> {
        let site = Location::caller();
        async move {
            let mut is_closed = false;
            loop {
                {
                    let value = self.channel.read();
                    let (version, _) = self.channel.version("wait_for");
                    let has_changed = version != std::mem::replace(&mut self.version, version);
                    if (!is_closed || has_changed) && condition(&value) {
                        return Ok(Ref { value, has_changed });
                    }
                }
                if is_closed {
                    return Err(RecvError(()));
                }
                is_closed = changed(&self.channel, &mut self.version, site).await.is_err();
            }
        }
    }

    /// Returns whether both receivers are of the same channel.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.channel, &other.channel)
    }
}

async fn changed<T>(channel: &Channel<T>, seen: &mut u64, site: Site) -> Result<(), RecvError> {
    let mut waiting = Waiting { state: &channel.state, number: None, is_closing: false, site };
    let version = *seen;
    *seen = poll_fn(|context| {
        waiting.poll("changed", context.waker(), |state| match () {
            () if state.version != version => Some(Ok(state.version)),
            () if state.is_closed => Some(Err(RecvError(()))),
            () => None,
        })
    })
    .await?;
    Ok(())
}

impl<T> Clone for Receiver<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.channel.state.update("clone", Location::caller(), |state| state.receivers += 1);
        Receiver { channel: Arc::clone(&self.channel), version: self.version }
    }
}

impl<T> Drop for Receiver<T> {
    #[track_caller]
    fn drop(&mut self) {
        wake_all(self.channel.state.update_on_drop("drop receiver", Location::caller(), |state| {
            state.receivers -= 1;
            let closing =
                if state.receivers == 0 { std::mem::take(&mut state.closing) } else { Vec::new() };
            closing.into_iter().map(|(_, waker)| waker).collect()
        }));
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("watch::Receiver")
    }
}
