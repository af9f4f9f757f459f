//! Reports of checks, for people and for other programs.
//!
//! A front end implements [`Subject`]: a program that can be [checked](Run::check), and whose
//! executions it can describe in the user's terms, as a [`Recording`]. This crate provides the
//! rest. A [`Report`] lays out a recording as a table with one column per thread, or as JSON. A
//! [`ProgressLine`] shows the progress of a check. A [`Run`] checks a subject, or replays one of
//! its schedules.
//!
//! This crate is independent of the explorers and the front ends, and depends only on the core.

mod checkpoint;
mod duration;
mod explain;
mod file;
mod fold;
#[cfg(feature = "json")]
pub mod formats;
#[cfg(feature = "json")]
mod json;
pub mod page;
mod plain;
mod progress;
mod recording;
mod report;
mod rows;
mod run;
mod scripted;
mod sources;
mod style;
mod subject;
mod svg;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod tree;

pub use checkpoint::CheckpointFile;
pub use duration::{A_DURATION, duration};
pub use explain::{DecisiveRead, Explanation, explain};
#[cfg(feature = "json")]
pub use json::Statistics;
pub use plain::{Followed, follow};
pub use progress::{ProgressLine, left};
pub use recording::{Line, LineKind, Misfit, Place, Recording, Words};
pub use report::Report;
pub use run::Run;
pub use scripted::Scripted;
pub use style::{Paint, Style, count, thousands};
pub use subject::Subject;
pub use tree::Tree;
