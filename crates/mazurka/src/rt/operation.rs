//! Visible operations.

use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use mazurka_core::model::{Action, Location, MemoryOrdering, ObjectId, Op, ProcessId, When};

use super::leave::leave;
use super::local_state::SuspendedAt;
use super::process::{Process, Site, State, Suspender};
use super::runtime::NO_EVENT;
use super::{Runtime, alive, with};

/// What is to be said of an operation beyond its action. Only what its [`Role`] is about is asked.
pub(crate) trait Blocker {
    /// Whether the operation can be performed now.
    fn is_enabled(&self, _rt: &Runtime, _action: Option<&Action>) -> bool {
        true
    }

    /// How many alternatives the operation has now.
    fn alternatives(&self, _rt: &Runtime) -> u32 {
        1
    }

    /// What the process waits for, to go after "'worker' waits for ".
    fn waits_for(&self, rt: &Runtime, action: Option<&Action>) -> String {
        match action {
            Some(action) => rt.describe_object(action.on.object),
            None => "its turn".to_owned(),
        }
    }
}

/// What a [`Blocker`] is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It says what is waited for.
    Explains,
    /// It knows in how many ways the operation can go.
    Decides,
    /// It holds the operation back, whatever the action's own condition.
    HoldsBack,
    /// It says what is waited for, and the operation is held back until somebody
    /// [lets it go](Runtime::let_go).
    Held,
}

#[inline]
fn condition_holds(rt: &Runtime, action: Option<&Action>) -> bool {
    match action {
        Some(action) if action.waits => match action.when {
            When::Always => true,
            when => when.holds(rt.value(action.on.object)),
        },
        _ => true,
    }
}

/// A visible operation that is about to be performed.
pub(crate) struct Operation<'a> {
    pub(super) name: &'static str,
    pub(super) site: Site,
    pub(super) action: Option<Action>,
    pub(super) alternatives: u32,
    pub(super) blocker: Option<&'a dyn Blocker>,
    /// What the blocker is there for.
    pub(super) role: Role,
}

impl<'a> Operation<'a> {
    /// An operation, by the name of the method that the user calls and where.
    #[inline]
    pub(crate) fn new(name: &'static str, site: Site) -> Self {
        let (action, blocker) = (None, None);
        Operation { name, site, action, alternatives: 1, blocker, role: Role::Explains }
    }

    /// What it does. Without an action it is a pure choice.
    #[inline]
    pub(crate) fn action(self, action: Action) -> Self {
        Operation { action: Some(action), ..self }
    }

    /// In how many ways it can go.
    #[inline]
    pub(crate) fn alternatives(self, alternatives: u32) -> Self {
        Operation { alternatives, ..self }
    }

    /// What holds it back.
    #[inline]
    pub(crate) fn blocked_by(self, blocker: &'a dyn Blocker) -> Self {
        Operation { blocker: Some(blocker), role: Role::HoldsBack, ..self }
    }

    /// Whether it is held back until somebody [lets it go](Runtime::let_go), and how to say so.
    #[inline]
    pub(crate) fn held_back(self, is_held: bool, explanation: &'a dyn Blocker) -> Self {
        let role = if is_held { Role::Held } else { Role::Explains };
        Operation { blocker: Some(explanation), role, ..self }
    }

    /// What knows in how many ways it can go, if that is not fixed.
    #[inline]
    pub(crate) fn decided_by(self, blocker: &'a dyn Blocker) -> Self {
        Operation { blocker: Some(blocker), role: Role::Decides, ..self }
    }

    /// How to say what it waits for, by its action's own condition alone.
    #[inline]
    pub(crate) fn explained_by(self, explanation: &'a dyn Blocker) -> Self {
        Operation { blocker: Some(explanation), role: Role::Explains, ..self }
    }

