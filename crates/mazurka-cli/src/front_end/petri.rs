//! Petri nets.

use std::path::Path;

use mazurka_petri::{Goal, Net, NetProgram};

use super::{Checked, FrontEnd, Shipped, Source};
use crate::Complaint;

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    reads: "Petri nets (.pnml)",
    takes_file: |file: &Path| file.extension().is_some_and(|extension| extension == "pnml"),
    takes: &["marking"],
    open,
    ship,
};

fn ship(source: &Source<'_>) -> Result<Shipped, Complaint> {
    let [file] = source.files else {
        return Err("a Petri net is one file: check one net at a time".to_owned());
    };
    let bytes = std::fs::read(file)
        .map_err(|error| format!("{}: the file cannot be read: {error}", file.display()))?;
    let name = "net.pnml".to_owned();
    Ok(Shipped { opens: vec![name.clone()], files: vec![(name, bytes)] })
}

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    let [file] = source.files else {
        return Err("a Petri net is one file: check one net at a time".to_owned());
    };
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{}: the file cannot be read: {error}", file.display()))?;
    let net = Net::from_pnml(&text).map_err(|error| match error.line {
        0 => format!("{}: {}", file.display(), error.message),
        line => format!("{}:{line}: {}", file.display(), error.message),
    })?;
    let goal = source.options.marking.as_ref().map(|marking| Goal::parse(marking, &net));
    let program = NetProgram::new(net).named(source.name());
    Ok(match goal {
        Some(goal) => {
            Box::new(program.with_goal(goal.map_err(|error| format!("--marking: {error}"))?))
        }
        None => Box::new(program),
    })
}
