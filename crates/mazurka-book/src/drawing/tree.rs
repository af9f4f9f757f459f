//! A search tree.
//!
//! ```text
//! start
//!   p: x=1
//!     p: y=1
//!       q: y=2 | y = 2
//!     q: y=2 [dashed]
//! ```
//!
//! Each line is the step that leads to a node, indented by two more spaces than the step before it.
//! A text after `|` stands below a leaf, and beside any other node; `;` separates its lines. `[dashed]` and `[race]` say how the step is drawn.

use std::cmp::Ordering;

use super::svg::{Anchor, LINE, MARGIN, Stroke, Svg, width_of};
use super::{Line, SyntaxError};

const LEVEL: i32 = 58;
const GAP: i32 = 30;

struct Node<'a> {
    parent: Option<usize>,
    depth: usize,
    step: &'a str,
    below: Vec<&'a str>,
    stroke: Stroke,
    x: i32,
}

pub(super) fn render(title: &str, lines: &[Line<'_>]) -> Result<String, SyntaxError> {
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for line in lines {
        let text = line.text.trim_start();
        let indent = line.text.len() - text.len();
        let depth = indent / 2;
        let parent = nodes.iter().rposition(|node| node.depth < depth);
        let fits = match parent {
            Some(parent) => nodes[parent].depth + 1 == depth,
            None => nodes.is_empty() && depth == 0,
        };
        if !fits || indent % 2 != 0 {
            return Err(line.error("a step is indented by two more spaces than the one before it"));
        }
        let (text, below) = text.split_once('|').unwrap_or((text, ""));
        let (step, stroke) = match text.trim().strip_suffix(']').and_then(|t| t.rsplit_once('[')) {
            Some((step, kind)) => {
                let stroke = Stroke::named(kind).ok_or_else(|| line.error("not a kind of line"))?;
                (step.trim(), stroke)
            }
            None => (text.trim(), Stroke::Plain),
        };
        let below = below.split(';').map(str::trim).filter(|text| !text.is_empty()).collect();
        nodes.push(Node { parent, depth, step, below, stroke, x: 0 });
    }
    place(&mut nodes);
    Ok(draw(title, &nodes))
}

/// Leaves side by side, and every other node above the middle of its children.
fn place(nodes: &mut [Node<'_>]) {
    let mut next = MARGIN;
    for i in (0..nodes.len())
        .filter(|i| !nodes.iter().any(|node| node.parent == Some(*i)))
        .collect::<Vec<_>>()
    {
        let label = width_of(nodes[i].step) + 12;
        let below = nodes[i].below.iter().map(|text| width_of(text)).max().unwrap_or(0);
        let half = label.max(below / 2);
        nodes[i].x = next + half;
        next += 2 * half + GAP;
    }
    for i in (0..nodes.len()).rev() {
        let children: Vec<i32> =
            nodes.iter().filter(|node| node.parent == Some(i)).map(|node| node.x).collect();
        if let (Some(first), Some(last)) = (children.first(), children.last()) {
            nodes[i].x = i32::midpoint(*first, *last);
        }
    }
}

fn draw(title: &str, nodes: &[Node<'_>]) -> String {
    let mut svg = Svg::default();
    let y = |node: &Node<'_>| MARGIN + LINE + LEVEL * node.depth as i32;
    for node in nodes {
        let at = (node.x, y(node));
        svg.dot(at.0, at.1);
        match node.parent.map(|parent| &nodes[parent]) {
            Some(parent) => {
                let from = (parent.x, y(parent));
                svg.line(from, at, node.stroke);
                let (x, y) = (i32::midpoint(from.0, at.0), i32::midpoint(from.1, at.1));
                let class = if node.stroke == Stroke::Race { "racetext" } else { "text" };
                // Beside the line, and above the half of it that it would lie upon.
                match at.0.cmp(&from.0) {
                    Ordering::Less => svg.text(x - 9, y - 6, Anchor::End, class, node.step),
                    Ordering::Equal => svg.text(x + 9, y, Anchor::Start, class, node.step),
                    Ordering::Greater => svg.text(x + 9, y - 6, Anchor::Start, class, node.step),
                }
            }
            None => svg.text(at.0, at.1 - LINE, Anchor::Middle, "dim", node.step),
        }
        let is_leaf = !nodes
            .iter()
            .any(|other| other.parent.is_some_and(|parent| std::ptr::eq(&nodes[parent], node)));
        for (i, text) in (0..).zip(&node.below) {
            match is_leaf {
                true => svg.text(at.0, at.1 + LINE * (i + 1) + 2, Anchor::Middle, "dim", text),
                false => svg.text(at.0 + 12, at.1 + LINE * i, Anchor::Start, "dim", text),
            }
        }
    }
    svg.finish(title)
}
