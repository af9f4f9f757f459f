//! The numbers that all machines of a program share.
//!
//! Several workers explore a program, each with a machine of its own. They exchange schedules and
//! accesses, so their machines must give the same numbers to the same atoms, processes, messages and
//! objects. A machine keeps the numbers that it knows, and asks here only for those that it meets for the
//! first time.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The numbers of one kind of thing, in the order in which the machines met the things.
#[derive(Debug)]
struct Numbers<T> {
    numbers: HashMap<T, u32>,
    things: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { numbers: HashMap::new(), things: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn number(&mut self, thing: T) -> u32 {
        if let Some(number) = self.numbers.get(&thing) {
            return *number;
        }
        let number = self.things.len() as u32;
        self.things.push(thing.clone());
        self.numbers.insert(thing, number);
        number
    }

    fn restore(&mut self, things: impl Iterator<Item = T>) {
        *self = Numbers::default();
        things.for_each(|thing| {
            self.number(thing);
        });
    }
}

/// A process, by its parent and by how many children that had created before.
pub(crate) type Origin = (u32, u32);

#[derive(Debug, Default)]
struct Table {
    atoms: Numbers<Box<str>>,
    /// All processes but the first, which has the number 0.
    processes: Numbers<Origin>,
    /// Messages, by their senders and by how many steps these had taken.
    messages: Numbers<(u32, u32)>,
    /// Objects, by texts that describe them.
    objects: Numbers<Box<str>>,
    /// The values that were put in objects.
    values: BTreeMap<u32, Vec<Box<[u64]>>>,
}

/// The numbers that all machines of a program share.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommonNumbers(Arc<Mutex<Table>>);

impl CommonNumbers {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an atom to the first `known` atoms, unless it exists. Returns all atoms after these.
    pub(super) fn add_atom(&self, known: usize, name: &str) -> Vec<Box<str>> {
        let mut table = self.lock();
        table.atoms.number(name.into());
        table.atoms.things[known..].to_vec()
    }

    /// Adds a process to the first `known` processes, unless it exists. Returns its number, and the
    /// origins of all processes after the first `known` ones.
    pub(crate) fn add_process(&self, known: usize, origin: Origin) -> (u32, Vec<Origin>) {
        let mut table = self.lock();
        let number = table.processes.number(origin) + 1;
        (number, table.processes.things[known - 1..].to_vec())
    }

    /// Returns the number of the message that a process delivers after so many steps.
    pub(crate) fn message(&self, process: u32, steps: u32) -> u32 {
        self.lock().messages.number((process, steps))
    }

    /// Returns the number of the object with this description.
    pub(crate) fn object(&self, description: &str) -> u32 {
        self.lock().objects.number(description.into())
    }

    /// Adds a value to those that were put in an object, unless there are already `most`. Returns all of
    /// them; their positions are their numbers.
    pub(crate) fn add_value(&self, object: u32, value: &[u64], most: usize) -> Vec<Box<[u64]>> {
        let mut table = self.lock();
        let values = table.values.entry(object).or_default();
        if values.len() < most && !values.iter().any(|other| **other == *value) {
            values.push(value.into());
        }
        values.clone()
    }

    /// Returns all numbers as text.
    pub(crate) fn save(&self) -> String {
        let table = self.lock();
        let pairs = |pairs: &[(u32, u32)]| {
            let pairs: Vec<String> = pairs.iter().map(|(a, b)| format!("{a}:{b}")).collect();
            pairs.join(" ")
        };
        let texts = |texts: &[Box<str>]| {
            let hex =
                |text: &str| -> String { text.bytes().map(|byte| format!("{byte:02x}")).collect() };
            // An empty text is still a word.
            let texts: Vec<String> = texts.iter().map(|text| format!("-{}", hex(text))).collect();
            texts.join(" ")
        };
        let values = table.values.iter().map(|(object, values)| {
            let hex = |value: &[u64]| -> String {
                let words: Vec<String> = value.iter().map(|word| format!("{word:x}")).collect();
                words.join(",")
            };
            let values: Vec<String> = values.iter().map(|value| hex(value)).collect();
            format!("{object}:{}", values.join("/"))
        });
        let lines = [
            texts(&table.atoms.things),
            pairs(&table.processes.things),
            pairs(&table.messages.things),
            texts(&table.objects.things),
            values.collect::<Vec<String>>().join(" "),
        ];
        lines.join("\n")
    }

