//! Match specifications.

use super::ErlangMachine;
use crate::term::{Kind, Map, Term, atom, compare, equal, equal_exact};
use crate::vm::code::{Mfa, Target};
use crate::vm::instruction::TypeTest;
use crate::vm::process::TableOperation;
use crate::vm::{Out, Stop, Table, Vm, badarg};

impl ErlangMachine {
    /// Returns the clauses of an operation, whose argument is a pattern or a match specification.
    pub(super) fn clauses_for(
        &mut self,
        operation: TableOperation,
        argument: Term,
    ) -> Result<Vec<[Term; 3]>, Stop> {
        use TableOperation::{Match, MatchDelete, MatchObject};
        let result = match operation {
            Match => Term::atom(atom::DOLLAR_DOLLAR),
            MatchObject => Term::atom(atom::DOLLAR_UNDERSCORE),
            MatchDelete => Term::bool(true),
            _ => return self.vm.clauses(argument),
        };
        let body = self.vm.heap.list(&[result]);
        Ok(vec![[argument, Term::NIL, body]])
    }

    pub(super) fn select(
        &mut self,
        id: (u32, u32),
        mut table: Table,
        operation: TableOperation,
        argument: Term,
    ) -> Out {
        use TableOperation::{
            MatchDelete, SelectCount, SelectDelete, SelectReplace, SelectReverse,
        };
        let clauses = self.clauses_for(operation, argument)?;
        let (mut results, mut kept, mut count) = (Vec::new(), Vec::new(), 0);
        for object in self.objects_in(&table) {
            let result = self.vm.run_clauses(&clauses, object)?;
            let is_true = result.is_some_and(|result| result.is_atom(atom::TRUE));
            count += i64::from(is_true);
            match operation {
                SelectReplace => {
                    count += i64::from(result.is_some() && !is_true);
                    kept.push(result.unwrap_or(object));
                }
                _ if !is_true => kept.push(object),
                _ => {}
            }
            results.extend(result);
        }
        match operation {
            SelectCount => Ok(Term::int(count)),
            SelectDelete | MatchDelete | SelectReplace => {
                let mut content = Vec::new();
                for object in kept {
                    let key = self.vm.heap.element(object, table.key_position - 1);
                    content.push((key, object));
                }
                let mut map = Map::empty(&mut self.vm.heap).term();
                for (key, object) in content {
                    let before = self.vm.lookup(map, key);
                    let mut objects = before
                        .and_then(|list| self.vm.heap.elements_of_list(list))
                        .unwrap_or_default();
                    objects.push(object);
                    let list = self.vm.heap.list(&objects);
                    map = self.vm.with(map, key, list);
                }
                let before = table;
                table.content = map;
                if self.keeps_former() {
                    for key in self.keys_in(&before) {
                        let objects = self.objects_of(&before, key);
                        if !self.are_equal(&objects, &self.objects_of(&table, key)) {
                            self.remember(&mut table, key, &objects);
                        }
                    }
                }
                self.vm.set_table(id, Some(table));
                Ok(if operation == MatchDelete { Term::bool(true) } else { Term::int(count) })
            }
            SelectReverse => {
                results.reverse();
                Ok(self.vm.heap.list(&results))
            }
            _ => Ok(self.vm.heap.list(&results)),
        }
    }
}

/// The terms that the variables of a pattern are bound to.
type Bindings = Vec<(u32, Term)>;

impl Vm {
    /// Returns the clauses of a match specification: head, conditions, body.
    pub(crate) fn clauses(&self, specification: Term) -> Result<Vec<[Term; 3]>, Stop> {
        let clauses = self.heap.elements_of_list(specification).ok_or_else(badarg)?;
        clauses.iter().map(|clause| self.heap.tuple_of::<3>(*clause).ok_or_else(badarg)).collect()
    }

    /// Returns the result of the first clause that matches an object, if there is one.
    pub(crate) fn run_clauses(
        &mut self,
        clauses: &[[Term; 3]],
        object: Term,
    ) -> Result<Option<Term>, Stop> {
        for [head, conditions, body] in clauses {
            let mut bindings = Bindings::new();
            if !self.matches_head(*head, object, &mut bindings) {
                continue;
            }
            let conditions = self.heap.elements_of_list(*conditions).ok_or_else(badarg)?;
            let mut holds = true;
            for condition in conditions {
                let value = self.evaluate(condition, object, &bindings);
                holds = holds && matches!(value, Ok(value) if value.is_atom(atom::TRUE));
            }
            if !holds {
                continue;
            }
            let mut result = Term::NIL;
            for expression in self.heap.elements_of_list(*body).ok_or_else(badarg)? {
                result = self.evaluate(expression, object, &bindings)?;
            }
            return Ok(Some(result));
        }
        Ok(None)
    }

    /// Returns the number of a variable, such as 1 for `'$1'`.
    fn variable(&self, term: Term) -> Option<u32> {
        let digits = self.atoms.name(term.as_atom()?).strip_prefix('$')?;
        digits.parse().ok()
    }

