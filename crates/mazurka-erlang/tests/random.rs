//! Random programs: every explorer finds the ends and the violations that `naive` finds, and
//! `optimal` runs each Mazurkiewicz trace exactly once.
//!
//! `MAZURKA_RANDOM=N` tries N programs, starting with the seed `MAZURKA_SEED`. `MAZURKA_SUBJECT=I` makes most acts be about
//! the subject I of `common/scripts.rs`.

mod common;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use common::scripts::{Random, number, script};
use common::{Outcome, every_outcome, every_outcome_in_parts, verdict};
use mazurka_core::execution::Execution;
use mazurka_core::explore::{Checkable, Sharing};
use mazurka_core::model::{Ending, Machine, Performed, Program};
use mazurka_core::search::{Algorithm, Monitor, Options};
use mazurka_core::verdict::{Verdict, Violation};
use mazurka_erlang::{Delivery, ErlangMachine, ErlangProgram};
use mazurka_testkit::contract::{self, Walks};

/// The most executions of `naive` for which a program is compared.
const MOST: u64 = 20_000;

const ALGORITHMS: [Algorithm; 6] = [
    Algorithm::Dpor,
    Algorithm::Source,
    Algorithm::Optimal,
    Algorithm::Observers,
    Algorithm::DataCentric,
    Algorithm::Unfolding,
];

/// Compares all explorers on one program. Returns what is wrong, or `None` if the program has too
/// many executions.
fn disagreements(call: &str, delivery: Delivery) -> Option<Vec<String>> {
    let program = script(call).delivery(delivery);
    let (all, _) = every_outcome(&program, Algorithm::Naive, MOST)?;
    let mut wrong = Vec::new();
    for algorithm in ALGORITHMS {
        let Some((some, verdict)) = every_outcome(&program, algorithm, 2 * MOST) else {
            wrong.push(format!("{algorithm:?} runs more than {} executions", 2 * MOST));
            continue;
        };
        if let Some(end) = all.ends.difference(&some.ends).next() {
            wrong.push(format!("{algorithm:?} misses {end:?}"));
        }
        if let Some(end) = some.ends.difference(&all.ends).next() {
            wrong.push(format!("{algorithm:?} makes up {end:?}"));
        }
        if all.violations != some.violations {
            let (all, some) = (&all.violations, &some.violations);
            wrong.push(format!("{algorithm:?} finds the violations {some:?}, not {all:?}"));
        }
        if matches!(algorithm, Algorithm::Optimal | Algorithm::Unfolding) {
            let (executions, traces) = (verdict.executions, all.traces.len() as u64);
            if executions != traces {
                wrong
                    .push(format!("{algorithm:?} runs {executions} executions of {traces} traces"));
            }
        }
        if matches!(algorithm, Algorithm::Optimal | Algorithm::Observers) && verdict.blocked > 0 {
            wrong.push(format!("{algorithm:?} runs {} blocked executions", verdict.blocked));
        }
        if algorithm == Algorithm::Optimal {
            let (some, divided) = every_outcome_in_parts(&program, algorithm, 2 * MOST);
            if (divided.executions, divided.blocked) != (verdict.executions, verdict.blocked) {
                let counts = (divided.executions, divided.blocked);
                wrong.push(format!("{algorithm:?} in parts runs {counts:?} executions"));
            }
            if (&some.ends, &some.violations) != (&all.ends, &all.violations) {
                wrong.push(format!("{algorithm:?} in parts finds {some:?}"));
            }
        }
        if algorithm == Algorithm::Observers && verdict.executions > all.traces.len() as u64 {
            let (executions, traces) = (verdict.executions, all.traces.len() as u64);
            wrong.push(format!("{algorithm:?} runs {executions} executions of {traces} traces"));
        }
    }
    Some(wrong)
}

#[test]
fn every_explorer_finds_what_naive_finds() {
    let share = compare_all(Random::call, Delivery::Instant, number("MAZURKA_RANDOM", 60));
    assert!(share > 0.5, "only {share} of the programs are small enough");
}

