//! What is kept for the next execution.

use std::any::Any;
use std::rc::Rc;

/// More than this is not kept.
const CAPACITY: usize = 256;

/// What executions have allocated and the next one can use again, of any type.
#[derive(Default)]
pub(crate) struct Kept(Vec<Rc<dyn Any>>);

impl Kept {
    /// Keeps a value that has no other owner.
    pub(crate) fn put(&mut self, it: Rc<dyn Any>) {
        if self.0.len() < CAPACITY {
            self.0.push(it);
        }
    }

    /// Something of this type, if there is one.
    pub(crate) fn take<T: Any>(&mut self) -> Option<Rc<T>> {
        let place = self.0.iter().rposition(|it| it.is::<T>())?;
        self.0.swap_remove(place).downcast().ok()
    }

    /// Drops all of it.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_by_its_type() {
        let mut kept = Kept::default();
        kept.put(Rc::new(1_u8));
        kept.put(Rc::new("two"));
        kept.put(Rc::new(3_u8));
        assert_eq!(kept.take::<&str>().as_deref(), Some(&"two"));
        assert_eq!(kept.take::<&str>(), None);
        assert_eq!([kept.take::<u8>(), kept.take()].map(Option::unwrap).map(|it| *it), [3, 1]);
        assert_eq!(kept.take::<u8>(), None);
    }

    #[test]
    fn not_everything_is_kept() {
        let mut kept = Kept::default();
        (0..2 * CAPACITY).for_each(|it| kept.put(Rc::new(it)));
        assert_eq!((0..).take_while(|_| kept.take::<usize>().is_some()).count(), CAPACITY);
    }
}
