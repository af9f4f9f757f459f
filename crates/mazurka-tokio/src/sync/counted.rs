//! How many handles of a kind there are.

use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use mazurka::future::Monitor;

/// A number of handles. Which of them is dropped last depends on the order of the drops, so these are steps
/// if there was ever more than one handle.
#[derive(Debug)]
pub(crate) struct Handles {
    count: AtomicUsize,
    is_shared: AtomicBool,
    order: Monitor<()>,
}

impl Handles {
    /// There is one handle.
    pub(crate) const fn one(kind: &'static str) -> Self {
        let (count, is_shared) = (AtomicUsize::new(1), AtomicBool::new(false));
        Handles { count, is_shared, order: Monitor::new(kind, ()) }
    }

    /// A handle is cloned. This is not a step: it was one of a living handle, so no drop is the last one.
    pub(crate) fn add(&self) {
        self.is_shared.store(true, Relaxed);
        self.count.fetch_add(1, Relaxed);
    }

    /// A handle is made of nothing but a weak one, unless all are gone.
    #[track_caller]
    pub(crate) fn revive(&self) -> bool {
        self.is_shared.store(true, Relaxed);
        self.step("upgrade", |count| match count.load(Relaxed) {
            0 => false,
            _ => count.fetch_add(1, Relaxed) > 0,
        })
    }

    /// There will be weak handles.
    pub(crate) fn share(&self) {
        self.is_shared.store(true, Relaxed);
    }

    /// A handle is dropped. Returns whether it was the last one.
    #[track_caller]
    pub(crate) fn remove(&self) -> bool {
        match self.is_shared.load(Relaxed) {
            true => self.step("drop", |count| count.fetch_sub(1, Relaxed) == 1),
            false => self.count.fetch_sub(1, Relaxed) == 1,
        }
    }

    /// Returns how many handles there are.
    #[track_caller]
    pub(crate) fn count(&self) -> usize {
        self.order.read("count", Location::caller(), |()| self.count.load(Relaxed))
    }

    #[track_caller]
    fn step(&self, name: &'static str, f: impl FnOnce(&AtomicUsize) -> bool) -> bool {
        self.order.update_on_drop(name, Location::caller(), |order| {
            **order = ();
            f(&self.count)
        })
    }
}
