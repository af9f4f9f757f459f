//! The container: an IFF file of chunks.

use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

use super::Operands;
use super::operand::Operand;

/// How many bytes a compressed part of a module may have.
const MAX_SIZE: usize = 256 << 20;
/// How many parameters a function may have, together with the values that it has captured.
const MAX_ARITY: u32 = 255;

/// A function that values can be made of.
#[derive(Clone, Debug)]
pub(crate) struct Lambda {
    pub(crate) name: u32,
    pub(crate) arity: u32,
    pub(crate) label: u32,
    pub(crate) free: u32,
    pub(crate) index: u32,
    /// A number that tells versions of the module apart.
    pub(crate) unique: u32,
}

/// What is in a compiled module, taken apart but not interpreted.
#[derive(Debug, Default)]
pub(crate) struct Container {
    /// Its atoms. The first one is its name.
    pub(crate) atoms: Vec<String>,
    pub(crate) code: Vec<u8>,
    pub(crate) labels: u32,
    pub(crate) last_opcode: u32,
    /// Module, name and arity.
    pub(crate) imports: Vec<[u32; 3]>,
    /// Name, arity and label.
    pub(crate) exports: Vec<[u32; 3]>,
    pub(crate) lambdas: Vec<Lambda>,
    /// Each in its external form.
    pub(crate) literals: Vec<Vec<u8>>,
    pub(crate) strings: Vec<u8>,
    /// File (by its number in `files`) and line.
    pub(crate) lines: Vec<(u32, u32)>,
    pub(crate) files: Vec<String>,
    /// What compiled it, in the external form of terms.
    pub(crate) compile_info: Vec<u8>,
    /// Its attributes, in the external form of terms.
    pub(crate) attributes: Vec<u8>,
}

impl Container {
    /// Takes a file apart. The error says what is wrong with it.
    pub(crate) fn read(bytes: &[u8]) -> Result<Container, String> {
        let inflated;
        let bytes = match bytes {
            [0x1f, 0x8b, ..] => {
                inflated = gunzip(bytes).ok_or("it is compressed, and damaged")?;
                &inflated[..]
            }
            bytes => bytes,
        };
        if bytes.get(0..4) != Some(b"FOR1") || bytes.get(8..12) != Some(b"BEAM") {
            return Err("it is not a compiled Erlang module".into());
        }
        let mut container = Container::default();
        let mut rest = &bytes[12..];
        while rest.len() >= 8 {
            let name: [u8; 4] = rest[0..4].try_into().expect("four bytes");
            let size = u32::from_be_bytes(rest[4..8].try_into().expect("four bytes")) as usize;
            let chunk = rest.get(8..8 + size).ok_or("it ends in the middle of a chunk")?;
            container.read_chunk(&name, chunk).ok_or_else(|| {
                format!("its chunk `{}` is malformed", String::from_utf8_lossy(&name))
            })?;
            rest = rest.get(8 + size.next_multiple_of(4)..).unwrap_or_default();
        }
        if container.atoms.is_empty() || container.code.is_empty() {
            return Err("it has no code".into());
        }
        match container.is_consistent() {
            true => Ok(container),
            false => Err("its tables refer to atoms or labels that it does not have".into()),
        }
    }

    /// Returns whether the tables of the module refer only to atoms and labels that it has. A label takes
    /// two bytes of code.
    fn is_consistent(&self) -> bool {
        let is_atom = |number: &u32| (1..=self.atoms.len()).contains(&(*number as usize));
        let is_label = |number: &u32| *number <= self.labels;
        let is_import = |[module, name, _]: &[u32; 3]| is_atom(module) && is_atom(name);
        let is_export = |[name, _, label]: &[u32; 3]| is_atom(name) && is_label(label);
        let is_lambda = |lambda: &Lambda| {
            is_atom(&lambda.name)
                && is_label(&lambda.label)
                && lambda.free <= lambda.arity
                && lambda.arity <= MAX_ARITY
        };
        self.labels as usize <= self.code.len()
            && self.imports.iter().all(is_import)
            && self.exports.iter().all(is_export)
            && self.lambdas.iter().all(is_lambda)
    }

