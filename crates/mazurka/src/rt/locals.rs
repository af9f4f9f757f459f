//! Thread-local values of the program under test.

use std::any::Any;

use super::Runtime;
use super::process::Local;

impl Runtime {
    /// The current process's value for a key: `None` if it has none yet, `Some(None)` if it has
    /// been dropped.
    pub(crate) fn local(&self, key: usize) -> Option<Option<*const ()>> {
        let locals = &self.processes[self.current].locals;
        let local = locals.iter().find(|local| local.key == key)?;
        Some(local.value.as_deref().map(|value| std::ptr::from_ref(value).cast()))
    }

    /// Gives the current process a value for a key. One that came in the meantime stays, and the
    /// new one lives beside it.
    pub(crate) fn set_local(&mut self, key: usize, value: Box<dyn Any>) -> *const () {
        let pointer: *const () = std::ptr::from_ref(&*value).cast();
        let locals = &mut self.processes[self.current].locals;
        // The last one set is the one to be found, as with `std`.
        locals.insert(0, Local { key, value: Some(value) });
        pointer
    }
}
