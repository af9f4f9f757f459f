//! Mutations of bytes, the same for the same seed.

/// Numbers that look random (xorshift).
pub struct Numbers(u64);

impl Numbers {
    /// Returns the numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `end`, or 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// How long a mutated input may get.
const LONGEST: usize = 32_768;

/// Writes one of the inputs with one to four mutations to `to`.
pub fn mutate(corpus: &[Vec<u8>], words: &[&str], numbers: &mut Numbers, to: &mut Vec<u8>) {
    to.clear();
    to.extend_from_slice(&corpus[numbers.below(corpus.len())]);
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(to.len() + 1);
        let end = at + numbers.below((to.len() - at).min(64) + 1);
        match numbers.below(9) {
            0 if at < to.len() => to[at] ^= 1 << numbers.below(8),
            1 if at < to.len() => to[at] = numbers.below(256) as u8,
            2 => drop(to.drain(at..end)),
            3 => to.truncate(at),
            4 => {
                let piece = to[at..end].to_vec();
                let into = numbers.below(to.len() + 1);
                to.splice(into..into, piece);
            }
            5 => {
                // Many copies: nesting.
                let piece = to[at..end.min(at + 8)].repeat(1 << numbers.below(12));
                to.splice(at..at, piece);
            }
            6 => {
                let other = &corpus[numbers.below(corpus.len())];
                let from = numbers.below(other.len() + 1);
                to.splice(at.., other[from..].iter().copied());
            }
            _ => {
                let word = words[numbers.below(words.len())];
                let replaced = if numbers.below(2) == 0 { at } else { end };
                to.splice(at..replaced, word.bytes());
            }
        }
        to.truncate(LONGEST);
    }
}
