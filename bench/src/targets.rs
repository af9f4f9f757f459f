//! What Mazurka has to reach on every program, and whether it does.

use std::fmt;

use mazurka_report::thousands;

use crate::programs::Case;
use crate::style::duration;
use crate::tools::{Outcome, Row, Run, Tool};

/// How much faster than shuttle's depth-first search Mazurka's executions have to be.
const RATE_FACTOR: f64 = 2.0;

/// What there is to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// One execution per Mazurkiewicz trace.
    Count,
    /// Executions per second, at least twice shuttle's.
    Rate,
    /// Time to exhaust, never above loom's or shuttle's.
    Time,
}

impl Target {
    /// All of them.
    pub(crate) const ALL: [Target; 3] = [Target::Count, Target::Rate, Target::Time];

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Target::Count => "count",
            Target::Rate => "rate",
            Target::Time => "time",
        }
    }

    /// What it asks for, in a line.
    pub(crate) const fn summary(self) -> &'static str {
        match self {
            Target::Count => "as many executions as the program has traces",
            Target::Rate => "executions per second at least twice shuttle's",
            Target::Time => "time to exhaust never above loom's or shuttle's",
        }
    }
}

/// Whether a target was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Met {
    Yes,
    No,
    /// There is nothing to compare.
    Open,
}

impl Met {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Met::Yes => "reached",
            Met::No => "MISSED",
            Met::Open => "open",
        }
    }
}

/// A target on one program.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    pub(crate) case: Case,
    pub(crate) target: Target,
    pub(crate) met: Met,
    pub(crate) why: String,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("{} {}", self.case.program.name(), self.case.n);
        write!(f, "{:5}  {name:18}  {:7}  {}", self.target.name(), self.met.name(), self.why)
    }
}

/// Judges every target on every program in `rows` that Mazurka was asked to run.
pub(crate) fn judge(rows: &[Row]) -> Vec<Judgement> {
    let mut judgements = Vec::new();
    for target in Target::ALL {
        for row in rows.iter().filter(|row| row.tool == Tool::Mazurka) {
            let (met, why) = match &row.outcome {
                Outcome::Ran(run) => {
                    let rivals = rows.iter().filter(|r| r.case == row.case).filter_map(rival);
                    let rivals: Vec<_> = rivals.collect();
                    match target {
                        Target::Count => count(row.case, run),
                        Target::Rate => rate(run, &rivals),
                        Target::Time => time(run, &rivals),
                    }
                }
                Outcome::Skipped(why) => (Met::Open, (*why).to_owned()),
                Outcome::Failed(why) => (Met::No, why.clone()),
            };
            judgements.push(Judgement { case: row.case, target, met, why });
        }
    }
    judgements
}

fn rival(row: &Row) -> Option<(Tool, Run)> {
    match row.outcome {
        Outcome::Ran(run) if row.tool != Tool::Mazurka => Some((row.tool, run)),
        _ => None,
    }
}

fn count(case: Case, run: &Run) -> (Met, String) {
    let traces = case.program.traces(case.n);
    let (ran, wanted) = (thousands(run.executions), thousands(traces));
    if !run.exhausted && run.executions < traces {
        return (Met::Open, format!("it ran {ran} of {wanted} before the time was up"));
    }
    let met = if run.exhausted && run.executions == traces { Met::Yes } else { Met::No };
    (met, format!("{ran} executions, {wanted} traces"))
}

fn rate(run: &Run, rivals: &[(Tool, Run)]) -> (Met, String) {
    let Some((_, shuttle)) = rivals.iter().find(|(tool, _)| *tool == Tool::Shuttle) else {
        return (Met::Open, "shuttle did not run it".to_owned());
    };
    let factor = run.rate() / shuttle.rate();
    let why = format!(
        "{factor:.1} times shuttle's ({}/s against {}/s)",
        thousands(run.rate() as u64),
        thousands(shuttle.rate() as u64)
    );
    (if factor >= RATE_FACTOR { Met::Yes } else { Met::No }, why)
}

fn time(run: &Run, rivals: &[(Tool, Run)]) -> (Met, String) {
    if rivals.is_empty() {
        return (Met::Open, "nobody else ran it".to_owned());
    }
    let mut met = if run.exhausted { Met::Yes } else { Met::Open };
    let mut why = if run.exhausted {
        duration(run.elapsed)
    } else {
        format!("not exhausted in {}", duration(run.elapsed))
    };
    for (tool, rival) in rivals {
        if rival.exhausted && (!run.exhausted || rival.elapsed < run.elapsed) {
            met = Met::No;
        }
        let above = if rival.exhausted { "" } else { "more than " };
        why.push_str(&format!("; {} {above}{}", tool.name(), duration(rival.elapsed)));
    }
    (met, why)
}
