//! How fast `data-centric` is, and how its time grows.
//!
//! `cargo run --release -p mazurka --example observations`
//!
//! Runs the programs of the catalogue for which the number of observation functions is known by a
//! formula or from elsewhere, and prints executions, time, and time per execution. For `opt_lock`, which
//! has two threads, it prints with which power of `n` the time per execution grows; for `fib_bench`, on
//! which observation is no coarser than traces, how `optimal` does. Nothing is asserted: this is for
//! reading.

#[path = "catalogue/programs/mod.rs"]
#[allow(dead_code)]
mod programs;

use std::time::Duration;

use mazurka::{Algorithm, Check};

fn measure(name: &str, n: usize, algorithm: Algorithm) -> (u64, Duration) {
    let program = programs::find(name).expect("it is in the catalogue");
    let check = program.prepare(Check::new()).algorithm(algorithm).keep_going(true);
    let body = program.body;
    let verdict = check.run(move || body.run(n));
    (verdict.executions, verdict.elapsed)
}

fn line(name: &str, n: usize, algorithm: Algorithm) -> f64 {
    let (executions, elapsed) = measure(name, n, algorithm);
    let each = elapsed.as_secs_f64() / executions as f64;
    let seconds = elapsed.as_secs_f64();
    println!(
        "{name:20} {n:4}  {algorithm:12} {executions:8} executions {seconds:8.3} s {:9.1} µs each",
        each * 1e6
    );
    each
}

fn main() {
    let sizes = [12, 25, 50, 100, 200];
    let each = sizes.map(|n| line("opt_lock", n, Algorithm::DataCentric));
    // The slope of a straight line through the logarithms.
    let points: Vec<(f64, f64)> =
        sizes.iter().zip(each).map(|(n, each)| ((*n as f64).ln(), each.ln())).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let variance: f64 = points.iter().map(|p| (p.0 - x) * (p.0 - x)).sum();
    println!("time per execution of opt_lock(n) grows like n^{:.2}\n", covariance / variance);

    for n in [10, 20, 40] {
        line("redundant_co", n, Algorithm::DataCentric);
    }
    for (name, n) in
        [("lastzero", 10), ("readers", 13), ("fib_bench", 5), ("fib_bench_unjoined", 5)]
    {
        let observations = line(name, n, Algorithm::DataCentric);
        let traces = line(name, n, Algorithm::Optimal);
        println!("{:26} {:.1} times the time of optimal", "", observations / traces);
    }
}
