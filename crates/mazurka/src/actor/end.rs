//! News of the end of actors.

use std::fmt;
use std::panic::Location as SourceLocation;
use std::sync::Arc;

use mazurka_core::model::{Action, Location, Op, ProcessId};

use super::mailbox::{Content, Envelope, Mailbox};
use super::{ActorId, Me, Pid};
use crate::rt::{self, Ended, News, Operation, Own, Site, Watcher};

/// That an actor has ended; see [`Me::monitor`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Down {
    /// Which one.
    pub id: ActorId,
    /// The name that it was created with, if any.
    pub name: Option<String>,
    /// Why.
    pub reason: Reason,
}

/// Why an actor has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was done.
    Normal,
    /// It panicked; this is the message.
    Panicked(String),
}

impl Down {
    fn of(ended: &Ended) -> Self {
        let reason = match &ended.panic {
            None => Reason::Normal,
            Some(message) => Reason::Panicked(message.clone()),
        };
        let name = ended.name.as_deref().map(str::to_owned);
        Down { id: ActorId(Some(ended.process)), name, reason }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Normal => f.write_str("it was done"),
            Reason::Panicked(message) => f.write_str(message),
        }
    }
}

/// A message that is made of the end of an actor.
struct Notice<M, F> {
    mailbox: Arc<Mailbox<M>>,
    number: u32,
    f: Option<F>,
}

impl<M, F> News for Notice<M, F>
where
    M: Send + 'static,
    F: FnOnce(Down) -> M + Send,
{
    fn prepare(&mut self, ended: &Ended) -> Option<Action> {
        let (f, down) = (self.f.take()?, Down::of(ended));
        let content = Content::Message(rt::without_operations(|| f(down)));
        announce(&self.mailbox, self.number, content, ended)
    }

    fn deliver(self: Box<Self>) {
        self.mailbox.deliver(self.number);
    }
}

pub(super) fn notice<M: Send + 'static>(
    mailbox: Arc<Mailbox<M>>,
    f: impl FnOnce(Down) -> M + Send + 'static,
) -> Box<dyn News> {
    let number = rt::with(|rt| rt.number_message());
    Box::new(Notice { mailbox, number, f: Some(f) })
}

/// A mailbox, whatever messages it takes.
pub(super) trait TakesExits: Send + Sync {
    fn announce_exit(&self, number: u32, ended: &Ended) -> Option<Action>;
    fn deliver_exit(&self, number: u32);
}

impl<M: Send + 'static> TakesExits for Mailbox<M> {
    fn announce_exit(&self, number: u32, ended: &Ended) -> Option<Action> {
        announce(self, number, Content::Exit(ended.clone()), ended)
    }

    fn deliver_exit(&self, number: u32) {
        self.deliver(number);
    }
}

/// The panic of an actor, which makes the one that it is delivered to panic too.
struct Exit {
    mailbox: Arc<dyn TakesExits>,
    number: u32,
}

impl News for Exit {
    fn prepare(&mut self, ended: &Ended) -> Option<Action> {
        ended.panic.as_ref()?;
        self.mailbox.announce_exit(self.number, ended)
    }

    fn deliver(self: Box<Self>) {
        self.mailbox.deliver_exit(self.number);
    }
}

fn exit(mailbox: Arc<dyn TakesExits>) -> Box<dyn News> {
    let number = rt::with(|rt| rt.number_message());
    Box::new(Exit { mailbox, number })
}

fn announce<M: 'static>(
    mailbox: &Mailbox<M>,
    number: u32,
    content: Content<M>,
    ended: &Ended,
) -> Option<Action> {
    let about = Some(ended.process);
    mailbox.announce(Envelope { number, sender: ended.process, content, about })
}

/// Has the current process told of an end: at once if it has come.
fn watch(process: ProcessId, ended: Option<Ended>, mut news: Box<dyn News>) {
    if let Some(ended) = ended {
        if news.prepare(&ended).is_some() {
            news.deliver();
        }
        return;
    }
    if let Some(ended) = rt::with(|rt| rt.imminent_end_of(process))
        && news.prepare(&ended).is_none()
    {
        return;
    }
    rt::with(|rt| rt.watch(process, Watcher { process: rt.current(), news }));
}

