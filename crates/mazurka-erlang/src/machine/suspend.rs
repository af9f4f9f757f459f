//! Suspensions: processes that `suspend_process` has stopped.
//!
//! A process that is suspended takes no step until all its suspenders have resumed it or have ended. It gets
//! messages all the same, and an exit signal ends it. A suspension takes effect at once, like an exit signal.
//!
//! The cell that says whether a signal has told a process to end also counts the suspenders of the process. It
//! is one cell because a signal lets a process that is suspended take a step again. In programs that suspend
//! processes, each step of a process waits until the process may run: no process suspends it, or a signal has
//! told it to end. A suspender counts once, however often it suspends the process.
//!
//! A process whose receive has found a message may run for two reasons: a signal has told it to end, or no
//! process suspends it. If a signal ends it, its step has the signal and the message as guards beside the wait
//! for the cell. With the wait alone, explorers would move the step before the suspension even if that removes
//! the signal and the message. The same holds for a process that [polls](super::polls) a number, whether or not
//! processes are suspended: its guards are the signal and the number.

use std::sync::LazyLock;

use mazurka_core::model::{Action, Op, Performed, Values, When};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Term, atom};
use crate::vm::process::Visible;
use crate::vm::{Local, Out, Pending, Status, badarg};

/// The most processes that suspend another one.
const MOST: u64 = 1_000;

/// The values of the cell of a process that is suspended, and that no signal has told to end.
static SUSPENDED: LazyLock<Values> =
    LazyLock::new(|| Values::new(&(1..=MOST).map(|count| count << 1).collect::<Vec<_>>()));

impl ErlangMachine {
    /// Returns whether a process takes no step because other processes suspend it.
    pub(super) fn is_suspended(&self, process: usize) -> bool {
        let local = &self.vm.processes[process].local;
        local.suspenders > 0 && local.status == Status::Alive
    }

    /// Returns the processes that suspend a process, for reports.
    pub(super) fn suspenders(&self, process: u32) -> Vec<String> {
        if !self.is_suspended(process as usize) {
            return Vec::new();
        }
        let suspends = |other: &u32| {
            let local = self.vm.local(*other);
            local.status == Status::Alive
                && self.vm.lookup(local.suspending, Term::pid(process)).is_some()
        };
        let all = (0..self.vm.processes.len() as u32).filter(suspends);
        all.map(|suspender| self.vm.symbol(suspender)).collect()
    }

    /// Returns the value of the cell of a process.
    pub(super) fn signal_value(&self, process: u32) -> u64 {
        u64::from(self.vm.local(process).suspenders) << 1
            | u64::from(self.is_signalled(process as usize))
    }

    /// Returns the action by which a step reads the cell of its process, waiting until the process may run.
    pub(super) fn unless_suspended(&self, action: Action) -> Action {
        match self.vm.suspends {
            true => action.when(When::Outside(*SUSPENDED)).waiting(),
            false => action,
        }
    }

    /// Returns the message that the receive of a suspended process takes as soon as the process may run, or
    /// [`Op::NONE`]. Other receives are enabled if there is a message, and explorers need not know it.
    pub(super) fn message_while_suspended(&self, process: u32) -> u32 {
        let slot = &self.vm.processes[process as usize];
        match slot.local.found {
            Some(place) if self.is_suspended(process as usize) => {
                slot.mailbox[place as usize].number
            }
            _ => Op::NONE,
        }
    }

    /// Returns the guards of the step by which a signal ends a process: the signal, and the message or the number
    /// with which the process could have continued.
    pub(super) fn guards_of_end(&mut self, process: u32) -> Option<[Action; 2]> {
        if !self.is_signalled(process as usize) {
            return None;
        }
        let suspends = self.vm.suspends;
        let is_message = |other: &Action| suspends && matches!(other.op, Op::Take { .. });
        let taken = self.forgone_receive(process).filter(is_message);
        let other = taken.or_else(|| self.poll_of_end(process))?;
        let signal = Action::new(Op::Read, self.objects.signal(process)).when(When::Any(1));
        Some([signal.guarding(), other.guarding()])
    }

    /// Computes the guards of the next step of a process.
    pub(super) fn renew_guards(&mut self, process: u32) {
        self.guards.resize(self.actions.len().max(self.guards.len()), None);
        self.guards[process as usize] = match self.actions[process as usize] {
            Some(_) => self.guards_of_end(process),
            None => None,
        };
    }

    /// Computes all actions of the next steps of suspended processes. Explorers run such a step before the
    /// suspension, and have not seen it performed.
    pub(super) fn foresee_suspended(&mut self) {
        for process in 0..self.actions.len() as u32 {
            if self.is_suspended(process as usize) && !self.is_signalled(process as usize) {
                self.renew_others(process);
                let mut performed = Performed::default();
                self.foresee(process, &mut performed);
                let first = self.actions[process as usize];
                let is_known = |action: &Action| {
                    first.is_some_and(|first| (first.on, first.op) == (action.on, action.op))
                };
                let others = performed.actions.into_iter().filter(|action| !is_known(action));
                self.others[process as usize].extend(others);
            }
        }
        // A step that creates a process gives it its id.
        self.actions.resize(self.vm.processes.len(), None);
        self.others.resize_with(self.vm.processes.len(), Vec::new);
        // The steps are undone, so no process has changed.
        for process in std::mem::take(&mut self.vm.changed) {
            self.vm.processes[process as usize].has_changed = false;
        }
    }

