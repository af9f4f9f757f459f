//! Lessons: the reasons for which a search starts over.

use std::fmt;

/// A fact about a program that a search learns only by running it, but needs from its first step
/// on.
///
/// The executions that were explored without this knowledge may be incomplete. The search therefore
/// starts over, keeps the lesson, and the [verdict](crate::verdict::Verdict::restarts) says so. A
/// machine reports a lesson in [`Performed::lesson`](super::Performed::lesson) of the step that
/// teaches it.
///
/// # When lessons come
///
/// For every hundred executions of the explorer, the driver runs a random execution only to learn
/// lessons. If one in `n` random executions teaches a lesson, the search learns it after about `100
/// n` executions, however long the search is. `Observations` are the exception: they are learnt
/// only from the explorer's own executions.
///
/// | lesson | can it come late? |
/// |---|---|
/// | [`Overlap`](Lesson::Overlap) | yes: if an access of another size happens on few paths only |
/// | [`AwaitedWrites`](Lesson::AwaitedWrites) | yes: if few paths lead to a process that waits |
/// | [`Observations`](Lesson::Observations) | yes, as for `AwaitedWrites` |
/// | [`Ends`](Lesson::Ends), [`Hangups`](Lesson::Hangups) | yes, unless the front end finds the query in the code |
/// | [`Mailboxes`](Lesson::Mailboxes), [`Times`](Lesson::Times) | yes, as for `Ends` |
/// | [`Columns`](Lesson::Columns) | yes, as for `Ends` |
/// | [`Control`](Lesson::Control) | yes, as for `Ends` |
/// | [`Modules`](Lesson::Modules) | yes, as for `Ends` |
/// | [`Counts`](Lesson::Counts) | yes, as for `Ends` |
/// | [`System`](Lesson::System) | yes, as for `Ends` |
/// | [`Names`](Lesson::Names) | yes, but usually the first execution teaches it |
/// | [`WeakOrderings`](Lesson::WeakOrderings) | yes: if a weaker access happens on few paths only |
/// | [`HiddenAddresses`](Lesson::HiddenAddresses) | yes: if a thread follows a disguised pointer on few paths only |
/// | [`Arrivals`](Lesson::Arrivals) | yes: if few paths lead one more process to the barrier |
/// | [`Loops`](Lesson::Loops) | yes: if few paths lead to a loop that waits |
/// | [`Rounds`](Lesson::Rounds) | yes: if few paths lead to an attempt that fails late |
/// | [`RoundTrips`](Lesson::RoundTrips) | yes: if few paths lead to a loop that waits, or to an access that notices |
/// | [`Twins`](Lesson::Twins) | yes: if few paths lead to such a step |
/// | [`CoherenceOrder`](Lesson::CoherenceOrder) | yes: if few paths lead to such a step |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Lesson {
    /// Two locations overlap: accesses to one of them conflict with accesses to the other.
    Overlap,
    /// `observers`: a process waits for a location to which others write, so the order of these
    /// writes matters even if no event reads them.
    AwaitedWrites,
    /// `data-centric`: the accesses to a location that observe each other.
    Observations,
    /// The program queries whether a process has ended, so the end of a process is a step.
    Ends,
    /// The program queries whether a channel is closed, so dropping its other side is a step.
    Hangups,
    /// The program queries the number of messages, which every delivery changes.
    Mailboxes,
    /// The program selects objects of a table by an element other than the key, so inserts and
    /// deletions change the set of objects with this element.
    Columns,
    /// Processes suspend each other or change each other's group leaders, so steps depend on that.
    Control,
    /// The program loads a module while it runs, so calls of the module are steps.
    Modules,
    /// The program queries the time, so its steps are ordered by the clock.
    Times,
    /// The program uses a system process, which has to be started before the program.
    System,
    /// The order in which reference counts change matters, so each change is a step.
    Counts,
    /// One place in the source creates several objects, so its name does not distinguish them.
    Names,
    /// The program performs an atomic access that is weaker than `SeqCst`, so that it is explored under
    /// a memory model.
    WeakOrderings,
    /// A thread uses memory without having received its address in a visible way.
    HiddenAddresses,
    /// A process may be in a loop that reads the same again and again without a yield.
    Loops,
    /// A loop that counts its rounds has more rounds that must be run one by one than was known.
    Rounds,
    /// Processes that wait update a location and take that back, or a process notices it.
    RoundTrips,
    /// A process tells [twins](super::Machine::twin) apart, so that they are not interchangeable.
    Twins,
    /// The order of arrivals at a barrier matters: more processes arrive than it waits for, or a process
    /// uses the barrier otherwise while others arrive.
    Arrivals,
    /// `graphs`: a step depends on the coherence order of writes that reads-from does not order, so that
    /// coherence is a total order from the start.
    CoherenceOrder(Observer),
}

