//! Ends of processes and their notifications.
//!
//! A process ends in a step of its own: its function returns, or it finds that an exit signal has told it
//! to end. In that step it gives up its name and its tables, and tells the first process that is linked to
//! it or monitors it. A step delivers at most one message, so every further news is another step. News
//! that is neither a message nor the end of its receiver takes no step.
//!
//! A process that has been told to end is not alive any more for other processes, although it has yet to
//! take that step: signals from one process to another one take effect in their order, so after
//! `exit(P, kill)`, `is_process_alive(P)` is `false`.

use mazurka_core::model::{Action, Edge, Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Term, atom};
use crate::vm::relations::FormerRelation;
use crate::vm::{Local, Pending, Status, Table};

/// A process that is notified of an end.
#[derive(Clone, Copy)]
pub(super) enum News {
    /// A process that is linked.
    Link(u32),
    /// A process that monitors: the reference, what the news calls the process that has ended, and the
    /// tag of the message.
    Watch { watcher: u32, reference: Term, object: Term, tag: Term },
    /// The heir of a table.
    Heir { table: (u32, u32), heir: u32 },
}

impl ErlangMachine {
    /// Returns whether a process is alive for other processes.
    pub(super) fn lives(&self, process: u32) -> bool {
        let Local { status, signal, .. } = *self.vm.local(process);
        status == Status::Alive && signal == Term::NONE
    }

    /// Reads whether a process is alive for other processes.
    pub(super) fn read_life(&mut self, process: u32, performed: &mut Performed) {
        self.touch(performed, Op::Read, Thing::Life(process));
        self.read_signal(process, performed);
    }

    /// Reads whether a process has been told to end.
    pub(super) fn read_signal(&mut self, process: u32, performed: &mut Performed) {
        let (on, value) = (self.objects.signal(process), self.signal_value(process));
        // A process that waits for the signal has a condition on this value.
        performed.actions.push(Action::new(Op::Read, on).performed(value, value));
    }

    /// Forgoes the read of whether a process is alive, which the operation would perform earlier.
    pub(super) fn forgo_life(&mut self, process: u32, performed: &mut Performed) {
        self.touch(performed, Op::Read.forgone(), Thing::Life(process));
        let on = self.objects.signal(process);
        performed.actions.push(Action::new(Op::Read.forgone(), on));
    }

    /// Ends the running process, after so many steps. It gives up its name and its tables, and tells other
    /// processes. `is_told` says whether a signal has told it to end: then it has not been alive any more.
    pub(super) fn end(
        &mut self,
        process: u32,
        steps: u32,
        is_told: bool,
        performed: &mut Performed,
    ) {
        if !is_told {
            self.touch(performed, Op::Update, Thing::Life(process));
        }
        self.touch(performed, Op::Update, Thing::End(process));
        let local = *self.vm.local(process);
        if let Some(name) = local.name {
            let on = self.objects.whole(Thing::Name(name.0));
            performed.actions.push(self.with_value_of_name(Action::new(Op::Update, on)));
            self.vm.set_name(name, None);
            self.put_value_of_name(name, performed);
            self.vm.me_mut().name = None;
            self.touch(performed, Op::Add, Thing::Names);
        }
        let former = self.vm.former_names.iter();
        let mut lost: Vec<u32> = former
            .filter(|(name, holder)| *holder == process && local.name != Some(*name))
            .map(|(name, _)| name.0)
            .collect();
        lost.sort_unstable();
        lost.dedup();
        for name in lost {
            self.touch(performed, Op::Update.forgone(), Thing::Name(name));
            self.touch(performed, Op::Add.forgone(), Thing::Names);
        }
        self.touch(performed, Op::Add, Thing::Processes);
        self.forgo_deletions(process, performed);
        self.resume_all(performed);
        let news = self.news_of(process);
        for table in self.tables_of(process) {
            let is_inherited =
                |news: &News| matches!(news, News::Heir { table: given, .. } if *given == table);
            if !news.iter().any(is_inherited) {
                self.delete_table(table, performed);
            }
        }
        let entries: Vec<Term> = news.into_iter().map(|news| self.write_news(news)).collect();
        let to_tell = self.vm.heap.list(&entries);
        let me = self.vm.me_mut();
        (me.to_tell, me.news) = (to_tell, steps + 1);
        (me.status, me.pending) = (Status::Ending, Pending::Tell);
        self.tell(process, performed);
        self.forgo_former_news(process, steps + 1, performed);
    }

