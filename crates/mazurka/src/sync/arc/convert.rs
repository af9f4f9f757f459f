//! What an `Arc` can be made of.

use std::panic::Location as SourceLocation;
use std::sync::Arc as StdArc;

use super::Arc;

impl<T: Default> Default for Arc<T> {
    #[track_caller]
    fn default() -> Self {
        Arc::new(T::default())
    }
}

impl<T> From<T> for Arc<T> {
    #[track_caller]
    fn from(value: T) -> Self {
        Arc::new(value)
    }
}

impl<T: ?Sized> From<Box<T>> for Arc<T> {
    #[track_caller]
    fn from(value: Box<T>) -> Self {
        Arc::adopt(StdArc::from(value), SourceLocation::caller())
    }
}

impl<T> From<Vec<T>> for Arc<[T]> {
    #[track_caller]
    fn from(values: Vec<T>) -> Self {
        Arc::adopt(StdArc::from(values), SourceLocation::caller())
    }
}

impl<T: Clone> From<&[T]> for Arc<[T]> {
    #[track_caller]
    fn from(values: &[T]) -> Self {
        Arc::adopt(StdArc::from(values), SourceLocation::caller())
    }
}

impl<T, const N: usize> From<[T; N]> for Arc<[T]> {
    #[track_caller]
    fn from(values: [T; N]) -> Self {
        Arc::adopt(StdArc::from(values), SourceLocation::caller())
    }
}

impl From<&str> for Arc<str> {
    #[track_caller]
    fn from(text: &str) -> Self {
        Arc::adopt(StdArc::from(text), SourceLocation::caller())
    }
}

impl From<String> for Arc<str> {
    #[track_caller]
    fn from(text: String) -> Self {
        Arc::adopt(StdArc::from(text), SourceLocation::caller())
    }
}

impl<T> FromIterator<T> for Arc<[T]> {
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Arc::adopt(StdArc::from_iter(values), SourceLocation::caller())
    }
}
