//! `process_info`.

use mazurka_core::model::{Op, Performed};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::{Map, Term, atom};
use crate::vm::{Out, Pending, badarg};

impl ErlangMachine {
    /// Performs `process_info`. The step has read the life of the process already.
    pub(super) fn process_info(
        &mut self,
        &[process, items, at]: &[Term; 3],
        performed: &mut Performed,
    ) -> Out {
        let process = process.as_pid().ok_or_else(badarg)?;
        let at = at.as_small().unwrap_or(0) as u32;
        let all = [
            atom::CURRENT_FUNCTION,
            atom::INITIAL_CALL,
            atom::STATUS,
            atom::MESSAGE_QUEUE_LEN,
            atom::LINKS,
            atom::DICTIONARY,
            atom::TRAP_EXIT,
            atom::GROUP_LEADER,
        ];
        let (items, is_list) = match items {
            Term::NONE => (all.map(Term::atom).to_vec(), true),
            items if items.is_list() => {
                (self.vm.heap.elements_of_list(items).ok_or_else(badarg)?, true)
            }
            item => (vec![item], false),
        };
        if !self.lives(process) {
            // While the process was alive, the query read more.
            let mailbox = [Thing::Count, Thing::Order];
            let others = [Thing::Relations, Thing::NameOf, Thing::Leader, Thing::Traps];
            for thing in mailbox.into_iter().chain(others) {
                self.touch(performed, Op::Read.forgone(), thing(process));
            }
            return Ok(Term::atom(atom::UNDEFINED));
        }
        let mut found = Vec::new();
        for item in items {
            let value = self.info(process, item, at, performed)?;
            if item.is_atom(atom::REGISTERED_NAME) && value.is_nil() && !is_list {
                return Ok(Term::NIL);
            }
            found.push(self.vm.heap.tuple(&[item, value]));
        }
        match is_list {
            true => Ok(self.vm.heap.list(&found)),
            false => Ok(found[0]),
        }
    }

    /// Returns one item of a process. The running process asks for it by the instruction `at`.
    fn info(&mut self, process: u32, item: Term, at: u32, performed: &mut Performed) -> Out {
        let local = *self.vm.local(process);
        let name = match self.vm.heap.tuple_of::<2>(item) {
            Some([key, value]) if key.is_atom(atom::DICTIONARY) && process == self.vm.current => {
                let found = self.vm.lookup(local.dictionary, value);
                return Ok(found.unwrap_or(Term::atom(atom::UNDEFINED)));
            }
            _ => item.as_atom().ok_or_else(badarg)?,
        };
        Ok(match name {
            atom::REGISTERED_NAME => {
                self.touch(performed, Op::Read, Thing::NameOf(process));
                local.name.map_or(Term::NIL, Term::atom)
            }
            atom::MESSAGE_QUEUE_LEN | atom::MESSAGES => {
                // It depends on all deliveries to this process and on all of its receives.
                self.vm.watch_mailboxes();
                self.touch(performed, Op::Read, Thing::Count(process));
                if name == atom::MESSAGES {
                    self.vm.watch_order(process);
                    self.touch(performed, Op::Read, Thing::Order(process));
                }
                let mailbox = &self.vm.processes[process as usize].mailbox;
                let messages: Vec<Term> = mailbox.iter().map(|message| message.content).collect();
                match name {
                    atom::MESSAGES => self.vm.heap.list(&messages),
                    _ => Term::int(messages.len() as i64),
                }
            }
            atom::LINKS => {
                self.touch(performed, Op::Read, Thing::Relations(process));
                let links = self.vm.keys(local.links);
                self.vm.heap.list(&links)
            }
            atom::MONITORS => {
                self.touch(performed, Op::Read, Thing::Relations(process));
                let map = Map::of(&self.vm.heap, local.watched).ok_or_else(badarg)?;
                let entries = map.entries(&self.vm.heap);
                let kind = Term::atom(atom::PROCESS);
                let pairs: Vec<Term> =
                    entries.iter().map(|(_, p)| self.vm.heap.tuple(&[kind, *p])).collect();
                self.vm.heap.list(&pairs)
            }
            atom::MONITORED_BY => {
                self.touch(performed, Op::Read, Thing::Relations(process));
                let map = Map::of(&self.vm.heap, local.watchers).ok_or_else(badarg)?;
                let entries = map.entries(&self.vm.heap);
                let watchers: Vec<Term> =
                    entries.iter().map(|(_, entry)| self.vm.heap.element(*entry, 0)).collect();
                self.vm.heap.list(&watchers)
            }
            atom::TRAP_EXIT => {
                self.touch(performed, Op::Read, Thing::Traps(process));
                Term::bool(local.traps_exits)
            }
            atom::GROUP_LEADER => {
                self.touch(performed, Op::Read, Thing::Leader(process));
                local.group_leader
            }
            atom::INITIAL_CALL => local.initial_call,
            // For other processes, these depend on their progress.
            _ if process != self.vm.current => return Err(self.refuse_info(name)),
            atom::DICTIONARY => {
                let map = Map::of(&self.vm.heap, local.dictionary).ok_or_else(badarg)?;
                let entries = map.entries(&self.vm.heap);
                let pairs: Vec<Term> =
                    entries.iter().map(|(k, v)| self.vm.heap.tuple(&[*k, *v])).collect();
                self.vm.heap.list(&pairs)
            }
            atom::STATUS => match local.pending {
                Pending::Receive { .. } | Pending::Sleep => Term::atom(atom::WAITING),
                _ => Term::atom(atom::RUNNING),
            },
            atom::CURRENT_FUNCTION => match self.vm.code.function_at(self.vm.caller(at)) {
                Some(function) => {
                    let mfa = function.mfa;
                    let arity = Term::int(mfa.arity.into());
                    self.vm.heap.tuple(&[Term::atom(mfa.module), Term::atom(mfa.name), arity])
                }
                None => Term::atom(atom::UNDEFINED),
            },
            atom::CURRENT_STACKTRACE => self.vm.current_trace(at),
            atom::PRIORITY => Term::atom(local.priority),
            atom::ERROR_HANDLER => Term::atom(atom::ERROR_HANDLER),
            atom::PARENT => Term::pid(local.parent),
            name => match self.vm.atoms.name(name) {
                "suspending" => self.suspending(performed),
                "min_heap_size" => Term::int(233),
                "min_bin_vheap_size" => Term::int(46_422),
                "fullsweep_after" => Term::int(65_535),
                "message_queue_data" => Term::atom(self.vm.atoms.intern("on_heap")),
                // They depend on the memory and time that the real machine uses.
                "backtrace"
                | "binary"
                | "catchlevel"
                | "current_location"
                | "garbage_collection"
                | "garbage_collection_info"
                | "heap_size"
                | "last_calls"
                | "magic_ref"
                | "max_heap_size"
                | "memory"
                | "reductions"
                | "sequential_trace_token"
                | "stack_size"
                | "total_heap_size" => {
                    let call = format!("process_info(_, {})", self.vm.atoms.name(name));
                    return Err(self.refuse_operation(&call));
                }
                _ => return Err(badarg()),
            },
        })
    }

    fn refuse_info(&mut self, item: crate::term::Atom) -> crate::vm::Stop {
        let text = format!(
            "{} asks for the {} of another process. This depends on the progress of that process, \
             and Mazurka does not support it",
            self.vm.symbol(self.vm.current),
            self.vm.atoms.name(item)
        );
        self.vm.refuse(text)
    }
}
