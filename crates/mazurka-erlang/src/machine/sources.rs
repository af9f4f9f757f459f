//! From files to compiled modules: sources that have to be compiled, and directories of projects.

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::copies;
use super::program::ErlangError;
use crate::beam::Container;
use crate::vm::Finder;
use crate::vm::resolve::otp_directories;

/// A module of Mazurka that runs tests of EUnit and ExUnit.
const TESTS: &str = include_str!("mazurka_tests.erl");

/// The temporary directories that there are.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary directories of all programs: for a command that ends without dropping them.
pub fn remove_temporary_directories() {
    for directory in TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = std::fs::remove_dir_all(directory);
    }
}

/// Where modules are compiled to: a directory that is removed in the end.
#[derive(Debug)]
pub(super) struct Compiled(PathBuf);

impl Compiled {
    /// Creates a directory.
    fn new() -> Result<Self, ErlangError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mazurka-{}-{count}", std::process::id()));
        let mut all = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        std::fs::create_dir_all(&path)
            .map_err(|error| ErlangError::from(format!("{}: {error}", path.display())))?;
        all.push(path.clone());
        Ok(Compiled(path))
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The modules of a program.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    pub(super) finder: Finder,
    /// Where files were compiled to, for as long as they are needed.
    _compiled: Option<Arc<Compiled>>,
}

impl Sources {
    /// Adds the code of the modules that were given, and of another module, to a hash.
    ///
    /// Compiled modules also hold the directory that they were compiled in, which is a temporary one.
    pub(super) fn hash(&self, module: &str, hasher: &mut impl Hasher) {
        let given = self.finder.given.iter().map(|(_, path)| path.clone());
        // Of copies, it may be one of those that were given.
        let is_given = self.finder.given.iter().any(|(name, _)| name == module);
        let other = self.finder.find(module).filter(|_| !is_given);
        for path in given.chain(other) {
            let content = std::fs::read(path).unwrap_or_default();
            if let Ok(Container { atoms, code, imports, exports, literals, strings, .. }) =
                Container::read(&content)
            {
                (atoms, code, imports, exports, literals, strings).hash(hasher);
            }
        }
    }

    /// Returns the modules of copies: those of `files`, and others in their directory.
    pub(super) fn of_copies(files: &[PathBuf]) -> Sources {
        let given = files.iter().map(|file| (stem(file), file.clone())).collect();
        let directory = files.first().and_then(|file| file.parent());
        let directories: Vec<PathBuf> = directory.map(Path::to_owned).into_iter().collect();
        let left_behind = directories.iter().flat_map(|directory| copies::left_behind(directory));
        let left_behind = Arc::new(left_behind.collect());
        Sources { finder: Finder { given, directories, left_behind }, _compiled: None }
    }

    /// Finds the modules of `files`, which may be sources or compiled modules, and compiles sources.
    /// Further modules are looked for in `directories`, then in the project in the current directory,
    /// and then in the libraries of Erlang and Elixir. `with_tests` adds the module that runs tests.
    pub(super) fn find(
        files: &[PathBuf],
        directories: &[PathBuf],
        with_tests: bool,
    ) -> Result<Sources, ErlangError> {
        if let Some(missing) = directories.iter().find(|directory| !directory.is_dir()) {
            let text =
                format!("there is no directory `{}` to look for modules in", missing.display());
            return Err(text.into());
        }
        let mut all: Vec<PathBuf> = directories.iter().flat_map(|dir| layout(dir)).collect();
        if directories.is_empty() && (files.is_empty() || is_project(Path::new("."))) {
            all.extend(project());
        }
        let mut given = Vec::new();
        let mut elixir = Vec::new();
        let needs_compiler = |file: &PathBuf| extension(file) != Some("beam");
        let compiled = match with_tests || files.iter().any(needs_compiler) {
            true => Some(Arc::new(Compiled::new()?)),
            false => None,
        };
        let to =
            || compiled.as_deref().map(|compiled| compiled.0.as_path()).unwrap_or(Path::new("."));
        for file in files {
            match extension(file) {
                Some("beam") => given.push((stem(file), file.clone())),
                Some("erl") => given.push((stem(file), compile(file, to(), &all)?)),
                Some("ex" | "exs") => elixir.push(file.clone()),
                _ => {
                    let text =
                        format!("{}: not an `.erl`, `.beam`, `.ex` or `.exs` file", file.display());
                    return Err(text.into());
                }
            }
        }
        if with_tests {
            let file = to().join("mazurka_tests.erl");
            std::fs::write(&file, TESTS).map_err(|error| format!("{}: {error}", file.display()))?;
            given.push((stem(&file), compile(&file, to(), &[])?));
        }
        if !elixir.is_empty() {
            compile_elixir(&elixir, to(), &all)?;
            all.insert(0, to().to_owned());
        }
        all.extend(otp_root().map(|root| otp_directories(&root)).unwrap_or_default());
        all.extend(elixir_directories());
        let finder = Finder { given, directories: all, left_behind: Arc::default() };
        Ok(Sources { finder, _compiled: compiled })
    }
}

