//! `Pid`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location as SourceLocation;

use mazurka_core::model::ProcessId;

use super::mailbox::Mailbox;
use crate::rt::{self, Shared};

/// The identity of an actor, whatever type of messages it takes.
///
/// An actor has the same id in all executions in which its ancestors have spawned the same actors and
/// threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(pub(super) Option<ProcessId>);

impl fmt::Debug for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(process) => write!(f, "ActorId({process})"),
            None => write!(f, "ActorId(_)"),
        }
    }
}

/// The address of an actor, to send messages to.
///
/// Two addresses are equal if they belong to the same actor. An address can be sent in a message:
///
/// ```
/// use mazurka::actor::{self, Pid};
///
/// mazurka::check(|| {
///     let echo = actor::spawn(|me| {
///         let (from, text): (Pid<String>, String) = me.receive();
///         from.send(text);
///     });
///     let me = actor::me();
///     echo.send((me.pid(), "hello".to_owned()));
///     assert_eq!(me.receive(), "hello");
/// });
/// ```
pub struct Pid<M> {
    pub(super) mailbox: Shared<Mailbox<M>>,
}

impl<M> Pid<M> {
    pub(super) fn new(mailbox: Shared<Mailbox<M>>) -> Self {
        Pid { mailbox }
    }

    pub(super) fn process(&self) -> Option<ProcessId> {
        self.mailbox.home().map(|home| home.process)
    }

    /// Returns the id of the actor.
    pub fn id(&self) -> ActorId {
        ActorId(self.process())
    }

    /// Returns the name that the actor was spawned with, if any. The first process is called `main`.
    pub fn name(&self) -> Option<String> {
        match self.process()? {
            ProcessId::MAIN => Some("main".to_owned()),
            process => rt::try_with(|rt| rt.name_of(process))?.map(|name| name.to_string()),
        }
    }
}

impl<M: Send + 'static> Pid<M> {
    /// Sends a message: puts it at the end of the mailbox at once. If the actor has ended, the message is
    /// never received.
    #[inline]
    #[track_caller]
    pub fn send(&self, message: M) {
        self.mailbox.send(message, SourceLocation::caller());
    }
}

impl<M> Clone for Pid<M> {
    fn clone(&self) -> Self {
        Pid::new(self.mailbox.clone())
    }
}

impl<M> PartialEq for Pid<M> {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl<M> Eq for Pid<M> {}

impl<M> Hash for Pid<M> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl<M> fmt::Debug for Pid<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process() {
            Some(process) => write!(f, "Pid({process})"),
            None => write!(f, "Pid(_)"),
        }
    }
}
