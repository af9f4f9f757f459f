//! Steps: the effects of operations, and the actions that explorers see.
//!
//! # Which operations depend on each other
//!
//! Each operation performs a few actions on objects. [`dependence`](mazurka_core::model::dependence) says
//! which pairs of actions are dependent. The objects are mailboxes and cells:
//!
//! | cell | value | read by | updated by |
//! |---|---|---|---|
//! | life of p | alive or not | operations that link to, monitor, query or name p, or send it a signal that is no message | the end of p unless a signal told it to end |
//! | trap flag of p | whether p traps exits | exit signals to p other than `kill`, `process_info` | `process_flag(trap_exit, _)` of p |
//! | number of p's messages, and their order | | `process_info` of p's messages; of their number alone, only the number | a delivery updates the order and adds to the number; a receive adds to that |
//! | signal to p | whether p has been told to end, and how many processes suspend p | every step of p, and every operation that reads the life of p | an exit signal that ends p; `suspend_process`, `resume_process`, the end of a suspender |
//! | end of p | whether p has given up its name, tables and relations | operations that take these away: `unregister`, `unlink`, `demonitor`, `resume_process`, the deletion of a table | the end of p |
//! | link p–q | whether they are linked | | `unlink`; `link` adds to it, which commutes |
//! | monitor or alias | whether it is active | sends to the alias | `demonitor`, `unalias`, the notification of an end |
//! | code of a module | its current and old versions, if the program loads it while it runs | calls by name, queries | loading, deleting and purging the module |
//! | timer | whether it is running | `read_timer` | the timer when it fires, `cancel_timer` |
//! | name | the process that has it | `whereis`, sends to the name, monitors by name | `register`, `unregister`, the end of this process |
//! | name of p | which name p has | `process_info` | `register`, `unregister` |
//! | group leader of p | | `process_info`, `group_leader/2` of p that changes nothing; `group_leader/0`, output and the creation of processes in programs in which processes change each other's group leaders | `group_leader/2` |
//! | which processes there are | | `processes` | a step that creates processes, and the end of one, add to it, which commutes |
//! | which tables there are | | `ets:all` | `ets:new`, `rename` and the deletion of a table add to it |
//! | all persistent terms | | `persistent_term:get/0` | `put` and `erase` add to it |
//! | number of `atomics` or `counters` | the number | `get`, which may [wait](super::polls) | `exchange` and others; unless processes poll, `add` without a result adds to it, which commutes, and equal `put`s [commute](super::values) |
//! | entry of a table | the objects with a key | lookups, operations that find nothing to change | inserts and deletions; equal ones [commute](super::values) |
//! | content of a table | all its entries | operations on all objects | operations that change it as a whole; inserts and deletions add to it, which commutes |
//! | column of a table | the objects with an element in a place | [`match` and `select`](super::columns) by this element | inserts and deletions of such objects add to it |
//! | life of a table | that it exists, as a whole | all operations on it | those that change it as a whole; its deletion; the end of its owner |
//!
//! | pair | dependent | because |
//! |---|---|---|
//! | deliver, deliver to one mailbox | yes; with observers only if a receive would take either | a mailbox keeps the order |
//! | deliver, receive | the receive takes the message, or finds none (`after`); with observers only if it would have taken the message | a receive that waits does not observe later deliveries |
//! | delivery, end of the receiver | no | no process observes a message to a process that has ended |
//! | spawn, anything | only by the steps of the child | only the parent knows the child |
//! | exit signal, any step of the receiver | if the signal ends it | the receiver takes the step before the signal, or never |
//! | delivery, a receiver that is told to end while it waits | the message could have been taken, or there was none | the receiver could have continued, or not |
//! | exit signal, end of the receiver | unless the receiver traps exits, or a signal has told it to end | a signal to a process that has ended, or has been told to end, has no effect; a signal that is a message is like other messages |
//! | exit signal, `process_flag(trap_exit, _)` | yes | a signal becomes a message, or ends the process |
//! | `suspend_process`, any step of the other | yes | the other takes the step before, or once it is resumed |
//! | link, end of the other | yes | the first process is notified of the end, or gets `noproc` |
//! | link, link of others to one process | no | links are a set |
//! | monitor, end of the other | yes | as for links |
//! | demonitor, end of the other | yes | there is a notification, or not |
//! | register, whereis, send to a name | on one name | they observe which process has it |
//! | register, unregister, end of the process | yes | a process that has ended has no name |
//! | notification of an end, end or `unlink` of the receiver | yes | the receiver is notified, or not; the first notification is part of the end, so no step comes between the two |
//! | reply to the alias of a monitor, end of the other | if the reply ends the monitor | there is a notification, or not |
//! | timer, cancel_timer | on one timer | it fires, or not |
//! | `ets:delete`, `give_away`, end of the old or the new owner | yes | a table is deleted when its owner ends |
//! | operations of `ets` | on one entry or column, or one is on the whole table; unless both only read, or both put the same value there | they observe each other |
//! | put, get of the process dictionary; unique integers; time | never | they belong to the process; its [clock](crate::vm::clock) depends only on events that happen before |
//!
//! Several steps perform fewer actions after another step: a process to notify has ended, or a table is
//! deleted. An explorer that runs such a step earlier must know the actions that it performs there. The
//! step lists these as [forgone](Op::Forgone). A process that a signal ends forgoes all actions of its
//! pending step.

