//! What Mazurka says.
//!
//! A front end implements [`Subject`]: a program that can be [checked](Run::check) and whose
//! executions can be told in the user's words, as a [`Recording`]. The rest follows: a
//! [`Report`] is a recording laid out for people, as a table with a column per thread, or as
//! JSON; [`ProgressLine`] says how far a check has come; [`Run`] checks a subject, or replays one
//! schedule of it.
//!
//! This crate knows neither the explorers nor the front ends, and depends on the core alone.

mod duration;
mod file;
mod fold;
#[cfg(feature = "json")]
mod json;
mod plain;
mod progress;
mod recording;
mod report;
mod rows;
mod run;
mod scripted;
mod style;
mod subject;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub use duration::{A_DURATION, duration};
#[cfg(feature = "json")]
pub use json::Statistics;
pub use plain::{Followed, follow};
pub use progress::ProgressLine;
pub use recording::{Line, LineKind, Misfit, Place, Recording, Words};
pub use report::Report;
pub use run::Run;
pub use scripted::Scripted;
pub use style::{Paint, Style, count, thousands};
pub use subject::Subject;
