//! Built-in functions.
//!
//! A function that is not here is looked for in its module. Those that modules only declare, since
//! the real machine has them built in, end in an error that names them.

mod arithmetic;
mod atomics;
mod binaries;
mod code;
mod convert;
#[cfg(test)]
mod coverage;
mod crypto;
mod digests;
mod elixir;
mod ets;
mod io;
mod lists;
mod loading;
mod maps;
mod node;
mod packets;
mod processes;
mod re;
mod system;
mod terms;

pub(crate) use io::print;
pub(crate) use loading::perform as perform_code_operation;
pub(crate) use processes::perform_creation;

use crate::vm::natives::Library;

/// All built-in functions, by module.
pub(crate) const LIBRARY: Library = &[
    ("erlang", arithmetic::ERLANG),
    ("erlang", binaries::ERLANG),
    ("erlang", code::ERLANG),
    ("erlang", convert::ERLANG),
    ("erlang", digests::ERLANG),
    ("erlang", loading::ERLANG),
    ("erlang", maps::ERLANG),
    ("erlang", packets::ERLANG),
    ("erlang", processes::ERLANG),
    ("erlang", system::ERLANG),
    ("erlang", terms::ERLANG),
    ("application", system::APPLICATION),
    ("atomics", atomics::ATOMICS),
    ("binary", binaries::BINARY),
    ("code", code::CODE),
    ("code", loading::CODE),
    ("code", node::CODE),
    ("compile", loading::COMPILE),
    ("crypto", crypto::CRYPTO),
    ("Elixir.Logger.App", elixir::LOGGER_APP),
    ("erl_prim_loader", code::ERL_PRIM_LOADER),
    ("erl_features", system::ERL_FEATURES),
    ("erts_internal", atomics::ERTS_INTERNAL),
    ("erts_internal", convert::ERTS_INTERNAL),
    ("erts_internal", maps::ERTS_INTERNAL),
    ("erts_internal", processes::ERTS_INTERNAL),
    ("erts_internal", system::ERTS_INTERNAL),
    ("error_logger", system::ERROR_LOGGER),
    ("ets", ets::ETS),
    ("file", node::FILE),
    ("init", node::INIT),
    ("io", io::IO),
    ("lists", lists::LISTS),
    ("logger", system::LOGGER),
    ("maps", maps::MAPS),
    ("math", system::MATH),
    ("net_kernel", system::NET_KERNEL),
    ("os", system::OS),
    ("persistent_term", system::PERSISTENT_TERM),
    ("re", re::RE),
    ("string", convert::STRING),
    ("unicode", convert::UNICODE),
];
