//! `JoinSet`.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

use mazurka::future::Monitor;

use super::{AbortHandle, Id, JoinError, JoinHandle};

type Site = &'static Location<'static>;

/// A set of tasks, whose results come in the order in which they end. They are aborted when it is dropped.
pub struct JoinSet<T> {
    tasks: BTreeMap<u64, JoinHandle<T>>,
    ended: Arc<Monitor<Ended>>,
    last: u64,
}

/// The tasks that have ended, and the task that waits for them.
#[derive(Default)]
struct Ended {
    numbers: VecDeque<u64>,
    waker: Option<Waker>,
}

/// The waker of a handle: the task has ended.
struct Entry {
    ended: Arc<Monitor<Ended>>,
    number: u64,
    site: Site,
}

impl Wake for Entry {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let waker = self.ended.update_on_drop("end of task", self.site, |ended| {
            ended.numbers.push_back(self.number);
            ended.waker.take()
        });
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> JoinSet<T> {
    /// Creates an empty set.
    #[track_caller]
    pub fn new() -> Self {
        JoinSet {
            tasks: BTreeMap::new(),
            ended: Arc::new(Monitor::new("JoinSet", Ended::default())),
            last: 0,
        }
    }

    /// Returns the number of tasks.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Returns whether there is no task.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }
}

impl<T: Send + 'static> JoinSet<T> {
    /// Spawns a task.
    #[track_caller]
    pub fn spawn<F>(&mut self, future: F) -> AbortHandle
    where
        F: Future<Output = T> + Send + 'static,
    {
        self.insert(super::spawn(future), Location::caller())
    }

    /// Runs a closure on a thread of its own.
    #[track_caller]
    pub fn spawn_blocking<F>(&mut self, f: F) -> AbortHandle
    where
        F: FnOnce() -> T + Send + 'static,
    {
        self.insert(super::spawn_blocking(f), Location::caller())
    }

    #[track_caller]
    fn insert(&mut self, mut task: JoinHandle<T>, site: Site) -> AbortHandle {
        let abort = task.abort_handle();
        self.last += 1;
        let number = self.last;
        let entry = Arc::new(Entry { ended: Arc::clone(&self.ended), number, site });
        if !task.set_waker(&Waker::from(Arc::clone(&entry))) {
            entry.wake_by_ref();
        }
        self.tasks.insert(number, task);
        abort
    }

    /// Waits for the end of the next task. Returns `None` if the set is empty.
    #[track_caller]
    pub fn join_next(&mut self) -> impl Future<Output = Option<Result<T, JoinError>>> {
        let site = Location::caller();
        poll_fn(move |context| {
            self.poll_at(context, site).map(|joined| joined.map(|(_, result)| result))
        })
    }

    /// Waits for the end of the next task, and returns its id with the result.
    #[track_caller]
    pub fn join_next_with_id(
        &mut self,
    ) -> impl Future<Output = Option<Result<(Id, T), JoinError>>> {
        let site = Location::caller();
        poll_fn(move |context| {
            let joined = self.poll_at(context, site);
            joined.map(|joined| joined.map(|(id, result)| result.map(|value| (id, value))))
        })
    }

    /// Polls for the end of the next task.
    #[track_caller]
    pub fn poll_join_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<T, JoinError>>> {
        self.poll_at(context, Location::caller()).map(|joined| joined.map(|(_, result)| result))
    }

    /// Returns the result of a task that has ended.
    #[track_caller]
    pub fn try_join_next(&mut self) -> Option<Result<T, JoinError>> {
        let number = self.ended.update("try_join_next", Location::caller(), |ended| {
            if ended.numbers.is_empty() { None } else { ended.numbers.pop_front() }
        });
        self.take(number?).map(|(_, result)| result)
    }

    fn poll_at(
        &mut self,
        context: &mut Context<'_>,
        site: Site,
    ) -> Poll<Option<(Id, Result<T, JoinError>)>> {
        if self.tasks.is_empty() {
            return Poll::Ready(None);
        }
        let mut _old = None;
        let poll = self.ended.poll("join_next", site, |ended| {
            if !ended.numbers.is_empty() {
                return Poll::Ready(ended.numbers.pop_front());
            }
            if !ended.waker.as_ref().is_some_and(|known| known.will_wake(context.waker())) {
                _old = ended.waker.replace(context.waker().clone());
            }
            Poll::Pending
        });
        poll.map(|number| self.take(number?))
    }

    /// Takes the result of a task that has ended.
    fn take(&mut self, number: u64) -> Option<(Id, Result<T, JoinError>)> {
        let mut task = self.tasks.remove(&number)?;
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(&mut task).poll(&mut context) {
            Poll::Ready(result) => Some((task.id(), result)),
            Poll::Pending => unreachable!("the task has ended"),
        }
    }

    /// Waits for all tasks, and returns their results.
    ///
    /// # Panics
    ///
    /// If a task has panicked.
    pub async fn join_all(mut self) -> Vec<T> {
        let mut results = Vec::with_capacity(self.len());
        while let Some(result) = self.join_next().await {
            match result {
                Ok(result) => results.push(result),
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(error) => panic!("{error}"),
            }
        }
        results
    }

    /// Aborts all tasks, and waits for their ends.
    pub async fn shutdown(&mut self) {
        self.abort_all();
        while self.join_next().await.is_some() {}
    }

    /// Aborts all tasks.
    #[track_caller]
    pub fn abort_all(&mut self) {
        self.tasks.values().for_each(|task| task.abort());
    }
}

impl<T> JoinSet<T> {
    /// Removes all tasks without aborting them.
    pub fn detach_all(&mut self) {
        self.tasks.clear();
    }
}

impl<T> Drop for JoinSet<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.tasks.values().for_each(|task| task.abort());
    }
}

impl<T> Default for JoinSet<T> {
    #[track_caller]
    fn default() -> Self {
        JoinSet::new()
    }
}

impl<T> fmt::Debug for JoinSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinSet").field("len", &self.len()).finish()
    }
}

impl<T, F> FromIterator<F> for JoinSet<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = F>>(futures: I) -> Self {
        let mut set = JoinSet::new();
        for future in futures {
            set.spawn(future);
        }
        set
    }
}
