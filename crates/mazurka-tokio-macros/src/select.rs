//! `select!`.

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::tokens::{Error, fill, find_comma, is_ident, is_punct, split_path};

/// One branch: `pattern = future, if condition => handler`.
struct Branch {
    pattern: TokenStream,
    future: TokenStream,
    condition: TokenStream,
    handler: TokenStream,
}

/// Expands `select!`.
pub(crate) fn expand(input: TokenStream) -> Result<TokenStream, Error> {
    let (path, mut tokens) = split_path(input)?;
    let is_biased = is_ident(tokens.first(), "biased") && is_punct(tokens.get(1), ';');
    if is_biased {
        tokens.drain(..2);
    }
    let (branches, otherwise) = parse(&tokens)?;
    if branches.is_empty() {
        let otherwise = otherwise
            .ok_or_else(|| Error::new("`select!` needs at least one branch", Span::call_site()))?;
        return Ok(fill("{ __0 }", &[&otherwise]));
    }
    Ok(generate(&path, is_biased, &branches, otherwise))
}

/// Parses the branches, and the handler of `else`.
fn parse(mut tokens: &[TokenTree]) -> Result<(Vec<Branch>, Option<TokenStream>), Error> {
    let (mut branches, mut otherwise) = (Vec::new(), None);
    while let Some(first) = tokens.first() {
        let arrow = find_arrow(tokens).ok_or_else(|| {
            Error::new("expected `=> handler` in a branch of `select!`", first.span())
        })?;
        let (head, rest) = (&tokens[..arrow], &tokens[arrow + 2..]);
        let length = handler_length(rest);
        let handler = rest[..length].iter().cloned().collect();
        tokens = &rest[length..];
        if is_punct(tokens.first(), ',') {
            tokens = &tokens[1..];
        }
        if head.len() == 1 && is_ident(head.first(), "else") {
            otherwise = Some(handler);
            continue;
        }
        let equals = find_equals(head).ok_or_else(|| {
            Error::new("expected `pattern = future` in a branch of `select!`", first.span())
        })?;
        let (pattern, future) = (&head[..equals], &head[equals + 1..]);
        let is_if = |index: &usize| {
            is_punct(future.get(*index), ',') && is_ident(future.get(index + 1), "if")
        };
        let (future, condition) = match (0..future.len()).rev().find(is_if) {
            Some(comma) => (&future[..comma], future[comma + 2..].iter().cloned().collect()),
            None => (future, fill("true", &[])),
        };
        let (pattern, future) =
            (pattern.iter().cloned().collect(), future.iter().cloned().collect());
        branches.push(Branch { pattern, future, condition, handler });
    }
    Ok((branches, otherwise))
}

/// Returns the position of the first `=>`.
fn find_arrow(tokens: &[TokenTree]) -> Option<usize> {
    (0..tokens.len())
        .find(|&index| is_punct(tokens.get(index), '=') && is_punct(tokens.get(index + 1), '>'))
}

/// Returns the position of the `=` after a pattern.
fn find_equals(tokens: &[TokenTree]) -> Option<usize> {
    (0..tokens.len()).find(|&index| {
        // `..=` is a part of a pattern.
        is_punct(tokens.get(index), '=') && !(index > 0 && is_punct(tokens.get(index - 1), '.'))
    })
}

/// Returns how many tokens belong to the handler that comes first.
fn handler_length(tokens: &[TokenTree]) -> usize {
    let is_block = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let goes_on = is_punct(tokens.get(1), '.') || is_punct(tokens.get(1), '?');
    match tokens.first() {
        Some(first) if is_block(first) && !goes_on => 1,
        _ => find_comma(tokens).unwrap_or(tokens.len()),
    }
}

/// Returns a pattern that matches a reference if the original one matches the value.
fn without_modes(pattern: TokenStream) -> TokenStream {
    let is_mode = |token: &TokenTree| is_ident(Some(token), "mut") || is_ident(Some(token), "ref");
    let clean = |token| match token {
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), without_modes(group.stream())))
        }
        token => token,
    };
    pattern.into_iter().filter(|token| !is_mode(token)).map(clean).collect()
}

fn generate(
    path: &TokenStream,
    is_biased: bool,
    branches: &[Branch],
    otherwise: Option<TokenStream>,
) -> TokenStream {
    let count = branches.len();
    let names: Vec<_> = (0..count).map(|index| format!("Branch{index}")).collect();
    let generics = names.join(", ");
    let variants: String = names.iter().map(|name| format!("{name}({name}),")).collect();
    let (mut conditions, mut futures) = (TokenStream::new(), TokenStream::new());
    let (mut polls, mut handlers) = (TokenStream::new(), TokenStream::new());
    for (index, branch) in branches.iter().enumerate() {
        let Branch { pattern, future, condition, handler } = branch;
        conditions.extend(fill("!(__0),", &[condition]));
        futures
            .extend(fill("__0::macros::support::IntoFuture::into_future(__1),", &[path, future]));
        let template = format!(
            "{index} => {{
                // SAFETY: the futures are not moved after this.
                let future = unsafe {{ __0::macros::support::Pin::new_unchecked(&mut __mazurka_futures.{index}) }};
                let __mazurka_output = match __0::macros::support::Future::poll(future, context) {{
                    __0::macros::support::Poll::Ready(output) => output,
                    __0::macros::support::Poll::Pending => {{
                        is_pending = true;
                        continue;
                    }}
                }};
                __mazurka_disabled[{index}] = true;
                #[allow(unused_variables, unreachable_patterns, irrefutable_let_patterns)]
                match &__mazurka_output {{
                    __1 => {{}}
                    _ => continue,
                }}
                return __0::macros::support::Poll::Ready(__mazurka_select::Output::Branch{index}(__mazurka_output));
            }}"
        );
        polls.extend(fill(&template, &[path, &without_modes(pattern.clone())]));
        let template = format!("__mazurka_select::Output::Branch{index}(__0) => __1,");
        handlers.extend(fill(&template, &[pattern, handler]));
    }
    let otherwise = otherwise.unwrap_or_else(|| {
        fill("::core::panic!(\"all branches are disabled and there is no else branch\")", &[])
    });
    let order = if is_biased { "in_order" } else { "in_any_order" };
    let template = format!(
        "{{
            mod __mazurka_select {{
                pub(super) enum Output<{generics}> {{ {variants} Disabled }}
            }}
            let __mazurka_output = {{
                let mut __mazurka_disabled = [__1];
                let mut __mazurka_futures = (__2);
                let __mazurka_futures = &mut __mazurka_futures;
                let mut __mazurka_order = __0::macros::support::Order::{order}();
                __0::macros::support::poll_fn(move |context| {{
                    let mut is_pending = false;
                    for branch in __mazurka_order.branches(&__mazurka_disabled) {{
                        if __mazurka_disabled[branch] {{
                            continue;
                        }}
                        match branch {{
                            __3
                            _ => ::core::unreachable!(),
                        }}
                    }}
                    match is_pending {{
                        true => __0::macros::support::Poll::Pending,
                        false => __0::macros::support::Poll::Ready(__mazurka_select::Output::Disabled),
                    }}
                }})
                .await
            }};
            match __mazurka_output {{
                __4
                __mazurka_select::Output::Disabled => __5,
                _ => ::core::unreachable!(),
            }}
        }}"
    );
    fill(&template, &[path, &conditions, &futures, &polls, &handlers, &otherwise])
}
