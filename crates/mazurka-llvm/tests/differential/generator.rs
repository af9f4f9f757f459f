//! Programs at random: many functions of arithmetic, conversions, shifts, structs, arrays,
//! pointers, loops, switches and calls. None of them does anything that C leaves undefined, so a
//! difference is always a mistake: signed arithmetic is done on unsigned numbers, shifts are masked,
//! divisors are odd, indices are reduced.

use std::fmt::Write;

/// A small, fast source of numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const TYPES: &[&str] = &[
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "__int128",
    "unsigned __int128",
    "_Bool",
    "char",
];

const HEAD: &str = r#"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 wide;

static uint64_t hash = 14695981039346656037u;

static void note(wide x) {
  for (int i = 0; i < 16; i++) {
    hash ^= (uint8_t)(x >> (8 * i));
    hash *= 1099511628211u;
  }
}

static void note_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  if (x != x)
    bits = 1;
  note(bits);
}

static void note_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  if (x != x)
    bits = 1;
  note(bits);
}

struct record {
  int8_t a;
  uint64_t b;
  int16_t c[3];
  uint32_t d : 5, e : 13;
  int32_t f : 9;
  double g;
  union {
    uint32_t h;
    uint8_t i[4];
    float j;
  };
};

static uint64_t pool[16] = {1, 2, 3, 0xffffffffffffffff, 0x8000000000000000, 0x7fffffff,
                            0x80000000, 255, 128, 127, 0xdeadbeef, 0x123456789abcdef0, 10, 100,
                            65535, 32768};

static uint64_t text(const char *format, ...) {
  char buffer[400], copy[400], *end = buffer;
  va_list list;
  va_start(list, format);
  int length = vsnprintf(buffer, sizeof buffer, format, list);
  va_end(list);
  strcpy(copy, buffer);
  for (char *at = copy; *at; at++)
    note(*at);
  end = strrchr(buffer, '|');
  note(end - buffer), note(strcmp(end, "|end")), note(strlen(copy) == length);
  memmove(copy + 1, copy, 20);
  note(strcmp(copy, buffer) > 0);
  return length + strspn(buffer, " 0");
}

static uint64_t collect(int n, ...) {
  va_list list;
  va_start(list, n);
  uint64_t sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + (i % 3 == 2 ? (uint64_t)(int64_t)va_arg(list, double) : va_arg(list, uint64_t));
  va_end(list);
  return sum;
}
"#;

/// What an expression may use.
struct Scope {
    /// Variables that are integers.
    integers: Vec<String>,
    /// Variables that are `double`s.
    doubles: Vec<String>,
    /// How many functions there are to call.
    functions: usize,
}

struct Generator {
    random: Random,
    text: String,
}

/// The program of a seed.
pub(crate) fn program(seed: u64) -> String {
    let mut generator = Generator { random: Random(seed), text: HEAD.to_owned() };
    let functions = 40;
    for index in 0..functions {
        generator.function(index);
    }
    generator.main(functions);
    generator.text
}

impl Generator {
    fn literal(&mut self) -> String {
        let bits = 1 + self.random.below(64) as u32;
        let value = self.random.next() >> (64 - bits);
        match self.random.below(4) {
            0 => format!("{}", value & 0xF),
            1 => format!("0x{value:x}u"),
            2 => format!("{value}u"),
            _ => format!("(-{}ll)", value >> 2),
        }
    }

