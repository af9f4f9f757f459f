//! The binary form of the findings of a search that is to be continued.

use super::{Bound, Restart, Verdict, WeakAccess};
use crate::algorithm::Algorithm;
use crate::wire::{Malformed, Reader, Wire, wire_enum, wire_struct};

wire_struct!(Restart {
    lesson: lesson,
    executions: executions,
    blocked: blocked,
    elapsed: elapsed
});

wire_enum!(Bound {
    0 => Violation,
    1 => Executions,
    2 => Depth,
    3 => Time,
    4 => Preemptions,
    5 => Interrupted,
    6 => Samples,
});

impl Wire for Algorithm {
    fn write(&self, to: &mut Vec<u8>) {
        self.name().to_owned().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        String::read(from)?.parse().map_err(|_| Malformed)
    }
}

/// The statistics of explorers that cannot be continued, and the notes on their limits, are left out.
impl Wire for Verdict {
    fn write(&self, to: &mut Vec<u8>) {
        let Verdict { algorithm, executions, blocked, events, max_depth, elapsed, .. } = self;
        let Verdict { restarts, violations, warnings, stopped, .. } = self;
        algorithm.write(to);
        [*executions, *blocked, *events].iter().for_each(|count| count.write(to));
        max_depth.write(to);
        elapsed.write(to);
        restarts.write(to);
        violations.write(to);
        warnings.write(to);
        stopped.write(to);
        self.weak_access.as_ref().map(|weak| weak.place.clone()).write(to);
        self.twins.write(to);
        self.ordered_locations.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Verdict {
            algorithm: Wire::read(from)?,
            executions: Wire::read(from)?,
            blocked: Wire::read(from)?,
            events: Wire::read(from)?,
            max_depth: Wire::read(from)?,
            elapsed: Wire::read(from)?,
            restarts: Wire::read(from)?,
            violations: Wire::read(from)?,
            warnings: Wire::read(from)?,
            stopped: Wire::read(from)?,
            weak_access: Option::read(from)?
                .map(|place| Box::new(WeakAccess { place, ..WeakAccess::default() })),
            twins: Wire::read(from)?,
            ordered_locations: Wire::read(from)?,
            ..Verdict::default()
        })
    }
}
