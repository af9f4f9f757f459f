//! Decides whether a part of an execution can be run by itself, and in which order.
//!
//! A part is a set of events together with all events that happen before them. The happens-before
//! relation does not suffice to run it: a handler runs to its end before the next one of its process
//! begins, and the handlers of a queue run in the order of their posts. So every two handlers of a
//! queue must be ordered. Often their order follows from known orders (*closure*): if an event of one
//! handler happens before an event of the other, or its post before the other's post, then the whole
//! handler comes first. The remaining pairs are searched. If there is no order, a minimal set of
//! events is found that shows it. Every part that can be run then lacks one of these events.

use super::bits::{Bits, Matrix, is_subset};
use super::happens_before::HappensBefore;
use crate::explore::event_loops::tasks::{NONE, Tasks};

/// There is no such order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contradiction;

/// A handler in a part.
#[derive(Clone, Copy, Debug)]
struct Handler {
    task: u32,
    post: u32,
    /// Its first event, or [`NONE`] if it does not begin in the part.
    begin: u32,
    /// Its last event in the part.
    last: u32,
    is_complete: bool,
}

/// Buffers for the search.
#[derive(Debug, Default)]
pub(super) struct Orders {
    past: Matrix,
    queues: Vec<Vec<Handler>>,
}

impl Orders {
    /// Finds an order in which the events of a part can be run, such that then the handler
    /// `begins`, if it is not [`NONE`], can begin.
    pub(super) fn find(
        &mut self,
        graph: &HappensBefore,
        tasks: &Tasks,
        part: &Bits,
        begins: u32,
        order: &mut Vec<u32>,
    ) -> Result<(), Contradiction> {
        self.decide(graph, tasks, part, part, begins)?;
        linearise(&self.past, part, order);
        Ok(())
    }

    /// Why there is no such order: the last events of a smallest set that cannot be run. Whatever
    /// can be run of the part lacks one of them.
    pub(super) fn explain(
        &mut self,
        graph: &HappensBefore,
        tasks: &Tasks,
        part: &Bits,
        begins: u32,
    ) -> Vec<u32> {
        let mut core = part.clone();
        let mut last = Vec::new();
        // Removing whole tasks first is faster.
        for task in tasks.tasks.iter().rev() {
            if task.events.first().is_some_and(|begin| core.contains(*begin)) {
                let mut smaller = core.clone();
                graph.cut(&mut smaller, task.begin());
                if self.decide(graph, tasks, &smaller, part, begins).is_err() {
                    core = smaller;
                }
            }
        }
        for event in (0..graph.len as u32).rev().filter(|event| part.contains(*event)) {
            let is_last = core.contains(event)
                && !core.iter().any(|later| later > event && graph.past.has(later, event));
            if is_last {
                core.remove(event);
                if self.decide(graph, tasks, &core, part, begins).is_ok() {
                    core.insert(event);
                    last.push(event);
                }
            }
        }
        last
    }

    /// Decides the order of handlers, where all events in `must` and no events outside of `may` are present.
    /// The larger `must` and the smaller `may`, the more is impossible.
    fn decide(
        &mut self,
        graph: &HappensBefore,
        tasks: &Tasks,
        must: &Bits,
        may: &Bits,
        begins: u32,
    ) -> Result<(), Contradiction> {
        self.past.copy_from(&graph.past);
        self.collect(tasks, must, may);
        let mut search = HandlerOrder { part: may, queues: &self.queues, begins };
        search.start(&mut self.past)?;
        search.close(&mut self.past)?;
        let mut quick = self.past.clone();
        if search.in_old_order(&mut quick).is_ok() {
            self.past = quick;
            return Ok(());
        }
        search.decide(&mut self.past)
    }

    /// Collects the handlers whose posts must be present, by queue. Handlers that may begin but need not do
    /// not matter.
    fn collect(&mut self, tasks: &Tasks, must: &Bits, may: &Bits) {
        self.queues.iter_mut().for_each(Vec::clear);
        let mut names = Vec::new();
        for (number, task) in tasks.tasks.iter().enumerate() {
            if !task.is_handler || task.post == NONE || !must.contains(task.post) {
                continue;
            }
            let begins = task.events.first().is_some_and(|begin| may.contains(*begin));
            if begins && !must.contains(task.begin()) {
                continue;
            }
            let place = names.iter().position(|queue| *queue == task.queue).unwrap_or_else(|| {
                names.push(task.queue);
                names.len() - 1
            });
            if self.queues.len() <= place {
                self.queues.push(Vec::new());
            }
            let last = task.events.iter().rev().copied().find(|event| may.contains(*event));
            let is_complete = last == task.events.last().copied()
                && last.is_some_and(|last| tasks.events[last as usize].ends);
            self.queues[place].push(Handler {
                task: number as u32,
                post: task.post,
                begin: if last.is_some() { task.begin() } else { NONE },
                last: last.unwrap_or(NONE),
                is_complete,
            });
        }
    }
}

struct HandlerOrder<'a> {
    part: &'a Bits,
    queues: &'a [Vec<Handler>],
    begins: u32,
}

