//! What is kept for the next execution.

use std::any::Any;

/// More than this is not kept.
const CAPACITY: usize = 256;

/// What executions have allocated and the next one can use again, of any type.
#[derive(Default)]
pub(crate) struct Kept(Vec<Box<dyn Any>>);

impl Kept {
    /// Keeps something.
    pub(crate) fn put(&mut self, it: Box<dyn Any>) {
        if self.0.len() < CAPACITY {
            self.0.push(it);
        }
    }

    /// Something of this type, if there is one.
    pub(crate) fn take<T: Any>(&mut self) -> Option<Box<T>> {
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
        kept.put(Box::new(1_u8));
        kept.put(Box::new("two"));
        kept.put(Box::new(3_u8));
        assert_eq!(kept.take::<&str>().as_deref(), Some(&"two"));
        assert_eq!(kept.take::<&str>(), None);
        assert_eq!([kept.take::<u8>(), kept.take()].map(Option::unwrap).map(|it| *it), [3, 1]);
        assert_eq!(kept.take::<u8>(), None);
    }

    #[test]
    fn not_everything_is_kept() {
        let mut kept = Kept::default();
        (0..2 * CAPACITY).for_each(|it| kept.put(Box::new(it)));
        assert_eq!((0..).take_while(|_| kept.take::<usize>().is_some()).count(), CAPACITY);
    }
}
