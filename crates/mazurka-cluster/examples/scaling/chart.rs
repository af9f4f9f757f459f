//! The chart of the book.

use std::fmt::Write;

use crate::Curve;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 50.0;
/// Both axes go from 1 to 10 to this power.
const DECADES: i32 = 4;

const STYLE: &str = ".page{fill:#fbfbf9}.text{fill:#1c2530}.dim{fill:#66717f}.grid{stroke:#b8c2cf;\
    stroke-width:.6}.line{stroke:#2f5586;stroke-width:1.8;fill:none}.ideal{stroke:#66717f;fill:none;\
    stroke-dasharray:5 4}.dot{fill:#2f5586}text{font:12px system-ui,sans-serif}\
    @media(prefers-color-scheme:dark){.page{fill:#1b2129}.text{fill:#e3e8ee}.dim{fill:#9aa6b4}\
    .grid{stroke:#465365}.line{stroke:#9dbfeb}.ideal{stroke:#9aa6b4}.dot{fill:#9dbfeb}}";

/// Returns a drawing of speed over workers, both on logarithmic axes.
pub(crate) fn chart(curves: &[Curve]) -> String {
    let decades = f64::from(DECADES);
    let x = |workers: f64| LEFT + workers.log10() / decades * (WIDTH - LEFT - RIGHT);
    let y = |speed: f64| HEIGHT - BOTTOM - speed.log10() / decades * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>How many times faster a cluster is \
         than one worker</title>\n<style>{STYLE}</style>\n<rect class=\"page\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" rx=\"8\"/>\n<text class=\"text\" x=\"12\" y=\"20\">times faster than one \
         worker</text>\n<text class=\"text\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">workers\
         </text>\n",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0
    );
    for power in 0..=DECADES {
        let value = 10_f64.powi(power);
        let (across, up) = (x(value), y(value));
        let number = mazurka_report::thousands(value as u64);
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{across:.1} {TOP}V{:.1}M{LEFT} {up:.1}H{:.1}\"/>\
             <text class=\"dim\" x=\"{across:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>\
             <text class=\"dim\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>",
            HEIGHT - BOTTOM,
            WIDTH - RIGHT,
            HEIGHT - BOTTOM + 18.0,
            LEFT - 6.0,
            up + 4.0
        );
    }
    let most = 10_f64.powi(DECADES);
    let (low, high) = ((x(1.0), y(1.0)), (x(most), y(most)));
    let _ = writeln!(
        svg,
        "<path class=\"ideal\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>\
         <text class=\"dim\" x=\"{:.1}\" y=\"{:.1}\">ideal</text>",
        low.0,
        low.1,
        high.0,
        high.1,
        high.0 + 6.0,
        high.1 + 4.0
    );
    for Curve { name, points, .. } in curves {
        let mut path = String::new();
        for (workers, speed) in points {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", x(*workers as f64), y(speed.max(1.0)));
        }
        let _ = writeln!(svg, "<path class=\"line\" d=\"{path}\"/>");
        if let Some((workers, speed)) = points.last() {
            let (at, up) = (x(*workers as f64), y(speed.max(1.0)));
            let _ = writeln!(
                svg,
                "<circle class=\"dot\" cx=\"{at:.1}\" cy=\"{up:.1}\" r=\"3\"/>\
                 <text class=\"text\" x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
                at + 8.0,
                up + 4.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}
