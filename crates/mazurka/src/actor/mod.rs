//! Actors: processes with a mailbox, as in Erlang.
//!
//! [`spawn`] creates an actor, and returns the [`Pid`] to send messages to. A send is a step. It does
//! not wait, and puts the message at the end of the receiver's mailbox at once. So the messages from one
//! actor to another arrive in the order in which they were sent. The actor [receives](Me::receive) the
//! oldest message, or [selectively](Me::receive_if) the oldest message that matches a pattern.
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
//! # Which processes are actors
//!
//! Every process can be an actor: the closure that is checked, and threads, get a mailbox when they call
//! [`me`]. Actors may use everything that threads use: shared memory, locks, channels. A process has one
//! mailbox, for messages of one type.
//!
//! # When messages are dropped
//!
//! A message that is never received is dropped when the actor has ended and its last [`Pid`] is dropped.
//!
//! # Deadlocks
//!
//! If an actor waits for a message and no other process can take a step, that is a deadlock, unless
//! [`Check::allow_idle_receivers`](crate::Check::allow_idle_receivers) is set.
//!
//! # The end of an actor
//!
//! A panic of an actor is a violation, unless another actor monitors it or is linked to it and receives
//! the news; see [`Me::monitor`], [`Me::link`] and [`Builder`].
//!
//! # Which executions are different
//!
//! The default explorer, `observers`, explores both orders of two deliveries to one mailbox only if a
//! receive takes one message and would have taken the other if that had come first. So the more
//! selective the receives are, the fewer executions there are. The other explorers run all orders of the
//! deliveries to a mailbox.

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

/// Returns the current process as an actor. The first call gives it a mailbox, and later calls return
/// the same mailbox.
///
/// # Panics
///
/// If the process has a mailbox for messages of another type.
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
    rt::tell_twins_apart();
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
