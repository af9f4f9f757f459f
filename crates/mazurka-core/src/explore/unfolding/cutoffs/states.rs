//! States that events lead to, by number.
//!
//! States are looked up by their fingerprints. If a machine can write its states down, states with equal
//! fingerprints are compared, so that a collision cuts nothing off.

use crate::model::Machine;
use rustc_hash::FxHashMap;

/// A state, by the order in which it was first met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StateId(u32);

impl StateId {
    /// No state: the end of a list.
    const NONE: StateId = StateId(u32::MAX);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How many words of states are kept for comparison: half a gigabyte. States beyond that are known by
/// their fingerprints alone, so that the check can complete.
const MOST_WORDS: usize = 1 << 26;

/// All states that are known.
#[derive(Debug)]
pub(crate) struct States {
    /// For each fingerprint the last state that has it.
    by_fingerprint: FxHashMap<u128, StateId>,
    states: Vec<State>,
    /// Numbers that are not in use.
    free: Vec<StateId>,
    /// How many words are kept.
    kept: usize,
    /// Whether states are known by their fingerprints alone, since too many words are kept.
    is_brief: bool,
    words: Vec<u64>,
}

#[derive(Clone, Debug)]
struct State {
    /// What the machine wrote; empty if it does not write states, or too many words are kept.
    words: Box<[u64]>,
    /// The previous state with the same fingerprint.
    next: StateId,
}

impl States {
    pub(crate) fn new() -> Self {
        States {
            by_fingerprint: FxHashMap::default(),
            states: Vec::new(),
            free: Vec::new(),
            kept: 0,
            is_brief: false,
            words: Vec::new(),
        }
    }

    /// Returns how many states are known.
    pub(crate) fn len(&self) -> usize {
        self.states.len() - self.free.len()
    }

    /// Returns the state that a machine is in, if it can tell.
    pub(crate) fn of(&mut self, machine: &dyn Machine) -> Option<StateId> {
        self.words.clear();
        let fingerprint = match self.is_brief {
            true => machine.fingerprint()?,
            false => machine.write_state(&mut self.words)?,
        };
        let first = self.by_fingerprint.get(&fingerprint).copied().unwrap_or(StateId::NONE);
        let mut known = first;
        while known != StateId::NONE {
            let State { words, next } = &self.states[known.index()];
            // Without words, equal fingerprints count as equal states.
            if words.is_empty() || self.words.is_empty() || **words == *self.words {
                return Some(known);
            }
            known = *next;
        }
        let state = State { words: self.words.as_slice().into(), next: first };
        self.kept += state.words.len();
        self.is_brief = self.kept > MOST_WORDS;
        let id = self.put(state);
        self.by_fingerprint.insert(fingerprint, id);
        Some(id)
    }

    fn put(&mut self, state: State) -> StateId {
        match self.free.pop() {
            Some(id) => {
                self.states[id.index()] = state;
                id
            }
            None => {
                self.states.push(state);
                StateId(self.states.len() as u32 - 1)
            }
        }
    }

    /// Forgets all states but these.
    pub(crate) fn retain(&mut self, kept: impl Iterator<Item = StateId>) {
        let mut is_kept = vec![false; self.states.len()];
        kept.for_each(|state| is_kept[state.index()] = true);
        let states = &mut self.states;
        self.by_fingerprint.retain(|_, first| {
            // Remove the others from the list of states with the same fingerprint.
            while *first != StateId::NONE && !is_kept[first.index()] {
                *first = states[first.index()].next;
            }
            let mut last = *first;
            while last != StateId::NONE {
                let mut next = states[last.index()].next;
                while next != StateId::NONE && !is_kept[next.index()] {
                    next = states[next.index()].next;
                }
                states[last.index()].next = next;
                last = next;
            }
            *first != StateId::NONE
        });
        self.free.clear();
        for (index, is_kept) in is_kept.into_iter().enumerate() {
            if !is_kept {
                self.states[index].words = Box::default();
                self.free.push(StateId(index as u32));
            }
        }
        self.kept = self.states.iter().map(|state| state.words.len()).sum();
        self.is_brief = self.kept > MOST_WORDS;
    }
}
