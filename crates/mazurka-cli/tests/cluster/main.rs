//! Checks on a cluster, with a NATS server on the loopback interface and separate processes.
//!
//! Without `nats-server`, the tests do nothing but say so.

mod faults;
mod hostile;
mod network;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use mazurka_testkit::nats::{Process, Scratch, Server};

/// Threads that create threads and objects. Takes some seconds.
const NESTED: &str = include_str!("../nested.c");
/// Processes that create processes. Takes some seconds.
const NESTED_IN_ERLANG: &str = include_str!("../nested.erl");

/// Accesses of different sizes overlap, in one of many executions.
const OVERLAP: &str = include_str!("../overlap.c");

/// A server, for the command.
struct Hub(Server);

impl std::ops::Deref for Hub {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.0
    }
}

impl Hub {
    /// Starts a server; `None` if there is none to start.
    fn start() -> Option<Hub> {
        Server::start("").map(Hub)
    }

    /// Starts the command with these words and the address of the server.
    fn mazurka(&self, words: &[&str]) -> Process {
        self.run(Command::new(env!("CARGO_BIN_EXE_mazurka")), words)
    }

    /// Runs it by a command that runs `mazurka`.
    fn run(&self, mut command: Command, words: &[&str]) -> Process {
        command.args([words[0], "--cluster", &self.url()]).args(&words[1..]);
        Process::start(command.env("MAZURKA_PROGRESS", "0"))
    }

    fn worker(&self) -> Process {
        self.mazurka(&["worker", "--workers", "1"])
    }

