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
    /// The process that inherits the table, and what to tell it.
    pub(crate) heir: Option<(u32, Term)>,
    pub(crate) content: Term,
    /// The [objects](crate::machine) that keys had earlier, a map like `content`, or `[]`.
    pub(crate) former: Term,
}

/// A table that was deleted or lost its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormerTable {
    pub(crate) id: (u32, u32),
    /// The name that it had, if it had one.
    pub(crate) name: Option<Atom>,
    pub(crate) owner: u32,
    /// The process that deleted or renamed it. No later step of this process can come before that.
    pub(crate) lost_by: u32,
}

impl FormerTable {
    /// Returns the table as it was `before` a change by a process, if it is deleted or loses its name by that.
    pub(crate) fn of(
        id: (u32, u32),
        before: Option<&Table>,
        after: Option<&Table>,
        lost_by: u32,
    ) -> Option<FormerTable> {
        let before = before?;
        let name = before.is_named.then_some(before.name);
        let is_lost = after.is_none_or(|after| name.is_some_and(|name| after.name != name));
        is_lost.then_some(FormerTable { id, name, owner: before.owner, lost_by })
    }
}
