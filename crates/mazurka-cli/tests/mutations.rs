//! Damaged inputs: every reader of text gives an error or a program, but never a panic.
//!
//! The corpus is the catalogue. Mutations delete, repeat and swap lines and bytes, and change numbers.
//! `MAZURKA_MUTATIONS=N` sets how many there are for each reader. The test `mutations` of
//! `mazurka-llvm` does the same with LLVM IR.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use mazurka_core::verdict::Schedule;
use mazurka_llvm::Property;
use mazurka_petri::Net;
use mazurka_trace::TraceProgram;

/// A small generator of numbers (xorshift), so that failures can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

const PIECES: [&str; 16] = [
    "",
    "0",
    "-1",
    "1",
    "4294967296",
    "18446744073709551616",
    "<",
    ">",
    "\"",
    "&amp;",
    "(",
    ")",
    "x",
    "-",
    " ",
    "é",
];

fn mutated(text: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=numbers.below(3) {
        if lines.is_empty() {
            break;
        }
        let (at, other) = (numbers.below(lines.len()), numbers.below(lines.len()));
        match numbers.below(6) {
            0 => {
                lines.remove(at);
            }
            1 => {
                let line = lines[at].clone();
                lines.insert(other, line);
            }
            2 => lines.swap(at, other),
            3 => lines.truncate(at.max(1)),
            _ => {
                let chars: Vec<char> = lines[at].chars().collect();
                let start = numbers.below(chars.len() + 1);
                let end = (start + numbers.below(4)).min(chars.len());
                let piece = PIECES[numbers.below(PIECES.len())];
                let (before, after) = (&chars[..start], &chars[end..]);
                lines[at] = before.iter().collect::<String>() + piece;
                lines[at].extend(after);
            }
        }
    }
    lines.join("\n")
}

/// Returns the files of the catalogue whose names end so.
fn catalogue(ending: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// Asserts that a reader does not panic on mutations of texts.
#[track_caller]
fn survives(corpus: &[String], read: impl Fn(&str)) {
    assert!(!corpus.is_empty());
    let wanted = std::env::var("MAZURKA_MUTATIONS").ok().and_then(|wanted| wanted.parse().ok());
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for round in 0..wanted.unwrap_or(3_000) {
        let text = mutated(&corpus[round % corpus.len()], &mut numbers);
        let panics = catch_unwind(AssertUnwindSafe(|| read(&text))).is_err();
        assert!(!panics, "mutation {round}:\n{text}");
    }
}

#[test]
fn damaged_nets_do_not_panic() {
    survives(&catalogue(".pnml"), |text| drop(Net::from_pnml(text)));
}

#[test]
fn damaged_recordings_do_not_panic() {
    survives(&catalogue(".trace"), |text| drop(TraceProgram::parse("damaged.trace", text, None)));
}

#[test]
fn damaged_schedules_do_not_panic() {
    let schedules = ["0-1x2-2", "1-2x3-1", "rc11:0-1<0", "0.1-1.2x3-2", ""].map(str::to_owned);
    survives(&schedules, |text| drop(text.parse::<Schedule>()));
}

#[test]
fn damaged_properties_do_not_panic() {
    let properties = ["CHECK( init(main()), LTL(G ! call(reach_error())) )", "G ! overflow"];
    survives(&properties.map(str::to_owned), |text| drop(Property::parse(text)));
}
