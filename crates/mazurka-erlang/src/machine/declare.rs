//! The first action of each operation other than sends and receives.

use mazurka_core::model::{Action, Location, Op, When};

use super::ErlangMachine;
use super::objects::Thing;
use super::values::Value;
use crate::term::{Atom, Term, atom, hash};
use crate::vm::process::Visible;

impl ErlangMachine {
    /// Returns the cell of a monitor or an alias.
    pub(super) fn watch_cell(&mut self, reference: Term) -> Location {
        let (process, number) = self.vm.heap.as_ref(reference).unwrap_or_default();
        self.objects.whole(Thing::Watch(process, number))
    }

    /// Returns the name that a term stands for: an atom, or an atom together with this node.
    pub(super) fn name_of(&self, term: Term) -> Option<Atom> {
        term.as_atom().or_else(|| {
            let [a, b] = self.vm.heap.tuple_of::<2>(term)?;
            // `{Name, Node}`, or a name to which sending never fails.
            if a.is_atom(atom::NOCONNECT) { b.as_atom() } else { a.as_atom() }
        })
    }

    /// Returns the first action of an operation.
    pub(super) fn declare(&mut self, process: u32, what: Visible, arguments: &[Term; 3]) -> Action {
        let first = arguments[0];
        let other = first.as_pid().unwrap_or(process);
        let name = self.name_of(first).map_or(0, |name| name.0);
        let (op, on) = match what {
            Visible::Whereis if self.polled_name(what, arguments).is_some() => {
                let on = self.objects.whole(Thing::Name(name));
                return self.await_other_values(process, on);
            }
            Visible::SendToName | Visible::Whereis => {
                (Op::Read, self.objects.whole(Thing::Name(name)))
            }
            Visible::Register | Visible::Unregister => {
                (Op::Update, self.objects.whole(Thing::Name(name)))
            }
            Visible::Create(_) => (Op::Read, self.objects.signal(process)),
            Visible::Registered => (Op::Read, self.objects.whole(Thing::Names)),
            Visible::Monitor if first.as_pid().is_none() => {
                (Op::Read, self.objects.whole(Thing::Name(name)))
            }
            Visible::Unlink | Visible::Resume => (Op::Read, self.objects.whole(Thing::End(other))),
            Visible::ExitSignal if !arguments[1].is_atom(atom::KILL) => {
                (Op::Read, self.objects.whole(Thing::Traps(other)))
            }
            Visible::GroupLeader if other == process => {
                let changes = arguments[1] != self.vm.local(process).group_leader;
                let op = if changes { Op::Update } else { Op::Read };
                (op, self.objects.whole(Thing::Leader(process)))
            }
            Visible::Link
            | Visible::Monitor
            | Visible::ExitSignal
            | Visible::Suspend
            | Visible::GroupLeader
            | Visible::IsAlive
            | Visible::ProcessInfo => (Op::Read, self.objects.whole(Thing::Life(other))),
            // Only the process itself changes these, so the action says whether they change.
            Visible::TrapExit => {
                let changes = first.as_bool() != Some(self.vm.local(process).traps_exits);
                let op = if changes { Op::Update } else { Op::Read };
                (op, self.objects.whole(Thing::Traps(process)))
            }
            Visible::OwnLeader | Visible::Print => {
                (Op::Read, self.objects.whole(Thing::Leader(process)))
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
            Visible::Code(operation) => {
                let op = if operation.only_reads() { Op::Read } else { Op::Update };
                (op, self.objects.whole(Thing::Code(name)))
            }
            Visible::Atomic(operation) => {
                return self.declare_atomic(process, operation, arguments);
            }
            Visible::EtsKey(_) if let Some(entry) = self.polled_entry(what, arguments) => {
                return self.declare_polled(process, entry);
            }
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

    pub(super) fn timer_cell(&mut self, reference: Term) -> Location {
        let (timer, _) = self.vm.heap.as_ref(reference).unwrap_or_default();
        self.objects.whole(Thing::Timer(timer))
    }

    pub(super) fn persistent_cell(&mut self, key: Term) -> Location {
        let hash = hash(&self.vm.heap, &self.vm.atoms, key);
        self.objects.whole(Thing::Persistent(hash))
    }

    /// Returns the number of the value that `persistent_term:put` puts in a cell. Terms with different keys
    /// may share a cell, so the value contains the key.
    pub(super) fn number_of_persistent(
        &mut self,
        on: Location,
        arguments: &[Term; 3],
    ) -> Option<u32> {
        self.number_of_value(on, Value::Keyed(arguments[0], arguments[1]))
    }
}
