//! The operations of a recording, and their syntax.

use std::fmt;

use crate::fields::Fields;

/// One operation of a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The number of the line in the file, from 1.
    pub number: usize,
    /// The index by which `dependence.txt` refers to it.
    pub index: u64,
    /// The thread that performs it.
    pub thread: u32,
    /// The operation.
    pub operation: Operation,
    /// The operation as it is written in the file.
    pub text: String,
}

/// How an event was posted. The queue treats all kinds the same: a delay has expired when the
/// operation is performed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PostKind {
    /// `POST`
    Plain,
    /// `NATIVE-POST`
    Native,
    /// `UI-POST`
    Ui,
    /// `DELAY-POST`
    Delayed,
}

/// A memory location.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A field of an object. The class of the object does not matter.
    Field {
        /// The object's address.
        object: u64,
        /// The field.
        field: i64,
    },
    /// A static field of a class.
    Static {
        /// The class.
        class: String,
        /// The field.
        field: i64,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Field { object, field } => write!(f, "field {field} of {object:#x}"),
            Place::Static { class, field } => write!(f, "static field {field} of {class}"),
        }
    }
}

/// Whether memory is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// `READ`, `READ-STATIC`
    Read,
    /// `WRITE`, `WRITE-STATIC`
    Write,
}

/// An operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `THREADINIT`: the thread starts. It must have been forked, unless it is thread 1.
    ThreadInit,
    /// `THREADEXIT`: the thread ends, and no more events can be posted to it.
    ThreadExit,
    /// `NOP`: waits for its sources in `dependence.txt`.
    Nop,
    /// `WAIT`: waits until the thread has been notified, and consumes one notification.
    Wait,
    /// `FORK`: creates a thread.
    Fork {
        /// The new thread.
        child: u32,
    },
    /// `ATTACH-Q`: the thread creates its queue.
    AttachQueue,
    /// `LOOP`: the end of the thread's own code. From now on it handles events.
    Loop,
    /// `POST`, `NATIVE-POST`, `UI-POST`, `DELAY-POST`: appends an event to a queue.
    Post {
        /// The kind of post.
        kind: PostKind,
        /// The event.
        message: u32,
        /// The thread that owns the queue.
        to: u32,
    },
    /// `CALL`: begins to handle the event at the front of the queue.
    Call {
        /// The event.
        message: u32,
    },
    /// `RET`: the handler returns.
    Return {
        /// The event.
        message: u32,
    },
    /// `READ`, `WRITE`, `READ-STATIC`, `WRITE-STATIC`
    Access(Access, Place),
    /// `LOCK`: waits until the lock is free. Locks are not re-entrant.
    Lock {
        /// The lock.
        lock: u64,
    },
    /// `UNLOCK`
    Unlock {
        /// The lock.
        lock: u64,
    },
    /// `NOTIFY`: wakes a thread that waits, or that will wait.
    Notify {
        /// The thread.
        thread: u32,
    },
    /// `ENABLE-LIFECYCLE`
    EnableLifecycle {
        /// The component.
        id: i64,
        /// The state that is enabled.
        state: String,
    },
    /// `TRIGGER-LIFECYCLE`: comes after the first `ENABLE-LIFECYCLE` of the same id and state that
    /// has not been triggered yet.
    TriggerLifecycle {
        /// The component.
        id: i64,
        /// The state that is triggered.
        state: String,
    },
    /// Another `ENABLE-…` or `TRIGGER-…`, which comes only after its sources in `dependence.txt`.
    Signal,
}

/// The text after the index in the first line of a recording.
const START: &str = "START";
/// The last line of a recording.
const END: &str = "End of trace!!";

