//! Creating actors.

use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::ProcessId;

use super::end::{TakesExits, exits_to, notice, tie, watch};
use super::mailbox::Mailbox;
use super::{Down, Me, Pid};
use crate::rt::{self, AnyShared, Handle, Shared, Site};

/// Spawns an actor that runs `f`, and returns its [`Pid`]. This is not a step.
///
/// If the actor panics and no other one [monitors](Me::monitor) it, that is a violation.
///
/// # Panics
///
/// If there is no memory for the actor's stack.
///
/// ```
/// use mazurka::actor;
///
/// mazurka::check(|| {
///     let adder = actor::spawn(|me| {
///         let sum: i32 = me.receive() + me.receive();
///         assert_eq!(sum, 3);
///     });
///     let other = adder.clone();
///     actor::spawn(move |_: &actor::Me<()>| other.send(1));
///     adder.send(2);
/// });
/// ```
#[track_caller]
pub fn spawn<M, F>(f: F) -> Pid<M>
where
    M: Send + 'static,
    F: FnOnce(&Me<M>) + Send + 'static,
{
    Builder::new().spawn(f)
}

/// Spawns an actor with a name for reports, and returns its [`Pid`].
///
/// ```
/// use mazurka::actor;
///
/// mazurka::check(|| {
///     let printer = actor::spawn_named("printer", |me| drop::<String>(me.receive()));
///     assert_eq!(printer.name().as_deref(), Some("printer"));
///     printer.send("page".to_owned());
/// });
/// ```
#[track_caller]
pub fn spawn_named<M, F>(name: impl AsRef<str>, f: F) -> Pid<M>
where
    M: Send + 'static,
    F: FnOnce(&Me<M>) + Send + 'static,
{
    start(Some(name.as_ref()), 0, Vec::new(), f, SourceLocation::caller())
}

/// Configures a new actor: its name, its stack, and which actors learn of its end.
///
/// ```
/// use mazurka::actor::{self, Builder, Reason};
///
/// mazurka::check(|| {
///     let me = actor::me();
///     let builder = Builder::new().name("worker").monitored_by(&me, |down| down);
///     builder.spawn(|_: &actor::Me<()>| panic!("on purpose"));
///     let down = me.receive();
///     assert_eq!(down.name.as_deref(), Some("worker"));
///     assert!(matches!(down.reason, Reason::Panicked(message) if message.contains("on purpose")));
/// });
/// ```
#[derive(Default)]
#[must_use = "must eventually spawn the actor"]
pub struct Builder {
    name: Option<String>,
    stack_size: usize,
    ties: Vec<Tie>,
}

/// What is done about the end of an actor when it has just been created.
type Tie = Box<dyn FnOnce(ProcessId, Shared<dyn TakesExits>)>;

impl Builder {
    /// Creates a builder of an actor without a name, with the check's stack size, that is not monitored.
    pub fn new() -> Self {
        Builder::default()
    }

    /// Sets the name of the actor.
    pub fn name(mut self, name: impl AsRef<str>) -> Self {
        self.name = Some(name.as_ref().to_owned());
        self
    }

    /// Sets the size of the actor's stack in bytes. The check's stack size is the minimum.
    pub fn stack_size(self, size: usize) -> Self {
        Builder { stack_size: size, ..self }
    }

    /// Makes the new actor send a message to `me` when it ends, as [`Me::monitor`] does. It is monitored
    /// from its beginning, and this is not a step.
    pub fn monitored_by<M: Send + 'static>(
        mut self,
        me: &Me<M>,
        f: impl FnOnce(Down) -> M + Send + 'static,
    ) -> Self {
        let mailbox = me.mailbox().clone();
        self.ties.push(Box::new(move |process, _| {
            watch(process, notice(mailbox, f));
        }));
        self
    }

    /// Links the new actor to `me`, as [`Me::link`] does. It is linked from its beginning, and this is
    /// not a step.
    pub fn linked_to<M: Send + 'static>(mut self, me: &Me<M>) -> Self {
        let mailbox = exits_to(me.mailbox());
        self.ties.push(Box::new(move |process, theirs| tie(process, mailbox, theirs)));
        self
    }

    /// Spawns the actor, and returns its [`Pid`].
    ///
    /// # Panics
    ///
    /// If there is no memory for the actor's stack.
    #[track_caller]
    pub fn spawn<M, F>(self, f: F) -> Pid<M>
    where
        M: Send + 'static,
        F: FnOnce(&Me<M>) + Send + 'static,
    {
        let site = SourceLocation::caller();
        start(self.name.as_deref(), self.stack_size, self.ties, f, site)
    }
}

/// Creates an actor with what a [`Builder`] has gathered.
#[track_caller]
fn start<M, F>(name: Option<&str>, stack_size: usize, ties: Vec<Tie>, f: F, site: Site) -> Pid<M>
where
    M: Send + 'static,
    F: FnOnce(&Me<M>) + Send + 'static,
{
    let mailbox = Mailbox::shared();
    if !rt::alive() {
        return Pid::new(mailbox);
    }
    let me = mailbox.clone();
    let body = move || {
        let me = Me::new(me);
        if let Err(payload) = rt::run(|| f(&me)) {
            rt::end_of_panicked(&*payload);
            rt::discard(payload);
        }
    };
    // SAFETY: it borrows nothing.
    let process = unsafe { rt::spawn(body, name, stack_size, Handle::Dropped, site) }
        .unwrap_or_else(|error| panic!("failed to spawn actor: {error}"));
    mailbox.settle(process);
    let any = mailbox.coerce::<dyn AnyShared>(|mailbox| mailbox);
    rt::with(|rt| rt.set_mailbox(process, any));
    for tie in ties {
        tie(process, exits_to(&mailbox));
    }
    Pid::new(mailbox)
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("name", &self.name).finish_non_exhaustive()
    }
}
