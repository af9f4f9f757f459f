//! Behaviours of OTP, run as they are installed.
//!
//! As in `semantics.rs`, every case says how many Mazurkiewicz traces its program has, and why.
//! Timeouts of calls do not fire.

mod common;

use std::path::Path;

use common::cases::{Case, check};
use common::{outcomes, program, program_of, verdict};
use mazurka_core::search::Algorithm;

#[test]
fn a_gen_server_answers_calls() {
    check(&[
        Case::of("server:call()", &["42"]).never_after(1000).counts(
            1,
            "client and server wait for each other at every step; at its end the client tells the \
             server, which is linked and waits",
        ),
        Case::of("server:cast()", &["10", "11"]).never_after(1000).counts(
            3,
            "the other process's cast comes before the cast, between that and the call, or after the call",
        ),
        Case::of("server:clients(2)", &["[1,2]"]).never_after(1000).counts(
            4,
            "the calls come to the server in either order, and the numbers to the first process in \
             either order: 2 * 2",
        ),
        Case::of(
            "server:stop()",
            &[
                "{'EXIT',{noproc,{gen_server,call,[<P.1>,get]}}}",
                "{'EXIT',{normal,{gen_server,call,[<P.1>,get]}}}",
            ],
        )
        .never_after(1000)
        .counts(
            3,
            "the server ends after it is monitored by the second call: 1, there is news; or before that, \
             but after the first call's `demonitor`: 1; or before that, with its news: 1",
        ),
    ]);
}

#[test]
fn a_gen_server_is_searched_once() {
    // The search starts over whenever a program has taught something new.
    for call in ["server:call()", "server:cast()", "server:stop()"] {
        let program = program("server", call).ignore_deadlocks(true).never_after(1000);
        let verdict = verdict(&program, Algorithm::Observers);
        assert!(verdict.is_complete() && verdict.restarts.is_empty(), "{call}: {verdict:?}");
    }
}

#[test]
fn a_call_may_time_out() {
    let program = program("server", "server:call()").ignore_deadlocks(true);
    let (_, verdict) = outcomes(&program, Algorithm::Observers);
    let violation = &verdict.violations[0].message;
    assert!(violation.contains("{timeout,{gen_server,call,"), "{violation}");
    assert!(violation.contains("--never-after 5000"), "{violation}");
    assert!(violation.contains("server.erl, line 18"), "{violation}");
}

#[test]
fn a_supervisor_starts_its_child_again() {
    check(&[Case::of("restarts:restart()", &["true"])
        .ending_with(&["crash", "shutdown", "killed"])
        .never_after(1000)
        .counts_with_observers(
            2,
            1,
            "that it has started reaches the first process from the child, and from the supervisor, \
             in either order, and each is received by a pattern of its own. From then on everybody \
             waits for somebody: the supervisor for the end of the child, the first process for the \
             next child, and in the end both children for the supervisor, which ends with its parent",
        )]);
}

/// A module that Erlang/OTP 27 has compiled does what its source does.
#[test]
fn modules_of_later_compilers_run() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/otp27");
    for file in ["modern.erl", "modern.beam"] {
        let program = program_of(&directory.join(file), "modern:test()");
        let verdict = verdict(&program, Algorithm::Optimal);
        assert_eq!((verdict.executions, verdict.violations), (1, Vec::new()), "{file}");
    }
}
