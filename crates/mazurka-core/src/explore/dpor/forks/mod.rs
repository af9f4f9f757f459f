//! Forks: how several workers share a search with wakeup trees.

mod branch;
mod fork;
mod saved;
mod sharing;

use std::marker::PhantomData;
use std::sync::Arc;

use self::fork::Fork;
use self::sharing::Share;
use crate::explore::dpor::optimal::Optimal;
use crate::explore::dpor::parts::weak_initials::WeakInitials;
use crate::explore::parallel::{Offer, Pool, Work};
use crate::search::Options;
use crate::search::driver::{Driver, Outcome};
use crate::wire::{Malformed, Reader};

/// A search under a relation, whose workers share [forks](Fork).
pub(crate) struct Forks<R>(PhantomData<R>);

impl<R: WeakInitials> Offer for Arc<Fork<R>> {
    type Known = ();

    fn depth(&self) -> usize {
        self.depth
    }

    fn withdraw(&self) {
        Fork::withdraw(self);
    }

    fn is_needed(&self) -> bool {
        self.relies_on_others()
    }

    fn is_crowded(&self, limit: usize) -> bool {
        Fork::is_crowded(self, limit)
    }
}

impl<R: WeakInitials> Work for Forks<R> {
    type Offer = Arc<Fork<R>>;
    type Instead = Self;

    fn explore(
        driver: &mut Driver<'_>,
        pool: &Arc<Pool<Self::Offer>>,
        _options: &Options<'_>,
        joins: bool,
    ) -> Outcome {
        let mut strategy = Optimal::by(Share::new(pool.clone()));
        driver.search(&mut strategy, joins)
    }

    fn write(pool: &Pool<Self::Offer>, to: &mut Vec<u8>) {
        saved::write(pool, to);
    }

    fn read(from: &mut Reader<'_>, pool: &Pool<Self::Offer>) -> Result<(), Malformed> {
        saved::read(from, pool)
    }
}