    fn read_chunk(&mut self, name: &[u8; 4], chunk: &[u8]) -> Option<()> {
        let mut words = Words(chunk);
        match name {
            b"AtU8" | b"Atom" => {
                let count = words.next()?;
                for _ in 0..count {
                    let (len, rest) = words.0.split_first()?;
                    let (name, rest) = rest.split_at_checked(usize::from(*len))?;
                    self.atoms.push(String::from_utf8(name.to_vec()).ok()?);
                    words.0 = rest;
                }
            }
            b"Code" => {
                let header = words.next()? as usize;
                let [_version, last_opcode, labels] = words.array()?;
                (self.last_opcode, self.labels) = (last_opcode, labels);
                self.code = chunk.get(4 + header..)?.to_vec();
            }
            b"ImpT" => self.imports = words.table()?,
            b"ExpT" => self.exports = words.table()?,
            b"FunT" => {
                let table: Vec<[u32; 6]> = words.table()?;
                self.lambdas = table
                    .into_iter()
                    .map(|[name, arity, label, index, free, unique]| Lambda {
                        name,
                        arity,
                        label,
                        free,
                        index,
                        unique,
                    })
                    .collect();
            }
            b"LitT" => {
                words.next()?;
                let inflated = decompress_to_vec_zlib_with_limit(words.0, MAX_SIZE).ok()?;
                let mut words = Words(&inflated);
                let count = words.next()?;
                for _ in 0..count {
                    let size = words.next()? as usize;
                    let (literal, rest) = words.0.split_at_checked(size)?;
                    self.literals.push(literal.to_vec());
                    words.0 = rest;
                }
            }
            b"StrT" => self.strings = chunk.to_vec(),
            b"Line" => self.read_lines(words)?,
            b"CInf" => self.compile_info = chunk.to_vec(),
            b"Attr" => self.attributes = chunk.to_vec(),
            _ => {}
        }
        Some(())
    }

    fn read_lines(&mut self, mut words: Words<'_>) -> Option<()> {
        let [_version, _flags, _instructions, lines, files] = words.array()?;
        let mut items = Operands::new(words.0);
        let mut file = 0;
        // Line 0 is nowhere.
        self.lines.push((0, 0));
        while self.lines.len() <= lines as usize {
            match items.operand()? {
                Operand::Integer(line) => {
                    self.lines.push((file, u32::try_from(&line).ok()?));
                }
                Operand::Atom(number) => file = number,
                _ => return None,
            }
        }
        // File 0 is that of the module itself.
        self.files.push(String::new());
        for _ in 0..files {
            let len = usize::from(u16::from_be_bytes([items.byte()?, items.byte()?]));
            let name: Option<Vec<u8>> = (0..len).map(|_| items.byte()).collect();
            self.files.push(String::from_utf8_lossy(&name?).into_owned());
        }
        Some(())
    }
}

/// A reader of words.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn next(&mut self) -> Option<u32> {
        let (word, rest) = self.0.split_at_checked(4)?;
        self.0 = rest;
        Some(u32::from_be_bytes(word.try_into().expect("four bytes")))
    }

    fn array<const N: usize>(&mut self) -> Option<[u32; N]> {
        let mut array = [0; N];
        for word in &mut array {
            *word = self.next()?;
        }
        Some(array)
    }

    /// A count, then so many rows.
    fn table<const N: usize>(&mut self) -> Option<Vec<[u32; N]>> {
        let count = self.next()?;
        (0..count).map(|_| self.array()).collect()
    }
}

/// Undoes gzip: modules may be compressed as a whole.
fn gunzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + usize::from(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    at += if flags & 2 != 0 { 2 } else { 0 };
    decompress_to_vec_with_limit(bytes.get(at..)?, MAX_SIZE).ok()
}
