//! The VM against the processor: programs with one thread, compiled and run natively, and run by
//! the VM. They must print the same, and end with the same code.
//!
//! `programs/` has programs by topic; [`generator`] makes more, with numbers and statements at
//! random. Its seeds are fixed, so that a failure can be looked at again: the test says where it
//! has put the program.

mod generator;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use mazurka_core::model::{Machine, Performed, ProcessId, Program, Step};
use mazurka_llvm::compile::Source;
use mazurka_llvm::{Allowed, LlvmOptions, LlvmProgram, Undefined};

/// How the native compiler is called: the same language, nothing optimised.
const NATIVE: &[&str] = &["-O0", "-w", "-ffp-contract=off", "-pthread"];

/// What a program does.
#[derive(PartialEq)]
struct Outcome {
    output: String,
    code: i32,
}

/// A directory for a test's files, gone when it is dropped, unless something failed.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let path = std::env::temp_dir().join(format!("differential-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// The standard that a program asks for in its first line, if it does.
fn standard(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().next()?.strip_prefix("// -std=").map(str::to_owned)
}

fn natively(file: &Path, directory: &Path) -> Result<Outcome, String> {
    let program = directory.join(file.file_stem().unwrap());
    let compiler = if file.extension().unwrap() == "c" { "clang" } else { "clang++" };
    let status = Command::new(compiler)
        .args(NATIVE)
        .args(standard(file).map(|standard| format!("-std={standard}")))
        .arg(file)
        .args(["-lm", "-o"])
        .arg(&program)
        .status()
        .map_err(|error| {
            format!("{compiler} cannot be run: {error}; `cargo xtask setup` installs it")
        })?;
    if !status.success() {
        return Err(format!("{} does not compile natively", file.display()));
    }
    // `timeout` ends with a code of its own, so that a program that loops is seen to.
    let run = Command::new("timeout")
        .arg("60")
        .arg(&program)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    match run.status.code() {
        Some(124) => Err("it does not end within a minute".to_owned()),
        Some(code) => {
            Ok(Outcome { output: String::from_utf8_lossy(&run.stdout).into_owned(), code })
        }
        None => Err("it was killed by a signal".to_owned()),
    }
}

fn in_the_vm(file: &Path) -> Result<Outcome, String> {
    let mut source = Source::new([file]);
    source.flags.push("-w".into());
    source.standard = standard(file);
    let module = source.load().map_err(|error| error.to_string())?;
    // Some programs rely on what the native compiler makes of undefined behaviour.
    let allow = Undefined::ALL.iter().fold(Allowed::default(), |all, (_, kind)| all.and(*kind));
    let options = LlvmOptions { local_steps: 200_000_000, allow, ..LlvmOptions::default() };
    let program = LlvmProgram::new(&module, options).map_err(|error| error.to_string())?;
    let machine = program.start().map_err(|violation| violation.to_string())?;
    Ok(Outcome {
        output: String::from_utf8_lossy(machine.output()).into_owned(),
        code: machine.exit_code().ok_or("it has not come to its end")? & 0xFF,
    })
}

/// Runs a program of several threads by a schedule that depends on the seed.
fn by_schedule(program: &LlvmProgram, mut seed: u64) -> Result<Outcome, String> {
    let mut machine = program.start().map_err(|violation| violation.to_string())?;
    let mut performed = Performed::default();
    for _ in 0..100_000 {
        let processes = (0..machine.processes()).map(ProcessId::new);
        let enabled = processes.filter(|process| machine.is_enabled(*process));
        let steps: Vec<Step> = enabled
            .flat_map(|process| {
                (0..machine.alternatives(process)).map(move |choice| Step { process, choice })
            })
            .collect();
        if steps.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let step = steps[(seed >> 33) as usize % steps.len()];
        performed.clear();
        machine.step(step, &mut performed).map_err(|violation| violation.to_string())?;
    }
    Ok(Outcome {
        output: String::from_utf8_lossy(machine.output()).into_owned(),
        code: machine.exit_code().ok_or("it has not come to its end")? & 0xFF,
    })
}

/// What is different about the two, if something is.
fn difference(file: &Path, directory: &Path) -> Option<String> {
    let native = match natively(file, directory) {
        Ok(outcome) => outcome,
        Err(error) => return Some(format!("natively: {error}")),
    };
    let vm = match in_the_vm(file) {
        Ok(outcome) => outcome,
        Err(error) => return Some(format!("in the VM: {error}")),
    };
    describe(&native, &vm)
}

fn describe(native: &Outcome, vm: &Outcome) -> Option<String> {
    if native == vm {
        return None;
    }
    let mut report = String::new();
    if native.code != vm.code {
        writeln!(report, "  it ends with {} natively, with {} in the VM", native.code, vm.code)
            .unwrap();
    }
    let (mut left, mut right) = (native.output.lines(), vm.output.lines());
    for line in 1.. {
        match (left.next(), right.next()) {
            (None, None) => break,
            (a, b) if a != b => {
                let (a, b) = (a.unwrap_or("(nothing)"), b.unwrap_or("(nothing)"));
                writeln!(report, "  line {line}\n    natively: {a}\n    in VM:    {b}").unwrap();
                break;
            }
            _ => {}
        }
    }
    Some(report)
}

/// Compares all of these, two at a time.
fn compare(files: Vec<PathBuf>, directory: &Directory) {
    let total = files.len();
    let queue = Mutex::new(files);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(file) = queue.lock().unwrap().pop() else { break };
                    if let Some(report) = difference(&file, &directory.0) {
                        failures.lock().unwrap().push(format!("{}:\n{report}", file.display()));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {total} differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn programs_by_topic() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(programs).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    if let Ok(wanted) = std::env::var("MAZURKA_DIFFERENTIAL") {
        files.retain(|file| file.to_string_lossy().contains(&wanted));
    }
    compare(files, &Directory::new("topics"));
}

/// Programs of several threads that print the same under every schedule.
#[test]
fn programs_with_threads() {
    let directory = Directory::new("threads");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential/threads");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(programs).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let native = natively(&file, &directory.0).unwrap();
        let mut source = Source::new([&file]);
        source.flags.push("-w".into());
        source.standard = standard(&file);
        let module = source.load().unwrap();
        let program = LlvmProgram::new(&module, LlvmOptions::default()).unwrap();
        for seed in 0..30 {
            let place = format!("{}, schedule {seed}", file.display());
            let vm = by_schedule(&program, seed).unwrap_or_else(|why| panic!("{place}: {why}"));
            assert_eq!(describe(&native, &vm), None, "{place}");
        }
    }
}

#[test]
fn generated_programs() {
    let directory = Directory::new("generated");
    let seeds = match std::env::var("MAZURKA_SEED") {
        Ok(seed) => {
            let seed = seed.parse().expect("MAZURKA_SEED is a number");
            seed..seed + 1
        }
        Err(_) => 0..6,
    };
    let files = seeds.map(|seed| {
        let file = directory.0.join(format!("seed{seed}.c"));
        std::fs::write(&file, generator::program(seed)).unwrap();
        file
    });
    compare(files.collect(), &directory);
}
