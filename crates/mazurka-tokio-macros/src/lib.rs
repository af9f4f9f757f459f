//! The macros of `mazurka-tokio`. They parse token trees by hand, so that users need not build a parser of
//! Rust.

mod entry;
mod join;
mod select;
mod tokens;

use proc_macro::TokenStream;

/// Checks the body of an asynchronous test, under every schedule that can make a difference.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::expand(arguments, item, true).unwrap_or_else(tokens::Error::into_tokens)
}

/// Checks the body of an asynchronous `main`, under every schedule that can make a difference.
#[proc_macro_attribute]
pub fn main(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::expand(arguments, item, false).unwrap_or_else(tokens::Error::into_tokens)
}

/// `select!` of `mazurka-tokio`. The input begins with the path of that crate, in parentheses.
#[doc(hidden)]
#[proc_macro]
pub fn select_impl(input: TokenStream) -> TokenStream {
    select::expand(input).unwrap_or_else(tokens::Error::into_tokens)
}

/// `join!` of `mazurka-tokio`, with input as above.
#[doc(hidden)]
#[proc_macro]
pub fn join_impl(input: TokenStream) -> TokenStream {
    join::expand(input, false).unwrap_or_else(tokens::Error::into_tokens)
}

/// `try_join!` of `mazurka-tokio`, with input as above.
#[doc(hidden)]
#[proc_macro]
pub fn try_join_impl(input: TokenStream) -> TokenStream {
    join::expand(input, true).unwrap_or_else(tokens::Error::into_tokens)
}
