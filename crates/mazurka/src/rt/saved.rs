//! What a program has learnt, as bytes: for searches that are saved, and continued by another process.
//!
//! Places in the source are identified by addresses in the test binary. The binary may be loaded elsewhere in
//! another process, so what is saved is their distance from an address of this crate. A checkpoint is
//! accepted only by the same binary.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard};

use mazurka_core::wire::{Malformed, Reader, Wire};

use super::awaits::Found;
use super::names::Names;
use super::program::Lessons;
use super::resources::{Creator, Scrutiny};

static ANCHOR: u8 = 0;

fn anchor() -> usize {
    std::ptr::from_ref(&ANCHOR) as usize
}

/// Returns a number for a site that is the same in every process of the binary.
pub(super) fn place_of(site: usize) -> u64 {
    site.wrapping_sub(anchor()) as u64
}

/// Returns the site with this number in the current process.
pub(super) fn site_of(place: u64) -> usize {
    (place as usize).wrapping_add(anchor())
}

impl Wire for Scrutiny {
    fn write(&self, to: &mut Vec<u8>) {
        matches!(self, Scrutiny::Looks).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(match bool::read(from)? {
            true => Scrutiny::Looks,
            false => Scrutiny::Destructor,
        })
    }
}

impl Wire for Creator {
    fn write(&self, to: &mut Vec<u8>) {
        let (file, line, column) = self.place();
        (file.to_owned(), line, column).write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (file, line, column): (String, u32, u32) = Wire::read(from)?;
        Ok(Creator::Saved { file: file.into(), line, column })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the bytes of what has been learnt, and of the names that the machines have in common.
pub(super) fn save(lessons: &Lessons, names: &Names) -> Vec<u8> {
    let mut bytes = Vec::new();
    let to = &mut bytes;
    lessons.departures.load(Relaxed).write(to);
    lessons.twins_are_apart.load(Relaxed).write(to);
    let places = |sites: &Mutex<Vec<usize>>| -> Vec<u64> {
        lock(sites).iter().map(|site| place_of(*site)).collect()
    };
    places(&lessons.plural_sites).write(to);
    places(&lessons.loops).write(to);
    let (mut awaits, mut strict) = (Vec::new(), Vec::new());
    for found in &*lessons.lock_awaits() {
        match found {
            Found::Await(site) => awaits.push(place_of(*site)),
            Found::Strict(site) => strict.push(place_of(*site)),
        }
    }
    (awaits, strict).write(to);
    lock(&lessons.counts).write(to);
    names.write(to);
    bytes
}

/// Restores what has been learnt. Returns the names, or `None` if the bytes are malformed.
pub(super) fn restore(lessons: &Lessons, saved: &[u8]) -> Option<Names> {
    let from = &mut Reader(saved);
    let (departures, are_apart): (u8, bool) = Wire::read(from).ok()?;
    let (plural_sites, loops): (Vec<u64>, Vec<u64>) = Wire::read(from).ok()?;
    let (awaits, strict): (Vec<u64>, Vec<u64>) = Wire::read(from).ok()?;
    let (counts, names) = Wire::read(from).ok()?;
    if !from.0.is_empty() {
        return None;
    }
    lessons.departures.store(departures, Relaxed);
    lessons.twins_are_apart.store(are_apart, Relaxed);
    let sites = |places: Vec<u64>| places.into_iter().map(site_of).collect();
    *lock(&lessons.plural_sites) = sites(plural_sites);
    *lock(&lessons.loops) = sites(loops);
    let awaits = awaits.into_iter().map(|place| Found::Await(site_of(place)));
    let strict = strict.into_iter().map(|place| Found::Strict(site_of(place)));
    *lessons.lock_awaits() = awaits.chain(strict).collect();
    *lock(&lessons.counts) = counts;
    Some(names)
}
