//! The ids of threads and objects that all machines of a program share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::address::name_of;

/// The ids of threads and objects, in the order in which the machines of all workers met them.
///
/// A machine keeps the ids that it knows. It asks here only for those that it meets for the first
/// time, so that several machines give the same ids to the same threads and objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommonIds(Arc<Mutex<Table>>);

#[derive(Debug, Default)]
struct Table {
    /// The threads that each thread has created, by rank.
    children: Vec<Vec<u32>>,
    /// The number of threads; 0 stands for the main thread alone.
    threads: u32,
    /// The objects by what their addresses have in common.
    objects: HashMap<u64, u32>,
    /// The first address of each object, globals first.
    addresses: Vec<u64>,
}

impl CommonIds {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the thread that `parent` creates after it has created `rank` others.
    pub(crate) fn child(&self, parent: usize, rank: usize) -> usize {
        let mut table = self.lock();
        let Table { children, threads, .. } = &mut *table;
        if children.len() <= parent {
            children.resize_with(parent + 1, Vec::new);
        }
        let children = &mut children[parent];
        while children.len() <= rank {
            *threads += 1;
            children.push(*threads);
        }
        children[rank] as usize
    }

    /// Returns all ids as text: a line with the addresses of objects, and a line for each thread
    /// with the threads that it has created.
    pub(crate) fn save(&self) -> String {
        let table = self.lock();
        let words = |numbers: &mut dyn Iterator<Item = u64>| {
            numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
        };
        let mut text = words(&mut table.addresses.iter().copied());
        for children in &table.children {
            text.push('\n');
            text.push_str(&words(&mut children.iter().map(|child| u64::from(*child))));
        }
        text
    }

    /// Restores what [`save`](CommonIds::save) returned. Returns `None` if the text is malformed.
    pub(crate) fn restore(&self, text: &str) -> Option<()> {
        let numbers = |line: &str| -> Option<Vec<u64>> {
            line.split_whitespace().map(|word| word.parse().ok()).collect()
        };
        let mut lines = text.split('\n');
        let mut table = self.lock();
        table.addresses = numbers(lines.next()?)?;
        let numbered = table.addresses.iter().enumerate();
        table.objects =
            numbered.map(|(number, address)| (name_of(*address), number as u32)).collect();
        table.children.clear();
        for line in lines {
            let children = numbers(line)?.into_iter().map(|child| u32::try_from(child).ok());
            table.children.push(children.collect::<Option<_>>()?);
        }
        let mut threads: Vec<u32> = table.children.iter().flatten().copied().collect();
        table.threads = u32::try_from(threads.len()).ok()?;
        // Machines have a table of threads by their ids, so these must be the numbers from 1 on.
        threads.sort_unstable();
        threads.into_iter().eq(1..=table.threads).then_some(())
    }

    /// Gives the next id to the object at `address`, unless it has one. `known` are the first
    /// addresses of the objects that the machine knows. Returns those of the others.
    pub(crate) fn add_object(&self, known: &[u64], address: u64) -> Vec<u64> {
        let mut table = self.lock();
        let Table { objects, addresses, .. } = &mut *table;
        if addresses.len() < known.len() {
            // These are the globals, which all machines number alike.
            addresses.extend_from_slice(&known[addresses.len()..]);
        }
        let next = addresses.len() as u32;
        if *objects.entry(name_of(address)).or_insert(next) == next {
            addresses.push(address);
        }
        addresses[known.len()..].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::address::{HEAPS, address};

    #[test]
    fn two_machines_agree_on_threads() {
        let ids = CommonIds::default();
        assert_eq!([ids.child(0, 0), ids.child(0, 1)], [1, 2]);
        assert_eq!([ids.child(2, 0), ids.child(1, 0)], [3, 4]);
        assert_eq!([ids.child(1, 0), ids.child(2, 0), ids.child(0, 1)], [4, 3, 2]);
    }

    #[test]
    fn ids_are_restored() {
        let ids = CommonIds::default();
        assert_eq!([ids.child(0, 0), ids.child(0, 1), ids.child(2, 0)], [1, 2, 3]);
        let first = address(HEAPS, 1);
        assert_eq!(ids.add_object(&[10, 20], first), [first]);
        let restored = CommonIds::default();
        assert_eq!(restored.restore(&ids.save()), Some(()));
        assert_eq!(restored.save(), ids.save());
        assert_eq!([restored.child(2, 0), restored.child(1, 0)], [3, 4]);
        assert_eq!(restored.add_object(&[10, 20], first), [first]);
        assert_eq!(restored.restore("12 x"), None);
        assert_eq!(restored.restore("\n4000000000"), None, "no such thread");
    }

    #[test]
    fn two_machines_agree_on_objects() {
        let ids = CommonIds::default();
        let globals = [10, 20];
        let [first, second] = [address(HEAPS, 1), address(HEAPS + 1, 1)];
        assert_eq!(ids.add_object(&globals, first), [first]);
        // The other machine meets them in another order.
        assert_eq!(ids.add_object(&globals, second), [first, second]);
        assert_eq!(ids.add_object(&[10, 20, first], second), [second]);
    }
}