    /// Forgoes the notifications that an earlier end would send: to processes that were linked to the process
    /// or monitored it.
    fn forgo_former_news(&mut self, process: u32, number: u32, performed: &mut Performed) {
        for i in 0..self.vm.former_relations.len() {
            let news = match self.vm.former_relations[i] {
                FormerRelation::Link(a, b) if a == process => News::Link(b),
                FormerRelation::Link(a, b) if b == process => News::Link(a),
                FormerRelation::Monitor { watcher, target, reference } if target == process => {
                    News::Watch { watcher, reference, object: Term::NIL, tag: Term::NIL }
                }
                _ => continue,
            };
            self.forgo_news(process, number, news, performed);
        }
    }

    /// Returns the first action of a step that notifies another process of an end.
    fn forgo_news(&mut self, process: u32, number: u32, news: News, performed: &mut Performed) {
        let to = match news {
            News::Link(linked) => {
                self.forgo_life(linked, performed);
                self.touch(performed, Op::Read.forgone(), Thing::Traps(linked));
                self.touch(performed, Op::Update.forgone(), Thing::link(process, linked));
                self.touch(performed, Op::Add.forgone(), Thing::Relations(linked));
                self.forgo_signal(linked, performed);
                linked
            }
            News::Watch { watcher, .. } if self.uses_channel(process, watcher) => watcher,
            News::Watch { watcher, reference, .. } => {
                let on = self.watch_cell(reference);
                performed.actions.push(Action::new(Op::Update.forgone(), on));
                self.touch(performed, Op::Add.forgone(), Thing::Relations(watcher));
                watcher
            }
            News::Heir { table: (owner, table), heir } => {
                self.forgo_life(heir, performed);
                self.touch(performed, Op::Update.forgone(), Thing::TableLife(owner, table));
                self.touch(performed, Op::Update.forgone(), Thing::Content(owner, table));
                self.touch(performed, Op::Add.forgone(), Thing::Tables);
                heir
            }
        };
        self.forgo_delivery(process, number, to, performed);
    }

    /// Returns the tables of a process.
    fn tables_of(&self, process: u32) -> Vec<(u32, u32)> {
        let tables = self.vm.tables.iter().filter(|(_, table)| table.owner == process);
        let mut tables: Vec<(u32, u32)> = tables.map(|(id, _)| *id).collect();
        tables.sort_unstable();
        tables
    }

    /// Returns whom a process tells of its end if it ends now.
    pub(super) fn news_of(&self, process: u32) -> Vec<News> {
        let local = *self.vm.local(process);
        let mut news = Vec::new();
        for table in self.tables_of(process) {
            // It is given away in a step of its own: a step delivers at most one message.
            if let Some((heir, _)) = self.vm.tables[&table].heir
                && heir != process
            {
                news.push(News::Heir { table, heir });
            }
        }
        news.extend(self.vm.keys(local.links).into_iter().filter_map(Term::as_pid).map(News::Link));
        for reference in self.vm.keys(local.watchers) {
            if let Some(entry) = self.vm.lookup(local.watchers, reference)
                && let Some([watcher, object, tag]) = self.vm.heap.tuple_of::<3>(entry)
                && let Some(watcher) = watcher.as_pid()
            {
                news.push(News::Watch { watcher, reference, object, tag });
            }
        }
        news
    }

    /// Adds to the set of all processes if a step has created some.
    pub(super) fn note_births(&mut self, performed: &mut Performed) {
        let is_process = |edge: &Edge| self.is_process(edge.to.index() as u32);
        if !performed.edges.iter().any(is_process) {
            return;
        }
        self.touch(performed, Op::Add, Thing::Processes);
        for i in 0..performed.edges.len() {
            let Edge { from, to } = performed.edges[i];
            let Local { links, watchers, .. } = *self.vm.local(to.index() as u32);
            let is_related = |map: Term| map != Term::NIL && !self.vm.keys(map).is_empty();
            if is_related(links) || is_related(watchers) {
                self.touch(performed, Op::Add, Thing::Relations(from.index() as u32));
            }
        }
    }

    fn write_news(&mut self, news: News) -> Term {
        match news {
            News::Link(linked) => self.vm.heap.tuple(&[Term::pid(linked)]),
            News::Watch { watcher, reference, object, tag } => {
                self.vm.heap.tuple(&[Term::pid(watcher), reference, object, tag])
            }
            News::Heir { table, heir } => {
                let reference = self.vm.heap.reference(table.0, table.1);
                self.vm.heap.tuple(&[Term::pid(heir), reference])
            }
        }
    }

    pub(super) fn read_news(&self, entry: Term) -> Option<News> {
        let heap = &self.vm.heap;
        if let Some([heir, reference]) = heap.tuple_of::<2>(entry) {
            return Some(News::Heir { table: heap.as_ref(reference)?, heir: heir.as_pid()? });
        }
        Some(match heap.tuple_of::<4>(entry) {
            Some([watcher, reference, object, tag]) => {
                News::Watch { watcher: watcher.as_pid()?, reference, object, tag }
            }
            None => News::Link(heap.element(entry, 0).as_pid()?),
        })
    }

