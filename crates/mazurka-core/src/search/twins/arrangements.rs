//! The good arrangements of the twins of an execution. [`orbits`](super::orbits) says what these are.

use std::cmp::Ordering;

use super::whole::{Order, Whole};
use crate::model::ProcessId;

/// Returns whether the arrangement by name is not good, or not the least good one.
pub(super) fn is_not_least(whole: &Whole<'_>, families: &[Vec<ProcessId>]) -> bool {
    let mut arrangements = Arrangements {
        whole,
        by_name: families,
        creations: whole.creations(),
        first_line: Vec::new(),
        runs: Vec::new(),
        roots: Vec::new(),
    };
    arrangements.first_line = arrangements.line_up(families);
    for family in families {
        let Some(root) = arrangements.add_run(family, 1) else { return true };
        arrangements.roots.push(root);
    }
    if !arrangements.is_good(families) {
        return true;
    }
    (0..arrangements.runs.len()).for_each(|run| arrangements.constrain(run));
    match arrangements.sorted().filter(|sorted| arrangements.is_good(sorted)) {
        Some(sorted) => arrangements.compare(&sorted).is_ne(),
        None => arrangements.has_lesser(0, 0),
    }
}

/// All arrangements of the twins of an execution.
struct Arrangements<'a> {
    whole: &'a Whole<'a>,
    /// The families, each in the order of the names of its twins.
    by_name: &'a [Vec<ProcessId>],
    /// The created processes in the order of their creation, each with its creator.
    creations: Vec<(ProcessId, ProcessId)>,
    /// All processes, as the arrangement by name lines them up.
    first_line: Vec<ProcessId>,
    runs: Vec<Run>,
    /// By family: the run of all its twins.
    roots: Vec<usize>,
}

/// Twins whose first steps are equal.
struct Run {
    /// The twins by name.
    twins: Vec<ProcessId>,
    /// The number of the steps in which they differ.
    number: u32,
    /// The runs that they form by these steps, in the current order; none if there are no such steps.
    parts: Vec<usize>,
    /// Pairs of parts of which the first one has to come first.
    constraints: Vec<(usize, usize)>,
    /// Whether the signatures of parts decide all other pairs.
    can_be_sorted: bool,
}

