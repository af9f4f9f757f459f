//! Scripts whose objects have no names until a process first uses them.
//!
//! This models programs that create objects as they run. If two processes access an object that no
//! process has used before, the process that is scheduled first names it, and its name differs
//! between executions. See [`Birth`].

use std::collections::HashMap;

use mazurka_core::model::{
    Action, Birth, Ending, Location, Machine, ObjectId, Performed, ProcessId, Program, Step,
};
use mazurka_core::verdict::Violation;

use super::machine::{ScriptMachine, ScriptProgram};
use super::syntax::{Script, Statement};

/// A [`ScriptMachine`] that names each object after the process that first uses it.
#[derive(Debug)]
pub struct LateNames {
    script: ScriptMachine,
    creators: Vec<Option<usize>>,
    /// The name of each object, and the number of steps of each process; after each step. Entries
    /// beyond the length of the machine are stale.
    knowledge: Vec<Knowledge>,
    /// The names in all executions: each is given by an object of the script and the steps of the
    /// process that named it. The index is the name.
    births: Vec<Birth>,
    ids: HashMap<(usize, u32), ObjectId>,
    pending: Vec<Option<Action>>,
    guards: Vec<Vec<Action>>,
}

/// A script whose machines name their objects in this way.
///
/// Each machine has its own names, so the machines cannot share their work.
#[derive(Clone, Copy, Debug)]
pub struct LatelyNamed<'a> {
    /// The script.
    pub script: &'a Script,
    /// The compiled script.
    pub program: &'a ScriptProgram,
}

impl Program for LatelyNamed<'_> {
    type Machine = LateNames;

    fn start(&self) -> Result<LateNames, Box<Violation>> {
        LateNames::start(self.script, self.program)
    }
}

#[derive(Clone, Debug)]
struct Knowledge {
    names: Vec<Option<ObjectId>>,
    steps: Vec<u32>,
}

impl LateNames {
    /// Starts a machine in the initial state of the program. Only objects in pending actions have
    /// names.
    pub fn start(script: &Script, program: &ScriptProgram) -> Result<Self, Box<Violation>> {
        let mut creators = vec![None; script.processes.len()];
        script.visit(|process, statement| {
            if let Statement::Spawn(child) = *statement {
                creators[usize::from(child)] = Some(process);
            }
        });
        let nothing = Knowledge { names: Vec::new(), steps: vec![0; script.processes.len()] };
        let mut machine = LateNames {
            script: program.start()?,
            creators,
            knowledge: vec![nothing],
            births: Vec::new(),
            ids: HashMap::new(),
            pending: Vec::new(),
            guards: Vec::new(),
        };
        machine.renew_pending();
        Ok(machine)
    }

    /// Returns who names the objects that `process` uses now. A process that has taken no step
    /// names them on behalf of its creator.
    fn namer(&self, process: usize) -> Birth {
        if self.script.is_empty() {
            return Birth::START;
        }
        let steps = self.knowledge[self.script.len()].steps[process];
        match self.creators[process] {
            Some(creator) if steps == 0 => self.namer(creator),
            // It has taken no step, but others have: one of them has released it.
            None if steps == 0 => Birth::LATE,
            _ => Birth { process: ProcessId::new(process), steps },
        }
    }

    fn renew_pending(&mut self) {
        let len = self.script.len();
        let processes = (0..self.script.processes()).map(ProcessId::new);
        self.pending = processes.clone().map(|p| self.script.next(p).copied()).collect();
        self.guards = processes.map(|p| self.script.guards(p).to_vec()).collect();
        for process in 0..self.pending.len() {
            if let Some(action) = self.pending[process] {
                self.name(process, action.on.object);
            }
        }
        let names = &self.knowledge[len].names;
        let actions = self.pending.iter_mut().flatten().chain(self.guards.iter_mut().flatten());
        actions.for_each(|action| rename(names, &mut action.on));
    }

    /// Names an object if it has no name.
    ///
    /// Two names that were given after the same steps of the same process are distinguished by the
    /// process that first used them, since a creator may name an object for several children.
    fn name(&mut self, process: usize, object: ObjectId) {
        let index = object.0 as usize;
        let known = self.knowledge[self.script.len()].names.get(index).copied().flatten();
        if known.is_some() {
            return;
        }
        let birth = self.namer(process);
        let steps = self.knowledge[self.script.len()].steps[process];
        let key = match birth == Birth::START && self.script.is_empty() {
            true => (usize::MAX - index, 0),
            false => (process, steps),
        };
        let births = &mut self.births;
        let id = *self.ids.entry(key).or_insert_with(|| {
            births.push(birth);
            ObjectId(births.len() as u32 - 1)
        });
        let names = &mut self.knowledge[self.script.len()].names;
        names.resize(names.len().max(index + 1), None);
        names[index] = Some(id);
    }
}

fn rename(names: &[Option<ObjectId>], on: &mut Location) {
    let name = names.get(on.object.0 as usize).copied().flatten();
    on.object = name.expect("whoever acts on an object has come upon it");
}

impl AsRef<ScriptMachine> for LateNames {
    fn as_ref(&self) -> &ScriptMachine {
        &self.script
    }
}

impl Machine for LateNames {
    fn processes(&self) -> usize {
        self.script.processes()
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
        self.script.is_enabled(process)
    }

    fn alternatives(&self, process: ProcessId) -> u32 {
        self.script.alternatives(process)
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let result = self.script.step(step, performed);
        let len = self.script.len();
        self.knowledge.truncate(len);
        let mut knowledge = self.knowledge[len - 1].clone();
        performed.actions.iter_mut().for_each(|action| rename(&knowledge.names, &mut action.on));
        performed.rivals.iter_mut().for_each(|rival| rename(&knowledge.names, &mut rival.on));
        knowledge.steps[step.process.index()] += 1;
        self.knowledge.push(knowledge);
        self.renew_pending();
        result
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.script.rewind(len)?;
        self.knowledge.truncate(len + 1);
        self.renew_pending();
        Ok(())
    }

    fn twin(&self, process: ProcessId) -> Option<ProcessId> {
        self.script.twin(process)
    }

    fn fingerprint(&self) -> Option<u128> {
        self.script.fingerprint()
    }

    fn ending(&self) -> Ending {
        self.script.ending()
    }

    fn birth(&self, object: ObjectId) -> Birth {
        self.births[object.0 as usize]
    }

    fn names_late(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_named_by_whoever_comes_first() {
        let block = "{\nwrite x0 1\nwrite x1 1\n}";
        let script: Script = format!("process 0 {block}\nprocess 1 {block}").parse().unwrap();
        let program = ScriptProgram::new(&script).unwrap();
        let mut machine = LateNames::start(&script, &program).unwrap();
        assert_eq!(machine.birth(machine.pending[0].unwrap().on.object), Birth::START);
        let mut names = Vec::new();
        for first in 0..2 {
            let process = ProcessId::new(first);
            machine.step(Step::of(process), &mut Performed::default()).unwrap();
            let name = machine.next(process).unwrap().on.object;
            assert_eq!(machine.birth(name), Birth { process, steps: 1 });
            names.push(name);
            machine.rewind(0).unwrap();
        }
        assert_ne!(names[0], names[1]);
    }
}
