//! Names of processes and objects that stay the same over all executions of an exploration.

mod saved;

use std::sync::{Arc, Mutex, PoisonError};

use mazurka_core::model::{Birth, ObjectId};

/// Which of a process's own objects is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Own {
    /// What `park` waits for.
    Token = 0,
    /// Whether it has ended.
    End = 1,
    /// Where messages to it are put.
    Mailbox = 2,
    /// Where events for it to handle are put.
    Queue = 3,
    /// Its thread-local values, once handlers of events share them.
    Locals = 4,
    /// Whether its task was woken.
    Wake = 5,
}

/// How many objects a process has of its own.
pub(super) const OWN: usize = 6;

/// After whom something is named.
///
/// The handlers of a process need not always run in the same order. So what a handler creates is
/// named after its event, and not after how many steps its process has taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Namer {
    /// A process.
    Process(usize),
    /// The handler of an event.
    Handler(u32),
}

/// What an object is called that is not the only one of its place in the source: `namer` was the
/// first to touch it, after `steps` steps, as the `rank`-th object since then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) namer: Namer,
    pub(super) steps: u32,
    /// Since when that is known.
    pub(super) birth: Birth,
    pub(super) rank: u32,
}

/// An object or a message that has no number yet.
const UNKNOWN: u32 = u32::MAX;

/// The tables of names. They only grow.
///
/// A process is named after its parent and its rank among that parent's children. An object is
/// named after the process that touches it first, how many steps that one has taken by then, and
/// how many objects it has named since its last step.
///
/// Where several machines explore one program, each has a copy of tables that they have in common:
/// whoever comes upon something new asks there.
#[derive(Clone)]
pub(crate) struct Names {
    processes: Vec<ProcessNames>,
    /// How many of these there are; the others are room for more.
    count: usize,
    /// The names of the handlers of events, by their numbers.
    handlers: Vec<ProcessNames>,
    /// Objects that are named after the place that creates them.
    singles: Vec<(usize, u32)>,
    births: Vec<Birth>,
    messages: u32,
    /// Objects that the program has given a name to.
    given: Vec<(String, u32)>,
    /// What is in common with other machines, if there are any.
    common: Option<CommonNames>,
}

/// Tables of names that several machines have in common.
pub(crate) type CommonNames = Arc<Mutex<Names>>;

#[derive(Clone, Default)]
struct ProcessNames {
    children: Vec<u32>,
    /// By the number of steps taken, then by birth and rank.
    objects: Vec<Vec<(Birth, Vec<u32>)>>,
    own: [Option<u32>; OWN],
    /// The first message by the number of steps taken.
    messages: Vec<u32>,
    /// The others, which are few: by the number of steps taken and by rank.
    more_messages: Vec<((u32, u32), u32)>,
}

impl ProcessNames {
    /// A message that is known.
    fn known_message(&self, steps: u32, rank: u32) -> Option<u32> {
        match rank {
            0 => self.messages.get(steps as usize).copied().filter(|message| *message != UNKNOWN),
            _ => {
                let mut more = self.more_messages.iter();
                more.find(|(place, _)| *place == (steps, rank)).map(|(_, message)| *message)
            }
        }
    }

    /// A message that is not known yet gets this number.
    fn add_message(&mut self, steps: u32, rank: u32, number: u32) {
        if rank > 0 {
            self.more_messages.push(((steps, rank), number));
            return;
        }
        let steps = steps as usize;
        if self.messages.len() <= steps {
            self.messages.resize(steps + 1, UNKNOWN);
        }
        self.messages[steps] = number;
    }

    fn clear(&mut self) {
        self.children.clear();
        self.objects.iter_mut().flatten().for_each(|(_, ranked)| ranked.clear());
        self.own = [None; OWN];
        self.messages.clear();
        self.more_messages.clear();
    }
}

impl Names {
    pub(super) fn new() -> Self {
        let processes = vec![ProcessNames::default()];
        Names {
            processes,
            count: 1,
            handlers: Vec::new(),
            singles: Vec::new(),
            births: Vec::new(),
            messages: 0,
            given: Vec::new(),
            common: None,
        }
    }

    /// From now on, while there are none yet, names are what they are to other machines.
    pub(super) fn share(&mut self, common: CommonNames) {
        self.common = Some(common);
        self.ask(|_| ());
    }

    /// If there are other machines: what is in common with them answers, and is copied.
    #[cold]
    fn ask<T>(&mut self, question: impl FnOnce(&mut Names) -> T) -> Option<T> {
        let common = self.common.take()?;
        let mut names = common.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = question(&mut names);
        self.clone_from(&names);
        drop(names);
        self.common = Some(common);
        Some(answer)
    }

    /// Forgets all names, but keeps the room for them.
    pub(super) fn clear(&mut self) {
        let count = std::mem::replace(&mut self.count, 1);
        self.processes[..count].iter_mut().for_each(ProcessNames::clear);
        self.handlers.iter_mut().for_each(ProcessNames::clear);
        self.singles.clear();
        self.births.clear();
        self.messages = 0;
        self.given.clear();
        self.common = None;
    }

