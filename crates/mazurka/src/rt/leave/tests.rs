//! Leaving processes in both ways: whatever is to be dropped is dropped once, and whoever is to learn
//! of it does.

use std::cell::Cell;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize as StdUsize, Ordering::Relaxed};

use crate::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use crate::sync::mpsc;
use crate::{Algorithm, Check, Verdict, actor, assume, thread};

thread_local! {
    /// Whether processes are to be unwound even where nothing would come of it.
    pub(super) static ALWAYS_UNWIND: Cell<bool> = const { Cell::new(false) };
    /// How many processes were left without unwinding them.
    pub(super) static LEFT: Cell<usize> = const { Cell::new(0) };
}

/// What has been made and dropped, of this test alone.
#[derive(Clone, Default)]
struct Census(Arc<(StdUsize, StdUsize)>);

impl Census {
    fn add(&self) -> Member {
        self.0.0.fetch_add(1, Relaxed);
        Member(self.clone())
    }

    fn made(&self) -> usize {
        self.0.0.load(Relaxed)
    }

    fn dropped(&self) -> usize {
        self.0.1.load(Relaxed)
    }
}

struct Member(Census);

impl Drop for Member {
    fn drop(&mut self) {
        self.0.0.1.fetch_add(1, Relaxed);
    }
}

/// Waits for ever.
#[inline(never)]
fn wait() {
    thread::park();
}

fn explore(body: impl Fn() + Send + Sync + 'static) -> Verdict {
    let check = Check::new().algorithm(Algorithm::Source).keep_going(true);
    check.allow_idle_receivers(true).max_depth(20).run(body)
}

/// Explores a program that makes members of a census, in both ways. Each is dropped exactly once.
/// Returns how many processes were left without unwinding, where that is known how to do.
#[track_caller]
fn left(body: impl Fn(&Census) + Send + Sync + Clone + 'static) -> usize {
    let mut outcomes = Vec::new();
    for unwinds in [true, false] {
        let census = Census::default();
        let (theirs, body) = (census.clone(), body.clone());
        ALWAYS_UNWIND.set(unwinds);
        LEFT.set(0);
        let verdict = explore(move || body(&theirs));
        ALWAYS_UNWIND.set(false);
        assert_eq!(census.made(), census.dropped(), "unwinds: {unwinds}");
        let messages: Vec<_> = verdict.violations.iter().map(|v| v.message.clone()).collect();
        outcomes.push((verdict.executions, verdict.blocked, census.made(), messages));
    }
    assert_eq!(outcomes[0], outcomes[1]);
    LEFT.get()
}

/// Whether it is known how to leave processes here.
const IS_KNOWN: bool = cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"));

#[test]
fn who_has_nothing_is_left() {
    assert_eq!(left(|_| wait()) > 0, IS_KNOWN);
}

#[test]
fn who_has_something_is_unwound() {
    assert_eq!(
        left(|census| {
            let _member = census.add();
            wait();
        }),
        0
    );
}

#[test]
fn what_was_dropped_before_is_not_dropped_again() {
    let left = left(|census| {
        drop(census.add());
        wait();
    });
    assert_eq!(left > 0, IS_KNOWN);
}

#[test]
fn what_was_captured_and_dropped_before_is_not_dropped_again() {
    left(|census| {
        let member = census.add();
        thread::spawn(move || {
            drop(member);
            wait();
        });
    });
}

#[test]
fn what_a_closure_has_captured_is_dropped() {
    let left = left(|census| {
        let member = census.add();
        thread::spawn(move || {
            wait();
            black_box(&member);
        });
        let number = 7;
        thread::spawn(move || {
            wait();
            black_box(number);
        });
    });
    // Only the second one.
    assert_eq!(left, usize::from(IS_KNOWN));
}

#[inline(never)]
fn call(f: &dyn Fn()) {
    f();
    black_box(());
}

#[test]
fn a_member_in_any_frame_is_dropped() {
    for depth in 0..4 {
        let left = left(move |census| {
            let frame = |level: usize, next: &dyn Fn()| {
                let _member = (level == depth).then(|| census.add());
                call(next);
            };
            frame(0, &|| call(&|| frame(1, &|| frame(2, &wait))));
        });
        assert!(left == 0 || !IS_KNOWN || depth == 3, "{depth}: {left}");
    }
}

#[test]
fn who_catches_panics_does_so() {
    let left = left(|census| {
        let caught = catch_unwind(AssertUnwindSafe(wait));
        // A witness that this code ran.
        drop(census.add());
        assert!(caught.is_err());
    });
    assert_eq!(left, 0);
}

