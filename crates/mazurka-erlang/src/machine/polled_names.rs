//! Names that processes poll.
//!
//! A loop that calls `whereis` until a process has registered the name, or until none has it any more, is a
//! [poll](super::polls). The value of a name is the process that has it. Steps that give a polled name to a process
//! or take it away tell its values before and after.

use mazurka_core::model::{Action, Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Atom, Term, hash};
use crate::vm::process::Visible;

/// Distinguishes polled names from polled keys of tables, which are kept together.
const NAMES: u32 = 0x9e37_79b9;

impl ErlangMachine {
    /// Returns the name that an operation looks up. Leaves out the names of system processes, which may be there
    /// from the start.
    pub(super) fn looked_up_name(&self, what: Visible, arguments: &[Term; 3]) -> Option<Atom> {
        let name = arguments[0].as_atom().filter(|_| what == Visible::Whereis)?;
        (!self.is_system_process(arguments[0]) && !self.is_of_service(name)).then_some(name)
    }

    /// Returns the name that an operation looks up, if it is polled.
    pub(super) fn polled_name(&self, what: Visible, arguments: &[Term; 3]) -> Option<Atom> {
        self.looked_up_name(what, arguments).filter(|name| self.is_polled_name(*name))
    }

    /// Returns what stands for a name among the polled keys.
    pub(super) fn key_of_name(&self, name: Atom) -> u32 {
        NAMES ^ hash(&self.vm.heap, &self.vm.atoms, Term::atom(name)) as u32
    }

    /// Returns whether processes are known to poll a name.
    pub(super) fn is_polled_name(&self, name: Atom) -> bool {
        !self.vm.polled_keys.is_empty() && self.vm.polled_keys.contains(&self.key_of_name(name))
    }

    /// Returns the value of a name: 0 if no process has it.
    pub(super) fn value_of_name(&self, name: Atom) -> u64 {
        value(self.vm.names.get(&name).copied())
    }

    /// Returns the values that a name has and had earlier in this execution, each with the process that had it. The
    /// current one comes first.
    pub(super) fn holders_of(&self, name: Atom) -> Vec<(u64, Option<u32>)> {
        let now = self.vm.names.get(&name).copied();
        let former = self.former_holders(name).into_iter().map(Some);
        let mut found: Vec<(u64, Option<u32>)> = Vec::new();
        for holder in [now, None].into_iter().chain(former) {
            if !found.iter().any(|(_, known)| *known == holder) {
                found.push((value(holder), holder));
            }
        }
        found
    }

    /// Gives a name to another process, or to none. Returns the number of changes.
    pub(super) fn put_holder(&mut self, name: Atom, holder: Option<u32>) -> usize {
        let now = self.vm.names.get(&name).copied();
        if now == holder {
            return 0;
        }
        if now.is_some() {
            self.vm.set_name(name, None);
        }
        if holder.is_some() {
            self.vm.set_name(name, holder);
        }
        usize::from(now.is_some()) + usize::from(holder.is_some())
    }

    /// Adds its value to an action on a name that is polled. The action does not change the name.
    pub(super) fn with_value_of_name(&self, action: Action) -> Action {
        if self.vm.polled_keys.is_empty() {
            return action;
        }
        match self.objects.thing(action.on.object) {
            Thing::Name(name) if self.is_polled_name(Atom(name)) => {
                let value = self.value_of_name(Atom(name));
                action.performed(value, value)
            }
            _ => action,
        }
    }

    /// Adds the current value of a name that is polled to the last action, which has changed it.
    pub(super) fn put_value_of_name(&mut self, name: Atom, performed: &mut Performed) {
        if !self.is_polled_name(name) {
            return;
        }
        let on = self.objects.whole(Thing::Name(name.0));
        let after = self.value_of_name(name);
        let mut actions = performed.actions.iter_mut().rev();
        if let Some(update) = actions.find(|action| (action.op, action.on) == (Op::Update, on)) {
            *update = update.performed(update.before, after);
        }
    }
}

fn value(holder: Option<u32>) -> u64 {
    holder.map_or(0, |holder| u64::from(holder) + 1)
}
