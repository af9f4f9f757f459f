//! Sections of the state: the globals and each of the threads, with the objects that are found from there.
//!
//! An object belongs to the first section from which it can be reached, the globals being the first of
//! all, and its name is how many-eth it is that is found there. So what a section looks like depends only
//! on the sections before it, and on nothing in these but which objects they have.

use mazurka_core::model::Digest;

use super::contents::Contents;
use super::names::{Given, Name, Names};
use super::pieces::{self, LONGEST, Pieces, User};
use super::threads::Roots;
use crate::memory::address::{GLOBALS, address_of_name, leads_to_object, table_of, without_object};
use crate::memory::{CONSTANT, LIVE, Memory, Object};

/// The section of the globals. Those of the threads follow.
pub(super) const OF_GLOBALS: usize = 0;

/// Stands for a thread that has not changed.
pub(super) const UNCHANGED: u32 = u32::MAX;

/// What tells the kinds of parts apart.
const GLOBAL: u64 = 1;
const MEMBER: u64 = 2;
const ROOT: u64 = 3;

/// A piece of an object, or an object of which nothing is left.
struct Part {
    piece: u32,
    /// The digest of what goes before the contents.
    seed: Digest,
    /// What it adds to the digest of its section.
    value: Digest,
    /// Where its contents are among the words of the section.
    at: usize,
}

/// One section.
#[derive(Default)]
pub(super) struct Section {
    /// What there is of the thread besides memory.
    pub(super) roots: Roots,
    /// The objects that the roots lead to, and what these are called.
    edges: Vec<u64>,
    edge_names: Vec<u64>,
    /// The objects that were found from here, in that order.
    members: Vec<u64>,
    parts: Vec<Part>,
    /// The sum of what parts and roots add.
    parts_sum: Digest,
    roots_sum: Digest,
    /// The parts, in words.
    words: Vec<u64>,
    /// Whether something here leads to objects of sections before this.
    pub(super) needs_others: bool,
    /// Whether objects are to be looked for again.
    pub(super) is_stale: bool,
    /// The thread may have changed, and its frames that start here or later, unless this is
    /// [`UNCHANGED`].
    pub(super) changed_from: u32,
}

