//! Time, output, logging, and what else a program asks of its surroundings. All of it is the same
//! in every execution.

use crate::term::{Map, Term, atom};
use crate::vm::lessons::APPLICATIONS;
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Visible, Vm, badarg, badarith};

/// When programs run: the first of January 2024, in nanoseconds.
const EPOCH: i64 = 1_704_067_200_000_000_000;

pub(super) const ERLANG: &[Entry] = &[
    ("monotonic_time", 0, |vm, _| time(vm, 0, Term::atom(atom::NATIVE))),
    ("monotonic_time", 1, |vm, a| time(vm, 0, a[0])),
    ("system_time", 0, |vm, _| time(vm, EPOCH, Term::atom(atom::NATIVE))),
    ("system_time", 1, |vm, a| time(vm, EPOCH, a[0])),
    ("time_offset", 0, |vm, _| Ok(vm.heap.integer(EPOCH))),
    ("time_offset", 1, |vm, a| in_unit(vm, EPOCH, a[0])),
    ("timestamp", 0, timestamp),
    ("now", 0, timestamp),
    ("date", 0, |vm, _| date_and_time(vm).map(|[date, _]| date)),
    ("time", 0, |vm, _| date_and_time(vm).map(|[_, time]| time)),
    ("localtime", 0, |vm, _| now(vm)),
    ("universaltime", 0, |vm, _| now(vm)),
    // Programs run in Greenwich, in winter.
    ("universaltime_to_localtime", 1, |_, a| Ok(a[0])),
    ("localtime_to_universaltime", 1, |_, a| Ok(a[0])),
    ("localtime_to_universaltime", 2, |_, a| Ok(a[0])),
    ("universaltime_to_posixtime", 1, |vm, a| {
        let seconds = seconds_since_1970(vm, a[0]).ok_or_else(badarg)?;
        Ok(vm.heap.integer(seconds))
    }),
    ("posixtime_to_universaltime", 1, |vm, a| {
        let seconds = a[0].as_small().ok_or_else(badarg)?;
        Ok(date_of(vm, seconds))
    }),
    ("ports", 0, |_, _| Ok(Term::NIL)),
    ("unique_integer", 0, unique_integer),
    ("unique_integer", 1, unique_integer),
    ("system_info", 1, system_info),
    ("system_flag", 2, |vm, a| refuse(vm, "system_flag", a)),
    ("statistics", 1, |vm, a| refuse(vm, "statistics", a)),
    ("memory", 0, |vm, a| refuse(vm, "memory", a)),
    ("memory", 1, |vm, a| refuse(vm, "memory", a)),
    ("display", 1, |vm, a| {
        let text = vm.show(a[0], 10_000);
        vm.output.push_str(&text);
        vm.output.push('\n');
        Ok(Term::bool(true))
    }),
    ("display_string", 1, |vm, a| {
        let text = vm.text_of(a[0]).ok_or_else(badarg)?;
        vm.output.push_str(&text);
        Ok(Term::bool(true))
    }),
    ("get_cookie", 0, |vm, _| Ok(Term::atom(vm.atoms.intern("nocookie")))),
    ("dt_spread_tag", 1, |_, _| Ok(Term::bool(true))),
    ("seq_trace", 2, |_, _| Ok(Term::bool(false))),
    ("monitor_node", 2, |_, _| Ok(Term::bool(true))),
];

pub(super) const ERTS_INTERNAL: &[Entry] = &[
    // Native time is in nanoseconds.
    ("time_unit", 0, |vm, _| Ok(vm.heap.integer(1_000_000_000))),
    ("perf_counter_unit", 0, |vm, _| Ok(vm.heap.integer(1_000_000_000))),
];

pub(super) const LOGGER: &[Entry] = &[
    // Logs of all executions would be too long to read.
    ("allow", 2, |_, _| Ok(Term::bool(false))),
    ("allow", 1, |_, _| Ok(Term::bool(false))),
    ("log", 2, ok),
    ("log", 3, ok),
    ("log", 4, ok),
    ("error", 1, ok),
    ("error", 2, ok),
    ("warning", 1, ok),
    ("warning", 2, ok),
    ("notice", 1, ok),
    ("notice", 2, ok),
    ("info", 1, ok),
    ("info", 2, ok),
    ("debug", 1, ok),
    ("debug", 2, ok),
];

