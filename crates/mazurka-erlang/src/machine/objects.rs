//! The objects that processes share, as explorers see them.

use std::collections::HashMap;

use mazurka_core::model::{Location, ObjectId};

use super::values::MOST;
use crate::term::CommonNumbers;

/// An object that processes share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Thing {
    /// The mailbox of a process.
    Mailbox(u32),
    /// The number of messages in a mailbox.
    Count(u32),
    /// The order of the messages in a mailbox.
    Order(u32),
    /// Whether a process is alive.
    Life(u32),
    /// Whether a process traps exits.
    Traps(u32),
    /// Whether a process has lost its name, its tables and its relations because it ended.
    End(u32),
    /// The group leader of a process.
    Leader(u32),
    /// Whether an exit signal has told a process to end, and how many processes suspend it.
    Signal(u32),
    /// Whether two processes are linked.
    Link(u32, u32),
    /// A monitor or an alias, by its reference.
    Watch(u32, u32),
    /// A timer, which is a process.
    Timer(u32),
    /// The process that has a name.
    Name(u32),
    /// The name of a process.
    NameOf(u32),
    /// The code of a module.
    Code(u32),
    /// All names.
    Names,
    /// The set of all processes.
    Processes,
    /// A number of an array.
    Number(u32, u32, u32),
    /// The links and monitors of a process, in both directions.
    Relations(u32),
    /// The content of a table, as a whole.
    Content(u32, u32),
    /// The objects of a table with an element in a place; see [`columns`](super::columns).
    Column(u32, u32, u32),
    /// Whether a table exists.
    TableLife(u32, u32),
    /// The objects of a table whose keys have this hash.
    Entry(u32, u32, u32),
    /// The objects with this hash of the key in the table that has a name, if processes poll it; see [`polled_entries`](super::polled_entries).
    NamedEntry(u32, u32),
    /// The set of all tables.
    Tables,
    /// The table that has a name.
    TableName(u32),
    /// All persistent terms.
    AllPersistent,
    /// The persistent terms whose keys have this hash.
    Persistent(u64),
    /// Whether a number of an array is put there, or added to.
    Puts(u32, u32, u32),
    /// A bit of the number of the value that is put in a place; see [`values`](super::values).
    Bit(u32, u32),
}

impl Thing {
    /// Returns the link of two processes, given in either order.
    pub(super) fn link(a: u32, b: u32) -> Thing {
        Thing::Link(a.min(b), a.max(b))
    }
}

/// The numbers of objects, which are the same in every execution.
///
/// An object is identified by processes, references and atoms, which do not depend on the order of
/// steps.
#[derive(Default)]
pub(super) struct Objects {
    numbers: HashMap<Thing, u32>,
    /// The mailbox and the signal of each process, which nearly every step accesses.
    own: Vec<[Option<u32>; 2]>,
    /// What each object is, if this machine has met it.
    things: Vec<Option<Thing>>,
    /// The values that were put in an object, as far as they have numbers.
    values: HashMap<u32, Vec<Box<[u64]>>>,
    /// The numbers that the machines of all workers share.
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

    /// Returns the number of a value that is put in an object, if it has one.
    pub(super) fn number_of_value(&mut self, object: ObjectId, words: &[u64]) -> Option<u32> {
        let known = self.values.entry(object.0).or_default();
        let number = known.iter().position(|value| **value == *words);
        if number.is_none() && known.len() < MOST {
            match &self.common {
                Some(common) => *known = common.add_value(object.0, words, MOST),
                None => known.push(words.into()),
            }
            let number = known.iter().position(|value| **value == *words);
            return number.map(|number| number as u32);
        }
        number.map(|number| number as u32)
    }

    /// Returns the thing that an object stands for.
    pub(super) fn thing(&self, object: ObjectId) -> Thing {
        self.things[object.0 as usize].expect("the machine has met the object")
    }

    pub(super) fn whole(&mut self, thing: Thing) -> Location {
        Location::whole(ObjectId(self.number(thing)))
    }
}
