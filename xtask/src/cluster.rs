//! `cargo xtask cluster`: how much slower a cluster on this machine is than `--workers`.
//!
//! Both run the same search with two workers. The cluster has a NATS server and a worker process on this
//! machine. Runs alternate, so that other processes disturb both.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use super::run;

/// A search of some seconds.
const DEFAULT: [&str; 5] =
    ["crates/mazurka-cli/tests/nested.c", "-D", "CHILDREN=3", "-D", "STEPS=9"];
const ROUNDS: usize = 5;

/// Measures a program, given by the words of `mazurka check`.
pub(crate) fn cluster(words: &[String]) -> ExitCode {
    if !run::succeeds(&["build", "--quiet", "--release", "--package", "mazurka-cli"]) {
        return ExitCode::FAILURE;
    }
    let words: Vec<&str> = match words {
        [] => DEFAULT.to_vec(),
        words => words.iter().map(String::as_str).collect(),
    };
    match measure(&words) {
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
    let _server = Running(server.map_err(|error| {
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
    let _worker = Running(worker.spawn().map_err(|error| error.to_string())?);

    let alone = ["--workers", "2", "--algorithm", "graphs"];
    let together = ["--cluster", url.as_str()];
    let (mut alone_times, mut cluster_times) = (Vec::new(), Vec::new());
    // The first round warms up the caches, and does not count.
    for round in 0..=ROUNDS {
        let times = [time(&mazurka, words, &alone)?, time(&mazurka, words, &together)?];
        println!("--workers 2: {:7.3} s   --cluster: {:7.3} s", times[0], times[1]);
        if round > 0 {
            alone_times.push(times[0]);
            cluster_times.push(times[1]);
        }
    }
    let (alone, cluster) = (median(alone_times), median(cluster_times));
    println!("The cluster is {:+.1} % slower (medians).", (cluster / alone - 1.0) * 100.0);
    Ok(())
}

/// Returns how long a check takes, in seconds, with compilation and start.
fn time(mazurka: &PathBuf, words: &[&str], options: &[&str]) -> Result<f64, String> {
    let mut command = Command::new(mazurka);
    command.current_dir(run::root()).arg("check").args(words).args(options);
    command.env("MAZURKA_PROGRESS", "0").stdout(Stdio::null());
    let started = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0 | 1) => Ok(started.elapsed().as_secs_f64()),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
