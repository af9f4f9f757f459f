//! Samplers and scouts.

use serde_json::Value;

use crate::run;

#[test]
fn samplers_find_a_bug_and_never_say_complete() {
    for explorer in ["random", "pct", "pos", "surw"] {
        let line =
            format!("check programs/lost_update.c -a {explorer} --samples 200 --seed 1 --json");
        let said = run(&line).expect(1);
        assert_eq!(said.member("kind"), "assertion");
        let line = format!("check programs/lastwrite.c -D N=3 -a {explorer} --samples 200 --json");
        let said = run(&line).expect(3);
        assert_eq!((said.member("complete"), said.member("stopped")), ("false", "samples"));
        assert_eq!(
            (said.member("samples"), said.member("classes")),
            ("200", "6"),
            "{}",
            said.all()
        );
        assert!(said.stderr.contains("in 6 classes"), "{}", said.all());
    }
}

#[test]
fn a_seed_runs_the_same_samples() {
    let line = "check programs/lost_update.c -D N=4 -a pos --samples 500 --seed 9 --json";
    let (one, other) = (run(line).expect(1), run(line).expect(1));
    assert_eq!(one.member("schedule"), other.member("schedule"));
    assert_eq!(one.member("executions"), other.member("executions"));
}

/// A program of each front end.
const PROGRAMS: [&str; 4] = [
    "programs/lost_update.c -D N=3",
    "programs/lock.erl --call lock:test(3)",
    "programs/events_figure_5.trace",
    // Its executions may be endless.
    "programs/philosophers.pnml --max-depth 300",
];

#[test]
fn every_front_end_samples_alike_with_any_number_of_workers() {
    for program in PROGRAMS {
        for explorer in ["random", "pct", "pos", "surw"] {
            let sample = |workers: u32| {
                let line = format!(
                    "check {program} -a {explorer} --samples 300 --seed 4 --keep-going --explain 0 \
                     --workers {workers} --json"
                );
                let said = run(&line);
                assert!(matches!(said.code, Some(1 | 3)), "{line}: {}", said.all());
                let mut verdict: Value = serde_json::from_str(&said.stdout).unwrap();
                assert_eq!(verdict["sampling"]["samples"], 300, "{line}: {}", said.all());
                assert_eq!(verdict["complete"], false, "{line}: {}", said.all());
                for measured in ["seconds", "cpu_seconds", "rate", "peak_memory"] {
                    verdict[measured].take();
                }
                verdict
            };
            assert_eq!(sample(1), sample(2), "{program}, {explorer}");
        }
    }
}

#[test]
fn pct_says_what_it_guarantees() {
    let said =
        run("check programs/lastwrite.c -D N=3 -a pct --samples 50 --bug-depth 2 --json").expect(3);
    assert_eq!(said.member("bug_depth"), "2");
    let probability: f64 = said.member("bug_probability").parse().unwrap();
    assert!(probability > 0.0 && probability < 1.0, "{}", said.all());
    assert!(said.stderr.contains("a bug of depth 2 is found by one sample"), "{}", said.all());
}

#[test]
fn options_of_samplers_need_one() {
    run("check programs/lost_update.c --samples 5").refuses(&["`--samples`", "--algorithm random"]);
    run("check programs/lost_update.c -a pos --bug-depth 2").refuses(&["--algorithm pct"]);
    run("check programs/lost_update.c -a pos --samples 0").refuses(&["at least 1"]);
}

#[test]
fn scouts_are_counted_apart() {
    // More than 1,000 executions send ten scouts.
    let said = run("check programs/lastwrite.c -D N=7 -a optimal --json").expect(0);
    assert_eq!(said.member("executions"), "5040");
    assert!(said.member("scouts").parse::<u64>().unwrap() >= 10, "{}", said.all());
}
