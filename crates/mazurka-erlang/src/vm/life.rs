//! Creation of processes, sends, and ends.

use super::code::Mfa;
use super::process::{Local, Pending, Process, Status, Timer, Visible};
use super::twins::Kin;
use super::{Stop, Vm, badarg};
use crate::term::{Kind, Map, Namer, Printer, Term, alias, atom};
use mazurka_core::model::{Edge, ProcessId};

/// The rank of the process that starts system processes: it comes behind all children of the first
/// process.
const SYSTEM: u32 = u32::MAX - 1;

/// The code that a new process runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    /// A function value without arguments.
    Fun(Term),
    /// A function, by name, with a list of arguments.
    Call(Mfa, Term),
    /// Nothing: it is a timer.
    Timer,
}

impl Vm {
    /// Returns the number that the next child of a process gets: the same in every execution.
    pub(crate) fn peek_child(&mut self, parent: u32) -> u32 {
        let slot = &self.processes[parent as usize];
        let rank = slot.local.children as usize;
        if let Some(&known) = slot.child_ids.get(rank) {
            return known;
        }
        self.add_process(parent, rank as u32)
    }

    /// Gives a number to a process that no execution on this machine has created. Other machines may have
    /// given numbers to it and to other processes.
    fn add_process(&mut self, parent: u32, rank: u32) -> u32 {
        let known = self.processes.len();
        let (number, new) = match &self.common {
            Some(common) => common.add_process(known, (parent, rank)),
            None => (known as u32, vec![(parent, rank)]),
        };
        for (parent, rank) in new {
            let child = self.processes.len() as u32;
            let slot = &mut self.processes[parent as usize];
            let symbol = match rank {
                SYSTEM => "system".to_owned(),
                _ => {
                    debug_assert_eq!(slot.child_ids.len(), rank as usize, "children in order");
                    slot.child_ids.push(child);
                    format!("{}.{}", slot.symbol, rank + 1)
                }
            };
            self.processes.push(Process::absent(symbol));
            self.heap.lineage.add(parent, rank);
        }
        number
    }

    /// Names a child of the running process.
    fn name_child(&mut self) -> u32 {
        let child = self.peek_child(self.current);
        self.me_mut().children += 1;
        child
    }

    /// Creates a process that forwards messages of the running process to another one.
    pub(crate) fn spawn_channel(&mut self, to: u32) -> u32 {
        let name = self.atoms.intern("channel");
        let channel = self.spawn(Task::Call(Mfa::new(atom::DUMMY, name, 0), Term::NIL));
        let (sender, receiver) = (self.current as usize, to as usize);
        let symbol =
            format!("{}>{}", self.processes[sender].symbol, self.processes[receiver].symbol);
        let slot = &mut self.processes[channel as usize];
        (slot.is_channel, slot.symbol) = (true, symbol);
        channel
    }

    /// Creates a process, which runs once the current one has stopped.
    pub(crate) fn spawn(&mut self, task: Task) -> u32 {
        self.tell_apart(self.current);
        let child = self.name_child();
        self.save_local(child);
        let empty = Map::empty(&mut self.heap).term();
        let initial_call = match task {
            Task::Call(mfa, _) => {
                let parts =
                    [Term::atom(mfa.module), Term::atom(mfa.name), Term::int(mfa.arity.into())];
                self.heap.tuple(&parts)
            }
            Task::Fun(_) | Task::Timer => {
                let apply = self.atoms.intern("apply");
                self.heap.tuple(&[Term::atom(atom::ERLANG), Term::atom(apply), Term::int(2)])
            }
        };
        let parent = *self.me();
        let parent_taken = self.processes[self.current as usize].taken.len() as u32;
        let rank = parent.children;
        let symbol = &self.processes[self.current as usize].symbol;
        // In another execution, this child may have been a channel.
        let symbol = self.processes[child as usize].is_channel.then(|| format!("{symbol}.{rank}"));
        let process = &mut self.processes[child as usize];
        if let Some(symbol) = symbol {
            (process.symbol, process.is_channel) = (symbol, false);
        }
        process.local = Local {
            status: Status::Alive,
            timer: if matches!(task, Task::Timer) { Timer::Running } else { Timer::No },
            dictionary: empty,
            links: empty,
            watchers: empty,
            watched: empty,
            channels: empty,
            aliases: empty,
            suspending: empty,
            group_leader: parent.group_leader,
            leads_to_program: parent.leads_to_program,
            initial_call,
            parent: self.current,
            parent_taken,
            ticks: parent.ticks,
            ..Local::ABSENT
        };
        process.kin = Kin::default();
        process.stack.clear();
        process.mailbox.clear();
        process.taken.clear();
        process.heads.clear();
        let edge = |index: u32| ProcessId::new(index as usize);
        self.edges.push(Edge { from: edge(self.current), to: edge(child) });
        if !matches!(task, Task::Timer) {
            self.born.push((child, task));
        }
        child
    }

