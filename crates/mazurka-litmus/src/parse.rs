//! Reading litmus tests.

mod code;
mod condition;

use crate::test::{Condition, Quantifier, Test, Thread};
use crate::token::{ParseError, Token, tokens};

/// What has been read of a test.
pub(super) struct Parser {
    tokens: Vec<(Token, u32)>,
    at: usize,
    test: Test,
}

type Result<T> = std::result::Result<T, ParseError>;

impl std::str::FromStr for Test {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Test> {
        let mut lines = text.lines().zip(1..);
        let is_content = |(line, _): &(&str, u32)| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with("//") && !line.starts_with("(*")
        };
        let Some((first, line)) = lines.find(is_content) else {
            return Err(ParseError { line: 1, message: "the file is empty".to_owned() });
        };
        let mut words = first.split_whitespace();
        let (language, name) = (words.next().unwrap_or_default(), words.next());
        let fail = |message: String| Err(ParseError { line, message });
        if language != "C" {
            return fail(format!(
                "a litmus test begins with `C` and its name, not with `{language}`: tests in assembly, \
                 C11 and LISA are not supported"
            ));
        }
        let Some(name) = name else { return fail("the test has no name after `C`".to_owned()) };
        let rest: Vec<&str> = text.lines().skip(line as usize).collect();
        let test = Test {
            name: name.to_owned(),
            locations: Vec::new(),
            initial: Vec::new(),
            threads: Vec::new(),
            quantifier: Quantifier::Exists,
            condition: Condition::True,
            shown: Vec::new(),
        };
        let mut parser = Parser { tokens: tokens(&rest.join("\n"), line + 1)?, at: 0, test };
        parser.read()?;
        Ok(parser.test)
    }
}

impl Parser {
    fn read(&mut self) -> Result<()> {
        self.skip_fields();
        let own = self.initial_state()?;
        while let Token::Name(name) = self.peek() {
            let Some(number) = name.strip_prefix('P').and_then(|n| n.parse::<usize>().ok()) else {
                break;
            };
            if number != self.test.threads.len() {
                let next = self.test.threads.len();
                return Err(
                    self.error(format!("the next thread must be `P{next}`, not `P{number}`"))
                );
            }
            self.advance();
            self.thread(&own)?;
        }
        if self.test.threads.is_empty() {
            return Err(self.expected("a thread such as `P0 (atomic_int* x) { … }`"));
        }
        self.final_condition()
    }

    /// Skips fields such as `Cycle=Rfe PodRR` before the initial state.
    fn skip_fields(&mut self) {
        while !matches!(self.peek(), Token::Symbol("{") | Token::End) {
            self.advance();
        }
    }

    /// Reads the initial state, and returns the values of registers.
    fn initial_state(&mut self) -> Result<Vec<(usize, String, i64)>> {
        let mut own = Vec::new();
        self.symbol("{")?;
        while !self.take("}") {
            if self.take(";") {
                continue;
            }
            if let Token::Number(thread) = self.peek() {
                self.advance();
                self.symbol(":")?;
                let register = self.name("a register")?;
                self.symbol("=")?;
                own.push((thread as usize, register, self.number()?));
                continue;
            }
            let is_bracketed = self.take("[");
            // A type may come first.
            let mut name = self.name("a location")?;
            while self.take("*") {}
            while let Token::Name(next) = self.peek() {
                name = next;
                self.advance();
            }
            if is_bracketed {
                self.symbol("]")?;
            }
            let location = self.location(&name);
            if self.take("=") {
                self.test.initial[location] = self.number()?;
            }
        }
        Ok(own)
    }

    /// Returns the number of a location, which is new if it is not known.
    fn location(&mut self, name: &str) -> usize {
        let known = self.test.locations.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.test.locations.push(name.to_owned());
            self.test.initial.push(0);
            self.test.locations.len() - 1
        })
    }

    /// Reads the parameters and the body of a thread.
    fn thread(&mut self, own: &[(usize, String, i64)]) -> Result<()> {
        let number = self.test.threads.len();
        let mut thread = Thread::default();
        for (_, register, value) in own.iter().filter(|(thread, ..)| *thread == number) {
            thread.registers.push(register.clone());
            thread.initial.push(*value);
        }
        self.test.threads.push(thread);
        self.symbol("(")?;
        let mut pointers = Vec::new();
        while !self.take(")") {
            let mut name = self.name("a parameter such as `atomic_int* x`")?;
            let mut is_pointer = false;
            loop {
                is_pointer |= self.take("*");
                match self.peek() {
                    Token::Name(next) => name = next,
                    Token::Symbol("*") => continue,
                    _ => break,
                }
                self.advance();
            }
            if !is_pointer {
                return Err(self.error(format!(
                    "the parameter `{name}` must be a pointer to a location: write `int* {name}`"
                )));
            }
            pointers.push(name.clone());
            self.location(&name);
            self.take(",");
        }
        self.body(pointers)
    }

    fn peek(&self) -> Token {
        self.tokens[self.at].0.clone()
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn take(&mut self, symbol: &str) -> bool {
        let is_there = matches!(&self.tokens[self.at].0, Token::Symbol(found) if *found == symbol);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn symbol(&mut self, symbol: &str) -> Result<()> {
        match self.take(symbol) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{symbol}`"))),
        }
    }

    fn name(&mut self, what: &str) -> Result<String> {
        match self.peek() {
            Token::Name(name) => {
                self.advance();
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn number(&mut self) -> Result<i64> {
        let is_negative = self.take("-");
        match self.peek() {
            Token::Number(number) => {
                self.advance();
                Ok(if is_negative { -number } else { number })
            }
            _ => Err(self.expected("a number")),
        }
    }

    fn error(&self, message: String) -> ParseError {
        ParseError { line: self.tokens[self.at].1, message }
    }

    fn expected(&self, what: &str) -> ParseError {
        self.error(format!("expected {what}, but found {}", self.tokens[self.at].0))
    }
}
