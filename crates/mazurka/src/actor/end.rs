//! News of the end of actors.

use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::{Action, Location, MemoryOrdering, Op, ProcessId};

use super::mailbox::{Content, Envelope, Mailbox};
use super::{ActorId, Me, Pid};
use crate::rt::{self, Ended, Operation, Own, Retire, Shared, Site, Tell, Watcher};

/// The news that an actor has ended; see [`Me::monitor`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Down {
    /// The actor.
    pub id: ActorId,
    /// The name that the actor was spawned with, if any.
    pub name: Option<String>,
    /// The reason.
    pub reason: Reason,
}

/// The reason for the end of an actor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It returned.
    Normal,
    /// It panicked, with this message.
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

/// Sends what `f` makes of the end.
pub(super) fn notice<M: Send + 'static>(
    mailbox: Shared<Mailbox<M>>,
    f: impl FnOnce(Down) -> M + Send + 'static,
) -> Tell {
    let number = rt::with(|rt| rt.number_message());
    Box::new(move |ended, site| {
        let down = Down::of(ended);
        let content = Content::Message(rt::without_operations(|| f(down)));
        post(&mailbox, number, content, ended, site)
    })
}

/// If the end is a panic, makes the one that the mailbox belongs to panic too.
fn exit(mailbox: Shared<dyn TakesExits>) -> Tell {
    let number = rt::with(|rt| rt.number_message());
    Box::new(move |ended, site| ended.panic.is_some() && mailbox.post_exit(number, ended, site))
}

/// A mailbox, whatever messages it takes.
pub(super) trait TakesExits: Retire + Send + Sync {
    fn post_exit(&self, number: u32, ended: &Ended, site: Site) -> bool;
}

impl<M: Send + 'static> TakesExits for Mailbox<M> {
    fn post_exit(&self, number: u32, ended: &Ended, site: Site) -> bool {
        post(self, number, Content::Exit(Box::new(ended.clone())), ended, site)
    }
}

/// A mailbox, as one that takes exits.
pub(super) fn exits_to<M: Send + 'static>(mailbox: &Shared<Mailbox<M>>) -> Shared<dyn TakesExits> {
    mailbox.coerce::<dyn TakesExits>(|mailbox| mailbox)
}

fn post<M: Send + 'static>(
    mailbox: &Mailbox<M>,
    number: u32,
    content: Content<M>,
    ended: &Ended,
    site: Site,
) -> bool {
    let about = Some(ended.process);
    let envelope = Envelope { number, sender: ended.process, content, about };
    mailbox.post("tell_of_end", envelope, site)
}

/// Has the current process told of the end of another one that is yet to come.
pub(super) fn watch(process: ProcessId, tell: Tell) {
    rt::with(|rt| rt.watch(process, Watcher { process: rt.current(), tell }));
}

/// When the current process panics, another one will be told.
fn tie_to(other: ProcessId, theirs: Shared<dyn TakesExits>) {
    let tell = exit(theirs);
    rt::with(|rt| rt.watch(rt.current(), Watcher { process: other, tell }));
}

/// Links the current process to another one, of which neither has ended.
pub(super) fn tie(
    process: ProcessId,
    mine: Shared<dyn TakesExits>,
    theirs: Shared<dyn TakesExits>,
) {
    watch(process, exit(mine));
    tie_to(process, theirs);
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
    // Whether it tells a process of its end depends on the present, and not on an old value.
    let action = rt::in_present(action, MemoryOrdering::AcqRel);
    Operation::new(name, site).action(action).turn()?;
    Some(rt::with(|rt| {
        let value = rt.value(end);
        rt.perform(action.performed(value, value));
        let ended = (value != 0).then(|| rt.ended(process));
        let outcome = if ended.is_some() { ", which has ended" } else { "" };
        rt.log(site, |rt| format!("{name}({}){outcome}", rt.process_name(process)));
        ended
    }))
}

impl<M: Send + 'static> Me<M> {
    /// Monitors another actor: when that ends, it sends the result of `f` to this one. If it has ended,
    /// it does so at once. `f` must not use threads, locks, atomics or actors.
    ///
    /// A panic of an actor is a violation unless a monitor receives the news of it. To monitor an actor in
    /// every schedule, do it from its beginning: see
    /// [`Builder::monitored_by`](super::Builder::monitored_by).
    ///
    /// The first call starts the check over: from then on, the end of every actor and thread is a step.
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
        let tell = notice(self.mailbox().clone(), f);
        match ended {
            Some(ended) => {
                tell(&ended, site);
            }
            None => watch(process, tell),
        }
    }

    /// Links this actor and another one: when one of them panics, so does the other. It does so at its
    /// next receive that finds no older message. If the other actor has panicked before, the news is there
    /// at once.
    ///
    /// As for [`monitor`](Me::monitor), the first call starts the check over, and a panic is a violation
    /// unless the linked actor receives the news of it. To link an actor from its beginning, use
    /// [`Builder::linked_to`](super::Builder::linked_to).
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
        let mine = exits_to(self.mailbox());
        match ended {
            Some(ended) => {
                exit(mine)(&ended, site);
            }
            None => tie(process, mine, exits_to(&pid.mailbox)),
        }
    }
}
