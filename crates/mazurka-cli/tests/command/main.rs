//! The command as people run it.

mod bad_input;
mod bounds;
mod checkpoints;
mod configuration;
mod examples;
mod formats;
mod nets;
mod opening;
mod projects;
mod properties;
mod reports;
mod sampling;
mod schema;
mod symmetry;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a run of the command said, and its exit code.
struct Said {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Said {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        Said { code: output.status.code(), stdout, stderr }
    }

    /// Everything, for the messages of assertions.
    fn all(&self) -> String {
        format!("exit code {:?}\n{}\n{}", self.code, self.stdout, self.stderr)
    }

    #[track_caller]
    fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.all());
        self
    }

    /// Bad input: exit code 2, nothing on standard output, and these words in the complaint.
    #[track_caller]
    fn refuses(self, words: &[&str]) {
        let said = self.expect(2);
        assert!(said.stdout.is_empty(), "{}", said.all());
        for word in words {
            assert!(said.stderr.contains(word), "no `{word}` in:\n{}", said.all());
        }
    }

    /// The value of a member of the JSON object on standard output, as text.
    #[track_caller]
    fn member(&self, name: &str) -> &str {
        let found = self.stdout.split_once(&format!("\"{name}\":"));
        let Some((_, rest)) = found else { panic!("no `{name}` in:\n{}", self.all()) };
        rest.split([',', '}', ']']).next().unwrap_or_default().trim_matches(['"', '['])
    }
}

/// The command, in the repository's root.
fn mazurka() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.current_dir(root()).env("COLUMNS", "100").env_remove("MAZURKA_PROGRESS");
    command
}

/// Runs it with these words.
#[track_caller]
fn run(line: &str) -> Said {
    run_with(line, &[])
}

/// Runs the command, with more arguments.
#[track_caller]
fn run_with(line: &str, more: &[&Path]) -> Said {
    let words = line.split_whitespace();
    let output = mazurka().args(words).args(more).output().expect("the command starts");
    Said::of(&output)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file that goes away.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let unique = format!("mazurka-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let directory = std::env::temp_dir().join(unique);
        let path = directory.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        Scratch(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let temporary = std::env::temp_dir();
        let own = self.0.ancestors().find(|path| path.parent() == Some(&temporary));
        let _ = std::fs::remove_dir_all(own.unwrap());
    }
}

/// Checks a program given by its text.
#[track_caller]
fn check(text: &str, options: &str) -> Said {
    let file = Scratch::new("program.c", text);
    run_with(&format!("check {options}"), &[file.path()])
}