    /// Returns the local state of a process that no other process has created.
    fn root(&mut self, process: u32, mfa: Mfa) -> Local {
        let empty = Map::empty(&mut self.heap).term();
        let parts = [Term::atom(mfa.module), Term::atom(mfa.name), Term::int(mfa.arity.into())];
        let initial_call = self.heap.tuple(&parts);
        Local {
            status: Status::Alive,
            dictionary: empty,
            links: empty,
            watchers: empty,
            watched: empty,
            channels: empty,
            aliases: empty,
            suspending: empty,
            group_leader: Term::pid(process),
            initial_call,
            parent: process,
            ..Local::ABSENT
        }
    }

    /// Reserves the number 0 for the first process.
    pub(crate) fn reserve_first(&mut self) {
        self.processes.push(Process::absent("P".into()));
    }

    /// Creates the first process, for which a number is [reserved](Self::reserve_first).
    pub(crate) fn create_first(&mut self, mfa: Mfa, arguments: Term) {
        self.processes[0].local = self.root(0, mfa);
        self.born.push((0, Task::Call(mfa, arguments)));
    }

    /// Creates the process that starts system processes. It runs a function without arguments.
    pub(crate) fn create_system(&mut self, mfa: Mfa) {
        let process = self.add_process(0, SYSTEM);
        self.processes[process as usize].local = self.root(process, mfa);
        self.born.push((process, Task::Call(mfa, Term::NIL)));
    }

    /// Lets all new processes run up to their first visible operations.
    pub(crate) fn run_born(&mut self) {
        while let Some((process, task)) = self.born.pop() {
            self.switch_to(process);
            self.note_change(process);
            // It may have ended in another way in an earlier execution.
            self.early_ends.retain(|(ended, _)| *ended != process);
            let entry = match task {
                Task::Timer => Ok(0),
                Task::Fun(function) => self.prepare_fun(function, 0),
                Task::Call(mfa, arguments) => {
                    let arguments = self.heap.elements_of_list(arguments).unwrap_or_default();
                    self.x[..arguments.len()].copy_from_slice(&arguments);
                    self.prepare_call(mfa)
                }
            };
            match entry {
                Ok(entry) => self.run(entry),
                Err(Stop::Raise(exception)) => {
                    self.handle(exception, Term::NIL, 0);
                }
                Err(_) => {}
            }
            self.put_away();
        }
    }

    /// Ends the running process. In programs where lives of processes matter, the end is a step.
    pub(crate) fn end_with(&mut self, reason: Term) {
        let lives = self.lives;
        let me = self.me_mut();
        me.reason = reason;
        me.signal = Term::NONE;
        if lives {
            me.pending = Pending::End;
        } else {
            (me.pending, me.status) = (Pending::Nothing, Status::Ended);
        }
        self.handlers = 0;
        self.shrink_stack(0);
    }

