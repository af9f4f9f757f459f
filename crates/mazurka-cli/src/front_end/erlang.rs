//! Erlang: sources and compiled modules.

use std::path::Path;

use mazurka_erlang::{Call, Delivery, ErlangProgram};

use super::{Checked, FrontEnd, Source};
use crate::{Complaint, args};

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    reads: "Erlang and Elixir (.erl, .beam, .ex, .exs)",
    takes_file: |file: &Path| {
        let extension = file.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| ["erl", "beam", "ex", "exs"].contains(&extension))
    },
    takes: &[
        "app",
        "call",
        "code_path",
        "delivery",
        "eunit",
        "exunit",
        "ignore",
        "never_after",
        "treat_as_normal",
    ],
    open,
    ship: |_| {
        let reason = "Erlang and Elixir programs cannot be checked on a cluster: workers would need \
                      the same modules of Erlang/OTP. Leave out --cluster and use --workers";
        Err(reason.to_owned())
    },
};

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    let options = source.options;
    let (files, directories) = (source.files, &options.code_path);
    let program = match (&options.call, &options.eunit, &options.exunit) {
        (Some(call), _, _) => {
            let call: Call = call.parse().map_err(|error| format!("--call: {error}"))?;
            ErlangProgram::new(files, directories, call)
        }
        (_, Some(test), _) => {
            let (module, test) = test
                .split_once(':')
                .ok_or("--eunit: write a test like `module:name_test`".to_owned())?;
            ErlangProgram::eunit(files, directories, module, test)
        }
        (_, _, Some(test)) => {
            let (module, test) = test
                .split_once(':')
                .ok_or("--exunit: write a test like `CounterTest:counts up`".to_owned())?;
            ErlangProgram::exunit(files, directories, module.trim(), test.trim())
        }
        (None, None, None) => {
            let missing = "an Erlang program needs the call that starts it: add, for example, \
                           --call 'lock:test(4)' for the function test/1 of the module lock";
            return Err(missing.into());
        }
    };
    let program = program.map_err(|error| error.to_string())?;
    let mut program = program.named(source.name()).ignore_deadlocks(options.ignore.is_some());
    for reason in &options.treat_as_normal {
        program = program.treat_as_normal(reason);
    }
    program = program.delivery(match options.delivery {
        args::Delivery::Instant => Delivery::Instant,
        args::Delivery::Pairwise => Delivery::Pairwise,
    });
    for application in &options.app {
        program = program.starting(application);
    }
    if let Some(milliseconds) = options.never_after {
        program = program.never_after(milliseconds);
    }
    Ok(Box::new(program))
}
