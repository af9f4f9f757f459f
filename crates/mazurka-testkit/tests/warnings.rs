//! Data races as warnings: one for each location, and the exploration continues.

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::{Verdict, ViolationKind};
use mazurka_testkit::script::{Script, ScriptProgram};

fn check(algorithm: Algorithm, data_races: DataRaces) -> Verdict {
    // A race on d0 in every execution, none on d1, and one on d2 in some.
    let script: Script = "
        process 0 {
            write d0 1
            lock m0
            write d1 1
            unlock m0
            write x0 1
            write d2 1
        }
        process 1 {
            write d0 2
            lock m0
            write d1 2
            unlock m0
            r0 = read x0
            if r0 == 0 {
                r1 = read d2
            }
        }
    "
    .parse()
    .unwrap();
    let mut machine = ScriptProgram::new(&script).unwrap().start().unwrap();
    ScriptProgram::explore(
        &mut machine,
        &Options { algorithm, data_races, ..Options::default() },
        &mut (),
    )
}

#[test]
fn each_racy_location_is_warned_of_once() {
    for algorithm in Algorithm::ALL {
        let verdict = check(algorithm, DataRaces::Warn);
        assert!(verdict.is_complete() && verdict.violations.is_empty(), "{algorithm}");
        let warnings = &verdict.warnings;
        assert_eq!(warnings.len(), 2, "{algorithm}: {warnings:?}");
        for warning in warnings {
            assert_eq!(warning.kind, ViolationKind::DataRace);
            let (first, second) = warning.accesses.unwrap();
            assert!(first < second && second + 1 == warning.schedule.steps().len());
        }
    }
}

#[test]
fn a_warning_changes_nothing_about_the_exploration() {
    for algorithm in Algorithm::ALL {
        let (warned, ignored) =
            (check(algorithm, DataRaces::Warn), check(algorithm, DataRaces::Ignore));
        assert_eq!(
            (warned.executions, warned.blocked, warned.events),
            (ignored.executions, ignored.blocked, ignored.events),
            "{algorithm}"
        );
        assert!(ignored.warnings.is_empty());
    }
}