#[test]
fn every_explorer_finds_what_naive_finds_if_messages_are_in_flight() {
    let programs = number("MAZURKA_RANDOM", 30);
    let share = compare_all(Random::short_call, Delivery::Pairwise, programs);
    assert!(share > 0.5, "only {share} of the programs are small enough");
}

/// A poll that ends has read its value once. So programs that poll end as programs do that read once and give
/// up if the value is another one, as far as no process polls for ever or gives up.
#[test]
fn polls_of_numbers_end_as_single_reads_do() {
    let waits = ["poll/2", "acquire/2"];
    polls_end_as_single_reads_do("{poll,K}", &["poll", "acquire"], &waits);
}

/// The same for entries of tables.
#[test]
fn polls_of_entries_end_as_single_reads_do() {
    let polls = ["await", "await_same", "await_none", "await_element"];
    let waits = ["await/2", "await_same/2", "await_none/2", "await_element/2", "second/2"];
    polls_end_as_single_reads_do("{await,K}", &polls, &waits);
}

/// The same for entries of a table with a name.
#[test]
fn polls_of_named_entries_end_as_single_reads_do() {
    let waits = ["await/2", "await_no_name/1", "found/1"];
    polls_end_as_single_reads_do("{await_named,K}", &["await_named", "await_no_name"], &waits);
}

/// The same for names.
#[test]
fn polls_of_names_end_as_single_reads_do() {
    let waits = ["await_name/1", "await_free/0"];
    polls_end_as_single_reads_do("{await_name,#}", &["await_name", "await_free"], &waits);
}

fn polls_end_as_single_reads_do(act: &str, polls: &[&str], waits: &[&str]) {
    let (first, programs) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 60));
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in first..first + programs {
        let polling = Random(seed).polling_call(act);
        let once = polls.iter().fold(polling.clone(), |text, poll| {
            text.replace(&format!("{{{poll},"), &format!("{{{poll}_once,"))
        });
        let ends = |call: &str, left_out: &[String]| {
            let (outcomes, _) = every_outcome(&script(call), Algorithm::Naive, MOST)?;
            let is_left_out = |process: &String| left_out.iter().any(|text| process.contains(text));
            let is_complete = |end: &Outcome| !end.processes.iter().any(is_left_out);
            Some(outcomes.ends.into_iter().filter(is_complete).collect::<BTreeSet<Outcome>>())
        };
        let waiting: Vec<String> =
            waits.iter().map(|function| format!("waits in scripts:{function}")).collect();
        let Some(expected) = ends(&once, &["gave_up".to_owned()]) else { continue };
        let Some(found) = ends(&polling, &waiting) else { continue };
        compared += 1;
        if found != expected {
            wrong.push(format!("seed {seed}: {polling}:\n  {found:?}\n  not {expected:?}"));
        }
    }
    println!("{compared} of {programs} compared");
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 2 > programs, "only {compared} programs are small enough");
}

/// Compares all explorers on random programs, and returns the share of those that are small enough.
fn compare_all(call: fn(&mut Random) -> String, delivery: Delivery, programs: u64) -> f64 {
    let first = number("MAZURKA_SEED", 1);
    let (mut compared, mut wrong) = (0u32, Vec::new());
    for seed in first..first + programs {
        let call = call(&mut Random(seed));
        let disagreements = std::panic::catch_unwind(|| disagreements(&call, delivery))
            .unwrap_or_else(|_| Some(vec!["an explorer panics".into()]));
        let Some(disagreements) = disagreements else { continue };
        compared += 1;
        if !disagreements.is_empty() {
            let text = format!("seed {seed}: {call}:\n  {}", disagreements.join("\n  "));
            println!("{text}");
            wrong.push(text);
        }
    }
    println!("{compared} of {programs} compared");
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
    f64::from(compared) / programs as f64
}

