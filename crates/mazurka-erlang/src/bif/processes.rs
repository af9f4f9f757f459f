//! Processes: creation, messages, signals, names.

use crate::term::{Atom, Kind, Map, Term, atom};
use crate::vm::code::Mfa;
use crate::vm::life::Task;
use crate::vm::natives::Entry;
use crate::vm::process::Creation;
use crate::vm::{Class, Exception, Out, Stop, Trouble, Visible, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[
    ("self", 0, |vm, _| {
        vm.tell_apart(vm.current);
        Ok(Term::pid(vm.current))
    }),
    ("node", 0, |_, _| Ok(Term::atom(atom::NONODE))),
    ("node", 1, |_, _| Ok(Term::atom(atom::NONODE))),
    ("nodes", 0, |_, _| Ok(Term::NIL)),
    ("nodes", 1, |_, _| Ok(Term::NIL)),
    ("nodes", 2, |_, _| Ok(Term::NIL)),
    ("is_alive", 0, |_, _| Ok(Term::bool(false))),
    ("spawn", 1, |vm, a| create(vm, Creation::Process, a)),
    ("spawn_link", 1, |vm, a| create(vm, Creation::Linked, a)),
    ("spawn_monitor", 1, |vm, a| create(vm, Creation::Monitored, a)),
    ("spawn_opt", 2, |vm, a| create(vm, Creation::WithOptions, a)),
    ("spawn", 3, |vm, a| create(vm, Creation::Process, a)),
    ("spawn_link", 3, |vm, a| create(vm, Creation::Linked, a)),
    ("spawn_monitor", 3, |vm, a| create(vm, Creation::Monitored, a)),
    ("spawn_opt", 4, |vm, a| create(vm, Creation::WithOptions, a)),
    ("!", 2, |vm, a| vm.begin_send(a[0], a[1])),
    ("send", 2, |vm, a| vm.begin_send(a[0], a[1])),
    ("send", 3, |vm, a| {
        let sent = vm.begin_send(a[0], a[1]);
        let ok = Term::atom(atom::OK);
        match &mut vm.intent {
            crate::vm::Pending::Send { result, .. } => *result = ok,
            crate::vm::Pending::Do { arguments, .. } => arguments[2] = ok,
            _ => {}
        }
        sent.map(|_| ok)
    }),
    ("register", 2, |vm, a| match a[0].as_atom() {
        Some(atom::UNDEFINED) | None => Err(badarg()),
        Some(_) if a[1].as_pid().is_none() => Err(badarg()),
        Some(_) => vm.intend(Visible::Register, [a[0], a[1], Term::NIL]),
    }),
    ("unregister", 1, |vm, a| named(vm, Visible::Unregister, a[0])),
    ("whereis", 1, |vm, a| named(vm, Visible::Whereis, a[0])),
    ("processes", 0, |vm, _| vm.intend(Visible::Processes, [Term::NIL; 3])),
    ("registered", 0, |vm, _| vm.intend(Visible::Registered, [Term::NIL; 3])),
    ("link", 1, |vm, a| about(vm, Visible::Link, a[0], Term::NIL)),
    ("unlink", 1, |vm, a| about(vm, Visible::Unlink, a[0], Term::NIL)),
    ("exit", 2, |vm, a| {
        if vm.heap.is_kind(a[0], Kind::Ref) {
            return Ok(Term::bool(true));
        }
        about(vm, Visible::ExitSignal, a[0], a[1])
    }),
    ("monitor", 2, |vm, a| monitor(vm, a[0], a[1], Term::NIL)),
    ("monitor", 3, |vm, a| monitor(vm, a[0], a[1], a[2])),
    ("demonitor", 1, |vm, a| demonitor(vm, a[0], Term::NIL)),
    ("demonitor", 2, |vm, a| demonitor(vm, a[0], a[1])),
    ("alias", 0, |vm, _| make_alias(vm)),
    ("alias", 1, |vm, _| make_alias(vm)),
    ("unalias", 1, |vm, a| match vm.heap.is_kind(a[0], Kind::Ref) {
        true => vm.intend(Visible::Unalias, [a[0], Term::NIL, Term::NIL]),
        false => Err(badarg()),
    }),
    ("is_process_alive", 1, |vm, a| about(vm, Visible::IsAlive, a[0], Term::NIL)),
    ("process_info", 1, |vm, a| process_info(vm, a[0], Term::NONE)),
    ("process_info", 2, |vm, a| process_info(vm, a[0], a[1])),
    ("suspend_process", 1, |vm, a| suspend(vm, a[0], Term::NIL)),
    ("suspend_process", 2, |vm, a| suspend(vm, a[0], a[1])),
    ("resume_process", 1, |vm, a| match a[0].as_pid() {
        Some(other) if other != vm.current => about(vm, Visible::Resume, a[0], Term::NIL),
        _ => Err(badarg()),
    }),
    ("process_flag", 2, |vm, a| match a[0].as_atom() {
        Some(atom::TRAP_EXIT) => match a[1].as_bool() {
            Some(_) => vm.intend(Visible::TrapExit, [a[1], Term::NIL, Term::NIL]),
            None => Err(badarg()),
        },
        Some(atom::PRIORITY) => {
            let priority = priority(vm, a[1])?;
            Ok(Term::atom(std::mem::replace(&mut vm.me_mut().priority, priority)))
        }
        Some(atom::ERROR_HANDLER) if a[1].is_atom(atom::ERROR_HANDLER) => Ok(a[1]),
        Some(flag) => match (vm.atoms.name(flag), a[1].as_small()) {
            // These change how memory is used, which programs do not notice. The values before are
            // the defaults of the real machine.
            ("min_heap_size", Some(0..)) => Ok(Term::int(233)),
            ("min_bin_vheap_size", Some(0..)) => Ok(Term::int(46_422)),
            ("fullsweep_after", Some(0..)) => Ok(Term::int(65_535)),
            // There is no other node to send to.
            ("sensitive" | "async_dist", None) if a[1].as_bool().is_some() => Ok(Term::bool(false)),
            ("message_queue_data", None) if a[1].as_atom().is_some() => {
                Ok(Term::atom(vm.atoms.intern("on_heap")))
            }
            (name @ ("max_heap_size" | "save_calls" | "error_handler"), _) => {
                let call = format!("process_flag({name}, {})", vm.show(a[1], 40));
                Err(vm.refuse_call(&call))
            }
            _ => Err(badarg()),
        },
        None => Err(badarg()),
    }),
    ("exit", 1, |_, a| raise(Class::Exit, a[0], None)),
    ("throw", 1, |_, a| raise(Class::Throw, a[0], None)),
    ("error", 1, |_, a| raise(Class::Error, a[0], None)),
    ("error", 2, |_, a| raise(Class::Error, a[0], None)),
    ("error", 3, |_, a| raise(Class::Error, a[0], None)),
    ("raise", 3, |_, a| match Class::of(a[0]) {
        Some(class) => raise(class, a[1], Some(a[2])),
        None => Ok(Term::atom(atom::BADARG)),
    }),
    ("nif_error", 1, |vm, _| Err(vm.missing())),
    ("nif_error", 2, |vm, _| Err(vm.missing())),
    ("halt", 0, |vm, _| halt(vm, Term::int(0))),
    ("halt", 1, |vm, a| halt(vm, a[0])),
    ("halt", 2, |vm, a| halt(vm, a[0])),
    ("apply", 3, |vm, a| apply(vm, a[0], a[1], a[2])),
    ("apply", 2, |vm, a| {
        let arity = put_arguments(vm, a[1])?;
        vm.prepare_fun(a[0], arity).and_then(|to| Err(Stop::Call(to)))
    }),
    ("make_ref", 0, |vm, _| Ok(vm.make_ref())),
    ("yield", 0, |_, _| Ok(Term::bool(true))),
    ("bump_reductions", 1, |_, _| Ok(Term::bool(true))),
    ("garbage_collect", 0, |_, _| Ok(Term::bool(true))),
    ("garbage_collect", 1, |_, _| Ok(Term::bool(true))),
    ("group_leader", 0, |vm, _| match vm.leaders {
        true => vm.intend(Visible::OwnLeader, [Term::NIL; 3]),
        false => Ok(vm.me().group_leader),
    }),
    ("group_leader", 2, |vm, a| match (a[0].as_pid(), a[1].as_pid()) {
        (Some(_), Some(process)) => {
            if process != vm.current {
                vm.watch_leaders();
            }
            vm.intend(Visible::GroupLeader, [a[1], a[0], Term::NIL])
        }
        _ => Err(badarg()),
    }),
    ("put", 2, |vm, a| {
        let dictionary = dictionary(vm);
        let before = dictionary.get(&vm.heap, &vm.atoms, a[0]);
        let new = dictionary.put(&mut vm.heap, &vm.atoms, a[0], a[1]).term();
        vm.me_mut().dictionary = new;
        Ok(before.unwrap_or(Term::atom(atom::UNDEFINED)))
    }),
    ("get", 1, |vm, a| {
        let value = dictionary(vm).get(&vm.heap, &vm.atoms, a[0]);
        Ok(value.unwrap_or(Term::atom(atom::UNDEFINED)))
    }),
    ("get", 0, |vm, _| {
        let entries = dictionary(vm).entries(&vm.heap);
        let pairs: Vec<Term> = entries.iter().map(|(k, v)| vm.heap.tuple(&[*k, *v])).collect();
        Ok(vm.heap.list(&pairs))
    }),
    ("get_keys", 0, |vm, _| {
        let keys: Vec<Term> = dictionary(vm).entries(&vm.heap).iter().map(|(k, _)| *k).collect();
        Ok(vm.heap.list(&keys))
    }),
    ("get_keys", 1, |vm, a| {
        let entries = dictionary(vm).entries(&vm.heap);
        let with_value = |(_, v): &&(Term, Term)| crate::term::equal_exact(&vm.heap, *v, a[0]);
        let keys: Vec<Term> = entries.iter().filter(with_value).map(|(k, _)| *k).collect();
        Ok(vm.heap.list(&keys))
    }),
    ("erase", 1, |vm, a| {
        let dictionary = dictionary(vm);
        let before = dictionary.get(&vm.heap, &vm.atoms, a[0]);
        let new = dictionary.remove(&mut vm.heap, &vm.atoms, a[0]).term();
        vm.me_mut().dictionary = new;
        Ok(before.unwrap_or(Term::atom(atom::UNDEFINED)))
    }),
    ("erase", 0, |vm, _| {
        let entries = dictionary(vm).entries(&vm.heap);
        let pairs: Vec<Term> = entries.iter().map(|(k, v)| vm.heap.tuple(&[*k, *v])).collect();
        let empty = Map::empty(&mut vm.heap).term();
        vm.me_mut().dictionary = empty;
        Ok(vm.heap.list(&pairs))
    }),
    ("hibernate", 3, |vm, a| {
        // It starts over with an empty stack.
        vm.hibernate();
        match apply(vm, a[0], a[1], a[2]) {
            Err(Stop::Call(to)) => Err(Stop::Jump(to)),
            other => other,
        }
    }),
    ("send_after", 3, |vm, a| create(vm, Creation::Timer, a)),
    ("send_after", 4, |vm, a| create(vm, Creation::Timer, a)),
    ("start_timer", 3, |vm, a| create(vm, Creation::WrappingTimer, a)),
    ("start_timer", 4, |vm, a| create(vm, Creation::WrappingTimer, a)),
    ("cancel_timer", 1, |vm, a| timer(vm, Visible::CancelTimer, a[0], Term::NIL)),
    ("cancel_timer", 2, |vm, a| timer(vm, Visible::CancelTimer, a[0], a[1])),
    ("read_timer", 1, |vm, a| timer(vm, Visible::ReadTimer, a[0], Term::NIL)),
    ("read_timer", 2, |vm, a| timer(vm, Visible::ReadTimer, a[0], a[1])),
];

pub(super) const ERTS_INTERNAL: &[Entry] =
    &[("spawn_request", 4, |vm, a| create(vm, Creation::Request, a))];

/// Creates a process or a timer. In programs where lives of processes matter, this is a step, since a
/// signal may end the caller before.
fn create(vm: &mut Vm, what: Creation, arguments: &[Term]) -> Out {
    if !vm.lives {
        return perform_creation(vm, what, arguments);
    }
    let arguments = vm.heap.tuple(arguments);
    vm.intend(Visible::Create(what), [arguments, Term::NIL, Term::NIL])
}

/// Performs a call that creates a process or a timer.
pub(crate) fn perform_creation(vm: &mut Vm, what: Creation, arguments: &[Term]) -> Out {
    let options = match what {
        Creation::Request => return spawn_request(vm, arguments),
        Creation::Timer | Creation::WrappingTimer => {
            return start_timer(vm, arguments, what == Creation::WrappingTimer);
        }
        Creation::Process => Options::default(),
        Creation::Linked => Options { link: true, ..Options::default() },
        Creation::Monitored => Options { monitor: true, ..Options::default() },
        Creation::WithOptions => options(vm, arguments[arguments.len() - 1])?,
    };
    match arguments.len() {
        1 | 2 => spawn_fun(vm, arguments[0], options),
        _ => spawn_call(vm, arguments, options),
    }
}

/// Creates a process, and sends a message about it to the caller.
fn spawn_request(vm: &mut Vm, a: &[Term]) -> Out {
    let mut tag = Term::atom(vm.atoms.intern("spawn_reply"));
    let mut replies = true;
    let mut rest = Vec::new();
    for option in vm.heap.elements_of_list(a[3]).ok_or_else(badarg)? {
        match vm.heap.tuple_of::<2>(option) {
            Some([key, value]) if key.is_atom(vm.atoms.intern("reply_tag")) => tag = value,
            Some([key, value]) if key.is_atom(vm.atoms.intern("reply")) => {
                replies = match vm.atoms.name(value.as_atom().ok_or_else(badarg)?) {
                    "yes" | "success_only" => true,
                    "no" | "error_only" => false,
                    _ => return Err(badarg()),
                }
            }
            _ => rest.push(option),
        }
    }
    let rest = vm.heap.list(&rest);
    let options = options(vm, rest)?;
    let spawned = spawn_call(vm, &a[..3], options)?;
    let (child, request) = match vm.heap.tuple_of::<2>(spawned) {
        Some([child, reference]) => (child, reference),
        None => (spawned, vm.make_ref()),
    };
    if !replies {
        return Ok(request);
    }
    let message = vm.heap.tuple(&[tag, request, Term::atom(atom::OK), child]);
    vm.intent = crate::vm::Pending::Send { to: vm.current, message, result: request };
    Err(Stop::Suspend)
}

fn raise(class: Class, reason: Term, trace: Option<Term>) -> Out {
    Err(Stop::Raise(Exception { class, reason, trace }))
}

fn dictionary(vm: &Vm) -> Map {
    Map::of(&vm.heap, vm.me().dictionary).expect("it is a map")
}

fn halt(vm: &mut Vm, status: Term) -> Out {
    let symbol = vm.symbol(vm.current);
    let text = format!("{symbol} halts the node: halt({})", vm.show(status, 100));
    vm.trouble = Some(Trouble::Halted(text));
    Err(Stop::Trouble)
}

/// Puts the arguments of a call into the registers.
fn put_arguments(vm: &mut Vm, arguments: Term) -> Result<u32, Stop> {
    let arguments = vm.heap.elements_of_list(arguments).ok_or_else(badarg)?;
    if arguments.len() > 255 {
        return Err(badarg());
    }
    vm.x[..arguments.len()].copy_from_slice(&arguments);
    Ok(arguments.len() as u32)
}

fn apply(vm: &mut Vm, module: Term, name: Term, arguments: Term) -> Out {
    let (Some(module), Some(name)) = (module.as_atom(), name.as_atom()) else {
        return Err(badarg());
    };
    let arity = put_arguments(vm, arguments)?;
    vm.prepare_call(Mfa::new(module, name, arity)).and_then(|to| Err(Stop::Call(to)))
}

/// How a process is created.
#[derive(Clone, Copy, Default)]
struct Options {
    link: bool,
    monitor: bool,
    /// Options of the monitor, if there are any.
    monitor_options: Option<Term>,
    priority: Option<Atom>,
}

/// Returns the priority that a term stands for.
fn priority(vm: &Vm, term: Term) -> Result<Atom, Stop> {
    let is_known = |name: &Atom| ["low", "normal", "high", "max"].contains(&vm.atoms.name(*name));
    term.as_atom().filter(is_known).ok_or_else(badarg)
}

fn options(vm: &mut Vm, list: Term) -> Result<Options, Stop> {
    let mut options = Options::default();
    for option in vm.heap.elements_of_list(list).ok_or_else(badarg)? {
        match option.as_atom() {
            Some(atom::LINK) => options.link = true,
            Some(atom::MONITOR) => options.monitor = true,
            _ => match vm.heap.tuple_of::<2>(option) {
                Some([key, value]) if key.is_atom(atom::MONITOR) => {
                    options.monitor = true;
                    options.monitor_options = Some(value);
                }
                Some([key, value]) if key.is_atom(atom::PRIORITY) => {
                    options.priority = Some(priority(vm, value)?);
                }
                Some(_) => {}
                None => return Err(badarg()),
            },
        }
    }
    Ok(options)
}

fn spawn_fun(vm: &mut Vm, function: Term, options: Options) -> Out {
    match vm.fun_arity(function) {
        Some(0) => spawn(vm, Task::Fun(function), options),
        _ => Err(badarg()),
    }
}

fn spawn_call(vm: &mut Vm, arguments: &[Term], options: Options) -> Out {
    let (Some(module), Some(name)) = (arguments[0].as_atom(), arguments[1].as_atom()) else {
        return Err(badarg());
    };
    let arity = vm.heap.elements_of_list(arguments[2]).ok_or_else(badarg)?.len() as u32;
    spawn(vm, Task::Call(Mfa::new(module, name, arity), arguments[2]), options)
}

fn spawn(vm: &mut Vm, task: Task, options: Options) -> Out {
    if options.link || options.monitor {
        vm.watch_lives();
    }
    let child = vm.spawn(task);
    if let Some(priority) = options.priority {
        vm.local_mut(child).priority = priority;
    }
    vm.meet_twin(child);
    if options.link {
        let me = vm.current;
        vm.add_link(me, child);
    }
    if !options.monitor {
        return Ok(Term::pid(child));
    }
    let reference = vm.make_ref();
    vm.add_monitor(reference, child, Term::pid(child), options.monitor_options)?;
    Ok(vm.heap.tuple(&[Term::pid(child), reference]))
}

fn named(vm: &mut Vm, what: Visible, name: Term) -> Out {
    match name.as_atom() {
        Some(_) => vm.intend(what, [name, Term::NIL, Term::NIL]),
        None => Err(badarg()),
    }
}

/// An operation on a process.
fn about(vm: &mut Vm, what: Visible, process: Term, argument: Term) -> Out {
    match process.as_pid() {
        Some(_) => vm.intend(what, [process, argument, Term::NIL]),
        None => Err(badarg()),
    }
}

/// Queries a process. The operation gets the instruction of the call, since a tail call leaves the function
/// that makes it.
fn process_info(vm: &mut Vm, process: Term, items: Term) -> Out {
    let at = Term::int(vm.at.into());
    match process.as_pid() {
        Some(_) => vm.intend(Visible::ProcessInfo, [process, items, at]),
        None => Err(badarg()),
    }
}

/// Suspends another process. The operation gets the options as a tuple: whether the process stays as it is
/// if the caller suspends it already, whether the call is asynchronous, and the tag of the answer.
fn suspend(vm: &mut Vm, process: Term, options: Term) -> Out {
    if process.as_pid().is_none_or(|other| other == vm.current) {
        return Err(badarg());
    }
    let [once, asynchronous] =
        ["unless_suspending", "asynchronous"].map(|name| vm.atoms.intern(name));
    let (mut is_once, mut is_asynchronous, mut tag) = (false, false, Term::NONE);
    for option in vm.heap.elements_of_list(options).ok_or_else(badarg)? {
        match vm.heap.tuple_of::<2>(option) {
            Some([key, value]) if key.is_atom(asynchronous) => {
                (is_asynchronous, tag) = (true, value);
            }
            None if option.is_atom(once) => is_once = true,
            None if option.is_atom(asynchronous) => is_asynchronous = true,
            _ => return Err(badarg()),
        }
    }
    vm.watch_suspensions();
    let options = vm.heap.tuple(&[Term::bool(is_once), Term::bool(is_asynchronous)]);
    vm.intend(Visible::Suspend, [process, options, tag])
}

fn monitor(vm: &mut Vm, kind: Term, target: Term, options: Term) -> Out {
    if kind.is_atom(vm.atoms.intern("time_offset")) || kind.is_atom(vm.atoms.intern("port")) {
        return Ok(vm.make_ref());
    }
    if !kind.is_atom(atom::PROCESS) {
        return Err(badarg());
    }
    let is_name = |vm: &Vm| {
        target.as_atom().is_some()
            || vm
                .heap
                .tuple_of::<2>(target)
                .is_some_and(|[name, node]| name.as_atom().is_some() && node.is_atom(atom::NONODE))
    };
    if target.as_pid().is_none() && !is_name(vm) {
        return Err(badarg());
    }
    let reference = vm.make_ref();
    vm.intend(Visible::Monitor, [target, reference, options])
}

fn demonitor(vm: &mut Vm, reference: Term, options: Term) -> Out {
    let is_known = |option: &Term| option.is_atom(atom::FLUSH) || option.is_atom(atom::INFO);
    let options_are_known =
        vm.heap.elements_of_list(options).is_some_and(|options| options.iter().all(is_known));
    match vm.heap.is_kind(reference, Kind::Ref) && options_are_known {
        true => vm.intend(Visible::Demonitor, [reference, options, Term::NIL]),
        false => Err(badarg()),
    }
}

fn make_alias(vm: &mut Vm) -> Out {
    let reference = vm.make_ref();
    vm.add_alias(reference, atom::EXPLICIT_UNALIAS);
    Ok(reference)
}

/// Creates a timer, which is a process that fires at any time.
fn start_timer(vm: &mut Vm, arguments: &[Term], wrap: bool) -> Out {
    let [time, to, message] = [arguments[0], arguments[1], arguments[2]];
    let time = vm.heap.as_integer(time).ok_or_else(badarg)?;
    if time < num_bigint::BigInt::from(0) || to.as_pid().is_none() && to.as_atom().is_none() {
        return Err(badarg());
    }
    if let Some(process) = to.as_pid() {
        vm.tell_apart(process);
    }
    let timer = vm.spawn(Task::Timer);
    // The reference tells which process the timer is.
    let reference = vm.heap.reference(timer, 0);
    let message = match wrap {
        true => vm.heap.tuple(&[Term::atom(atom::TIMEOUT), reference, message]),
        false => message,
    };
    vm.set_timer(timer, to, message, u64::try_from(&time).unwrap_or(u64::MAX >> 1));
    Ok(reference)
}

fn timer(vm: &mut Vm, what: Visible, reference: Term, options: Term) -> Out {
    match vm.heap.as_ref(reference) {
        Some(_) => vm.intend(what, [reference, options, Term::NIL]),
        None => Err(badarg()),
    }
}
