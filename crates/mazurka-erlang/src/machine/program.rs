//! Programs: which modules, and what to call.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mazurka_core::model::{Machine, Performed, ProcessId, Program, Step};
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};
use mazurka_report::{Recording, Subject};

use super::{ErlangMachine, record};
use crate::bif;
use crate::syntax::{self, Literal};
use crate::vm::code::Mfa;
use crate::vm::resolve::otp_directories;
use crate::vm::{Finder, Lessons, Trouble, Vm};

/// Why a program cannot be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErlangError(String);

impl std::fmt::Display for ErlangError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ErlangError {}

impl From<String> for ErlangError {
    fn from(text: String) -> Self {
        ErlangError(text)
    }
}

/// A call, as it is written in Erlang, of a function with literal arguments.
///
/// ```
/// use mazurka_erlang::Call;
///
/// let call: Call = "lock:test(4)".parse()?;
/// assert_eq!(call.to_string(), "lock:test(4)");
/// assert!("lock:test(".parse::<Call>().is_err());
/// # Ok::<(), mazurka_erlang::ErlangError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    module: String,
    function: String,
    arguments: Vec<Literal>,
    text: String,
}

impl std::str::FromStr for Call {
    type Err = ErlangError;

    fn from_str(text: &str) -> Result<Self, ErlangError> {
        let (module, function, arguments) = syntax::parse_call(text).map_err(|problem| {
            ErlangError(format!(
                "`{text}` is not a call ({problem}): write it like `module:function(1, [a, \"b\"])`"
            ))
        })?;
        Ok(Call { module, function, arguments, text: text.trim().to_owned() })
    }
}

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// An Erlang program: modules, and the call that starts it.
#[derive(Clone, Debug)]
pub struct ErlangProgram {
    finder: Finder,
    call: Call,
    name: String,
    never_after: Option<i64>,
    lessons: Arc<Lessons>,
    ignore_deadlocks: bool,
    normal_reasons: Vec<String>,
    /// Where files were compiled to, for as long as they are needed.
    _compiled: Option<Arc<Compiled>>,
}

/// A directory that is removed in the end.
#[derive(Debug)]
struct Compiled(PathBuf);

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl ErlangProgram {
    /// A program of these files, `.erl` or `.beam`, that starts with a call. Further modules are
    /// looked for in `directories`, and then in the OTP that is installed.
    pub fn new(
        files: &[PathBuf],
        directories: &[PathBuf],
        call: Call,
    ) -> Result<ErlangProgram, ErlangError> {
        if let Some(missing) = directories.iter().find(|directory| !directory.is_dir()) {
            let text =
                format!("there is no directory `{}` to look for modules in", missing.display());
            return Err(ErlangError(text));
        }
        let mut given = Vec::new();
        let mut compiled = None;
        for file in files {
            let beam = match file.extension().and_then(|extension| extension.to_str()) {
                Some("beam") => file.clone(),
                Some("erl") => {
                    let directory = match &compiled {
                        Some(directory) => directory,
                        None => compiled.insert(Arc::new(temporary_directory()?)),
                    };
                    compile(file, &directory.0, directories)?
                }
                _ => {
                    let text = format!("{}: neither an `.erl` nor a `.beam` file", file.display());
                    return Err(ErlangError(text));
                }
            };
            let name = beam.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            given.push((name, beam));
        }
        let mut all = directories.to_vec();
        all.extend(otp_root().map(|root| otp_directories(&root)).unwrap_or_default());
        let program = ErlangProgram {
            finder: Finder { given, directories: all },
            name: call.to_string(),
            call,
            never_after: None,
            lessons: Arc::default(),
            ignore_deadlocks: false,
            normal_reasons: Vec::new(),
            _compiled: compiled,
        };
        // Report a program that cannot be run at once.
        program.load()?;
        Ok(program)
    }

    /// A machine with the files that were given, and the function to call.
    fn load(&self) -> Result<(Vm, Mfa), String> {
        let mut vm = Vm::new(self.finder.clone(), self.lessons.clone(), bif::LIBRARY);
        for (_, path) in &self.finder.given {
            vm.load_file(path)?;
        }
        let [module, function] =
            [&self.call.module, &self.call.function].map(|name| vm.atoms.intern(name));
        let mfa = Mfa::new(module, function, self.call.arguments.len() as u32);
        if vm.is_function(mfa) {
            return Ok((vm, mfa));
        }
        Err(match vm.trouble.take() {
            Some(Trouble::Missing(text)) => text,
            _ if !vm.code.modules.contains_key(&module) => {
                let given: Vec<String> =
                    self.finder.given.iter().map(|(name, _)| format!("`{name}`")).collect();
                format!(
                    "there is no module `{}`: the files define {}; directories with others are \
                     given by -pa",
                    self.call.module,
                    given.join(", ")
                )
            }
            _ => format!("there is no function {}: is it exported?", mfa.show(&vm.atoms)),
        })
    }

    /// Whether it is fine that processes wait for messages when nothing else can run.
    #[must_use]
    pub fn ignore_deadlocks(mut self, ignore: bool) -> Self {
        self.ignore_deadlocks = ignore;
        self
    }

    /// Lets timeouts and timers of so many milliseconds or more never fire: as if they were `infinity`.
    #[must_use]
    pub fn never_after(mut self, milliseconds: u32) -> Self {
        self.never_after = Some(milliseconds.into());
        self
    }

    /// The same modules, started with another call: files need not be compiled again.
    #[must_use]
    pub fn calling(&self, call: Call) -> Self {
        let lessons = Arc::new(Lessons::default());
        ErlangProgram { name: call.to_string(), call, lessons, ..self.clone() }
    }

    /// Calls the program by another name than that of its call.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Lets processes end for a reason, or with a tuple that starts with it, besides `normal`.
    #[must_use]
    pub fn treat_as_normal(mut self, reason: impl Into<String>) -> Self {
        self.normal_reasons.push(reason.into());
        self
    }
}

