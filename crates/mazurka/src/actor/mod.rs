//! Actors: processes with a mailbox, in the manner of Erlang.
//!
//! An actor is created by [`spawn`], and is sent messages through its [`Pid`]. To send is a step,
//! which never waits: the message is delivered at once, at the end of the receiver's mailbox. So
//! messages from one actor to another arrive in the order in which they were sent. The actor
//! [receives](Me::receive) the oldest message, or [selectively](Me::receive_if) the oldest that it
//! looks for.
//!
//! ```
//! use mazurka::actor::{self, Pid};
//!
//! enum Request {
//!     Acquire(Pid<()>),
//!     Release,
//! }
//!
//! mazurka::Check::new().allow_idle_receivers(true).check(|| {
//!     let lock = actor::spawn_named("lock", |me| loop {
//!         let holder = me.receive_map(|request| match request {
//!             Request::Acquire(worker) => Some(worker.clone()),
//!             Request::Release => None,
//!         });
//!         holder.send(());
//!         me.receive_if(|request| matches!(request, Request::Release));
//!     });
//!     for _ in 0..2 {
//!         let lock = lock.clone();
//!         actor::spawn(move |me| {
//!             lock.send(Request::Acquire(me.pid()));
//!             me.receive();
//!             lock.send(Request::Release);
//!         });
//!     }
//! });
//! ```
//!
//! # Who is an actor
//!
//! Everybody: the closure that is checked, and threads, have a mailbox once they ask for it by
//! [`me`]. Actors may use whatever threads do: shared memory, locks, channels. A process has one
//! mailbox, for one type of messages.
//!
//! # When messages are dropped
//!
//! Messages that are never received are dropped when the actor has ended and nobody has a [`Pid`]
//! of it any more.
//!
//! # Deadlocks
//!
//! An actor that waits for a message when nothing else can run is in a deadlock, unless
//! [`Check::allow_idle_receivers`](crate::Check::allow_idle_receivers) says that this is fine.
//!
//! # The end of an actor
//!
//! An actor that panics is a violation, unless somebody is told of it, and receives the news: see
//! [`Me::monitor`], [`Me::link`], and [`Builder`] for doing so from the beginning.
//!
//! # What counts as different
//!
//! The explorer `observers`, which is the default, takes two deliveries to one mailbox to be
//! dependent only if a receive takes one of them and would have taken the other one had that come
//! first. So the more selective the receives are, the fewer executions there are. The other
//! explorers run all orders of the deliveries to a mailbox.

mod asking;
mod builder;
mod end;
mod mailbox;
mod me;
mod names;
mod pattern;
mod pid;
mod receiving;
mod sending;
mod taken;

pub use builder::{Builder, spawn, spawn_named};
pub use end::{Down, Reason};
pub use me::Me;
pub use names::{NameTaken, register, unregister, whereis};
pub use pid::{ActorId, Pid};

use crate::rt::{self, AnyShared};
use mailbox::Mailbox;

/// The current process as an actor. It gets a mailbox if it has none, which it keeps until its
/// end; so this can be called again, and it is the same.
///
/// # Panics
///
/// If it has a mailbox, for messages of another type.
///
/// ```
/// use mazurka::{actor, thread};
///
/// mazurka::check(|| {
///     let me = actor::me();
///     let main = me.pid();
///     thread::spawn(move || main.send("hello"));
///     assert_eq!(me.receive(), "hello");
/// });
/// ```
#[track_caller]
pub fn me<M: Send + 'static>() -> Me<M> {
    if !rt::alive() {
        return Me::new(Mailbox::shared());
    }
    let known = rt::with(|rt| rt.mailbox_of(rt.current()));
    let mailbox = match known.map(|mailbox| mailbox.downcast::<Mailbox<M>>()) {
        Some(Some(mailbox)) => mailbox,
        Some(None) => panic!(
            "this process has a mailbox already, for messages of another type than `{}`",
            std::any::type_name::<M>()
        ),
        None => {
            let mailbox = Mailbox::shared();
            let current = rt::with(|rt| rt.current());
            mailbox.settle(current);
            let any = mailbox.coerce::<dyn AnyShared>(|mailbox| mailbox);
            rt::with(|rt| rt.set_mailbox(current, any));
            mailbox
        }
    };
    Me::new(mailbox)
}
