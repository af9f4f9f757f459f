//! Terms.
//!
//! A term is one word: a small integer, an atom, a process or the empty list itself, or the place
//! of something larger in the [heap](Heap). The heap only grows while an execution goes on, and
//! what is in it is not changed: so terms are shared freely, between processes and between the
//! states of one execution, and going back to an earlier state is to cut the heap off.

mod atoms;
mod bits;
mod common;
mod elixir;
mod etf;
mod hash;
mod heap;
mod lineage;
mod map;
mod number;
mod order;
mod print;

pub(crate) use atoms::{Atom, Atoms, atom};
pub(crate) use bits::BitWriter;
pub(crate) use bits::Bits;
pub(crate) use common::CommonNumbers;
pub(crate) use elixir::alias;
pub(crate) use etf::{EtfError, decode as decode_etf, encode as encode_etf};
pub(crate) use hash::hash;
pub(crate) use heap::Extent;
pub(crate) use heap::{Heap, Kind};
pub(crate) use lineage::Lineage;
pub(crate) use map::Map;
pub(crate) use number::Number;
pub(crate) use order::float_to_big;
pub(crate) use order::{compare, compare_exact, equal, equal_exact};
pub(crate) use print::{Namer, Printer, float as show_float, quoted};

/// A term, in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Term(u64);

const TAG: u64 = 7;
const INT: u64 = 0;
const CONS: u64 = 1;
const BOX: u64 = 2;
const ATOM: u64 = 3;
const PID: u64 = 4;
const NIL: u64 = 5;
const CODE: u64 = 6;
const NONE: u64 = 7;

impl Term {
    /// The empty list.
    pub(crate) const NIL: Term = Term(NIL);
    /// Not a term: what an uninitialised slot holds.
    pub(crate) const NONE: Term = Term(NONE);

    /// A small integer; `None` if it does not fit in.
    #[inline]
    pub(crate) fn small(value: i64) -> Option<Term> {
        let shifted = value << 3;
        (shifted >> 3 == value).then_some(Term(shifted as u64))
    }

    /// An integer that is known to be small.
    #[inline]
    pub(crate) const fn int(value: i64) -> Term {
        Term((value << 3) as u64)
    }

    #[inline]
    pub(crate) const fn atom(atom: Atom) -> Term {
        Term(((atom.0 as u64) << 3) | ATOM)
    }

    #[inline]
    pub(crate) const fn bool(value: bool) -> Term {
        Term::atom(if value { atom::TRUE } else { atom::FALSE })
    }

    #[inline]
    pub(crate) const fn pid(process: u32) -> Term {
        Term(((process as u64) << 3) | PID)
    }

    #[inline]
    pub(crate) const fn cons_at(place: usize) -> Term {
        Term(((place as u64) << 3) | CONS)
    }

    #[inline]
    pub(crate) const fn boxed_at(place: usize) -> Term {
        Term(((place as u64) << 3) | BOX)
    }

    /// A return address on a stack.
    #[inline]
    pub(crate) const fn return_to(pc: u32) -> Term {
        Term(((pc as u64) << 4) | CODE)
    }

    /// A handler of exceptions on a stack.
    #[inline]
    pub(crate) const fn handler(pc: u32) -> Term {
        Term(((pc as u64) << 4) | 8 | CODE)
    }

    #[inline]
    pub(crate) const fn as_small(self) -> Option<i64> {
        if self.0 & TAG == INT { Some((self.0 as i64) >> 3) } else { None }
    }

    #[inline]
    pub(crate) const fn as_atom(self) -> Option<Atom> {
        if self.0 & TAG == ATOM { Some(Atom((self.0 >> 3) as u32)) } else { None }
    }

    #[inline]
    pub(crate) const fn as_pid(self) -> Option<u32> {
        if self.0 & TAG == PID { Some((self.0 >> 3) as u32) } else { None }
    }

    #[inline]
    pub(crate) const fn is_atom(self, atom: Atom) -> bool {
        self.0 == Term::atom(atom).0
    }

    #[inline]
    pub(crate) const fn as_bool(self) -> Option<bool> {
        match self.as_atom() {
            Some(atom::TRUE) => Some(true),
            Some(atom::FALSE) => Some(false),
            _ => None,
        }
    }

    /// The place of a list cell.
    #[inline]
    pub(crate) const fn as_cons(self) -> Option<usize> {
        if self.0 & TAG == CONS { Some((self.0 >> 3) as usize) } else { None }
    }

    /// The place of a boxed term.
    #[inline]
    pub(crate) const fn as_box(self) -> Option<usize> {
        if self.0 & TAG == BOX { Some((self.0 >> 3) as usize) } else { None }
    }

    #[inline]
    pub(crate) const fn is_nil(self) -> bool {
        self.0 == NIL
    }

    #[inline]
    pub(crate) const fn is_list(self) -> bool {
        self.0 & TAG == CONS || self.0 == NIL
    }

    /// Where to return to, if this is a return address.
    #[inline]
    pub(crate) const fn as_return(self) -> Option<u32> {
        if self.0 & 15 == CODE { Some((self.0 >> 4) as u32) } else { None }
    }

    /// Where the handler is, if this is one.
    #[inline]
    pub(crate) const fn as_handler(self) -> Option<u32> {
        if self.0 & 15 == 8 | CODE { Some((self.0 >> 4) as u32) } else { None }
    }

    /// The word itself.
    #[inline]
    pub(crate) const fn to_word(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(super) const fn from_bits(bits: u64) -> Term {
        Term(bits)
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 & TAG {
            INT => write!(f, "{}", (self.0 as i64) >> 3),
            CONS => write!(f, "cons@{}", self.0 >> 3),
            BOX => write!(f, "box@{}", self.0 >> 3),
            ATOM => write!(f, "atom{}", self.0 >> 3),
            PID => write!(f, "<{}>", self.0 >> 3),
            NIL => f.write_str("[]"),
            CODE => write!(f, "code@{}", self.0 >> 4),
            _ => f.write_str("none"),
        }
    }
}
