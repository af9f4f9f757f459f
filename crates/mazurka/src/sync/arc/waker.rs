//! Wakers whose state is in an `Arc`.

use std::mem::ManuallyDrop;
use std::sync::Arc as StdArc;
use std::task::{RawWaker, RawWakerVTable, Wake, Waker};

use super::Arc;

impl<W: Wake + Send + Sync + 'static> From<Arc<W>> for Waker {
    /// Creates a waker. Its clones are references to the value, as with `std`'s type.
    fn from(arc: Arc<W>) -> Waker {
        // SAFETY: the functions of the table treat the pointer as what `into_raw` returns. `W` is `Send`
        // and `Sync`.
        unsafe { Waker::from_raw(raw(arc)) }
    }
}

fn raw<W: Wake + Send + Sync + 'static>(arc: Arc<W>) -> RawWaker {
    let table =
        &const { RawWakerVTable::new(clone::<W>, wake::<W>, wake_by_ref::<W>, drop_raw::<W>) };
    RawWaker::new(Arc::into_raw(arc).cast(), table)
}

/// # Safety
///
/// As for the other functions here: the pointer is that of a waker, which keeps a reference.
unsafe fn clone<W: Wake + Send + Sync + 'static>(pointer: *const ()) -> RawWaker {
    // SAFETY: as the caller promises. The reference of the waker is not dropped.
    let arc = ManuallyDrop::new(unsafe { Arc::<W>::from_raw(pointer.cast()) });
    raw(Arc::clone(&arc))
}

unsafe fn wake<W: Wake + Send + Sync + 'static>(pointer: *const ()) {
    // SAFETY: as the caller promises. The waker is used up.
    let arc = unsafe { Arc::<W>::from_raw(pointer.cast()) };
    W::wake(StdArc::clone(Arc::as_std(&arc)));
}

unsafe fn wake_by_ref<W: Wake + Send + Sync + 'static>(pointer: *const ()) {
    // SAFETY: as the caller promises. The reference of the waker is not dropped.
    let arc = ManuallyDrop::new(unsafe { Arc::<W>::from_raw(pointer.cast()) });
    W::wake_by_ref(Arc::as_std(&arc));
}

unsafe fn drop_raw<W: Wake + Send + Sync + 'static>(pointer: *const ()) {
    // SAFETY: as the caller promises. The waker is used up.
    drop(unsafe { Arc::<W>::from_raw(pointer.cast()) });
}
