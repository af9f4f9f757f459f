//! Execution graphs.
//!
//! | file | its part |
//! |---|---|
//! | `event` | what an event is |
//! | `locations` | the locations, and the accesses to each |
//! | `edges` | creation, joining, notifying |
//! | `order` | questions about the orders of events |
//! | `grow` | adding events, and removing the last ones |
//! | `restrict` | the part that remains when a read is revisited |
//! | `twins` | which processes have done the same, if they are interchangeable |

mod edges;
mod event;
mod grow;
mod locations;
mod order;
mod restrict;
mod twins;

use edges::Passed;
pub(crate) use event::NO_STEP;
pub use event::{Event, EventId, INITIAL, Kind};
use locations::{Accesses, Recent};
use twins::Twins;

use super::clocks::Clocks;
use crate::model::{Location, ProcessId};

/// Events with program order, reads-from, and coherence order, and the clocks that follow from these.
///
/// Events are in an order in which they can be run: each is behind those before it in program order, and
/// each read behind the write that it reads from.
///
/// # Locations that overlap
///
/// A range of memory may be accessed by accesses of different sizes, such as the assignment of a structure
/// and accesses to its members. Each range is a location of its own. A write to a range *retires* the other
/// locations that it overlaps with: a later access to one of these ranges gets a new location, whose
/// initial value is what memory holds then. So two accesses of different sizes, of which one writes, must be
/// ordered by happens-before. The explorer reports the others as data races, or refuses the program.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    events: Vec<Event>,
    clocks: Clocks,
    locations: Vec<Location>,
    accesses: Vec<Accesses>,
    /// The events of each process, in program order.
    processes: Vec<Vec<EventId>>,
    edges: Vec<Passed>,
    edge_clocks: Clocks,
    recent: Recent,
    twins: Twins,
    /// Whether an event may be an arrival at a barrier.
    has_arrivals: bool,
    /// Whether the coherence order has changed otherwise than by adding and removing events, or may have.
    pub(crate) is_reordered: bool,
    /// The stamps of new events are not less than this.
    pub(crate) least_stamp: u32,
}

impl Graph {
    /// Returns the events, in the order in which they were run.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns an event.
    #[inline]
    pub fn event(&self, event: EventId) -> &Event {
        &self.events[event as usize]
    }

    /// Returns `false` only if no event is an arrival at a barrier.
    pub(crate) fn has_arrivals(&self) -> bool {
        self.has_arrivals
    }

    /// Returns how many processes have events, or may have had some.
    pub(crate) fn processes(&self) -> usize {
        self.processes.len()
    }

    /// Returns the events of a process, in program order.
    pub fn events_of(&self, process: ProcessId) -> &[EventId] {
        self.processes.get(process.index()).map_or(&[], |events| events)
    }
}
