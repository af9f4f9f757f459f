//! Programs: which modules, and what to call.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mazurka_core::model::{Machine, Performed, ProcessId, Program, Step};
use mazurka_core::verdict::{Schedule, Violation, ViolationKind};
use mazurka_report::{Recording, Subject};

use super::sources::Sources;
use super::{ErlangMachine, boot, copies, record};
use crate::bif;
use crate::syntax::{self, Literal};
use crate::term::CommonNumbers;
use crate::vm::code::Mfa;
use crate::vm::lessons::APPLICATIONS;
use crate::vm::{Lessons, Trouble, Vm};

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
                "`{text}` is not a call ({problem}): write it like `module:function(1, [a, \"b\"])`, \
                 or in Elixir's syntax like `Module.function(1, [:a, \"b\"])`"
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
    sources: Sources,
    call: Call,
    name: String,
    never_after: Option<i64>,
    lessons: Arc<Lessons>,
    ignore_deadlocks: bool,
    normal_reasons: Vec<String>,
    /// The applications to start before the call.
    applications: Vec<String>,
    /// Further calls before the call that starts the program.
    preparations: &'static [&'static str],
    delivery: Delivery,
    /// The numbers that its machines share.
    common: Option<CommonNumbers>,
}

/// How a program starts.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// With a call.
    Call(Call),
    /// With a test of EUnit, as for [`ErlangProgram::eunit`].
    Eunit {
        /// The module.
        module: String,
        /// The name of the function.
        test: String,
    },
    /// With a test of ExUnit, as for [`ErlangProgram::exunit`].
    Exunit {
        /// The module.
        module: String,
        /// The name of the test.
        test: String,
    },
}

/// When messages are delivered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Delivery {
    /// At once, as on one node: a send is a delivery.
    #[default]
    Instant,
    /// At any time after they were sent. Only messages from one process to another one stay in order.
    Pairwise,
}

impl ErlangProgram {
    /// A program of these files that starts with a call. They are sources (`.erl`, `.ex`, `.exs`), which
    /// are compiled, or compiled modules (`.beam`). Further modules are looked for in `directories`, in
    /// the directories `NAME/ebin` below these, and in the installed libraries of Erlang and Elixir. If
    /// there are neither files nor directories, the project in the current directory is looked at, too.
    pub fn new(
        files: &[PathBuf],
        directories: &[PathBuf],
        call: Call,
    ) -> Result<ErlangProgram, ErlangError> {
        Self::find(files, directories, Start::Call(call))
    }

    /// A program of files and directories, as for [`new`](ErlangProgram::new), that starts in any way.
    pub fn find(
        files: &[PathBuf],
        directories: &[PathBuf],
        start: Start,
    ) -> Result<ErlangProgram, ErlangError> {
        let with_tests = !matches!(start, Start::Call(_));
        Self::start_by(Sources::find(files, directories, with_tests)?, start)
    }

    /// A program of [copies](ErlangProgram::copies) of its modules. `files` are those that were given when
    /// the copies were made. All other modules are in their directory. Nothing is compiled, and no
    /// installed library is used.
    pub fn of_copies(files: &[PathBuf], start: Start) -> Result<ErlangProgram, ErlangError> {
        Self::start_by(Sources::of_copies(files), start)
    }

    fn start_by(sources: Sources, start: Start) -> Result<ErlangProgram, ErlangError> {
        match start {
            Start::Call(call) => Self::of(sources, call),
            Start::Eunit { module, test } => Self::start_eunit(sources, &module, &test),
            Start::Exunit { module, test } => Self::start_exunit(sources, &module, &test),
        }
    }

    /// A program that runs one test of EUnit: a function `name_test`, or all tests that a generator
    /// `name_test_` returns.
    pub fn eunit(
        files: &[PathBuf],
        directories: &[PathBuf],
        module: &str,
        test: &str,
    ) -> Result<ErlangProgram, ErlangError> {
        Self::start_eunit(Sources::find(files, directories, true)?, module, test)
    }

    fn start_eunit(
        sources: Sources,
        module: &str,
        test: &str,
    ) -> Result<ErlangProgram, ErlangError> {
        let is_test = |name: &str, arity: u32| {
            arity == 0 && (name.ends_with("_test") || name.ends_with("_test_"))
        };
        Self::of_test(sources, "eunit", [module, test], is_test)
    }

    /// A program that runs one test of ExUnit. `test` is its name as it is in the source.
    pub fn exunit(
        files: &[PathBuf],
        directories: &[PathBuf],
        module: &str,
        test: &str,
    ) -> Result<ErlangProgram, ErlangError> {
        Self::start_exunit(Sources::find(files, directories, true)?, module, test)
    }

