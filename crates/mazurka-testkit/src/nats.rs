//! A NATS server on the loopback interface, and processes that end with the test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A directory that is removed in the end.
#[derive(Debug)]
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// Creates the directory.
    #[expect(clippy::new_without_default, reason = "it has an effect")]
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let unique =
            format!("mazurka-cluster-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
        let directory = std::env::temp_dir().join(unique);
        std::fs::create_dir_all(&directory).unwrap();
        Scratch(directory)
    }

    /// Writes a file, and returns its path.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
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
#[derive(Debug)]
pub struct Process(pub Child);

impl Process {
    /// Starts a command whose output can be read.
    pub fn start(command: &mut Command) -> Self {
        Process(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Sends a signal, such as `-STOP`.
    pub fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Returns whether the process has ended.
    pub fn is_over(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Waits for the end, and returns the exit code and what the process has printed.
    pub fn finish(mut self) -> (Option<i32>, String, String) {
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
#[derive(Debug)]
pub struct Server {
    /// The directory of the store.
    pub scratch: Scratch,
    /// The address that it listens on.
    pub address: String,
    /// The port.
    pub port: u16,
    process: Process,
}

impl Server {
    /// Starts a server with JetStream and this configuration; `None` if there is none to start.
    pub fn start(configuration: &str) -> Option<Server> {
        Server::start_on("127.0.0.1", configuration)
    }

    /// Starts a server that listens on this address.
    pub fn start_on(address: &str, configuration: &str) -> Option<Server> {
        if Command::new("nats-server").arg("--version").output().is_err() {
            eprintln!("skipped: there is no nats-server; `cargo xtask setup` installs it");
            return None;
        }
        let scratch = Scratch::new();
        let port = TcpListener::bind((address, 0)).unwrap().local_addr().unwrap().port();
        let config = scratch.file("nats.conf", configuration);
        let process = Server::launch(&scratch.0, &config, address, port);
        Some(Server { scratch, address: address.to_owned(), port, process })
    }

    fn launch(directory: &Path, config: &Path, address: &str, port: u16) -> Process {
        let mut command = Command::new("nats-server");
        command.args(["-js", "-a", address, "-p", &port.to_string(), "-sd"]).arg(directory);
        command.arg("-c").arg(config).stdout(Stdio::null()).stderr(Stdio::null());
        let process = Process(command.spawn().unwrap());
        let started = Instant::now();
        while TcpStream::connect((address, port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(10), "the server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        process
    }

    /// Kills the server and starts it again on the same store.
    pub fn restart(&mut self) {
        self.process.kill();
        let config = self.scratch.0.join("nats.conf");
        self.process = Server::launch(&self.scratch.0, &config, &self.address, self.port);
    }

    /// Returns the address.
    pub fn url(&self) -> String {
        format!("nats://{}:{}", self.address, self.port)
    }

    /// Publishes a message without JetStream's acknowledgement.
    pub fn publish(&self, subject: &str, payload: &[u8]) {
        let mut stream = TcpStream::connect((self.address.as_str(), self.port)).unwrap();
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
}
