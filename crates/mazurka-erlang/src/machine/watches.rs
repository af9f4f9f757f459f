//! Monitors and aliases.

use mazurka_core::model::{Action, Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Atom, Term, atom, equal_exact};
use crate::vm::process::Visible;
use crate::vm::{Out, Pending, Stop, Vm, badarg};

impl ErlangMachine {
    /// Returns the owner of an alias if messages to the alias go through a channel. The alias is then looked
    /// up when a message arrives.
    pub(super) fn channel_to_alias(&self, process: u32, alias: Term) -> Option<u32> {
        let (owner, _) = self.vm.heap.as_ref(alias)?;
        self.uses_channel(process, owner).then_some(owner)
    }

    /// Sends to an alias, which may be inactive. As for sends to processes, it does not matter whether the
    /// owner has ended.
    pub(super) fn send_to_alias(
        &mut self,
        process: u32,
        steps: u32,
        alias: Term,
        message: Term,
        performed: &mut Performed,
    ) {
        let (owner, _) = self.vm.heap.as_ref(alias).unwrap_or_default();
        let local = *self.vm.local(owner);
        let Some(mode) = self.vm.lookup(local.aliases, alias) else {
            let on = self.watch_cell(alias);
            performed.actions.push(Action::new(Op::Update.forgone(), on));
            return self.forgo_delivery(process, steps, owner, performed);
        };
        if mode.is_atom(atom::REPLY_DEMONITOR) {
            let on = self.watch_cell(alias);
            performed.actions.push(Action::new(Op::Update, on));
            if let Some(watched) = self.vm.lookup(local.watched, alias).and_then(Term::as_pid) {
                // Without this reply, the owner would be notified of the end.
                self.touch(performed, Op::Read, Thing::End(watched));
            }
            self.vm.remove_alias(owner, alias);
            self.vm.remove_monitor(owner, alias);
        }
        self.deliver(process, steps, owner, message, performed);
    }

    pub(super) fn monitor(
        &mut self,
        process: u32,
        arguments: &[Term; 3],
        performed: &mut Performed,
    ) -> Out {
        let [target, reference, options] = *arguments;
        let (holder, object) = match target.as_pid() {
            Some(other) => (Some(other), target),
            None => {
                let name = self.name_of(target).ok_or_else(badarg)?;
                let holder = self.vm.names.get(&name).copied();
                if holder.is_none() && self.is_system_process(target) {
                    return Err(self.refuse_system(target));
                }
                if let Some(holder) = holder {
                    self.read_life(holder, performed);
                }
                for holder in self.former_holders(name) {
                    self.forgo_life(holder, performed);
                    self.touch(performed, Op::Add.forgone(), Thing::Relations(holder));
                }
                let node = Term::atom(atom::NONODE);
                (holder, self.vm.heap.tuple(&[Term::atom(name), node]))
            }
        };
        let options = Some(options);
        self.touch(performed, Op::Add, Thing::Relations(process));
        if let Some(holder) = holder {
            self.touch(performed, Op::Add, Thing::Relations(holder));
        }
        match holder.filter(|holder| self.lives(*holder)) {
            Some(other) => {
                self.vm.add_monitor(reference, other, object, options)?;
            }
            None => {
                let tag = self.vm.monitor_options(reference, options)?;
                let aliases = self.vm.local(process).aliases;
                let mode = self.vm.lookup(aliases, reference);
                if mode.is_some_and(|mode| !mode.is_atom(atom::EXPLICIT_UNALIAS)) {
                    self.vm.remove_alias(process, reference);
                }
                let parts =
                    [tag, reference, Term::atom(atom::PROCESS), object, Term::atom(atom::NOPROC)];
                let message = self.vm.heap.tuple(&parts);
                return self.send_to_itself(process, message, reference);
            }
        }
        Ok(reference)
    }

    /// Makes the running process deliver a message to itself in a step of its own, and continue with a
    /// result. Whether there is such a message depends on the order of steps, and explorers assume that
    /// a step performs the same actions in every order.
    pub(super) fn send_to_itself(&mut self, process: u32, message: Term, result: Term) -> Out {
        self.vm.me_mut().pending = Pending::Send { to: process, message, result };
        Err(Stop::Suspend)
    }

    pub(super) fn demonitor(
        &mut self,
        process: u32,
        reference: Term,
        options: Term,
        performed: &mut Performed,
    ) -> Out {
        let options = self.vm.heap.elements_of_list(options).ok_or_else(badarg)?;
        let has = |option: Atom| options.iter().any(|o| o.is_atom(option));
        let watched = self.vm.local(process).watched;
        if let Some(target) = self.vm.lookup(watched, reference).and_then(|target| target.as_pid())
        {
            self.touch(performed, Op::Read, Thing::End(target));
            self.touch(performed, Op::Add, Thing::Relations(target));
            self.touch(performed, Op::Add, Thing::Relations(process));
        }
        let was_active = self.vm.remove_monitor(process, reference);
        let aliases = self.vm.local(process).aliases;
        let mode = self.vm.lookup(aliases, reference);
        if mode.is_some_and(|mode| !mode.is_atom(atom::EXPLICIT_UNALIAS)) {
            self.vm.remove_alias(process, reference);
        }
        let result = Term::bool(if has(atom::INFO) { was_active } else { true });
        // The step that delivers the notification depends on this one, so only their order decides whether
        // there is a notification to remove.
        let mailbox = &self.vm.processes[process as usize].mailbox;
        if has(atom::FLUSH)
            && !was_active
            && mailbox.iter().any(|message| is_news(&self.vm, message.content, reference))
        {
            let arguments = [reference, result, Term::NIL];
            self.vm.me_mut().pending = Pending::Do { what: Visible::Flush, arguments };
            return Err(Stop::Suspend);
        }
        Ok(result)
    }

    /// Removes the notification of an end. This is a step of its own. Whether `demonitor` finds the
    /// notification depends on the order of steps, and explorers assume that a step performs the same
    /// actions in every order.
    pub(super) fn flush(&mut self, process: u32, reference: Term, performed: &mut Performed) {
        let news = |vm: &Vm, message: Term| is_news(vm, message, reference);
        if let Some(message) = self.vm.drop_message(process, news) {
            let on = self.objects.mailbox(process);
            performed.actions.push(Action::new(Op::Take { message }, on).waiting());
            if self.vm.mailboxes {
                self.touch(performed, Op::Add, Thing::Count(process));
            }
        }
    }
}

/// Returns whether a message is the notification of the end of a monitored process.
fn is_news(vm: &Vm, message: Term, reference: Term) -> bool {
    vm.heap.arity(message) == Some(5)
        && equal_exact(&vm.heap, vm.heap.element(message, 1), reference)
}
