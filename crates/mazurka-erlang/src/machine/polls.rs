//! Polls: loops that read a number of `atomics` or `counters`, an entry of a table, or a name, until it has another
//! value.
//!
//! An iteration of such a loop is *pure* if it returns to the same operation with the same local state, and
//! the operation and the code behind it change nothing. Mazurka does not run pure iterations: the operation
//! waits until the number, the entry or the name has a value at which the iteration is not pure. This is an await, see
//! [`Action::awaits`].
//!
//! Which values these are is found by trying. The machine performs the operation with every value that the
//! number or the entry has had in this execution, runs the process up to its next operation, and undoes
//! that. An explorer asks about no other values.
//!
//! This is done only in programs that poll, see [`lessons`](crate::vm::lessons). In these programs, equal writes
//! and additions are updates: explorers derive the value of a number from the last write before it. For tables,
//! this concerns the entries with keys that are polled, see [`polled_entries`](super::polled_entries), and for names
//! those that are polled, see [`polled_names`](super::polled_names).

use mazurka_core::model::{Action, Location, Op, Performed, Values, When};

use super::ErlangMachine;
use super::objects::Thing;
use super::polled_entries::{Entry, Version};
use crate::term::{Atom, Term, equal_exact};
use crate::vm::process::{AtomicOperation, Visible};
use crate::vm::{Local, Pending, Status, Stop};

/// The most different values of a number or an entry that are tried. At other values, pure iterations are run.
pub(super) const MOST: usize = 64;

/// What a process is about to read, if that may be a poll.
#[derive(Clone, Copy)]
enum Polled {
    /// A number of an array.
    Number([Term; 3]),
    /// An entry of a table.
    Entry(Entry),
    /// A name.
    Name(Atom),
}

/// A value that is tried.
#[derive(Clone, Copy)]
enum Tried {
    /// A number of an array.
    Number(Term),
    /// A version of the table of an entry.
    Version(Entry, Version),
    /// A process that has a name, if one has it.
    Holder(Atom, Option<u32>),
}

/// The poll that a process is about to perform.
pub(super) struct Poll {
    /// The values at which the process returns to the operation.
    failing: Vec<u64>,
    /// Whether the number or the entry has such a value.
    pub(super) is_vain: bool,
    /// Whether a `compare_exchange` fails at another value and ends the loop.
    is_mixed: bool,
}

impl ErlangMachine {
    /// Returns what a process is about to read, if that may be a poll.
    fn candidate(&self, process: u32) -> Option<Polled> {
        let Pending::Do { what, arguments } = self.vm.local(process).pending else { return None };
        match what {
            _ if self.vm.times => None,
            Visible::Atomic(AtomicOperation::Get | AtomicOperation::CompareExchange) => {
                Some(Polled::Number(arguments))
            }
            Visible::Whereis => self.looked_up_name(what, &arguments).map(Polled::Name),
            _ => self.read_entry(what, &arguments).map(Polled::Entry),
        }
    }

    /// Returns what a process is about to read, if that may be a poll, and reads of it wait.
    fn polled(&self, process: u32) -> Option<Polled> {
        self.candidate(process).filter(|polled| self.is_known(*polled))
    }

    /// Returns whether the program is known to poll a number or an entry.
    fn is_known(&self, polled: Polled) -> bool {
        match polled {
            Polled::Number(_) => self.vm.polls,
            Polled::Entry((_, hash)) => self.vm.polled_keys.contains(&hash),
            Polled::Name(name) => self.is_polled_name(name),
        }
    }

    /// Returns whether a process waits until a number or an entry has another value.
    pub(super) fn polls_in_vain(&self, process: usize) -> bool {
        let poll = self.polls.get(process).and_then(Option::as_ref);
        poll.is_some_and(|poll| poll.is_vain && !poll.is_mixed)
    }

    /// Finds out for all processes that poll at which values they do so in vain.
    pub(super) fn renew_polls(&mut self) {
        self.polls.resize_with(self.vm.processes.len(), || None);
        for process in 0..self.vm.processes.len() as u32 {
            let is_there = self.vm.local(process).status == Status::Alive;
            let poll = self.polled(process).filter(|_| is_there);
            let poll = poll.map(|polled| match polled {
                Polled::Number(arguments) => self.try_values(process, &arguments),
                Polled::Entry(entry) => self.try_versions(process, entry),
                Polled::Name(name) => self.try_holders(process, name),
            });
            if poll.is_some() || self.polls[process as usize].is_some() {
                self.polls[process as usize] = poll;
                self.actions[process as usize] = self.action_of(process);
                if self.vm.lives {
                    self.renew_others(process);
                }
            }
        }
        // The attempts are undone, so no process has changed.
        for process in std::mem::take(&mut self.vm.changed) {
            self.vm.processes[process as usize].has_changed = false;
        }
    }

