//! What the source calls an object.
//!
//! An object knows where it was created. Mostly the line there says what it is assigned to, as in
//! `let counter = Arc::new(AtomicUsize::new(0));`, and `counter` is the best name for it. Where
//! the line is not that plain there is no name, rather than a wrong one; a label always wins.

use std::panic::Location as SourceLocation;
use std::path::{Path, PathBuf};

/// The name of the variable or field that is made at this place, if the source is there and
/// plain enough.
pub(crate) fn variable_at(site: &SourceLocation<'_>) -> Option<String> {
    let source = std::fs::read_to_string(find(site.file())?).ok()?;
    let line = site.line().checked_sub(1)? as usize;
    variable_in(&source, line, site.column().checked_sub(1)? as usize)
}

/// Paths in locations are relative to where the compiler was started, the root of a workspace,
/// while tests run in the directory of their package.
fn find(file: &str) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|directory| directory.join(Path::new(file))).find(|path| path.is_file())
}

fn variable_in(source: &str, line: usize, column: usize) -> Option<String> {
    let mut lines = source.lines().skip(line.saturating_sub(1));
    let above = if line > 0 { lines.next()? } else { "" };
    let before: String = lines.next()?.chars().take(column).collect();
    let name = assigned_to(&before);
    // The formatter breaks long statements after the `=`.
    let broken = || match above.trim_end().ends_with('=') {
        true => assigned_to(&format!("{} {}", above.trim(), before.trim_start())),
        false => None,
    };
    name.or_else(broken)
}

/// The name in `let name = Wrapper::new(`, `static NAME: T = `, `Struct { field: ` and the like.
fn assigned_to(before: &str) -> Option<String> {
    several(before).or_else(|| binding(before)).or_else(|| field(before))
}

/// `let (x, y) = (Wrapper::new(0), Wrapper::new(`: by position.
fn several(before: &str) -> Option<String> {
    let (pattern, values) = before.trim_start().strip_prefix("let (")?.split_once(") = ")?;
    let Part::OfTuple(position) = part(values)? else { return None };
    let name = pattern.split(',').nth(position)?.trim();
    let name = name.strip_prefix("mut ").unwrap_or(name);
    is_identifier(name).then(|| name.to_owned())
}

fn binding(before: &str) -> Option<String> {
    let statement = before.rsplit(['{', ';', '|']).next()?.trim_start();
    let keywords = ["pub ", "let ", "static ", "const ", "mut "];
    let mut rest = statement;
    while let Some(shorter) = keywords.iter().find_map(|keyword| rest.strip_prefix(keyword)) {
        rest = shorter.trim_start();
    }
    let (name, value) = rest.split_once('=')?;
    let name = name.split_once(':').map_or(name, |(name, _)| name).trim();
    (rest.len() < statement.len() && is_identifier(name)).then(|| part(value)?.of(name))?
}

fn field(before: &str) -> Option<String> {
    let start = before.rfind(['{', ',']).map_or(0, |at| at + 1);
    let (name, value) = before[start..].split_once(": ")?;
    let name = name.trim();
    is_identifier(name).then(|| part(value)?.of(name))?
}

/// Which part of a value comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// All of it but wrappers.
    Whole,
    OfTuple(usize),
    OfArray(usize),
}

impl Part {
    fn of(self, name: &str) -> Option<String> {
        Some(match self {
            Part::Whole => name.to_owned(),
            Part::OfTuple(position) => format!("{name}.{position}"),
            Part::OfArray(position) => format!("{name}[{position}]"),
        })
    }
}

/// Which part of a value comes next after the beginning of it: `Arc::new(` is followed by the
/// whole, `Arc::new((1, ` by the second of a tuple. `None` if it is not that plain.
fn part(value: &str) -> Option<Part> {
    // What was opened, and how many commas have followed.
    let mut open: Vec<(Part, usize)> = Vec::new();
    let mut word = String::new();
    for character in value.chars() {
        match character {
            '(' | '[' => {
                let is_path = word.chars().all(|c| c.is_alphanumeric() || "_:<>".contains(c));
                let kind = match (character, word.as_str()) {
                    ('(', "") => Part::OfTuple(0),
                    ('[', "" | "vec!") => Part::OfArray(0),
                    ('(', _) if is_path => Part::Whole,
                    _ => return None,
                };
                open.push((kind, 0));
                word.clear();
            }
            ')' | ']' => {
                open.pop()?;
                word.push(character);
            }
            ',' => {
                open.last_mut()?.1 += 1;
                word.clear();
            }
            '&' | ' ' if word.is_empty() => {}
            other => word.push(other),
        }
    }
    let mut found = Part::Whole;
    for (kind, commas) in open {
        found = match (found, kind, commas) {
            (found, Part::Whole, 0) => found,
            (Part::Whole, Part::OfTuple(_), position) => Part::OfTuple(position),
            (Part::Whole, Part::OfArray(_), position) => Part::OfArray(position),
            _ => return None,
        };
    }
    word.is_empty().then_some(found)
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_')
        && text != "_"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of what is created where the `@` is.
    fn name(source: &str) -> Option<String> {
        let at = source.find('@').unwrap();
        let line = source[..at].matches('\n').count();
        let column = source[..at].rsplit('\n').next().unwrap().chars().count();
        variable_in(&source.replace('@', ""), line, column)
    }

    #[test]
    fn plain_statements_have_names() {
        for (source, expected) in [
            ("    let counter = @AtomicUsize::new(0);", "counter"),
            ("let counter: Arc<AtomicUsize> = Arc::new(@AtomicUsize::new(0));", "counter"),
            ("let mut flag = Arc::new(Padded::new(@AtomicBool::new(false)));", "flag"),
            ("pub static READY: AtomicBool = @AtomicBool::new(false);", "READY"),
            ("fn new() -> Self {\n        Queue { head: @Mutex::new(1), tail }", "head"),
            ("Queue { head: Mutex::new(1), tail: Arc::new(@Mutex::new(2)) }", "tail"),
            ("        tail: @Mutex::new(2),", "tail"),
            ("let (x, y) = (@AtomicUsize::new(0), AtomicUsize::new(0));", "x"),
            ("let (x, mut y) = (A::new(f(1, 2)), Arc::new(@AtomicUsize::new(0)));", "y"),
            ("    let accounts =\n        Arc::new(@Mutex::new(1));", "accounts"),
            ("let gate = Arc::new((@Mutex::new(()), Condvar::new()));", "gate.0"),
            ("let gate = Arc::new((Mutex::new(()), @Condvar::new()));", "gate.1"),
            ("let both = [Mutex::new(0), @Mutex::new(0)];", "both[1]"),
            ("let all = vec![Arc::new(@Mutex::new(0)),", "all[0]"),
            ("mazurka::check(|| { let x = @A::new(1);", "x"),
        ] {
            assert_eq!(name(source).as_deref(), Some(expected), "{source}");
        }
    }

    #[test]
    fn others_have_none_rather_than_a_wrong_one() {
        for source in [
            "f(@Mutex::new(0))",
            "let sum = add(Mutex::new(0), @Mutex::new(0));",
            "let deep = ((1, @Mutex::new(0)), 2);",
            "let all: Vec<_> = (0..3).map(|_| @Mutex::new(0)).collect();",
            "let (x, y) = pair(@Mutex::new(0), 1);",
            "@Mutex::new(0)",
            "x == @Mutex::new(0)",
            "let _ = @Mutex::new(0);",
            "/// Example:\nlet x = 1;\n@Mutex::new(0)",
        ] {
            assert_eq!(name(source), None, "{source}");
        }
    }
}