#[test]
fn a_scope_is_unwound_after_its_threads() {
    left(|census| {
        let member = census.add();
        thread::scope(|scope| {
            scope.spawn(|| {
                wait();
                black_box(&member);
            });
            scope.spawn(wait);
        });
    });
}

#[inline(never)]
fn descend(depth: usize, census: &Census) {
    match depth {
        0 => wait(),
        3 => {
            let _member = census.add();
            descend(2, census);
        }
        _ => descend(depth - 1, census),
    }
    black_box(depth);
}

#[test]
fn depths_may_differ_between_executions() {
    let left = left(|census| {
        let x: &AtomicUsize = Box::leak(Box::default());
        for _ in 0..3 {
            thread::spawn(|| x.fetch_add(1, SeqCst));
        }
        descend(x.load(SeqCst), census);
    });
    assert_eq!(left > 0, IS_KNOWN);
}

#[test]
fn recursion_to_any_depth_is_left_or_unwound() {
    left(|census| {
        descend(crate::choose(100), census);
    });
}

#[repr(align(64))]
struct Aligned([u8; 256]);

#[inline(never)]
fn wait_aligned(to: usize) {
    let mut aligned = Aligned([0; 256]);
    black_box(&mut aligned);
    wait();
    black_box(&aligned.0[to]);
}

#[test]
fn frames_whose_size_varies_are_unwound() {
    assert_eq!(left(|_| wait_aligned(1)), 0);
}

#[test]
fn an_idle_server_is_left() {
    let left = left(|_| {
        let server = actor::spawn(|me: &actor::Me<u32>| {
            loop {
                me.receive();
                me.receive_if(|number| *number == 1);
            }
        });
        (0..4).for_each(|number| server.send(number % 2));
    });
    assert_eq!(left > 0, IS_KNOWN);
}

#[test]
fn messages_to_an_idle_server_are_dropped() {
    // Without optimisation there are landing pads that do nothing.
    left(|census| {
        let server = actor::spawn(|me: &actor::Me<(u32, Member)>| {
            loop {
                me.receive_if(|(number, _)| *number == 0);
            }
        });
        for number in 0..2 {
            let (server, member) = (server.clone(), census.add());
            actor::spawn(move |_: &actor::Me<()>| server.send((number, member)));
        }
    });
}

crate::thread_local! {
    static LOCAL: Cell<Option<Member>> = const { Cell::new(None) };
}

#[test]
fn thread_locals_are_dropped() {
    let left = left(|census| {
        let member = census.add();
        LOCAL.with(|local| local.set(Some(member)));
        wait();
    });
    assert_eq!(left > 0, IS_KNOWN);
}

struct JoinsAtEnd(Option<thread::JoinHandle<()>>, Census);

impl Drop for JoinsAtEnd {
    fn drop(&mut self) {
        let result = self.0.take().map(|thread| thread.join());
        assert!(result.is_some_and(|result| result.is_err()));
        drop(self.1.add());
    }
}

#[test]
fn who_joins_learns_of_the_end() {
    left(|census| {
        let _joins = JoinsAtEnd(Some(thread::spawn(wait)), census.clone());
        wait();
    });
}

#[test]
fn what_is_sent_or_received_is_dropped() {
    left(|census| {
        let (sender, receiver) = mpsc::sync_channel::<Member>(1);
        let member = census.add();
        thread::spawn(move || {
            for _ in 0..2 {
                sender.send(Member(member.0.clone())).unwrap();
                member.0.0.0.fetch_add(1, Relaxed);
            }
        });
        drop(receiver.recv());
        wait();
    });
}

#[test]
fn executions_that_are_cut_short_drop_everything() {
    let left = left(|census| {
        let x = Arc::new(AtomicUsize::new(0));
        let threads = [0, 1, 2].map(|i| {
            let (x, member) = (Arc::clone(&x), (i > 0).then(|| census.add()));
            thread::spawn(move || {
                let old = x.fetch_add(1, SeqCst);
                assume(old != i);
                let _other = member.as_ref().map(|member| member.0.add());
                x.fetch_add(1, SeqCst);
            })
        });
        thread::spawn(|| AtomicUsize::new(0).store(crate::choose(2), SeqCst));
        thread::spawn(wait);
        for thread in threads {
            thread.join().unwrap();
        }
    });
    assert_eq!(left > 0, IS_KNOWN);
}