    fn try_values(&mut self, process: u32, arguments: &[Term; 3]) -> Poll {
        let index = arguments[1].as_small().unwrap_or(0) as usize;
        let values = self.vm.values_in_array(arguments[0], index, MOST);
        let mut poll = Poll { failing: Vec::new(), is_vain: false, is_mixed: false };
        for (i, value) in values.into_iter().enumerate() {
            let fails = self.loops(process, Tried::Number(value));
            if fails {
                poll.failing.push(self.vm.bits_of(value));
                poll.is_vain |= i == 0;
            } else if let Some(expected) = self.expected(arguments) {
                poll.is_mixed |= !equal_exact(&self.vm.heap, expected, value);
            }
        }
        poll
    }

    /// Returns the number that a `compare_exchange` expects.
    fn expected(&self, arguments: &[Term; 3]) -> Option<Term> {
        self.vm.heap.tuple_of::<2>(arguments[2]).map(|[expected, _]| expected)
    }

    /// Tries the versions of a table in which an entry had different values.
    fn try_versions(&mut self, process: u32, entry: Entry) -> Poll {
        let mut poll = Poll { failing: Vec::new(), is_vain: false, is_mixed: false };
        let now = self.value_of_entry(entry);
        for (value, version) in self.versions_of(entry) {
            if self.loops(process, Tried::Version(entry, version)) {
                poll.failing.push(value);
                poll.is_vain |= value == now;
            }
        }
        poll
    }

    /// Tries the processes that have and had a name.
    fn try_holders(&mut self, process: u32, name: Atom) -> Poll {
        let mut poll = Poll { failing: Vec::new(), is_vain: false, is_mixed: false };
        for (i, (value, holder)) in self.holders_of(name).into_iter().take(MOST).enumerate() {
            if self.loops(process, Tried::Holder(name, holder)) {
                poll.failing.push(value);
                poll.is_vain |= i == 0;
            }
        }
        poll
    }

    /// Replaces the table of an entry. Returns the number of tables that have changed.
    fn put_version(&mut self, (by, _): Entry, version: Version) -> usize {
        let now = self.version_now(by).map(|(id, _)| id);
        let new = version.map(|(id, _)| id);
        if let Some(id) = now.filter(|_| now != new) {
            self.vm.set_table(id, None);
        }
        if let Some((id, table)) = version {
            self.vm.set_table(id, Some(table));
        }
        usize::from(now.is_some() && now != new) + usize::from(new.is_some())
    }

    /// Returns whether a process that is about to poll a number or an entry returns there without a change if
    /// that has this value.
    fn loops(&mut self, process: u32, value: Tried) -> bool {
        let Pending::Do { what, arguments } = self.vm.local(process).pending else { return false };
        let (depth, trouble) = (self.vm.depth(), self.vm.trouble.take());
        let (edges, ends) = (self.vm.edges.len(), self.vm.early_ends.len());
        let before = self.words_of(process);
        self.vm.begin_step(process);
        let changes = match value {
            Tried::Number(value) => {
                let index = arguments[1].as_small().unwrap_or(0) as usize;
                self.vm.set_in_array(arguments[0], index, value).ok().map(|()| 1)
            }
            Tried::Version(entry, version) => Some(self.put_version(entry, version)),
            Tried::Holder(name, holder) => Some(self.put_holder(name, holder)),
        };
        self.vm.me_mut().steps += 1;
        let result = self.act(process, what, &arguments, &mut Performed::default());
        if result != Err(Stop::Suspend) {
            self.finish(process, result);
        }
        self.vm.put_away();
        let is_quiet = self.vm.trouble.is_none()
            && self.vm.born.is_empty()
            && self.vm.edges.len() == edges
            && changes.is_some_and(|changes| self.vm.has_changed_only(process, changes));
        let loops = is_quiet && self.words_of(process) == before;
        self.vm.born.clear();
        self.vm.edges.truncate(edges);
        self.vm.early_ends.truncate(ends);
        self.vm.rewind(depth);
        self.vm.trouble = trouble;
        loops
    }

    /// Learns that the program polls if a step has returned to the operation that it performed, and would do
    /// so again. The process was at `pc` before the step.
    pub(super) fn notice_poll(&mut self, process: u32, pc: u32, earlier: Pending) {
        let Local { pc: now, pending, .. } = *self.vm.local(process);
        let (Pending::Do { what: a, arguments: x }, Pending::Do { what: b, arguments: y }) =
            (earlier, pending)
        else {
            return;
        };
        let is_same = |(a, b): (&Term, &Term)| equal_exact(&self.vm.heap, *a, *b);
        if (pc, a) != (now, b) || !x.iter().zip(&y).all(is_same) {
            return;
        }
        let is_known = |polled: &Polled| match polled {
            Polled::Number(_) => self.vm.polls,
            Polled::Entry((_, hash)) => self.vm.is_polled_key(*hash),
            Polled::Name(name) => self.vm.is_polled_key(self.key_of_name(*name)),
        };
        let Some(polled) = self.candidate(process).filter(|polled| !is_known(polled)) else {
            return;
        };
        let value = match polled {
            Polled::Number(x) => {
                let index = x[1].as_small().unwrap_or(0) as usize;
                self.vm.values_in_array(x[0], index, 1).first().copied().map(Tried::Number)
            }
            Polled::Entry(entry) => {
                let now = self.versions_of(entry).into_iter().next();
                now.map(|(_, version)| Tried::Version(entry, version))
            }
            Polled::Name(name) => Some(Tried::Holder(name, self.vm.names.get(&name).copied())),
        };
        if value.is_some_and(|value| self.loops(process, value)) {
            self.has_learnt_polls = true;
            match polled {
                Polled::Entry((_, hash)) => self.vm.watch_key(hash),
                Polled::Name(name) => self.vm.watch_key(self.key_of_name(name)),
                Polled::Number(_) => {
                    self.vm.watch_polls();
                    for process in 0..self.actions.len() as u32 {
                        self.actions[process as usize] = self.action_of(process);
                    }
                }
            }
        }
    }

