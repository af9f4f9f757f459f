//! Processes as columns, time running down.
//!
//! ```text
//! lane p "thread p"
//! lane q
//! event a p "x = 1"
//! event b q "x = 2"
//! arrow a -> b race "a race"
//! call p -> q "next()"
//! top
//! ```
//!
//! Each `event` and each `call` takes a row of its own. An `arrow` connects two events, in whatever
//! rows they are. The texts of a `lane p "thread p" left` stand to the left of it. `top` goes back to the first row, to draw something beside what is there; `skip`
//! leaves a row free, and `gap` leaves some space between two lanes.

use std::collections::HashMap;

use super::svg::{Anchor, MARGIN, Stroke, Svg, width_of};
use super::{Line, SyntaxError};

const ROW: i32 = 34;
const HEADER: i32 = 30;
/// The smallest distance of two lanes: arrows between them need room.
const NEAREST: i32 = 80;

struct Lane<'a> {
    label: &'a str,
    /// Whether texts stand to the left of its line.
    is_left: bool,
    /// How much space its texts take to the left and to the right of its line.
    left: i32,
    room: i32,
    gap: i32,
    x: i32,
    last_row: i32,
}

enum Item<'a> {
    Event { lane: usize, row: i32, text: &'a str },
    Call { from: usize, to: usize, row: i32, text: &'a str, stroke: Stroke },
    Arrow { from: usize, to: usize, text: &'a str, stroke: Stroke },
}

pub(super) fn render(title: &str, lines: &[Line<'_>]) -> Result<String, SyntaxError> {
    let mut lanes: Vec<Lane<'_>> = Vec::new();
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut events: HashMap<&str, usize> = HashMap::new();
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut row = 0;
    let mut gap = 0;
    for line in lines {
        let words = line.words()?;
        let lane = |name: &str| {
            names.get(name).copied().ok_or_else(|| line.error(format!("there is no lane `{name}`")))
        };
        let event = |name: &str| {
            let known = events.get(name).copied();
            known.ok_or_else(|| line.error(format!("there is no event `{name}`")))
        };
        match words.as_slice() {
            ["lane", name, rest @ ..] if rest.len() < 3 => {
                let label = rest.first().unwrap_or(name);
                let is_left = match rest.get(1) {
                    None => false,
                    Some(&"left") => true,
                    Some(_) => return Err(line.error("expected `left` or nothing")),
                };
                names.insert(name, lanes.len());
                let left = width_of(label) / 2;
                lanes.push(Lane { label, is_left, left, room: left + 12, gap, x: 0, last_row: 0 });
                gap = 0;
            }
            ["gap"] => gap = 60,
            ["top"] => row = 0,
            ["skip"] => row += 1,
            ["event", name, on, text] => {
                let on = lane(on)?;
                events.insert(name, items.len());
                let side = match lanes[on].is_left {
                    true => &mut lanes[on].left,
                    false => &mut lanes[on].room,
                };
                *side = (*side).max(width_of(text) + 26);
                lanes[on].last_row = lanes[on].last_row.max(row);
                items.push(Item::Event { lane: on, row, text });
                row += 1;
            }
            ["call", from, "->", to, text, stroke @ ..] if stroke.len() < 2 => {
                let (from, to) = (lane(from)?, lane(to)?);
                let stroke = Stroke::named(stroke.first().unwrap_or(&"plain"));
                let stroke = stroke.ok_or_else(|| line.error("not a kind of line"))?;
                let first = from.min(to);
                if from == to || from.abs_diff(to) == 1 {
                    lanes[first].room = lanes[first].room.max(width_of(text) + 26);
                }
                for on in [from, to] {
                    lanes[on].last_row = lanes[on].last_row.max(row);
                }
                items.push(Item::Call { from, to, row, text, stroke });
                row += 1;
            }
            ["arrow", from, "->", to, rest @ ..] if rest.len() < 3 => {
                let stroke = Stroke::named(rest.first().unwrap_or(&"plain"));
                let stroke = stroke.ok_or_else(|| line.error("not a kind of line"))?;
                let text = rest.get(1).copied().unwrap_or("");
                items.push(Item::Arrow { from: event(from)?, to: event(to)?, text, stroke });
            }
            _ => {
                return Err(
                    line.error("expected `lane`, `gap`, `event`, `arrow`, `call`, `skip` or `top`")
                );
            }
        }
    }
    let (mut x, mut nearest) = (MARGIN, 0);
    for lane in &mut lanes {
        lane.x = (x + lane.gap + lane.left).max(nearest + lane.gap);
        x = lane.x + lane.room + 8;
        nearest = lane.x + NEAREST;
    }
    Ok(draw(title, &lanes, &items))
}

fn y_of(row: i32) -> i32 {
    MARGIN + HEADER + ROW * row + ROW / 2
}

fn draw(title: &str, lanes: &[Lane<'_>], items: &[Item<'_>]) -> String {
    let mut svg = Svg::default();
    for lane in lanes {
        svg.text(lane.x, MARGIN + 8, Anchor::Middle, "text", lane.label);
        svg.life(lane.x, MARGIN + HEADER - 6, y_of(lane.last_row) + ROW / 2);
    }
    let place = |item: &Item<'_>| match item {
        Item::Event { lane, row, .. } => (lanes[*lane].x, y_of(*row)),
        _ => unreachable!("arrows connect events"),
    };
    for item in items {
        match item {
            Item::Event { text, lane, .. } => {
                let (x, y) = place(item);
                svg.dot(x, y);
                match lanes[*lane].is_left {
                    true => svg.text(x - 12, y, Anchor::End, "text", text),
                    false => svg.text(x + 12, y, Anchor::Start, "text", text),
                }
            }
            Item::Call { from, to, row, text, stroke } if from == to => {
                let (x, y) = (lanes[*from].x, y_of(*row));
                svg.dot(x, y);
                svg.text(x + 12, y, Anchor::Start, stroke.text_class(), text);
            }
            Item::Call { from, to, row, text, stroke } => {
                let (from, to, y) = (lanes[*from].x, lanes[*to].x, y_of(*row));
                svg.arrow((from, y), (to, y), *stroke);
                svg.text(from.min(to) + 12, y - 11, Anchor::Start, "text", text);
            }
            Item::Arrow { from, to, text, stroke } => {
                let ((x1, y1), (x2, y2)) = (place(&items[*from]), place(&items[*to]));
                svg.arrow((x1, y1 + 7), (x2, y2 - 7), *stroke);
                let (x, y) = (i32::midpoint(x1, x2), i32::midpoint(y1, y2));
                svg.text(x + 10, y, Anchor::Start, stroke.text_class(), text);
            }
        }
    }
    svg.finish(title)
}
