//! What operations other than sends and receives do: names, links, monitors, signals, timers.

use mazurka_core::model::{Action, Location, Op, Performed, When};

use super::ErlangMachine;
use super::objects::Thing;
use super::values::Value;
use crate::term::{Atom, Map, Term, atom, equal_exact, hash};
use crate::vm::process::{Timer, Visible};
use crate::vm::{Out, Pending, Status, Stop, Vm, badarg, error};

impl ErlangMachine {
    /// The cell of a monitor or an alias.
    pub(super) fn watch_cell(&mut self, reference: Term) -> Location {
        let (process, number) = self.vm.heap.as_ref(reference).unwrap_or_default();
        self.objects.whole(Thing::Watch(process, number))
    }

    /// The name that a term stands for: an atom, or one together with this node.
    pub(super) fn name_of(&self, term: Term) -> Option<Atom> {
        term.as_atom().or_else(|| {
            let [a, b] = self.vm.heap.tuple_of::<2>(term)?;
            // `{Name, Node}`, or a name to which sending never fails.
            if a.is_atom(atom::NOCONNECT) { b.as_atom() } else { a.as_atom() }
        })
    }

    /// The first action of an operation.
    pub(super) fn declare(&mut self, process: u32, what: Visible, arguments: &[Term; 3]) -> Action {
        let first = arguments[0];
        let other = first.as_pid().unwrap_or(process);
        let name = self.name_of(first).map_or(0, |name| name.0);
        let (op, on) = match what {
            Visible::SendToName | Visible::Whereis => {
                (Op::Read, self.objects.whole(Thing::Name(name)))
            }
            Visible::Register | Visible::Unregister => {
                (Op::Update, self.objects.whole(Thing::Name(name)))
            }
            Visible::Registered => (Op::Read, self.objects.whole(Thing::Names)),
            Visible::Monitor if first.as_pid().is_none() => {
                (Op::Read, self.objects.whole(Thing::Name(name)))
            }
            Visible::Unlink => (Op::Read, self.objects.whole(Thing::End(other))),
            Visible::Link
            | Visible::Monitor
            | Visible::ExitSignal
            | Visible::IsAlive
            | Visible::ProcessInfo => (Op::Read, self.objects.whole(Thing::Life(other))),
            // Only the process itself changes these, so it is known whether they change.
            Visible::TrapExit => {
                let changes = first.as_bool() != Some(self.vm.local(process).traps_exits);
                let op = if changes { Op::Update } else { Op::Read };
                (op, self.objects.whole(Thing::Life(process)))
            }
            Visible::GroupLeader => {
                let changes = first != self.vm.local(process).group_leader;
                let op = if changes { Op::Update } else { Op::Read };
                (op, self.objects.whole(Thing::Leader(process)))
            }
            Visible::SendToAlias => match self.channel_to_alias(process, first) {
                Some(owner) => {
                    let message = self.message_number(process);
                    let to = self.route(process, owner);
                    (Op::Deliver { message }, self.objects.mailbox(to))
                }
                None => (Op::Read, self.watch_cell(first)),
            },
            Visible::Demonitor | Visible::Unalias | Visible::SendNews => {
                (Op::Update, self.watch_cell(first))
            }
            Visible::Flush => {
                let on = self.objects.mailbox(process);
                return Action::new(Op::Take { message: Op::NONE }, on).waiting();
            }
            Visible::CancelTimer => {
                let on = self.timer_cell(first);
                return Action::new(Op::Update, on).when(When::Equals(0));
            }
            Visible::ReadTimer => (Op::Read, self.timer_cell(first)),
            Visible::PersistentAll => (Op::Read, self.objects.whole(Thing::AllPersistent)),
            Visible::EtsAll => (Op::Read, self.objects.whole(Thing::Tables)),
            Visible::PersistentGet => (Op::Read, self.persistent_cell(first)),
            Visible::PersistentPut => {
                let on = self.persistent_cell(first);
                let number = self.number_of_persistent(on, arguments);
                (Self::op_of_value(number), on)
            }
            Visible::PersistentErase => (Op::Update, self.persistent_cell(first)),
            Visible::Processes => (Op::Read, self.objects.whole(Thing::Processes)),
            Visible::Atomic(operation) => return self.declare_atomic(operation, arguments),
            Visible::EtsNew
            | Visible::EtsRename
            | Visible::EtsDelete
            | Visible::EtsWhereis
            | Visible::EtsInfo
            | Visible::EtsGiveAway
            | Visible::EtsOptions
            | Visible::EtsKey(_)
            | Visible::EtsTable(_) => return self.declare_ets(what, arguments),
        };
        Action::new(op, on)
    }

