//! What a random program can do.

/// A program: what its threads do, and how they are set up.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Program {
    /// What each thread does.
    pub(super) threads: Vec<Vec<Do>>,
    /// The threads of a call of `spawn_many`: their number, and what each of them does.
    pub(super) many: Option<(usize, Vec<Do>)>,
    /// The capacity of the channel, or `None` if it is unbounded.
    pub(super) bound: Option<usize>,
    /// Whether the main thread joins the others. Otherwise it drops their handles.
    pub(super) joins: bool,
    /// Whether condition variables and weak exchanges may wake and fail spuriously.
    pub(super) spurious: bool,
}

/// One statement of a thread, with the numbers of the objects that it uses.
///
/// A statement that contains others performs them while it holds a lock, or in a thread, a handler
/// or an initialiser.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Do {
    // Atomics. Numbers from `STATICS` on are statics.
    Load(usize),
    Store(usize, u32),
    Add(usize),
    Swap(usize, u32),
    Exchange {
        on: usize,
        from: u32,
        to: u32,
        weak: bool,
    },
    /// Performs the statements if the variable has the value.
    If(usize, u32, Vec<Do>),
    /// Panics if the variable has the value.
    AssertNot(usize, u32),
    /// Stops if the variable has not got the value.
    Assume(usize, u32),
    Choose(usize),

    // Plain memory.
    Get,
    Set(u32),

    // Yields.
    Yield,
    /// Yields until the variable has the value.
    SpinUntil(usize, u32),
    /// Yields until one of the variables has the value, and logs the number of rounds.
    SpinEither(usize, usize, u32),
    /// Takes a lock that is an atomic.
    SpinLock(usize, Vec<Do>),
    /// Yields until a mutex is free.
    SpinTryLock(Vec<Do>),
    /// Yields until there is a message.
    SpinReceive,
    /// Tries to set a variable twice, yielding in between.
    Retry(usize),
    /// Loads a variable so many times, yielding in between.
    Poll(usize, u32),
    /// Loads two variables so many times, yielding in between, with a counter that is not on the stack.
    PollBoth(usize, usize, u32),
    /// Adds one by an exchange, yielding after each failure.
    Backoff(usize),
    /// Loads until the variable has the value, without a yield.
    Await(usize, u32),
    /// Waits for a variable, in a loop of this form, and logs what it has seen. The second variable is for loops
    /// that read two.
    AwaitIn(Form, usize, usize, u32),
    /// Yields twice until the variable has the value, then as often as needed, and logs how it went.
    Patience(usize, u32),

    // Locks.
    Lock(usize, Vec<Do>),
    TryLock(usize, Vec<Do>),
    Read(Vec<Do>),
    Write(Vec<Do>),
    TryRead(Vec<Do>),
    TryWrite(Vec<Do>),
    Downgrade(Vec<Do>),

    // Condition variables and barriers.
    Wait,
    WaitTimeout,
    NotifyOne,
    NotifyAll,
    Barrier,

    // `Once` and `OnceLock`.
    CallOnce(Vec<Do>),
    CallOnceForce(Vec<Do>),
    IsCompleted,
    SetOnce,
    GetOnce,
    WaitOnce,

    // Channels.
    Send,
    TrySend,
    Receive,
    TryReceive,
    ReceiveTimeout,
    HangUp,
    Close,

    // Threads.
    Park,
    ParkTimeout,
    Unpark(usize),
    /// Spawns a thread, looks whether it has finished, and joins it.
    Spawn(Vec<Do>),
    /// Runs the first statements in a scoped thread, and the others beside it.
    Scope(Vec<Do>, Vec<Do>),
    /// Posts the statements to the event loop.
    Post(Vec<Do>),

    // Destructors.
    /// Performs the first statements, and the others in a destructor.
    Defer(Vec<Do>, Vec<Do>),
    /// Puts a box into an atomic pointer, and frees the one that was there.
    PutBox,
    /// Frees the box that is in the atomic pointer.
    TakeBox,
}

