//! A model of the protocol by which Mazurka checks programs on many machines, checked by Mazurka.
//!
//! `cargo run -p mazurka --example cluster_protocol`; add `acknowledge-first` or `count-duplicates` to see
//! what goes wrong with that mistake.
//!
//! A search is a number of executions to count. Exploring a part of it counts some of them, and leaves
//! the rest as another part. A server has a queue of parts and a stream of results. Workers take a part,
//! publish a result, and then acknowledge the part. The server may deliver a part twice, if it thinks that
//! a worker is dead. Workers may die at any moment, and so may the coordinator, which adds up the results
//! and puts what is left into the queue. Whatever happens, all executions must be counted once.

use std::process::ExitCode;
use std::sync::Arc;

use mazurka::sync::Mutex;
use mazurka::{Check, choose, thread};

/// How the protocol works. [`Protocol::default`] is right.
#[derive(Clone, Copy, Default)]
pub(crate) struct Protocol {
    /// Workers acknowledge a part before they publish its result.
    pub(crate) acknowledges_first: bool,
    /// A result counts even if its part has a result already.
    pub(crate) counts_duplicates: bool,
    /// The coordinator publishes all open parts again when the queue is empty.
    pub(crate) sweeps: bool,
}

/// The number of executions of the program.
const ALL: u32 = 2;

/// A part: the number of the result that left it, and the number of its executions.
type Part = (usize, u32);

/// The result of exploring a part.
#[derive(Clone, Copy)]
struct Outcome {
    part: Part,
    counted: u32,
}

/// What the server stores.
#[derive(Default)]
struct Server {
    queue: Vec<Part>,
    results: Vec<Outcome>,
}

impl Server {
    fn acknowledge(&mut self, part: Part) {
        self.queue.retain(|queued| *queued != part);
    }
}

/// Adds up the results: returns how many executions have been counted, and the open parts.
fn fold(results: &[Outcome], protocol: Protocol) -> (u32, Vec<Part>) {
    let (mut count, mut open) = (0, vec![(0, ALL)]);
    for (number, outcome) in results.iter().enumerate() {
        let place = open.iter().position(|part| *part == outcome.part);
        if place.is_none() && !protocol.counts_duplicates {
            continue;
        }
        place.map(|place| open.swap_remove(place));
        count += outcome.counted;
        let left = outcome.part.1 - outcome.counted;
        if left > 0 {
            open.push((number + 1, left));
        }
    }
    (count, open)
}

/// Explores one part, unless it dies on the way. With `is_reliable`, it does not.
fn work(server: &Mutex<Server>, protocol: Protocol, is_reliable: bool) {
    let dies = || !is_reliable && choose(2) == 1;
    // Parts stay in the queue until they are acknowledged, so that another worker may get them, too.
    let queue = server.lock().unwrap().queue.clone();
    if queue.is_empty() {
        return;
    }
    let part = queue[choose(queue.len())];
    // Two workers may divide the same part differently.
    let counted = if part.1 > 1 && choose(2) == 1 { 1 } else { part.1 };
    let publish = || server.lock().unwrap().results.push(Outcome { part, counted });
    let acknowledge = || server.lock().unwrap().acknowledge(part);
    let steps: [&dyn Fn(); 2] = match protocol.acknowledges_first {
        false => [&publish, &acknowledge],
        true => [&acknowledge, &publish],
    };
    for step in steps {
        if dies() {
            return;
        }
        step();
    }
}

/// Reads the results, and puts open parts into the queue unless that was done before.
fn coordinate(server: &Mutex<Server>, protocol: Protocol, published: &mut Vec<Part>) -> bool {
    let (queue, results) = {
        let server = server.lock().unwrap();
        (server.queue.clone(), server.results.clone())
    };
    let (_, open) = fold(&results, protocol);
    if protocol.sweeps && queue.is_empty() {
        published.clear();
    }
    let new: Vec<Part> = open.iter().copied().filter(|part| !published.contains(part)).collect();
    if !new.is_empty() {
        published.extend(&new);
        server.lock().unwrap().queue.extend(new);
    }
    open.is_empty()
}

/// Runs a search with two workers.
pub(crate) fn search(protocol: Protocol) {
    let server = Arc::new(Mutex::new(Server::default()));
    let mut published = Vec::new();
    coordinate(&server, protocol, &mut published);
    let workers = [(); 2].map(|()| {
        let server = Arc::clone(&server);
        thread::spawn(move || work(&server, protocol, false))
    });
    coordinate(&server, protocol, &mut published);
    if choose(2) == 1 {
        // The coordinator dies. Another one knows nothing of what was published.
        published.clear();
    }
    for worker in workers {
        worker.join().unwrap();
    }
    // From now on, nothing fails.
    for _ in 0..2 * ALL {
        if coordinate(&server, protocol, &mut published) {
            break;
        }
        work(&server, protocol, true);
    }
    let (count, open) = fold(&server.lock().unwrap().results, protocol);
    assert!(open.is_empty(), "a part of the search is lost: {open:?}");
    assert_eq!(count, ALL, "all executions are counted once");
}

#[allow(dead_code)] // The tests call `search`.
fn main() -> ExitCode {
    let mistake = std::env::args().nth(1).unwrap_or_default();
    let protocol = match mistake.as_str() {
        "" => Protocol::default(),
        "acknowledge-first" => Protocol { acknowledges_first: true, ..Protocol::default() },
        "count-duplicates" => Protocol { counts_duplicates: true, ..Protocol::default() },
        _ => {
            eprintln!("there are the mistakes acknowledge-first and count-duplicates");
            return ExitCode::from(2);
        }
    };
    Check::new().check_then(
        move || search(protocol),
        |verdict| println!("{} executions, and all count right", verdict.executions),
    );
    ExitCode::SUCCESS
}
