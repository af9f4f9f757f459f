//! loom's API on top of Mazurka.
//!
//! A project that is tested with [loom](https://docs.rs/loom/0.7) changes one line of its `Cargo.toml`, and
//! runs its tests unchanged on Mazurka:
//!
//! ```toml
//! [target.'cfg(loom)'.dependencies]
//! loom = { package = "mazurka-loom", version = "0.1" }
//! ```
//!
//! ```
//! use loom::sync::Arc;
//! use loom::sync::atomic::{AtomicUsize, Ordering::SeqCst};
//! use loom::thread;
//!
//! loom::model(|| {
//!     let number = Arc::new(AtomicUsize::new(0));
//!     let child = thread::spawn({
//!         let number = Arc::clone(&number);
//!         move || number.fetch_add(1, SeqCst)
//!     });
//!     number.fetch_add(1, SeqCst);
//!     child.join().unwrap();
//!     assert_eq!(number.load(SeqCst), 2);
//! });
//! ```

pub mod alloc;
pub mod cell;
mod confined;
mod execution;
pub mod future;
pub mod hint;
pub mod lazy_static;
mod macros;
pub mod model;
pub mod sync;
pub mod thread;

#[doc(inline)]
pub use crate::model::model;
pub use mazurka::thread_local;

/// The maximum number of threads in a model: there is no limit.
pub const MAX_THREADS: usize = usize::MAX;
