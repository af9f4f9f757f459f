//! Every explorer against the oracle, on random programs.
//!
//! `MAZURKA_PROGRAMS` sets the number of programs, and `MAZURKA_SEED` the first seed. For many more
//! programs, see the example `oracle`.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use mazurka_core::search::Algorithm;
use mazurka_testkit::compare::{Compared, compare, report};
use mazurka_testkit::processors::on_all_processors;
use mazurka_testkit::random;
use mazurka_testkit::setting;

/// Programs with more interleavings are skipped.
const LIMIT: u64 = 20_000;

#[test]
fn explorers_agree_with_the_oracle() {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 400));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let skipped = AtomicU64::new(0);
    let seeds: Vec<u64> = (0..programs).map(|i| seed.wrapping_add(i)).collect();
    on_all_processors(&seeds, |seed| {
        let script = random::script(*seed);
        match compare(&script, LIMIT, &Algorithm::ALL) {
            Compared::Agreed { .. } => {}
            Compared::Skipped(_) => _ = skipped.fetch_add(1, Relaxed),
            Compared::Disagreed(_) => {
                let report = report(&script, LIMIT, &Algorithm::ALL);
                panic!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1:\n{report}");
            }
        }
    });
    let skipped = skipped.into_inner();
    println!("{skipped} of {programs} programs have more than {LIMIT} interleavings: skipped");
    assert!(skipped <= programs / 4, "{skipped} of {programs} programs were skipped");
}
