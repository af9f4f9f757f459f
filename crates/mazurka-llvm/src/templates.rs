//! The parts of the C++ library that are compiled from its headers: streams, locales and regular expressions
//! of libstdc++ (`library/templates/streams.cpp`), and what libc++ has in its compiled library
//! (`library/templates/libcxx.cpp` and `libcxx_streams.cpp`).
//!
//! Most of a compiled C++ library is instances of templates, whose code is in the headers of the user's
//! compiler. Compiling them takes more than a second. The IR is therefore kept in the user's cache, and only
//! programs that need it pay.

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use crate::cache;
use crate::read::read_module;

const LIBSTDCPP: &str = include_str!("library/templates/streams.cpp");
const LIBCPP: &str = concat!(
    include_str!("library/templates/libcxx.cpp"),
    include_str!("library/templates/libcxx_streams.cpp")
);

/// Optimised a little, so that the functions take few steps. Nothing is inlined, because native functions
/// replace some of the functions.
const FLAGS: &[&str] = &[
    "-S",
    "-emit-llvm",
    "-O1",
    "-g0",
    "-w",
    "-std=gnu++20",
    "-fno-inline",
    "-fno-builtin",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-stack-protector",
    "-fno-strict-aliasing",
    // Without tables of relative addresses.
    "-fno-pie",
    "-fno-discard-value-names",
    "-Qunused-arguments",
];

/// The last line of a complete file.
const END: &str = "; complete\n";

/// Options that say where the headers are.
const PLACES: [&str; 6] =
    ["--sysroot", "-isysroot", "--gcc-toolchain", "--gcc-install-dir", "--target", "-stdlib"];

/// Returns the IR of the templates, from the cache or else from clang. Returns `None` if the headers are
/// of another library or of a version that does not fit.
pub(crate) fn load<'f>(clang: &Path, flags: impl Iterator<Item = &'f OsString>) -> Option<String> {
    let is_place = |flag: &&OsString| {
        PLACES.iter().any(|place| flag.as_encoded_bytes().starts_with(place.as_bytes()))
    };
    let places: Vec<&OsString> = flags.filter(is_place).collect();
    let run = |options: &[&str], input: &'static str| {
        let mut command = Command::new(clang);
        command.args(options).args(&places).args(["-x", "c++", "-", "-o", "-"]);
        output(&mut command, input)
    };
    // All macros: they tell the versions of the compiler and of the library.
    let macros = run(&["-E", "-dM"], "#include <cstddef>\n")?;
    let source = if macros.contains("_LIBCPP_VERSION ") { LIBCPP } else { LIBSTDCPP };
    let mut hasher = DefaultHasher::new();
    (source, FLAGS, &macros).hash(&mut hasher);
    let name = format!("{:016x}.ll", hasher.finish());
    let file = cache::directory("templates").map(|directory| directory.join(&name));
    let known = file.as_ref().and_then(|file| fs::read_to_string(file).ok());
    if let Some(known) = known.filter(|text| text.ends_with(END)) {
        return Some(known);
    }
    let made = run(FLAGS, source)? + END;
    read_module(&made, &name).ok()?;
    if let Some(file) = file {
        // Without a cache, it is made again the next time.
        let _ = cache::write(&file, &made);
    }
    Some(made)
}

/// Runs a command, and returns its output if it succeeds.
fn output(command: &mut Command, input: &'static str) -> Option<String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut to = child.stdin.take()?;
    let writer = thread::spawn(move || {
        let _ = to.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}
