//! Every node of the search of `data-centric` can be explored on its own: exploring it from its
//! description alone yields the same executions as within the whole search.

use std::collections::{BTreeMap, HashSet};

use mazurka_core::execution::Execution;
use mazurka_core::explore::data_centric::{Subtree, explore_below, explore_with_subtrees};
use mazurka_core::model::{Ending, Machine, Op, Performed, Program, Step};
use mazurka_core::search::{Algorithm, Monitor, Options};
use mazurka_core::verdict::{Verdict, Violation};
use mazurka_testkit::oracle::{Observations, Trace};
use mazurka_testkit::random;
use mazurka_testkit::script::{ScriptMachine, ScriptProgram};

/// Programs with more interleavings are skipped.
const LIMIT: u64 = 1_000;

/// Collects the executions of an exploration.
#[derive(Default)]
struct Collector(Vec<Vec<Step>>);

impl Monitor<ScriptMachine> for Collector {
    fn ended(
        &mut self,
        _machine: &ScriptMachine,
        execution: &Execution,
        _ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        self.0.push(execution.steps().collect());
    }
}

impl Collector {
    /// Returns the executions after the last restart of the search.
    fn runs(&self, program: &ScriptProgram, verdict: &Verdict) -> Vec<Run> {
        let last = self.0.len() - (verdict.executions + verdict.blocked) as usize;
        self.0[last..].iter().map(|steps| Run::new(program, steps)).collect()
    }
}

/// An execution, or a prefix of one, with its observations.
struct Run {
    steps: Vec<Step>,
    trace: Trace,
    performed: Vec<Performed>,
}

impl Run {
    fn new(program: &ScriptProgram, steps: &[Step]) -> Self {
        let mut machine = program.start().unwrap();
        let mut trace = Trace::new(machine.processes());
        let mut performed = Vec::new();
        for step in steps {
            let mut now = Performed::default();
            let _ = machine.step(*step, &mut now);
            trace.push(*step, &now).unwrap();
            performed.push(now);
        }
        Run { steps: steps.to_vec(), trace, performed }
    }

    fn function(&self, observations: &Observations) -> BTreeMap<u64, Vec<u64>> {
        observations.function(&self.trace)
    }

    /// Returns whether some process observes a write that it must not observe below a node.
    fn takes_an_offer(&self, node: &Subtree, observations: &Observations) -> bool {
        node.offers().any(|(process, number, writes)| {
            let own = self.steps.iter().enumerate().filter(|(_, step)| step.process == process);
            let Some((index, _)) = own.clone().nth(number as usize - 1) else { return false };
            let own = &self.performed[index].actions;
            let awaited: HashSet<_> = own.iter().map(|action| action.on).collect();
            // Readers of a lock do not observe each other.
            let joins = |on| own.iter().any(|a| a.op == Op::Add) && observations.is_shared(on);
            let written = self.performed[..index].iter().filter(|performed| {
                performed.actions.iter().any(|action| {
                    action.op != Op::Read
                        && awaited.contains(&action.on)
                        && !(action.op == Op::Add && joins(action.on))
                })
            });
            (written.count() as u32) < writes
        })
    }
}

/// Compares each node with the whole search. Returns the number of nodes.
fn compare(program: &ScriptProgram, name: &str) -> Option<usize> {
    let observations = Observations::enumerate(program, LIMIT).ok()?;
    let options =
        Options { algorithm: Algorithm::DataCentric, keep_going: true, ..Options::default() };
    let mut whole = Collector::default();
    let mut machine = program.start().unwrap();
    let (verdict, nodes) = explore_with_subtrees(&mut machine, &options, &mut whole);
    let whole = whole.runs(program, &verdict);
    for node in &nodes {
        let events = Run::new(program, node.steps()).function(&observations);
        let is_below = |run: &&Run| {
            let function = run.function(&observations);
            events.iter().all(|(event, observed)| function.get(event) == Some(observed))
                && !run.takes_an_offer(node, &observations)
        };
        // On its own, a node does not know the locations that are awaited only elsewhere.
        let digest = |run: &Run| observations.digest_without_waits(&run.trace);
        let within: HashSet<u128> = whole.iter().filter(is_below).map(digest).collect();

        let mut alone = Collector::default();
        let mut machine = program.start().unwrap();
        let verdict = explore_below(&mut machine, node, &options, &mut alone);
        assert!(verdict.is_complete(), "{name}");
        let alone = alone.runs(program, &verdict);
        let functions: HashSet<u128> =
            alone.iter().map(|run| observations.digest(&run.trace)).collect();
        assert_eq!(functions.len(), alone.len(), "{name}: nothing is run twice");
        assert_eq!(alone.iter().map(digest).collect::<HashSet<_>>(), within, "{name}: {node:?}");
    }
    Some(nodes.len())
}

#[test]
fn nodes_are_explored_on_their_own() {
    let mut nodes = 0;
    for seed in 1..=150 {
        let script = random::script(seed);
        let program = ScriptProgram::new(&script).unwrap();
        nodes += compare(&program, &format!("program {seed}:\n{script}")).unwrap_or(0);
    }
    assert!(nodes > 250, "{nodes}");
}
