//! Projects: several files, each with flags of its own.

use std::fs;
use std::path::Path;

use crate::{Said, Scratch, check, run_with};

/// Writes a project with two libraries, a test, and a program that is no part of the test.
fn project(database: &str) -> Scratch {
    let file = Scratch::new("build/compile_commands.json", database);
    let root = file.path().parent().unwrap().parent().unwrap();
    let write = |name: &str, text: &str| fs::write(root.join(name), text).unwrap();
    fs::create_dir_all(root.join("include")).unwrap();
    write("include/counter.h", "int count(void);\n");
    write(
        "counter.c",
        "#include <counter.h>\nint step(void);\nint count(void) { return N * step(); }\n",
    );
    write("step.c", "int step(void) { return STEP; }\n");
    write("broken.c", "int broken(void) { return }\n");
    write("app.c", "int step(void) { return 7; }\nint main(void) { return 7; }\n");
    write(
        "test.c",
        "#include <assert.h>\n#include <counter.h>\nint main(void) { assert(count() == EXPECTED); }\n",
    );
    file
}

fn database(expected: u32) -> String {
    format!(
        r#"[
  {{"directory": ".", "file": "../app.c", "command": "cc -c ../app.c"}},
  {{"directory": ".", "file": "../counter.c",
    "command": "cc -I../include -DN=3 -O2 -g -c ../counter.c -o counter.o"}},
  {{"directory": ".", "file": "../step.c", "arguments": ["cc", "-DSTEP=2", "-c", "../step.c"]}},
  {{"directory": ".", "file": "../test.c",
    "command": "cc \"-I../include\" -DEXPECTED={expected} -c ../test.c"}},
  {{"directory": ".", "file": "../broken.c", "command": "cc -c ../broken.c"}}
]"#
    )
}

fn check_project(file: &Scratch, options: &str) -> Said {
    let build = file.path().parent().unwrap();
    let test = build.parent().unwrap().join("test.c");
    let line = format!("check {options} --entry {}", test.display());
    run_with(&line, &[Path::new("--compile-commands"), build])
}

#[test]
fn files_are_compiled_with_their_own_flags_and_linked_if_they_are_needed() {
    check_project(&project(&database(6)), "").expect(0);
    let said = check_project(&project(&database(5)), "").expect(1);
    assert!(said.stderr.contains("assertion `count() == EXPECTED` failed"), "{}", said.all());
}

#[test]
fn bad_databases_are_refused() {
    check_project(&project("{"), "").refuses(&["compile_commands.json", "line 1"]);
    let missing = "check programs/lost_update.c --compile-commands programs";
    crate::run(missing)
        .refuses(&["programs/compile_commands.json", "CMAKE_EXPORT_COMPILE_COMMANDS"]);
}

#[test]
fn loops_are_unrolled() {
    let text = "#include <pthread.h>\n\
                #include <stdatomic.h>\n\
                atomic_int x;\n\
                static void *f(void *a) { for (int i = 0; i < 3; i++) x++; return 0; }\n\
                int main(void) {\n\
                  pthread_t t;\n\
                  pthread_create(&t, 0, f, 0);\n\
                  for (int i = 0; i < 2; i++)\n\
                    x = i;\n\
                  pthread_join(t, 0);\n\
                }\n";
    let all = check(text, "--json --unroll 3").expect(0);
    assert_eq!(all.member("complete"), "true");
    let said = check(text, "--json --unroll 2").expect(3);
    assert_eq!(said.member("complete"), "false");
    assert!(said.stderr.contains("program.c:4"), "{}", said.all());
    assert!(!said.stderr.contains("program.c:8"), "{}", said.all());
    let said = check(text, "--unroll 0").expect(3);
    assert!(said.stderr.contains("--unroll cut executions in the loop"), "{}", said.all());
}

#[test]
fn violations_within_the_bound_are_found() {
    let text = "#include <assert.h>\nint main(void) { for (int i = 0;; i++) assert(i < 3); }\n";
    check(text, "--unroll 4").expect(1);
    check(text, "--unroll 1").expect(3);
}
