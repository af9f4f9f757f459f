//! What a check says, to people and to programs.

use crate::{Scratch, run, run_with};

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
