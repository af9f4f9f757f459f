//! `--property` and `--link`.

use crate::{Scratch, run_with};

const RACE: &str = "#include <pthread.h>\n#include <stdlib.h>\nint x;\n\
                    static void *run(void *u) { x = 1; return 0; }\n\
                    int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, run, 0);\n    \
                    x = 2;\n    pthread_join(t, 0);\n    abort();\n}\n";

#[test]
fn a_property_says_what_counts() {
    let program = Scratch::new("race.c", RACE);
    let line = |formula: &str| format!("CHECK( init(main()), LTL(G ! {formula}) )\n");
    let race = Scratch::new("no-data-race.prp", &line("data-race"));
    let error = Scratch::new("unreach-call.prp", &line("call(reach_error())"));
    let check = |property: &Scratch| {
        run_with("check", &[program.path(), "--property".as_ref(), property.path()])
    };
    let said = check(&race).expect(1);
    assert!(said.stderr.contains("data race"), "{}", said.all());
    assert!(said.stderr.contains("--property"), "{}", said.all());
    assert!(!said.stderr.contains("--races error"), "{}", said.all());
    check(&error).expect(0);
}

#[test]
fn termination_is_refused() {
    let program = Scratch::new("race.c", RACE);
    let end = Scratch::new("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    let arguments = [program.path(), "--property".as_ref(), end.path()];
    run_with("check", &arguments).refuses(&["termination.prp", "cannot check termination"]);
    let missing = [program.path(), "--property".as_ref(), "missing.prp".as_ref()];
    run_with("check", &missing).refuses(&["missing.prp"]);
}

#[test]
fn files_are_linked() {
    let main = Scratch::new("main.c", "int two(void);\nint main(void) { return two() - 2; }\n");
    let library = Scratch::new("two.c", "int two(void) { return 2; }\n");
    run_with("check", &[main.path(), "--link".as_ref(), library.path()]).expect(0);
    let missing = [main.path(), "--link".as_ref(), "missing.c".as_ref()];
    run_with("check", &missing).refuses(&["missing.c"]);
}
