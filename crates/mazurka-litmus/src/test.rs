//! Litmus tests.

use mazurka_core::model::MemoryOrdering;

/// A litmus test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The names of the locations.
    pub(crate) locations: Vec<String>,
    /// The initial values of the locations.
    pub(crate) initial: Vec<i64>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) quantifier: Quantifier,
    pub(crate) condition: Condition,
    /// What a final state shows, in order.
    pub(crate) shown: Vec<Place>,
}

/// A thread.
#[derive(Clone, Default, Debug)]
pub(crate) struct Thread {
    /// The names of its registers. Temporary ones have none.
    pub(crate) registers: Vec<String>,
    /// The initial values of the registers.
    pub(crate) initial: Vec<i64>,
    pub(crate) code: Vec<Instruction>,
}

/// An instruction. Accesses to memory are steps.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    Load {
        to: usize,
        from: usize,
        ordering: Option<MemoryOrdering>,
    },
    Store {
        to: usize,
        value: Expression,
        ordering: Option<MemoryOrdering>,
    },
    Modify {
        to: usize,
        at: usize,
        how: Modify,
        value: Expression,
        ordering: MemoryOrdering,
    },
    /// Compares with the register `expected`, which gets the value if they differ.
    Exchange {
        to: usize,
        at: usize,
        expected: usize,
        new: Expression,
        orderings: (MemoryOrdering, MemoryOrdering),
    },
    Fence(MemoryOrdering),
    Set {
        to: usize,
        value: Expression,
    },
    JumpUnless {
        condition: Expression,
        to: usize,
    },
    Jump(usize),
}

/// What a read-modify-write does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Modify {
    Exchange,
    Add,
    Sub,
    Or,
    Xor,
    And,
}

/// An expression without accesses to memory.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Number(i64),
    Register(usize),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
}

impl Expression {
    pub(crate) fn value(&self, registers: &[i64]) -> i64 {
        match self {
            Expression::Number(number) => *number,
            Expression::Register(register) => registers[*register],
            Expression::Unary(op, operand) => {
                let value = operand.value(registers);
                match *op {
                    "-" => value.wrapping_neg(),
                    "~" => !value,
                    _ => i64::from(value == 0),
                }
            }
            Expression::Binary(op, left, right) => {
                let (a, b) = (left.value(registers), right.value(registers));
                match *op {
                    "+" => a.wrapping_add(b),
                    "-" => a.wrapping_sub(b),
                    "*" => a.wrapping_mul(b),
                    "&" => a & b,
                    "|" => a | b,
                    "^" => a ^ b,
                    "==" => i64::from(a == b),
                    "!=" => i64::from(a != b),
                    "<" => i64::from(a < b),
                    ">" => i64::from(a > b),
                    "<=" => i64::from(a <= b),
                    ">=" => i64::from(a >= b),
                    "&&" => i64::from(a != 0 && b != 0),
                    _ => i64::from(a != 0 || b != 0),
                }
            }
        }
    }
}

/// What a condition is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A register of a thread.
    Register { thread: usize, register: usize },
    /// A location.
    Location(usize),
}

/// What is asked about the condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    Exists,
    NotExists,
    Forall,
}

/// A condition on a final state.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    True,
    Is(Place, i64),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    pub(crate) fn holds(&self, value: &impl Fn(&Place) -> i64) -> bool {
        match self {
            Condition::True => true,
            Condition::Is(place, wanted) => value(place) == *wanted,
            Condition::Not(inner) => !inner.holds(value),
            Condition::And(left, right) => left.holds(value) && right.holds(value),
            Condition::Or(left, right) => left.holds(value) || right.holds(value),
        }
    }
}

impl Test {
    /// Returns the name of a place, as conditions write it.
    pub(crate) fn name_of(&self, place: &Place) -> String {
        match place {
            Place::Register { thread, register } => {
                format!("{thread}:{}", self.threads[*thread].registers[*register])
            }
            Place::Location(location) => format!("[{}]", self.locations[*location]),
        }
    }

    /// Returns the condition in the words of herd7.
    pub(crate) fn show(&self, condition: &Condition) -> String {
        match condition {
            Condition::True => "true".to_owned(),
            Condition::Is(place, value) => format!("{}={value}", self.name_of(place)),
            Condition::Not(inner) => format!("not ({})", self.show(inner)),
            Condition::And(left, right) => {
                format!("{} /\\ {}", self.show_in(left), self.show_in(right))
            }
            Condition::Or(left, right) => format!("{} \\/ {}", self.show(left), self.show(right)),
        }
    }

    /// Returns an operand of a conjunction.
    fn show_in(&self, condition: &Condition) -> String {
        match condition {
            Condition::Or(..) => format!("({})", self.show(condition)),
            condition => self.show(condition),
        }
    }
}
