//! Names that actors are found by.

use std::error::Error;
use std::fmt;
use std::panic::Location as SourceLocation;

use mazurka_core::model::{Action, Location, MemoryOrdering, Op, ProcessId, When};

use super::Pid;
use super::mailbox::Mailbox;
use crate::rt::{self, AnyShared, Operation};

/// The error of [`register`]: another actor has the name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameTaken(String);

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name `{}` is taken", self.0)
    }
}

impl Error for NameTaken {}

const FREE: u64 = 0;

/// Gives an actor a name by which [`whereis`] finds it. The actor keeps the name, even after its end,
/// until it is [unregistered](unregister).
///
/// # Errors
///
/// If an actor has the name.
///
/// ```
/// use mazurka::actor;
///
/// mazurka::check(|| {
///     let me = actor::me::<&str>();
///     actor::register("main", &me.pid()).unwrap();
///     actor::spawn(|_: &actor::Me<()>| actor::whereis("main").unwrap().send("hello"));
///     assert_eq!(me.receive(), "hello");
/// });
/// ```
#[track_caller]
pub fn register<M: Send + 'static>(name: &str, pid: &Pid<M>) -> Result<(), NameTaken> {
    let site = SourceLocation::caller();
    let Some(process) = pid.process().filter(|_| rt::alive()) else { return Ok(()) };
    let cell = rt::with(|rt| rt.name_cell(name, site));
    let action = Action::new(Op::Update, Location::whole(cell)).when(When::Equals(FREE));
    let action = rt::in_present(action, MemoryOrdering::AcqRel);
    if Operation::new("register", site).action(action).turn().is_none() {
        return Ok(());
    }
    let mailbox = pid.mailbox.coerce::<dyn AnyShared>(|mailbox| mailbox);
    rt::with(|rt| {
        let before = rt.value(cell);
        let is_free = before == FREE;
        let after = if is_free { process.index() as u64 + 1 } else { before };
        rt.perform(Action { op: action.op_at(before), ..action }.performed(before, after));
        if is_free {
            *rt.registered(cell) = Some(mailbox);
        }
        let outcome = if is_free { "" } else { " → taken" };
        rt.log(site, |rt| format!("register({name:?}, {}){outcome}", rt.process_name(process)));
        is_free.then_some(()).ok_or_else(|| NameTaken(name.to_owned()))
    })
}

/// Makes a name available again, if an actor has it.
#[track_caller]
pub fn unregister(name: &str) {
    let site = SourceLocation::caller();
    if !rt::alive() {
        return;
    }
    let cell = rt::with(|rt| rt.name_cell(name, site));
    let action = Action::new(Op::Write, Location::whole(cell));
    let action = rt::in_present(action, MemoryOrdering::AcqRel);
    if Operation::new("unregister", site).action(action).turn().is_none() {
        return;
    }
    let mailbox = rt::with(|rt| {
        let before = rt.value(cell);
        rt.perform(action.performed(before, FREE));
        rt.log(site, |_| format!("unregister({name:?})"));
        rt.registered(cell).take()
    });
    // With the messages in it, perhaps.
    drop(mailbox);
}

/// Returns the actor that has a name, if there is one.
///
/// A loop that asks until an actor has the name should call
/// [`yield_now`](crate::thread::yield_now).
///
/// # Panics
///
/// If the actor takes messages of another type.
#[track_caller]
pub fn whereis<M: Send + 'static>(name: &str) -> Option<Pid<M>> {
    let site = SourceLocation::caller();
    if !rt::alive() {
        return None;
    }
    let cell = rt::with(|rt| rt.name_cell(name, site));
    let action = Action::new(Op::Read, Location::whole(cell));
    let action = rt::in_present(action, MemoryOrdering::AcqRel);
    Operation::new("whereis", site).action(action).turn()?;
    let found = rt::with(|rt| {
        let value = rt.value(cell);
        rt.perform(action.performed(value, value));
        let process = value.checked_sub(1).map(|index| ProcessId::new(index as usize));
        rt.log(site, |rt| {
            let who = process.map_or_else(|| "nobody".to_owned(), |p| rt.process_name(p));
            format!("whereis({name:?}) → {who}")
        });
        rt.registered(cell).clone()
    });
    match found?.downcast::<Mailbox<M>>() {
        Some(mailbox) => Some(Pid::new(mailbox)),
        None => panic!("the actor that is called `{name}` takes messages of another type"),
    }
}