/// What a receive does that takes the news of the panic of a linked actor.
#[track_caller]
pub(super) fn exit_with(ended: &Ended) -> ! {
    let message = ended.panic.as_deref().unwrap_or_default();
    match &ended.name {
        Some(name) => panic!("the linked actor '{name}' has panicked: {message}"),
        None => panic!("a linked actor has panicked: {message}"),
    }
}

/// Looks whether a process has ended, in a step that is dependent on its end. `None` if the
/// execution is over for the current process.
#[track_caller]
fn look_at_end(process: ProcessId, name: &'static str, site: Site) -> Option<Option<Ended>> {
    if !rt::alive() || !rt::watch_ends() {
        return None;
    }
    let end = rt::with(|rt| rt.own_object(process, Own::End));
    let action = Action::new(Op::Read, Location::whole(end));
    Operation::new(name, site).action(action).turn()?;
    Some(rt::with(|rt| {
        let value = rt.value(end);
        rt.perform(action.performed(value, value));
        let ended = rt.end_of(process);
        let outcome = if ended.is_some() { ", which has ended" } else { "" };
        rt.log(site, |rt| format!("{name}({}){outcome}", rt.process_name(process)));
        ended
    }))
}

impl<M: Send + 'static> Me<M> {
    /// Has a message sent to this actor when another one ends, or at once if it has ended. The
    /// message is what `f` makes of the news; `f` must not use threads, locks, atomics or actors.
    ///
    /// A panic of which nobody is told is a violation. So is one of which the news is never
    /// received. To be told whatever the schedule, an actor must be monitored from its beginning:
    /// see [`Builder::monitored_by`](super::Builder::monitored_by).
    ///
    /// A check whose program calls this is started anew once, since from then on the ends of
    /// actors and threads matter by themselves.
    ///
    /// ```
    /// use mazurka::actor::{self, Reason};
    ///
    /// mazurka::check(|| {
    ///     let worker = actor::spawn(|me| assert_eq!(me.receive(), 1));
    ///     let me = actor::me();
    ///     me.monitor(&worker, |down| down);
    ///     worker.send(1);
    ///     let down = me.receive();
    ///     assert_eq!((down.id, down.reason), (worker.id(), Reason::Normal));
    /// });
    /// ```
    #[track_caller]
    pub fn monitor<N>(&self, pid: &Pid<N>, f: impl FnOnce(Down) -> M + Send + 'static) {
        let site = SourceLocation::caller();
        let Some(process) = pid.process() else { return };
        let Some(ended) = look_at_end(process, "monitor", site) else { return };
        watch(process, ended, notice(Arc::clone(self.mailbox()), f));
    }

    /// Ties this actor and another one together: when one of them panics, so does the other, at
    /// its next receive for which there is nothing older to receive. If the other one has panicked
    /// already, the news is there at once.
    ///
    /// The same is said of the check, and of panics that nobody learns of, as for
    /// [`monitor`](Me::monitor). See [`Builder::linked_to`](super::Builder::linked_to) for linking
    /// an actor from its beginning.
    ///
    /// ```should_panic
    /// use mazurka::actor;
    ///
    /// mazurka::check(|| {
    ///     let me = actor::me::<()>();
    ///     let worker = actor::spawn(|me| assert_eq!(me.receive(), 1));
    ///     me.link(&worker);
    ///     worker.send(2);
    ///     me.receive();
    /// });
    /// ```
    #[track_caller]
    pub fn link<N: Send + 'static>(&self, pid: &Pid<N>) {
        let site = SourceLocation::caller();
        let Some(process) = pid.process() else { return };
        let Some(ended) = look_at_end(process, "link", site) else { return };
        let has_ended = ended.is_some();
        watch(process, ended, exit(self.mailbox().clone()));
        if !has_ended {
            tie_to(process, pid.mailbox.clone());
        }
    }
}

/// When the current process panics, another one will be told.
fn tie_to(other: ProcessId, theirs: Arc<dyn TakesExits>) {
    let news = exit(theirs);
    rt::with(|rt| rt.watch(rt.current(), Watcher { process: other, news }));
}

/// Has the current process told of the end of one that it has just created.
pub(super) fn watch_new(process: ProcessId, news: Box<dyn News>) {
    watch(process, None, news);
}

/// Links the current process to one that it has just created.
pub(super) fn link_new(process: ProcessId, mine: Arc<dyn TakesExits>, theirs: Arc<dyn TakesExits>) {
    watch(process, None, exit(mine));
    tie_to(process, theirs);
}
