//! Instructions on bit strings and floats, which the loop hands on.

use super::Vm;
use super::instruction::{FloatOp, Instruction, Place, PlaceKind};
use crate::term::{Atom, Number, Term, atom};

/// Where it goes on.
pub(super) enum Flow {
    Next,
    To(u32),
    /// With an error for this reason.
    Raise(Atom),
}

impl Flow {
    /// Goes on if a test holds.
    fn test(holds: bool, fail: u32) -> Flow {
        if holds { Flow::Next } else { Flow::To(fail) }
    }
}

impl Vm {
    /// Puts a result in place, or goes to where the instruction fails.
    fn put_or_fail(&mut self, result: Option<Term>, to: Place, fail: u32) -> Flow {
        if let Some(term) = result {
            self.set(to, term);
        }
        Flow::test(result.is_some(), fail)
    }

    /// Puts a result in place that needs no test.
    fn put(&mut self, term: Term, to: Place) -> Flow {
        self.set(to, term);
        Flow::Next
    }

    /// Puts a float into a register for floats.
    fn put_float(&mut self, result: Option<f64>, to: Place) -> Flow {
        match (result, to.kind()) {
            (Some(value), PlaceKind::Float(number)) => {
                self.f[number] = value;
                Flow::Next
            }
            _ => Flow::Raise(atom::BADARITH),
        }
    }

    pub(super) fn run_on_bits_or_floats(&mut self, instruction: Instruction) -> Flow {
        use Instruction as I;
        match instruction {
            I::FloatMove { from, to } => {
                let value = self.get_float(from);
                match to.kind() {
                    PlaceKind::Float(_) => self.put_float(Some(value), to),
                    _ => {
                        let float = self.heap.float(value);
                        self.put(float, to)
                    }
                }
            }
            I::FloatConvert { from, to } => {
                let number = self.heap.as_number(self.get(from));
                self.put_float(number.and_then(|n| Number::to_float(&n)), to)
            }
            I::FloatArithmetic { op, a, b, to } => {
                let (x, y) = (self.get_float(a), self.get_float(b));
                let result = match op {
                    FloatOp::Add => x + y,
                    FloatOp::Sub => x - y,
                    FloatOp::Mul => x * y,
                    FloatOp::Div => x / y,
                };
                self.put_float(Some(result).filter(|result| result.is_finite()), to)
            }
            I::FloatNegate { from, to } => {
                let value = -self.get_float(from);
                self.put_float(Some(value), to)
            }
            I::StartMatch { fail, from, to } => {
                let context = self.start_match(self.get(from));
                self.put_or_fail(context, to, fail)
            }
            I::GetInteger { fail, context, size, unit, flags, to } => {
                let bits = self.bits_wanted(context, size, unit);
                let term = bits.and_then(|bits| self.read_integer(context, bits, flags));
                self.put_or_fail(term, to, fail)
            }
            I::GetFloat { fail, context, size, unit, flags, to } => {
                let bits = self.bits_wanted(context, size, unit);
                let term = bits.and_then(|bits| self.read_float(context, bits, flags));
                self.put_or_fail(term, to, fail)
            }
            I::GetBits { fail, context, size, unit, to } => {
                let bits = self.bits_wanted(context, size, unit);
                let bits = bits.and_then(|bits| self.advance(context, bits));
                let term = bits.map(|bits| self.heap.bits(bits));
                self.put_or_fail(term, to, fail)
            }
            I::SkipBits { fail, context, size, unit } => {
                let bits = self.bits_wanted(context, size, unit);
                Flow::test(bits.and_then(|bits| self.advance(context, bits)).is_some(), fail)
            }
            I::GetUtf { fail, context, utf, little, to } => {
                let c = self.read_utf(context, utf, little);
                if let (Some(c), Some(to)) = (c, to) {
                    self.set(to, Term::int(c.into()));
                }
                Flow::test(c.is_some(), fail)
            }
            I::TestTail { fail, context, bits } => {
                Flow::test(self.bits_left(context) == u64::from(bits), fail)
            }
            I::TestUnit { fail, context, unit } => {
                Flow::test(self.bits_left(context).is_multiple_of(u64::from(unit)), fail)
            }
            I::TestBits { fail, context, bits, unit } => {
                let behind = self.bits_left(context).checked_sub(u64::from(bits));
                Flow::test(behind.is_some_and(|rest| rest.is_multiple_of(u64::from(unit))), fail)
            }
            I::MatchString { fail, context, bits, string } => {
                Flow::test(self.match_string(context, bits, string), fail)
            }
            I::GetRest { context, to } => {
                let rest = self.rest(context);
                let term = self.heap.bits(rest);
                self.put(term, to)
            }
            I::GetPosition { context, to } => {
                let position = self.position(context);
                self.put(Term::int(position as i64), to)
            }
            I::SetPosition { context, position } => {
                let position = self.get(position).as_small().unwrap_or(0) as u64;
                self.set_position(context, position);
                Flow::Next
            }
            I::CreateBits { fail, to, segments } => match self.create_bits(segments) {
                Ok(term) => self.put(term, to),
                Err(_) if fail > 0 => Flow::To(fail),
                Err(reason) => Flow::Raise(reason),
            },
            I::InitWritable => {
                self.x[0] = self.heap.binary(&[]);
                Flow::Next
            }
            other => unreachable!("the loop runs {other:?} itself"),
        }
    }
}
