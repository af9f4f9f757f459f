//! Arrays.

use std::sync::Arc;

use mazurka::sync::Mutex;
use mazurka::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use super::spawn_with;

pub(super) fn lastzero(n: usize) {
    let array: Arc<Vec<AtomicUsize>> = Arc::new((0..=n).map(|_| AtomicUsize::new(0)).collect());
    spawn_with(&array, |array| {
        let mut last = array.len() - 1;
        while array[last].load(SeqCst) != 0 {
            last -= 1;
        }
    });
    for j in 1..=n {
        spawn_with(&array, move |array| array[j].store(array[j - 1].load(SeqCst) + 1, SeqCst));
    }
}

const CELLS: usize = 128;
const VALUES: usize = 4;

pub(super) fn indexer(n: usize) {
    let table: Arc<[Mutex<Option<usize>>; CELLS]> =
        Arc::new(std::array::from_fn(|_| Mutex::new(None)));
    table.iter().for_each(Mutex::introduce);
    for id in 0..n {
        spawn_with(&table, move |table| {
            for k in 1..=VALUES {
                insert(table, 11 * k + id);
            }
        });
    }
}

fn insert(table: &[Mutex<Option<usize>>; CELLS], value: usize) {
    let mut cell = 7 * value % CELLS;
    while !set_if_empty(&table[cell], value) {
        cell = (cell + 1) % CELLS;
    }
}

/// Two threads may insert the same value: that is a collision too.
fn set_if_empty(cell: &Mutex<Option<usize>>, value: usize) -> bool {
    let mut cell = cell.lock().unwrap();
    if cell.is_none() {
        *cell = Some(value);
        return true;
    }
    false
}
