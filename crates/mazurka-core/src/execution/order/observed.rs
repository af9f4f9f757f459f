//! Dependence that is there only when it is observed.
//!
//! With observers, two writes to one location are dependent only if somebody reads what the later
//! one wrote before it is overwritten: then, in the other order, the reader would have seen
//! something else. Whether that is so becomes known only at the read. So when a read (or whatever
//! looks at the value) is added, the write that it observes comes to happen after all writes
//! before it, and so does everything that happens after that write: their clocks are changed, until
//! the read is taken back.
//!
//! Likewise, of two deliveries to one mailbox the second comes to happen after the first when the first
//! message is received by a receive that would have taken the second as well. The second may have
//! been delivered before that, or be delivered later.

use crate::execution::cells::{CellId, NOBODY};
use crate::execution::clock::{assign, join};
use crate::execution::order::Conflict;
use crate::execution::order::walk::{Walk, WriteWalk};
use crate::execution::{Access, Execution, Owner, Race};
use crate::model::Op;

/// What the observer of a race would see if it was reversed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen {
    /// This value.
    Value(u64),
    /// It would take another message.
    Message {
        /// The one that it took.
        taken: u32,
        /// The one that it would take.
        instead: u32,
    },
}

impl Execution {
    /// Orders the writes and deliveries that the event `index` with these accesses, and the
    /// rivals from `rivals` on, is the first to observe.
    #[inline]
    pub(crate) fn observe(&mut self, accesses: std::ops::Range<usize>, rivals: usize, index: u32) {
        for access in accesses {
            match self.accesses[access].op {
                Op::Write | Op::Deliver { .. } => {}
                Op::Take { message } if self.messages.rivalries() > rivals => {
                    self.order_rivals(message, rivals, index);
                }
                op if op.is_memory() && self.may_observe(access) => {
                    self.order_observed(access, index);
                }
                _ => {}
            }
        }
    }

    /// Whether what an access looks at may have been written by a write that nobody had observed.
    #[inline]
    fn may_observe(&self, access: usize) -> bool {
        let Access { event, previous, .. } = self.accesses[access];
        let before = self.accesses.get(previous as usize);
        before.is_some_and(|before| before.op == Op::Write || before.event == event)
    }

    /// Orders the writes before an access that looks at what they wrote.
    #[inline(never)]
    fn order_observed(&mut self, access: usize, index: u32) {
        if let Some(observed) = self.access_before(&self.accesses[access])
            && observed.op == Op::Write
        {
            self.order_writes_before(*observed, index);
        }
    }

    /// The access to the same cell before this one, by another event.
    fn access_before(&self, access: &Access) -> Option<&Access> {
        let before = |access: &Access| self.accesses.get(access.previous as usize);
        let mut earlier = std::iter::successors(before(access), |access| before(access));
        earlier.find(|earlier| earlier.event != access.event)
    }

    /// Lets the writes right before an `observed` one happen before it.
    fn order_writes_before(&mut self, observed: Access, observer: u32) {
        let event = &self.events[observed.event as usize];
        assign(&mut self.scratch, self.clocks.of(event.clock));
        let races = self.races.len();
        let mut next = observed.previous;
        while next != NOBODY {
            let write = &self.accesses[next as usize];
            if write.op != Op::Write {
                break; // It happens before the observed write anyway, and all before it does too.
            }
            next = write.previous;
            let first = &self.events[write.event as usize];
            if self.scratch[first.step.process.index()] < first.number {
                join(&mut self.scratch, self.clocks.of(first.clock));
                self.races.push(Race::new(write.event, observed.event).observed_by(observer));
            }
        }
        if self.races.len() > races {
            self.delay(observed.event);
        }
    }

    /// On which cell an observed race is, and what the observer would see if it was reversed.
    pub(crate) fn what_is_observed(&self, race: Race) -> Option<(CellId, Seen)> {
        let firsts = self.accesses_of(race.first as usize);
        let seconds = self.accesses_of(race.second as usize);
        firsts.iter().find_map(|a| {
            seconds.iter().filter(|b| a.cell == b.cell).find_map(|b| match (a.op, b.op) {
                (Op::Write, Op::Write) => Some((a.cell, Seen::Value(a.after))),
                (Op::Deliver { message: taken }, Op::Deliver { message: instead }) => {
                    let seen = Seen::Message { taken, instead };
                    self.would_take(taken, instead).then_some((a.cell, seen))
                }
                _ => None,
            })
        })
    }

    /// Gives an event the clock `self.scratch`, and passes it on to all that happens after it.
    pub(crate) fn delay(&mut self, event: u32) {
        self.unsettled = self.unsettled.min(event);
        let (owner, number) = {
            let event = &self.events[event as usize];
            (event.step.process.index(), event.number)
        };
        let clock = self.clocks.add(&self.scratch);
        let after =
            |execution: &Execution, clock| execution.clocks.component(clock, owner) >= number;
        let pass_on = |execution: &mut Execution, holder: Owner, old| {
            let new = execution.clocks.copy(old);
            execution.clocks.join(new, clock);
            execution.change_clock(holder, new);
        };
        for later in event + 1..self.events.len() as u32 {
            let (old, before) = {
                let later = &self.events[later as usize];
                (later.clock, later.before.0)
            };
            // What happened before its process came to it happens before it, too.
            if after(self, old) {
                if after(self, before) {
                    pass_on(self, Owner::Before(later), before);
                }
                pass_on(self, Owner::Event(later), old);
            }
        }
        for process in 0..self.processes.len() {
            let old = self.processes[process].clock;
            if after(self, old) {
                let process = crate::model::ProcessId::new(process);
                pass_on(self, Owner::Process(process), old);
            }
        }
        self.change_clock(Owner::Event(event), clock);
    }

    /// Collects what a new write conflicts with.
    pub(crate) fn walk_from_write(&self, new: &Access, conflicts: &mut Vec<Conflict>) {
        let mut walk = WriteWalk::back_from(new);
        while let Some(access) = walk.next(&self.accesses) {
            conflicts.push(match access.op {
                Op::Write => Conflict::at_once(access.event),
                _ => Conflict::new(access.event, true, new.plain || access.plain),
            });
        }
    }

    /// Whether a race that was found when its second event was added is still one, now that more
    /// is known of what is observed.
    #[inline]
    pub(crate) fn is_still_a_race(&self, race: Race) -> bool {
        !self.with_observers || self.is_race_by_now(race)
    }

    fn is_race_by_now(&self, race: Race) -> bool {
        let (first, second) = (race.first as usize, race.second as usize);
        let event = &self.events[first];
        let past = self.events[second].before.0;
        if self.clocks.component(past, event.step.process.index()) >= event.number {
            return false;
        }
        // Whoever waited happens after the one that let it go on: that is no obstacle.
        self.accesses_of(second).iter().any(|access| access.waits) || {
            let follows = self.follows(first);
            !(first + 1..second)
                .any(|between| follows(between) && self.happens_before(between, second))
        }
    }
}
