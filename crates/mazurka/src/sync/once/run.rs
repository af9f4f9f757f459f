//! A call that runs.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use mazurka_core::model::{Action, Location, ObjectId, Op};

use super::{COMPLETE, Once, RUNNING};
use crate::rt::{self, Operation, Site};

/// While it exists, a call runs.
pub(super) struct Run<'a> {
    pub(super) once: &'a Once,
    pub(super) object: ObjectId,
    pub(super) site: Site,
    /// How far it is afterwards.
    pub(super) result: u64,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let Some(dead) = rt::try_with(|rt| rt.is_dead()) else { return };
        if dead {
            return rt::with(|rt| rt.set_value_of_dying(self.object, self.result));
        }
        let action = Action::new(Op::Write, Location::whole(self.object));
        if Operation::new("complete", self.site).action(action).turn().is_none() {
            return;
        }
        rt::with(|rt| {
            rt.perform(action.performed(RUNNING, self.result));
            rt.set_holder(self.object, None);
            if self.result == COMPLETE {
                self.once.note_complete(rt);
            }
            rt.log(self.site, |rt| {
                let outcome = if self.result == COMPLETE { "complete" } else { "poisoned" };
                format!("{} is {outcome}", rt.object_name(self.object))
            });
        });
    }
}

/// Tells a closure that [`Once::call_once_force`] runs about earlier ones, as
/// [`std::sync::OnceState`].
pub struct OnceState {
    poisoned: bool,
    /// As `std`'s, it stays with its thread.
    marker: PhantomData<Cell<()>>,
}

impl OnceState {
    pub(super) fn new(poisoned: bool) -> Self {
        OnceState { poisoned, marker: PhantomData }
    }

    /// Returns whether an earlier closure panicked.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }
}

impl fmt::Debug for OnceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceState").field("poisoned", &self.is_poisoned()).finish()
    }
}
