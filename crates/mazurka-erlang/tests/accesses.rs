//! What each operation reads and writes, for each of its outcomes.
//!
//! Explorers see operations as these accesses. An access that is missing loses executions, and one that
//! is not needed costs executions: so a change of this table needs a reason. `docs/erlang.md` describes
//! the cells.

mod common;

use common::program;
use mazurka_core::model::{Machine, Performed, ProcessId, Program, Step};

/// Returns the accesses of the last operation of the first process, in the program `accesses:run(case)`.
/// The first process runs whenever it can.
fn accesses(case: &str) -> Vec<String> {
    let program = program("accesses", &format!("accesses:run({case})")).ignore_deadlocks(true);
    let mut machine = program.start().unwrap_or_else(|violation| panic!("{case}: {violation}"));
    let mut performed = Performed::default();
    let mut last = Vec::new();
    loop {
        // The end of a process is a step only in programs that look at lives.
        if machine.next(ProcessId::new(0)).is_none() {
            return last;
        }
        let enabled = (0..machine.processes()).find(|p| machine.is_enabled(ProcessId::new(*p)));
        let Some(process) = enabled else { panic!("{case}: the first process does not end") };
        performed.clear();
        let step = Step::of(ProcessId::new(process));
        machine.step(step, &mut performed).unwrap_or_else(|failure| panic!("{case}: {failure}"));
        let actions: Vec<String> = machine
            .describe_actions(&performed)
            .iter()
            .map(|action| without_hash(action))
            .collect();
        if actions[0] == "update life of P" && !case.starts_with("trap") {
            return last;
        }
        if process == 0 {
            // Every step reads whether its process has been told to end, or is suspended.
            let is_own = |action: &String| action.trim_matches(['(', ')']) == "read signal to P";
            last = actions.into_iter().filter(|action| !is_own(action)).collect();
            if case == "trap" {
                return last;
            }
        }
    }
}

/// Returns an access without the hash of a key or an element, which depends on the atoms that there are.
fn without_hash(action: &str) -> String {
    let mut words: Vec<&str> = action.split(' ').collect();
    let is_hashed = |word: &&str| ["entry", "column", "term"].contains(word);
    if let Some(place) = words.iter().position(is_hashed) {
        words.remove(place + 1);
    }
    words.join(" ")
}

/// One line for each case: its name, and its accesses. Accesses that the operation forgoes, and would
/// perform if it came earlier, are in brackets.
const TABLE: &str = "tests/programs/accesses.txt";

#[test]
fn operations_read_and_write_what_the_table_says() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let table = std::fs::read_to_string(path).expect("the table is there");
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let case = line.split(':').next().unwrap_or_default();
        let found = format!("{case}: {}", accesses(case).join(", "));
        if found.trim_end() != line {
            wrong.push(found);
        }
    }
    assert!(wrong.is_empty(), "{TABLE} says otherwise:\n{}", wrong.join("\n"));
}
