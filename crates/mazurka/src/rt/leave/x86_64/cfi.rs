//! Reading how a function finds the frame of its caller: its *call frame information*.
//!
//! That is a little program, which is run up to the call that the frame is in. It says where the frame
//! of the caller begins, by a register and an offset, and where registers have been saved. Only the
//! first is of interest here.

use std::ffi::c_void;

use super::bytes::Reader;

/// The number of `rsp`.
const STACK_POINTER: usize = 7;

/// What the unwinder adds to an entry of its table.
#[repr(C)]
struct Bases {
    _text: *const c_void,
    _data: *const c_void,
    function: *const u8,
}

// Of the unwinder that the standard library is linked to.
unsafe extern "C" {
    fn _Unwind_Find_FDE(address: *const u8, bases: *mut Bases) -> *const u8;
}

/// The size of the frame that is in a call after which it goes on at `address`, if it always has that
/// size there: if the frame of the caller is found from the stack pointer.
pub(super) fn size_of_frame(address: usize) -> Option<usize> {
    let call = (address as *const u8).wrapping_sub(1);
    let nothing = std::ptr::null();
    let mut bases = Bases { _text: nothing, _data: nothing, function: nothing.cast() };
    // SAFETY: it may be asked about any address.
    let entry = unsafe { _Unwind_Find_FDE(call, &mut bases) };
    if entry.is_null() {
        return None;
    }
    // SAFETY: this is an entry of the unwinder's table.
    let program = unsafe { Program::of(Reader(entry)) }?;
    let offset = (call as usize).checked_sub(bases.function as usize)?;
    // SAFETY: these are its instructions.
    match unsafe { program.run(offset) }? {
        Rule { register: STACK_POINTER, offset } => Some(offset),
        _ => None,
    }
}

/// A frame begins at what is in a register, and so far up.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Rule {
    register: usize,
    offset: usize,
}

/// The instructions that a function shares with others, and its own.
struct Program {
    code_alignment: usize,
    parts: [(Reader, *const u8); 2],
}

impl Program {
    /// Reads the program of an entry for a function, if it has a known format.
    ///
    /// # Safety
    ///
    /// The reader is at an entry.
    unsafe fn of(mut entry: Reader) -> Option<Self> {
        // SAFETY: as the caller promises, for everything that follows.
        unsafe {
            let end = end_of(&mut entry)?;
            let place = entry.0;
            let common = Reader(place.wrapping_sub(entry.fixed(4)));
            let (size_of_pointer, common) = Common::of(common)?;
            // Where the function begins, and how long it is.
            entry.skip(2 * size_of_pointer);
            let augmentation = entry.uleb128();
            entry.skip(augmentation);
            let parts = [common.instructions, (entry, end)];
            Some(Program { code_alignment: common.code_alignment, parts })
        }
    }

    /// The rule that holds so far into the function.
    ///
    /// # Safety
    ///
    /// These are instructions.
    unsafe fn run(&self, offset: usize) -> Option<Rule> {
        let mut at = 0;
        let (mut rule, mut remembered) = (Rule::default(), Vec::new());
        for &(mut reader, end) in &self.parts {
            while reader.0 < end && at <= offset {
                // SAFETY: as the caller promises, for everything that follows.
                unsafe {
                    let instruction = reader.byte();
                    match (instruction & 0xc0, instruction & 0x3f) {
                        // The next instructions are for later.
                        (0x40, delta) => at += usize::from(delta) * self.code_alignment,
                        (0, 0x02) => at += reader.fixed(1) * self.code_alignment,
                        (0, 0x03) => at += reader.fixed(2) * self.code_alignment,
                        (0, 0x04) => at += reader.fixed(4) * self.code_alignment,
                        // Where the frame begins.
                        (0, 0x0c) => {
                            rule = Rule { register: reader.uleb128(), offset: reader.uleb128() };
                        }
                        (0, 0x0d) => rule.register = reader.uleb128(),
                        (0, 0x0e) => rule.offset = reader.uleb128(),
                        (0, 0x0a) => remembered.push(rule),
                        (0, 0x0b) => rule = remembered.pop()?,
                        // Where a register is, by nothing, a register, or two numbers.
                        (0xc0, _) | (0, 0x00) => {}
                        (0x80, _) | (0, 0x06..=0x08 | 0x2e) => drop(reader.uleb128()),
                        (0, 0x05 | 0x09 | 0x11) => drop((reader.uleb128(), reader.uleb128())),
                        // By an expression.
                        (0, 0x10 | 0x16) => {
                            reader.uleb128();
                            let length = reader.uleb128();
                            reader.skip(length);
                        }
                        // An expression says where the frame begins, or nothing does.
                        _ => return None,
                    }
                }
            }
        }
        Some(rule)
    }
}

