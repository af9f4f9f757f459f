//! Checks of one test binary on a cluster: a NATS server on the loopback interface, and processes of this
//! binary. Without `nats-server`, the tests do nothing but say so.

use std::process::Command;
use std::time::{Duration, Instant};

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::sync::mpsc;
use mazurka::{Algorithm, Check, Coherence, Verdict, thread};
use mazurka_testkit::nats::{Process, Server};

/// Prints what a search has found.
fn print(verdict: &Verdict) {
    let Verdict { algorithm, executions, blocked, stopped, .. } = verdict;
    println!("verdict: {algorithm} {executions} {blocked} {stopped:?}");
}

/// Starts over when it learns how senders matter. It takes some seconds with three senders, and minutes with
/// four: it tells the orders of the stores apart.
fn subject(senders: usize) -> Verdict {
    let check = Check::new().algorithm(Algorithm::Graphs).coherence(Coherence::Total);
    explore(&check, senders)
}

fn explore(check: &Check, senders: usize) -> Verdict {
    check.run(move || send_and_receive(senders))
}

fn send_and_receive(senders: usize) {
    let (sender, receiver) = mpsc::channel();
    let counter = AtomicUsize::new(0);
    thread::scope(|s| {
        for number in 0..senders {
            let (sender, counter) = (sender.clone(), &counter);
            s.spawn(move || {
                counter.store(number, SeqCst);
                let _ = sender.send(number);
            });
        }
        drop(sender);
        while receiver.recv().is_ok() {}
    });
}

#[test]
#[ignore = "runs in processes of the tests below"]
fn long() {
    print(&subject(3));
}

/// Lasts for at least three seconds on any machine.
#[test]
#[ignore = "runs in processes of the tests below"]
fn slow() {
    let check = Check::new().algorithm(Algorithm::Graphs).coherence(Coherence::Total);
    let verdict = check.run(|| {
        std::thread::sleep(Duration::from_millis(10));
        send_and_receive(2);
    });
    assert!(verdict.stopped.is_some() || verdict.executions >= 300, "{verdict:?}");
    print(&verdict);
}

#[test]
#[ignore = "runs in a process of the tests below, which is killed"]
fn endless() {
    print(&subject(5));
}

/// Fails after the search has learnt how senders matter.
#[test]
#[ignore = "runs in processes of the tests below"]
fn failing() {
    Check::new().algorithm(Algorithm::Graphs).check(|| {
        let (sender, receiver) = mpsc::channel();
        let others: Vec<_> = (0..2)
            .map(|number| {
                let sender = sender.clone();
                thread::spawn(move || sender.send(number).unwrap())
            })
            .collect();
        drop(sender);
        let first = receiver.recv().unwrap();
        while receiver.recv().is_ok() {}
        others.into_iter().for_each(|other| other.join().unwrap());
        assert_eq!(first, 0, "the second was faster");
    });
}

#[test]
#[ignore = "runs in processes of the tests below"]
fn by_optimal() {
    print(&explore(&Check::new().algorithm(Algorithm::Optimal), 4));
}

#[test]
#[ignore = "runs in processes of the tests below"]
fn by_observers() {
    Check::new().algorithm(Algorithm::Observers).check(|| {
        mazurka::choose(2);
    });
}

/// Starts a process of this binary that runs one of the tests above.
fn start(server: &Server, test: &str) -> Process {
    start_with(server, test, &[])
}

fn start_with(server: &Server, test: &str, variables: &[(&str, &str)]) -> Process {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    command.env("MAZURKA_CLUSTER", server.url()).env("MAZURKA_WORKERS", "1");
    Process::start(command.env("MAZURKA_PROGRESS", "0").envs(variables.iter().copied()))
}