pub(super) const ERROR_LOGGER: &[Entry] = &[
    ("error_msg", 1, ok),
    ("error_msg", 2, ok),
    ("warning_msg", 1, ok),
    ("warning_msg", 2, ok),
    ("info_msg", 1, ok),
    ("info_msg", 2, ok),
    ("format", 2, ok),
    ("error_report", 1, ok),
    ("error_report", 2, ok),
    ("warning_report", 1, ok),
    ("warning_report", 2, ok),
    ("info_report", 1, ok),
    ("info_report", 2, ok),
];

pub(super) const APPLICATION: &[Entry] = &[
    // Before an application is loaded, only `kernel` has an environment, and `ex_unit` in tests of ExUnit.
    ("get_env", 1, |_, _| Ok(Term::atom(atom::UNDEFINED))),
    ("get_env", 2, |vm, a| environment(vm, a[0], Term::atom(atom::UNDEFINED))),
    ("get_env", 3, |vm, a| environment(vm, a[0], a[2])),
    ("get_application", 0, |_, _| Ok(Term::atom(atom::UNDEFINED))),
    ("get_application", 1, |_, _| Ok(Term::atom(atom::UNDEFINED))),
];

pub(super) const ERL_FEATURES: &[Entry] = &[("keywords", 0, |_, _| Ok(Term::NIL))];

pub(super) const NET_KERNEL: &[Entry] = &[
    // There is no other node, and none ever comes.
    ("monitor_nodes", 1, ok),
    ("monitor_nodes", 2, ok),
    // Every process is on this node.
    ("dflag_unicode_io", 1, |_, _| Ok(Term::bool(true))),
];

pub(super) const OS: &[Entry] = &[
    ("system_time", 0, |vm, _| time(vm, EPOCH, Term::atom(atom::NATIVE))),
    ("system_time", 1, |vm, a| time(vm, EPOCH, a[0])),
    ("perf_counter", 0, |vm, _| time(vm, 0, Term::atom(atom::NATIVE))),
    ("timestamp", 0, timestamp),
    ("getenv", 1, |vm, a| getenv(vm, a[0], Term::bool(false))),
    ("getenv", 2, |vm, a| getenv(vm, a[0], a[1])),
    ("putenv", 2, |vm, a| {
        let value = vm.text_of(a[1]).ok_or_else(badarg)?;
        let value = vm.heap.string(&value);
        setenv(vm, a[0], value)
    }),
    // The value `false` says that there is no variable.
    ("unsetenv", 1, |vm, a| setenv(vm, a[0], Term::bool(false))),
    ("getpid", 0, |vm, _| Ok(vm.heap.string("1"))),
    ("type", 0, |vm, _| {
        let parts = ["unix", "linux"].map(|name| Term::atom(vm.atoms.intern(name)));
        Ok(vm.heap.tuple(&parts))
    }),
];

pub(super) const PERSISTENT_TERM: &[Entry] = &[
    ("get", 1, |vm, a| vm.intend(Visible::PersistentGet, [a[0], Term::NONE, Term::NIL])),
    ("get", 2, |vm, a| vm.intend(Visible::PersistentGet, [a[0], a[1], Term::NIL])),
    ("get", 0, |vm, _| vm.intend(Visible::PersistentAll, [Term::NIL; 3])),
    ("put", 2, |vm, a| vm.intend(Visible::PersistentPut, [a[0], a[1], Term::atom(atom::OK)])),
    ("erase", 1, |vm, a| vm.intend(Visible::PersistentErase, [a[0], Term::NIL, Term::NIL])),
];

macro_rules! float_function {
    ($function:expr) => {
        |vm, a| {
            let value = vm.heap.as_number(a[0]).ok_or_else(badarg)?.to_float();
            let result: f64 = $function(value.ok_or_else(badarith)?);
            match result.is_finite() {
                true => Ok(vm.heap.float(result)),
                false => Err(badarith()),
            }
        }
    };
}

macro_rules! float_function2 {
    ($function:expr) => {
        |vm, a| {
            let [x, y] = [a[0], a[1]].map(|n| vm.heap.as_number(n).and_then(|n| n.to_float()));
            let (Some(x), Some(y)) = (x, y) else { return Err(badarg()) };
            let result: f64 = $function(x, y);
            match result.is_finite() {
                true => Ok(vm.heap.float(result)),
                false => Err(badarith()),
            }
        }
    };
}

