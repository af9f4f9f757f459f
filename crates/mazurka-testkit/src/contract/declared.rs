//! Checks that a step performs the actions that it declared.

use mazurka_core::model::{Action, Forgone, Op};

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

/// Checks that a process which waited had declared all actions of its step. Explorers run the step before the
/// steps that disable it, and know only the declared actions then.
///
/// A receive may declare less: a mailbox or channel has one receiver, so no step disables the receive.
pub(super) fn check_all(waiting: &ProcessSnapshot, performed: &[Action]) -> Result<(), String> {
    if waiting.next.is_some_and(|next| matches!(next.op, Op::Take { .. } | Op::Receive { .. })) {
        return Ok(());
    }
    let is_declared = |action: &&Action| waiting.actions().any(|declared| declared.on == action.on);
    let is_performed = |action: &&Action| !matches!(action.op, Op::Forgone(_));
    match performed.iter().filter(is_performed).find(|action| !is_declared(action)) {
        Some(action) => Err(format!("it waited and did not declare {action:?}")),
        None => Ok(()),
    }
}

/// Returns an action of a step that comes first which the same step neither performs nor forgoes behind another
/// one.
pub(super) fn gained(behind: &[Action], first: &[Action]) -> Option<Action> {
    let is_forgone = |action: &&Action| matches!(action.op, Op::Forgone(_));
    let is_anything = |action: &Action| action.op == Op::Forgone(Forgone::Anything);
    if behind.iter().any(is_anything) {
        return None;
    }
    let is_there = |action: &&Action| behind.iter().any(|other| other.on == action.on);
    first.iter().find(|action| !is_forgone(action) && !is_there(action)).copied()
}
