//! Settings from the environment.
//!
//! Each test runs [`subject`] in a process of its own, with other variables.

use std::process::{Command, Output};
use std::sync::Arc;

use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use mazurka::{Bound, Check, thread};

/// What the others run: it prints its verdict.
#[test]
fn subject() {
    let verdict = Check::new().run(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let x = Arc::clone(&x);
                thread::spawn(move || {
                    let seen = x.load(SeqCst);
                    x.compare_exchange_weak(seen, seen + 1, SeqCst, SeqCst).ok();
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(x.load(SeqCst), 2);
    });
    println!(
        "verdict: {} {} {:?} {}",
        verdict.algorithm,
        verdict.executions,
        verdict.stopped,
        verdict.violations.iter().map(|v| v.schedule.to_string()).collect::<Vec<_>>().join(",")
    );
}

/// One that takes some time.
#[test]
fn slow_subject() {
    let verdict = Check::new().run(|| {
        let x = Arc::new(AtomicUsize::new(0));
        for _ in 0..7 {
            let x = Arc::clone(&x);
            thread::spawn(move || x.fetch_add(1, SeqCst));
        }
    });
    match std::env::var("MAZURKA_TIME_LIMIT") {
        Ok(_) => assert_eq!(verdict.stopped, Some(Bound::Time)),
        Err(_) => assert_eq!((verdict.executions, verdict.stopped), (5040, None)),
    }
}

#[test]
fn the_time_can_be_limited() {
    let output = run("slow_subject", &[("MAZURKA_TIME_LIMIT", "0s")]);
    assert!(output.status.success(), "{}", String::from_utf8(output.stdout).unwrap());
}

fn run(subject: &str, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", subject, "--nocapture"]);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("MAZURKA_")) {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).env("RUST_BACKTRACE", "0").output().unwrap()
}

/// The algorithm, executions, bound and schedules that the subject prints.
fn verdict(variables: &[(&str, &str)]) -> Vec<String> {
    let output = run("subject", variables);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    // The harness writes on the same line.
    let (_, verdict) = text.split_once("verdict: ").expect(&text);
    verdict.lines().next().unwrap().split(' ').map(str::to_owned).collect()
}

fn complaint(name: &str, value: &str) -> String {
    let output = run("subject", &[(name, value)]);
    assert!(!output.status.success(), "{name}={value} was accepted");
    assert!(output.status.code().is_some(), "{name}={value} crashed");
    String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_environment_wins() {
    assert_eq!(verdict(&[])[0], "observers");
    assert_eq!(verdict(&[("MAZURKA_ALGORITHM", "naive")])[0], "naive");
    let all = [("MAZURKA_KEEP_GOING", "1"), ("MAZURKA_ALGORITHM", "optimal")];
    let found = verdict(&all);
    assert_eq!(found[1..3], ["4", "None"]);
    let weak = verdict(&[all[0], all[1], ("MAZURKA_SPURIOUS_FAILURES", "yes")]);
    assert!(weak[1].parse::<u32>().unwrap() > 4, "{weak:?}");
    assert_eq!(verdict(&[("MAZURKA_MAX_EXECUTIONS", "1")])[2], "Some(Executions)");
    assert_eq!(verdict(&[("MAZURKA_MAX_DEPTH", "2")])[2], "Some(Depth)");
    assert_eq!(verdict(&[("MAZURKA_PREEMPTION_BOUND", "0")])[2], "Some(Preemptions)");
    assert_eq!(verdict(&[("MAZURKA_ALGORITHM", "")])[0], "observers");
}

#[test]
fn samplers_run_the_samples_of_their_seed() {
    for sampler in ["random", "pct", "pos", "surw"] {
        let sample = |seed, workers| {
            verdict(&[
                ("MAZURKA_ALGORITHM", sampler),
                ("MAZURKA_SAMPLES", "50"),
                ("MAZURKA_SEED", seed),
                ("MAZURKA_WORKERS", workers),
                ("MAZURKA_KEEP_GOING", "1"),
            ])
        };
        let one = sample("1", "1");
        assert_eq!(one[..3], [sampler, "50", "Some(Samples)"]);
        assert!(!one[3].is_empty(), "{sampler} does not find the lost update: {one:?}");
        assert_eq!(sample("1", "2"), one, "{sampler} with two workers");
    }
    let deep = verdict(&[("MAZURKA_ALGORITHM", "pct"), ("MAZURKA_BUG_DEPTH", "1")]);
    assert_eq!(deep[2..], ["Some(Samples)", ""], "without a change of priorities nothing is lost");
}

#[test]
fn a_schedule_can_be_replayed() {
    let found = verdict(&[]);
    let schedule = &found[3];
    assert!(!schedule.is_empty(), "{found:?}");
    let again = verdict(&[("MAZURKA_REPLAY", schedule)]);
    assert_eq!((again[1].as_str(), &again[3]), ("1", schedule));
    // Without a preemption nothing is lost.
    assert_eq!(verdict(&[("MAZURKA_REPLAY", "1x2-2x2-0")])[3], "");
}

#[test]
fn a_bad_value_is_refused_with_what_is_allowed() {
    for (name, value, help) in [
        ("MAZURKA_ALGORITHM", "optmal", "optimal"),
        ("MAZURKA_MAX_EXECUTIONS", "many", "a number"),
        ("MAZURKA_MAX_DEPTH", "-1", "a number"),
        ("MAZURKA_TIME_LIMIT", "soon", "`90s`"),
        ("MAZURKA_PREEMPTION_BOUND", "2.5", "a number or `auto`"),
        ("MAZURKA_KEEP_GOING", "maybe", "`1` or `0`"),
        ("MAZURKA_REPLAY", "1-two", "`two` is not a part of a schedule"),
        ("MAZURKA_SPURIOUS_FAILURES", "2", "`1` or `0`"),
        ("MAZURKA_SPURIOUS_WAKEUPS", "perhaps", "`1` or `0`"),
        ("MAZURKA_SPURIOUS_POLLS", "some", "a number of polls"),
        ("MAZURKA_STACK_SIZE", "big", "bytes"),
        ("MAZURKA_ALGORITHM", "ptc", "pct"),
        ("MAZURKA_SAMPLES", "0", "1 or more"),
        ("MAZURKA_SEED", "lucky", "a number"),
        ("MAZURKA_BUG_DEPTH", "0", "1 or more"),
    ] {
        let complaint = complaint(name, value);
        assert!(complaint.contains(name), "{complaint}");
        assert!(complaint.contains(help), "no \"{help}\" in\n{complaint}");
    }
}
