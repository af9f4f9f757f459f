//! Maps.
//!
//! A small map is a sorted array of keys, then its values, as in the real thing. A larger one is a
//! tree that is balanced by weight, so that a change costs a path from its root and not a copy.
//! Either way the entries are in the order of their keys.

use std::cmp::Ordering;

use super::{Atoms, Heap, Kind, Term, compare_exact};

/// More entries than that make a tree.
const FLAT: usize = 32;

/// A term that is known to be a map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map(Term);

/// A node of a tree.
#[derive(Clone, Copy)]
struct Node {
    key: Term,
    value: Term,
    left: Term,
    right: Term,
}

impl Map {
    /// The map that a term is.
    pub(crate) fn of(heap: &Heap, term: Term) -> Option<Map> {
        let place = term.as_box()?;
        matches!(heap.header(place).0, Kind::Map | Kind::MapTree).then_some(Map(term))
    }

    pub(crate) fn term(self) -> Term {
        self.0
    }

    pub(crate) fn empty(heap: &mut Heap) -> Map {
        let place = heap.boxed(Kind::Map, 0);
        Map(heap.term_at(place))
    }

    fn flat(self, heap: &Heap) -> Option<(usize, usize)> {
        let place = self.0.as_box()?;
        let (kind, size) = heap.header(place);
        (kind == Kind::Map).then_some((place, size / 2))
    }

    fn root(self, heap: &Heap) -> Term {
        heap.word(self.0.as_box().expect("a map is boxed") + 1)
    }

    pub(crate) fn size(self, heap: &Heap) -> usize {
        match self.flat(heap) {
            Some((_, size)) => size,
            None => weight(heap, self.root(heap)),
        }
    }

    /// The value of a key.
    pub(crate) fn get(self, heap: &Heap, atoms: &Atoms, key: Term) -> Option<Term> {
        if let Some((place, size)) = self.flat(heap) {
            if key.as_box().is_none() && key.as_cons().is_none() {
                // Most keys are atoms: those are equal only if they are the same word.
                let found = (0..size).find(|i| heap.word(place + 1 + i) == key);
                return found.map(|i| heap.word(place + 1 + size + i));
            }
            let found = find_flat(heap, atoms, place, size, key).ok()?;
            return Some(heap.word(place + 1 + size + found));
        }
        let mut at = self.root(heap);
        while let Some(node) = node(heap, at) {
            match compare_exact(heap, atoms, key, node.key) {
                Ordering::Equal => return Some(node.value),
                Ordering::Less => at = node.left,
                Ordering::Greater => at = node.right,
            }
        }
        None
    }

    /// All entries, in the order of their keys.
    pub(crate) fn entries(self, heap: &Heap) -> Vec<(Term, Term)> {
        if let Some((place, size)) = self.flat(heap) {
            return (1..=size)
                .map(|i| (heap.word(place + i), heap.word(place + size + i)))
                .collect();
        }
        let mut entries = Vec::new();
        let mut above = Vec::new();
        let mut at = self.root(heap);
        loop {
            while let Some(node) = node(heap, at) {
                above.push(node);
                at = node.left;
            }
            let Some(node) = above.pop() else { return entries };
            entries.push((node.key, node.value));
            at = node.right;
        }
    }

    /// The map with an entry more, or another value for a key.
    pub(crate) fn put(self, heap: &mut Heap, atoms: &Atoms, key: Term, value: Term) -> Map {
        let Some((place, size)) = self.flat(heap) else {
            let root = insert(heap, atoms, self.root(heap), key, value);
            return Map::with_root(heap, root);
        };
        match find_flat(heap, atoms, place, size, key) {
            Ok(found) if heap.word(place + 1 + size + found) == value => self,
            Ok(found) => {
                let new = heap.boxed(Kind::Map, 2 * size);
                for i in 1..=2 * size {
                    let word = if i == 1 + size + found { value } else { heap.word(place + i) };
                    heap.push(word);
                }
                Map(heap.term_at(new))
            }
            Err(at) if size < FLAT => {
                let new = heap.boxed(Kind::Map, 2 * size + 2);
                for (start, extra) in [(1, key), (1 + size, value)] {
                    for i in 0..=size {
                        let word = match i.cmp(&at) {
                            Ordering::Less => heap.word(place + start + i),
                            Ordering::Equal => extra,
                            Ordering::Greater => heap.word(place + start + i - 1),
                        };
                        heap.push(word);
                    }
                }
                Map(heap.term_at(new))
            }
            Err(_) => {
                let entries = self.entries(heap);
                let root = build(heap, &entries);
                let root = insert(heap, atoms, root, key, value);
                Map::with_root(heap, root)
            }
        }
    }

    /// The map without a key.
    pub(crate) fn remove(self, heap: &mut Heap, atoms: &Atoms, key: Term) -> Map {
        if self.get(heap, atoms, key).is_none() {
            return self;
        }
        if self.flat(heap).is_none() && self.size(heap) > FLAT + 1 {
            let root = delete(heap, atoms, self.root(heap), key);
            return Map::with_root(heap, root);
        }
        let mut entries = self.entries(heap);
        entries.retain(|(k, _)| compare_exact(heap, atoms, *k, key) != Ordering::Equal);
        Map::of_sorted(heap, &entries)
    }

    /// The map of these entries; of two with the same key, the last one counts.
    pub(crate) fn of_entries(
        heap: &mut Heap,
        atoms: &Atoms,
        mut entries: Vec<(Term, Term)>,
    ) -> Map {
        entries.sort_by(|a, b| compare_exact(heap, atoms, a.0, b.0));
        let mut unique: Vec<(Term, Term)> = Vec::with_capacity(entries.len());
        for entry in entries {
            match unique.last_mut() {
                Some(last) if compare_exact(heap, atoms, last.0, entry.0).is_eq() => *last = entry,
                _ => unique.push(entry),
            }
        }
        Map::of_sorted(heap, &unique)
    }

