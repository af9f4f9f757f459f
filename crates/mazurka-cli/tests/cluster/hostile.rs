//! Messages and processes that do not belong to the cluster.

use std::io::Read;
use std::process::Command;
use std::time::{Duration, Instant};

use mazurka_testkit::nats::Server;

use super::{Hub, NESTED, long};

#[test]
fn garbage_does_not_count() {
    let Some(server) = Hub::start() else { return };
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
    let path = b"\x01\x01\0\0\x01\0\x03\x09\x09\x09\x01";
    // It weighs nothing, or more than the whole search.
    for weight in [&b"\0"[..], b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f"] {
        let lost = [lost.as_bytes(), path, weight, b"\0\0\0"].concat();
        server.publish(&format!("mazurka.parts.{id}"), &lost);
    }
    long.expect(check);
    assert!(!worker.is_over(), "the worker has died of it");
}

#[test]
fn jobs_of_other_versions_are_refused() {
    let Some(server) = Hub::start() else { return };
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
    let version = mazurka_cluster::VERSION;
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
    // The same version with another form of messages.
    told(job(env!("CARGO_PKG_VERSION"), "0", ""), "install the same version");
    told(job(version, "0123456789abcdef", ""), "install the same build");
    told(job(version, "0", r#","--html","/tmp/x""#), "`html` is not allowed");
    drop(check);
}

#[test]
fn credentials_are_needed() {
    let server = Server::start("authorization { user: ann, password: secret }");
    let Some(server) = server.map(Hub) else { return };
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
