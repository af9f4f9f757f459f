//! The syntax of programs with event loops.

use std::fmt;

/// The statements of a thread or handler, in order.
pub type Block = Vec<Statement>;

/// A statement.
///
/// Every thread and handler has one register, which is initially 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Statement {
    /// Reads a variable into the register.
    Read(usize),
    /// Writes the register plus a constant to a variable.
    Write(usize, u64),
    /// Runs a block under a lock.
    Locked(usize, Block),
    /// Runs a block if the register is 0.
    IfZero(Block),
    /// Posts the event of a handler. Every handler is posted at exactly one place.
    Post(usize),
    /// Starts a thread. Every thread is spawned at most at one place. A thread that is not spawned
    /// starts by itself.
    Spawn(usize),
    /// Ends the thread of a handler, which then handles no more events.
    Quit,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Thread {
    /// Its own code.
    pub code: Block,
    /// Whether it handles events after its own code.
    pub loops: bool,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Loops {
    /// The threads.
    pub threads: Vec<Thread>,
    /// The handlers: their threads, and their code.
    pub handlers: Vec<(usize, Block)>,
}

impl Loops {
    /// Returns all outermost blocks.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.threads.iter().map(|thread| &thread.code).chain(self.handlers.iter().map(|h| &h.1))
    }

    /// Returns whether some statement satisfies a condition.
    pub fn any(&self, mut condition: impl FnMut(&Statement) -> bool) -> bool {
        fn visit(block: &Block, condition: &mut impl FnMut(&Statement) -> bool) -> bool {
            block.iter().any(|statement| {
                condition(statement)
                    || match statement {
                        Statement::Locked(_, inner) | Statement::IfZero(inner) => {
                            visit(inner, condition)
                        }
                        _ => false,
                    }
            })
        }
        self.blocks().any(|block| visit(block, &mut condition))
    }
}

fn write_block(f: &mut fmt::Formatter<'_>, block: &Block, indent: usize) -> fmt::Result {
    for statement in block {
        write!(f, "{:indent$}", "")?;
        match statement {
            Statement::Read(x) => writeln!(f, "r = x{x}")?,
            Statement::Write(x, value) => writeln!(f, "x{x} = r + {value}")?,
            Statement::Post(handler) => writeln!(f, "post h{handler}")?,
            Statement::Spawn(thread) => writeln!(f, "spawn t{thread}")?,
            Statement::Quit => writeln!(f, "quit")?,
            Statement::Locked(lock, inner) => {
                writeln!(f, "lock m{lock} {{")?;
                write_block(f, inner, indent + 2)?;
                writeln!(f, "{:indent$}}}", "")?;
            }
            Statement::IfZero(inner) => {
                writeln!(f, "if r == 0 {{")?;
                write_block(f, inner, indent + 2)?;
                writeln!(f, "{:indent$}}}", "")?;
            }
        }
    }
    Ok(())
}

impl fmt::Display for Loops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, thread) in self.threads.iter().enumerate() {
            writeln!(f, "t{i}{} {{", if thread.loops { " (loops)" } else { "" })?;
            write_block(f, &thread.code, 2)?;
            writeln!(f, "}}")?;
        }
        for (i, (thread, code)) in self.handlers.iter().enumerate() {
            writeln!(f, "h{i} on t{thread} {{")?;
            write_block(f, code, 2)?;
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}
