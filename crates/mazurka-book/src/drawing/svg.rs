//! What all drawings share: elements, colours for light and dark backgrounds, the width of text.

use std::fmt::Write;

/// The width of a character of the font, which is a monospace one so that this is known.
pub(super) const CHAR: i32 = 8;
/// The height of a line of text.
pub(super) const LINE: i32 = 18;
/// The space around a drawing.
pub(super) const MARGIN: i32 = 16;

/// The drawing has a background of its own, so that it can be read on every page: the colours of a
/// drawing follow the reader's system, those of a page may not.
const STYLE: &str = "\
.page{fill:#fbfbf9}.box{fill:#eef3fa;stroke:#4a6a94}.line{stroke:#4a6a94;fill:none;stroke-width:1.5}\
.life{stroke:#b8c2cf;fill:none}.dot{fill:#2f5586}.text{fill:#1c2530}.dim{fill:#66717f}\
.race{stroke:#b3261e;fill:none;stroke-width:1.5}.racetext{fill:#b3261e}.dash{stroke-dasharray:5 4}\
.head{fill:#4a6a94}.racehead{fill:#b3261e}\
text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}\
@media(prefers-color-scheme:dark){\
.page{fill:#1b2129}.box{fill:#25303d;stroke:#86a9d6}.line{stroke:#86a9d6}.life{stroke:#465365}\
.dot{fill:#9dbfeb}.text{fill:#e3e8ee}.dim{fill:#9aa6b4}.race{stroke:#ff8a80}.racetext{fill:#ff8a80}\
.head{fill:#86a9d6}.racehead{fill:#ff8a80}}";

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stroke {
    Plain,
    Dashed,
    Race,
}

impl Stroke {
    /// Returns the stroke with this name in a source.
    pub(super) fn named(name: &str) -> Option<Stroke> {
        match name {
            "plain" => Some(Stroke::Plain),
            "dashed" => Some(Stroke::Dashed),
            "race" => Some(Stroke::Race),
            _ => None,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Stroke::Plain => "line",
            Stroke::Dashed => "line dash",
            Stroke::Race => "race dash",
        }
    }

    pub(super) fn text_class(self) -> &'static str {
        if self == Stroke::Race { "racetext" } else { "dim" }
    }
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The elements of a drawing. Lines lie below boxes, and boxes below texts.
#[derive(Default, Debug)]
pub(super) struct Svg {
    lines: String,
    boxes: String,
    texts: String,
    width: i32,
    height: i32,
}

/// Returns the width of a text.
pub(super) fn width_of(text: &str) -> i32 {
    CHAR * i32::try_from(text.chars().count()).expect("texts are short")
}

impl Svg {
    fn cover(&mut self, x: i32, y: i32) {
        self.width = self.width.max(x);
        self.height = self.height.max(y);
    }

    pub(super) fn text(&mut self, x: i32, y: i32, anchor: Anchor, class: &str, text: &str) {
        let (name, right) = match anchor {
            Anchor::Start => ("start", x + width_of(text)),
            Anchor::Middle => ("middle", x + width_of(text) / 2),
            Anchor::End => ("end", x),
        };
        self.cover(right, y + 4);
        let text = escape(text);
        let baseline = y + 4;
        let _ = writeln!(
            self.texts,
            "<text class=\"{class}\" x=\"{x}\" y=\"{baseline}\" text-anchor=\"{name}\">{text}</text>"
        );
    }

    pub(super) fn rectangle(&mut self, x: i32, y: i32, width: i32, height: i32) {
        self.cover(x + width, y + height);
        let _ = writeln!(
            self.boxes,
            "<rect class=\"box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
        );
    }

    pub(super) fn dot(&mut self, x: i32, y: i32) {
        self.cover(x + 5, y + 5);
        let _ = writeln!(self.boxes, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"5\"/>");
    }

    /// A straight line without a head.
    pub(super) fn line(&mut self, from: (i32, i32), to: (i32, i32), stroke: Stroke) {
        let path = format!("M{} {}L{} {}", from.0, from.1, to.0, to.1);
        self.path(&path, stroke.class());
    }

    /// The life of a process.
    pub(super) fn life(&mut self, x: i32, from: i32, to: i32) {
        self.path(&format!("M{x} {from}L{x} {to}"), "life");
    }

    /// A straight arrow.
    pub(super) fn arrow(&mut self, from: (i32, i32), to: (i32, i32), stroke: Stroke) {
        self.line(from, to, stroke);
        self.head((f64::from(to.0 - from.0), f64::from(to.1 - from.1)), to, stroke);
    }

    /// An arrow that leaves and arrives vertically.
    pub(super) fn curve(&mut self, from: (i32, i32), to: (i32, i32), stroke: Stroke) {
        let reach = (to.1 - from.1) / 2;
        let path = format!(
            "M{} {}C{} {} {} {} {} {}",
            from.0,
            from.1,
            from.0,
            from.1 + reach,
            to.0,
            to.1 - reach,
            to.0,
            to.1
        );
        self.path(&path, stroke.class());
        self.head((0.0, f64::from(to.1 - from.1)), to, stroke);
    }

    fn path(&mut self, path: &str, class: &str) {
        let _ = writeln!(self.lines, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    fn head(&mut self, towards: (f64, f64), at: (i32, i32), stroke: Stroke) {
        let length = towards.0.hypot(towards.1).max(1.0);
        let (dx, dy) = (towards.0 / length, towards.1 / length);
        let (x, y) = (f64::from(at.0), f64::from(at.1));
        let corner = |side: f64| (x - 9.0 * dx + side * 4.0 * dy, y - 9.0 * dy - side * 4.0 * dx);
        let ((x1, y1), (x2, y2)) = (corner(1.0), corner(-1.0));
        let class = if stroke == Stroke::Race { "racehead" } else { "head" };
        let _ = writeln!(
            self.lines,
            "<path class=\"{class}\" d=\"M{x:.0} {y:.0}L{x1:.1} {y1:.1}L{x2:.1} {y2:.1}z\"/>"
        );
    }

    /// Returns the file.
    pub(super) fn finish(self, title: &str) -> String {
        let (width, height) = (self.width + MARGIN, self.height + MARGIN);
        let title = escape(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n\
             <rect class=\"page\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n{}{}{}</svg>\n",
            self.lines, self.boxes, self.texts
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
