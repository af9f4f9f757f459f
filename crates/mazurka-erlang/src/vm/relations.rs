//! Links, monitors, aliases and timers: what processes are to each other.
//!
//! All of it is kept in maps that are terms, so that it is put back with the rest of a process's
//! local state.

use super::process::Pending;
use super::{Stop, Vm, badarg};
use crate::term::{Atom, Map, Term, atom};

/// A link or a monitor that is gone. The end of a process that comes earlier finds it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FormerRelation {
    Link(u32, u32),
    Monitor { watcher: u32, target: u32, reference: Term },
}

impl Vm {
    fn map(&self, term: Term) -> Map {
        Map::of(&self.heap, term).expect("relations are kept in maps")
    }

    pub(crate) fn lookup(&self, map: Term, key: Term) -> Option<Term> {
        self.map(map).get(&self.heap, &self.atoms, key)
    }

    pub(crate) fn with(&mut self, map: Term, key: Term, value: Term) -> Term {
        let map = self.map(map);
        map.put(&mut self.heap, &self.atoms, key, value).term()
    }

    pub(crate) fn without(&mut self, map: Term, key: Term) -> Term {
        let map = self.map(map);
        map.remove(&mut self.heap, &self.atoms, key).term()
    }

    pub(crate) fn keys(&self, map: Term) -> Vec<Term> {
        self.map(map).entries(&self.heap).into_iter().map(|(key, _)| key).collect()
    }

    pub(crate) fn add_link(&mut self, a: u32, b: u32) {
        for (one, other) in [(a, b), (b, a)] {
            let links = self.local(one).links;
            let links = self.with(links, Term::pid(other), Term::bool(true));
            self.local_mut(one).links = links;
        }
    }

    pub(crate) fn remove_link(&mut self, a: u32, b: u32) {
        let links = self.local(a).links;
        if self.lookup(links, Term::pid(b)).is_some() {
            self.lose_relation(FormerRelation::Link(a, b));
        }
        for (one, other) in [(a, b), (b, a)] {
            let links = self.local(one).links;
            let links = self.without(links, Term::pid(other));
            self.local_mut(one).links = links;
        }
    }

    /// Lets the running process watch another one, which is there. `object` is what the news
    /// calls it.
    pub(crate) fn add_monitor(
        &mut self,
        reference: Term,
        target: u32,
        object: Term,
        options: Option<Term>,
    ) -> Result<(), Stop> {
        let tag = self.monitor_options(reference, options)?;
        let me = self.current;
        let entry = self.heap.tuple(&[Term::pid(me), object, tag]);
        let watchers = self.local(target).watchers;
        let watchers = self.with(watchers, reference, entry);
        self.local_mut(target).watchers = watchers;
        let watched = self.local(me).watched;
        let watched = self.with(watched, reference, Term::pid(target));
        self.local_mut(me).watched = watched;
        Ok(())
    }

    /// Reads the options of a monitor: makes the alias that they ask for, and returns the tag of
    /// its message.
    pub(crate) fn monitor_options(
        &mut self,
        reference: Term,
        options: Option<Term>,
    ) -> Result<Term, Stop> {
        let mut tag = Term::atom(atom::DOWN);
        let options = options.map(|list| self.heap.elements_of_list(list).ok_or_else(badarg));
        for option in options.transpose()?.unwrap_or_default() {
            match self.heap.tuple_of::<2>(option) {
                Some([key, mode]) if key.is_atom(atom::ALIAS) => {
                    self.add_alias(reference, mode.as_atom().ok_or_else(badarg)?);
                }
                Some([key, value]) if key.is_atom(atom::TAG) => tag = value,
                _ => return Err(badarg()),
            }
        }
        Ok(tag)
    }

    pub(crate) fn add_alias(&mut self, reference: Term, mode: Atom) {
        let me = self.current;
        let aliases = self.local(me).aliases;
        let aliases = self.with(aliases, reference, Term::atom(mode));
        self.local_mut(me).aliases = aliases;
    }

    /// Takes an alias of a process away. Whether there was one.
    pub(crate) fn remove_alias(&mut self, process: u32, reference: Term) -> bool {
        let aliases = self.local(process).aliases;
        if self.lookup(aliases, reference).is_none() {
            return false;
        }
        let aliases = self.without(aliases, reference);
        self.local_mut(process).aliases = aliases;
        true
    }

    /// Takes a monitor of a process away, on both sides. Whether there was one.
    pub(crate) fn remove_monitor(&mut self, watcher: u32, reference: Term) -> bool {
        let watched = self.local(watcher).watched;
        let Some(target) = self.lookup(watched, reference).and_then(|target| target.as_pid())
        else {
            return false;
        };
        let watched = self.without(watched, reference);
        self.local_mut(watcher).watched = watched;
        let watchers = self.local(target).watchers;
        let watchers = self.without(watchers, reference);
        self.local_mut(target).watchers = watchers;
        self.lose_relation(FormerRelation::Monitor { watcher, target, reference });
        true
    }

    /// Starts a timer that was created. It goes off after so many milliseconds by its own clock, or
    /// never if time-outs that long never come.
    pub(crate) fn set_timer(&mut self, timer: u32, to: Term, message: Term, milliseconds: u64) {
        let times = self.times;
        let never = self.never_after.is_some_and(|never| milliseconds >= never.max(0) as u64);
        let local = &mut self.processes[timer as usize].local;
        local.pending = match never {
            true => Pending::Nothing,
            false => Pending::Fire { to, message },
        };
        if times {
            local.ticks += milliseconds;
        }
        self.note_change(timer);
    }

    /// Forgets the stack of the running process.
    pub(crate) fn hibernate(&mut self) {
        self.handlers = 0;
        self.shrink_stack(0);
        self.cp = 0;
    }
}
