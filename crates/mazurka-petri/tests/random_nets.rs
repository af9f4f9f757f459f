//! The explorers on random safe nets, against a search of all markings.

use std::collections::{BTreeSet, HashSet, VecDeque};

use fastrand::Rng;
use mazurka_core::execution::Execution;
use mazurka_core::explore::Checkable;
use mazurka_core::model::{Ending, Machine, Performed, ProcessId, Program, Step};
use mazurka_core::search::{Algorithm, Monitor, Options, UnfoldingOptions};
use mazurka_core::verdict::{Verdict, Violation, ViolationKind};
use mazurka_petri::{Goal, Net, NetMachine, NetProgram, Transition};
use mazurka_testkit::contract::{self, Walks};

/// Returns a net of state machines that share transitions, each with one token. Such a net is safe.
/// Some transitions read places of other state machines.
fn random_net(random: &mut Rng) -> Net {
    let mut net = Net::default();
    let machines: Vec<Vec<usize>> = (0..random.usize(2..=3))
        .map(|machine| {
            let places = 0..random.usize(2..=3);
            places.map(|place| net.add_place(format!("m{machine}.{place}"), place == 0)).collect()
        })
        .collect();
    for index in 0..random.usize(2..=5) {
        let mut transition = Transition { name: format!("t{index}"), ..Transition::default() };
        let mover = random.usize(..machines.len());
        for (machine, places) in machines.iter().enumerate() {
            let mut place = || places[random.usize(..places.len())];
            let (first, second) = (place(), place());
            match random.u8(..6) {
                _ if machine == mover => {
                    transition.takes.push(first);
                    transition.puts.push(second);
                }
                0 => {
                    transition.takes.push(first);
                    transition.puts.push(second);
                }
                1 => transition.reads.push(first),
                // A token that one transition both reads and takes.
                2 => {
                    transition.reads.push(first);
                    transition.takes.push(first);
                    transition.puts.push(second);
                }
                _ => {}
            }
        }
        net.add_transition(transition);
    }
    net
}

/// All reachable markings, those in which no transition can fire, and the reachable states of each
/// place.
#[derive(Default)]
struct Reachable {
    markings: HashSet<u128>,
    dead: BTreeSet<u128>,
    places: BTreeSet<(usize, bool)>,
    /// Whether some place can get a second token.
    is_unsafe: bool,
}

fn places(machine: &NetMachine, places: &mut BTreeSet<(usize, bool)>) {
    let count = machine.net().places().len();
    places.extend((0..count).map(|place| (place, machine.is_marked(place))));
}

fn steps(machine: &NetMachine) -> Vec<Step> {
    let processes = (0..machine.processes()).map(ProcessId::new);
    processes.filter(|process| machine.is_enabled(*process)).map(Step::of).collect()
}

fn search(program: &NetProgram) -> Reachable {
    let start = program.start().unwrap();
    let mut found = Reachable::default();
    found.markings.insert(start.fingerprint().unwrap());
    let mut open = VecDeque::from([start]);
    while let Some(machine) = open.pop_front() {
        places(&machine, &mut found.places);
        if steps(&machine).is_empty() {
            found.dead.insert(machine.fingerprint().unwrap());
        }
        for step in steps(&machine) {
            let mut next = machine.clone();
            match next.step(step, &mut Performed::default()) {
                Err(_) => found.is_unsafe = true,
                Ok(()) if found.markings.insert(next.fingerprint().unwrap()) => {
                    open.push_back(next);
                }
                Ok(()) => {}
            }
        }
    }
    found
}

struct Watcher {
    replay: NetMachine,
    dead: BTreeSet<u128>,
    places: BTreeSet<(usize, bool)>,
}

impl Monitor<NetMachine> for Watcher {
    fn ended(
        &mut self,
        machine: &NetMachine,
        execution: &Execution,
        ending: Option<&Ending>,
        _violation: Option<&Violation>,
    ) {
        self.replay.rewind(0).unwrap();
        places(&self.replay, &mut self.places);
        for step in execution.steps() {
            let _ = self.replay.step(step, &mut Performed::default());
            places(&self.replay, &mut self.places);
        }
        if matches!(ending, Some(Ending::Stuck(_))) {
            self.dead.insert(machine.fingerprint().unwrap());
        }
    }
}

