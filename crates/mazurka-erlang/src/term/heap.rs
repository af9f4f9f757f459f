//! Where terms are that need more than a word.

use super::number::Number;
use super::{Atom, Bits, Lineage, Term};

/// What a boxed term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Its elements.
    Tuple,
    /// The bits of a float.
    Float,
    /// The sign (0 or 1), then the digits of an integer, least significant first.
    Big,
    /// First bit and number of bits in the heap's bytes.
    Bits,
    /// The keys in order, then the values.
    Map,
    /// A larger map: the root of its tree.
    MapTree,
    /// Of such a tree: size, key, value, left, right.
    MapNode,
    /// The number of a function, then what it has closed over.
    Fun,
    /// Module, name and arity of a function that is called by name.
    Export,
    /// Who made it, and its number there.
    Ref,
    /// The position of a match in a bit string, and its end. This changes.
    Match,
}

const KINDS: [Kind; 11] = [
    Kind::Tuple,
    Kind::Float,
    Kind::Big,
    Kind::Bits,
    Kind::Map,
    Kind::MapTree,
    Kind::MapNode,
    Kind::Fun,
    Kind::Export,
    Kind::Ref,
    Kind::Match,
];

/// How much there is in a heap: what to go back to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) words: usize,
    pub(crate) bytes: usize,
}

/// A heap that grows until it is cut off.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    words: Vec<u64>,
    /// What bit strings are made of.
    pub(crate) bytes: Vec<u8>,
    /// Below this everything stays: literals of modules that have been loaded.
    floor: Extent,
    /// Where processes come from, which orders them.
    pub(crate) lineage: Lineage,
}

impl Heap {
    pub(crate) fn extent(&self) -> Extent {
        Extent { words: self.words.len(), bytes: self.bytes.len() }
    }

    /// Cuts off what has come since.
    pub(crate) fn truncate(&mut self, to: Extent) {
        self.words.truncate(to.words.max(self.floor.words));
        self.bytes.truncate(to.bytes.max(self.floor.bytes));
    }

    /// Keeps all terms that exist now permanently.
    pub(crate) fn keep_all(&mut self) {
        self.floor = self.extent();
    }

    // ---- making terms

    #[inline]
    pub(crate) fn cons(&mut self, head: Term, tail: Term) -> Term {
        let place = self.words.len();
        self.words.extend_from_slice(&[head.bits(), tail.bits()]);
        Term::cons_at(place)
    }

    #[inline]
    pub(crate) fn boxed(&mut self, kind: Kind, size: usize) -> usize {
        let place = self.words.len();
        self.words.push(((size as u64) << 8) | kind as u64);
        place
    }

    #[inline]
    pub(crate) fn push(&mut self, word: Term) {
        self.words.push(word.bits());
    }

    #[inline]
    pub(crate) fn push_raw(&mut self, word: u64) {
        self.words.push(word);
    }

    #[inline]
    pub(crate) fn tuple(&mut self, elements: &[Term]) -> Term {
        let place = self.boxed(Kind::Tuple, elements.len());
        self.words.extend(elements.iter().map(|element| element.bits()));
        Term::boxed_at(place)
    }

    pub(crate) fn term_at(&self, place: usize) -> Term {
        Term::boxed_at(place)
    }

    pub(crate) fn list(&mut self, elements: &[Term]) -> Term {
        self.list_with_tail(elements, Term::NIL)
    }

    pub(crate) fn list_with_tail(&mut self, elements: &[Term], tail: Term) -> Term {
        elements.iter().rev().fold(tail, |tail, head| self.cons(*head, tail))
    }

    pub(crate) fn float(&mut self, value: f64) -> Term {
        let place = self.boxed(Kind::Float, 1);
        self.words.push(value.to_bits());
        Term::boxed_at(place)
    }

    pub(crate) fn integer(&mut self, value: i64) -> Term {
        Term::small(value).unwrap_or_else(|| Number::from(value).into_term(self))
    }

    pub(crate) fn reference(&mut self, process: u32, number: u32) -> Term {
        let place = self.boxed(Kind::Ref, 1);
        self.words.push((u64::from(process) << 32) | u64::from(number));
        Term::boxed_at(place)
    }

    pub(crate) fn export(&mut self, module: Atom, name: Atom, arity: u32) -> Term {
        let place = self.boxed(Kind::Export, 3);
        let words = [Term::atom(module), Term::atom(name), Term::int(arity.into())];
        self.words.extend(words.map(Term::bits));
        Term::boxed_at(place)
    }

