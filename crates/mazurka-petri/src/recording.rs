//! Recordings of the executions of nets.

use mazurka_core::model::{Ending, Machine, Performed, Program};
use mazurka_core::verdict::Schedule;
use mazurka_report::{Line, LineKind, Misfit, Recording, Subject, Words};

use crate::{Net, NetProgram};

impl Subject for NetProgram {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn record(&self, schedule: &Schedule) -> Recording {
        let transitions = self.net.transitions().iter().map(|transition| transition.name.clone());
        let mut recording = Recording {
            names: transitions.chain(self.goal.is_some().then(|| "marking".to_owned())).collect(),
            words: Words { process: "transition" },
            ..Recording::default()
        };
        let Ok(mut machine) = self.start() else { return recording };
        let mut performed = Performed::default();
        for (index, step) in schedule.steps().iter().enumerate() {
            let process = step.process;
            let exists = process.index() < machine.processes();
            if !exists || !machine.is_enabled(process) {
                let name = recording.names.get(process.index());
                let name = name.map_or("the net has no such transition", String::as_str);
                let instead = match exists {
                    true => format!("{name} cannot fire"),
                    false => name.to_owned(),
                };
                recording.misfit = Some(Misfit { step: index, instead });
                return recording;
            }
            performed.clear();
            let result = machine.step(*step, &mut performed);
            let text = match self.net.transitions().get(process.index()) {
                Some(_) => describe(&self.net, process.index()),
                None => "is reached".to_owned(),
            };
            recording.lines.push(Line {
                process,
                place: None,
                text,
                kind: LineKind::Operation,
                step: index,
                object: None,
            });
            if let Err(mut violation) = result {
                violation.schedule = schedule.steps()[..=index].iter().copied().collect();
                recording.violation = Some(*violation);
                return recording;
            }
        }
        let is_enabled = |p| machine.is_enabled(mazurka_core::model::ProcessId::new(p));
        if !(0..machine.processes()).any(is_enabled)
            && let Ending::Stuck(mut violation) = machine.ending()
        {
            violation.schedule = schedule.clone();
            recording.violation = Some(*violation);
        }
        recording
    }
}

/// Describes the effect of a transition.
fn describe(net: &Net, transition: usize) -> String {
    let transition = &net.transitions()[transition];
    let names = |places: &[usize]| {
        let names: Vec<_> = places.iter().map(|p| net.places()[*p].name.as_str()).collect();
        names.join(", ")
    };
    let mut parts = Vec::new();
    for (places, word) in
        [(&transition.takes, "takes"), (&transition.reads, "reads"), (&transition.puts, "puts")]
    {
        if !places.is_empty() {
            parts.push(format!("{word} {}", names(places)));
        }
    }
    match parts.is_empty() {
        true => "fires".to_owned(),
        false => parts.join("; "),
    }
}