    fn timer_cell(&mut self, reference: Term) -> Location {
        let (timer, _) = self.vm.heap.as_ref(reference).unwrap_or_default();
        self.objects.whole(Thing::Timer(timer))
    }

    fn persistent_cell(&mut self, key: Term) -> Location {
        let hash = hash(&self.vm.heap, &self.vm.atoms, key);
        self.objects.whole(Thing::Persistent(hash))
    }

    /// Returns the number of a persistent term that is put in a cell. Terms with different keys may share
    /// a cell.
    fn number_of_persistent(&mut self, on: Location, arguments: &[Term; 3]) -> Option<u32> {
        self.number_of_value(on, Value::Keyed(arguments[0], arguments[1]))
    }

    /// Performs an operation. What comes back is its result, or that it takes another step.
    pub(super) fn act(
        &mut self,
        process: u32,
        what: Visible,
        arguments: &[Term; 3],
        performed: &mut Performed,
    ) -> Out {
        let [first, second, third] = *arguments;
        if what == Visible::Flush {
            self.flush(process, first, performed);
            return Ok(second);
        }
        let steps = self.vm.me().steps - 1;
        if what == Visible::SendToAlias
            && let Some(owner) = self.channel_to_alias(process, first)
        {
            self.deliver_to((process, steps), (owner, first), second, performed);
            return Ok(third);
        }
        let declared = self.declare(process, what, arguments);
        let is_conditional = declared.when != When::Always;
        if !is_conditional {
            performed.actions.push(declared);
        }
        if let Visible::Link
        | Visible::Monitor
        | Visible::ExitSignal
        | Visible::IsAlive
        | Visible::ProcessInfo = what
            && let Some(other) = first.as_pid()
        {
            self.read_signal(other, performed);
        }
        let truth = Ok(Term::bool(true));
        match what {
            Visible::SendToName => {
                let holder = self.name_of(first).and_then(|name| self.vm.names.get(&name).copied());
                match holder {
                    Some(to) => {
                        let pending = Pending::Send { to, message: second, result: third };
                        self.vm.me_mut().pending = pending;
                        Err(Stop::Suspend)
                    }
                    None if self.is_system_process(first) => Err(self.refuse_system(first)),
                    // Only a bare name must be there.
                    None if first.as_atom().is_some() => Err(badarg()),
                    None => Ok(third),
                }
            }
            Visible::SendToAlias => {
                self.send_to_alias(process, steps, first, second, performed);
                Ok(third)
            }
            Visible::SendNews => {
                self.send_news((process, steps), first, second, performed);
                Ok(third)
            }
            Visible::Register => self.register(first, second, performed),
            Visible::Unregister => {
                let name = first.as_atom().ok_or_else(badarg)?;
                if self.is_system_process(first) && !self.vm.names.contains_key(&name) {
                    return Err(self.refuse_system(first));
                }
                for holder in self.former_holders(name) {
                    self.touch(performed, Op::Read.forgone(), Thing::End(holder));
                    self.touch(performed, Op::Update.forgone(), Thing::NameOf(holder));
                    self.touch(performed, Op::Add.forgone(), Thing::Names);
                }
                let holder = *self.vm.names.get(&name).ok_or_else(badarg)?;
                // The end of the process would take the name away, too.
                self.touch(performed, Op::Read, Thing::End(holder));
                self.vm.set_name(name, None);
                self.vm.local_mut(holder).name = None;
                self.touch(performed, Op::Update, Thing::NameOf(holder));
                self.touch(performed, Op::Add, Thing::Names);
                truth
            }
            Visible::Whereis => match first.as_atom().and_then(|name| self.vm.names.get(&name)) {
                Some(holder) => Ok(Term::pid(*holder)),
                // The system itself can do without a process that does not run.
                None if self.vm.is_starting || self.is_system(process) => {
                    Ok(Term::atom(atom::UNDEFINED))
                }
                None if self.is_system_process(first) => Err(self.refuse_system(first)),
                None => Ok(Term::atom(atom::UNDEFINED)),
            },
            Visible::Registered => {
                let mut names: Vec<Atom> = self.vm.names.keys().copied().collect();
                names.sort_by(|a, b| self.vm.atoms.name(*a).cmp(self.vm.atoms.name(*b)));
                let names: Vec<Term> = names.into_iter().map(Term::atom).collect();
                Ok(self.vm.heap.list(&names))
            }
            Visible::Link => {
                let other = first.as_pid().ok_or_else(badarg)?;
                if other == process {
                    return truth;
                }
                // Links are a set: to link twice, from whichever side, is to link once.
                self.touch_link(Op::Add, process, other, performed);
                if !self.lives(other) {
                    if !self.vm.me().traps_exits {
                        return Err(error(Term::atom(atom::NOPROC)));
                    }
                    let message = self.exit_message(other, Term::atom(atom::NOPROC));
                    return self.send_to_itself(process, message, Term::bool(true));
                }
                self.vm.add_link(process, other);
                truth
            }
            Visible::Unlink => {
                let other = first.as_pid().ok_or_else(badarg)?;
                self.touch_link(Op::Update, process, other, performed);
                self.vm.remove_link(process, other);
                truth
            }
            Visible::Monitor => self.monitor(process, arguments, performed),
            Visible::Demonitor => self.demonitor(process, first, second, performed),
            Visible::Flush => unreachable!("it is done above"),
            Visible::Unalias => {
                let (owner, _) = self.vm.heap.as_ref(first).unwrap_or_default();
                Ok(Term::bool(owner == process && self.vm.remove_alias(process, first)))
            }
            Visible::ExitSignal => {
                let other = first.as_pid().ok_or_else(badarg)?;
                self.signal((process, steps), other, second, false, performed);
                match self.vm.me().pending {
                    // It has ended itself.
                    Pending::End => Err(Stop::Suspend),
                    _ => truth,
                }
            }
            Visible::TrapExit => {
                let before = self.vm.me().traps_exits;
                self.vm.me_mut().traps_exits = first.as_bool().unwrap_or(false);
                Ok(Term::bool(before))
            }
            Visible::GroupLeader => {
                self.vm.me_mut().group_leader = first;
                truth
            }
            Visible::IsAlive => {
                let other = first.as_pid().ok_or_else(badarg)?;
                Ok(Term::bool(self.lives(other)))
            }
            Visible::ProcessInfo => self.process_info(first, second, performed),
            Visible::CancelTimer => self.cancel_timer(declared, first, second, performed),
            Visible::ReadTimer => {
                let (timer, _) = self.vm.heap.as_ref(first).unwrap_or_default();
                Ok(match self.vm.local(timer).timer {
                    Timer::Running => Term::int(1),
                    _ => Term::bool(false),
                })
            }
            Visible::PersistentAll => {
                let map = Map::of(&self.vm.heap, self.vm.persistent).ok_or_else(badarg)?;
                let entries = map.entries(&self.vm.heap).into_iter();
                // Variables of the environment are kept there, too.
                let is_term = |key: Term| match self.vm.heap.tuple_of::<2>(key) {
                    Some([tag, _]) => !tag.is_atom(atom::DUMMY),
                    None => true,
                };
                let entries: Vec<_> = entries.filter(|(key, _)| is_term(*key)).collect();
                let pairs: Vec<Term> =
                    entries.iter().map(|(k, v)| self.vm.heap.tuple(&[*k, *v])).collect();
                Ok(self.vm.heap.list(&pairs))
            }
            Visible::EtsAll => self.all_tables(),
            Visible::PersistentGet => {
                let map = self.vm.persistent;
                match self.vm.lookup(map, first) {
                    // A variable of the environment that the program has removed.
                    Some(value) if third != Term::NIL && value.as_bool().is_some() => Ok(third),
                    Some(value) => Ok(value),
                    None if second == Term::NONE => Err(badarg()),
                    None => Ok(second),
                }
            }
            Visible::PersistentPut => {
                let map = self.vm.with(self.vm.persistent, first, second);
                self.vm.set_persistent(map);
                let number = self.number_of_persistent(declared.on, arguments);
                self.touch_bits(declared.on, number, performed);
                self.touch(performed, Op::Add, Thing::AllPersistent);
                Ok(third)
            }
            Visible::PersistentErase => {
                let before = self.vm.lookup(self.vm.persistent, first);
                let map = self.vm.without(self.vm.persistent, first);
                self.vm.set_persistent(map);
                self.touch(performed, Op::Add, Thing::AllPersistent);
                Ok(Term::bool(before.is_some()))
            }
            Visible::Processes => {
                let alive =
                    |process: &u32| self.vm.local(*process).is_alive() && self.is_process(*process);
                let all = (0..self.vm.processes.len() as u32).filter(alive);
                let mut all: Vec<u32> = all.collect();
                if !first.is_nil() {
                    // `system_info(process_count)`.
                    return Ok(Term::int(all.len() as i64));
                }
                all.sort_by(|a, b| self.vm.heap.lineage.compare(*a, *b));
                let all: Vec<Term> = all.into_iter().map(Term::pid).collect();
                Ok(self.vm.heap.list(&all))
            }
            Visible::Atomic(operation) => {
                self.touch_puts(operation, declared.on, arguments, performed);
                self.act_atomic(operation, arguments)
            }
            Visible::EtsNew
            | Visible::EtsRename
            | Visible::EtsDelete
            | Visible::EtsWhereis
            | Visible::EtsInfo
            | Visible::EtsGiveAway
            | Visible::EtsOptions
            | Visible::EtsKey(_)
            | Visible::EtsTable(_) => self.act_ets(process, what, arguments, performed),
        }
    }

