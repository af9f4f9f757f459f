//! Sets of characters. Which are letters and so on is what the tables of Erlang say, those of
//! ISO Latin-1.

/// Part of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    Range(u32, u32),
    /// A kind of characters, or all others.
    Kind(Kind, bool),
}

/// Kinds of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Alnum,
    Alpha,
    Ascii,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Horizontal,
    Lower,
    Print,
    Punct,
    Space,
    Upper,
    Vertical,
    Word,
    Xdigit,
}

/// A set of characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Class {
    pub(super) items: Vec<Item>,
    pub(super) negated: bool,
    pub(super) caseless: bool,
}

impl Class {
    pub(super) fn contains(&self, c: u32) -> bool {
        let has = |c: u32| {
            self.items.iter().any(|item| match item {
                Item::Range(first, last) => (*first..=*last).contains(&c),
                Item::Kind(kind, is) => kind.contains(c) == *is,
            })
        };
        (has(c) || self.caseless && has(other_case(c))) != self.negated
    }
}

/// Returns a letter in the other case, and any other character as it is.
pub(super) fn other_case(c: u32) -> u32 {
    let Some(c) = char::from_u32(c) else { return c };
    let only = |mut cases: Box<dyn Iterator<Item = char>>| match (cases.next(), cases.next()) {
        (Some(other), None) => other,
        _ => c,
    };
    let lower = only(Box::new(c.to_lowercase()));
    let other = if lower == c { only(Box::new(c.to_uppercase())) } else { lower };
    // Latin-1 has no such capital letters.
    if c as u32 <= 255 && other as u32 > 255 { c as u32 } else { other as u32 }
}

impl Kind {
    /// The kind that a pattern calls by this name.
    pub(super) fn named(name: &str) -> Option<Kind> {
        Some(match name {
            "alnum" => Kind::Alnum,
            "alpha" => Kind::Alpha,
            "ascii" => Kind::Ascii,
            "blank" => Kind::Blank,
            "cntrl" => Kind::Cntrl,
            "digit" => Kind::Digit,
            "graph" => Kind::Graph,
            "lower" => Kind::Lower,
            "print" => Kind::Print,
            "punct" => Kind::Punct,
            "space" => Kind::Space,
            "upper" => Kind::Upper,
            "word" => Kind::Word,
            "xdigit" => Kind::Xdigit,
            _ => return None,
        })
    }

    pub(super) fn contains(self, c: u32) -> bool {
        let Ok(byte) = u8::try_from(c) else {
            let wide_spaces =
                matches!(c, 0x1680 | 0x180e | 0x2000..=0x200a | 0x202f | 0x205f | 0x3000);
            return match self {
                Kind::Horizontal => wide_spaces,
                Kind::Vertical => c == 0x2028 || c == 0x2029,
                _ => false,
            };
        };
        let latin_upper = matches!(byte, 0xc0..=0xd6 | 0xd8..=0xde);
        let latin_lower = matches!(byte, 0xaa | 0xb5 | 0xba | 0xdf..=0xf6 | 0xf8..=0xff);
        let alpha = byte.is_ascii_alphabetic() || latin_upper || latin_lower;
        match self {
            Kind::Alpha => alpha,
            Kind::Alnum => alpha || byte.is_ascii_digit(),
            Kind::Word => alpha || byte.is_ascii_digit() || byte == b'_',
            Kind::Ascii => byte.is_ascii(),
            Kind::Blank => byte == b' ' || byte == b'\t',
            Kind::Horizontal => matches!(byte, b' ' | b'\t' | 0xa0),
            Kind::Vertical => matches!(byte, 10..=13 | 0x85),
            Kind::Cntrl => byte.is_ascii_control() || (0x80..0xa0).contains(&byte),
            Kind::Digit => byte.is_ascii_digit(),
            Kind::Graph => byte.is_ascii_graphic() || byte > 0x9f,
            Kind::Print => byte.is_ascii_graphic() || byte == b' ' || byte > 0x9f,
            Kind::Punct => byte.is_ascii_punctuation() || byte > 0x9f && !alpha,
            Kind::Space => matches!(byte, 9..=13 | b' '),
            Kind::Lower => byte.is_ascii_lowercase() || latin_lower,
            Kind::Upper => byte.is_ascii_uppercase() || latin_upper,
            Kind::Xdigit => byte.is_ascii_hexdigit(),
        }
    }
}
