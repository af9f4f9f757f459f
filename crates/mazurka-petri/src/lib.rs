//! Petri nets as programs.
//!
//! A net is the barest of concurrent programs: places hold tokens, and a transition fires when all
//! places before it have one. Every explorer takes nets, and on them it can be seen what it does;
//! above all `unfolding`, which began with them.
//!
//! Nets are read from [PNML](https://www.pnml.org), the standard exchange format, as place/transition
//! nets. They must be *safe*: no place ever holds two tokens.
//!
//! ```
//! use mazurka_core::explore::explore;
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
//! let verdict = explore(&mut program.start().unwrap(), &options, &mut ());
//! // It can be pressed and released for ever, and nothing new happens after the first time.
//! assert!(verdict.is_complete() && verdict.violations.is_empty());
//! # Ok::<(), mazurka_petri::PnmlError>(())
//! ```
//!
//! # What is looked for
//!
//! By default, *deadlocks*: markings in which no transition can fire. With a [`Goal`], only whether a
//! marking can be reached.
//!
//! # How a net becomes a program
//!
//! Every transition is a process that fires again and again. Firing takes a token from each place
//! before the transition and puts one into each place behind it, in one step. A place that is both
//! before and behind is only *read*: its token stays where it is. Two transitions that read the same
//! place are independent, as with read arcs; in the classic unfolding semantics they are not. Besides,
//! two transitions are dependent if one takes what the other takes, reads or puts.

mod goal;
mod machine;
mod net;
mod pnml;
mod recording;

pub use goal::{Goal, GoalError};
pub use machine::{NetMachine, NetProgram};
pub use net::{Net, Place, Transition};
pub use pnml::PnmlError;