    /// The map of these entries, which are in order.
    pub(crate) fn of_sorted(heap: &mut Heap, entries: &[(Term, Term)]) -> Map {
        if entries.len() > FLAT {
            let root = build(heap, entries);
            return Map::with_root(heap, root);
        }
        let place = heap.boxed(Kind::Map, 2 * entries.len());
        entries.iter().for_each(|(key, _)| heap.push(*key));
        entries.iter().for_each(|(_, value)| heap.push(*value));
        Map(heap.term_at(place))
    }

    fn with_root(heap: &mut Heap, root: Term) -> Map {
        let place = heap.boxed(Kind::MapTree, 1);
        heap.push(root);
        Map(heap.term_at(place))
    }
}

/// Where a key is among those of a small map, or where it would be.
fn find_flat(
    heap: &Heap,
    atoms: &Atoms,
    place: usize,
    size: usize,
    key: Term,
) -> Result<usize, usize> {
    let (mut low, mut high) = (0, size);
    while low < high {
        let middle = (low + high) / 2;
        match compare_exact(heap, atoms, heap.word(place + 1 + middle), key) {
            Ordering::Equal => return Ok(middle),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    Err(low)
}

fn node(heap: &Heap, at: Term) -> Option<Node> {
    let place = heap.as_kind(at, Kind::MapNode)?;
    let [key, value, left, right] = std::array::from_fn(|i| heap.word(place + 2 + i));
    Some(Node { key, value, left, right })
}

fn weight(heap: &Heap, at: Term) -> usize {
    heap.as_kind(at, Kind::MapNode).map_or(0, |place| heap.raw(place + 1) as usize)
}

fn make(heap: &mut Heap, node: Node) -> Term {
    let size = weight(heap, node.left) + weight(heap, node.right) + 1;
    let place = heap.boxed(Kind::MapNode, 5);
    heap.push_raw(size as u64);
    for word in [node.key, node.value, node.left, node.right] {
        heap.push(word);
    }
    heap.term_at(place)
}

fn build(heap: &mut Heap, entries: &[(Term, Term)]) -> Term {
    if entries.is_empty() {
        return Term::NIL;
    }
    let middle = entries.len() / 2;
    let left = build(heap, &entries[..middle]);
    let right = build(heap, &entries[middle + 1..]);
    let (key, value) = entries[middle];
    make(heap, Node { key, value, left, right })
}

/// Makes a node whose subtrees may differ in weight by one entry too many.
fn balance(heap: &mut Heap, at: Node) -> Term {
    let (left, right) = (weight(heap, at.left), weight(heap, at.right));
    if left + right < 2 {
        return make(heap, at);
    }
    if right > 3 * left {
        let Some(child) = node(heap, at.right) else { return make(heap, at) };
        if weight(heap, child.left) < 2 * weight(heap, child.right) {
            let left = make(heap, Node { right: child.left, ..at });
            return make(heap, Node { left, ..child });
        }
        if let Some(middle) = node(heap, child.left) {
            let left = make(heap, Node { right: middle.left, ..at });
            let right = make(heap, Node { left: middle.right, ..child });
            return make(heap, Node { left, right, ..middle });
        }
    } else if left > 3 * right {
        let Some(child) = node(heap, at.left) else { return make(heap, at) };
        if weight(heap, child.right) < 2 * weight(heap, child.left) {
            let right = make(heap, Node { left: child.right, ..at });
            return make(heap, Node { right, ..child });
        }
        if let Some(middle) = node(heap, child.right) {
            let right = make(heap, Node { left: middle.right, ..at });
            let left = make(heap, Node { right: middle.left, ..child });
            return make(heap, Node { left, right, ..middle });
        }
    }
    make(heap, at)
}

fn insert(heap: &mut Heap, atoms: &Atoms, at: Term, key: Term, value: Term) -> Term {
    let Some(here) = node(heap, at) else {
        return make(heap, Node { key, value, left: Term::NIL, right: Term::NIL });
    };
    match compare_exact(heap, atoms, key, here.key) {
        Ordering::Equal => make(heap, Node { value, ..here }),
        Ordering::Less => {
            let left = insert(heap, atoms, here.left, key, value);
            balance(heap, Node { left, ..here })
        }
        Ordering::Greater => {
            let right = insert(heap, atoms, here.right, key, value);
            balance(heap, Node { right, ..here })
        }
    }
}

fn delete(heap: &mut Heap, atoms: &Atoms, at: Term, key: Term) -> Term {
    let Some(here) = node(heap, at) else { return at };
    match compare_exact(heap, atoms, key, here.key) {
        Ordering::Less => {
            let left = delete(heap, atoms, here.left, key);
            balance(heap, Node { left, ..here })
        }
        Ordering::Greater => {
            let right = delete(heap, atoms, here.right, key);
            balance(heap, Node { right, ..here })
        }
        Ordering::Equal => match node(heap, here.right) {
            None => here.left,
            Some(_) => {
                let (first, right) = take_first(heap, here.right);
                balance(heap, Node { key: first.0, value: first.1, right, ..here })
            }
        },
    }
}

/// Takes the first entry out of a tree that has one.
fn take_first(heap: &mut Heap, at: Term) -> ((Term, Term), Term) {
    let here = node(heap, at).expect("the tree is not empty");
    match node(heap, here.left) {
        None => ((here.key, here.value), here.right),
        Some(_) => {
            let (first, left) = take_first(heap, here.left);
            (first, balance(heap, Node { left, ..here }))
        }
    }
}
