//! Divided searches, as a cluster explores them.

use mazurka_core::explore::{Division, Explored, Part, explore_part, sum_up};
use mazurka_core::model::Program;
use mazurka_core::search::{Estimate, Monitor, Options};
use mazurka_core::verdict::{Bound, Verdict};

/// Explores the parts of a divided search in random order, each for a few executions, and divides what is
/// left of each into a random number of parts. Every part is explored by other machines, and read from bytes.
/// Calls `begin` before each part.
pub fn divided<P: Program, M: Monitor<P::Machine>>(
    program: &P,
    executions: u64,
    seed: u64,
    options: &Options<'_>,
    monitor: &mut M,
    begin: impl Fn(&mut M),
) -> Verdict {
    let few = Options { max_executions: Some(executions), ..options.clone() };
    let whole = Part::whole(program, options).expect("it can be divided");
    let mut open = vec![whole.to_bytes()];
    let mut division = Division::default();
    let mut sum = Verdict { algorithm: options.algorithm, ..Verdict::default() };
    let mut notes = Vec::new();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut rounds = options.max_executions.unwrap_or(u64::MAX).saturating_mul(4);
    while !open.is_empty() {
        rounds -= 1;
        if rounds == 0 {
            return Verdict { stopped: Some(Bound::Executions), ..sum };
        }
        let part = open.swap_remove(random.usize(..open.len()));
        let part = Part::from_bytes(&part).expect("it was written in this way");
        begin(monitor);
        let explored = explore_part(program, &part, &few, monitor).expect("the part fits");
        let explored =
            Explored::from_bytes(&explored.to_bytes()).expect("it was written in this way");
        let parts = match explored.starts_over {
            Some(_) => {
                open.clear();
                division = Division::default();
                sum = Verdict { algorithm: options.algorithm, ..Verdict::default() };
                notes = explored.rest.as_ref().map_or(&[][..], Part::notes).to_vec();
                explored.rest.into_iter().collect()
            }
            None => division.settle(&part, explored.rest, random.usize(1..=4)),
        };
        sum = sum_up(vec![sum, explored.verdict], options);
        sum.notes.clone_from(&notes);
        open.extend(parts.iter().map(Part::to_bytes));
        division.count(sum.executions + sum.blocked);
    }
    // The weights of all parts add up: nothing is left in the end.
    let runs = (sum.executions + sum.blocked) as f64;
    let is_exact = |estimate: Estimate| estimate.low == runs && estimate.high == runs;
    assert!(division.estimate().is_none_or(is_exact), "{:?} of {runs}", division.estimate());
    sum
}
