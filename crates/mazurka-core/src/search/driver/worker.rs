//! How a driver works together with others.

use std::sync::Arc;

use crate::explore::dpor::optimal::Optimal;
use crate::explore::dpor::parallel::Pool;
use crate::model::{Machine, Step};
use crate::search::driver::findings::data_race;
use crate::search::driver::{Driver, Outcome, Stop};
use crate::search::strategy::Strategy;
use crate::search::{DataRaces, Monitor, Options};
use crate::verdict::{Verdict, ViolationKind};

impl<'a, M: Machine> Driver<'a, M> {
    /// The driver of one of several workers.
    pub(crate) fn of_pool(
        machine: &'a mut M,
        options: &'a Options<'a>,
        monitor: &'a mut dyn Monitor<M>,
        pool: Arc<Pool>,
    ) -> Self {
        let mut driver = Driver::new(machine, options, monitor);
        driver.execution.share_cells(pool.cells.clone());
        // Others may have come upon more of them.
        driver.execution.set_initial(pool.initial);
        driver.pool = Some(pool);
        driver
    }

    /// Explores as one of several workers, who may `join` the others later or be the first.
    pub(crate) fn work(mut self, joins: bool) -> Verdict {
        let Some(pool) = self.pool.clone() else { return self.run(Optimal::new) };
        let mut strategy = Optimal::of_pool(pool.clone());
        let outcome = match joins {
            true => self.join(&mut strategy),
            false => self.explore(&mut strategy),
        };
        match outcome {
            Ok(Outcome::StartOver) => pool.start_over(),
            Ok(Outcome::Done | Outcome::GaveUp) => {}
            Err(Stop) => pool.stop(),
        }
        Strategy::<M>::retire(strategy);
        self.finish()
    }

    /// Explores what others leave to it.
    fn join(&mut self, strategy: &mut impl Strategy<M>) -> Result<Outcome, Stop> {
        match self.take_over(strategy)? {
            true => self.explore(strategy),
            false => Ok(Outcome::Done),
        }
    }

    /// Goes to where others have left something to explore, if there is anything.
    pub(super) fn take_over(&mut self, strategy: &mut impl Strategy<M>) -> Result<bool, Stop> {
        let Some(steps) = strategy.take_over(&self.execution) else { return Ok(false) };
        self.check_limits(strategy)?;
        let same = self.execution.steps().zip(&steps).take_while(|(mine, step)| mine == *step);
        let len = same.count();
        self.truncate(len);
        self.machine.rewind(len).or_else(|violation| self.lose(*violation))?;
        for step in &steps[len..] {
            self.repeat(*step)?;
        }
        Ok(true)
    }

    /// Takes a step that another worker has taken, and told of.
    fn repeat(&mut self, step: Step) -> Result<(), Stop> {
        let result = self.perform(step);
        let steps = self.execution.len();
        match result {
            Err(violation) if violation.kind == ViolationKind::Nondeterminism => {
                return self.lose(*violation);
            }
            Err(violation) => {
                self.failure.get_or_insert((steps, violation));
            }
            Ok(()) => {}
        }
        if let Some(race) = self.execution.take_data_race()
            && self.options.data_races == DataRaces::Report
        {
            self.race.get_or_insert_with(|| (steps, Box::new(data_race(race))));
        }
        Ok(())
    }
}