use mazurka_core::model::{Action, Alike, Location, Op, Performed, Rival, When};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Term, atom, hash};
use crate::vm::process::{Timer, Visible};
use crate::vm::{Local, Message, Pending, Status, Stop};

/// Returns whether the actions of a step depend on the steps before it.
fn depends_on_what_it_meets(pending: Pending) -> bool {
    match pending {
        Pending::Do { .. } | Pending::End | Pending::Tell => true,
        Pending::Nothing
        | Pending::Sleep
        | Pending::Send { .. }
        | Pending::Receive { .. }
        | Pending::Fire { .. } => false,
    }
}

impl ErlangMachine {
    /// Returns the first action of the next step of a process.
    pub(super) fn action_of(&mut self, process: u32) -> Option<Action> {
        if self.is_signalled(process as usize) {
            return Some(self.obey(process));
        }
        let action = match self.vm.local(process).pending {
            Pending::Nothing | Pending::Sleep => return None,
            Pending::Send { to, .. } => {
                let message = self.message_number(process);
                let to = self.route(process, to);
                Action::new(Op::Deliver { message }, self.objects.mailbox(to))
            }
            Pending::Receive { waits } => {
                let op = Op::Take { message: self.message_while_suspended(process) };
                let action = Action::new(op, self.objects.mailbox(process));
                match waits {
                    true => action.waiting(),
                    false => action.or_miss(self.message_number(process)),
                }
            }
            Pending::Fire { .. } => {
                let on = self.objects.whole(Thing::Timer(process));
                Action::new(Op::Update, on).when(When::Equals(0))
            }
            Pending::End => Action::new(Op::Update, self.objects.whole(Thing::Life(process))),
            Pending::Tell => self.declare_news(process),
            Pending::Do { what, arguments } => self.declare(process, what, &arguments),
        };
        Some(action)
    }

    /// Returns the action by which a process observes that a signal has told it to end. A process that was
    /// blocked has waited for the signal.
    fn obey(&mut self, process: u32) -> Action {
        let local = self.vm.local(process);
        let waits = match local.pending {
            Pending::Receive { waits: true } => local.found.is_none(),
            Pending::Sleep => true,
            _ => false,
        };
        let action = Action::new(Op::Read, self.objects.signal(process));
        match waits {
            true => action.when(When::Any(1)).waiting(),
            false => self.unless_suspended(action),
        }
    }

    /// Adds the other actions of the next step of a process, in programs where lives of processes matter.
    pub(super) fn others_of(&mut self, process: u32, others: &mut Vec<Action>) {
        let on = self.objects.signal(process);
        let target = match self.vm.local(process).pending {
            _ if self.is_signalled(process as usize) => {
                let end = self.objects.whole(Thing::End(process));
                others.push(Action::new(Op::Update, end));
                if self.guards_of_end(process).is_none() {
                    others.extend(self.forgone_receive(process));
                    others.extend(self.forgone_poll(process));
                }
                return;
            }
            Pending::Do { what: Visible::ExitSignal, arguments: [to, reason, _] } => {
                to.as_pid().filter(|to| !self.is_trapped(*to, reason, false))
            }
            Pending::Tell => self.whom_to_end(process),
            _ => None,
        };
        others.push(self.unless_suspended(Action::new(Op::Read, on)));
        if let Some(target) = target {
            let on = self.objects.signal(target);
            others.push(Action::new(Op::Update, on));
        }
    }

