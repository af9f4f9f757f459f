//! The current execution: its events, how they happen before each other, and their races.

use super::cells::{CellId, Cells, NOBODY};
use super::clock::{ClockId, Clocks, join};
use super::footprint::{Footprint, Touch};
use crate::model::{Action, Edge, Machine, Op, Performed, ProcessId, Step, When, dependence};

/// One occurrence of a step in an execution.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) step: Step,
    /// Its rank among the events of its process, from 1.
    pub(crate) number: u32,
    /// How many alternatives the step had.
    pub(crate) alternatives: u32,
    pub(crate) clock: ClockId,
    accesses: (u32, u32),
    races: u32,
    edges: u32,
    /// What the process's clock and last event were before.
    before: (ClockId, u32),
}

/// One action of an event, linked to the other accesses to its cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) cell: CellId,
    /// What it did.
    pub(crate) op: Op,
    /// What it would have done under its condition.
    pub(crate) declared: Op,
    pub(crate) when: When,
    pub(crate) waits: bool,
    pub(crate) guard: bool,
    pub(crate) plain: bool,
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) event: u32,
    /// The access to the same cell before this one, or [`NOBODY`].
    pub(crate) previous: u32,
    /// The last one before this one that was not a read, or [`NOBODY`].
    pub(crate) previous_write: u32,
}

/// Two events of different processes in a race that can be reversed: they are dependent, nothing
/// that happens between them orders them, and the process of the second could have taken its
/// step before the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Race {
    pub(crate) first: u32,
    pub(crate) second: u32,
}

#[derive(Clone, Copy, Debug)]
struct Process {
    /// All that happens before its next event, as far as edges tell.
    clock: ClockId,
    /// Its last event, or [`NOBODY`].
    last: u32,
    /// How many events it has.
    events: u32,
}

const FRESH: Process = Process { clock: Clocks::ZERO, last: NOBODY, events: 0 };

/// A conflict of the event that is being added with an earlier one.
#[derive(Clone, Copy, Debug)]
struct Conflict {
    event: u32,
    /// Whether the new event's process could have moved before that event.
    reversible: bool,
    plain: bool,
}

/// A sequence of events from the initial state, with the happens-before relation among them.
///
/// Everything lives in arenas that grow and shrink like a stack, so that going back to a prefix
/// and on into another execution allocates nothing.
#[derive(Debug)]
pub struct Execution {
    events: Vec<Event>,
    accesses: Vec<Access>,
    races: Vec<Race>,
    clocks: Clocks,
    cells: Cells,
    processes: Vec<Process>,
    /// Processes that an edge gave a new clock, and the one they had.
    edges: Vec<(ProcessId, ClockId)>,
    data_race: Option<Race>,
    conflicts: Vec<Conflict>,
    race_clock: Vec<u32>,
}

impl Default for Execution {
    fn default() -> Self {
        Execution::new()
    }
}

impl Execution {
    /// The empty execution.
    pub fn new() -> Self {
        Execution {
            events: Vec::new(),
            accesses: Vec::new(),
            races: Vec::new(),
            clocks: Clocks::new(),
            cells: Cells::default(),
            processes: Vec::new(),
            edges: Vec::new(),
            data_race: None,
            conflicts: Vec::new(),
            race_clock: Vec::new(),
        }
    }