/// What depends on the coherence order of writes that reads-from does not order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Observer {
    /// A process spins in a loop that is no wait for one location.
    Spin,
    /// A process waits for ever in a loop, and memory does not hold what it has read: other writes may come
    /// last.
    Loop,
    /// A step accesses several locations.
    Step,
    /// Accesses of different sizes read and write the same memory.
    Sizes,
}

impl Lesson {
    /// Returns its name in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Lesson::Overlap => "overlap",
            Lesson::AwaitedWrites => "awaited-writes",
            Lesson::Observations => "observations",
            Lesson::Ends => "ends",
            Lesson::Hangups => "hangups",
            Lesson::Mailboxes => "mailboxes",
            Lesson::Columns => "columns",
            Lesson::Control => "control",
            Lesson::Modules => "modules",
            Lesson::Times => "times",
            Lesson::System => "system",
            Lesson::Counts => "counts",
            Lesson::Names => "names",
            Lesson::WeakOrderings => "weak-orderings",
            Lesson::HiddenAddresses => "hidden-addresses",
            Lesson::Arrivals => "arrivals",
            Lesson::Loops => "loops",
            Lesson::Rounds => "rounds",
            Lesson::RoundTrips => "round-trips",
            Lesson::Twins => "twins",
            Lesson::CoherenceOrder(_) => "coherence-order",
        }
    }
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lesson::Overlap => "accesses of different sizes overlap",
            Lesson::AwaitedWrites => "a process waits for a location that others write to",
            Lesson::Observations => "the search learnt which accesses observe each other",
            Lesson::Ends => "the program asks whether a process has ended",
            Lesson::Hangups => "the program asks whether a channel is closed",
            Lesson::Mailboxes => "the program asks for the contents of a mailbox",
            Lesson::Columns => "the program selects objects of a table by an element",
            Lesson::Control => "processes suspend each other or change each other's group leaders",
            Lesson::Modules => "the program loads a module while it runs",
            Lesson::Times => "the program asks for the time",
            Lesson::System => "the program uses a system process",
            Lesson::Counts => "the order in which reference counts change matters",
            Lesson::Names => "one place in the source creates several objects",
            Lesson::WeakOrderings => "an atomic access is weaker than `SeqCst`",
            Lesson::HiddenAddresses => {
                "a thread uses memory without having received its address in a visible way"
            }
            Lesson::Arrivals => "the order of arrivals at a barrier matters",
            Lesson::Loops => "a thread reads the same values again and again",
            Lesson::Rounds => {
                "a loop that counts its rounds does more than to read, so more of its last rounds are run one by one"
            }
            Lesson::RoundTrips => {
                "threads that wait update a location and take that back, which matters only to some programs"
            }
            Lesson::Twins => {
                "the program tells apart threads that were created alike, so they are not \
                 interchangeable"
            }
            Lesson::CoherenceOrder(Observer::Spin) => {
                "a thread spins in a loop, so all writes to a location are ordered, as with \
                 `--coherence total`"
            }
            Lesson::CoherenceOrder(Observer::Loop) => {
                "a thread waits for ever if certain writes come last, so all writes to a location are \
                 ordered, as with `--coherence total`"
            }
            Lesson::CoherenceOrder(Observer::Step) => {
                "one step accesses several locations, so all writes to a location are ordered, as \
                 with `--coherence total`"
            }
            Lesson::CoherenceOrder(Observer::Sizes) => {
                "accesses of different sizes overlap, so all writes to a location are ordered, as \
                 with `--coherence total`"
            }
        })
    }
}
