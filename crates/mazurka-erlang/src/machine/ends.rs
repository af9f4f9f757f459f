//! Ends of processes, and the news of them.

use mazurka_core::model::{Action, Edge, Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Term, atom};
use crate::vm::{Pending, Status};

/// Whom to tell of an end.
#[derive(Clone, Copy)]
enum News {
    /// A process that is linked.
    Link(u32),
    /// One that watches: the reference, what the news calls the process that has ended, and the
    /// tag of the message.
    Watch { watcher: u32, reference: Term, object: Term, tag: Term },
    /// The heir of a table.
    Heir { table: (u32, u32), heir: u32 },
}

impl ErlangMachine {
    /// The running process ends. It gives up its name and its tables, and has yet to tell others.
    pub(super) fn end(&mut self, process: u32, performed: &mut Performed) {
        let life = self.objects.whole(Thing::Life(process));
        performed.actions.push(Action::new(Op::Update, life));
        let local = *self.vm.local(process);
        if let Some(name) = local.name {
            self.vm.set_name(name, None);
            self.vm.me_mut().name = None;
            self.touch(performed, Op::Update, Thing::Name(name.0));
            self.touch(performed, Op::Add, Thing::Names);
        }
        for i in 0..self.vm.former_names.len() {
            let (name, holder) = self.vm.former_names[i];
            if holder == process && local.name != Some(name) {
                self.touch(performed, Op::Update.forgone(), Thing::Name(name.0));
                self.touch(performed, Op::Add.forgone(), Thing::Names);
            }
        }
        self.touch(performed, Op::Add, Thing::Processes);
        self.forgo_deletions(process, performed);
        let mut owned: Vec<(u32, u32)> = self
            .vm
            .tables
            .iter()
            .filter(|(_, table)| table.owner == process)
            .map(|(id, _)| *id)
            .collect();
        owned.sort_unstable();
        let mut news = Vec::new();
        for table in owned {
            match self.vm.tables[&table].heir.filter(|(heir, _)| *heir != process) {
                // It is given away in a step of its own: a step delivers at most one message.
                Some((heir, _)) => {
                    let reference = self.vm.heap.reference(table.0, table.1);
                    news.push(self.vm.heap.tuple(&[Term::pid(heir), reference]));
                }
                None => self.delete_table(table, performed),
            }
        }
        for linked in self.vm.keys(local.links) {
            news.push(self.vm.heap.tuple(&[linked]));
        }
        for reference in self.vm.keys(local.watchers) {
            if let Some(entry) = self.vm.lookup(local.watchers, reference)
                && let Some([watcher, object, tag]) = self.vm.heap.tuple_of::<3>(entry)
            {
                news.push(self.vm.heap.tuple(&[watcher, reference, object, tag]));
            }
        }
        let to_tell = self.vm.heap.list(&news);
        let me = self.vm.me_mut();
        me.to_tell = to_tell;
        (me.status, me.pending) = match news.is_empty() {
            true => (Status::Ended, Pending::Nothing),
            false => (Status::Ending, Pending::Tell),
        };
    }

    /// Says that there are more processes, if a step has created some.
    pub(super) fn note_births(&mut self, performed: &mut Performed) {
        let is_process = |edge: &Edge| self.is_process(edge.to.index() as u32);
        if performed.edges.iter().any(is_process) {
            self.touch(performed, Op::Add, Thing::Processes);
        }
    }

    fn next_news(&self, process: u32) -> Option<(News, Term)> {
        let cons = self.vm.local(process).to_tell.as_cons()?;
        let (entry, rest) = (self.vm.heap.head(cons), self.vm.heap.tail(cons));
        if let Some([heir, reference]) = self.vm.heap.tuple_of::<2>(entry) {
            let (table, heir) = (self.vm.heap.as_ref(reference)?, heir.as_pid()?);
            return Some((News::Heir { table, heir }, rest));
        }
        let news = match self.vm.heap.tuple_of::<4>(entry) {
            Some([watcher, reference, object, tag]) => {
                News::Watch { watcher: watcher.as_pid()?, reference, object, tag }
            }
            None => News::Link(self.vm.heap.element(entry, 0).as_pid()?),
        };
        Some((news, rest))
    }

