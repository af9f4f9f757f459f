//! Registers and the stack.

use super::Vm;
use super::instruction::{Place, PlaceKind};
use crate::term::Term;

impl Vm {
    #[inline]
    pub(super) fn get(&self, place: Place) -> Term {
        match place.kind() {
            PlaceKind::X(number) => self.x[number],
            PlaceKind::Y(number) => self.stack[self.stack.len() - 1 - number],
            PlaceKind::Constant(number) => self.code.constants[number],
            PlaceKind::Float(_) => Term::NONE,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, place: Place, term: Term) {
        match place.kind() {
            PlaceKind::X(number) => self.x[number] = term,
            PlaceKind::Y(number) => {
                let height = self.stack.len() - 1 - number;
                if self.is_matching {
                    // Patterns are only tried: what they write is put back at once.
                    self.overwritten.push((height, self.stack[height]));
                } else if height < self.stack_floor {
                    self.save_stack(height);
                }
                self.stack[height] = term;
            }
            PlaceKind::Constant(_) | PlaceKind::Float(_) => {}
        }
    }

    #[inline]
    pub(super) fn get_float(&self, place: Place) -> f64 {
        match place.kind() {
            PlaceKind::Float(number) => self.f[number],
            _ => {
                let number = self.heap.as_number(self.get(place));
                number.and_then(|number| number.to_float()).unwrap_or(f64::NAN)
            }
        }
    }

    /// Makes room for a function's slots, below which its return address is kept.
    #[inline]
    pub(super) fn allocate(&mut self, slots: u32) {
        // From here on the register is of no use: it is set again when the frame goes.
        self.stack.push(Term::return_to(std::mem::take(&mut self.cp)));
        let len = self.stack.len() + slots as usize;
        self.stack.resize(len, Term::NIL);
    }

    #[inline]
    pub(super) fn deallocate(&mut self, slots: u32) {
        let height = self.stack.len() - 1 - slots as usize;
        self.cp = self.stack[height].as_return().unwrap_or(0);
        self.shrink_stack(height);
    }

    #[inline]
    pub(super) fn shrink_stack(&mut self, height: usize) {
        if height < self.stack_floor {
            self.save_stack(height);
        }
        self.stack.truncate(height);
    }
}
