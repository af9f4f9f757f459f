//! The machine that runs scripts.

use std::sync::Arc;

use mazurka_core::model::{Action, Ending, Location, Machine, Performed, ProcessId, Program, Step};
use mazurka_core::verdict::{Violation, ViolationKind};

use super::compile::Code;
use super::state::{State, Status};
use super::syntax::Script;

/// A script as a program.
#[derive(Clone, Debug)]
pub struct ScriptProgram {
    code: Arc<Code>,
}

impl ScriptProgram {
    /// Compiles a script. The error says why it cannot be run.
    pub fn new(script: &Script) -> Result<Self, String> {
        script.check()?;
        Ok(ScriptProgram { code: Arc::new(Code::new(script)) })
    }
}

impl ScriptProgram {
    /// Returns whether some variable is accessed by halves, so that locations overlap.
    pub fn has_halves(&self) -> bool {
        self.code.layout.has_halves()
    }

    /// Returns the pairs of neighbours among interchangeable processes.
    pub fn twins(&self) -> Vec<(ProcessId, ProcessId)> {
        let pairs = self.code.twins.iter().enumerate();
        pairs.filter_map(|(process, twin)| Some(((*twin)?, ProcessId::new(process)))).collect()
    }
}

impl Program for ScriptProgram {
    type Machine = ScriptMachine;

    /// Starts a machine. It fails if a process fails before its first visible action: no schedule
    /// leads to such a failure, since the process takes no step.
    fn start(&self) -> Result<ScriptMachine, Box<Violation>> {
        let state = State::initial(&self.code)?;
        let mut machine = ScriptMachine {
            code: self.code.clone(),
            states: vec![state],
            len: 0,
            pending: Vec::new(),
            guards: Vec::new(),
        };
        machine.renew_pending();
        Ok(machine)
    }