impl Subject for ErlangProgram {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn record(&self, schedule: &Schedule) -> Recording {
        match self.start() {
            Ok(machine) => record::record(machine, schedule),
            Err(violation) => Recording {
                violation: Some(*violation),
                words: record::WORDS,
                ..Recording::default()
            },
        }
    }
}

impl Program for ErlangProgram {
    type Machine = ErlangMachine;

    /// The error is a program that cannot be loaded, or that fails before its first visible
    /// operation.
    fn start(&self) -> Result<ErlangMachine, Box<Violation>> {
        while !self.lessons.has_rehearsed.load(Ordering::Relaxed) {
            let learnt = self.lessons.count();
            self.start_once()?.rehearse();
            let is_done = self.lessons.count() == learnt;
            self.lessons.has_rehearsed.store(is_done, Ordering::Relaxed);
        }
        self.start_once()
    }
}

/// How many steps are taken to learn about a program before the search.
const REHEARSAL: usize = 2_000;

impl ErlangMachine {
    /// Runs one execution, in which the processes take turns, and goes back to the beginning.
    fn rehearse(&mut self) {
        let mut performed = Performed::default();
        let mut process = 0;
        for _ in 0..REHEARSAL {
            let count = self.processes();
            let turns = (process + 1..=process + count).map(|turn| ProcessId::new(turn % count));
            let Some(next) = turns.into_iter().find(|process| self.is_enabled(*process)) else {
                return;
            };
            performed.clear();
            // A failure is for the search to find.
            let _ = self.step(Step::of(next), &mut performed);
            process = next.index();
        }
    }
}

impl ErlangProgram {
    /// Returns a machine at the first visible operation of every process.
    fn start_once(&self) -> Result<ErlangMachine, Box<Violation>> {
        let bad_input = |text: String| Box::new(Violation::new(ViolationKind::Unsupported, text));
        let mut vm = self.run_first().map_err(bad_input)?;
        while vm.lesson.take().is_some() {
            // Processes may have ended before it was known that their ends are steps.
            vm = self.run_first().map_err(bad_input)?;
        }
        let mut machine = ErlangMachine::new(vm, self.ignore_deadlocks);
        machine.violation()?;
        Ok(machine)
    }

    /// Runs the program up to the first visible operation of every process.
    fn run_first(&self) -> Result<Vm, String> {
        let (mut vm, mfa) = self.load()?;
        vm.never_after = self.never_after;
        vm.normal_reasons = self.normal_reasons.iter().map(|r| vm.atoms.intern(r)).collect();
        let arguments: Vec<_> =
            self.call.arguments.iter().map(|a| a.build(&mut vm.heap, &mut vm.atoms)).collect();
        let arguments = vm.heap.list(&arguments);
        vm.create_first(mfa, arguments);
        vm.run_born();
        vm.edges.clear();
        vm.is_starting = false;
        Ok(vm)
    }
}

fn temporary_directory() -> Result<Compiled, ErlangError> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("mazurka-{}-{count}", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&path)
        .map_err(|error| ErlangError(format!("{}: {error}", path.display())))?;
    Ok(Compiled(path))
}

/// Compiles a file with the `erlc` that is found.
fn compile(file: &Path, to: &Path, directories: &[PathBuf]) -> Result<PathBuf, ErlangError> {
    let mut command = Command::new("erlc");
    command.args(["+debug_info", "-o"]).arg(to);
    for directory in directories {
        command.arg("-pa").arg(directory).arg("-I").arg(directory);
    }
    let output = command.arg(file).output().map_err(|error| {
        ErlangError(format!(
            "cannot run `erlc` to compile {}: {error}. Install Erlang/OTP 25 (on Debian: \
             `apt install erlang-base`), or give the `.beam` file instead",
            file.display()
        ))
    })?;
    if !output.status.success() {
        let text = format!(
            "{} does not compile:\n{}{}",
            file.display(),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        return Err(ErlangError(text.trim_end().to_owned()));
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    Ok(to.join(format!("{stem}.beam")))
}

/// Where OTP is installed.
fn otp_root() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let erl = std::env::split_paths(&path).map(|dir| dir.join("erl")).find(|erl| erl.is_file());
    // `erl` is a link into the installation: its `bin` is beside its `lib`.
    let of_erl = erl.and_then(|erl| erl.canonicalize().ok());
    let root = of_erl.and_then(|erl| Some(erl.parent()?.parent()?.to_path_buf()));
    let usual = PathBuf::from("/usr/lib/erlang");
    root.filter(|root| root.join("lib").is_dir()).or_else(|| usual.is_dir().then_some(usual))
}
