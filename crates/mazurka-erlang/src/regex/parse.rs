//! From the text of a pattern to a tree.

use super::class::{Class, Item, Kind};
use super::{Flags, Problem};

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Char {
        c: u32,
        caseless: bool,
    },
    /// Any character, or any but the end of a line.
    Any {
        newline: bool,
    },
    Class(Class),
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Group(Box<Node>, usize),
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
    /// Once it has matched, it stays as it is.
    Atomic(Box<Node>),
    Look {
        node: Box<Node>,
        behind: bool,
        negated: bool,
    },
    BackReference {
        group: usize,
        caseless: bool,
    },
    Assertion(Assertion),
    /// The match starts here.
    Keep,
}

/// What must hold at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assertion {
    /// The beginning of the subject, or of a line.
    Start {
        lines: bool,
    },
    /// The end; before the newline that is last, too, unless `only`; or of a line.
    End {
        lines: bool,
        only: bool,
    },
    WordBoundary(bool),
    /// Where the search began.
    Here,
}

/// What was read.
pub(super) struct Parsed {
    pub(super) tree: Node,
    pub(super) groups: usize,
    pub(super) names: Vec<(String, usize)>,
}

pub(super) fn parse(pattern: &[u32], flags: Flags) -> Result<Parsed, Problem> {
    let mut parser =
        Parser { pattern, at: 0, flags, groups: 0, names: Vec::new(), last_reference: None };
    let tree = parser.alternatives()?;
    if parser.at < pattern.len() {
        return Err(Problem::Wrong("unmatched parentheses", parser.at));
    }
    match parser.last_reference {
        Some((group, at)) if group > parser.groups => {
            Err(Problem::Wrong("reference to non-existent subpattern", at))
        }
        _ => Ok(Parsed { tree, groups: parser.groups, names: parser.names }),
    }
}

struct Parser<'a> {
    pattern: &'a [u32],
    at: usize,
    flags: Flags,
    groups: usize,
    names: Vec<(String, usize)>,
    /// The highest group that is referred to, and where.
    last_reference: Option<(usize, usize)>,
}

