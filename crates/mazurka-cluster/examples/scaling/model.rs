//! The model of a cluster: events in the order of their times.
//!
//! The server and the coordinator each do one thing at a time, in the order of arrival. A worker takes a
//! part, explores it for at most a second, publishes the result, and takes the next part. The coordinator
//! puts what is left into the queue, and looks for idle workers now and then, as in
//! `mazurka_cluster::coordinator`. The times are those of the product.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// How long a worker explores a part, in seconds.
const SLICE: f64 = 1.0;
/// How long it explores at least, even if others are idle.
const LEAST: f64 = 0.02;
/// How often the coordinator looks whether workers are idle.
const HUNGER_INTERVAL: f64 = 0.025;
/// Into how many parts a rest is divided at most.
const MOST_PARTS: usize = 64;
/// How long the server waits for a worker that says nothing.
const PATIENCE: f64 = 5.0;

/// What coordination costs, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Costs {
    /// The time that the server is busy with a message that it stores or delivers.
    pub(crate) message: f64,
    /// The time that the coordinator is busy with a result.
    pub(crate) result: f64,
    /// The time that a message is on its way.
    pub(crate) latency: f64,
    /// The time after the deadline of a part until the server delivers it again.
    pub(crate) redelivery: f64,
    /// The mean time between two failures of a worker, which lose its part.
    pub(crate) failure: f64,
}

/// A step of the simulation.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Event {
    /// A worker begins to explore a part with this much work.
    Begin { work: f64 },
    /// A worker stops exploring, unless it has been interrupted before: `turn` counts its parts.
    End { worker: usize, turn: u64 },
    /// The coordinator has a result: what is left of it, and into how many parts it is divided.
    Result { rest: f64, parts: usize },
    /// A worker waits for a part.
    Idle { worker: usize },
    /// The coordinator looks for idle workers.
    Look,
}

/// A time and a number that makes the order total.
#[derive(PartialEq)]
struct When(f64, u64);

impl Eq for When {}

impl PartialOrd for When {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for When {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

struct Entry(When, Event);

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

#[derive(Clone, Copy, Default)]
struct Worker {
    /// The work of its part, and since when it explores it.
    part: Option<(f64, f64)>,
    turn: u64,
}

/// A cluster.
struct Simulation<'a> {
    costs: Costs,
    /// The sizes of recorded pieces: for each time that a part was divided, those of its pieces.
    sizes: &'a [Vec<f64>],
    events: BinaryHeap<Reverse<Entry>>,
    count: u64,
    now: f64,
    workers: Vec<Worker>,
    busy: usize,
    idle: Vec<usize>,
    /// The work of the parts in the queue.
    queue: VecDeque<f64>,
    /// When the server and the coordinator have done all that they were asked for.
    server: f64,
    coordinator: f64,
    /// The work of open parts.
    left: f64,
    /// The number of open parts.
    open: usize,
    seed: u64,
}

/// Returns how long a search takes that is `work` seconds of work for one worker.
pub(crate) fn simulate(work: f64, workers: usize, sizes: &[Vec<f64>], costs: Costs) -> f64 {
    let mut simulation = Simulation {
        costs,
        sizes,
        events: BinaryHeap::new(),
        count: 0,
        now: 0.0,
        workers: vec![Worker::default(); workers],
        busy: 0,
        idle: (0..workers).rev().collect(),
        queue: VecDeque::from([work]),
        server: 0.0,
        coordinator: 0.0,
        left: work,
        open: 1,
        seed: 1,
    };
    simulation.deliver();
    simulation.after(HUNGER_INTERVAL, Event::Look);
    while simulation.open > 0 {
        let Some(Reverse(Entry(When(time, _), event))) = simulation.events.pop() else {
            panic!("the simulation has come to rest with {} s of work left", simulation.left)
        };
        simulation.now = time;
        simulation.handle(event);
    }
    simulation.now
}

impl Simulation<'_> {
    fn at(&mut self, time: f64, event: Event) {
        self.count += 1;
        self.events.push(Reverse(Entry(When(time, self.count), event)));
    }

    fn after(&mut self, time: f64, event: Event) {
        self.at(self.now + time, event);
    }

    /// Returns a number below 1 (splitmix64).
    fn random(&mut self) -> f64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.seed;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns when the server has handled some messages that arrive now.
    fn serve(&mut self, messages: usize) -> f64 {
        self.server = self.server.max(self.now) + messages as f64 * self.costs.message;
        self.server
    }

