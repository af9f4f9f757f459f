//! Erlang: sources and compiled modules.

use std::path::Path;

use mazurka_erlang::{Call, ErlangProgram};

use super::{Checked, FrontEnd, Source};
use crate::Complaint;

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    reads: "Erlang (.erl, .beam)",
    takes_file: |file: &Path| {
        file.extension().is_some_and(|extension| extension == "erl" || extension == "beam")
    },
    takes: &["call", "code_path", "ignore", "treat_as_normal", "never_after"],
    open,
};

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    let options = source.options;
    let Some(call) = &options.call else {
        let missing = "an Erlang program needs the call that starts it: add, for example, \
                       --call 'lock:test(4)' for the function test/1 of the module lock";
        return Err(missing.into());
    };
    let call: Call = call.parse().map_err(|error| format!("--call: {error}"))?;
    let program = ErlangProgram::new(source.files, &options.code_path, call)
        .map_err(|error| error.to_string())?;
    let mut program = program.named(source.name()).ignore_deadlocks(options.ignore.is_some());
    for reason in &options.treat_as_normal {
        program = program.treat_as_normal(reason);
    }
    if let Some(milliseconds) = options.never_after {
        program = program.never_after(milliseconds);
    }
    Ok(Box::new(program))
}
