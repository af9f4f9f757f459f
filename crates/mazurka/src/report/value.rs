//! Values of messages in reports.
//!
//! The type of a message need not implement `Debug`, and stable Rust cannot ask whether it does. So a
//! report shows the values of the types that are listed here, and of those that the user
//! [names](crate::Check::show).

use std::any::TypeId;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::rt;

/// Shows a value whose address it gets.
///
/// # Safety
///
/// The address must be that of a value of the type for which the function was made.
type Show = unsafe fn(*const ()) -> String;

/// The types that the user has named.
static SHOWN: Mutex<Vec<(TypeId, Show)>> = Mutex::new(Vec::new());

fn shown() -> MutexGuard<'static, Vec<(TypeId, Show)>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The longest text of a value, in characters.
const LONGEST: usize = 80;

unsafe fn debug<T: Debug>(value: *const ()) -> String {
    // SAFETY: as the caller promises.
    format!("{:?}", unsafe { &*value.cast::<T>() })
}

/// Lets reports show values of this type from now on.
pub(crate) fn show<T: Debug + 'static>() {
    let mut shown = shown();
    let id = TypeId::of::<T>();
    if shown.iter().all(|(known, _)| *known != id) {
        shown.push((id, debug::<T>));
    }
}

/// Returns the id of a type, in which all lifetimes are taken for `'static`.
fn id_of<T: ?Sized>() -> TypeId {
    trait Identified {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T: ?Sized> Identified for PhantomData<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let phantom = PhantomData::<T>;
    let identified: &dyn Identified = &phantom;
    // SAFETY: only the lifetime changes, and the method uses no value of the type.
    let identified: &(dyn Identified + 'static) = unsafe { std::mem::transmute(identified) };
    identified.id()
}

fn common(id: TypeId) -> Option<Show> {
    macro_rules! one_of {
        ($($type:ty),*) => {
            $(if id == TypeId::of::<$type>() {
                return Some(debug::<$type>);
            })*
        };
    }
    one_of!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
    one_of!((), bool, char, f32, f64, String, &'static str);
    None
}

/// Returns the text of a value, if its type is one that is shown. Code of the user that shows it may not
/// use operations.
pub(crate) fn text_of<T>(value: &T) -> Option<String> {
    let id = id_of::<T>();
    let show = common(id).or_else(|| {
        let shown = shown();
        shown.iter().find(|(known, _)| *known == id).map(|(_, show)| *show)
    })?;
    let address = std::ptr::from_ref(value).cast();
    // SAFETY: the value has that type, except that its lifetimes may be shorter. `Debug` sees the value
    // only during the call, so that they do not end in the meantime.
    let text = rt::without_operations(|| unsafe { show(address) });
    Some(match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    })
}

/// Returns the text of a value if the execution is recorded, and otherwise nothing.
#[inline]
pub(crate) fn recorded<T>(value: &T) -> Option<String> {
    match rt::with(|rt| rt.is_recorded()) {
        true => text_of(value),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_make_no_difference() {
        fn of<'a>(_: &'a str) -> TypeId {
            id_of::<&'a str>()
        }
        let text = String::from("text");
        assert_eq!(of(&text), TypeId::of::<&'static str>());
        assert_ne!(id_of::<u8>(), id_of::<i8>());
    }
}
