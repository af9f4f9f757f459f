//! Weak initials.
//!
//! A step is a *weak initial* of a sequence if the sequence, or an extension of it, is equivalent
//! to a sequence that starts with the step (`WI_[E](w)` in the paper). Sleep sets test this for
//! explored steps, and wakeup trees for planned steps.
//!
//! The test walks over the sequence with a [`Bystander`](WeakInitials::Bystander): a step that
//! could have been taken first, while others are taken. The rules depend on the relation. If [all
//! conflicts](AllConflicts) are ordered, a step is no weak initial once a dependent step is taken
//! before it. [`observers`](crate::explore::dpor::observers) describes the other case.

use std::fmt::Debug;

use crate::execution::Execution;
use crate::execution::footprint::{Footprint, Touch};
use crate::execution::order::{AllConflicts, Relation};
use crate::model::Step;
use crate::wire::Wire;

/// The state of a bystander.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It is an initial of the sequence, whatever follows.
    Initial,
    /// It is a weak initial of the steps so far.
    Open,
    /// It is no weak initial.
    Overtaken,
}

/// A step of a sequence, as bystanders see it.
pub(crate) struct Taken<'a> {
    pub(crate) step: Step,
    /// The message that the receive in this step took in the execution, if it takes another one
    /// here.
    pub(crate) known_by: Option<u32>,
    /// Whether the step is planned. Of a message that the execution does not deliver, it is not known then
    /// which receives match it.
    pub(crate) is_planned: bool,
    pub(crate) execution: &'a Execution,
}

impl Taken<'_> {
    /// Returns whether the receive that took one message, or none, may match another one.
    pub(crate) fn may_match(&self, receive: u32, message: u32) -> bool {
        self.execution.would_take(receive, message)
            || (self.is_planned && !self.execution.messages.knows_receives_of(message))
    }
}

/// A happens-before relation with a test for weak initials.
pub(crate) trait WeakInitials: Relation {
    /// The state of a step that was not taken first, while others are taken.
    type Bystander: Clone + Default + Debug + Send + Wire;

    /// Updates a bystander, given by its step and footprint, for a taken step with these
    /// operations.
    fn watch(
        bystander: &mut Self::Bystander,
        mine: (Step, &Footprint),
        taken: &Taken<'_>,
        touches: impl Iterator<Item = Touch>,
    ) -> Fate;

    /// Returns whether no step so far affected the bystander.
    fn is_ready(bystander: &Self::Bystander) -> bool;

    /// Returns whether the bystander is an initial, whatever follows.
    fn is_initial(bystander: &Self::Bystander) -> bool;

    /// Returns whether the bystander itself has been taken.
    fn is_taken(bystander: &Self::Bystander) -> bool;

    /// Returns whether only a later observation may exclude a step with this footprint.
    fn is_observed_later(footprint: &Footprint) -> bool;
}

impl WeakInitials for AllConflicts {
    type Bystander = ();

    #[inline(always)]
    fn watch(
        (): &mut (),
        (step, footprint): (Step, &Footprint),
        taken: &Taken<'_>,
        mut touches: impl Iterator<Item = Touch>,
    ) -> Fate {
        if taken.step.process == step.process {
            return match taken.step.choice == step.choice {
                true => Fate::Initial,
                false => Fate::Overtaken,
            };
        }
        match touches.any(|touch| footprint.conflicts_with(touch)) {
            true => Fate::Overtaken,
            false => Fate::Open,
        }
    }

    #[inline]
    fn is_ready((): &()) -> bool {
        true
    }

    #[inline]
    fn is_initial((): &()) -> bool {
        false
    }

    #[inline]
    fn is_taken((): &()) -> bool {
        false
    }

    #[inline]
    fn is_observed_later(_footprint: &Footprint) -> bool {
        false
    }
}