    /// Whom a process that tells of its end may end by that.
    pub(super) fn whom_to_end(&self, process: u32) -> Option<u32> {
        match self.next_news(process)?.0 {
            News::Link(linked) => Some(linked),
            News::Watch { .. } | News::Heir { .. } => None,
        }
    }

    pub(super) fn declare_news(&mut self, process: u32) -> Action {
        match self.next_news(process) {
            Some((News::Link(linked), _)) if self.is_linked(process, linked) => {
                Action::new(Op::Read, self.objects.whole(Thing::Life(linked)))
            }
            Some((News::Link(linked), _)) => {
                Action::new(Op::Read, self.objects.whole(Thing::link(process, linked)))
            }
            Some((News::Watch { reference, .. }, _)) => {
                Action::new(Op::Update, self.watch_cell(reference))
            }
            Some((News::Heir { heir, .. }, _)) => {
                Action::new(Op::Read, self.objects.whole(Thing::Life(heir)))
            }
            None => Action::new(Op::Read, self.objects.whole(Thing::Life(process))),
        }
    }

    /// Gives a table to its heir, or deletes it if the heir has ended.
    fn inherit(
        &mut self,
        (process, steps): (u32, u32),
        id: (u32, u32),
        heir: u32,
        performed: &mut Performed,
    ) {
        self.touch(performed, Op::Read, Thing::Life(heir));
        let Some(table) = self.vm.tables.get(&id).copied() else {
            // The table was deleted after the end of its owner.
            self.touch(performed, Op::Update.forgone(), Thing::TableLife(id.0, id.1));
            return self.forgo_delivery(process, steps, heir, performed);
        };
        if !self.vm.local(heir).is_alive() {
            self.forgo_delivery(process, steps, heir, performed);
            return self.delete_table(id, performed);
        }
        self.touch(performed, Op::Update, Thing::TableLife(id.0, id.1));
        self.touch(performed, Op::Update.forgone(), Thing::Content(id.0, id.1));
        self.touch(performed, Op::Add.forgone(), Thing::Tables);
        let name = match table.is_named {
            true => Term::atom(table.name),
            false => self.vm.heap.reference(id.0, id.1),
        };
        if table.is_named {
            self.touch(performed, Op::Update, Thing::TableName(table.name.0));
        }
        let data = table.heir.map_or(Term::NIL, |(_, data)| data);
        self.vm.set_table(id, Some(crate::vm::Table { owner: heir, heir: None, ..table }));
        let tag = Term::atom(self.vm.atoms.intern("ETS-TRANSFER"));
        let message = self.vm.heap.tuple(&[tag, name, Term::pid(process), data]);
        self.deliver(process, steps, heir, message, performed);
    }

    /// Whether a process that has ended is linked to another one yet.
    fn is_linked(&self, process: u32, linked: u32) -> bool {
        let links = self.vm.local(linked).links;
        self.vm.lookup(links, Term::pid(process)).is_some()
    }

