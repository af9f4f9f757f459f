//! Runs a random program.

use std::cell::Cell;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use super::await_in::await_in;
use super::objects::{MANY, Objects, Outcomes};
use super::program::{Do, Program};
use super::variable::Orderings;
use crate::event::EventLoop;
use crate::rt;
use crate::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use crate::sync::{Arc, RwLockWriteGuard};
use crate::{assume, choose, hint, thread};

const SOON: Duration = Duration::from_millis(1);
/// What is logged where there is nothing to see.
const NOTHING: u32 = 90;
/// What is logged where an attempt at a lock fails.
pub(super) const REFUSED: u32 = 80;
/// What is logged where a lock is poisoned, beside what it keeps.
const POISONED: u32 = 50;

/// Runs the program once.
pub(super) fn run(program: &Program, orderings: Orderings, outcomes: &Arc<Outcomes>) {
    let posts = program.statements().any(Do::posts);
    let event_loop = posts.then(|| EventLoop::spawn("loop"));
    let handle = event_loop.as_ref().map(EventLoop::handle);
    let objects = Arc::new(Objects::new(handle, orderings, Arc::clone(outcomes)));
    objects.log.begin();
    let senders = program.threads.len() + usize::from(program.many.is_some());
    let (mut outs, inbox) = ends(program.bound, senders);
    let mut inbox = Some(inbox);
    // These are the first threads, so that their names do not depend on the schedule.
    let many = program.many.as_ref().map(|(count, block)| {
        (0..*count).for_each(|_| objects.log.begin());
        let (objects, block) = (Arc::clone(&objects), block.clone());
        let (out, names) = (outs.pop(), AtomicUsize::new(0));
        thread::spawn_many(*count, move || {
            let path = vec![MANY, names.fetch_add(1, Relaxed)];
            let (objects, out) = (Arc::clone(&objects), out.clone());
            Actor { objects, path, children: 0, out, inbox: None }.run(&block);
        })
    });
    let mut handles = Vec::new();
    for (number, (block, out)) in program.threads.iter().zip(outs).enumerate() {
        let (out, inbox) = (Some(out), inbox.take());
        let actor = Actor::new(&objects, vec![number], out, inbox);
        let block = block.clone();
        handles.push(actor.builder().spawn(move || actor.run(&block)).unwrap());
    }
    *objects.threads.lock().unwrap() = handles.iter().map(|h| h.thread().clone()).collect();
    if program.joins {
        for handle in handles {
            let seen = u32::from(handle.join().is_err());
            objects.log.note(&[], seen);
        }
        if let Some(many) = many {
            many.join();
        }
        (0..super::program::VARIABLES)
            .for_each(|on| objects.log.note(&[], objects.variable(on).load()));
    }
    if let Some(event_loop) = event_loop.filter(|_| program.joins) {
        event_loop.quit();
        objects.log.note(&[], u32::from(event_loop.join().is_err()));
    }
    end(&objects);
}

/// Notes the end of a thread. What happens in an execution that is being torn down, or is only tried, is no
/// outcome.
fn end(objects: &Objects) {
    if rt::try_with(|rt| rt.is_real()) == Some(true) {
        objects.log.end();
    }
}

/// What sends to the channel.
#[derive(Clone)]
enum Out {
    Unbounded(Sender<u32>),
    Bounded(SyncSender<u32>),
}

/// Returns a channel with a sender for each thread.
fn ends(bound: Option<usize>, threads: usize) -> (Vec<Out>, Receiver<u32>) {
    match bound {
        None => {
            let (sender, receiver) = channel();
            let mut senders: Vec<_> =
                (1..threads).map(|_| Out::Unbounded(sender.clone())).collect();
            senders.push(Out::Unbounded(sender));
            (senders, receiver)
        }
        Some(bound) => {
            let (sender, receiver) = sync_channel(bound);
            let mut senders: Vec<_> = (1..threads).map(|_| Out::Bounded(sender.clone())).collect();
            senders.push(Out::Bounded(sender));
            (senders, receiver)
        }
    }
}

/// A thread or a handler.
struct Actor {
    objects: Arc<Objects>,
    path: Vec<usize>,
    children: usize,
    out: Option<Out>,
    inbox: Option<Receiver<u32>>,
}

/// Performs statements when it is dropped.
struct AtEnd<'a> {
    actor: &'a mut Actor,
    block: &'a [Do],
}

impl Drop for AtEnd<'_> {
    fn drop(&mut self) {
        self.actor.all(self.block);
    }
}

