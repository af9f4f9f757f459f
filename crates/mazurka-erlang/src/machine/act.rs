//! What operations other than sends and receives do.

use mazurka_core::model::{Action, Performed};

use super::ErlangMachine;
use crate::term::Term;
use crate::vm::Out;
use crate::vm::process::Visible;

impl ErlangMachine {
    pub(super) fn declare(&mut self, _p: u32, _what: Visible, _a: &[Term; 3]) -> Action {
        todo!()
    }
    pub(super) fn act(
        &mut self,
        _p: u32,
        _what: Visible,
        _a: &[Term; 3],
        _performed: &mut Performed,
    ) -> Out {
        todo!()
    }
    pub(super) fn end(&mut self, _p: u32, _performed: &mut Performed) {
        todo!()
    }
    pub(super) fn tell(&mut self, _p: u32, _steps: u32, _performed: &mut Performed) {
        todo!()
    }
}
