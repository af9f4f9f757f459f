//! What a check says, to people and to programs.

use crate::{Scratch, check, run, run_with};

#[test]
fn json_is_one_object_with_stable_names() {
    let said = run("check programs/lastwrite.c -D N=4 --algorithm optimal --json").expect(0);
    for (name, value) in [
        ("algorithm", "optimal"),
        ("program", "programs/lastwrite.c"),
        ("N", "4"),
        ("executions", "24"),
        ("blocked", "0"),
        ("complete", "true"),
        ("stopped", "null"),
        ("violations", ""),
        ("warnings", ""),
    ] {
        assert_eq!(said.member(name), value, "{name} in {}", said.all());
    }
    for name in ["seconds", "rate", "events", "max_depth"] {
        assert!(said.member(name).parse::<f64>().is_ok(), "{name} in {}", said.all());
    }
    assert_eq!(said.stdout.lines().count(), 1, "{}", said.all());
    assert!(said.stderr.contains("24 executions, and all are fine"), "{}", said.all());
}

#[test]
fn a_violation_is_a_table_with_the_line_that_replays_it() {
    let said = run("check programs/lost_update.c -D N=2 --json").expect(1);
    assert_eq!(said.member("kind"), "assertion");
    for part in ["Mazurka found a failed assertion", "counter → 0", "counter = 1", "lost_update.c:"]
    {
        assert!(said.stderr.contains(part), "no `{part}` in:\n{}", said.all());
    }
    let line = said.stderr.lines().find(|line| line.contains("mazurka replay")).unwrap();
    assert!(line.ends_with("-D N=2"), "{line}");
    let again = run(line.trim().strip_prefix("mazurka ").unwrap()).expect(1);
    assert!(again.stdout.starts_with("Mazurka replayed a schedule, and found"), "{}", again.all());
    assert!(again.stdout.contains("counter = 1"), "{}", again.all());
}

#[test]
fn a_schedule_that_does_not_fail_is_shown_too() {
    let said = run("replay programs/lost_update.c 1-1-2-2").expect(0);
    assert!(said.stdout.contains("it does not fail"), "{}", said.all());
    assert!(said.stdout.contains("counter = 2"), "{}", said.all());
}

#[test]
fn traces_are_files_to_replay() {
    for name in ["trace.txt", "trace.json"] {
        let file = Scratch::new(name, "");
        let line = format!("check programs/abba_deadlock.c --trace {}", file.path().display());
        run(&line).expect(1);
        let said = run_with("replay programs/abba_deadlock.c", &[file.path()]).expect(1);
        assert!(said.stdout.contains("found a deadlock"), "{}", said.all());
    }
}

#[test]
fn violations_are_many_if_asked_for() {
    let said = run("check programs/dining_philosophers.c --keep-going --json").expect(1);
    assert_eq!(said.member("executions"), "7");
    assert_eq!(said.member("complete"), "true");
}

