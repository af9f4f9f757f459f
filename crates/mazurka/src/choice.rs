//! Choices and assumptions.

use std::panic::Location as SourceLocation;

use crate::rt::{self, Operation};

/// Returns a number below `n`. Every number is explored.
///
/// # Panics
///
/// If `n` is 0.
///
/// ```
/// mazurka::check(|| {
///     let coin = mazurka::choose(2);
///     assert!(coin == 0 || coin == 1);
/// });
/// ```
#[track_caller]
pub fn choose(n: usize) -> usize {
    let site = SourceLocation::caller();
    assert!(n > 0, "`mazurka::choose(0)`: there is no value below 0");
    let alternatives = u32::try_from(n).expect("`mazurka::choose` explores at most 2³² values");
    if n == 1 || !rt::alive() {
        return 0;
    }
    let Some(chosen) = Operation::new("choose", site).alternatives(alternatives).turn() else {
        return 0;
    };
    rt::with(|rt| rt.log(site, |_| format!("choose({n}) → {chosen}")));
    chosen as usize
}

/// Stops the current thread if `condition` is `false`.
///
/// The other threads go on to their end. Such an execution counts as blocked, and not as a failure.
///
/// ```
/// mazurka::check(|| {
///     let n = mazurka::choose(10);
///     mazurka::assume(n % 2 == 0);
///     assert_ne!(n, 7);
/// });
/// ```
#[track_caller]
pub fn assume(condition: bool) {
    if !condition {
        rt::stop_for_ever();
    }
}