    /// Returns what `mazurka jobs` prints.
    fn jobs(&self, words: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.args(["jobs", "--cluster", &self.url()]).args(words);
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Waits for a job that has counted some executions, and returns its id.
    fn wait_for_progress(&self) -> String {
        let started = Instant::now();
        loop {
            let jobs = self.jobs(&[]);
            let running = jobs.lines().find(|line| line.contains("running"));
            if let Some(line) = running.filter(|line| !line.contains(" 0 executions")) {
                return line.split_whitespace().next().unwrap().to_owned();
            }
            assert!(started.elapsed() < Duration::from_secs(60), "no progress:\n{jobs}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The numbers of executions, and of executions that ended early.
fn counts(json: &str) -> (u64, u64) {
    let value: serde_json::Value =
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}:\n{json}"));
    let count = |name: &str| value[name].as_u64().unwrap_or_else(|| panic!("no {name}:\n{json}"));
    (count("executions"), count("blocked"))
}

/// Checks a program on this machine.
fn alone(program: &Path, options: &[&str]) -> (u64, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
    command.arg("check").arg(program).args(options).args(["--json", "--workers", "1"]);
    let output = command.output().unwrap();
    counts(&String::from_utf8_lossy(&output.stdout))
}

/// A program that takes some seconds, and the counts of one machine.
struct Long {
    program: PathBuf,
    options: &'static [&'static str],
    expected: (u64, u64),
}

/// It must not be over before a test has seen its first results, however fast the machine is. With symmetry it
/// would be.
const OPTIONS: [&str; 5] = ["-D", "CHILDREN=3", "-D", "STEPS=8", "--no-symmetry"];

fn long(server: &Hub) -> Long {
    let program = server.scratch.file("nested.c", NESTED);
    static EXPECTED: OnceLock<(u64, u64)> = OnceLock::new();
    let expected = *EXPECTED
        .get_or_init(|| alone(&program, &[&OPTIONS[..], &["--algorithm", "graphs"]].concat()));
    Long { program, options: &OPTIONS, expected }
}

/// Returns a program in Erlang, for `optimal`, which is the default there.
fn long_in_erlang(server: &Hub) -> Long {
    let program = server.scratch.file("nested.erl", NESTED_IN_ERLANG);
    let options = &["--call", "nested:test(2, 3)"];
    static EXPECTED: OnceLock<(u64, u64)> = OnceLock::new();
    let expected = *EXPECTED
        .get_or_init(|| alone(&program, &[&options[..], &["--algorithm", "optimal"]].concat()));
    assert_eq!(expected, (907_200, 0), "10! / 4");
    Long { program, options, expected }
}

impl Long {
    fn check(&self, server: &Hub) -> Process {
        self.check_by(Command::new(env!("CARGO_BIN_EXE_mazurka")), server)
    }

    /// Checks it with a command that runs `mazurka`.
    fn check_by(&self, command: Command, server: &Hub) -> Process {
        let program = self.program.display().to_string();
        server.run(command, &[&["check", &program, "--json"], self.options].concat())
    }

    #[track_caller]
    fn expect(&self, process: Process) {
        let (code, stdout, stderr) = process.finish();
        assert_eq!(code, Some(0), "{stdout}\n{stderr}");
        assert_eq!(counts(&stdout), self.expected, "{stderr}");
    }
}

#[test]
fn counts_are_those_of_one_machine() {
    let Some(server) = Hub::start() else { return };
    let long = long(&server);
    let _first = server.worker();
    long.expect(long.check(&server));
    // Another worker joins while it runs.
    let check = long.check(&server);
    server.wait_for_progress();
    let _second = server.worker();
    long.expect(check);
    let jobs = server.jobs(&[]);
    assert_eq!(jobs.lines().filter(|line| line.contains("done")).count(), 2, "{jobs}");
}

#[test]
fn other_programs_and_options() {
    let Some(server) = Hub::start() else { return };
    let _worker = server.mazurka(&["worker", "--workers", "2"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let check = |words: &[&str]| {
        let alone = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .arg("check")
            .args(words)
            .args(["--json", "--workers", "1"])
            .current_dir(&root)
            .output()
            .unwrap();
        let mut cluster = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        cluster.arg("check").args(words).args(["--json", "--cluster", &server.url()]);
        let cluster = cluster.current_dir(&root).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(
            alone.status.code(),
            cluster.status.code(),
            "{words:?}\n{}",
            text(&cluster.stderr)
        );
        assert_eq!(counts(&text(&cluster.stdout)), counts(&text(&alone.stdout)), "{words:?}");
    };
    check(&["programs/fib_bench.c", "-D", "N=3", "-a", "naive"]);
    check(&["programs/fib_bench.c", "-D", "N=4", "-a", "graphs", "--memory-model", "tso"]);
    check(&["programs/fib_bench.c", "-D", "N=4", "-a", "graphs", "--memory-model", "sc"]);
    check(&["programs/fib_bench.c", "-D", "N=4", "-a", "optimal"]);
    check(&["programs/fib_bench.c", "-D", "N=5", "-a", "data-centric"]);
    // A mutex, whose operations are a lesson.
    check(&["programs/mutex_counter.c", "-D", "N=4", "-a", "data-centric"]);
    check(&["programs/read_arcs.pnml", "-a", "optimal", "--keep-going"]);
    check(&["programs/events_figure_5.trace", "-a", "optimal", "--keep-going"]);
    let senders = "n_senders_one_receive:test(5)";
    check(&["programs/n_senders_one_receive.erl", "--call", senders, "-a", "optimal"]);
    check(&["programs/read_arcs.pnml", "-a", "naive", "--keep-going"]);
    check(&["programs/events_figure_5.trace", "-a", "naive", "--keep-going"]);
    let senders = "n_senders_one_receive:test(3)";
    check(&["programs/n_senders_one_receive.erl", "--call", senders, "-a", "naive"]);
    // It uses modules of OTP.
    let server = "crates/mazurka-erlang/tests/programs/server.erl";
    check(&[server, "--call", "server:cast()", "-a", "naive"]);
}

/// Threads that create threads, which workers number in different ways.
#[test]
fn data_centric_counts_as_on_one_machine() {
    let Some(server) = Hub::start() else { return };
    let _workers = [server.worker(), server.worker()];
    let program = server.scratch.file("nested.c", NESTED);
    let options = &["-D", "CHILDREN=2", "-D", "STEPS=3", "--algorithm", "data-centric"];
    let expected = alone(&program, options);
    let long = Long { program, options, expected };
    long.expect(long.check(&server));
    let program = server.scratch.file("nested.erl", NESTED_IN_ERLANG);
    let options = &["--call", "nested:test(2, 2)", "--algorithm", "data-centric"];
    let expected = alone(&program, options);
    let long = Long { program, options, expected };
    long.expect(long.check(&server));
}

/// Workers that find a condition on memory of several sizes leave the program to `optimal`.
#[test]
fn data_centric_gives_up_on_a_cluster() {
    let Some(server) = Hub::start() else { return };
    let _workers = [server.worker(), server.worker()];
    let program = server.scratch.file("overlap.c", OVERLAP);
    let options = &["--algorithm", "data-centric"];
    let expected = alone(&program, options);
    assert_eq!(expected, alone(&program, &["--algorithm", "optimal"]));
    let long = Long { program, options, expected };
    let (code, stdout, stderr) = long.check(&server).finish();
    assert_eq!((code, counts(&stdout)), (Some(0), expected), "{stderr}");
    assert!(stdout.contains("`optimal` explored this program"), "{stdout}");
}

#[test]
fn violations_are_reported() {
    let Some(server) = Hub::start() else { return };
    let _worker = server.worker();
    let program = r#"
        #include <assert.h>
        #include <pthread.h>
        #include <stdatomic.h>
        atomic_int x;
        static void *add(void *unused) { (void)unused; int seen = x; x = seen + 1; return 0; }
        int main(void) {
            pthread_t threads[2];
            for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
            for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
            assert(x == 2);
        }"#;
    let program = server.scratch.file("lost.c", program).display().to_string();
    let (code, _, stderr) = server.mazurka(&["check", &program]).finish();
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("x == 2") && stderr.contains("mazurka replay"), "{stderr}");
}

#[test]
fn what_cannot_be_on_a_cluster_is_refused() {
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.args([words[0], "--cluster", "nats://127.0.0.1:1"]).args(&words[1..]);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let scratch = Scratch::new();
    let program = scratch.file("nested.c", NESTED).display().to_string();
    assert!(
        run(&["check", &program, "-D", "CHILDREN=3", "-D", "STEPS=1", "-a", "observers"])
            .contains("`observers` cannot divide its search into parts: use `optimal`")
    );
    assert!(
        run(&["check", &program, "-D", "CHILDREN=3", "-D", "STEPS=1", "--workers", "2"])
            .contains("`--workers` cannot be used")
    );
    assert!(
        run(&["check", &program, "-D", "CHILDREN=3", "-D", "STEPS=1"])
            .contains("cannot be reached")
    );
    assert!(run(&["worker"]).contains("nats-server -js"));
    let module = scratch.file("a.erl", "-module(a).\n-export([f/0]).\nf() -> self() ! ok.\n");
    let module = module.display().to_string();
    let said = run(&["check", &module, "--call", "a:f()", "-a", "graphs"]);
    assert!(said.contains("has no memory orderings"), "{said}");
    let said = run(&["check", &module, "--call", "a:f()"]);
    assert!(said.contains("cannot be reached"), "{said}");
}

#[test]
fn a_job_is_cancelled() {
    let Some(server) = Hub::start() else { return };
    let long = long(&server);
    let _worker = server.worker();
    let check = long.check(&server);
    let id = server.wait_for_progress();
    server.jobs(&["cancel", &id]);
    let (code, _, stderr) = check.finish();
    assert!(code == Some(2) && stderr.contains("was cancelled"), "{stderr}");
    assert!(server.jobs(&["show", &id]).contains("cancelled"));
    server.jobs(&["cancel", &id]);
    assert_eq!(server.jobs(&[]), "");
}
