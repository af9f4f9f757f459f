//! Detection of conflicting accesses that occur in both orders.

use std::collections::HashMap;

use mazurka_core::execution::Execution;
use mazurka_core::model::{Ending, Machine, Performed};
use mazurka_core::search::Monitor;
use mazurka_core::verdict::Violation;

use crate::machine::TraceMachine;
use crate::operation::{Access, Line, Operation, Place};
use crate::program::TraceProgram;

/// A monitor that finds the pairs of conflicting accesses that occur in both orders.
///
/// ```
/// use mazurka_core::explore::explore;
/// use mazurka_core::search::{Algorithm, Options};
/// use mazurka_core::model::Program;
/// use mazurka_trace::{Races, TraceProgram};
///
/// let program = TraceProgram::parse("race.txt", "
/// 1 THREADINIT tid:1
/// 2 FORK par-tid:1 child-tid:2
/// 3 WRITE tid:1 obj:1 class:C field:8
/// 4 THREADINIT tid:2
/// 5 READ tid:2 obj:1 class:C field:8
/// ", None).unwrap();
/// let options = Options { algorithm: Algorithm::EventDriven, ..Options::default() };
/// let mut races = Races::new(&program);
/// explore(&mut program.start().unwrap(), &options, &mut races);
/// assert_eq!(races.found(), [(2, 4)]);
/// ```
#[derive(Debug)]
pub struct Races<'a> {
    program: &'a TraceProgram,
    machine: TraceMachine,
    /// The pairs of conflicting lines, and whether each order was seen.
    pairs: Vec<(u32, u32, bool, bool)>,
    /// The position of each line in the execution.
    positions: Vec<u32>,
}

impl<'a> Races<'a> {
    /// Creates a monitor that has not seen an execution.
    pub fn new(program: &'a TraceProgram) -> Self {
        let mut by_place: HashMap<&Place, Vec<(u32, Access)>> = HashMap::new();
        for (number, line) in program.lines().iter().enumerate() {
            if let Operation::Access(access, place) = &line.operation {
                by_place.entry(place).or_default().push((number as u32, *access));
            }
        }
        let mut pairs = Vec::new();
        for accesses in by_place.values() {
            for (i, (first, one)) in accesses.iter().enumerate() {
                for (second, other) in &accesses[i + 1..] {
                    if (*one, *other) != (Access::Read, Access::Read) {
                        pairs.push((*first, *second, false, false));
                    }
                }
            }
        }
        pairs.sort_unstable();
        let positions = vec![u32::MAX; program.lines().len()];
        Races { program, machine: TraceMachine::new(program), pairs, positions }
    }

    /// Returns the pairs that were seen in both orders, as indices of [`TraceProgram::lines`].
    pub fn found(&self) -> Vec<(usize, usize)> {
        let both = self.pairs.iter().filter(|(_, _, one, other)| *one && *other);
        both.map(|(first, second, _, _)| (*first as usize, *second as usize)).collect()
    }

    /// Describes these pairs for people, in two lines each.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        let name = self.program.path().display();
        for (first, second) in self.found() {
            let [first, second] = [first, second].map(|line| &self.program.lines()[line]);
            let show = |line: &Line| format!("{name}:{} {}", line.number, line.text);
            text.push_str(&format!("  {}\n    and {}\n", show(first), show(second)));
        }
        text
    }
}

impl Monitor<TraceMachine> for Races<'_> {
    fn ended(
        &mut self,
        _machine: &TraceMachine,
        execution: &Execution,
        ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        if ending.is_none() {
            return;
        }
        self.positions.fill(u32::MAX);
        let mut performed = Performed::default();
        for (position, step) in execution.steps().enumerate() {
            if let Some(code) = self.machine.pending(step.process.index()) {
                self.positions[code.line as usize] = position as u32;
            }
            performed.clear();
            let _ = self.machine.step(step, &mut performed);
        }
        let _ = self.machine.rewind(0);
        for (first, second, one, other) in &mut self.pairs {
            let [first, second] = [*first, *second].map(|line| self.positions[line as usize]);
            if first != u32::MAX && second != u32::MAX {
                *one |= first < second;
                *other |= second < first;
            }
        }
    }
}
