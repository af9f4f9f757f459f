//! Comparing `graphs` with brute force.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZeroUsize;

use mazurka_core::execution::Execution;
use mazurka_core::explore::{Sharing, check_with_workers, explore};
use mazurka_core::memory::{Graph, INITIAL, Kind, MemoryModel};
use mazurka_core::model::{Ending, Lesson, Machine};
use mazurka_core::search::{Algorithm, Coherence, DataRaces, Monitor, Options};
use mazurka_core::verdict::{Restart, Schedule, Verdict, Violation};

use super::candidates::{self, Candidate};
use super::machine::LitmusMachine;
use super::models;
use super::program::{BARRIER, Litmus};
use crate::compare::saved;

/// Graphs in a form in which equal ones are equal, each with how often it was met.
pub type Graphs = BTreeMap<String, u64>;

/// Who explores a program.
#[derive(Clone, Copy, Debug)]
pub enum Crew {
    /// One worker.
    Alone,
    /// This many workers, which share everything after every execution.
    Sharing(NonZeroUsize),
    /// This many workers. The search is saved after every two executions, and continued by others.
    Saved(NonZeroUsize),
}

pub(super) fn options(memory_model: MemoryModel) -> Options<'static> {
    Options {
        algorithm: Algorithm::Graphs,
        memory_model,
        coherence: Some(Coherence::Total),
        symmetry: Some(false),
        data_races: DataRaces::Ignore,
        keep_going: true,
        max_depth: Some(100),
        max_executions: Some(1_000_000),
        ..Options::default()
    }
}

/// Returns the graphs that `graphs` visits, and the verdict.
pub(super) fn explored(program: &Litmus, options: &Options<'_>, crew: Crew) -> (Graphs, Verdict) {
    struct Collect(Graphs);
    impl Monitor<LitmusMachine> for Collect {
        fn graph(&mut self, graph: &Graph) {
            *self.0.entry(text_of_graph(graph)).or_default() += 1;
        }

        fn started_over(&mut self, _: &Restart) {
            self.0.clear();
        }
    }
    let mut collect = Collect(Graphs::new());
    let verdict = match crew {
        Crew::Alone => explore(&mut LitmusMachine::new(program), options, &mut collect),
        Crew::Sharing(workers) => {
            let sharing = Sharing::Always { seed: 1 };
            check_with_workers(program, workers, sharing, options, &mut collect)
        }
        Crew::Saved(workers) => saved(program, workers, 2, options, &mut collect),
    };
    (collect.0, verdict)
}

/// Returns a graph that following its schedule does not lead to, if there is one.
pub fn not_replayed(program: &Litmus, model: MemoryModel, coherence: Coherence) -> Option<String> {
    #[derive(Default)]
    struct Collect {
        graph: Option<String>,
        all: Vec<(String, Schedule)>,
    }
    impl Monitor<LitmusMachine> for Collect {
        fn graph(&mut self, graph: &Graph) {
            self.graph = Some(text_of_graph(graph));
        }

        fn started_over(&mut self, _: &Restart) {
            self.all.clear();
        }

        fn ended(
            &mut self,
            _: &LitmusMachine,
            execution: &Execution,
            _: Option<&Ending>,
            _: Option<&Violation>,
        ) {
            if let Some(graph) = self.graph.take() {
                self.all.push((graph, execution.schedule()));
            }
        }
    }
    let options = Options { coherence: Some(coherence), ..options(model) };
    let mut explored = Collect::default();
    explore(&mut LitmusMachine::new(program), &options, &mut explored);
    explored.all.into_iter().find_map(|(graph, schedule)| {
        // The text form must not lose anything.
        let schedule: Schedule = schedule.to_string().parse().expect("the text of a schedule");
        let follow = Options { follow: Some(&schedule), ..options.clone() };
        let mut again = Collect::default();
        explore(&mut LitmusMachine::new(program), &follow, &mut again);
        // Arrivals are ordered there.
        let class = |graph: &String| match coherence {
            Coherence::Total => with_arrivals(graph),
            Coherence::Observed => without_coherence(&with_arrivals(graph)),
        };
        let graphs: Vec<String> = again.all.iter().map(|(graph, _)| class(graph)).collect();
        (graphs != [class(&graph)])
            .then(|| format!("{schedule} leads to {graphs:?}, not to\n{graph}"))
    })
}

