//! Checks that a step performs the actions that it declared.

use mazurka_core::model::Action;

use super::ProcessSnapshot;

/// Checks that the pending action is the first performed one, even if the step failed, and that the
/// performed guards are the declared ones.
pub(super) fn check(pending: &ProcessSnapshot, performed: &[Action]) -> Result<(), String> {
    if let Some(next) = &pending.next
        && performed.first().is_none_or(|first| first.on != next.on)
    {
        return Err(format!("it declares {next:?}, but performs {performed:?}"));
    }
    let guards = || performed.iter().filter(|action| action.guard);
    if let Some(forgotten) = pending.guards.iter().find(|guard| !guards().any(|g| g.on == guard.on))
    {
        return Err(format!("it does not perform its guard {forgotten:?}"));
    }
    match guards().find(|guard| !pending.guards.iter().any(|g| g.on == guard.on)) {
        Some(undeclared) => {
            Err(format!("it performs the guard {undeclared:?} that it did not declare"))
        }
        None => Ok(()),
    }
}
