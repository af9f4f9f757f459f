//! Workers, and searches that are saved and continued.

use std::path::Path;
use std::time::Duration;

use super::{Said, Scratch, mazurka, run};

/// A check of the catalogue that runs 8,953 executions, with these options.
fn fib(options: &str) -> Said {
    run(&format!("check programs/fib_bench.c -D N=5 --algorithm optimal --json {options}"))
}

/// A file for a checkpoint, which does not exist yet.
fn file() -> Scratch {
    let scratch = Scratch::new("search", "");
    std::fs::remove_file(scratch.path()).unwrap();
    scratch
}

#[test]
fn workers_run_the_executions_of_one() {
    let alone = fib("--workers 1").expect(0);
    for options in ["--workers 2", "--workers 5", ""] {
        let said = fib(options).expect(0);
        assert_eq!(said.member("executions"), alone.member("executions"), "{}", said.all());
    }
    run("check programs/fib_bench.c --workers 0").refuses(&["--workers"]);
}

#[test]
fn threads_and_objects_have_the_same_ids_for_all_workers() {
    let check = |workers: &str| {
        let options = format!("-D CHILDREN=2 -D STEPS=2 -a optimal --json {workers}");
        super::check(include_str!("../nested.c"), &options).expect(0)
    };
    let alone = check("--workers 1");
    assert_eq!(check("--workers 4").member("executions"), alone.member("executions"));
}

#[test]
fn a_search_is_saved_and_continued() {
    let all = fib("").expect(0);
    let file = file();
    let path = file.path().display();
    let first = fib(&format!("--checkpoint {path} --max-executions 3000")).expect(3);
    assert!(first.stderr.contains("--resume"), "{}", first.all());
    let second = fib(&format!("--resume {path} --max-executions 3000 --workers 1")).expect(3);
    let last = fib(&format!("--resume {path}")).expect(0);
    assert_eq!(last.member("executions"), all.member("executions"), "{}", last.all());
    let runs = |said: &Said| said.member("executions").parse::<u64>().unwrap();
    assert!(runs(&first) < runs(&second) && runs(&second) < runs(&last));
    assert!(!file.path().exists(), "the file is removed after the search has ended");
}

/// `data-centric` shares, saves and continues its search. It leaves a program with a condition on
/// memory of several sizes to `optimal`, also after it was saved.
#[test]
fn data_centric_is_shared_saved_and_continued() {
    let overlap = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/overlap.c");
    for (program, note) in [("programs/fib_bench.c -D N=5", false), (overlap, true)] {
        let check =
            |options: &str| run(&format!("check {program} -a data-centric --json {options}"));
        let alone = check("--workers 1").expect(0);
        let same = |said: &Said| {
            for member in ["executions", "blocked", "algorithm"] {
                assert_eq!(said.member(member), alone.member(member), "{}", said.all());
            }
            assert_eq!(said.stdout.contains("`optimal` explored"), note, "{}", said.all());
        };
        same(&check("--workers 3").expect(0));
        let file = file();
        let path = file.path().display();
        check(&format!("--checkpoint {path} --max-executions 20 --workers 1")).expect(3);
        check(&format!("--resume {path} --max-executions 20 --workers 2")).expect(3);
        check(&format!("--resume {path} --max-executions 500 --workers 2")).expect(3);
        same(&check(&format!("--resume {path}")).expect(0));
    }
}

