//! Where actions happen.

use super::ProcessId;

/// A shared object: an atomic, a mutex, a channel, a block of memory.
///
/// Like process ids, object ids are dense, and must not depend on the order of independent
/// steps. A front end that learns of an object only when it is first touched says so by its
/// [`Birth`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// A range within an object.
///
/// Two locations that overlap but differ are different places that share a part. Two reads of them are
/// independent, and all other pairs of actions on them are dependent; see
/// [`dependence`](super::dependence).
///
/// The values of overlapping locations are related: each unit is a byte, and the value of a location of
/// at most 8 units is the little-endian number that its bytes make. Explorers compute the value of one
/// location from the actions on the others. Where no locations overlap, a unit may be anything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The object.
    pub object: ObjectId,
    /// The first unit (a byte, an element) of the range.
    pub start: u32,
    /// How many units it has; at least one.
    pub len: u32,
}

impl Location {
    /// An object as a whole, for objects that have no parts.
    pub const fn whole(object: ObjectId) -> Self {
        Location { object, start: 0, len: 1 }
    }

    /// Whether the two have a unit in common.
    pub const fn overlaps(self, other: Location) -> bool {
        self.object.0 == other.object.0
            && self.start < other.start + other.len
            && other.start < self.start + self.len
    }
}

/// Since when an object has had its name: it was named by `process` after that process had
/// taken `steps` steps.
///
/// A process that has not taken a step yet names objects on behalf of its creator, as of the
/// step that created it; whatever is named before the first step of an execution has been known
/// from the [start](Birth::START). A name that a process gives when another one's step has let it go
/// on (it has joined that one, or was notified) cannot be dated that way, and is [late](Birth::LATE).
///
/// Two executions that share a prefix in which `process` has taken that many steps agree on what
/// the name means. Otherwise one object may have got two names, because in each of the two
/// executions somebody else came upon it first: an explorer that compares names across such
/// executions must take two different ones for possibly the same object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Birth {
    /// Who named the object.
    pub process: ProcessId,
    /// How many steps it had taken by then.
    pub steps: u32,
}

impl Birth {
    /// The name has been known from the start, and means the same in every execution.
    pub const START: Birth = Birth { process: ProcessId::MAIN, steps: 0 };

    /// Nobody can tell since when.
    pub const LATE: Birth = Birth { process: ProcessId::MAIN, steps: u32::MAX };
}
