//! Panics of the program under test.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{self, PanicHookInfo, catch_unwind, resume_unwind};
use std::sync::Once;

use mazurka_core::verdict::ViolationKind;
use mazurka_report::{LineKind, Place};

use super::process::Quiet;
use super::recording::exact_place_of;
use super::runtime::NO_EVENT;
use super::{CURRENT, abort};

/// What the panic hook has seen.
pub(super) struct PanicNote {
    message: String,
    place: Option<Place>,
}

impl fmt::Display for PanicNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} (at {place})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Makes panics of processes silent, and takes note of them; all others go to the hook that was
/// there before.
pub(super) fn install_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if SETTLING.get() {
                let _ = catch_unwind(|| resume_unwind(Box::new(())));
            } else if !note(info) {
                previous(info);
            }
        }));
    });
}

fn message_of(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

/// Takes note of a panic if it is one of a process.
fn note(info: &PanicHookInfo<'_>) -> bool {
    let runtime = CURRENT.get();
    if runtime.is_null() {
        return false;
    }
    // SAFETY: as in `with`: no reference to the runtime is in use, since code that holds one does
    // not panic.
    let rt = unsafe { &mut *runtime };
    if rt.current == NO_EVENT {
        return false;
    }
    let current = rt.current;
    let name = rt.process_name(rt.current());
    let slot = &mut rt.processes[current];
    let text = message_of(info.payload());
    if text.is_some_and(is_fatal) {
        // A panic in a destructor, while another one unwinds: the standard library is about to
        // abort. The process is left there, and never runs again.
        let (second, first) = (slot.note.take(), slot.note_before.take());
        if !rt.dead {
            let tell = |note: Option<PanicNote>| match note {
                Some(PanicNote { message, place: Some(place) }) => {
                    format!(" (at {place}: {message})")
                }
                _ => String::new(),
            };
            let message = format!(
                "thread {name} panicked in a destructor{} while it was already unwinding from \
                 a panic{}, which aborts the program",
                tell(second),
                tell(first),
            );
            slot.panic = Some(message.clone());
            rt.fail(ViolationKind::Panic, message);
        }
        abort::expect();
        return true;
    }
    slot.panicked = true;
    if slot.quiet == Quiet::Yes {
        slot.quiet = Quiet::Disturbed;
    }
    let place = info.location().map(|at| exact_place_of(at));
    let message = text.unwrap_or("Box<dyn Any>").to_owned();
    slot.note_before = slot.note.replace(PanicNote { message, place: place.clone() });
    if rt.recorder.is_some() && !rt.dead {
        rt.record(place, "panic".to_owned(), LineKind::Failure);
    }
    true
}

/// Whether the standard library panics with this when it cannot unwind, and is about to abort.
fn is_fatal(message: &str) -> bool {
    message.starts_with("panic in a destructor during cleanup")
        || message.starts_with("panic in a function that cannot unwind")
}

/// The panic that ended a process, in a sentence.
pub(super) fn describe(
    thread: &str,
    payload: &(dyn Any + Send),
    note: Option<PanicNote>,
    joined: &Option<String>,
) -> String {
    let text = message_of(payload);
    let mut message = match (note, text) {
        // The hook may have seen another panic before this one, which was caught.
        (Some(note), text) if text.is_none_or(|text| text == note.message) => {
            let place = note.place.map(|place| format!(" at {place}")).unwrap_or_default();
            format!("thread {thread} panicked{place}: {}", note.message)
        }
        (_, Some(text)) => format!("thread {thread} panicked: {text}"),
        (_, None) => format!("thread {thread} panicked"),
    };
    if let Some(joined) = joined {
        message.push_str("\nafter it joined a thread that had panicked: ");
        message.push_str(joined);
    }
    message
}

thread_local! {
    static SETTLING: Cell<bool> = const { Cell::new(false) };
}

/// Makes the standard library forget panics that will never be caught, at most so many. Otherwise this OS
/// thread would be panicking for ever.
pub(super) fn forget_panics(most: usize) {
    if !std::thread::panicking() {
        return;
    }
    SETTLING.set(true);
    for _ in 0..most.min(1_000) {
        if !std::thread::panicking() {
            break;
        }
        // In a hook, the standard library does not count an unwinding that begins, but does count
        // one that is caught. So in the end one more has been caught than raised.
        let _ = catch_unwind(|| panic!("not a real panic"));
    }
    SETTLING.set(false);
}
