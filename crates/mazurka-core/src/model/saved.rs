//! The binary form of actions, locations and steps.

use super::{
    Birth, Forgone, Lesson, Location, ObjectId, Observer, Op, ProcessId, Schedule, Step, View,
};
use super::{MissingSynchronisation, Violation, ViolationKind};
use crate::wire::{Malformed, Reader, Wire, wire_enum, wire_struct};

impl Wire for ProcessId {
    fn write(&self, to: &mut Vec<u8>) {
        self.index().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        u32::read(from).map(|index| ProcessId::new(index as usize))
    }
}

wire_struct!(Step { process: process, choice: choice });
wire_struct!(ObjectId { 0: object });
wire_struct!(Location { object: object, start: start, len: len });
wire_struct!(Birth { process: process, steps: steps });
wire_struct!(View { sees: sees, leaves: leaves, older: older, between: between });

wire_enum!(Op {
    0 => Read,
    1 => Write,
    2 => Update,
    3 => Add,
    4 => ReadPart,
    5 => WritePart,
    6 => Send { number: number, freed_by: freed_by },
    7 => Receive { number: number },
    8 => ReceiveNone,
    9 => SendNone,
    10 => Deliver { message: message },
    11 => Take { message: message },
    12 => TakeNone,
    13 => Post { message: message },
    14 => Dequeue { message: message },
    15 => Hangup,
    16 => Close,
    17 => Forgone { 0: forgone },
    18 => Fence,
    19 => Miss { look: look },
    20 => LifePart,
    21 => CoverPart,
});

wire_enum!(Forgone {
    0 => Read,
    1 => Update,
    2 => Deliver { message: message },
    3 => TakeNone,
    4 => Anything,
});

wire_enum!(Lesson {
    0 => Overlap,
    1 => AwaitedWrites,
    2 => Observations,
    3 => Ends,
    4 => Hangups,
    5 => Mailboxes,
    6 => Times,
    7 => Counts,
    8 => Names,
    9 => HiddenAddresses,
    10 => System,
    11 => Arrivals,
    12 => WeakOrderings,
    13 => Loops,
    14 => Columns,
    15 => Control,
    16 => Modules,
    17 => CoherenceOrder { 0: observer },
    18 => Twins,
    19 => Rounds,
    20 => RoundTrips,
});

wire_enum!(Observer {
    0 => Spin,
    1 => Loop,
    2 => Step,
    3 => Sizes,
});

impl Wire for Schedule {
    fn write(&self, to: &mut Vec<u8>) {
        self.memory_model().map(|model| model.name().to_owned()).write(to);
        self.steps().len().write(to);
        for (index, step) in self.steps().iter().enumerate() {
            step.write(to);
            self.view(index).write(to);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let mut schedule = Schedule::default();
        let model = Option::<String>::read(from)?;
        let model = model.map(|name| name.parse().map_err(|_| Malformed)).transpose()?;
        schedule.set_memory_model(model);
        for _ in 0..usize::read(from)? {
            let (step, view) = Wire::read(from)?;
            schedule.push(step, view);
        }
        Ok(schedule)
    }
}

impl Wire for ViolationKind {
    fn write(&self, to: &mut Vec<u8>) {
        self.name().to_owned().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        String::read(from)?.parse().map_err(|_| Malformed)
    }
}

wire_struct!(MissingSynchronisation {
    store: store,
    load: load,
    is_store_weak: is_store_weak,
    is_load_weak: is_load_weak,
});

wire_struct!(Violation {
    kind: kind,
    message: message,
    schedule: schedule,
    accesses: accesses,
    missing: missing,
    execution: execution,
});
