//! From a tree to a program.

use super::Problem;
use super::class::Class;
use super::parse::{Assertion, Node};

/// What a program is made of. Numbers are places in it.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Char {
        c: u32,
        caseless: bool,
    },
    Any {
        newline: bool,
    },
    Class(Class),
    /// Tries the first place, and then the other.
    Split(usize, usize),
    Jump(usize),
    /// Notes the position in a slot.
    Save(usize),
    /// Leaves a loop that has matched nothing: the position is still the one in the slot.
    Progress {
        slot: usize,
        out: usize,
    },
    BackReference {
        group: usize,
        caseless: bool,
    },
    Assertion(Assertion),
    /// Goes back by so many characters.
    Back(usize),
    /// Runs what is behind it up to an `Accept`, then goes on at `end`: from where it is if it looks, or
    /// from where that has come.
    Inner {
        end: usize,
        looks: bool,
        negated: bool,
    },
    Accept,
}

pub(super) fn compile(tree: &Node, groups: usize) -> Result<(Vec<Instruction>, usize), Problem> {
    let mut compiler = Compiler { program: Vec::new(), slots: 2 * (groups + 1) };
    compiler.program.push(Instruction::Save(0));
    compiler.node(tree)?;
    compiler.program.extend([Instruction::Save(1), Instruction::Accept]);
    Ok((compiler.program, compiler.slots))
}

/// Larger programs are refused.
const LIMIT: usize = 100_000;

struct Compiler {
    program: Vec<Instruction>,
    slots: usize,
}

impl Compiler {
    fn emit(&mut self, instruction: Instruction) -> usize {
        self.program.push(instruction);
        self.program.len() - 1
    }

    fn node(&mut self, node: &Node) -> Result<(), Problem> {
        if self.program.len() > LIMIT {
            return Err(Problem::Wrong("regular expression is too large", 0));
        }
        match node {
            Node::Char { c, caseless } => {
                self.emit(Instruction::Char { c: *c, caseless: *caseless });
            }
            Node::Any { newline } => {
                self.emit(Instruction::Any { newline: *newline });
            }
            Node::Class(class) => {
                self.emit(Instruction::Class(class.clone()));
            }
            Node::Sequence(nodes) => nodes.iter().try_for_each(|node| self.node(node))?,
            Node::Alternatives(nodes) => {
                self.alternatives(nodes, |compiler, node| compiler.node(node))?;
            }
            Node::Group(node, number) => {
                self.emit(Instruction::Save(2 * number));
                self.node(node)?;
                self.emit(Instruction::Save(2 * number + 1));
            }
            Node::Repeat { node, min, max, greedy } => self.repeat(node, *min, *max, *greedy)?,
            Node::Atomic(node) => self.inner(false, false, |compiler| compiler.node(node))?,
            Node::Look { node, behind: false, negated } => {
                self.inner(true, *negated, |compiler| compiler.node(node))?;
            }
            Node::Look { node, negated, .. } => self.inner(true, *negated, |compiler| {
                // Each alternative has a width of its own.
                let nodes = match &**node {
                    Node::Alternatives(nodes) => nodes.clone(),
                    node => vec![node.clone()],
                };
                compiler.alternatives(&nodes, |compiler, node| {
                    let Some(width) = width(node) else {
                        let text = "lookbehind assertion is not fixed length";
                        return Err(Problem::Wrong(text, 0));
                    };
                    compiler.emit(Instruction::Back(width));
                    compiler.node(node)
                })
            })?,
            Node::BackReference { group, caseless } => {
                self.emit(Instruction::BackReference { group: *group, caseless: *caseless });
            }
            Node::Assertion(assertion) => {
                self.emit(Instruction::Assertion(*assertion));
            }
            Node::Keep => {
                self.emit(Instruction::Save(0));
            }
        }
        Ok(())
    }

    fn alternatives(
        &mut self,
        nodes: &[Node],
        each: impl Fn(&mut Self, &Node) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let mut ends = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            if index + 1 == nodes.len() {
                each(self, node)?;
                break;
            }
            let split = self.emit(Instruction::Split(0, 0));
            each(self, node)?;
            ends.push(self.emit(Instruction::Jump(0)));
            self.program[split] = Instruction::Split(split + 1, self.program.len());
        }
        for end in ends {
            self.program[end] = Instruction::Jump(self.program.len());
        }
        Ok(())
    }

    fn inner(
        &mut self,
        looks: bool,
        negated: bool,
        content: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let start = self.emit(Instruction::Accept);
        content(self)?;
        let end = self.emit(Instruction::Accept) + 1;
        self.program[start] = Instruction::Inner { end, looks, negated };
        Ok(())
    }

    fn split(&mut self, at: usize, inside: usize, outside: usize, greedy: bool) {
        self.program[at] = match greedy {
            true => Instruction::Split(inside, outside),
            false => Instruction::Split(outside, inside),
        };
    }

    fn repeat(
        &mut self,
        node: &Node,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    ) -> Result<(), Problem> {
        (0..min).try_for_each(|_| self.node(node))?;
        let Some(max) = max else {
            let slot = self.slots;
            self.slots += 1;
            let start = self.emit(Instruction::Split(0, 0));
            self.emit(Instruction::Save(slot));
            self.node(node)?;
            let out = self.program.len() + 2;
            self.emit(Instruction::Progress { slot, out });
            self.emit(Instruction::Jump(start));
            self.split(start, start + 1, self.program.len(), greedy);
            return Ok(());
        };
        let mut splits = Vec::new();
        for _ in min..max {
            splits.push(self.emit(Instruction::Split(0, 0)));
            self.node(node)?;
        }
        for at in splits {
            self.split(at, at + 1, self.program.len(), greedy);
        }
        Ok(())
    }
}

/// How many characters a part matches, if that is always the same.
fn width(node: &Node) -> Option<usize> {
    match node {
        Node::Look { .. } | Node::Assertion(_) | Node::Keep => Some(0),
        Node::Char { .. } | Node::Any { .. } | Node::Class(_) => Some(1),
        Node::Sequence(nodes) => nodes.iter().map(width).sum(),
        Node::Alternatives(nodes) => {
            let first = width(nodes.first()?)?;
            nodes.iter().all(|node| width(node) == Some(first)).then_some(first)
        }
        Node::Group(node, _) | Node::Atomic(node) => width(node),
        Node::Repeat { node, min, max, .. } => {
            (*max == Some(*min)).then(|| width(node))?.map(|width| width * *min as usize)
        }
        Node::BackReference { .. } => None,
    }
}
