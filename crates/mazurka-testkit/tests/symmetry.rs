//! Symmetry reduction against the oracle, on random programs with interchangeable processes.
//!
//! `MAZURKA_PROGRAMS` sets the number of programs, and `MAZURKA_SEED` the first seed.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use mazurka_testkit::compare::symmetry::{Compared, compare, report};
use mazurka_testkit::processors::on_all_processors;
use mazurka_testkit::random;

/// Programs with more interleavings are skipped.
const LIMIT: u64 = 20_000;

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text}: not a number")),
        Err(_) => default,
    }
}

#[test]
fn every_orbit_is_explored() {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 400));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let [skipped, all, fewer, of_observers, by_observers] = [const { AtomicU64::new(0) }; 5];
    let seeds: Vec<u64> = (0..programs).map(|i| seed.wrapping_add(i)).collect();
    on_all_processors(&seeds, |seed| {
        let script = random::script_with_twins(*seed);
        match compare(&script, LIMIT) {
            Compared::Agreed { traces, orbits, classes } => {
                all.fetch_add(traces as u64, Relaxed);
                fewer.fetch_add(orbits as u64, Relaxed);
                of_observers.fetch_add(classes.0 as u64, Relaxed);
                by_observers.fetch_add(classes.1, Relaxed);
            }
            Compared::Skipped => _ = skipped.fetch_add(1, Relaxed),
            Compared::Disagreed(_) => {
                let report = report(&script, LIMIT);
                panic!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1:\n{report}");
            }
        }
    });
    let [skipped, all, fewer, of_observers, by_observers] =
        [skipped, all, fewer, of_observers, by_observers].map(AtomicU64::into_inner);
    println!(
        "{} programs: {all} traces, {fewer} orbits; for observers {of_observers} orbits, {by_observers} \
         executions",
        programs - skipped
    );
    assert!(skipped <= programs * 3 / 4, "{skipped} of {programs} programs were skipped");
}
