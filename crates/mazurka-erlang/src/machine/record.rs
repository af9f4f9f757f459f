//! Recordings: one execution in Erlang's syntax, for reports.

use mazurka_core::model::{Ending, Machine, Op, Performed, ProcessId, Step};
use mazurka_core::verdict::{Schedule, Violation};
use mazurka_report::{Line, LineKind, Misfit, Place, Recording, Words};

use super::ErlangMachine;
use crate::term::Term;
use crate::vm::process::{
    AtomicOperation, CodeOperation, KeyOperation, TableOperation, Timer, Visible,
};
use crate::vm::{Pending, Status};

/// The words of reports for Erlang programs.
pub(super) const WORDS: Words = Words { process: "process" };

/// The number of characters after which terms are abbreviated.
const LIMIT: usize = 120;

/// Runs a machine along a schedule and records every step.
pub(super) fn record(mut machine: ErlangMachine, schedule: &Schedule) -> Recording {
    let mut lines = Vec::new();
    let mut performed = Performed::default();
    let mut violation: Option<Box<Violation>> = None;
    let mut misfit = None;
    let mut taken = 0;
    for (index, step) in schedule.steps().iter().enumerate() {
        if let Some(instead) = machine.obstacle(*step) {
            misfit = Some(Misfit { step: index, instead });
            break;
        }
        let process = step.process.index() as u32;
        let place = machine.place_of(process);
        let mut text = machine.about_to(process);
        let kind = match machine.vm.local(process).pending {
            _ if machine.is_signalled(process as usize) => LineKind::End,
            Pending::End => LineKind::End,
            _ => LineKind::Operation,
        };
        let start_up = machine.start_up(process);
        performed.clear();
        let result = machine.step(*step, &mut performed);
        taken += 1;
        text.push_str(&machine.outcome(process, &performed));
        let line = |text, kind| Line {
            process: step.process,
            place: place.clone(),
            text,
            kind,
            step: index,
            object: None,
        };
        match start_up.filter(|_| kind == LineKind::Operation && result.is_ok()) {
            Some("") => {}
            Some(text) => lines.push(line(text.to_owned(), LineKind::Local)),
            None => lines.push(line(text, kind)),
        }
        for edge in &performed.edges {
            let child = edge.to.index() as u32;
            let kind = LineKind::Spawn(edge.to);
            let text = match machine.vm.local(child).timer {
                Timer::No => format!("spawns {}", machine.vm.symbol(child)),
                _ => format!("starts the timer {}", machine.vm.symbol(child)),
            };
            lines.push(Line { process: edge.from, text, kind, ..line(String::new(), kind) });
        }
        if let Err(problem) = result {
            let text = problem.message.lines().next().unwrap_or_default().to_owned();
            lines.push(line(text, LineKind::Failure));
            violation = Some(problem);
            break;
        }
    }
    let at_end = (0..machine.processes()).all(|p| !machine.is_enabled(ProcessId::new(p)));
    if violation.is_none()
        && misfit.is_none()
        && at_end
        && let Ending::Stuck(stuck) = machine.ending()
    {
        for process in 0..machine.processes() as u32 {
            if machine.vm.local(process).status == Status::Alive
                && machine.is_process(process)
                && !machine.is_system(process)
            {
                lines.push(Line {
                    process: ProcessId::new(process as usize),
                    place: machine.place_of(process),
                    text: machine.why_blocked(process),
                    kind: LineKind::Stuck,
                    step: taken,
                    object: None,
                });
            }
        }
        violation = Some(stuck);
    }
    let names = (0..machine.processes() as u32).map(|p| machine.vm.symbol(p)).collect();
    Recording {
        lines,
        names,
        violation: violation.map(|mut violation| {
            violation.schedule = schedule.steps().iter().copied().take(taken).collect();
            *violation
        }),
        misfit,
        output: machine.vm.output.clone(),
        words: WORDS,
    }
}

