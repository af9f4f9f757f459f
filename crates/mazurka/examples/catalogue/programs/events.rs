//! Event loops: the figures of the paper on event-driven programs.
//!
//! In the figures, the posts of a program are made by threads of their own.

use std::sync::Arc;

use mazurka::event::{EventLoop, Handle};
use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicU32, Ordering::SeqCst};
use mazurka::thread;

/// The variables of a figure.
#[derive(Default)]
struct Shared {
    x: AtomicU32,
    y: AtomicU32,
    v: AtomicU32,
}

/// Lets a thread post an event.
fn post_from_thread(to: &Handle, handler: impl FnOnce() + Send + 'static) {
    let to = to.clone();
    thread::spawn(move || to.post(handler));
}

/// The handler of an event that does something with the variables.
fn with<F>(shared: &Arc<Shared>, f: F) -> impl FnOnce() + Send + 'static + use<F>
where
    F: FnOnce(&Shared) + Send + 'static,
{
    let shared = Arc::clone(shared);
    move || f(&shared)
}

pub(crate) fn figure_1() {
    let (t1, shared) = (EventLoop::spawn("t1"), Arc::new(Shared::default()));
    let (handle, e3) = (t1.handle(), with(&shared, |s| s.x.store(1, SeqCst)));
    post_from_thread(&t1, move || handle.post(e3));
    post_from_thread(&t1, with(&shared, |s| s.y.store(1, SeqCst)));
}

pub(crate) fn figure_3() {
    let (t1, shared) = (EventLoop::spawn("t1"), Arc::new(Shared::default()));
    post_from_thread(&t1, with(&shared, |s| s.x.store(1, SeqCst)));
    let t4 = with(&shared, |s| s.x.store(2, SeqCst));
    post_from_thread(&t1, move || drop(thread::spawn(t4)));
}

pub(crate) fn figure_5() {
    let (t, shared) = (EventLoop::spawn("t"), Arc::new(Shared::default()));
    let (handle, e3) = (t.handle(), with(&shared, |s| s.x.store(6, SeqCst)));
    let y = with(&shared, |s| s.y.store(2, SeqCst));
    post_from_thread(&t, move || {
        handle.post(e3);
        y();
    });
    post_from_thread(&t, with(&shared, |s| s.x.store(5, SeqCst)));
}

pub(crate) fn figure_9() {
    let [t1, t2, t3] = ["t1", "t2", "t3"].map(EventLoop::spawn);
    let shared = Arc::new(Shared::default());
    let (handle, e6) = (t3.handle(), with(&shared, |s| s.v.store(6, SeqCst)));
    let t8 = with(&shared, |s| s.x.store(8, SeqCst));
    post_from_thread(&t1, move || {
        handle.post(e6);
        drop(thread::spawn(t8));
    });
    post_from_thread(
        &t1,
        with(&shared, |s| {
            s.y.store(2, SeqCst);
            s.x.store(2, SeqCst);
        }),
    );
    let (handle, e5) = (t3.handle(), with(&shared, |s| s.v.store(5, SeqCst)));
    post_from_thread(&t2, move || handle.post(e5));
    post_from_thread(&t2, with(&shared, |s| s.y.store(4, SeqCst)));
}

pub(crate) fn figure_13() {
    let (t1, shared) = (EventLoop::spawn("t1"), Arc::new(Shared::default()));
    thread::spawn(with(&shared, |s| _ = s.x.load(SeqCst)));
    post_from_thread(&t1, with(&shared, |s| _ = s.x.load(SeqCst)));
    post_from_thread(&t1, with(&shared, |s| s.x.store(1, SeqCst)));
}

pub(crate) fn figure_16() {
    let (t1, shared) = (EventLoop::spawn("t1"), Arc::new(Shared::default()));
    thread::spawn(with(&shared, |s| s.x.store(1, SeqCst)));
    post_from_thread(&t1, with(&shared, |s| _ = s.x.load(SeqCst)));
    post_from_thread(&t1, with(&shared, |s| _ = s.x.load(SeqCst)));
}

pub(crate) fn figure_19() {
    let t1 = EventLoop::spawn("t1");
    let shared = Arc::new((Mutex::new(()), Shared::default()));
    let locked = |f: fn(&Shared)| {
        let shared = Arc::clone(&shared);
        move || {
            let _guard = shared.0.lock().unwrap();
            f(&shared.1);
        }
    };
    thread::spawn(locked(|s| {
        s.x.store(5, SeqCst);
        s.y.store(5, SeqCst);
    }));
    post_from_thread(&t1, locked(|s| s.y.store(1, SeqCst)));
    post_from_thread(&t1, locked(|s| s.x.store(1, SeqCst)));
}
