//! What a receive looks for.

use std::any::Any;
use std::marker::PhantomData;
use std::mem::needs_drop;

/// What a receive looks for. It is asked again about messages that come after the receive, so it
/// is kept, and must give the same answer each time.
pub(super) trait Pattern<M>: Send + 'static {
    /// Whether it is a message that is looked for. Runs code of the user.
    fn matches(&self, message: &M) -> bool;

    /// Whether every message is one, without running any code.
    fn is_any(&self) -> bool {
        false
    }

    fn as_any(&self) -> &dyn Any;
}

/// Whether one pattern of a type may be another one than the others.
pub(super) const fn has_state<P>() -> bool {
    size_of::<P>() > 0 || needs_drop::<P>()
}

/// Any message.
pub(super) struct Anything;

impl<M> Pattern<M> for Anything {
    fn matches(&self, _message: &M) -> bool {
        true
    }

    fn is_any(&self) -> bool {
        true
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Messages that a predicate holds of.
pub(super) struct If<F>(pub(super) F);

impl<M, F> Pattern<M> for If<F>
where
    F: Fn(&M) -> bool + Send + 'static,
{
    fn matches(&self, message: &M) -> bool {
        (self.0)(message)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Messages that something can be made of.
pub(super) struct Map<F, T> {
    pub(super) f: F,
    result: PhantomData<fn() -> T>,
}

impl<F, T> Map<F, T> {
    pub(super) fn new(f: F) -> Self {
        Map { f, result: PhantomData }
    }
}

impl<M, F, T> Pattern<M> for Map<F, T>
where
    F: Fn(&M) -> Option<T> + Send + 'static,
    T: 'static,
{
    fn matches(&self, message: &M) -> bool {
        (self.f)(message).is_some()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