    /// How many events it has.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether it has no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The steps that were taken.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step> + '_ {
        self.events.iter().map(|event| event.step)
    }

    /// Whether the event at one position happens before the one at a later position.
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        let first = &self.events[first];
        self.clocks.component(self.events[second].clock, first.step.process.index()) >= first.number
    }

    /// Whether an event happens before whatever a process does next.
    pub(crate) fn happens_before_next(&self, event: usize, process: ProcessId) -> bool {
        let event = &self.events[event];
        let Some(process) = self.processes.get(process.index()) else { return false };
        self.clocks.component(process.clock, event.step.process.index()) >= event.number
    }

    #[inline]
    pub(crate) fn event(&self, index: usize) -> &Event {
        &self.events[index]
    }

    #[inline]
    pub(crate) fn accesses_of(&self, event: usize) -> &[Access] {
        let (start, end) = self.events[event].accesses;
        &self.accesses[start as usize..end as usize]
    }

    #[inline]
    pub(crate) fn touches(&self, event: usize) -> impl Iterator<Item = Touch> + '_ {
        self.accesses_of(event).iter().map(|a| Touch { cell: a.cell, op: a.op })
    }

    #[inline]
    pub(crate) fn footprint(&self, event: usize) -> Footprint {
        self.touches(event).collect()
    }

    /// The races whose second event is at `from` or later.
    pub(crate) fn races_since(&self, from: usize) -> &[Race] {
        match self.events.get(from) {
            Some(event) => &self.races[event.races as usize..],
            None => &[],
        }
    }

    /// The last race found so far that was on plain memory, and whether it is new: asking makes
    /// it old.
    pub(crate) fn take_data_race(&mut self) -> Option<Race> {
        self.data_race.take()
    }

    /// Whether an object's name meant the same to all executions that share the first `len`
    /// events of this one.
    pub(crate) fn was_known(&self, cell: CellId, len: usize) -> bool {
        let birth = self.cells[cell].birth;
        if birth.steps == 0 && birth.process == ProcessId::MAIN {
            return true;
        }
        // The process's events are linked from the last to the first.
        let Some(process) = self.processes.get(birth.process.index()) else { return false };
        let (mut last, mut events) = (process.last, process.events);
        while last != NOBODY && last as usize >= len {
            last = self.events[last as usize].before.1;
            events -= 1;
        }
        // A process that has not been created yet names nothing, and one that has been created
        // after `len` has no events there: only its creator's prefix could tell, so be careful.
        events >= birth.steps && birth.steps > 0
    }

    /// The cell of a location that some execution has met.
    pub(crate) fn cell_of(&self, action: &Action) -> Option<CellId> {
        self.cells.find(action.on)
    }

    /// Makes room for as many processes as the machine has.
    fn admit(&mut self, processes: usize) {
        if processes > self.processes.len() {
            self.processes.resize(processes, FRESH);
            self.clocks.widen(processes);
        }
    }

    /// Adds an event: the machine has just taken `step`, which had been declared as `declared`
    /// and was performed as `performed`.
    pub(crate) fn push<M: Machine>(
        &mut self,
        machine: &M,
        step: Step,
        alternatives: u32,
        declared: Option<(Op, When)>,
        performed: &Performed,
    ) {
        self.admit(machine.processes());
        let index = self.events.len() as u32;
        let process = self.processes[step.process.index()];
        let clock = self.clocks.copy(process.clock);
        let first = self.accesses.len();
        let races = self.races.len() as u32;
        for (i, action) in performed.actions.iter().enumerate() {
            let cell = self.cells.intern(action.on, |object| machine.birth(object));
            let declared = if i == 0 { declared } else { None };
            self.link(cell, index, action, declared);
        }
        let end = self.accesses.len();
        let number = process.events + 1;
        self.order(step.process, clock, first..end, index);
        self.clocks.set(clock, step.process.index(), number);
        self.events.push(Event {
            step,
            number,
            alternatives,
            clock,
            accesses: (first as u32, end as u32),
            races,
            edges: self.edges.len() as u32,
            before: (process.clock, process.last),
        });
        self.processes[step.process.index()] = Process { clock, last: index, events: number };
        for edge in &performed.edges {
            self.pass_on(*edge);
        }
    }

    /// Adds an access to its cell's list, and to those of the cells that overlap with it.
    fn link(
        &mut self,
        cell: CellId,
        event: u32,
        action: &Action,
        declared: Option<(Op, When)>,
    ) {
        let (declared, when) = declared.unwrap_or((action.op, action.when));
        let at = &self.cells[cell];
        self.accesses.push(Access {
            cell,
            op: action.op,
            declared,
            when,
            waits: action.waits,
            guard: action.guard,
            plain: action.plain,
            before: action.before,
            after: action.after,
            event,
            previous: at.last,
            previous_write: at.last_write,
        });
        self.enlist(cell);
        for i in 0..self.cells[cell].overlapping.len() {
            // A part of another cell, whose value is not what that cell's other accesses see.
            let other = self.cells[cell].overlapping[i];
            let at = &self.cells[other];
            let op = if action.op == Op::Read { Op::Read } else { Op::Write };
            self.accesses.push(Access {
                cell: other,
                op,
                declared: op,
                when: When::Always,
                waits: false,
                guard: false,
                plain: action.plain,
                before: 0,
                after: 0,
                event,
                previous: at.last,
                previous_write: at.last_write,
            });
            self.enlist(other);
        }
    }

    fn enlist(&mut self, cell: CellId) {
        let index = self.accesses.len() as u32 - 1;
        let is_write = self.accesses[index as usize].op != Op::Read;
        let at = &mut self.cells[cell];
        at.last = index;
        if is_write {
            at.last_write = index;
        }
    }

    fn pass_on(&mut self, edge: Edge) {
        let (from, to) = (self.processes[edge.from.index()], self.processes[edge.to.index()]);
        let clock = self.clocks.copy(to.clock);
        self.clocks.join(clock, from.clock);
        self.edges.push((edge.to, to.clock));
        self.processes[edge.to.index()].clock = clock;
    }

    /// Finds what the event `index` of `process` with these accesses depends on: joins that
    /// into its `clock`, and notes the races.
    fn order(
        &mut self,
        process: ProcessId,
        clock: ClockId,
        accesses: std::ops::Range<usize>,
        index: u32,
    ) {
        self.find_conflicts(process, accesses.clone());
        if self.conflicts.is_empty() {
            return;
        }
        self.race_clock.clear();
        self.race_clock.extend_from_slice(self.clocks.of(clock));
        // From the latest conflict to the earliest: whatever orders two events lies between them,
        // so by the time that an event is looked at, all that could order it has been joined.
        for i in 0..self.conflicts.len() {
            let conflict = self.conflicts[i];
            let event = &self.events[conflict.event as usize];
            let owner = event.step.process;
            self.clocks.join(clock, event.clock);
            if owner == process || self.race_clock[owner.index()] >= event.number {
                continue;
            }
            if conflict.plain && self.data_race.is_none() {
                self.data_race = Some(Race { first: conflict.event, second: index });
            }
            if conflict.reversible {
                self.races.push(Race { first: conflict.event, second: index });
                join(&mut self.race_clock, self.clocks.of(event.clock));
            }
        }
    }

    /// Collects the events that a new one with these accesses conflicts with, latest first.
    fn find_conflicts(&mut self, process: ProcessId, accesses: std::ops::Range<usize>) {
        let mut conflicts = std::mem::take(&mut self.conflicts);
        conflicts.clear();
        let new = &self.accesses[accesses.clone()];
        let waits = new.iter().any(|access| access.waits);
        for access in new {
            self.walk(process, access, new, waits, &mut conflicts);
        }
        if new.len() > 1 {
            conflicts.sort_unstable_by_key(|c| std::cmp::Reverse(c.event));
            conflicts.dedup_by(|later, kept| {
                let same = later.event == kept.event;
                if same {
                    kept.reversible &= later.reversible;
                    kept.plain |= later.plain;
                }
                same
            });
        }
        self.conflicts = conflicts;
    }

    /// Walks back over the accesses to the cell of a `new` one, and collects those that it
    /// conflicts with, up to one that everything before it happens before.
    fn walk(
        &self,
        process: ProcessId,
        new: &Access,
        all_new: &[Access],
        waits: bool,
        conflicts: &mut Vec<Conflict>,
    ) {
        let only_writes = new.op == Op::Read;
        let mut next = if only_writes { new.previous_write } else { new.previous };
        let mut missing = Missing::of(new.op);
        while next != NOBODY {
            let access = &self.accesses[next as usize];
            next = if only_writes { access.previous_write } else { access.previous };
            if access.event == new.event {
                continue;
            }
            missing.saw(access.op);
            if dependence::dependent(access.op, new.op) {
                let reversible = !waits
                    || (queue_lets_reverse(access, new)
                        && self.could_run_without(access.event, all_new));
                let plain = new.plain || access.plain;
                conflicts.push(Conflict { event: access.event, reversible, plain });
                let owner = self.events[access.event as usize].step.process;
                let known = owner == process
                    || self.clocks.component(
                        self.processes[process.index()].clock,
                        owner.index(),
                    ) >= self.events[access.event as usize].number;
                if dependence::is_barrier(access.op) && (reversible || known) {
                    break;
                }
            }
            if missing.nothing() {
                break;
            }
        }
    }

    /// Whether the process of an event with the accesses `new` could take its step if `without`,
    /// and all that happens after it, had not happened yet.
    fn could_run_without(&self, without: u32, new: &[Access]) -> bool {
        let holds = |access: &Access| access.when.holds(self.value_without(without, access));
        let mut guards = new.iter().filter(|access| access.guard).peekable();
        let guarded = guards.peek().is_none() || guards.any(holds);
        guarded && new.iter().filter(|a| a.waits && !a.guard && is_memory(a.op)).all(holds)
    }

    /// The value of the cell of a `new` access if `without`, and all that happens after it, had
    /// not happened. For an access that waits, whoever shares the cell at that point and would
    /// not have let go of it is left out: they can be made to come later as well.
    fn value_without(&self, without: u32, new: &Access) -> u64 {
        let mut sum = 0u64;
        let mut next = new.previous;
        let mut earliest = new.before;
        while next != NOBODY {
            let access = &self.accesses[next as usize];
            next = access.previous;
            if access.event == new.event {
                continue;
            }
            earliest = access.before;
            if !self.remains(access.event, without) {
                continue;
            }
            match access.op {
                Op::Write | Op::Update => return access.after.wrapping_add(sum),
                Op::Add => {
                    let change = access.after.wrapping_sub(access.before);
                    let movable = new.waits && access.event > without;
                    if !(movable && self.is_left_open(access, without, new.previous)) {
                        sum = sum.wrapping_add(change);
                    }
                }
                _ => {}
            }
        }
        earliest.wrapping_add(sum)
    }

    /// Whether an event is there without `without` and what happens after it.
    #[inline]
    fn remains(&self, event: u32, without: u32) -> bool {
        event < without
            || (event != without && !self.happens_before(without as usize, event as usize))
    }

    /// Whether a process that came to share a cell does not let go of it again without
    /// `without`, looking back from the access `last`.
    fn is_left_open(&self, acquired: &Access, without: u32, last: u32) -> bool {
        if acquired.after < acquired.before {
            return false;
        }
        let owner = self.events[acquired.event as usize].step.process;
        let mut next = last;
        while next != NOBODY {
            let access = &self.accesses[next as usize];
            if access.event <= acquired.event {
                break;
            }
            let releases = access.op == Op::Add && access.after < access.before;
            if releases
                && self.events[access.event as usize].step.process == owner
                && self.remains(access.event, without)
            {
                return false;
            }
            next = access.previous;
        }
        true
    }

    /// Takes the accesses from `start` on off their cells' lists.
    fn unlink_from(&mut self, start: usize) {
        for access in self.accesses[start..].iter().rev() {
            let cell = &mut self.cells[access.cell];
            cell.last = access.previous;
            cell.last_write = access.previous_write;
        }
        self.accesses.truncate(start);
    }

    /// Goes back to the first `len` events.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.data_race = None;
        while self.events.len() > len {
            let event = self.events.pop().expect("there are more than len events");
            for (process, clock) in self.edges.drain(event.edges as usize..).rev() {
                self.processes[process.index()].clock = clock;
            }
            let (clock, last) = event.before;
            self.processes[event.step.process.index()] =
                Process { clock, last, events: event.number - 1 };
            self.unlink_from(event.accesses.0 as usize);
            self.races.truncate(event.races as usize);
            self.clocks.free_from(event.clock);
        }
    }

    /// Collects into `firsts` the events that a process would race with if it performed its
    /// pending action now, latest first.
    pub(crate) fn races_of_pending<M: Machine>(
        &mut self,
        machine: &M,
        process: ProcessId,
        firsts: &mut Vec<u32>,
    ) {
        firsts.clear();
        self.admit(machine.processes());
        // As if it was performed, and taken back at once.
        let (accesses, races, data_race) =
            (self.accesses.len(), self.races.len(), self.data_race.take());
        let event = self.events.len() as u32;
        for action in machine.next(process).into_iter().chain(machine.guards(process)) {
            // A location that nobody has touched yet is in conflict with nothing.
            if let Some(cell) = self.cells.find(action.on) {
                self.link(cell, event, action, None);
            }
        }
        let end = self.accesses.len();
        let clock = self.clocks.copy(self.processes[process.index()].clock);
        self.order(process, clock, accesses..end, event);
        firsts.extend(self.races[races..].iter().map(|race| race.first));
        self.clocks.free_from(clock);
        self.races.truncate(races);
        self.unlink_from(accesses);
        self.data_race = data_race;
    }

    /// What the accesses of an event would do if `without`, and all that happens after it, had
    /// not happened.
    pub(crate) fn footprint_without(&self, event: usize, without: u32) -> Footprint {
        self.accesses_of(event)
            .iter()
            .map(|access| {
                let op = match (access.when, access.waits) {
                    (When::Always, _) | (_, true) => self.queue_op_without(access, without),
                    (when, false) => match when.holds(self.value_without(without, access)) {
                        true => access.declared,
                        false => Op::Read,
                    },
                };
                Touch { cell: access.cell, op }
            })
            .collect()
    }

    /// How a queue operation would go without an earlier one on the same queue.
    fn queue_op_without(&self, access: &Access, without: u32) -> Op {
        let other = self.accesses_of(without as usize).iter().find(|a| a.cell == access.cell);
        match (other.map(|other| other.op), access.op) {
            // It takes the place of the one that it overtakes.
            (Some(Op::Send { number, freed_by }), Op::Send { .. }) => Op::Send { number, freed_by },
            (Some(Op::Receive { number }), Op::Receive { .. }) => Op::Receive { number },
            (Some(Op::Receive { number }), Op::ReceiveNone) => Op::Receive { number },
            // Its message is not there, or there is no room for it.
            (Some(Op::Send { .. }), Op::Receive { .. }) => Op::ReceiveNone,
            (Some(Op::Receive { number }), Op::Send { freed_by, .. }) if number == freed_by => {
                Op::SendNone
            }
            // There is room, or somebody to receive.
            (Some(Op::Send { number, freed_by }), Op::SendNone) => Op::Send { number, freed_by },
            (Some(Op::Close), Op::SendNone) => Op::Send { number: Op::NONE, freed_by: Op::NONE },
            (_, op) => op,
        }
    }
}

