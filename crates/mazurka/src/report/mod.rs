//! What a check says to those who run it as a Rust test.

mod command;
mod conclusion;
mod page;
mod source;
mod value;

pub(crate) use command::{name, replay as replay_command};
pub(crate) use conclusion::{conclude, show_replay};
pub(crate) use page::{write_page, write_tree};
pub(crate) use source::variable_at;
pub(crate) use value::{recorded as recorded_value, show};
