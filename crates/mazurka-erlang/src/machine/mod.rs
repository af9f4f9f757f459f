//! Erlang programs as machines.

mod act;
mod atomics;
mod boot;
mod channels;
mod chunks;
mod columns;
mod copies;
mod declare;
mod describe;
mod ends;
mod entries;
mod ets;
mod former_objects;
mod info;
mod objects;
mod perform;
mod polled_entries;
mod polled_names;
mod polls;
mod program;
mod record;
mod select;
mod sources;
mod state;
mod suspend;
mod system;
mod table_accesses;
mod to_come;
mod values;
mod watches;

pub use program::{Call, Delivery, ErlangError, ErlangProgram, Start};
pub use sources::remove_temporary_directories;

use mazurka_core::model::{Action, Ending, Lesson, Machine, Op, Performed, ProcessId, Step};
use mazurka_core::verdict::{Violation, ViolationKind};

use crate::term::Term;
use crate::vm::process::{Timer, Visible};
use crate::vm::{Local, Pending, Status, Trouble, Vm};
use objects::Objects;

/// A running Erlang program.
pub struct ErlangMachine {
    vm: Vm,
    objects: Objects,
    /// The next action of each process.
    actions: Vec<Option<Action>>,
    /// The other actions of that step, as far as they are known.
    others: Vec<Vec<Action>>,
    /// The guards of the next step of each process, in programs that suspend processes or poll.
    guards: Vec<Option<[Action; 2]>>,
    /// Whether each process trapped exits when its actions were computed.
    trapping: Vec<bool>,
    /// The poll that each process is about to perform, in programs that poll.
    polls: Vec<Option<polls::Poll>>,
    /// Whether this machine has learnt that the program polls. It may have run iterations in vain before, and
    /// may have to repeat these until the search starts over.
    has_learnt_polls: bool,
    /// Whether deadlocks are no violations.
    ignore_deadlocks: bool,
    /// The number of message numbers.
    messages: u32,
    /// A buffer for the messages that other processes are about to deliver to a process that receives.
    to_come: Vec<crate::vm::Message>,
    survey: state::SurveyCell,
    /// A buffer for values in words.
    words: Vec<u64>,
}

impl std::fmt::Debug for ErlangMachine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ErlangMachine").field("steps", &self.vm.depth()).finish_non_exhaustive()
    }
}

impl ErlangMachine {
    fn new(vm: Vm, ignore_deadlocks: bool) -> Self {
        let objects = Objects::new(vm.common.clone());
        let mut machine = ErlangMachine {
            vm,
            objects,
            actions: Vec::new(),
            others: Vec::new(),
            guards: Vec::new(),
            trapping: Vec::new(),
            polls: Vec::new(),
            has_learnt_polls: false,
            ignore_deadlocks,
            messages: 0,
            to_come: Vec::new(),
            survey: state::SurveyCell::default(),
            words: Vec::new(),
        };
        machine.renew_actions();
        machine
    }

    /// Returns whether a signal has told a process to end.
    fn is_signalled(&self, process: usize) -> bool {
        let local = &self.vm.processes[process].local;
        local.status == Status::Alive && local.signal != crate::term::Term::NONE
    }

    /// Returns whether a process of the machine is one of the program: neither a timer nor a channel.
    fn is_process(&self, process: u32) -> bool {
        let slot = &self.vm.processes[process as usize];
        slot.local.timer == Timer::No && !slot.is_channel
    }

    /// Returns whether a process is part of the system, or of what the system starts for an application.
    fn is_system(&self, process: u32) -> bool {
        self.vm.processes[process as usize].is_system || self.vm.is_master(process)
    }

    /// Computes the next actions of the processes that may have changed.
    fn renew_actions(&mut self) {
        let mut changed = std::mem::take(&mut self.vm.changed);
        self.make_room();
        self.trapping.resize(self.vm.processes.len(), false);
        for process in changed.drain(..) {
            self.vm.processes[process as usize].has_changed = false;
            self.actions[process as usize] = self.action_of(process);
            if self.vm.lives {
                self.renew_others(process);
                let traps = self.vm.local(process).traps_exits;
                if std::mem::replace(&mut self.trapping[process as usize], traps) != traps {
                    self.renew_signals_to(process);
                }
            }
        }
        // Computing an action may create the number of a channel.
        self.make_room();
        self.vm.changed = changed;
        if self.vm.has_polls() {
            self.renew_polls();
            // A process that has polled may create processes, which get numbers when the poll is tried.
            self.make_room();
        }
        if self.vm.suspends {
            self.foresee_suspended();
        }
    }