/// Random programs on which an explorer once ran a redundant or blocked execution, or missed a violation.
const ONCE_WRONG: &[&str] = &[
    "[[{give_own,1},delete_named],[rename],[new,{give_own,1}]]",
    "[[{register,0}],[unregister,{link,0},{link,0}],[{register,1}]]",
    "[[{member,y}],[{{info,trap_exit},2},{{spawn,a,bye},1}],[{{signal,bye},0}]]",
    "[[processes],[{hear,now},list],[{{spawn_link,a,bye},0}]]",
    "[[{{apply,a},1},{crash,bad}],[{{apply,a},0},{throw,y},{crash,bad}],[forget]]",
    "[[{{spawn_link,a,bye},1}],[{hear,now}],[{link,1}]]",
    "[[{{spawn_link,a,bye},1}],[{hear,now}],[{{signal,bye},1}]]",
    "[[alias],[{{info,[links,registered_name]},2},{crash,bad},{node,b}],[{register,1},cancel_soon]]",
    "[[{{signal,bye},2}],[{add,y}],[get_number]]",
    "[[{{signal,bye},2}],[{exchange,y}],[get_number]]",
    "[[{suspend,1},wait],[{{say,a},0}],[{suspend,1},wait]]",
    "[[{suspend,2},wait],[{is_alive,0}],[{suspend,1},wait]]",
    "[[{hear,infinity}],[{suspend,0},wait],[{{say,a},0}]]",
    "[[{suspend,1},{{signal,kill},1}],[{suspend,0}],[]]",
    "[[{news,now},{hear,infinity}],[{link,1},cancel_soon],[{share,0}]]",
    "[[{suspend,1},wait],[{suspend,1}],[wait]]",
    "[[delete_named],[rename,{heir,2},{heir,0}],[rename]]",
    "[[{add,y},{{signal,kill},1}],[{acquire,y}],[{share_timer,0}]]",
    "[[{suspend,2},{suspend,1},{hear,infinity}],[{insert_same,x}],[first]]",
    "[[{suspend,2},{suspend,1},{hear,infinity}],[{insert_same,x},first,{next,y}],[{next,x}]]",
    "[[{{say,a},0},{{say,a},0},{hear,now}],[{suspend,2},{name,a},{{signal,kill},0}],[{{signal,bye},0},{{spawn,a,bye},2}]]",
    "[[{hear,infinity}],[{suspend,0},{{say,a},0},{is_alive,0}],[{{signal,bye},0}]]",
    "[[{hear,infinity}],[{suspend,0},{{say,a},0},{is_alive,0}],[whereis,{{signal,bye},0}]]",
    "[[{{say,a},1},size],[{insert_same,x},{hear,now}],[{{signal,kill},0}]]",
    "[[{insert_same,y},select],[match_delete],[{insert_same,y}]]",
    "[[{insert_same,y},{lookup,y}],[match],[{remove,y}],[{remove,y}]]",
    "[[{{spawn_link,a,normal},2},{{say,a},1}],[{hear,now}],[{is_alive,1},{hear,now}]]",
];

/// The same for messages in flight.
const ONCE_WRONG_IN_FLIGHT: &[&str] =
    &["[[{share,0}],[{watch,2},{demonitor,[flush,info]}],[{hear,infinity,b}]]"];

/// Random programs that broke the contract: two steps commuted only sometimes although they were called independent, an
/// access had the wrong value, or the known actions of a step were out of date.
const BROKE_CONTRACT: &[&str] = &[
    "[[first,match],[delete,{count,y}],[{{signal,kill},1}]]",
    "[[{hear,infinity}],[{is_alive,0}],[{{signal,kill},0}]]",
    "[[{trap,true},{hear,infinity}],[{node,a}],[{{signal,normal},0}]]",
    "[[{hear,infinity}],[{{say,a},0}],[{{signal,bye},0}]]",
    "[[{acquire,x}],[{{suspend,[asynchronous]},0},{set,y}],[{{suspend,[asynchronous]},0}]]",
];

#[test]
fn programs_that_were_once_wrong_are_right() {
    let instant = ONCE_WRONG.iter().map(|scripts| (scripts, Delivery::Instant));
    let in_flight = ONCE_WRONG_IN_FLIGHT.iter().map(|scripts| (scripts, Delivery::Pairwise));
    for (scripts, delivery) in instant.chain(in_flight) {
        let wrong = disagreements(&format!("scripts:run({scripts})"), delivery);
        assert_eq!(wrong, Some(Vec::new()), "{scripts}, {delivery:?}");
    }
}