impl Line {
    /// Parses a line. Returns `None` for an empty line, a comment, and the marks of the beginning
    /// and the end. Any other line that is not an operation is an error: a damaged line must not be
    /// lost.
    pub(crate) fn parse(number: usize, line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line == END {
            return Ok(None);
        }
        let (index, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let index = index.parse().map_err(|_| {
            format!(
                "`{}` is not the index of an operation; a line looks like `12 NOP tid:1`, and a \
                 comment begins with `#`",
                shortened(index)
            )
        })?;
        let text = rest.trim_start();
        let mut words = text.split_whitespace();
        let Some(name) = words.next() else {
            return Err(format!("no operation follows the index {index}"));
        };
        if text == START {
            return Ok(None);
        }
        let text = text.to_owned();
        let mut fields = Fields::of(name, words)?;
        let (thread, operation) = Operation::parse(name, &mut fields)?;
        fields.end()?;
        Ok(Some(Line { number, index, thread, operation, text }))
    }
}

/// The maximum length of a word that an error message quotes.
const MOST_QUOTED: usize = 40;

fn shortened(word: &str) -> String {
    match word.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

impl Operation {
    fn parse(name: &str, fields: &mut Fields<'_>) -> Result<(u32, Self), String> {
        let thread = match name {
            "FORK" => fields.id("par-tid")?,
            "POST" | "NATIVE-POST" | "UI-POST" | "DELAY-POST" => fields.id("src")?,
            _ if is_known(name) => fields.id("tid")?,
            _ => {
                return Err(format!(
                    "`{}` is not an operation of a recording, such as `READ` or `POST`",
                    shortened(name)
                ));
            }
        };
        let post = |kind, fields: &mut Fields<'_>| -> Result<Operation, String> {
            Ok(Operation::Post { kind, message: fields.id("msg")?, to: fields.id("dest")? })
        };
        let operation = match name {
            "THREADINIT" => Operation::ThreadInit,
            "THREADEXIT" => Operation::ThreadExit,
            "NOP" => Operation::Nop,
            "WAIT" => Operation::Wait,
            "FORK" => Operation::Fork { child: fields.id("child-tid")? },
            "ATTACH-Q" => {
                fields.number("queue")?;
                Operation::AttachQueue
            }
            "LOOP" => {
                fields.optional("queue");
                Operation::Loop
            }
            "POST" => post(PostKind::Plain, fields)?,
            "NATIVE-POST" => post(PostKind::Native, fields)?,
            "UI-POST" => post(PostKind::Ui, fields)?,
            "DELAY-POST" => post(PostKind::Delayed, fields)?,
            "CALL" => Operation::Call { message: fields.id("msg")? },
            "RET" => Operation::Return { message: fields.id("msg")? },
            "READ" | "WRITE" => {
                let object = fields.address("obj")?;
                fields.text("class")?;
                let place = Place::Field { object, field: fields.number("field")? };
                Operation::Access(access(name), place)
            }
            "READ-STATIC" | "WRITE-STATIC" => {
                let class = fields.text("class")?.to_owned();
                let place = Place::Static { class, field: fields.number("field")? };
                Operation::Access(access(name), place)
            }
            "LOCK" => Operation::Lock { lock: fields.address("lock-obj")? },
            "UNLOCK" => Operation::Unlock { lock: fields.address("lock-obj")? },
            "NOTIFY" => Operation::Notify { thread: fields.id("notifiedTid")? },
            "ENABLE-LIFECYCLE" | "TRIGGER-LIFECYCLE" => {
                fields.text("component")?;
                let (id, state) = (fields.number("id")?, fields.text("state")?.to_owned());
                match name {
                    "ENABLE-LIFECYCLE" => Operation::EnableLifecycle { id, state },
                    _ => Operation::TriggerLifecycle { id, state },
                }
            }
            _ => {
                let (texts, numbers) = signal_fields(name);
                for field in texts {
                    fields.text(field)?;
                }
                for field in numbers {
                    fields.number(field)?;
                }
                Operation::Signal
            }
        };
        Ok((thread, operation))
    }
}

fn access(name: &str) -> Access {
    if name.starts_with("READ") { Access::Read } else { Access::Write }
}

/// Returns the fields of operations that only signal: those with texts, and those with numbers.
fn signal_fields(name: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match name {
        "TRIGGER-SERVICE" => (&["component", "state"], &["id"]),
        "TRIGGER-BROADCAST" => (&["action", "state"], &["component", "intent", "onRecLater"]),
        "ENABLE-EVENT" | "TRIGGER-EVENT" => (&[], &["view", "event"]),
        "ENABLE-WINDOW-FOCUS" | "TRIGGER-WINDOW-FOCUS" => (&[], &["windowHash"]),
        _ => (&[], &[]),
    }
}

fn is_known(name: &str) -> bool {
    let plain = [
        "THREADINIT",
        "THREADEXIT",
        "NOP",
        "WAIT",
        "ATTACH-Q",
        "LOOP",
        "CALL",
        "RET",
        "READ",
        "WRITE",
        "READ-STATIC",
        "WRITE-STATIC",
        "LOCK",
        "UNLOCK",
        "NOTIFY",
        "ENABLE-LIFECYCLE",
        "TRIGGER-LIFECYCLE",
    ];
    plain.contains(&name) || !signal_fields(name).1.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(text: &str) -> Result<Operation, String> {
        Line::parse(1, &format!("7 {text}")).map(|line| line.expect("an operation").operation)
    }

    #[test]
    fn every_operation_of_the_grammar_is_read() {
        let signals = [
            "TRIGGER-SERVICE tid:1 component:a.b id:3 state:CREATE",
            "TRIGGER-BROADCAST tid:1 action:a component:4 intent:0 onRecLater:-1 state:SEND",
            "ENABLE-EVENT tid:1 view:4 event:0",
            "TRIGGER-EVENT tid:1 view:4 event:0",
            "ENABLE-WINDOW-FOCUS tid:1 windowHash:77",
            "TRIGGER-WINDOW-FOCUS tid:1 windowHash:77",
        ];
        for text in signals {
            assert_eq!(operation(text), Ok(Operation::Signal), "{text}");
        }
        let field = Place::Field { object: 0x1f, field: 8 };
        let lifecycle = (4, "PAUSE".to_owned());
        let others = [
            ("THREADINIT tid:1", Operation::ThreadInit),
            ("THREADEXIT tid:1", Operation::ThreadExit),
            ("NOP tid:1", Operation::Nop),
            ("WAIT tid:1", Operation::Wait),
            ("FORK par-tid:1 child-tid:2", Operation::Fork { child: 2 }),
            ("ATTACH-Q tid:1 queue:5", Operation::AttachQueue),
            ("LOOP tid:1 queue:5", Operation::Loop),
            ("LOOP tid:1", Operation::Loop),
            ("CALL tid:1 msg:4", Operation::Call { message: 4 }),
            ("RET tid:1 msg:4", Operation::Return { message: 4 }),
            (
                "READ tid:1 obj:0x1F class:a; field:8",
                Operation::Access(Access::Read, field.clone()),
            ),
            ("WRITE tid:1 obj:31 class:b field:8", Operation::Access(Access::Write, field)),
            ("LOCK tid:1 lock-obj:0x2", Operation::Lock { lock: 2 }),
            ("UNLOCK tid:1 lock-obj:2", Operation::Unlock { lock: 2 }),
            ("NOTIFY tid:1 notifiedTid:3", Operation::Notify { thread: 3 }),
            (
                "ENABLE-LIFECYCLE tid:1 component:c id:4 state:PAUSE",
                Operation::EnableLifecycle { id: lifecycle.0, state: lifecycle.1.clone() },
            ),
            (
                "TRIGGER-LIFECYCLE tid:1 component:c id:4 state:PAUSE",
                Operation::TriggerLifecycle { id: lifecycle.0, state: lifecycle.1 },
            ),
        ];
        for (text, expected) in others {
            assert_eq!(operation(text), Ok(expected), "{text}");
        }
        let posts = [
            ("POST", PostKind::Plain),
            ("NATIVE-POST", PostKind::Native),
            ("UI-POST", PostKind::Ui),
            ("DELAY-POST", PostKind::Delayed),
        ];
        for (name, kind) in posts {
            let post = Operation::Post { kind, message: 4, to: 2 };
            assert_eq!(operation(&format!("{name} src:1 msg:4 dest:2")), Ok(post));
        }
        for (name, access) in [("READ", Access::Read), ("WRITE", Access::Write)] {
            let place = Place::Static { class: "La/B$C:d;".to_owned(), field: 3 };
            let text = format!("{name}-STATIC tid:1 class:La/B$C:d; field:3");
            assert_eq!(operation(&text), Ok(Operation::Access(access, place)));
        }
    }

    #[test]
    fn empty_lines_comments_and_marks_are_no_operations() {
        for line in ["", "  ", "End of trace!!", "1 START", "# note"] {
            assert_eq!(Line::parse(1, line), Ok(None), "{line}");
        }
    }

    #[test]
    fn bad_lines_say_what_is_wrong() {
        let errors = [
            ("JUMP tid:1", "`JUMP` is not an operation"),
            ("LOCK tid:1", "LOCK needs the field `lock-obj`"),
            ("LOCK tid:1 lock-obj:0xg", "`0xg`, which is not an address"),
            ("NOP tid:one", "the field `tid` of NOP is `one`"),
            ("NOP tid:1 msg:2", "NOP has no field `msg`"),
            ("NOP tid", "`tid` is not a field"),
        ];
        for (text, expected) in errors {
            let error = operation(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let damaged = ["1x NOP tid:1", "NOP tid:1", "7", "1 START now", "End of tra", "\u{0}\u{1}"];
        for line in damaged {
            assert!(Line::parse(1, line).is_err(), "{line}");
        }
        let error = Line::parse(1, "1x NOP tid:1").unwrap_err();
        assert!(error.starts_with("`1x` is not the index of an operation"), "{error}");
    }
}
