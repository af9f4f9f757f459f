//! `unfolding` with cut-offs against a search of all states, on random programs that may loop
//! forever.
//!
//! `MAZURKA_PROGRAMS` sets the number of programs, and `MAZURKA_SEED` the first seed.

use mazurka_testkit::compare::looping::{Compared, compare};
use mazurka_testkit::looping;
use mazurka_testkit::script::Script;
use mazurka_testkit::setting;
use mazurka_testkit::shrink::shrink;

/// Programs with more states, or on which the search takes more executions, are skipped.
const STATES: usize = 2_000;
const EXECUTIONS: u64 = 1_000;

#[test]
fn cut_offs_hide_nothing() {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 300));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let (mut skipped, mut states, mut cycles, mut violations) = (0, 0, 0, 0);
    for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
        let script = looping::script(seed);
        match compare(&script, STATES, EXECUTIONS) {
            Compared::Agreed { reachable, .. } => {
                states += reachable.states;
                cycles += usize::from(reachable.has_cycle);
                violations += usize::from(!reachable.violations.is_empty());
            }
            Compared::Skipped(_) => skipped += 1,
            Compared::Disagreed(_) => {
                let disagrees = |script: &Script| {
                    matches!(compare(script, STATES, EXECUTIONS), Compared::Disagreed(_))
                };
                let smallest = shrink(&script, disagrees);
                let differences = match compare(&smallest, STATES, EXECUTIONS) {
                    Compared::Disagreed(differences) => differences.join("\n"),
                    other => format!("it does not always disagree: {other:?}"),
                };
                panic!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1:\n{differences}\n\n{smallest}");
            }
        }
    }
    println!(
        "{states} states; {cycles} programs with known states, {violations} with violations; \
         {skipped} of {programs} skipped"
    );
    assert!(skipped <= programs / 3, "{skipped} of {programs} programs were skipped");
}