impl Arrangements<'_> {
    /// Adds the run of twins whose steps before `number` are equal, and its parts. Returns its index, or
    /// `None` if the twins are not in the order of a good arrangement.
    fn add_run(&mut self, twins: &[ProcessId], mut number: u32) -> Option<usize> {
        let whole = self.whole;
        let are_equal =
            |number| move |pair: &[ProcessId]| whole.are_equal(pair[0], pair[1], number);
        let has_step = |twin: &ProcessId| whole.event(*twin, number).is_some();
        let mut parts = Vec::new();
        if twins.len() > 1 && twins.iter().any(has_step) {
            while twins.windows(2).all(are_equal(number)) {
                number += 1;
            }
            let groups: Vec<&[ProcessId]> =
                twins.chunk_by(|a, b| whole.are_equal(*a, *b, number)).collect();
            for (i, group) in groups.iter().enumerate() {
                for later in &groups[i + 1..] {
                    let (a, b) = (group[0], later[0]);
                    if whole.are_equal(a, b, number) || whole.order_at(a, b, number) == Order::Wrong
                    {
                        return None;
                    }
                }
            }
            for group in groups {
                parts.push(self.add_run(group, number + 1)?);
            }
        }
        let (twins, constraints) = (twins.to_vec(), Vec::new());
        self.runs.push(Run { twins, number, parts, constraints, can_be_sorted: true });
        Some(self.runs.len() - 1)
    }

    /// Finds the pairs of parts of a run that need to be tried in one order only.
    fn constrain(&mut self, run: usize) {
        let Run { number, ref parts, .. } = self.runs[run];
        let (mut constraints, mut can_be_sorted) = (Vec::new(), true);
        for (i, first) in parts.iter().enumerate() {
            for second in &parts[i + 1..] {
                match self.order_of_parts(*first, *second, number) {
                    Order::Forced => constraints.push((*first, *second)),
                    Order::Wrong => constraints.push((*second, *first)),
                    Order::Open if self.can_be_exchanged(*first, *second) => {
                        constraints.push((*first, *second));
                    }
                    Order::Open => {
                        can_be_sorted &= self.signature(*first) != self.signature(*second);
                    }
                }
            }
        }
        self.runs[run].constraints = constraints;
        self.runs[run].can_be_sorted = can_be_sorted;
    }

    /// Returns the arrangement that sorts the parts of each run by their signatures, as far as their order is
    /// not forced. Returns `None` if there may be several. All classes of an orbit have the same one, except
    /// that parts may be exchanged.
    fn sorted(&self) -> Option<Vec<Vec<ProcessId>>> {
        if !self.runs.iter().all(|run| run.can_be_sorted) {
            return None;
        }
        let mut families = Vec::new();
        for root in &self.roots {
            let mut family = Vec::new();
            self.flatten_sorted(*root, &mut family);
            families.push(family);
        }
        Some(families)
    }

    fn flatten_sorted(&self, run: usize, family: &mut Vec<ProcessId>) {
        let Run { twins, parts, constraints, .. } = &self.runs[run];
        if parts.is_empty() {
            family.extend(twins);
        }
        let mut parts = parts.clone();
        while !parts.is_empty() {
            let is_first = |part: &usize| {
                !constraints.iter().any(|(first, second)| second == part && parts.contains(first))
            };
            let ready = (0..parts.len()).filter(|place| is_first(&parts[*place]));
            let least = ready.min_by_key(|place| self.signature(parts[*place]));
            let least = least.expect("what is forced has no cycle");
            self.flatten_sorted(parts.remove(least), family);
        }
    }

    /// Returns numbers that do not change if twins are renamed: for each twin of a run, how many events
    /// happen before each of its steps that has actions.
    fn signature(&self, run: usize) -> Vec<Vec<u32>> {
        let of_twin = |twin: &ProcessId| {
            let events = (1..).map_while(|number| self.whole.event(*twin, number));
            let events = events.filter(|event| self.whole.has_actions(*event));
            events.map(|event| self.whole.past_of(event)).collect()
        };
        let mut signature: Vec<_> = self.runs[run].twins.iter().map(of_twin).collect();
        signature.sort_unstable();
        signature
    }

    /// Returns the order of two parts of a run.
    fn order_of_parts(&self, first: usize, second: usize, number: u32) -> Order {
        let second = &self.runs[second].twins;
        let pairs =
            self.runs[first].twins.iter().flat_map(|a| second.iter().map(move |b| (*a, *b)));
        let mut orders = pairs.map(|(a, b)| self.whole.order_at(a, b, number));
        orders.find(|order| *order != Order::Open).unwrap_or(Order::Open)
    }

    /// Returns whether exchanging two runs does not change the class. The twins of each must have only equal
    /// steps, so that their order does not matter.
    fn can_be_exchanged(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.runs[first], &self.runs[second]);
        let has_parts = !first.parts.is_empty() || !second.parts.is_empty();
        let (first, second) = (&first.twins, &second.twins);
        if has_parts || first.len() != second.len() {
            return false;
        }
        let mut families = self.by_name.to_vec();
        for twin in families.iter_mut().flatten() {
            if let Some(place) = first.iter().position(|it| it == twin) {
                *twin = second[place];
            } else if let Some(place) = second.iter().position(|it| it == twin) {
                *twin = first[place];
            }
        }
        self.compare(&families) == Ordering::Equal
    }

    /// Returns whether some good arrangement is less than the one by name. It changes the order of the parts
    /// of the runs from `run` on, and of the parts of that from `place` on.
    fn has_lesser(&mut self, run: usize, place: usize) -> bool {
        let Some(Run { parts, .. }) = self.runs.get(run) else {
            let families = self.current();
            return self.compare(&families) == Ordering::Less && self.is_good(&families);
        };
        if place + 1 >= parts.len() {
            return self.has_lesser(run + 1, 0);
        }
        for chosen in place..parts.len() {
            let Run { parts, constraints, .. } = &self.runs[run];
            let has_to_wait = |(first, second): &(usize, usize)| {
                *second == parts[chosen] && parts[place..].contains(first)
            };
            if constraints.iter().any(has_to_wait) {
                continue;
            }
            self.runs[run].parts.swap(place, chosen);
            let found = self.has_lesser(run, place + 1);
            self.runs[run].parts.swap(place, chosen);
            if found {
                return true;
            }
        }
        false
    }

    /// Returns the current arrangement.
    fn current(&self) -> Vec<Vec<ProcessId>> {
        let mut families = Vec::new();
        for root in &self.roots {
            let mut family = Vec::new();
            self.flatten(*root, &mut family);
            families.push(family);
        }
        families
    }

    fn flatten(&self, run: usize, family: &mut Vec<ProcessId>) {
        let Run { twins, parts, .. } = &self.runs[run];
        match parts.is_empty() {
            true => family.extend(twins),
            false => parts.iter().for_each(|part| self.flatten(*part, family)),
        }
    }

    /// Returns whether an arrangement that orders runs as it must satisfies condition 2.
    fn is_good(&self, families: &[Vec<ProcessId>]) -> bool {
        let whole = self.whole;
        let neighbours = families.iter().flat_map(|family| family.windows(2));
        let links: Vec<(ProcessId, ProcessId, u32)> = neighbours
            .map(|pair| (pair[0], pair[1], whole.first_difference(pair[0], pair[1])))
            .collect();
        // Take the steps one by one, each when all that comes before it has been taken.
        let mut taken = vec![0; whole.processes()];
        let mut goes_on = true;
        while std::mem::take(&mut goes_on) {
            for process in &self.first_line {
                while let Some(event) = whole.event(*process, taken[process.index()] + 1) {
                    let number = taken[process.index()] + 1;
                    let is_ready = |(a, b, last): &(ProcessId, ProcessId, u32)| {
                        b != process || number > *last || taken[a.index()] >= number
                    };
                    if !whole.is_past_taken(event, *process, &taken) || !links.iter().all(is_ready)
                    {
                        break;
                    }
                    taken[process.index()] = number;
                    goes_on = true;
                }
            }
        }
        self.first_line.iter().all(|it| whole.event(*it, taken[it.index()] + 1).is_none())
    }

    /// Returns all processes in the order that follows from an arrangement: a process comes before the
    /// processes that it creates, which are in the order of their creation.
    fn line_up(&self, families: &[Vec<ProcessId>]) -> Vec<ProcessId> {
        let renamed = |process: ProcessId| {
            let mut pairs = self.by_name.iter().flatten().zip(families.iter().flatten());
            pairs.find(|(name, _)| **name == process).map_or(process, |(_, twin)| *twin)
        };
        let mut line = Vec::new();
        let mut open: Vec<_> = (0..self.whole.initial()).rev().map(ProcessId::new).collect();
        while let Some(name) = open.pop() {
            let process = renamed(name);
            line.push(process);
            let created = self.creations.iter().rev().filter(|(creator, _)| *creator == process);
            open.extend(created.map(|(_, created)| *created));
        }
        line
    }

    /// Compares the class to which an arrangement leads with that of the arrangement by name.
    fn compare(&self, families: &[Vec<ProcessId>]) -> Ordering {
        let line = self.line_up(families);
        let whole = self.whole;
        // An alternative that names a process counts as the place of that process.
        let named = |event, line: &[ProcessId]| {
            let process = whole.named_by(event)?;
            line.iter().position(|it| *it == process)
        };
        for (mine, theirs) in line.iter().zip(&self.first_line) {
            for number in 1.. {
                let (event, other) =
                    match (whole.event(*mine, number), whole.event(*theirs, number)) {
                        (None, None) => break,
                        (Some(event), Some(other)) => (event, other),
                        (event, other) => return event.is_some().cmp(&other.is_some()),
                    };
                let alternatives = match (named(event, &line), named(other, &self.first_line)) {
                    (Some(mine), Some(theirs)) => mine.cmp(&theirs),
                    _ => whole.choice(event).cmp(&whole.choice(other)),
                };
                let pasts = || {
                    let pairs = line.iter().zip(&self.first_line);
                    let mut orders =
                        pairs.map(|(a, b)| whole.past(event, *a).cmp(&whole.past(other, *b)));
                    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
                };
                // What a step without actions has waited for may depend on the names of twins: a process
                // joins them by their names, and does nothing before it has joined all.
                let order = match whole.has_actions(event) && whole.has_actions(other) {
                    true => alternatives.then_with(pasts),
                    false => alternatives,
                };
                if order.is_ne() {
                    return order;
                }
            }
        }
        Ordering::Equal
    }
}
