//! What is done once: `pthread_once`.

use mazurka_core::model::{Action, Op, When};

use crate::machine::thread::Probe;
use crate::machine::{Call, Run, Stop};

const RUNNING: u64 = 1;
const DONE: u64 = 2;
/// The phase of `pthread_once` in which the function runs; behind it, what the function has thrown.
const CALLED: u64 = 1;
/// The size of a `pthread_once_t`.
const SIZE: u32 = 4;

pub(super) const FUNCTIONS: &[(&str, Run)] = &[("pthread_once", once), ("call_once", once)];

fn once(call: &mut Call<'_>) -> Result<(), Stop> {
    let at = call.pointer(0);
    let (spot, on) = call.object(at, SIZE)?;
    let probe = Probe { byte: spot.byte, len: SIZE };
    if call.phase() != 0 {
        // The function has returned, or an exception has left it: then others may try.
        let thrown = Some(call.phase()).filter(|phase| *phase != CALLED);
        let after = if thrown.is_some() { 0 } else { DONE };
        let action = Action::new(Op::Write, on);
        call.turn(action, probe)?;
        call.perform(action.performed(RUNNING, after), probe);
        call.machine.write(call.thread, spot, SIZE, after);
        call.give_int(0);
        return match thrown {
            Some(thrown) => Err(Stop::Throw(call.machine.thrown(call.thread, thrown))),
            None => Ok(()),
        };
    }
    // While another thread runs the function, wait for its end.
    let action = Action::new(Op::Update, on).when(When::Differs(RUNNING)).waiting();
    call.turn(action, probe)?;
    let before = call.machine.memory.read(spot.byte, SIZE);
    if before == DONE {
        call.perform(Action { op: Op::Read, ..action }.performed(DONE, DONE), probe);
        call.give_int(0);
        return Ok(());
    }
    call.perform(action.performed(before, RUNNING), probe);
    call.machine.write(call.thread, spot, SIZE, RUNNING);
    call.set_phase(CALLED);
    Err(Stop::Run(call.pointer(1), Vec::new()))
}
