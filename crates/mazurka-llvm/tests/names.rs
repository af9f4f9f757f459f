//! What memory is called in reports.

mod common;

use common::{check, program};
use mazurka_core::search::Algorithm;
use mazurka_core::verdict::Schedule;
use mazurka_report::{LineKind, Subject};

/// The visible operations of the first failing execution of a program.
fn operations(text: &str) -> Vec<String> {
    let program = program(text);
    let verdict = check(&program, Algorithm::Optimal);
    let schedule: Schedule = match verdict.violations.first() {
        Some(violation) => violation.schedule.clone(),
        None => panic!("a violation is expected"),
    };
    let lines = program.record(&schedule).lines;
    let operations = lines.into_iter().filter(|line| line.kind == LineKind::Operation);
    operations.map(|line| line.text).collect()
}

/// A program whose `main` sets something up, gives it to a thread, and fails.
fn given_to_a_thread(globals: &str, body: &str, set_up: &str) -> String {
    format!(
        "{globals}
         void *thread(void *arg) {{ {body} return 0; }}
         int main(void) {{
         void *given;
         {set_up}
         pthread_t t;
         pthread_create(&t, 0, thread, given);
         pthread_join(t, 0);
         abort();
         }}"
    )
}

#[test]
fn memory_on_the_heap_is_called_after_its_type_and_its_line() {
    let text = given_to_a_thread(
        "struct node { int key; struct node *next; int data[4]; };",
        "struct node *n = arg; n->data[2] = 5; n->next->key = 7; n->next = 0;",
        "struct node *n = malloc(sizeof *n); n->next = malloc(sizeof *n); given = n;",
    );
    let expected =
        ["node@5.data[2] = 5", "node@5.next → &node@5#2", "node@5#2.key = 7", "node@5.next = NULL"];
    assert_eq!(operations(&text), expected);
}

#[test]
fn elements_of_an_array_on_the_heap_have_an_index() {
    let text = given_to_a_thread(
        "struct pair { int a, b; };",
        "struct pair *p = arg; p[1].b = 3;",
        "struct pair *p = calloc(3, sizeof *p); given = p;",
    );
    assert_eq!(operations(&text), ["pair@5[1].b = 3"]);
    let text = given_to_a_thread(
        "",
        "double *p = arg; p[2] = 0.5;",
        "double *p = malloc(4 * sizeof(double)); given = p;",
    );
    assert_eq!(operations(&text), ["double@5[2] = 0.5"]);
}

#[test]
fn what_nobody_knows_the_type_of_has_offsets() {
    let text = given_to_a_thread("", "*((char *)arg + 9) = 'x';", "given = malloc(16);");
    assert_eq!(operations(&text), ["heap@5+9 = 120"]);
}

#[test]
fn objects_of_one_line_are_numbered_as_they_come() {
    let text = given_to_a_thread(
        "struct node { struct node *next; int key; };",
        "for (struct node *n = arg; n; n = n->next) n->key = 1;",
        "struct node *list = 0;
         for (int i = 0; i < 2; i++) { struct node *n = malloc(sizeof *n);
         n->next = list; list = n; } given = list;",
    );
    let expected =
        ["node@6.key = 1", "node@6.next → &node@6#2", "node@6#2.key = 1", "node@6#2.next → NULL"];
    assert_eq!(operations(&text), expected);
}

#[test]
fn addresses_of_labels_have_their_names() {
    let text = given_to_a_thread(
        "void *_Atomic label;",
        "label = &&there; goto *label; there:",
        "given = 0;",
    );
    assert_eq!(operations(&text), ["label = &&there", "label → &&there"]);
}
