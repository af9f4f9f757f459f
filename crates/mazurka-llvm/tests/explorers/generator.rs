//! Random programs with everything that the C front end offers.
//!
//! A program draws a few *topics* (mutexes, semaphores, overlapping accesses, …), and every thread
//! executes a few statements of them, which `topics.rs` lists as templates.

use std::fmt::Write;

use super::topics::{COUNTED, MEMORY, OTHERS, ROUND_TRIPS, TAKEN_BACK, TIME, Topic};

const HEAD: &str = r#"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

struct pair { int a, b; };
union overlap { long whole; int half[2]; short quarter[4]; char byte[8]; };

atomic_int x[2];
_Atomic unsigned char a1;
_Atomic unsigned short a2;
_Atomic long a8;
atomic_bool ab;
atomic_flag flag = ATOMIC_FLAG_INIT;
int d[2];
struct pair pair[2];
union overlap u;
int *_Atomic shared;
_Thread_local int mine;

pthread_mutex_t m[2], recursive, checking;
pthread_cond_t c[2];
pthread_rwlock_t l;
pthread_barrier_t barrier;
pthread_spinlock_t spin;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key;
tss_t c11_key;
sem_t sem;
mtx_t mtx;
cnd_t cnd;
const struct timespec soon = {1, 0};
time_t start;

void initialise(void) { d[0] += 1; x[0]++; }
void at_end(void *value) { x[1] = x[1] * 3 + (long)value; }
void *helper(void *arg) { x[0] += 1; return (void *)(x[1] + (long)arg); }
int c11_helper(void *arg) { return x[1]++; }
void __VERIFIER_atomic_swap(int by) { int old = x[0]; x[0] = x[1] + by; x[1] = old; }
__attribute__((noinline)) void leave(int now, long r) { if (now) pthread_exit((void *)(r + 1)); }

static void set_up(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&m[i], 0);
    pthread_cond_init(&c[i], 0);
  }
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attributes);
  pthread_rwlock_init(&l, 0);
  pthread_barrier_init(&barrier, 0, 2);
  pthread_spin_init(&spin, 0);
  pthread_key_create(&key, at_end);
  tss_create(&c11_key, at_end);
  sem_init(&sem, 0, 1);
  mtx_init(&mtx, mtx_timed);
  cnd_init(&cnd);
}

static long state(void) {
  long sum = x[0] + 5 * x[1] + 11 * a1 + 13 * a2 + 17 * a8 + 19 * ab + 23 * d[0] + 29 * d[1];
  sum += 31 * pair[0].a + 37 * pair[0].b + 41 * pair[1].a + 43 * pair[1].b + 47 * u.whole;
  return sum;
}
"#;

/// A small source of numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        // The mixer of SplitMix64: seeds that follow one another give unrelated sequences.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The functions of one program.
pub(crate) struct Program {
    /// What the program is about.
    pub(crate) topics: Vec<&'static str>,
    /// Its functions in C; `program_SEED` is what runs it.
    pub(crate) text: String,
}

struct Generator {
    random: Random,
    memory: &'static Topic,
    topics: Vec<&'static Topic>,
}

impl Generator {
    /// Returns a statement of one of the program's topics.
    fn statement(&mut self) -> String {
        let topic = *self.random.pick(&self.topics);
        let template = *self.random.pick(topic.statements);
        self.fill_in(template)
    }

    fn fill_in(&mut self, template: &str) -> String {
        let mut parts = template.split('#');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (hole, rest) = part.split_at(1);
            match hole {
                "i" => text += if self.random.below(2) == 0 { "0" } else { "1" },
                "n" => text += &self.random.below(3).to_string(),
                _ => {
                    let inner = *self.random.pick(self.memory.statements);
                    text += &self.fill_in(inner);
                }
            }
            text += rest;
        }
        text
    }

    fn statements(&mut self, most: usize) -> String {
        let count = 1 + self.random.below(most);
        (0..count).map(|_| format!("  {}\n", self.statement())).collect()
    }
}

