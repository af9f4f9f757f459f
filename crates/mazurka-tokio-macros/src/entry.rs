//! The attributes `test` and `main`.

use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

use crate::tokens::{Error, fill, is_ident, is_punct, split_at_commas};

/// Expands the attribute of an asynchronous function without arguments.
pub(crate) fn expand(
    arguments: TokenStream,
    item: TokenStream,
    is_test: bool,
) -> Result<TokenStream, Error> {
    let path = crate_path(arguments)?;
    let mut tokens: Vec<_> = item.into_iter().collect();
    let function = tokens.iter().position(|token| is_ident(Some(token), "fn"));
    let function =
        function.ok_or_else(|| Error::new("expected an `async fn`", Span::call_site()))?;
    let keyword = tokens[..function].iter().position(|token| is_ident(Some(token), "async"));
    let missing =
        || Error::new("the `async` keyword is missing from the function", tokens[function].span());
    let keyword = keyword.ok_or_else(missing)?;
    let parameters = tokens.iter().skip(function).find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            Some(group.clone())
        }
        _ => None,
    });
    if let Some(parameters) = parameters.filter(|group| !group.stream().is_empty()) {
        return Err(Error::new("the function must not have parameters", parameters.span()));
    }
    let body = match tokens.pop() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group.stream(),
        _ => return Err(Error::new("the function must have a body", Span::call_site())),
    };
    tokens.remove(keyword);
    // The result of `main` or of a test: each execution has one.
    let arrow = tokens
        .iter()
        .position(|token| is_punct(Some(token), '>'))
        .filter(|&at| at > 0 && is_punct(tokens.get(at - 1), '-'));
    let result: TokenStream = match arrow {
        Some(arrow) => {
            let result = tokens[arrow + 1..].iter().cloned().collect();
            tokens.truncate(arrow - 1);
            result
        }
        None => fill("()", &[]),
    };
    let signature = tokens.into_iter().collect();
    let attribute =
        if is_test { fill("#[::core::prelude::v1::test]", &[]) } else { TokenStream::new() };
    let template = "__0 __1 {
        __2::macros::support::check(|| async { let result: __3 = async { __4 }.await; result })
    }";
    // The body is an `async` block of its own, so that `return` and `?` work as in the function.
    Ok(fill(template, &[&attribute, &signature, &path, &result, &body]))
}

/// Returns the path of the crate. The other arguments are of no consequence, or refused.
fn crate_path(arguments: TokenStream) -> Result<TokenStream, Error> {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let mut path = fill("::tokio", &[]);
    for argument in split_at_commas(&arguments) {
        let tokens: Vec<_> = argument.into_iter().collect();
        let Some(first) = tokens.first() else { continue };
        let value: TokenStream = tokens.iter().skip(2).cloned().collect();
        match first.to_string().as_str() {
            // Every task may run on a thread of its own, whatever the flavour.
            "flavor" | "worker_threads" | "unhandled_panic" => {}
            "start_paused" if value.to_string() == "false" => {}
            "start_paused" => {
                return Err(Error::new(
                    "`start_paused` is not supported: under Mazurka, time may pass at any moment",
                    first.span(),
                ));
            }
            "crate" => {
                let text = value.to_string();
                let text = text.trim_matches('"');
                let parsed = text.parse();
                path =
                    parsed.map_err(|_| Error::new("expected the path of a crate", first.span()))?;
            }
            other => {
                return Err(Error::new(format!("unknown argument `{other}`"), first.span()));
            }
        }
    }
    Ok(path)
}
