//! `Me`: receiving.

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location as SourceLocation;
use std::time::Duration;

use super::Pid;
use super::mailbox::Mailbox;
use super::pattern::{Anything, If, Map, Pattern};
use super::receiving::Patience;
use crate::rt::{self, Shared};

/// An actor's own mailbox, from which it receives messages.
///
/// # Patterns
///
/// A receive with a pattern is *selective*: it takes the oldest message that matches, and leaves the
/// other messages in the mailbox, in order. Mazurka may call a pattern any number of times, also on
/// messages that arrive after the receive, to find out whether they would have matched. So a pattern must
/// own what it uses (`move`), must always return the same result, and must not use threads, locks,
/// atomics or actors.
///
/// # Time-outs
///
/// Time does not pass in a check. A receive with a timeout takes a matching message if there is one.
/// Otherwise it may time out. Both outcomes are explored if both are possible. The timeout
/// [`Duration::MAX`] never expires. A loop of receives with timeouts may have executions of any length:
/// bound it in the program, or by [`Check::max_depth`](crate::Check::max_depth).
pub struct Me<M> {
    pid: Pid<M>,
    /// Only the process that it belongs to receives.
    marker: PhantomData<*const ()>,
}

fn show<P, M>(_: &P, _: &M) {}

/// Asks once more, so that a pattern that panics does so here.
fn ask<P: Pattern<M>, M>(pattern: &P, message: &M) {
    pattern.matches(message);
}

fn make<M, F, T>(map: &Map<F, T>, message: &M) -> T
where
    F: Fn(&M) -> Option<T>,
{
    (map.f)(message).expect("the pattern of a receive gives the same answer each time")
}

fn patience(timeout: Duration) -> Patience {
    match timeout {
        Duration::MAX => Patience::Endless,
        Duration::ZERO => Patience::None,
        _ => Patience::Limited,
    }
}

/// What a receive that waits has received. It comes without only while the execution is being
/// torn down.
fn received<T>(result: Option<T>) -> T {
    result.unwrap_or_else(|| rt::abandon())
}

impl<M> Me<M> {
    pub(super) fn new(mailbox: Shared<Mailbox<M>>) -> Self {
        Me { pid: Pid::new(mailbox), marker: PhantomData }
    }

    /// Returns the address of this actor.
    pub fn pid(&self) -> Pid<M> {
        self.pid.clone()
    }

    pub(super) fn mailbox(&self) -> &Shared<Mailbox<M>> {
        &self.pid.mailbox
    }
}

