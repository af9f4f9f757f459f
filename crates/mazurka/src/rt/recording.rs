//! Recordings: one execution in the user's words, for the report.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::Location as SourceLocation;

use mazurka_core::model::{Ending, Machine, ObjectId, Op, Performed, ProcessId};
use mazurka_core::verdict::Schedule;
use mazurka_report::{Line, LineKind, Misfit, Place, Recording};

use super::process::{Site, State};
use super::{Runtime, RustProgram};
use crate::report::variable_at;

/// A place that tells people something: none in the standard library, which is where guards
/// that go out of scope are dropped.
pub(super) fn place_of(at: &SourceLocation<'_>) -> Option<Place> {
    let file = at.file();
    let is_std = file.starts_with("/rustc/") || file.contains("/rustlib/src/rust/library/");
    (!is_std).then(|| exact_place_of(at))
}

/// A place wherever it is.
pub(super) fn exact_place_of(at: &SourceLocation<'_>) -> Place {
    Place { file: at.file().to_owned(), line: at.line(), column: at.column() }
}

#[derive(Default)]
pub(super) struct Recorder {
    lines: Vec<Line>,
    names: Vec<String>,
    steps: usize,
    variables: RefCell<Variables>,
}

/// What objects are called.
#[derive(Default)]
struct Variables {
    /// What the source says, by the place where an object is created.
    in_source: HashMap<(&'static str, u32, u32), Option<String>>,
    /// The objects that have a name in common, in the order of their appearance.
    namesakes: HashMap<String, Vec<ObjectId>>,
}

impl Recorder {
    /// The name of the variable or field that an object created here is assigned to.
    pub(super) fn variable(&self, site: Site) -> Option<String> {
        let mut variables = self.variables.borrow_mut();
        let key = (site.file(), site.line(), site.column());
        variables.in_source.entry(key).or_insert_with(|| variable_at(site)).clone()
    }

    /// `name` if this is the first object that has it, and `name#2` and so on for the others.
    pub(super) fn among_namesakes(&self, name: String, object: ObjectId) -> String {
        let mut variables = self.variables.borrow_mut();
        let namesakes = variables.namesakes.entry(name.clone()).or_default();
        let position = namesakes.iter().position(|other| *other == object);
        match position.unwrap_or_else(|| {
            namesakes.push(object);
            namesakes.len() - 1
        }) {
            0 => name,
            rank => format!("{name}#{}", rank + 1),
        }
    }
}

impl Runtime {
    #[cold]
    pub(super) fn record(&mut self, place: Option<Place>, text: String, kind: LineKind) {
        let process = self.current();
        self.record_of(process, place, text, kind);
    }

    fn record_of(
        &mut self,
        process: ProcessId,
        place: Option<Place>,
        text: String,
        kind: LineKind,
    ) {
        // A thread is named by who creates it, as it may have nothing to say itself.
        let named = if let LineKind::Spawn(child) = kind { child } else { process };
        let name = self.process_name(named);
        let is_operation = kind == LineKind::Operation;
        let acted_on = self.performed().and_then(|performed| performed.actions.last().copied());
        let acted_on = acted_on.filter(|action| is_operation && action.op != Op::Fence);
        let object = acted_on.map(|action| self.describe_object(action.on.object));
        if let Some(recorder) = &mut self.recorder {
            while recorder.names.len() <= named.index() {
                recorder.names.push(match recorder.names.len() {
                    0 => "'main'".to_owned(),
                    next => format!("'thread {next}'"),
                });
            }
            recorder.names[named.index()] = name;
            let step = recorder.steps.saturating_sub(1);
            recorder.lines.push(Line { process, place, text, kind, step, object });
        }
    }

    /// A step begins.
    pub(super) fn record_step(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.steps += 1;
        }
    }

    /// Writes down what those who cannot go on would do.
    fn record_stuck(&mut self) {
        for process in self.stuck() {
            let slot = &self.processes[process];
            let (text, site) = match slot.state {
                State::Waiting(waiting) => {
                    let whom = waiting.process.map(|process| self.process_name(process));
                    let what = waiting.object.map(|object| self.object_name(object));
                    let on = whom.or(what).unwrap_or_default();
                    (format!("waits for {} {on}", waiting.what), waiting.site)
                }
                _ => (self.stuck_at(process), slot.pending.site),
            };
            let place = place_of(site);
            self.record_of(ProcessId::new(process), place, text, LineKind::Stuck);
        }
    }

    /// What a process that is at an operation does not get done.
    fn stuck_at(&self, process: usize) -> String {
        let verb = if self.is_at_possible_operation(process) { "spins at" } else { "waits at" };
        let pending = &self.processes[process].pending;
        let name = pending.name;
        let action = pending.action().filter(|action| action.op != Op::Fence);
        match action.map(|action| action.on.object) {
            Some(object) if self.is_atomic(object) => {
                format!("{verb} {}.{name}()", self.object_name(object))
            }
            Some(object) => format!("{verb} {name}({})", self.object_name(object)),
            None => format!("{verb} {name}()"),
        }
    }

    fn take_recording(&mut self) -> Recording {
        let recorder = self.recorder.take().map(|recorder| *recorder).unwrap_or_default();
        Recording { lines: recorder.lines, names: recorder.names, ..Recording::default() }
    }
}

/// Runs one execution of `program` and writes down what happens.
pub(crate) fn replay_recorded(program: &RustProgram<'_>, schedule: &Schedule) -> Recording {
    let (mut machine, started) = program.start_recording();
    let mut violation = started.err();
    let mut misfit = None;
    let mut performed = Performed::default();
    for (index, step) in schedule.steps().iter().enumerate() {
        if violation.is_some() {
            break;
        }
        let view = schedule.view(index);
        if !machine.could_take(*step, view) {
            let instead = machine.runtime().obstacle(*step);
            misfit = Some(Misfit { step: index, instead });
            break;
        }
        performed.clear();
        violation = match machine.has_memory_orderings() {
            true => machine.step_seeing(*step, view, &mut performed).err(),
            false => machine.step(*step, &mut performed).err(),
        };
    }
    let at_end = (0..machine.processes()).all(|p| !machine.is_enabled(ProcessId::new(p)));
    if violation.is_none()
        && at_end
        && misfit.is_none()
        && let Ending::Stuck(stuck) = machine.ending()
    {
        machine.runtime_mut().record_stuck();
        violation = Some(stuck);
    }
    let violation = violation.map(|mut violation| {
        violation.schedule = schedule.first(machine.len());
        *violation
    });
    Recording { violation, misfit, ..machine.runtime_mut().take_recording() }
}