/// Returns the final values of the registers that an explorer reaches under `sc`, and how many executions
/// it runs.
pub fn final_registers(program: &Litmus, algorithm: Algorithm) -> (BTreeSet<Vec<u64>>, u64) {
    struct Collect(BTreeSet<Vec<u64>>);
    impl Monitor<LitmusMachine> for Collect {
        fn ended(
            &mut self,
            machine: &LitmusMachine,
            _: &Execution,
            ending: Option<&Ending>,
            _: Option<&Violation>,
        ) {
            if ending.is_some() {
                let threads = 0..machine.processes();
                self.0.insert(threads.flat_map(|thread| machine.registers(thread)).collect());
            }
        }
    }
    let coherence = (algorithm == Algorithm::Graphs).then_some(Coherence::Total);
    let options = Options { algorithm, coherence, ..options(MemoryModel::Sc) };
    let mut collect = Collect(BTreeSet::new());
    let verdict = explore(&mut LitmusMachine::new(program), &options, &mut collect);
    assert!(verdict.is_complete(), "{verdict:?}\n{program}");
    (collect.0, verdict.executions)
}

/// Returns the graphs that are consistent, by brute force. Those that differ in the order of arrivals at the
/// barrier alone are one, unless these are ordered.
pub fn consistent(program: &Litmus, model: MemoryModel, orders_arrivals: bool) -> Graphs {
    let mut found = Graphs::new();
    candidates::for_each(program, |candidate| {
        if models::is_consistent(candidate, model) {
            *found.entry(text_of_candidate(candidate, orders_arrivals)).or_default() += 1;
        }
        true
    });
    found
}

/// Programs with more combinations of what their threads may do are too large to enumerate.
const COMBINATIONS: u64 = 1 << 20;

/// Returns how many candidates a program has, up to a limit. A program that is too large to enumerate them has
/// as many.
pub fn count(program: &Litmus, limit: u64) -> u64 {
    if candidates::combinations(program) > COMBINATIONS {
        return limit;
    }
    let mut count = 0;
    candidates::for_each(program, |candidate| {
        count = if models::is_too_large(candidate) { limit } else { count + 1 };
        count < limit
    });
    count
}

/// Returns a graph with arrivals at the barrier in the place of its read-modify-writes.
fn with_arrivals(graph: &str) -> String {
    let (reads, writes) = (format!(" reads {BARRIER} "), format!(" writes {BARRIER} "));
    let parse = |word: &str| -> Option<(usize, u32)> {
        let (thread, index) = word.split_once('.')?;
        Some((thread.parse().ok()?, index.parse().ok()?))
    };
    let lines = || graph.lines().filter(|line| !line.is_empty());
    let left_out: Vec<(usize, u32)> = { lines() }
        .filter(|line| line.contains(&writes))
        .filter_map(|line| parse(line.split(' ').next()?))
        .collect();
    let renamed = |word: &str| match parse(word) {
        Some((thread, index)) => {
            let before = left_out.iter().filter(|(other, at)| *other == thread && *at < index);
            format!("{thread}.{}", index - before.count() as u32)
        }
        None => word.to_owned(),
    };
    let is_kept =
        |line: &&str| !line.contains(&writes) && !line.starts_with(&format!("mo {BARRIER}:"));
    let mut kept: Vec<String> = { lines() }
        .filter(is_kept)
        .map(|line| match line.split_once(&reads) {
            Some((event, _)) => format!("{} arrives", renamed(event)),
            None => line.split(' ').map(renamed).collect::<Vec<_>>().join(" "),
        })
        .collect();
    kept.sort();
    kept.join("\n") + "\n"
}

