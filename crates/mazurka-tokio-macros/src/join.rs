//! `join!` and `try_join!`.

use proc_macro::TokenStream;

use crate::tokens::{Error, fill, is_ident, is_punct, split_at_commas, split_path};

/// Expands `join!`, or `try_join!` if `tries`.
pub(crate) fn expand(input: TokenStream, tries: bool) -> Result<TokenStream, Error> {
    let (path, mut tokens) = split_path(input)?;
    // All futures are polled in either case.
    if is_ident(tokens.first(), "biased") && is_punct(tokens.get(1), ';') {
        tokens.drain(..2);
    }
    let futures = split_at_commas(&tokens);
    let mut made = TokenStream::new();
    let (mut polls, mut taken) = (String::new(), String::new());
    for (index, future) in futures.iter().enumerate() {
        made.extend(fill("__0::macros::support::maybe_done(__1),", &[&path, future]));
        let fails = if tries {
            format!(
                "if let Some(error) = futures.{index}.take_error() {{ return __0::macros::support::Poll::Ready(Err(error)); }}"
            )
        } else {
            String::new()
        };
        polls.push_str(&format!(
            "// SAFETY: the futures are not moved after this.\n\
             if __0::macros::support::Future::poll(unsafe {{ __0::macros::support::Pin::new_unchecked(&mut futures.{index}) }}, context).is_pending() {{ is_pending = true; }}
             {fails}"
        ));
        let unwrap = if tries { ".unwrap_or_else(|_| unreachable!())" } else { "" };
        taken.push_str(&format!("futures.{index}.take_output(){unwrap},"));
    }
    let result = if tries { format!("Ok(({taken}))") } else { format!("({taken})") };
    let template = format!(
        "{{
            let mut futures = (__1);
            let futures = &mut futures;
            __0::macros::support::poll_fn(move |context| {{
                let mut is_pending = false;
                {polls}
                match is_pending {{
                    true => __0::macros::support::Poll::Pending,
                    false => __0::macros::support::Poll::Ready({result}),
                }}
            }})
            .await
        }}"
    );
    Ok(fill(&template, &[&path, &made]))
}
