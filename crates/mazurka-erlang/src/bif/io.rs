//! Output. Mazurka captures it, unless it goes to a process of the program.
//!
//! The group leader of the first process stands for the terminal. A process that the program makes a group
//! leader, or gives as a device, gets requests as on a real node, from the code of OTP's `io`.

use crate::term::{Term, atom};
use crate::vm::code::Mfa;
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Visible, Vm, badarg};

pub(super) const IO: &[Entry] = &[
    ("$capture", 1, |vm, a| {
        let mut text = String::new();
        flatten(vm, a[0], &mut text);
        vm.output.push_str(&text);
        Ok(Term::atom(atom::OK))
    }),
    ("format", 1, |vm, a| request(vm, "format", a)),
    ("format", 2, |vm, a| request(vm, "format", a)),
    ("format", 3, |vm, a| request(vm, "format", a)),
    ("fwrite", 1, |vm, a| request(vm, "fwrite", a)),
    ("fwrite", 2, |vm, a| request(vm, "fwrite", a)),
    ("fwrite", 3, |vm, a| request(vm, "fwrite", a)),
    ("put_chars", 1, |vm, a| request(vm, "put_chars", a)),
    ("put_chars", 2, |vm, a| request(vm, "put_chars", a)),
    ("nl", 0, |vm, a| request(vm, "nl", a)),
    ("nl", 1, |vm, a| request(vm, "nl", a)),
    ("get_line", 1, |vm, a| request(vm, "get_line", a)),
    ("get_line", 2, |vm, a| request(vm, "get_line", a)),
    ("get_chars", 2, |vm, a| request(vm, "get_chars", a)),
    ("get_chars", 3, |vm, a| request(vm, "get_chars", a)),
    ("read", 1, |vm, a| request(vm, "read", a)),
    ("read", 2, |vm, a| request(vm, "read", a)),
    ("fread", 2, |vm, a| request(vm, "fread", a)),
    ("fread", 3, |vm, a| request(vm, "fread", a)),
    ("printable_range", 0, |_, _| Ok(Term::atom(atom::LATIN1))),
    ("getopts", 0, |vm, a| request(vm, "getopts", a)),
    ("getopts", 1, |vm, a| request(vm, "getopts", a)),
    ("setopts", 1, |vm, a| request(vm, "setopts", a)),
    ("setopts", 2, |vm, a| request(vm, "setopts", a)),
];

/// Returns the device that a function of `io` is given.
fn device(name: &str, arguments: &[Term]) -> Option<Term> {
    let has_device = match name {
        "nl" | "getopts" => arguments.len() == 1,
        "put_chars" | "setopts" | "get_line" | "read" => arguments.len() == 2,
        _ => arguments.len() == 3,
    };
    has_device.then(|| arguments[0])
}

/// Calls a function of `io`. This is a step if the group leader matters and other processes may change it.
fn request(vm: &mut Vm, name: &str, arguments: &[Term]) -> Out {
    let to_leader =
        device(name, arguments).is_none_or(|device| is_named(vm, device, "standard_io"));
    if vm.leaders && to_leader {
        let (name, arguments) = (vm.atoms.intern(name), vm.heap.list(arguments));
        return vm.intend(Visible::Print, [Term::atom(name), arguments, Term::NIL]);
    }
    request_now(vm, name, arguments)
}

/// Performs a call of a function of `io`, with a list of arguments.
pub(crate) fn print(vm: &mut Vm, name: Term, arguments: Term) -> Out {
    let name = vm.atoms.name(name.as_atom().ok_or_else(badarg)?).to_owned();
    let arguments = vm.heap.elements_of_list(arguments).ok_or_else(badarg)?;
    request_now(vm, &name, &arguments)
}

fn is_named(vm: &Vm, device: Term, name: &str) -> bool {
    device.as_atom().is_some_and(|device| vm.atoms.name(device) == name)
}

fn request_now(vm: &mut Vm, name: &str, arguments: &[Term]) -> Out {
    let device = device(name, arguments);
    if is_of_program(vm, device) {
        return call_real(vm, name, arguments);
    }
    let rest = &arguments[usize::from(device.is_some())..];
    match name {
        "nl" => {
            vm.output.push('\n');
            Ok(Term::atom(atom::OK))
        }
        "put_chars" => call(vm, "$put_chars", &rest[..1]),
        "get_line" | "get_chars" | "read" | "fread" => {
            Err(vm.refuse_call("a function of io that reads input"))
        }
        // Captured output has no options that a program could observe but these.
        "setopts" => Ok(Term::atom(atom::OK)),
        "getopts" => {
            let [binary, encoding] = ["binary", "encoding"].map(|name| vm.atoms.intern(name));
            let binary = vm.heap.tuple(&[Term::atom(binary), Term::bool(false)]);
            let encoding = vm.heap.tuple(&[Term::atom(encoding), Term::atom(atom::LATIN1)]);
            Ok(vm.heap.list(&[binary, encoding]))
        }
        _ => {
            let data = rest.get(1).copied().unwrap_or(Term::NIL);
            call(vm, "$format", &[rest[0], data])
        }
    }
}

/// Returns whether output goes to a process of the program. Without a device, it goes to the group leader.
fn is_of_program(vm: &Vm, device: Option<Term>) -> bool {
    let me = vm.me();
    match device {
        None => me.leads_to_program,
        Some(device) if device == me.group_leader => me.leads_to_program,
        Some(device) if is_named(vm, device, "standard_io") => me.leads_to_program,
        Some(device) => match device.as_pid() {
            Some(process) => vm.is_program(process),
            None => !["user", "standard_error"].iter().any(|name| is_named(vm, device, name)),
        },
    }
}

/// Calls the function of OTP's `io`, which sends a request to the device.
fn call_real(vm: &mut Vm, name: &str, arguments: &[Term]) -> Out {
    let [io, name] = ["io", name].map(|name| vm.atoms.intern(name));
    let path = vm.finder.find("io").unwrap_or_default();
    let bytes = std::fs::read(&path).unwrap_or_default();
    let mfa = Mfa::new(io, name, arguments.len() as u32);
    vm.x[..arguments.len()].copy_from_slice(arguments);
    match vm.load_edition(io, &bytes, "io.erl").and_then(|io| vm.entry_in(io, mfa)) {
        Some(entry) => Err(Stop::Call(entry)),
        None => Err(vm.refuse_call("a function of io that is not in the module `io` of OTP")),
    }
}

fn call(vm: &mut Vm, name: &str, arguments: &[Term]) -> Out {
    let [io, name] = ["io", name].map(|name| vm.atoms.intern(name));
    vm.x[..arguments.len()].copy_from_slice(arguments);
    let mfa = Mfa::new(io, name, arguments.len() as u32);
    vm.prepare_call(mfa).and_then(|to| Err(Stop::Call(to)))
}

/// The text of a deep list of characters.
fn flatten(vm: &Vm, term: Term, text: &mut String) {
    let end = vm.heap.walk(term, |element| match element.as_small() {
        Some(c) => text.extend(u32::try_from(c).ok().and_then(char::from_u32)),
        None => flatten(vm, element, text),
    });
    if let Some(bytes) = vm.heap.binary_bytes(end) {
        text.push_str(&String::from_utf8_lossy(&bytes));
    }
}
