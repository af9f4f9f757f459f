//! Atomic pointers: their values must be the same in every run of the closure.

use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::AtomicU32 as Counter;

use mazurka::cell::UnsafeCell;
use mazurka::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use mazurka::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize};
use mazurka::{Check, MemoryModel, ViolationKind, thread};

use super::{assert_fails, assert_fine, rc11};

struct Node {
    value: UnsafeCell<u32>,
    next: *mut Node,
}

/// A Treiber stack that two threads push to and one pops from.
fn stack(publish: Ordering) {
    let head: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());
    let push = |value: u32| {
        let node =
            Box::into_raw(Box::new(Node { value: UnsafeCell::new(0), next: ptr::null_mut() }));
        // SAFETY: nobody else has the node yet.
        unsafe { (*node).value.with_mut(|v| *v = value) };
        let mut seen = head.load(Relaxed);
        loop {
            // SAFETY: as above.
            unsafe { (*node).next = seen };
            match head.compare_exchange(seen, node, publish, Relaxed) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    };
    let sum = thread::scope(|s| {
        s.spawn(|| push(1));
        s.spawn(|| push(2));
        let popper = s.spawn(|| {
            let node = head.load(Acquire);
            // SAFETY: nodes are freed at the end.
            if node.is_null() { 0 } else { unsafe { (*node).value.with(|v| *v) } }
        });
        popper.join().unwrap()
    });
    assert!(sum <= 2);
    let mut node = head.load(Relaxed);
    let mut count = 0;
    while !node.is_null() {
        // SAFETY: each node is in the list once.
        node = unsafe { Box::from_raw(node) }.next;
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn a_stack_needs_release() {
    assert_fine(&rc11(|| stack(Release)));
    assert_fails(&rc11(|| stack(Relaxed)), ViolationKind::DataRace);
}

/// Two threads exchange a pointer. The main thread creates two atomics at one place after its first step,
/// so that the search starts over. Counts the exchanges that return the new pointer.
fn exchange(strange: &Counter) {
    let (first, second) = (1, 2);
    let pointer: AtomicPtr<u32> = AtomicPtr::new(ptr::null_mut());
    let begun = AtomicBool::new(false);
    let exchange = |with: &u32| {
        let with = ptr::from_ref(with).cast_mut();
        if pointer.swap(with, Relaxed) == with {
            strange.fetch_add(1, Relaxed);
        }
    };
    thread::scope(|s| {
        s.spawn(|| exchange(&first));
        s.spawn(|| exchange(&second));
        begun.store(true, Relaxed);
        (0..2).for_each(|_| assert!(AtomicBool::new(true).load(Relaxed)));
    });
}

#[test]
fn pointers_stay_apart_until_the_search_starts_over() {
    let strange = Counter::new(0);
    let verdict = rc11(|| exchange(&strange));
    assert_fine(&verdict);
    assert!(!verdict.restarts.is_empty());
    assert_eq!(strange.into_inner(), 0);
}

/// A thread publishes an address as an integer. Counts the loads of an address of an earlier run.
fn publish_address(kept: &Mutex<Vec<Vec<u32>>>, strange: &Counter) {
    let new = vec![1];
    let address = new.as_ptr().addr();
    // The block is not freed, so that each run has another address.
    kept.lock().unwrap().push(new);
    let published = AtomicUsize::new(0);
    let look = || match published.load(Acquire) {
        0 => {}
        seen if seen == address => {}
        _ => drop(strange.fetch_add(1, Relaxed)),
    };
    thread::scope(|s| {
        s.spawn(|| published.store(address, Release));
        s.spawn(look);
        s.spawn(look);
    });
}

#[test]
fn an_address_of_an_earlier_run_is_not_seen() {
    let (kept, strange) = (Mutex::default(), Counter::new(0));
    let verdict =
        Check::new().memory_model(MemoryModel::Rc11).run(|| publish_address(&kept, &strange));
    assert_fails(&verdict, ViolationKind::Unsupported);
    assert_eq!(strange.into_inner(), 0);
}
