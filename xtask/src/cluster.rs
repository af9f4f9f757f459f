//! `cargo xtask cluster`: how much slower a cluster on this machine is than `--workers`.
//!
//! Both run the same search with two workers. The cluster has a NATS server and a worker process on this
//! machine. Runs alternate, so that other processes disturb both. The time of the processors, which is less
//! sensitive to other processes, is that of all processes: the command, the worker and the server.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::run;

/// Searches of 20 to 60 seconds.
const DEFAULT: [&[&str]; 2] = [
    &["programs/fib_bench.c", "-D", "N=8", "--algorithm", "graphs"],
    &["programs/fib_bench.c", "-D", "N=9", "--algorithm", "optimal"],
];
const ROUNDS: usize = 3;

/// The number of ticks per second in the files of `/proc`.
const TICKS: f64 = 100.0;

/// Measures a program, given by the words of `mazurka check`.
pub(crate) fn cluster(words: &[String]) -> ExitCode {
    if !run::succeeds(&["build", "--quiet", "--release", "--package", "mazurka-cli"]) {
        return ExitCode::FAILURE;
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        [] => DEFAULT.into_iter().try_for_each(measure),
        _ => measure(&words),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// A process that is killed in the end.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn measure(words: &[&str]) -> Result<(), String> {
    let store = std::env::temp_dir().join(format!("mazurka-measure-{}", std::process::id()));
    let result = measure_with(words, &store);
    let _ = std::fs::remove_dir_all(&store);
    result
}

fn measure_with(words: &[&str], store: &Path) -> Result<(), String> {
    let mazurka = run::root().join("target/release/mazurka");
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.map_err(|error| error.to_string())?.port();
    let mut server = Command::new("nats-server");
    server.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(store);
    let server = server.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let server = Running(server.map_err(|error| {
        format!("nats-server cannot be started: {error}; `cargo xtask setup` installs it")
    })?);
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if started.elapsed() > Duration::from_secs(10) {
            return Err("nats-server does not answer".to_owned());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let url = format!("nats://127.0.0.1:{port}");
    let mut worker = Command::new(&mazurka);
    worker.args(["worker", "--workers", "2", "--cluster", &url]).stderr(Stdio::null());
    let worker = Running(worker.spawn().map_err(|error| error.to_string())?);

    println!("{}", words.join(" "));
    // `check --cluster` uses `graphs` unless it is told otherwise.
    let graphs: &[&str] =
        if words.contains(&"--algorithm") { &[] } else { &["--algorithm", "graphs"] };
    let alone = [&["--workers", "2"], graphs].concat();
    let together = ["--cluster", url.as_str()];
    let (mut alone_costs, mut cluster_costs) = (Vec::new(), Vec::new());
    let others = [worker.0.id(), server.0.id()];
    // The first round warms up the caches, and does not count.
    for round in 0..=ROUNDS {
        let costs =
            [cost(&mazurka, words, &alone, &others)?, cost(&mazurka, words, &together, &others)?];
        let [[alone, alone_cpu], [cluster, cluster_cpu]] = costs;
        println!(
            "  --workers 2: {alone:7.3} s, processors {alone_cpu:7.2} s   \
             --cluster: {cluster:7.3} s, processors {cluster_cpu:7.2} s"
        );
        if round > 0 {
            alone_costs.push(costs[0]);
            cluster_costs.push(costs[1]);
        }
    }
    let slower = |which: usize| {
        let median = |costs: &[[f64; 2]]| median(costs.iter().map(|cost| cost[which]).collect());
        (median(&cluster_costs) / median(&alone_costs) - 1.0) * 100.0
    };
    println!(
        "  The cluster is {:+.1} % slower, and takes {:+.1} % of processor time (medians).",
        slower(0),
        slower(1)
    );
    Ok(())
}

/// Returns the processor time of a process in seconds or, with `self`, of the children of this process that
/// have ended. It is 0 if there is no `/proc`.
fn processor_time(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The second field is the name of the command in parentheses.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let skipped = if process == "self" { 13 } else { 11 };
    fields.skip(skipped).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// Returns how long a check takes, in seconds, with compilation and start, and the processor time of the
/// command and of the `others`.
fn cost(
    mazurka: &PathBuf,
    words: &[&str],
    options: &[&str],
    others: &[u32],
) -> Result<[f64; 2], String> {
    let processors = || {
        let others = others.iter().map(|id| processor_time(&id.to_string()));
        processor_time("self") + others.sum::<f64>()
    };
    let before = processors();
    let mut command = Command::new(mazurka);
    command.current_dir(run::root()).arg("check").args(words).args(options);
    command.env("MAZURKA_PROGRESS", "0").stdout(Stdio::null());
    let started = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0 | 1) => Ok([started.elapsed().as_secs_f64(), processors() - before]),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
