//! Departures: the ends of threads and of senders. They are steps only if the program can observe them.
//!
//! Most programs cannot: they join their threads, and receive as many messages as are sent. If a process
//! asks whether a thread has ended, or finds a channel empty, the departure must be a step of its own.
//! Otherwise the explorers would not know that the order of the two matters. So the check starts over
//! when a process asks for the first time, and from then on departures are steps.
//!
//! No execution is missed. Until a process asks, a departure affects no other process, so it may be a part of
//! the last operation before it. In the first execution in which a process asks, it does not matter
//! either up to that moment: whether a channel is empty depends only on sends and receives.

use mazurka_core::verdict::ViolationKind;

use super::{stop_for_ever, with};

/// Which departures are steps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Departures {
    /// Those of threads and actors.
    pub(crate) ends: bool,
    /// Those of the senders of channels.
    pub(crate) hangups: bool,
    /// No departures, but the order of arrivals at barriers.
    pub(crate) arrivals: bool,
}

impl Departures {
    /// All choices there are: see [`Lessons::suppose`](super::program::Lessons::suppose).
    pub(super) const CHOICES: u8 = 8;

    pub(super) fn of_bits(bits: u8) -> Self {
        Departures { ends: bits & 1 != 0, hangups: bits & 2 != 0, arrivals: bits & 4 != 0 }
    }

    pub(super) fn bits(self) -> u8 {
        u8::from(self.ends) | u8::from(self.hangups) << 1 | u8::from(self.arrivals) << 2
    }

    /// These and others.
    pub(super) fn and(self, others: Self) -> Self {
        Self::of_bits(self.bits() | others.bits())
    }
}

/// The message of the violation that asks for a new start. It is never shown.
const RESTART: &str = "departures matter that were not steps: the check must start anew";

/// Makes sure that the ends of threads are steps. If they are not yet, the execution is over for the
/// current process, and this returns `false` only when it is torn down.
#[track_caller]
pub(crate) fn watch_ends() -> bool {
    watch(Departures { ends: true, ..Departures::default() })
}

/// Returns whether the ends of threads are steps.
pub(crate) fn ends_are_watched() -> bool {
    with(|rt| rt.watched.ends)
}

/// Asks for hang-ups of senders to be steps. Returns whether the search has to start over for that.
#[track_caller]
pub(crate) fn watch_hangups() -> bool {
    watch(Departures { hangups: true, ..Departures::default() })
}

/// Makes sure that arrivals at barriers depend on each other, as [`watch_ends`] does for ends.
#[track_caller]
pub(crate) fn watch_arrivals() -> bool {
    watch(Departures { arrivals: true, ..Departures::default() })
}

/// Returns whether arrivals at a barrier are independent.
pub(crate) fn arrivals_commute() -> bool {
    with(|rt| !rt.watched.arrivals)
}

#[inline]
#[track_caller]
fn watch(wanted: Departures) -> bool {
    with(|rt| rt.watched.and(wanted) == rt.watched) || ask_for(wanted)
}

#[cold]
#[track_caller]
fn ask_for(wanted: Departures) -> bool {
    with(|rt| {
        rt.wanted = rt.wanted.and(wanted);
        rt.fail(ViolationKind::Nondeterminism, RESTART.to_owned());
    });
    stop_for_ever();
    false
}

/// Whether the current process may hang up without taking a step.
#[inline]
pub(crate) fn hangs_up_unwatched() -> bool {
    with(|rt| {
        let current = rt.current;
        if !rt.watched.hangups {
            rt.processes[current].watch.note_progress();
        }
        !rt.watched.hangups
    })
}

#[cfg(test)]
mod tests {
    use crate::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use crate::sync::{Arc, mpsc};
    use crate::{Check, ViolationKind, thread};

    /// Whether the schedule of the panic that a check finds leads there again, in a check that has
    /// learnt nothing.
    fn can_be_replayed(f: impl Fn() + Send + Sync) -> bool {
        let is_panic =
            |verdict: &crate::Verdict| verdict.violations[0].kind == ViolationKind::Panic;
        let found = Check::new().run(&f);
        assert!(is_panic(&found), "{:#?}", found.violations);
        is_panic(&Check::new().replay(&found.violations[0].schedule.to_string()).run(&f))
    }

    #[test]
    fn a_schedule_fits_where_somebody_asks_about_an_end_too_late() {
        assert!(can_be_replayed(|| {
            let x = Arc::new(AtomicUsize::new(0));
            let y = x.clone();
            let other = thread::spawn(move || y.store(1, SeqCst));
            // By then, the other one may have ended.
            assert!(x.load(SeqCst) == 0 || !other.is_finished());
        }));
    }

    #[test]
    fn a_schedule_fits_where_somebody_finds_a_channel_empty_too_late() {
        assert!(can_be_replayed(|| {
            let (sender, receiver) = mpsc::channel();
            thread::spawn(move || sender.send(1).unwrap());
            assert_eq!(receiver.recv(), Ok(1));
            assert_ne!(receiver.try_recv(), Err(mpsc::TryRecvError::Disconnected));
        }));
    }

    #[test]
    fn a_sender_that_goes_is_no_step_where_nobody_looks_in_vain() {
        let depth = |receives: usize| {
            let verdict = Check::new().run(|| {
                let (sender, receiver) = mpsc::channel();
                let other = thread::spawn(move || sender.send(1).unwrap());
                (0..receives).for_each(|_| _ = receiver.recv());
                other.join().unwrap();
            });
            assert!(verdict.violations.is_empty(), "{:#?}", verdict.violations);
            verdict.max_depth
        };
        // The message is sent and received, and the receiver goes.
        assert_eq!(depth(1), 3);
        // Another receive, and the sender goes.
        assert_eq!(depth(2), 5);
    }
}