    /// How many processes there have been in any execution.
    pub(super) fn processes(&self) -> usize {
        self.count
    }

    /// How many objects there have been in any execution.
    pub(super) fn objects(&self) -> usize {
        self.births.len()
    }

    pub(super) fn birth(&self, object: ObjectId) -> Birth {
        self.births.get(object.0 as usize).copied().unwrap_or(Birth::START)
    }

    #[inline]
    fn of(&mut self, namer: Namer) -> &mut ProcessNames {
        match namer {
            Namer::Process(process) => &mut self.processes[process],
            Namer::Handler(event) => {
                let event = event as usize;
                if self.handlers.len() <= event {
                    self.handlers.resize_with(event + 1, ProcessNames::default);
                }
                &mut self.handlers[event]
            }
        }
    }

    /// The `rank`-th child of `parent`.
    #[inline]
    pub(super) fn child(&mut self, parent: Namer, rank: usize) -> usize {
        match parent {
            Namer::Process(process) if rank < self.processes[process].children.len() => {
                self.processes[process].children[rank] as usize
            }
            _ => self.another_child(parent, rank),
        }
    }

    #[cold]
    fn another_child(&mut self, parent: Namer, rank: usize) -> usize {
        if let Some(&child) = self.of(parent).children.get(rank) {
            return child as usize;
        }
        if let Some(child) = self.ask(|names| names.child(parent, rank)) {
            return child;
        }
        let next = self.count;
        self.of(parent).children.push(next as u32);
        if self.processes.len() == next {
            self.processes.push(ProcessNames::default());
        }
        self.count += 1;
        next
    }

    /// The one object that a place in the source creates.
    pub(super) fn single(&mut self, site: usize) -> ObjectId {
        if let Some((_, id)) = self.singles.iter().find(|(known, _)| *known == site) {
            return ObjectId(*id);
        }
        if let Some(object) = self.ask(|names| names.single(site)) {
            return object;
        }
        let id = self.births.len() as u32;
        self.births.push(Birth::START);
        self.singles.push((site, id));
        ObjectId(id)
    }

    /// The one object of a place turns out not to be the only one: from now on it has this name.
    pub(super) fn rename(&mut self, site: usize, name: Name) {
        if self.ask(|names| names.rename(site, name)).is_some() {
            return;
        }
        let Some(index) = self.singles.iter().position(|(known, _)| *known == site) else { return };
        let (_, id) = self.singles.swap_remove(index);
        *self.entry(name) = id;
        self.births[id as usize] = name.birth;
    }

    /// The object with this name.
    pub(super) fn object(&mut self, name: Name) -> ObjectId {
        let next = self.births.len() as u32;
        let id = *self.entry(name);
        if id != UNKNOWN {
            return ObjectId(id);
        }
        if let Some(object) = self.ask(|names| names.object(name)) {
            return object;
        }
        *self.entry(name) = next;
        self.births.push(name.birth);
        ObjectId(next)
    }

    fn entry(&mut self, name: Name) -> &mut u32 {
        let (steps, rank) = (name.steps as usize, name.rank as usize);
        let by_steps = &mut self.of(name.namer).objects;
        if by_steps.len() <= steps {
            by_steps.resize_with(steps + 1, Vec::new);
        }
        let by_birth = &mut by_steps[steps];
        let known = by_birth.iter().position(|(known, _)| *known == name.birth);
        let index = known.unwrap_or_else(|| {
            by_birth.push((name.birth, Vec::new()));
            by_birth.len() - 1
        });
        let ranked = &mut by_birth[index].1;
        if ranked.len() <= rank {
            ranked.resize(rank + 1, UNKNOWN);
        }
        &mut ranked[rank]
    }

    /// An object that belongs to `process` itself: it means the same in every execution.
    #[inline]
    pub(super) fn own(&mut self, process: usize, which: Own) -> ObjectId {
        match self.processes[process].own[which as usize] {
            Some(id) => ObjectId(id),
            None => self.another_own(process, which),
        }
    }

    #[cold]
    fn another_own(&mut self, process: usize, which: Own) -> ObjectId {
        if let Some(object) = self.ask(|names| names.own(process, which)) {
            return object;
        }
        let id = self.births.len() as u32;
        self.births.push(Birth::START);
        self.processes[process].own[which as usize] = Some(id);
        ObjectId(id)
    }

    /// The first message that a process sends, or prepares, after `steps` steps, if it is known.
    /// Mostly it is, and there are no others.
    #[inline]
    pub(super) fn first_message(&self, process: usize, steps: u32) -> Option<u32> {
        let message = self.processes[process].messages.get(steps as usize).copied();
        message.filter(|message| *message != UNKNOWN)
    }

