//! `compile:forms`: compiled by the Erlang/OTP that is installed.
//!
//! The result depends on the arguments alone, so each call is made once. All machines share the results.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The arguments of a call in the external term format, and where parse transforms are looked for.
type Call = (Vec<u8>, Vec<PathBuf>);

/// The results of calls, in the external term format.
static KNOWN: Mutex<BTreeMap<Call, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Returns the result of `compile:forms(Forms, Options)`, given the pair of arguments. Parse transforms are looked
/// for in `directories`. The error says why the compiler cannot be run.
pub(crate) fn compile(arguments: Vec<u8>, directories: Vec<PathBuf>) -> Result<Vec<u8>, String> {
    // While one machine compiles, others that need the same wait.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let call = (arguments, directories);
    if let Some(result) = known.get(&call) {
        return Ok(result.clone());
    }
    let result = run(&call.0, &call.1)
        .map_err(|error| format!("compile:forms needs `erl`, which cannot be run: {error}"))?;
    known.insert(call, result.clone());
    Ok(result)
}

fn run(arguments: &[u8], directories: &[PathBuf]) -> std::io::Result<Vec<u8>> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let directory =
        std::env::temp_dir().join(format!("mazurka-forms-{}-{count}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let [from, to] = ["arguments", "result"].map(|name| directory.join(name));
    let program = "[In, Out] = init:get_plain_arguments(), {ok, Text} = file:read_file(In), \
                   {Forms, Options} = binary_to_term(Text), \
                   Result = compile:forms(Forms, Options), \
                   ok = file:write_file(Out, term_to_binary(Result)), halt().";
    let mut erl = Command::new("erl");
    erl.args(["-noshell", "-noinput", "-pa"]).args(directories).args(["-eval", program, "-extra"]);
    let erl = erl.arg(&from).arg(&to).stdout(Stdio::null());
    let result = std::fs::write(&from, arguments).and_then(|()| {
        let output = erl.output()?;
        std::fs::read(&to).map_err(|_| {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            std::io::Error::other(text)
        })
    });
    let _ = std::fs::remove_dir_all(directory);
    result
}
