//! Recordings: one execution in the user's words, for the report.

use mazurka_core::model::{Ending, Machine, Performed, ProcessId};
use mazurka_core::verdict::{Schedule, Violation};

use super::process::Site;
use super::{Runtime, RustProgram};

/// Something that a process did.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "for the report")]
pub(crate) struct Line {
    /// Who.
    pub(crate) process: ProcessId,
    /// Where in the source.
    pub(crate) source: Site,
    /// What, such as `counter.load() → 1`.
    pub(crate) text: String,
    /// Whether it was a step, rather than part of one (a spawn, a join, an end).
    pub(crate) visible: bool,
    /// In which step, counted from 0; what happens before the first one counts as part of it.
    pub(crate) step: usize,
}

/// One execution in the user's words.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "for the report")]
pub(crate) struct Recording {
    /// What happened, in order.
    pub(crate) lines: Vec<Line>,
    /// What the processes are called, by process id.
    pub(crate) names: Vec<String>,
    /// What went wrong, if it did on the way or at the end. Data races are not looked for.
    pub(crate) violation: Option<Violation>,
}

#[derive(Default)]
pub(super) struct Recorder {
    lines: Vec<Line>,
    names: Vec<String>,
    steps: usize,
}

impl Runtime {
    #[cold]
    pub(super) fn record(&mut self, source: Site, text: String, visible: bool) {
        let process = self.current();
        let name = self.process_name(process);
        if let Some(recorder) = &mut self.recorder {
            while recorder.names.len() <= process.index() {
                let next = ProcessId::new(recorder.names.len());
                recorder.names.push(format!("'thread {next}'"));
            }
            recorder.names[process.index()] = name;
            let step = recorder.steps.saturating_sub(1);
            recorder.lines.push(Line { process, source, text, visible, step });
        }
    }

    /// A step begins.
    pub(super) fn record_step(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.steps += 1;
        }
    }

    pub(super) fn take_recording(&mut self, violation: Option<Violation>) -> Recording {
        let recorder = self.recorder.take().map(|recorder| *recorder).unwrap_or_default();
        Recording { lines: recorder.lines, names: recorder.names, violation }
    }
}

/// Runs one execution of `program` and writes down what happens.
pub(crate) fn replay_recorded<F: Fn() + Send + Sync>(
    program: &RustProgram<F>,
    schedule: &Schedule,
) -> Recording {
    let (mut machine, started) = program.start_recording();
    let mut violation = started.err();
    let mut performed = Performed::default();
    for step in schedule.steps() {
        if violation.is_some() {
            break;
        }
        performed.clear();
        violation = machine.step(*step, &mut performed).err();
    }
    let at_end = (0..machine.processes()).all(|p| !machine.is_enabled(ProcessId::new(p)));
    if violation.is_none() && at_end {
        if let Ending::Stuck(stuck) = machine.ending() {
            violation = Some(stuck);
        }
    }
    let violation = violation.map(|mut violation| {
        violation.schedule = schedule.steps().iter().copied().take(machine.len()).collect();
        *violation
    });
    machine.take_recording(violation)
}
