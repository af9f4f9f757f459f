//! From source files to one module.
//!
//! C and C++ go through clang, which is asked not to optimise anything: an access that it merged
//! with another one, or left out, is one that no schedule could come between. IR files need no
//! compiler.

use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::headers;
use crate::ir::Module;
use crate::library::runtime::{self, complete};
use crate::link::{LinkError, link};
use crate::read::{ReadError, read_module, read_unoptimised};
use crate::templates;
pub use crate::units::Unit;
use crate::units::{add_needed, is_defined, missing};

/// What clang is called with, before the user's own options.
const FLAGS: &[&str] = &[
    "-S",
    "-emit-llvm",
    "-O0",
    "-g",
    "-fno-discard-value-names",
    // What runs natively is what the compiler makes of it; here it is what the program says.
    "-ffp-contract=off",
    // Marks the ends of blocks, after which their variables must not be used.
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-pthread",
    // For linkers only, which are not run.
    "-Qunused-arguments",
];

/// What clang is also called with for a file of C whose inline functions are needed. Without an external
/// definition, clang emits their bodies only if it optimises. With these flags it does so, but runs no
/// pass, and headers do not see the macro. Warnings were shown the first time.
const INLINE_FLAGS: &[&str] =
    &["-Xclang", "-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-w"];

/// What every C++ file includes first. libstdc++ then leaves the members of `std::string` to its
/// headers, where there is IR of them, instead of a library, where there is none. (Streams stay in
/// the library: -1 is its own word for "strings only".) As for ThreadSanitizer, `std::shared_ptr` does not
/// read its two counters as one: memory models have no accesses of different sizes.
const CPP_PRELUDE: &str = "\
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#undef _GLIBCXX_TSAN
#define _GLIBCXX_TSAN 1
#endif
";

/// The names under which clang is looked for, if none is given.
const COMPILERS: &[&str] = &[
    "clang", "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15",
    "clang-14",
];

/// A program as its user gives it: files, and how to compile them.
///
/// ```no_run
/// use mazurka_llvm::compile::Source;
///
/// let mut source = Source::new(["peterson.c"]);
/// source.defines.push("N=3".to_owned());
/// let module = source.load()?;
/// # Ok::<(), mazurka_llvm::compile::LoadError>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct Source {
    /// The files: `.c`, `.cc`, `.cpp`, `.cxx`, `.ll` or `.bc`.
    pub files: Vec<PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Directories of headers.
    pub includes: Vec<PathBuf>,
    /// The language standard, such as `c11` or `c++20`. It holds for the files that it is about.
    pub standard: Option<String>,
    /// More flags for clang.
    pub flags: Vec<OsString>,
    /// The clang to use; else it is looked for.
    pub clang: Option<PathBuf>,
    /// The files of the project. Those of [`Source::files`] that are among them are compiled with their
    /// flags, and others are added if the program needs what they define.
    pub units: Vec<Unit>,
}

/// Why a program could not be loaded.
#[derive(Debug)]
pub enum LoadError {
    /// There is no file.
    NoFiles,
    /// A file cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: std::io::Error,
    },
    /// The file's name does not end as that of a program does.
    UnknownKind(PathBuf),
    /// The file has no text, although it should.
    NotText(PathBuf),
    /// There is no clang, or not the one that was asked for.
    NoCompiler(Option<PathBuf>),
    /// clang did not like the program; it has said why on standard error.
    Compiler {
        /// The file.
        file: PathBuf,
        /// What was run.
        command: String,
    },
    /// The IR could not be read.
    Read(ReadError),
    /// The files do not fit together.
    Link(LinkError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NoFiles => {
                write!(
                    f,
                    "no file is given; name a `.c`, `.cc`, `.cpp`, `.cxx`, `.ll` or `.bc` file"
                )
            }
            LoadError::Unreadable { file, reason } => {
                write!(f, "{} cannot be read: {reason}", file.display())
            }
            LoadError::UnknownKind(file) => write!(
                f,
                "{} is no program that can be checked: its name should end in `.c`, `.cc`, \
                 `.cpp`, `.cxx` or `.ll`",
                file.display()
            ),
            LoadError::NotText(file) => write!(
                f,
                "{} is no text; if it is LLVM bitcode, `llvm-dis` turns it into a `.ll` file",
                file.display()
            ),
            LoadError::NoCompiler(Some(path)) => write!(
                f,
                "{} cannot be run; give the path of a clang, of version 14 or later",
                path.display()
            ),
            LoadError::NoCompiler(None) => write!(
                f,
                "C and C++ programs need clang, of version 14 or later, and there is none; \
                 install it (`apt-get install clang`, `dnf install clang`, `brew install llvm`), \
                 or say where it is (`--clang PATH`)"
            ),
            LoadError::Compiler { file, command } => {
                write!(
                    f,
                    "{} does not compile: see what clang says above (it was run as `{command}`)",
                    file.display()
                )?;
                if matches!(language(file), Ok(Language::Cpp)) && !command.contains(" -std=") {
                    write!(
                        f,
                        ". Flags behind `--` go to clang: `-- -std=c++20` chooses a standard"
                    )?;
                }
                Ok(())
            }
            LoadError::Read(error) => error.fmt(f),
            LoadError::Link(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

#[derive(Clone, Copy, PartialEq)]
enum Language {
    C,
    Cpp,
    Ir,
    Bitcode,
}

fn language(file: &Path) -> Result<Language, LoadError> {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "i") => Ok(Language::C),
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "ii") => Ok(Language::Cpp),
        Some("ll") => Ok(Language::Ir),
        Some("bc") => Ok(Language::Bitcode),
        _ => Err(LoadError::UnknownKind(file.to_owned())),
    }
}

