//! What the machines of one program have learnt about it.
//!
//! Some of what a machine does is only needed by some programs, and costs time or executions in all
//! others:
//!
//! * Ends of processes and exit signals, if processes look at each other's *lives*: by links,
//!   monitors, names, exits, `is_process_alive` or tables, which die with their owners.
//! * Deliveries as changes of a queue, if processes look into *mailboxes* other than by receives:
//!   by `process_info`.
//! * Clocks, if processes look at the *time*.
//!
//! A machine that comes upon such a function does this from then on, and the search has to
//! start over. So that this is rare, a program looks at its code first ([`Lessons::study`]) and runs one
//! execution before the search.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Finder;
use crate::beam::Container;

/// What all machines of one program know.
#[derive(Debug, Default)]
pub(crate) struct Lessons {
    /// Whether processes look at each other's lives.
    pub(crate) lives: AtomicBool,
    /// Whether they look into mailboxes.
    pub(crate) mailboxes: AtomicBool,
    /// Whether they look at the time.
    pub(crate) times: AtomicBool,
    /// Whether one execution has been run before the search.
    pub(crate) has_rehearsed: AtomicBool,
}

impl Lessons {
    /// Returns how much has been learnt.
    pub(crate) fn count(&self) -> usize {
        let learnt = [&self.lives, &self.mailboxes, &self.times];
        learnt.iter().filter(|lesson| lesson.load(Ordering::Relaxed)).count()
    }
}

/// Functions that look at lives, and modules most of whose functions do.
const LIVES: &str = "erlang:spawn_link erlang:spawn_monitor erlang:spawn_opt erlang:register \
    erlang:unregister erlang:whereis erlang:registered erlang:processes erlang:link erlang:unlink \
    erlang:exit/2 erlang:monitor erlang:demonitor erlang:alias erlang:unalias \
    erlang:is_process_alive erlang:process_info erlang:process_flag application ets gen gen_event \
    gen_server gen_statem global pg proc_lib supervisor sys timer";

/// Functions and modules that look at the time.
const TIMES: &str = "erlang:monotonic_time erlang:system_time erlang:timestamp erlang:now \
    erlang:unique_integer erlang:localtime erlang:universaltime os:timestamp os:system_time \
    os:perf_counter calendar rand timer:tc timer:now_diff";

impl Lessons {
    /// Learns from the code of a program: of its files, and of modules in the user's directories that
    /// they call.
    ///
    /// If this learns too much, processes take one step more than they need, which depends on no
    /// other step, or keep clocks that no process looks at. If it learns too little, the search starts
    /// over when a machine finds out.
    pub(crate) fn study(&self, finder: &Finder) {
        let mut names: Vec<String> = finder.given.iter().map(|(name, _)| name.clone()).collect();
        let mut next = 0;
        while let Some(name) = names.get(next) {
            next += 1;
            let Some(file) = finder.find_of_user(name) else { continue };
            let container = std::fs::read(file).ok().and_then(|bytes| Container::read(&bytes).ok());
            let Some(container) = container else { continue };
            let atom = |number: u32| container.atoms[number as usize - 1].as_str();
            for [module, name, arity] in &container.imports {
                let (module, name) = (atom(*module), atom(*name));
                for (list, lesson) in [(LIVES, &self.lives), (TIMES, &self.times)] {
                    if list.split_whitespace().any(|entry| covers(entry, module, name, *arity)) {
                        lesson.store(true, Ordering::Relaxed);
                    }
                }
                if !names.iter().any(|known| known == module) {
                    names.push(module.to_owned());
                }
            }
        }
    }
}

/// Returns whether `module`, `module:name` or `module:name/arity` covers a function.
fn covers(entry: &str, module: &str, name: &str, arity: u32) -> bool {
    let Some((of_module, function)) = entry.split_once(':') else { return entry == module };
    let (of_name, of_arity) = function.split_once('/').unwrap_or((function, ""));
    of_module == module && of_name == name && (of_arity.is_empty() || of_arity == arity.to_string())
}