    fn start_exunit(
        sources: Sources,
        module: &str,
        test: &str,
    ) -> Result<ErlangProgram, ErlangError> {
        let module = format!("Elixir.{module}");
        // Doctests and properties have functions with these words in their names; those of tests begin with
        // a word that users leave out.
        let is_other = ["doctest ", "property "].iter().any(|kind| test.starts_with(kind));
        let test = if is_other { test.to_owned() } else { format!("test {test}") };
        let is_test = |name: &str, arity: u32| {
            arity == 1
                && ["test ", "doctest ", "property "].iter().any(|kind| name.starts_with(kind))
        };
        let program = Self::of_test(sources, "exunit", [&module, &test], is_test)?;
        let preparations = program.exit_handler()?;
        let program = ErlangProgram { preparations, ..program };
        // So end the processes that the test has started by `start_supervised`.
        Ok(program.treat_as_normal("shutdown"))
    }

    /// Returns what to call so that a test of ExUnit can register functions by `on_exit`, and has the limits on
    /// time of `assert_receive` and the like.
    fn exit_handler(&self) -> Result<&'static [&'static str], ErlangError> {
        let (mut vm, _) = self.load()?;
        let [handler, start] =
            ["Elixir.ExUnit.OnExitHandler", "start_link"].map(|name| vm.atoms.intern(name));
        let is_there = vm.ensure_loaded(handler).unwrap_or(false);
        let starts = is_there && vm.code.modules[&handler].exports.contains(&(start, 1));
        Ok(match starts {
            true => &["application:load(ex_unit)", "'Elixir.ExUnit.OnExitHandler':start_link([])"],
            // Since Elixir 1.15, the functions are in a table of a server that is not needed here.
            false => &[
                "application:load(ex_unit)",
                "ets:new('Elixir.ExUnit.Server', [public, named_table])",
            ],
        })
    }

    fn of_test(
        sources: Sources,
        framework: &str,
        [module, test]: [&str; 2],
        is_test: impl Fn(&str, u32) -> bool,
    ) -> Result<ErlangProgram, ErlangError> {
        let names = [module, test].map(|name| Literal::Atom(name.to_owned()));
        let call = Call {
            module: "mazurka_tests".into(),
            function: framework.into(),
            arguments: names.to_vec(),
            text: format!("{module}:{test}"),
        };
        let program = Self::of(sources, call)?;
        let (mut vm, _) = program.load()?;
        let atom = vm.atoms.intern(module);
        if !vm.ensure_loaded(atom).unwrap_or(false) {
            return Err(program.no_module(module).into());
        }
        let exports = vm.code.modules[&atom].exports.iter();
        let exports = exports.map(|(name, arity)| (vm.atoms.name(*name), *arity));
        let mut tests: Vec<&str> =
            exports.filter(|(name, arity)| is_test(name, *arity)).map(|(name, _)| name).collect();
        tests.sort_unstable();
        if !tests.contains(&test) {
            let shown = |name: &str| format!("`{}`", name.strip_prefix("test ").unwrap_or(name));
            let known: Vec<String> = tests.iter().map(|name| shown(name)).collect();
            let module = module.strip_prefix("Elixir.").unwrap_or(module);
            let text = match known.is_empty() {
                true => format!("the module `{module}` has no tests"),
                false => format!(
                    "the module `{module}` has no test {}; it has {}",
                    shown(test),
                    known.join(", ")
                ),
            };
            return Err(text.into());
        }
        Ok(program)
    }

    fn of(sources: Sources, call: Call) -> Result<ErlangProgram, ErlangError> {
        let program = ErlangProgram {
            sources,
            name: call.to_string(),
            call,
            never_after: None,
            lessons: Arc::default(),
            ignore_deadlocks: false,
            normal_reasons: Vec::new(),
            applications: Vec::new(),
            preparations: &[],
            delivery: Delivery::Instant,
            common: None,
        };
        // Report a program that cannot be run at once.
        program.load()?;
        Ok(program)
    }

    /// Starts an application, and those that it needs, before the call. Its environment may follow its name, as in
    /// `lager[{handlers,[]}]`.
    #[must_use]
    pub fn starting(mut self, application: impl Into<String>) -> Self {
        self.applications.push(application.into());
        self.lessons.services.fetch_or(1 << APPLICATIONS, Ordering::Relaxed);
        self
    }

    /// Sets when messages are delivered.
    #[must_use]
    pub fn delivery(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// Returns copies of all modules that the program can name, and of the descriptions of applications:
    /// the name and the contents of each file. The files that were given come first. Their number is
    /// returned, too.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn copies(&self) -> Result<(copies::Files, usize), ErlangError> {
        let call = &self.call;
        let arguments = call.arguments.iter().flat_map(Literal::atoms);
        let named = arguments.chain([call.module.as_str()]);
        let name_of = |text| boot::parse_application(text).map_or(text, |(name, _)| name);
        let named = named.chain(self.applications.iter().map(|text| name_of(text)));
        let named = named.chain(self.preparations.iter().copied());
        let (mut files, given) = copies::of(&self.sources.finder, named)?;
        // A program of a project has no files of its own. Its first module stands for them.
        let first = format!("{}.beam", call.module);
        match files.iter().position(|(name, _)| given == 0 && *name == first) {
            None => Ok((files, given)),
            Some(first) => {
                files.swap(0, first);
                Ok((files, 1))
            }
        }
    }

    /// Says that there is no such module, and where modules are looked for.
    fn no_module(&self, module: &str) -> String {
        let given = self.sources.finder.given.iter().map(|(name, _)| name);
        // The module that runs tests is Mazurka's own.
        let given = given.filter(|name| *name != "mazurka_tests");
        let given: Vec<String> = given.map(|name| format!("`{name}`")).collect();
        let defined = match given.is_empty() {
            true => String::new(),
            false => format!("the files define {}; ", given.join(", ")),
        };
        let module = module.strip_prefix("Elixir.").unwrap_or(module);
        format!(
            "there is no module `{module}`: {defined}give the directory of other modules by -pa, for \
             example -pa _build/default/lib"
        )
    }

    /// A machine with the files that were given, and the function to call.
    fn load(&self) -> Result<(Vm, Mfa), String> {
        let finder = &self.sources.finder;
        let mut vm =
            Vm::new(finder.clone(), self.lessons.clone(), self.common.clone(), bif::LIBRARY);
        for (_, path) in &finder.given {
            vm.load_file(path)?;
        }
        let arguments = self.call.arguments.iter().filter_map(Literal::as_atom);
        let mut modules = arguments.chain([self.call.module.as_str()]);
        vm.is_elixir = modules.any(|module| module.starts_with("Elixir."));
        let [module, function] =
            [&self.call.module, &self.call.function].map(|name| vm.atoms.intern(name));
        let mfa = Mfa::new(module, function, self.call.arguments.len() as u32);
        if vm.is_function(mfa) {
            return Ok((vm, mfa));
        }
        Err(match vm.trouble.take() {
            Some(Trouble::Missing(text)) => text,
            _ if !vm.code.modules.contains_key(&module) => self.no_module(&self.call.module),
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

    /// Returns a program with the same modules and another call. No file is compiled again.
    #[must_use]
    pub fn calling(&self, call: Call) -> Self {
        let lessons = Arc::new(Lessons::default());
        if !self.applications.is_empty() {
            lessons.services.store(1 << APPLICATIONS, Ordering::Relaxed);
        }
        ErlangProgram { name: call.to_string(), call, lessons, ..self.clone() }
    }

    /// Returns the same program, which has learnt nothing yet.
    #[must_use]
    pub fn forgetful(&self) -> Self {
        ErlangProgram { name: self.name.clone(), ..self.calling(self.call.clone()) }
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

    fn for_workers(&self) -> Option<Self> {
        Some(ErlangProgram { common: Some(CommonNumbers::default()), ..self.clone() })
    }

    fn apart(&self) -> Option<Self> {
        let lessons = Arc::new(self.lessons.apart());
        let common = Some(self.common.clone().unwrap_or_default());
        Some(ErlangProgram { lessons, common, ..self.clone() })
    }

    /// Modules of libraries are assumed to stay as they are.
    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.sources.hash(&self.call.module, &mut hasher);
        let ErlangProgram { call, never_after, ignore_deadlocks, normal_reasons, .. } = self;
        (&call.text, &call.function, never_after, ignore_deadlocks, normal_reasons)
            .hash(&mut hasher);
        (&self.applications, self.preparations, self.delivery as u8).hash(&mut hasher);
        hasher.finish()
    }

    fn save(&self) -> Option<Vec<u8>> {
        let numbers = self.common.as_ref()?.save();
        Some(format!("{}\n{numbers}", self.lessons.save()).into_bytes())
    }

    fn restore(&self, saved: &[u8]) -> bool {
        let restore = || {
            let (lessons, numbers) = std::str::from_utf8(saved).ok()?.split_once('\n')?;
            self.lessons.restore(lessons)?;
            self.common.as_ref()?.restore(numbers)
        };
        restore().is_some()
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
        // A lesson changes how the program starts. For example, processes may have ended before it was
        // known that their ends are steps.
        loop {
            let learnt = self.lessons.count();
            let machine = self.run_first();
            if self.lessons.count() == learnt {
                let mut machine = machine.map_err(bad_input)?;
                machine.violation()?;
                return Ok(machine);
            }
        }
    }

    /// Runs the program up to the first visible operation of every process.
    fn run_first(&self) -> Result<ErlangMachine, String> {
        let (mut vm, mfa) = self.load()?;
        vm.never_after = self.never_after;
        vm.normal_reasons = self.normal_reasons.iter().map(|r| vm.atoms.intern(r)).collect();
        vm.is_pairwise = self.delivery == Delivery::Pairwise;
        vm.reserve_first();
        let mut machine = ErlangMachine::new(vm, self.ignore_deadlocks);
        machine.boot(&self.applications, self.preparations)?;
        let vm = &mut machine.vm;
        let arguments: Vec<_> =
            self.call.arguments.iter().map(|a| a.build(&mut vm.heap, &mut vm.atoms)).collect();
        let arguments = vm.heap.list(&arguments);
        vm.create_first(mfa, arguments);
        vm.run_born();
        vm.edges.clear();
        vm.is_starting = false;
        vm.lesson = None;
        vm.apart.take();
        machine.renew_actions();
        Ok(machine)
    }
}
