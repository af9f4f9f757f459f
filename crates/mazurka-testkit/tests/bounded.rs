//! Searches with a bound on preemptions against the oracle, on random programs.
//!
//! `MAZURKA_PROGRAMS` sets the number of programs, and `MAZURKA_SEED` the first seed.

use mazurka_testkit::compare::Compared;
use mazurka_testkit::compare::bounded::{compare, report};
use mazurka_testkit::random;
use mazurka_testkit::setting;

/// Programs with more interleavings are skipped.
const LIMIT: u64 = 5_000;

#[test]
fn bounded_searches_miss_nothing_within_the_bound() {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 300));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let mut skipped = 0;
    for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
        let script = random::script(seed);
        match compare(&script, LIMIT) {
            Compared::Agreed { .. } => {}
            Compared::Skipped(_) => skipped += 1,
            Compared::Disagreed(_) => {
                let report = report(&script, LIMIT);
                panic!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1:\n{report}");
            }
        }
    }
    println!("{skipped} of {programs} programs have more than {LIMIT} interleavings: skipped");
    assert!(skipped <= programs / 2, "{skipped} of {programs} programs were skipped");
}
