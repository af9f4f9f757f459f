//! Checks that are saved and continued.
//!
//! Each test runs one of the subjects in processes of its own, which share a directory for checkpoints.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use mazurka::sync::atomic::{AtomicUsize, Ordering};
use mazurka::sync::{Mutex, mpsc};
use mazurka::{Check, Verdict, thread};

/// Prints what a search has found.
fn print(verdict: &Verdict) {
    let Verdict { algorithm, executions, blocked, stopped, restarts, .. } = verdict;
    println!("verdict: {algorithm} {executions} {blocked} {stopped:?} {}", restarts.len());
    println!("violations: {}", verdict.violations.len());
}

/// Counts under a lock, with values whose destructor takes steps, and messages.
#[test]
fn subject() {
    struct Farewell(mpsc::Sender<u32>);
    impl Drop for Farewell {
        fn drop(&mut self) {
            let _ = self.0.send(7);
        }
    }
    let verdict = Check::new().run(|| {
        let (sender, receiver) = mpsc::channel();
        let farewell = mazurka::sync::Arc::new(Farewell(sender));
        let count = Arc::new(Mutex::new(0));
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let (farewell, count) = (farewell.clone(), count.clone());
                thread::spawn(move || {
                    *count.lock().unwrap() += 1;
                    drop(farewell);
                })
            })
            .collect();
        drop(farewell);
        assert_eq!(receiver.recv(), Ok(7));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    print(&verdict);
}

/// Uses orderings that make the check switch to another explorer.
#[test]
fn weak_subject() {
    let verdict = Check::new().run(|| {
        let x = Arc::new([const { AtomicUsize::new(0) }; 2]);
        let threads: Vec<_> = (0..3)
            .map(|index| {
                let x = Arc::clone(&x);
                thread::spawn(move || {
                    x[index % 2].fetch_add(1, Ordering::Relaxed);
                    x[1 - index % 2].load(Ordering::Acquire)
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| {
            thread.join().unwrap();
        });
    });
    print(&verdict);
}

/// Has a violation only after most executions.
#[test]
fn failing_subject() {
    let verdict = Check::new().run(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..4)
            .map(|index| {
                let x = Arc::clone(&x);
                thread::spawn(move || {
                    x.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| Some(n * 10 + index))
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| {
            thread.join().unwrap().unwrap();
        });
        assert_ne!(x.load(Ordering::SeqCst), 3210);
    });
    print(&verdict);
}

/// A directory for checkpoints that is removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mazurka-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Directory(path)
    }

    fn files(&self) -> usize {
        std::fs::read_dir(&self.0).map_or(0, Iterator::count)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn start(subject: &str, directory: Option<&Path>, variables: &[(&str, &str)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", subject, "--nocapture"]).envs(variables.iter().copied());
    if let Some(directory) = directory {
        command.env("MAZURKA_CHECKPOINT", directory);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn run(subject: &str, directory: Option<&Path>, variables: &[(&str, &str)]) -> Output {
    start(subject, directory, variables).wait_with_output().unwrap()
}

/// Returns what [`print`] has printed.
fn verdict(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let from = text.find("verdict: ").unwrap_or_else(|| {
        panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr));
    });
    let lines: Vec<_> = text[from..].lines().take(2).collect();
    lines.join("\n")
}

#[test]
fn a_check_that_is_stopped_often_counts_the_same() {
    for (subject, executions) in
        [("subject", "700"), ("weak_subject", "3"), ("failing_subject", "40")]
    {
        for workers in ["1", "2"] {
            let directory = Directory::new(&format!("stopped-{subject}-{workers}"));
            let whole = verdict(&run(subject, None, &[]));
            assert!(whole.contains("None 1") || whole.contains("violations: 1"), "{whole}");
            let limits = [("MAZURKA_MAX_EXECUTIONS", executions), ("MAZURKA_WORKERS", workers)];
            let mut runs = 0;
            let last = loop {
                runs += 1;
                assert!(runs < 1_000, "{subject} does not end");
                let output = run(subject, Some(&directory.0), &limits);
                let verdict = verdict(&output);
                if !verdict.contains("Some(Executions)") {
                    break verdict;
                }
                assert_eq!(directory.files(), 1, "{verdict}");
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(said.contains("the next run of the test continues it"), "{said}");
            };
            assert!(runs > 2, "{subject}: {runs} runs, {last}");
            if subject != "failing_subject" {
                assert_eq!(last, whole, "{subject} with {workers} workers");
            }
            assert_eq!(last.contains("violations: 1"), subject == "failing_subject", "{last}");
            assert_eq!(directory.files(), 0);
        }
    }
}

#[test]
fn a_check_that_is_killed_often_counts_the_same() {
    let directory = Directory::new("killed");
    let whole = verdict(&run("subject", None, &[]));
    let every = [("MAZURKA_CHECKPOINT_EVERY", "2ms")];
    for round in 0..12 {
        let mut child = start("subject", Some(&directory.0), &every);
        std::thread::sleep(Duration::from_millis(5 + 7 * (round % 10)));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            assert_eq!(verdict(&output), whole);
        }
    }
    assert_eq!(verdict(&run("subject", Some(&directory.0), &every)), whole);
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let directory = Directory::new("refused");
    let stopped = [("MAZURKA_MAX_EXECUTIONS", "3")];
    run("subject", Some(&directory.0), &stopped);
    let optimal = [("MAZURKA_ALGORITHM", "optimal")];
    let said = |output: Output| String::from_utf8(output.stderr).unwrap();
    let error = said(run("subject", Some(&directory.0), &optimal));
    assert!(error.contains("algorithm was `observers`, and is `optimal` now"), "{error}");
    let source = [("MAZURKA_ALGORITHM", "source")];
    let other = Directory::new("refused-explorer");
    let error = said(run("subject", Some(&other.0), &source));
    assert!(error.contains("checkpoints need the explorer"), "{error}");
    let file = std::fs::read_dir(&directory.0).unwrap().next().unwrap().unwrap().path();
    let mut bytes = std::fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let error = said(run("subject", Some(&directory.0), &[]));
    assert!(error.contains("the checkpoint is damaged"), "{error}");
}