#[test]
fn nothing_is_lost_if_the_command_is_killed() {
    let all = fib("").expect(0);
    let file = file();
    let start = |path: &Path| {
        let how = if path.exists() { "--resume" } else { "--checkpoint" };
        let mut command = mazurka();
        command.args(["check", "programs/fib_bench.c", "-D", "N=5", "-a", "optimal", "--json"]);
        command.args(["--workers", "2", "--checkpoint-every", "5ms", how]).arg(path);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    for kill in 1..=6 {
        let mut child = start(file.path());
        std::thread::sleep(Duration::from_millis(40 * kill));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let last = Said::of(&start(file.path()).wait_with_output().unwrap()).expect(0);
    assert_eq!(last.member("executions"), all.member("executions"), "{}", last.all());
}

/// A check that meets a weak access continues under `rc11`, also after it was saved.
#[test]
fn a_saved_search_switches_to_the_memory_model() {
    let program = Scratch::new(
        "weak.c",
        "#include <pthread.h>\n#include <stdatomic.h>\n\
         atomic_int x, y;\n\
         void *run(void *arg) {\n\
             atomic_fetch_add_explicit(arg ? &x : &y, 1, memory_order_relaxed);\n\
             return (void *)(long)atomic_load_explicit(arg ? &y : &x, memory_order_acquire);\n\
         }\n\
         int main(void) {\n\
             pthread_t threads[4];\n\
             for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, run, (void *)(i % 2));\n\
             for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);\n\
         }\n",
    );
    let check =
        |options: &str| run(&format!("check {} --json {options}", program.path().display()));
    let all = check("").expect(0);
    assert!(all.all().contains("graphs"), "{}", all.all());
    let file = file();
    let path = file.path().display();
    check(&format!("--checkpoint {path} --max-executions 20")).expect(3);
    check(&format!("--resume {path} --max-executions 20")).expect(3);
    let last = check(&format!("--resume {path}")).expect(0);
    for member in ["executions", "algorithm"] {
        assert_eq!(last.member(member), all.member(member), "{}", last.all());
    }
}

/// A check of an Erlang program that runs 5,040 executions, with these options.
fn lock(options: &str) -> Said {
    let program = "programs/lock.erl --call lock:test(5) --ignore deadlock";
    run(&format!("check {program} --algorithm optimal --json {options}"))
}

#[test]
fn erlang_programs_are_shared_saved_and_continued() {
    for workers in ["--workers 1", "--workers 3"] {
        assert_eq!(lock(workers).expect(0).member("executions"), "5040", "{workers}");
    }
    let file = file();
    let path = file.path().display();
    lock(&format!("--checkpoint {path} --max-executions 1000")).expect(3);
    lock(&format!("--resume {path} --max-executions 1000 --workers 1")).expect(3);
    let last = lock(&format!("--resume {path}")).expect(0);
    assert_eq!(last.member("executions"), "5040", "{}", last.all());
}

#[test]
fn nothing_is_lost_if_the_check_of_an_erlang_program_is_killed() {
    let file = file();
    let start = |path: &Path| {
        let how = if path.exists() { "--resume" } else { "--checkpoint" };
        let mut command = mazurka();
        command.args(["check", "programs/lock.erl", "--call", "lock:test(5)", "--json"]);
        command.args(["--ignore", "deadlock", "-a", "optimal", "--workers", "2"]);
        command.args(["--checkpoint-every", "5ms", how]).arg(path);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    for kill in 1..=3 {
        let mut child = start(file.path());
        // It compiles the module first.
        std::thread::sleep(Duration::from_millis(400 + 100 * kill));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let last = Said::of(&start(file.path()).wait_with_output().unwrap()).expect(0);
    assert_eq!(last.member("executions"), "5040", "{}", last.all());
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let file = file();
    let path = file.path().display();
    fib(&format!("--checkpoint {path} --max-executions 100")).expect(3);
    run(&format!("check programs/fib_bench.c -D N=5 --resume {path}"))
        .refuses(&["algorithm was `optimal`, and is `observers` now"]);
    run(&format!("check programs/fib_bench.c -D N=4 -a optimal --resume {path}"))
        .refuses(&["program options was `-D N=5`, and is `-D N=4` now"]);
    std::fs::write(file.path(), "nothing").unwrap();
    run(&format!("check programs/fib_bench.c --resume {path}")).refuses(&["this is no checkpoint"]);
    run("check programs/fib_bench.c --resume no/such/file").refuses(&["cannot be read"]);
    run("check programs/fib_bench.c --checkpoint no/such/file").refuses(&["cannot be written"]);
    run("check programs/fib_bench.c -a source --checkpoint search").refuses(&["cannot be saved"]);
    run("check programs/fib_bench.c --checkpoint-every 5s").refuses(&["needs `--checkpoint FILE`"]);
}
