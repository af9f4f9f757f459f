//! Receiving.

use std::ptr;

use mazurka_core::model::{Action, Alike, MemoryOrdering, Op, Rival, When};

use super::asking::{ask, find_match};
use super::mailbox::{Content, Home, Looking, Mailbox, State, changing, update};
use super::pattern::{Pattern, has_state};
use crate::report::recorded_value;
use crate::rt::{self, Blocker, Operation, Runtime, Site, Suspension};

/// How long a receive waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    /// Until there is a message.
    Endless,
    /// For a while: it may give up whenever there is none.
    Limited,
    /// Not at all.
    None,
}

/// The owner of a mailbox waits for a message.
impl<M> Blocker for Mailbox<M> {
    fn waits_for(&self, _rt: &Runtime, _action: Option<&Action>) -> String {
        match self.state().messages.len() {
            0 => "a message".to_owned(),
            1 => "a message, and does not want the one that is there".to_owned(),
            n => format!("a message, and wants none of the {n} that are there"),
        }
    }
}

/// How far a receive has come.
enum Receipt<'a> {
    /// It is over: the execution is being torn down.
    Over,
    /// It is its turn.
    Turn,
    /// The process is to be suspended until it is.
    Waits(Suspension<'a>),
}

/// What a receive does to a mailbox. Made where it goes, as a delivery is.
#[inline(always)]
fn receipt(home: Home, waits: bool, op: Op, is_ordered: bool) -> Action {
    match is_ordered {
        true => update(home, MemoryOrdering::Acquire),
        false => Action { waits, ..Action::new(op, home.location()) },
    }
}