pub(super) const MATH: &[Entry] = &[
    ("sin", 1, float_function!(f64::sin)),
    ("cos", 1, float_function!(f64::cos)),
    ("tan", 1, float_function!(f64::tan)),
    ("asin", 1, float_function!(f64::asin)),
    ("acos", 1, float_function!(f64::acos)),
    ("atan", 1, float_function!(f64::atan)),
    ("sinh", 1, float_function!(f64::sinh)),
    ("cosh", 1, float_function!(f64::cosh)),
    ("tanh", 1, float_function!(f64::tanh)),
    ("exp", 1, float_function!(f64::exp)),
    ("log", 1, float_function!(f64::ln)),
    ("log2", 1, float_function!(f64::log2)),
    ("log10", 1, float_function!(f64::log10)),
    ("sqrt", 1, float_function!(f64::sqrt)),
    ("asinh", 1, float_function!(f64::asinh)),
    ("acosh", 1, float_function!(f64::acosh)),
    ("atanh", 1, float_function!(f64::atanh)),
    ("ceil", 1, float_function!(f64::ceil)),
    ("floor", 1, float_function!(f64::floor)),
    ("pow", 2, float_function2!(f64::powf)),
    ("atan2", 2, float_function2!(f64::atan2)),
    ("fmod", 2, float_function2!(|x: f64, y: f64| x % y)),
    ("pi", 0, |vm, _| Ok(vm.heap.float(std::f64::consts::PI))),
];

/// Returns a parameter of an application as long as no application is loaded.
fn environment(vm: &mut Vm, application: Term, otherwise: Term) -> Out {
    let name = application.as_atom().map(|name| vm.atoms.name(name));
    let Some(name @ ("kernel" | "ex_unit")) = name else { return Ok(otherwise) };
    let text =
        format!("the environment of `{name}` needs the system process `application_controller`");
    Err(vm.ask_for_service(APPLICATIONS, text))
}

fn ok(_: &mut Vm, _: &[Term]) -> Out {
    Ok(Term::atom(atom::OK))
}

/// The time on the clock of the running process, in nanoseconds.
fn ticks(vm: &mut Vm) -> i64 {
    (vm.look_at_clock() as i64).saturating_mul(1_000_000)
}

fn time(vm: &mut Vm, since: i64, unit: Term) -> Out {
    let now = since + ticks(vm);
    in_unit(vm, now, unit)
}

fn in_unit(vm: &mut Vm, time: i64, unit: Term) -> Out {
    let per_second = match unit.as_atom().map(|unit| vm.atoms.name(unit).to_owned()).as_deref() {
        Some("second" | "seconds") => 1,
        Some("millisecond" | "milli_seconds") => 1000,
        Some("microsecond" | "micro_seconds") => 1_000_000,
        Some("nanosecond" | "nano_seconds" | "native" | "perf_counter") => 1_000_000_000,
        Some(_) => return Err(badarg()),
        None => unit.as_small().filter(|n| *n > 0).ok_or_else(badarg)?,
    };
    Ok(vm.heap.integer((i128::from(time) * i128::from(per_second) / 1_000_000_000) as i64))
}

fn timestamp(vm: &mut Vm, _: &[Term]) -> Out {
    let now = (EPOCH + ticks(vm)) / 1000;
    let parts = [now / 1_000_000_000_000, now / 1_000_000 % 1_000_000, now % 1_000_000];
    Ok(vm.heap.tuple(&parts.map(Term::int)))
}

/// Returns the date and the time on the clock of the running process, as one tuple.
fn now(vm: &mut Vm) -> Out {
    let seconds = (EPOCH + ticks(vm)) / 1_000_000_000;
    Ok(date_of(vm, seconds))
}

/// Returns the date and the time on the clock of the running process.
fn date_and_time(vm: &mut Vm) -> Result<[Term; 2], Stop> {
    let now = now(vm)?;
    vm.heap.tuple_of::<2>(now).ok_or_else(badarg)
}