    pub(crate) fn bits(&mut self, bits: Bits) -> Term {
        let place = self.boxed(Kind::Bits, 2);
        self.words.extend_from_slice(&[bits.start, bits.len]);
        Term::boxed_at(place)
    }

    /// A binary of these bytes.
    pub(crate) fn binary(&mut self, bytes: &[u8]) -> Term {
        let start = self.bytes.len() as u64 * 8;
        self.bytes.extend_from_slice(bytes);
        self.bits(Bits { start, len: bytes.len() as u64 * 8 })
    }

    /// A list of the characters of a text.
    pub(crate) fn string(&mut self, text: &str) -> Term {
        let tail = Term::NIL;
        text.chars().rev().fold(tail, |tail, c| self.cons(Term::int(c as i64), tail))
    }

    // ---- looking at terms

    #[inline]
    pub(crate) fn word(&self, place: usize) -> Term {
        Term::from_bits(self.words[place])
    }

    #[inline]
    pub(crate) fn raw(&self, place: usize) -> u64 {
        self.words[place]
    }

    /// Changes a word. Only for what is not shared, or is put back.
    #[inline]
    pub(crate) fn set_raw(&mut self, place: usize, word: u64) {
        self.words[place] = word;
    }

    #[inline]
    pub(crate) fn head(&self, cons: usize) -> Term {
        self.word(cons)
    }

    #[inline]
    pub(crate) fn tail(&self, cons: usize) -> Term {
        self.word(cons + 1)
    }

    /// What the box at a place is, and how many words follow.
    #[inline]
    pub(crate) fn header(&self, place: usize) -> (Kind, usize) {
        let header = self.words[place];
        (KINDS[(header & 255) as usize], (header >> 8) as usize)
    }

    #[inline]
    pub(crate) fn is_kind(&self, term: Term, kind: Kind) -> bool {
        self.as_kind(term, kind).is_some()
    }

    /// The place of a box, if the term is one of that kind.
    #[inline]
    pub(crate) fn as_kind(&self, term: Term, kind: Kind) -> Option<usize> {
        let place = term.as_box()?;
        (self.words[place] & 255 == kind as u64).then_some(place)
    }

    /// The arity of a tuple.
    #[inline]
    pub(crate) fn arity(&self, term: Term) -> Option<usize> {
        self.as_kind(term, Kind::Tuple).map(|place| self.header(place).1)
    }

    /// An element of what is known to be a tuple, from 0.
    #[inline]
    pub(crate) fn element(&self, tuple: Term, index: usize) -> Term {
        let place = tuple.as_box().expect("a tuple is boxed");
        self.word(place + 1 + index)
    }

    /// The elements of a tuple.
    pub(crate) fn elements(&self, tuple: Term) -> Option<Vec<Term>> {
        let place = self.as_kind(tuple, Kind::Tuple)?;
        let (_, arity) = self.header(place);
        Some((0..arity).map(|i| self.word(place + 1 + i)).collect())
    }

    /// The elements of a tuple of that arity.
    #[inline]
    pub(crate) fn tuple_of<const N: usize>(&self, tuple: Term) -> Option<[Term; N]> {
        let place = self.as_kind(tuple, Kind::Tuple)?;
        (self.header(place).1 == N).then(|| std::array::from_fn(|i| self.word(place + 1 + i)))
    }

    pub(crate) fn as_float(&self, term: Term) -> Option<f64> {
        self.as_kind(term, Kind::Float).map(|place| f64::from_bits(self.words[place + 1]))
    }

    pub(crate) fn as_bits(&self, term: Term) -> Option<Bits> {
        let place = self.as_kind(term, Kind::Bits)?;
        Some(Bits { start: self.words[place + 1], len: self.words[place + 2] })
    }

    /// Who made a reference, and which of its references it is.
    pub(crate) fn as_ref(&self, term: Term) -> Option<(u32, u32)> {
        let word = self.words[self.as_kind(term, Kind::Ref)? + 1];
        Some(((word >> 32) as u32, word as u32))
    }

    /// The elements of a proper list.
    pub(crate) fn elements_of_list(&self, list: Term) -> Option<Vec<Term>> {
        let mut elements = Vec::new();
        let end = self.walk(list, |element| elements.push(element));
        end.is_nil().then_some(elements)
    }

    /// Calls `visit` with each element of a list, and returns what comes after the last.
    #[inline]
    pub(crate) fn walk(&self, list: Term, mut visit: impl FnMut(Term)) -> Term {
        let mut rest = list;
        while let Some(cons) = rest.as_cons() {
            visit(self.head(cons));
            rest = self.tail(cons);
        }
        rest
    }
}
