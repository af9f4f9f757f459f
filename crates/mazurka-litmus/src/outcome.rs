//! The final states of a test.

use std::collections::BTreeMap;
use std::fmt;

use mazurka_core::execution::Execution;
use mazurka_core::explore::explore;
use mazurka_core::memory::MemoryModel;
use mazurka_core::model::Ending;
use mazurka_core::search::{Algorithm, Coherence, DataRaces, Monitor, Options};
use mazurka_core::verdict::Violation;

use crate::LitmusMachine;
use crate::test::{Quantifier, Test};

/// The final states of a test under a memory model.
#[derive(Clone, Debug)]
pub struct Outcome<'a> {
    test: &'a Test,
    /// The values of the places that the test shows, with the number of execution graphs, and whether
    /// the condition holds.
    pub states: BTreeMap<Vec<i64>, (u64, bool)>,
    /// Whether plain accesses race in some execution.
    pub has_data_race: bool,
}

/// Collects final states.
struct States<'a> {
    test: &'a Test,
    states: BTreeMap<Vec<i64>, (u64, bool)>,
}

impl Monitor<LitmusMachine<'_>> for States<'_> {
    fn ended(
        &mut self,
        machine: &LitmusMachine<'_>,
        _: &Execution,
        ending: Option<&Ending>,
        _: Option<&Violation>,
    ) {
        if ending.is_some() {
            let values = self.test.shown.iter().map(|place| machine.value_of(place)).collect();
            let holds = self.test.condition.holds(&|place| machine.value_of(place));
            let (count, _) = self.states.entry(values).or_insert((0, holds));
            *count += 1;
        }
    }
}

impl<'a> Outcome<'a> {
    /// Explores a test under a memory model.
    pub fn of(test: &'a Test, memory_model: MemoryModel) -> Self {
        let mut machine = LitmusMachine::new(test);
        let mut states = States { test, states: BTreeMap::new() };
        let options = Options {
            algorithm: Algorithm::Graphs,
            memory_model,
            // The final values of variables count, and herd7 counts coherence orders.
            coherence: Some(Coherence::Total),
            data_races: DataRaces::Warn,
            keep_going: true,
            ..Options::default()
        };
        let verdict = explore(&mut machine, &options, &mut states);
        debug_assert!(verdict.is_complete() && verdict.violations.is_empty(), "{verdict:?}");
        Outcome { test, states: states.states, has_data_race: !verdict.warnings.is_empty() }
    }

    /// Returns the number of executions in which the condition holds, and in which it does not.
    pub fn witnesses(&self) -> (u64, u64) {
        let sum = |holds: bool| {
            let states = self.states.values().filter(|(_, found)| *found == holds);
            states.map(|(count, _)| count).sum()
        };
        (sum(true), sum(false))
    }

    /// Returns whether the answer to the question of the test is yes.
    pub fn is_validated(&self) -> bool {
        match (self.test.quantifier, self.witnesses()) {
            (Quantifier::Exists, (positive, _)) => positive > 0,
            (Quantifier::NotExists, (positive, _)) => positive == 0,
            (Quantifier::Forall, (_, negative)) => negative == 0,
        }
    }

    /// Returns the names of the places that the test shows.
    pub fn places(&self) -> Vec<String> {
        self.test.shown.iter().map(|place| self.test.name_of(place)).collect()
    }
}

/// Prints the outcome as herd7 does, with the number of execution graphs before each state. A `*` marks
/// the states in which the condition holds.
impl fmt::Display for Outcome<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Test { name, quantifier, condition, .. } = self.test;
        let (kind, word) = match quantifier {
            Quantifier::Exists => ("Allowed", "exists"),
            Quantifier::NotExists => ("Forbidden", "~exists"),
            Quantifier::Forall => ("Required", "forall"),
        };
        writeln!(f, "Test {name} {kind}")?;
        writeln!(f, "States {}", self.states.len())?;
        let places = self.places();
        for (values, (count, holds)) in &self.states {
            let mark = if *holds { '*' } else { ':' };
            write!(f, "{count:<6}{mark}>")?;
            for (i, (place, value)) in places.iter().zip(values).enumerate() {
                write!(f, "{}{place}={value};", if i > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        writeln!(f, "{}", if self.is_validated() { "Ok" } else { "No" })?;
        let (positive, negative) = self.witnesses();
        writeln!(f, "Witnesses\nPositive: {positive} Negative: {negative}")?;
        if self.has_data_race {
            writeln!(f, "Flag Data-Race")?;
        }
        writeln!(f, "Condition {word} ({})", self.test.show(condition))?;
        let observed = match (positive, negative) {
            (0, _) => "Never",
            (_, 0) => "Always",
            _ => "Sometimes",
        };
        writeln!(f, "Observation {name} {observed} {positive} {negative}")
    }
}