impl ErlangMachine {
    /// Returns why a step cannot be taken, or `None` if it can.
    fn obstacle(&self, step: Step) -> Option<String> {
        let index = step.process.index();
        if index >= self.processes() || self.vm.local(index as u32).status == Status::Absent {
            return Some(format!("there is no process {index} yet"));
        }
        if step.choice > 0 || self.is_enabled(step.process) {
            return (step.choice > 0).then(|| "its steps have no alternatives".into());
        }
        let symbol = self.vm.symbol(index as u32);
        Some(match self.vm.local(index as u32).status {
            Status::Ended => format!("{symbol} has ended"),
            _ => format!("{symbol} {}", self.why_blocked(index as u32)),
        })
    }

    /// Returns the text for a step that creates a process, or by which `proc_lib` starts one. The text is
    /// empty if the step means nothing to users. Returns `None` for all other steps.
    fn start_up(&self, process: u32) -> Option<&'static str> {
        let local = self.vm.local(process);
        // The new process or timer has a line of its own.
        if let Pending::Do { what: Visible::Create(_), .. } = local.pending {
            return Some("");
        }
        let function = self.vm.code.function_at(local.pc.checked_sub(1)?)?;
        if self.vm.atoms.name(function.mfa.module) != "proc_lib" {
            return None;
        }
        match local.pending {
            Pending::Send { .. } => Some("has started"),
            Pending::Receive { .. } | Pending::Do { .. } => Some(""),
            _ => None,
        }
    }

    /// Returns the line in the source at which a process is. Within modules of OTP, this is the line of the
    /// program that called them, if there is one.
    fn place_of(&self, process: u32) -> Option<Place> {
        let slot = &self.vm.processes[process as usize];
        let local = &slot.local;
        // An operation that is a call continues after the call.
        let pc = match local.pending {
            Pending::Receive { .. } | Pending::Sleep => local.pc,
            _ => local.pc.checked_sub(1)?,
        };
        let frames = slot.stack.iter().rev().filter_map(|slot| slot.as_return());
        let returns = std::iter::once(local.cp).chain(frames).filter(|pc| *pc > 0);
        let mut places = std::iter::once(pc).chain(returns.map(|pc| pc - 1));
        let of_program = places.find(|pc| !self.vm.is_of_otp(*pc));
        self.line_of(of_program.unwrap_or(pc))
    }

    /// Returns the line in the source of an instruction.
    fn line_of(&self, pc: u32) -> Option<Place> {
        let (file, line) = self.vm.code.line_at(pc).or_else(|| {
            // Receives have no line of their own, but their function has one.
            let function = self.vm.code.function_at(pc)?;
            let at = self.vm.code.lines.partition_point(|line| line.start <= function.start);
            let line = self.vm.code.lines.get(at.checked_sub(1)?)?;
            Some((self.vm.code.files[line.file as usize].as_str(), line.line))
        })?;
        Some(Place { file: file.to_owned(), line, column: 0 })
    }

    /// Describes why a process is blocked: who suspends it, or which messages it waits for.
    pub(super) fn why_blocked(&self, process: u32) -> String {
        let suspenders = self.suspenders(process);
        if !suspenders.is_empty() {
            return format!("is suspended by {}", suspenders.join(" and "));
        }
        if let Some(poll) = self.show_poll(process) {
            return poll;
        }
        match self.vm.local(process).pending {
            Pending::Sleep => "waits for ever".into(),
            _ => match self.vm.patterns(process).show(&self.vm) {
                Some(patterns) => format!("waits for {patterns}"),
                None => "waits for a message".into(),
            },
        }
    }

    /// Describes the next step of a process.
    fn about_to(&self, process: u32) -> String {
        let show = |term| self.vm.show(term, LIMIT);
        let local = self.vm.local(process);
        if self.is_signalled(process as usize) {
            return format!("is ended by a signal: {}", show(local.signal));
        }
        match local.pending {
            Pending::Nothing | Pending::Sleep => String::new(),
            Pending::Send { to, message, .. } => {
                format!("{} ! {}", show(Term::pid(to)), show(message))
            }
            Pending::Receive { .. } => match local.found {
                Some(place) => {
                    let mailbox = &self.vm.processes[process as usize].mailbox;
                    let message = mailbox[place as usize].content;
                    match self.vm.patterns(process).of_message(&self.vm, message) {
                        Some(pattern) => format!("receives {} as {pattern}", show(message)),
                        None => format!("receives {}", show(message)),
                    }
                }
                None => match self.vm.patterns(process).show(&self.vm) {
                    Some(patterns) => format!("receives nothing in time like {patterns}"),
                    None => "receives nothing in time".into(),
                },
            },
            Pending::Fire { .. } => match local.timer {
                Timer::Running => "goes off".into(),
                _ => "has been cancelled".into(),
            },
            Pending::End => format!("ends: {}", show(local.reason)),
            Pending::Tell => match self.whom_to_end(process) {
                Some(linked) => format!("tells {} of its end", self.vm.symbol(linked)),
                None => "tells who monitors it of its end".into(),
            },
            Pending::Do { what, arguments } => {
                let count = argument_count(what);
                let arguments: Vec<String> = arguments[..count].iter().map(|a| show(*a)).collect();
                match what {
                    Visible::SendToName | Visible::SendToAlias | Visible::SendNews => {
                        format!("{} ! {}", arguments[0], arguments[1])
                    }
                    Visible::Code(CodeOperation::Call) => {
                        let list = arguments[2].trim_start_matches('[').trim_end_matches(']');
                        format!("{}:{}({list})", arguments[0], arguments[1])
                    }
                    Visible::GroupLeader => {
                        format!("group_leader({}, {})", arguments[1], arguments[0])
                    }
                    Visible::Print => {
                        let list = arguments[1].trim_start_matches('[').trim_end_matches(']');
                        format!("io:{}({list})", arguments[0])
                    }
                    Visible::TrapExit => format!("process_flag(trap_exit, {})", arguments[0]),
                    _ => format!("{}({})", name_of(what), arguments.join(", ")),
                }
            }
        }
    }

    /// Describes the effect of a step on another process, if the step ended it.
    fn outcome(&self, process: u32, performed: &Performed) -> String {
        let is_alive = self.vm.local(process).status == Status::Alive;
        let ends = performed
            .actions
            .iter()
            .skip(1)
            .any(|action| action.op == Op::Update && action.after & !action.before == 1);
        match ends && is_alive {
            true => " (which ends it)".into(),
            false => String::new(),
        }
    }
}