impl HandlerOrder<'_> {
    /// Adds that one event happens before another one.
    fn add(&self, past: &mut Matrix, from: u32, to: u32) -> Result<(), Contradiction> {
        if from == to || past.has(from, to) {
            return Err(Contradiction);
        }
        if past.has(to, from) {
            return Ok(());
        }
        for later in self.part.iter() {
            if later == to || past.has(later, to) {
                past.join(later, from);
            }
        }
        Ok(())
    }

    /// Adds that one handler comes before another one.
    fn put_first(
        &self,
        past: &mut Matrix,
        first: &Handler,
        second: &Handler,
    ) -> Result<(), Contradiction> {
        if second.begin != NONE {
            if !first.is_complete {
                return Err(Contradiction);
            }
            self.add(past, first.last, second.begin)?;
        }
        self.add(past, first.post, second.post)
    }

    fn is_called(&self, handler: &Handler) -> bool {
        handler.begin != NONE || handler.task == self.begins
    }

    /// Adds the initial orders: handlers that have not ended, or not begun, come last.
    fn start(&self, past: &mut Matrix) -> Result<(), Contradiction> {
        for queue in self.queues {
            for second in queue {
                let is_last = !second.is_complete;
                for first in queue.iter().filter(|first| first.task != second.task && is_last) {
                    let comes_first = match self.is_called(second) {
                        true => first.begin != NONE,
                        false => self.is_called(first),
                    };
                    if comes_first {
                        self.put_first(past, first, second)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_decided(past: &Matrix, first: &Handler, second: &Handler) -> bool {
        past.has(second.begin, first.last) && past.has(second.post, first.post)
    }

    /// Returns whether one handler must come before another one.
    fn must_come_first(past: &Matrix, first: &Handler, second: &Handler) -> bool {
        past.has(second.last, first.begin) || past.has(second.post, first.post)
    }

    /// Applies [`HandlerOrder::must_come_first`] until nothing changes.
    fn close(&self, past: &mut Matrix) -> Result<(), Contradiction> {
        let mut goes_on = true;
        while std::mem::take(&mut goes_on) {
            for queue in self.queues {
                for first in queue.iter().filter(|handler| handler.begin != NONE) {
                    for second in queue.iter().filter(|handler| handler.begin != NONE) {
                        if first.task != second.task
                            && Self::must_come_first(past, first, second)
                            && !Self::is_decided(past, first, second)
                        {
                            self.put_first(past, first, second)?;
                            goes_on = true;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Tries the order in which the execution ran the handlers, where it is undecided.
    fn in_old_order(&self, past: &mut Matrix) -> Result<(), Contradiction> {
        for queue in self.queues {
            let mut left: Vec<&Handler> =
                queue.iter().filter(|handler| handler.begin != NONE).collect();
            left.sort_by_key(|handler| handler.begin);
            let mut previous: Option<&Handler> = None;
            while !left.is_empty() {
                let is_free = |handler: &&Handler| {
                    !left.iter().any(|other| {
                        other.task != handler.task && Self::must_come_first(past, other, handler)
                    })
                };
                let Some(place) = left.iter().position(is_free) else {
                    return Err(Contradiction);
                };
                let next = left.remove(place);
                if let Some(previous) = previous {
                    self.put_first(past, previous, next)?;
                    self.close(past)?;
                }
                previous = Some(next);
            }
        }
        Ok(())
    }

    /// Tries both orders of the first two handlers whose order is undecided.
    fn decide(&mut self, past: &mut Matrix) -> Result<(), Contradiction> {
        let pairs = self.queues.iter().flat_map(|queue| {
            let called = || queue.iter().filter(|handler| handler.begin != NONE);
            called().flat_map(move |first| {
                called()
                    .filter(|second| second.task > first.task)
                    .map(move |second| (*first, *second))
            })
        });
        let mut open = pairs.filter(|(first, second)| {
            !Self::is_decided(past, first, second) && !Self::is_decided(past, second, first)
        });
        let Some((one, other)) = open.next() else { return Ok(()) };
        let (one, other) = if one.begin < other.begin { (one, other) } else { (other, one) };
        let mut attempt = past.clone();
        let first_way = self
            .put_first(&mut attempt, &one, &other)
            .and_then(|()| self.close(&mut attempt))
            .and_then(|()| self.decide(&mut attempt));
        if first_way.is_ok() {
            *past = attempt;
            return Ok(());
        }
        self.put_first(past, &other, &one)?;
        self.close(past)?;
        self.decide(past)
    }
}

/// The events of a part in an order that respects `past`, close to the old one.
fn linearise(past: &Matrix, part: &Bits, order: &mut Vec<u32>) {
    order.clear();
    let mut left: Vec<u32> = part.iter().collect();
    let mut done = Bits(vec![0; part.0.len()]);
    while !left.is_empty() {
        let before = left.len();
        left.retain(|event| {
            let is_ready = is_subset(past.row(*event), &done.0);
            if is_ready {
                done.insert(*event);
                order.push(*event);
            }
            !is_ready
        });
        debug_assert!(left.len() < before, "what happens before what is acyclic");
        if left.len() == before {
            return;
        }
    }
}