    fn for_workers(&self) -> Option<Self> {
        // All ids are known before the first step.
        Some(self.clone())
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn restore(&self, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}

/// A running script.
///
/// It keeps the state after each step, so rewinding costs nothing. States beyond `len` are left
/// over from longer executions, and are overwritten instead of reallocated.
#[derive(Clone, Debug)]
pub struct ScriptMachine {
    code: Arc<Code>,
    states: Vec<State>,
    len: usize,
    pending: Vec<Option<Action>>,
    guards: Vec<Vec<Action>>,
}

impl ScriptMachine {
    /// Returns its state.
    pub fn state(&self) -> &State {
        &self.states[self.len]
    }

    /// Returns the number of steps that led to the state.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether no step has been taken.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns all enabled steps.
    pub fn enabled_steps(&self) -> Vec<Step> {
        let processes = (0..self.processes()).map(ProcessId::new);
        let enabled = processes.filter(|process| self.is_enabled(*process));
        let steps = enabled.flat_map(|process| {
            (0..self.alternatives(process)).map(move |choice| Step { process, choice })
        });
        steps.collect()
    }

    /// Returns a machine in the same state without its history.
    pub fn fork(&self) -> ScriptMachine {
        ScriptMachine {
            code: self.code.clone(),
            states: vec![self.state().clone()],
            len: 0,
            pending: self.pending.clone(),
            guards: self.guards.clone(),
        }
    }

    /// Returns whether the receive that took the message `taken` out of a mailbox would have taken
    /// `other` if that had been there first, because it matches both.
    ///
    /// This is computed from the pattern and the values, not from the rivals that were reported.
    pub fn would_take(&self, on: Location, taken: u32, other: u32) -> bool {
        let mut mailboxes = 0..self.code.layout.mailboxes;
        let mailbox = mailboxes.find(|mailbox| self.code.layout.mailbox(*mailbox) == on);
        mailbox.is_some_and(|mailbox| self.state().would_take(mailbox, taken, other))
    }

    fn renew_pending(&mut self) {
        let state = &self.states[self.len];
        let pending = (0..state.processes()).map(|process| state.pending(&self.code, process));
        self.pending.clear();
        self.pending.extend(pending);
        let guards = (0..state.processes()).map(|process| state.guards(&self.code, process));
        self.guards.clear();
        self.guards.extend(guards);
    }
}

impl AsRef<ScriptMachine> for ScriptMachine {
    fn as_ref(&self) -> &ScriptMachine {
        self
    }
}

impl Machine for ScriptMachine {
    fn processes(&self) -> usize {
        self.pending.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.pending[process.index()].as_ref()
    }

    fn guards(&self, process: ProcessId) -> &[Action] {
        &self.guards[process.index()]
    }

    /// Returns an empty slice: no statement waits for two actions.
    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.state().is_enabled(&self.code, process.index())
    }

    fn alternatives(&self, process: ProcessId) -> u32 {
        self.state().alternatives(&self.code, process.index())
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let Step { process, choice } = step;
        assert!(self.is_enabled(process), "step {step} of a process that is not enabled");
        assert!(choice < self.alternatives(process), "step {step} takes no alternative there is");
        match self.states.split_at_mut(self.len + 1) {
            (before, [after, ..]) => after.clone_from(&before[self.len]),
            _ => self.states.push(self.states[self.len].clone()),
        }
        self.len += 1;
        let state = &mut self.states[self.len];
        let violation = state.step(&self.code, process.index(), choice, performed);
        self.renew_pending();
        violation.map_or(Ok(()), Err)
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        assert!(len <= self.len, "rewinding goes back only");
        self.len = len;
        self.renew_pending();
        Ok(())
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        let twin = *self.code.twins.get(process.index())?;
        twin.filter(|_| self.state().status(process.index()) != Status::Unborn)
    }

    fn fingerprint(&self) -> Option<u128> {
        Some(self.state().fingerprint())
    }

    fn ending(&self) -> Ending {
        let state = self.state();
        let processes = || 0..state.processes();
        if processes().any(|process| state.status(process) == Status::Stopped) {
            return Ending::AssumptionFailed;
        }
        let stuck = |kind, processes: Vec<usize>| {
            let message = format!("processes {processes:?} cannot go on");
            Ending::Stuck(Box::new(Violation::new(kind, message)))
        };
        let spinning: Vec<_> = processes().filter(|p| state.spins(&self.code, *p)).collect();
        if !spinning.is_empty() {
            return stuck(ViolationKind::Livelock, spinning);
        }
        let waits = |process: &usize| {
            matches!(
                state.status(*process),
                Status::Ready | Status::AwaitsNotification | Status::AwaitsEnd(_)
            )
        };
        let waiting: Vec<_> = processes().filter(waits).collect();
        match waiting.is_empty() {
            true => Ending::Finished,
            false => stuck(ViolationKind::Deadlock, waiting),
        }
    }
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::{Op, When};

    use super::*;

    fn start(text: &str) -> ScriptMachine {
        ScriptProgram::new(&text.parse().unwrap()).unwrap().start().unwrap()
    }

    /// Takes these steps, and returns the effects of the last one.
    fn steps(machine: &mut ScriptMachine, schedule: &str) -> Performed {
        let mut performed = Performed::default();
        for step in schedule.split(' ') {
            performed.clear();
            let _ = machine.step(step.parse().unwrap(), &mut performed);
        }
        performed
    }

    fn enabled(machine: &ScriptMachine) -> Vec<String> {
        machine.enabled_steps().iter().map(Step::to_string).collect()
    }

    #[test]
    fn a_lock_disables_other_lockers() {
        let mut machine = start("process 0 {\nlock m0\n}\nprocess 1 {\nlock m0\n}");
        assert_eq!(enabled(&machine), ["0", "1"]);
        let locked = steps(&mut machine, "1").actions[0];
        assert_eq!((locked.op, locked.before, locked.after), (Op::Update, 0, 1));
        assert_eq!(enabled(&machine), [""; 0]);
        let pending = machine.next(ProcessId::MAIN).unwrap();
        assert_eq!((pending.when, pending.waits), (When::Equals(0), true));
        assert!(matches!(machine.ending(), Ending::Stuck(v) if v.kind == ViolationKind::Deadlock));
    }

    #[test]
    fn a_failed_compare_exchange_is_a_read() {
        let mut machine = start("process 0 {\nr0 = cas x0 1 2\nr1 = cas x0 0 2\n}");
        assert_eq!(steps(&mut machine, "0").actions[0].op, Op::Read);
        assert_eq!(steps(&mut machine, "0").actions[0].op, Op::Update);
        assert_eq!(machine.state().registers(0), [0, 1, 0, 0]);
        assert_eq!(machine.ending(), Ending::Finished);
    }

    #[test]
    fn a_notification_is_an_edge_and_each_waiter_an_alternative() {
        let waiter = "{\nlock m0\nwait c0 m0\nunlock m0\n}";
        let text =
            format!("process 0 {waiter}\nprocess 1 {waiter}\nprocess 2 {{\nnotify_one c0\n}}");
        let mut machine = start(&text);
        steps(&mut machine, "1 1 0 0");
        assert_eq!(enabled(&machine), ["2", "2.1"]);
        assert!(machine.next(ProcessId::new(1)).is_none());
        let notify = steps(&mut machine, "2.1");
        assert_eq!(notify.edges.len(), 1);
        assert_eq!(notify.edges[0].to, ProcessId::new(1));
        assert_eq!(enabled(&machine), ["1"]);
    }

    #[test]
    fn a_spinning_process_waits_for_another_value() {
        let mut machine = start("process 0 {\nawait x0 == 1\n}\nprocess 1 {\nwrite x0 1\n}");
        steps(&mut machine, "0");
        assert_eq!(enabled(&machine), ["1"]);
        steps(&mut machine, "1");
        let reread = steps(&mut machine, "0");
        assert_eq!(reread.actions.len(), 2);
        assert!(reread.actions[1].guard);
        assert_eq!(reread.actions[1].when, When::Differs(0));
        assert_eq!(machine.ending(), Ending::Finished);
    }

    #[test]
    fn going_back_restores_the_state() {
        let mut machine = start("process 0 {\nwrite x0 1\nr0 = read x0\n}");
        let initial = machine.state().clone();
        steps(&mut machine, "0 0");
        assert_eq!(machine.state().registers(0)[0], 1);
        machine.rewind(0).unwrap();
        assert_eq!(machine.state(), &initial);
    }

    #[test]
    fn a_join_passes_on_the_past_in_both_orders() {
        let text =
            "process 0 {\nspawn 1\nwrite x0 1\njoin 1\nr0 = read x1\n}\nprocess 1 {\nwrite x1 1\n}";
        let edge = mazurka_core::model::Edge { from: ProcessId::new(1), to: ProcessId::MAIN };
        for schedule in ["0 1", "1 0"] {
            assert_eq!(steps(&mut start(text), schedule).edges, [edge], "{schedule}");
        }
    }

    #[test]
    fn a_selective_receive_waits_for_its_message() {
        let text = "process 0 {\nr0 = take b0 if == 2\nr1 = try_take b0 if < 1\n}\n\
                    process 1 {\ndeliver b0 1\ndeliver b0 2\n}\nprocess 2 {\ndeliver b0 2\n}";
        let mut machine = start(text);
        let first = steps(&mut machine, "1").actions[0];
        assert_eq!(first.op, Op::Deliver { message: 1 });
        assert_eq!(enabled(&machine), ["1", "2"], "it does not match");
        steps(&mut machine, "1");
        let taken = steps(&mut machine, "0");
        assert_eq!((taken.actions[0].op, taken.actions[0].waits), (Op::Take { message: 4 }, true));
        let on = taken.actions[0].on;
        let rival = mazurka_core::model::Rival { on, taken: 4, other: 2 };
        assert_eq!(taken.rivals, [rival], "it is about to come");
        assert_eq!(steps(&mut machine, "0").actions[0].op, Op::TakeNone);
        assert_eq!(steps(&mut machine, "2").rivals, [rival]);
        assert_eq!(machine.state().registers(0)[..2], [2, -1]);
        assert!(machine.would_take(on, 4, 2) && !machine.would_take(on, 4, 1));
    }

    #[test]
    fn receivers_learn_that_the_senders_have_gone() {
        let text = "channel q0 capacity 1\nprocess 0 {\nsend q0 7\nsend q0 8\nhangup q0\n}\n\
                    process 1 {\nr0 = recv q0\nr1 = recv q0\nr2 = recv q0\n}";
        let mut machine = start(text);
        steps(&mut machine, "0");
        assert_eq!(enabled(&machine), ["1"], "there is no room");
        steps(&mut machine, "1");
        let second = steps(&mut machine, "0").actions[0];
        assert_eq!(second.op, Op::Send { number: 1, freed_by: 0 });
        steps(&mut machine, "1");
        assert_eq!(enabled(&machine), ["0"], "there is no message");
        let last = steps(&mut machine, "0 1").actions[0];
        assert_eq!((last.op, last.waits), (Op::ReceiveNone, true));
        assert_eq!(machine.state().registers(1), [7, 8, -1, 0]);
    }
}
