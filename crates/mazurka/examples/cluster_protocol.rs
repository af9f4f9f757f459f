//! A model of the protocol by which Mazurka checks programs on many machines, checked by Mazurka.
//!
//! `cargo run -p mazurka --example cluster_protocol`; add `acknowledge-first`, `count-duplicates` or
//! `overlook-end` to see what goes wrong with that mistake.
//!
//! A search is a number of executions to count. Exploring a part of it counts some of them, and leaves
//! the rest as another part. A server has a queue of parts and a stream of results. Workers take a part,
//! publish a result, and then acknowledge the part. The server may deliver a part twice, if it thinks that
//! a worker is dead. Workers may die at any moment, and so may the coordinator, which adds up the results
//! and puts what is left into the queue. Another process may take the coordinator for dead and take over while
//! the first one still works: then there are two, until the first one notices. The one that finds no open part
//! ends the job and empties the server. Whatever happens, all executions must be counted once.

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
    /// Coordinators do not look whether another one has ended the job.
    pub(crate) overlooks_end: bool,
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
    /// The number of the process that coordinates.
    coordinator: u32,
    /// The verdict, once the job has ended: how many executions there are.
    verdict: Option<u32>,
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

/// A process that coordinates, or has coordinated.
struct Coordinator {
    number: u32,
    protocol: Protocol,
    /// The parts that it has put into the queue.
    published: Vec<Part>,
}

impl Coordinator {
    /// Takes over from whoever coordinates.
    fn take_over(number: u32, server: &Mutex<Server>, protocol: Protocol) -> Self {
        server.lock().unwrap().coordinator = number;
        Coordinator { number, protocol, published: Vec::new() }
    }

    /// Reads the results, and puts open parts into the queue unless that was done before. If there are none,
    /// ends the job. Returns whether there is more to do for this coordinator.
    fn coordinate(&mut self, server: &Mutex<Server>) -> bool {
        let protocol = self.protocol;
        let (queue, results) = {
            let server = server.lock().unwrap();
            let is_over = server.verdict.is_some() && !protocol.overlooks_end;
            if is_over || server.coordinator != self.number {
                return false;
            }
            assert!(server.verdict.is_none(), "a job that has ended begins again");
            (server.queue.clone(), server.results.clone())
        };
        let (count, open) = fold(&results, protocol);
        if open.is_empty() {
            let mut server = server.lock().unwrap();
            server.verdict = Some(count);
            server.queue.clear();
            server.results.clear();
            return false;
        }
        if protocol.sweeps && queue.is_empty() {
            self.published.clear();
        }
        let new: Vec<Part> =
            open.into_iter().filter(|part| !self.published.contains(part)).collect();
        if !new.is_empty() {
            self.published.extend(&new);
            server.lock().unwrap().queue.extend(new);
        }
        true
    }
}

/// Runs a search with two workers, and a second coordinator that takes over at any moment.
pub(crate) fn search(protocol: Protocol) {
    let server = Arc::new(Mutex::new(Server::default()));
    let mut first = Coordinator::take_over(1, &server, protocol);
    first.coordinate(&server);
    let workers = [(); 2].map(|()| {
        let server = Arc::clone(&server);
        thread::spawn(move || work(&server, protocol, false))
    });
    let second = {
        let server = Arc::clone(&server);
        thread::spawn(move || {
            let mut second = Coordinator::take_over(2, &server, protocol);
            second.coordinate(&server);
            second
        })
    };
    first.coordinate(&server);
    let mut last = second.join().unwrap();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    if choose(2) == 1 {
        // It has died. Another one knows nothing of what was published.
        last = Coordinator::take_over(3, &server, protocol);
    }
    // From now on, nothing fails.
    for _ in 0..2 * ALL {
        if !last.coordinate(&server) {
            break;
        }
        work(&server, protocol, true);
    }
    let server = server.lock().unwrap();
    let (_, open) = fold(&server.results, protocol);
    let count = server.verdict.unwrap_or_else(|| panic!("a part of the search is lost: {open:?}"));
    assert_eq!(count, ALL, "all executions are counted once");
}

#[allow(dead_code)] // The tests call `search`.
fn main() -> ExitCode {
    let mistake = std::env::args().nth(1).unwrap_or_default();
    let protocol = match mistake.as_str() {
        "" => Protocol::default(),
        "acknowledge-first" => Protocol { acknowledges_first: true, ..Protocol::default() },
        "count-duplicates" => Protocol { counts_duplicates: true, ..Protocol::default() },
        "overlook-end" => Protocol { overlooks_end: true, ..Protocol::default() },
        _ => {
            eprintln!(
                "there are the mistakes `acknowledge-first`, `count-duplicates` and `overlook-end`"
            );
            return ExitCode::from(2);
        }
    };
    Check::new().check_then(
        move || search(protocol),
        |verdict| match verdict.violations[..] {
            [] => println!("{} executions, and all count right", verdict.executions),
            _ => println!("found after {} executions", verdict.executions),
        },
    );
    ExitCode::SUCCESS
}
