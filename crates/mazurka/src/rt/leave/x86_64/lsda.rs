//! Reading the tables by which the personality routine of a function decides what to do when its
//! frame is unwound: its *language-specific data area*.
//!
//! Languages that unwind by the Itanium ABI share its first part, the table of call sites. It says
//! for each range of instructions which landing pad the calls in it have.

use super::bytes::Reader;

/// No value follows.
const OMITTED: u8 = 0xff;

/// Whether a frame is unwound without running any of its code, where it is in a call `offset` bytes
/// into its function. `false` too if the table says something unknown.
///
/// # Safety
///
/// `table` is the language-specific data area of that function.
pub(super) unsafe fn has_no_landing_pad(table: *const u8, offset: usize) -> bool {
    // SAFETY: as the caller promises, and it is read as it is written.
    unsafe { landing_pad(Reader(table), offset) == Some(0) }
}

/// The landing pad of a call, where 0 means none. `None` if there is no such call in the table:
/// then none is expected to unwind, and the personality routine aborts.
///
/// # Safety
///
/// There is a language-specific data area to be read.
unsafe fn landing_pad(mut reader: Reader, offset: usize) -> Option<usize> {
    // SAFETY: as the caller promises, for everything that follows.
    unsafe {
        if reader.byte() != OMITTED {
            // Landing pads are relative to something else than the function.
            return None;
        }
        if reader.byte() != OMITTED {
            // The table of types, which is of no interest.
            reader.uleb128();
        }
        let encoding = reader.byte();
        let length = reader.uleb128();
        let end = reader.0.wrapping_add(length);
        while reader.0 < end {
            let start = reader.number(encoding)?;
            let length = reader.number(encoding)?;
            let landing_pad = reader.number(encoding)?;
            let _action = reader.uleb128();
            if offset < start {
                // They are in order.
                return None;
            }
            if offset - start < length {
                return Some(landing_pad);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pad(table: &[u8], offset: usize) -> Option<usize> {
        // SAFETY: the tables below are well formed.
        unsafe { landing_pad(Reader(table.as_ptr()), offset) }
    }

    /// Calls in 0..4 with no pad, in 4..0x84 with one at 0x90, in 0x88..0x8a with none.
    const TABLE: [u8; 18] = [0xff, 0xff, 1, 14, 0, 4, 0, 0, 4, 0x80, 1, 0x90, 1, 1, 0x88, 1, 2, 0];

    #[test]
    fn the_landing_pad_of_a_call_is_found() {
        // The last call site is cut short on purpose: it must not be read.
        let mut table = TABLE.to_vec();
        table[3] = 10;
        for offset in 0..4 {
            assert_eq!(pad(&table, offset), Some(0), "{offset}");
        }
        for offset in 4..0x84 {
            assert_eq!(pad(&table, offset), Some(0x90), "{offset}");
        }
        assert_eq!(pad(&table, 0x84), None);
    }

    #[test]
    fn what_is_in_no_range_is_unknown() {
        let table = [&TABLE[..], &[0]].concat();
        let table = [&table[..3], &[15], &table[4..]].concat();
        assert_eq!(pad(&table, 0x83), Some(0x90));
        assert_eq!(pad(&table, 0x84), None);
        assert_eq!(pad(&table, 0x88), Some(0));
        assert_eq!(pad(&table, 0x8a), None);
    }

    #[test]
    fn the_table_of_types_is_passed_over() {
        let table = [0xff, 0x9b, 0x85, 1, 3, 13, 0, 0, 0, 0, 9, 0, 0, 0, 7, 0, 0, 0, 0];
        assert_eq!(pad(&table, 8), Some(7));
        assert_eq!(pad(&table, 9), None);
    }

    #[test]
    fn what_is_written_otherwise_is_unknown() {
        assert_eq!(pad(&[0xff, 0xff, 0x0b, 4, 0, 9, 0, 0], 1), None);
        assert_eq!(pad(&[0x1b, 0, 0, 0, 0, 0xff, 1, 4, 0, 9, 0, 0], 1), None);
    }
}
