//! Code blocks, links and headings of a page.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A fenced code block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What follows the fence: `rust,ignore`.
    pub info: String,
    /// The lines of the block, includes unexpanded.
    pub text: String,
    /// Where the lines are in the page.
    pub range: Range<usize>,
    /// The number of the line of the fence.
    pub line: usize,
}

impl Block {
    /// Returns the language: the first word of [`info`](Block::info).
    pub fn language(&self) -> &str {
        self.info.split([',', ' ']).next().unwrap_or_default()
    }
}

/// A link or an image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// Where it points.
    pub to: String,
    /// The number of its line.
    pub line: usize,
}

/// An `{{#include path:part}}` of mdBook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Include {
    /// The file, relative to the page.
    pub path: String,
    /// An anchor, or a range of lines; empty for the whole file.
    pub part: String,
}

fn parse(page: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter()
}

fn line_of(page: &str, offset: usize) -> usize {
    page[..offset].matches('\n').count() + 1
}

/// Returns the fenced code blocks of a page.
///
/// ```
/// let blocks = mazurka_book::markdown::blocks("Text\n\n```console\n$ ls\n```\n");
/// assert_eq!((blocks[0].language(), blocks[0].text.as_str(), blocks[0].line), ("console", "$ ls\n", 3));
/// ```
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (event, range) in parse(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                inside = true;
                let line = line_of(page, range.start);
                let (info, text) = (info.to_string(), String::new());
                let fence = page[range.clone()].find('\n').map_or(range.len(), |end| end + 1);
                let start = range.start + fence;
                blocks.push(Block { info, text, range: start..start, line });
            }
            Event::Text(text) if inside => {
                let block = blocks.last_mut().expect("a block has begun");
                block.text.push_str(&text);
                block.range.end = range.end;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            _ => {}
        }
    }
    blocks
}

/// Returns the links and images of a page.
pub fn links(page: &str) -> Vec<Link> {
    let link = |(event, range): (Event<'_>, Range<usize>)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(Link { to: dest_url.to_string(), line: line_of(page, range.start) })
        }
        _ => None,
    };
    parse(page).filter_map(link).collect()
}

/// Returns the anchors of a page's headings, as mdBook and GitHub derive them.
///
/// ```
/// let anchors = mazurka_book::markdown::anchors("# What is a step\n## `unfolding`\n");
/// assert_eq!(anchors, ["what-is-a-step", "unfolding"]);
/// ```
pub fn anchors(page: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    let mut heading = None;
    for (event, _) in parse(page) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    let lower = text.to_lowercase().replace(' ', "-");
                    let keeps = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_');
                    heading.extend(lower.chars().filter(keeps));
                }
            }
            _ => {}
        }
    }
    anchors
}

/// Returns the includes of a text.
///
/// ```
/// let found = mazurka_book::markdown::includes("{{#include ../a.rs:main}}\n{{#include b.c}}\n");
/// assert_eq!((found[0].path.as_str(), found[0].part.as_str()), ("../a.rs", "main"));
/// assert_eq!((found[1].path.as_str(), found[1].part.as_str()), ("b.c", ""));
/// ```
pub fn includes(text: &str) -> Vec<Include> {
    let marks = text.split("{{#include ").skip(1);
    let inside = marks.filter_map(|mark| Some(mark.split_once("}}")?.0.trim()));
    let include = |inside: &str| {
        let (path, part) = inside.split_once(':').unwrap_or((inside, ""));
        Include { path: path.to_owned(), part: part.to_owned() }
    };
    inside.map(include).collect()
}

/// Returns the part of a file that an include shows, as mdBook finds it; `None` if there is no such
/// part.
///
/// ```
/// use mazurka_book::markdown::part;
///
/// let file = "a\n// ANCHOR: x\nb\n// ANCHOR_END: x\nc\n";
/// assert_eq!(part(file, "x").as_deref(), Some("b\n"));
/// assert_eq!(part(file, "5:").as_deref(), Some("c\n"));
/// assert_eq!(part(file, "y"), None);
/// ```
pub fn part(file: &str, part: &str) -> Option<String> {
    let lines: Vec<&str> = file.lines().collect();
    let join = |lines: &[&str]| {
        let shown = lines.iter().filter(|line| !line.contains("ANCHOR"));
        shown.map(|line| format!("{line}\n")).collect::<String>()
    };
    if part.is_empty() {
        return Some(join(&lines));
    }
    if part.starts_with(|c: char| c.is_ascii_digit() || c == ':') {
        let (first, last) = part.split_once(':').unwrap_or((part, part));
        let first = if first.is_empty() { 1 } else { first.parse().ok()? };
        let last = if last.is_empty() { lines.len() } else { last.parse().ok()? };
        return (1 <= first && first <= last && last <= lines.len())
            .then(|| join(&lines[first - 1..last]));
    }
    let place = |mark: &str| {
        lines
            .iter()
            .position(|line| line.split_once(mark).is_some_and(|(_, name)| name.trim() == part))
    };
    let (start, end) = (place("ANCHOR:")?, place("ANCHOR_END:")?);
    (start < end).then(|| join(&lines[start + 1..end]))
}
