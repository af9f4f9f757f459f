//! A check that hangs says which thread is stuck.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::thread;

/// Two threads that share a lock of the standard library.
#[test]
#[ignore = "hangs; run in a process of its own by the test below"]
fn scenario_of_a_lock_of_std() {
    mazurka::check(|| {
        let (lock, x) = (Arc::new(Mutex::new(())), Arc::new(AtomicUsize::new(0)));
        let (their_lock, their_x) = (Arc::clone(&lock), Arc::clone(&x));
        let worker = thread::Builder::new().name("worker".to_owned());
        let worker = worker.spawn(move || {
            their_x.load(SeqCst);
            let _guard = their_lock.lock();
            their_x.store(1, SeqCst);
        });
        let guard = lock.lock();
        x.store(2, SeqCst);
        x.store(3, SeqCst);
        drop(guard);
        worker.unwrap().join().unwrap();
    });
}

#[test]
fn a_thread_that_is_stuck_is_named() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "scenario_of_a_lock_of_std", "--ignored", "--nocapture"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("is stuck"));
    child.kill().unwrap();
    child.wait().unwrap();
    let line = line.expect("the child process says so before it ends");
    assert!(line.contains("'worker'") || line.contains("'main'"), "{line}");
    assert!(line.contains("tests/watchdog.rs"), "{line}");
}
