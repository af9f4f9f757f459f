//! Messages to come: what other processes are about to deliver.
//!
//! A receive that takes a message, or finds none, reports which of the messages to come it would have
//! taken. An explorer that has put a delivery to sleep wakes it by that.

use mazurka_core::execution::effort;

use super::ErlangMachine;
use super::ends::News;
use crate::term::{Term, atom};
use crate::vm::process::{Timer, Visible};
use crate::vm::{Local, Message, Pending, Status};

impl ErlangMachine {
    /// Collects the messages that other processes deliver to a process if they move next.
    pub(super) fn collect_to_come(&mut self, process: u32) {
        self.to_come.clear();
        let mut senders = std::mem::take(&mut self.vm.senders);
        senders.retain(|other| {
            effort::look();
            // It is added again when it changes. The running process may be about to change.
            let is_sender = *other == self.vm.current || self.may_deliver(*other);
            self.vm.processes[*other as usize].is_sender = is_sender;
            if is_sender && *other != process {
                self.collect_from(*other, process);
            }
            is_sender
        });
        debug_assert!(self.vm.senders.is_empty(), "no process changes meanwhile");
        self.vm.senders = senders;
    }

    /// Returns whether the next step of a process may deliver a message.
    fn may_deliver(&self, process: u32) -> bool {
        let Local { status, pending, .. } = *self.vm.local(process);
        let waits = matches!(pending, Pending::Nothing | Pending::Sleep | Pending::Receive { .. });
        matches!(status, Status::Alive | Status::Ending)
            && (!waits || self.is_signalled(process as usize))
    }

    fn collect_from(&mut self, from: u32, to: u32) {
        let Local { pending, timer, .. } = *self.vm.local(from);
        if self.is_signalled(from as usize) {
            // Before the signal, it would take its pending step.
            self.collect_news(from, to);
        }
        let (target, content) = match pending {
            Pending::End | Pending::Tell if self.is_signalled(from as usize) => return,
            Pending::End | Pending::Tell => return self.collect_news(from, to),
            Pending::Send { to: target, message, .. } => (Some(target), message),
            Pending::Fire { to: target, message } if timer == Timer::Running => {
                (target.as_pid(), message)
            }
            Pending::Do {
                what: Visible::SendToAlias | Visible::SendNews,
                arguments: [reference, message, _],
            } => (self.vm.heap.as_ref(reference).map(|(owner, _)| owner), message),
            Pending::Do { what: Visible::ExitSignal, arguments: [target, reason, _] } => {
                match target.as_pid().filter(|target| self.vm.local(*target).traps_exits) {
                    Some(target) => (Some(target), self.exit_message(from, reason)),
                    None => return,
                }
            }
            Pending::Do { what: Visible::EtsGiveAway, arguments: [table, target, data] } => {
                (target.as_pid(), self.transfer_message(table, from, data))
            }
            _ => return,
        };
        if target.is_some_and(|target| self.route(from, target) == to) {
            let number = self.message_number(from);
            self.to_come.push(Message::to_come(number, content));
        }
    }

    /// Collects the news that a process which ends has for another process.
    fn collect_news(&mut self, from: u32, to: u32) {
        let Local { pending, steps, reason, signal, news: first, to_tell, .. } =
            *self.vm.local(from);
        let (news, first, reason) = match pending {
            Pending::Tell => {
                let entries = self.vm.heap.elements_of_list(to_tell).unwrap_or_default();
                let news = entries.into_iter().filter_map(|entry| self.read_news(entry)).collect();
                (news, first, reason)
            }
            Pending::End => (self.news_of(from), steps + 1, reason),
            _ => (self.news_of(from), steps + 1, signal),
        };
        for (number, news) in (first..).zip(news) {
            let (target, content) = match news {
                News::Link(linked) if !self.vm.local(linked).traps_exits => continue,
                News::Link(linked) => (linked, self.exit_message(from, reason)),
                News::Watch { watcher, reference, object, tag } => {
                    let kind = Term::atom(atom::PROCESS);
                    (watcher, self.vm.heap.tuple(&[tag, reference, kind, object, reason]))
                }
                News::Heir { table: id, heir } => {
                    let Some(table) = self.vm.tables.get(&id).copied() else { continue };
                    let name = self.name_of_table(id, &table);
                    let data = table.heir.map_or(Term::NIL, |(_, data)| data);
                    (heir, self.transfer_message(name, from, data))
                }
            };
            if self.route(from, target) == to {
                let number = self.number_at(from, number);
                self.to_come.push(Message::to_come(number, content));
            }
        }
    }

    /// Returns the message that an exit signal becomes.
    pub(super) fn exit_message(&mut self, from: u32, reason: Term) -> Term {
        let tag = Term::atom(atom::EXIT_MESSAGE);
        self.vm.heap.tuple(&[tag, Term::pid(from), reason])
    }

    /// Returns the message to a process that is given a table.
    pub(super) fn transfer_message(&mut self, table: Term, from: u32, data: Term) -> Term {
        let tag = Term::atom(self.vm.atoms.intern("ETS-TRANSFER"));
        self.vm.heap.tuple(&[tag, table, Term::pid(from), data])
    }
}