fn explored(program: &NetProgram, algorithm: Algorithm, cut_offs: bool) -> (Verdict, Watcher) {
    let options = Options {
        algorithm,
        keep_going: true,
        unfolding: UnfoldingOptions { cut_offs, ..UnfoldingOptions::default() },
        max_executions: Some(20_000),
        ..Options::default()
    };
    let replay = program.start().unwrap();
    let mut watcher = Watcher { replay, dead: BTreeSet::new(), places: BTreeSet::new() };
    let verdict = NetProgram::explore(&mut program.start().unwrap(), &options, &mut watcher);
    (verdict, watcher)
}

#[test]
fn cut_offs_hide_no_deadlock_and_no_local_state() {
    for seed in 0..400 {
        let net = random_net(&mut Rng::with_seed(seed));
        let program = NetProgram::new(net.clone());
        let expected = search(&program);
        let (verdict, seen) = explored(&program, Algorithm::Unfolding, true);
        assert!(verdict.is_complete(), "seed {seed}: {net:?}");
        assert_eq!(seen.dead, expected.dead, "seed {seed}: {net:?}");
        assert_eq!(seen.places, expected.places, "seed {seed}: {net:?}");
    }
}

#[test]
fn nets_keep_the_contract() {
    for seed in 0..400 {
        let random = &mut Rng::with_seed(seed);
        for net in [random_net(random), random_unsafe_net(random)] {
            let program = NetProgram::new(net.clone());
            let result = contract::check(|| program.start(), Walks::default(), seed);
            assert_eq!(result, Ok(()), "seed {seed}: {net:?}");
        }
    }
}

#[test]
fn explorers_agree_on_nets_that_come_to_an_end() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for seed in 0..1_000 {
        let program = NetProgram::new(random_net(&mut Rng::with_seed(seed)));
        if !is_acyclic(&program) {
            continue;
        }
        let expected = search(&program).dead;
        let mut executions = BTreeSet::new();
        for algorithm in Algorithm::ALL {
            let (verdict, seen) = explored(&program, algorithm, false);
            if !verdict.is_complete() || seen.dead != expected {
                wrong.push(format!("seed {seed}, {algorithm}: {:?}, not {expected:?}", seen.dead));
            }
            assert!(verdict.violations.iter().all(|v| v.kind == ViolationKind::Deadlock));
            if [Algorithm::Optimal, Algorithm::Unfolding].contains(&algorithm) {
                executions.insert(verdict.executions);
            }
        }
        assert!(executions.len() <= 1, "seed {seed}: {executions:?}");
        compared += 1;
    }
    assert!(compared > 50, "{compared} nets come to an end");
    assert!(wrong.is_empty(), "of {compared} nets:\n{}", wrong.join("\n"));
}

/// Returns a net that may put a second token into a place.
fn random_unsafe_net(random: &mut Rng) -> Net {
    let safe = random_net(random);
    let mut net = Net::default();
    for place in safe.places() {
        net.add_place(place.name.clone(), place.is_marked);
    }
    for transition in safe.transitions() {
        let mut transition = transition.clone();
        if random.u8(..3) == 0 {
            transition.puts.push(random.usize(..safe.places().len()));
        }
        net.add_transition(transition);
    }
    net
}

#[test]
fn explorers_find_a_second_token() {
    let (mut safe, mut overfull, mut wrong) = (0, 0, Vec::new());
    for seed in 0..1_000 {
        let program = NetProgram::new(random_unsafe_net(&mut Rng::with_seed(seed)));
        if !is_acyclic(&program) {
            continue;
        }
        let expected = search(&program).is_unsafe;
        for algorithm in Algorithm::ALL {
            let (verdict, _) = explored(&program, algorithm, false);
            let found = verdict.violations.iter().any(|v| v.kind == ViolationKind::Unsupported);
            if found != expected {
                wrong.push(format!("seed {seed}, {algorithm}: {found}, not {expected}"));
            }
        }
        *if expected { &mut overfull } else { &mut safe } += 1;
    }
    assert!(safe > 20 && overfull > 20, "{safe} are safe, {overfull} are not");
    assert!(wrong.is_empty(), "of {} nets:\n{}", safe + overfull, wrong.join("\n"));
}

