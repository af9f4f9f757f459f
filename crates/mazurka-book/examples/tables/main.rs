//! The tables of the papers: published and measured numbers side by side.
//!
//! `cargo xtask tables` runs this program. `papers/*.toml` has the published numbers.

mod chart;
mod markdown;
mod measure;
mod published;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use measure::{Line, Outcome, Setting};
use published::Paper;

const HELP: &str = "\
Runs the rows of the papers' tables, and prints published and measured numbers side by side.

Usage: cargo xtask tables [FILTER]... [OPTIONS]

A row is run if its name, or that of its paper, contains one of the filters.

Options:
  --recordings DIR  the recordings of Android applications, which are not in this repository
  --seconds N       the time limit of a run [default: 60]
  --command FILE    the command to run [default: target/release/mazurka, which is built first]
  --html FILE       write a page with the tables and their charts
  --counts          leave out the times of Mazurka, which mean nothing on a busy machine
  --update          write docs/tables.md and its charts instead of printing
  -h, --help        print this
";

struct Arguments {
    filters: Vec<String>,
    html: Option<PathBuf>,
    update: bool,
    setting: Setting,
}

/// A table with its chart.
struct Shown {
    title: String,
    /// The name of the file of the chart.
    file: String,
    about: String,
    table: String,
    chart: Option<String>,
}

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--help" || word == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failed) => {
            eprintln!("error: {failed} runs failed; the tables say why");
            ExitCode::FAILURE
        }
        Err(message) => {
            eprint!("error: {message}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let root = mazurka_book::root();
    let command = root.join("target/release/mazurka");
    let mut arguments = Arguments {
        filters: Vec::new(),
        html: None,
        update: false,
        setting: Setting { command, root, recordings: None, seconds: 60, has_times: true },
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("`{word}` needs a value"));
        match word.as_str() {
            "--recordings" => arguments.setting.recordings = Some(value()?.into()),
            "--command" => arguments.setting.command = value()?.into(),
            "--html" => arguments.html = Some(value()?.into()),
            "--update" => arguments.update = true,
            "--counts" => arguments.setting.has_times = false,
            "--seconds" => {
                let text = value()?;
                let number = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
                arguments.setting.seconds = number;
            }
            _ if word.starts_with('-') => return Err(format!("there is no option `{word}`")),
            _ => arguments.filters.push(word.to_lowercase()),
        }
    }
    if arguments.update && !arguments.filters.is_empty() {
        return Err("--update needs all rows: leave out the filters".to_owned());
    }
    if arguments.update && arguments.setting.recordings.is_none() {
        return Err("--update needs all rows: add --recordings".to_owned());
    }
    let command = &arguments.setting.command;
    if !command.exists() {
        return Err(format!("there is no {}", command.display()));
    }
    Ok(arguments)
}

/// Runs all rows. Returns the number of runs that failed.
fn run(arguments: &Arguments) -> Result<usize, String> {
    let papers = published::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("papers"))?;
    let (mut shown, mut failed) = (Vec::new(), 0);
    for paper in &papers {
        for table in &paper.tables {
            let is_wanted = |name: &str| {
                let name = format!("{} {name}", paper.short).to_lowercase();
                arguments.filters.is_empty() || arguments.filters.iter().any(|f| name.contains(f))
            };
            let rows = table.rows.iter().filter(|row| is_wanted(&row.name));
            let lines: Vec<Line<'_>> = rows
                .flat_map(|row| {
                    eprintln!("{}, {}: {}", paper.short, table.name, row.name);
                    measure::lines(&arguments.setting, table, row)
                })
                .collect();
            failed += lines.iter().filter(|l| matches!(l.outcome, Outcome::Failed(_))).count();
            let title = format!("{}: {}", paper.short, table.name);
            let has_runs = table.rows.iter().any(|row| !row.runs.is_empty());
            let text = match has_runs {
                true if lines.is_empty() => continue,
                true => markdown::runs(&lines),
                false if !table.rows.iter().any(|row| is_wanted(&row.name)) => continue,
                false => markdown::recordings(&arguments.setting, &table.rows),
            };
            shown.push(Shown {
                file: title.to_lowercase().replace(": ", "-").replace(' ', "-"),
                about: table.about.clone(),
                table: text,
                chart: has_runs.then(|| chart::chart(&title, &lines)),
                title,
            });
        }
    }
    if shown.is_empty() {
        return Err("no row matches".to_owned());
    }
    if let Some(path) = &arguments.html {
        write(path, &page(&papers, &shown))?;
    }
    match arguments.update {
        true => update(&arguments.setting.root, &papers, &shown)?,
        false => print!("{}", shown.iter().map(section).collect::<String>()),
    }
    Ok(failed)
}

