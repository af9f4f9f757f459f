//! Nets as machines.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use mazurka_core::model::{
    Action, Digest, Ending, Location, Machine, ObjectId, Op, Performed, ProcessId, Program, Step,
    When,
};
use mazurka_core::verdict::{Violation, ViolationKind};

use crate::{Goal, Net};

/// A net as a program.
#[derive(Clone, Debug)]
pub struct NetProgram {
    pub(crate) name: String,
    pub(crate) net: Arc<Net>,
    pub(crate) goal: Option<Goal>,
    /// The actions of each transition, in order; those of the goal come last.
    actions: Arc<[Vec<Action>]>,
}

impl NetProgram {
    /// Creates a program that looks for deadlocks.
    pub fn new(net: Net) -> Self {
        let actions = net.transitions().iter().map(|transition| {
            let token = |places: &[usize], op| -> Vec<Action> {
                let action = |place: &usize| declared(&net, *place, op);
                places.iter().map(action).collect()
            };
            let awaited = |action: Action| action.when(When::Equals(1)).waiting();
            let takes = token(&transition.takes, Op::Update).into_iter().map(awaited);
            let reads = token(&transition.reads, Op::Read).into_iter().map(awaited);
            takes.chain(reads).chain(token(&transition.puts, Op::Write)).collect()
        });
        let actions = actions.collect();
        NetProgram { name: "net".to_owned(), net: Arc::new(net), goal: None, actions }
    }

    /// Sets the name of the net in reports.
    pub fn named(self, name: impl Into<String>) -> Self {
        NetProgram { name: name.into(), ..self }
    }

    /// Makes the program look for a marking instead of deadlocks.
    ///
    /// An explorer need not pass through every reachable marking. Therefore this adds a transition
    /// that can fire only in that marking and changes nothing.
    ///
    /// ```
    /// use mazurka_core::explore::explore;
    /// use mazurka_core::search::Options;
    /// use mazurka_core::model::Program;
    /// use mazurka_petri::{Goal, Net, NetProgram, Transition};
    ///
    /// let mut net = Net::default();
    /// for name in ["left", "right"] {
    ///     let (before, after) = (net.add_place(name, true), net.add_place(format!("{name} done"), false));
    ///     let (takes, puts) = (vec![before], vec![after]);
    ///     net.add_transition(Transition { name: name.to_owned(), takes, puts, ..Transition::default() });
    /// }
    /// let goal = Goal::parse("right done, !left done", &net)?;
    /// let program = NetProgram::new(net).with_goal(goal);
    /// let verdict = explore(&mut program.start().unwrap(), &Options::default(), &mut ());
    /// assert!(verdict.violations[0].message.contains("can be reached"));
    /// # Ok::<(), mazurka_petri::GoalError>(())
    /// ```
    pub fn with_goal(self, goal: Goal) -> Self {
        let wanted = goal.wanted.iter().map(|(place, _, is_marked)| {
            let wanted = When::Equals((*is_marked).into());
            declared(&self.net, *place, Op::Read).when(wanted).waiting()
        });
        let actions = self.actions.iter().cloned().chain([wanted.collect()]).collect();
        NetProgram { goal: Some(goal), actions, ..self }
    }

    /// Returns the net.
    pub fn net(&self) -> &Net {
        &self.net
    }
}

impl Program for NetProgram {
    type Machine = NetMachine;

    fn start(&self) -> Result<NetMachine, Box<Violation>> {
        let marked = self.net.places().iter().map(|place| place.is_marked).collect();
        Ok(NetMachine { program: self.clone(), marked, fired: Vec::new(), is_reached: false })
    }

    fn for_workers(&self) -> Option<Self> {
        // All ids are known before the first step.
        Some(self.clone())
    }

    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // The name is only for people.
        format!("{:?} {:?}", self.net, self.goal).hash(&mut hasher);
        hasher.finish()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(Vec::new())
    }

    fn restore(&self, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}

/// Returns a pending action on a place, with the initial value of the place.
fn declared(net: &Net, place: usize, op: Op) -> Action {
    let before = net.places()[place].is_marked.into();
    Action { before, ..Action::new(op, Location::whole(ObjectId(place as u32))) }
}

/// A net with its current marking.
#[derive(Clone, Debug)]
pub struct NetMachine {
    program: NetProgram,
    marked: Vec<bool>,
    /// The transitions that have fired, and whether they moved tokens.
    fired: Vec<(usize, bool)>,
    /// Whether the goal has been reached. No transition is enabled then.
    is_reached: bool,
}

impl NetMachine {
    /// Returns the net.
    pub fn net(&self) -> &Net {
        &self.program.net
    }

