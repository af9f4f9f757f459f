//! The external form of terms: literals of compiled modules, `term_to_binary` and back.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use num_bigint::{BigInt, Sign};

use super::bits::BitWriter;
use super::{Atoms, Heap, Kind, Map, Number, Term};

/// How deep terms may be nested. Reading them is recursive.
const MAX_DEPTH: u32 = 1_000;
/// How many bytes a compressed term may have.
const MAX_SIZE: usize = 256 << 20;

/// Why bytes are not a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EtfError {
    /// They end too early, or are malformed.
    Malformed,
    /// There is something in them that is not supported.
    Unsupported(u8),
}

/// Reads a term, with its version byte in front.
pub(crate) fn decode(heap: &mut Heap, atoms: &mut Atoms, bytes: &[u8]) -> Result<Term, EtfError> {
    let mut reader = Reader { heap, atoms, bytes, depth: 0 };
    match reader.byte()? {
        131 => {}
        _ => return Err(EtfError::Malformed),
    }
    if reader.bytes.first() == Some(&80) {
        let compressed = reader.bytes.get(5..).ok_or(EtfError::Malformed)?;
        let inflated = decompress_to_vec_zlib_with_limit(compressed, MAX_SIZE)
            .map_err(|_| EtfError::Malformed)?;
        return Reader { heap, atoms, bytes: &inflated, depth: 0 }.term();
    }
    reader.term()
}

struct Reader<'a, 'b> {
    heap: &'a mut Heap,
    atoms: &'a mut Atoms,
    bytes: &'b [u8],
    /// How many terms the next one is a part of.
    depth: u32,
}

impl<'b> Reader<'_, 'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], EtfError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(EtfError::Malformed)?;
        self.bytes = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, EtfError> {
        Ok(self.take(1)?[0])
    }

    fn short(&mut self) -> Result<usize, EtfError> {
        Ok(usize::from(u16::from_be_bytes(self.take(2)?.try_into().expect("two bytes"))))
    }

    fn long(&mut self) -> Result<usize, EtfError> {
        Ok(u32::from_be_bytes(self.take(4)?.try_into().expect("four bytes")) as usize)
    }

    fn terms(&mut self, count: usize) -> Result<Vec<Term>, EtfError> {
        (0..count).map(|_| self.term()).collect()
    }

    fn term(&mut self) -> Result<Term, EtfError> {
        if self.depth == MAX_DEPTH {
            return Err(EtfError::Unsupported(self.byte()?));
        }
        self.depth += 1;
        let term = self.nested();
        self.depth -= 1;
        term
    }

    fn nested(&mut self) -> Result<Term, EtfError> {
        Ok(match self.byte()? {
            97 => Term::int(self.byte()?.into()),
            98 => Term::int((self.long()? as u32 as i32).into()),
            70 => {
                let bits = u64::from_be_bytes(self.take(8)?.try_into().expect("eight bytes"));
                self.heap.float(f64::from_bits(bits))
            }
            tag @ (100 | 118) => {
                let len = self.short()?;
                self.atom(len, tag == 100)?
            }
            tag @ (115 | 119) => {
                let len = usize::from(self.byte()?);
                self.atom(len, tag == 115)?
            }
            104 => {
                let arity = usize::from(self.byte()?);
                let elements = self.terms(arity)?;
                self.heap.tuple(&elements)
            }
            105 => {
                let arity = self.long()?;
                let elements = self.terms(arity)?;
                self.heap.tuple(&elements)
            }
            106 => Term::NIL,
            107 => {
                let len = self.short()?;
                let elements: Vec<Term> =
                    self.take(len)?.iter().map(|byte| Term::int(i64::from(*byte))).collect();
                self.heap.list(&elements)
            }
            108 => {
                let len = self.long()?;
                let elements = self.terms(len)?;
                let tail = self.term()?;
                self.heap.list_with_tail(&elements, tail)
            }
            109 => {
                let len = self.long()?;
                let bytes = self.take(len)?;
                self.heap.binary(bytes)
            }
            77 => {
                let len = self.long()?;
                let odd = u64::from(self.byte()?);
                if odd > 8 {
                    return Err(EtfError::Malformed);
                }
                let bytes = self.take(len)?;
                let mut writer = BitWriter::new(self.heap);
                writer.put_bytes(self.heap, bytes);
                let mut bits = writer.finish();
                bits.len = (bits.len + odd).saturating_sub(8);
                self.heap.bits(bits)
            }
            110 => {
                let len = usize::from(self.byte()?);
                self.big(len)?
            }
            111 => {
                let len = self.long()?;
                self.big(len)?
            }
            116 => {
                let count = self.long()?;
                let mut entries = Vec::new();
                for _ in 0..count {
                    let key = self.term()?;
                    entries.push((key, self.term()?));
                }
                Map::of_entries(self.heap, self.atoms, entries).term()
            }
            113 => {
                let (module, name, arity) = (self.term()?, self.term()?, self.term()?);
                let (Some(module), Some(name), Some(arity)) =
                    (module.as_atom(), name.as_atom(), arity.as_small())
                else {
                    return Err(EtfError::Malformed);
                };
                self.heap.export(module, name, arity as u32)
            }
            // Processes and references of ours: see `encode`.
            88 => {
                self.term()?;
                let process = self.long()?;
                self.take(8)?;
                Term::pid(process as u32)
            }
            90 => {
                let len = self.short()?;
                self.term()?;
                self.take(4)?;
                if len != 2 {
                    return Err(EtfError::Unsupported(90));
                }
                let (process, number) = (self.long()?, self.long()?);
                self.heap.reference(process as u32, number as u32)
            }
            tag => return Err(EtfError::Unsupported(tag)),
        })
    }

    fn atom(&mut self, len: usize, latin1: bool) -> Result<Term, EtfError> {
        let bytes = self.take(len)?;
        let name: String = match latin1 {
            true => bytes.iter().map(|byte| char::from(*byte)).collect(),
            false => String::from_utf8(bytes.to_vec()).map_err(|_| EtfError::Malformed)?,
        };
        Ok(Term::atom(self.atoms.intern(&name)))
    }

    fn big(&mut self, len: usize) -> Result<Term, EtfError> {
        let sign = if self.byte()? == 0 { Sign::Plus } else { Sign::Minus };
        let value = BigInt::from_bytes_le(sign, self.take(len)?);
        Ok(Number::from(value).into_term(self.heap))
    }
}