    /// Returns the owner of an alias if messages to it go through a channel: then it is looked at when a
    /// message arrives.
    fn channel_to_alias(&self, process: u32, alias: Term) -> Option<u32> {
        let (owner, _) = self.vm.heap.as_ref(alias)?;
        self.uses_channel(process, owner).then_some(owner)
    }

    /// Sends to an alias, which may have gone. Whether its owner has ended is no matter, as for
    /// sends to processes.
    fn send_to_alias(
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
                // Its end would be news to the owner.
                self.touch(performed, Op::Read, Thing::End(watched));
            }
            self.vm.remove_alias(owner, alias);
            self.vm.remove_monitor(owner, alias);
        }
        self.deliver(process, steps, owner, message, performed);
    }

    fn touch_link(&mut self, op: Op, a: u32, b: u32, performed: &mut Performed) {
        self.touch(performed, op, Thing::link(a, b));
        self.touch(performed, Op::Add, Thing::Relations(a));
        self.touch(performed, Op::Add, Thing::Relations(b));
    }

    fn register(&mut self, name: Term, process: Term, performed: &mut Performed) -> Out {
        let (name, holder) =
            (name.as_atom().ok_or_else(badarg)?, process.as_pid().ok_or_else(badarg)?);
        self.read_life(holder, performed);
        self.touch(performed, Op::Update, Thing::NameOf(holder));
        self.touch(performed, Op::Add, Thing::Names);
        let is_taken = self.is_system_process(Term::atom(name)) && !self.is_of_service(name);
        let local = self.vm.local(holder);
        if is_taken
            || self.vm.names.contains_key(&name)
            || !self.lives(holder)
            || local.name.is_some()
        {
            return Err(badarg());
        }
        self.vm.set_name(name, Some(holder));
        let named_itself = holder == self.vm.current;
        let local = self.vm.local_mut(holder);
        (local.name, local.named_itself) = (Some(name), named_itself);
        Ok(Term::bool(true))
    }

    /// Returns the processes that have lost a name: an operation on the name that comes earlier may
    /// find one of them.
    fn former_holders(&self, name: Atom) -> Vec<u32> {
        let of_name = |(former, _): &&(Atom, u32)| *former == name;
        self.vm.former_names.iter().filter(of_name).map(|(_, holder)| *holder).collect()
    }

    fn monitor(&mut self, process: u32, arguments: &[Term; 3], performed: &mut Performed) -> Out {
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

    /// Lets the running process deliver a message to itself in a step of its own, and go on with a
    /// result. Whether there is such a message depends on the order of steps, and explorers assume that
    /// a step does the same in every order.
    fn send_to_itself(&mut self, process: u32, message: Term, result: Term) -> Out {
        self.vm.me_mut().pending = Pending::Send { to: process, message, result };
        Err(Stop::Suspend)
    }

    fn demonitor(
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
        // The news is delivered by a step that this one is dependent on. So whether it is there to be
        // taken away depends on nothing else.
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

    /// Takes the news of an end away. This is a step of its own: whether `demonitor` finds it depends
    /// on the order of steps, and explorers assume that a step does the same in every order.
    fn flush(&mut self, process: u32, reference: Term, performed: &mut Performed) {
        let news = |vm: &Vm, message: Term| is_news(vm, message, reference);
        if let Some(message) = self.vm.drop_message(process, news) {
            let on = self.objects.mailbox(process);
            performed.actions.push(Action::new(Op::Take { message }, on).waiting());
            if self.vm.mailboxes {
                self.touch(performed, Op::Add, Thing::Count(process));
            }
        }
    }

    fn cancel_timer(
        &mut self,
        declared: Action,
        reference: Term,
        options: Term,
        performed: &mut Performed,
    ) -> Out {
        let (timer, _) = self.vm.heap.as_ref(reference).unwrap_or_default();
        let local = *self.vm.local(timer);
        let result = match local.timer {
            Timer::Running if local.status != Status::Absent => {
                performed.actions.push(declared.performed(0, Timer::Cancelled.value()));
                self.vm.local_mut(timer).timer = Timer::Cancelled;
                // How much time was left nobody can tell.
                Term::int(1)
            }
            _ => {
                let value = local.timer.value();
                let action = Action { op: Op::Read, ..declared };
                performed.actions.push(action.performed(value, value));
                Term::bool(false)
            }
        };
        let options = self.vm.heap.elements_of_list(options).unwrap_or_default();
        let is_off = |key: Atom, value: bool| {
            options.iter().any(|option| {
                self.vm.heap.tuple_of::<2>(*option) == Some([Term::atom(key), Term::bool(value)])
            })
        };
        match is_off(atom::INFO, false) || is_off(atom::ASYNC, true) {
            true => Ok(Term::atom(atom::OK)),
            false => Ok(result),
        }
    }
}

/// Returns whether a message is the news of the end of a monitored process.
fn is_news(vm: &Vm, message: Term, reference: Term) -> bool {
    vm.heap.arity(message) == Some(5)
        && equal_exact(&vm.heap, vm.heap.element(message, 1), reference)
}
