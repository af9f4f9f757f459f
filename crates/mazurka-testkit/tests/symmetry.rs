//! Symmetry reduction against the oracle, on random programs with interchangeable processes.
//!
//! `MAZURKA_PROGRAMS` sets the number of programs, and `MAZURKA_SEED` the first seed.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use mazurka_testkit::compare::symmetry::{Compared, compare, report};
use mazurka_testkit::processors::on_all_processors;
use mazurka_testkit::random;
use mazurka_testkit::setting;

/// Programs with more interleavings are skipped.
const LIMIT: u64 = 20_000;

#[test]
fn every_orbit_is_explored() {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 400));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let [skipped, all, fewer, of_observers] = [const { AtomicU64::new(0) }; 4];
    let repeats = [const { AtomicU64::new(0) }; 2];
    let seeds: Vec<u64> = (0..programs).map(|i| seed.wrapping_add(i)).collect();
    on_all_processors(&seeds, |seed| {
        let script = random::script_with_twins(*seed);
        match compare(&script, LIMIT) {
            Compared::Agreed { traces, orbits, classes, repeated } => {
                all.fetch_add(traces as u64, Relaxed);
                fewer.fetch_add(orbits as u64, Relaxed);
                of_observers.fetch_add(classes as u64, Relaxed);
                for (sum, repeated) in repeats.iter().zip(repeated) {
                    sum.fetch_add(repeated, Relaxed);
                }
            }
            Compared::Skipped => _ = skipped.fetch_add(1, Relaxed),
            Compared::Disagreed(_) => {
                let report = report(&script, LIMIT);
                panic!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1:\n{report}");
            }
        }
    });
    let [skipped, all, fewer, of_observers] =
        [skipped, all, fewer, of_observers].map(AtomicU64::into_inner);
    let [by_optimal, by_observers] = repeats.map(AtomicU64::into_inner);
    println!(
        "{} programs: {all} traces, {fewer} orbits, {of_observers} for observers; repeated by optimal: \
         {by_optimal}, by observers: {by_observers}",
        programs - skipped
    );
    assert!(skipped <= programs * 3 / 4, "{skipped} of {programs} programs were skipped");
}

/// Programs, with their numbers of traces, of orbits, and of orbits for `observers`.
const PROGRAMS: [(&str, usize, usize, usize); 9] = [
    // Two reads of the same value, but from different writes: the twins differ by that.
    (
        "process 0 {\nwrite x0 1\nwrite x0 1\n}\n\
         process 1 {\nr0 = read x0\nwrite x1 1\n}\nprocess 2 {\nr0 = read x0\nwrite x1 1\n}",
        18,
        9,
        6,
    ),
    // A read between two additions.
    (
        "process 0 {\nr0 = read x0\n}\n\
         process 1 {\nadd x0 1\nwrite x1 1\n}\nprocess 2 {\nadd x0 1\nwrite x1 1\n}",
        8,
        4,
        3,
    ),
    // The deadlock in which the first twin waits for ever has a partner in which the second does.
    ("process 0 {\nlock m0\n}\nprocess 1 {\nlock m0\n}\nprocess 2 {\nlock m0\n}", 3, 1, 1),
    // Three writers in a row: the order of all of them.
    (
        "process 0 {\nspawn 1\nspawn 2\nspawn 3\njoin 1\njoin 2\njoin 3\nr0 = read x0\n}\n\
         process 1 {\nr0 = fetch_add x0 1\n}\nprocess 2 {\nr0 = fetch_add x0 1\n}\n\
         process 3 {\nr0 = fetch_add x0 1\n}",
        6,
        1,
        1,
    ),
    // A data race between twins.
    ("process 0 {\nwrite d0 1\n}\nprocess 1 {\nwrite d0 1\n}", 2, 1, 1),
    // Readers before and after a write, which share a lock.
    (
        "process 0 {\nwrite_lock l0\nwrite x0 1\nwrite_unlock l0\n}\n\
         process 1 {\nread_lock l0\nr0 = read x0\nread_unlock l0\n}\n\
         process 2 {\nread_lock l0\nr0 = read x0\nread_unlock l0\n}",
        4,
        3,
        3,
    ),
    // Reads before and after a write, behind writes that no process reads: an observer sees only how many.
    (
        "process 0 {\nwrite x1 1\n}\n\
         process 1 {\nwrite x0 1\nr0 = read x1\n}\nprocess 2 {\nwrite x0 1\nr0 = read x1\n}",
        8,
        4,
        3,
    ),
    // Two of three twins choose the same.
    (
        "process 0 {\nr0 = choose 2\n}\nprocess 1 {\nr0 = choose 2\n}\n\
         process 2 {\nr0 = choose 2\n}",
        8,
        4,
        4,
    ),
    // What a twin chooses decides whether it updates, and there is an order only of the updates.
    (
        "process 0 {\nr0 = choose 2\nif r0 == 1 {\nr1 = fetch_add x0 1\n}\n}\n\
         process 1 {\nr0 = choose 2\nif r0 == 1 {\nr1 = fetch_add x0 1\n}\n}\n\
         process 2 {\nr0 = choose 2\nif r0 == 1 {\nr1 = fetch_add x0 1\n}\n}",
        16,
        4,
        4,
    ),
];

#[test]
fn the_orbits_of_small_programs_are_known() {
    for (text, all, fewer, observed) in PROGRAMS {
        match compare(&text.parse().unwrap(), LIMIT) {
            Compared::Agreed { traces, orbits, classes, .. } => {
                assert_eq!((traces, orbits, classes), (all, fewer, observed), "{text}");
            }
            other => panic!("{other:?}\n{text}"),
        }
    }
}
