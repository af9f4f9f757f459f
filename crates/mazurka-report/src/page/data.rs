//! The data of a page, as JSON.
//!
//! The page is for tests of Rust programs, too, which do not need a JSON library for anything else.
//! What is written here is little, so it is written by hand.

use std::collections::{BTreeMap, BTreeSet};

use mazurka_core::model::{Action, Op};

use super::{Details, Entry};
use crate::recording::{Line, LineKind};
use crate::rows;
use crate::{Recording, Report};

/// The maximum size of a source file that the page contains.
const LARGEST_SOURCE: u64 = 1 << 20;

/// Returns a text as a JSON string that can be part of an HTML page.
pub(super) fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            // `</script>` and `<!--` have a meaning in a page.
            '<' => quoted.push_str("\\u003c"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// Returns an optional number.
fn number(value: Option<usize>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

/// Returns everything that the page shows.
pub(super) fn page(title: &str, summary: &str, entries: &[Entry<'_>]) -> String {
    let mut files: Vec<&str> = Vec::new();
    let executions = |entry: &Entry<'_>| entry.passing.map(|(report, _)| report.clone());
    let passing: Vec<Option<Report>> = entries.iter().map(executions).collect();
    let all = entries.iter().map(|entry| entry.report).chain(passing.iter().flatten());
    let mut known = BTreeSet::new();
    for line in all.flat_map(|report| &report.recording.lines) {
        if let Some(place) = &line.place
            && known.insert(place.file.as_str())
        {
            files.push(&place.file);
        }
    }
    let entries = entries.iter().map(|entry| violation(entry, &files));
    format!(
        "{{\"title\":{},\"summary\":{},\"violations\":{},\"files\":{}}}",
        string(title),
        string(summary),
        list(entries),
        list(files.iter().map(|file| source(file)))
    )
}

/// Returns a source file with its text, if that can be read.
fn source(file: &str) -> String {
    let size = std::fs::metadata(file).map(|data| data.len());
    let text = match size {
        Ok(size) if size <= LARGEST_SOURCE => std::fs::read_to_string(file).ok(),
        _ => None,
    };
    let text = text.map_or("null".to_owned(), |text| string(&text));
    format!("{{\"name\":{},\"text\":{text}}}", string(file))
}

fn violation(entry: &Entry<'_>, files: &[&str]) -> String {
    let report = entry.report;
    let violation = report.violation.as_ref();
    let kind = violation.map_or(String::new(), |violation| violation.kind.to_string());
    let message = violation.map_or("", |violation| violation.message.as_str());
    let passing = entry
        .passing
        .map_or("null".to_owned(), |(report, details)| execution(report, details, files, &[]));
    format!(
        "{{\"name\":{},\"kind\":{},\"message\":{},\"why\":{},\"warning\":{},\"replay\":{},\
         \"output\":{},\"failing\":{},\"passing\":{passing}}}",
        string(&report.name),
        string(&kind),
        string(message),
        string(entry.why),
        entry.is_warning,
        string(&report.replay_command()),
        string(&report.recording.output),
        execution(report, entry.details, files, entry.decisive),
    )
}

fn execution(report: &Report, details: &Details, files: &[&str], decisive: &[usize]) -> String {
    let recording = &report.recording;
    let rows = rows::rows(recording, report.violation.as_ref());
    let lines = recording.lines.iter().zip(&rows).map(|(line, row)| {
        let place = line.place.as_ref();
        let file = place.and_then(|place| files.iter().position(|file| *file == place.file));
        let is_decisive = line.kind == LineKind::Operation && decisive.contains(&line.step);
        format!(
            "{{\"p\":{},\"t\":{},\"k\":{},\"s\":{},\"f\":{},\"l\":{},\"x\":{},\"d\":{}}}",
            line.process.index(),
            string(&line.text),
            string(kind(line.kind)),
            line.step,
            number(file),
            place.map_or(0, |place| place.line),
            row.failing,
            is_decisive,
        )
    });
    let names = Names::of(recording, details);
    let effects = details.steps.iter().enumerate().map(|(step, effects)| {
        let line = operation(recording, step);
        let alone = effects.actions.len() == 1;
        let actions = effects.actions.iter().filter(|action| action.op != Op::Fence);
        let actions = actions.map(|action| {
            let is_in_text = alone || message(action).is_some();
            let text = line.filter(|_| is_in_text).map(|line| line.text.as_str());
            format!(
                "[{},{},{},{}]",
                names.number(action),
                string(if effects.is_old { "old" } else { operation_name(action) }),
                string(&value(action, text)),
                message(action).map_or("null".to_owned(), |message| message.to_string())
            )
        });
        let sources = effects
            .reads_from
            .as_ref()
            .map_or("null".to_owned(), |sources| list(sources.iter().map(ToString::to_string)));
        let edges = effects.edges.iter().map(|e| format!("[{},{}]", e.from.index(), e.to.index()));
        let waiting = effects.waiting.iter();
        let waiting = waiting
            .map(|(process, action)| format!("[{},{}]", process.index(), names.number(action)));
        format!(
            "{{\"a\":{},\"r\":{},\"e\":{},\"b\":{},\"w\":{}}}",
            list(actions),
            sources,
            list(edges),
            list(effects.before.iter().map(ToString::to_string)),
            list(waiting)
        )
    });
    let effects: Vec<String> = effects.collect();
    format!(
        "{{\"word\":{},\"threads\":{},\"objects\":{},\"lines\":{},\"steps\":{}}}",
        string(recording.words.process),
        list(report.threads.iter().map(|name| string(name))),
        list(names.names.iter().map(|(name, kind)| format!("[{},{}]", string(name), string(kind)))),
        list(lines),
        list(effects)
    )
}

fn kind(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Operation => "operation",
        LineKind::Spawn(_) => "spawn",
        LineKind::Local => "local",
        LineKind::Failure => "failure",
        LineKind::End => "end",
        LineKind::Stuck => "stuck",
    }
}

/// Returns the line of the operation of a step.
fn operation(recording: &Recording, step: usize) -> Option<&Line> {
    // Lines are in the order of steps.
    let from = recording.lines.partition_point(|line| line.step < step);
    let own = recording.lines[from..].iter().take_while(|line| line.step == step);
    own.filter(|line| line.kind == LineKind::Operation).last()
}

/// Returns what an action does to its object.
fn operation_name(action: &Action) -> &'static str {
    match action.op {
        Op::Read | Op::ReadPart => "read",
        Op::Write | Op::WritePart | Op::CoverPart | Op::LifePart => "write",
        Op::Update | Op::Add if action.waits => "lock",
        Op::Update | Op::Add => "update",
        Op::Send { .. } | Op::Deliver { .. } | Op::Post { .. } => "send",
        Op::Receive { .. } | Op::Take { .. } | Op::Dequeue { .. } => "receive",
        Op::ReceiveNone | Op::SendNone | Op::TakeNone | Op::Miss { .. } => "nothing",
        Op::Hangup | Op::Close => "close",
        Op::Forgone(_) | Op::Fence => "none",
    }
}

/// Returns the message that an action sends or receives.
fn message(action: &Action) -> Option<u32> {
    match action.op {
        Op::Send { number, .. } | Op::Receive { number } => Some(number),
        Op::Deliver { message } | Op::Take { message } | Op::Post { message } => Some(message),
        Op::Dequeue { message } => Some(message),
        _ => None,
    }
}

/// Returns the value of the object after an action. The text of a load or a store has it as the
/// program sees it.
fn value(action: &Action, text: Option<&str>) -> String {
    let seen = match action.op {
        Op::Read => text.and_then(|text| text.rsplit_once(" → ")),
        Op::Write => text.and_then(|text| text.rsplit_once(" = ")),
        _ if message(action).is_some() => {
            let number = message(action).unwrap_or_default();
            return text.and_then(sent).unwrap_or_else(|| format!("message {number}"));
        }
        _ => None,
    };
    seen.map_or_else(|| action.after.to_string(), |(_, value)| value.to_owned())
}

/// Returns the message in the text of a send: `pid ! message`, `sender.send(message)`.
fn sent(text: &str) -> Option<String> {
    let message = match text.split_once(" ! ") {
        Some((_, message)) => message,
        None => text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'))?,
    };
    (!message.is_empty()).then(|| message.to_owned())
}

/// The objects of an execution: their names and kinds.
struct Names {
    numbers: BTreeMap<(u32, u32), usize>,
    names: Vec<(String, &'static str)>,
}

impl Names {
    fn of(recording: &Recording, details: &Details) -> Self {
        let mut names = Names { numbers: BTreeMap::new(), names: Vec::new() };
        for (step, effects) in details.steps.iter().enumerate() {
            let line = operation(recording, step);
            for (index, action) in effects.actions.iter().enumerate() {
                // The action of the operation comes first. A receive does not name its mailbox.
                let is_named = index == 0 && operation_name(action) != "receive";
                let name = line.filter(|_| is_named).map(named);
                names.add(action, name);
            }
            effects.waiting.iter().for_each(|(_, action)| names.add(action, None));
        }
        names
    }

    fn add(&mut self, action: &Action, name: Option<String>) {
        if action.op == Op::Fence {
            return;
        }
        let next = self.names.len();
        let key = (action.on.object.0, action.on.start);
        let number = *self.numbers.entry(key).or_insert(next);
        let kind = kind_of(action);
        if number == next {
            let name = name.unwrap_or_default();
            self.names.push((name, kind));
            return;
        }
        let known = &mut self.names[number];
        if let Some(name) = name.filter(|_| known.0.is_empty()) {
            known.0 = name;
        }
        if kind != "variable" {
            known.1 = kind;
        }
    }

    fn number(&self, action: &Action) -> usize {
        let key = (action.on.object.0, action.on.start);
        self.numbers.get(&key).copied().unwrap_or_default()
    }
}

fn kind_of(action: &Action) -> &'static str {
    match action.op {
        op if !op.is_memory() => "queue",
        Op::Update if action.waits => "lock",
        _ => "variable",
    }
}

/// Returns the name of the location in the text of an operation. The text may name a part of the
/// object, such as `account.lock`.
fn named(line: &Line) -> String {
    let text = in_text(&line.text);
    let object = line.object.as_deref().and_then(|object| object.strip_prefix('`'));
    match object.and_then(|rest| rest.split('`').next()) {
        Some(object) if !text.starts_with(object) => object.to_owned(),
        _ => text,
    }
}

fn in_text(text: &str) -> String {
    let text = text.split([' ', '=']).next().unwrap_or(text);
    match text.split_once('(') {
        // `counter.load()`
        Some((before, _)) if before.contains('.') => {
            before.rsplit_once('.').map_or(before, |(object, _)| object).to_owned()
        }
        // `lock(mutex)`, or `fetch_add(x: 1 → 2)`
        Some((_, inside)) => {
            let name = inside.split([',', ')']).next().unwrap_or(inside);
            name.trim_end_matches(':').to_owned()
        }
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mazurka_core::model::ProcessId;

    #[test]
    fn strings_fit_into_a_page() {
        assert_eq!(string("a\"\\\n</script>\u{1}"), r#""a\"\\\n\u003c/script>\u0001""#);
    }

    #[test]
    fn messages_are_those_of_sends() {
        assert_eq!(sent("<P.1> ! {get,<P>}").as_deref(), Some("{get,<P>}"));
        assert_eq!(sent("sender.send(5)").as_deref(), Some("5"));
        assert_eq!(sent("'ui'.post()"), None);
    }

    #[test]
    fn objects_have_the_names_of_the_source() {
        let name = |text: &str| {
            named(&Line {
                process: ProcessId::MAIN,
                place: None,
                text: text.to_owned(),
                kind: LineKind::Operation,
                step: 0,
                object: None,
            })
        };
        for (text, expected) in [
            ("counter.load() → 1", "counter"),
            ("balance → 100", "balance"),
            ("balance = 150", "balance"),
            ("lock(checking.lock)", "checking.lock"),
            ("fetch_add(x, 1) → 0", "x"),
            ("fetch_add(x: 1 → 2)", "x"),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
    }
}