/// Returns a graph without its coherence order.
pub(super) fn without_coherence(graph: &str) -> String {
    let lines = graph.lines().filter(|line| !line.starts_with("mo "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// How an exploration with observed coherence went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Whether it started over with total coherence.
    pub starts_over: bool,
    /// In what it differs from brute force, if it does.
    pub difference: Option<String>,
}

/// Compares observed coherence with brute force. For each reads-from of a consistent graph, one graph is to
/// be visited. If the explorer starts over with total coherence, all consistent graphs are to be visited.
pub fn observe(program: &Litmus, model: MemoryModel) -> Observation {
    let (_, total) = explored(program, &options(model), Crew::Alone);
    let consistent = consistent(program, model, orders_arrivals(&total));
    let mut classes = Graphs::new();
    for graph in consistent.keys() {
        *classes.entry(without_coherence(graph)).or_default() += 1;
    }
    let options = Options { coherence: None, ..options(model) };
    let mut starts_over = false;
    for crew in crews() {
        let (graphs, verdict) = explored(program, &options, crew);
        assert!(verdict.is_complete(), "{verdict:?}\n{program}");
        let is_about_order =
            |restart: &Restart| matches!(restart.lesson, Lesson::CoherenceOrder(_));
        let has_started_over = verdict.restarts.iter().any(is_about_order);
        starts_over |= has_started_over;
        assert_eq!(orders_arrivals(&verdict), orders_arrivals(&total), "{model}\n{program}");
        let mut visited = Graphs::new();
        for (graph, times) in &graphs {
            *visited.entry(without_coherence(graph)).or_default() += times;
        }
        let mut text = match has_started_over {
            true => difference_between(&graphs, &consistent),
            false => difference_between(&visited, &classes),
        };
        let kinds = |verdict: &Verdict| -> BTreeSet<String> {
            verdict.violations.iter().map(|violation| violation.kind.to_string()).collect()
        };
        if kinds(&verdict) != kinds(&total) {
            let _ = write!(text, "violations {:?}, not {:?}", kinds(&verdict), kinds(&total));
        }
        if !text.is_empty() {
            let difference = Some(format!("observed, under {model}, {crew:?}:\n{text}"));
            return Observation { starts_over, difference };
        }
    }
    Observation { starts_over, difference: None }
}

/// Returns whether an exploration of a program learns that the order of arrivals at the barrier matters.
pub fn learns_order_of_arrivals(program: &Litmus, model: MemoryModel) -> bool {
    orders_arrivals(&explored(program, &options(model), Crew::Alone).1)
}

/// Returns whether a search has learnt that the order of arrivals at the barrier matters.
fn orders_arrivals(verdict: &Verdict) -> bool {
    verdict.restarts.iter().any(|restart| restart.lesson == Lesson::Arrivals)
}

pub(super) fn crews() -> [Crew; 4] {
    let (one, three) = (NonZeroUsize::MIN, NonZeroUsize::MIN.saturating_add(2));
    [Crew::Alone, Crew::Sharing(one), Crew::Sharing(three), Crew::Saved(three)]
}

/// Returns in what the two differ, if they do.
pub fn difference(program: &Litmus, model: MemoryModel) -> Option<String> {
    let mut known = [None, None];
    crews().into_iter().find_map(|crew| {
        let (explored, verdict) = explored(program, &options(model), crew);
        assert!(verdict.is_complete(), "{verdict:?}\n{program}");
        let is_ordered = orders_arrivals(&verdict);
        let consistent = known[usize::from(is_ordered)]
            .get_or_insert_with(|| consistent(program, model, is_ordered));
        let text = difference_between(&explored, consistent);
        (!text.is_empty()).then(|| format!("under {model}, {crew:?}:\n{text}"))
    })
}

fn difference_between(explored: &Graphs, consistent: &Graphs) -> String {
    let mut text = String::new();
    for (graph, times) in explored {
        if !consistent.contains_key(graph) {
            let _ = write!(text, "visited, but not consistent:\n{graph}");
        } else if *times > 1 {
            let _ = write!(text, "visited {times} times:\n{graph}");
        }
    }
    for graph in consistent.keys().filter(|graph| !explored.contains_key(*graph)) {
        let _ = write!(text, "missed:\n{graph}");
    }
    text
}

fn text_of_graph(graph: &Graph) -> String {
    let name = |event: u32| match event {
        INITIAL => "init".to_owned(),
        event => {
            let event = graph.event(event);
            format!("{}.{}", event.process, event.index)
        }
    };
    let mut lines: Vec<String> = Vec::new();
    // A blocked read reads from the last write, and there may be an event for it or not.
    for (number, event) in graph.events().iter().enumerate().filter(|(_, e)| !e.is_blocked) {
        let own = name(number as u32);
        let place = event.location_if_memory().map_or(0, |l| graph.location(l).object.0);
        lines.push(match event.kind {
            Kind::Read if event.is_arrival => format!("{own} arrives"),
            Kind::Read => {
                format!("{own} reads {place} = {} from {}", event.value, name(event.reads_from))
            }
            Kind::Write => format!("{own} writes {place} = {}", event.value),
            Kind::Fence => format!("{own} fence"),
            Kind::Choice => format!("{own} chooses {}", event.choice),
        });
    }
    lines.sort();
    let mut orders = Vec::new();
    for location in 0..graph.locations() {
        let writes: Vec<String> = graph.coherence(location).iter().map(|w| name(*w)).collect();
        if !writes.is_empty() {
            orders.push(format!("mo {}: {}", graph.location(location).object.0, writes.join(" ")));
        }
    }
    orders.sort();
    lines.extend(orders);
    lines.join("\n") + "\n\n"
}

fn text_of_candidate(candidate: &Candidate, orders_arrivals: bool) -> String {
    // An arrival is one event if it is not ordered.
    let is_left_out = |event: &candidates::Event| {
        event.is_arrival && event.kind == Kind::Write && !orders_arrivals
    };
    let name = |event: u32| match event {
        INITIAL => "init".to_owned(),
        event => {
            let event = &candidate.events[event as usize];
            let is_before = |other: &&candidates::Event| {
                other.thread == event.thread && other.index < event.index && is_left_out(other)
            };
            let left_out = candidate.events.iter().filter(is_before).count() as u32;
            format!("{}.{}", event.thread, event.index - left_out)
        }
    };
    let mut lines: Vec<String> = Vec::new();
    let is_listed = |event: &candidates::Event| !event.is_blocked && !is_left_out(event);
    for (number, event) in candidate.events.iter().enumerate().filter(|(_, e)| is_listed(e)) {
        let (own, place) = (name(number as u32), event.location);
        lines.push(match event.kind {
            Kind::Read if event.is_arrival && !orders_arrivals => format!("{own} arrives"),
            Kind::Read => {
                let mut from = candidate.reads_from[number];
                while from != INITIAL && is_left_out(&candidate.events[from as usize]) {
                    from = candidate.reads_from[from as usize - 1];
                }
                format!("{own} reads {place} = {} from {}", event.value, name(from))
            }
            Kind::Write => format!("{own} writes {place} = {}", event.value),
            Kind::Fence => format!("{own} fence"),
            Kind::Choice => unreachable!("programs have no choices"),
        });
    }
    lines.sort();
    let mut orders = Vec::new();
    for (location, writes) in candidate.coherence.iter().enumerate() {
        let listed = writes.iter().filter(|w| !is_left_out(&candidate.events[**w as usize]));
        let writes: Vec<String> = listed.map(|w| name(*w)).collect();
        if !writes.is_empty() {
            orders.push(format!("mo {location}: {}", writes.join(" ")));
        }
    }
    orders.sort();
    lines.extend(orders);
    lines.join("\n") + "\n\n"
}
