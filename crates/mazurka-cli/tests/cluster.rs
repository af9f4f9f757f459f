//! Checks on a cluster, with a NATS server on the loopback interface and separate processes.
//!
//! Without `nats-server`, the tests do nothing but say so.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Threads that create threads and objects. Takes some seconds.
const NESTED: &str = include_str!("nested.c");

/// A directory that goes away.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let unique =
            format!("mazurka-cluster-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let directory = std::env::temp_dir().join(unique);
        std::fs::create_dir_all(&directory).unwrap();
        Scratch(directory)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    fn is_over(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Waits for the end, and returns the exit code and what it has printed.
    fn finish(mut self) -> (Option<i32>, String, String) {
        let (mut stdout, mut stderr) = (String::new(), String::new());
        if let Some(mut pipe) = self.0.stdout.take() {
            let _ = pipe.read_to_string(&mut stdout);
        }
        if let Some(mut pipe) = self.0.stderr.take() {
            let _ = pipe.read_to_string(&mut stderr);
        }
        (self.0.wait().unwrap().code(), stdout, stderr)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A server with its own store.
struct Server {
    scratch: Scratch,
    port: u16,
    process: Process,
}

impl Server {
    /// Starts a server; `None` if there is none to start.
    fn start(more: &str) -> Option<Server> {
        if Command::new("nats-server").arg("--version").output().is_err() {
            eprintln!("skipped: there is no nats-server; `cargo xtask setup` installs it");
            return None;
        }
        let scratch = Scratch::new();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let config = scratch.file("nats.conf", more);
        let process = Server::launch(&scratch.0, &config, port);
        Some(Server { scratch, port, process })
    }

    fn launch(directory: &Path, config: &Path, port: u16) -> Process {
        let mut command = Command::new("nats-server");
        command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(directory);
        command.arg("-c").arg(config).stdout(Stdio::null()).stderr(Stdio::null());
        let process = Process(command.spawn().unwrap());
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(10), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        process
    }

    fn restart(&mut self) {
        self.process.kill();
        let config = self.scratch.0.join("nats.conf");
        self.process = Server::launch(&self.scratch.0, &config, self.port);
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts the command with these words and the address of the server.
    fn mazurka(&self, words: &[&str]) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.args([words[0], "--cluster", &self.url()]).args(&words[1..]);
        command.env("MAZURKA_PROGRESS", "0");
        Process(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    fn worker(&self) -> Process {
        self.mazurka(&["worker", "--workers", "1"])
    }

    /// Publishes a message without JetStream's acknowledgement.
    fn publish(&self, subject: &str, payload: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        write!(stream, "CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n", payload.len())
            .unwrap();
        stream.write_all(payload).unwrap();
        stream.write_all(b"\r\nPING\r\n").unwrap();
        let mut answer = Vec::new();
        let mut buffer = [0; 4096];
        while !answer.windows(4).any(|word| word == b"PONG") {
            let read = stream.read(&mut buffer).unwrap();
            assert!(read > 0, "the server closes the connection");
            answer.extend_from_slice(&buffer[..read]);
        }
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
    expected: (u64, u64),
}

/// It must not be over before a test has seen its first results, however fast the machine is.
const OPTIONS: [&str; 4] = ["-D", "CHILDREN=3", "-D", "STEPS=8"];

fn long(server: &Server) -> Long {
    let program = server.scratch.file("nested.c", NESTED);
    static EXPECTED: OnceLock<(u64, u64)> = OnceLock::new();
    let expected = *EXPECTED
        .get_or_init(|| alone(&program, &[&OPTIONS[..], &["--algorithm", "graphs"]].concat()));
    Long { program, expected }
}

impl Long {
    fn check(&self, server: &Server) -> Process {
        let program = self.program.display().to_string();
        server.mazurka(&[&["check", &program, "--json"], &OPTIONS[..]].concat())
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
    let Some(server) = Server::start("") else { return };
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
    let Some(server) = Server::start("") else { return };
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
}

#[test]
fn violations_are_reported() {
    let Some(server) = Server::start("") else { return };
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
fn a_worker_is_killed() {
    let Some(server) = Server::start("") else { return };
    let long = long(&server);
    let (mut first, _second) = (server.worker(), server.worker());
    let check = long.check(&server);
    server.wait_for_progress();
    first.kill();
    long.expect(check);
}

#[test]
fn a_worker_is_paused_for_longer_than_its_deadline() {
    let Some(server) = Server::start("") else { return };
    let long = long(&server);
    let (first, _second) = (server.worker(), server.worker());
    let check = long.check(&server);
    server.wait_for_progress();
    first.signal("-STOP");
    std::thread::sleep(Duration::from_secs(6));
    first.signal("-CONT");
    long.expect(check);
}

#[test]
fn the_coordinator_is_killed() {
    let Some(server) = Server::start("") else { return };
    let long = long(&server);
    let _worker = server.worker();
    let mut check = long.check(&server);
    let id = server.wait_for_progress();
    check.kill();
    long.expect(server.mazurka(&["jobs", "resume", &id, "--json"]));
}

#[test]
fn the_server_is_killed() {
    let Some(mut server) = Server::start("") else { return };
    let long = long(&server);
    let (_first, _second) = (server.worker(), server.worker());
    let check = long.check(&server);
    server.wait_for_progress();
    server.restart();
    long.expect(check);
}

#[test]
fn garbage_does_not_count() {
    let Some(server) = Server::start("") else { return };
    let long = long(&server);
    let mut worker = server.worker();
    let check = long.check(&server);
    let id = server.wait_for_progress();
    for garbage in
        [&b""[..], b"\xff\xff\n\xff", b"{\"part\":\"0-0\",\"parts\":1}\n\x05naive\xff\xff"]
    {
        server.publish(&format!("mazurka.results.{id}"), garbage);
        server.publish(&format!("mazurka.parts.{id}"), garbage);
    }
    let failed = b"{\"part\":\"0-0\",\"parts\":1,\"failed\":\"no\"}\n";
    (0..5).for_each(|_| server.publish(&format!("mazurka.results.{id}"), failed));
    server.publish("mazurka.parts.nobody", b"{\"job\":\"nobody\",\"part\":\"0-0\"}\n\0\0\0");
    server.publish("mazurka.hunger", b"{\"idle\":4000000000,\"busy\":0}");
    // A path that this program does not have.
    let lost = format!("{{\"job\":\"{id}\",\"part\":\"9999-0\"}}\n");
    let lost = [lost.as_bytes(), b"\x01\x01\x00\x01\x00\x03\x09\x09\x09\x01"].concat();
    server.publish(&format!("mazurka.parts.{id}"), &lost);
    long.expect(check);
    assert!(!worker.is_over(), "the worker has died of it");
}

#[test]
fn jobs_of_other_versions_are_refused() {
    let Some(server) = Server::start("") else { return };
    let long = long(&server);
    let check = long.check(&server);
    let started = Instant::now();
    let id = loop {
        let jobs = server.jobs(&[]);
        if let Some(line) = jobs.lines().next() {
            break line.split_whitespace().next().unwrap().to_owned();
        }
        assert!(started.elapsed() < Duration::from_secs(20), "there is no job");
    };
    let job = |version: &str, digest: &str, option: &str| {
        format!(
            r#"{{"id":"{id}","version":"{version}","name":"n","options":["--algorithm","graphs"{option}],
            "opens":["0.ll"],"files":["0.ll"],"digest":"{digest}","memory":1,"replay":"","published":0}}"#
        )
        .replace('\n', " ")
    };
    let version = env!("CARGO_PKG_VERSION");
    let told = |record: String, expected: &str| {
        server.publish(&format!("$KV.mazurka-jobs.{id}.job"), record.as_bytes());
        let mut worker = server.worker();
        let (mut said, started) = (Vec::new(), Instant::now());
        let mut stderr = worker.0.stderr.take().unwrap();
        while !String::from_utf8_lossy(&said).contains(expected) {
            let mut buffer = [0; 1024];
            let read = stderr.read(&mut buffer).unwrap();
            said.extend_from_slice(&buffer[..read]);
            let said = String::from_utf8_lossy(&said);
            assert!(started.elapsed() < Duration::from_secs(30) && read > 0, "{said}");
        }
    };
    told(job("0.0.9", "0", ""), "install the same version");
    told(job(version, "0123456789abcdef", ""), "install the same build");
    told(job(version, "0", r#","--html","/tmp/x""#), "`html` is not allowed");
    drop(check);
}

#[test]
fn credentials_are_needed() {
    let Some(server) = Server::start("authorization { user: ann, password: secret }") else {
        return;
    };
    let program = server.scratch.file("nested.c", NESTED).display().to_string();
    for words in
        [&["worker"][..], &["jobs"], &["check", &program, "-D", "CHILDREN=3", "-D", "STEPS=1"]]
    {
        let (code, stdout, stderr) = server.mazurka(words).finish();
        assert_eq!(code, Some(2), "{stdout}\n{stderr}");
        assert!(stderr.contains("refuses the credentials"), "{stderr}");
    }
    let url = format!("nats://ann:secret@127.0.0.1:{}", server.port);
    let jobs =
        Command::new(env!("CARGO_BIN_EXE_mazurka")).args(["jobs", "--cluster", &url]).output();
    assert_eq!(jobs.unwrap().status.code(), Some(0));
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
        run(&["check", &program, "-D", "CHILDREN=3", "-D", "STEPS=1", "-a", "optimal"])
            .contains("--algorithm graphs")
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
    let module = scratch.file("a.erl", "-module(a).\n-export([f/0]).\nf() -> ok.\n");
    let module = module.display().to_string();
    let said = run(&["check", &module, "--call", "a:f()", "-a", "naive"]);
    assert!(said.contains("Erlang and Elixir programs cannot be checked on a cluster"), "{said}");
}

#[test]
fn a_job_is_cancelled() {
    let Some(server) = Server::start("") else { return };
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
