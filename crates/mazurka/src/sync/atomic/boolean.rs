//! `AtomicBool`.

use std::fmt;
use std::panic::Location as SourceLocation;

use super::word::{Initial, Word};
use super::{Ordering, check_failure, check_load, check_store};

/// An atomic `bool`, as [`std::sync::atomic::AtomicBool`].
///
/// ```
/// use mazurka::sync::atomic::{AtomicBool, Ordering::SeqCst};
///
/// mazurka::check(|| {
///     let flag = AtomicBool::new(false);
///     assert!(!flag.swap(true, SeqCst));
///     assert!(flag.load(SeqCst));
/// });
/// ```
pub struct AtomicBool {
    word: Word,
}

impl AtomicBool {
    /// A new one that holds `value`, in every execution afresh.
    #[track_caller]
    pub const fn new(value: bool) -> Self {
        AtomicBool { word: Word::new("AtomicBool", Initial::Number(value as u64), Self::show) }
    }

    /// Makes the object known to the checker before anybody uses it.
    ///
    /// The elements of an array are told apart by who comes upon them first. If that is late, the
    /// explorers cannot always tell that two threads are about to use different ones, and run more
    /// than is needed. Introduced by the main thread, before it spawns others, they are told apart
    /// from the start. This is no step.
    #[track_caller]
    pub fn introduce(&self) {
        self.word.introduce();
    }

    /// The same one with a name for reports.
    pub const fn with_label(mut self, label: &'static str) -> Self {
        self.word.set_label(label);
        self
    }

    fn show(bits: u64) -> String {
        (bits != 0).to_string()
    }

    /// The value, for who has it alone.
    #[track_caller]
    pub fn get_mut(&mut self) -> &mut bool {
        let Initial::Number(bits) = self.word.get_mut() else { unreachable!() };
        let low = match cfg!(target_endian = "big") {
            true => size_of::<u64>() - 1,
            false => 0,
        };
        // SAFETY: the word is 0 or 1, so its lowest byte is a valid `bool`, and stays one.
        unsafe { &mut *std::ptr::from_mut(bits).cast::<bool>().add(low) }
    }

    /// The value.
    #[track_caller]
    pub fn into_inner(self) -> bool {
        self.word.peek() != 0
    }

    /// Reads the value.
    #[inline]
    #[track_caller]
    pub fn load(&self, order: Ordering) -> bool {
        check_load(order);
        self.word.load(SourceLocation::caller()) != 0
    }

    /// Replaces the value.
    #[inline]
    #[track_caller]
    pub fn store(&self, value: bool, order: Ordering) {
        check_store(order);
        self.word.store(SourceLocation::caller(), value as u64);
    }

    /// Stores `new` if the value is `current`.
    ///
    /// # Errors
    ///
    /// The value, if it is the other one.
    #[inline]
    #[track_caller]
    pub fn compare_exchange(
        &self,
        current: bool,
        new: bool,
        _success: Ordering,
        failure: Ordering,
    ) -> Result<bool, bool> {
        check_failure(failure);
        let site = SourceLocation::caller();
        self.word
            .compare_exchange("compare_exchange", site, current as u64, new as u64, false)
            .map(|bits| bits != 0)
            .map_err(|bits| bits != 0)
    }

    /// Stores `new` if the value is `current`; may fail for no reason if
    /// [`Check::spurious_failures`](crate::Check::spurious_failures) says so.
    ///
    /// # Errors
    ///
    /// The value.
    #[inline]
    #[track_caller]
    pub fn compare_exchange_weak(
        &self,
        current: bool,
        new: bool,
        _success: Ordering,
        failure: Ordering,
    ) -> Result<bool, bool> {
        check_failure(failure);
        let site = SourceLocation::caller();
        self.word
            .compare_exchange("compare_exchange_weak", site, current as u64, new as u64, true)
            .map(|bits| bits != 0)
            .map_err(|bits| bits != 0)
    }

    /// Replaces the value by `f` of it, until nobody came between; the old value.
    ///
    /// # Errors
    ///
    /// The value that `f` has no answer to.
    #[track_caller]
    pub fn fetch_update(
        &self,
        set_order: Ordering,
        fetch_order: Ordering,
        mut f: impl FnMut(bool) -> Option<bool>,
    ) -> Result<bool, bool> {
        let mut seen = self.load(fetch_order);
        while let Some(next) = f(seen) {
            match self.compare_exchange_weak(seen, next, set_order, fetch_order) {
                Ok(old) => return Ok(old),
                Err(now) => seen = now,
            }
        }
        Err(seen)
    }

    /// Replaces the value; the old one.
    #[inline]
    #[track_caller]
    pub fn swap(&self, value: bool, _order: Ordering) -> bool {
        self.update("swap", SourceLocation::caller(), value, |_| value)
    }

    /// Logical and; the old value.
    #[inline]
    #[track_caller]
    pub fn fetch_and(&self, value: bool, _order: Ordering) -> bool {
        self.update("fetch_and", SourceLocation::caller(), value, |old| old & value)
    }

    /// Logical nand; the old value.
    #[inline]
    #[track_caller]
    pub fn fetch_nand(&self, value: bool, _order: Ordering) -> bool {
        self.update("fetch_nand", SourceLocation::caller(), value, |old| !(old & value))
    }

    /// Logical or; the old value.
    #[inline]
    #[track_caller]
    pub fn fetch_or(&self, value: bool, _order: Ordering) -> bool {
        self.update("fetch_or", SourceLocation::caller(), value, |old| old | value)
    }

    /// Logical exclusive or; the old value.
    #[inline]
    #[track_caller]
    pub fn fetch_xor(&self, value: bool, _order: Ordering) -> bool {
        self.update("fetch_xor", SourceLocation::caller(), value, |old| old ^ value)
    }

    /// Logical not; the old value.
    #[inline]
    #[track_caller]
    pub fn fetch_not(&self, _order: Ordering) -> bool {
        self.update("fetch_not", SourceLocation::caller(), true, |old| !old)
    }

    #[inline]
    #[track_caller]
    fn update(
        &self,
        name: &'static str,
        site: crate::rt::Site,
        value: bool,
        change: impl Fn(bool) -> bool,
    ) -> bool {
        self.word.update(name, site, value as u64, |bits| change(bits != 0) as u64) != 0
    }
}

impl From<bool> for AtomicBool {
    #[track_caller]
    fn from(value: bool) -> Self {
        AtomicBool::new(value)
    }
}

impl Default for AtomicBool {
    #[track_caller]
    fn default() -> Self {
        AtomicBool::new(false)
    }
}

impl fmt::Debug for AtomicBool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.load(Ordering::Relaxed), f)
    }
}
