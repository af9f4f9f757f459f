//! Erlang: sources and compiled modules.

use std::path::{Path, PathBuf};

use mazurka_erlang::{Delivery, ErlangProgram, Start};

use super::{Checked, FrontEnd, Shipped, Source};
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
    ship,
};

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    Ok(Box::new(read(source)?))
}

/// Copies the modules that the program can name. Other machines need no Erlang.
fn ship(source: &Source<'_>) -> Result<Shipped, Complaint> {
    let (files, given) = read(source)?.copies().map_err(|error| error.to_string())?;
    let opens = files[..given].iter().map(|(name, _)| name.clone()).collect();
    Ok(Shipped { opens, files })
}

/// Returns how the program starts.
fn start(source: &Source<'_>) -> Result<Start, Complaint> {
    let options = source.options;
    let names = |test: &str, or: &str| {
        let names = test.split_once(':').ok_or(or.to_owned());
        names.map(|(module, test)| (module.trim().to_owned(), test.trim().to_owned()))
    };
    match (&options.call, &options.eunit, &options.exunit) {
        (Some(call), _, _) => {
            Ok(Start::Call(call.parse().map_err(|error| format!("--call: {error}"))?))
        }
        (_, Some(test), _) => {
            let (module, test) = names(test, "--eunit: write a test like `module:name_test`")?;
            Ok(Start::Eunit { module, test })
        }
        (_, _, Some(test)) => {
            let (module, test) =
                names(test, "--exunit: write a test like `CounterTest:counts up`")?;
            Ok(Start::Exunit { module, test })
        }
        (None, None, None) => {
            let of_erlang = |file: &&PathBuf| file.extension().is_some_and(|end| end == "erl");
            let file = source.files.iter().find(of_erlang);
            let module = file.and_then(|file| file.file_stem()?.to_str()).unwrap_or("lock");
            let missing = format!(
                "an Erlang program needs the call that starts it: add, for example, \
                 --call '{module}:test(4)' for the function test/1 of the module {module}"
            );
            Err(missing)
        }
    }
}

fn read(source: &Source<'_>) -> Result<ErlangProgram, Complaint> {
    let options = source.options;
    let (files, directories) = (source.files, &options.code_path);
    let start = start(source)?;
    let program = match source.title {
        Some(_) => ErlangProgram::of_copies(files, start),
        None => ErlangProgram::find(files, directories, start),
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
    Ok(program)
}
