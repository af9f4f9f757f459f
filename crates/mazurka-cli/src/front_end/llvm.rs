//! C and C++, through LLVM IR.

use std::path::Path;

use mazurka_core::search::Options;
use mazurka_core::verdict::{Bound, Note};
use mazurka_llvm::compile;
use mazurka_llvm::{Allowed, LlvmOptions, LlvmProgram, Random};

use super::then::Then;
use super::{Checked, FrontEnd, Outcome, Shipped, Source};
use crate::values::{Definition, Rand};
use crate::watchdog;
use crate::{Complaint, compile_commands};

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
        "compile_commands",
        "entry",
        "spurious_wakeups",
        "spurious_failures",
        "allow",
        "max_local_steps",
        "unroll",
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

pub(crate) fn is_source(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("c" | "i" | "cc" | "cpp" | "cxx" | "c++" | "C" | "ii"))
}

fn is_ir(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ll" || extension == "bc")
}

fn sources(source: &Source<'_>) -> Result<compile::Source, Complaint> {
    let options = source.options;
    Ok(compile::Source {
        files: source.files.iter().chain(&options.link).cloned().collect(),
        defines: options.define.iter().map(Definition::to_string).collect(),
        includes: options.include.clone(),
        standard: options.std.clone(),
        flags: options.flags.iter().map(Into::into).collect(),
        clang: options.clang.clone(),
        units: match &options.compile_commands {
            Some(path) => compile_commands::read(path)?,
            None => Vec::new(),
        },
    })
}

/// Compiles the program. Other machines need no compiler, and no headers.
fn ship(source: &Source<'_>) -> Result<Shipped, Complaint> {
    let texts = sources(source)?.texts().map_err(|error| error.to_string())?;
    let named = texts.into_iter().enumerate();
    let files: Vec<_> =
        named.map(|(number, text)| (format!("{number}.ll"), text.into_bytes())).collect();
    Ok(Shipped { opens: files.iter().map(|(name, _)| name.clone()).collect(), files })
}

fn open(source: &Source<'_>) -> Result<Box<dyn Checked>, Complaint> {
    refuse_compiler_options(source)?;
    let options = source.options;
    let module = sources(source)?.load().map_err(|error| error.to_string())?;
    let how = LlvmOptions {
        nondet: options.nondet,
        leaks: options.leaks,
        spurious_wakeups: options.spurious_wakeups,
        spurious_failures: options.spurious_failures,
        property: options.property()?,
        awaits: !options.no_awaits,
        allow: options.allow.iter().fold(Allowed::default(), |all, kind| all.and(*kind)),
        local_steps: options.max_local_steps.unwrap_or(LlvmOptions::default().local_steps),
        unroll: options.unroll,
        memory_limit: watchdog::program_memory(),
        random: options.rand.map_or(Random::Seed(0), Into::into),
        name: source.name(),
        ..LlvmOptions::default()
    };
    let program = LlvmProgram::new(&module, how).map_err(|error| error.to_string())?;
    match options.unroll {
        Some(_) => Ok(Box::new(Then {
            program,
            then: tell_cut_loops,
            not_divided: "`--unroll` cannot be used on a cluster: which loops were cut is not \
                          collected there",
        })),
        None => Ok(Box::new(program)),
    }
}

/// Makes the check of a program incomplete if loops were cut, and names them.
fn tell_cut_loops(program: &LlvmProgram, _options: &Options<'_>, outcome: &mut Outcome) {
    outcome.cut_loops = program.cut_loops();
    if !outcome.cut_loops.is_empty() {
        let verdict = &mut outcome.verdict;
        verdict.stopped.get_or_insert(Bound::Depth);
        verdict.notes.retain(|note| *note != Note::OnlyBlocked);
    }
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
