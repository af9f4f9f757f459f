//! Asking patterns: code of the user, which may panic, and must not use operations.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::mailbox::{Content, Envelope};
use super::pattern::Pattern;
use crate::rt::without_operations;

/// A message, a receive that could take it or not, and what they are to the one who asks.
pub(super) type Question<'a, M, T> = (&'a Envelope<M>, &'a dyn Pattern<M>, T);

/// Asks whether receives could take messages, and calls `found` for those that could, as long as that
/// returns `true`.
///
/// A pattern that panics counts as one that matches: the receive would have panicked, so it makes a
/// difference.
pub(super) fn ask<'a, M: 'static, T: Copy>(
    mut questions: impl Iterator<Item = Question<'a, M, T>>,
    mut found: impl FnMut(T) -> bool,
) {
    loop {
        let mut asked = None;
        let all = || {
            for (envelope, pattern, it) in &mut questions {
                asked = Some(it);
                let matches = match &envelope.content {
                    Content::Message(message) => pattern.matches(message),
                    Content::Exit(_) => true,
                };
                if matches && !found(it) {
                    break;
                }
            }
        };
        let result = without_operations(|| catch_unwind(AssertUnwindSafe(all)));
        match (result, asked) {
            (Err(_), Some(it)) if found(it) => {}
            _ => break,
        }
    }
}

/// The first question of which the answer is yes.
pub(super) fn find_match<'a, M: 'static, T: Copy>(
    questions: impl Iterator<Item = Question<'a, M, T>>,
) -> Option<T> {
    let mut first = None;
    ask(questions, |it| {
        first = Some(it);
        false
    });
    first
}
