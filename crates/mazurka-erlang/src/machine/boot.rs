//! Starting system services before the program.
//!
//! A process called `system` calls the functions that start the services, one after the other, and waits
//! for ever. It runs, together with the processes that it creates, until none of them can run. Only then
//! the program starts. The steps up to there are not part of executions.

use mazurka_core::model::{Machine, Performed, ProcessId, Step};

use super::ErlangMachine;
use super::system::{self, SERVICES};
use crate::syntax::{self, Literal};
use crate::term::{Term, atom};
use crate::vm::code::{Function, Mfa};
use crate::vm::instruction::{Instruction, Place};
use crate::vm::lessons::APPLICATIONS;
use crate::vm::{Local, Pending, Status};

/// The number of steps after which services that are being started are assumed to run for ever.
const PATIENCE: usize = 100_000;

/// The number of time-outs of receives before services count as started, once no process can do anything else.
const TIMEOUTS: u32 = 100;

/// The keys and values of the environment of an application.
type Environment = Vec<(Literal, Literal)>;

/// Splits an application such as `lager[{handlers,[]}]` into its name and its environment.
pub(super) fn parse_application(text: &str) -> Result<(&str, Environment), String> {
    let Some(start) = text.find('[') else { return Ok((text, Vec::new())) };
    let bad = || {
        format!(
            "`{text}` is no application: give its name, or its name and environment as in \
             `lager[{{handlers,[]}},{{crash_log,undefined}}]`"
        )
    };
    let pair = |property: Literal| match property {
        Literal::Tuple(parts) => {
            <[Literal; 2]>::try_from(parts).ok().map(|[key, value]| (key, value))
        }
        _ => None,
    };
    match syntax::parse_term(&text[start..]) {
        Ok(Literal::List(properties)) => {
            let pairs: Option<Vec<_>> = properties.into_iter().map(pair).collect();
            Ok((text[..start].trim(), pairs.ok_or_else(bad)?))
        }
        _ => Err(bad()),
    }
}

impl ErlangMachine {
    /// Starts the services that the program is known to use, starts applications, and performs calls. Calls of
    /// `application` are left out if the program does not use applications. The error says why that is not
    /// possible.
    pub(super) fn boot(
        &mut self,
        applications: &[String],
        preparations: &[&str],
    ) -> Result<(), String> {
        let mut services = self.vm.services;
        for (i, service) in SERVICES.iter().enumerate() {
            if services & 1 << i != 0 {
                services |= service.needs;
            }
        }
        self.vm.services = services;
        if services == 0 && preparations.is_empty() {
            return Ok(());
        }
        self.vm.watch_lives();
        let running = || SERVICES.iter().enumerate().filter(|(i, _)| services & 1 << i != 0);
        for module in running().flat_map(|(_, service)| service.replaces) {
            self.vm.remove_natives(module);
        }
        let mut calls = Vec::new();
        for call in running().flat_map(|(_, service)| service.calls) {
            calls.push(self.boot_call(call)?);
        }
        for text in applications {
            let (application, environment) = parse_application(text)?;
            let name = Literal::Atom(application.to_owned());
            let mut call = |function: &str, arguments: &[&Literal]| {
                let [module, function] =
                    ["application", function].map(|name| self.vm.atoms.intern(name));
                let vm = &mut self.vm;
                let arguments = arguments.iter().map(|a| a.build(&mut vm.heap, &mut vm.atoms));
                let arguments: Vec<Term> = arguments.collect();
                calls.push((Mfa::new(module, function, arguments.len() as u32), arguments));
            };
            if !environment.is_empty() {
                call("load", &[&name]);
            }
            for (key, value) in &environment {
                call("set_env", &[&name, key, value]);
            }
            call("ensure_all_started", &[&name]);
        }
        let has_applications = services & 1 << APPLICATIONS != 0;
        for call in preparations {
            if call.starts_with("application:") && !has_applications {
                continue;
            }
            calls.push(self.boot_call(call)?);
        }
        let start = self.boot_code(&calls);
        self.vm.create_system(start);
        self.vm.run_born();
        self.renew_actions();
        self.run_to_rest()?;
        self.check_applications(applications)?;
        self.vm.forget_steps();
        // Processes that other machines have met have numbers already, but do not exist yet.
        for process in self.vm.processes.iter_mut().skip(1) {
            process.is_system = process.local.status != Status::Absent;
        }
        Ok(())
    }

    /// Returns the function and the arguments of a call.
    fn boot_call(&mut self, call: &str) -> Result<(Mfa, Vec<Term>), String> {
        let (module, function, mut arguments) = syntax::parse_call(call)?;
        for argument in &mut arguments {
            if *argument == Literal::Atom("KERNEL".into()) {
                *argument = self.kernel()?;
            }
        }
        let vm = &mut self.vm;
        let arguments: Vec<Term> =
            arguments.iter().map(|a| a.build(&mut vm.heap, &mut vm.atoms)).collect();
        let [module, function] = [&module, &function].map(|name| vm.atoms.intern(name));
        Ok((Mfa::new(module, function, arguments.len() as u32), arguments))
    }

    /// Reads the specification of the application `kernel`, without the function that starts its
    /// processes: most of these need the real machine.
    fn kernel(&self) -> Result<Literal, String> {
        let file = self.vm.finder.find_file("kernel.app").ok_or("there is no file kernel.app")?;
        let bad = |error: String| format!("{}: {error}", file.display());
        let text = std::fs::read_to_string(&file).map_err(|error| bad(error.to_string()))?;
        let mut kernel = syntax::parse_term(&text).map_err(bad)?;
        if let Literal::Tuple(parts) = &mut kernel
            && let Some(Literal::List(properties)) = parts.get_mut(2)
        {
            let starts = |property: &Literal| match property {
                Literal::Tuple(pair) => pair.first() == Some(&Literal::Atom("mod".into())),
                _ => false,
            };
            properties.retain(|property| !starts(property));
        }
        Ok(kernel)
    }

