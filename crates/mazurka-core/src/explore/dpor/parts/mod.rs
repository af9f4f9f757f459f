//! Data structures that the DPOR explorers share.

pub(crate) mod reversal;
pub(crate) mod sleep_set;
pub(crate) mod wakeup_tree;
pub(crate) mod weak_initials;
