//! The page of a search tree: a drawing, and a list of executions.

use std::fmt::Write;

use mazurka_core::model::Step;

use super::{Branch, End, Tree};
use crate::style::count;
use crate::svg::{COLOURS, escaped, shortened};

const COLUMN: usize = 230;
const ROW: usize = 36;
const LEFT: usize = 24;
const TOP: usize = 40;
/// The maximum length of a text beside a step.
const LONGEST: usize = 26;

const STYLE: &str = "\
:root{color-scheme:light dark;--dim:#5c6670;--line:#9aa6b4;--wrong:#b42318}
@media(prefers-color-scheme:dark){:root{--dim:#98a2ad;--line:#5c6670;--wrong:#ff8a80}}
body{font:15px/1.5 system-ui,sans-serif;margin:20px}
.scroll{overflow:auto;max-height:75vh;border:1px solid var(--line);border-radius:6px}
svg text{font:12px ui-monospace,monospace;fill:currentColor}
svg .dim{fill:var(--dim);font-size:11px}svg .wrong{fill:var(--wrong);font-weight:bold}
svg .head{font-weight:bold;font-size:14px}
svg .edge{stroke:var(--line);stroke-width:1.5;fill:none}svg .branch{stroke-dasharray:5 4}
li{margin:2px 0}code{font-family:ui-monospace,monospace}
";

/// Returns the page.
pub(super) fn page(tree: &Tree) -> String {
    let title = format!("The search tree of {}", escaped(&tree.name));
    let shown = count(tree.branches.len() as u64, "execution");
    let more = if tree.is_cut { "The search has more executions, or stopped early. " } else { "" };
    let items: String = tree.branches.iter().enumerate().map(|(n, b)| item(n, b)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title} – Mazurka</title><style>{STYLE}</style></head>\
         <body>\n<h1>{title}</h1>\n<p>{shown} of the explorer <code>{}</code>, in the order in which it \
         ran them. {more}Time runs downwards. A column has the steps that are new in its execution; the \
         steps before them are those of the column that it branches off. “Asleep” are steps that the \
         explorer skips there, because it has explored them before, and no step since then depends on \
         them.</p>\n<div class=\"scroll\" tabindex=\"0\" aria-label=\"The drawing; the list below has \
         the same\">{}</div>\n<h2>The executions</h2>\n<ol>\n{items}</ol>\n</body></html>\n",
        tree.algorithm,
        drawing(tree)
    )
}

fn drawing(tree: &Tree) -> String {
    let longest = tree.branches.iter().map(|branch| branch.schedule.steps().len()).max();
    let width = LEFT + COLUMN * tree.branches.len().max(1);
    let height = TOP + ROW * (longest.unwrap_or(0) + 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 \
         {width} {height}\" aria-hidden=\"true\">\n"
    );
    for (number, branch) in tree.branches.iter().enumerate() {
        draw_edges(&mut svg, number, branch);
    }
    for (number, branch) in tree.branches.iter().enumerate() {
        draw_steps(&mut svg, number, branch);
    }
    svg + "</svg>"
}

fn x(column: usize) -> usize {
    LEFT + COLUMN * column
}

/// Returns the height of the node after this many steps.
fn y(steps: usize) -> usize {
    TOP + ROW * steps
}

fn draw_edges(svg: &mut String, number: usize, branch: &Branch) {
    let (own, top) = (x(number), y(branch.shared));
    let len = branch.schedule.steps().len();
    if number > 0 {
        let (from, middle) = (x(branch.parent), top + ROW / 2 + 6);
        let below = y(branch.shared + 1);
        let _ = writeln!(
            svg,
            "<path class=\"edge branch\" d=\"M{from} {top}V{middle}H{own}V{below}\"/>"
        );
    }
    let first = if number == 0 { 0 } else { branch.shared + 1 };
    if first < len {
        let _ = writeln!(svg, "<path class=\"edge\" d=\"M{own} {}V{}\"/>", y(first), y(len));
    }
}

/// Returns the text beside a step. If it is too long, the name of the function that a thread runs is left
/// out, as in `thread 1 (add)`.
fn label(name: &str, text: &str) -> String {
    let full = format!("{name}: {text}");
    match name.split_once(" (") {
        Some((short, _)) if full.chars().count() > LONGEST => {
            shortened(&format!("{short}: {text}"), LONGEST)
        }
        _ => shortened(&full, LONGEST),
    }
}

fn draw_steps(svg: &mut String, number: usize, branch: &Branch) {
    let own = x(number);
    let len = branch.schedule.steps().len();
    // The number stands above the first new step, between the lines of other branches.
    let head = if number == 0 { TOP - 16 } else { y(branch.shared) + 12 };
    let _ =
        writeln!(svg, "<text class=\"head\" x=\"{}\" y=\"{head}\">{}</text>", own - 4, number + 1);
    if number == 0 {
        let _ = writeln!(svg, "<circle cx=\"{own}\" cy=\"{TOP}\" r=\"4\" fill=\"currentColor\"/>");
    }
    for step in branch.shared..len {
        let colour = COLOURS[branch.process(step).index() % COLOURS.len()];
        let full = described(branch, step);
        let at = y(step + 1);
        let _ = writeln!(
            svg,
            "<g><title>{}</title><circle cx=\"{own}\" cy=\"{at}\" r=\"5\" fill=\"{colour}\"/><text \
             x=\"{}\" y=\"{}\">{}</text></g>",
            escaped(&full),
            own + 12,
            at + 4,
            escaped(&label(&branch.name(branch.process(step)), branch.text(step)))
        );
    }
    for depth in branch.shared..=len {
        let sleepers = names(branch, depth);
        let before = depth.checked_sub(1).filter(|before| *before >= branch.shared);
        let is_old = before.is_some_and(|before| names(branch, before) == sleepers);
        if sleepers.is_empty() || is_old {
            continue;
        }
        let text = escaped(&shortened(&format!("asleep: {}", sleepers.join(", ")), LONGEST + 4));
        let offset = if depth == branch.shared && number > 0 { 12 } else { 17 };
        let _ = writeln!(
            svg,
            "<text class=\"dim\" x=\"{}\" y=\"{}\">{text}</text>",
            own + if depth == branch.shared { 26 } else { 12 },
            y(depth) + offset
        );
    }
    let class = if matches!(branch.end, End::Failed(_)) { "wrong" } else { "dim" };
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
        own - 5,
        y(len) + 30,
        escaped(&ending(&branch.end))
    );
}

