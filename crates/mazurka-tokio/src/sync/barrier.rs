//! `Barrier`.

use std::future::{Future, poll_fn};
use std::panic::Location;
use std::task::{Poll, Waker};

use mazurka::future::Monitor;

use super::permits::wake_all;

/// Lets tasks wait for each other, as `tokio::sync::Barrier`.
#[derive(Debug)]
pub struct Barrier {
    state: Monitor<State>,
    n: usize,
}

#[derive(Debug)]
struct State {
    arrived: usize,
    generation: u64,
    waiting: Vec<(usize, Waker)>,
}

impl Barrier {
    /// Creates a barrier for `n` tasks.
    #[track_caller]
    pub fn new(n: usize) -> Self {
        let state = State { arrived: 0, generation: 0, waiting: Vec::new() };
        Barrier { state: Monitor::new("Barrier", state), n: n.max(1) }
    }

    /// Waits until `n` tasks have arrived. The last one is the leader.
    #[track_caller]
    pub fn wait(&self) -> impl Future<Output = BarrierWaitResult> {
        let site = Location::caller();
        let mut arrived = None;
        poll_fn(move |context| {
            let (mut wakers, mut _old) = (Vec::new(), None);
            let poll = self.state.poll("wait", site, |state| match arrived {
                None => {
                    state.arrived += 1;
                    if state.arrived == self.n {
                        state.arrived = 0;
                        state.generation += 1;
                        wakers = state.waiting.drain(..).map(|(_, waker)| waker).collect();
                        return Poll::Ready(BarrierWaitResult(true));
                    }
                    arrived = Some((state.generation, state.arrived));
                    let entry = (state.arrived, context.waker().clone());
                    state.waiting.push(entry);
                    Poll::Pending
                }
                Some((generation, _)) if state.generation != generation => {
                    Poll::Ready(BarrierWaitResult(false))
                }
                Some((_, number)) => {
                    let place = state.waiting.iter().position(|(known, _)| *known == number);
                    if let Some(place) = place
                        && !state.waiting[place].1.will_wake(context.waker())
                    {
                        let waker = context.waker().clone();
                        _old = Some(std::mem::replace(&mut state.waiting[place].1, waker));
                    }
                    Poll::Pending
                }
            });
            wake_all(wakers);
            poll
        })
    }
}

/// The result of [`Barrier::wait`].
#[derive(Debug, Clone)]
pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    /// Returns whether this task was the last one to arrive.
    pub fn is_leader(&self) -> bool {
        self.0
    }
}
