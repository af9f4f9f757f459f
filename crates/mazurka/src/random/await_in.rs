//! Loops that wait for a variable, in many forms.

use std::cell::Cell;
use std::hint::black_box;

use super::program::Form;
use super::variable::Variable;
use crate::hint::spin_loop;

thread_local! {
    /// Counts iterations. Every wait begins at 0: a step runs no other thread.
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

#[inline(never)]
fn is(x: Variable<'_>, value: u32) -> bool {
    x.load() == value
}

#[inline(never)]
fn try_lock(x: Variable<'_>) -> bool {
    let found = black_box(x.exchange(0, 2));
    found.is_ok()
}

/// Waits as `form` says, and returns what the loop has seen.
#[inline(never)]
pub(super) fn await_in(form: Form, x: Variable<'_>, y: Variable<'_>, value: u32) -> u32 {
    match form {
        Form::Call => {
            while !is(x, value) {
                spin_loop();
            }
            0
        }
        Form::Dynamic => {
            let holds: Box<dyn Fn() -> bool + '_> = black_box(Box::new(|| x.load() == value));
            while !holds() {}
            0
        }
        Form::Cell => {
            let count = Cell::new(0);
            black_box(&count);
            while x.load() != value {
                count.set(2.min(count.get() + 1));
                spin_loop();
            }
            count.get().min(1)
        }
        Form::Boxed => {
            let mut count = black_box(Box::new(0));
            while x.load() != value {
                *count = 2.min(*count + 1);
                spin_loop();
            }
            (*count).min(1)
        }
        Form::Static => {
            // The value before is kept in a local variable, since other threads use the static, too.
            let mut count = 0;
            while x.load() != value {
                COUNT.set(count);
                count = 1.min(COUNT.get() + 1);
            }
            count
        }
        Form::Last => {
            let mut last = 9;
            loop {
                let now = x.load();
                if now == value {
                    return last;
                }
                last = now;
                spin_loop();
            }
        }
        Form::First => {
            let mut first = None;
            loop {
                let now = x.load();
                let first = *first.get_or_insert(now);
                if now == value {
                    return first;
                }
            }
        }
        Form::Allocates => {
            while *black_box(Box::new(x.load())) != value {
                spin_loop();
            }
            0
        }
        Form::Less => loop {
            let now = x.load();
            if now >= value {
                return now;
            }
            spin_loop();
        },
        Form::Among => {
            let values = black_box([value, 7, 1]);
            loop {
                let now = x.load();
                if let Some(place) = values.iter().position(|it| *it == now) {
                    return place as u32;
                }
            }
        }
        Form::Nested => loop {
            while x.load() != value {
                spin_loop();
            }
            if y.load() == value {
                return 0;
            }
            spin_loop();
        },
        Form::Parity => {
            let (mut before, mut changes) = (value, 0);
            loop {
                let now = x.load();
                if now != before {
                    (before, changes) = (now, changes + 1);
                }
                if changes % 2 == 1 {
                    return now;
                }
                spin_loop();
            }
        }
        Form::ExchangeLock => {
            while !try_lock(x) {
                spin_loop();
            }
            x.store(0);
            0
        }
        Form::LookLock => {
            loop {
                while x.load() == 2 {
                    spin_loop();
                }
                if x.swap(2) != 2 {
                    break;
                }
            }
            x.store(0);
            0
        }
        Form::ExchangeUnless => {
            while let Err(found) = x.exchange(0, value) {
                if found == 1 {
                    return 1;
                }
                spin_loop();
            }
            2
        }
        Form::SwapSame => {
            while x.swap(value) == value {}
            0
        }
        Form::Twice => {
            while x.load() != value && x.load() == 0 {
                spin_loop();
            }
            0
        }
        Form::Patient => {
            let mut rounds = 0;
            while x.load() != value {
                rounds += 1;
                if rounds == 3 {
                    break;
                }
                spin_loop();
            }
            rounds
        }
    }
}
