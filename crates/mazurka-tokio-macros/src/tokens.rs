//! Token trees.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A message about the input.
pub(crate) struct Error {
    message: String,
    span: Span,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>, span: Span) -> Self {
        Error { message: message.into(), span }
    }

    /// Returns the message as a compile error.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let message = format!("{:?}", self.message);
        let tokens: TokenStream =
            format!("::core::compile_error!({message});").parse().unwrap_or_default();
        let place = |mut token: TokenTree| {
            token.set_span(self.span);
            token
        };
        tokens.into_iter().map(place).collect()
    }
}

/// Returns whether a token is this punctuation character.
pub(crate) fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// Returns whether a token is this identifier or keyword.
pub(crate) fn is_ident(token: Option<&TokenTree>, wanted: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == wanted)
}

/// Splits off the path of the crate, which is the first token of the input, in parentheses.
pub(crate) fn split_path(input: TokenStream) -> Result<(TokenStream, Vec<TokenTree>), Error> {
    let mut input = input.into_iter();
    match input.next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            Ok((group.stream(), input.collect()))
        }
        _ => Err(Error::new("the path of the crate is missing", Span::call_site())),
    }
}

/// Splits a list at its commas. A comma between angle brackets that follow `::` does not count.
pub(crate) fn split_at_commas(tokens: &[TokenTree]) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let end = find_comma(rest).unwrap_or(rest.len());
        parts.push(rest[..end].iter().cloned().collect());
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    parts
}

/// Returns the position of the first comma that ends an expression.
pub(crate) fn find_comma(tokens: &[TokenTree]) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        let is_arrow = index > 0
            && (is_punct(tokens.get(index - 1), '-') || is_punct(tokens.get(index - 1), '='));
        let is_generic = index > 0 && is_punct(tokens.get(index - 1), ':');
        if is_punct(Some(token), '<') && (depth > 0 || is_generic) {
            depth += 1;
        } else if is_punct(Some(token), '>') && depth > 0 && !is_arrow {
            depth -= 1;
        } else if is_punct(Some(token), ',') && depth == 0 {
            return Some(index);
        }
    }
    None
}

/// Replaces the identifiers `__0`, `__1` and so on in a template by tokens.
pub(crate) fn fill(template: &str, holes: &[&TokenStream]) -> TokenStream {
    let template: TokenStream = template.parse().expect("a template that is valid Rust");
    fill_tokens(template, holes)
}

fn fill_tokens(template: TokenStream, holes: &[&TokenStream]) -> TokenStream {
    let mut filled = TokenStream::new();
    for token in template {
        match token {
            TokenTree::Ident(ident) => match hole(&ident).and_then(|index| holes.get(index)) {
                Some(tokens) => filled.extend((*tokens).clone()),
                None => filled.extend([TokenTree::Ident(ident)]),
            },
            TokenTree::Group(group) => {
                let inner = fill_tokens(group.stream(), holes);
                let mut new = Group::new(group.delimiter(), inner);
                new.set_span(group.span());
                filled.extend([TokenTree::Group(new)]);
            }
            token => filled.extend([token]),
        }
    }
    filled
}

fn hole(ident: &Ident) -> Option<usize> {
    ident.to_string().strip_prefix("__")?.parse().ok()
}