    /// Suspends until the scheduler picks this process. Then the operation must be performed:
    /// see [`Runtime::perform`]. Returns the alternative to take, or `None` if the execution is
    /// being torn down and the operation must do nothing.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn turn(self) -> Option<u32> {
        if !alive() {
            return None;
        }
        match self.begin() {
            Some(suspension) => suspend_elsewhere(suspension),
            None => Some(with(|rt| rt.choice)),
        }
    }

    /// Performs an operation that is called often, and has asked whether it is [`alive`]. It suspends in the
    /// frame of the caller.
    ///
    /// The processor predicts where a function returns to from where it was called, and is wrong when
    /// another coroutine has run meanwhile: with every frame between the user's code and the
    /// suspension it is so twice.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn turn_here(self) -> Option<u32> {
        match self.begin() {
            Some(suspension) => {
                suspension.suspend();
                turn_taken()
            }
            None => Some(with(|rt| rt.choice)),
        }
    }

    /// The first half of an operation that is called very often, and has asked whether it is [`alive`]:
    /// says what it is about to do. If it is not its turn yet, the process must be
    /// [suspended](Suspension::suspend), best in the frame of the user's code, where no return is
    /// mispredicted. The second half begins with [`turn_taken`].
    ///
    /// Always inlined: so an operation is written to where it is pending, and not copied there.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn begin(self) -> Option<Suspension<'a>> {
        // SAFETY: only the lifetime changes. The pointer is followed only while the process is
        // suspended at this operation, that is, while `turn` or `Suspension::suspend` has not returned.
        let blocker = self.blocker.map(|blocker| unsafe {
            std::mem::transmute::<NonNull<dyn Blocker + 'a>, NonNull<dyn Blocker + 'static>>(
                NonNull::from(blocker),
            )
        });
        let suspender = with(|rt| {
            debug_assert!(!rt.dead && !rt.is_restricted(), "the operation has asked");
            rt.arrive(self.site);
            if rt.processes[rt.current].watch.seems_to_loop() {
                rt.find_loop(self.site);
            }
            let process = &mut rt.processes[rt.current];
            let pending = &mut process.pending;
            pending.name = self.name;
            pending.site = self.site;
            pending.announce(self.action);
            if rt.tuning.memory_orderings {
                pending.order();
            }
            pending.alternatives = self.alternatives;
            pending.blocker = blocker;
            pending.role = self.role;
            process.state = State::AtOperation;
            process.suspender
        });
        let waits = !with(|rt| match rt.ahead {
            None => rt.is_next_again() && rt.goes_on(),
            Some(_) => rt.goes_ahead(),
        });
        waits.then(|| {
            before_suspension();
            let at = with(|rt| &raw mut rt.suspended_at);
            Suspension { suspender, at, blocker: PhantomData }
        })
    }
}

/// Suspends an operation, and ends as [`Operation::turn`].
#[inline(never)]
fn suspend_elsewhere(suspension: Suspension<'_>) -> Option<u32> {
    suspension.suspend();
    turn_taken()
}

/// The current process, about to be suspended. What holds its operation back stays where it is
/// until then.
#[must_use = "the process is at an operation"]
pub(crate) struct Suspension<'a> {
    suspender: *const Suspender,
    /// Where to note where it is suspended.
    at: *mut SuspendedAt,
    blocker: PhantomData<&'a dyn Blocker>,
}

impl Suspension<'_> {
    /// Returns what [`suspend`](Self::suspend) needs, as numbers: the first is a multiple of 8.
    #[inline]
    pub(crate) fn into_words(self) -> [usize; 2] {
        [self.suspender.expose_provenance(), self.at.expose_provenance()]
    }

    /// Returns what [`into_words`](Self::into_words) was called on.
    ///
    /// # Safety
    ///
    /// The words come from there, and the process has not been suspended since.
    #[inline(always)]
    pub(crate) unsafe fn of_words([suspender, at]: [usize; 2]) -> Self {
        Suspension {
            suspender: ptr::with_exposed_provenance(suspender),
            at: ptr::with_exposed_provenance_mut(at),
            blocker: PhantomData,
        }
    }

    /// Goes back to the scheduler, until it resumes the current process.
    #[inline(always)]
    pub(crate) fn suspend(self) {
        // SAFETY: the runtime outlives the processes that run in it, and stays where it is.
        unsafe { SuspendedAt::note(self.at) };
        // SAFETY: it was made for the current process, which has not been suspended since. That runs
        // on the coroutine whose suspender this is, and that lives at the root of the coroutine's
        // stack.
        unsafe { (*self.suspender).suspend(()) };
    }
}

/// The second half of an operation that was [begun](Operation::begin): as [`Operation::turn`]. Also
/// for one that was not, since the execution is being torn down.
#[inline(always)]
pub(crate) fn turn_taken() -> Option<u32> {
    if with(|rt| rt.dead) {
        with(|rt| {
            if rt.current != NO_EVENT {
                rt.after_suspension();
            }
        });
        leave();
        return None;
    }
    with(Runtime::after_suspension);
    Some(with(|rt| rt.choice))
}

#[inline(always)]
fn before_suspension() {
    if std::thread::panicking() {
        with(Runtime::interrupt_unwinding);
    }
}

/// Goes back to the scheduler, until it resumes the current process.
#[inline(always)]
pub(super) fn suspend() {
    before_suspension();
    let suspender = with(|rt| rt.processes[rt.current].suspender);
    // SAFETY: the current process runs on the coroutine whose suspender this is, and that lives
    // at the root of the coroutine's stack.
    unsafe { (*suspender).suspend(()) };
    with(Runtime::after_suspension);
}

