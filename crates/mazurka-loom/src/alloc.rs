//! Memory allocation, as in [`std::alloc`]. A leak fails the model.

pub use mazurka::alloc::{Layout, Track, alloc, alloc_zeroed, dealloc};
