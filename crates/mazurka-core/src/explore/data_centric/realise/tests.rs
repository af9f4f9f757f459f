//! Realisation against brute force, on random problems.

use super::*;
use crate::explore::data_centric::graph::INITIAL;

/// A small generator of numbers (xorshift), so that every run has the same problems.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Which groups a process may access.
type Topology = fn(process: usize, random: &mut Random) -> u32;

/// Makes up events of some processes, with what they observe and, if wanted, some edges.
fn pose(
    problem: &mut Problem,
    random: &mut Random,
    processes: usize,
    topology: Topology,
    with_edges: bool,
) {
    let events = 4 + random.below(6);
    problem.clear(processes);
    for _ in 0..events {
        let process = random.below(processes);
        let number = problem.lines[process].len() as u32 + 1;
        let past: Vec<u32> = problem.lines.iter().map(|line| line.len() as u32).collect();
        let has_edge = with_edges && random.below(12) == 0;
        problem.begin(process, number, 0, has_edge.then_some(&past));
        let accesses = 1 + usize::from(random.below(8) == 0);
        let mut touched = Vec::new();
        for _ in 0..accesses {
            let group = topology(process, random);
            if touched.contains(&group) {
                continue;
            }
            touched.push(group);
            let (reads, writes) =
                [(true, false), (true, false), (false, true), (true, true)][random.below(4)];
            let own = problem.vertices.len() as u32 - 1;
            let mut sources = vec![INITIAL];
            sources.extend((0..own).filter(|vertex| {
                problem.accesses_of(*vertex).iter().any(|t| t.group == group && t.writes)
            }));
            let source = if reads { sources[random.below(sources.len())] } else { INITIAL };
            problem.add_access(group, reads.then_some(source), writes);
        }
    }
}

/// Returns whether there is a sequence in which all observe what they should, by trying all.
fn is_realisable(problem: &Problem) -> bool {
    fn extend(problem: &Problem, taken: &mut Vec<u32>, last: &mut [u32]) -> bool {
        if taken.len() == problem.vertices.len() {
            return true;
        }
        for process in 0..problem.lines.len() {
            let line = &problem.lines[process];
            let Some(vertex) = line.iter().find(|vertex| !taken.contains(vertex)).copied() else {
                continue;
            };
            let count = |process: usize| {
                problem.lines[process].iter().filter(|vertex| taken.contains(vertex)).count() as u32
            };
            let is_due = problem.vertices[vertex as usize].past.is_none_or(|start| {
                (0..problem.lines.len())
                    .all(|other| count(other) >= problem.pasts[start as usize + other])
            });
            let accesses = problem.accesses_of(vertex);
            let observes = accesses.iter().all(|t| !t.reads || last[t.group as usize] == t.source);
            if !is_due || !observes {
                continue;
            }
            let before = last.to_vec();
            for access in accesses.iter().filter(|access| access.writes) {
                last[access.group as usize] = vertex;
            }
            taken.push(vertex);
            if extend(problem, taken, last) {
                return true;
            }
            taken.pop();
            last.copy_from_slice(&before);
        }
        false
    }
    extend(problem, &mut Vec::new(), &mut [INITIAL; 8])
}

/// Checks that the sequence has the required observations.
fn check_order(realiser: &Realiser) {
    let mut last = [INITIAL; 8];
    for vertex in &realiser.sequence.order {
        for access in realiser.problem.accesses_of(*vertex).iter().filter(|access| access.reads) {
            assert_eq!(last[access.group as usize], access.source, "{realiser:?}");
        }
        for access in realiser.problem.accesses_of(*vertex).iter().filter(|access| access.writes) {
            last[access.group as usize] = *vertex;
        }
    }
    assert_eq!(realiser.sequence.order.len(), realiser.problem.vertices.len());
}

/// Solves many problems; says how many could be realised.
fn check(processes: usize, problems: u32, topology: Topology, closure_decides: bool) -> u32 {
    let mut random = Random(0x2545_f491_4f6c_dd1d ^ problems as u64 ^ (processes as u64) << 32);
    let mut realiser = Realiser::default();
    let mut realisable = 0;
    for _ in 0..problems {
        // Edges would make any topology cyclic.
        pose(&mut realiser.problem, &mut random, processes, topology, !closure_decides);
        let expected = is_realisable(&realiser.problem);
        realisable += u32::from(expected);
        let answer = if expected { Answer::Yes } else { Answer::No };
        assert_eq!(realiser.solve(|| false), answer, "{realiser:?}");
        if expected {
            check_order(&realiser);
        }
        // The search does without the shortcut, too.
        let closed = realiser.closure.close(&realiser.problem);
        assert!(closed || !expected, "{realiser:?}");
        if closed {
            let Realiser { problem, closure, sequence, search, .. } = &mut realiser;
            assert_eq!(search.run(problem, closure, sequence), answer, "{realiser:?}");
        }
        if closure_decides {
            assert_eq!(closed, expected, "{realiser:?}");
        }
    }
    realisable
}

#[test]
fn two_processes_are_decided_by_closure() {
    let realisable = check(2, 30_000, |_, random| random.below(3) as u32, true);
    assert!((5_000..25_000).contains(&realisable), "{realisable}");
}

#[test]
fn stars_are_decided_by_closure() {
    // The first process shares one location with each of the others.
    let topology: Topology = |process, random| match process {
        0 => random.below(3) as u32,
        other => other as u32 - 1,
    };
    let realisable = check(4, 30_000, topology, true);
    assert!((5_000..29_000).contains(&realisable), "{realisable}");
}

#[test]
fn pipelines_are_decided_by_closure() {
    // Each process shares a location with the next one.
    let topology: Topology = |process, random| (process + random.below(2)) as u32;
    let realisable = check(4, 30_000, topology, true);
    assert!((5_000..29_000).contains(&realisable), "{realisable}");
}

#[test]
fn cyclic_topologies_are_decided_by_the_search() {
    for processes in 3..=5 {
        let realisable = check(processes, 20_000, |_, random| random.below(2) as u32, false);
        assert!((2_000..19_000).contains(&realisable), "{realisable}");
    }
}