    /// Returns the action of an operation on a number, in a program that polls.
    pub(super) fn declare_watched(
        &self,
        process: u32,
        operation: AtomicOperation,
        on: Location,
        arguments: &[Term; 3],
    ) -> Action {
        let poll = self.polls.get(process as usize).and_then(Option::as_ref);
        let failing = poll.map(|poll| poll.failing.as_slice()).unwrap_or_default();
        let action = match operation {
            AtomicOperation::Get => return self.await_other_values(process, on),
            AtomicOperation::CompareExchange => {
                let expected = self.expected(arguments).map_or(0, |term| self.vm.bits_of(term));
                Action::new(Op::Update, on).when(When::Equals(expected))
            }
            _ => return Action::new(Op::Update, on),
        };
        match failing.is_empty() || poll.is_some_and(|poll| poll.is_mixed) {
            true => action,
            false => action.awaiting(),
        }
    }

    /// Returns the read of a number or an entry that waits for a value at which the loop of a process ends.
    pub(super) fn await_other_values(&self, process: u32, on: Location) -> Action {
        let poll = self.polls.get(process as usize).and_then(Option::as_ref);
        let read = Action::new(Op::Read, on);
        match poll.map(|poll| poll.failing.as_slice()).unwrap_or_default() {
            [] => read,
            [value] => read.when(When::Differs(*value)).awaiting(),
            values => read.when(When::Outside(Values::new(values))).awaiting(),
        }
    }

    /// Returns the action by which a process that a signal ends finds out whether it polled in vain.
    pub(super) fn forgone_poll(&mut self, process: u32) -> Option<Action> {
        let (on, value) = match self.polled(process)? {
            Polled::Number(arguments) => {
                let (owner, number) = self.vm.heap.as_ref(arguments[0]).unwrap_or_default();
                let index = arguments[1].as_small().unwrap_or(0) as u32;
                let on = self.objects.whole(Thing::Number(owner, number, index));
                (on, self.number_now(&arguments))
            }
            Polled::Entry(entry) => (self.location_of(entry), self.value_of_entry(entry)),
            Polled::Name(name) => {
                (self.objects.whole(Thing::Name(name.0)), self.value_of_name(name))
            }
        };
        Some(Action::new(Op::Read, on).performed(value, value))
    }

    /// Returns the poll of a process that a signal ends if the process waits for some values of the number.
    /// Without the signal, the process could have run when the number had one of them.
    pub(super) fn poll_of_end(&mut self, process: u32) -> Option<Action> {
        let read = self.forgone_poll(process)?;
        let Pending::Do { what, arguments } = self.vm.local(process).pending else { return None };
        let declared = match what {
            Visible::Atomic(operation) => {
                self.declare_watched(process, operation, read.on, &arguments)
            }
            _ => self.await_other_values(process, read.on),
        };
        declared.awaits.then(|| read.when(declared.when))
    }

    /// Describes what a process that polls waits for.
    pub(super) fn show_poll(&self, process: u32) -> Option<String> {
        let polled = self.polled(process).filter(|_| self.polls_in_vain(process as usize))?;
        let show = |term| self.vm.show(term, 40);
        Some(match polled {
            Polled::Number([array, index, _]) => {
                let place = index.as_small()? as usize;
                let value = self.vm.values_in_array(array, place, 1).first().copied()?;
                let (index, array, value) = (show(index), show(array), show(value));
                format!("loops as long as number {index} of the array {array} is {value}")
            }
            Polled::Name(name) => {
                let text = show(Term::atom(name));
                match self.vm.names.get(&name) {
                    Some(holder) => {
                        let holder = self.vm.symbol(*holder);
                        format!("loops as long as {holder} has the name {text}")
                    }
                    None => format!("loops as long as no process has the name {text}"),
                }
            }
            Polled::Entry((by, _)) => {
                let Pending::Do { arguments: [table, key, _], .. } = self.vm.local(process).pending
                else {
                    return None;
                };
                let shown = show(table);
                match self.version_now(by) {
                    None => format!("loops because there is no table {shown}"),
                    Some((_, table)) => {
                        let objects = self.objects_of(&table, key).into_iter().map(show);
                        let (key, objects) = (show(key), objects.collect::<Vec<_>>().join(","));
                        format!(
                            "loops as long as the table {shown} has the objects [{objects}] for \
                             the key {key}"
                        )
                    }
                }
            }
        })
    }
}
