//! Sending and receiving.

use mazurka_core::model::{Action, Op};

use super::mailbox::{Content, Envelope, Looking, Mailbox, changing, find_match, report_rivals};
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
    fn is_enabled(&self, _rt: &Runtime, action: Option<&Action>) -> bool {
        self.0.is_ready() || action.is_some_and(|action| !action.waits)
    }

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
            self.post("send", Envelope { number, sender, content, about: None }, site);
        }
    }

    /// Sends what is in an envelope. Returns `false` if the execution is being torn down.
    #[track_caller]
    pub(super) fn post(&self, name: &'static str, envelope: Envelope<M>, site: Site) -> bool {
        let Some(home) = self.home().filter(|_| rt::alive()) else { return false };
        let number = envelope.number;
        let action = Action::new(Op::Deliver { message: number }, home.location());
        if rt::with(|rt| rt.repeat(|_| Some(home.object), (name, site))).is_some() {
            self.put(&mut self.state(), action.on, envelope);
        } else {
            // Receives that are performed before it want to know what comes.
            self.state().sending.push(envelope);
            if Operation::new(name, site).action(action).turn_here().is_none() {
                return false;
            }
            self.put_sent(action.on, number);
        }
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
        let is_any = pattern.is_any();
        let spins = patience == Patience::None && is_any && self.is_spun_on();
        let waits = patience == Patience::Endless || spins;
        let action = Action::new(Op::Take { message: Op::NONE }, home.location());
        let action = Action { waits, ..action };
        let looking = self.look_for(Box::new(pattern));
        let again = || rt::with(|rt| rt.repeat(|_| Some(home.object), (name, site)));
        let (mut guard, looking) = match looking.found.is_some() && again().is_some() {
            true => (self.state(), Some(looking)),
            false => {
                self.wait_with(looking);
                Operation::new(name, site).action(action).blocked_by(&Taking(self)).turn_here()?;
                self.set_ready(false);
                let mut guard = self.state();
                let looking = guard.looking.take();
                (guard, looking)
            }
        };
        let state = &mut *guard;
        let Looking { pattern, found } = looking?;
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
            let pattern = &*pattern;
            report_rivals(action.on, others.map(|it| (it, pattern, (number, it.number))));
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
        state.taken.push((number, pattern));
        match envelope.content {
            Content::Message(message) => {
                let pattern = state.taken.last().map(|(_, pattern)| pattern.as_any());
                let pattern = pattern.and_then(|pattern| pattern.downcast_ref::<P>())?;
                let extracted = rt::without_operations(|| extract(pattern, &message));
                Some((message, extracted))
            }
            Content::Exit(ended) => {
                drop(guard);
                super::end::exit_with(&ended)
            }
        }
    }

    /// Begins to look for messages. What is there is looked at now, as part of the step before.
    fn look_for(&self, pattern: Box<dyn Pattern<M>>) -> Looking<M> {
        let state = self.state();
        let messages = state.messages.iter().enumerate();
        let found = find_match(messages.map(|(place, it)| (it, &*pattern, place)));
        Looking { pattern, found }
    }

    /// What comes until the receive has its turn is looked at when it comes.
    fn wait_with(&self, looking: Looking<M>) {
        self.set_ready(looking.found.is_some());
        self.state().looking = Some(looking);
    }

    /// Whether all that the owner has done since it found the mailbox empty is to yield: then
    /// there is no point in looking before that has changed.
    fn is_spun_on(&self) -> bool {
        let found_empty = self.state().found_empty;
        rt::with(|rt| rt.has_yielded() && found_empty == Some(rt.steps_of_current()))
    }
}
