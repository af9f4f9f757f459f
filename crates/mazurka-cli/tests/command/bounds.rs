//! Checks that do not see everything: exit code 3, and they say why.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{Said, Scratch, check, mazurka, run};

#[test]
fn a_bound_on_executions() {
    let said =
        run("check programs/lastwrite.c -D N=4 -a optimal --max-executions 5 --json").expect(3);
    assert_eq!(said.member("executions"), "5");
    assert_eq!(said.member("complete"), "false");
    assert_eq!(said.member("stopped"), "executions");
    assert!(said.stderr.contains("what was not explored may still fail"), "{}", said.all());
}

#[test]
fn a_bound_on_preemptions() {
    let said = run("check programs/lost_update.c --preemption-bound 0 --json").expect(3);
    assert_eq!(said.member("stopped"), "preemptions");
    run("check programs/lost_update.c --preemption-bound 1").expect(1);
}

#[test]
fn a_bound_on_preemptions_is_raised_until_everything_is_explored() {
    let auto = "check programs/lastwrite.c -D N=4 --preemption-bound auto";
    for explorer in ["optimal", "observers"] {
        let all = run(&format!("check programs/lastwrite.c -D N=4 -a {explorer} --json")).expect(0);
        let said = run(&format!("{auto} -a {explorer} --json")).expect(0);
        assert_eq!(said.member("executions"), all.member("executions"), "{explorer}");
        assert_eq!(said.member("complete"), "true", "{explorer}");
    }
    let said = run(auto).expect(0);
    assert!(said.stderr.contains(" reach everything"), "{}", said.all());
    let said = run("check programs/lost_update.c --preemption-bound auto").expect(1);
    assert!(
        said.stderr.contains("the search had come to schedules with 1 preemption"),
        "{}",
        said.all()
    );
    let said = run("check programs/lost_update.c --preemption-bound auto -a pct").expect(2);
    assert!(said.stderr.contains("give a number"), "{}", said.all());
}

#[test]
fn a_bound_on_depth() {
    let said = run("check programs/prodcons.c --max-depth 12 --json").expect(3);
    assert_eq!(said.member("stopped"), "depth");
    assert!(said.stderr.contains("`unfolding` may come to an end"), "{}", said.all());
}

#[test]
fn only_blocked_executions_prove_nothing() {
    let text = "void __VERIFIER_assume(int);\nint main(void) {\n    __VERIFIER_assume(0);\n    \
                return 0;\n}\n";
    let said = check(text, "--json").expect(0);
    assert_eq!((said.member("executions"), said.member("blocked")), ("0", "1"));
    for words in ["note: nothing was proved", "0 executions and 1 blocked, and nothing is proved"] {
        assert!(said.stderr.contains(words), "{}", said.all());
    }
}

#[test]
fn a_limit_on_time() {
    let said =
        run("check programs/lastwrite.c -D N=12 -a optimal --time-limit 200ms --json").expect(3);
    assert_eq!(said.member("stopped"), "time");
}

/// Returns a script that stands for a compiler.
#[cfg(unix)]
fn compiler(text: &str) -> Scratch {
    use std::os::unix::fs::PermissionsExt;
    let compiler = Scratch::new("clang", text);
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(compiler.path(), permissions).unwrap();
    compiler
}

/// A slow compiler leaves less time to the search, which still ends by itself, with what it has found out.
#[test]
#[cfg(unix)]
fn compiling_counts_towards_the_limit_on_time() {
    let compiler = compiler("#!/bin/sh\nsleep 1\nPATH=\"${PATH#*:}\"\nexec clang \"$@\"\n");
    let path = std::path::Path::new(compiler.path());
    let directory = path.parent().unwrap().display();
    let others = std::env::var("PATH").unwrap_or_default();
    let output = mazurka()
        .env("PATH", format!("{directory}:{others}"))
        .args("check programs/lastwrite.c -D N=12 -a optimal --time-limit 6s --json".split(' '))
        .output()
        .unwrap();
    let said = Said::of(&output).expect(3);
    assert_eq!(said.member("stopped"), "time");
    assert_ne!(said.member("executions"), "0", "{}", said.all());
}

/// Returns a compiler that runs these commands, which take a minute. They note the id of their process.
#[cfg(unix)]
fn slow_compiler(commands: &str) -> Scratch {
    compiler(&format!("#!/bin/sh\ncase \"$*\" in --version) exit 0;; esac\n{commands}\n"))
}

