//! Damaged modules: loading them gives an error or a module, but never a panic.
//!
//! The corpus is small modules of Erlang/OTP. `fuzz/` runs more mutations of the same kind.

use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;

use mazurka_erlang::load_module;

/// How many mutations there are.
const COUNT: usize = 20_000;

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

/// Returns a module with one to four mutations of its bytes.
fn mutated(module: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = module.to_vec();
    for _ in 0..=numbers.below(4) {
        let at = numbers.below(bytes.len() + 1);
        let end = at + numbers.below((bytes.len() - at).min(32) + 1);
        match numbers.below(5) {
            0 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
            1 if at < bytes.len() => bytes[at] = numbers.below(256) as u8,
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            // Extreme numbers, and operands within operands.
            _ => bytes[at..end].fill([0, 0xFF, 0x57, 0x17, 0xF8][numbers.below(5)]),
        }
    }
    bytes
}

/// Returns small modules of Erlang/OTP, in the order of their names.
fn modules() -> Vec<Vec<u8>> {
    let list = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten();
    let libraries = list("/usr/lib/erlang/lib".into()).map(|entry| entry.path().join("ebin"));
    let mut files: Vec<PathBuf> = libraries.flat_map(list).map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "beam"));
    files.sort();
    let mut modules: Vec<Vec<u8>> = files.iter().filter_map(|file| fs::read(file).ok()).collect();
    modules.retain(|module| module.len() < 4_000);
    modules.truncate(40);
    modules
}

#[test]
fn damaged_modules_do_not_panic() {
    let corpus = modules();
    if corpus.is_empty() {
        println!("skipped: there are no modules in /usr/lib/erlang; install Erlang/OTP");
        return;
    }
    for module in &corpus {
        assert_eq!(load_module(module), Ok(()));
    }
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for round in 0..COUNT {
        let bytes = mutated(&corpus[round % corpus.len()], &mut numbers);
        let result = catch_unwind(|| drop(load_module(&bytes)));
        assert!(result.is_ok(), "mutation {round} panics: {:02x?}", &bytes[..bytes.len().min(400)]);
    }
}

/// Returns a module without functions, with these chunks.
fn module(chunks: &[(&[u8], Vec<u8>)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, bytes) in chunks {
        body.extend_from_slice(name);
        body.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        body.extend_from_slice(bytes);
        body.resize(body.len().next_multiple_of(4), 0);
    }
    let size = (body.len() as u32 + 4).to_be_bytes();
    [&b"FOR1"[..], &size, b"BEAM", &body].concat()
}

/// Operands within operands, which a reader may not follow by recursion without an end.
#[test]
fn deeply_nested_operands_are_an_error() {
    for nested in [0x57, 0x17, 0x37, 0xF8] {
        let code = [&[0, 0, 0, 16], &[0; 16][..], &[1], &vec![nested; 1_000_000]].concat();
        let atoms = vec![0, 0, 0, 1, 1, b'm'];
        assert!(load_module(&module(&[(b"AtU8", atoms), (b"Code", code)])).is_err());
    }
}

/// Tuples of one element within each other, and sizes that do not fit into memory.
#[test]
fn extreme_terms_do_not_end_the_process() {
    let deep = [&[131][..], &[104, 1].repeat(1_000_000)].concat();
    let large = vec![131, 116, 0xFF, 0xFF, 0xFF, 0xFF, 106];
    for term in [deep, large, vec![131, 80], vec![131, 77, 0, 0, 0, 1, 99, 0]] {
        let code = [&[0, 0, 0, 16], &[0; 16][..], &[3]].concat();
        let atoms = vec![0, 0, 0, 1, 1, b'm'];
        let chunks = [(&b"AtU8"[..], atoms), (b"Code", code), (b"Attr", term.clone())];
        // Attributes that cannot be read are left out.
        assert_eq!(load_module(&module(&chunks)), Ok(()));
    }
}