/// The end of a thread, by whichever way.
struct End(Arc<Objects>);

impl Drop for End {
    fn drop(&mut self) {
        end(&self.0);
    }
}

impl Actor {
    fn new(
        objects: &Arc<Objects>,
        path: Vec<usize>,
        out: Option<Out>,
        inbox: Option<Receiver<u32>>,
    ) -> Self {
        objects.log.begin();
        Actor { objects: Arc::clone(objects), path, children: 0, out, inbox }
    }

    fn child(&mut self) -> Actor {
        let mut path = self.path.clone();
        path.push(self.children);
        self.children += 1;
        Actor::new(&self.objects, path, None, None)
    }

    /// Returns a builder of a thread with a name of its own. By default, threads are numbered in
    /// the order of their creation, which depends on the schedule.
    fn builder(&self) -> thread::Builder {
        thread::Builder::new().name(format!("t{:?}", self.path))
    }

    /// Performs the statements, and ends.
    fn run(mut self, block: &[Do]) {
        let _end = End(Arc::clone(&self.objects));
        self.all(block);
        // Both ends of the channel are dropped before the thread has ended.
        drop((self.out.take(), self.inbox.take()));
    }

    fn all(&mut self, block: &[Do]) {
        block.iter().for_each(|statement| self.perform(statement));
    }

    fn note(&self, seen: impl Into<u32>) {
        self.objects.log.note(&self.path, seen.into());
    }

    fn number(&self) -> u32 {
        self.path[0] as u32 + 1
    }

    fn perform(&mut self, statement: &Do) {
        let objects = Arc::clone(&self.objects);
        match statement {
            Do::Load(..) | Do::Store(..) | Do::Add(_) | Do::Swap(..) | Do::Exchange { .. } => {
                self.access(&objects, statement);
            }
            Do::If(on, value, block) => {
                if objects.variable(*on).load() == *value {
                    self.note(1u32);
                    self.all(block);
                }
            }
            Do::AssertNot(on, value) => assert_ne!(objects.variable(*on).load(), *value),
            Do::Assume(on, value) => assume(objects.variable(*on).load() == *value),
            Do::Choose(n) => self.note(choose(*n) as u32),
            Do::Get => self.note(objects.plain.0.get()),
            Do::Set(value) => objects.plain.0.set(*value),
            Do::Lock(..) | Do::TryLock(..) => self.lock(&objects, statement),
            Do::Read(_) | Do::Write(_) | Do::TryRead(_) | Do::TryWrite(_) | Do::Downgrade(_) => {
                self.rwlock(&objects, statement);
            }
            Do::Wait | Do::WaitTimeout | Do::NotifyOne | Do::NotifyAll | Do::Barrier => {
                self.condition(&objects, statement);
            }
            Do::CallOnce(_)
            | Do::CallOnceForce(_)
            | Do::IsCompleted
            | Do::SetOnce
            | Do::GetOnce
            | Do::WaitOnce => self.once(&objects, statement),
            Do::Send
            | Do::TrySend
            | Do::Receive
            | Do::TryReceive
            | Do::ReceiveTimeout
            | Do::HangUp
            | Do::Close => self.channel(statement),
            Do::Park
            | Do::ParkTimeout
            | Do::Unpark(_)
            | Do::Spawn(_)
            | Do::Scope(..)
            | Do::Post(_) => self.thread(&objects, statement),
            Do::Defer(block, at_end) => {
                let at_end = AtEnd { actor: self, block: at_end };
                at_end.actor.all(block);
            }
            Do::PutBox => self.note(objects.slot.put(1)),
            Do::TakeBox => self.note(objects.slot.take()),
            _ => self.spin(&objects, statement),
        }
    }

    fn access(&self, objects: &Objects, statement: &Do) {
        match *statement {
            Do::Load(on) => self.note(objects.variable(on).load()),
            Do::Store(on, value) => objects.variable(on).store(value),
            Do::Add(on) => self.note(objects.variable(on).add()),
            Do::Swap(on, value) => self.note(objects.variable(on).swap(value)),
            Do::Exchange { on, from, to, weak } => {
                let variable = objects.variable(on);
                let result = match weak {
                    true => variable.exchange_weak(from, to),
                    false => variable.exchange(from, to),
                };
                self.note(result.unwrap_or_else(|found| NOTHING + found));
            }
            _ => unreachable!("{statement:?} is no access"),
        }
    }