/// What functions share.
struct Common {
    code_alignment: usize,
    instructions: (Reader, *const u8),
}

impl Common {
    /// The size of pointers in entries, and the rest.
    ///
    /// # Safety
    ///
    /// The reader is at what entries share.
    unsafe fn of(mut reader: Reader) -> Option<(usize, Self)> {
        // SAFETY: as the caller promises, for everything that follows.
        unsafe {
            let end = end_of(&mut reader)?;
            // A number that says what this is, and a version.
            reader.skip(5);
            if reader.byte() != b'z' {
                return None;
            }
            let mut letters = reader;
            while reader.byte() != 0 {}
            let code_alignment = reader.uleb128();
            let _data_alignment = reader.uleb128();
            let _return_address = reader.uleb128();
            let length = reader.uleb128();
            let mut data = reader;
            reader.skip(length);
            let mut size_of_pointer = size_of::<usize>();
            loop {
                match letters.byte() {
                    0 => break,
                    b'R' => size_of_pointer = size_of_encoded(data.byte())?,
                    b'L' => data.skip(1),
                    b'P' => {
                        let size = size_of_encoded(data.byte())?;
                        data.skip(size);
                    }
                    // Signal handlers among them.
                    _ => return None,
                }
            }
            Some((size_of_pointer, Common { code_alignment, instructions: (reader, end) }))
        }
    }
}

/// Reads a length, and returns where that ends what follows.
///
/// # Safety
///
/// There is one.
unsafe fn end_of(reader: &mut Reader) -> Option<*const u8> {
    // SAFETY: as the caller promises.
    match unsafe { reader.fixed(4) } {
        // A longer length follows.
        0xffff_ffff => None,
        length => Some(reader.0.wrapping_add(length)),
    }
}

/// The size of a pointer that is written so.
fn size_of_encoded(encoding: u8) -> Option<usize> {
    match encoding & 0x0f {
        0x00 | 0x04 | 0x0c => Some(8),
        0x03 | 0x0b => Some(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(shared: &[u8], own: &[u8], offsets: &[usize]) -> Vec<Option<Rule>> {
        let parts = [shared, own].map(|part| (Reader(part.as_ptr()), part.as_ptr_range().end));
        let program = Program { code_alignment: 1, parts };
        // SAFETY: the programs below are well formed.
        offsets.iter().map(|offset| unsafe { program.run(*offset) }).collect()
    }

    fn rule(register: usize, offset: usize) -> Option<Rule> {
        Some(Rule { register, offset })
    }

    /// As at the beginning of every function: `rsp + 8`, and where the return address is.
    const SHARED: [u8; 5] = [0x0c, 7, 8, 0x90, 1];

    #[test]
    fn a_push_makes_the_frame_larger() {
        // After one byte `rsp + 16`, with `rbx` saved; after four more `rsp + 64`; one more, `rsp + 8`.
        let own = [0x41, 0x0e, 16, 0x83, 2, 0x44, 0x0e, 64, 0x02, 1, 0x0e, 8, 0, 0];
        let rules = rules(&SHARED, &own, &[0, 1, 4, 5, 6, 100]);
        let expected = [8, 16, 16, 64, 8, 8].map(|offset| rule(7, offset));
        assert_eq!(rules, expected);
    }

    #[test]
    fn a_frame_pointer_is_another_register() {
        let own = [0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6, 0x03, 9, 0, 0x0c, 7, 8];
        let rules = rules(&SHARED, &own, &[0, 1, 3, 4, 12, 13]);
        assert_eq!(
            rules,
            [(7, 8), (7, 16), (7, 16), (6, 16), (6, 16), (7, 8)].map(|(r, o)| rule(r, o))
        );
    }

    #[test]
    fn an_early_return_is_followed_by_what_was_before() {
        let own = [0x41, 0x0e, 48, 0x42, 0x0a, 0x0e, 8, 0x41, 0x0b];
        let rules = rules(&SHARED, &own, &[1, 3, 4]);
        assert_eq!(rules, [48, 8, 48].map(|offset| rule(7, offset)));
    }

    #[test]
    fn an_expression_is_unknown_where_it_holds() {
        let own = [0x10, 6, 2, 0x76, 0, 0x41, 0x0f, 3, 0x76, 0x78, 6];
        assert_eq!(rules(&SHARED, &own, &[0, 1]), [rule(7, 8), None]);
    }

    #[test]
    fn real_functions_have_real_entries() {
        let function: fn(usize) -> Option<usize> = size_of_frame;
        // In its first instruction.
        assert_eq!(size_of_frame(function as usize + 1), Some(8));
        assert_eq!(size_of_frame(1), None);
    }
}