/// What a walk over the accesses to a queue still looks for.
enum Missing {
    /// All that came before the last send happens before it, save for the receive that made
    /// room.
    BeforeSend { send: bool, room: Option<u32> },
    /// All that came before the last receive happens before it, save for the send of this
    /// message.
    BeforeReceive { receive: bool, message: Option<u32> },
    /// It is not a queue, or all accesses count.
    Everything,
}

impl Missing {
    fn of(op: Op) -> Self {
        match op {
            Op::Send { freed_by, .. } => {
                let room = (freed_by != Op::NONE).then_some(freed_by);
                Missing::BeforeSend { send: true, room }
            }
            Op::Receive { number } => {
                Missing::BeforeReceive { receive: true, message: Some(number) }
            }
            _ => Missing::Everything,
        }
    }

    fn saw(&mut self, op: Op) {
        match (self, op) {
            (Missing::BeforeSend { send, .. }, Op::Send { .. }) => *send = false,
            (Missing::BeforeSend { room, .. }, Op::Receive { number }) if *room == Some(number) => {
                *room = None;
            }
            (Missing::BeforeReceive { receive, .. }, Op::Receive { .. }) => *receive = false,
            (Missing::BeforeReceive { message, .. }, Op::Send { number, .. })
                if *message == Some(number) =>
            {
                *message = None;
            }
            _ => {}
        }
    }

    fn nothing(&self) -> bool {
        matches!(
            self,
            Missing::BeforeSend { send: false, room: None }
                | Missing::BeforeReceive { receive: false, message: None }
        )
    }
}

/// Whether an operation is on a cell that holds a value, not on a queue.
fn is_memory(op: Op) -> bool {
    matches!(op, Op::Read | Op::Write | Op::Update | Op::Add)
}

/// Whether a waiting operation on a queue could have gone ahead of an earlier one: not ahead of
/// the send of its message, nor of the receive that made room for it.
fn queue_lets_reverse(earlier: &Access, new: &Access) -> bool {
    if !new.waits {
        return true;
    }
    match (earlier.op, new.op) {
        (Op::Send { .. } | Op::ReceiveNone, Op::Receive { .. }) => false,
        (Op::Receive { .. }, Op::Send { .. }) => false,
        (Op::Hangup | Op::Send { .. }, Op::ReceiveNone) => false,
        _ => true,
    }
}
