//! The interpreter against the real machine: sequential programs print the same on both.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{outcomes, program_of};
use mazurka_core::search::Algorithm;

/// Compiles a file, once for both machines.
fn compile(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap().to_string_lossy();
    let name = format!("mazurka-both-{}-{stem}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&directory).unwrap();
    let mut erlc = Command::new("erlc");
    let output = erlc.args(["-W0", "-o"]).arg(&directory).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    directory.join(file.file_stem().unwrap()).with_extension("beam")
}

/// Runs a module's `all` on both machines: what it prints must be the same.
fn both_agree(file: &Path) -> usize {
    let beam = compile(file);
    let directory = beam.parent().unwrap();
    let module = file.file_stem().unwrap().to_string_lossy();
    let output = Command::new("erl")
        .args(["-noshell", "-noinput", "+pc", "latin1", "-kernel", "logger_level", "none", "-pa"])
        .arg(directory)
        .args(["-eval", &format!("{module}:all(), halt().")])
        .output()
        .unwrap();
    let expected = String::from_utf8_lossy(&output.stdout).into_owned();
    let (all, _) = outcomes(&program_of(&beam, &format!("{module}:all()")), Algorithm::Optimal);
    let _ = std::fs::remove_dir_all(directory);
    assert_eq!(all.ends.len(), 1, "there is one execution");
    compare(&expected, &all.ends.first().expect("there is one").printed);
    expected.lines().count()
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
    assert!(both_agree(&directory.join(module).with_extension("erl")) > 10);
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
fn suspensions_are_those_of_the_real_machine() {
    both_agree_on("suspensions");
}

#[test]
fn modules_are_loaded_as_on_the_real_machine() {
    both_agree_on("loading");
}

#[test]
fn output_goes_to_the_group_leader_of_the_real_machine() {
    both_agree_on("leaders");
}

/// Runs so many generated functions of one argument on both machines.
fn both_agree_on_generated(module: &str, count: usize, mut body: impl FnMut() -> String) {
    let mut source = format!("-module({module}).\n-export([all/0]).\n");
    source.push_str(
        "all() -> [io:format(\"~w: ~w~n\", [N, try {ok, f(N)} catch C:R -> {C, R} end]) ",
    );
    source.push_str(&format!("|| N <- lists:seq(1, {count})], ok.\nid(X) -> X.\n"));
    for n in 1..=count {
        let end = if n == count { "." } else { ";" };
        source.push_str(&format!("f({n}) -> {}{end}\n", body()));
    }
    let directory = std::env::temp_dir().join(format!("mazurka-{module}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join(module).with_extension("erl");
    std::fs::write(&file, source).unwrap();
    let lines = both_agree(&file);
    let _ = std::fs::remove_dir_all(&directory);
    assert!(lines >= count);
}

#[test]
fn generated_expressions_have_the_same_values() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    both_agree_on_generated("generated", 300, || random.expression(4));
}

#[test]
fn generated_data_is_the_same() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    both_agree_on_generated("data", 120, || match random.below(3) {
        0 => random.bits(),
        1 => random.floats(),
        _ => random.maps(),
    });
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

    fn integer(&mut self) -> String {
        let value = self.below(1 << 20) as i64 - (1 << 19);
        match self.below(4) {
            0 => format!("({value} bsl {})", self.below(90)),
            1 => (value % 10).to_string(),
            _ => value.to_string(),
        }
    }

    /// Puts a bit string together, and takes it apart in another way.
    fn bits(&mut self) -> String {
        let (mut made, mut taken, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..=self.below(4) {
            let value = self.integer();
            let sign = self.pick(&["signed", "unsigned"]);
            let order = self.pick(&["big", "little", "native"]);
            let size = self.below(80);
            made.push(match self.below(6) {
                0 => format!(
                    "(id({}.25)):64/float-{order}",
                    value
                        .replace(['(', ')'], "")
                        .replace("bsl", "")
                        .split_whitespace()
                        .next()
                        .unwrap_or("0")
                ),
                1 => format!("(id(<<{value}:{size}>>))/bitstring"),
                2 => format!("(id({}))/utf8", self.below(0xd800)),
                _ => format!("(id({value})):{size}/{order}"),
            });
            taken.push(match self.below(6) {
                0 => format!("V{i}:{}/bitstring", self.below(30)),
                1 => format!("V{i}:64/float-{order}"),
                2 => format!("V{i}/utf8"),
                _ => format!("V{i}:{}/{order}-{sign}", self.below(70)),
            });
            names.push(format!("V{i}"));
        }
        format!(
            "B = <<{}>>, case id(B) of <<{}, Rest/bitstring>> -> {{B, {}, Rest}}; _ -> {{B, none}} end",
            made.join(", "),
            taken.join(", "),
            names.join(", ")
        )
    }

    /// Writes a float in many ways.
    fn floats(&mut self) -> String {
        let digits = self.below(1_000_000_000) as f64 * if self.below(2) == 0 { 1.0 } else { -1.0 };
        let exponent = match self.below(3) {
            0 => self.below(40) as i32 - 25,
            1 => self.below(6) as i32 - 9,
            _ => self.below(500) as i32 - 250,
        };
        let value = format!("{:e}", digits * 10f64.powi(exponent));
        let value = match value.split_once('e') {
            Some((front, back)) if !front.contains('.') => format!("{front}.0e{back}"),
            _ => value,
        };
        let (places, width) = (self.below(12), self.below(16));
        format!(
            "X = id({value}), {{X, float_to_list(X), catch float_to_list(X, [{{scientific, {places}}}]), \
             catch float_to_list(X, [{{decimals, {places}}}]), catch float_to_binary(X, [{{decimals, {places}}}, compact]), \
             float_to_list(X, [short]), catch lists:flatten(io_lib:format(\"~p ~w ~e ~g ~{width}.{}f\", [X, X, X, X, X])), \
             catch trunc(X), catch round(X), X == catch trunc(X), catch list_to_float(float_to_list(X))}}",
            places.max(1)
        )
    }

    /// Puts entries into a map and takes some out again.
    fn maps(&mut self) -> String {
        let keys = [
            "a",
            "b",
            "1",
            "1.0",
            "\"s\"",
            "<<1>>",
            "{a, 1}",
            "[]",
            "2",
            "-1",
            "(1 bsl 70)",
            "#{}",
        ];
        let entry = |random: &mut Random, arrow: &str| {
            format!("{} {arrow} {}", random.pick(&keys), random.integer())
        };
        let first: Vec<String> = (0..self.below(6)).map(|_| entry(self, "=>")).collect();
        let arrow = self.pick(&[":=", "=>"]);
        let update = entry(self, arrow);
        let (key, other) = (self.pick(&keys), self.pick(&keys));
        let use_of = match self.below(8) {
            0 => format!("maps:get({key}, M, none)"),
            1 => format!("maps:remove({key}, M)"),
            2 => "maps:to_list(maps:map(fun(K, V) -> {K, V} end, M))".to_owned(),
            3 => "maps:fold(fun(K, V, A) -> [{K, V} | A] end, [], M)".to_owned(),
            4 => format!("{{maps:keys(M), maps:values(M), maps:size(M), maps:is_key({key}, M)}}"),
            5 => format!("maps:merge(M, #{{{key} => new, {other} => newer}})"),
            6 => format!(
                "case M of #{{{key} := X, {other} := Y}} -> {{X, Y}}; #{{{key} := X}} -> X; _ -> no end"
            ),
            _ => format!(
                "{{maps:with([{key}, {other}], M), maps:take({key}, M), M < #{{{key} => 1}}, maps:filter(fun(_, V) -> V > 0 end, M)}}"
            ),
        };
        format!("M0 = id(#{{{}}}), M = M0#{{{update}}}, {{M, {use_of}}}", first.join(", "))
    }
}
