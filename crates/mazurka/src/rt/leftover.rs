//! What processes leave to those who join them.
//!
//! It is kept with the process, and not by those who have a handle to it: so a thread that returns
//! nothing costs nothing. Handles may outlive the execution, and then stand for nobody.

use std::any::Any;
use std::marker::PhantomData;
use std::thread::Result;
use std::{mem, ptr};

use mazurka_core::model::ProcessId;

use super::process::Process;
use super::{Runtime, confined, try_with, with};

/// What a process has left, whatever its type.
pub(super) struct Leftover {
    stage: Stage,
    /// What it has returned, from a box.
    value: *mut (),
    /// What it has panicked with.
    payload: Option<Box<dyn Any + Send>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// No process can take it.
    Unwanted,
    /// There is nothing yet.
    Awaited,
    /// There is a value.
    Returned,
    /// There is the payload of a panic.
    Panicked,
}

impl Leftover {
    pub(super) const NOTHING: Self =
        Leftover { stage: Stage::Unwanted, value: ptr::null_mut(), payload: None };

    /// The next execution begins: whoever could have taken it has been forgotten without a trace, and
    /// so is this. It may hold what is gone by now.
    #[inline]
    pub(super) fn clear(&mut self) {
        if mem::replace(&mut self.stage, Stage::Unwanted) == Stage::Panicked {
            mem::forget(self.payload.take());
        }
    }

    /// # Safety
    ///
    /// What was returned is a `T`.
    #[inline]
    unsafe fn take<T>(&mut self) -> Option<Result<T>> {
        match mem::replace(&mut self.stage, Stage::Unwanted) {
            Stage::Unwanted | Stage::Awaited => None,
            // SAFETY: as the caller promises; it comes from a box, and is taken once.
            Stage::Returned => Some(Ok(*unsafe { Box::from_raw(self.value.cast::<T>()) })),
            Stage::Panicked => self.payload.take().map(Err),
        }
    }
}

/// Who takes what a process leaves behind, which is a `T`.
pub(crate) struct Heir<T> {
    process: ProcessId,
    /// The execution that the process belongs to.
    stamp: u64,
    marker: PhantomData<fn() -> T>,
}

impl<T> Heir<T> {
    /// The heir of a process that has just been created, and leaves a `T` behind.
    ///
    /// # Safety
    ///
    /// There is no other, and [`leave_behind`] is called by that process with a `T`, if at all.
    pub(crate) unsafe fn of(process: ProcessId) -> Self {
        with(|rt| {
            rt.processes[process.index()].leftover.stage = Stage::Awaited;
            Heir { process, stamp: rt.stamp, marker: PhantomData }
        })
    }

    /// Whose.
    #[inline]
    pub(crate) fn process(&self) -> ProcessId {
        self.process
    }

    /// Makes sure that the process is one of the current execution.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[inline]
    #[track_caller]
    pub(crate) fn assert_is_here(&self) {
        if with(|rt| rt.stamp != self.stamp) {
            confined::elsewhere();
        }
    }

    /// Takes what the process has left, if it has, when it has been joined.
    #[inline]
    pub(crate) fn inherit(self) -> Option<Result<T>> {
        // SAFETY: this is its heir.
        let result = self.with_process(|process| unsafe { process.leftover.take() });
        // There is nothing else to be done about it.
        mem::forget(self);
        result.flatten()
    }

    /// Does something to the process, if there is still one.
    #[inline]
    fn with_process<R>(&self, f: impl FnOnce(&mut Process) -> R) -> Option<R> {
        let f = |rt: &mut Runtime| {
            (rt.stamp == self.stamp).then(|| f(&mut rt.processes[self.process.index()]))
        };
        try_with(f).flatten()
    }
}

impl<T> Drop for Heir<T> {
    /// The last handle to the process is gone.
    #[inline]
    fn drop(&mut self) {
        try_with(|rt| {
            if rt.stamp == self.stamp {
                rt.detach(self.process);
            }
        });
        // SAFETY: this is its heir.
        drop(self.with_process(|process| unsafe { process.leftover.take::<T>() }));
    }
}