    /// Tells the next one of the end of a process.
    ///
    /// One that has taken its link back is not told, whether it is alive or not; and one that has
    /// ended is not, whether it has told of its own end or not.
    pub(super) fn tell(&mut self, process: u32, steps: u32, performed: &mut Performed) {
        let Some((news, rest)) = self.next_news(process) else { return };
        let reason = self.vm.local(process).reason;
        match news {
            News::Link(linked) if !self.is_linked(process, linked) => {
                self.touch(performed, Op::Read, Thing::link(process, linked));
                self.forgo_signal(linked, performed);
                self.forgo_delivery(process, steps, linked, performed);
            }
            News::Link(linked) => {
                self.touch(performed, Op::Read, Thing::Life(linked));
                if self.vm.local(linked).is_alive() {
                    self.touch(performed, Op::Update, Thing::link(process, linked));
                    self.vm.remove_link(process, linked);
                    self.touch(performed, Op::Add, Thing::Relations(linked));
                    self.signal(process, steps, linked, reason, true, performed);
                } else {
                    self.forgo_delivery(process, steps, linked, performed);
                }
            }
            News::Heir { table, heir } => self.inherit((process, steps), table, heir, performed),
            News::Watch { watcher, reference, object, tag } => {
                let on = self.watch_cell(reference);
                performed.actions.push(Action::new(Op::Update, on));
                self.touch(performed, Op::Add, Thing::Relations(watcher));
                if self.vm.remove_monitor(watcher, reference) {
                    let aliases = self.vm.local(watcher).aliases;
                    let mode = self.vm.lookup(aliases, reference);
                    if mode.is_some_and(|mode| !mode.is_atom(atom::EXPLICIT_UNALIAS)) {
                        self.vm.remove_alias(watcher, reference);
                    }
                    let kind = Term::atom(atom::PROCESS);
                    let message = self.vm.heap.tuple(&[tag, reference, kind, object, reason]);
                    self.deliver(process, steps, watcher, message, performed);
                } else {
                    self.forgo_delivery(process, steps, watcher, performed);
                }
            }
        }
        let me = self.vm.me_mut();
        me.to_tell = rest;
        if rest.is_nil() {
            (me.status, me.pending) = (Status::Ended, Pending::Nothing);
        }
    }

    /// Sends an exit signal to a process, of which its life is being read in this step. It is a
    /// message, or ends the process, or is nothing, as that life is; what it is not, it would be at
    /// another time.
    pub(super) fn signal(
        &mut self,
        from: u32,
        steps: u32,
        to: u32,
        reason: Term,
        by_link: bool,
        performed: &mut Performed,
    ) {
        let local = *self.vm.local(to);
        let kills = reason.is_atom(atom::KILL) && !by_link;
        if local.is_alive() && local.traps_exits && !kills {
            let tag = Term::atom(atom::EXIT_MESSAGE);
            let message = self.vm.heap.tuple(&[tag, Term::pid(from), reason]);
            self.deliver(from, steps, to, message, performed);
            return self.forgo_signal(to, performed);
        }
        self.forgo_delivery(from, steps, to, performed);
        if !local.is_alive() || (reason.is_atom(atom::NORMAL) && from != to) {
            return self.forgo_signal(to, performed);
        }
        let reason = if kills { Term::atom(atom::KILLED) } else { reason };
        if from == to {
            self.vm.report_end(reason, Term::NIL);
            self.vm.end_with(reason);
            return;
        }
        let on = self.objects.signal(to);
        performed.actions.push(Action::new(Op::Update, on).performed(0, 1));
        if local.signal == Term::NONE {
            let now = self.vm.me().ticks;
            let local = self.vm.local_mut(to);
            (local.signal, local.ticks) = (reason, local.ticks.max(now));
        }
    }

    /// Says that a message is not delivered that might have been, had this step come earlier.
    pub(super) fn forgo_delivery(
        &mut self,
        from: u32,
        steps: u32,
        to: u32,
        performed: &mut Performed,
    ) {
        let message = self.number_after(from, steps);
        let to = self.route(from, to);
        let on = self.objects.mailbox(to);
        performed.actions.push(Action::new(Op::Deliver { message }.forgone(), on));
        if self.vm.mailboxes {
            self.touch(performed, Op::Add.forgone(), Thing::Count(to));
            self.touch(performed, Op::Update.forgone(), Thing::Order(to));
        }
    }

    /// The same for a signal that ends a process.
    fn forgo_signal(&mut self, to: u32, performed: &mut Performed) {
        let on = self.objects.signal(to);
        performed.actions.push(Action::new(Op::Update.forgone(), on));
    }

    pub(super) fn touch(&mut self, performed: &mut Performed, op: Op, thing: Thing) {
        let on = self.objects.whole(thing);
        performed.actions.push(Action::new(op, on));
    }
}