    /// Makes a send the next step of the running process. If there is no receiver, the process continues at
    /// once.
    pub(crate) fn begin_send(&mut self, to: Term, message: Term) -> super::Out {
        if let Some(process) = to.as_pid() {
            self.tell_apart(process);
            self.intent = Pending::Send { to: process, message, result: message };
            return Err(Stop::Suspend);
        }
        if to.as_atom().is_some() {
            return self.intend(Visible::SendToName, [to, message, message]);
        }
        if let Some([name, node]) = self.heap.tuple_of::<2>(to)
            && name.as_atom().is_some()
            && let Some(node) = node.as_atom()
        {
            return match node {
                atom::NONODE => {
                    // To a name on a node, sending never fails.
                    let tag = Term::atom(atom::NOCONNECT);
                    let target = self.heap.tuple(&[tag, name]);
                    self.intend(Visible::SendToName, [target, message, message])
                }
                _ => Ok(message),
            };
        }
        if self.heap.is_kind(to, Kind::Ref) {
            return self.intend(Visible::SendToAlias, [to, message, message]);
        }
        if let Some(cons) = to.as_cons()
            && self.processes[self.current as usize].is_channel
        {
            let monitor = self.heap.head(cons);
            return self.intend(Visible::SendNews, [monitor, message, message]);
        }
        Err(badarg())
    }

    /// Makes an operation the next step of the running process.
    pub(crate) fn intend(&mut self, what: Visible, arguments: [Term; 3]) -> super::Out {
        use Visible::{
            Atomic, CancelTimer, Code, EtsDelete, EtsGiveAway, EtsInfo, EtsKey, EtsOptions,
            EtsRename, EtsTable, EtsWhereis, PersistentAll, PersistentErase, PersistentGet,
            PersistentPut, ReadTimer,
        };
        let is_about_lives = !matches!(
            what,
            Atomic(_)
                | Code(_)
                | EtsDelete
                | EtsGiveAway
                | EtsInfo
                | EtsKey(_)
                | EtsOptions
                | EtsRename
                | EtsTable(_)
                | EtsWhereis
                | PersistentAll
                | PersistentErase
                | PersistentGet
                | PersistentPut
                | ReadTimer
                | CancelTimer
        );
        if is_about_lives {
            self.watch_lives();
        }
        self.intent = Pending::Do { what, arguments };
        Err(Stop::Suspend)
    }

    /// Returns the symbol of a process: its place in the tree of processes, and its registered name.
    pub(crate) fn symbol(&self, process: u32) -> String {
        let slot = &self.processes[process as usize];
        match slot.local.name {
            Some(name) => {
                let name = alias(&self.atoms, name).unwrap_or_else(|| self.atoms.name(name));
                format!("{}/{name}", slot.symbol)
            }
            None => slot.symbol.clone(),
        }
    }

    /// Returns a term in Erlang's or Elixir's syntax, abbreviated after about `limit` characters.
    pub(crate) fn show(&self, term: Term, limit: usize) -> String {
        self.print(term, limit, true)
    }

    /// Returns a term as [`show`](Self::show) does, without the registered names of processes.
    pub(crate) fn show_without_names(&self, term: Term, limit: usize) -> String {
        self.print(term, limit, false)
    }

    fn print(&self, term: Term, limit: usize, with_names: bool) -> String {
        let namer = Names(self, with_names);
        let is_elixir = self.is_elixir;
        Printer { heap: &self.heap, atoms: &self.atoms, namer: &namer, limit, is_elixir }
            .print(term)
    }
}

/// The names that reports show, with or without the registered names of processes.
struct Names<'a>(&'a Vm, bool);

impl Namer for Names<'_> {
    fn process(&self, process: u32) -> String {
        match self.1 {
            true => format!("<{}>", self.0.symbol(process)),
            false => format!("<{}>", self.0.processes[process as usize].symbol),
        }
    }

    fn function(&self, number: u64) -> String {
        let lambda = &self.0.code.lambdas[number as usize];
        let (module, name) = (self.0.atoms.name(lambda.module), self.0.atoms.name(lambda.name));
        match alias(&self.0.atoms, lambda.module) {
            Some(module) => {
                match name.strip_prefix('-').and_then(|name| name.split_once("-fun-")) {
                    Some((function, number)) => {
                        format!(
                            "#Function<{} in {module}.{function}>",
                            number.trim_end_matches('-')
                        )
                    }
                    None => format!("#Function<{module}.{name}>"),
                }
            }
            None => format!("#Fun<{module}:{name}>"),
        }
    }

    fn reference(&self, process: u32, number: u32) -> String {
        format!("#Ref<{}.{number}>", self.0.processes[process as usize].symbol)
    }
}