/// Returns the processes that are asleep after this many steps.
fn names(branch: &Branch, depth: usize) -> Vec<String> {
    let name = |step: &Step| match step.choice {
        0 => branch.name(step.process),
        choice => format!("{} (alternative {})", branch.name(step.process), choice + 1),
    };
    branch.asleep.get(depth).map_or_else(Vec::new, |set| set.iter().map(name).collect())
}

fn described(branch: &Branch, step: usize) -> String {
    let place = branch.operation(step).and_then(|line| line.place.as_ref());
    let place = place.map_or(String::new(), |place| format!(", {}:{}", place.file, place.line));
    let name = branch.name(branch.process(step));
    format!("step {}, {name}: {}{place}", step + 1, branch.text(step))
}

fn ending(end: &End) -> String {
    match end {
        End::Passed => "passes".to_owned(),
        End::Failed(kind) => format!("✗ {kind}"),
        End::Assumption => "an assumption fails".to_owned(),
        End::Redundant => "redundant: all are asleep".to_owned(),
        End::Cut => "cut short".to_owned(),
    }
}

/// Returns an entry of the list.
fn item(number: usize, branch: &Branch) -> String {
    let mut text = "<li>".to_owned();
    let code = |step: usize| {
        let name = branch.name(branch.process(step));
        format!("<code>{}</code> ({})", escaped(branch.text(step)), escaped(&name))
    };
    if number > 0 {
        let _ = write!(text, "Branches off execution {}", branch.parent + 1);
        match branch.shared {
            0 => text.push_str(" at the start. "),
            shared => {
                let _ = write!(text, " after step {shared}. ");
            }
        }
        match (branch.reversed, branch.schedule.steps().get(branch.shared)) {
            (Some((first, later)), _) => {
                let (first, later) = (code(first), code(later));
                let _ = write!(text, "Reverses a race: {first} now comes before {later}. ");
            }
            (None, Some(_)) => {
                let _ = write!(text, "Takes {} there. ", code(branch.shared));
            }
            (None, None) => {}
        }
    }
    let asleep = names(branch, branch.shared);
    if number > 0 && !asleep.is_empty() {
        let _ = write!(text, "Asleep there: {}. ", escaped(&asleep.join(", ")));
    }
    let skipped = skipped(branch);
    if skipped > 0 {
        let _ = write!(text, "Skips {} that are asleep. ", count(skipped as u64, "more step"));
    }
    let _ = writeln!(text, "{}.</li>", capitalised(&ending(&branch.end)));
    text
}

/// Returns the number of steps that are asleep after the branching point, each counted once for
/// every prefix.
fn skipped(branch: &Branch) -> usize {
    let depths = branch.shared + 1..=branch.schedule.steps().len();
    depths.filter_map(|depth| branch.asleep.get(depth)).map(Vec::len).sum()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.trim_start_matches("✗ ").chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
