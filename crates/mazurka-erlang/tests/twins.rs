//! Processes that are started alike: with one execution of each orbit, explorers find what `naive` finds with
//! all. An orbit is the set of executions that permutations of such processes make out of one.
//!
//! `MAZURKA_RANDOM=N` tries N programs, starting with the seed `MAZURKA_SEED`.

mod common;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use common::scripts::{Random, number, script};
use common::{Outcome, Outcomes, every_outcome, exhaustive, outcomes_within};
use mazurka_core::explore::{Checkable, Sharing};
use mazurka_core::search::{Algorithm, Options};
use mazurka_core::verdict::Verdict;

/// The most executions of `naive` for which a program is compared.
const MOST: u64 = 20_000;

/// One in so many programs has an act that tells processes apart.
const TELLING: usize = 4;

/// Returns all permutations of the children of the first process that exchange members of groups. The groups
/// are given by their sizes, and the first child has the number 1.
fn permutations(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![0]];
    for size in sizes {
        let mut longer = Vec::new();
        for permutation in &all {
            let first = permutation.len();
            let mut orders = vec![Vec::new()];
            for _ in 0..*size {
                let extend = |order: &Vec<usize>| {
                    let free = (first..first + size).filter(|member| !order.contains(member));
                    free.map(|member| [order.as_slice(), &[member]].concat()).collect::<Vec<_>>()
                };
                orders = orders.iter().flat_map(extend).collect();
            }
            longer.extend(orders.iter().map(|order| [permutation.as_slice(), order].concat()));
        }
        all = longer;
    }
    all
}

/// Replaces the symbols of processes, `P.1` and so on, in a text. `#Ref<P.1>` is a reference of `P`.
fn rename(text: &str, permutation: &[usize]) -> String {
    let mut parts = text.split("P.");
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let number: usize = part[..digits].parse().unwrap();
        let is_number = renamed.ends_with("#Ref<") && part[digits..].starts_with('>');
        let new = permutation.get(number).filter(|_| !is_number).unwrap_or(&number);
        renamed.push_str(&format!("P.{new}{}", &part[digits..]));
    }
    renamed
}

type Trace = Vec<(usize, Vec<usize>)>;

/// The least of the texts, ends or traces of an orbit stands for it.
struct Orbits(Vec<Vec<usize>>);

impl Orbits {
    fn least<T: Ord>(&self, of: impl Fn(&[usize]) -> T) -> T {
        self.0.iter().map(|permutation| of(permutation)).min().expect("there is the identity")
    }

    fn ends(&self, ends: &BTreeSet<Outcome>) -> BTreeSet<Outcome> {
        let least = |end: &Outcome| {
            self.least(|permutation| {
                let mut processes: Vec<String> =
                    end.processes.iter().map(|process| rename(process, permutation)).collect();
                processes.sort();
                Outcome { printed: end.printed.clone(), processes }
            })
        };
        ends.iter().map(least).collect()
    }

    fn violations(&self, violations: &BTreeSet<String>) -> BTreeSet<String> {
        // A report shows the first messages of a mailbox, and `observers` does not distinguish all orders.
        let is_mail = |line: &&str| line.starts_with("    it has ");
        let sorted = |text: String| {
            let mut lines: Vec<&str> = text.lines().filter(|line| !is_mail(line)).collect();
            lines.sort_unstable();
            lines.join("\n")
        };
        violations.iter().map(|text| self.least(|p| sorted(rename(text, p)))).collect()
    }

    fn traces(&self, traces: &BTreeSet<Trace>) -> BTreeSet<Trace> {
        let rename = |trace: &Trace, permutation: &[usize]| {
            let new = |process: usize| permutation.get(process).copied().unwrap_or(process);
            let mut renamed: Trace = trace
                .iter()
                .map(|(process, past)| {
                    let width = past.len().max(permutation.len());
                    let mut moved = vec![0; width];
                    past.iter().enumerate().for_each(|(of, count)| moved[new(of)] = *count);
                    (new(*process), moved)
                })
                .collect();
            renamed.sort();
            renamed
        };
        traces.iter().map(|trace| self.least(|p| rename(trace, p))).collect()
    }
}

/// The numbers of a comparison.
#[derive(Default, Debug)]
struct Counts {
    traces: usize,
    orbits: usize,
    by_optimal: u64,
    by_observers: u64,
    /// The programs with interchangeable processes.
    with_twins: u32,
}

