//! Random programs on the real machine: `erl` ends each of them in a way that Mazurka finds, too.
//!
//! `MAZURKA_RANDOM=N` tries N programs, starting with the seed `MAZURKA_SEED`.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use common::scripts::{Random, number, script};
use common::{Outcome, every_outcome};
use mazurka_core::search::Algorithm;

/// The most executions for which a program is compared.
const MOST: u64 = 5_000;

/// Acts that are not compared.
const NOT_COMPARED: [&str; 19] = [
    // Their results include processes, tables and terms outside of the program.
    "registered]",
    "registered,",
    "processes",
    "tables",
    "all_kept",
    // The real machine answers other queries by messages, which these acts see.
    "{info,message",
    // The result depends on when the real machine handles the notification of an end.
    "[info]",
    "info]}",
    // These loops may never end.
    "{poll,",
    "{acquire,",
    "{await",
    // The group leader of the real machine is no process of the program.
    "leader",
    // The code server of the real machine answers later than the other processes come to rest.
    "load",
    "purge",
    "delete_code",
    "has_old_code",
    "exported",
    "call,",
    "call]",
];

/// Maps the names of all processes to those of `real.erl`, which has no names for timers.
fn names(outcome: &Outcome) -> BTreeMap<&str, String> {
    let symbols = outcome.processes.iter().filter(|text| !is_timer(text)).map(|text| symbol(text));
    let ranks = |symbol: &str| -> Vec<u32> {
        symbol.split('.').skip(1).map(|rank| rank.parse().expect("it is a number")).collect()
    };
    let mut symbols: Vec<&str> = symbols.collect();
    // Parents come before their children, and the children of one parent are in order.
    symbols.sort_by_key(|symbol| ranks(symbol));
    let mut names = BTreeMap::new();
    let mut children: BTreeMap<&str, u32> = BTreeMap::new();
    for symbol in symbols {
        let name = match symbol.rsplit_once('.') {
            None => symbol.to_owned(),
            Some((parent, _)) => {
                let rank = children.entry(parent).or_default();
                *rank += 1;
                format!("{}.{rank}", names[parent])
            }
        };
        names.insert(symbol, name);
    }
    names
}

/// Returns whether a process of an outcome is a timer, which is a process to Mazurka alone.
fn is_timer(text: &str) -> bool {
    text.ends_with(" ended: ?")
}

/// Returns the process of a text such as `P.1/name ended: normal`, without its registered name.
fn symbol(text: &str) -> &str {
    text.split([' ', '/']).next().unwrap_or_default()
}

/// Removes the numbers of references, which differ between the two machines.
fn without_references(text: &str) -> String {
    let mut parts = text.split("#Ref<");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once('>').map_or("", |(_, rest)| rest);
        write!(result, "#Ref<>{rest}").unwrap();
    }
    result
}

/// Returns how the processes of an execution ended, in the words of `real.erl`.
fn ends(outcome: &Outcome) -> BTreeSet<String> {
    let names = names(outcome);
    let translate = |text: &str| {
        let mut parts = text.split('<');
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (process, rest) = part.split_once('>').unwrap_or((part, ""));
            let name = names.get(symbol(process)).map_or("", String::as_str);
            write!(result, "<{name}>{rest}").unwrap();
        }
        result
    };
    let end = |text: &String| {
        let name = &names[symbol(text)];
        match text.split_once(" ended: ") {
            Some((_, reason)) => {
                format!("{name} ended: {}", translate(&without_references(reason)))
            }
            None => format!("{name} waits"),
        }
    };
    outcome.processes.iter().filter(|text| !is_timer(text)).map(end).collect()
}

/// Runs programs on the real machine and returns how the processes of each program ended.
///
/// With a single scheduler, timers fire in order, so the comparison does not depend on the load.
fn run_on_erl(programs: &[String]) -> Vec<BTreeSet<String>> {
    let directory = std::env::temp_dir().join(format!("mazurka-real-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let modules = ["scripts.erl", "real.erl"].map(|name| sources.join(name));
    let mut erlc = Command::new("erlc");
    let compiled = erlc.args(["-W0", "-o"]).arg(&directory).args(modules).status();
    assert!(compiled.expect("Erlang/OTP is installed").success());
    let file = directory.join("programs.txt");
    let lines: String = programs.iter().map(|program| format!("{program}.\n")).collect();
    std::fs::write(&file, lines).unwrap();
    let eval = format!("real:run(\"{}\"), halt().", file.display());
    let mut erl = Command::new("erl");
    erl.args(["+S", "1", "-noshell", "-noinput", "-kernel", "logger_level", "none", "-pa"]);
    let output = erl.arg(&directory).args(["-eval", &eval]).output().expect("`erl` starts");
    let _ = std::fs::remove_dir_all(directory);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let ends = |line: &str| without_references(line).split(" | ").map(str::to_owned).collect();
    text.lines().map(ends).collect()
}

#[test]
fn the_real_machine_does_what_an_execution_does() {
    let (first, count) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 40));
    let is_compared = |call: &String| !NOT_COMPARED.iter().any(|act| call.contains(act));
    let calls = (first..first + count).map(|seed| Random(seed).call());
    let calls: Vec<String> = calls.filter(is_compared).collect();
    let argument =
        |call: &String| call.trim_start_matches("scripts:run(").trim_end_matches(')').to_owned();
    let real = run_on_erl(&calls.iter().map(argument).collect::<Vec<_>>());
    assert_eq!(real.len(), calls.len(), "the real machine runs all programs");
    let (mut compared, mut wrong) = (0, String::new());
    for (call, real) in calls.iter().zip(&real) {
        let Some((all, _)) = every_outcome(&script(call), Algorithm::Observers, MOST) else {
            continue;
        };
        let all: BTreeSet<BTreeSet<String>> = all.ends.iter().map(ends).collect();
        // Mazurka abbreviates long terms.
        if all.iter().flatten().any(|end| end.contains("...")) {
            continue;
        }
        compared += 1;
        if !all.contains(real) {
            writeln!(wrong, "{call}:\n  erl: {real:?}\n  mazurka: {all:?}").unwrap();
        }
    }
    println!("{compared} of {count} compared");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared > count / 4, "only {compared} of {count} programs are compared");
}