fn extension(file: &Path) -> Option<&str> {
    file.extension().and_then(|extension| extension.to_str())
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the directories with compiled modules in a directory that was given: itself, and those of a
/// project. Both rebar3 (`_build/default/lib`) and mix (`_build/dev/lib`) keep the modules of an
/// application in `lib/NAME/ebin`, and rebar3 keeps its tests in `lib/NAME/test`.
fn layout(directory: &Path) -> Vec<PathBuf> {
    let mut all = vec![directory.to_owned()];
    let own = directory.join("ebin");
    if own.is_dir() {
        all.push(own);
    }
    let entries = std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    let parts = entries.flat_map(|entry| ["ebin", "test"].map(|part| entry.path().join(part)));
    let mut libraries: Vec<PathBuf> = parts.filter(|path| path.is_dir()).collect();
    libraries.sort();
    all.extend(libraries);
    all
}

/// Returns whether a directory is that of a project of rebar3 or mix.
fn is_project(directory: &Path) -> bool {
    ["rebar.config", "mix.exs"].iter().any(|file| directory.join(file).is_file())
}

/// Returns the directories of the project of rebar3 or mix in the current directory.
fn project() -> Vec<PathBuf> {
    let builds = ["_build/test/lib", "_build/default/lib", "_build/dev/lib"];
    let build = builds.iter().map(Path::new).find(|build| build.is_dir());
    let mut all = build.map(layout).unwrap_or_default();
    // The tests of a project with several applications, if they belong to none of these.
    all.extend(Some(PathBuf::from("_build/test/extras/test")).filter(|path| path.is_dir()));
    all
}

/// Runs a compiler on `files`.
fn run(mut command: Command, files: &str, package: &str) -> Result<(), ErlangError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| {
        format!(
            "cannot run `{program}` to compile {files}: {error}. Install {package}, or give the \
             `.beam` file instead"
        )
    })?;
    if !output.status.success() {
        let text = format!(
            "{files} does not compile:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        return Err(text.trim_end().to_owned().into());
    }
    Ok(())
}

/// Compiles a file with the `erlc` that is found.
fn compile(file: &Path, to: &Path, directories: &[PathBuf]) -> Result<PathBuf, ErlangError> {
    let mut command = Command::new("erlc");
    command.args(["+debug_info", "-o"]).arg(to);
    for directory in directories {
        command.arg("-pa").arg(directory).arg("-I").arg(directory);
    }
    command.arg(file);
    let package = "Erlang/OTP 25 (on Debian: `apt install erlang-base`)";
    run(command, &file.display().to_string(), package)?;
    Ok(to.join(format!("{}.beam", stem(file))))
}

/// Compiles files with the `elixir` that is found. Tests need that ExUnit runs while they are compiled.
fn compile_elixir(
    files: &[PathBuf],
    to: &Path,
    directories: &[PathBuf],
) -> Result<(), ErlangError> {
    let code = "[to | files] = System.argv()
        if Enum.any?(files, &String.ends_with?(&1, \".exs\")), do: ExUnit.start(autorun: false)
        case Kernel.ParallelCompiler.compile_to_path(files, to) do
          {:ok, _, _} -> :ok
          {:error, _, _} -> System.halt(1)
        end";
    let mut command = Command::new("elixir");
    for directory in directories {
        command.arg("-pa").arg(directory);
    }
    command.arg("-e").arg(code).arg("--").arg(to).args(files);
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    run(command, &files.join(" "), "Elixir (on Debian: `apt install elixir`)")
}

/// Returns the file that a command is a link to.
fn command(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|directory| directory.join(name));
    files.find(|file| file.is_file())?.canonicalize().ok()
}

/// Where OTP is installed.
fn otp_root() -> Option<PathBuf> {
    // `erl` is a link into the installation: its `bin` is beside its `lib`.
    let root = command("erl").and_then(|erl| Some(erl.parent()?.parent()?.to_path_buf()));
    let usual = PathBuf::from("/usr/lib/erlang");
    root.filter(|root| root.join("lib").is_dir()).or_else(|| usual.is_dir().then_some(usual))
}

/// Returns the directories of Elixir's library, if Elixir is installed.
fn elixir_directories() -> Vec<PathBuf> {
    let root = command("elixir").and_then(|file| Some(file.parent()?.parent()?.join("lib")));
    let Some(root) = root else { return Vec::new() };
    let libraries = ["elixir", "logger", "ex_unit", "eex", "mix"];
    let directories = libraries.map(|library| root.join(library).join("ebin"));
    directories.into_iter().filter(|directory| directory.is_dir()).collect()
}
