//! Applications of Elixir that Mazurka replaces.

use crate::term::{Term, atom};
use crate::vm::code::Mfa;
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Vm};

/// The application `logger` runs without its processes. They write logs, which Mazurka drops, and have a timer
/// that fires again and again.
pub(super) const LOGGER_APP: &[Entry] =
    &[("start", 2, start_supervisor), ("stop", 1, |_, _| Ok(Term::atom(atom::OK)))];

/// Starts a supervisor without children: an application consists of at least one process.
fn start_supervisor(vm: &mut Vm, _: &[Term]) -> Out {
    let [supervisor, start, strategy, one_for_one] =
        ["Elixir.Supervisor", "start_link", "strategy", "one_for_one"]
            .map(|name| vm.atoms.intern(name));
    let option = vm.heap.tuple(&[Term::atom(strategy), Term::atom(one_for_one)]);
    (vm.x[0], vm.x[1]) = (Term::NIL, vm.heap.list(&[option]));
    vm.prepare_call(Mfa::new(supervisor, start, 2)).and_then(|to| Err(Stop::Call(to)))
}
