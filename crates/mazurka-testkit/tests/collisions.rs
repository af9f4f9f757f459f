//! States with the same fingerprint are distinguished by the words that the machine writes.

use mazurka_core::explore::explore;
use mazurka_core::model::{Action, Ending, Machine, Performed, ProcessId, Program, Step};
use mazurka_core::search::{Algorithm, DataRaces, Options, UnfoldingOptions};
use mazurka_core::verdict::{Verdict, Violation};
use mazurka_testkit::looping;
use mazurka_testkit::script::{ScriptMachine, ScriptProgram};

/// A script with a fingerprint of four bits, so that most states share theirs.
struct Colliding {
    script: ScriptMachine,
    /// Whether it writes its states.
    writes: bool,
}

impl Machine for Colliding {
    fn processes(&self) -> usize {
        self.script.processes()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.script.next(process)
    }

    fn guards(&self, process: ProcessId) -> &[Action] {
        self.script.guards(process)
    }

    fn others(&self, process: ProcessId) -> &[Action] {
        self.script.others(process)
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.script.is_enabled(process)
    }

    fn alternatives(&self, process: ProcessId) -> u32 {
        self.script.alternatives(process)
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        self.script.step(step, performed)
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.script.rewind(len)
    }

    fn ending(&self) -> Ending {
        self.script.ending()
    }

    fn fingerprint(&self) -> Option<u128> {
        self.script.fingerprint().map(|fingerprint| fingerprint & 15)
    }

    fn write_state(&self, words: &mut Vec<u64>) -> Option<u128> {
        if self.writes {
            let whole = self.script.fingerprint()?;
            words.extend([whole as u64, (whole >> 64) as u64]);
        }
        self.fingerprint()
    }
}

/// Returns the counts and the violations of an exploration.
fn count<M: Machine>(machine: &mut M, cache: Option<usize>) -> (u64, [u64; 2], Vec<Violation>) {
    let unfolding = UnfoldingOptions { cache, ..UnfoldingOptions::default() };
    let options = Options {
        algorithm: Algorithm::Unfolding,
        keep_going: true,
        data_races: DataRaces::Ignore,
        max_executions: Some(100),
        max_depth: Some(60),
        unfolding,
        ..Options::default()
    };
    let Verdict { executions, unfolding, violations, .. } = explore(machine, &options, &mut ());
    let unfolding = unfolding.expect("it is told for this explorer");
    (executions, [unfolding.events, unfolding.cut_offs], violations)
}

#[test]
fn collisions_cut_nothing_off() {
    let mut misled = 0;
    for seed in 0..40 {
        let program = ScriptProgram::new(&looping::script(seed)).unwrap();
        for cache in [None, Some(3)] {
            let expected = count(&mut program.start().unwrap(), cache);
            let start = |writes| Colliding { script: program.start().unwrap(), writes };
            assert_eq!(count(&mut start(true), cache), expected, "seed {seed}, cache {cache:?}");
            misled += usize::from(count(&mut start(false), cache) != expected);
        }
    }
    assert!(misled > 20, "only {misled} would have been misled: nothing collides");
}