    /// Returns whether a place holds a token.
    pub fn is_marked(&self, place: usize) -> bool {
        self.marked[place]
    }

    /// Returns the names of the places that hold a token.
    pub fn marking(&self) -> Vec<&str> {
        let places = self.program.net.places().iter().zip(&self.marked);
        places.filter(|(_, marked)| **marked).map(|(place, _)| place.name.as_str()).collect()
    }

    /// Returns whether a process represents the goal instead of a transition.
    fn is_goal(&self, process: usize) -> bool {
        process == self.program.net.transitions().len()
    }

    /// Moves the tokens around a transition as it fires, or undoes that.
    fn move_tokens(&mut self, transition: usize, fires: bool) {
        let transition = &self.program.net.transitions()[transition];
        transition.takes.iter().for_each(|place| self.marked[*place] = !fires);
        transition.puts.iter().for_each(|place| self.marked[*place] = fires);
    }

    /// Returns a place that would get a second token if a transition fired.
    fn overfull(&self, transition: usize) -> Option<&str> {
        let puts = &self.program.net.transitions()[transition].puts;
        let place = puts.iter().find(|place| self.marked[**place])?;
        Some(&self.program.net.places()[*place].name)
    }
}

impl Machine for NetMachine {
    fn processes(&self) -> usize {
        self.program.actions.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.program.actions[process.index()].first().filter(|_| !self.is_reached)
    }

    /// Returns an empty slice: transitions wait only for tokens.
    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn others(&self, process: ProcessId) -> &[Action] {
        match self.is_reached {
            true => &[],
            false => self.program.actions[process.index()].get(1..).unwrap_or_default(),
        }
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        let is_ready = |action: &Action| {
            !action.waits || action.when.holds(self.marked[action.on.object.0 as usize].into())
        };
        !self.is_reached && self.program.actions[process.index()].iter().all(is_ready)
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let process = step.process.index();
        let is_overfull = !self.is_goal(process) && self.overfull(process).is_some();
        self.fired.push((process, !self.is_goal(process) && !is_overfull));
        let actions = &self.program.actions[process];
        for action in actions {
            let before = self.marked[action.on.object.0 as usize].into();
            let after = match action.op {
                // The step fails before it moves a token.
                _ if is_overfull => before,
                Op::Update => 0,
                Op::Write => 1,
                _ => before,
            };
            performed.actions.push(action.performed(before, after));
        }
        if self.is_goal(process) {
            self.is_reached = true;
            let goal = self.program.goal.as_ref().map(Goal::to_string).unwrap_or_default();
            let message = format!("a marking with {goal} can be reached");
            return Err(Box::new(Violation::new(ViolationKind::Marking, message)));
        }
        if let Some(place) = self.overfull(process) {
            let name = &self.program.net.transitions()[process].name;
            let message = format!(
                "the net is not safe: transition `{name}` puts a second token into place `{place}`. \
                 Mazurka checks safe nets only, in which no place ever holds two tokens"
            );
            return Err(Box::new(Violation::new(ViolationKind::Unsupported, message)));
        }
        self.move_tokens(process, true);
        Ok(())
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        while self.fired.len() > len {
            let Some((process, moved)) = self.fired.pop() else { break };
            if moved {
                self.move_tokens(process, false);
            }
            self.is_reached &= !self.is_goal(process);
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        if self.program.goal.is_some() {
            return Ending::Finished;
        }
        let marking = match self.marking().as_slice() {
            [] => "no place holds a token".to_owned(),
            places => format!("tokens are in {} only", places.join(", ")),
        };
        let message = format!("no transition can fire: {marking}");
        Ending::Stuck(Box::new(Violation::new(ViolationKind::Deadlock, message)))
    }

    /// Returns the marking itself if it has fewer than 128 places, and otherwise a digest of it.
    fn fingerprint(&self) -> Option<u128> {
        let bits = self.marked.iter().chain([&self.is_reached]);
        Some(match self.marked.len() < 128 {
            true => bits.fold(0, |all, bit| all << 1 | u128::from(*bit)),
            false => Digest::of_words(bits.map(|bit| u64::from(*bit))).bits(),
        })
    }

    /// Appends nothing if the fingerprint is the marking itself.
    fn write_state(&self, words: &mut Vec<u64>) -> Option<u128> {
        if self.marked.len() >= 128 {
            let chunks = self.marked.chunks(64);
            words.extend(
                chunks.map(|bits| bits.iter().fold(0, |all, bit| all << 1 | u64::from(*bit))),
            );
            words.push(u64::from(self.is_reached));
        }
        self.fingerprint()
    }
}
