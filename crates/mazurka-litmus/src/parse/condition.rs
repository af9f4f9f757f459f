//! The condition on the final state.

use super::{Parser, Result};
use crate::test::{Condition, Place, Quantifier};
use crate::token::Token;

impl Parser {
    /// Reads `locations [x; 1:r0]`, and `exists`, `~exists` or `forall` with a condition.
    pub(super) fn final_condition(&mut self) -> Result<()> {
        if self.keyword("locations") {
            self.symbol("[")?;
            while !self.take("]") {
                let place = self.place()?;
                self.show(place);
                self.take(";");
            }
        }
        let is_negated = self.take("~");
        self.test.quantifier = match self.peek() {
            Token::Name(name) if name == "exists" && is_negated => Quantifier::NotExists,
            Token::Name(name) if name == "exists" => Quantifier::Exists,
            Token::Name(name) if name == "forall" && !is_negated => Quantifier::Forall,
            _ => return Err(self.expected("`exists`, `~exists` or `forall`")),
        };
        self.advance();
        self.test.condition = self.disjunction()?;
        match self.peek() {
            Token::End => Ok(()),
            _ => Err(self.expected("the end of the file")),
        }
    }

    fn keyword(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek(), Token::Name(name) if name == word);
        if is_there {
            self.advance();
        }
        is_there
    }

    fn disjunction(&mut self) -> Result<Condition> {
        let mut left = self.conjunction()?;
        while self.take("\\/") {
            left = Condition::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Condition> {
        let mut left = self.atom()?;
        while self.take("/\\") {
            left = Condition::And(Box::new(left), Box::new(self.atom()?));
        }
        Ok(left)
    }

    fn atom(&mut self) -> Result<Condition> {
        if self.take("~") || self.keyword("not") {
            return Ok(Condition::Not(Box::new(self.atom()?)));
        }
        if self.take("(") {
            let inner = self.disjunction()?;
            self.symbol(")")?;
            return Ok(inner);
        }
        if self.keyword("true") {
            return Ok(Condition::True);
        }
        let place = self.place()?;
        let is_negated = self.take("!=");
        if !is_negated && !self.take("==") {
            self.symbol("=")?;
        }
        let value = self.number()?;
        self.show(place.clone());
        let is = Condition::Is(place, value);
        Ok(if is_negated { Condition::Not(Box::new(is)) } else { is })
    }

    fn show(&mut self, place: Place) {
        if !self.test.shown.contains(&place) {
            self.test.shown.push(place);
        }
    }

    /// Reads a register or a location.
    fn place(&mut self) -> Result<Place> {
        if let Token::Number(thread) = self.peek() {
            let count = self.test.threads.len();
            if !(0..count as i64).contains(&thread) {
                return Err(self.error(format!("there is no thread {thread}: there are {count}")));
            }
            self.advance();
            self.symbol(":")?;
            let name = self.name("a register")?;
            let thread = thread as usize;
            let known = self.test.threads[thread].registers.iter().position(|r| *r == name);
            let Some(register) = known else {
                return Err(self.error(format!("`P{thread}` has no register `{name}`")));
            };
            return Ok(Place::Register { thread, register });
        }
        let is_bracketed = self.take("[");
        self.take("*");
        let name = self.name("a location, or a register such as `1:r0`")?;
        if is_bracketed {
            self.symbol("]")?;
        }
        match self.test.locations.iter().position(|known| *known == name) {
            Some(location) => Ok(Place::Location(location)),
            None => Err(self.error(format!(
                "there is no location `{name}`; a register needs its thread, as in `0:{name}`"
            ))),
        }
    }
}
