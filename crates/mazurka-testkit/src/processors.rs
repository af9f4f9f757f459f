//! Work for all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::{available_parallelism, scope};

/// Calls `work` with each item, on as many threads as there are processors.
///
/// # Panics
///
/// If a call of `work` panics.
pub fn on_all_processors<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let worker = || {
        while let Some(item) = items.get(next.fetch_add(1, Relaxed)) {
            work(item);
        }
    };
    scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(worker);
        }
    });
}

/// Calls `work` with each item, as [`on_all_processors`] does, and returns all that it yields, in order.
///
/// # Panics
///
/// If a call of `work` panics.
pub fn all_of<T: Sync, R: Ord + Send, I: IntoIterator<Item = R>>(
    items: &[T],
    work: impl Fn(&T) -> I + Sync,
) -> Vec<R> {
    let all = Mutex::new(Vec::new());
    on_all_processors(items, |item| {
        let found: Vec<R> = work(item).into_iter().collect();
        all.lock().expect("no thread panics while it holds the lock").extend(found);
    });
    let mut all = all.into_inner().expect("no thread panics while it holds the lock");
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once() {
        let counts: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
        on_all_processors(&counts, |count| _ = count.fetch_add(1, Relaxed));
        assert!(counts.iter().all(|count| count.load(Relaxed) == 1));
    }

    #[test]
    fn all_that_the_work_yields_is_sorted() {
        let items: Vec<usize> = (0..100).collect();
        let odd = all_of(&items, |item| (item % 2 == 1).then_some(100 - item));
        assert_eq!(odd, (0..50).map(|i| 2 * i + 1).collect::<Vec<_>>());
    }
}
