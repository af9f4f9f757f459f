//! A model of the ledger by which `optimal` divides its search among machines, checked by Mazurka.
//!
//! `cargo run -p mazurka --example cluster_ledger`; add `apply-late`, `count-duplicates`, `forget-order` or
//! `acknowledge-first` to see what goes wrong with that mistake.
//!
//! `cluster_protocol` is the model of the protocol without a ledger. Here, the search has a fork, and an
//! execution elsewhere. One branch of the fork is known in the beginning. A worker that explores it reports
//! sequences for the fork, each with the steps that could come first. Two workers may report them in different
//! orders. The coordinator is a function of the stream of results: the ledger drops a sequence if a branch
//! covers it, and adds a branch otherwise, behind which the earlier ones are asleep. It forgets the fork when no
//! part is left there.
//!
//! The server may deliver a part twice, so that two results come for it, one of them late. The coordinator may
//! die between any two messages. Another one then reads the stream from its start. Whatever happens, every
//! execution must be counted once, and a part that is published again must have the same sleeping branches.

use std::process::ExitCode;
use std::sync::Arc;

use mazurka::sync::Mutex;
use mazurka::{Check, choose, thread};

/// How the protocol works. [`Protocol::default`] is right.
#[derive(Clone, Copy, Default)]
pub(crate) struct Protocol {
    /// The ledger processes the reports of a result even if its part has a result already.
    pub(crate) applies_late: bool,
    /// The executions of a result count even if its part has a result already.
    pub(crate) counts_duplicates: bool,
    /// Behind a branch, all others that are known when its part is published are asleep, not the earlier ones.
    pub(crate) forgets_order: bool,
    /// Workers acknowledge a part before they publish its result.
    pub(crate) acknowledges_first: bool,
}

/// A branch of the fork: its first step.
type Branch = char;

/// The branch that is known in the beginning.
const FIRST: Branch = 'a';

/// The executions of the program: each is given by the steps that could come first in it. The last one does not
/// lead through the fork.
const EXECUTIONS: [&str; 6] = ["a", "ab", "b", "bc", "c", "-"];

/// A part of the search.
#[derive(Clone, PartialEq, Debug)]
struct Part {
    /// The number of the result that left it, and its number there.
    name: (usize, usize),
    /// The branch that it explores; `None` for the execution elsewhere.
    branch: Option<Branch>,
    /// The branches that are asleep behind it.
    asleep: Vec<Branch>,
}

/// The result of exploring a part.
#[derive(Clone)]
struct Outcome {
    part: Part,
    /// The numbers of the executions.
    counted: Vec<usize>,
    /// For each sequence that was found for the fork, its first step and the steps that could come first.
    reports: Vec<(Branch, &'static str)>,
}

/// Explores a part. Two workers may find sequences in different orders.
fn explore(part: Part) -> Outcome {
    let Some(branch) = part.branch else {
        return Outcome { part, counted: vec![EXECUTIONS.len() - 1], reports: Vec::new() };
    };
    let is_asleep = |initials: &str| part.asleep.iter().any(|step| initials.contains(*step));
    let numbers = 0..EXECUTIONS.len() - 1;
    let counts =
        |number: &usize| EXECUTIONS[*number].contains(branch) && !is_asleep(EXECUTIONS[*number]);
    let counted = numbers.filter(counts).collect();
    let mut reports = Vec::new();
    if branch == FIRST {
        reports = vec![('b', "b"), ('c', "bc"), ('c', "c")];
        if choose(2) == 1 {
            reports.reverse();
        }
    }
    Outcome { part, counted, reports }
}

/// What follows from the stream of results.
struct Fold {
    /// How often each execution was counted.
    counts: [u32; EXECUTIONS.len()],
    /// The parts without a result.
    open: Vec<Part>,
    /// The branches of the fork, in order; empty once the fork is forgotten.
    ledger: Vec<Branch>,
}

impl Fold {
    fn of(results: &[Outcome], protocol: Protocol) -> Self {
        let part = |number, branch| Part { name: (0, number), branch, asleep: Vec::new() };
        let open = vec![part(0, Some(FIRST)), part(1, None)];
        let mut fold = Fold { counts: [0; EXECUTIONS.len()], open, ledger: vec![FIRST] };
        for (number, outcome) in results.iter().enumerate() {
            let place = fold.open.iter().position(|part| part.name == outcome.part.name);
            let is_first = place.map(|place| fold.open.swap_remove(place)).is_some();
            if is_first || protocol.counts_duplicates {
                outcome.counted.iter().for_each(|execution| fold.counts[*execution] += 1);
            }
            if is_first || protocol.applies_late {
                fold.accept(number + 1, &outcome.reports);
            }
            if fold.open.iter().all(|part| part.branch.is_none()) {
                fold.ledger.clear();
            }
        }
        fold
    }