/// Compares explorers with symmetry with `naive` without it. Returns what is wrong, or `None` if the program
/// has too many executions.
fn disagreements(call: &str, sizes: &[usize], counts: &mut Counts) -> Option<Vec<String>> {
    let (all, _) = every_outcome(&script(call), Algorithm::Naive, MOST)?;
    let orbits = Orbits(permutations(sizes));
    let expected = Outcomes {
        ends: orbits.ends(&all.ends),
        violations: orbits.violations(&all.violations),
        traces: orbits.traces(&all.traces),
    };
    counts.traces += all.traces.len();
    counts.orbits += expected.traces.len();
    let mut wrong = Vec::new();
    let runs = [
        (Algorithm::Naive, 1),
        (Algorithm::Dpor, 1),
        (Algorithm::Source, 1),
        (Algorithm::Optimal, 1),
        (Algorithm::Optimal, 2),
        (Algorithm::Observers, 1),
        (Algorithm::Observers, 2),
    ];
    for (algorithm, workers) in runs {
        let program = script(call);
        let symmetry = Some(true);
        let most = Some(4 * MOST);
        let options = Options { max_executions: most, symmetry, ..exhaustive(algorithm) };
        let (found, verdict): (Outcomes, Verdict) = match workers {
            1 => outcomes_within(&program, &options)?,
            _ => {
                let mut found = Outcomes::default();
                let workers = NonZeroUsize::new(workers).expect("there are workers");
                let sharing = Sharing::Always { seed: 1 };
                let verdict = program.check_with_workers(workers, sharing, &options, &mut found);
                found.violations = verdict.violations.iter().map(|v| v.message.clone()).collect();
                (found, verdict)
            }
        };
        let mut say = |text: String| wrong.push(format!("{algorithm} by {workers}: {text}"));
        let ends = orbits.ends(&found.ends);
        if let Some(end) = expected.ends.difference(&ends).next() {
            say(format!("misses {end:?}"));
        }
        if let Some(end) = ends.difference(&expected.ends).next() {
            say(format!("makes up {end:?}"));
        }
        let violations = orbits.violations(&found.violations);
        if workers == 1 && violations != expected.violations {
            say(format!("finds the violations {violations:?}, not {:?}", expected.violations));
        }
        let executions = verdict.executions;
        if matches!(algorithm, Algorithm::Optimal | Algorithm::Observers)
            && executions > all.traces.len() as u64
        {
            say(format!("runs {executions} executions of {} traces", all.traces.len()));
        }
        if algorithm == Algorithm::Optimal {
            if executions < expected.traces.len() as u64 {
                say(format!("runs {executions} executions of {} orbits", expected.traces.len()));
            }
            if workers == 1 {
                counts.by_optimal += executions;
                counts.with_twins += u32::from(verdict.twins > 0);
                let gives_up = ["hear", "after_", "poll", "acquire"];
                let is_exact = verdict.twins > 0 && !gives_up.iter().any(|act| call.contains(act));
                if is_exact && executions != expected.traces.len() as u64 {
                    let orbits = expected.traces.len();
                    say(format!("runs {executions} executions of {orbits} orbits"));
                }
            }
        }
        if (algorithm, workers) == (Algorithm::Observers, 1) {
            counts.by_observers += executions;
        }
    }
    Some(wrong)
}

#[test]
fn permutations_of_processes_hide_nothing() {
    let (first, programs) = (number("MAZURKA_SEED", 1), number("MAZURKA_RANDOM", 80));
    let (mut compared, mut wrong, mut counts) = (0, Vec::new(), Counts::default());
    for seed in first..first + programs {
        let (call, sizes) = Random(seed).call_of_alike(TELLING);
        let Some(disagreements) = disagreements(&call, &sizes, &mut counts) else { continue };
        compared += 1;
        if !disagreements.is_empty() {
            let text = format!("seed {seed}: {call}:\n  {}", disagreements.join("\n  "));
            println!("{text}");
            wrong.push(text);
        }
    }
    println!("{compared} of {programs} compared: {counts:?}");
    assert!(wrong.is_empty(), "{} programs:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared * 2 > programs, "only {compared} programs are small enough");
    assert!(u64::from(counts.with_twins) * 3 > compared, "few programs have twins: {counts:?}");
}
