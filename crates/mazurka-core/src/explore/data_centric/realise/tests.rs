//! Realisation against brute force, on random problems.

use super::*;

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

/// Which groups a process may touch.
type Topology = fn(process: usize, random: &mut Random) -> u32;

/// Makes up events of some processes, with what they observe and, if wanted, some edges.
fn pose(
    realiser: &mut Realiser,
    random: &mut Random,
    processes: usize,
    topology: Topology,
    with_edges: bool,
) {
    let events = 4 + random.below(6);
    realiser.clear(processes);
    for _ in 0..events {
        let process = random.below(processes);
        let number = realiser.lines[process].len() as u32 + 1;
        let past: Vec<u32> = realiser.lines.iter().map(|line| line.len() as u32).collect();
        let has_edge = with_edges && random.below(12) == 0;
        realiser.begin(process, number, 0, has_edge.then_some(&past));
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
            let own = realiser.nodes.len() as u32 - 1;
            let mut sources = vec![INITIAL];
            sources.extend((0..own).filter(|node| {
                realiser.touches_of(*node).iter().any(|t| t.group == group && t.writes)
            }));
            let source = if reads { sources[random.below(sources.len())] } else { INITIAL };
            realiser.add_touch(group, reads, writes, source);
        }
    }
}

/// Whether there is a sequence in which all observe what they should, by trying all.
fn is_realisable(realiser: &Realiser) -> bool {
    fn extend(realiser: &Realiser, taken: &mut Vec<u32>, last: &mut [u32]) -> bool {
        if taken.len() == realiser.nodes.len() {
            return true;
        }
        for process in 0..realiser.lines.len() {
            let line = &realiser.lines[process];
            let Some(node) = line.iter().find(|node| !taken.contains(node)).copied() else {
                continue;
            };
            let count = |process: usize| {
                realiser.lines[process].iter().filter(|node| taken.contains(node)).count() as u32
            };
            let is_due = realiser.nodes[node as usize].past.is_none_or(|start| {
                (0..realiser.lines.len())
                    .all(|other| count(other) >= realiser.pasts[start as usize + other])
            });
            let touches = realiser.touches_of(node);
            let observes = touches.iter().all(|t| !t.reads || last[t.group as usize] == t.source);
            if !is_due || !observes {
                continue;
            }
            let before = last.to_vec();
            for touch in touches.iter().filter(|touch| touch.writes) {
                last[touch.group as usize] = node;
            }
            taken.push(node);
            if extend(realiser, taken, last) {
                return true;
            }
            taken.pop();
            last.copy_from_slice(&before);
        }
        false
    }
    extend(realiser, &mut Vec::new(), &mut [INITIAL; 8])
}

/// Whether the sequence that was found is one.
fn check_order(realiser: &Realiser) {
    let mut last = [INITIAL; 8];
    for node in &realiser.order {
        for touch in realiser.touches_of(*node).iter().filter(|touch| touch.reads) {
            assert_eq!(last[touch.group as usize], touch.source, "{realiser:?}");
        }
        for touch in realiser.touches_of(*node).iter().filter(|touch| touch.writes) {
            last[touch.group as usize] = *node;
        }
    }
    assert_eq!(realiser.order.len(), realiser.nodes.len());
}

fn close(realiser: &mut Realiser) -> bool {
    let Realiser { nodes, touches, lines, pasts, closure, .. } = realiser;
    closure.close(&Order { nodes, touches, lines, pasts })
}

/// Solves many problems; says how many could be realised.
fn check(processes: usize, problems: u32, topology: Topology, closure_decides: bool) -> u32 {
    let mut random = Random(0x2545_f491_4f6c_dd1d ^ problems as u64 ^ (processes as u64) << 32);
    let mut realiser = Realiser::default();
    let mut realisable = 0;
    for _ in 0..problems {
        // Edges would make any topology cyclic.
        pose(&mut realiser, &mut random, processes, topology, !closure_decides);
        let expected = is_realisable(&realiser);
        realisable += u32::from(expected);
        let answer = if expected { Answer::Yes } else { Answer::No };
        assert_eq!(realiser.solve(), answer, "{realiser:?}");
        if expected {
            check_order(&realiser);
        }
        // The search does without the shortcut, too.
        let closed = close(&mut realiser);
        assert!(closed || !expected, "{realiser:?}");
        if closed {
            assert_eq!(realiser.search(), answer, "{realiser:?}");
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
