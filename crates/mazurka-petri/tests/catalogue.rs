//! The nets of the catalogue.

use std::path::Path;

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options, UnfoldingOptions};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_petri::{Goal, Net, NetProgram};
use mazurka_report::Subject;

fn net(name: &str) -> Net {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs").join(name);
    Net::from_pnml(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn check(program: &NetProgram, cut_offs: bool) -> Verdict {
    let options = Options {
        algorithm: Algorithm::Unfolding,
        keep_going: true,
        unfolding: UnfoldingOptions { cut_offs, ..UnfoldingOptions::default() },
        ..Options::default()
    };
    NetProgram::explore(&mut program.start().unwrap(), &options, &mut ())
}

#[test]
fn figure_2_has_four_configurations_and_six_events() {
    let verdict = check(&NetProgram::new(net("read_arcs.pnml")), false);
    let statistics = verdict.unfolding.unwrap();
    assert_eq!((verdict.executions, statistics.events), (4, 6));
}

#[test]
fn philosophers_starve_if_each_has_one_fork() {
    let program = NetProgram::new(net("philosophers.pnml"));
    let verdict = check(&program, true);
    assert!(verdict.is_complete());
    let [deadlock] = verdict.violations.as_slice() else { panic!("{:?}", verdict.violations) };
    assert_eq!(deadlock.kind, ViolationKind::Deadlock);
    let expected = "tokens are in has left 1, has left 2, has left 3 only";
    assert!(deadlock.message.ends_with(expected), "{deadlock}");
    let recording = program.record(&deadlock.schedule);
    assert_eq!(recording.violation.map(|v| v.kind), Some(ViolationKind::Deadlock));
    assert_eq!(recording.lines[0].text, "takes fork 1, thinks 1; puts has left 1");
}

#[test]
fn two_neighbours_do_not_eat_at_once() {
    let net = net("philosophers.pnml");
    let found = |marking: &str| {
        let goal = Goal::parse(marking, &net).unwrap();
        let verdict = check(&NetProgram::new(net.clone()).with_goal(goal), true);
        assert!(verdict.is_complete());
        !verdict.violations.is_empty()
    };
    assert!(found("eats 1") && found("has left 1, has left 2, !fork 3"));
    assert!(!found("eats 1, eats 2") && !found("eats 1, fork 1"));
}