/// Returns the program of a seed.
pub(crate) fn program(seed: u64) -> Program {
    let mut random = Random(seed);
    let (memory, first) = (random.pick(&MEMORY), random.pick(&OTHERS));
    let wanted = std::env::var("MAZURKA_TOPIC").ok();
    let is_wanted = |topic: &&Topic| wanted.as_deref() == Some(topic.name);
    let memory = MEMORY.iter().find(is_wanted).unwrap_or(memory);
    let mut topics = vec![OTHERS.iter().find(is_wanted).unwrap_or(first)];
    match random.below(4) {
        0 => topics.push(random.pick(&OTHERS)),
        1 | 2 => topics.push(memory),
        _ => {}
    }
    let names: Vec<_> = topics.iter().map(|topic| topic.name).chain([memory.name]).collect();
    let mut generator = Generator { random, memory, topics };
    let threads = 2 + generator.random.below(2);
    let most = if threads == 2 { 3 } else { 2 };
    let mut text = String::new();
    for thread in 0..threads {
        let body = generator.statements(most);
        let _ = write!(
            text,
            "static void *p{seed}_t{thread}(void *arg) {{\n  long r = (long)arg;\n{body}  \
             return (void *)r;\n}}\n"
        );
    }
    let _ = write!(
        text,
        "static int program_{seed}(void) {{\n  pthread_t t[{threads}];\n  void *v;\n  \
         long r = 0;\n"
    );
    if names.contains(&TIME) {
        text += "  start = time(0);\n";
    }
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_create(&t[{thread}], 0, p{seed}_t{thread}, 0);");
    }
    if generator.random.below(4) == 0 {
        text += &generator.statements(1);
    }
    // Main may leave threads behind, detached or not.
    let joined = if generator.random.below(6) == 0 { threads - 1 } else { threads };
    if joined < threads && generator.random.below(2) == 0 {
        let _ = writeln!(text, "  pthread_detach(t[{joined}]);");
    }
    for thread in 0..joined {
        let _ = writeln!(text, "  pthread_join(t[{thread}], &v); r = 31 * r + (long)v;");
    }
    text += "  return r * 64 + state();\n}\n";
    Program { topics: names, text }
}

/// Returns the program of a seed in which two or three threads run the same function, and another thread may
/// run another one. In a third of the programs, main tells the threads apart.
pub(crate) fn program_with_twins(seed: u64) -> Program {
    let mut random = Random(seed ^ 0x7717);
    let (memory, first) = (random.pick(&MEMORY), random.pick(&OTHERS));
    let wanted = std::env::var("MAZURKA_TOPIC").ok();
    let is_wanted = |topic: &&Topic| wanted.as_deref() == Some(topic.name);
    let memory = MEMORY.iter().find(is_wanted).unwrap_or(memory);
    let mut topics = vec![OTHERS.iter().find(is_wanted).unwrap_or(first)];
    if random.below(2) == 0 {
        topics.push(memory);
    }
    let names: Vec<_> = topics.iter().map(|topic| topic.name).chain([memory.name]).collect();
    let mut generator = Generator { random, memory, topics };
    let twins = 2 + generator.random.below(2);
    let has_other = generator.random.below(2) == 0;
    let threads = twins + usize::from(has_other);
    let mut text = String::new();
    for function in 0..1 + usize::from(has_other) {
        let body = generator.statements(2);
        let _ = write!(
            text,
            "static void *p{seed}_t{function}(void *arg) {{\n  long r = (long)arg;\n{body}  \
             return (void *)r;\n}}\n"
        );
    }
    let _ = write!(
        text,
        "static int program_{seed}(void) {{\n  pthread_t t[{threads}];\n  void *v;\n  \
         long r = 0;\n"
    );
    if names.contains(&TIME) {
        text += "  start = time(0);\n";
    }
    for thread in 0..threads {
        let function = usize::from(thread >= twins);
        let _ = writeln!(text, "  pthread_create(&t[{thread}], 0, p{seed}_t{function}, 0);");
    }
    let join = match generator.random.below(6) {
        0 => "pthread_join(t[#], &v); r = 31 * r + (long)v;",
        1 => "pthread_join(t[#], 0); r = 3 * r + state();",
        2 => "if (# != 1) pthread_join(t[#], 0);",
        _ => "pthread_join(t[#], 0);",
    };
    for thread in 0..threads {
        let _ = writeln!(text, "  {}", join.replace('#', &thread.to_string()));
    }
    text += "  return r * 64 + state();\n}\n";
    Program { topics: names, text }
}

/// Returns the program of a seed in which threads take back what they change while they wait.
pub(crate) fn program_that_takes_back(seed: u64) -> Program {
    let waiting: Vec<&str> = TAKEN_BACK[..17].to_vec();
    taking_back(seed, Random(seed ^ 0x7A4B), &waiting, &TAKEN_BACK)
}