/// A form of a loop that waits for a variable `x` to have a value, or for one of several values. Every other
/// number is one of a loop that yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A condition in a function that is not inlined.
    Call,
    /// A condition in a closure that is called through a pointer.
    Dynamic,
    /// Counts up to 2 in a local variable whose address is known to others.
    Cell,
    /// Counts up to 2 in a box.
    Boxed,
    /// Counts rounds in a static.
    Static,
    /// Keeps the last value.
    Last,
    /// Keeps the first value.
    First,
    /// Allocates in each iteration.
    Allocates,
    /// Waits until the value is not less.
    Less,
    /// Waits until the value is one of an array.
    Among,
    /// Waits for `x`, and goes back to the start unless the second variable has the value, too.
    Nested,
    /// Waits for a parity of the number of changes that it sees.
    Parity,
    /// Takes a lock by `compare_exchange`.
    ExchangeLock,
    /// Takes a lock that it looks at before.
    LookLock,
    /// Exchanges, and gives up at another value.
    ExchangeUnless,
    /// Swaps the value itself.
    SwapSame,
    /// Reads `x` twice in each iteration.
    Twice,
    /// Gives up after a third iteration.
    Patient,
}

impl Form {
    pub(super) const ALL: [Self; 18] = [
        Form::Call,
        Form::Dynamic,
        Form::Cell,
        Form::Boxed,
        Form::Static,
        Form::Last,
        Form::First,
        Form::Allocates,
        Form::Less,
        Form::Among,
        Form::Nested,
        Form::Parity,
        Form::ExchangeLock,
        Form::LookLock,
        Form::ExchangeUnless,
        Form::SwapSame,
        Form::Twice,
        Form::Patient,
    ];
}

impl Program {
    /// Returns all statements that are not inside of others.
    pub(super) fn statements(&self) -> impl Iterator<Item = &Do> {
        self.threads.iter().chain(self.many.iter().map(|(_, block)| block)).flatten()
    }
}

/// How many atomics the threads share; numbers from here on are statics.
pub(super) const STATICS: usize = 2;
/// How many atomics there are.
pub(super) const VARIABLES: usize = 3;

impl Do {
    /// Returns the statements that this one contains.
    pub(super) fn blocks(&mut self) -> Vec<&mut Vec<Do>> {
        match self {
            Do::If(.., block)
            | Do::SpinLock(_, block)
            | Do::SpinTryLock(block)
            | Do::Lock(_, block)
            | Do::TryLock(_, block)
            | Do::Read(block)
            | Do::Write(block)
            | Do::TryRead(block)
            | Do::TryWrite(block)
            | Do::Downgrade(block)
            | Do::CallOnce(block)
            | Do::CallOnceForce(block)
            | Do::Spawn(block)
            | Do::Post(block) => vec![block],
            Do::Scope(one, other) | Do::Defer(one, other) => vec![one, other],
            _ => Vec::new(),
        }
    }

    /// Returns whether this statement, or one inside it, looks whether a `Once` is complete.
    pub(super) fn is_weak(&self) -> bool {
        let mut copy = self.clone();
        matches!(self, Do::IsCompleted | Do::GetOnce)
            || copy.blocks().into_iter().flatten().any(|inner| inner.is_weak())
    }

    /// Returns whether this statement, or one inside it, is an attempt at a lock whose failure is logged.
    pub(super) fn may_be_refused(&self) -> bool {
        let mut copy = self.clone();
        matches!(self, Do::TryLock(..) | Do::TryRead(_) | Do::TryWrite(_))
            || copy.blocks().into_iter().flatten().any(|inner| inner.may_be_refused())
    }

    /// Returns whether this statement, or one inside it, creates a thread or a handler, or refers to threads
    /// by their numbers.
    pub(super) fn creates(&self) -> bool {
        let mut copy = self.clone();
        matches!(self, Do::Spawn(_) | Do::Scope(..) | Do::Post(_) | Do::Unpark(_))
            || copy.blocks().into_iter().flatten().any(|inner| inner.creates())
    }

    /// Returns whether a program with this statement needs the event loop.
    pub(super) fn posts(&self) -> bool {
        let mut copy = self.clone();
        matches!(self, Do::Post(_))
            || copy.blocks().into_iter().flatten().any(|inner| inner.posts())
    }
}
