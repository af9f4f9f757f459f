//! An execution as a graph for Graphviz.

use std::fmt::Write;

use mazurka_core::model::Op;

use super::Details;
use crate::Report;
use crate::recording::LineKind;

/// Returns the execution of a report as a graph in the language of Graphviz. The nodes are its
/// steps, with one column for each thread. The edges are the immediate ones of happens-before; those
/// along which a value is read or a message is received have a label.
pub fn dot(report: &Report, details: &Details) -> String {
    let mut text = format!(
        "digraph {} {{\n  rankdir=TB;\n  node [shape=box, fontname=\"monospace\", fontsize=11];\n  \
         edge [fontsize=10];\n",
        quoted(&report.name)
    );
    let operations = || {
        let lines = report.recording.lines.iter();
        lines.filter(|line| line.kind == LineKind::Operation)
    };
    for (thread, name) in report.threads.iter().enumerate() {
        let own: Vec<_> = operations().filter(|line| line.process.index() == thread).collect();
        if own.is_empty() {
            continue;
        }
        let _ = writeln!(text, "  subgraph cluster_{thread} {{\n    label={};", quoted(name));
        for line in own {
            let label = format!("{}: {}", line.step + 1, line.text);
            let _ = writeln!(text, "    s{} [label={}];", line.step + 1, quoted(&label));
        }
        text.push_str("  }\n");
    }
    for (step, effects) in details.steps.iter().enumerate() {
        for &before in &effects.before {
            let label = match (reads_from(details, before, step), receives(details, before, step)) {
                (_, true) => " [label=\"message\"]",
                (true, _) => " [label=\"reads\"]",
                (false, false) => "",
            };
            let _ = writeln!(text, "  s{} -> s{}{label};", before + 1, step + 1);
        }
        // Under a memory model, a read need not happen after the write that it reads from.
        let sources = effects.reads_from.iter().flatten();
        for source in sources.filter(|source| !effects.before.contains(source)) {
            let (source, step) = (source + 1, step + 1);
            let _ = writeln!(text, "  s{source} -> s{step} [label=\"reads\", style=dashed];");
        }
    }
    text.push_str("}\n");
    text
}

/// Returns whether `step` reads from `before`: without a memory model, whether `before` has changed the
/// location last.
pub(super) fn reads_from(details: &Details, before: usize, step: usize) -> bool {
    if let Some(sources) = &details.steps[step].reads_from {
        return sources.contains(&before);
    }
    let reads = details.steps[step]
        .actions
        .iter()
        .filter(|action| matches!(action.op, Op::Read | Op::Update));
    reads.into_iter().any(|read| {
        let changes = |step: &usize| {
            let mut actions = details.steps[*step].actions.iter();
            actions.any(|a| a.on == read.on && matches!(a.op, Op::Write | Op::Update | Op::Add))
        };
        (0..step).rev().find(changes) == Some(before)
    })
}

/// Returns whether `step` receives a message that `before` has sent.
pub(super) fn receives(details: &Details, before: usize, step: usize) -> bool {
    details.steps[step].actions.iter().any(|receive| {
        details.steps[before].actions.iter().any(|send| {
            receive.on == send.on
                && match (send.op, receive.op) {
                    (Op::Send { number: a, .. }, Op::Receive { number: b }) => a == b,
                    (Op::Deliver { message: a }, Op::Take { message: b })
                    | (Op::Post { message: a }, Op::Dequeue { message: b }) => a == b,
                    _ => false,
                }
        })
    })
}

/// Returns a text as a string of Graphviz.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
