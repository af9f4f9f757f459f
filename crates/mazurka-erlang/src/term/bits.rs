//! Bit strings.

use super::Heap;

/// A part of the bytes of a heap, by bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    pub(crate) start: u64,
    pub(crate) len: u64,
}

impl Bits {
    pub(crate) fn is_binary(self) -> bool {
        self.len.is_multiple_of(8)
    }
}

impl Heap {
    /// Up to 64 bits from a position, most significant first.
    #[inline]
    pub(crate) fn read_bits(&self, start: u64, count: u64) -> u64 {
        debug_assert!(count <= 64);
        let mut value: u64 = 0;
        let mut position = start;
        let mut left = count;
        while left > 0 {
            let byte = self.bytes[(position / 8) as usize];
            let offset = position % 8;
            let take = left.min(8 - offset);
            let part = (byte << offset) >> (8 - take);
            value = if take == 64 { 0 } else { value << take } | u64::from(part);
            position += take;
            left -= take;
        }
        value
    }

    /// Whole bytes from a position; the last one is filled up with zeros.
    pub(crate) fn bytes_of(&self, bits: Bits) -> Vec<u8> {
        if bits.start.is_multiple_of(8) {
            let start = (bits.start / 8) as usize;
            let mut bytes = self.bytes[start..start + bits.len.div_ceil(8) as usize].to_vec();
            let odd = bits.len % 8;
            if let (Some(last), true) = (bytes.last_mut(), odd != 0) {
                *last &= 0xffu8 << (8 - odd);
            }
            return bytes;
        }
        let mut bytes = Vec::with_capacity(bits.len.div_ceil(8) as usize);
        let mut done = 0;
        while done < bits.len {
            let count = (bits.len - done).min(8);
            bytes.push((self.read_bits(bits.start + done, count) << (8 - count)) as u8);
            done += count;
        }
        bytes
    }

    /// The bytes of a binary, if the term is one.
    pub(crate) fn binary_bytes(&self, term: super::Term) -> Option<Vec<u8>> {
        let bits = self.as_bits(term)?;
        bits.is_binary().then(|| self.bytes_of(bits))
    }
}

/// Bits that are being put together, at the end of a heap's bytes.
#[derive(Debug)]
pub(crate) struct BitWriter {
    start: u64,
    len: u64,
}

impl BitWriter {
    pub(crate) fn new(heap: &Heap) -> Self {
        BitWriter { start: heap.bytes.len() as u64 * 8, len: 0 }
    }

    /// Adds the lowest `count` bits of a value.
    #[inline]
    pub(crate) fn put(&mut self, heap: &mut Heap, value: u64, count: u64) {
        let mut left = count;
        while left > 0 {
            let offset = self.len % 8;
            if offset == 0 {
                heap.bytes.push(0);
            }
            let take = left.min(8 - offset);
            let part = (value >> (left - take)) & ((1 << take) - 1);
            let last = heap.bytes.last_mut().expect("a byte has been pushed");
            *last |= (part << (8 - offset - take)) as u8;
            self.len += take;
            left -= take;
        }
    }

    pub(crate) fn put_bytes(&mut self, heap: &mut Heap, bytes: &[u8]) {
        if self.len.is_multiple_of(8) {
            heap.bytes.extend_from_slice(bytes);
            self.len += bytes.len() as u64 * 8;
            return;
        }
        for byte in bytes {
            self.put(heap, u64::from(*byte), 8);
        }
    }

    pub(crate) fn put_bits(&mut self, heap: &mut Heap, bits: Bits) {
        if bits.start.is_multiple_of(8) && bits.is_binary() {
            let bytes = heap.bytes_of(bits);
            self.put_bytes(heap, &bytes);
            return;
        }
        let mut done = 0;
        while done < bits.len {
            let count = (bits.len - done).min(32);
            let value = heap.read_bits(bits.start + done, count);
            self.put(heap, value, count);
            done += count;
        }
    }

    pub(crate) fn finish(self) -> Bits {
        Bits { start: self.start, len: self.len }
    }
}
