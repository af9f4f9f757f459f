//! Petri nets, and the explorer that is for them.

use crate::{Scratch, run, run_with};

#[test]
fn deadlocks_of_a_net_are_shown() {
    let said = run("check programs/philosophers.pnml --algorithm unfolding").expect(1);
    for words in ["deadlock", "no transition can fire", "take left 1", "mazurka replay"] {
        assert!(said.stderr.contains(words), "no `{words}` in:\n{}", said.all());
    }
}

#[test]
fn a_marking_can_be_reached_or_not() {
    let line = "check programs/philosophers.pnml --algorithm unfolding --json";
    let said = run_with(line, &["--marking".as_ref(), "eats 1,eats 2".as_ref()]).expect(0);
    assert_eq!(said.member("complete"), "true");
    // Who eats has the forks 1 and 2, of which the second is the left one of philosopher 2.
    run_with(line, &["--marking".as_ref(), "eats 1,has left 2".as_ref()]).expect(0);
    run_with(line, &["--marking".as_ref(), "eats 1,has left 3".as_ref()]).expect(1);
    let said = run_with(line, &["--marking".as_ref(), "eats 4".as_ref()]).expect(2);
    for words in ["no place `eats 4`", "`eats 3`"] {
        assert!(said.stderr.contains(words) && said.stdout.contains(words), "{}", said.all());
    }
}

#[test]
fn what_the_unfolding_is_like_is_told() {
    let said = run("check programs/read_arcs.pnml -a unfolding --no-cutoffs -k --json").expect(1);
    assert_eq!(said.member("executions"), "4");
    assert_eq!(said.member("maximal_configurations"), "4");
    assert!(said.stderr.contains("6 events"), "{}", said.all());
}

#[test]
fn programs_that_loop_for_ever_are_proved() {
    let said =
        run("check programs/peterson.c -a unfolding --no-awaits --races off --json").expect(0);
    assert_eq!(said.member("complete"), "true");
    assert!(said.stderr.contains("cut-off"), "{}", said.all());
}

#[test]
fn options_are_refused_where_they_mean_nothing() {
    run("check programs/peterson.c --cache 10").refuses(&["`--cache`", "unfolding"]);
    run("check programs/peterson.c -a unfolding --alternatives 0").refuses(&["at least 1"]);
    run("check programs/read_arcs.pnml -D N=3").refuses(&["`-D` does not apply", "pnml"]);
    let net =
        Scratch::new("broken.pnml", "<pnml>\n<net id=\"n\">\n<place id=\"p\"/>\n</net></pnml>");
    run_with("check", &[net.path()]).refuses(&["broken.pnml:2: the net has no transition"]);
}
