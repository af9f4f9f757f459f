//! The classes of `observers` are a valid equivalence: on random programs.

use mazurka_testkit::oracle::linearisation;
use mazurka_testkit::random::{self, Profile};
use mazurka_testkit::script::ScriptProgram;
use mazurka_testkit::shrink::shrink;

/// Programs with more interleavings are skipped.
const LIMIT: u64 = 2_000;

fn check(profile: Profile, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let script = random::script_of(profile, seed);
        let error = |script: &_| {
            let program = ScriptProgram::new(script).ok()?;
            linearisation::check(&program, LIMIT).err()
        };
        if error(&script).is_some() {
            let smallest = shrink(&script, |script| error(script).is_some());
            let error = error(&smallest).unwrap_or_default();
            panic!("{profile:?}, seed {seed}: {error}\n{smallest}");
        }
    }
}

#[test]
fn linearisations_are_equivalent() {
    for profile in Profile::ALL.into_iter().filter(|profile| *profile != Profile::Halves) {
        check(profile, 0..40);
    }
}

#[test]
fn linearisations_of_writes_and_of_deliveries_are_equivalent() {
    check(Profile::Memory, 40..240);
    check(Profile::Mailboxes, 40..240);
}
