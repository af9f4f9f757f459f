//! The model of a program: processes that perform actions on locations.
//!
//! A front end turns a program into a [`Machine`], and an explorer decides which [`Step`] the
//! machine takes next. Neither knows the other. They share this vocabulary:
//!
//! * a [`ProcessId`] identifies an entity that the scheduler steps,
//! * a [`Step`] is a process together with the alternative that it takes,
//! * an [`Action`] is one operation on one [`Location`],
//! * [`dependence`] defines which actions do not commute.

mod action;
pub mod dependence;
mod digest;
mod disabled;
mod lesson;
mod location;
mod machine;
mod memory_model;
mod ordering;
mod process;
mod saved;
mod schedule;
mod values;
mod violation;

pub use action::{Action, Forgone, Op, Ways, When};
pub use digest::Digest;
pub use disabled::{has_no_step, is_explained};
pub use lesson::{Lesson, Observer};
pub use location::{Birth, Location, ObjectId};
pub use machine::{Alike, Edge, Ending, Machine, Performed, Precedence, Program, Rival};
pub use memory_model::{MemoryModel, UnknownMemoryModel};
pub use ordering::{MemoryOrdering, View};
pub use process::{ProcessId, Step};
pub use schedule::{ParseScheduleError, Schedule};
pub use values::Values;
pub use violation::{MissingSynchronisation, ParseKindError, Violation, ViolationKind};
