//! Accesses to a whole object order no stores to its fields that no thread loads.

use mazurka_core::search::Algorithm;
use mazurka_llvm::{LlvmOptions, LlvmProgram};

use super::{common::module_of, findings};

/// Returns a program in which two threads store to these fields of an object, and main joins them and
/// then executes `end`.
fn program(fields: &[char], end: &str) -> LlvmProgram {
    let stores: String =
        fields.iter().map(|field| format!("p->{field} = (int)(long)value; ")).collect();
    let text = format!(
        "#include <pthread.h>
         #include <stdatomic.h>
         #include <stdlib.h>
         #include <string.h>
         struct fields {{ atomic_int a, b, c, d; }} *p, other;
         struct plain {{ int a, b, c, d; }} copy;
         static void *store(void *value) {{
           {stores}
           return 0;
         }}
         int main(void) {{
           p = malloc(sizeof *p);
           pthread_t t[2];
           pthread_create(&t[0], 0, store, (void *)1);
           pthread_create(&t[1], 0, store, (void *)2);
           pthread_join(t[0], 0);
           pthread_join(t[1], 0);
           {end}
           return 0;
         }}"
    );
    LlvmProgram::new(&module_of(&text), LlvmOptions::default()).unwrap()
}

/// Returns the numbers of executions of `optimal`, `observers` and `data-centric` if the threads store to two
/// fields.
fn executions(end: &str) -> [u64; 3] {
    executions_with(&['a', 'b'], end)
}

fn executions_with(fields: &[char], end: &str) -> [u64; 3] {
    let program = program(fields, end);
    [Algorithm::Optimal, Algorithm::Observers, Algorithm::DataCentric].map(|algorithm| {
        let (_, verdict) = findings(&program, algorithm, 1, 1000);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{end}");
        verdict.executions
    })
}

#[test]
fn accesses_that_read_nothing_order_no_stores() {
    for end in ["", "free(p);", "memset(p, 0, sizeof *p);", "memcpy(p, &other, sizeof *p);"] {
        assert_eq!(executions(end), [4, 1, 1], "{end}");
    }
    assert_eq!(executions("memset(p, 0, sizeof *p); int i = p->a; free(p); return i;"), [4, 1, 1]);
}

#[test]
fn a_load_of_one_field_orders_only_the_stores_to_it() {
    assert_eq!(executions("int i = p->a; free(p); return i > 2;"), [4, 2, 2]);
    assert_eq!(executions("int i = p->a; memset(p, 0, sizeof *p); return i > 2;"), [4, 2, 2]);
}

#[test]
fn an_access_that_covers_several_stores_observes_each() {
    for end in
        ["memcpy(&copy, p, sizeof copy);", "p = realloc(p, 64);", "copy = *(struct plain *)p;"]
    {
        assert_eq!(executions(end), [4, 4, 4], "{end}");
    }
}

#[test]
fn an_object_may_have_many_fields() {
    let fields = ['a', 'b', 'c', 'd'];
    for end in ["free(p);", "memset(p, 0, sizeof *p);", "memcpy(p, &other, sizeof *p);"] {
        assert_eq!(executions_with(&fields, end), [16, 1, 1], "{end}");
    }
    let end = "int i = p->a; memset(p, 0, sizeof *p); return i > 2;";
    assert_eq!(executions_with(&fields, end), [16, 2, 2]);
    assert_eq!(executions_with(&fields, "memcpy(&copy, p, sizeof copy);"), [16, 16, 16]);
}