    /// Performs the next step of a process, without the code behind it, and undoes it.
    fn foresee(&mut self, process: u32, performed: &mut Performed) {
        let (depth, trouble) = (self.vm.depth(), self.vm.trouble.take());
        let (born, edges) = (self.vm.born.len(), self.vm.edges.len());
        self.vm.begin_step(process);
        let Local { pending, steps, .. } = *self.vm.local(process);
        self.vm.me_mut().steps += 1;
        match pending {
            Pending::Send { to, message, .. } => {
                self.deliver(process, steps, to, message, performed);
            }
            Pending::Do { what, arguments } => {
                // An operation that fails performs its actions, too.
                let _ = self.act(process, what, &arguments, performed);
                if let Visible::Create(_) = what {
                    self.touch(performed, Op::Add, Thing::Processes);
                    self.touch(performed, Op::Add, Thing::Relations(process));
                }
            }
            Pending::End => self.end(process, steps, false, performed),
            Pending::Receive { .. } if self.vm.mailboxes => {
                self.touch(performed, Op::Add, Thing::Count(process));
            }
            // Their first action is the only one, and timers are not suspended.
            Pending::Receive { .. } | Pending::Nothing | Pending::Sleep => {}
            Pending::Fire { .. } | Pending::Tell => {}
        }
        self.vm.put_away();
        self.vm.rewind(depth);
        self.vm.born.truncate(born);
        self.vm.edges.truncate(edges);
        self.vm.trouble = trouble;
    }

    /// Performs `suspend_process`. The step has read whether the other process is alive.
    pub(super) fn suspend(
        &mut self,
        process: u32,
        [other, options, tag]: &[Term; 3],
        performed: &mut Performed,
    ) -> Out {
        let target = other.as_pid().ok_or_else(badarg)?;
        let [is_once, is_asynchronous] =
            [0, 1].map(|i| self.vm.heap.element(*options, i).as_bool() == Some(true));
        let count = self.suspensions_of(*other);
        if !self.lives(target) {
            self.forgo_signal(target, performed);
            return match is_asynchronous {
                true => self.answer(process, *tag, Term::atom(atom::BADARG), true),
                false => Err(badarg()),
            };
        }
        let suspends = !is_once || count == 0;
        if count == 0 && u64::from(self.vm.local(target).suspenders) == MOST {
            return Err(self.refuse_operation("suspend_process by more than 1,000 processes"));
        }
        if suspends {
            let map = self.vm.me().suspending;
            let map = self.vm.with(map, *other, Term::int(count + 1));
            self.vm.me_mut().suspending = map;
        }
        if count == 0 {
            self.change_suspenders(target, 1, performed);
        }
        let state = Term::atom(self.vm.atoms.intern("suspended"));
        self.answer(process, *tag, state, suspends)
    }

    /// Sends the state of the other process to the caller if it has asked for that, and returns a result.
    fn answer(&mut self, process: u32, tag: Term, state: Term, result: bool) -> Out {
        let result = Term::bool(result);
        if tag == Term::NONE {
            return Ok(result);
        }
        let message = self.vm.heap.tuple(&[tag, state]);
        self.send_to_itself(process, message, result)
    }

    /// Performs `resume_process`. The step has read whether the other process has ended.
    pub(super) fn resume(&mut self, other: Term, performed: &mut Performed) -> Out {
        let target = other.as_pid().ok_or_else(badarg)?;
        let count = self.suspensions_of(other);
        if count == 0 {
            return Err(badarg());
        }
        if self.vm.local(target).status != Status::Alive {
            // The end of the process has ended the suspension, too.
            self.forgo_signal(target, performed);
            return Err(badarg());
        }
        let map = self.vm.me().suspending;
        let map = match count {
            1 => self.vm.without(map, other),
            _ => self.vm.with(map, other, Term::int(count - 1)),
        };
        self.vm.me_mut().suspending = map;
        if count == 1 {
            self.change_suspenders(target, -1, performed);
        }
        Ok(Term::bool(true))
    }

    /// Resumes all processes that the running process suspends, since it ends.
    pub(super) fn resume_all(&mut self, performed: &mut Performed) {
        for other in self.vm.keys(self.vm.me().suspending).into_iter().filter_map(Term::as_pid) {
            self.change_suspenders(other, -1, performed);
        }
    }

    /// Returns the processes that the running process suspends, for `process_info`.
    pub(super) fn suspending(&mut self, performed: &mut Performed) -> Term {
        let mut entries = Vec::new();
        for other in self.vm.keys(self.vm.me().suspending) {
            let target = other.as_pid().unwrap_or_default();
            self.touch(performed, Op::Read, Thing::End(target));
            if self.vm.local(target).status == Status::Alive {
                let count = Term::int(self.suspensions_of(other));
                entries.push(self.vm.heap.tuple(&[other, count, Term::int(0)]));
            }
        }
        self.vm.heap.list(&entries)
    }

    /// Returns how often the running process suspends another one.
    fn suspensions_of(&self, other: Term) -> i64 {
        let count = self.vm.lookup(self.vm.me().suspending, other);
        count.and_then(Term::as_small).unwrap_or(0)
    }

    fn change_suspenders(&mut self, target: u32, by: i32, performed: &mut Performed) {
        let (on, before) = (self.objects.signal(target), self.signal_value(target));
        let now = self.vm.me().ticks;
        let local = self.vm.local_mut(target);
        local.suspenders = local.suspenders.wrapping_add_signed(by);
        local.ticks = local.ticks.max(now);
        // The step waits for two cells, this one and that of the suspender. Explorers that cannot take such
        // steps apart give up.
        let action = Action::new(Op::Update, on).waiting();
        performed.actions.push(action.performed(before, self.signal_value(target)));
    }
}
