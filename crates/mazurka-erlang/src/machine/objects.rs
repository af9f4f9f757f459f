//! What processes share, as objects of the explorers.

use std::collections::HashMap;

use mazurka_core::model::{Location, ObjectId};

use crate::term::CommonNumbers;

/// A thing that processes share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Thing {
    /// The mailbox of a process.
    Mailbox(u32),
    /// How many messages a process has.
    Count(u32),
    /// The order of its messages.
    Order(u32),
    /// Whether a process has not come to its end, and whether it traps exits.
    Life(u32),
    /// Whether a process has given up its name, its tables and its relations, because it has ended.
    End(u32),
    /// The group leader of a process.
    Leader(u32),
    /// Whether a process has been sent a signal to end.
    Signal(u32),
    /// Whether two processes are linked.
    Link(u32, u32),
    /// A monitor or an alias, by its reference.
    Watch(u32, u32),
    /// A timer, which is a process.
    Timer(u32),
    /// Who has a name.
    Name(u32),
    /// The name of a process.
    NameOf(u32),
    /// All names.
    Names,
    /// Which processes there are.
    Processes,
    /// A number of an array.
    Number(u32, u32, u32),
    /// Whom a process is linked to, watches and is watched by.
    Relations(u32),
    /// The content of a table, as a whole.
    Content(u32, u32),
    /// Whether a table exists.
    TableLife(u32, u32),
    /// What a table holds for keys of a hash.
    Entry(u32, u32, u32),
    /// Which tables there are.
    Tables,
    /// Which table has a name.
    TableName(u32),
    /// All that is kept persistently.
    AllPersistent,
    /// What is kept persistently for a key, by its hash.
    Persistent(u64),
}

impl Thing {
    /// The link of two processes, in whatever order they come.
    pub(super) fn link(a: u32, b: u32) -> Thing {
        Thing::Link(a.min(b), a.max(b))
    }
}

/// The objects that stand for things, the same in every execution.
///
/// A thing is named after processes, references and atoms, which do not depend on the order of
/// steps. So a name means the same in every execution.
#[derive(Default)]
pub(super) struct Objects {
    numbers: HashMap<Thing, u32>,
    /// Mailbox and signal of each process, which nearly every step needs.
    own: Vec<[Option<u32>; 2]>,
    /// The thing that each object stands for, if this machine has met it.
    things: Vec<Option<Thing>>,
    /// The numbers that other machines give, too.
    common: Option<CommonNumbers>,
}

impl Objects {
    pub(super) fn new(common: Option<CommonNumbers>) -> Self {
        Objects { common, ..Objects::default() }
    }

    pub(super) fn mailbox(&mut self, process: u32) -> Location {
        self.own(process, 0, Thing::Mailbox(process))
    }

    pub(super) fn signal(&mut self, process: u32) -> Location {
        self.own(process, 1, Thing::Signal(process))
    }

    #[inline]
    fn own(&mut self, process: u32, which: usize, thing: Thing) -> Location {
        let process = process as usize;
        if self.own.len() <= process {
            self.own.resize(process + 1, [None; 2]);
        }
        let number = match self.own[process][which] {
            Some(number) => number,
            None => {
                let number = self.number(thing);
                self.own[process][which] = Some(number);
                number
            }
        };
        Location::whole(ObjectId(number))
    }

    fn number(&mut self, thing: Thing) -> u32 {
        if let Some(number) = self.numbers.get(&thing) {
            return *number;
        }
        let number = match &self.common {
            // The numbers in it are the same on every machine.
            Some(common) => common.object(&format!("{thing:?}")),
            None => self.things.len() as u32,
        };
        if self.things.len() <= number as usize {
            self.things.resize(number as usize + 1, None);
        }
        self.things[number as usize] = Some(thing);
        self.numbers.insert(thing, number);
        number
    }

    /// Returns the thing that an object stands for.
    pub(super) fn thing(&self, object: ObjectId) -> Thing {
        self.things[object.0 as usize].expect("the machine has met the object")
    }

    pub(super) fn whole(&mut self, thing: Thing) -> Location {
        Location::whole(ObjectId(self.number(thing)))
    }
}