/// The number of a day, from the first of January 1970 on.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March have their odd day at the end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn seconds_since_1970(vm: &Vm, date: Term) -> Option<i64> {
    let [date, time] = vm.heap.tuple_of::<2>(date)?;
    let numbers = |three: Term| {
        let three = vm.heap.tuple_of::<3>(three)?.map(|n| n.as_small());
        Some([three[0]?, three[1]?, three[2]?])
    };
    let ([year, month, day], [hour, minute, second]) = (numbers(date)?, numbers(time)?);
    Some(day_number(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
}

fn date_of(vm: &mut Vm, seconds: i64) -> Term {
    let (day, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut year = 1970 + day / 366;
    while day_number(year + 1, 1, 1) <= day {
        year += 1;
    }
    while day_number(year, 1, 1) > day {
        year -= 1;
    }
    let month = (2..=12).take_while(|month| day_number(year, *month, 1) <= day).count() as i64 + 1;
    let of_month = day - day_number(year, month, 1) + 1;
    let date = vm.heap.tuple(&[year, month, of_month].map(Term::int));
    let time = vm.heap.tuple(&[rest / 3600, rest / 60 % 60, rest % 60].map(Term::int));
    vm.heap.tuple(&[date, time])
}

/// Returns an integer that no other call returns.
///
/// It is greater than all integers that happen before it, as `monotonic` ones must be, since it starts
/// with the time on the clock of the process. The rest are 32 bits that tell the process apart.
fn unique_integer(vm: &mut Vm, a: &[Term]) -> Out {
    let options = a.first().map_or(Some(Vec::new()), |list| vm.heap.elements_of_list(*list));
    let is_known = |option: &Term| {
        option
            .as_atom()
            .is_some_and(|name| ["monotonic", "positive"].contains(&vm.atoms.name(name)))
    };
    if !options.is_some_and(|options| options.iter().all(is_known)) {
        return Err(badarg());
    }
    let now = vm.look_at_clock();
    let digest = vm.heap.lineage.digest(vm.current) >> 32;
    Ok(vm.heap.integer((now << 32 | digest) as i64))
}

fn system_info(vm: &mut Vm, a: &[Term]) -> Out {
    let Some(item) = a[0].as_atom() else { return Err(badarg()) };
    Ok(match vm.atoms.name(item) {
        "otp_release" => vm.heap.string("25"),
        "version" => vm.heap.string("13.1.5"),
        // Libraries run so many processes at once.
        "schedulers" | "schedulers_online" | "logical_processors" => Term::int(2),
        "logical_processors_available" | "logical_processors_online" => Term::int(2),
        "wordsize" => Term::int(8),
        "process_limit" => Term::int(262_144),
        "process_count" => return vm.intend(Visible::Processes, [a[0], Term::NIL, Term::NIL]),
        "atom_limit" => Term::int(1_048_576),
        "smp_support" | "threads" => Term::bool(true),
        "endian" => Term::atom(atom::LITTLE),
        "system_architecture" => vm.heap.string("x86_64-pc-linux-gnu"),
        "time_warp_mode" => Term::atom(vm.atoms.intern("no_time_warp")),
        "os_type" => {
            let parts = ["unix", "linux"].map(|name| Term::atom(vm.atoms.intern(name)));
            vm.heap.tuple(&parts)
        }
        "machine" => vm.heap.string("BEAM"),
        "fullsweep_after" => vm.heap.tuple(&[a[0], Term::int(65535)]),
        "modified_timing_level" => Term::atom(atom::UNDEFINED),
        "garbage_collection" => Term::NIL,
        "features" => Map::empty(&mut vm.heap).term(),
        _ => return refuse(vm, "system_info", a),
    })
}

/// Refuses a call whose result depends on the real machine.
fn refuse(vm: &mut Vm, name: &str, arguments: &[Term]) -> Out {
    let shown: Vec<String> = arguments.iter().map(|argument| vm.show(*argument, 40)).collect();
    Err(vm.refuse_call(&format!("erlang:{name}({})", shown.join(", "))))
}

/// Returns the key under which the value of a variable of the environment is kept with persistent terms.
fn variable(vm: &mut Vm, name: &str) -> Term {
    let (tag, name) = (Term::atom(atom::DUMMY), vm.heap.binary(name.as_bytes()));
    vm.heap.tuple(&[tag, name])
}

/// Returns a variable of the environment: as the program has set it, or as it is where Mazurka runs.
fn getenv(vm: &mut Vm, name: Term, otherwise: Term) -> Out {
    let name = vm.text_of(name).ok_or_else(badarg)?;
    let outside = match std::env::var(&name) {
        Ok(value) => vm.heap.string(&value),
        Err(_) => otherwise,
    };
    let key = variable(vm, &name);
    vm.intend(Visible::PersistentGet, [key, outside, otherwise])
}

fn setenv(vm: &mut Vm, name: Term, value: Term) -> Out {
    let name = vm.text_of(name).ok_or_else(badarg)?;
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(badarg());
    }
    let key = variable(vm, &name);
    vm.intend(Visible::PersistentPut, [key, value, Term::bool(true)])
}
