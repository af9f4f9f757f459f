//! Running the commands of `console` blocks.
//!
//! A line that starts with `$ ` is a command, and the lines up to the next one are what it prints, on
//! standard output and standard error. A line `…` stands for any number of lines. A command after
//! which nothing is shown may print anything. The commands of a block share one shell, which starts
//! in the root of the workspace.
//!
//! A command must succeed. `mazurka` may also end with 1, a violation, or 3, a bound; the example
//! `failing` panics.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::process::Command as Process;

use crate::markdown::Block;

/// A command, and what the page says that it prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The command.
    pub text: String,
    /// The lines that it prints; none if the page does not say.
    pub shown: Vec<String>,
}

/// What a command did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The lines that it printed.
    pub printed: Vec<String>,
    /// Its exit code.
    pub code: i32,
}

/// Returns the commands of a block.
///
/// ```
/// # let page = "```console\n$ mazurka --version\nmazurka 0.1.0\n$ true\n```\n";
/// let block = &mazurka_book::markdown::blocks(page)[0];
/// let commands = mazurka_book::console::commands(block);
/// assert_eq!(commands[0].text, "mazurka --version");
/// assert_eq!(commands[0].shown, ["mazurka 0.1.0"]);
/// assert!(commands[1].shown.is_empty());
/// ```
pub fn commands(block: &Block) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(text), _) => commands.push(Command { text: text.to_owned(), shown: Vec::new() }),
            (None, Some(command)) => command.shown.push(line.to_owned()),
            (None, None) => {}
        }
    }
    commands
}

/// Runs commands in one shell. `environment` replaces variables of the environment.
///
/// # Errors
///
/// If the shell does not start.
pub fn run(
    commands: &[Command],
    directory: &Path,
    environment: &[(&str, &str)],
) -> io::Result<Vec<Outcome>> {
    const MARK: &str = "=== the end of command ";
    let mut script = String::from("exec 2>&1\n");
    for command in commands {
        // Later commands may ask for `$?`.
        let text = &command.text;
        let _ = writeln!(script, "{text}\n__s=$?; printf '\\n{MARK}%s\\n' $__s; (exit $__s)");
    }
    let mut shell = Process::new("sh");
    shell.arg("-c").arg(script).current_dir(directory).envs(environment.iter().copied());
    let output = String::from_utf8_lossy(&shell.output()?.stdout).into_owned();
    let mut outcomes = Vec::new();
    let mut printed = Vec::new();
    for line in output.lines() {
        match line.strip_prefix(MARK) {
            Some(code) => {
                // The mark begins on a new line, which is one too many where the output ended in one.
                if printed.last().is_some_and(String::is_empty) {
                    printed.pop();
                }
                let code = code.parse().unwrap_or(-1);
                outcomes.push(Outcome { printed: std::mem::take(&mut printed), code });
            }
            None => printed.push(line.to_owned()),
        }
    }
    let lost = Outcome { printed: vec!["(the shell has ended)".to_owned()], code: -1 };
    outcomes.resize(commands.len(), lost);
    Ok(outcomes)
}

/// Returns what is wrong with the outcome of a command, if anything is.
pub fn complaint(command: &Command, outcome: &Outcome) -> Option<String> {
    let printed = outcome.printed.join("\n");
    if !succeeds(command, outcome) {
        let code = outcome.code;
        return Some(format!("`{}` ends with {code}:\n{printed}", command.text));
    }
    if matches(&command.shown, &outcome.printed) {
        return None;
    }
    let shown = command.shown.join("\n");
    Some(format!("`{}` prints\n{printed}\nand the page shows\n{shown}", command.text))
}

/// Whether a command ends as it should.
pub fn succeeds(command: &Command, outcome: &Outcome) -> bool {
    // Of several commands in a row, the last one decides.
    let text = command.text.rsplit(" && ").next().unwrap_or_default();
    let is_failing = text.contains("--example failing");
    let is_mazurka =
        text.starts_with("mazurka ") || text.starts_with("cargo run --release -p mazurka-cli ");
    match outcome.code {
        0 => true,
        1 | 3 => is_mazurka,
        // A check that fails panics.
        101 => is_failing,
        _ => false,
    }
}

/// Whether the lines that a page shows are those that were printed.
fn matches(shown: &[String], printed: &[String]) -> bool {
    if shown.is_empty() {
        return true;
    }
    fits(shown, printed)
}

fn fits(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..]))
        }
        Some((first, rest)) => match printed.split_first() {
            Some((line, others)) => same(first, line) && fits(rest, others),
            None => false,
        },
    }
}

/// Whether two lines are the same but for times and rates, and for the columns that depend on these.
fn same(shown: &str, printed: &str) -> bool {
    shown == printed || without_times(shown) == without_times(printed)
}

fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |word: &str| {
        let digits = word.trim_end_matches("/s)").trim_start_matches('(');
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
    };
    let is_second = |word: Option<&&str>| matches!(word, Some(&("s" | "s,")));
    let has_time = (1..words.len()).any(|i| is_second(words.get(i)) && is_number(words[i - 1]));
    if !has_time && words.first() != Some(&"explorer") {
        return line.to_owned();
    }
    let blank = |i: usize| {
        let beside = is_second(words.get(i + 1)) || (i > 0 && is_second(words.get(i - 1)));
        if beside && is_number(words[i]) { "#" } else { words[i] }
    };
    (0..words.len()).map(blank).collect::<Vec<_>>().join(" ")
}

/// Returns a block with what its commands have printed, in the place of what it shows. Lines that
/// differ only in a time stay as they are, and so does whatever fits.
pub fn updated(commands: &[Command], outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for (command, outcome) in commands.iter().zip(outcomes) {
        let _ = writeln!(text, "$ {}", command.text);
        let lines = match matches(&command.shown, &outcome.printed) {
            true => &command.shown,
            false => &outcome.printed,
        };
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn times_may_differ() {
        let shown = lines("a.c: 2 executions, and all are fine (observers, 0.000 s, 26,079/s)");
        let printed = lines("a.c: 2 executions, and all are fine (observers, 1.250 s, 2/s)");
        assert!(matches(&shown, &printed));
        let other = lines("a.c: 3 executions, and all are fine (observers, 1.250 s, 2/s)");
        assert!(!matches(&shown, &other));
    }

    #[test]
    fn columns_may_be_wider() {
        let shown =
            lines("explorer  executions     time  per second\noptimal  922  0.032 s  28,727  fine");
        let printed =
            lines("explorer   executions   time  per second\noptimal  922  10.001 s  7  fine");
        assert!(matches(&shown, &printed));
    }

    #[test]
    fn an_ellipsis_stands_for_any_lines() {
        assert!(matches(&lines("a\n…\nd"), &lines("a\nb\nc\nd")));
        assert!(matches(&lines("…"), &lines("")));
        assert!(!matches(&lines("a\n…\nd"), &lines("a\nb\nc")));
    }

    #[test]
    fn the_commands_of_a_block_share_a_shell() {
        let text = "$ (exit 3)\n$ echo $?\n3\n";
        let page = format!("```console\n{text}```\n");
        let commands = commands(&crate::markdown::blocks(&page)[0]);
        let outcomes = run(&commands, Path::new("."), &[]).unwrap();
        assert_eq!(outcomes[0].code, 3);
        assert_eq!(outcomes[1].printed, ["3"]);
        assert_eq!(updated(&commands, &outcomes), text);
    }
}
