//! The semantics of operations, and of rewinding.

use mazurka_core::explore::Checkable;
use mazurka_core::model::{Machine, Performed, ProcessId, Program, Step};
use mazurka_core::search::{Algorithm, Options};
use mazurka_trace::TraceProgram;

fn program(text: &str, dependence: &str) -> TraceProgram {
    let path = std::path::Path::new("dependence.txt");
    TraceProgram::parse("t.txt", text, Some((path, dependence))).unwrap()
}

fn executions(program: &TraceProgram, algorithm: Algorithm) -> u64 {
    let options = Options { algorithm, keep_going: true, ..Options::default() };
    TraceProgram::explore(&mut program.start().unwrap(), &options, &mut ()).executions
}

const EVERYTHING: &str = "
1 START
2 THREADINIT tid:1
3 FORK par-tid:1 child-tid:2
4 THREADINIT tid:2
5 ATTACH-Q tid:2 queue:1
6 NOTIFY tid:2 notifiedTid:1
7 WAIT tid:1
8 ENABLE-LIFECYCLE tid:1 component:c id:4 state:PAUSE
9 LOOP tid:2
10 UI-POST src:1 msg:1 dest:2
11 DELAY-POST src:1 msg:2 dest:2
12 CALL tid:2 msg:1
13 LOCK tid:2 lock-obj:0x10
14 TRIGGER-LIFECYCLE tid:2 component:c id:4 state:PAUSE
15 WRITE-STATIC tid:2 class:c field:1
16 UNLOCK tid:2 lock-obj:0x10
17 ENABLE-EVENT tid:2 view:1 event:2
18 RET tid:2 msg:1
19 NOP tid:1
20 READ-STATIC tid:1 class:c field:1
21 TRIGGER-EVENT tid:1 view:1 event:2
22 CALL tid:2 msg:2
23 RET tid:2 msg:2
24 THREADEXIT tid:2
25 THREADEXIT tid:1
End of trace!!
";

const SOURCES: &str = "src:17 dest:19\nsrc:17 dest:21\n";

#[test]
fn going_back_undoes_everything() {
    let program = program(EVERYTHING, SOURCES);
    let mut machine = program.start().unwrap();
    let mut states = vec![format!("{machine:?}")];
    let mut performed = Performed::default();
    let mut len = 0;
    while let Some(process) = machine.recorded(len) {
        performed.clear();
        machine.step(Step::of(process), &mut performed).unwrap();
        len += 1;
        states.push(format!("{machine:?}"));
    }
    assert_eq!(len, 24);
    for len in (0..len).rev() {
        machine.rewind(len).unwrap();
        assert_eq!(format!("{machine:?}"), states[len], "after {len} steps");
    }
}

#[test]
fn a_nop_waits_for_its_sources() {
    let program = program(EVERYTHING, SOURCES);
    // The read can come only after the write, because of the NOP. (`em-dpor` is left out: it
    // reduces nothing if an event loop exits.)
    for algorithm in [Algorithm::Optimal, Algorithm::EventDriven] {
        assert_eq!(executions(&program, algorithm), 1, "{algorithm}");
    }
}

#[test]
fn an_event_loop_exits_where_it_was_recorded() {
    let program = program(EVERYTHING, SOURCES);
    let mut machine = program.start().unwrap();
    let mut performed = Performed::default();
    for len in 0..22 {
        let process = machine.recorded(len).unwrap();
        performed.clear();
        machine.step(Step::of(process), &mut performed).unwrap();
    }
    let next = machine.next_line(ProcessId::new(1)).unwrap();
    assert_eq!(next.text, "THREADEXIT tid:2");
}

#[test]
fn notifications_are_never_lost() {
    let text = "
1 FORK par-tid:1 child-tid:2
2 NOTIFY tid:1 notifiedTid:2
3 NOTIFY tid:1 notifiedTid:2
4 THREADINIT tid:2
5 WAIT tid:2
6 WAIT tid:2
";
    assert_eq!(executions(&program(text, ""), Algorithm::Optimal), 1);
}

#[test]
fn static_fields_are_in_a_name_space_of_their_own() {
    let text = "
1 FORK par-tid:1 child-tid:2
2 WRITE tid:1 obj:7 class:c field:1
3 THREADINIT tid:2
4 WRITE-STATIC tid:2 class:7 field:1
";
    assert_eq!(executions(&program(text, ""), Algorithm::Optimal), 1);
}

/// Such a post performs no action. It waits by a guard alone, and the exit disables it.
#[test]
fn every_explorer_moves_a_post_without_a_handler_before_the_exit() {
    let program = program(
        "
1 START
2 THREADINIT tid:1
3 FORK par-tid:1 child-tid:2
4 THREADINIT tid:2
5 ATTACH-Q tid:1 queue:1
6 POST src:2 msg:1 dest:1
7 THREADEXIT tid:1
8 READ tid:2 obj:0x10 class:A field:1
",
        "",
    );
    for algorithm in Algorithm::ALL {
        let executions = executions(&program, algorithm);
        assert!(executions >= 2, "{algorithm}: {executions}");
    }
}