    /// Gives parts to idle workers.
    fn deliver(&mut self) {
        while !self.idle.is_empty()
            && let Some(work) = self.queue.pop_front()
        {
            let worker = self.idle.pop().expect("a worker is idle");
            let delivered = self.serve(1) + self.costs.latency;
            self.workers[worker].turn += 1;
            self.busy += 1;
            self.workers[worker].part = Some((work, delivered));
            let turn = self.workers[worker].turn;
            let takes = work.min(SLICE);
            // A worker that fails comes back, and its part is delivered again.
            let chance = takes / self.costs.failure;
            match self.random() < chance {
                true => {
                    self.workers[worker].part = None;
                    self.busy -= 1;
                    let again = delivered + takes + PATIENCE + self.costs.redelivery;
                    self.at(again, Event::Begin { work });
                    self.at(again, Event::Idle { worker });
                }
                false => self.at(delivered + takes, Event::End { worker, turn }),
            }
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Begin { work } => {
                self.queue.push_back(work);
                self.deliver();
            }
            Event::Idle { worker } => {
                self.idle.push(worker);
                self.deliver();
            }
            Event::End { worker, turn } => {
                if self.workers[worker].turn == turn && self.workers[worker].part.is_some() {
                    self.publish(worker, 1);
                }
            }
            Event::Result { rest, parts } => {
                self.open -= 1;
                for part in self.divide(rest, parts) {
                    self.open += 1;
                    // The part is stored, and the storage is confirmed.
                    let stored = self.serve(2) + self.costs.latency;
                    self.at(stored, Event::Begin { work: part });
                }
            }
            Event::Look => {
                self.look();
                self.after(HUNGER_INTERVAL, Event::Look);
            }
        }
    }

    /// Publishes the result of a worker, which then waits for a part.
    fn publish(&mut self, worker: usize, parts: usize) {
        let (work, since) = self.workers[worker].part.take().expect("the worker explores");
        self.busy -= 1;
        let done = (self.now - since).clamp(0.0, work);
        let rest = if work - done < 1e-9 { 0.0 } else { work - done };
        self.left -= work - rest;
        // The result is stored and confirmed.
        let stored = self.serve(2) + self.costs.latency;
        // The worker acknowledges its part and asks for another one.
        let asked = self.serve(2) + 2.0 * self.costs.latency;
        self.at(asked.max(stored + self.costs.latency), Event::Idle { worker });
        let read = self.serve(1).max(stored) + self.costs.latency;
        self.coordinator = self.coordinator.max(read) + self.costs.result;
        self.at(self.coordinator, Event::Result { rest, parts });
    }

    /// Asks busy workers to divide their parts if others are idle.
    fn look(&mut self) {
        self.serve(2);
        let idle = self.idle.len().saturating_sub(self.queue.len());
        if idle == 0 || self.busy == 0 {
            return;
        }
        let (parts, chance) = mazurka_cluster::answer_to_hunger(idle as u32, self.busy as u32);
        for worker in 0..self.workers.len() {
            let Some((_, since)) = self.workers[worker].part else { continue };
            if self.now - since >= LEAST && self.random() < chance {
                self.publish(worker, (parts as usize).min(1 + MOST_PARTS));
            }
        }
    }

    /// Divides a rest into parts, by the recorded sizes of pieces.
    fn divide(&mut self, rest: f64, parts: usize) -> Vec<f64> {
        if rest == 0.0 {
            return Vec::new();
        }
        if parts == 1 {
            return vec![rest];
        }
        let at = (self.random() * self.sizes.len() as f64) as usize;
        let mut shares = vec![0.0; parts];
        // As in `Part::divide`.
        for (number, piece) in self.sizes[at].iter().enumerate() {
            shares[number % parts] += piece;
        }
        let sum: f64 = shares.iter().sum();
        shares.into_iter().map(|share| rest * share / sum).filter(|part| *part > 0.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Costs =
        Costs { message: 0.0, result: 0.0, latency: 0.0, redelivery: 0.0, failure: f64::INFINITY };

    fn pieces() -> Vec<Vec<f64>> {
        vec![vec![1.0; 100], vec![5.0, 3.0, 2.0, 1.0, 1.0, 1.0]]
    }

    #[test]
    fn work_takes_its_time() {
        let alone = simulate(100.0, 1, &pieces(), FREE);
        assert!((alone - 100.0).abs() < 0.1, "{alone}");
        let ten = simulate(100.0, 10, &pieces(), FREE);
        assert!((10.0..11.5).contains(&ten), "{ten}");
    }

    #[test]
    fn a_slow_server_is_the_limit() {
        // Each part needs at least eight messages, of 10 ms each.
        let slow = simulate(1000.0, 1000, &pieces(), Costs { message: 0.01, ..FREE });
        assert!(slow > 50.0, "{slow}");
    }

    #[test]
    fn failures_cost_time() {
        let failing = simulate(1000.0, 10, &pieces(), Costs { failure: 50.0, ..FREE });
        assert!(failing > simulate(1000.0, 10, &pieces(), FREE) + 2.0, "{failing}");
    }
}
