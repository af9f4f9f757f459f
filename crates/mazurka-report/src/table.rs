//! Formatting of a schedule: as a table with one column per thread, or as a list if there are too
//! many threads.

use crate::fold::fold;
use crate::recording::{LineKind, Words};
use crate::rows::Row;
use crate::style::{Paint, Style, count};

/// The minimum width of a column. Below it, the schedule is a list.
const NARROWEST: usize = 14;
/// The space between two columns.
const GAP: usize = 2;
/// The width of the mark before each operation, with a space.
const MARK: usize = 2;

/// A formatted schedule.
pub(crate) struct Shown {
    pub(crate) text: String,
    /// Whether a part of it is folded.
    pub(crate) folded: bool,
}

/// Formats rows; `threads` are the names of the processes.
pub(crate) fn show(rows: &[Row], threads: &[String], words: &Words, style: &Style) -> Shown {
    let columns: Vec<usize> =
        (0..threads.len()).filter(|p| rows.iter().any(|row| row.process == *p)).collect();
    let places = rows.iter().map(|row| length(&row.place)).max().unwrap_or(0);
    let places = places.max("source".len());
    // A space, the step, and the place with two spaces before and after.
    let margin = 1 + STEP + 2 + places + 2;
    let offsets = layout(rows, threads, &columns, style.width.saturating_sub(margin));
    let painter = Painter { style, words, threads, columns: &columns, places };
    let left_out = if style.fold { fold(rows) } else { vec![false; rows.len()] };
    let mut lines = Vec::new();
    match &offsets {
        Some(offsets) => painter.table(rows, offsets, &left_out, &mut lines),
        None => painter.list(rows, &left_out, &mut lines),
    }
    let text = lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n");
    Shown { text, folded: left_out.contains(&true) }
}

/// The width of the column of step numbers.
const STEP: usize = 5;

fn length(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(length(text))))
}

/// Returns the offsets of the columns, if they fit. Since a row has only one text, the text may
/// extend over the columns to its right.
fn layout(rows: &[Row], threads: &[String], columns: &[usize], width: usize) -> Option<Vec<usize>> {
    let texts = |column: usize| rows.iter().filter(move |row| row.process == column);
    let natural: Vec<usize> = columns
        .iter()
        .map(|&column| {
            let longest = texts(column).map(|row| MARK + length(&row.text)).max().unwrap_or(0);
            longest.max(length(&threads[column])) + GAP
        })
        .collect();
    let widest = natural.iter().copied().max().unwrap_or(0).min(width);
    (NARROWEST..=widest.max(NARROWEST)).rev().find_map(|cap| {
        let mut offsets = Vec::new();
        let mut next = 0;
        for (&column, &wanted) in columns.iter().zip(&natural) {
            offsets.push(next);
            if next + wanted - GAP > width {
                return None;
            }
            next += wanted.min(cap).max(length(&threads[column]) + GAP);
        }
        Some(offsets)
    })
}

struct Painter<'a> {
    style: &'a Style,
    words: &'a Words,
    threads: &'a [String],
    /// The processes that have a column.
    columns: &'a [usize],
    places: usize,
}