    /// Drops each of these sequences, or adds a branch and its part.
    fn accept(&mut self, result: usize, reports: &[(Branch, &str)]) {
        for (number, (first, initials)) in reports.iter().enumerate() {
            if self.ledger.iter().any(|branch| initials.contains(*branch)) {
                continue;
            }
            let asleep = self.ledger.clone();
            self.ledger.push(*first);
            self.open.push(Part { name: (result, number), branch: Some(*first), asleep });
        }
    }
}

/// What the server stores.
#[derive(Default)]
struct Server {
    queue: Vec<Part>,
    results: Vec<Outcome>,
    /// All parts that were ever published.
    published: Vec<Part>,
}

impl Server {
    fn publish(&mut self, part: Part) {
        let is_same = |other: &Part| other.name != part.name || *other == part;
        assert!(self.published.iter().all(is_same), "other branches are asleep than before");
        self.published.push(part.clone());
        self.queue.push(part);
    }
}

/// Explores a part of the queue, the first one or any. If it is not reliable, it may die between its two
/// messages.
fn work(server: &Mutex<Server>, protocol: Protocol, is_reliable: bool) {
    let queue = server.lock().unwrap().queue.clone();
    if queue.is_empty() {
        return;
    }
    let place = if is_reliable { 0 } else { choose(queue.len()) };
    let part = queue[place].clone();
    let outcome = explore(part.clone());
    let publish = || server.lock().unwrap().results.push(outcome.clone());
    let acknowledge = || server.lock().unwrap().queue.retain(|queued| queued.name != part.name);
    let steps: [&dyn Fn(); 2] = match protocol.acknowledges_first {
        false => [&publish, &acknowledge],
        true => [&acknowledge, &publish],
    };
    steps[0]();
    if is_reliable || choose(2) == 0 {
        steps[1]();
    }
}

/// What a coordinator has come to.
enum Progress {
    /// It has died, and another one takes over.
    Died,
    /// All open parts are published.
    Waiting,
    /// No part is open. Each execution was counted so many times.
    Done([u32; EXECUTIONS.len()]),
}

/// A coordinator, with the names of the parts that it has published.
#[derive(Default)]
struct Coordinator(Vec<(usize, usize)>);

impl Coordinator {
    /// Reads the results, and publishes the open parts that it has not published. While `can_die`, it may die
    /// before each message.
    fn coordinate(
        &mut self,
        server: &Mutex<Server>,
        protocol: Protocol,
        can_die: &mut bool,
    ) -> Progress {
        let Fold { counts, open, ledger } = Fold::of(&server.lock().unwrap().results, protocol);
        if open.is_empty() {
            return Progress::Done(counts);
        }
        for mut part in open {
            if self.0.contains(&part.name) {
                continue;
            }
            if *can_die && choose(2) == 1 {
                (*can_die, *self) = (false, Coordinator::default());
                return Progress::Died;
            }
            if let Some(branch) = part.branch.filter(|_| protocol.forgets_order) {
                part.asleep.clone_from(&ledger);
                part.asleep.retain(|other| *other != branch);
            }
            self.0.push(part.name);
            server.lock().unwrap().publish(part);
        }
        Progress::Waiting
    }
}

/// Runs a search with a worker that may be slow or die, a reliable one, and a coordinator that may die once.
pub(crate) fn search(protocol: Protocol) {
    let server = Arc::new(Mutex::new(Server::default()));
    let (mut coordinator, mut can_die) = (Coordinator::default(), true);
    coordinator.coordinate(&server, protocol, &mut can_die);
    let mut slow = Some({
        let server = Arc::clone(&server);
        thread::spawn(move || work(&server, protocol, false))
    });
    let counts = loop {
        match coordinator.coordinate(&server, protocol, &mut can_die) {
            Progress::Done(counts) => break counts,
            Progress::Died => continue,
            Progress::Waiting => {}
        }
        if server.lock().unwrap().queue.is_empty() {
            // The slow worker may have the only part.
            let slow = slow.take().unwrap_or_else(|| panic!("a part of the search is lost"));
            slow.join().unwrap();
        }
        work(&server, protocol, true);
    };
    slow.into_iter().for_each(|slow| slow.join().unwrap());
    assert_eq!(counts, [1; EXECUTIONS.len()], "every execution is counted once");
}

#[allow(dead_code)] // The tests call `search`.
fn main() -> ExitCode {
    let mistake = std::env::args().nth(1).unwrap_or_default();
    let right = Protocol::default();
    let protocol = match mistake.as_str() {
        "" => right,
        "apply-late" => Protocol { applies_late: true, ..right },
        "count-duplicates" => Protocol { counts_duplicates: true, ..right },
        "forget-order" => Protocol { forgets_order: true, ..right },
        "acknowledge-first" => Protocol { acknowledges_first: true, ..right },
        _ => {
            eprintln!(
                "there are the mistakes `apply-late`, `count-duplicates`, `forget-order` and \
                 `acknowledge-first`"
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
