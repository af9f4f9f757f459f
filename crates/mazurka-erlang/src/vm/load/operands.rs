//! Operands of a file's instructions.

use num_bigint::BigInt;

use super::Loader;
use crate::beam::Operand;
use crate::term::{Atom, Number, Term, atom};
use crate::vm::instruction::{Flags, Instruction, Place, Row, Segment, SegmentKind, Utf};

impl Loader<'_> {
    pub(super) fn number(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Unsigned(value) => u32::try_from(*value).ok(),
            Operand::Integer(value) => u32::try_from(value).ok(),
            _ => None,
        }
    }

    pub(super) fn label(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Label(0) => Some(0),
            Operand::Label(label) => self.labels.get(*label as usize).copied(),
            // `nofail` and the like.
            Operand::Atom(_) => Some(0),
            _ => None,
        }
    }

    pub(super) fn term(&mut self, operand: &Operand) -> Option<Term> {
        Some(match operand {
            Operand::Integer(value) => Number::from(BigInt::clone(value)).into_term(self.heap),
            Operand::Unsigned(value) => Number::from(BigInt::from(*value)).into_term(self.heap),
            Operand::Atom(0) => Term::NIL,
            Operand::Atom(number) => Term::atom(*self.names.get(*number as usize - 1)?),
            Operand::Literal(number) => *self.literals.get(*number as usize)?,
            _ => return None,
        })
    }

    pub(super) fn place(&mut self, operand: &Operand) -> Option<Place> {
        Some(match operand {
            Operand::X(number) => Place::x(*number),
            Operand::Y(number) => Place::y(*number),
            Operand::F(number) => Place::float(*number),
            other => {
                let term = self.term(other)?;
                self.code.constant(term)
            }
        })
    }

    pub(super) fn places(&mut self, operand: &Operand) -> Option<Row> {
        let Operand::List(all) = operand else { return None };
        let places: Option<Vec<Place>> = all.iter().map(|operand| self.place(operand)).collect();
        Some(self.code.operands(&places?))
    }

    pub(super) fn import(&self, operand: &Operand) -> Option<u32> {
        self.imports.get(self.number(operand)? as usize).copied()
    }

    pub(super) fn cases(&mut self, operand: &Operand, arities: bool) -> Option<Row> {
        let Operand::List(all) = operand else { return None };
        let start = self.code.cases.len() as u32;
        for pair in all.chunks_exact(2) {
            let value = match arities {
                true => Term::int(self.number(&pair[0])?.into()),
                false => self.term(&pair[0])?,
            };
            let to = self.label(&pair[1])?;
            self.code.cases.push((value, to));
        }
        Some(Row { start, len: all.len() as u32 / 2 })
    }

    pub(super) fn segments(&mut self, operand: &Operand) -> Option<Row> {
        let Operand::List(all) = operand else { return None };
        let start = self.code.segments.len() as u32;
        for part in all.chunks_exact(6) {
            let kind = match self.kind_of_segment(&part[0])? {
                atom::INTEGER => SegmentKind::Integer,
                atom::FLOAT => SegmentKind::Float,
                atom::BINARY | atom::APPEND | atom::PRIVATE_APPEND => SegmentKind::Bits,
                atom::STRING => SegmentKind::String,
                atom::UTF8 => SegmentKind::Utf(Utf::Utf8),
                atom::UTF16 => SegmentKind::Utf(Utf::Utf16),
                atom::UTF32 => SegmentKind::Utf(Utf::Utf32),
                _ => return None,
            };
            let unit = self.number(&part[2])?;
            let flags = self.flags(&part[3])?;
            let value = match kind {
                SegmentKind::String => {
                    let offset = self.number(&part[4])?.checked_add(self.first_string)?;
                    self.code.constant(Term::int(offset.into()))
                }
                _ => self.place(&part[4])?,
            };
            let size = match &part[5] {
                // See `older.rs`.
                Operand::List(_) => self.code.constant(Term::atom(atom::ALL)),
                size => self.place(size)?,
            };
            self.code.segments.push(Segment { kind, unit, flags, value, size });
        }
        Some(Row { start, len: all.len() as u32 / 6 })
    }

    /// Returns the kind of a segment: an atom, or the number of the earlier instruction that puts it.
    fn kind_of_segment(&mut self, operand: &Operand) -> Option<Atom> {
        match operand {
            Operand::Unsigned(89) => Some(atom::INTEGER),
            Operand::Unsigned(90) => Some(atom::BINARY),
            Operand::Unsigned(91) => Some(atom::FLOAT),
            Operand::Unsigned(92) => Some(atom::STRING),
            Operand::Unsigned(145) => Some(atom::UTF8),
            Operand::Unsigned(147) => Some(atom::UTF16),
            Operand::Unsigned(148) => Some(atom::UTF32),
            operand => self.term(operand)?.as_atom(),
        }
    }

    /// Returns flags: a number, or a list of atoms in instructions of later releases.
    pub(super) fn flags(&mut self, operand: &Operand) -> Option<Flags> {
        if !matches!(operand, Operand::Unsigned(_) | Operand::Integer(_)) {
            let list = self.term(operand)?;
            let mut flags = Flags::default();
            self.heap.walk(list, |flag| {
                flags.little |= flag.is_atom(atom::LITTLE) || flag.is_atom(atom::NATIVE);
                flags.signed |= flag.is_atom(atom::SIGNED);
            });
            return Some(flags);
        }
        let flags = self.number(operand)?;
        // Native is little-endian.
        Some(Flags { little: flags & (2 | 16) != 0, signed: flags & 4 != 0 })
    }

    pub(super) fn bif(
        &mut self,
        fail: u32,
        import: &Operand,
        arguments: &[Operand],
        to: &Operand,
    ) -> Option<Instruction> {
        let import = self.import(import)?;
        let places: Option<Vec<Place>> = arguments.iter().map(|a| self.place(a)).collect();
        let (places, to) = (places?, self.place(to)?);
        let mfa = self.code.imports[import as usize].mfa;
        if let ([a, b], true) = (places[..].try_into().unwrap_or([to, to]), places.len() == 2) {
            if mfa.name == atom::PLUS {
                return Some(Instruction::Add { fail, a, b, to });
            }
            if mfa.name == atom::MINUS {
                return Some(Instruction::Subtract { fail, a, b, to });
            }
        }
        let arguments = self.code.operands(&places);
        Some(Instruction::Bif { fail, import, arguments, to })
    }
}