/// Performs an operation on an object that leaves its value as it is.
#[track_caller]
pub(crate) fn look_at(object: ObjectId, site: Site, name: &'static str, op: Op) {
    let mut action = Action::new(op, Location::whole(object));
    if with(|rt| rt.tuning.memory_orderings) {
        // What it looks at is not the value of the object, so it must not see an old one.
        action = Action { op: Op::Update, ..action }.ordered(MemoryOrdering::Relaxed);
    }
    if Operation::new(name, site).action(action).turn().is_none() {
        return;
    }
    with(|rt| {
        let value = rt.value(object);
        rt.perform(action.performed(value, value));
        rt.log(site, |rt| format!("{}.{name}()", rt.object_name(object)));
    });
}

impl Runtime {
    /// The current process.
    #[inline]
    pub(crate) fn current(&self) -> ProcessId {
        ProcessId::new(self.current)
    }

    /// Returns where the last operation of the current process is in the source.
    pub(crate) fn last_site(&self) -> Site {
        self.processes[self.current].pending.site
    }

    /// How many steps the current process has taken.
    #[inline]
    pub(crate) fn steps_of_current(&self) -> u32 {
        self.processes[self.current].steps
    }

    /// Performs an action of the current process, whose turn it is: the object's value becomes
    /// `action.after`. An operation may perform several; that of [`Operation::action`] is first.
    ///
    /// Always inlined, so that an action is written to where it goes, and not copied there.
    #[inline(always)]
    pub(crate) fn perform(&mut self, action: Action) {
        self.change(action);
        let is_ordered = self.tuning.memory_orderings;
        if let Some(performed) = self.performed() {
            performed.actions.push(if is_ordered { action.ordered_as_object() } else { action });
        }
    }

    /// Performs an action that does not count as progress of the current process: if it does nothing else,
    /// it spins.
    pub(crate) fn perform_unnoticed(&mut self, action: Action) {
        self.objects[action.on.object.0 as usize].value = action.after;
        self.blend(&action);
        if let Some(performed) = self.performed() {
            performed.actions.push(action);
        }
    }

    /// The effect of an action.
    #[inline(always)]
    pub(super) fn change(&mut self, action: Action) {
        self.objects[action.on.object.0 as usize].value = action.after;
        self.processes[self.current].watch.note(&action);
        self.blend(&action);
        if self.tuning.memory_orderings {
            self.settle(&action);
        }
    }

    /// The operation that a process of this execution, if that is the one, is at is not
    /// [held back](Operation::held_back) any more.
    #[inline]
    pub(crate) fn let_go(&mut self, process: ProcessId, execution: u64) {
        if execution == self.execution() {
            let slot = &mut self.processes[process.index()];
            debug_assert!(slot.state == State::AtOperation, "it is at an operation");
            slot.pending.role = Role::Explains;
        }
    }

    /// Changes what processes are about to do to `object`. For a step that has an effect on that,
    /// and on which their actions are dependent.
    pub(crate) fn renew_pending(
        &mut self,
        object: ObjectId,
        mut renew: impl FnMut(ProcessId, &mut Action),
    ) {
        for &process in &self.created {
            let slot = &mut self.processes[process];
            if slot.state != State::AtOperation {
                continue;
            }
            if let Some(action) = slot.pending.action_mut()
                && action.on.object == object
            {
                renew(ProcessId::new(process), action);
            }
        }
    }

    #[inline(always)]
    pub(super) fn is_enabled(&self, process: usize) -> bool {
        self.can_go_on(&self.processes[process])
    }

    /// Returns whether the process in a slot can take a step.
    #[inline(always)]
    pub(super) fn can_go_on(&self, slot: &Process) -> bool {
        self.is_possible(slot) && self.guards_hold(slot)
    }

    /// Whether the process could take a step if it was not for its guards.
    #[inline]
    pub(super) fn is_at_possible_operation(&self, process: usize) -> bool {
        self.is_possible(&self.processes[process])
    }

    /// Returns whether the next action of the process in a slot is possible.
    #[inline(always)]
    pub(super) fn is_possible(&self, slot: &Process) -> bool {
        if slot.state != State::AtOperation {
            return false;
        }
        let action = slot.pending.action();
        match slot.pending.role {
            Role::Explains | Role::Decides => condition_holds(self, action),
            // SAFETY: the process is at the operation that the blocker belongs to.
            Role::HoldsBack => slot
                .pending
                .blocker
                .is_none_or(|blocker| unsafe { blocker.as_ref().is_enabled(self, action) }),
            Role::Held => false,
        }
    }

    #[inline]
    pub(super) fn alternatives(&self, slot: &Process) -> u32 {
        let pending = &slot.pending;
        if pending.role != Role::Decides || slot.state != State::AtOperation {
            return pending.alternatives;
        }
        // SAFETY: the process is at the operation that the blocker belongs to.
        let decide = |blocker: NonNull<dyn Blocker>| unsafe { blocker.as_ref() }.alternatives(self);
        pending.blocker.map_or(pending.alternatives, decide)
    }
}
