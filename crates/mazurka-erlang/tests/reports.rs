//! What reports say, in Erlang's syntax.

mod common;

use common::{program, verdict};
use mazurka_core::model::{ProcessId, Program, Step};
use mazurka_core::search::Algorithm;
use mazurka_core::verdict::{Schedule, ViolationKind};
use mazurka_report::Subject;

/// What the process of a program is said to wait for.
fn waits_for(argument: &str) -> String {
    let program = program("patterns", &format!("patterns:wait({argument})"));
    let verdict = verdict(&program, Algorithm::Observers);
    let message = &verdict.violations.first().expect("it waits for ever").message;
    let line = message.lines().nth(1).expect("a line for each process");
    let what = line.trim().strip_prefix("P waits for ").expect("it is P that waits");
    what.split(" in patterns:wait/1").next().unwrap_or_default().to_owned()
}

#[test]
fn a_deadlock_says_what_processes_wait_for() {
    let expected = [
        ("atom", "hello"),
        // Patterns of which at most one matches come in the order in which they are tried.
        ("tuple", "{bye,_} or {hello,_,[1,_]}"),
        ("bound", "{#Ref<P.1>,_} or {'DOWN',#Ref<P.1>,process,<P>,_}"),
        ("guard", "{n,A} when is_integer(A), 3 < A or A when 2 < length(A)"),
        ("list", "[A|_] when A =/= x or []"),
        ("map", "#{key := _}"),
        ("any", "{a,_}"),
        ("ever", "ever"),
        ("same", "{A,B} when B =:= A"),
        ("number", "{1.5,<<\"ab\">>,\"text\"} or 7"),
    ];
    let found = expected.map(|(argument, _)| (argument, waits_for(argument)));
    assert_eq!(found, expected.map(|(argument, text)| (argument, text.to_owned())));
}

#[test]
fn a_receive_says_which_pattern_took_the_message() {
    let program = program("patterns", "patterns:wait(taken)");
    let schedule: Schedule =
        [Step { process: ProcessId::new(0), choice: 0 }; 4].into_iter().collect();
    let recording = program.record(&schedule);
    let texts: Vec<&str> = recording.lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "<P> ! {n,1}",
            "<P> ! {m,2}",
            "receives {m,2} as {m,A} when 1 < A",
            "receives nothing in time like {n,a}",
        ]
    );
}

#[test]
fn all_processes_that_end_at_once_are_reported() {
    let program = program("patterns", "patterns:crashes()");
    for algorithm in Algorithm::ALL {
        let verdict = verdict(&program, algorithm);
        let messages: Vec<&str> = verdict.violations.iter().map(|v| v.message.as_str()).collect();
        for end in ["P.1 ended abnormally: one", "P.2 ended abnormally: two"] {
            assert!(messages.iter().any(|m| m.starts_with(end)), "{algorithm:?}: {messages:?}");
        }
    }
}

#[test]
fn other_processes_run_if_one_fails_before_its_first_operation() {
    let program = program("patterns", "patterns:crash_and_race()");
    for algorithm in Algorithm::ALL {
        let verdict = verdict(&program, algorithm);
        let messages: Vec<&str> = verdict.violations.iter().map(|v| v.message.as_str()).collect();
        for end in ["P.1 ended abnormally: at_once", "P ended abnormally: overtaken"] {
            assert!(messages.iter().any(|m| m.starts_with(end)), "{algorithm:?}: {messages:?}");
        }
    }
}

#[test]
fn a_missing_function_is_named_with_those_who_call_it() {
    let program = program("patterns", "patterns:port()");
    let text = program.start().expect_err("there are no ports").message;
    assert!(text.contains("erts_internal:open_port/2 is not there"), "{text}");
    assert!(text.contains("called from patterns:port/0 ("), "{text}");
}