impl<M: Send + 'static> Me<M> {
    /// Waits for a message, and receives the oldest one.
    #[inline]
    #[track_caller]
    pub fn receive(&self) -> M {
        let site = SourceLocation::caller();
        let patience = Patience::Endless;
        received(self.mailbox().receive("receive", patience, Anything, show, site)).0
    }

    /// Waits for a message that matches, and receives the oldest such message.
    ///
    /// ```
    /// use mazurka::actor;
    ///
    /// mazurka::check(|| {
    ///     let me = actor::me();
    ///     for text in ["one", "two", "three"] {
    ///         me.pid().send(text);
    ///     }
    ///     assert_eq!(me.receive_if(|text| text.starts_with('t')), "two");
    ///     assert_eq!([me.receive(), me.receive()], ["one", "three"]);
    /// });
    /// ```
    #[inline]
    #[track_caller]
    pub fn receive_if(&self, matches: impl Fn(&M) -> bool + Send + 'static) -> M {
        let site = SourceLocation::caller();
        let patience = Patience::Endless;
        received(self.mailbox().receive("receive_if", patience, If(matches), ask, site)).0
    }

    /// Waits for a message for which `f` returns `Some`, receives the oldest such message, and returns
    /// what `f` made of it.
    ///
    /// ```
    /// use mazurka::actor;
    ///
    /// enum Message {
    ///     Text(&'static str),
    ///     Number(u32),
    /// }
    ///
    /// mazurka::check(|| {
    ///     let me = actor::me();
    ///     me.pid().send(Message::Text("skipped"));
    ///     me.pid().send(Message::Number(7));
    ///     let number = me.receive_map(|message| match message {
    ///         Message::Number(number) => Some(*number),
    ///         Message::Text(_) => None,
    ///     });
    ///     assert_eq!(number, 7);
    ///     assert!(matches!(me.receive(), Message::Text("skipped")));
    /// });
    /// ```
    #[inline]
    #[track_caller]
    pub fn receive_map<T: 'static>(&self, f: impl Fn(&M) -> Option<T> + Send + 'static) -> T {
        let site = SourceLocation::caller();
        let patience = Patience::Endless;
        received(self.mailbox().receive("receive_map", patience, Map::new(f), make, site)).1
    }

    /// Receives the oldest message, if there is one.
    ///
    /// A loop that calls only this and [`yield_now`](crate::thread::yield_now) waits for a message.
    #[inline]
    #[track_caller]
    pub fn try_receive(&self) -> Option<M> {
        let site = SourceLocation::caller();
        Some(self.mailbox().receive("try_receive", Patience::None, Anything, show, site)?.0)
    }

    /// Receives the oldest message that matches, if there is one.
    #[inline]
    #[track_caller]
    pub fn try_receive_if(&self, matches: impl Fn(&M) -> bool + Send + 'static) -> Option<M> {
        let site = SourceLocation::caller();
        let name = "try_receive_if";
        Some(self.mailbox().receive(name, Patience::None, If(matches), ask, site)?.0)
    }

    /// Receives the oldest message for which `f` returns `Some`, if there is one, and returns what `f`
    /// made of it.
    #[inline]
    #[track_caller]
    pub fn try_receive_map<T: 'static>(
        &self,
        f: impl Fn(&M) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        let site = SourceLocation::caller();
        let name = "try_receive_map";
        Some(self.mailbox().receive(name, Patience::None, Map::new(f), make, site)?.1)
    }

    /// Waits until there is a message or the time is up, and receives the oldest message.
    ///
    /// ```
    /// use mazurka::{Check, actor};
    /// use std::time::Duration;
    ///
    /// let verdict = Check::new().run(|| {
    ///     let me = actor::me();
    ///     let parent = me.pid();
    ///     actor::spawn(move |_: &actor::Me<()>| parent.send(1));
    ///     let _one_or_none = me.receive_timeout(Duration::from_secs(1));
    /// });
    /// assert_eq!(verdict.executions, 2);
    /// ```
    #[inline]
    #[track_caller]
    pub fn receive_timeout(&self, timeout: Duration) -> Option<M> {
        let site = SourceLocation::caller();
        let (name, patience) = ("receive_timeout", patience(timeout));
        Some(self.mailbox().receive(name, patience, Anything, show, site)?.0)
    }

    /// Waits until there is a message that matches or the time is up, and receives the oldest such
    /// message.
    #[inline]
    #[track_caller]
    pub fn receive_timeout_if(
        &self,
        timeout: Duration,
        matches: impl Fn(&M) -> bool + Send + 'static,
    ) -> Option<M> {
        let site = SourceLocation::caller();
        let (name, patience) = ("receive_timeout_if", patience(timeout));
        Some(self.mailbox().receive(name, patience, If(matches), ask, site)?.0)
    }

    /// Waits until there is a message for which `f` returns `Some` or the time is up, receives the oldest
    /// such message, and returns what `f` made of it.
    #[inline]
    #[track_caller]
    pub fn receive_timeout_map<T: 'static>(
        &self,
        timeout: Duration,
        f: impl Fn(&M) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        let site = SourceLocation::caller();
        let (name, patience) = ("receive_timeout_map", patience(timeout));
        Some(self.mailbox().receive(name, patience, Map::new(f), make, site)?.1)
    }
}

impl<M> fmt::Debug for Me<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Me").field(&self.pid).finish()
    }
}