/// Two independent transitions can disable a goal that requires a token in one place and none in
/// another.
#[test]
fn explorers_find_a_marking_of_nets_that_come_to_an_end() {
    let (mut found, mut missing, mut wrong) = (0, 0, Vec::new());
    for seed in 0..1_000 {
        let mut random = Rng::with_seed(seed);
        let net = random_net(&mut random);
        let program = NetProgram::new(net.clone());
        if !is_acyclic(&program) {
            continue;
        }
        let Some((wanted, goal)) = random_goal(&mut random, &net) else { continue };
        let expected = is_reachable(&program, &wanted);
        let program = program.with_goal(goal);
        for algorithm in Algorithm::ALL {
            let (verdict, _) = explored(&program, algorithm, false);
            let is_found = verdict.violations.iter().any(|v| v.kind == ViolationKind::Marking);
            if is_found != expected {
                wrong.push(format!("seed {seed}, {algorithm}: {wanted}: {is_found}"));
            }
        }
        *if expected { &mut found } else { &mut missing } += 1;
    }
    assert!(found > 10 && missing > 10, "{found} can be reached, {missing} cannot");
    assert!(wrong.is_empty(), "of {} markings:\n{}", found + missing, wrong.join("\n"));
}

/// Returns whether no marking can be reached from itself.
fn is_acyclic(program: &NetProgram) -> bool {
    fn visit(machine: &mut NetMachine, path: &mut Vec<u128>) -> bool {
        let marking = machine.fingerprint().unwrap();
        if path.contains(&marking) || path.len() > 12 {
            return false;
        }
        path.push(marking);
        let fine = steps(machine).into_iter().all(|step| {
            let mut next = machine.clone();
            next.step(step, &mut Performed::default()).is_err() || visit(&mut next, path)
        });
        path.pop();
        fine
    }
    visit(&mut program.start().unwrap(), &mut Vec::new())
}

#[test]
fn a_marking_is_found_if_it_can_be_reached() {
    let (mut found, mut missing) = (0, 0);
    for seed in 0..300 {
        let mut random = Rng::with_seed(seed);
        let net = random_net(&mut random);
        let Some((wanted, goal)) = random_goal(&mut random, &net) else { continue };
        let program = NetProgram::new(net);
        let expected = is_reachable(&program, &wanted);
        let (verdict, _) = explored(&program.with_goal(goal), Algorithm::Unfolding, true);
        assert_eq!(!verdict.violations.is_empty(), expected, "seed {seed}: {wanted}");
        *if expected { &mut found } else { &mut missing } += 1;
    }
    assert!(found > 30 && missing > 30, "{found} can be reached, {missing} cannot");
}

/// Returns a marking to look for, or `None` if it names no place.
fn random_goal(random: &mut Rng, net: &Net) -> Option<(String, Goal)> {
    let wanted = net.places().iter().filter_map(|place| match random.u8(..3) {
        0 => Some(place.name.clone()),
        1 => Some(format!("!{}", place.name)),
        _ => None,
    });
    let wanted = wanted.collect::<Vec<_>>().join(",");
    let goal = Goal::parse(&wanted, net);
    goal.ok().map(|goal| (wanted, goal))
}

fn is_reachable(program: &NetProgram, wanted: &str) -> bool {
    let mut known = HashSet::new();
    let mut open = vec![program.start().unwrap()];
    while let Some(machine) = open.pop() {
        let holds = |word: &str| match word.strip_prefix('!') {
            Some(place) => !machine.marking().contains(&place),
            None => machine.marking().contains(&word),
        };
        if wanted.split(',').filter(|word| !word.is_empty()).all(holds) {
            return true;
        }
        for step in steps(&machine) {
            let mut next = machine.clone();
            next.step(step, &mut Performed::default()).unwrap();
            if known.insert(next.fingerprint()) {
                open.push(next);
            }
        }
    }
    false
}
