//! Petri nets.

use std::path::Path;

use mazurka_petri::{Goal, Net, NetProgram};

use super::{Checked, FrontEnd, Source};
use crate::Complaint;

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    reads: "Petri nets (.pnml)",
    takes_file: |file: &Path| file.extension().is_some_and(|extension| extension == "pnml"),
    takes: &["marking"],
    open,
};

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    let [file] = source.files else { return Err("a net is one file".to_owned()) };
    let at = |message: &dyn std::fmt::Display| format!("`{}`: {message}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| at(&error))?;
    let net = Net::from_pnml(&text).map_err(|error| at(&error))?;
    let goal = source.options.marking.as_ref().map(|marking| Goal::parse(marking, &net));
    let program = NetProgram::new(net).named(source.name());
    Ok(match goal {
        Some(goal) => {
            Box::new(program.with_goal(goal.map_err(|error| format!("--marking: {error}"))?))
        }
        None => Box::new(program),
    })
}