fn section(shown: &Shown) -> String {
    format!("## {}\n\n{}\n\n{}\n", shown.title, shown.about, shown.table)
}

/// Writes the page of the book and its charts.
fn update(root: &Path, papers: &[Paper], shown: &[Shown]) -> Result<(), String> {
    let mut text = INTRODUCTION.to_owned();
    for paper in papers {
        text.push_str(&format!("- *{}*: {}\n", paper.short, paper.paper));
    }
    let charts = root.join("docs/charts");
    fs::create_dir_all(&charts).map_err(|error| error.to_string())?;
    for table in shown {
        text.push('\n');
        text.push_str(&section(table));
        if let Some(chart) = &table.chart {
            let file = format!("{}.svg", table.file);
            write(&charts.join(&file), chart)?;
            let alt = format!("Published and measured numbers of {}", table.title);
            text.push_str(&format!("\n![{alt}](charts/{file})\n"));
        }
    }
    write(&root.join("docs/tables.md"), &text)
}

const INTRODUCTION: &str = "\
# Appendix: the tables of the papers

This page has every row of the tables in the papers that Mazurka implements, with the published numbers and those of Mazurka.
`cargo xtask tables --update --recordings DIR` writes it.

A sum such as 16 + 12 has the executions that ran to their end and those that ended early, because an assumption failed or
everything that could run was asleep. The *ratio* is Mazurka's executions by the published ones, both with those that ended
early. A number after `>` was stopped: the published one after 4 hours, Mazurka's by a time limit. Mazurka's times, if the page
has them, are CPU times without compilation; they and the published ones come from different machines, years apart. A row
without numbers of Mazurka has a remark that says why.

The papers:

";

/// Returns a page with all tables and charts.
fn page(papers: &[Paper], shown: &[Shown]) -> String {
    let mut body = "<h1>The tables of the papers</h1>\n<ul>\n".to_owned();
    for paper in papers {
        body.push_str(&format!("<li>{}: {}</li>\n", escaped(&paper.short), escaped(&paper.paper)));
    }
    body.push_str("</ul>\n");
    for table in shown {
        let (title, about) = (escaped(&table.title), inline(&table.about));
        body.push_str(&format!("<h2>{title}</h2>\n<p>{about}</p>\n"));
        body.push_str(table.chart.as_deref().unwrap_or_default());
        body.push_str(&html(&table.table));
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>The tables of the papers – Mazurka</title><style>\
         :root{{color-scheme:light dark}}body{{font:15px/1.5 system-ui,sans-serif;margin:24px}}svg{{\
         max-width:100%;height:auto}}table{{border-collapse:collapse;margin:12px 0}}td,th{{padding:1px \
         10px;text-align:left;vertical-align:top;border-bottom:1px solid #8884}}</style></head><body>\
         \n{body}</body></html>\n"
    )
}

/// Returns a table in Markdown as HTML.
fn html(table: &str) -> String {
    let cells = |line: &str, tag: &str| {
        let inner = line.trim().trim_matches('|').split('|');
        let cell = |text: &str| format!("<{tag}>{}</{tag}>", inline(text.trim()));
        format!("<tr>{}</tr>\n", inner.map(cell).collect::<String>())
    };
    let mut lines = table.lines();
    let head = lines.next().map(|line| cells(line, "th")).unwrap_or_default();
    let rows: String = lines.skip(1).map(|line| cells(line, "td")).collect();
    format!("<table>\n{head}{rows}</table>\n")
}

/// Returns a text with code in backticks as HTML.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| match index % 2 {
        0 => escaped(part).replace("\\*", "*"),
        _ => format!("<code>{}</code>", escaped(part)),
    });
    parts.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}