    /// Restores what [`save`](Self::save) returned. Returns `None` if the text is malformed.
    pub(crate) fn restore(&self, text: &str) -> Option<()> {
        let pairs = |line: &str| -> Option<Vec<(u32, u32)>> {
            let pair = |word: &str| {
                let (a, b) = word.split_once(':')?;
                Some((a.parse().ok()?, b.parse().ok()?))
            };
            line.split_whitespace().map(pair).collect()
        };
        let texts = |line: &str| -> Option<Vec<Box<str>>> {
            let text = |word: &str| {
                let hex = word.strip_prefix('-')?.as_bytes();
                let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
                let byte = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
                let bytes: Option<Vec<u8>> = hex.chunks(2).map(byte).collect();
                Some(String::from_utf8(bytes?).ok()?.into_boxed_str())
            };
            line.split_whitespace().map(text).collect()
        };
        let lines: Vec<&str> = text.split('\n').collect();
        let values = |line: &str| -> Option<BTreeMap<u32, Vec<Box<[u64]>>>> {
            let value = |value: &str| -> Option<Box<[u64]>> {
                value.split(',').map(|word| u64::from_str_radix(word, 16).ok()).collect()
            };
            let object = |word: &str| {
                let (object, values) = word.split_once(':')?;
                let values: Option<Vec<_>> = values.split('/').map(value).collect();
                Some((object.parse().ok()?, values?))
            };
            line.split_whitespace().map(object).collect()
        };
        let [atoms, processes, messages, objects, of_objects] = lines[..] else { return None };
        let mut table = self.lock();
        table.atoms.restore(texts(atoms)?.into_iter());
        table.processes.restore(pairs(processes)?.into_iter());
        table.messages.restore(pairs(messages)?.into_iter());
        table.objects.restore(texts(objects)?.into_iter());
        table.values = values(of_objects)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_machines_agree() {
        let common = CommonNumbers::default();
        assert_eq!(common.add_process(1, (0, 0)), (1, vec![(0, 0)]));
        assert_eq!(common.add_process(2, (1, 0)), (2, vec![(1, 0)]));
        // The other machine knows only the first process.
        assert_eq!(common.add_process(1, (1, 0)), (2, vec![(0, 0), (1, 0)]));
        assert_eq!([common.message(1, 4), common.message(0, 4), common.message(1, 4)], [0, 1, 0]);
    }

    #[test]
    fn numbers_are_restored() {
        let common = CommonNumbers::default();
        common.add_atom(0, "a\n b");
        common.add_atom(1, "");
        common.add_process(1, (0, 0));
        assert_eq!([common.object("Mailbox(1)"), common.object("Names")], [0, 1]);
        for value in [&[1, 1 << 40][..], &[2], &[1, 1 << 40], &[3]] {
            common.add_value(1, value, 2);
        }
        let values: Vec<Box<[u64]>> = vec![[1, 1 << 40].into(), [2].into()];
        assert_eq!(common.add_value(1, &[3], 2), values);
        let restored = CommonNumbers::default();
        assert_eq!(restored.restore(&common.save()), Some(()));
        assert_eq!(restored.save(), common.save());
        assert_eq!((restored.object("Names"), restored.message(0, 0)), (1, 0));
        assert_eq!(restored.add_value(1, &[3], 2), values);
        assert_eq!(restored.restore("no numbers"), None);
    }
}
