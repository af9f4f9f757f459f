//! What is known of the ways from where processes were left to where their code began.
//!
//! A way is given by a chain of return addresses with their places on the stack, and whoever finds the
//! same addresses in the same places is on the same way:
//!
//! - It begins at the same address, so the first frame is that of the same function in the same call.
//! - In a frame of the same function in the same call, the return address is as far from the stack
//!   pointer as it was the first time; a function of which that is not known ends the way. So what is
//!   found there *is* the return address, and if it is the same, then the frame that has called
//!   this one is that of the same function in the same call, too.
//!
//! And the landing pad of a frame is decided by its function and the call that it is in. All that
//! as long as the code itself stays where it is: so nothing is kept from one check to the next.

/// The most ways that are kept. Who has more, say by recursion to many depths, is unwound.
const MOST_ROUTES: usize = 64;

/// The most frames of a way that are looked at.
pub(super) const MOST_FRAMES: usize = 64;

/// What unwinding would do, by the return addresses on the stack.
#[derive(Default)]
pub(in crate::rt) struct Routes {
    routes: Vec<Route>,
    /// Those of all routes.
    returns: Vec<Return>,
}

/// A return address, and where it is on the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Return {
    /// How far up from the stack pointer at the beginning.
    pub(super) place: usize,
    pub(super) address: usize,
}

/// A way up the stack: all of it if unwinding would do nothing, or else up to the first frame in
/// which it would do something.
struct Route {
    /// Where it begins: a return address.
    from: usize,
    first: usize,
    len: usize,
    does_nothing: bool,
}

impl Routes {
    /// Forgets all.
    pub(in crate::rt) fn clear(&mut self) {
        self.routes.clear();
        self.returns.clear();
    }

    pub(super) fn is_full(&self) -> bool {
        self.routes.len() == MOST_ROUTES
    }

    pub(super) fn add(&mut self, from: usize, returns: &[Return], does_nothing: bool) {
        let first = self.returns.len();
        self.returns.extend_from_slice(returns);
        self.routes.push(Route { from, first, len: returns.len(), does_nothing });
    }

    /// Whether unwinding would do nothing, if that is known. `end` is the length of the stack from
    /// its pointer to where the code of the process began, and `at` tells what is on it. It is asked
    /// about a place only if those before have been found to lead there.
    #[inline]
    pub(super) fn does_nothing(
        &self,
        from: usize,
        end: usize,
        at: impl Fn(usize) -> usize,
    ) -> Option<bool> {
        let leads_there = |route: &&Route| {
            let returns = &self.returns[route.first..][..route.len];
            let fits = returns.last().is_none_or(|last| match route.does_nothing {
                true => last.place + size_of::<usize>() == end,
                false => last.place < end,
            });
            route.from == from && fits && returns.iter().all(|r| at(r.place) == r.address)
        };
        self.routes.iter().find(leads_there).map(|route| route.does_nothing)
    }
}
