//! Comparing `graphs` with symmetry with the orbits of all graphs.
//!
//! A permutation of threads that are interchangeable turns a graph into another one. The graphs that
//! permutations make out of one are its orbit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use mazurka_core::memory::MemoryModel;
use mazurka_core::model::Lesson;
use mazurka_core::search::{Coherence, Options};
use mazurka_core::verdict::Verdict;

use super::compare::{Crew, Graphs, crews, explored, options, without_coherence};
use super::program::{Litmus, OWN};

/// How an exploration with symmetry went.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Comparison {
    /// The number of orbits.
    pub orbits: u64,
    /// The number of graphs that count.
    pub graphs: u64,
    /// The number of executions that are blocked.
    pub blocked: u64,
    /// In what the exploration differs from the orbits, if it does.
    pub difference: Option<String>,
}

/// Compares an exploration with symmetry with the orbits of `all` graphs. At least one graph of each orbit is
/// to be visited. With observed coherence, graphs that differ in coherence order alone are the same.
pub fn compare(
    program: &Litmus,
    all: &Graphs,
    model: MemoryModel,
    coherence: Coherence,
) -> Comparison {
    let permutations = permutations(program);
    let class = |graph: &String, is_total: bool| match is_total {
        true => canonical(graph, &permutations),
        false => canonical(&without_coherence(graph), &permutations),
    };
    let (_, without) = explored(program, &options(model), Crew::Alone);
    let with = Options { symmetry: Some(true), coherence: Some(coherence), ..options(model) };
    let mut comparison = Comparison::default();
    for crew in crews() {
        let (graphs, verdict) = explored(program, &with, crew);
        assert!(verdict.is_complete(), "{verdict:?}\n{program}");
        let is_about_order = |lesson| matches!(lesson, Lesson::CoherenceOrder(_));
        let starts_over = verdict.restarts.iter().any(|restart| is_about_order(restart.lesson));
        let is_total = coherence == Coherence::Total || starts_over;
        let mut orbits = Graphs::new();
        for graph in all.keys() {
            orbits.insert(class(graph, is_total), 0);
        }
        let mut text = String::new();
        for (graph, times) in &graphs {
            match orbits.get_mut(&class(graph, is_total)) {
                Some(sum) => *sum += times,
                None => {
                    let _ = write!(text, "visited, but not consistent:\n{graph}");
                }
            }
        }
        for (orbit, _) in orbits.iter().filter(|(_, times)| **times == 0) {
            let _ = write!(text, "missed:\n{orbit}");
        }
        if kinds(&verdict) != kinds(&without) {
            let _ = write!(text, "violations {:?}, not {:?}", kinds(&verdict), kinds(&without));
        }
        comparison.orbits = orbits.len() as u64;
        comparison.graphs = orbits.values().sum();
        comparison.blocked = verdict.blocked;
        if !text.is_empty() {
            comparison.difference =
                Some(format!("under {model}, {coherence:?}, {crew:?}:\n{text}"));
            return comparison;
        }
    }
    comparison
}

/// Returns how many graphs count with symmetry.
pub fn counted(program: &Litmus, model: MemoryModel, coherence: Coherence) -> u64 {
    let options = Options { symmetry: Some(true), coherence: Some(coherence), ..options(model) };
    explored(program, &options, Crew::Alone).1.executions
}

fn kinds(verdict: &Verdict) -> BTreeSet<String> {
    verdict.violations.iter().map(|violation| violation.kind.to_string()).collect()
}

/// Returns the permutations of the threads of a program that are interchangeable.
fn permutations(program: &Litmus) -> Vec<Vec<usize>> {
    let mut found = vec![(0..program.threads.len()).collect::<Vec<_>>()];
    for group in program.twins() {
        for at in group.clone() {
            let earlier = found.clone();
            for other in at + 1..group.end {
                found.extend(earlier.iter().map(|permutation| {
                    let mut swapped = permutation.clone();
                    swapped.swap(at, other);
                    swapped
                }));
            }
        }
    }
    found
}

/// Returns the least text of the graphs of an orbit.
fn canonical(graph: &str, permutations: &[Vec<usize>]) -> String {
    permutations.iter().map(|permutation| permuted(graph, permutation)).min().unwrap_or_default()
}

/// Returns a graph with other names of threads and of their own locations.
fn permuted(graph: &str, permutation: &[usize]) -> String {
    let event = |word: &str| {
        let (thread, index) = word.split_once('.')?;
        Some(format!("{}.{index}", permutation[thread.parse::<usize>().ok()?]))
    };
    let place = |word: &str| {
        let number: u32 = word.trim_end_matches(':').parse().expect("a location");
        let thread = number.checked_sub(OWN).map(|thread| permutation[thread as usize] as u32);
        thread.map_or(number, |thread| OWN + thread)
    };
    let mut lines = Vec::new();
    for line in graph.lines() {
        let mut words: Vec<String> =
            line.split(' ').map(|word| event(word).unwrap_or_else(|| word.to_owned())).collect();
        let at = words.iter().position(|word| ["reads", "writes", "mo"].contains(&word.as_str()));
        if let Some(at) = at {
            let colon = if words[at] == "mo" { ":" } else { "" };
            words[at + 1] = format!("{}{colon}", place(&words[at + 1]));
        }
        lines.push(words.join(" "));
    }
    lines.sort();
    lines.join("\n")
}

/// Returns all graphs of a program, by an exploration without symmetry.
pub fn without_symmetry(program: &Litmus, model: MemoryModel) -> BTreeMap<String, u64> {
    explored(program, &options(model), Crew::Alone).0
}
