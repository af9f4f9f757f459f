//! Locations: the objects, or parts of objects, that actions access.

use super::ProcessId;

/// A shared object: an atomic, a mutex, a channel, a block of memory.
///
/// Like process ids, object ids are dense and must not depend on the order of independent steps. A
/// front end that discovers an object only at its first access says so by its [`Birth`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// A range within an object.
///
/// Two locations that overlap but differ are different places that share a part. Two reads of them
/// are independent, and all other pairs of actions on them are dependent; see
/// [`dependence`](super::dependence).
///
/// The values of overlapping locations are related: each unit is a byte, and the value of a
/// location of at most 8 units is the little-endian number of its bytes. Explorers compute the
/// value of one location from the actions on the others. If no locations overlap, a unit may have
/// any meaning. The location of the [life](Location::life) of an object has no such value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The object.
    pub object: ObjectId,
    /// The first unit (a byte, an element) of the range.
    pub start: u32,
    /// The number of units; at least one.
    pub len: u32,
}

impl Location {
    /// Where fences are.
    pub const NOWHERE: Location = Location { object: ObjectId(u32::MAX), start: 0, len: 1 };

    /// Returns the location of a whole object that has no parts.
    pub const fn whole(object: ObjectId) -> Self {
        Location { object, start: 0, len: 1 }
    }

    /// Returns the location of the life of an object, which overlaps with all locations in the object.
    ///
    /// To begin or to end the life of an object is an [`Op::Update`](super::Op::Update) of this location:
    /// it is dependent on every access to the object, because an access fails if the object is not alive.
    /// It neither reads nor changes the values of other locations. No other operation is on this location.
    pub const fn life(object: ObjectId) -> Self {
        Location { object, start: 0, len: u32::MAX }
    }

    /// Returns whether this is the location of the [life](Self::life) of an object.
    #[inline]
    pub const fn is_life(self) -> bool {
        self.len == u32::MAX
    }

    /// Returns whether the two locations have a unit in common.
    pub const fn overlaps(self, other: Location) -> bool {
        self.object.0 == other.object.0
            && self.start < other.start + other.len
            && other.start < self.start + self.len
    }
}

/// When an object got its name: `process` named it after taking `steps` steps.
///
/// A process that has not taken a step yet names objects on behalf of its creator, as of the step
/// that created it. Names given before the first step of an execution are known from the
/// [start](Birth::START). If another process's step releases a process (a join, a notification),
/// the names that it gives before its next own step cannot be dated this way. They are
/// [late](Birth::LATE).
///
/// Two executions that share a prefix in which `process` has taken that many steps agree on the
/// meaning of the name. Otherwise one object may have two names, because a different process was
/// the first to access it in each execution. An explorer that compares names across such executions
/// must assume that two different names may denote the same object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Birth {
    /// The process that named the object.
    pub process: ProcessId,
    /// The number of steps that it had taken by then.
    pub steps: u32,
}

impl Birth {
    /// A name that is known from the start and means the same in every execution.
    pub const START: Birth = Birth { process: ProcessId::MAIN, steps: 0 };

    /// A name without a known date.
    pub const LATE: Birth = Birth { process: ProcessId::MAIN, steps: u32::MAX };
}