/// Returns the program of a seed in which threads wait in loops with zero net effect on one location.
pub(crate) fn program_with_round_trips(seed: u64) -> Program {
    let any: Vec<&str> = [&ROUND_TRIPS[..], &ROUND_TRIPS, &TAKEN_BACK[19..]].concat();
    taking_back(seed, Random(seed ^ 0x3D51), &ROUND_TRIPS, &any)
}

/// Returns the program of a seed whose threads wait by some statements, and perform any.
fn taking_back(seed: u64, random: Random, waiting: &[&str], any: &[&str]) -> Program {
    let mut generator = Generator { random, memory: &MEMORY[0], topics: Vec::new() };
    let statement = |generator: &mut Generator, waits: bool| {
        let among = if waits { waiting } else { any };
        let [one, other] = if generator.random.below(4) == 0 { ["1", "0"] } else { ["0", "1"] };
        let template =
            generator.random.pick(among).replace('@', one).replace("[!]", &format!("[{other}]"));
        format!("  {}\n", generator.fill_in(&template))
    };
    let threads = 2 + generator.random.below(2);
    let mut text = String::new();
    for thread in 0..threads {
        let mut body = String::new();
        let waiting = generator.random.below(threads) < 2;
        for rank in 0..1 + generator.random.below(4 - threads) {
            body += &statement(&mut generator, waiting && rank == 0);
        }
        let _ = write!(
            text,
            "static void *p{seed}_t{thread}(void *arg) {{\n  long r = (long)arg;\n{body}  \
             return (void *)r;\n}}\n"
        );
    }
    let [one, other] = [0; 2].map(|_| generator.random.below(3));
    let _ = write!(
        text,
        "static int program_{seed}(void) {{\n  pthread_t t[{threads}];\n  void *v;\n  \
         long r = 0;\n  x[0] = {one}; x[1] = {other};\n"
    );
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_create(&t[{thread}], 0, p{seed}_t{thread}, 0);");
    }
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_join(t[{thread}], &v); r = 31 * r + (long)v;");
    }
    text += "  return r * 64 + state();\n}\n";
    Program { topics: vec!["loops that take back"], text }
}

/// Returns the program of a seed in which a thread tries a few times, and then gives up.
pub(crate) fn program_that_counts(seed: u64) -> Program {
    let mut generator =
        Generator { random: Random(seed ^ 0xC0_47), memory: &MEMORY[0], topics: Vec::new() };
    let threads = 2 + usize::from(generator.random.below(4) == 0);
    let mut text = String::new();
    for thread in 0..threads {
        let counts = thread == 0 || generator.random.below(3) == 0;
        let among =
            if counts { &COUNTED[..COUNTED.len() - 4] } else { &COUNTED[COUNTED.len() - 4..] };
        let mut body = String::new();
        for _ in 0..1 + generator.random.below(if counts { 1 } else { 3 }) {
            let rounds = 2 + generator.random.below(3);
            let template = generator.random.pick(among).replace('@', &rounds.to_string());
            let _ = writeln!(body, "  {}", generator.fill_in(&template));
        }
        let _ = write!(
            text,
            "static void *p{seed}_t{thread}(void *arg) {{\n  long r = (long)arg;\n{body}  \
             return (void *)r;\n}}\n"
        );
    }
    let [one, other] = [0; 2].map(|_| generator.random.below(3));
    let _ = write!(
        text,
        "static int program_{seed}(void) {{\n  pthread_t t[{threads}];\n  void *v;\n  \
         long r = 0;\n  x[0] = {one}; x[1] = {other};\n"
    );
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_create(&t[{thread}], 0, p{seed}_t{thread}, 0);");
    }
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_join(t[{thread}], &v); r = 31 * r + (long)v;");
    }
    text += "  return r * 64 + state();\n}\n";
    Program { topics: vec!["loops that count"], text }
}

/// Returns one C program that runs the program of the seed that it is given as its argument.
pub(crate) fn whole(programs: &[(u64, Program)]) -> String {
    let mut text = HEAD.to_owned();
    for (_, program) in programs {
        text += &program.text;
    }
    text += "int main(int argc, char **argv) {\n  set_up();\n  switch (atoi(argv[1])) {\n";
    for (seed, _) in programs {
        let _ = writeln!(text, "  case {seed}: return program_{seed}();");
    }
    text + "  }\n  return 0;\n}\n"
}