    fn spin(&mut self, objects: &Objects, statement: &Do) {
        match statement {
            Do::Yield => thread::yield_now(),
            Do::SpinUntil(on, value) => {
                while objects.variable(*on).load() != *value {
                    thread::yield_now();
                }
            }
            Do::SpinEither(one, other, value) => {
                let mut rounds = 0u32;
                let has = |on: &usize| objects.variable(*on).load() == *value;
                while !has(one) && !has(other) {
                    rounds += 1;
                    thread::yield_now();
                }
                // How often it goes round once it has begun to wait is not defined.
                self.note(rounds.min(1));
            }
            Do::SpinLock(on, block) => {
                while objects.variable(*on).swap(2) == 2 {
                    hint::spin_loop();
                }
                self.all(block);
                objects.variable(*on).store(0);
            }
            Do::SpinTryLock(block) => loop {
                if let Ok(mut guard) = objects.mutexes[0].try_lock() {
                    *guard += 1;
                    self.note(*guard);
                    return self.all(block);
                }
                hint::spin_loop();
            },
            Do::SpinReceive => loop {
                let Some(inbox) = &self.inbox else { return };
                if let Ok(message) = inbox.try_recv() {
                    return self.note(message);
                }
                thread::yield_now();
            },
            Do::Retry(on) => {
                for _ in 0..2 {
                    if objects.variable(*on).swap(1) != 1 {
                        return self.note(1u32);
                    }
                    hint::spin_loop();
                }
                self.note(2u32);
            }
            Do::Poll(on, rounds) => {
                for _ in 0..*rounds {
                    self.note(objects.variable(*on).load());
                    thread::yield_now();
                }
            }
            Do::PollBoth(one, other, rounds) => {
                let left = Box::new(Cell::new(*rounds));
                while left.get() > 0 && objects.variable(*one).load() == 0 {
                    left.set(left.get() - 1);
                    self.note(objects.variable(*other).load());
                    hint::spin_loop();
                }
            }
            Do::Backoff(on) => {
                let variable = objects.variable(*on);
                let mut now = variable.load();
                while let Err(other) = variable.exchange(now, now + 1) {
                    now = other;
                    hint::spin_loop();
                }
                self.note(now);
            }
            Do::Await(on, value) => while objects.variable(*on).load() != *value {},
            Do::AwaitIn(form, on, other, value) => {
                let [x, y] = [on, other].map(|on| objects.variable(*on));
                self.note(await_in(*form, x, y, *value));
            }
            Do::Patience(on, value) => {
                let has = |on: usize| objects.variable(on).load() == *value;
                for _ in 0..2 {
                    if has(*on) {
                        return self.note(1u32);
                    }
                    hint::spin_loop();
                }
                while !has(*on) {
                    thread::yield_now();
                }
                self.note(2u32);
            }
            _ => unreachable!("{statement:?} does not spin"),
        }
    }

    fn lock(&mut self, objects: &Objects, statement: &Do) {
        let (guard, block) = match statement {
            Do::Lock(mutex, block) => match objects.mutexes[*mutex].lock() {
                Ok(guard) => (guard, block),
                Err(poisoned) => {
                    self.note(POISONED);
                    (poisoned.into_inner(), block)
                }
            },
            Do::TryLock(mutex, block) => match objects.mutexes[*mutex].try_lock() {
                Ok(guard) => (guard, block),
                Err(_) => return self.note(REFUSED),
            },
            _ => unreachable!("{statement:?} does not lock"),
        };
        let mut guard = guard;
        *guard += 1;
        self.note(*guard);
        self.all(block);
    }

    fn rwlock(&mut self, objects: &Objects, statement: &Do) {
        let lock = &objects.rwlock;
        match statement {
            Do::Read(block) => {
                let guard = lock.read().unwrap_or_else(PoisonError::into_inner);
                self.note(*guard);
                self.all(block);
            }
            Do::TryRead(block) => match lock.try_read() {
                Ok(guard) => {
                    self.note(*guard);
                    self.all(block);
                }
                Err(_) => self.note(REFUSED),
            },
            Do::Write(block) => {
                let mut guard = lock.write().unwrap_or_else(PoisonError::into_inner);
                *guard += 1;
                self.all(block);
            }
            Do::TryWrite(block) => match lock.try_write() {
                Ok(mut guard) => {
                    *guard += 1;
                    self.all(block);
                }
                Err(_) => self.note(REFUSED),
            },
            Do::Downgrade(block) => {
                let mut guard = lock.write().unwrap_or_else(PoisonError::into_inner);
                *guard += 1;
                let guard = RwLockWriteGuard::downgrade(guard);
                self.all(block);
                self.note(*guard);
            }
            _ => unreachable!("{statement:?} does not lock"),
        }
    }

