//! Runs `unfolding` with every statement as a transition, as in POET.
//!
//! `cargo run --release -p mazurka-testkit --example statements`
//!
//! In Mazurka, a statement that accesses nothing shared is not a step, and a thread that spins is
//! disabled. In POET, creating a thread, entering and leaving its function, every assignment and
//! every test are transitions, and threads spin. This example models mutual-exclusion algorithms in
//! that way, in the form of the Software Verification Competition: every tested value is first read
//! into a local variable. It prints events, cut-offs and maximal configurations beside the
//! published ones.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use mazurka_core::explore::explore;
use mazurka_core::model::{
    Action, Ending, Location, Machine, ObjectId, Op, Performed, ProcessId, Step, When,
};
use mazurka_core::search::{Algorithm, CutOffOrder, Options, UnfoldingOptions};
use mazurka_core::verdict::Violation;

/// The effect of a statement. A location is an index into the values.
#[derive(Clone, Debug)]
enum Effect {
    /// Waits until a location is 1, which means that the thread has been created.
    Enter(usize),
    Set(usize, u64),
    /// Reads the second location into the first, a local variable.
    Load(usize, usize),
    /// Jumps unless all of these conditions on local variables hold.
    Unless(Vec<(usize, String, u64)>, usize),
    /// Leaves the function. No other thread observes this.
    Leave,
}

#[derive(Clone, Debug)]
struct Statement {
    effect: Effect,
    action: Action,
    next: usize,
}

/// The values of all locations, and the position of each process.
#[derive(Clone, Hash, Debug)]
struct State {
    values: Vec<u64>,
    places: Vec<usize>,
}

/// A program in some state.
struct Model {
    code: Vec<Vec<Statement>>,
    /// All states of the execution, the current one last.
    states: Vec<State>,
}

impl Model {
    /// Two threads that run this text, and a main thread that creates them.
    ///
    /// There is a statement in each line: `x = 1`, `_a = x`, `unless _a == 1 & _b > 2 goto end`; or a
    /// label, `end:`; or `goto end`, which is no transition. Local variables start with an underscore.
    /// ME is the thread's number, OTHER that of the other one; LESS and NEXT are one less than these.
    fn new(text: &str) -> Self {
        let mut locations = HashMap::new();
        let mut code = vec![assemble(0, "created1 = 1\ncreated2 = 1", &mut locations)];
        for me in 1..=2 {
            let text = text.replace("ME", &me.to_string()).replace("OTHER", &(3 - me).to_string());
            let text = text.replace("LESS", &(me - 1).to_string());
            let text = text.replace("NEXT", &(2 - me).to_string());
            let text = format!("enter created{me}\n{text}\nleave");
            code.push(assemble(me, &text, &mut locations));
        }
        let start = State { values: vec![0; locations.len()], places: vec![0; code.len()] };
        Model { code, states: vec![start] }
    }

    fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    fn statement(&self, process: ProcessId) -> Option<&Statement> {
        self.code[process.index()].get(self.state().places[process.index()])
    }
}

/// Parses the text of a thread.
fn assemble(thread: usize, text: &str, locations: &mut HashMap<String, usize>) -> Vec<Statement> {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let is_statement = |words: &[&str]| words[0] != "goto" && !words[0].ends_with(':');
    let line_of = |label: &str| {
        let is_there = |words: &Vec<&str>| words[0].strip_suffix(':') == Some(label);
        lines.iter().position(is_there).unwrap_or_else(|| panic!("there is no label {label}"))
    };
    // Returns the number of the first statement from a line on, after labels and jumps.
    let statement_at = |mut line: usize| {
        while line < lines.len() && !is_statement(&lines[line]) {
            line = if lines[line][0] == "goto" { line_of(lines[line][1]) } else { line + 1 };
        }
        lines[..line].iter().filter(|words| is_statement(words)).count()
    };
    let mut location = |name: &str| {
        let own = if name.starts_with('_') { format!("{thread}{name}") } else { name.to_owned() };
        let next = locations.len();
        *locations.entry(own).or_insert(next)
    };
    let own = Location::whole(ObjectId(1_000 + thread as u32));
    let at = |index: usize| Location::whole(ObjectId(index as u32));
    let mut code = Vec::new();
    for (line, words) in lines.iter().enumerate().filter(|(_, words)| is_statement(words)) {
        let (effect, action) = match words.as_slice() {
            ["leave"] => (Effect::Leave, Action::new(Op::Update, own)),
            ["enter", name] => {
                let on = location(name);
                let action = Action::new(Op::Read, at(on)).when(When::Equals(1)).waiting();
                (Effect::Enter(on), action)
            }
            ["unless", conditions @ .., "goto", label] => {
                let conditions = conditions.split(|word| *word == "&").map(|words| {
                    let number = words[2].parse().expect("a number");
                    (location(words[0]), words[1].to_owned(), number)
                });
                let effect = Effect::Unless(conditions.collect(), statement_at(line_of(label)));
                (effect, Action::new(Op::Update, own))
            }
            [to, "=", from] => {
                let to = location(to);
                match from.parse() {
                    Ok(value) => (Effect::Set(to, value), Action::new(Op::Write, at(to))),
                    Err(_) => {
                        let from = location(from);
                        (Effect::Load(to, from), Action::new(Op::Read, at(from)))
                    }
                }
            }
            other => panic!("{other:?} is no statement"),
        };
        code.push(Statement { effect, action, next: statement_at(line + 1) });
    }
    code
}

impl Machine for Model {
    fn processes(&self) -> usize {
        self.code.len()
    }