    /// Returns the action by which a process that a signal ends finds out whether it waited: there was no
    /// message for its receive, or it could have taken one.
    pub(super) fn forgone_receive(&mut self, process: u32) -> Option<Action> {
        let Local { pending: Pending::Receive { waits: true }, found, .. } =
            *self.vm.local(process)
        else {
            return None;
        };
        let op = match found {
            Some(place) => {
                let mailbox = &self.vm.processes[process as usize].mailbox;
                Op::Take { message: mailbox[place as usize].number }
            }
            None => Op::Miss { look: self.message_number(process) },
        };
        Some(Action::new(op, self.objects.mailbox(process)))
    }

    /// Performs the next step of a process.
    pub(super) fn perform(&mut self, process: u32, performed: &mut Performed) {
        let Local { pending, steps, timer, .. } = *self.vm.local(process);
        let signalled = self.is_signalled(process as usize);
        self.vm.me_mut().steps += 1;
        match pending {
            _ if signalled => {
                let action = self.obey(process);
                let value = self.signal_value(process);
                performed.actions.push(action.performed(value, value));
                match self.guards_of_end(process) {
                    Some([signal, other]) => {
                        performed.actions.push(signal.performed(value, value));
                        performed.actions.push(other);
                    }
                    None => self.forgo_step(process, performed),
                }
                let reason = self.vm.local(process).signal;
                self.vm.report_end(reason, Term::NIL);
                self.vm.end_with(reason);
                self.end(process, steps, true, performed);
                let on = self.objects.signal(process);
                performed.actions.push(Action::new(Op::Read.forgone(), on));
                return;
            }
            Pending::Send { to, message, result } => {
                self.deliver(process, steps, to, message, performed);
                self.finish(process, Ok(result));
            }
            Pending::Receive { waits } => self.receive(process, waits, performed),
            Pending::Fire { to, message } => {
                let on = self.objects.whole(Thing::Timer(process));
                let action = Action::new(Op::Update, on).when(When::Equals(0));
                if timer != Timer::Running {
                    let value = timer.value();
                    let action = Action { op: Op::Read, ..action };
                    performed.actions.push(action.performed(value, value));
                    if let Some(to) = to.as_pid() {
                        self.forgo_delivery(process, steps, to, performed);
                    }
                    (self.vm.me_mut().pending, self.vm.me_mut().status) =
                        (Pending::Nothing, Status::Ended);
                    return;
                }
                performed.actions.push(action.performed(0, Timer::Fired.value()));
                self.vm.me_mut().timer = Timer::Fired;
                match to.as_pid() {
                    Some(to) => {
                        self.deliver(process, steps, to, message, performed);
                        self.finish(process, Ok(Term::NIL));
                    }
                    None => {
                        let to = self.vm.heap.tuple(&[Term::atom(atom::NOCONNECT), to]);
                        let (what, arguments) = (Visible::SendToName, [to, message, Term::NIL]);
                        self.vm.me_mut().pending = Pending::Do { what, arguments };
                    }
                }
                return;
            }
            Pending::End => {
                self.end(process, steps, false, performed);
                if self.vm.times {
                    self.synchronise(performed);
                }
            }
            Pending::Tell => self.tell(process, performed),
            Pending::Do { what, arguments } => {
                let result = self.act(process, what, &arguments, performed);
                if self.vm.times {
                    self.synchronise(performed);
                }
                if result != Err(Stop::Suspend) {
                    self.finish(process, result);
                }
            }
            Pending::Nothing | Pending::Sleep => {}
        }
        if self.vm.lives {
            let on = self.objects.signal(process);
            performed.actions.push(self.unless_suspended(Action::new(Op::Read, on)));
            if depends_on_what_it_meets(pending) {
                performed.actions.push(Action::new(Op::Read.forgone(), on));
            }
        }
    }