/// Returns the line about the verdict.
#[track_caller]
fn verdict(process: Process) -> String {
    let (code, stdout, stderr) = process.finish();
    assert_eq!(code, Some(0), "{stdout}\n{stderr}");
    let line = stdout.lines().find_map(|line| line.find("verdict: ").map(|at| &line[at..]));
    line.unwrap_or_else(|| panic!("no verdict:\n{stdout}\n{stderr}")).to_owned()
}

/// Returns the verdict of one process without a cluster.
fn alone() -> String {
    static ALONE: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    ALONE.get_or_init(|| alone_on("long")).clone()
}

fn alone_on(test: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("MAZURKA_WORKERS", "1");
    verdict(Process::start(&mut command))
}

/// Waits until `time` has passed, unless the process ends before.
fn wait(process: &mut Process, time: Duration) {
    let started = Instant::now();
    while started.elapsed() < time && !process.is_over() {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn processes_of_a_binary_share_a_check() {
    let Some(server) = Server::start("") else { return };
    let (first, second) = (start(&server, "long"), start(&server, "long"));
    assert_eq!(verdict(first), alone());
    assert_eq!(verdict(second), alone());
    // The verdict is kept for processes that come too late.
    let (_, stdout, stderr) = start(&server, "long").finish();
    assert!(stdout.contains(&alone()) && stderr.contains("already finished"), "{stdout}\n{stderr}");
}

#[test]
fn processes_of_a_binary_share_a_check_by_optimal() {
    let Some(server) = Server::start("") else { return };
    let (first, second) = (start(&server, "by_optimal"), start(&server, "by_optimal"));
    let alone = alone_on("by_optimal");
    assert_eq!(verdict(first), alone);
    assert_eq!(verdict(second), alone);
}

#[test]
fn another_process_takes_over() {
    let Some(server) = Server::start("") else { return };
    let mut first = start(&server, "slow");
    wait(&mut first, Duration::from_millis(700));
    let second = start(&server, "slow");
    wait(&mut first, Duration::from_millis(700));
    first.kill();
    assert_eq!(verdict(second), alone_on("slow"));
}

#[test]
fn a_check_that_was_stopped_goes_on() {
    let Some(server) = Server::start("") else { return };
    let limit = [("MAZURKA_TIME_LIMIT", "1s")];
    let stopped = verdict(start_with(&server, "slow", &limit));
    assert!(stopped.contains("Time"), "{stopped}");
    assert_eq!(verdict(start(&server, "slow")), alone_on("slow"));
}

#[test]
fn every_process_reports_a_violation() {
    let Some(server) = Server::start("") else { return };
    let (first, second) = (start(&server, "failing"), start(&server, "failing"));
    for process in [first, second] {
        let (code, stdout, stderr) = process.finish();
        assert_eq!(code, Some(101), "{stdout}\n{stderr}");
        assert!(stderr.contains("the second was faster"), "{stderr}");
        assert!(stderr.contains("MAZURKA_REPLAY="), "{stderr}");
        assert!(!stderr.contains("does not fit"), "{stderr}");
    }
}

#[test]
fn what_cannot_be_on_a_cluster_is_refused() {
    let Some(server) = Server::start("") else { return };
    let refused = |test: &str, variables: &[(&str, &str)], expected: &str| {
        let (code, stdout, stderr) = start_with(&server, test, variables).finish();
        assert_eq!(code, Some(101), "{stdout}\n{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    refused("by_observers", &[], "use `optimal`, `data-centric`, `graphs` or `naive`");
    refused("long", &[("MAZURKA_CHECKPOINT", "saved")], "leave out MAZURKA_CHECKPOINT");
    refused("long", &[("MAZURKA_CLUSTER", "nats://127.0.0.1:1")], "cannot be reached");
    refused("long", &[("MAZURKA_PREEMPTION_BOUND", "2")], "preemptions");
    // Other settings are another job, which would not share its work with this one.
    let mut first = start(&server, "endless");
    wait(&mut first, Duration::from_millis(700));
    refused("endless", &[("MAZURKA_MAX_DEPTH", "999")], "with other settings");
}