impl Source {
    /// These files, without any options.
    pub fn new<F: Into<PathBuf>>(files: impl IntoIterator<Item = F>) -> Source {
        Source { files: files.into_iter().map(Into::into).collect(), ..Source::default() }
    }

    /// Compiles, reads and links the files, and adds what they need of the C library's own code. What
    /// clang has to say goes to standard error.
    pub fn load(&self) -> Result<Module, LoadError> {
        let modules = self.translate()?.into_iter().map(|file| file.module).collect();
        let program = link(modules).map_err(LoadError::Link)?;
        let flags = self.flags.iter().chain(self.units.iter().flat_map(|unit| &unit.flags));
        let templates = || templates::load(&self.find_clang().ok()?, flags.clone());
        complete(program, &templates).map_err(LoadError::Link)
    }

    /// Compiles the files, and returns the LLVM IR of each as text.
    pub fn texts(&self) -> Result<Vec<String>, LoadError> {
        Ok(self.translate()?.into_iter().map(|file| file.text).collect())
    }

    /// Compiles and reads the files, and those of the project that they need.
    fn translate(&self) -> Result<Vec<Translated>, LoadError> {
        if self.files.is_empty() {
            return Err(LoadError::NoFiles);
        }
        let mut files = Vec::new();
        let mut clang = None;
        let mut compile = |file: &Path, unit: Option<&Unit>, inlines: bool| {
            let clang = match &clang {
                Some(clang) => clang,
                None => clang.insert(self.find_clang()?),
            };
            let text = self.compile(clang, file, unit, inlines)?;
            let translated = Translated::new(text, file, inlines)?;
            Ok(Translated { unit: unit.cloned(), ..translated })
        };
        for file in &self.files {
            let language = language(file)?;
            // The best complaint about a file that is not there is our own.
            std::fs::File::open(file)
                .map_err(|reason| LoadError::Unreadable { file: file.clone(), reason })?;
            files.push(match language {
                Language::Ir => Translated::new(read_text(file)?, file, false)?,
                _ => compile(file, self.units.iter().find(|unit| unit.is(file)), false)?,
            });
        }
        let is_new = |unit: &&Unit| !self.files.iter().any(|file| unit.is(file));
        let mut others: Vec<&Unit> = self.units.iter().filter(is_new).collect();
        loop {
            add_needed(&mut files, &others, |unit| compile(&unit.file, Some(unit), false))?;
            if !add_inlines(&mut files, |file| compile(&file.file, file.unit.as_ref(), true))? {
                return Ok(files);
            }
            others.retain(|unit| !files.iter().any(|file| file.unit.as_ref() == Some(unit)));
        }
    }

    fn find_clang(&self) -> Result<PathBuf, LoadError> {
        if let Some(clang) = &self.clang {
            return match runs(clang) {
                true => Ok(clang.clone()),
                false => Err(LoadError::NoCompiler(Some(clang.clone()))),
            };
        }
        let found = COMPILERS.iter().map(PathBuf::from).find(|clang| runs(clang));
        found.ok_or(LoadError::NoCompiler(None))
    }

