//! Messages in flight.
//!
//! Erlang only guarantees that messages from one process to another arrive in the order in which they
//! were sent. On one node they arrive at once, which is what `--delivery instant` does: a send is a
//! delivery. Under `--delivery pairwise`, each pair of a sender and a receiver has a *channel*, a
//! process that forwards messages one by one. A send puts a message into the channel, and the channel
//! delivers it at any later time. Channels of different pairs are independent, so everything but the
//! order in one pair may be overtaken.
//!
//! A channel runs a small loop in the virtual machine's own code, so it is explored like any other
//! process. It belongs to its sender: it is a child of the sender, created by the first message to the
//! receiver, so its identity does not depend on the schedule.
//!
//! Signals that become messages (`'DOWN'`, `'EXIT'`, `'ETS-TRANSFER'`) go through the channel, behind the
//! messages before them. A `'DOWN'` that arrives after a `demonitor` is dropped. Exit signals that end a
//! process, links and monitors take effect at once. A message of a timer or of a process to itself is
//! delivered at once.

use super::ErlangMachine;
use crate::term::Term;
use crate::vm::process::Timer;

impl ErlangMachine {
    /// Returns whether messages from one process to another one are in flight before they are delivered.
    pub(super) fn uses_channel(&self, from: u32, to: u32) -> bool {
        let sender = &self.vm.processes[from as usize];
        self.vm.is_pairwise
            && from != to
            && !sender.is_channel
            && sender.local.timer == Timer::No
            && !self.vm.is_starting
    }

    /// Returns the process that gets a message from one process to another one: the channel, or the
    /// receiver itself.
    pub(super) fn route(&mut self, from: u32, to: u32) -> u32 {
        if !self.uses_channel(from, to) {
            return to;
        }
        let channels = self.vm.local(from).channels;
        match self.vm.lookup(channels, Term::pid(to)).and_then(Term::as_pid) {
            Some(channel) => channel,
            // The next child of the sender.
            None => self.vm.peek_child(from),
        }
    }

    /// Returns what to put into a mailbox for a message from the running process to another one, and
    /// whose mailbox that is. Creates the channel if it does not exist.
    ///
    /// The channel sends the message to `target`: the receiver, an alias of it, or a list with one of its
    /// monitors.
    pub(super) fn send_off(&mut self, to: u32, target: Term, message: Term) -> (u32, Term) {
        let from = self.vm.current;
        if !self.uses_channel(from, to) {
            return (to, message);
        }
        let channels = self.vm.local(from).channels;
        let known = self.vm.lookup(channels, Term::pid(to)).and_then(Term::as_pid);
        let channel = known.unwrap_or_else(|| {
            let channel = self.vm.spawn_channel(to);
            let channels = self.vm.with(channels, Term::pid(to), Term::pid(channel));
            self.vm.me_mut().channels = channels;
            channel
        });
        (channel, self.vm.heap.tuple(&[target, message]))
    }
}
