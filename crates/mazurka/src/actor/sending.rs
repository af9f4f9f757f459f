//! Sending.

use std::iter;

use mazurka_core::model::{Action, MemoryOrdering, Op};

use super::mailbox::{Content, Envelope, Home, Mailbox, changing, update};
use crate::rt::{self, Operation, Site, Suspension};

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
fn delivery(home: Home, message: u32, is_ordered: bool) -> Action {
    match is_ordered {
        true => update(home, MemoryOrdering::Release),
        false => Action::new(Op::Deliver { message }, home.location()),
    }
}

/// Reports that a message has been delivered.
#[inline(never)]
fn report(name: &'static str, home: Home, number: u32, site: Site) {
    rt::with(|rt| {
        let is_ordered = rt.tuning().memory_orderings;
        rt.perform(changing(rt, delivery(home, number, is_ordered), 1));
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
        let envelope =
            || Envelope { number, sender, content: Content::Message(message), about: None };
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
        let is_ordered = rt::with(|rt| rt.tuning().memory_orderings);
        match Operation::new(name, site).action(delivery(home, number, is_ordered)).begin() {
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
}
