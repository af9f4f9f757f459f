//! Processes and tables of a real node that Mazurka does not run.
//!
//! A program that uses one of them would find that it is not there, and behave as it never does on a
//! real node. It is refused instead, with the name of what it needs.

use super::ErlangMachine;
use crate::term::Term;
use crate::vm::Stop;

/// The registered processes of a node that has just been started.
const PROCESSES: &str = "application_controller code_server erl_prim_loader erl_signal_server \
    erts_code_purger file_server_2 global_group global_group_check global_name_server inet_db init \
    kernel_refc kernel_safe_sup kernel_sup logger logger_handler_watcher logger_proxy \
    logger_std_h_default logger_sup rex socket_registry standard_error standard_error_sup user";

/// Its named tables.
const TABLES: &str = "ac_tab code code_names file_io_servers global_locks global_lost_connections \
    global_names global_names_ext global_node_resources global_pid_ids global_pid_names inet_cache \
    inet_db inet_hosts_byaddr inet_hosts_byname inet_hosts_file_byaddr inet_hosts_file_byname \
    inet_sockets logger rex_nodes_observer";

impl ErlangMachine {
    /// Returns whether a real node has a process with the name that a term stands for.
    pub(super) fn is_system_process(&self, term: Term) -> bool {
        let name = self.name_of(term).map(|name| self.vm.atoms.name(name));
        name.is_some_and(|name| PROCESSES.split_whitespace().any(|process| process == name))
    }

    /// Returns whether a real node has a table with this name.
    pub(super) fn is_system_table(&self, term: Term) -> bool {
        let name = term.as_atom().map(|name| self.vm.atoms.name(name));
        name.is_some_and(|name| TABLES.split_whitespace().any(|table| table == name))
    }

    /// Stops the program because it needs a process of a real node.
    pub(super) fn refuse_system(&mut self, term: Term) -> Stop {
        let name = self.name_of(term).map_or("", |name| self.vm.atoms.name(name)).to_owned();
        self.refuse_part("process", &name)
    }

    /// Stops the program because it needs a table of a real node.
    pub(super) fn refuse_system_table(&mut self, term: Term) -> Stop {
        let name = term.as_atom().map_or("", |name| self.vm.atoms.name(name)).to_owned();
        self.refuse_part("table", &name)
    }

    /// Stops the program because an operation that is being performed is not supported.
    pub(super) fn refuse_operation(&mut self, call: &str) -> Stop {
        let symbol = self.vm.symbol(self.vm.current);
        let place = self.vm.show_place(self.vm.me().pc.saturating_sub(1));
        let text = format!("{symbol} calls {call}, which Mazurka does not support, in {place}");
        self.vm.refuse(text)
    }

    fn refuse_part(&mut self, what: &str, name: &str) -> Stop {
        let symbol = self.vm.symbol(self.vm.current);
        let place = self.vm.show_place(self.vm.me().pc.saturating_sub(1));
        let text = format!(
            "{symbol} uses the system {what} `{name}`, which Mazurka does not run, in {place}"
        );
        self.vm.refuse(text)
    }
}
