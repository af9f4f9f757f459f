//! The commands of the book run as they are written, and print what the book shows.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use mazurka_book::{console, is_update, markdown, pages, root};

/// Stands in for cargo: nothing is built that is built already, and long runs are made short.
const CARGO: &str = r#"#!/bin/sh
# Runs an example; in a debug build cargo makes sure that it is up to date.
example() {
    package=$1 name=$2; shift 2
    case "$EXAMPLES" in */debug/examples)
        "$REAL_CARGO" build --quiet -p "$package" --example "$name" || exit 127 ;;
    esac
    exec "$EXAMPLES/$name" "$@"
}
case "$*" in
    "run --release -p mazurka-cli -- "*) shift 5; exec mazurka "$@" ;;
    "run --release -p "*" --example "*)
        package=$4 name=$6; shift 6; [ "$1" = -- ] && shift; example "$package" "$name" "$@" ;;
    "install --path "*) exec test -f "$3/Cargo.toml" -a -f "$3/src/main.rs" ;;
    "xtask oracle "* | "xtask loops "*)
        # Built by `cargo xtask test`; a few programs show that it runs.
        [ ! -x "$EXAMPLES/$2" ] || exec "$EXAMPLES/$2" --programs 3 ;;
    "xtask "*) exec grep -q "^  $2 " xtask/src/main.rs ;;
    *) echo "the tests of the book do not know this command: cargo $*"; exit 127 ;;
esac
"#;

/// A directory with the stand-ins, and the environment that uses them.
fn environment() -> Vec<(&'static str, String)> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("book");
    let (bin, home) = (directory.join("bin"), directory.join("home"));
    for directory in [&bin, &home, &root().join("target")] {
        fs::create_dir_all(directory).unwrap();
    }
    write_script(&bin.join("cargo"), CARGO);
    let mazurka = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_mazurka"));
    write_script(&bin.join("mazurka"), &mazurka);

    let this = std::env::current_exe().unwrap();
    let profile = this.ancestors().nth(2).expect("tests are in target/PROFILE/deps");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    vec![
        ("PATH", path),
        ("HOME", home.display().to_string()),
        ("NO_COLOR", "1".to_owned()),
        ("EXAMPLES", profile.join("examples").display().to_string()),
        ("REAL_CARGO", std::env::var("CARGO").unwrap_or("cargo".to_owned())),
        ("RUST_BACKTRACE", "0".to_owned()),
        // A replacement of HOME must not hide the toolchain.
        ("CARGO_HOME", home_of("CARGO_HOME", ".cargo")),
        ("RUSTUP_HOME", home_of("RUSTUP_HOME", ".rustup")),
    ]
}

fn home_of(variable: &str, default: &str) -> String {
    let default = || format!("{}/{default}", std::env::var("HOME").unwrap_or_default());
    std::env::var(variable).unwrap_or_else(|_| default())
}

fn write_script(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs the commands of a page, and returns what is wrong.
fn check(page: &Path, environment: &[(&str, &str)]) -> Vec<String> {
    let path = root().join(page);
    let mut text = fs::read_to_string(&path).unwrap();
    let mut wrong = Vec::new();
    // From the end, so that what is replaced does not move what is still to be replaced.
    for block in markdown::blocks(&text).iter().rev() {
        if block.language() != "console" {
            continue;
        }
        let commands = console::commands(block);
        let outcomes = console::run(&commands, &root(), environment).unwrap();
        for (command, outcome) in commands.iter().zip(&outcomes) {
            if is_update() && console::succeeds(command, outcome) {
                continue;
            }
            let complaint = console::complaint(command, outcome);
            let place = format!("{}:{}", page.display(), block.line);
            wrong.extend(complaint.map(|complaint| format!("{place}: {complaint}")));
        }
        if is_update() && commands.iter().any(|command| !command.shown.is_empty()) {
            text.replace_range(block.range.clone(), &console::updated(&commands, &outcomes));
        }
    }
    if is_update() {
        fs::write(&path, text).unwrap();
    }
    wrong
}

#[test]
fn the_commands_of_the_book_run_as_they_are_written() {
    let environment = environment();
    let environment: Vec<(&str, &str)> =
        environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let pages: Vec<PathBuf> = pages();
    // Two pages at a time: most of the time goes to clang.
    let (left, right) = pages.split_at(pages.len() / 2);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let run = |pages: &[PathBuf]| {
            pages.iter().flat_map(|page| check(page, &environment)).collect::<Vec<_>>()
        };
        let other = scope.spawn(move || run(right));
        [run(left), other.join().unwrap()].concat()
    });
    assert!(
        wrong.is_empty(),
        "{}\n\nIf the book is what is wrong: `cargo xtask docs --update`.",
        wrong.join("\n\n")
    );
}

/// The names in the first column of the tables of a page.
fn listed(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let name = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
    text.lines().filter_map(name).collect()
}

#[test]
fn every_member_of_the_json_is_listed() {
    let mut mazurka = std::process::Command::new(env!("CARGO_BIN_EXE_mazurka"));
    mazurka.args(["check", "examples/c/lost_update.c", "--json"]).current_dir(root());
    let output = mazurka.output().unwrap();
    let verdict: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdict = verdict.as_object().unwrap();
    let violation = verdict["violations"][0].as_object().unwrap();
    let listed = listed("docs/json.md");
    for name in verdict.keys().chain(violation.keys()) {
        assert!(listed.contains(name), "docs/json.md does not list `{name}`");
    }
    let kind = violation["kind"].as_str().unwrap();
    assert!(listed.iter().any(|name| name == kind), "docs/json.md does not list `{kind}`");
}