    /// Makes room for the actions of all processes that have a number.
    fn make_room(&mut self) {
        self.actions.resize(self.vm.processes.len(), None);
        self.others.resize_with(self.vm.processes.len(), Vec::new);
    }

    /// Computes the other actions of the next step of a process.
    fn renew_others(&mut self, process: u32) {
        let mut others = std::mem::take(&mut self.others[process as usize]);
        others.clear();
        if self.actions[process as usize].is_some() {
            self.others_of(process, &mut others);
        }
        self.others[process as usize] = others;
        if self.vm.suspends || self.vm.has_polls() {
            self.renew_guards(process);
        }
    }

    /// Computes the other actions of all processes that are about to send an exit signal to a process. They
    /// depend on whether it traps exits.
    fn renew_signals_to(&mut self, process: u32) {
        for other in 0..self.actions.len() as u32 {
            if let Pending::Do { what: Visible::ExitSignal, arguments: [to, ..] } =
                self.vm.local(other).pending
                && to == Term::pid(process)
            {
                self.renew_others(other);
            }
        }
    }

    /// Returns the number of the message that a process delivers at its next step.
    fn message_number(&mut self, process: u32) -> u32 {
        self.number_at(process, self.vm.local(process).steps)
    }

    /// Returns the number of the message that a process delivers at its step after so many steps. It
    /// depends on nothing else.
    fn number_at(&mut self, process: u32, steps: u32) -> u32 {
        let slot = &mut self.vm.processes[process as usize];
        let steps = steps as usize;
        while slot.message_numbers.len() <= steps {
            slot.message_numbers.push(Op::NONE);
        }
        let number = &mut slot.message_numbers[steps];
        if *number == Op::NONE {
            *number = match &self.vm.common {
                Some(common) => common.message(process, steps as u32),
                None => self.messages,
            };
            self.messages += 1;
        }
        *number
    }

    /// Returns the text of the report if the next step of a process is its end, and the process failed
    /// before its first visible operation.
    fn early_end(&self, process: u32) -> Option<String> {
        let local = self.vm.local(process);
        if local.steps > 0 || local.pending != Pending::End {
            return None;
        }
        let ends = self.vm.early_ends.iter();
        ends.filter(|(ended, _)| *ended == process).map(|(_, text)| text.clone()).next()
    }

    fn violation(&mut self) -> Result<(), Box<Violation>> {
        let (kind, text) = match self.vm.trouble.take() {
            None => return Ok(()),
            Some(Trouble::Ended(text)) => (ViolationKind::Crash, text),
            Some(Trouble::Halted(text)) => (ViolationKind::Halt, text),
            Some(Trouble::Missing(text) | Trouble::Runs(text)) => {
                (ViolationKind::Unsupported, text)
            }
        };
        Err(Box::new(Violation::new(kind, text)))
    }

    /// Returns the output of the program in this execution.
    pub fn output(&self) -> &str {
        &self.vm.output
    }

    /// Describes the actions of a step, one in each string: `read life of P.1`, say. Actions that
    /// the step forgoes are in brackets.
    pub fn describe_actions(&self, performed: &Performed) -> Vec<String> {
        performed.actions.iter().map(|action| self.describe_action(action)).collect()
    }

    /// Describes what has become of each process: how it ended, or where it waits.
    pub fn describe_processes(&self) -> Vec<String> {
        let all = 0..self.vm.processes.len() as u32;
        let is_there = |process: &u32| {
            self.vm.local(*process).status != Status::Absent
                && !self.vm.processes[*process as usize].is_channel
        };
        all.filter(is_there)
            .map(|process| {
                let local = self.vm.local(process);
                let symbol = self.vm.symbol(process);
                match local.status {
                    Status::Ended => format!("{symbol} ended: {}", self.vm.show(local.reason, 200)),
                    _ => format!("{symbol} waits in {}", self.vm.show_place(local.pc)),
                }
            })
            .collect()
    }
}

