//! `auto`: which memory model a program needs.
//!
//! If all atomic accesses of a program are `SeqCst` and its plain accesses do not race, then it has the
//! same behaviours under RC11 as under sequential consistency (the DRF-SC theorem). Fences change nothing
//! in such a program. So a check begins with an explorer of schedules, which runs fewer executions. The
//! first access that is weaker ends that search, and `graphs` explores the program under RC11.
//!
//! An execution that was run before is sequentially consistent, and RC11 allows it. A violation in it is
//! therefore a violation of the program.
//!
//! `graphs` refuses some programs, and may find that out late. What it has found before is reported, although
//! the rest of the program is explored with all accesses as `SeqCst`.

use std::time::Duration;

use super::graphs::ADVICE;
use crate::algorithm::Algorithm;
use crate::memory::MemoryModel;
use crate::model::{Lesson, Program, Violation, ViolationKind};
use crate::search::Options;
use crate::verdict::{Restart, Treated, Verdict, WeakAccess};
use crate::wire::wire_struct;

/// The state of a check that has met a weak access, apart from the search that it runs since then.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// The restarts of the check. The last one is due to the weak access.
    restarts: Vec<Restart>,
    /// The place of the access in the source, if it is known.
    place: Option<String>,
    /// Why `graphs` cannot explore the program, once that is known.
    refusal: Option<String>,
    /// What `graphs` has found before it knew that.
    found: Vec<Violation>,
    /// The duration of the check before the current search.
    pub(super) elapsed: Duration,
}

wire_struct!(Switch {
    restarts: restarts,
    place: place,
    refusal: refusal,
    found: found,
    elapsed: elapsed,
});

impl Switch {
    /// Returns the switch of a check whose first search has met a weak access.
    fn of(first: Verdict, weak: WeakAccess) -> Self {
        let Verdict { executions, blocked, elapsed, mut restarts, .. } = first;
        restarts.push(Restart { lesson: Lesson::WeakOrderings, executions, blocked, elapsed });
        Switch { restarts, place: weak.place, refusal: None, found: Vec::new(), elapsed }
    }

    /// Returns whether this can be the state of a check. A damaged checkpoint may have another one.
    pub(super) fn is_valid(&self) -> bool {
        !self.restarts.is_empty()
    }

    /// Returns the restart that is due to the weak access.
    pub(super) fn restart(&self) -> &Restart {
        self.restarts.last().expect("a check that switches starts over")
    }

    /// Returns the options for the rest of the check.
    fn rest_of<'a>(&self, options: &Options<'a>) -> Options<'a> {
        let time_limit = options.time_limit.map(|limit| limit.saturating_sub(self.elapsed));
        Options { time_limit, ..options.clone() }
    }

    /// Returns whether `graphs` has refused the program in this search. Then the switch keeps the rest of what
    /// the search has found.
    fn is_refused(&mut self, search: &mut Verdict) -> bool {
        let is_refusal = |violation: &mut Violation| violation.kind == ViolationKind::Unsupported;
        let Some(refusal) = search.violations.extract_if(.., is_refusal).next() else {
            return false;
        };
        let reason = refusal.message.strip_suffix(ADVICE);
        self.refusal = Some(reason.unwrap_or(&refusal.message).to_owned());
        self.found = std::mem::take(&mut search.violations);
        true
    }

    /// Returns the verdict of the last search, with what came before.
    fn ended(mut self, mut last: Verdict) -> Verdict {
        self.restarts.extend_from_slice(&last.restarts);
        let is_new = |violation: &Violation| {
            let is_same =
                |it: &Violation| it.kind == violation.kind && it.message == violation.message;
            // All data races have the same message.
            violation.kind == ViolationKind::DataRace || !self.found.iter().any(is_same)
        };
        last.violations.retain(is_new);
        last.violations.splice(..0, self.found);
        let treated = self.refusal.map_or(Treated::AsWritten, Treated::Unsupported);
        let weak_access = Some(Box::new(WeakAccess { place: self.place, treated }));
        let elapsed = self.elapsed + last.elapsed;
        Verdict { restarts: self.restarts, weak_access, elapsed, ..last }
    }
}

/// Runs a check once, or again under RC11 if it meets a weak access and may switch. Continues a check that
/// has switched before. `run` gets the state of a check that has switched.
pub(super) fn check<P: Program>(
    program: &P,
    options: &Options<'_>,
    from: Option<Switch>,
    mut run: impl FnMut(&Options<'_>, Option<&Switch>) -> Verdict,
) -> Verdict {
    if options.memory_model != MemoryModel::Auto {
        return run(options, None);
    }
    // What bounds preemptions explores schedules.
    let may_switch = options.may_switch && options.preemption_bound.is_none();
    let mut switch = match from {
        Some(switch) => switch,
        None => {
            let mut first = run(&Options { may_switch, ..options.clone() }, None);
            if !may_switch {
                return treat_as_seq_cst(first);
            }
            let Some(weak) = first.weak_access.take() else { return first };
            Switch::of(first, *weak)
        }
    };
    if switch.refusal.is_none() && program.set_memory_orderings(true) {
        let (algorithm, memory_model) = (Algorithm::Graphs, MemoryModel::Rc11);
        let graphs = Options { algorithm, memory_model, ..switch.rest_of(options) };
        let mut second = run(&graphs, Some(&switch));
        if !switch.is_refused(&mut second) {
            return switch.ended(second);
        }
        switch.elapsed += second.elapsed;
    }
    switch.refusal.get_or_insert_with(|| "the front end has no memory models".to_owned());
    program.set_memory_orderings(false);
    let third = run(&Options { may_switch: false, ..switch.rest_of(options) }, Some(&switch));
    switch.ended(third)
}

/// Returns the verdict of a check that treats all accesses as `SeqCst`, and says so if some are weaker.
fn treat_as_seq_cst(verdict: Verdict) -> Verdict {
    let treated = Treated::AsSeqCst;
    let weak_access = verdict.weak_access.map(|weak| Box::new(WeakAccess { treated, ..*weak }));
    Verdict { weak_access, ..verdict }
}