    /// The `rank`-th message that `namer` sends, or prepares, after `steps` steps.
    #[inline(never)]
    pub(super) fn message(&mut self, namer: Namer, steps: u32, rank: u32) -> u32 {
        if let Some(message) = self.of(namer).known_message(steps, rank) {
            return message;
        }
        if let Some(message) = self.ask(|names| names.message(namer, steps, rank)) {
            return message;
        }
        let message = self.messages;
        self.messages += 1;
        self.of(namer).add_message(steps, rank, message);
        message
    }

    /// The object that the program calls by this name: it means the same in every execution.
    pub(super) fn given(&mut self, name: &str) -> ObjectId {
        if let Some((_, id)) = self.given.iter().find(|(known, _)| known == name) {
            return ObjectId(*id);
        }
        if let Some(object) = self.ask(|names| names.given(name)) {
            return object;
        }
        let id = self.births.len() as u32;
        self.births.push(Birth::START);
        self.given.push((name.to_owned(), id));
        ObjectId(id)
    }
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::ProcessId;

    use super::*;

    #[test]
    fn names_do_not_depend_on_the_order_in_which_they_are_asked_for_again() {
        let mut names = Names::new();
        let first = names.child(Namer::Process(0), 0);
        let second = names.child(Namer::Process(0), 1);
        let grandchild = names.child(Namer::Process(first), 0);
        assert_eq!([first, second, grandchild], [1, 2, 3]);
        assert_eq!(names.child(Namer::Process(first), 0), 3);
        assert_eq!(names.child(Namer::Process(0), 1), 2);

        let birth = Birth { process: ProcessId::new(1), steps: 4 };
        let of_first = Name { namer: Namer::Process(1), steps: 4, birth, rank: 0 };
        let of_second = Name { namer: Namer::Process(2), steps: 0, birth: Birth::START, rank: 0 };
        let a = names.object(of_first);
        let b = names.object(of_second);
        let token = names.own(1, Own::Token);
        assert_eq!(names.object(of_second), b);
        assert_eq!(names.object(of_first), a);
        assert_ne!(names.object(Name { birth: Birth::LATE, ..of_first }), a);
        assert_eq!(names.own(1, Own::Token), token);
        assert_eq!(names.birth(a), birth);
        assert_eq!(names.birth(token), Birth::START);
    }

    #[test]
    fn an_object_that_is_renamed_stays_the_same() {
        let mut names = Names::new();
        let single = names.single(7);
        let birth = Birth { process: ProcessId::new(0), steps: 1 };
        let name = Name { namer: Namer::Process(0), steps: 1, birth, rank: 2 };
        names.rename(7, name);
        assert_eq!(names.object(name), single);
        assert_eq!(names.birth(single), birth);
        let other = names.object(Name { rank: 0, ..name });
        assert_ne!(other, single);
        names.clear();
        assert_eq!((names.processes(), names.objects()), (1, 0));
        assert_eq!(names.object(name), ObjectId(0));
    }

    #[test]
    fn machines_that_share_names_agree_on_them() {
        let common = CommonNames::new(Mutex::new(Names::new()));
        let [mut one, mut other] = [Names::new(), Names::new()];
        one.share(common.clone());
        other.share(common);
        let child = one.child(Namer::Process(0), 0);
        assert_eq!(other.child(Namer::Process(0), 1), child + 1);
        assert_eq!((other.child(Namer::Process(0), 0), one.child(Namer::Process(0), 1)), (1, 2));
        let name = Name { namer: Namer::Process(child), steps: 2, birth: Birth::START, rank: 0 };
        let token = other.own(child, Own::Token);
        let object = one.object(name);
        assert_ne!(object, token);
        assert_eq!((other.object(name), one.own(child, Own::Token)), (object, token));
        assert_ne!(one.single(5), other.given("lock"));
        assert_eq!((one.given("lock"), other.single(5)), (other.given("lock"), one.single(5)));
        let first = one.message(Namer::Process(child), 0, 0);
        assert_ne!(other.message(Namer::Process(0), 0, 0), first);
        assert_eq!(other.message(Namer::Process(child), 0, 0), first);
        one.clear();
        assert_eq!((one.processes(), other.processes()), (1, 3));
    }

    #[test]
    fn messages_are_numbered_by_who_sends_them_and_when() {
        let mut names = Names::new();
        names.child(Namer::Process(0), 0);
        let first = names.message(Namer::Process(1), 3, 0);
        let other = names.message(Namer::Process(0), 3, 0);
        let second = names.message(Namer::Process(1), 3, 1);
        assert_eq!(names.message(Namer::Process(1), 3, 0), first);
        assert_eq!(names.message(Namer::Process(0), 3, 0), other);
        assert!(first != other && second != first && second != other);
        let handled = names.message(Namer::Handler(first), 3, 0);
        assert!(handled != first && names.message(Namer::Handler(first), 3, 0) == handled);
        let given = names.given("lock");
        assert_ne!(names.given("key"), given);
        assert_eq!(names.given("lock"), given);
    }
}
