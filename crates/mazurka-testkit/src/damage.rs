//! Damaged texts, for readers that must give an error or a result, but never panic.
//!
//! Mutations delete, repeat and swap lines and words, cut the text, and put other words and letters in
//! their places. `MAZURKA_MUTATIONS=N` sets how many there are for each reader.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Numbers that look random, and are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// Returns a text with one to three mutations, which put in some of the words.
fn mutated(text: &str, words: &[&str], numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=numbers.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (numbers.below(lines.len()), numbers.below(lines.len()));
        match numbers.below(7) {
            0 => {
                lines.remove(at);
            }
            1 => {
                let line = lines[at].clone();
                lines.insert(other, line);
            }
            2 => lines.swap(at, other),
            3 => lines.truncate(at.max(1)),
            kind @ (4 | 5) => {
                let mut parts: Vec<&str> = lines[at].split(' ').collect();
                let part = numbers.below(parts.len());
                match kind {
                    4 => parts[part] = words[numbers.below(words.len())],
                    _ => drop(parts.remove(part)),
                }
                lines[at] = parts.join(" ");
            }
            _ => {
                let letters: Vec<char> = lines[at].chars().collect();
                let start = numbers.below(letters.len() + 1);
                let end = (start + numbers.below(4)).min(letters.len());
                let mut line: String = letters[..start].iter().collect();
                line.push_str(words[numbers.below(words.len())]);
                line.extend(&letters[end..]);
                lines[at] = line;
            }
        }
    }
    lines.join("\n")
}

/// Asserts that a reader does not panic on mutations of texts, as many as `MAZURKA_MUTATIONS` says or
/// otherwise `count`. Mutations that panic are written to the temporary directory.
///
/// # Panics
///
/// If the reader panics, or there is no text.
#[track_caller]
pub fn survives(name: &str, corpus: &[String], words: &[&str], count: usize, read: impl Fn(&str)) {
    assert!(!corpus.is_empty(), "{name}: there is no text to damage");
    let wanted = std::env::var("MAZURKA_MUTATIONS").ok().and_then(|wanted| wanted.parse().ok());
    let wanted: usize = wanted.unwrap_or(count);
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut failed = Vec::new();
    for round in 0..wanted {
        let text = mutated(&corpus[round % corpus.len()], words, &mut numbers);
        if catch_unwind(AssertUnwindSafe(|| read(&text))).is_err() {
            let path = std::env::temp_dir().join(format!("mazurka-damaged-{name}-{round}"));
            let written = std::fs::write(&path, &text);
            failed.push((path, written.is_ok()));
        }
    }
    assert!(failed.is_empty(), "{name}: {} of {wanted} panic: {failed:?}", failed.len());
}
