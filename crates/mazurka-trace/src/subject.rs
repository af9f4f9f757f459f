//! Executions of a recording, described by its lines.

use mazurka_core::model::{Machine, Performed, ProcessId};
use mazurka_core::verdict::Schedule;
use mazurka_report::{Line, LineKind, Misfit, Place, Recording, Subject, Words};

use crate::machine::TraceMachine;
use crate::operation::{self, Operation};
use crate::program::TraceProgram;
use crate::stuck;

impl Subject for TraceProgram {
    fn name(&self) -> String {
        self.path().display().to_string()
    }

    fn record(&self, schedule: &Schedule) -> Recording {
        let mut machine = TraceMachine::new(self);
        let mut recording = Recording {
            names: self.threads.iter().map(|thread| format!("'thread {thread}'")).collect(),
            words: Words { process: "thread" },
            ..Recording::default()
        };
        let mut performed = Performed::default();
        for (index, step) in schedule.steps().iter().enumerate() {
            let process = step.process;
            let is_possible = process.index() < machine.processes()
                && machine.is_enabled(process)
                && step.choice == 0;
            if !is_possible {
                let instead = match process.index() < machine.processes() {
                    true => stuck::why_not(&machine, process.index()),
                    false => format!("there is no process {process}"),
                };
                recording.misfit = Some(Misfit { step: index, instead });
                return recording;
            }
            if let Some(line) = machine.next_line(process) {
                recording.lines.push(self.tell(process, line, index));
            }
            performed.clear();
            if let Err(violation) = machine.step(*step, &mut performed) {
                recording.violation = Some(*violation);
                return recording;
            }
        }
        let mut processes = (0..machine.processes()).map(ProcessId::new);
        if !processes.any(|process| machine.is_enabled(process)) {
            self.tell_end(&machine, schedule, &mut recording);
        }
        recording
    }
}

impl TraceProgram {
    fn place(&self, line: &operation::Line) -> Option<Place> {
        let file = self.path().display().to_string();
        Some(Place { file, line: line.number as u32, column: 0 })
    }

    /// Describes a line of the recording that was run.
    fn tell(&self, process: ProcessId, line: &operation::Line, step: usize) -> Line {
        let object = match &line.operation {
            Operation::Lock { lock } | Operation::Unlock { lock } => {
                Some(format!("lock {lock:#x}"))
            }
            Operation::Access(_, place) => Some(place.to_string()),
            Operation::Post { to, .. } => Some(format!("the queue of thread {to}")),
            _ => None,
        };
        Line {
            process,
            place: self.place(line),
            text: line.text.clone(),
            kind: LineKind::Operation,
            step,
            object,
        }
    }

    /// Records the deadlock at the end of an execution, and the threads that wait.
    fn tell_end(&self, machine: &TraceMachine, schedule: &Schedule, recording: &mut Recording) {
        let mazurka_core::model::Ending::Stuck(mut violation) = machine.ending() else { return };
        violation.schedule = schedule.clone();
        recording.violation = Some(*violation);
        let step = schedule.steps().len();
        for process in stuck::waiting(machine) {
            let line = machine.next_line(ProcessId::new(process));
            recording.lines.push(Line {
                process: ProcessId::new(process),
                place: line.and_then(|line| self.place(line)),
                text: line.map_or_else(String::new, |line| line.text.clone()),
                kind: LineKind::Stuck,
                step,
                object: None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_core::search::{Algorithm, Options};
    use mazurka_report::{ProgressLine, Run};

    use super::*;

    const CROSSED: &str = "
1 THREADINIT tid:1
2 FORK par-tid:1 child-tid:2
3 LOCK tid:1 lock-obj:0xa
4 LOCK tid:1 lock-obj:0xb
5 UNLOCK tid:1 lock-obj:0xb
6 UNLOCK tid:1 lock-obj:0xa
7 THREADINIT tid:2
8 LOCK tid:2 lock-obj:0xb
9 LOCK tid:2 lock-obj:0xa
10 UNLOCK tid:2 lock-obj:0xa
11 UNLOCK tid:2 lock-obj:0xb
";

    #[test]
    fn a_deadlock_is_told_line_by_line() {
        let program = TraceProgram::parse("crossed.txt", CROSSED, None).unwrap();
        let options = Options { algorithm: Algorithm::EventDriven, ..Options::default() };
        let run = Run::check(&program, &options, &mut ProgressLine::new("crossed.txt"));
        let violation = &run.verdict.violations[0];
        assert!(
            violation.message.starts_with("the threads 1, 2 wait for each other"),
            "{violation}"
        );
        let recording = program.record(&violation.schedule);
        assert!(recording.misfit.is_none());
        assert!(recording.lines.iter().any(|line| line.text == "LOCK tid:2 lock-obj:0xb"));
        let stuck = recording.lines.iter().filter(|line| line.kind == LineKind::Stuck);
        assert_eq!(stuck.count(), 2);
        assert_eq!(recording.names, ["'thread 1'", "'thread 2'"]);
    }

    #[test]
    fn a_schedule_that_does_not_fit_is_told() {
        let program = TraceProgram::parse("crossed.txt", CROSSED, None).unwrap();
        let recording = program.record(&"1".parse().unwrap());
        let misfit = recording.misfit.unwrap();
        assert!(misfit.instead.contains("thread 2 was not forked"), "{}", misfit.instead);
    }
}