/// Keeps the result of the current process, or drops it if no process can take it.
#[inline]
pub(crate) fn leave_behind<T>(result: Result<T>) {
    let is_awaited = |rt: &mut Runtime| rt.leftover().stage == Stage::Awaited;
    if !with(is_awaited) {
        drop(result);
        return;
    }
    match result {
        Ok(value) => {
            let value = Box::into_raw(Box::new(value)).cast();
            with(|rt| {
                let leftover = rt.leftover();
                (leftover.stage, leftover.value) = (Stage::Returned, value);
            });
        }
        Err(payload) => with(|rt| {
            let leftover = rt.leftover();
            (leftover.stage, leftover.payload) = (Stage::Panicked, Some(payload));
        }),
    }
}

impl Runtime {
    #[inline]
    fn leftover(&mut self) -> &mut Leftover {
        &mut self.processes[self.current].leftover
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::Mutex as StdMutex;

    use crate::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use crate::{Check, thread};

    /// What is made of a handle, while the thread may be at its beginning or at its end.
    fn check(f: impl Fn(thread::JoinHandle<Arc<()>>) + Send + Sync + 'static) -> Arc<()> {
        let result = Arc::new(());
        let theirs = Arc::clone(&result);
        let verdict = Check::new().run(move || {
            let x = Arc::new(AtomicUsize::new(0));
            let (result, y) = (Arc::clone(&theirs), Arc::clone(&x));
            let handle = thread::spawn(move || {
                y.store(1, SeqCst);
                result
            });
            x.load(SeqCst);
            f(handle);
        });
        assert!(verdict.violations.is_empty(), "{verdict:?}");
        assert_eq!(verdict.executions, 2);
        result
    }

    #[test]
    fn what_is_left_is_dropped_once_whoever_does() {
        let joined = check(|handle| drop(handle.join().unwrap()));
        assert_eq!(Arc::strong_count(&joined), 1);
        let detached = check(drop);
        assert_eq!(Arc::strong_count(&detached), 1);
    }

    #[test]
    fn who_forgets_a_handle_forgets_what_is_left() {
        let forgotten = check(std::mem::forget);
        assert_eq!(Arc::strong_count(&forgotten), 3);
    }

    #[test]
    fn a_handle_of_another_execution_stands_for_nobody() {
        static KEPT: StdMutex<Option<thread::JoinHandle<u64>>> = StdMutex::new(None);
        let verdict = Check::new().run(|| {
            let x = Arc::new(AtomicUsize::new(0));
            let y = Arc::clone(&x);
            let old = KEPT.lock().unwrap().take();
            // The same process as the old one, but with another result.
            let new = thread::spawn(move || {
                y.store(1, SeqCst);
                "text".to_owned()
            });
            x.load(SeqCst);
            drop(old);
            assert_eq!(new.join().unwrap(), "text");
            let other = thread::spawn(|| 7);
            *KEPT.lock().unwrap() = Some(other);
        });
        assert!(verdict.violations.is_empty(), "{verdict:?}");
        let old = KEPT.lock().unwrap().take().unwrap();
        let verdict = Check::new().run(|| drop(thread::spawn(|| ())));
        assert!(verdict.violations.is_empty());
        drop(old);
    }

    #[test]
    fn a_handle_of_another_execution_cannot_be_joined() {
        static KEPT: StdMutex<Option<thread::JoinHandle<u64>>> = StdMutex::new(None);
        Check::new().run(|| *KEPT.lock().unwrap() = Some(thread::spawn(|| 7)));
        let verdict = Check::new().run(|| {
            thread::spawn(|| "text".to_owned());
            let old = KEPT.lock().unwrap().take();
            drop(old.map(thread::JoinHandle::join));
        });
        assert_eq!(verdict.violations.len(), 1);
        assert!(verdict.violations[0].message.contains("another"), "{verdict:?}");
    }
}
