//! The file `compile_commands.json`: how the files of a project are compiled.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use mazurka_llvm::compile::Unit;
use serde::Deserialize;

use crate::Complaint;

/// The command for one file. Either `arguments` or `command` is given.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Returns the C and C++ files of a project. `path` is a `compile_commands.json` or its directory.
pub(crate) fn read(path: &Path) -> Result<Vec<Unit>, Complaint> {
    let file = match path.is_dir() {
        true => path.join("compile_commands.json"),
        false => path.to_owned(),
    };
    let text = std::fs::read_to_string(&file).map_err(|error| {
        format!(
            "{} cannot be read: {error}. CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, and \
             `bear -- make` for a makefile",
            file.display()
        )
    })?;
    units(&text, path).map_err(|error| format!("{}: {error}", file.display()))
}

fn units(text: &str, path: &Path) -> Result<Vec<Unit>, String> {
    let entries: Vec<Entry> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let base = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let base = std::path::absolute(base).map_err(|error| error.to_string())?;
    let mut units: Vec<Unit> = Vec::new();
    for entry in entries {
        let arguments = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => words(&command),
            (None, None) => {
                return Err(format!(
                    "the entry of {} has neither `arguments` nor `command`",
                    entry.file.display()
                ));
            }
        };
        let arguments: Vec<OsString> = arguments.into_iter().map(OsString::from).collect();
        let unit = Unit::new(entry.file, base.join(entry.directory), arguments);
        // A file may be compiled several times, with different flags. The first command counts.
        let is_known = units.iter().any(|known| known.path() == unit.path());
        if !is_known && crate::front_end::is_source(&unit.file) {
            units.push(unit);
        }
    }
    Ok(units)
}

/// Splits a command into words as a shell does, without its substitutions.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            // Within double quotes, a backslash is for these letters alone.
            (Some('"'), '\\') if letters.peek().is_some_and(|next| "\"\\$`".contains(*next)) => {
                word.get_or_insert_default().extend(letters.next());
            }
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_by_a_shell() {
        let command = r#"cc -DA=\"x\" '-DB=a b' "-DC=\"d\n\"" -I../my\ dir '' a.c"#;
        let expected = ["cc", "-DA=\"x\"", "-DB=a b", "-DC=\"d\\n\"", "-I../my dir", "", "a.c"];
        assert_eq!(words(command), expected);
    }

    #[test]
    fn entries_have_arguments_or_a_command() {
        let text = r#"[
            {"directory": "/p/build", "file": "../a.c", "command": "cc -DN -c ../a.c -o a.o"},
            {"directory": "/p/build", "file": "../a.c", "command": "cc -DM -c ../a.c -o b.o"},
            {"directory": "b", "file": "b.cpp", "arguments": ["c++", "-c", "b.cpp"], "output": "b.o"},
            {"directory": "b", "file": "c.s", "command": "as c.s"}
        ]"#;
        let units = units(text, Path::new("/p/compile_commands.json")).unwrap();
        let flags: Vec<_> = units.iter().map(|unit| unit.flags.clone()).collect();
        assert_eq!(flags, [vec![OsString::from("-DN")], vec![]]);
        assert_eq!(units[1].directory, Path::new("/p/b"));
        let text = r#"[{"directory": "/p", "file": "a.c"}]"#;
        assert!(super::units(text, Path::new("/p")).unwrap_err().contains("neither `arguments`"));
    }
}