impl Section {
    /// A section of which nothing is known yet.
    pub(super) fn unknown() -> Self {
        Section { is_stale: true, changed_from: 0, ..Section::default() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.roots.get().is_empty() && self.parts.is_empty()
    }

    pub(super) fn digest(&self) -> Digest {
        let mut digest = self.parts_sum;
        digest.include(self.roots_sum);
        digest
    }

    pub(super) fn write(&self, words: &mut Vec<u64>) {
        for part in [&self.roots.words, &self.edge_names, &self.words] {
            words.push(part.len() as u64);
            words.extend_from_slice(part);
        }
    }

    /// Takes note of what the roots lead to now; says whether that is the same as before.
    pub(super) fn compare_edges(&mut self) -> bool {
        let mut known = &self.edges[..];
        let is_same = self.roots.get().iter().all(|root| {
            let rest = known.strip_prefix(&root.contents.edges[..]);
            known = rest.unwrap_or_default();
            rest.is_some()
        });
        if is_same && known.is_empty() {
            return true;
        }
        self.edges.clear();
        for root in self.roots.get() {
            self.edges.extend_from_slice(&root.contents.edges);
        }
        false
    }

    /// Finds what the roots add to the digest, from the `first` on.
    pub(super) fn value_roots(&mut self, section: usize, first: usize, names: &Names) {
        self.roots_sum = Digest::default();
        for (index, root) in self.roots.get_mut().iter_mut().enumerate() {
            if index >= first {
                let mut seed = Digest::of(ROOT);
                seed.add((section as u64) << 32 | index as u64);
                root.value = names.value(seed, &root.contents);
            }
            self.roots_sum.include(root.value);
        }
    }

    /// The contents of a part have changed, though not which objects they lead to.
    pub(super) fn renew_part(
        &mut self,
        part: usize,
        contents: &Contents,
        (memory, words): (&Memory, &[u64]),
        names: &Names,
    ) {
        let part = &mut self.parts[part];
        self.parts_sum.exclude(part.value);
        part.value = names.value(part.seed, contents);
        self.parts_sum.include(part.value);
        for (to, word) in self.words[part.at..].iter_mut().zip(words) {
            *to = without_objects(memory, *word);
        }
    }

    /// Finds all objects of the section anew; says whether they are the same as before.
    pub(super) fn find_objects(&mut self, mut search: Search<'_>) -> bool {
        self.parts_sum = Digest::default();
        self.needs_others = false;
        self.words.clear();
        for (index, part) in self.parts.drain(..).enumerate() {
            search.give_up(part.piece, index);
        }
        search.before.clear();
        std::mem::swap(search.before, &mut self.members);
        for object in search.before.iter() {
            search.names.take(*object, search.section);
        }
        if search.section as usize == OF_GLOBALS {
            let globals = search.memory.objects(GLOBALS).iter().enumerate();
            for (index, object) in
                globals.filter(|(_, object)| object.flags & (CONSTANT | LIVE) == LIVE)
            {
                let mut seed = Digest::of(GLOBAL);
                seed.add(index as u64);
                self.add_object(&mut search, seed, object);
            }
        }
        let edges = std::mem::take(&mut self.edges);
        self.edge_names.clear();
        for edge in &edges {
            self.needs_others |= search.find(*edge, &mut self.members);
            self.edge_names.push(search.names.word(*edge));
        }
        self.edges = edges;
        let mut next = 0;
        while let Some(object) = self.members.get(next).copied() {
            self.add_member(&mut search, next as u64, address_of_name(object));
            next += 1;
        }
        *search.before == self.members
    }

    /// Adds an object that was found.
    fn add_member(&mut self, search: &mut Search<'_>, index: u64, address: u64) {
        // Who owns it decides who sees it.
        let (owner, memory) = (table_of(address) as u64, search.memory);
        let object = memory.object_at(address);
        let about = object.map_or(u64::MAX, |object| match object.flags & LIVE {
            // A report of its use says where it was allocated and freed.
            0 => !(u64::from(object.freed) << 32 | u64::from(object.site)),
            _ => u64::from(object.size) << 8 | u64::from(object.flags),
        });
        let mut seed = Digest::of(MEMBER);
        seed.add(u64::from(search.section) << 32 | index);
        seed.add(owner);
        seed.add(about);
        self.words.extend([owner, about]);
        match object {
            Some(object) if object.flags & LIVE != 0 && object.size > 0 => {
                self.add_object(search, seed, object);
            }
            _ => self.add_part(pieces::NONE, seed, seed.spread()),
        }
    }

    /// Adds the pieces of an object.
    fn add_object(&mut self, search: &mut Search<'_>, seed: Digest, object: &Object) {
        let mut start = object.word;
        for (index, words) in search.memory.contents(object).chunks(LONGEST).enumerate() {
            let mut seed = seed;
            seed.add(index as u64);
            let id = search.pieces.at(search.memory, start, words);
            start += words.len() as u32;
            let piece = search.pieces.get_mut(id);
            piece.user = Some(User { section: search.section, part: self.parts.len() as u32 });
            // Taken out while the search goes on, and put back.
            let contents = std::mem::take(&mut piece.contents);
            for edge in &contents.edges {
                self.needs_others |= search.find(*edge, &mut self.members);
            }
            self.add_part(id, seed, search.names.value(seed, &contents));
            self.words.extend(words.iter().map(|word| without_objects(search.memory, *word)));
            self.words.extend(contents.edges.iter().map(|edge| search.names.word(*edge)));
            search.pieces.get_mut(id).contents = contents;
        }
    }

    fn add_part(&mut self, piece: u32, seed: Digest, value: Digest) {
        self.parts_sum.include(value);
        self.parts.push(Part { piece, seed, value, at: self.words.len() });
    }
}

/// A word as it is written down: an address without the object.
fn without_objects(memory: &Memory, word: u64) -> u64 {
    if leads_to_object(word) { without_object(memory.offset_of(word)) } else { word }
}

/// What is needed to find the objects of a section.
pub(super) struct Search<'a> {
    pub(super) section: u32,
    pub(super) memory: &'a Memory,
    pub(super) names: &'a mut Names,
    pub(super) pieces: &'a mut Pieces,
    /// The sections behind it.
    pub(super) later: &'a mut [Section],
    /// The objects that the section had before. Kept to be used again.
    pub(super) before: &'a mut Vec<u64>,
}

impl Search<'_> {
    /// Something leads to an object; says whether that was found from a section before.
    #[inline]
    fn find(&mut self, object: u64, members: &mut Vec<u64>) -> bool {
        let name = Name { section: self.section, index: members.len() as u32 };
        match self.names.give(object, name) {
            Given::Before(section) => return section < self.section,
            Given::Now => {}
            Given::InsteadOf(loser) => {
                self.later[(loser - self.section) as usize - 1].is_stale = true;
            }
        }
        members.push(object);
        false
    }

    /// The section does not use a piece any more, of which it was a part.
    fn give_up(&mut self, piece: u32, part: usize) {
        if piece != pieces::NONE {
            let piece = self.pieces.get_mut(piece);
            let user = User { section: self.section, part: part as u32 };
            piece.user = piece.user.filter(|now| *now != user);
        }
    }
}