/// Writes a term in its external form; `None` if it has none here.
pub(crate) fn encode(heap: &Heap, atoms: &Atoms, term: Term) -> Option<Vec<u8>> {
    let mut out = vec![131];
    write(heap, atoms, term, &mut out)?;
    Some(out)
}

fn write_atom(atoms: &Atoms, atom: super::Atom, out: &mut Vec<u8>) {
    let name = atoms.name(atom).as_bytes();
    // As `term_to_binary` of the pinned release does it.
    match name.is_ascii() || name.len() > 255 {
        true => {
            out.push(100);
            out.extend((name.len() as u16).to_be_bytes());
        }
        false => out.extend([119, name.len() as u8]),
    }
    out.extend(name);
}

fn write(heap: &Heap, atoms: &Atoms, term: Term, out: &mut Vec<u8>) -> Option<()> {
    if let Some(value) = term.as_small() {
        if let Ok(byte) = u8::try_from(value) {
            out.extend([97, byte]);
        } else if let Ok(long) = i32::try_from(value) {
            out.push(98);
            out.extend(long.to_be_bytes());
        } else {
            write_big(&BigInt::from(value), out);
        }
        return Some(());
    }
    if let Some(atom) = term.as_atom() {
        write_atom(atoms, atom, out);
        return Some(());
    }
    if let Some(process) = term.as_pid() {
        out.push(88);
        write_atom(atoms, super::atom::NONODE, out);
        out.extend(process.to_be_bytes());
        out.extend([0; 8]);
        return Some(());
    }
    if term.is_nil() {
        out.push(106);
        return Some(());
    }
    if term.as_cons().is_some() {
        let mut elements = Vec::new();
        let end = heap.walk(term, |element| elements.push(element));
        let byte = |e: &Term| e.as_small().and_then(|value| u8::try_from(value).ok());
        let bytes: Option<Vec<u8>> = elements.iter().map(byte).collect();
        if let (Some(bytes), true) = (bytes, end.is_nil() && elements.len() <= 65535) {
            out.push(107);
            out.extend((bytes.len() as u16).to_be_bytes());
            out.extend(bytes);
            return Some(());
        }
        out.push(108);
        out.extend((elements.len() as u32).to_be_bytes());
        for element in elements {
            write(heap, atoms, element, out)?;
        }
        return write(heap, atoms, end, out);
    }
    let place = term.as_box()?;
    let (kind, size) = heap.header(place);
    match kind {
        Kind::Tuple => {
            match u8::try_from(size) {
                Ok(arity) => out.extend([104, arity]),
                Err(_) => {
                    out.push(105);
                    out.extend((size as u32).to_be_bytes());
                }
            }
            for i in 1..=size {
                write(heap, atoms, heap.word(place + i), out)?;
            }
        }
        Kind::Float => {
            out.push(70);
            out.extend(heap.raw(place + 1).to_be_bytes());
        }
        Kind::Big => write_big(&heap.as_integer(term)?, out),
        Kind::Bits => {
            let bits = heap.as_bits(term)?;
            let bytes = heap.bytes_of(bits);
            out.push(if bits.is_binary() { 109 } else { 77 });
            out.extend((bytes.len() as u32).to_be_bytes());
            if !bits.is_binary() {
                out.push((bits.len % 8) as u8);
            }
            out.extend(bytes);
        }
        Kind::Map | Kind::MapTree => {
            let entries = Map::of(heap, term)?.entries(heap);
            out.push(116);
            out.extend((entries.len() as u32).to_be_bytes());
            for (key, value) in entries {
                write(heap, atoms, key, out)?;
                write(heap, atoms, value, out)?;
            }
        }
        Kind::Export => {
            out.push(113);
            for i in 1..=3 {
                write(heap, atoms, heap.word(place + i), out)?;
            }
        }
        Kind::Ref => {
            let (process, number) = heap.as_ref(term)?;
            out.extend([90, 0, 2]);
            write_atom(atoms, super::atom::NONODE, out);
            out.extend([0; 4]);
            out.extend(process.to_be_bytes());
            out.extend(number.to_be_bytes());
        }
        Kind::Fun | Kind::MapNode | Kind::Match => return None,
    }
    Some(())
}

fn write_big(value: &BigInt, out: &mut Vec<u8>) {
    let (sign, bytes) = value.to_bytes_le();
    let sign = u8::from(sign == Sign::Minus);
    match u8::try_from(bytes.len()) {
        Ok(len) => out.extend([110, len, sign]),
        Err(_) => {
            out.push(111);
            out.extend((bytes.len() as u32).to_be_bytes());
            out.push(sign);
        }
    }
    out.extend(bytes);
}