    /// Advances the clock of the running process beyond all writes that it has read in this step, and
    /// records the time of its own writes.
    fn synchronise(&mut self, performed: &Performed) {
        let cells = |ops: fn(Op) -> bool| {
            let actions = performed.actions.iter().filter(move |action| ops(action.op));
            actions.map(|action| action.on.object.0 as usize)
        };
        cells(|op| matches!(op, Op::Read | Op::Update)).for_each(|cell| self.vm.read_clock(cell));
        cells(|op| matches!(op, Op::Write | Op::Update | Op::Add))
            .for_each(|cell| self.vm.write_clock(cell));
    }

    /// Adds the actions of the pending step that a process forgoes because a signal ends it.
    fn forgo_step(&mut self, process: u32, performed: &mut Performed) {
        let Local { pending, steps, found, .. } = *self.vm.local(process);
        match pending {
            Pending::Send { to, .. } => self.forgo_delivery(process, steps - 1, to, performed),
            // The process could have continued only if there was a message.
            Pending::Receive { waits: true } => match found {
                Some(place) => {
                    let on = self.objects.mailbox(process);
                    let mailbox = &self.vm.processes[process as usize].mailbox;
                    let message = mailbox[place as usize].number;
                    performed.actions.push(Action::new(Op::Take { message }, on));
                }
                None => self.miss(process, steps - 1, performed),
            },
            Pending::Receive { waits: false } => {
                let on = self.objects.mailbox(process);
                performed.actions.push(Action::new(Op::TakeNone.forgone(), on));
                self.forgo_look(process, steps - 1, performed);
            }
            Pending::Do { .. } if let Some(poll) = self.forgone_poll(process) => {
                performed.actions.push(poll);
            }
            Pending::Do { what, arguments } => {
                // Performs the operation and undoes it, since its actions depend on the state.
                let first = performed.actions.len();
                let before = self.vm.depth();
                let (born, edges) = (self.vm.born.len(), self.vm.edges.len());
                self.vm.put_away();
                self.vm.begin_step(process);
                // An operation that fails performs its actions, too.
                let _ = self.act(process, what, &arguments, performed);
                self.vm.put_away();
                self.vm.rewind(before);
                self.vm.born.truncate(born);
                self.vm.edges.truncate(edges);
                self.vm.resume(process);
                performed.rivals.clear();
                for action in &mut performed.actions[first..] {
                    *action = Action::new(action.op.forgone(), action.on);
                }
                if let Visible::Create(_) = what {
                    self.touch(performed, Op::Add.forgone(), Thing::Processes);
                    self.touch(performed, Op::Add.forgone(), Thing::Relations(process));
                }
            }
            Pending::End => self.touch(performed, Op::Update.forgone(), Thing::Life(process)),
            _ => {}
        }
    }

    /// Continues a process with the result of its operation.
    pub(super) fn finish(&mut self, process: u32, result: Result<Term, Stop>) {
        let Local { pc, timer, .. } = *self.vm.local(process);
        if timer != Timer::No {
            (self.vm.me_mut().pending, self.vm.me_mut().status) = (Pending::Nothing, Status::Ended);
            return;
        }
        match result {
            Ok(term) => {
                self.vm.x[0] = term;
                self.vm.run(pc);
            }
            Err(Stop::Call(to)) => {
                self.vm.cp = pc;
                self.vm.run(to);
            }
            Err(Stop::Raise(exception)) => {
                self.vm.raise_at(exception, pc.saturating_sub(1));
            }
            Err(_) => self.vm.me_mut().pending = Pending::Nothing,
        }
    }

    /// Puts a message into a mailbox, or into the channel to it.
    pub(super) fn deliver(
        &mut self,
        from: u32,
        steps: u32,
        to: u32,
        content: Term,
        performed: &mut Performed,
    ) {
        self.deliver_to((from, steps), (to, Term::pid(to)), content, performed);
    }

