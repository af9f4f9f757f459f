//! Where coordination becomes the limit of a cluster: a simulation with recorded sizes of pieces.
//!
//! ```text
//! cargo run --release -p mazurka-cluster --example scaling              # print the table
//! cargo run --release -p mazurka-cluster --example scaling -- --update  # and write the chart of the book
//! cargo run --release -p mazurka-cluster --example scaling -- measure nats://localhost:4222
//! cargo run --release -p mazurka-cluster --example scaling -- record nats://localhost:4222 > pieces.txt
//! ```
//!
//! `measure` prints what coordination costs with a server. `record` waits for a job, and prints the sizes of
//! the pieces of its search. The simulation reads both from the files beside this one, and is the same each time.

mod chart;
mod measure;
mod model;
mod record;

use std::path::Path;

use model::{Costs, simulate};

/// The sizes of pieces, as `record` prints them: a line for each time that a part was divided.
const PIECES: &str = include_str!("pieces.txt");
/// The costs, as `measure` prints them.
const COSTS: &str = include_str!("costs.txt");

/// The searches: a name, and the seconds that one worker takes.
const SEARCHES: [(&str, f64); 3] =
    [("one hour", 3600.0), ("one day", 86_400.0), ("one week", 604_800.0)];

const WORKERS: [usize; 13] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/// A worker fails once a month.
const FAILURE: f64 = 30.0 * 86_400.0;

/// How fast a search is with some numbers of workers.
pub(crate) struct Curve {
    name: &'static str,
    /// The number of workers, and how many times faster they are than one.
    points: Vec<(usize, f64)>,
}

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match &words[..] {
        [] | ["--update"] => {}
        ["measure", url] => return measure::measure(url),
        ["record", url] => return record::record(url),
        _ => return Err("usage: scaling [--update | measure URL | record URL]".into()),
    }
    let curves: Vec<Curve> = SEARCHES.iter().map(|(name, work)| curve(name, *work)).collect();
    print!("{}", table(&curves));
    if words == ["--update"] {
        std::fs::write(chart_file(), chart::chart(&curves))?;
    }
    Ok(())
}

fn curve(name: &'static str, work: f64) -> Curve {
    let (pieces, costs) = (pieces(PIECES), costs(COSTS));
    let point = |workers: &usize| (*workers, work / simulate(work, *workers, &pieces, costs));
    Curve { name, points: WORKERS.iter().map(point).collect() }
}

/// Returns the chart of the book.
fn chart_file() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/charts/cluster-scaling.svg")
}

fn table(curves: &[Curve]) -> String {
    let mut text = "| workers |".to_owned();
    curves.iter().for_each(|curve| text.push_str(&format!(" {} |", curve.name)));
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(curves.len()));
    for (row, workers) in WORKERS.iter().enumerate() {
        text.push_str(&format!("\n| {} |", mazurka_report::thousands(*workers as u64)));
        for Curve { points, .. } in curves {
            text.push_str(&format!(" {:.1} |", points[row].1));
        }
    }
    text + "\n"
}

/// Reads the sizes of pieces.
fn pieces(text: &str) -> Vec<Vec<f64>> {
    let line = |line: &str| line.split_whitespace().filter_map(|size| size.parse().ok()).collect();
    let is_divided = |sizes: &Vec<f64>| sizes.len() > 1 && sizes.iter().sum::<f64>() > 0.0;
    text.lines().map(line).filter(is_divided).collect()
}

/// Reads the costs.
fn costs(text: &str) -> Costs {
    let cost = |name: &str| -> f64 {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name));
        let mut words = line.unwrap_or_default().split_whitespace().skip(1);
        let number: Option<f64> = words.next().and_then(|number| number.parse().ok());
        let unit = match words.next() {
            Some("us") => 1e-6,
            Some("ms") => 1e-3,
            _ => panic!("costs.txt: no time for {name}"),
        };
        number.expect("a number") * unit
    };
    Costs {
        message: cost("message"),
        result: cost("result"),
        latency: cost("latency"),
        redelivery: cost("redelivery"),
        failure: FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_shows_what_the_simulation_says() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cluster.md");
        let page = std::fs::read_to_string(page).unwrap();
        let hour = curve(SEARCHES[0].0, SEARCHES[0].1);
        for (workers, speed) in &hour.points {
            let row = format!("| {} | {speed:.1} |", mazurka_report::thousands(*workers as u64));
            assert!(page.contains(&row), "docs/cluster.md has no row {row}: run the example");
        }
    }
}
