//! Programs that can be checked: bytecode, and the library that it calls.

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};

use mazurka_core::model::Program;
use mazurka_core::verdict::{Schedule, Violation};
use mazurka_report::{Recording, Subject};

use crate::bytecode::{Pc, lower};
use crate::ir::{Function, Module};
use crate::library;
use crate::machine::awaits::{before_assumptions, is_harmless};
use crate::machine::rounds::Shown;
use crate::machine::{LlvmMachine, LlvmOptions, Setup};
use crate::memory::CommonIds;

/// A C or C++ program that is ready to be checked.
#[derive(Clone)]
pub struct LlvmProgram(Setup);

/// Why a program cannot be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    /// What is wrong, and where.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadError {}

impl LlvmProgram {
    /// Prepares a program to be checked.
    ///
    /// # Errors
    ///
    /// If it has no `main`, or contains something that is not supported.
    pub fn new(module: &Module, options: LlvmOptions) -> Result<Self, LoadError> {
        let mut module = Cow::Borrowed(module);
        let mut options = options;
        if let Some(property) = &options.property {
            options.allow = options.allow.union(property.allows());
            if let Some(error) = property.error_function() {
                report_calls(&mut module, error);
            }
        }
        let provides = |symbol: &str| library::find(symbol).map(|function| function.name);
        let code = lower(&module, provides).map_err(|message| LoadError { message })?;
        let found = code.library.iter().filter_map(|outside| library::find(&outside.symbol));
        Ok(LlvmProgram(Setup {
            cancels: code.library.iter().any(|outside| library::cancels(outside.name)),
            signals_others: code.library.iter().any(|o| library::signals_others(o.name)),
            futex_table: code.library.iter().find_map(|o| library::futex_table(o.name)),
            reads_clock: code.library.iter().any(|outside| library::reads_clock(outside.name)),
            before_assumptions: before_assumptions(&code).into(),
            harmless: code.library.iter().map(|outside| is_harmless(&outside.symbol)).collect(),
            library: found.map(|function| function.run).collect(),
            shown: Arc::new(Shown::new(code.loops.len())),
            round_trips: Arc::default(),
            code: Arc::new(code),
            hides_addresses: Arc::default(),
            cut_loops: Arc::default(),
            ids: None,
            is_crowded: Arc::default(),
            tells_twins_apart: Arc::default(),
            memory_orderings: Arc::new(AtomicBool::new(options.memory_orderings)),
            options: Arc::new(options),
        }))
    }

    /// Returns the places of the loops that were cut at the bound [`LlvmOptions::unroll`].
    pub fn cut_loops(&self) -> Vec<String> {
        let loops = self.0.cut_loops.lock().unwrap_or_else(PoisonError::into_inner);
        let place = |pc: &Pc| self.0.code.place_name(*pc).unwrap_or_else(|| "?".to_owned());
        loops.iter().map(place).collect()
    }
}

/// Makes every call of a function a violation, whatever the function does.
fn report_calls(module: &mut Cow<'_, Module>, name: &str) {
    let mangled = format!("_Z{}{name}v", name.len());
    let is_meant = |function: &Function| function.name == name || function.name == mangled;
    if module.functions.iter().any(is_meant) {
        for function in module.to_mut().functions.iter_mut().filter(|function| is_meant(function)) {
            function.blocks.clear();
            function.name = "reach_error".to_owned();
        }
    }
}

impl Program for LlvmProgram {
    type Machine = LlvmMachine;

    /// Returns a machine before its first visible action, or the violation that comes earlier.
    fn start(&self) -> Result<LlvmMachine, Box<Violation>> {
        let knew = self.0.hides_addresses.load(Ordering::Relaxed);
        match LlvmMachine::start(&self.0, false) {
            (machine, None) => Ok(machine),
            // The violation is due to what was not known.
            (_, Some(_)) if !knew && self.0.hides_addresses.load(Ordering::Relaxed) => self.start(),
            (_, Some(violation)) => Err(violation),
        }
    }

    fn for_workers(&self) -> Option<Self> {
        // Objects have other ids there.
        let (ids, round_trips) = (Some(CommonIds::default()), Arc::default());
        Some(LlvmProgram(Setup { ids, round_trips, ..self.0.clone() }))
    }

    fn apart(&self) -> Option<Self> {
        let copy = |lesson: &AtomicBool| Arc::new(AtomicBool::new(lesson.load(Ordering::Relaxed)));
        Some(LlvmProgram(Setup {
            hides_addresses: copy(&self.0.hides_addresses),
            is_crowded: copy(&self.0.is_crowded),
            tells_twins_apart: copy(&self.0.tells_twins_apart),
            shown: Arc::new(self.0.shown.apart()),
            round_trips: match self.0.ids {
                Some(_) => Arc::new(self.0.round_trips.apart()),
                None => Arc::default(),
            },
            ids: Some(self.0.ids.clone().unwrap_or_default()),
            ..self.0.clone()
        }))
    }

    fn digest(&self) -> u64 {
        let (code, options) = (&self.0.code, &self.0.options);
        let mut hasher = DefaultHasher::new();
        format!("{:?}", code.ops).hash(&mut hasher);
        for global in code.globals.iter().chain(&code.thread_locals) {
            (&global.name, global.size, &global.initial).hash(&mut hasher);
        }
        code.library.iter().for_each(|outside| outside.symbol.hash(&mut hasher));
        // The name is only for people.
        let options = LlvmOptions { name: String::new(), ..LlvmOptions::clone(options) };
        format!("{options:?}").hash(&mut hasher);
        hasher.finish()
    }

    fn save(&self) -> Option<Vec<u8>> {
        let hides_addresses = self.0.hides_addresses.load(Ordering::Relaxed);
        let is_crowded = self.0.is_crowded.load(Ordering::Relaxed);
        let are_apart = self.0.tells_twins_apart.load(Ordering::Relaxed);
        let limit = self.0.shown.limit();
        let round_trips = self.0.round_trips.save();
        let ids = self.0.ids.as_ref()?.save();
        let lessons = format!("{hides_addresses} {is_crowded} {are_apart} {limit} {round_trips}");
        Some(format!("{lessons}\n{ids}").into_bytes())
    }

    fn restore(&self, saved: &[u8]) -> bool {
        let restore = || {
            let (lessons, ids) = std::str::from_utf8(saved).ok()?.split_once('\n')?;
            let (hides_addresses, others) = lessons.split_once(' ')?;
            let (is_crowded, others) = others.split_once(' ')?;
            let (are_apart, others) = others.split_once(' ')?;
            let (limit, round_trips) = others.split_once(' ')?;
            self.0.round_trips.restore(round_trips)?;
            self.0.shown.set_limit(limit.parse().ok()?);
            self.0.tells_twins_apart.store(are_apart.parse().ok()?, Ordering::Relaxed);
            self.0.is_crowded.store(is_crowded.parse().ok()?, Ordering::Relaxed);
            self.0.hides_addresses.store(hides_addresses.parse().ok()?, Ordering::Relaxed);
            self.0.ids.as_ref()?.restore(ids)
        };
        restore().is_some()
    }

    fn set_memory_orderings(&self, has_memory_orderings: bool) -> bool {
        self.0.memory_orderings.store(has_memory_orderings, Ordering::Relaxed);
        true
    }
}

impl Subject for LlvmProgram {
    fn name(&self) -> String {
        self.0.options.name.clone()
    }

    fn record(&self, schedule: &Schedule) -> Recording {
        LlvmMachine::run_recorded(&self.0, schedule)
    }

    fn suppose(&self) -> bool {
        self.0.shown.suppose()
    }
}