#[test]
fn explorers_are_compared_in_a_table() {
    let line = "compare programs/lastwrite.c -D N=4 --algorithms optimal,observers";
    let said = run(line).expect(0);
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<_> = said.stdout.lines().map(cells).collect();
    assert_eq!(rows.len(), 3, "{}", said.all());
    assert_eq!(rows[0][..4], ["explorer", "executions", "blocked", "events"]);
    assert_eq!(rows[1][..3], ["optimal", "24", "0"]);
    assert_eq!(rows[2][..3], ["observers", "4", "0"]);
    let json = run(&format!("{line} --json")).expect(0);
    assert!(json.stdout.contains(r#""runs":[{"algorithm":"optimal","executions":24,"#));
}

#[test]
fn an_execution_is_a_drawing() {
    let file = Scratch::new("graph.svg", "");
    run_with("check programs/lost_update.c -D N=2 --svg", &[file.path()]).expect(1);
    let svg = std::fs::read_to_string(file.path()).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for part in ["counter → 0", "class=\"edge", "class=\"wrong\""] {
        assert!(svg.contains(part), "no `{part}` in:\n{svg}");
    }
}

/// Three threads store, and main loads: `optimal` reverses the stores, and puts explored ones to
/// sleep.
#[test]
fn a_search_tree_shows_races_and_sleep_sets() {
    let file = Scratch::new("tree.html", "");
    let tree = |line: &str, code| {
        run_with(&format!("check {line} --tree"), &[file.path()]).expect(code);
        std::fs::read_to_string(file.path()).unwrap()
    };
    let page = tree("programs/lastwrite.c -D N=3 -a optimal", 0);
    assert_eq!(page.matches("<li>").count(), 6, "{page}");
    assert_eq!(page.matches("Reverses a race").count(), 5, "{page}");
    assert!(page.contains("asleep: ") && page.contains("Asleep there: "), "{page}");
    let page = tree("programs/lastzero.c -D N=4 -a source", 0);
    assert_eq!(page.matches("<li>").count(), 28 + 7, "{page}");
    assert_eq!(page.matches("Redundant: all are asleep").count(), 7, "{page}");
    // The search stops at a violation.
    let page = tree("programs/lost_update.c -D N=2", 1);
    assert!(page.contains("Failed assertion.</li>\n</ol>"), "{page}");
    // Only the first executions are drawn.
    let page = tree("programs/lastwrite.c -D N=6 -a optimal", 0);
    assert_eq!(page.matches("<li>").count(), 200);
    assert!(page.contains("The search has more executions"));
    let page = tree("programs/events_figure_5.trace -a optimal", 0);
    assert!(page.contains("Reverses a race"), "{page}");
    let page = tree("programs/philosophers.pnml -a unfolding", 1);
    assert!(page.contains("deadlock"), "{page}");
    let page = tree("programs/lock.erl --call lock:test(2) --ignore deadlock -a optimal", 0);
    assert_eq!(page.matches("<li>").count(), 4, "{page}");
    run_with("check --all --tree", &[file.path()]).refuses(&["`--tree`", "name its file"]);
}

#[test]
fn the_explorers_are_listed() {
    let said = run("explorers").expect(0);
    assert!(said.stdout.lines().any(|line| line.starts_with("optimal ")), "{}", said.all());
}

#[test]
fn there_are_completions_and_man_pages() {
    assert!(run("completions bash").expect(0).stdout.contains("--algorithm"));
    assert!(run("man").expect(0).stdout.contains(".TH mazurka 1"));
    assert!(run("man check").expect(0).stdout.contains("max\\-executions"));
}

#[test]
fn every_pair_of_racing_lines_is_a_violation_of_its_own_and_replayed_as_such() {
    let program = Scratch::new(
        "races.c",
        "#include <pthread.h>
         int x, y;
         void *first(void *arg) { x = 1; y = 2; return 0; }
         void *second(void *arg) {
             x = 3;
             return (void *)(long)y;
         }
         int main(void) {
             pthread_t a, b;
             pthread_create(&a, 0, first, 0);
             pthread_create(&b, 0, second, 0);
             pthread_join(a, 0);
             pthread_join(b, 0);
             return 0;
         }",
    );
    let line = "check --races error --keep-going --algorithm optimal";
    let said = run_with(line, &[program.path()]).expect(1);
    assert!(said.stderr.contains("2 violations"), "{}", said.all());
    assert!(said.stderr.contains("  the memory     `y`"), "{}", said.all());
    // The second one is what its own schedule leads to, although the first comes before it.
    let mut lines = said.stderr.lines().filter(|line| line.contains("mazurka replay"));
    let line = lines.nth(1).unwrap().trim().strip_prefix("mazurka ").unwrap();
    let again = run(line).expect(1);
    assert!(again.stdout.contains("the memory     `y`"), "{}", again.all());
}

/// The writer publishes `data` without a release store. The reader runs first, so that the explorer finds
/// the violation by a revisit, and its schedule has a context switch that is not necessary.
const MISSING_RELEASE: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, flag, busy;

void *reader(void *arg) {
  atomic_fetch_add_explicit(&busy, 1, memory_order_relaxed);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 1)
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  return 0;
}

void *writer(void *arg) {
  atomic_fetch_add_explicit(&busy, 1, memory_order_relaxed);
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, RELEASE);
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, reader, 0);
  pthread_create(&u, 0, writer, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
";

#[test]
fn a_missing_release_in_c_is_explained_without_needless_context_switches() {
    let relaxed = "--memory-model rc11 --json -D RELEASE=memory_order_relaxed";
    let said = check(MISSING_RELEASE, relaxed).expect(1);
    let text = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "It fails because `flag → 1` (step 5, thread 1 (reader), ",
        ":9) reads `flag = 1` (step 3, thread 2 (writer), ",
        ":17), and not the initial value; and `data → 0` (step 6, thread 1 (reader), ",
        ":10) reads the initial value, and not `data = 1` (step 2, thread 2 (writer), ",
        "If a single one of these choices is different, it passes.",
        "data → 0 (initial value; not yet data = 1, line 16)",
        // The writer runs as a whole, and the reader after it.
        " 'rc11:2x3-1x2-1<0' ",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{}", said.all());
    }
    let reads = r#""reads":[{"from":3,"instead":0,"step":5},{"from":0,"instead":2,"step":6}]"#;
    assert!(said.stdout.contains(reads), "no {reads} in:\n{}", said.all());
    // Without an explanation, the schedule is the one that the explorer found.
    let said = check(MISSING_RELEASE, &format!("{relaxed} --explain 0s")).expect(1);
    assert!(said.stderr.contains("'rc11:1-2x3-1-1<0'"), "{}", said.all());
    let release = "--memory-model rc11 -D RELEASE=memory_order_release";
    check(MISSING_RELEASE, release).expect(0);
}

#[test]
fn store_buffering_in_c_is_explained() {
    let said = check(
        "#include <assert.h>
         #include <pthread.h>
         #include <stdatomic.h>
         atomic_int x, y;
         int a, b;
         void *left(void *arg) {
             atomic_store_explicit(&x, 1, memory_order_release);
             a = atomic_load_explicit(&y, memory_order_acquire);
             return 0;
         }
         void *right(void *arg) {
             atomic_store_explicit(&y, 1, memory_order_release);
             b = atomic_load_explicit(&x, memory_order_acquire);
             return 0;
         }
         int main(void) {
             pthread_t t, u;
             pthread_create(&t, 0, left, 0);
             pthread_create(&u, 0, right, 0);
             pthread_join(t, 0);
             pthread_join(u, 0);
             assert(a == 1 || b == 1);
         }",
        "--memory-model rc11",
    );
    let said = said.expect(1);
    let text = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "It fails because `y → 0` (step ",
        " reads the initial value, and not `y = 1` (step ",
        "; and `x → 0` (step ",
        " reads the initial value, and not `x = 1` (step ",
        "If a single one of these choices is different, it passes.",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{}", said.all());
    }
}