type Result<T, E = Problem> = std::result::Result<T, E>;

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.pattern.get(self.at).and_then(|c| char::from_u32(*c))
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn takes(&mut self, text: &str) -> bool {
        let text: Vec<u32> = text.chars().map(u32::from).collect();
        let is_next = self.pattern[self.at..].starts_with(&text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    fn wrong<T>(&self, what: &'static str) -> Result<T> {
        Err(Problem::Wrong(what, self.at))
    }

    fn alternatives(&mut self) -> Result<Node> {
        // Flags that are set inside a group hold up to its end.
        let flags = self.flags;
        let mut all = vec![self.sequence()?];
        while self.takes("|") {
            all.push(self.sequence()?);
        }
        self.flags = flags;
        Ok(if all.len() == 1 { all.remove(0) } else { Node::Alternatives(all) })
    }

    fn sequence(&mut self) -> Result<Node> {
        let mut nodes = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None | Some('|' | ')') => break,
                Some('*' | '+' | '?') => return self.wrong("nothing to repeat"),
                _ => {}
            }
            let Some(node) = self.atom()? else { continue };
            let node = self.quantified(node)?;
            nodes.push(node);
        }
        Ok(if nodes.len() == 1 { nodes.remove(0) } else { Node::Sequence(nodes) })
    }

    fn skip_blanks(&mut self) {
        while self.flags.extended {
            match self.peek() {
                Some(c) if c.is_ascii_whitespace() => self.at += 1,
                Some('#') => while self.next().is_some_and(|c| c != '\n') {},
                _ => return,
            }
        }
    }

    fn quantified(&mut self, mut node: Node) -> Result<Node> {
        loop {
            self.skip_blanks();
            let (min, max) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => match self.counts()? {
                    Some(counts) => counts,
                    None => return Ok(node),
                },
                _ => return Ok(node),
            };
            // The one character that says so, or the bracket behind the numbers.
            self.at += 1;
            let lazy = self.takes("?");
            let possessive = !lazy && self.takes("+");
            let greedy = lazy == self.flags.ungreedy;
            node = Node::Repeat { node: Box::new(node), min, max, greedy: greedy || possessive };
            if possessive {
                node = Node::Atomic(Box::new(node));
            }
        }
    }

    /// Reads `{2,3}` up to the bracket that closes it; anything else in brackets is text.
    fn counts(&mut self) -> Result<Option<(u32, Option<u32>)>> {
        let start = self.at;
        self.at += 1;
        let min = self.decimal();
        let max =
            if self.takes(",") { self.decimal().map(Some).or(Some(None)) } else { min.map(Some) };
        let (Some(min), Some(max), Some('}')) = (min, max, self.peek()) else {
            self.at = start;
            return Ok(None);
        };
        if min > 1000 || max.is_some_and(|max| max > 1000) {
            return Err(Problem::Unsupported("more than 1000 repetitions"));
        }
        if max.is_some_and(|max| max < min) {
            self.at += 1;
            return self.wrong("numbers out of order in {} quantifier");
        }
        Ok(Some((min, max)))
    }

    fn decimal(&mut self) -> Option<u32> {
        let mut value = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            value = Some(value.unwrap_or(0u32).saturating_mul(10).saturating_add(digit));
            self.at += 1;
        }
        value
    }

    fn char(&self, c: u32) -> Node {
        Node::Char { c, caseless: self.flags.caseless }
    }

    fn atom(&mut self) -> Result<Option<Node>> {
        let c = self.pattern[self.at];
        self.at += 1;
        Ok(Some(match char::from_u32(c) {
            Some('.') => Node::Any { newline: self.flags.dot_all },
            Some('^') => Node::Assertion(Assertion::Start { lines: self.flags.multiline }),
            Some('$') => Node::Assertion(Assertion::End {
                lines: self.flags.multiline,
                only: self.flags.dollar_end_only,
            }),
            Some('[') => self.class()?,
            Some('(') => return self.group(),
            Some('\\') => return self.escape(),
            _ => self.char(c),
        }))
    }

    fn group(&mut self) -> Result<Option<Node>> {
        let captures = |parser: &mut Self, name: Option<String>| {
            parser.groups += 1;
            let number = parser.groups;
            parser.names.extend(name.map(|name| (name, number)));
            Some(number)
        };
        let mut number = None;
        let mut wrap: fn(Node) -> Node = |node| node;
        let flags = self.flags;
        if self.takes("?#") {
            while self.next().is_some_and(|c| c != ')') {}
            return Ok(None);
        }
        if self.takes("*") {
            return Err(Problem::Unsupported("verbs like (*SKIP)"));
        } else if !self.takes("?") {
            if !self.flags.no_auto_capture {
                number = captures(self, None);
            }
        } else if self.takes("=") {
            wrap = |node| Node::Look { node: Box::new(node), behind: false, negated: false };
        } else if self.takes("!") {
            wrap = |node| Node::Look { node: Box::new(node), behind: false, negated: true };
        } else if self.takes("<=") {
            wrap = |node| Node::Look { node: Box::new(node), behind: true, negated: false };
        } else if self.takes("<!") {
            wrap = |node| Node::Look { node: Box::new(node), behind: true, negated: true };
        } else if self.takes(">") {
            wrap = |node| Node::Atomic(Box::new(node));
        } else if self.takes("P=") {
            let name = self.name(')')?;
            return self.reference_to(&name).map(Some);
        } else if self.takes("P<") || self.takes("<") {
            let name = self.name('>')?;
            number = captures(self, Some(name));
        } else if self.takes("'") {
            let name = self.name('\'')?;
            number = captures(self, Some(name));
        } else if matches!(self.peek(), Some('R' | '0'..='9' | '&' | '+' | 'P' | '(' | '|' | 'C')) {
            return Err(Problem::Unsupported("recursion, conditions and branch reset"));
        } else if !self.takes(":") {
            self.inline_flags()?;
            if self.takes(")") {
                // They hold up to the end of the group around.
                return Ok(None);
            }
            if !self.takes(":") {
                return self.wrong("unrecognized character after (? or (?-");
            }
        }
        let node = self.alternatives()?;
        self.flags = flags;
        if !self.takes(")") {
            return self.wrong("missing )");
        }
        Ok(Some(match number {
            Some(number) => Node::Group(Box::new(node), number),
            None => wrap(node),
        }))
    }

    fn inline_flags(&mut self) -> Result<()> {
        let mut value = true;
        loop {
            match self.peek() {
                Some('-') => value = false,
                Some('i') => self.flags.caseless = value,
                Some('m') => self.flags.multiline = value,
                Some('s') => self.flags.dot_all = value,
                Some('x') => self.flags.extended = value,
                Some('U') => self.flags.ungreedy = value,
                Some('J') => {}
                _ => return Ok(()),
            }
            self.at += 1;
        }
    }

    fn name(&mut self, end: char) -> Result<String> {
        let mut name = String::new();
        loop {
            match self.next() {
                Some(c) if c == end && !name.is_empty() => return Ok(name),
                Some(c) if c == '_' || c.is_ascii_alphanumeric() => name.push(c),
                _ => return self.wrong("syntax error in subpattern name (missing terminator)"),
            }
        }
    }

    fn reference_to(&mut self, name: &str) -> Result<Node> {
        match self.names.iter().find(|(known, _)| known == name) {
            Some((_, group)) => {
                Ok(Node::BackReference { group: *group, caseless: self.flags.caseless })
            }
            None => self.wrong("reference to non-existent subpattern"),
        }
    }

    fn back_reference(&mut self, group: usize) -> Node {
        if self.last_reference.is_none_or(|(highest, _)| highest < group) {
            self.last_reference = Some((group, self.at));
        }
        Node::BackReference { group, caseless: self.flags.caseless }
    }

    fn kind(&self, c: char) -> Option<Item> {
        let kind = match c.to_ascii_lowercase() {
            'd' => Kind::Digit,
            'w' => Kind::Word,
            's' => Kind::Space,
            'h' => Kind::Horizontal,
            'v' => Kind::Vertical,
            _ => return None,
        };
        Some(Item::Kind(kind, c.is_ascii_lowercase()))
    }

    fn escape(&mut self) -> Result<Option<Node>> {
        let Some(c) = self.peek() else { return self.wrong("\\ at end of pattern") };
        if let Some(item) = self.kind(c) {
            self.at += 1;
            let class = Class { items: vec![item], ..Class::default() };
            return Ok(Some(Node::Class(class)));
        }
        self.at += 1;
        Ok(Some(match c {
            'A' => Node::Assertion(Assertion::Start { lines: false }),
            'z' => Node::Assertion(Assertion::End { lines: false, only: true }),
            'Z' => Node::Assertion(Assertion::End { lines: false, only: false }),
            'b' => Node::Assertion(Assertion::WordBoundary(true)),
            'B' => Node::Assertion(Assertion::WordBoundary(false)),
            'G' => Node::Assertion(Assertion::Here),
            'K' => Node::Keep,
            'N' => Node::Any { newline: false },
            'R' => {
                let line_end =
                    Class { items: vec![Item::Kind(Kind::Vertical, true)], ..Class::default() };
                let both = [13, 10].map(|c| Node::Char { c, caseless: false });
                let both = Node::Sequence(both.to_vec());
                Node::Atomic(Box::new(Node::Alternatives(vec![both, Node::Class(line_end)])))
            }
            'Q' => {
                let mut nodes = Vec::new();
                while self.at < self.pattern.len() && !self.takes("\\E") {
                    nodes.push(self.char(self.pattern[self.at]));
                    self.at += 1;
                }
                Node::Sequence(nodes)
            }
            'E' => return Ok(None),
            'p' | 'P' | 'X' | 'C' => return Err(Problem::Unsupported("properties of characters")),
            'g' => {
                let braces = self.takes("{");
                let back = self.takes("-");
                let Some(number) = self.decimal().map(|n| n as usize) else {
                    return Err(Problem::Unsupported("\\g with a name or a call"));
                };
                if braces && !self.takes("}") {
                    return self.wrong("a numbered reference must not be zero");
                }
                let number = if back { (self.groups + 1).saturating_sub(number) } else { number };
                self.back_reference(number)
            }
            'k' => {
                let end = match self.next() {
                    Some('<') => '>',
                    Some('{') => '}',
                    Some('\'') => '\'',
                    _ => {
                        return self.wrong(
                            "\\k is not followed by a braced, angle-bracketed, or quoted name",
                        );
                    }
                };
                let name = self.name(end)?;
                self.reference_to(&name)?
            }
            '1'..='9' => {
                let start = self.at - 1;
                self.at = start;
                let number = self.decimal().unwrap_or(0) as usize;
                if number < 10 || number <= self.groups {
                    self.back_reference(number)
                } else {
                    self.at = start;
                    let c = self.coded('0')?;
                    self.char(c)
                }
            }
            _ => {
                self.at -= 1;
                let c = self.coded(c)?;
                self.char(c)
            }
        }))
    }

    /// A character that is written with a backslash, which has been read.
    fn coded(&mut self, c: char) -> Result<u32> {
        // Behind a zero there are two digits at most.
        let has_zero = self.peek() == Some('0');
        if c != '0' || has_zero {
            self.at += 1;
        }
        Ok(match c {
            'n' => 10,
            'r' => 13,
            't' => 9,
            'f' => 12,
            'e' => 27,
            'a' => 7,
            'x' => {
                let braces = self.takes("{");
                let (mut value, mut count) = (0, 0);
                while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) {
                    if count == if braces { 8 } else { 2 } {
                        break;
                    }
                    (value, count) = (value * 16 + digit, count + 1);
                    self.at += 1;
                }
                if braces && !self.takes("}") {
                    return self.wrong("missing terminating } in \\x{}");
                }
                value
            }
            'c' => match self.next() {
                Some(c) => u32::from(c.to_ascii_uppercase()) ^ 64,
                None => return self.wrong("\\c at end of pattern"),
            },
            '0' => {
                let (mut value, mut count) = (0, 0);
                while let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) {
                    if count == if has_zero { 2 } else { 3 } {
                        break;
                    }
                    (value, count) = (value * 8 + digit, count + 1);
                    self.at += 1;
                }
                value
            }
            c if c.is_ascii_alphabetic() => {
                return Err(Problem::Unsupported("an escape that is not known"));
            }
            c => c.into(),
        })
    }

    fn class(&mut self) -> Result<Node> {
        let negated = self.takes("^");
        let mut items = Vec::new();
        let mut is_first = true;
        loop {
            let Some(c) = self.pattern.get(self.at).copied() else {
                return self.wrong("missing terminating ] for character class");
            };
            if self.peek() == Some(']') && !is_first {
                self.at += 1;
                break;
            }
            is_first = false;
            if self.takes("[:") {
                let is = !self.takes("^");
                let mut name = String::new();
                while let Some(c) = self.peek().filter(|c| c.is_ascii_alphabetic()) {
                    name.push(c);
                    self.at += 1;
                }
                match Kind::named(&name) {
                    Some(kind) if self.takes(":]") => items.push(Item::Kind(kind, is)),
                    _ => return self.wrong("unknown POSIX class name"),
                }
                continue;
            }
            let first = match self.class_char(c, &mut items)? {
                Some(c) => c,
                None => continue,
            };
            let ends = |parser: &Self| parser.pattern.get(parser.at + 1) == Some(&u32::from(']'));
            if self.peek() == Some('-') && !ends(self) && self.at + 1 < self.pattern.len() {
                self.at += 1;
                let c = self.pattern[self.at];
                match self.class_char(c, &mut items)? {
                    Some(last) if last < first => {
                        return self.wrong("range out of order in character class");
                    }
                    Some(last) => items.push(Item::Range(first, last)),
                    None => items.extend([Item::Range(first, first), Item::Range(45, 45)]),
                }
            } else {
                items.push(Item::Range(first, first));
            }
        }
        Ok(Node::Class(Class { items, negated, caseless: self.flags.caseless }))
    }

    /// Reads one character of a class; kinds are added to it.
    fn class_char(&mut self, c: u32, items: &mut Vec<Item>) -> Result<Option<u32>> {
        self.at += 1;
        if char::from_u32(c) != Some('\\') {
            return Ok(Some(c));
        }
        let Some(c) = self.peek() else { return self.wrong("\\ at end of pattern") };
        if let Some(item) = self.kind(c) {
            self.at += 1;
            items.push(item);
            return Ok(None);
        }
        match c {
            'b' => {
                self.at += 1;
                Ok(Some(8))
            }
            'p' | 'P' => Err(Problem::Unsupported("properties of characters")),
            '1'..='7' => self.coded('0').map(Some),
            c => self.coded(c).map(Some),
        }
    }
}
