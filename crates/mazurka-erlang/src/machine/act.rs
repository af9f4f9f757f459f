//! Operations other than sends and receives: names, links, signals, timers and persistent terms.

use mazurka_core::model::{Action, Op, Performed, When};

use super::ErlangMachine;
use super::objects::Thing;
use crate::bif::{perform_code_operation, perform_creation, print};
use crate::term::{Atom, Map, Term, atom};
use crate::vm::process::{Timer, Visible};
use crate::vm::{Out, Pending, Status, Stop, badarg, error};

impl ErlangMachine {
    /// Performs an operation. Returns its result, or [`Stop::Suspend`] if it takes another step.
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
        if let Some(entry) = self.polled_entry(what, arguments) {
            let value = self.value_of_entry(entry);
            performed.actions.push(declared.performed(value, value));
        } else if declared.when == When::Always && !matches!(what, Visible::Atomic(_))
            || self.polled_name(what, arguments).is_some()
        {
            performed.actions.push(self.with_value_of_name(declared));
        }
        if matches!(
            what,
            Visible::Link
                | Visible::Monitor
                | Visible::Suspend
                | Visible::IsAlive
                | Visible::ProcessInfo
        ) && let Some(other) = first.as_pid()
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
                    // A send to a name without a node fails if the name is not registered.
                    None if first.as_atom().is_some() => Err(badarg()),
                    None => Ok(third),
                }
            }
            Visible::Atomic(operation) => {
                self.act_on_number(operation, declared, arguments, performed)
            }
            Visible::SendToAlias => {
                self.send_to_alias(process, steps, first, second, performed);
                Ok(third)
            }
            Visible::SendNews => {
                self.send_news((process, steps), first, second, performed);
                Ok(third)
            }
            Visible::Create(creation) => {
                let arguments = self.vm.heap.elements(first).ok_or_else(badarg)?;
                if self.vm.leaders {
                    // A new process has the same group leader.
                    self.touch(performed, Op::Read, Thing::Leader(process));
                }
                let result = perform_creation(&mut self.vm, creation, &arguments);
                if result == Err(Stop::Suspend) {
                    let intent = self.vm.intent;
                    self.vm.me_mut().pending = intent;
                }
                result
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
                self.put_value_of_name(name, performed);
                self.vm.local_mut(holder).name = None;
                self.touch(performed, Op::Update, Thing::NameOf(holder));
                self.touch(performed, Op::Add, Thing::Names);
                truth
            }
            Visible::Whereis => match first.as_atom().and_then(|name| self.vm.names.get(&name)) {
                Some(holder) => Ok(Term::pid(*holder)),
                None if self.copes_without(process) => Ok(Term::atom(atom::UNDEFINED)),
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
                // Links are a set: a second `link`, from either side, has no effect.
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
                match second.is_atom(atom::KILL) {
                    // The first action has read the life.
                    true => self.read_signal(other, performed),
                    false if self.is_trapped(other, second, false) => {}
                    false => self.read_life(other, performed),
                }
                self.signal((process, steps), other, second, false, performed);
                match self.vm.me().pending {
                    // The process has ended itself.
                    Pending::End => Err(Stop::Suspend),
                    _ => truth,
                }
            }
            Visible::TrapExit => {
                let before = self.vm.me().traps_exits;
                self.vm.me_mut().traps_exits = first.as_bool().unwrap_or(false);
                Ok(Term::bool(before))
            }
            Visible::Suspend => self.suspend(process, arguments, performed),
            Visible::Resume => self.resume(first, performed),
            Visible::GroupLeader => self.set_leader(process, first, second, performed),
            Visible::OwnLeader => Ok(self.vm.me().group_leader),
            Visible::Print => print(&mut self.vm, first, second),
            Visible::IsAlive => {
                let other = first.as_pid().ok_or_else(badarg)?;
                Ok(Term::bool(self.lives(other)))
            }
            Visible::ProcessInfo => self.process_info(arguments, performed),
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
                // The map also contains the variables of the environment.
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
            Visible::Code(operation) => perform_code_operation(&mut self.vm, operation, arguments),
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

    /// Performs `group_leader/2`. If the process is another one, the step has read whether it is alive.
    fn set_leader(
        &mut self,
        process: u32,
        target: Term,
        leader: Term,
        performed: &mut Performed,
    ) -> Out {
        let target = target.as_pid().ok_or_else(badarg)?;
        if target != process {
            self.read_signal(target, performed);
            if !self.lives(target) {
                self.touch(performed, Op::Update.forgone(), Thing::Leader(target));
                return Err(badarg());
            }
            self.touch(performed, Op::Update, Thing::Leader(target));
        }
        // The first process is the default leader, but may also make itself the leader of others.
        let new = leader.as_pid().ok_or_else(badarg)?;
        let leads_to_program =
            self.vm.is_program(new) || (new == 0 && process == 0 && target != process);
        let local = self.vm.local_mut(target);
        (local.group_leader, local.leads_to_program) = (leader, leads_to_program);
        Ok(Term::bool(true))
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
        self.put_value_of_name(name, performed);
        let named_itself = holder == self.vm.current;
        let local = self.vm.local_mut(holder);
        (local.name, local.named_itself) = (Some(name), named_itself);
        Ok(Term::bool(true))
    }

    /// Returns the processes that have lost a name, once each: an operation on the name that comes earlier
    /// may find one of them.
    pub(super) fn former_holders(&self, name: Atom) -> Vec<u32> {
        let former = self.vm.former_names.iter();
        let mut holders: Vec<u32> =
            former.filter(|(former, _)| *former == name).map(|(_, holder)| *holder).collect();
        holders.sort_unstable();
        holders.dedup();
        holders
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
                // The remaining time is unknown, so the result is the smallest one.
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
