//! Reading what compilers have written for the unwinder.

/// A number in LEB128.
const ULEB128: u8 = 0x01;
/// A number of four bytes.
const UDATA4: u8 = 0x03;

/// Reads from somewhere on.
#[derive(Clone, Copy)]
pub(super) struct Reader(pub(super) *const u8);

impl Reader {
    /// # Safety
    ///
    /// There is another byte.
    pub(super) unsafe fn byte(&mut self) -> u8 {
        // SAFETY: as the caller promises.
        let byte = unsafe { self.0.read() };
        self.skip(1);
        byte
    }

    /// Passes over some bytes.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.0 = self.0.wrapping_add(bytes);
    }

    /// # Safety
    ///
    /// There is a number of so many bytes, the lowest one first.
    pub(super) unsafe fn fixed(&mut self, bytes: u32) -> usize {
        // SAFETY: as the caller promises.
        (0..bytes).map(|place| usize::from(unsafe { self.byte() }) << (8 * place)).sum()
    }

    /// # Safety
    ///
    /// There is a number in LEB128. A signed one is read up to its end, but is another one.
    pub(super) unsafe fn uleb128(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        loop {
            // SAFETY: as the caller promises.
            let byte = unsafe { self.byte() };
            number |= usize::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            shift += 7;
            if byte & 0x80 == 0 {
                return number;
            }
        }
    }

    /// A number that is written so, if that is known.
    ///
    /// # Safety
    ///
    /// There is one.
    pub(super) unsafe fn number(&mut self, encoding: u8) -> Option<usize> {
        // SAFETY: as the caller promises.
        unsafe {
            match encoding {
                ULEB128 => Some(self.uleb128()),
                UDATA4 => Some(self.fixed(4)),
                _ => None,
            }
        }
    }
}