#[test]
fn a_deadlock_says_which_process_suspends_another_one() {
    let verdict = verdict(&program("suspensions", "suspensions:never()"), Algorithm::Observers);
    let message = &verdict.violations.first().expect("there is a deadlock").message;
    assert!(message.contains("P waits for hello in suspensions:never/0"), "{message}");
    assert!(message.contains("P.1 is suspended by P in suspensions:"), "{message}");
    let recording = program("suspensions", "suspensions:never()")
        .record(&verdict.violations.first().expect("there is a deadlock").schedule);
    let texts: Vec<&str> = recording.lines.iter().map(|line| line.text.as_str()).collect();
    assert!(texts.contains(&"suspend_process(<P.1>)"), "{texts:?}");
    assert!(texts.contains(&"is suspended by P"), "{texts:?}");
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let cases = [
        ("init", "the system process `init`"),
        ("user", "the system process `user`"),
        ("table", "the system table `inet_db`"),
        ("whereis", "the system process `code_server`"),
        ("file", "the system process `file_server_2`"),
        ("memory", "erlang:memory()"),
        ("reductions", "process_info(_, reductions)"),
        ("regex", "a regular expression that was compiled by another system"),
        ("input", "a function of io that reads input"),
        ("zlib", "zlib:"),
        ("statistics", "statistics(runtime)"),
        ("compile", "compile:file"),
    ];
    for (case, name) in cases {
        let program = program("refused", &format!("refused:run({case})"));
        let violation = match program.start() {
            Err(violation) => *violation,
            Ok(_) => verdict(&program, Algorithm::Observers).violations.remove(0),
        };
        assert_eq!(violation.kind, ViolationKind::Unsupported, "{case}: {violation}");
        assert!(violation.message.contains(name), "{case}: {violation}");
    }
}

#[test]
fn purging_code_that_a_process_runs_is_refused() {
    let program = program("loading", "loading:purged()").ignore_deadlocks(true);
    let verdict = verdict(&program, Algorithm::Observers);
    let violation = &verdict.violations[0];
    assert_eq!(violation.kind, ViolationKind::Unsupported, "{violation}");
    let text = "P purges the old code of the module `loaded`, which P.1 runs";
    assert!(violation.message.contains(text), "{violation}");
}

#[test]
fn what_cannot_be_called_is_said() {
    use mazurka_erlang::{Call, ErlangProgram};
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/patterns.erl");
    let open = |call: &str, directories: &[std::path::PathBuf]| {
        let call: Call = call.parse().map_err(|error| format!("{error}"))?;
        let program = ErlangProgram::new(std::slice::from_ref(&file), directories, call);
        program.map(|_| ()).map_err(|error| error.to_string())
    };
    let error = |call: &str| open(call, &[]).expect_err("it cannot be called");
    assert!(
        error("patern:port()").contains("there is no module `patern`: the files define `patterns`")
    );
    assert!(error("patterns:prot()").contains("there is no function patterns:prot/0"));
    assert!(
        error("patterns:wait(a").contains("`)` is missing at its end"),
        "{}",
        error("patterns:wait(a")
    );
    let nowhere = open("patterns:port()", &["nowhere".into()]).expect_err("there is none");
    assert!(nowhere.contains("there is no directory `nowhere`"), "{nowhere}");
}

#[test]
fn a_schedule_means_the_same_to_a_machine_that_has_run_nothing_else() {
    let program = program("children", "children:of_two()");
    for algorithm in [Algorithm::Naive, Algorithm::Optimal, Algorithm::Observers] {
        let verdict = verdict(&program, algorithm);
        assert_eq!(verdict.violations.len(), 1, "{algorithm}");
        let recording = program.record(&verdict.violations[0].schedule);
        let text = |line: &&mazurka_report::Line| line.text.contains("badmatch");
        assert!(recording.lines.iter().any(|line| text(&line)), "{algorithm}: {recording:?}");
    }
}

#[test]
fn a_module_that_is_not_found_has_a_hint() {
    let program = program("refused", "refused:run(module)");
    let violation = verdict(&program, Algorithm::Observers).violations.remove(0);
    let hint = "There is no module `no_such_module`. To give the directory of its file, add -pa";
    assert!(violation.message.contains(hint), "{violation}");
}
