//! Small programs in C and C++, each with the verdict that the standard gives in its first line:
//!
//! ```text
//! // correct
//! // wrong: KIND: start of the message
//! // refused: start of the error
//! ```
//!
//! Options may follow in a second line, `// with: leaks -std=c++20 races needs=ck_stack.h`, or
//! `property=G!data-race` (a formula of SV-COMP without blanks), `spurious`, `-stdlib=libc++`, or `rc11`,
//! which checks the program under the memory model of C, too. A program
//! whose header (`needs`) is not installed is skipped with a message. If the third line is
//! `// mistake: KIND`, the program is checked again with the macro `MISTAKE`, and must then be wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mazurka_core::explore::Checkable;
use mazurka_core::memory::MemoryModel;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, DataRaces, Options};
use mazurka_core::verdict::Violation;
use mazurka_llvm::compile::Source;
use mazurka_llvm::{LlvmOptions, LlvmProgram, Property};
use mazurka_testkit::processors::all_of;

/// Explorers that every program is checked with.
const EXPLORERS: [Algorithm; 4] =
    [Algorithm::Source, Algorithm::Optimal, Algorithm::Observers, Algorithm::DataCentric];

/// Returns the first violation that an explorer finds, or why it has not seen everything.
fn check(
    program: &LlvmProgram,
    algorithm: Algorithm,
    memory_model: MemoryModel,
    races: bool,
) -> Result<Option<Violation>, String> {
    let mut machine = match program.start() {
        Ok(machine) => machine,
        Err(violation) => return Ok(Some(*violation)),
    };
    let options = Options {
        algorithm,
        memory_model,
        data_races: if races { DataRaces::Report } else { DataRaces::Ignore },
        max_executions: Some(200_000),
        max_depth: Some(5_000),
        ..Options::default()
    };
    let mut verdict = LlvmProgram::explore(&mut machine, &options, &mut ());
    match (verdict.violations.pop(), verdict.stopped) {
        (Some(violation), _) => Ok(Some(violation)),
        (None, Some(bound)) => Err(format!("{algorithm} is not complete: {bound}")),
        (None, None) if verdict.executions == 0 => Err(format!("{algorithm} runs no execution")),
        (None, None) => Ok(None),
    }
}

/// What a program is checked for.
struct Case<'a> {
    file: &'a Path,
    expected: String,
    options: &'a str,
    defines: Vec<String>,
}

impl Case<'_> {
    fn has(&self, name: &str) -> bool {
        self.options.split(' ').any(|option| option == name)
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.options.split(' ').find_map(|option| option.strip_prefix(name))
    }

    fn property(&self) -> Option<Property> {
        let formula = self.value("property=")?;
        Some(Property::parse(&format!("CHECK(init(main()), LTL({formula}))")).unwrap())
    }

    fn load(&self, memory_orderings: bool) -> Result<LlvmProgram, String> {
        let mut source = Source::new([self.file]);
        source.flags = vec!["-w".into()];
        source.flags.extend(self.value("-stdlib=").map(|name| format!("-stdlib={name}").into()));
        source.standard = self.value("-std=").map(str::to_owned);
        source.defines = self.defines.clone();
        let module = source.load().map_err(|error| error.to_string())?;
        let leaks = self.has("leaks");
        let nondet = (self.value("nondet=") != Some("none")).then_some((0, 2));
        let property = self.property();
        let (spurious_wakeups, spurious_failures) = (self.has("spurious"), self.has("spurious"));
        let options = LlvmOptions {
            leaks,
            nondet,
            property,
            spurious_wakeups,
            spurious_failures,
            memory_orderings,
            ..LlvmOptions::default()
        };
        LlvmProgram::new(&module, options).map_err(|error| error.to_string())
    }

    /// Returns how the verdict differs from the expected one.
    fn difference(&self) -> Option<String> {
        let program = match (self.load(false), self.expected.strip_prefix("refused: ")) {
            (Ok(program), None) => program,
            (Ok(_), Some(_)) => return Some("it is not refused".to_owned()),
            (Err(error), Some(start)) if error.contains(start) => return None,
            (Err(error), _) => return Some(format!("it cannot be loaded: {error}")),
        };
        let by = |algorithm| self.difference_by(&program, algorithm, MemoryModel::Sc);
        EXPLORERS.into_iter().find_map(by).or_else(|| self.difference_under_rc11())
    }

    fn difference_under_rc11(&self) -> Option<String> {
        if !self.has("rc11") {
            return None;
        }
        let program = match self.load(true) {
            Ok(program) => program,
            Err(error) => return Some(error),
        };
        self.difference_by(&program, Algorithm::Graphs, MemoryModel::Rc11)
    }

    fn difference_by(
        &self,
        program: &LlvmProgram,
        algorithm: Algorithm,
        memory_model: MemoryModel,
    ) -> Option<String> {
        let races = self.has("races") || self.property().is_some_and(|p| p.has_races());
        let found = match check(program, algorithm, memory_model, races) {
            Ok(found) => found,
            Err(why) => return Some(why),
        };
        match (self.expected.strip_prefix("wrong: "), found) {
            (None, None) => None,
            (None, Some(violation)) => Some(format!("{algorithm} finds {violation}")),
            (Some(_), None) => Some(format!("{algorithm} finds nothing")),
            (Some(start), Some(violation)) => {
                let found = format!("{}: {}", violation.kind.name(), violation.message);
                (!found.starts_with(start)).then(|| format!("{algorithm} finds {found}"))
            }
        }
    }
}

/// Returns whether clang finds a header, with this C++ library.
fn has_header(file: &Path, header: &str, library: Option<&str>) -> bool {
    let mut clang = Command::new("clang");
    clang.args(["-fsyntax-only", "-w", "-include", header]).arg(file);
    clang.args(library.map(|name| format!("-stdlib={name}")));
    clang.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Returns how verdicts on a program differ from those that it asks for.
fn differences(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let expected = lines.next().and_then(|line| line.strip_prefix("// ")).expect("a verdict");
    let options = lines.next().and_then(|line| line.strip_prefix("// with: ")).unwrap_or_default();
    let mistake = lines.next().and_then(|line| line.strip_prefix("// mistake: "));
    let first = Case { file, expected: expected.to_owned(), options, defines: Vec::new() };
    let library = first.value("-stdlib=");
    let is_missing = |header: &&str| !has_header(file, header, library);
    if let Some(header) = first.value("needs=").filter(is_missing) {
        eprintln!("{} is skipped: the header {header} is not installed", file.display());
        return Vec::new();
    }
    let second = mistake.map(|kind| Case {
        expected: format!("wrong: {kind}"),
        defines: vec!["MISTAKE".to_owned()],
        ..Case { file, expected: String::new(), options, defines: Vec::new() }
    });
    let cases = std::iter::once(first).chain(second);
    let name = |case: &Case<'_>| match case.defines.is_empty() {
        true => file.display().to_string(),
        false => format!("{} with its mistake", file.display()),
    };
    cases.filter_map(|case| Some(format!("{}: {}", name(&case), case.difference()?))).collect()
}

fn check_folder(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts").join(folder);
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    if let Ok(wanted) = std::env::var("MAZURKA_VERDICTS") {
        files.retain(|file| file.to_string_lossy().contains(&wanted));
    }
    let wrong = all_of(&files, |file| differences(file));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn verdicts() {
    check_folder("programs");
}

/// Programs over concurrencykit, Boost.Lockfree and liburcu, where these are installed.
#[test]
fn libraries() {
    check_folder("libraries");
}