/// Compilers that the command has started end with it, and so do the processes that they have started.
#[test]
#[cfg(unix)]
fn compilers_end_at_the_limit_on_time() {
    let compiler = slow_compiler("sleep 60 & echo $! > \"$0.id\"; wait");
    let path = compiler.path().display();
    let line = format!("check programs/lastwrite.c --clang {path} --time-limit 2s --json");
    let said = run(&line).expect(3);
    assert_eq!(said.member("stopped"), "time");
    let id = std::fs::read_to_string(format!("{path}.id")).expect("the compiler was started");
    let state = || std::fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    let is_gone = |state: &str| state.contains(") Z ") || state.contains(") X ");
    // The system takes a moment to end a process that was killed. Left alone, it would run for a minute.
    let until = Instant::now() + Duration::from_secs(20);
    while !state().as_deref().map_or(true, is_gone) {
        assert!(Instant::now() < until, "it still runs: {:?}", state());
        sleep(Duration::from_millis(10));
    }
}

/// Ctrl-C reaches the compiler as well. The command says that it was interrupted, and not that the program
/// does not compile.
#[test]
#[cfg(unix)]
fn an_interrupt_while_the_compiler_runs() {
    use std::os::unix::process::CommandExt;
    let compiler = slow_compiler("echo $$ > \"$0.id\"; exec sleep 60");
    let path = compiler.path().display();
    let child = mazurka()
        .args(format!("check programs/lastwrite.c --clang {path} --json").split(' '))
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !std::fs::exists(format!("{path}.id")).unwrap() {
        sleep(Duration::from_millis(20));
    }
    let group = format!("-{}", child.id());
    let kill = Command::new("kill").args(["-INT", "--", &group]).status().unwrap();
    assert!(kill.success());
    let said = Said::of(&child.wait_with_output().unwrap()).expect(3);
    assert_eq!(said.member("stopped"), "interrupted");
}

/// Ctrl-C and SIGTERM end a check with what is known so far.
#[test]
#[cfg(unix)]
fn an_interrupt() {
    ends_with_a_verdict("-INT");
    ends_with_a_verdict("-TERM");
}

#[cfg(unix)]
fn ends_with_a_verdict(signal: &str) {
    let child = mazurka()
        .args("check programs/lastwrite.c -D N=12 -a optimal --json".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Long enough for clang, and much less than the check takes.
    sleep(Duration::from_secs(2));
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let said = Said::of(&child.wait_with_output().unwrap()).expect(3);
    assert_eq!(said.member("stopped"), "interrupted");
    assert_ne!(said.member("executions"), "0");
}

/// The time limit holds in the middle of one step, too.
#[test]
fn a_limit_on_time_within_a_step() {
    let text = "int main(void) {\n    for (volatile unsigned i = 0;; i++);\n}\n";
    let start = std::time::Instant::now();
    let said =
        check(text, "--max-local-steps 1000000000000000 --time-limit 200ms --json").expect(3);
    assert_eq!(said.member("stopped"), "time");
    assert!(said.stderr.contains("in the middle of its work"), "{}", said.all());
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// A check also ends if its output is closed, as in `mazurka check … | head`.
#[test]
fn a_limit_on_time_with_a_closed_output() {
    let program = "int main(void) {\n    for (volatile unsigned i = 0;; i++);\n}\n";
    let file = Scratch::new("program.c", program);
    let mut child = mazurka()
        .arg("check")
        .arg(file.path())
        .args("--max-local-steps 1000000000000000 --time-limit 200ms".split(' '))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    let end = Instant::now() + Duration::from_secs(60);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("the check does not end");
        }
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_limit_on_memory() {
    let text = "#include <stdlib.h>\nint main(void) {\n    for (;;) malloc(1000000);\n}\n";
    let said = check(text, "--memory-limit 100M --json").expect(2);
    assert!(said.stderr.contains("allocated more than 50 MiB"), "{}", said.all());
    let said = check(text, "--memory-limit lots").expect(2);
    assert!(said.stderr.contains("such as `500M` or `2G`"), "{}", said.all());
}

#[test]
fn undefined_behaviour_can_be_allowed() {
    let text = "int main(void) {\n    int x, y = 2147483647;\n    y++;\n    return x ? 0 : y;\n}\n";
    let said = check(text, "").expect(1);
    assert!(said.stderr.contains("signed integer overflow"), "{}", said.all());
    let said = check(text, "--allow signed-overflow").expect(1);
    assert!(said.stderr.contains("a variable that was never written"), "{}", said.all());
    check(text, "--allow signed-overflow,uninitialised").expect(0);
    let said = check(text, "--allow everything").expect(2);
    assert!(said.stderr.contains("possible values: uninitialised"), "{}", said.all());
}

#[test]
fn an_unsupported_bound_has_no_execution_to_replay() {
    let said = run("check programs/lastwrite.c -D N=2 -a graphs --preemption-bound 1").expect(2);
    assert!(said.stderr.contains("cannot bound preemptions"), "{}", said.all());
    assert!(said.stderr.contains("an explorer of schedules such as `observers`"), "{}", said.all());
    assert!(!said.stderr.contains("replay"), "{}", said.all());
}