    /// An integer of any type.
    fn integer(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(5) {
                0 => self.literal(),
                1 => format!("pool[{}]", self.random.below(16)),
                _ => scope.integers[self.random.below(scope.integers.len())].clone(),
            };
        }
        let ty = self.random.pick(TYPES);
        let word = self.random.pick(&["uint8_t", "uint16_t", "uint32_t", "uint64_t", "wide"]);
        let signed = self.random.pick(&["int8_t", "int16_t", "int32_t", "int64_t", "__int128"]);
        let a = self.integer(scope, depth - 1);
        match self.random.below(16) {
            0 => format!("({ty})({a})"),
            1 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                let b = self.integer(scope, depth - 1);
                format!("({word})((wide)({word})({a}) {op} ({word})({b}))")
            }
            2 => {
                let op = self.random.pick(&["/", "%"]);
                let b = self.integer(scope, depth - 1);
                format!("(({word})({a}) {op} ({word})(({word})({b}) | 1))")
            }
            3 => {
                // Divided by something that is neither 0 nor -1.
                let op = self.random.pick(&["/", "%"]);
                let b = self.integer(scope, depth - 1);
                format!("(({signed})({a}) {op} ({signed})((({signed})({b}) & 0x3f) + 2))")
            }
            4 => {
                let op = self.random.pick(&["<<", ">>"]);
                let b = self.integer(scope, depth - 1);
                format!(
                    "({word})((({word})({a})) {op} (({b}) & (8 * sizeof({word}) > 64 ? 127 : 8 * sizeof({word}) - 1)))"
                )
            }
            5 => {
                let b = self.integer(scope, depth - 1);
                format!("((({signed})({a})) >> (({b}) & 7))")
            }
            6 => {
                let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let b = self.integer(scope, depth - 1);
                format!("(({ty})({a}) {op} ({ty})({b}))")
            }
            7 => {
                let (b, c) = (self.integer(scope, depth - 1), self.integer(scope, depth - 1));
                format!("(({a}) ? ({word})({b}) : ({word})({c}))")
            }
            8 => {
                let op = self.random.pick(&["&&", "||"]);
                let b = self.integer(scope, depth - 1);
                format!("(({a}) {op} ({b}))")
            }
            9 => format!("({word})~({word})({a})"),
            10 => format!("({word})-(wide)({a})"),
            11 => format!("!({a})"),
            12 => format!("pool[({a}) & 15]"),
            13 if scope.functions > 0 => {
                let function = self.random.below(scope.functions);
                let b = self.integer(scope, depth - 1);
                format!("call({function}, {a}, {b})")
            }
            14 => {
                let x = self.double(scope, depth - 1);
                format!("(int64_t)within({x})")
            }
            _ => {
                let b = self.integer(scope, depth - 1);
                let x = self.double(scope, depth - 1);
                format!("collect(4, (uint64_t)({a}), (uint64_t)({b}), within({x}), (uint64_t)7)")
            }
        }
    }

    fn double(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 => format!("{}.{}", self.random.below(1000), self.random.below(1000)),
                1 => format!("{}e{}", self.random.below(100), self.random.below(40) as i32 - 20),
                _ => scope.doubles[self.random.below(scope.doubles.len())].clone(),
            };
        }
        match self.random.below(6) {
            0 | 1 => {
                let op = self.random.pick(&["+", "-", "*", "/"]);
                let (a, b) = (self.double(scope, depth - 1), self.double(scope, depth - 1));
                format!("(({a}) {op} ({b}))")
            }
            2 => {
                let a = self.double(scope, depth - 1);
                format!("(double)(float)({a})")
            }
            3 => {
                let ty = self.random.pick(TYPES);
                let a = self.integer(scope, depth - 1);
                format!("(double)({ty})({a})")
            }
            4 => {
                let (a, b) = (self.double(scope, depth - 1), self.double(scope, depth - 1));
                let c = self.integer(scope, depth - 1);
                format!("(({c}) ? ({a}) : ({b}))")
            }
            _ => {
                let ty = self.random.pick(TYPES);
                let a = self.integer(scope, depth - 1);
                format!("-(float)({ty})({a})")
            }
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        writeln!(self.text, "{:indent$}{text}", "", indent = 2 * indent).unwrap();
    }

    fn statement(&mut self, scope: &Scope, indent: usize, depth: u32) {
        let target = scope.integers[self.random.below(scope.integers.len())].clone();
        let a = self.integer(scope, 2);
        match self.random.below(12) {
            0 | 1 => {
                let value = self.integer(scope, 3);
                self.line(indent, &format!("{target} = {value};"));
            }
            2 => {
                let x = scope.doubles[self.random.below(scope.doubles.len())].clone();
                let value = self.double(scope, 3);
                self.line(indent, &format!("{x} = {value};"));
            }
            3 if depth > 0 => {
                self.line(indent, &format!("if ({a}) {{"));
                self.block(scope, indent + 1, depth - 1);
                self.line(indent, "} else {");
                self.block(scope, indent + 1, depth - 1);
                self.line(indent, "}");
            }
            4 if depth > 0 => {
                let times = 1 + self.random.below(5);
                let i = format!("i{depth}_{indent}");
                self.line(indent, &format!("for (int {i} = 0; {i} < {times}; {i}++) {{"));
                self.block(scope, indent + 1, depth - 1);
                if self.random.below(2) == 0 {
                    let condition = self.integer(scope, 1);
                    let jump = self.random.pick(&["break", "continue"]);
                    self.line(indent + 1, &format!("if ({condition}) {jump};"));
                }
                self.line(indent + 1, &format!("note({i});"));
                self.line(indent, "}");
            }
            5 if depth > 0 => {
                let ty = self.random.pick(&["uint8_t", "int32_t", "uint64_t"]);
                self.line(indent, &format!("switch (({ty})({a}) & 7) {{"));
                for case in 0..self.random.below(6) {
                    self.line(indent, &format!("case {case}:"));
                    self.statement(scope, indent + 1, depth - 1);
                    if self.random.below(3) > 0 {
                        self.line(indent + 1, "break;");
                    }
                }
                self.line(indent, "default:");
                self.statement(scope, indent + 1, 0);
                self.line(indent, "}");
            }
            6 => {
                let field =
                    self.random.pick(&["a", "b", "c[1]", "d", "e", "f", "h", "i[2]", "g", "c[0]"]);
                self.line(indent, &format!("r.{field} = {a};"));
                self.line(indent, &format!("note((wide)(r.{field} != 0));"));
            }
            7 => {
                let field = self.random.pick(&["a", "b", "c[2]", "d", "e", "f", "h", "i[3]"]);
                self.line(indent, &format!("{target} = p->{field};"));
            }
            8 => {
                let index = self.integer(scope, 1);
                self.line(indent, &format!("array[({index}) & 7] = {a};"));
                self.line(indent, &format!("{target} = array[({a}) & 7];"));
            }
            9 => self.line(indent, "r = change(r, array);"),
            10 if depth > 0 => self.printing(scope, indent, &target),
            10 => {
                let op = self.random.pick(&["+=", "-=", "^=", "|=", "&="]);
                self.line(indent, &format!("u {op} {a};"));
            }
            _ => self.line(indent, &format!("note({a});")),
        }
    }

    /// A text of numbers, and what becomes of it.
    fn printing(&mut self, scope: &Scope, indent: usize, target: &str) {
        let flag = self.random.pick(&["", "-", "0", "+", " ", "#", "-+", "#0"]);
        let width = self.random.pick(&["", "3", "12", "25"]);
        let precision = self.random.pick(&["", ".0", ".3", ".11"]);
        let (letters, value) = match self.random.below(3) {
            0 => {
                let a = self.integer(scope, 1);
                let letter = self.random.pick(&["d", "i"]);
                (format!("l{letter}"), format!("(int64_t)({a})"))
            }
            1 => {
                let a = self.integer(scope, 1);
                let letter = self.random.pick(&["u", "x", "X", "o"]);
                (format!("h{letter}"), format!("(uint16_t)({a})"))
            }
            _ => {
                let x = self.double(scope, 1);
                let letter = self.random.pick(&["f", "e", "g", "G", "a"]);
                (letter.to_owned(), format!("within({x})"))
            }
        };
        let flag = match letters.ends_with(['d', 'i', 'u']) {
            true => flag.trim_start_matches('#'),
            false => flag,
        };
        let format = format!("%{flag}{width}{precision}{letters}");
        self.line(indent, &format!("{target} = text(\"{format}|%s\", {value}, \"end\");"));
    }

    fn block(&mut self, scope: &Scope, indent: usize, depth: u32) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(scope, indent, depth);
        }
    }

    fn function(&mut self, index: usize) {
        if index == 0 {
            self.text += "
static double within(double x) { return x > -1e15 && x < 1e15 ? x : 1; }
static struct record change(struct record r, uint32_t *array) {
  r.a++;
  r.b *= 3;
  r.c[1] ^= r.a;
  r.e += array[r.d & 7];
  r.i[1]--;
  return r;
}
typedef uint64_t function(uint64_t, uint64_t);
static function *functions[64];
static int budget;
static uint64_t call(int f, uint64_t a, uint64_t b) { return budget-- > 0 ? functions[f](a, b) : a ^ b; }
";
        }
        let mut scope = Scope {
            integers: ["x", "y", "u"].map(str::to_owned).to_vec(),
            doubles: vec!["d".to_owned(), "e".to_owned()],
            functions: index,
        };
        self.text.push('\n');
        self.line(0, &format!("static uint64_t f{index}(uint64_t x, uint64_t y) {{"));
        self.line(1, "struct record r = {1, x, {2, 3}, 4, 5, -6, 1.5, {7}}, *p = &r;");
        self.line(1, "uint32_t array[8] = {x, y, 1, 2, 3};");
        self.line(1, "uint64_t u = x ^ y;");
        self.line(1, "double d = (double)(int64_t)x, e = (int32_t)y * 0.5;");
        for local in 0..4 {
            let ty = self.random.pick(TYPES);
            let value = self.integer(&scope, 2);
            let name = format!("v{local}");
            self.line(1, &format!("{ty} {name} = {value};"));
            scope.integers.push(name);
        }
        for _ in 0..6 {
            self.statement(&scope, 1, 2);
        }
        for name in scope.integers.clone() {
            self.line(1, &format!("note({name});"));
        }
        self.line(1, "note_double(d), note_float(e);");
        self.line(
            1,
            "note(r.a), note(r.b), note(r.c[1]), note(r.d), note(r.e), note(r.f), note(r.h);",
        );
        self.line(1, "for (int i = 0; i < 8; i++)");
        self.line(2, "note(array[i]);");
        let result = self.integer(&scope, 1);
        self.line(1, &format!("return {result};"));
        self.line(0, "}");
    }

    fn main(&mut self, functions: usize) {
        self.text += "\nint main(void) {\n";
        for index in 0..functions {
            self.line(1, &format!("functions[{index}] = f{index};"));
        }
        self.line(1, &format!("for (int f = 0; f < {functions}; f++) {{"));
        self.text += "    for (int i = 0; i < 6; i++) {
      budget = 20;
      uint64_t result = functions[f](pool[(i * 5 + f) & 15], pool[(i * 3) & 15] + i);
      note(result);
      printf(\"f%d %d %016lx %016lx\\n\", f, i, result, hash);
    }
  }
  return hash & 0x7f;
}
";
    }
}
