//! The page of `mazurka compare --html`: charts on logarithmic axes, and the table.

use std::fmt::Write;

use crate::compare::Compared;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 20.0;
const COLOURS: [&str; 8] =
    ["#1d6fd8", "#b42318", "#17803d", "#8a5a00", "#7a3fb0", "#0e7c86", "#a8326f", "#555c66"];

const STYLE: &str = ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;\
    margin:24px;max-width:1200px}svg{max-width:100%;height:auto;margin-right:20px}text{fill:\
    currentColor;font-size:12px}.grid{stroke:currentColor;opacity:.15}pre{overflow-x:auto}";

/// Returns a page with a chart of executions, a chart of time, and the table.
pub(crate) fn page(
    title: &str,
    parameter: Option<&str>,
    compared: &[Compared],
    table: &str,
) -> String {
    let executions =
        |run: &Compared| (run.outcome.verdict.executions + run.outcome.verdict.blocked) as f64;
    let seconds = |run: &Compared| run.outcome.verdict.elapsed.as_secs_f64();
    let charts = [
        chart("executions", parameter, compared, executions),
        chart("seconds", parameter, compared, seconds),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title} – Mazurka</title><style>{STYLE}</style></head>\
         <body><h1>{title}</h1>\n{}\n<pre>{}</pre></body></html>\n",
        charts.join("\n"),
        escape(table),
        title = escape(title)
    )
}

/// Returns a chart with one line for each explorer. The vertical axis is logarithmic.
fn chart(
    title: &str,
    parameter: Option<&str>,
    compared: &[Compared],
    measure: impl Fn(&Compared) -> f64,
) -> String {
    // The logarithm of 0 does not exist.
    let level = |run: &Compared| measure(run).max(1e-6).log10();
    let x_of = |run: &Compared| run.value.unwrap_or_default() as f64;
    let bounds = |values: &dyn Fn(&Compared) -> f64| {
        let all = compared.iter().map(values);
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    };
    let (first, last) = bounds(&x_of);
    let (low, high) = bounds(&level);
    let (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
    let x = |value: f64| {
        let share = if last > first { (value - first) / (last - first) } else { 0.5 };
        LEFT + share * (WIDTH - LEFT - 120.0)
    };
    let y = |level: f64| TOP + (high - level) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"{title}\">"
    );
    let _ = write!(svg, "<text x=\"4\" y=\"14\">{title}</text>");
    for power in low as i32..=high as i32 {
        let at = y(f64::from(power));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - 120.0,
            LEFT - 6.0,
            at + 4.0,
            power_of_ten(power)
        );
    }
    let mut values: Vec<i64> = compared.iter().filter_map(|run| run.value).collect();
    values.dedup();
    for value in &values {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
            x(*value as f64),
            HEIGHT - BOTTOM + 18.0
        );
    }
    if let Some(name) = parameter {
        let (at, below) = (x((first + last) / 2.0), HEIGHT - 4.0);
        let _ = write!(
            svg,
            "<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{}</text>",
            escape(name)
        );
    }
    let mut algorithms: Vec<_> = Vec::new();
    for run in compared {
        if !algorithms.contains(&run.outcome.verdict.algorithm) {
            algorithms.push(run.outcome.verdict.algorithm);
        }
    }
    for (index, algorithm) in algorithms.into_iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let own: Vec<(f64, f64)> = compared
            .iter()
            .filter(|run| run.outcome.verdict.algorithm == algorithm)
            .map(|run| (x(x_of(run)), y(level(run))))
            .collect();
        let points: Vec<String> = own.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            points.join(" ")
        );
        for (x, y) in &own {
            let _ = write!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let at = TOP + 16.0 * index as f64 + 8.0;
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{at:.1}\" style=\"fill:{colour}\">● {algorithm}</text>",
            WIDTH - 112.0
        );
    }
    svg + "</svg>"
}

/// Returns a power of ten as people write it.
fn power_of_ten(power: i32) -> String {
    match power {
        -3..=6 => format!("{}", 10f64.powi(power)),
        _ => format!("1e{power}"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