    /// Puts a message for a process into its mailbox. If the message goes through a channel, that sends
    /// it to a target, which is the process or an alias of it.
    pub(super) fn deliver_to(
        &mut self,
        (from, steps): (u32, u32),
        (to, target): (u32, Term),
        content: Term,
        performed: &mut Performed,
    ) {
        let number = self.number_at(from, steps);
        let (to, content) = self.send_off(to, target, content);
        let on = self.objects.mailbox(to);
        let rivals = &mut performed.rivals;
        let ticks = self.vm.me().ticks;
        debug_assert_eq!(from, self.vm.current, "the running process delivers");
        let known = self.vm.knowledge_of(from);
        let look = match self.vm.local(to).pending {
            Pending::Receive { waits: false } => Some(self.message_number(to)),
            // If it ends because of the signal, its receive has found no message: see `forgo_step`.
            Pending::Receive { waits: true } if self.is_signalled(to as usize) => {
                Some(self.message_number(to))
            }
            _ => None,
        };
        self.vm.deliver(to, Message { number, content, ticks, known }, look, |taken| {
            rivals.push(Rival { on, taken, other: number });
        });
        performed.actions.push(Action::new(Op::Deliver { message: number }, on));
        if self.vm.mailboxes {
            self.touch(performed, Op::Add, Thing::Count(to));
        }
        if self.vm.has_watched_order(to) {
            self.touch(performed, Op::Update, Thing::Order(to));
        }
    }

    fn receive(&mut self, process: u32, waits: bool, performed: &mut Performed) {
        let on = self.objects.mailbox(process);
        let Local { pc, found, steps, .. } = *self.vm.local(process);
        let Some(place) = found else {
            self.miss(process, steps - 1, performed);
            let pc = self.vm.after_timeout(pc);
            self.vm.run(pc);
            return;
        };
        let look = (!waits).then(|| self.number_at(process, steps - 1));
        self.collect_to_come(process);
        let to_come = std::mem::take(&mut self.to_come);
        let taken = self.vm.processes[process as usize].mailbox[place as usize].number;
        let rivals = &mut performed.rivals;
        rivals.extend(look.map(|look| Rival { on, taken: look, other: taken }));
        let (message, alike) = self.vm.take(place, look, &to_come, |other| {
            rivals.push(Rival { on, taken, other });
            rivals.extend(look.map(|look| Rival { on, taken: look, other }));
        });
        self.to_come = to_come;
        performed.alike = alike.map(|before| Alike { taken, before });
        let action = Action::new(Op::Take { message: message.number }, on);
        performed.actions.push(match look {
            None => action.waiting(),
            Some(look) => action.or_miss(look),
        });
        if self.vm.mailboxes {
            self.touch(performed, Op::Add, Thing::Count(process));
        }
        self.vm.me_mut().found = None;
        self.vm.advance_clock(message.ticks);
        self.vm.receive(pc, message.content);
    }

    /// Performs the pending receive of the running process as one that finds no message, given the number of
    /// steps before it.
    fn miss(&mut self, process: u32, steps: u32, performed: &mut Performed) {
        let (on, look) = (self.objects.mailbox(process), self.number_at(process, steps));
        self.collect_to_come(process);
        let to_come = std::mem::take(&mut self.to_come);
        let rivals = &mut performed.rivals;
        let alike =
            self.vm.miss(look, &to_come, |other| rivals.push(Rival { on, taken: look, other }));
        self.to_come = to_come;
        performed.alike = alike.map(|before| Alike { taken: look, before });
        performed.actions.push(Action::new(Op::Miss { look }, on));
    }

    /// Reports the messages that a receive would have taken which is not performed. In another execution,
    /// the receive found no message, and these reports say which deliveries it can precede.
    fn forgo_look(&mut self, process: u32, steps: u32, performed: &mut Performed) {
        let (on, look) = (self.objects.mailbox(process), self.number_at(process, steps));
        self.collect_to_come(process);
        let mut messages = std::mem::take(&mut self.to_come);
        messages.extend_from_slice(&self.vm.processes[process as usize].mailbox);
        let rivals = &mut performed.rivals;
        self.vm.forgo_look(look, &messages, |other| rivals.push(Rival { on, taken: look, other }));
        self.to_come = messages;
    }

    /// Returns the entry of a table for a key. Keys with the same hash share an entry, which is sound.
    pub(super) fn entry_of(&mut self, table: (u32, u32), key: Term) -> Location {
        let hash = hash(&self.vm.heap, &self.vm.atoms, key) as u32;
        self.objects.whole(Thing::Entry(table.0, table.1, hash))
    }
}
