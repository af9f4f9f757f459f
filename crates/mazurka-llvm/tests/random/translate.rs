//! From scripts to C.

use std::fmt::Write;

use mazurka_testkit::script::{Half, REGISTERS, Script, Statement, Value, Variable};

/// The script as C can express it: without assertions, which end an execution in C and only a process
/// in scripts, with choices between two, and with additions that look at the value. `None` if it has
/// anything that C does not have, or that has other steps there.
pub(crate) fn expressible(script: &Script) -> Option<Script> {
    let block = |block: &Vec<Statement>| statements(block);
    let processes = script.processes.iter().map(block).collect::<Option<Vec<_>>>()?;
    Some(Script { channels: Vec::new(), processes })
}

fn statements(block: &[Statement]) -> Option<Vec<Statement>> {
    use Statement::*;
    let mut translated = Vec::new();
    for statement in block {
        translated.push(match statement {
            Assert(..) => continue,
            Add(x, amount) => FetchAdd(REGISTERS as u8 - 1, *x, *amount),
            Choose(r, _) => Choose(*r, 2),
            If(r, value, then, otherwise) => {
                If(*r, *value, statements(then)?, statements(otherwise)?)
            }
            // A loop in C may be a spin loop; and who joins must know whom.
            While(..) | Yield | Await(..) | Spawn(_) | Join(_) | Park | Unpark(_) => return None,
            Send(..) | TrySend(..) | Receive(..) | TryReceive(..) | Hangup(_) | Close(_) => {
                return None;
            }
            Deliver(..) | Take(..) | TryTake(..) => return None,
            // In C, a weak compare-exchange does not fail spuriously.
            WeakCompareExchange(..) => return None,
            other => other.clone(),
        });
    }
    Some(translated)
}

const HEAD: &str = "\
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);

_Atomic long x[8];
long d[8];
pthread_mutex_t m[8];
pthread_rwlock_t l[4];
pthread_cond_t c[8];
static const struct timespec soon = {1, 0};

";

/// One program with all scripts, which runs the one whose number it is given.
pub(crate) fn program(scripts: &[Script]) -> String {
    let mut text = String::from(HEAD);
    let mut cases = String::new();
    for (index, script) in scripts.iter().enumerate() {
        let _ = writeln!(cases, "    case {index}:");
        for (process, statements) in script.processes.iter().enumerate() {
            let _ = writeln!(text, "static void *s{index}p{process}(void *arg) {{");
            let _ = writeln!(text, "    long r[{REGISTERS}] = {{0}};");
            block(&mut text, statements, 1);
            text.push_str("    (void)r;\n    return arg;\n}\n\n");
            let create = format!("pthread_create(&thread, NULL, s{index}p{process}, NULL)");
            let _ = writeln!(cases, "        {create};");
        }
        cases.push_str("        break;\n");
    }
    let _ = write!(
        text,
        "int main(int argc, char **argv) {{\n    for (int i = 0; i < 8; i++) {{\n        \
         pthread_mutex_init(&m[i], NULL);\n        pthread_cond_init(&c[i], NULL);\n    }}\n    \
         for (int i = 0; i < 4; i++)\n        pthread_rwlock_init(&l[i], NULL);\n    pthread_t \
         thread;\n    switch (argc > 1 ? atoi(argv[1]) : 0) {{\n{cases}    }}\n    \
         pthread_exit(0); /* the program ends when all threads have */\n}}\n"
    );
    text
}

fn block(text: &mut String, statements: &[Statement], depth: usize) {
    for each in statements {
        let indent = "    ".repeat(depth);
        if let Statement::If(r, value, then, otherwise) = each {
            let _ = writeln!(text, "{indent}if (r[{r}] == {value}) {{");
            block(text, then, depth + 1);
            let _ = writeln!(text, "{indent}}} else {{");
            block(text, otherwise, depth + 1);
            let _ = writeln!(text, "{indent}}}");
        } else {
            let _ = writeln!(text, "{indent}{}", statement(each));
        }
    }
}

fn statement(statement: &Statement) -> String {
    use Statement::*;
    match statement {
        Read(r, v) => format!("r[{r}] = {};", variable(*v)),
        Write(v, value) => format!("{} = {};", variable(*v), expression(*value)),
        CompareExchange(r, x, from, to) => format!(
            "{{ long old = {from}; r[{r}] = atomic_compare_exchange_strong(&x[{x}], &old, {to}); }}"
        ),
        FetchAdd(r, x, amount) => format!("r[{r}] = atomic_fetch_add(&x[{x}], {amount});"),
        Swap(r, x, value) => format!("r[{r}] = atomic_exchange(&x[{x}], {});", expression(*value)),
        Lock(m) => format!("pthread_mutex_lock(&m[{m}]);"),
        TryLock(r, m) => format!("r[{r}] = pthread_mutex_trylock(&m[{m}]) == 0;"),
        Unlock(m) => format!("pthread_mutex_unlock(&m[{m}]);"),
        ReadLock(l) => format!("pthread_rwlock_rdlock(&l[{l}]);"),
        TryReadLock(r, l) => format!("r[{r}] = pthread_rwlock_tryrdlock(&l[{l}]) == 0;"),
        WriteLock(l) => format!("pthread_rwlock_wrlock(&l[{l}]);"),
        TryWriteLock(r, l) => format!("r[{r}] = pthread_rwlock_trywrlock(&l[{l}]) == 0;"),
        ReadUnlock(l) | WriteUnlock(l) => format!("pthread_rwlock_unlock(&l[{l}]);"),
        Wait(c, m) => format!("pthread_cond_wait(&c[{c}], &m[{m}]);"),
        WaitTimeout(r, c, m) => {
            format!("r[{r}] = pthread_cond_timedwait(&c[{c}], &m[{m}], &soon) == 0;")
        }
        NotifyOne(c) => format!("pthread_cond_signal(&c[{c}]);"),
        NotifyAll(c) => format!("pthread_cond_broadcast(&c[{c}]);"),
        Choose(r, _) => format!("r[{r}] = __VERIFIER_nondet_bool();"),
        Assume(r, value) => format!("__VERIFIER_assume(r[{r}] == {value});"),
        other => unreachable!("{other:?} is not expressible"),
    }
}

fn variable(variable: Variable) -> String {
    match variable {
        Variable::Atomic(x) => format!("x[{x}]"),
        Variable::Plain(d) => format!("d[{d}]"),
        Variable::Half(x, Half::Low) => format!("((_Atomic unsigned *)&x[{x}])[0]"),
        Variable::Half(x, Half::High) => format!("((_Atomic unsigned *)&x[{x}])[1]"),
    }
}

fn expression(value: Value) -> String {
    match value {
        Value::Constant(constant) => format!("{constant}"),
        Value::Sum(register, constant) => format!("r[{register}] + {constant}"),
    }
}
