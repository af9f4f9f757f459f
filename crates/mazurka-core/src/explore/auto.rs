//! `auto`: which memory model a program needs.
//!
//! If all atomic accesses of a program are `SeqCst` and its plain accesses do not race, then it has the
//! same behaviours under RC11 as under sequential consistency (the DRF-SC theorem). Fences change nothing
//! in such a program. So a check begins with an explorer of schedules, which runs fewer executions. The
//! first access that is weaker ends that search, and `graphs` explores the program under RC11.
//!
//! An execution that was run before is sequentially consistent, and RC11 allows it. A violation in it is
//! therefore a violation of the program.

use std::time::Instant;

use crate::algorithm::Algorithm;
use crate::memory::MemoryModel;
use crate::model::{Lesson, Program, ViolationKind};
use crate::search::Options;
use crate::verdict::{Restart, Treated, Verdict, WeakAccess};

/// Runs a check once, or again under RC11 if it meets a weak access and may switch. `run` gets the
/// restart before each further run.
pub(super) fn check<P: Program>(
    program: &P,
    options: &Options<'_>,
    mut run: impl FnMut(&Options<'_>, Option<&Restart>) -> Verdict,
) -> Verdict {
    if options.memory_model != MemoryModel::Auto {
        return run(options, None);
    }
    let started = Instant::now();
    // What bounds preemptions explores schedules.
    let may_switch = options.may_switch && options.preemption_bound.is_none();
    let mut first = run(&Options { may_switch, ..options.clone() }, None);
    if !may_switch {
        return treat_as_seq_cst(first);
    }
    let Some(weak) = first.weak_access.take() else { return first };
    let Verdict { executions, blocked, mut restarts, .. } = first;
    let elapsed = started.elapsed();
    let restart = Restart { lesson: Lesson::WeakOrderings, executions, blocked, elapsed };
    restarts.push(restart);
    let rest =
        |options: &Options<'_>| options.time_limit.map(|t| t.saturating_sub(started.elapsed()));
    let reason = match program.set_memory_orderings(true) {
        false => "the front end has no memory models".to_owned(),
        true => {
            let options = Options {
                algorithm: Algorithm::Graphs,
                memory_model: MemoryModel::Rc11,
                time_limit: rest(options),
                ..options.clone()
            };
            let second = run(&options, Some(&restart));
            let mut violations = second.violations.iter();
            match violations.find(|violation| violation.kind == ViolationKind::Unsupported) {
                None => return ended(second, restarts, *weak, Treated::AsWritten, started),
                Some(refusal) => refusal.message.clone(),
            }
        }
    };
    program.set_memory_orderings(false);
    let options = Options { may_switch: false, time_limit: rest(options), ..options.clone() };
    let third = run(&options, Some(&restart));
    ended(third, restarts, *weak, Treated::Unsupported(reason), started)
}

/// Returns the verdict of a check that treats all accesses as `SeqCst`, and says so if some are weaker.
pub(super) fn treat_as_seq_cst(verdict: Verdict) -> Verdict {
    let treated = Treated::AsSeqCst;
    let weak_access = verdict.weak_access.map(|weak| Box::new(WeakAccess { treated, ..*weak }));
    Verdict { weak_access, ..verdict }
}

/// Returns the verdict of the last run, with what came before.
fn ended(
    last: Verdict,
    mut restarts: Vec<Restart>,
    weak: WeakAccess,
    treated: Treated,
    started: Instant,
) -> Verdict {
    restarts.extend_from_slice(&last.restarts);
    let weak_access = Some(Box::new(WeakAccess { treated, ..weak }));
    Verdict { restarts, weak_access, elapsed: started.elapsed(), ..last }
}
