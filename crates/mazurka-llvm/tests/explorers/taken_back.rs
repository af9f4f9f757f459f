//! Loops that take back what they change: explorers leave out such iterations, and find what there is in the
//! reachable states of the program with all iterations.
//!
//! These programs have infinitely many executions, but few states. An explorer must report a livelock if there is a
//! state from which no execution ends. In programs with many states, it may report one as well if there is a state to
//! which every thread that can take a step comes back when it runs alone.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use mazurka_core::memory::MemoryModel;
use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program as _, Step};
use mazurka_core::search::{Algorithm, Coherence};
use mazurka_core::verdict::{Verdict, Violation, ViolationKind};
use mazurka_llvm::{LlvmMachine, LlvmOptions, LlvmProgram};
use mazurka_testkit::contract::{self, Walks};

use crate::common::{ALGORITHMS, going_back_restores_everything, module_of};
use crate::generator::Program;
use crate::{BATCH, Findings, difference, findings, generator, models, number};

/// Programs with more states are passed over.
const MOST_STATES: usize = 30_000;
/// In a program with at most so many states, a machine finds out whether threads wait for ever.
const FEW_STATES: usize = 2_000;
/// A search that runs more executions is not complete.
const MOST_EXECUTIONS: u64 = 800;
/// A thread that takes more steps without coming back to a state is not in a loop there.
const LONGEST_LOOP: usize = 40;

/// What happens in the reachable states of a program.
#[derive(Default)]
struct Reachable {
    states: HashMap<u128, usize>,
    /// For every state, those from which a step leads to it.
    before: Vec<Vec<usize>>,
    /// The states in which executions end.
    ends: Vec<usize>,
    /// Whether there is a state to which every thread comes back alone.
    may_livelock: bool,
    outcomes: BTreeSet<Option<i32>>,
    violations: BTreeSet<String>,
}

const LIVELOCK: &str = "livelock";

/// Returns a violation without what depends on how the threads are held back.
fn name(violation: &Violation) -> String {
    match violation.kind {
        ViolationKind::Livelock => LIVELOCK.to_owned(),
        _ => violation.to_string(),
    }
}

fn steps(machine: &LlvmMachine) -> Vec<Step> {
    let machine: &dyn Machine = machine;
    let of = |process: ProcessId| {
        (0..machine.alternatives(process)).map(move |choice| Step { process, choice })
    };
    machine.enabled().flat_map(of).collect()
}

/// Returns whether a thread that runs alone comes back to the current state.
fn comes_back(machine: &mut LlvmMachine, process: ProcessId, depth: usize) -> bool {
    let (before, mut performed) = (machine.fingerprint(), Performed::default());
    let mut is_back = false;
    for _ in 0..LONGEST_LOOP {
        let can_go_on = machine.is_enabled(process) && machine.alternatives(process) == 1;
        performed.clear();
        if !can_go_on || machine.step(Step { process, choice: 0 }, &mut performed).is_err() {
            break;
        }
        is_back = machine.fingerprint() == before;
        if is_back {
            break;
        }
    }
    machine.rewind(depth).unwrap();
    is_back
}

impl Reachable {
    /// Visits all states that can be reached from the current one, which a step from `before` leads to. Returns
    /// `false` if there are too many.
    fn visit(&mut self, machine: &mut LlvmMachine, depth: usize, before: Option<usize>) -> bool {
        let new = self.states.len();
        let state = *self.states.entry(machine.fingerprint().unwrap()).or_insert(new);
        self.before.resize(self.states.len(), Vec::new());
        self.before[state].extend(before);
        if state < new {
            return true;
        }
        if self.states.len() > MOST_STATES || depth > 1_000 {
            return false;
        }
        let steps = steps(machine);
        if steps.is_empty() {
            self.ends.push(state);
            match machine.ending() {
                Ending::Finished => _ = self.outcomes.insert(machine.exit_code()),
                Ending::Stuck(violation) => _ = self.violations.insert(name(&violation)),
                Ending::AssumptionFailed => {}
            }
            return true;
        }
        self.may_livelock |= steps.iter().all(|step| comes_back(machine, step.process, depth));
        let mut performed = Performed::default();
        for step in steps {
            performed.clear();
            match machine.step(step, &mut performed) {
                Ok(()) if !self.visit(machine, depth + 1, Some(state)) => return false,
                Ok(()) => {}
                Err(violation) => {
                    self.ends.push(state);
                    self.violations.insert(name(&violation));
                }
            }
            machine.rewind(depth).unwrap();
        }
        true
    }

    /// Adds a livelock if there is a state from which no execution ends.
    fn add_livelock(&mut self) {
        let mut ends = vec![false; self.states.len()];
        let mut next = self.ends.clone();
        while let Some(state) = next.pop() {
            if !std::mem::replace(&mut ends[state], true) {
                next.extend(&self.before[state]);
            }
        }
        if ends.contains(&false) {
            self.violations.insert(LIVELOCK.to_owned());
        }
    }
}

