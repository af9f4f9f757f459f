//! How the check is called, and the line that runs it again.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mazurka_core::verdict::Schedule;

/// Settings that change what the program does, so that a schedule is one of the program only
/// with the same ones.
const PART_OF_THE_PROGRAM: [&str; 3] =
    ["MAZURKA_SPURIOUS_FAILURES", "MAZURKA_SPURIOUS_WAKEUPS", "MAZURKA_STACK_SIZE"];

/// The name of the test that runs, or of the program.
pub(crate) fn name() -> String {
    test().unwrap_or_else(|| program().unwrap_or_else(|| "check".to_owned()))
}

/// The line for a shell that replays a schedule.
pub(crate) fn replay(schedule: &Schedule) -> String {
    let mut line = String::new();
    if !schedule.steps().is_empty() {
        line.push_str(&format!("MAZURKA_REPLAY={schedule} "));
    }
    for variable in PART_OF_THE_PROGRAM {
        if let Some(value) = std::env::var(variable).ok().filter(|value| !value.is_empty()) {
            line.push_str(&format!("{variable}={} ", quoted(&value)));
        }
    }
    line + &invocation()
}

fn invocation() -> String {
    if is_test_binary() {
        let filter = test().map(|name| format!(" {}", quoted(&name))).unwrap_or_default();
        return format!("cargo test{filter}");
    }
    let arguments: Vec<_> = std::env::args().map(|argument| quoted(&argument)).collect();
    arguments.join(" ")
}

/// Cargo puts the programs of tests, and nothing else that is run by hand, into `deps`.
fn is_test_binary() -> bool {
    let directory = executable().and_then(Path::parent);
    directory.is_some_and(|directory| directory.ends_with("deps"))
}

fn executable() -> Option<&'static Path> {
    // Every check asks, and some take no longer than the operating system does to answer.
    static EXECUTABLE: OnceLock<Option<PathBuf>> = OnceLock::new();
    EXECUTABLE.get_or_init(|| std::env::current_exe().ok()).as_deref()
}

/// The test that runs: the harness names the thread after it.
fn test() -> Option<String> {
    let thread = std::thread::current();
    thread.name().filter(|name| *name != "main" && is_test_binary()).map(str::to_owned)
}

fn program() -> Option<String> {
    let stem = executable()?.file_stem()?.to_str()?.to_owned();
    Some(without_hash(&stem).to_owned())
}

/// Cargo adds a hash to the names of test programs.
fn without_hash(stem: &str) -> &str {
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()) => {
            name
        }
        _ => stem,
    }
}

/// An argument for a shell.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    match !argument.is_empty() && argument.chars().all(plain) {
        true => argument.to_owned(),
        false => format!("'{}'", argument.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_this_test() {
        let line = replay(&"1x3-2-0".parse().unwrap());
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        match test.as_str() {
            // With one thread only, the harness runs tests on the main one.
            "main" => assert!(line.ends_with("cargo test"), "{line}"),
            test => assert!(line.ends_with(&format!("cargo test {test}")), "{line}"),
        }
        assert!(line.starts_with("MAZURKA_REPLAY=1x3-2-0 "), "{line}");
    }

    #[test]
    fn names_are_fit_for_people_and_shells() {
        assert_eq!(without_hash("checks-0123456789abcdef"), "checks");
        assert_eq!(without_hash("lost-update"), "lost-update");
        assert_eq!(quoted("bank::tests::a"), "bank::tests::a");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