    fn next(&self, process: ProcessId) -> Option<&Action> {
        self.statement(process).map(|statement| &statement.action)
    }

    /// Returns an empty slice: these programs spin by `goto`.
    fn guards(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    /// Returns an empty slice: a statement performs one action.
    fn others(&self, _process: ProcessId) -> &[Action] {
        &[]
    }

    fn is_enabled(&self, process: ProcessId) -> bool {
        self.statement(process).is_some_and(|statement| match statement.effect {
            Effect::Enter(on) => self.state().values[on] == 1,
            _ => true,
        })
    }

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Box<Violation>> {
        let mut state = self.state().clone();
        let statement = self.statement(step.process).expect("only who is enabled is stepped");
        let mut next = statement.next;
        let (mut before, mut after) = (0, 0);
        match &statement.effect {
            Effect::Enter(on) => (before, after) = (state.values[*on], state.values[*on]),
            Effect::Set(on, value) => {
                before = std::mem::replace(&mut state.values[*on], *value);
                after = *value;
            }
            Effect::Load(to, from) => {
                (before, after) = (state.values[*from], state.values[*from]);
                state.values[*to] = after;
            }
            Effect::Unless(conditions, elsewhere) => {
                let holds = |(on, operator, number): &(usize, String, u64)| {
                    let ordering = state.values[*on].cmp(number);
                    match operator.as_str() {
                        "==" => ordering.is_eq(),
                        "!=" => ordering.is_ne(),
                        ">=" => ordering.is_ge(),
                        "<=" => ordering.is_le(),
                        other => panic!("{other} is no operator"),
                    }
                };
                if !conditions.iter().all(holds) {
                    next = *elsewhere;
                }
            }
            Effect::Leave => {}
        }
        performed.actions.push(statement.action.performed(before, after));
        state.places[step.process.index()] = next;
        self.states.push(state);
        Ok(())
    }

    fn rewind(&mut self, len: usize) -> Result<(), Box<Violation>> {
        self.states.truncate(len + 1);
        Ok(())
    }

    fn ending(&self) -> Ending {
        Ending::Finished
    }

    fn fingerprint(&self) -> Option<u128> {
        let half = |salt: u64| {
            let mut hasher = DefaultHasher::new();
            (salt, self.state()).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        Some(half(1) << 64 | half(2))
    }
}

const PETERSON: &str = "\
fME = 1
turn = ME
_f = fOTHER
_t = turn
wait:
unless _f == 1 & _t == ME goto enter
_f = fOTHER
_t = turn
goto wait
enter:
x = 0
fME = 0";

const DEKKER: &str = "\
fME = 1
_f = fOTHER
wait:
unless _f >= 1 goto enter
_t = turn
unless _t != LESS goto again
fME = 0
_t = turn
yield:
unless _t != LESS goto retry
_t = turn
goto yield
retry:
fME = 1
again:
_f = fOTHER
goto wait
enter:
x = 0
turn = NEXT
fME = 0";

const SZYMANSKI: &str = "\
fME = 1
_f = fOTHER
outside:
unless _f >= 3 goto door
_f = fOTHER
goto outside
door:
fME = 3
_f = fOTHER
unless _f == 1 goto inside
fME = 2
_f = fOTHER
waiting:
unless _f != 4 goto inside
_f = fOTHER
goto waiting
inside:
fME = 4
_f = fOTHER
line:
unless _f >= 2 goto enter
_f = fOTHER
goto line
enter:
x = 0
_f = fOTHER
exit:
unless _f >= 2 & _f <= 3 goto out
_f = fOTHER
goto exit
out:
fME = 0";

const LAMPORT: &str = "\
again:
bME = 1
x = ME
_y = y
unless _y != 0 goto free
bME = 0
_y = y
busy:
unless _y != 0 goto again
_y = y
goto busy
free:
y = ME
_x = x
unless _x != ME goto enter
bME = 0
_b = bOTHER
other:
unless _b >= 1 goto decide
_b = bOTHER
goto other
decide:
_y = y
unless _y != ME goto enter
_y = y
late:
unless _y != 0 goto again
_y = y
goto late
enter:
X = 0
y = 0
bME = 0";

const LAMPORT_WITHOUT_WAITING: &str = "\
again:
bME = 1
x = ME
_y = y
unless _y != 0 goto free
bME = 0
goto again
free:
y = ME
_x = x
unless _x != ME goto enter
bME = 0
_y = y
unless _y != ME goto enter
goto again
enter:
X = 0
y = 0
bME = 0";

fn main() {
    println!("program, text: events, cut-offs, maximal configurations; by total order; published");
    for (name, text, published) in [
        ("peterson", PETERSON, "175, 15, 20"),
        ("dekker", DEKKER, "217, 14, 21"),
        ("szymanski", SZYMANSKI, "1121, 313, 159"),
        ("lamport", LAMPORT, "375, 28, 30"),
        ("lamport without waiting", LAMPORT_WITHOUT_WAITING, "375, 28, 30"),
    ] {
        let count = |order| {
            let unfolding = UnfoldingOptions { order, ..UnfoldingOptions::default() };
            let algorithm = Algorithm::Unfolding;
            let options = Options { algorithm, unfolding, ..Options::default() };
            let verdict = explore(&mut Model::new(text), &options, &mut ());
            let statistics = verdict.unfolding.expect("`unfolding` counts");
            format!("{}, {}, {}", statistics.events, statistics.cut_offs, verdict.executions)
        };
        let (by_size, by_total) = (count(CutOffOrder::Size), count(CutOffOrder::Total));
        println!("{name}: {by_size}; {by_total}; {published}");
    }
}
