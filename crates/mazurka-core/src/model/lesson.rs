//! Why a search has to start over.

use std::fmt;

/// Something that a search learns about a program only by running it, and that it should have
/// known from its first step on.
///
/// What was explored without this knowledge may have missed executions. The search therefore
/// starts over, keeps the lesson, and the [verdict](crate::verdict::Verdict::restarts) says so.
/// A machine reports a lesson in [`Performed::lesson`](super::Performed::lesson) of the step that
/// teaches it.
///
/// # When lessons come
///
/// The driver runs a random execution for every hundred of the explorer's, just to learn: a lesson that
/// one in `n` random executions teaches costs about `100 n` executions, however long the search is.
/// `Observations` are the exception. They are learnt from the explorer's own executions alone.
///
/// | lesson | can it come late? |
/// |---|---|
/// | [`Overlap`](Lesson::Overlap) | yes: when an access of another size happens on few paths only |
/// | [`AwaitedWrites`](Lesson::AwaitedWrites) | yes: when few paths lead to a process that waits |
/// | [`Observations`](Lesson::Observations) | yes, as for `AwaitedWrites` |
/// | [`Ends`](Lesson::Ends), [`Hangups`](Lesson::Hangups) | yes, unless the front end sees in the code that the program asks |
/// | [`Mailboxes`](Lesson::Mailboxes), [`Times`](Lesson::Times) | yes, as for `Ends` |
/// | [`Counts`](Lesson::Counts) | yes, as for `Ends` |
/// | [`Names`](Lesson::Names) | yes, but mostly the first execution teaches it |
/// | [`HiddenAddresses`](Lesson::HiddenAddresses) | yes: when a thread follows a disguised pointer on few paths only |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Lesson {
    /// Two locations overlap: accesses to one of them conflict with accesses to the other.
    Overlap,
    /// `observers`: a process waits for a location to which others write, so that the order of
    /// these writes matters although nobody reads them.
    AwaitedWrites,
    /// `data-centric`: which accesses to a location observe each other.
    Observations,
    /// The program asks whether a process has ended: ends are steps.
    Ends,
    /// The program asks whether a channel is closed: dropping its other side is a step.
    Hangups,
    /// The program asks how many messages there are: each delivery changes that.
    Mailboxes,
    /// The program asks for the time: its steps are ordered by what the clock says.
    Times,
    /// The order in which reference counts change matters: each change is a step.
    Counts,
    /// One place in the source creates several objects: its name does not tell them apart.
    Names,
    /// A thread uses memory whose address it was never seen to be given.
    HiddenAddresses,
}

impl Lesson {
    /// Its name in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Lesson::Overlap => "overlap",
            Lesson::AwaitedWrites => "awaited-writes",
            Lesson::Observations => "observations",
            Lesson::Ends => "ends",
            Lesson::Hangups => "hangups",
            Lesson::Mailboxes => "mailboxes",
            Lesson::Times => "times",
            Lesson::Counts => "counts",
            Lesson::Names => "names",
            Lesson::HiddenAddresses => "hidden-addresses",
        }
    }
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lesson::Overlap => "accesses of different sizes overlap",
            Lesson::AwaitedWrites => "a process waits for a location that others write to",
            Lesson::Observations => "it became known which accesses observe each other",
            Lesson::Ends => "the program asks whether a process has ended",
            Lesson::Hangups => "the program asks whether a channel is closed",
            Lesson::Mailboxes => "the program asks for the contents of a mailbox",
            Lesson::Times => "the program asks for the time",
            Lesson::Counts => "the order in which reference counts change matters",
            Lesson::Names => "one place in the source creates several objects",
            Lesson::HiddenAddresses => "a thread uses memory by an address in disguise",
        })
    }
}
