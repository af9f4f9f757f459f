//! How the check is called, and the line that runs it again.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::sync::OnceLock;

use mazurka_core::verdict::Schedule;

/// Settings that change what the program does, so that a schedule is one of the program only
/// with the same ones.
const PART_OF_THE_PROGRAM: [&str; 4] = [
    "MAZURKA_SPURIOUS_FAILURES",
    "MAZURKA_SPURIOUS_WAKEUPS",
    "MAZURKA_SPURIOUS_POLLS",
    "MAZURKA_STACK_SIZE",
];

/// The name of the test that runs, or of the program.
pub(crate) fn name() -> Cow<'static, str> {
    test().map_or_else(|| Cow::Borrowed(program().unwrap_or("check")), Cow::Owned)
}

/// The line for a shell that replays a schedule.
pub(crate) fn replay(schedule: &Schedule) -> String {
    let mut line = String::new();
    if !schedule.steps().is_empty() {
        // Under a memory model it has characters that a shell would interpret.
        line.push_str(&format!("MAZURKA_REPLAY={} ", quoted(&schedule.to_string())));
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
    executable().is_some_and(|executable| executable.is_test)
}

/// What there is to know of the program that runs.
struct Executable {
    /// Its name, if that can be shown.
    name: Option<String>,
    is_test: bool,
}

fn executable() -> Option<&'static Executable> {
    // Every check asks, and some take no longer than the operating system does to answer.
    static EXECUTABLE: OnceLock<Option<Executable>> = OnceLock::new();
    let look = || {
        let path = std::env::current_exe().ok()?;
        let stem = path.file_stem().and_then(OsStr::to_str);
        let name = stem.map(|stem| without_hash(stem).to_owned());
        let is_test = path.parent().is_some_and(|directory| directory.ends_with("deps"));
        Some(Executable { name, is_test })
    };
    EXECUTABLE.get_or_init(look).as_ref()
}

/// The test that runs: the harness names the thread after it.
fn test() -> Option<String> {
    let thread = std::thread::current();
    thread.name().filter(|name| *name != "main" && is_test_binary()).map(str::to_owned)
}

fn program() -> Option<&'static str> {
    executable()?.name.as_deref()
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