    fn condition(&self, objects: &Objects, statement: &Do) {
        let lock = || objects.mutexes[0].lock().unwrap_or_else(PoisonError::into_inner);
        match statement {
            Do::Wait => {
                let guard = objects.condvar.wait(lock());
                let mut guard = guard.unwrap_or_else(PoisonError::into_inner);
                *guard += 1;
                self.note(*guard);
            }
            Do::WaitTimeout => {
                let waited = objects.condvar.wait_timeout(lock(), SOON);
                let (guard, result) = waited.unwrap_or_else(PoisonError::into_inner);
                self.note(*guard * 2 + u32::from(result.timed_out()));
            }
            Do::NotifyOne => objects.condvar.notify_one(),
            Do::NotifyAll => {
                *lock() += 1;
                objects.condvar.notify_all();
            }
            Do::Barrier => self.note(objects.barrier.wait().is_leader()),
            _ => unreachable!("{statement:?} is about no condition"),
        }
    }

    fn once(&mut self, objects: &Objects, statement: &Do) {
        match statement {
            Do::CallOnce(block) => {
                let mut called = false;
                objects.once.call_once(|| {
                    called = true;
                    self.all(block);
                });
                self.note(called);
            }
            Do::CallOnceForce(block) => {
                let mut called = false;
                objects.once.call_once_force(|state| {
                    called = true;
                    self.note(state.is_poisoned());
                    self.all(block);
                });
                self.note(called);
            }
            Do::IsCompleted => self.note(objects.once.is_completed()),
            Do::SetOnce => self.note(objects.cell.set(self.number()).is_ok()),
            Do::GetOnce => self.note(objects.cell.get().copied().unwrap_or(NOTHING)),
            Do::WaitOnce => self.note(*objects.cell.wait()),
            _ => unreachable!("{statement:?} is done more than once"),
        }
    }

    fn channel(&mut self, statement: &Do) {
        let me = self.number();
        let seen = match statement {
            Do::Send => match &self.out {
                Some(Out::Unbounded(sender)) => sender.send(me).is_ok().into(),
                Some(Out::Bounded(sender)) => sender.send(me).is_ok().into(),
                None => NOTHING,
            },
            Do::TrySend => match &self.out {
                Some(Out::Unbounded(sender)) => sender.send(me).is_ok().into(),
                Some(Out::Bounded(sender)) => match sender.try_send(me) {
                    Ok(()) => 1,
                    Err(TrySendError::Full(_)) => 2,
                    Err(TrySendError::Disconnected(_)) => 3,
                },
                None => NOTHING,
            },
            Do::HangUp => self.out.take().is_some().into(),
            Do::Close => self.inbox.take().is_some().into(),
            _ => {
                let Some(inbox) = &self.inbox else { return };
                match statement {
                    Do::Receive => inbox.recv().unwrap_or(NOTHING),
                    Do::TryReceive => {
                        inbox.try_recv().unwrap_or_else(|error| NOTHING + error as u32)
                    }
                    Do::ReceiveTimeout => {
                        inbox.recv_timeout(SOON).unwrap_or_else(|error| NOTHING + error as u32)
                    }
                    _ => unreachable!("{statement:?} is about no channel"),
                }
            }
        };
        self.note(seen);
    }

    fn thread(&mut self, objects: &Objects, statement: &Do) {
        match statement {
            Do::Park => thread::park(),
            Do::ParkTimeout => thread::park_timeout(SOON),
            Do::Unpark(number) => {
                let thread = objects.threads.lock().unwrap().get(*number).cloned();
                thread.inspect(crate::thread::Thread::unpark);
            }
            Do::Spawn(block) => {
                let (child, block) = (self.child(), block.clone());
                let handle = child.builder().spawn(move || child.run(&block)).unwrap();
                self.note(handle.is_finished());
                self.note(handle.join().is_err());
            }
            Do::Scope(theirs, ours) => {
                let child = self.child();
                thread::scope(|scope| {
                    let builder = child.builder();
                    builder.spawn_scoped(scope, || child.run(theirs)).unwrap();
                    self.all(ours);
                });
            }
            Do::Post(block) => {
                let (child, block) = (self.child(), block.clone());
                if let Some(handle) = &objects.handle {
                    handle.post(move || child.run(&block));
                }
            }
            _ => unreachable!("{statement:?} is about no thread"),
        }
    }
}