    /// Returns whether the head of a clause matches a term, and adds the bindings of its variables.
    fn matches_head(&self, head: Term, term: Term, bindings: &mut Bindings) -> bool {
        if head.is_atom(atom::UNDERSCORE) {
            return true;
        }
        if let Some(variable) = self.variable(head) {
            return match bindings.iter().find(|(known, _)| *known == variable) {
                Some((_, bound)) => equal_exact(&self.heap, *bound, term),
                None => {
                    bindings.push((variable, term));
                    true
                }
            };
        }
        if let (Some(a), Some(b)) = (head.as_cons(), term.as_cons()) {
            return self.matches_head(self.heap.head(a), self.heap.head(b), bindings)
                && self.matches_head(self.heap.tail(a), self.heap.tail(b), bindings);
        }
        if let (Some(a), Some(b)) =
            (self.heap.as_kind(head, Kind::Tuple), self.heap.as_kind(term, Kind::Tuple))
        {
            let ((_, arity), (_, other)) = (self.heap.header(a), self.heap.header(b));
            return arity == other
                && (1..=arity).all(|i| {
                    self.matches_head(self.heap.word(a + i), self.heap.word(b + i), bindings)
                });
        }
        if let (Some(a), Some(b)) = (Map::of(&self.heap, head), Map::of(&self.heap, term)) {
            return a.entries(&self.heap).into_iter().all(|(key, value)| {
                b.get(&self.heap, &self.atoms, key)
                    .is_some_and(|found| self.matches_head(value, found, bindings))
            });
        }
        equal_exact(&self.heap, head, term)
    }

    fn evaluate(&mut self, expression: Term, object: Term, bindings: &Bindings) -> Out {
        if let Some(variable) = self.variable(expression) {
            let bound = bindings.iter().find(|(known, _)| *known == variable);
            return bound.map(|(_, term)| *term).ok_or_else(badarg);
        }
        if expression.is_atom(atom::DOLLAR_UNDERSCORE) {
            return Ok(object);
        }
        if expression.is_atom(atom::DOLLAR_DOLLAR) {
            let mut all = bindings.clone();
            all.sort_unstable_by_key(|(variable, _)| *variable);
            let all: Vec<Term> = all.into_iter().map(|(_, term)| term).collect();
            return Ok(self.heap.list(&all));
        }
        if let Some(cons) = expression.as_cons() {
            let (head, tail) = (self.heap.head(cons), self.heap.tail(cons));
            let head = self.evaluate(head, object, bindings)?;
            let tail = self.evaluate(tail, object, bindings)?;
            return Ok(self.heap.cons(head, tail));
        }
        let Some(parts) = self.heap.elements(expression) else { return Ok(expression) };
        match parts[..] {
            [] => Ok(expression),
            // A tuple in a tuple is a tuple.
            [inner] if self.heap.arity(inner).is_some() => {
                let elements = self.heap.elements(inner).unwrap_or_default();
                let elements: Result<Vec<Term>, Stop> =
                    elements.into_iter().map(|e| self.evaluate(e, object, bindings)).collect();
                Ok(self.heap.tuple(&elements?))
            }
            [tag, term] if tag.is_atom(atom::CONST) => Ok(term),
            [name, ref arguments @ ..] => {
                let name = name.as_atom().ok_or_else(badarg)?;
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let value = self.evaluate(*argument, object, bindings)?;
                    match name {
                        atom::ANDALSO if !value.is_atom(atom::TRUE) => return Ok(value),
                        atom::ORELSE if value.is_atom(atom::TRUE) => return Ok(value),
                        _ => values.push(value),
                    }
                }
                match name {
                    atom::ANDALSO | atom::ORELSE => values.pop().ok_or_else(badarg),
                    _ => self.call_in_condition(name, &values),
                }
            }
        }
    }

    fn call_in_condition(&mut self, name: crate::term::Atom, values: &[Term]) -> Out {
        let test = match self.atoms.name(name) {
            "is_atom" => Some(TypeTest::Atom),
            "is_integer" => Some(TypeTest::Integer),
            "is_float" => Some(TypeTest::Float),
            "is_number" => Some(TypeTest::Number),
            "is_list" => Some(TypeTest::List),
            "is_tuple" => Some(TypeTest::Tuple),
            "is_pid" => Some(TypeTest::Pid),
            "is_binary" => Some(TypeTest::Binary),
            "is_map" => Some(TypeTest::Map),
            "is_reference" => Some(TypeTest::Reference),
            _ => None,
        };
        if let (Some(test), [value]) = (test, values) {
            return Ok(Term::bool(self.has_type(test, *value)));
        }
        if let [a, b] = values {
            let order = compare(&self.heap, &self.atoms, *a, *b);
            match self.atoms.name(name) {
                "==" => return Ok(Term::bool(equal(&self.heap, &self.atoms, *a, *b))),
                "<" => return Ok(Term::bool(order.is_lt())),
                ">" => return Ok(Term::bool(order.is_gt())),
                _ => {}
            }
        }
        let import = self.code.import(Mfa::new(atom::ERLANG, name, values.len() as u32));
        match self.resolve(import)? {
            Target::Native(native) => native(self, values),
            _ => Err(badarg()),
        }
    }
}
