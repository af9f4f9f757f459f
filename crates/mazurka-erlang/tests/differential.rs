//! The interpreter against the real machine: sequential programs print the same on both.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{outcomes, program, program_of};
use mazurka_core::explore::Algorithm;

/// What the real machine prints when it runs a module's `all`.
fn on_the_real_machine(file: &str, module: &str) -> String {
    let directory =
        std::env::temp_dir().join(format!("mazurka-real-{}-{module}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let compiled = Command::new("erlc").arg("-o").arg(&directory).arg(file).status().unwrap();
    assert!(compiled.success(), "{file} compiles");
    let call = format!("{module}:all(), halt().");
    let output = Command::new("erl")
        .args(["-noshell", "-noinput", "+pc", "latin1", "-pa"])
        .arg(&directory)
        .args(["-eval", &call])
        .output()
        .unwrap();
    let _ = std::fs::remove_dir_all(&directory);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn compare(expected: &str, found: &str) {
    let (mut expected, mut found) = (expected.lines(), found.lines());
    let mut different = Vec::new();
    loop {
        match (expected.next(), found.next()) {
            (None, None) => break,
            (expected, found) if expected == found => {}
            (expected, found) => {
                let (expected, found) = (expected.unwrap_or("-"), found.unwrap_or("-"));
                let same = expected.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
                let cut = |text: &str| {
                    let name: String = text.chars().take_while(|c| *c != ':').collect();
                    let from = same.saturating_sub(30);
                    let rest: String = text.chars().skip(from).take(160).collect();
                    format!("{name}: ...{rest}")
                };
                different.push(format!("erl     {}\nmazurka {}", cut(expected), cut(found)));
            }
        }
    }
    assert!(different.is_empty(), "{} differences:\n{}", different.len(), different.join("\n"));
}

/// Runs a module of these tests on both machines.
fn both_agree_on(module: &str) {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let file = directory.join(module).with_extension("erl");
    let expected = on_the_real_machine(&file.to_string_lossy(), module);
    assert!(!expected.is_empty(), "the real machine runs it");
    let program = program(module, &format!("{module}:all()"));
    let (all, _) = outcomes(&program, Algorithm::Optimal);
    let found = &all.ends.iter().next().expect("there is one execution").printed;
    assert_eq!(all.ends.len(), 1);
    compare(&expected, found);
}

#[test]
fn sequential_code_does_what_it_does_on_the_real_machine() {
    both_agree_on("sequential");
}

#[test]
fn regular_expressions_match_what_they_match_on_the_real_machine() {
    both_agree_on("regexes");
}

#[test]
fn generated_expressions_have_the_same_values() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut source = String::from("-module(generated).\n-export([all/0]).\n");
    source.push_str(
        "all() -> [io:format(\"~w: ~w~n\", [N, try {ok, f(N)} catch C:R -> {C, R} end]) ",
    );
    source.push_str("|| N <- lists:seq(1, 300)], ok.\nid(X) -> X.\n");
    for n in 1..=300 {
        let expression = random.expression(4);
        let end = if n == 300 { "." } else { ";" };
        source.push_str(&format!("f({n}) -> {expression}{end}\n"));
    }
    let directory = std::env::temp_dir().join(format!("mazurka-generated-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("generated.erl");
    std::fs::write(&file, source).unwrap();
    let expected = on_the_real_machine(&file.to_string_lossy(), "generated");
    let (all, _) = outcomes(&program_of(&file, "generated:all()"), Algorithm::Optimal);
    let found = all.ends.iter().next().expect("there is one execution").printed.clone();
    let _ = std::fs::remove_dir_all(&directory);
    assert!(expected.lines().count() >= 300);
    compare(&expected, &found);
}

/// A generator of expressions.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// An expression that may fail, but always in the same way.
    fn expression(&mut self, depth: u32) -> String {
        let leaves = [
            "id(0)",
            "id(1)",
            "id(-7)",
            "id(3.5)",
            "id(a)",
            "id(1 bsl 70)",
            "id(-(1 bsl 65))",
            "id([1, 2, 3])",
            "id({x, 1})",
            "id(<<1, 2, 255>>)",
            "id(\"abc\")",
            "id(#{a => 1})",
            "id(true)",
            "id([])",
            "id(576460752303423487)",
            "id(<<5:3>>)",
            "id(0.0)",
            "id(1000000007)",
        ];
        if depth == 0 || self.below(8) == 0 {
            return self.pick(&leaves).to_owned();
        }
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        match self.below(20) {
            0..6 => {
                let operators = [
                    "+", "-", "*", "div", "rem", "band", "bor", "bxor", "/", "<", "==", "=:=", ">=",
                ];
                format!("({a} {} {b})", self.pick(&operators))
            }
            6 => format!("({a} bsl ({b} band 31))"),
            7 => format!("({a} bsr ({b} band 31))"),
            8 => format!("{{{a}, {b}}}"),
            9 => format!("[{a} | {b}]"),
            10 => format!("({a} ++ {b})"),
            11 => format!("#{{k => {a}, {b} => v}}"),
            12 => {
                format!("(fun(X) when is_integer(X), X > 5 -> {b}; (X) -> {{other, X}} end)({a})")
            }
            13 => format!("max({a}, {b})"),
            14 => format!("element(1, {a})"),
            15 => format!("[{{X, {b}}} || X <- {a}]"),
            16 => format!("<<({a}):{}, ({b})/bitstring>>", self.below(70) + 1),
            17 => {
                let functions = [
                    "length",
                    "abs",
                    "is_list",
                    "byte_size",
                    "hd",
                    "tl",
                    "trunc",
                    "round",
                    "float",
                    "integer_to_list",
                    "bit_size",
                    "tuple_size",
                    "map_size",
                    "not",
                    "bnot",
                    "-",
                ];
                format!("({} ({a}))", self.pick(&functions))
            }
            18 => format!("lists:sort([{a}, {b}, {a}])"),
            _ => format!("(begin {a} end)"),
        }
    }
}
