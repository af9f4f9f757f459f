//! Independent steps commute: on random walks through random programs.

use mazurka_testkit::oracle::commutation;
use mazurka_testkit::random;
use mazurka_testkit::script::ScriptProgram;
use mazurka_testkit::shrink::shrink;

#[test]
fn independent_steps_commute() {
    for seed in 0..1_000 {
        let script = random::script(seed);
        let error = |script: &_| {
            let program = ScriptProgram::new(script).ok()?;
            let mut walks = fastrand::Rng::with_seed(seed);
            (0..20).find_map(|_| commutation::check(&program, &mut walks).err())
        };
        if error(&script).is_some() {
            let smallest = shrink(&script, |script| error(script).is_some());
            panic!("seed {seed}: {}\n{smallest}", error(&smallest).unwrap_or_default());
        }
    }
}
