//! The network is cut: packets vanish, and no connection reports an error.

use std::process::Command;
use std::time::Duration;

use mazurka_testkit::nats::Server;

use super::{Hub, long};

/// The addresses of the two ends of the cable.
const HERE: &str = "10.231.77.1";
const THERE: &str = "10.231.77.2";

/// A network namespace, and a cable between it and this one.
struct Network {
    name: String,
}

impl Network {
    /// Creates the namespace; `None` if that is not allowed.
    fn new() -> Option<Self> {
        let network = Network { name: format!("mazurka{}", std::process::id()) };
        let (name, near, far) = (&network.name, network.near(), network.far());
        let steps = [
            format!("netns add {name}"),
            format!("link add {near} type veth peer name {far} netns {name}"),
            format!("addr add {HERE}/30 dev {near}"),
            format!("link set {near} up"),
            format!("-n {name} addr add {THERE}/30 dev {far}"),
            format!("-n {name} link set {far} up"),
        ];
        if !steps.iter().all(|step| ip(step)) {
            eprintln!("skipped: `ip netns` does not work here; it needs iproute2 and root");
            return None;
        }
        Some(network)
    }

    fn near(&self) -> String {
        format!("mz{}a", std::process::id())
    }

    fn far(&self) -> String {
        format!("mz{}b", std::process::id())
    }

    /// Returns the command, to be run in the namespace.
    fn mazurka(&self) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name, env!("CARGO_BIN_EXE_mazurka")]);
        command
    }

    fn set_cable(&self, state: &str) {
        assert!(ip(&format!("link set {} {state}", self.near())));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        ip(&format!("netns del {}", self.name));
    }
}

fn ip(words: &str) -> bool {
    let output = Command::new("ip").args(words.split(' ')).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn the_network_is_cut() {
    let Some(network) = Network::new() else { return };
    let Some(server) = Server::start_on(HERE, "").map(Hub) else { return };
    let long = long(&server);
    let (_near, _far) =
        (server.worker(), server.run(network.mazurka(), &["worker", "--workers", "1"]));
    // The coordinator is cut off, too.
    let check = long.check_by(network.mazurka(), &server);
    server.wait_for_progress();
    network.set_cable("down");
    std::thread::sleep(Duration::from_secs(8));
    network.set_cable("up");
    long.expect(check);
}
