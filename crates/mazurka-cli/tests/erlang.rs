//! `mazurka check` on Erlang programs.

use std::process::{Command, Output};

fn mazurka(arguments: &[&str]) -> Output {
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(arguments).current_dir(programs).output().expect("the command starts")
}

#[test]
fn a_program_is_checked_and_counted() {
    let call = ["check", "lock.erl", "--call", "lock:test(3)", "--ignore", "deadlock", "--json"];
    let output = mazurka(&call);
    let json = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{json}");
    let json = json.replace(' ', "");
    assert!(json.contains("\"executions\":6,"), "{json}");
    assert!(json.contains("\"complete\":true"), "{json}");
}

#[test]
fn a_deadlock_is_told_in_the_words_of_the_program() {
    let output = mazurka(&["check", "lock.erl", "--call", "lock:test(1)", "-pa", "."]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("P.1 waits for {acquire,_} in lock:lock/0"), "{text}");
    assert!(text.contains("<P.1> ! {acquire,<P.2>}"), "{text}");
}

#[test]
fn what_is_missing_is_said() {
    for module in ["lock", "readers"] {
        let output = mazurka(&["check", &format!("{module}.erl")]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(&format!("--call '{module}:test(4)'")), "{text}");
    }
    let output = mazurka(&["check", "lock.erl", "--call", "lock:nothing(4)"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("there is no function lock:nothing/1"), "{text}");
}

/// A step without an end: the command ends without the explorer, and without a file that it has left.
#[test]
fn a_limit_leaves_nothing_behind() {
    let directory = std::env::temp_dir().join(format!("mazurka-left-{}", std::process::id()));
    let temporary = directory.join("temporary");
    std::fs::create_dir_all(&temporary).unwrap();
    let text = "-module(endless).\n-export([run/0]).\nrun() -> lists:seq(1, 1 bsl 60).\n";
    std::fs::write(directory.join("endless.erl"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.args(["check", "endless.erl", "--call", "endless:run()", "--time-limit", "3s"]);
    let output = command.current_dir(&directory).env("TMPDIR", &temporary).output().unwrap();
    let left = std::fs::read_dir(&temporary).unwrap().count();
    std::fs::remove_dir_all(&directory).unwrap();
    assert_ne!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(left, 0, "{}", String::from_utf8_lossy(&output.stderr));
}

/// The programs of the tests of the Erlang front end.
const TESTS: &str = "../crates/mazurka-erlang/tests/programs";

#[test]
fn messages_in_flight_are_overtaken() {
    let file = format!("{TESTS}/flights.erl");
    let check = |delivery: &str| {
        let call = ["check", &file, "--call", "flights:triangle()", "--delivery", delivery];
        mazurka(&call)
    };
    assert_eq!(check("instant").status.code(), Some(0));
    let output = check("pairwise");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("P ended abnormally: overtaken"), "{text}");
}

/// The examples.
const EXAMPLES: &str = "../examples/erlang";

/// A depth-first search runs the orders of all later writes first.
#[test]
fn scouts_find_a_lost_write_in_a_chain_of_replicas() {
    let file = format!("{EXAMPLES}/chain.erl");
    let call = ["check", &file, "--call", "chain:test(4,3)", "--workers", "1"];
    let output = mazurka(&[&call[..], &["--max-executions", "10001"]].concat());
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("`<P.3> ! {store,early}` (step 1, P.5, "), "{text}");
    let output = mazurka(&[&call[..], &["--max-executions", "20000", "--no-scout"]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_lost_update_in_a_server_is_explained() {
    let file = format!("{EXAMPLES}/bank.erl");
    let output = mazurka(&["check", &file, "--call", "bank:test()", "--never-after", "5000"]);
    let text = String::from_utf8_lossy(&output.stderr).replace('\n', " ");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("P ended abnormally: {badmatch,1"), "{text}");
    assert!(text.contains("It fails because `<P.1> ! {'$gen_call',"), "{text}");
    assert!(text.contains("comes before `<P.1> ! {'$gen_call',"), "{text}");
    assert!(!text.contains("has started`"), "the start of the server decides nothing: {text}");
}

#[test]
fn tests_of_eunit_are_run_by_name() {
    let file = format!("{TESTS}/counting_tests.erl");
    let check = |test: &str| mazurka(&["check", &file, "--eunit", test]);
    assert_eq!(check("counting_tests:fast_test").status.code(), Some(0));
    assert_eq!(check("counting_tests:slow_test").status.code(), Some(1));
    let output = check("counting_tests:no_test");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("has no test `no_test`; it has `all_test_`, `fast_test`"), "{text}");
}

#[test]
fn programs_are_found_without_a_file() {
    let output = mazurka(&["check", "--call", "lists:reverse([1])", "--app", "stdlib"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let output = mazurka(&["check", "--call", "no_such_module:run()"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("-pa _build/default/lib"), "{text}");
}

/// The layout of a project that `rebar3` has built. Its application has a timer that fires again and again.
#[test]
fn projects_of_rebar3_are_found_with_their_tests() {
    let root = std::env::temp_dir().join(format!("mazurka-rebar3-{}", std::process::id()));
    let library = root.join("_build/test/lib/ticking");
    let module = "-module(ticking).
        -export([start/2, stop/1, init/1, handle_call/3, handle_cast/2, handle_info/2]).
        start(normal, []) -> gen_server:start_link({local, ticking}, ?MODULE, [], []).
        stop(_) -> ok.
        init([]) -> tick(), {ok, 0}.
        handle_call(Number, _, State) -> {reply, Number + State, State}.
        handle_cast(_, State) -> {noreply, State}.
        handle_info(tick, State) -> tick(), {noreply, State}.
        tick() -> erlang:send_after(1000, self(), tick).";
    let tests = "-module(ticking_tests).
        -export([call_test/0]).
        call_test() -> 7 = gen_server:call(ticking, 7).";
    let application =
        "{application, ticking, [{vsn, \"1\"}, {modules, [ticking]}, {registered, [ticking]},
        {applications, [kernel, stdlib]}, {mod, {ticking, []}}]}.";
    for (part, name, text) in [("ebin", "ticking", module), ("test", "ticking_tests", tests)] {
        let directory = library.join(part);
        std::fs::create_dir_all(&directory).expect("a directory can be created");
        let file = directory.join(format!("{name}.erl"));
        std::fs::write(&file, text).expect("a file can be written");
        let output = Command::new("erlc").arg("-o").arg(&directory).arg(&file).output();
        assert!(output.expect("erlc runs").status.success(), "{name}");
    }
    std::fs::write(root.join("rebar.config"), "").expect("a file can be written");
    std::fs::write(library.join("ebin/ticking.app"), application).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_mazurka"))
        .args(["check", "--app", "ticking", "--eunit", "ticking_tests:call_test"])
        .args(["--never-after", "1000"])
        .current_dir(&root)
        .output()
        .expect("mazurka runs");
    let _ = std::fs::remove_dir_all(&root);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
}
