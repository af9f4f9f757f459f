//! `atomics` and `counters`: each number is a cell of its own.

use mazurka_core::model::{Action, Location, Op, Performed, When};

use super::ErlangMachine;
use super::objects::Thing;
use super::values::Value;
use crate::term::{Term, atom, equal_exact};
use crate::vm::process::{AtomicOperation, Visible};
use crate::vm::{Out, badarg};

impl ErlangMachine {
    pub(super) fn declare_atomic(
        &mut self,
        caller: u32,
        operation: AtomicOperation,
        arguments: &[Term; 3],
    ) -> Action {
        let (process, number) = self.vm.heap.as_ref(arguments[0]).unwrap_or_default();
        let index = arguments[1].as_small().unwrap_or(0) as u32;
        let on = self.objects.whole(Thing::Number(process, number, index));
        if self.vm.polls {
            return self.declare_watched(caller, operation, on, arguments);
        }
        let op = match operation {
            AtomicOperation::Get => Op::Read,
            // The operation returns no result, and sums are equal in every order.
            AtomicOperation::Add => Op::Add,
            AtomicOperation::Put => {
                Self::op_of_value(self.number_of_value(on, Value::Term(arguments[2])))
            }
            _ => Op::Update,
        };
        Action::new(op, on)
    }

    /// Accesses the cells that tell a number that is put in an array from other such numbers, and from
    /// a number that is added to it.
    pub(super) fn touch_puts(
        &mut self,
        operation: AtomicOperation,
        on: Location,
        arguments: &[Term; 3],
        performed: &mut Performed,
    ) {
        let (process, number) = self.vm.heap.as_ref(arguments[0]).unwrap_or_default();
        let puts = Thing::Puts(process, number, arguments[1].as_small().unwrap_or(0) as u32);
        match operation {
            AtomicOperation::Add => self.touch(performed, Op::Read, puts),
            AtomicOperation::Put => {
                let number = self.number_of_value(on, Value::Term(arguments[2]));
                if number.is_some() {
                    self.touch(performed, Op::Add, puts);
                }
                self.touch_bits(on, number, performed);
            }
            _ => {}
        }
    }

    /// Returns whether an operation is a `compare_exchange` that finds another number than it expects, and
    /// therefore only reads.
    pub(super) fn changes_nothing(&self, what: Visible, arguments: &[Term; 3]) -> bool {
        let [array, index, argument] = *arguments;
        let Visible::Atomic(AtomicOperation::CompareExchange) = what else { return false };
        let (Ok(content), Some(index)) = (self.vm.array(array), index.as_small()) else {
            return false;
        };
        let before = self.vm.heap.element(content, index as usize);
        let expected = self.vm.heap.tuple_of::<2>(argument).map(|[expected, _]| expected);
        expected.is_some_and(|expected| !equal_exact(&self.vm.heap, before, expected))
    }

    /// Performs an operation, and its actions. The first of them has the values of the number.
    pub(super) fn act_on_number(
        &mut self,
        operation: AtomicOperation,
        declared: Action,
        arguments: &[Term; 3],
        performed: &mut Performed,
    ) -> Out {
        let (first, before) = (performed.actions.len(), self.number_now(arguments));
        match self.changes_nothing(Visible::Atomic(operation), arguments) {
            false => performed.actions.push(declared),
            true => {
                performed.actions.push(Action { op: Op::Read, ..declared });
                if declared.when == When::Always {
                    performed.actions.push(Action { op: Op::Update.forgone(), ..declared });
                }
            }
        }
        if !self.vm.polls {
            self.touch_puts(operation, declared.on, arguments, performed);
        }
        let result = self.act_atomic(operation, arguments);
        let action = performed.actions[first];
        performed.actions[first] = action.performed(before, self.number_now(arguments));
        result
    }

    /// Returns the value of the number that an operation is about.
    pub(super) fn number_now(&self, arguments: &[Term; 3]) -> u64 {
        let (Ok(content), Some(index)) = (self.vm.array(arguments[0]), arguments[1].as_small())
        else {
            return 0;
        };
        self.vm.bits_of(self.vm.heap.element(content, index as usize))
    }

    /// Performs an operation; its arguments were looked at when it was called.
    pub(super) fn act_atomic(&mut self, operation: AtomicOperation, arguments: &[Term; 3]) -> Out {
        let [array, index, argument] = *arguments;
        let index = index.as_small().ok_or_else(badarg)? as usize;
        let content = self.vm.array(array)?;
        let signed = self.vm.heap.element(content, 0).is_atom(atom::TRUE);
        let before = self.vm.heap.element(content, index);
        let ok = Term::atom(atom::OK);
        let (after, result) = match operation {
            AtomicOperation::Get => return Ok(before),
            AtomicOperation::Put => (argument, ok),
            AtomicOperation::Exchange => (argument, before),
            AtomicOperation::Add => (self.vm.wrapped_sum(before, argument, signed)?, ok),
            AtomicOperation::AddGet => {
                let sum = self.vm.wrapped_sum(before, argument, signed)?;
                (sum, sum)
            }
            AtomicOperation::CompareExchange => {
                let [expected, desired] =
                    self.vm.heap.tuple_of::<2>(argument).ok_or_else(badarg)?;
                match equal_exact(&self.vm.heap, before, expected) {
                    true => (desired, ok),
                    false => return Ok(before),
                }
            }
        };
        self.vm.set_in_array(array, index, after)?;
        Ok(result)
    }
}