impl Machine for ErlangMachine {
    fn processes(&self) -> usize {
        self.vm.processes.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.actions[process.index()].as_ref()
    }

    /// Returns the guards of a process that a signal ends while it polls or may be suspended. Other receives
    /// and polls wait by their own actions.
    fn guards(&self, process: ProcessId) -> &[Action] {
        let guards = self.guards.get(process.index());
        guards.map_or(&[], |guards| guards.as_slice().as_flattened())
    }

    fn others(&self, process: ProcessId) -> &[Action] {
        &self.others[process.index()]
    }

    fn has_plain_memory(&self) -> bool {
        false
    }

    #[inline]
    fn is_enabled(&self, process: ProcessId) -> bool {
        let local = &self.vm.processes[process.index()].local;
        match local.pending {
            _ if self.is_signalled(process.index()) => true,
            _ if self.is_suspended(process.index()) => false,
            _ if self.polls_in_vain(process.index()) => false,
            Pending::Nothing | Pending::Sleep => false,
            Pending::Receive { waits: true } => local.found.is_some(),
            _ => true,
        }
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let process = step.process.index() as u32;
        let is_enabled = self.is_enabled(step.process) || self.has_learnt_polls;
        assert!(is_enabled, "step {step} of a process that is not enabled");
        if let Some(text) = self.early_end(process) {
            self.vm.trouble = Some(Trouble::Ended(text));
        }
        let Local { pc, pending, .. } = *self.vm.local(process);
        self.vm.begin_step(process);
        self.perform(process, performed);
        self.vm.put_away();
        self.vm.run_born();
        performed.edges.append(&mut self.vm.edges);
        if self.vm.lives {
            self.note_births(performed);
        }
        self.notice_poll(process, pc, pending);
        self.renew_actions();
        let are_apart = self.vm.apart.take();
        performed.lesson = self.vm.lesson.take().or(are_apart.then_some(Lesson::Twins));
        self.violation()
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.vm.rewind(len);
        if len == 0 {
            self.vm.apart.start_over();
            let new = std::mem::take(&mut self.vm.new_polled_keys);
            self.vm.polled_keys.extend(new);
        }
        self.renew_actions();
        Ok(())
    }

    fn ending(&self) -> Ending {
        let waits = |process: &u32| {
            let local = self.vm.local(*process);
            matches!(local.status, Status::Alive | Status::Ending)
                && self.is_process(*process)
                && !self.is_system(*process)
        };
        let waiting: Vec<u32> = (0..self.vm.processes.len() as u32).filter(waits).collect();
        let polls = waiting.iter().any(|process| self.polls_in_vain(*process as usize));
        if waiting.is_empty() || self.ignore_deadlocks && !polls {
            return Ending::Finished;
        }
        let (kind, name) = match polls {
            true => (ViolationKind::Livelock, "livelock:"),
            false => (ViolationKind::Deadlock, "deadlock:"),
        };
        let mut text = String::from(name);
        let are_servers = waiting.iter().all(|p| self.vm.is_of_otp(self.vm.local(*p).pc));
        for process in waiting {
            let local = self.vm.local(process);
            let place = self.vm.show_place(local.pc);
            let why = self.why_blocked(process);
            text.push_str(&format!("\n  {} {why} in {place}", self.vm.symbol(process)));
            let mailbox = &self.vm.processes[process as usize].mailbox;
            for message in mailbox.iter().take(5) {
                text.push_str(&format!("\n    it has {}", self.vm.show(message.content, 120)));
            }
        }
        if are_servers {
            text.push_str("\n  To allow that servers wait for ever, add --ignore deadlock");
        }
        Ending::Stuck(Box::new(Violation::new(kind, text)))
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        let twin = self.vm.twin(process.index() as u32)?;
        Some(ProcessId::new(twin as usize))
    }

    fn fingerprint(&self) -> Option<u128> {
        Some(self.digest())
    }

    fn write_state(&self, words: &mut Vec<u64>) -> Option<u128> {
        Some(self.write_all(words))
    }
}
