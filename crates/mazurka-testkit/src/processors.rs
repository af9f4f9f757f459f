//! Work for all processors.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once() {
        let counts: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
        on_all_processors(&counts, |count| _ = count.fetch_add(1, Relaxed));
        assert!(counts.iter().all(|count| count.load(Relaxed) == 1));
    }
}
