//! Actions as text, for tests and for debugging unwanted dependences.

use mazurka_core::model::{Action, Op};

use super::ErlangMachine;
use super::objects::Thing;
use crate::term::Atom;

impl ErlangMachine {
    pub(super) fn describe_action(&self, action: &Action) -> String {
        let thing = self.describe_thing(self.objects.thing(action.on.object));
        let op = |op: Op| match op {
            Op::Read => "read",
            Op::Write => "write",
            Op::Update => "update",
            Op::Add => "add to",
            Op::Deliver { .. } => "deliver to",
            Op::Take { .. } => "take from",
            Op::TakeNone | Op::Miss { .. } => "find nothing in",
            _ => "use",
        };
        match action.op {
            Op::Forgone(forgone) => {
                format!("({} {thing})", forgone.op().map_or("do anything with", op))
            }
            performed => format!("{} {thing}", op(performed)),
        }
    }

    fn describe_thing(&self, thing: Thing) -> String {
        let process = |process: u32| self.vm.processes[process as usize].symbol.as_str();
        let name = |name: u32| self.vm.atoms.name(Atom(name));
        match thing {
            Thing::Mailbox(p) => format!("mailbox of {}", process(p)),
            Thing::Count(p) => format!("message count of {}", process(p)),
            Thing::Order(p) => format!("message order of {}", process(p)),
            Thing::Life(p) => format!("life of {}", process(p)),
            Thing::Traps(p) => format!("trap flag of {}", process(p)),
            Thing::End(p) => format!("end of {}", process(p)),
            Thing::Leader(p) => format!("group leader of {}", process(p)),
            Thing::Signal(p) => format!("signal to {}", process(p)),
            Thing::Link(p, q) => format!("link of {} and {}", process(p), process(q)),
            Thing::Watch(p, number) => format!("reference {number} of {}", process(p)),
            Thing::Timer(p) => format!("timer {}", process(p)),
            Thing::Name(n) => format!("name {}", name(n)),
            Thing::NameOf(p) => format!("name of {}", process(p)),
            Thing::Code(n) => format!("code of {}", name(n)),
            Thing::Names => "names".into(),
            Thing::Tables => "tables".into(),
            Thing::AllPersistent => "all persistent terms".into(),
            Thing::Processes => "processes".into(),
            Thing::Number(p, number, index) => {
                format!("number {index} of array {number} of {}", process(p))
            }
            Thing::Relations(p) => format!("relations of {}", process(p)),
            Thing::Content(p, number) => format!("content of table {number} of {}", process(p)),
            Thing::Column(p, number, hash) => {
                format!("column {:x} of table {number} of {}", hash & 0xff, process(p))
            }
            Thing::TableLife(p, number) => format!("life of table {number} of {}", process(p)),
            Thing::Entry(p, number, hash) => {
                format!("entry {:x} of table {number} of {}", hash & 0xff, process(p))
            }
            Thing::NamedEntry(n, hash) => format!("entry {:x} of table {}", hash & 0xff, name(n)),
            Thing::TableName(n) => format!("table name {}", name(n)),
            Thing::Puts(p, number, index) => {
                format!("puts to number {index} of array {number} of {}", process(p))
            }
            Thing::Bit(object, bit) => {
                format!("bit {bit} of {}", self.describe_thing(self.thing_with_bit(object)))
            }
            Thing::Persistent(hash) => format!("persistent term {:x}", hash & 0xff),
        }
    }
}
