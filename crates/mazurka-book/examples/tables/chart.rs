//! Charts of published and measured numbers, on logarithmic axes.

use std::fmt::Write;

use crate::markdown::explorer;
use crate::measure::{Line, Outcome};

const STYLE: &str = ".page{fill:#fbfbf9}.text{fill:#1c2530}.dim{fill:#66717f}.grid{stroke:#b8c2cf}\
    .between{stroke:#4a6a94;stroke-width:1.5}.own{fill:#2f5586}.other{fill:#fbfbf9;stroke:#b3261e;\
    stroke-width:1.5}text{font:12px system-ui,sans-serif}@media(prefers-color-scheme:dark){.page{fill:\
    #1b2129}.text{fill:#e3e8ee}.dim{fill:#9aa6b4}.grid{stroke:#465365}.between{stroke:#86a9d6}.own{\
    fill:#9dbfeb}.other{fill:#1b2129;stroke:#ff8a80}}";
/// The width of the names, and of each of the two panels.
const NAMES: f64 = 250.0;
const PANEL: f64 = 300.0;
const GAP: f64 = 30.0;
const ROW: f64 = 18.0;
const TOP: f64 = 52.0;

/// A published and a measured number.
type Pair = (Option<f64>, Option<f64>);

/// Returns a chart of a table: executions on the left, seconds on the right.
pub(crate) fn chart(title: &str, lines: &[Line<'_>]) -> String {
    let lines: Vec<&Line<'_>> = lines.iter().filter(|line| is_shown(line)).collect();
    let height = TOP + ROW * lines.len() as f64 + 30.0;
    let width = NAMES + 2.0 * (PANEL + GAP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n\
         <circle class=\"other\" cx=\"16\" cy=\"16\" r=\"4\"/><text class=\"text\" x=\"26\" y=\"20\">\
         published</text><circle class=\"own\" cx=\"106\" cy=\"16\" r=\"4\"/><text class=\"text\" \
         x=\"116\" y=\"20\">Mazurka</text>\n",
        escaped(title)
    );
    let mut last = "";
    for (index, line) in lines.iter().enumerate() {
        let y = TOP + ROW * index as f64 + 12.0;
        if line.row.name != last {
            let name = escaped(&line.row.name);
            let _ = writeln!(svg, "<text class=\"text\" x=\"12\" y=\"{y}\">{name}</text>");
        }
        last = &line.row.name;
        let name = escaped(&explorer(&line.published).replace('`', ""));
        let right = NAMES - 8.0;
        let _ = writeln!(
            svg,
            "<text class=\"dim\" x=\"{right}\" y=\"{y}\" text-anchor=\"end\">{name}</text>"
        );
    }
    let executions: Vec<Pair> = lines.iter().map(|line| of_executions(line)).collect();
    let seconds: Vec<Pair> = lines.iter().map(|line| of_seconds(line)).collect();
    panel(&mut svg, "executions", NAMES, &executions);
    panel(&mut svg, "seconds", NAMES + PANEL + GAP, &seconds);
    svg + "</svg>\n"
}

/// Returns whether there is something to compare with.
fn is_shown(line: &Line<'_>) -> bool {
    line.published.executions.is_some() || matches!(line.outcome, Outcome::Ran(_))
}

fn of_executions(line: &Line<'_>) -> Pair {
    let own = match &line.outcome {
        Outcome::Ran(run) if run.complete => Some((run.executions + run.blocked) as f64),
        _ => None,
    };
    (line.published.executions.map(|number| (number + line.published.blocked) as f64), own)
}

fn of_seconds(line: &Line<'_>) -> Pair {
    let own = match &line.outcome {
        Outcome::Ran(run) if run.complete => run.seconds,
        _ => None,
    };
    (line.published.seconds.or(line.published.below_seconds), own)
}

/// Draws one panel, with its left edge at `left`.
fn panel(svg: &mut String, title: &str, left: f64, pairs: &[Pair]) {
    // A run of less than a millisecond is shown as one.
    let level = |number: f64| number.max(1e-3).log10();
    let levels = || pairs.iter().flat_map(|(a, b)| [*a, *b]).flatten().map(level);
    let low = levels().fold(f64::INFINITY, f64::min).floor();
    let high = levels().fold(f64::NEG_INFINITY, f64::max).ceil();
    if low > high {
        return;
    }
    let high = high.max(low + 1.0);
    let x = |number: f64| left + (level(number) - low) / (high - low) * PANEL;
    let bottom = TOP + ROW * pairs.len() as f64 + 4.0;
    let _ = writeln!(svg, "<text class=\"text\" x=\"{left}\" y=\"38\">{title}</text>");
    let every = (((high - low) / 6.0).ceil() as i32).max(1);
    for power in (low as i32..=high as i32).step_by(every as usize) {
        let at = x(10f64.powi(power));
        let label = match power {
            -3..=3 => format!("{}", 10f64.powi(power)),
            _ => format!("10^{power}"),
        };
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{at:.1} {TOP}V{bottom}\"/><text class=\"dim\" x=\"{at:.1}\" \
             y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 16.0
        );
    }
    for (index, (published, own)) in pairs.iter().enumerate() {
        let y = TOP + ROW * index as f64 + 8.0;
        if let (Some(published), Some(own)) = (published, own) {
            let (from, to) = (x(*published), x(*own));
            let _ = writeln!(svg, "<path class=\"between\" d=\"M{from:.1} {y}H{to:.1}\"/>");
        }
        for (number, class, radius) in [(published, "other", 4.5), (own, "own", 3.0)] {
            if let Some(number) = number {
                let at = x(*number);
                let _ = writeln!(
                    svg,
                    "<circle class=\"{class}\" cx=\"{at:.1}\" cy=\"{y}\" r=\"{radius}\"/>"
                );
            }
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
