//! C and C++, through LLVM IR.

use std::path::Path;

use mazurka_llvm::compile;
use mazurka_llvm::{Allowed, LlvmOptions, LlvmProgram, Random};

use super::{Checked, FrontEnd, Shipped, Source};
use crate::Complaint;
use crate::values::{Definition, Rand};
use crate::watchdog;

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    reads: "C (.c), C++ (.cc, .cpp, .cxx) and LLVM IR (.ll, .bc)",
    takes_file: |file| is_source(file) || is_ir(file),
    takes: &[
        "define",
        "include",
        "std",
        "clang",
        "leaks",
        "property",
        "link",
        "spurious_wakeups",
        "spurious_failures",
        "allow",
        "max_local_steps",
        "nondet",
        "rand",
        "memory_model",
        "no_awaits",
        "flags",
    ],
    open,
    ship,
};

impl From<Rand> for Random {
    fn from(rand: Rand) -> Self {
        match rand {
            Rand::Seed(seed) => Random::Seed(seed),
            Rand::Choose(among) => Random::Choose(among),
        }
    }
}

fn is_source(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("c" | "i" | "cc" | "cpp" | "cxx" | "c++" | "C" | "ii"))
}

fn is_ir(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ll" || extension == "bc")
}

fn sources(source: &Source<'_>) -> compile::Source {
    let options = source.options;
    compile::Source {
        files: source.files.iter().chain(&options.link).cloned().collect(),
        defines: options.define.iter().map(Definition::to_string).collect(),
        includes: options.include.clone(),
        standard: options.std.clone(),
        flags: options.flags.iter().map(Into::into).collect(),
        clang: options.clang.clone(),
    }
}

/// Compiles the program. Other machines need no compiler, and no headers.
fn ship(source: &Source<'_>) -> Result<Shipped, Complaint> {
    let texts = sources(source).texts().map_err(|error| error.to_string())?;
    let named = texts.into_iter().enumerate();
    let files: Vec<_> =
        named.map(|(number, (_, text))| (format!("{number}.ll"), text.into_bytes())).collect();
    Ok(Shipped { opens: files.iter().map(|(name, _)| name.clone()).collect(), files })
}

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    refuse_compiler_options(source)?;
    let options = source.options;
    let module = sources(source).load().map_err(|error| error.to_string())?;
    let how = LlvmOptions {
        nondet: options.nondet,
        leaks: options.leaks,
        spurious_wakeups: options.spurious_wakeups,
        spurious_failures: options.spurious_failures,
        property: options.property()?,
        awaits: !options.no_awaits,
        allow: options.allow.iter().fold(Allowed::default(), |all, kind| all.and(*kind)),
        local_steps: options.max_local_steps.unwrap_or(LlvmOptions::default().local_steps),
        memory_limit: watchdog::program_memory(),
        random: options.rand.map_or(Random::Seed(0), Into::into),
        name: source.name(),
        ..LlvmOptions::default()
    };
    let program = LlvmProgram::new(&module, how).map_err(|error| error.to_string())?;
    Ok(Box::new(program))
}

/// Returns an error if a file that is already compiled comes with options for the compiler.
fn refuse_compiler_options(source: &Source<'_>) -> Result<(), Complaint> {
    let linked = &source.options.link;
    if source.files.iter().chain(linked).any(|file| is_source(file)) {
        return Ok(());
    }
    let options = source.options;
    let given = [
        ("-D", !options.define.is_empty()),
        ("-I", !options.include.is_empty()),
        ("--std", options.std.is_some()),
        ("flags for clang", !options.flags.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(format!(
            "{option} is for the compiler, but `{}` is already compiled; leave it out",
            source.name()
        )),
        None => Ok(()),
    }
}
