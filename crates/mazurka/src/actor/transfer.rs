//! Sending and receiving.

use std::{iter, ptr};

use mazurka_core::model::{Action, Alike, Op, Rival};

use super::asking::{ask, find_match};
use super::mailbox::{Content, Envelope, Home, Looking, Mailbox, State, changing};
use super::pattern::Pattern;
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

/// How far the delivery of a message has come.
enum Delivery {
    /// It is over. Whether it has taken place: not if the execution is being torn down.
    Over(bool),
    /// The process is to be suspended before this message is delivered.
    Waits(u32, Suspension<'static>),
}

/// What is done to a mailbox when a message is delivered.
///
/// It is made where it goes, and not kept and copied: a copy reads several fields at once, for which the
/// processor waits until the writes of the single fields have left for the cache.
#[inline(always)]
fn delivery(home: Home, message: u32) -> Action {
    Action::new(Op::Deliver { message }, home.location())
}

/// Reports that a message has been delivered.
#[inline(always)]
fn report(name: &'static str, home: Home, number: u32, site: Site) {
    rt::with(|rt| {
        rt.perform(changing(rt, delivery(home, number)));
        rt.log(site, |rt| format!("{}.{name}()", rt.process_name(home.process)));
    });
}

impl<M: Send + 'static> Mailbox<M> {
    /// Sends a message: it is delivered at once.
    ///
    /// Always inlined, so that the process is suspended in the frame of the user's code.
    #[inline(always)]
    #[track_caller]
    pub(super) fn send(&self, message: M, site: Site) {
        if let Delivery::Waits(number, suspension) = self.begin_sending(message, site) {
            suspension.suspend();
            self.end_delivery("send", number, site);
        }
    }

    #[inline(never)]
    #[track_caller]
    fn begin_sending(&self, message: M, site: Site) -> Delivery {
        if !rt::alive() {
            return Delivery::Over(false);
        }
        let (number, sender) = rt::with(|rt| (rt.number_message(), rt.current()));
        let content = || Content::Message(message);
        let envelope = || Envelope { number, sender, content: content(), about: None };
        self.begin_delivery("send", number, envelope, site)
    }

    /// Sends what is in an envelope. Returns `false` if the execution is being torn down.
    #[track_caller]
    pub(super) fn post(&self, name: &'static str, envelope: Envelope<M>, site: Site) -> bool {
        if !rt::alive() {
            return false;
        }
        match self.begin_delivery(name, envelope.number, || envelope, site) {
            Delivery::Over(is_delivered) => is_delivered,
            Delivery::Waits(number, suspension) => {
                suspension.suspend();
                self.end_delivery(name, number, site)
            }
        }
    }

    #[inline(always)]
    #[track_caller]
    fn begin_delivery(
        &self,
        name: &'static str,
        number: u32,
        envelope: impl FnOnce() -> Envelope<M>,
        site: Site,
    ) -> Delivery {
        let Some(home) = self.home() else { return Delivery::Over(false) };
        if rt::with(|rt| rt.repeat(|_| Some(home.object), (name, site))).is_some() {
            self.state().put(home, envelope());
            report(name, home, number, site);
            return Delivery::Over(true);
        }
        // Receives that are performed before it want to know what comes.
        self.state().sending.extend(iter::once_with(envelope));
        match Operation::new(name, site).action(delivery(home, number)).begin() {
            Some(suspension) => Delivery::Waits(number, suspension),
            None => Delivery::Over(self.deliver_sent(name, number, site)),
        }
    }

    #[inline(never)]
    #[track_caller]
    fn end_delivery(&self, name: &'static str, number: u32, site: Site) -> bool {
        rt::turn_taken().is_some() && self.deliver_sent(name, number, site)
    }

    /// Delivers the message with this number, which has been on its way.
    #[inline(always)]
    fn deliver_sent(&self, name: &'static str, number: u32, site: Site) -> bool {
        let Some(home) = self.home() else { return false };
        let mut guard = self.state();
        let state = &mut *guard;
        let place = state.sending.iter().position(|envelope| envelope.number == number);
        let Some(place) = place else { return false };
        let envelope = state.sending.swap_remove(place);
        state.put(home, envelope);
        drop(guard);
        report(name, home, number, site);
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
        // Made where it goes, as a delivery is.
        let action = |op| Action { waits, ..Action::new(op, home.location()) };
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
                let (operation, taking) = (Operation::new(name, site), Taking(self));
                let operation = operation.action(action(Op::Take { message: Op::NONE }));
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
                rt.perform(changing(rt, action(Op::TakeNone)));
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
        rt::with(|rt| {
            rt.perform(changing(rt, action(Op::Take { message: number })));
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
    /// Begins to look for messages: finds the oldest one that is there. That is part of the step before
    /// the receive.
    fn look_for(&self, pattern: &dyn Pattern<M>) -> Option<usize> {
        let messages = self.messages.iter().enumerate();
        find_match(messages.map(|(place, it)| (it, pattern, place)))
    }
}
