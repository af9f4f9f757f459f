//! An execution as a drawing in SVG, for papers.

use std::fmt::Write;

use super::Details;
use super::dot::{reads_from, receives};
use crate::recording::LineKind;
use crate::svg::{COLOURS, escaped, shortened};
use crate::{Line, Report};

const LANE: usize = 190;
const ROW: usize = 30;
const LEFT: usize = 40;
const TOP: usize = 44;
const LONGEST: usize = 24;

const STYLE: &str = "text{font:12px ui-monospace,monospace}.name{font-weight:bold}.number{fill:#68727d}\
    .life{stroke:#c8ced6}.edge{fill:none;stroke:#7a8694;stroke-width:1.3}.reads{stroke:#1d6fd8}\
    .message{stroke:#17803d}.wrong{fill:#b42318;font-weight:bold}";

/// Returns the execution of a report as a drawing: one lane for each thread, with time downwards. The
/// arrows are the immediate ones of happens-before between threads. Blue arrows lead from the step
/// that a value is read from, green arrows from the step that sent a message.
pub fn svg(report: &Report, details: &Details) -> String {
    let is_shown = |line: &&Line| {
        matches!(line.kind, LineKind::Operation | LineKind::Failure | LineKind::Stuck)
    };
    let lines: Vec<&Line> = report.recording.lines.iter().filter(is_shown).collect();
    let width = LEFT + LANE * report.threads.len().max(1);
    let height = TOP + ROW * lines.len() + 20;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 \
         {width} {height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n<defs><marker \
         id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"context-stroke\"/></marker></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escaped(&report.name)
    );
    let x = |line: &Line| LEFT + LANE * line.process.index() + 8;
    let y = |row: usize| TOP + ROW * row + ROW / 2;
    for (thread, name) in report.threads.iter().enumerate() {
        let at = LEFT + LANE * thread + 8;
        let own = lines.iter().enumerate().filter(|(_, line)| line.process.index() == thread);
        let rows: Vec<usize> = own.map(|(row, _)| row).collect();
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            let _ = writeln!(svg, "<path class=\"life\" d=\"M{at} {}V{}\"/>", y(*first), y(*last));
        }
        let _ = writeln!(
            svg,
            "<text class=\"name\" x=\"{}\" y=\"24\">{}</text>",
            at - 4,
            escaped(&shortened(name, LONGEST))
        );
    }
    // The row of the operation of each step.
    let row_of = |step: usize| {
        lines.iter().position(|line| line.kind == LineKind::Operation && line.step == step)
    };
    for (step, effects) in details.steps.iter().enumerate() {
        // Under a memory model, a read need not happen after the write that it reads from.
        let sources = effects.reads_from.iter().flatten();
        let sources = sources.filter(|source| !effects.before.contains(source));
        for &before in effects.before.iter().chain(sources) {
            let (Some(from), Some(to)) = (row_of(before), row_of(step)) else { continue };
            if lines[from].process == lines[to].process {
                continue;
            }
            let class = match (reads_from(details, before, step), receives(details, before, step)) {
                (_, true) => "edge message",
                (true, _) => "edge reads",
                (false, false) => "edge",
            };
            let (x1, y1, x2, y2) = (x(lines[from]), y(from) + 5, x(lines[to]), y(to) - 6);
            let middle = (y1 + y2) / 2;
            let _ = writeln!(
                svg,
                "<path class=\"{class}\" marker-end=\"url(#head)\" d=\"M{x1} {y1}C{x1} {middle} {x2} \
                 {middle} {x2} {y2}\"/>"
            );
        }
    }
    for (row, line) in lines.iter().enumerate() {
        let (at, height) = (x(line), y(row));
        let text = escaped(&shortened(line.text.lines().next().unwrap_or_default(), LONGEST));
        let (below, right) = (height + 4, at + 10);
        match line.kind {
            LineKind::Operation => {
                let colour = COLOURS[line.process.index() % COLOURS.len()];
                let number = line.step + 1;
                let _ = writeln!(
                    svg,
                    "<text class=\"number\" x=\"{}\" y=\"{below}\" text-anchor=\"end\">{number}</text>\
                     <circle cx=\"{at}\" cy=\"{height}\" r=\"4.5\" fill=\"{colour}\"/><text \
                     x=\"{right}\" y=\"{below}\">{text}</text>",
                    LEFT - 14
                );
            }
            _ => {
                let _ = writeln!(
                    svg,
                    "<text class=\"wrong\" x=\"{}\" y=\"{below}\">✗ {text}</text>",
                    at - 4
                );
            }
        }
    }
    svg + "</svg>\n"
}