impl<M: Send + 'static> Mailbox<M> {
    /// Receives the oldest message that a pattern matches, and shows it to `extract`.
    ///
    /// `None` if there is none and it does not wait, or if the execution is being torn down.
    ///
    /// Always inlined, so that the process is suspended in the frame of the user's code. Nothing is there
    /// meanwhile that would have to be dropped, not even in theory: an idle server can be
    /// [left](rt::run) without unwinding, in a program that is not optimised as well.
    #[inline(always)]
    #[track_caller]
    pub(super) fn receive<P: Pattern<M>, T>(
        &self,
        name: &'static str,
        patience: Patience,
        pattern: P,
        extract: impl FnOnce(&P, &M) -> T + Copy,
        site: Site,
    ) -> Option<(M, T)> {
        match self.begin_receiving(name, patience, pattern, site) {
            Receipt::Over => return None,
            Receipt::Turn => {}
            Receipt::Waits(suspension) => {
                suspension.suspend();
                rt::turn_taken()?;
            }
        }
        if rt::with(|rt| rt.tuning().memory_orderings) {
            self.look_again(name, site)?;
        }
        self.end_receiving(name, patience, extract, site)
    }

    /// Says what is looked for, and finds it if it is there. That is part of the step before the receive.
    #[inline(never)]
    #[track_caller]
    fn begin_receiving<P: Pattern<M>>(
        &self,
        name: &'static str,
        patience: Patience,
        pattern: P,
        site: Site,
    ) -> Receipt<'_> {
        if !rt::alive() {
            return Receipt::Over;
        }
        let Some(home) = self.home() else { return Receipt::Over };
        let is_any = pattern.is_any();
        let is_ordered = rt::with(|rt| rt.tuning().memory_orderings);
        let spins = patience == Patience::None && is_any && self.is_spun_on(site);
        let waits = patience == Patience::Endless || spins;
        let mut guard = self.state();
        let found = match guard.messages.is_empty() {
            true => None,
            false if is_any => Some(0),
            false => guard.look_for(&pattern),
        };
        // What comes until the receive has its turn is looked at when it comes.
        guard.looking = Some(Looking { pattern: Box::new(pattern), found, is_any, waits });
        drop(guard);
        let again = || rt::with(|rt| rt.repeat(|_| Some(home.object), (name, site)));
        if found.is_some() && again().is_some() {
            return Receipt::Turn;
        }
        let action = receipt(home, waits, Op::Take { message: Op::NONE }, is_ordered);
        let operation = Operation::new(name, site);
        if is_ordered {
            // A selective receive looks at the messages first.
            let action = match waits && is_any {
                true => action.when(When::Differs(0)).waiting(),
                false => action,
            };
            return match operation.action(action).explained_by(self).begin() {
                Some(suspension) => Receipt::Waits(suspension),
                None => Receipt::Turn,
            };
        }
        let operation = operation.action(action);
        match operation.held_back(waits && found.is_none(), self).begin() {
            Some(suspension) => Receipt::Waits(suspension),
            None => Receipt::Turn,
        }
    }

    /// Looks again under a memory model, until a receive that waits has found a message: whether one
    /// matches is not to be seen from their number. Returns `None` if the execution is being torn down.
    #[cold]
    #[track_caller]
    fn look_again(&self, name: &'static str, site: Site) -> Option<()> {
        let home = self.home()?;
        loop {
            let state = self.state();
            let looking = state.looking.as_ref()?;
            if looking.found.is_some() || !looking.waits {
                return Some(());
            }
            let messages = state.messages.len() as u64;
            drop(state);
            let action = update(home, MemoryOrdering::Acquire);
            rt::with(|rt| {
                rt.perform(changing(rt, action, 0));
                rt.note_progress();
                rt.log(site, |_| format!("{name}() begins"));
            });
            let action = action.when(When::Differs(messages)).waiting();
            Operation::new(name, site).action(action).explained_by(self).turn()?;
        }
    }

    /// Takes what was found.
    #[inline(never)]
    fn end_receiving<P: Pattern<M>, T>(
        &self,
        name: &'static str,
        patience: Patience,
        extract: impl FnOnce(&P, &M) -> T + Copy,
        site: Site,
    ) -> Option<(M, T)> {
        let home = self.home()?;
        let mut guard = self.state();
        let state = &mut *guard;
        let Looking { pattern, found, is_any, waits } = state.looking.take()?;
        let envelope = match found {
            Some(0) => state.messages.pop_front(),
            found => found.and_then(|place| state.messages.remove(place)),
        };
        let Some(envelope) = envelope else {
            state.found_empty = rt::with(|rt| {
                let is_ordered = rt.tuning().memory_orderings;
                rt.perform(changing(rt, receipt(home, waits, Op::TakeNone, is_ordered), 0));
                rt.note_look(home.location());
                let outcome = if patience == Patience::Limited { "timed out" } else { "nothing" };
                rt.log(site, |_| format!("{name}() → {outcome}"));
                is_any.then(|| rt.steps_of_current())
            });
            return None;
        };
        state.found_empty = None;
        let number = envelope.number;
        if rt::with(|rt| rt.is_asked()) {
            let others = state.messages.iter().chain(&state.sending);
            let questions = others.map(|it| (it, &*pattern, it.number));
            ask(questions, |other| {
                rt::with(|rt| rt.report_rival(Rival { on: home.location(), taken: number, other }));
                true
            });
        }
        let (pattern, before) = state.taken.add(number, pattern, has_state::<P>());
        let value = match &envelope.content {
            Content::Message(message) => recorded_value(message),
            Content::Exit(_) => None,
        };
        let value = value.map_or(String::new(), |value| format!(": {value}"));
        rt::with(|rt| {
            let is_ordered = rt.tuning().memory_orderings;
            let action = receipt(home, waits, Op::Take { message: number }, is_ordered);
            rt.perform(changing(rt, action, -1));
            if let Some(before) = before {
                rt.report_alike(Alike { taken: number, before });
            }
            rt.log(site, |rt| match envelope.about {
                Some(process) => format!("{name}() → the end of {}", rt.process_name(process)),
                None => format!("{name}() → from {}{value}", rt.process_name(envelope.sender)),
            });
            if let Some(process) = envelope.about {
                rt.learn_of_end(process);
            }
        });
        match envelope.content {
            Content::Message(message) => {
                debug_assert!(pattern.as_any().is::<P>());
                // SAFETY: it is the pattern of this receive, or one of the same type without state.
                let pattern = unsafe { &*ptr::from_ref(pattern).cast::<P>() };
                let extracted = match is_any {
                    true => extract(pattern, &message),
                    false => rt::without_operations(|| extract(pattern, &message)),
                };
                Some((message, extracted))
            }
            Content::Exit(ended) => {
                drop(guard);
                super::end::exit_with(&ended)
            }
        }
    }

    /// Whether all that the owner has done since it found the mailbox empty is to yield: then
    /// there is no point in looking before that has changed.
    fn is_spun_on(&self, site: Site) -> bool {
        let found_empty = self.state().found_empty;
        rt::with(|rt| rt.waits_for_message(site) && found_empty == Some(rt.steps_of_current()))
    }
}

impl<M: 'static> State<M> {
    /// The place of the oldest message that a pattern matches.
    fn look_for(&self, pattern: &dyn Pattern<M>) -> Option<usize> {
        let messages = self.messages.iter().enumerate();
        find_match(messages.map(|(place, it)| (it, pattern, place)))
    }
}