/// Returns the number of arguments of an operation that are shown.
fn argument_count(what: Visible) -> usize {
    match what {
        Visible::Registered | Visible::Processes | Visible::OwnLeader => 0,
        Visible::Atomic(AtomicOperation::Get) => 2,
        Visible::Atomic(_) | Visible::Code(CodeOperation::Call | CodeOperation::Exported) => 3,
        Visible::Code(CodeOperation::Info) => 2,
        Visible::Code(_) => 1,
        Visible::Unregister
        | Visible::Whereis
        | Visible::Link
        | Visible::Unlink
        | Visible::Suspend
        | Visible::Resume
        | Visible::Monitor
        | Visible::Demonitor
        | Visible::Flush
        | Visible::Unalias
        | Visible::IsAlive
        | Visible::TrapExit
        | Visible::CancelTimer
        | Visible::ReadTimer
        | Visible::PersistentGet
        | Visible::PersistentErase
        | Visible::EtsDelete
        | Visible::EtsWhereis
        | Visible::EtsInfo => 1,
        Visible::EtsKey(
            KeyOperation::LookupElement | KeyOperation::UpdateElement | KeyOperation::UpdateCounter,
        ) => 3,
        Visible::EtsTable(
            TableOperation::First
            | TableOperation::Last
            | TableOperation::FirstLookup
            | TableOperation::LastLookup
            | TableOperation::ToList
            | TableOperation::DeleteAll,
        ) => 1,
        Visible::ProcessInfo => 1,
        _ => 2,
    }
}