    /// Compiles a file. Nothing is written to the disk: clang reads the prelude from its standard input, and
    /// writes the IR to its standard output.
    ///
    /// A file of a project is compiled in its own directory. Places in it are named from the current one.
    fn compile(
        &self,
        clang: &Path,
        file: &Path,
        unit: Option<&Unit>,
        inlines: bool,
    ) -> Result<String, LoadError> {
        let language = language(file)?;
        let mut command = Command::new(clang);
        if language == Language::Bitcode {
            command.args(["-S", "-emit-llvm", "-Qunused-arguments", "-x", "ir"]).arg(file);
            return Self::run_clang(command.args(["-o", "-"]), file, "");
        }
        command.args(FLAGS);
        if language == Language::Cpp {
            command.args(["-include", "/dev/stdin"]);
        }
        if let Some(standard) = &self.standard
            && standard.contains("++") == (language == Language::Cpp)
        {
            command.arg(format!("-std={standard}"));
        }
        command.args(self.defines.iter().map(|define| format!("-D{define}")));
        for directory in &self.includes {
            // A file of a project is compiled in another directory.
            let found = std::path::absolute(directory).ok().filter(|_| unit.is_some());
            command.arg("-I").arg(found.as_deref().unwrap_or(directory));
        }
        if let Some(directory) = headers::directory() {
            command.arg("-idirafter").arg(directory);
        }
        if let Some(unit) = unit {
            command.args(&unit.flags).arg("-Wno-unknown-warning-option");
        }
        command.args(&self.flags);
        if inlines {
            command.args(INLINE_FLAGS);
        }
        match (unit, std::env::current_dir()) {
            (Some(unit), Ok(current)) => {
                command.arg(format!("-fdebug-prefix-map={}/=", current.display()));
                command.current_dir(&unit.directory).arg(unit.path());
            }
            _ => {
                command.arg(file);
            }
        }
        command.args(["-o", "-"]);
        let prelude = if language == Language::Cpp { CPP_PRELUDE } else { "" };
        Self::run_clang(&mut command, file, prelude)
    }

    /// Runs clang, which reads the prelude and writes IR.
    fn run_clang(command: &mut Command, file: &Path, prelude: &str) -> Result<String, LoadError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let clang = PathBuf::from(command.get_program());
        let not_run = |_| LoadError::NoCompiler(Some(clang.clone()));
        let mut child = command.spawn().map_err(not_run)?;
        if let Some(mut input) = child.stdin.take() {
            // It fits into a pipe. If clang does not read it, its own error says why.
            let _ = input.write_all(prelude.as_bytes());
        }
        let output = child.wait_with_output().map_err(not_run)?;
        if !output.status.success() {
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
            return Err(LoadError::Compiler { file: file.to_owned(), command: words.join(" ") });
        }
        String::from_utf8(output.stdout).map_err(|_| LoadError::NotText(file.to_owned()))
    }
}

/// A file as LLVM IR.
struct Translated {
    file: PathBuf,
    unit: Option<Unit>,
    text: String,
    module: Module,
}

impl Translated {
    /// Reads the text of a file. `inlines` says whether it was compiled with [`INLINE_FLAGS`].
    fn new(text: String, file: &Path, inlines: bool) -> Result<Self, LoadError> {
        let name = match language(file)? {
            Language::Ir => file.display().to_string(),
            _ => format!("{} (as LLVM IR)", file.display()),
        };
        let read = if inlines { read_unoptimised } else { read_module };
        let module = read(&text, &name).map_err(LoadError::Read)?;
        Ok(Translated { file: file.to_owned(), unit: None, text, module })
    }
}

impl AsRef<Module> for Translated {
    fn as_ref(&self) -> &Module {
        &self.module
    }
}

/// Compiles files of C again, with the bodies of their inline functions, if the program needs one of these
/// that no file defines. Returns whether there is one.
fn add_inlines(
    files: &mut [Translated],
    mut compile: impl FnMut(&Translated) -> Result<Translated, LoadError>,
) -> Result<bool, LoadError> {
    let mut missing = missing(files);
    runtime::remove_defined(&mut missing);
    let mut found = false;
    let is_c = |file: &Path| language(file).is_ok_and(|language| language == Language::C);
    for file in files.iter_mut().filter(|file| is_c(&file.file)) {
        let declares = |name: &String| file.module.functions.iter().any(|f| f.name == *name);
        if !missing.iter().any(declares) {
            continue;
        }
        let again = compile(file)?;
        if missing.iter().any(|name| is_defined(&again.module, name)) {
            *file = again;
            found = true;
        }
    }
    Ok(found)
}

/// Returns the clang that compiles programs if none is given, if there is one.
pub fn find_clang() -> Option<PathBuf> {
    Source::default().find_clang().ok()
}

/// Whether this is a program that can be run.
fn runs(clang: &Path) -> bool {
    let mut command = Command::new(clang);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn read_text(file: &Path) -> Result<String, LoadError> {
    let bytes = std::fs::read(file)
        .map_err(|reason| LoadError::Unreadable { file: file.to_owned(), reason })?;
    String::from_utf8(bytes).map_err(|_| LoadError::NotText(file.to_owned()))
}