    fn next_news(&self, process: u32) -> Option<(News, Term)> {
        let cons = self.vm.local(process).to_tell.as_cons()?;
        let (entry, rest) = (self.vm.heap.head(cons), self.vm.heap.tail(cons));
        Some((self.read_news(entry)?, rest))
    }

    /// Returns the process that a process which tells of its end may end by that.
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
            Some((News::Watch { watcher, .. }, _)) if self.uses_channel(process, watcher) => {
                let message = self.number_at(process, self.vm.local(process).news);
                let to = self.route(process, watcher);
                Action::new(Op::Deliver { message }, self.objects.mailbox(to))
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

    /// Returns what a table is called: its name, or its reference.
    pub(super) fn name_of_table(&mut self, id: (u32, u32), table: &Table) -> Term {
        match table.is_named {
            true => Term::atom(table.name),
            false => self.vm.heap.reference(id.0, id.1),
        }
    }

    /// Gives a table to its heir, or deletes it if the heir has ended. `number` is that of the message.
    fn inherit(
        &mut self,
        (process, number): (u32, u32),
        id: (u32, u32),
        heir: u32,
        performed: &mut Performed,
    ) {
        self.read_life(heir, performed);
        let Some(table) = self.vm.tables.get(&id).copied() else {
            // The table was deleted after the end of its owner.
            self.touch(performed, Op::Read, Thing::TableLife(id.0, id.1));
            self.touch(performed, Op::Update.forgone(), Thing::TableLife(id.0, id.1));
            return self.forgo_delivery(process, number, heir, performed);
        };
        if !self.lives(heir) {
            self.forgo_delivery(process, number, heir, performed);
            return self.delete_table(id, performed);
        }
        self.touch(performed, Op::Update, Thing::TableLife(id.0, id.1));
        self.touch(performed, Op::Update.forgone(), Thing::Content(id.0, id.1));
        self.touch(performed, Op::Add.forgone(), Thing::Tables);
        let name = self.name_of_table(id, &table);
        if table.is_named {
            self.touch(performed, Op::Update, Thing::TableName(table.name.0));
        }
        let data = table.heir.map_or(Term::NIL, |(_, data)| data);
        let inherited = Table { owner: heir, heir: None, ..table };
        self.change_polled_entries((id, table), Some(inherited), performed);
        self.vm.set_table(id, Some(inherited));
        let message = self.transfer_message(name, process, data);
        self.deliver(process, number, heir, message, performed);
    }

    /// Returns whether a process that has ended is still linked to another process.
    fn is_linked(&self, process: u32, linked: u32) -> bool {
        let links = self.vm.local(linked).links;
        self.vm.lookup(links, Term::pid(process)).is_some()
    }

    /// Tells other processes of the end of a process, up to the first news that is a message, ends its
    /// receiver or concerns a table.
    pub(super) fn tell(&mut self, process: u32, performed: &mut Performed) {
        while let Some((news, rest)) = self.next_news(process) {
            let number = self.vm.local(process).news;
            let has_effect = self.tell_one(process, number, news, performed);
            let me = self.vm.me_mut();
            (me.to_tell, me.news) = (rest, number + 1);
            if has_effect && !rest.is_nil() {
                // If this news has no effect, the step goes on with the next one.
                let entries = self.vm.heap.elements_of_list(rest).unwrap_or_default();
                for (number, entry) in (number + 1..).zip(entries) {
                    if let Some(news) = self.read_news(entry) {
                        self.forgo_news(process, number, news, performed);
                    }
                }
                return;
            }
        }
        let me = self.vm.me_mut();
        (me.status, me.pending) = (Status::Ended, Pending::Nothing);
    }

    /// Tells one process of the end of another one. Returns whether that has an effect.
    ///
    /// A process that has taken its link back is not told, whether it is alive or not. A process that has
    /// ended is not told either, whether it has told of its own end or not.
    fn tell_one(
        &mut self,
        process: u32,
        number: u32,
        news: News,
        performed: &mut Performed,
    ) -> bool {
        let reason = self.vm.local(process).reason;
        match news {
            News::Link(linked) if !self.is_linked(process, linked) => {
                self.touch(performed, Op::Read, Thing::link(process, linked));
                self.forgo_signal(linked, performed);
                self.forgo_delivery(process, number, linked, performed);
                false
            }
            News::Link(linked) => {
                self.read_life(linked, performed);
                if !self.lives(linked) {
                    self.forgo_signal(linked, performed);
                    self.forgo_delivery(process, number, linked, performed);
                    return false;
                }
                self.touch(performed, Op::Update, Thing::link(process, linked));
                self.vm.remove_link(process, linked);
                self.touch(performed, Op::Add, Thing::Relations(linked));
                self.touch(performed, Op::Read, Thing::Traps(linked));
                self.signal((process, number), linked, reason, true, performed)
            }
            News::Heir { table, heir } => {
                self.inherit((process, number), table, heir, performed);
                true
            }
            News::Watch { watcher, reference, object, tag } => {
                let kind = Term::atom(atom::PROCESS);
                let message = self.vm.heap.tuple(&[tag, reference, kind, object, reason]);
                if self.uses_channel(process, watcher) {
                    let target = self.vm.heap.list(&[reference]);
                    self.deliver_to((process, number), (watcher, target), message, performed);
                    return true;
                }
                let on = self.watch_cell(reference);
                performed.actions.push(Action::new(Op::Update, on));
                self.send_news((process, number), reference, message, performed)
            }
        }
    }

    /// Sends the news of an end to the process that has a monitor, if it still has it. Returns whether it
    /// has. This ends the monitor: `demonitor` guarantees that no news comes after it.
    pub(super) fn send_news(
        &mut self,
        (from, number): (u32, u32),
        monitor: Term,
        message: Term,
        performed: &mut Performed,
    ) -> bool {
        let (watcher, _) = self.vm.heap.as_ref(monitor).unwrap_or_default();
        self.touch(performed, Op::Add, Thing::Relations(watcher));
        if !self.vm.remove_monitor(watcher, monitor) {
            self.forgo_delivery(from, number, watcher, performed);
            return false;
        }
        let aliases = self.vm.local(watcher).aliases;
        let mode = self.vm.lookup(aliases, monitor);
        if mode.is_some_and(|mode| !mode.is_atom(atom::EXPLICIT_UNALIAS)) {
            self.vm.remove_alias(watcher, monitor);
        }
        self.deliver(from, number, watcher, message, performed);
        true
    }

    /// Returns whether an exit signal becomes a message because its receiver traps exits.
    pub(super) fn is_trapped(&self, to: u32, reason: Term, by_link: bool) -> bool {
        let kills = reason.is_atom(atom::KILL) && !by_link;
        self.vm.local(to).traps_exits && !kills
    }

    /// Sends an exit signal to a process. The signal becomes a message, or ends the process, or has no
    /// effect. Returns whether it has an effect.
    ///
    /// The step has read whether the process traps exits. If it does, the signal is a message, and as for
    /// other messages it does not matter whether the process has ended. Otherwise the step has also read
    /// the life of the process. At another time the signal may have another effect, so the step says what
    /// it forgoes.
    pub(super) fn signal(
        &mut self,
        (from, number): (u32, u32),
        to: u32,
        reason: Term,
        by_link: bool,
        performed: &mut Performed,
    ) -> bool {
        if self.is_trapped(to, reason, by_link) {
            let message = self.exit_message(from, reason);
            self.deliver(from, number, to, message, performed);
            self.forgo_life(to, performed);
            self.forgo_signal(to, performed);
            return true;
        }
        let lives = self.lives(to);
        let kills = reason.is_atom(atom::KILL) && !by_link;
        self.forgo_delivery(from, number, to, performed);
        if !lives || (reason.is_atom(atom::NORMAL) && from != to) {
            self.forgo_signal(to, performed);
            return false;
        }
        let reason = if kills { Term::atom(atom::KILLED) } else { reason };
        if from == to {
            self.vm.report_end(reason, Term::NIL);
            self.vm.end_with(reason);
            return true;
        }
        let (on, before) = (self.objects.signal(to), self.signal_value(to));
        performed.actions.push(Action::new(Op::Update, on).performed(before, before | 1));
        let now = self.vm.me().ticks;
        let local = self.vm.local_mut(to);
        (local.signal, local.ticks) = (reason, local.ticks.max(now));
        true
    }

    /// Forgoes the delivery of a message, which the step would perform earlier.
    pub(super) fn forgo_delivery(
        &mut self,
        from: u32,
        number: u32,
        to: u32,
        performed: &mut Performed,
    ) {
        let message = self.number_at(from, number);
        let to = self.route(from, to);
        let on = self.objects.mailbox(to);
        performed.actions.push(Action::new(Op::Deliver { message }.forgone(), on));
        if self.vm.mailboxes {
            self.touch(performed, Op::Add.forgone(), Thing::Count(to));
        }
        if self.vm.has_watched_order(to) {
            self.touch(performed, Op::Update.forgone(), Thing::Order(to));
        }
    }

    /// Forgoes the end of a process by a signal, which the step would cause earlier.
    pub(super) fn forgo_signal(&mut self, to: u32, performed: &mut Performed) {
        let on = self.objects.signal(to);
        performed.actions.push(Action::new(Op::Update.forgone(), on));
    }

    pub(super) fn touch(&mut self, performed: &mut Performed, op: Op, thing: Thing) {
        let on = self.objects.whole(thing);
        performed.actions.push(Action::new(op, on));
    }
}
