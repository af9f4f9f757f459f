//! Petri nets as programs.
//!
//! A net is a minimal concurrent program: places hold tokens, and a transition fires when all
//! places before it have one. Every explorer accepts nets. They show best how an explorer works,
//! above all `unfolding`, which was invented for nets.
//!
//! Nets are read from [PNML](https://www.pnml.org), the standard exchange format, as
//! place/transition nets. They must be *safe*: no place ever holds two tokens.
//!
//! ```
//! use mazurka_core::explore::Checkable;
//! use mazurka_core::search::{Algorithm, Options};
//! use mazurka_core::model::Program;
//! use mazurka_petri::{Net, NetProgram};
//!
//! let pnml = r#"
//!     <pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
//!       <net id="lamp" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">
//!         <place id="off"><initialMarking><text>1</text></initialMarking></place>
//!         <place id="on"/>
//!         <transition id="press"/>
//!         <transition id="release"/>
//!         <arc id="a" source="off" target="press"/>
//!         <arc id="b" source="press" target="on"/>
//!         <arc id="c" source="on" target="release"/>
//!         <arc id="d" source="release" target="off"/>
//!       </page></net>
//!     </pnml>"#;
//! let program = NetProgram::new(Net::from_pnml(pnml)?);
//! let options = Options { algorithm: Algorithm::Unfolding, ..Options::default() };
//! let verdict = NetProgram::explore(&mut program.start().unwrap(), &options, &mut ());
//! // The lamp can be pressed and released forever, but after the first round all states are known.
//! assert!(verdict.is_complete() && verdict.violations.is_empty());
//! # Ok::<(), mazurka_petri::PnmlError>(())
//! ```
//!
//! # What a check looks for
//!
//! By default, a check looks for *deadlocks*: markings in which no transition can fire. With a
//! [`Goal`], it only decides whether a marking can be reached.
//!
//! # How a net becomes a program
//!
//! Every transition is a process that fires repeatedly. In one step, firing takes a token from each
//! place before the transition and puts one into each place behind it. A place that is both before
//! and behind is only *read*: its token stays. Two transitions that read the same place are
//! independent, as with read arcs; in the classic unfolding semantics they are not. Otherwise, two
//! transitions are dependent if one takes a token that the other takes, reads or puts.

mod goal;
mod machine;
mod net;
mod pnml;
mod recording;

pub use goal::{Goal, GoalError};
pub use machine::{NetMachine, NetProgram};
pub use net::{Net, Place, Transition};
pub use pnml::PnmlError;
