//! Mazurka's readers, each as a function that takes any bytes. A reader may return an error. It must not
//! panic, overflow the stack or run for ever.
//!
//! `cargo fuzz` and the mutation loop (`src/main.rs`) call the same functions.

pub mod corpus;
pub mod mutate;

use mazurka_core::verdict::Schedule;
use mazurka_llvm::link::link;
use mazurka_llvm::read::read_module;
use mazurka_llvm::{LlvmOptions, LlvmProgram};
use mazurka_petri::Net;
use mazurka_trace::TraceProgram;

/// A reader, by the name of its target.
pub struct Target {
    /// The name of the target.
    pub name: &'static str,
    /// Reads any bytes.
    pub read: fn(&[u8]),
    /// Returns inputs to damage.
    pub corpus: fn() -> Vec<Vec<u8>>,
    /// Words that mean something to the reader.
    pub words: &'static [&'static str],
}

/// All readers.
pub const TARGETS: [Target; 5] = [
    Target { name: "ir", read: ir, corpus: corpus::ir, words: corpus::IR_WORDS },
    Target { name: "beam", read: beam, corpus: corpus::beam, words: corpus::BEAM_WORDS },
    Target { name: "recording", read: recording, corpus: corpus::recordings, words: corpus::WORDS },
    Target { name: "net", read: net, corpus: corpus::nets, words: corpus::WORDS },
    Target { name: "schedule", read: schedule, corpus: corpus::schedules, words: corpus::WORDS },
];

/// Reads LLVM IR, links it and lowers it to bytecode.
pub fn ir(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(module) = read_module(&text, "damaged.ll") else { return };
    let Ok(module) = link(vec![module]) else { return };
    let _ = LlvmProgram::new(&module, LlvmOptions::default());
}

/// Loads a compiled Erlang module.
pub fn beam(bytes: &[u8]) {
    let _ = mazurka_erlang::load_module(bytes);
}

/// Reads a recording in DroidRacer's format.
pub fn recording(bytes: &[u8]) {
    let _ = TraceProgram::parse("damaged.trace", &String::from_utf8_lossy(bytes), None);
}

/// Reads a Petri net.
pub fn net(bytes: &[u8]) {
    let _ = Net::from_pnml(&String::from_utf8_lossy(bytes));
}

/// Reads a schedule.
pub fn schedule(bytes: &[u8]) {
    let _ = String::from_utf8_lossy(bytes).parse::<Schedule>();
}
