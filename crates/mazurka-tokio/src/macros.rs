//! Macros, and what they need.

/// Waits for the first of several futures, as `tokio::select!`.
#[macro_export]
macro_rules! select {
    ($($tokens:tt)*) => { $crate::macros::support::select_impl! { ($crate) $($tokens)* } };
}

/// Waits for all of several futures, as `tokio::join!`.
#[macro_export]
macro_rules! join {
    ($($tokens:tt)*) => { $crate::macros::support::join_impl! { ($crate) $($tokens)* } };
}

/// Waits for all of several futures, or for the first error, as `tokio::try_join!`.
#[macro_export]
macro_rules! try_join {
    ($($tokens:tt)*) => { $crate::macros::support::try_join_impl! { ($crate) $($tokens)* } };
}

/// Pins values to the stack, as `tokio::pin!`.
#[macro_export]
macro_rules! pin {
    ($($name:ident),* $(,)?) => { $(
        #[allow(unused_mut)]
        let mut $name = ::core::pin::pin!($name);
    )* };
    ($(let $name:ident = $init:expr;)*) => { $(
        #[allow(unused_mut)]
        let mut $name = ::core::pin::pin!($init);
    )* };
}

/// What the macros expand to. It is not part of the API.
#[doc(hidden)]
pub mod support {
    pub use std::future::{Future, IntoFuture, poll_fn};
    pub use std::pin::Pin;
    pub use std::task::{Context, Poll};

    pub use mazurka_tokio_macros::{join_impl, select_impl, try_join_impl};

    use crate::runtime::Runtime;

    /// Checks an asynchronous function, which may return an error.
    #[track_caller]
    pub fn check<F: Future<Output: Outcome>>(function: impl Fn() -> F + Send + Sync) {
        mazurka::check(|| {
            let runtime = Runtime::of_check();
            runtime.block_on(function()).assert();
        });
    }

    /// What an asynchronous `main` or test returns.
    pub trait Outcome {
        /// Panics if this is an error.
        fn assert(self);
    }

    impl Outcome for () {
        fn assert(self) {}
    }

    impl<T: Outcome, E: std::fmt::Debug> Outcome for Result<T, E> {
        #[track_caller]
        fn assert(self) {
            match self {
                Ok(outcome) => outcome.assert(),
                Err(error) => panic!("the function returned an error: {error:?}"),
            }
        }
    }

    /// The order in which the branches of `select!` are polled.
    #[derive(Debug)]
    pub struct Order {
        /// The branch to begin with, once it is known.
        first: Option<usize>,
    }

    impl Order {
        /// Every branch may come first.
        pub fn in_any_order() -> Self {
            Order { first: None }
        }

        /// The first branch comes first.
        pub fn in_order() -> Self {
            Order { first: Some(0) }
        }

        /// Returns the branches in order.
        ///
        /// It is enough to choose the order at the first poll: only the branch that is ready first at the
        /// last poll makes a difference.
        #[track_caller]
        pub fn branches<const N: usize>(
            &mut self,
            disabled: &[bool; N],
        ) -> impl Iterator<Item = usize> + use<N> {
            let first = *self.first.get_or_insert_with(|| {
                let enabled: Vec<_> = (0..N).filter(|branch| !disabled[*branch]).collect();
                match enabled.len() {
                    0 => 0,
                    count => enabled[mazurka::choose(count)],
                }
            });
            (first..N).chain(0..first)
        }
    }

    /// A future, then its output, then nothing.
    #[derive(Debug)]
    pub enum MaybeDone<F: Future> {
        /// It is not ready.
        Future(F),
        /// It was ready.
        Done(F::Output),
        /// The output was taken.
        Gone,
    }

    /// Wraps a future.
    pub fn maybe_done<F: IntoFuture>(future: F) -> MaybeDone<F::IntoFuture> {
        MaybeDone::Future(future.into_future())
    }

    impl<F: Future> MaybeDone<F> {
        /// Returns the output.
        ///
        /// # Panics
        ///
        /// If there is none.
        #[track_caller]
        pub fn take_output(&mut self) -> F::Output {
            match std::mem::replace(self, MaybeDone::Gone) {
                MaybeDone::Done(output) => output,
                _ => panic!("expected completed future"),
            }
        }
    }

    impl<T, E, F: Future<Output = Result<T, E>>> MaybeDone<F> {
        /// Returns the error, if the output is one.
        pub fn take_error(&mut self) -> Option<E> {
            match self {
                MaybeDone::Done(Err(_)) => self.take_output().err(),
                _ => None,
            }
        }
    }

    impl<F: Future> Future for MaybeDone<F> {
        type Output = ();

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
            // SAFETY: the future is pinned with the whole.
            let this = unsafe { self.as_mut().get_unchecked_mut() };
            let MaybeDone::Future(future) = this else { return Poll::Ready(()) };
            // SAFETY: as above.
            match unsafe { Pin::new_unchecked(future) }.poll(context) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(output) => {
                    self.set(MaybeDone::Done(output));
                    Poll::Ready(())
                }
            }
        }
    }
}