    /// Returns an error if an application could not be started.
    fn check_applications(&self, applications: &[String]) -> Result<(), String> {
        let results = self.vm.local(1).dictionary;
        for application in applications {
            let (application, _) = parse_application(application)?;
            let name = self.vm.atoms.find(application).map_or(Term::NIL, Term::atom);
            let Some(result) = self.vm.lookup(results, name) else {
                return Err(self.never_started(application));
            };
            let parts = self.vm.heap.tuple_of::<2>(result);
            if !parts.is_some_and(|[tag, _]| tag.is_atom(atom::OK)) {
                let result = self.vm.show(result, 1000);
                if let Some(process) = system::missing_process(&result) {
                    return Err(format!(
                        "the application `{application}` cannot be started: it uses the system process \
                         `{process}`, which Mazurka does not run"
                    ));
                }
                let hint = match result.contains("no such file") {
                    true => {
                        "; give the directory of its modules by -pa, for example -pa _build/default/lib"
                    }
                    false => "",
                };
                return Err(format!(
                    "the application `{application}` cannot be started: {result}{hint}"
                ));
            }
        }
        Ok(())
    }

    /// Returns the error that an application waits for ever while it starts, with the last process that does.
    fn never_started(&self, application: &str) -> String {
        let waits = |process: &u32| {
            let local = self.vm.local(*process);
            local.status == Status::Alive
                && !self.vm.show_place(local.pc).starts_with("gen_server:loop/")
        };
        let last = (1..self.vm.processes.len() as u32).rev().find(waits).unwrap_or(1);
        let place = self.vm.show_place(self.vm.local(last).pc);
        let why = self.why_blocked(last);
        format!(
            "the application `{application}` cannot be started: {} {why} in {place}",
            self.vm.symbol(last)
        )
    }

    /// Writes a function that performs calls and waits for ever. It keeps the result of a call with one
    /// argument in its dictionary, under that argument.
    fn boot_code(&mut self, calls: &[(Mfa, Vec<Term>)]) -> Mfa {
        let vm = &mut self.vm;
        let [init, boot, timer, sleep] =
            ["init", "boot", "timer", "sleep"].map(|name| vm.atoms.intern(name));
        let put = Mfa::new(atom::ERLANG, vm.atoms.intern("put"), 2);
        let mut code = vec![Instruction::Allocate { frame: 0 }];
        let waits = (Mfa::new(timer, sleep, 1), vec![Term::atom(atom::INFINITY)]);
        for (mfa, arguments) in calls.iter().chain([&waits]) {
            for (i, argument) in arguments.iter().enumerate() {
                let from = vm.code.constant(*argument);
                code.push(Instruction::Move { from, to: Place::x(i as u32) });
            }
            code.push(Instruction::CallExt { import: vm.code.import(*mfa) });
            if let [argument] = arguments[..] {
                let (key, put) = (vm.code.constant(argument), vm.code.import(put));
                code.push(Instruction::Move { from: Place::x(0), to: Place::x(1) });
                code.push(Instruction::Move { from: key, to: Place::x(0) });
                code.push(Instruction::CallExt { import: put });
            }
        }
        code.extend([Instruction::Deallocate { frame: 0 }, Instruction::Return]);
        let start = vm.code.instructions.len() as u32;
        vm.code.instructions.extend(code);
        let mfa = Mfa::new(init, boot, 0);
        vm.code.functions.push(Function { start, mfa });
        vm.code.exports.insert(mfa, start);
        mfa
    }

    /// Lets processes run until none of them can. A time-out comes only when no process can do anything else.
    /// Once the calls have returned, timers do not fire, and receives that time out again and again may stay.
    fn run_to_rest(&mut self) -> Result<(), String> {
        let mut performed = Performed::default();
        let mut timeouts = TIMEOUTS;
        for _ in 0..PATIENCE {
            let enabled = (1..self.processes()).map(ProcessId::new).filter(|p| self.is_enabled(*p));
            let mut enabled: Vec<ProcessId> = enabled.collect();
            enabled.sort_by_key(|process| self.is_late(*process));
            let has_returned = self.vm.local(1).pending == Pending::Sleep;
            let next = enabled.first().copied().filter(|process| {
                !has_returned || !self.is_late(*process) || !self.is_timer(*process) && timeouts > 0
            });
            let Some(next) = next else {
                return match self.vm.local(1).status {
                    Status::Alive => Ok(()),
                    _ => Err(format!(
                        "the system services cannot be started: {}",
                        self.vm.show(self.vm.local(1).reason, 1000)
                    )),
                };
            };
            timeouts -= u32::from(has_returned && self.is_late(next));
            performed.clear();
            let result = self.step(Step::of(next), &mut performed);
            result.map_err(|violation| violation.message.clone())?;
        }
        Err("the system services do not come to rest".into())
    }

    /// Returns whether the next step of a process is due to the time: a timer fires, or a receive times out.
    fn is_late(&self, process: ProcessId) -> bool {
        let Local { pending, found, .. } = *self.vm.local(process.index() as u32);
        match pending {
            Pending::Receive { waits: false } => found.is_none(),
            _ => self.is_timer(process),
        }
    }

    fn is_timer(&self, process: ProcessId) -> bool {
        matches!(self.vm.local(process.index() as u32).pending, Pending::Fire { .. })
    }
}
