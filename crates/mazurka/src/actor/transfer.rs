//! Sending and receiving.

use std::ptr;

use mazurka_core::model::{Action, Alike, Op, Rival};

use super::asking::{ask, find_match};
use super::mailbox::{Content, Envelope, Looking, Mailbox, State, changing};
use super::pattern::Pattern;
use crate::rt::{self, Blocker, Operation, Runtime, Site};

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

/// Waiting for a message.
struct Taking<'a, M>(&'a Mailbox<M>);

impl<M> Blocker for Taking<'_, M> {
    fn waits_for(&self, _rt: &Runtime, _action: Option<&Action>) -> String {
        match self.0.state().messages.len() {
            0 => "a message".to_owned(),
            1 => "a message, and does not want the one that is there".to_owned(),
            n => format!("a message, and wants none of the {n} that are there"),
        }
    }
}

impl<M: Send + 'static> Mailbox<M> {
    /// Sends a message: it is delivered at once.
    #[track_caller]
    pub(super) fn send(&self, message: M, site: Site) {
        if rt::alive() {
            let (number, sender) = rt::with(|rt| (rt.number_message(), rt.current()));
            let content = Content::Message(message);
            self.deliver("send", Envelope { number, sender, content, about: None }, site);
        }
    }

    /// Sends what is in an envelope. Returns `false` if the execution is being torn down.
    #[track_caller]
    pub(super) fn post(&self, name: &'static str, envelope: Envelope<M>, site: Site) -> bool {
        rt::alive() && self.deliver(name, envelope, site)
    }

    #[inline(always)]
    #[track_caller]
    fn deliver(&self, name: &'static str, envelope: Envelope<M>, site: Site) -> bool {
        let Some(home) = self.home() else { return false };
        let number = envelope.number;
        let action = Action::new(Op::Deliver { message: number }, home.location());
        let again = rt::with(|rt| rt.repeat(|_| Some(home.object), (name, site)));
        let (mut guard, envelope) = match again {
            Some(_) => (self.state(), envelope),
            None => {
                // Receives that are performed before it want to know what comes.
                self.state().sending.push(envelope);
                if Operation::new(name, site).action(action).turn_here().is_none() {
                    return false;
                }
                let mut guard = self.state();
                let Some(envelope) = guard.take_sent(number) else { return false };
                (guard, envelope)
            }
        };
        guard.put(home, envelope);
        drop(guard);
        rt::with(|rt| {
            rt.perform(changing(rt, action));
            rt.log(site, |rt| format!("{}.{name}()", rt.process_name(home.process)));
        });
        true
    }

    /// Receives the oldest message that a pattern matches, and shows it to `extract`.
    ///
    /// `None` if there is none and it does not wait, or if the execution is being torn down.
    #[track_caller]
    pub(super) fn receive<P: Pattern<M>, T>(
        &self,
        name: &'static str,
        patience: Patience,
        pattern: P,
        extract: impl FnOnce(&P, &M) -> T,
        site: Site,
    ) -> Option<(M, T)> {
        if !rt::alive() {
            return None;
        }
        let home = self.home()?;
        let (is_any, has_state) = (pattern.is_any(), pattern.has_state());
        let spins = patience == Patience::None && is_any && self.is_spun_on();
        let waits = patience == Patience::Endless || spins;
        let action = Action::new(Op::Take { message: Op::NONE }, home.location());
        let action = Action { waits, ..action };
        let pattern: Box<dyn Pattern<M>> = Box::new(pattern);
        let mut guard = self.state();
        let found = match guard.messages.is_empty() {
            true => None,
            false if is_any => Some(0),
            false => guard.look_for(&*pattern),
        };
        let again = || rt::with(|rt| rt.repeat(|_| Some(home.object), (name, site)));
        let (pattern, found) = match found.is_some() && again().is_some() {
            true => (pattern, found),
            false => {
                // What comes until the receive has its turn is looked at when it comes.
                guard.looking = Some(Looking { pattern, found, is_any });
                drop(guard);
                let is_held = waits && found.is_none();
                let (operation, taking) = (Operation::new(name, site).action(action), Taking(self));
                operation.held_back(is_held, &taking).turn_here()?;
                guard = self.state();
                let looking = guard.looking.take()?;
                (looking.pattern, looking.found)
            }
        };
        let state = &mut *guard;
        let envelope = match found {
            Some(0) => state.messages.pop_front(),
            found => found.and_then(|place| state.messages.remove(place)),
        };
        let Some(envelope) = envelope else {
            state.found_empty = rt::with(|rt| {
                rt.perform(changing(rt, Action { op: Op::TakeNone, ..action }));
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
                rt::with(|rt| rt.report_rival(Rival { on: action.on, taken: number, other }));
                true
            });
        }
        rt::with(|rt| {
            rt.perform(changing(rt, Action { op: Op::Take { message: number }, ..action }));
            rt.log(site, |rt| match envelope.about {
                Some(process) => format!("{name}() → the end of {}", rt.process_name(process)),
                None => format!("{name}() → from {}", rt.process_name(envelope.sender)),
            });
            if let Some(process) = envelope.about {
                rt.learn_of_end(process);
            }
        });
        let (pattern, before) = state.taken.add(number, pattern, has_state);
        if let Some(before) = before {
            rt::with(|rt| rt.report_alike(Alike { taken: number, before }));
        }
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
    fn is_spun_on(&self) -> bool {
        let found_empty = self.state().found_empty;
        rt::with(|rt| rt.has_yielded() && found_empty == Some(rt.steps_of_current()))
    }
}

impl<M: 'static> State<M> {
    /// Takes out a message that has been on its way.
    #[inline]
    fn take_sent(&mut self, message: u32) -> Option<Envelope<M>> {
        let place = self.sending.iter().position(|envelope| envelope.number == message)?;
        Some(self.sending.swap_remove(place))
    }

    /// Begins to look for messages: finds the oldest one that is there. That is part of the step before
    /// the receive.
    fn look_for(&self, pattern: &dyn Pattern<M>) -> Option<usize> {
        let messages = self.messages.iter().enumerate();
        find_match(messages.map(|(place, it)| (it, pattern, place)))
    }
}