/// Returns how findings differ from what is reachable. If the search is not complete, they may lack something.
fn disagreement(all: &Reachable, found: &Findings, verdict: &Verdict) -> String {
    let violations = verdict.violations.iter().map(name).collect();
    let mut text = difference(&all.outcomes, &found.outcomes);
    text += &difference(&all.violations, &violations);
    let may_livelock = all.may_livelock && all.states.len() > FEW_STATES;
    // `unfolding` cuts off executions that come back to a state.
    let has_cut_off = verdict.unfolding.is_some_and(|unfolding| unfolding.cut_offs > 0);
    let counts = |line: &&str| match line.starts_with("  it misses") {
        true => verdict.is_complete() && !(has_cut_off && line.contains(LIVELOCK)),
        false => !(may_livelock && line.contains(LIVELOCK)),
    };
    text.lines().filter(counts).map(|line| format!("{line}\n")).collect()
}

/// Compares all explorers with what is reachable. Returns the disagreements, and for how many explorers the
/// search was complete.
fn compare(program: &LlvmProgram, all: &Reachable) -> (String, u64) {
    let (mut differences, mut complete) = (String::new(), 0);
    let alone = ALGORITHMS.map(|algorithm| (algorithm, 1));
    for (algorithm, workers) in alone.into_iter().chain([(Algorithm::Optimal, 3)]) {
        let (found, verdict) = findings(program, algorithm, workers, MOST_EXECUTIONS);
        complete += u64::from(verdict.is_complete());
        let text = disagreement(all, &found, &verdict);
        if !text.is_empty() {
            let _ = write!(differences, "{algorithm} by {workers}:\n{text}");
        }
    }
    program.set_memory_orderings(true);
    for coherence in [Some(Coherence::Total), None] {
        let (found, verdict) =
            models::graphs(program, MemoryModel::Sc, coherence, 1, MOST_EXECUTIONS);
        let is_passed_over = |violation: &Violation| {
            matches!(violation.kind, ViolationKind::Unsupported | ViolationKind::DataRace)
        };
        if verdict.violations.iter().any(is_passed_over) {
            continue;
        }
        let text = disagreement(all, &found, &verdict);
        if !text.is_empty() {
            let _ = write!(differences, "graphs with {coherence:?}:\n{text}");
        }
    }
    program.set_memory_orderings(false);
    (differences, complete)
}

/// Programs on which explorers were wrong once.
const REGRESSIONS: [u64; 1] = [910_100];

#[test]
fn every_explorer_finds_what_is_reachable() {
    compare_all(generator::program_that_takes_back, &REGRESSIONS);
}

#[test]
fn every_explorer_finds_what_is_reachable_without_round_trips() {
    // `data-centric` has missed an outcome.
    compare_all(generator::program_with_round_trips, &[77_002_677]);
}

/// Compares random programs of a kind, and some of other seeds.
fn compare_all(random: fn(u64) -> Program, regressions: &[u64]) {
    let (first, count) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 30));
    let (mut compared, mut complete, mut failures) = (0, 0, 0);
    let seeds: Vec<u64> = (first..first + count).chain(regressions.iter().copied()).collect();
    for seeds in seeds.chunks(BATCH as usize) {
        let programs: Vec<_> = seeds.iter().map(|seed| (*seed, random(*seed))).collect();
        let module = module_of(&generator::whole(&programs));
        for (seed, random) in &programs {
            if count == 1 {
                println!("{}", random.text);
            }
            let arguments = vec![seed.to_string()];
            let options = LlvmOptions { arguments, ..LlvmOptions::default() };
            let whole = LlvmOptions { awaits: false, ..options.clone() };
            let whole = LlvmProgram::new(&module, whole).unwrap();
            let mut all = Reachable::default();
            if !all.visit(&mut whole.start().unwrap(), 0, None) {
                continue;
            }
            all.add_livelock();
            let program = LlvmProgram::new(&module, options).unwrap();
            let (mut differences, by) = compare(&program, &all);
            compared += 1;
            complete += by;
            going_back_restores_everything(&program, 8);
            if let Err(broken) = contract::check(|| program.start(), Walks::default(), *seed) {
                differences += &broken;
            }
            if !differences.is_empty() {
                failures += 1;
                println!("seed {seed}:\n{}{differences}", random.text);
            }
        }
        println!("{compared} programs compared, {complete} complete searches");
    }
    assert_eq!(failures, 0, "programs on which explorers disagree or that break the contract");
    assert!(2 * compared > count, "only {compared} of {count} programs are small enough");
    assert!(
        complete > 3 * compared,
        "only {complete} searches of {compared} programs are complete"
    );
}
