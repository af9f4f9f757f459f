//! Which built-in functions OTP's modules call, and which of them are not there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use crate::beam::Container;
use crate::vm::code::{Mfa, Target};
use crate::vm::instruction::Instruction;
use crate::vm::resolve::otp_directories;
use crate::vm::{Finder, Vm};

/// What test programs use.
const MODULES: &str = "lists maps string gen gen_server gen_statem gen_event supervisor \
    supervisor_bridge proc_lib sys queue ets dict orddict sets ordsets gb_trees gb_sets array \
    proplists io io_lib io_lib_format io_lib_pretty timer erl_eval error_logger logger binary \
    unicode unicode_util rand math erl_scan erl_parse base64 re calendar digraph sofs pg \
    application erl_anno uri_string filename atomics counters";

/// What is not there, and why.
const MISSING: &[&str] = &[
    // Other nodes, ports and files.
    "erlang:list_to_port/1",
    "erlang:port_to_list/1",
    // References have no form that could be read.
    "erlang:list_to_ref/1",
    // Only asked by those who look at all tables, or test match specifications for tracing.
    "erlang:match_spec_test/3",
    "ets:internal_request_all/0",
    "error_logger:warning_map/0",
    // Rust has none.
    "math:erf/1",
    "math:erfc/1",
    // What `re` needs to run globally in parts: here that is done at once.
    "re:internal_run/4",
];

impl Vm {
    /// Whether a function is only there to say that it should be built in.
    fn is_stub(&mut self, entry: u32) -> bool {
        let [erlang, nif_error] = ["erlang", "nif_error"].map(|name| self.atoms.intern(name));
        let code = &self.code.instructions[entry as usize..];
        for instruction in code.iter().take(6) {
            match instruction {
                Instruction::CallExt { import }
                | Instruction::CallExtLast { import, .. }
                | Instruction::CallExtOnly { import } => {
                    let mfa = self.code.imports[*import as usize].mfa;
                    return mfa.module == erlang && mfa.name == nif_error;
                }
                Instruction::Move { .. } | Instruction::Allocate { .. } => {}
                _ => return false,
            }
        }
        false
    }

    fn is_missing(&mut self, mfa: Mfa) -> bool {
        let import = self.code.import(mfa);
        match self.resolve(import) {
            Ok(Target::Native(_) | Target::Dynamic) => false,
            Ok(Target::Code(entry)) => self.is_stub(entry),
            Ok(Target::Unknown) | Err(_) => true,
        }
    }

    /// The functions that a module calls, and those that it has itself.
    fn functions_around(&mut self, module: &str) -> Vec<Mfa> {
        let path = self.finder.find(module).unwrap_or_else(|| panic!("there is no {module}"));
        let container = Container::read(&std::fs::read(path).unwrap()).unwrap();
        let mut atom = |number: u32| self.atoms.intern(&container.atoms[number as usize - 1]);
        let imports = container.imports.iter().copied();
        let exports = container.exports.iter().map(|[name, arity, _]| [1, *name, *arity]);
        imports
            .chain(exports)
            .map(|[module, name, arity]| Mfa::new(atom(module), atom(name), arity))
            .collect()
    }
}

#[test]
fn what_common_modules_call_is_there() {
    let directories = otp_directories(Path::new("/usr/lib/erlang"));
    let mut vm =
        Vm::new(Finder { directories, ..Finder::default() }, Arc::default(), None, super::LIBRARY);
    let mut missing = BTreeSet::new();
    for module in MODULES.split_whitespace() {
        for mfa in vm.functions_around(module) {
            if vm.is_missing(mfa) {
                missing.insert(mfa.show(&vm.atoms));
            }
        }
    }
    let expected: BTreeSet<String> = MISSING.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(missing, expected);
}
