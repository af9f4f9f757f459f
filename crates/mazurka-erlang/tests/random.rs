//! Random programs: every explorer finds the ends that the one finds which tries every interleaving,
//! and `optimal` runs each of the traces among those once.
//!
//! `MAZURKA_RANDOM=N` tries N of them, from the seed `MAZURKA_SEED` on.

mod common;

use common::{every_outcome, program};
use mazurka_core::search::Algorithm;

/// What processes do, in the words of `scripts.erl`; `#` stands for the number of a process.
const ACTS: [&str; 33] = [
    "{{say,a},#}",
    "{{say,b},#}",
    "{{say,a},#}",
    "{{say,b},#}",
    "{{signal,bye},#}",
    "{{signal,bye},#}",
    "{{signal,normal},#}",
    "{{signal,kill},#}",
    "{link,#}",
    "{link,#}",
    "{unlink,#}",
    "{monitor,#}",
    "{monitor,#}",
    "{share,#}",
    "{is_alive,#}",
    "{messages,#}",
    "{links,#}",
    "{give,#}",
    "{register,#}",
    "{register,#}",
    "unregister",
    "whereis",
    "call",
    "demonitor",
    "reply",
    "{trap,true}",
    "{trap,false}",
    "{hear,0}",
    "{hear,infinity}",
    "{hear,0,a}",
    "insert",
    "lookup",
    "delete",
];

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn script(&mut self, acts: usize) -> String {
        let act = |random: &mut Self| {
            let act = ACTS[random.below(ACTS.len())];
            act.replace('#', &random.below(3).to_string())
        };
        let acts: Vec<String> = (0..acts).map(|_| act(self)).collect();
        format!("[{}]", acts.join(","))
    }
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn every_explorer_finds_what_naive_finds() {
    let (first, programs) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 60));
    let (mut compared, mut more) = (0, 0);
    for seed in first..first + programs {
        let mut random = Random(seed);
        let sizes = [1 + random.below(3), 1 + random.below(2), 1 + random.below(2)];
        let scripts = sizes.map(|acts| random.script(acts));
        let call = format!("scripts:run([{}])", scripts.join(","));
        let mut program = program("scripts", &call).ignore_deadlocks(true);
        for reason in ["seen", "bye", "killed"] {
            program = program.treat_as_normal(reason);
        }
        let Some((all, _)) = every_outcome(&program, Algorithm::Naive, 20_000) else { continue };
        compared += 1;
        for algorithm in
            [Algorithm::Source, Algorithm::Optimal, Algorithm::Observers, Algorithm::Unfolding]
        {
            let (some, verdict) =
                every_outcome(&program, algorithm, 20_000).expect("no more than naive runs");
            let missing = all.ends.difference(&some.ends).next();
            assert!(missing.is_none(), "seed {seed}: {call}: {algorithm:?} misses {missing:?}");
            let strange = some.ends.difference(&all.ends).next();
            assert!(strange.is_none(), "seed {seed}: {call}: {algorithm:?} finds {strange:?}");
            if algorithm == Algorithm::Optimal {
                let missing = all.traces.difference(&some.traces).next();
                assert!(missing.is_none(), "seed {seed}: {call}: optimal misses {missing:?}");
                more += u64::from(verdict.executions != all.traces.len() as u64);
            }
        }
    }
    println!("{compared} of {programs} compared, {more} with more executions than traces");
    assert!(compared * 2 > programs, "only {compared} of {programs} are small enough");
}
