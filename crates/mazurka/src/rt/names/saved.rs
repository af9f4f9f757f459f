//! The binary form of names, for searches that are saved.

use mazurka_core::wire::{Malformed, Reader, Wire};

use super::{Names, OWN, ProcessNames};
use crate::rt::saved::{place_of, site_of};

impl Wire for ProcessNames {
    fn write(&self, to: &mut Vec<u8>) {
        let ProcessNames { children, objects, own, messages, more_messages } = self;
        children.write(to);
        objects.write(to);
        own.to_vec().write(to);
        messages.write(to);
        more_messages.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (children, objects) = Wire::read(from)?;
        let own = Vec::<Option<u32>>::read(from)?;
        let own: [Option<u32>; OWN] = own.try_into().map_err(|_| Malformed)?;
        let (messages, more_messages) = Wire::read(from)?;
        Ok(ProcessNames { children, objects, own, messages, more_messages })
    }
}

/// Names that belong to no machine.
impl Wire for Names {
    fn write(&self, to: &mut Vec<u8>) {
        let Names { processes, count, handlers, singles, births, messages, given, common: _ } =
            self;
        count.write(to);
        for names in &processes[..*count] {
            names.write(to);
        }
        handlers.write(to);
        let singles: Vec<_> = singles.iter().map(|(site, id)| (place_of(*site), *id)).collect();
        singles.write(to);
        births.write(to);
        messages.write(to);
        given.write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let count = usize::read(from)?;
        let processes = (0..count).map(|_| Wire::read(from)).collect::<Result<Vec<_>, _>>()?;
        let handlers = Wire::read(from)?;
        let singles: Vec<(u64, u32)> = Wire::read(from)?;
        let singles = singles.into_iter().map(|(place, id)| (site_of(place), id)).collect();
        let (births, messages, given) = Wire::read(from)?;
        let names =
            Names { processes, count, handlers, singles, births, messages, given, common: None };
        match names.is_sound() {
            true => Ok(names),
            false => Err(Malformed),
        }
    }
}

impl Names {
    /// Returns whether the numbers in these names are within their limits.
    fn is_sound(&self) -> bool {
        let is_process = |process: &u32| (*process as usize) < self.count;
        let is_object =
            |object: &u32| *object == super::UNKNOWN || (*object as usize) < self.births.len();
        let all = || self.processes.iter().chain(&self.handlers);
        self.count > 0
            && all().all(|names| names.children.iter().all(is_process))
            && all().all(|names| names.own.iter().flatten().all(is_object))
            && all().all(|names| {
                names.objects.iter().flatten().all(|(_, ranked)| ranked.iter().all(is_object))
            })
            && self.singles.iter().all(|(_, id)| is_object(id))
            && self.given.iter().all(|(_, id)| is_object(id))
    }
}

#[cfg(test)]
mod tests {
    use mazurka_core::model::{Birth, ProcessId};

    use super::super::{Name, Namer, Own};
    use super::*;

    #[test]
    fn names_that_are_read_again_are_the_same() {
        let mut names = Names::new();
        let child = names.child(Namer::Process(0), 0);
        let birth = Birth { process: ProcessId::new(1), steps: 4 };
        let name = Name { namer: Namer::Process(child), steps: 4, birth, rank: 2 };
        let object = names.object(name);
        let (token, single) = (names.own(child, Own::Token), names.single(77));
        let (given, message) = (names.given("lock"), names.message(Namer::Process(child), 3, 1));
        let handled = names.message(Namer::Handler(message), 0, 0);

        let mut bytes = Vec::new();
        names.write(&mut bytes);
        let mut reader = Reader(&bytes);
        let mut read = Names::read(&mut reader).unwrap();
        assert!(reader.0.is_empty());
        assert_eq!((read.processes(), read.objects()), (names.processes(), names.objects()));
        assert_eq!(read.child(Namer::Process(0), 0), child);
        assert_eq!((read.object(name), read.birth(object)), (object, birth));
        assert_eq!((read.own(child, Own::Token), read.single(77)), (token, single));
        assert_eq!(read.given("lock"), given);
        assert_eq!(read.message(Namer::Process(child), 3, 1), message);
        assert_eq!(read.message(Namer::Handler(message), 0, 0), handled);
        for len in 0..bytes.len() {
            assert!(Names::read(&mut Reader(&bytes[..len])).is_err(), "{len} bytes");
        }
    }
}
