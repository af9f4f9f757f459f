//! Boxes in rows, and edges between them.
//!
//! ```text
//! row cli
//! row rust llvm
//! node cli "mazurka-cli" "the command"
//! edge cli -> llvm
//! edge rust -> llvm dashed "a label"
//! ```
//!
//! A node without a `node` line is labelled with its name. Edges point down, from row to row; an
//! edge within a row is a straight line. `race` edges have no head: they are conflicts.

use std::collections::HashMap;

use super::svg::{Anchor, LINE, MARGIN, Stroke, Svg, width_of};
use super::{Line, SyntaxError};

const GAP: i32 = 28;
/// The gap where edges within a row have labels.
const WIDE_GAP: i32 = 110;
const BETWEEN_ROWS: i32 = 52;

struct Node<'a> {
    row: usize,
    labels: Vec<&'a str>,
    left: i32,
    top: i32,
    width: i32,
    height: i32,
}

struct Edge<'a> {
    from: usize,
    to: usize,
    stroke: Stroke,
    label: Option<&'a str>,
}

pub(super) fn render(title: &str, lines: &[Line<'_>]) -> Result<String, SyntaxError> {
    let mut nodes: Vec<Node<'_>> = Vec::new();
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut edges = Vec::new();
    for line in lines {
        let words = line.words()?;
        let find = |name: &str| {
            names.get(name).copied().ok_or_else(|| line.error(format!("no row has `{name}`")))
        };
        match words.as_slice() {
            ["row", members @ ..] => {
                let row = rows.len();
                rows.push(Vec::new());
                for name in members {
                    names.insert(name, nodes.len());
                    rows[row].push(nodes.len());
                    let labels = vec![*name];
                    nodes.push(Node { row, labels, left: 0, top: 0, width: 0, height: 0 });
                }
            }
            ["node", name, labels @ ..] if !labels.is_empty() => {
                nodes[find(name)?].labels = labels.to_vec();
            }
            ["edge", from, "->", to, rest @ ..] => {
                let (stroke, label) = match rest {
                    [] => (Stroke::Plain, None),
                    [stroke, label @ ..] if label.len() < 2 => {
                        let known = Stroke::named(stroke);
                        let stroke = known.ok_or_else(|| line.error("not a kind of line"))?;
                        (stroke, label.first().copied())
                    }
                    _ => return Err(line.error("an edge has a kind and a label at most")),
                };
                edges.push(Edge { from: find(from)?, to: find(to)?, stroke, label });
            }
            _ => return Err(line.error("expected `row`, `node` or `edge`")),
        }
    }
    place(&mut nodes, &rows, &edges);
    Ok(draw(title, &nodes, &edges))
}

/// Centres every row.
fn place(nodes: &mut [Node<'_>], rows: &[Vec<usize>], edges: &[Edge<'_>]) {
    let is_wide =
        |edge: &Edge<'_>| edge.label.is_some() && nodes[edge.from].row == nodes[edge.to].row;
    let gap = if edges.iter().any(is_wide) { WIDE_GAP } else { GAP };
    for node in nodes.iter_mut() {
        let widest = node.labels.iter().map(|label| width_of(label)).max().unwrap_or(0);
        node.width = widest + 24;
        node.height = LINE * i32::try_from(node.labels.len()).expect("few labels") + 12;
    }
    let width =
        |row: &Vec<usize>| row.iter().map(|node| nodes[*node].width + gap).sum::<i32>() - gap;
    let widths: Vec<i32> = rows.iter().map(width).collect();
    let widest = widths.iter().copied().max().unwrap_or(0);
    let mut top = MARGIN;
    for (row, width) in rows.iter().zip(widths) {
        let mut left = MARGIN + (widest - width) / 2;
        let tallest = row.iter().map(|node| nodes[*node].height).max().unwrap_or(0);
        for node in row {
            nodes[*node].left = left;
            nodes[*node].top = top;
            left += nodes[*node].width + gap;
        }
        top += tallest + BETWEEN_ROWS;
    }
}

fn draw(title: &str, nodes: &[Node<'_>], edges: &[Edge<'_>]) -> String {
    let mut svg = Svg::default();
    for (index, edge) in edges.iter().enumerate() {
        let (from, to) = (&nodes[edge.from], &nodes[edge.to]);
        let (start, end) = if from.row == to.row {
            let y = from.top + from.height / 2;
            let (left, right) = (from.left.min(to.left), from.left.max(to.left));
            let leftmost = if from.left < to.left { from } else { to };
            let (a, b) = ((left + leftmost.width, y), (right, y));
            if from.left < to.left { (a, b) } else { (b, a) }
        } else {
            let start = port(nodes, edges, index, true);
            (start, port(nodes, edges, index, false))
        };
        match (edge.stroke, from.row == to.row) {
            (Stroke::Race, _) => svg.line(start, end, edge.stroke),
            (stroke, true) => svg.arrow(start, end, stroke),
            (stroke, false) => svg.curve(start, end, stroke),
        }
        if let Some(label) = edge.label {
            let (x, y) = ((start.0 + end.0) / 2, i32::midpoint(start.1, end.1));
            let class = edge.stroke.text_class();
            match from.row == to.row {
                true => svg.text(x, y - 10, Anchor::Middle, class, label),
                false => svg.text(x + 8, y, Anchor::Start, class, label),
            }
        }
    }
    for node in nodes {
        svg.rectangle(node.left, node.top, node.width, node.height);
        let middle = node.left + node.width / 2;
        for (i, label) in (0..).zip(&node.labels) {
            let class = if i == 0 { "text" } else { "dim" };
            svg.text(middle, node.top + 6 + LINE * i + LINE / 2, Anchor::Middle, class, label);
        }
    }
    svg.finish(title)
}

/// Where an edge leaves its upper node or arrives at its lower one: the edges of a node share its
/// side, in the order of the nodes at their other ends.
fn port(nodes: &[Node<'_>], edges: &[Edge<'_>], index: usize, leaves: bool) -> (i32, i32) {
    let near = |edge: &Edge<'_>| if leaves { edge.from } else { edge.to };
    let far = |edge: &Edge<'_>| if leaves { edge.to } else { edge.from };
    let node = &nodes[near(&edges[index])];
    let crosses = |edge: &Edge<'_>| nodes[edge.from].row != nodes[edge.to].row;
    let mut beside: Vec<usize> = (0..edges.len())
        .filter(|other| near(&edges[*other]) == near(&edges[index]) && crosses(&edges[*other]))
        .collect();
    beside.sort_by_key(|other| {
        nodes[far(&edges[*other])].left + nodes[far(&edges[*other])].width / 2
    });
    let place = beside.iter().position(|other| *other == index).expect("it is one of them");
    let (place, count) = (place as i32 + 1, beside.len() as i32 + 1);
    let x = node.left + node.width * place / count;
    // An edge that points up leaves at the top.
    let down = nodes[edges[index].from].row < nodes[edges[index].to].row;
    (x, if leaves == down { node.top + node.height } else { node.top })
}