/// Workers that share all of their work run the executions that one worker runs alone, also where the
/// machine tries steps out.
#[test]
fn sharing_work_changes_no_counts() {
    let workers = NonZeroUsize::new(2).expect("two is not zero");
    let sharing = Sharing::Always { seed: 1 };
    for scripts in ONCE_WRONG {
        let program = script(&format!("scripts:run({scripts})"));
        for algorithm in [Algorithm::Optimal, Algorithm::Observers] {
            let options = Options { algorithm, keep_going: true, ..Options::default() };
            let shared = program.check_with_workers(workers, sharing, &options, &mut ());
            let alone = verdict(&program, algorithm);
            let counts = |v: &Verdict| (v.executions, v.blocked, v.violations.len());
            assert_eq!(counts(&shared), counts(&alone), "{scripts}: {algorithm:?}");
        }
    }
}

/// A step that accesses a table which no longer exists does not say what it would have done. All accesses to
/// a table depend on its deletion. So whatever comes in between is no access to the table, and explorers miss
/// nothing if they move the step.
const WALKS: Walks = Walks { count: 3, max_steps: 60, pairs: 4, moves: false };

/// Every random program keeps the contract between machines and explorers.
#[test]
fn steps_do_what_the_contract_says() {
    let (first, programs) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 60));
    let mut wrong = Vec::new();
    for seed in first..first + programs {
        let call = Random(seed).call();
        let program = script(&call);
        if let Err(error) = contract::check(|| program.start(), WALKS, seed) {
            let text = format!("seed {seed}: {call}:\n  {error}");
            println!("{text}");
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
}

/// Programs on which a step once broke the contract. Longer walks find rarer pairs of steps.
#[test]
fn programs_that_once_broke_the_contract_keep_it() {
    let walks = Walks { count: 40, ..WALKS };
    let call = std::env::var("MAZURKA_CALL").ok();
    let calls = BROKE_CONTRACT.iter().map(|scripts| format!("scripts:run({scripts})"));
    for call in calls.chain(call) {
        let program = script(&call);
        for seed in 1..=5 {
            let result = contract::check(|| program.start(), walks, seed);
            assert_eq!(result, Ok(()), "{call}, seed {seed}");
        }
    }
}

/// `MAZURKA_CALL='scripts:run([…])'` compares the explorers on that program alone; with
/// `MAZURKA_PRINT=optimal` this prints what `optimal` runs.
#[test]
fn every_explorer_finds_what_naive_finds_in_one_program() {
    let Ok(call) = std::env::var("MAZURKA_CALL") else { return };
    if let Ok(algorithm) = std::env::var("MAZURKA_PRINT") {
        print_executions(&call, algorithm.parse().expect("the name of an explorer"));
    }
    let wrong = disagreements(&call, Delivery::Instant).expect("naive runs few executions");
    assert!(wrong.is_empty(), "{call}:\n  {}", wrong.join("\n  "));
}

/// Prints the executions of an explorer, for debugging.
fn print_executions(call: &str, algorithm: Algorithm) {
    struct Print(ErlangMachine);
    impl Monitor<ErlangMachine> for Print {
        fn ended(
            &mut self,
            _: &ErlangMachine,
            execution: &Execution,
            ending: Option<&Ending>,
            _: Option<&Violation>,
        ) {
            println!("{}", if ending.is_some() { "execution" } else { "blocked execution" });
            self.0.rewind(0).expect("it is deterministic");
            let mut performed = Performed::default();
            for step in execution.steps() {
                performed.clear();
                let _ = self.0.step(step, &mut performed);
                let actions = self.0.describe_actions(&performed);
                println!("  {} {}", step.process, actions.join(", "));
            }
        }
    }
    let program = script(call);
    let options = Options { algorithm, keep_going: true, ..Options::default() };
    let mut print = Print(program.start().expect("it starts"));
    ErlangProgram::explore(&mut program.start().expect("it starts"), &options, &mut print);
}
