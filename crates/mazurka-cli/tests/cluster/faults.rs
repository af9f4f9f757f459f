//! Processes die, sleep, and lose the network. The counts are those of one machine.

use std::time::Duration;

use super::{Hub, long, long_in_erlang};

#[test]
fn a_worker_is_killed() {
    let Some(server) = Hub::start() else { return };
    let long = long(&server);
    let (mut first, _second) = (server.worker(), server.worker());
    let check = long.check(&server);
    server.wait_for_progress();
    first.kill();
    long.expect(check);
}

#[test]
fn a_worker_is_paused_for_longer_than_its_deadline() {
    let Some(server) = Hub::start() else { return };
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
    let Some(server) = Hub::start() else { return };
    let long = long(&server);
    let _worker = server.worker();
    let mut check = long.check(&server);
    let id = server.wait_for_progress();
    check.kill();
    long.expect(server.mazurka(&["jobs", "resume", &id, "--json"]));
}

#[test]
fn the_server_is_killed() {
    let Some(mut server) = Hub::start() else { return };
    let long = long(&server);
    let (_first, _second) = (server.worker(), server.worker());
    let check = long.check(&server);
    server.wait_for_progress();
    server.0.restart();
    long.expect(check);
}

/// The branches of all forks are known to the coordinator alone, and another one must come to know them.
#[test]
fn workers_and_the_coordinator_of_an_erlang_program_are_killed() {
    let Some(server) = Hub::start() else { return };
    let long = long_in_erlang(&server);
    let (mut first, _second) = (server.worker(), server.worker());
    let mut check = long.check(&server);
    let id = server.wait_for_progress();
    first.kill();
    check.kill();
    let _third = server.worker();
    long.expect(server.mazurka(&["jobs", "resume", &id, "--json"]));
}

#[test]
fn a_worker_that_explores_an_erlang_program_is_paused() {
    let Some(server) = Hub::start() else { return };
    let long = long_in_erlang(&server);
    let (first, _second) = (server.worker(), server.worker());
    let check = long.check(&server);
    server.wait_for_progress();
    first.signal("-STOP");
    std::thread::sleep(Duration::from_secs(6));
    first.signal("-CONT");
    long.expect(check);
}
