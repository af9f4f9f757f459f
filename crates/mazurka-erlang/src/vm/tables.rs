//! Tables of `ets`.

use crate::term::{Atom, Term};

/// What a table keeps for a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TableType {
    Set,
    OrderedSet,
    Bag,
    DuplicateBag,
}

/// Who may use a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Protection {
    Public,
    Protected,
    Private,
}

/// A table. Its content is a map from keys to lists of objects, so that it is put back by
/// forgetting the new one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) name: Atom,
    pub(crate) is_named: bool,
    pub(crate) kind: TableType,
    pub(crate) protection: Protection,
    /// The place of the key in an object, from 1.
    pub(crate) key_position: usize,
    pub(crate) owner: u32,
    pub(crate) content: Term,
}