impl Painter<'_> {
    fn table(&self, rows: &[Row], offsets: &[usize], left_out: &[bool], lines: &mut Vec<String>) {
        let mut heading = format!(" {:>STEP$}  {}  ", "step", pad("source", self.places));
        let margin = length(&heading);
        for (&column, offset) in self.columns.iter().zip(offsets) {
            heading = pad(&heading, margin + offset) + &self.threads[column];
        }
        lines.push(self.style.paint(Paint::Strong, &heading));
        let mut alive = vec![false; self.threads.len()];
        if let Some(first) = rows.first() {
            alive[first.process] = true;
        }
        for (index, row) in rows.iter().enumerate() {
            lines.extend(self.fold(rows, left_out, index));
            alive[row.process] = true;
            if !left_out[index] {
                if row.switch && (index == 0 || !left_out[index - 1]) {
                    let blank = " ".repeat(margin) + &self.cells(None, offsets, &alive);
                    lines.push(blank);
                }
                lines.push(self.margin(row) + &self.cells(Some(row), offsets, &alive));
            }
            match row.kind {
                LineKind::Spawn(child) if child.index() < alive.len() => {
                    alive[child.index()] = true;
                }
                LineKind::End => alive[row.process] = false,
                _ => {}
            }
        }
    }

    fn margin(&self, row: &Row) -> String {
        let step = row.step.map(|step| step.to_string()).unwrap_or_default();
        let margin = format!(" {step:>STEP$}  {}  ", pad(&row.place, self.places));
        self.style.paint(Paint::Faint, &margin)
    }

    /// Returns the part to the right of the margin: the text of the row, and a vertical line for
    /// each other live thread.
    fn cells(&self, row: Option<&Row>, offsets: &[usize], alive: &[bool]) -> String {
        let mut text = String::new();
        let mut at = 0;
        for (&column, &offset) in self.columns.iter().zip(offsets) {
            // A text to the left may extend over this column.
            if at > offset || (at == offset && at > 0) {
                continue;
            }
            let (paint, cell) = match row {
                Some(row) if row.process == column => {
                    (paint(row), format!("{} {}", mark(row), row.text))
                }
                _ if alive[column] => (Paint::Faint, "│".to_owned()),
                _ => continue,
            };
            text.push_str(&" ".repeat(offset - at));
            at = offset + length(&cell);
            text.push_str(&self.style.paint(paint, &cell));
        }
        text
    }

    fn list(&self, rows: &[Row], left_out: &[bool], lines: &mut Vec<String>) {
        let names = self.columns.iter().map(|p| length(&self.threads[*p])).max().unwrap_or(0);
        let names = names.max(length(self.words.process));
        let texts = rows.iter().map(|row| length(&row.text)).max().unwrap_or(0);
        let texts = texts.min(self.style.width.saturating_sub(names + self.places + 14)).max(20);
        let heading = format!(
            " {:>STEP$}  {}    {}  source",
            "step",
            pad(self.words.process, names),
            pad("operation", texts)
        );
        lines.push(self.style.paint(Paint::Strong, &heading));
        let mut shown = None;
        for (index, row) in rows.iter().enumerate() {
            if left_out[index] {
                lines.extend(self.fold(rows, left_out, index));
                shown = None;
                continue;
            }
            let step = row.step.map(|step| step.to_string()).unwrap_or_default();
            // Show the name only where the thread changes.
            let name = match shown == Some(row.process) {
                true => "",
                false => &self.threads[row.process],
            };
            shown = Some(row.process);
            let what = format!("{} {}", mark(row), pad(&row.text, texts));
            lines.push(format!(
                " {step:>STEP$}  {}  {}  {}",
                self.style.paint(Paint::Strong, &pad(name, names)),
                self.style.paint(paint(row), &what),
                self.style.paint(Paint::Faint, &row.place),
            ));
        }
    }

    /// Returns the line that replaces the folded rows from `index` on, if a fold begins there.
    fn fold(&self, rows: &[Row], left_out: &[bool], index: usize) -> Option<String> {
        if !left_out[index] || (index > 0 && left_out[index - 1]) {
            return None;
        }
        let end = (index..rows.len()).find(|row| !left_out[*row]).unwrap_or(rows.len());
        let operations = rows[index..end].iter().filter(|row| row.is_operation()).count();
        let text = format!("        … {} …", count(operations as u64, "more operation"));
        Some(self.style.paint(Paint::Strong, &text))
    }
}

fn mark(row: &Row) -> char {
    match (row.failing, row.is_operation()) {
        (true, _) => '✗',
        (false, true) if row.decisive => '◆',
        (false, true) => '●',
        (false, false) => '○',
    }
}

fn paint(row: &Row) -> Paint {
    match (row.failing, row.is_operation()) {
        (true, _) => Paint::Wrong,
        (false, true) if row.decisive => Paint::Strong,
        (false, true) => Paint::Plain,
        (false, false) => Paint::Faint,
    }
}
