//! Processes and tables of a real node.
//!
//! A program that uses one of them must not find that it is missing, since it would behave as it never
//! does on a real node. Mazurka runs the modules of OTP for the [services](SERVICES) below, from the
//! start and only for programs that use them. It refuses programs that use another system process,
//! with the name of the process.

use super::ErlangMachine;
use crate::term::{Atom, Term};
use crate::vm::Stop;
use crate::vm::lessons::APPLICATIONS;

/// The registered processes of a node that has just been started, and `timer_server`, which the first call of
/// `timer` starts.
const PROCESSES: &str = "application_controller code_server erl_prim_loader erl_signal_server \
    erts_code_purger file_server_2 global_group global_group_check global_name_server inet_db init \
    kernel_refc kernel_safe_sup kernel_sup logger logger_handler_watcher logger_proxy \
    logger_std_h_default logger_sup rex socket_registry standard_error standard_error_sup \
    timer_server user";

/// The registered processes of Elixir's application `logger`.
const OF_ELIXIR: &str = "Elixir.Logger Elixir.Logger.BackendSupervisor Elixir.Logger.Supervisor \
    Elixir.Logger.Watcher";

/// The named tables of such a node.
const TABLES: &str = "ac_tab code code_names file_io_servers global_locks global_lost_connections \
    global_names global_names_ext global_node_resources global_pid_ids global_pid_names inet_cache \
    inet_db inet_hosts_byaddr inet_hosts_byname inet_hosts_file_byaddr inet_hosts_file_byname \
    inet_sockets logger rex_nodes_observer";

/// A part of the system that Mazurka runs for programs that use it.
pub(super) struct Service {
    /// Its registered processes and named tables.
    names: &'static str,
    /// The calls that start it. `KERNEL` is the specification of the application `kernel`.
    pub(super) calls: &'static [&'static str],
    /// The services that it needs, one bit each.
    pub(super) needs: u32,
    /// The modules of which functions are built in only as long as the service does not run.
    pub(super) replaces: &'static [&'static str],
}

/// All services, in the order in which they are started.
pub(super) const SERVICES: &[Service] = &[
    Service {
        names: "application_controller ac_tab",
        calls: &[
            "application_controller:start('KERNEL')",
            "application:start(kernel, permanent)",
            "application:start(stdlib, permanent)",
        ],
        needs: 0,
        replaces: &["application"],
    },
    Service {
        names: "logger",
        calls: &[
            "gen_server:start({local, logger}, logger_server, [], [])",
            // The handlers of a real node write to the terminal.
            "logger:remove_handler(simple)",
        ],
        needs: 0,
        replaces: &["logger", "error_logger"],
    },
    Service {
        names: "global_name_server global_locks global_lost_connections global_names \
                global_names_ext global_node_resources global_pid_ids global_pid_names",
        calls: &["gen_server:start({local, global_name_server}, global, [], [])"],
        needs: 1 << APPLICATIONS,
        replaces: &[],
    },
    Service {
        names: "timer_server",
        calls: &["gen_server:start({local, timer_server}, timer, [], [])"],
        needs: 0,
        replaces: &[],
    },
];

/// Returns the system process whose absence a term in Erlang's syntax gives as the reason of a failed call.
pub(super) fn missing_process(text: &str) -> Option<&'static str> {
    let (_, call) = text.split_once("{noproc,{gen_server,call,[")?;
    let callee = call.split([',', ']']).next()?;
    PROCESSES.split_whitespace().find(|name| *name == callee)
}

fn contains(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|other| other == name)
}

impl ErlangMachine {
    /// Returns whether a real node has a process with the name that a term stands for.
    pub(super) fn is_system_process(&self, term: Term) -> bool {
        let name = self.name_of(term).map(|name| self.vm.atoms.name(name));
        name.is_some_and(|name| contains(PROCESSES, name) || contains(OF_ELIXIR, name))
    }

    /// Returns whether a real node has a table with this name.
    pub(super) fn is_system_table(&self, term: Term) -> bool {
        let name = term.as_atom().map(|name| self.vm.atoms.name(name));
        name.is_some_and(|name| contains(TABLES, name))
    }

    /// Returns whether a name belongs to a service that runs: only the service itself registers it.
    pub(super) fn is_of_service(&self, name: Atom) -> bool {
        let name = self.vm.atoms.name(name);
        let services = SERVICES.iter().enumerate();
        let mut running = services.filter(|(i, _)| self.vm.services & 1 << i != 0);
        running.any(|(_, service)| contains(service.names, name))
    }

    /// Returns whether a process that looks for a system process copes if that does not run. System processes
    /// do, and so does the code of OTP that starts applications, but not the applications themselves.
    pub(super) fn copes_without(&self, process: u32) -> bool {
        let pc = self.vm.local(process).pc.saturating_sub(1);
        let caller = self.vm.code.function_at(pc).map(|function| function.mfa.module);
        self.vm.is_starting
            || self.vm.processes[process as usize].is_system
            || caller.is_some_and(|module| self.vm.atoms.name(module) == "application_master")
    }

    /// Stops the program because it needs a process of a real node.
    pub(super) fn refuse_system(&mut self, term: Term) -> Stop {
        self.refuse_part("process", self.name_of(term))
    }

    /// Stops the program because it needs a table of a real node.
    pub(super) fn refuse_system_table(&mut self, term: Term) -> Stop {
        self.refuse_part("table", term.as_atom())
    }

    /// Stops the program because an operation that is being performed is not supported.
    pub(super) fn refuse_operation(&mut self, call: &str) -> Stop {
        let symbol = self.vm.symbol(self.vm.current);
        let place = self.vm.show_place(self.vm.me().pc.saturating_sub(1));
        let text = format!("{symbol} calls {call}, which Mazurka does not support, in {place}");
        self.vm.refuse(text)
    }

    fn refuse_part(&mut self, what: &str, name: Option<Atom>) -> Stop {
        let name = name.map_or("", |name| self.vm.atoms.name(name));
        let shown = name.strip_prefix("Elixir.").unwrap_or(name);
        let symbol = self.vm.symbol(self.vm.current);
        let place = self.vm.show_place(self.vm.me().pc.saturating_sub(1));
        let text = format!(
            "{symbol} uses the system {what} `{shown}`, which Mazurka does not run, in {place}"
        );
        match SERVICES.iter().position(|service| contains(service.names, name)) {
            // A service that runs may have lost the name since.
            Some(service) if self.vm.services & 1 << service == 0 => {
                self.vm.ask_for_service(service as u32, text)
            }
            _ => self.vm.refuse(text),
        }
    }
}