fn name_of(what: Visible) -> &'static str {
    match what {
        Visible::SendToName | Visible::SendToAlias | Visible::SendNews => "send",
        Visible::Create(_) => "spawn",
        Visible::Register => "register",
        Visible::Unregister => "unregister",
        Visible::Whereis => "whereis",
        Visible::Registered => "registered",
        Visible::Link => "link",
        Visible::Unlink => "unlink",
        Visible::Monitor => "monitor",
        Visible::Demonitor => "demonitor",
        Visible::Flush => "flush",
        Visible::Unalias => "unalias",
        Visible::ExitSignal => "exit",
        Visible::TrapExit => "process_flag",
        Visible::Suspend => "suspend_process",
        Visible::Resume => "resume_process",
        Visible::GroupLeader | Visible::OwnLeader => "group_leader",
        Visible::Print => "io",
        Visible::IsAlive => "is_process_alive",
        Visible::ProcessInfo => "process_info",
        Visible::CancelTimer => "cancel_timer",
        Visible::ReadTimer => "read_timer",
        Visible::PersistentGet => "persistent_term:get",
        Visible::PersistentAll => "persistent_term:get",
        Visible::PersistentPut => "persistent_term:put",
        Visible::PersistentErase => "persistent_term:erase",
        Visible::EtsAll => "ets:all",
        Visible::EtsNew => "ets:new",
        Visible::EtsDelete => "ets:delete",
        Visible::EtsWhereis => "ets:whereis",
        Visible::EtsInfo => "ets:info",
        Visible::EtsGiveAway => "ets:give_away",
        Visible::EtsOptions => "ets:setopts",
        Visible::EtsRename => "ets:rename",
        Visible::Processes => "processes",
        Visible::Code(operation) => match operation {
            CodeOperation::Call => "apply",
            CodeOperation::Load => "load_module",
            CodeOperation::LoadBinary => "code:load_binary",
            CodeOperation::Delete => "code:delete",
            CodeOperation::DeleteModule => "delete_module",
            CodeOperation::Purge => "code:purge",
            CodeOperation::SoftPurge => "code:soft_purge",
            CodeOperation::HasOld => "check_old_code",
            CodeOperation::ModuleLoaded => "module_loaded",
            CodeOperation::Exported => "function_exported",
            CodeOperation::IsLoaded => "code:is_loaded",
            CodeOperation::EnsureLoaded => "code:ensure_loaded",
            CodeOperation::Which => "code:which",
            CodeOperation::Info => "get_module_info",
        },
        Visible::Atomic(operation) => match operation {
            AtomicOperation::Get => "atomics:get",
            AtomicOperation::Put => "atomics:put",
            AtomicOperation::Add => "atomics:add",
            AtomicOperation::AddGet => "atomics:add_get",
            AtomicOperation::Exchange => "atomics:exchange",
            AtomicOperation::CompareExchange => "atomics:compare_exchange",
        },
        Visible::EtsKey(operation) => match operation {
            KeyOperation::Lookup => "ets:lookup",
            KeyOperation::LookupElement => "ets:lookup_element",
            KeyOperation::Member => "ets:member",
            KeyOperation::Insert => "ets:insert",
            KeyOperation::InsertNew => "ets:insert_new",
            KeyOperation::Delete => "ets:delete",
            KeyOperation::DeleteObject => "ets:delete_object",
            KeyOperation::Take => "ets:take",
            KeyOperation::UpdateElement => "ets:update_element",
            KeyOperation::UpdateCounter => "ets:update_counter",
        },
        Visible::EtsTable(operation) => match operation {
            TableOperation::InsertList => "ets:insert",
            TableOperation::InsertNewList => "ets:insert_new",
            TableOperation::DeleteAll => "ets:delete_all_objects",
            TableOperation::FirstLookup => "ets:first_lookup",
            TableOperation::LastLookup => "ets:last_lookup",
            TableOperation::NextLookup => "ets:next_lookup",
            TableOperation::PrevLookup => "ets:prev_lookup",
            TableOperation::First => "ets:first",
            TableOperation::Last => "ets:last",
            TableOperation::Next => "ets:next",
            TableOperation::Prev => "ets:prev",
            TableOperation::ToList => "ets:tab2list",
            TableOperation::Select | TableOperation::SelectSome => "ets:select",
            TableOperation::SelectCount => "ets:select_count",
            TableOperation::SelectDelete => "ets:select_delete",
            TableOperation::SelectReverse => "ets:select_reverse",
            TableOperation::SelectReplace => "ets:select_replace",
            TableOperation::Match => "ets:match",
            TableOperation::MatchObject => "ets:match_object",
            TableOperation::MatchDelete => "ets:match_delete",
            TableOperation::Slot => "ets:slot",
        },
    }
}
