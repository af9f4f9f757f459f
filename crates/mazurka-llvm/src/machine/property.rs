//! Properties of SV-COMP: what counts as a violation.
//!
//! A property file has a line for each goal, such as
//! `CHECK( init(main()), LTL(G ! call(reach_error())) )`. Violations of other kinds end an execution
//! and are not reported, except for what Mazurka cannot run.

use mazurka_core::verdict::{Violation, ViolationKind};

use super::allowed::{Allowed, Undefined};

/// How messages about calls of the function start that must not be reached.
pub(crate) const REACHED: &str = "the program has reached an error";
/// How messages about signed overflow start.
pub(crate) const OVERFLOW: &str = "signed integer overflow";

/// What is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Goal {
    /// No execution calls this function.
    Unreachable(String),
    NoDataRace,
    NoOverflow,
    /// All frees and accesses are valid.
    ValidMemory,
    /// Every block of memory is freed, or a pointer leads to it.
    Tracked,
    /// Every block of memory is freed.
    CleanedUp,
}

/// A property that a program is checked for.
///
/// ```
/// use mazurka_llvm::Property;
///
/// let property = Property::parse("CHECK( init(main()), LTL(G ! data-race) )")?;
/// assert!(property.has_races());
/// assert!(Property::parse("CHECK( init(main()), LTL(F end) )").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    goals: Vec<Goal>,
}

impl Property {
    /// Reads the text of a property file.
    ///
    /// # Errors
    ///
    /// If the text is no property, or one that Mazurka cannot check.
    pub fn parse(text: &str) -> Result<Property, String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines = lines.filter(|line| !line.starts_with("//") && !line.starts_with('#'));
        let goals: Vec<Goal> = lines.map(goal).collect::<Result<_, _>>()?;
        match goals.is_empty() {
            true => Err("the file has no line `CHECK( init(main()), LTL(…) )`".to_owned()),
            false => Ok(Property { goals }),
        }
    }

    /// Returns whether data races are violations.
    pub fn has_races(&self) -> bool {
        self.goals.contains(&Goal::NoDataRace)
    }

    /// Returns the function that must not be called.
    pub(crate) fn error_function(&self) -> Option<&str> {
        self.goals.iter().find_map(|goal| match goal {
            Goal::Unreachable(name) => Some(&name[..]),
            _ => None,
        })
    }

    /// Returns whether blocks that no pointer leads to are violations.
    pub(super) fn has_leaks(&self) -> bool {
        self.goals.contains(&Goal::Tracked) || self.must_free_all()
    }

    /// Returns whether all blocks that are not freed are violations.
    pub(super) fn must_free_all(&self) -> bool {
        self.goals.contains(&Goal::CleanedUp)
    }

    /// Returns the kinds of undefined behaviour that do not end an execution. Values that were never
    /// written are none of them, because they may be any values.
    pub(crate) fn allows(&self) -> Allowed {
        let counts = |kind| match kind {
            Undefined::Uninitialised => true,
            Undefined::SignedOverflow => self.goals.contains(&Goal::NoOverflow),
            Undefined::MismatchedFree => self.goals.contains(&Goal::ValidMemory),
            _ => false,
        };
        let kinds = Undefined::ALL.iter().map(|(_, kind)| *kind).filter(|kind| !counts(*kind));
        kinds.fold(Allowed::default(), Allowed::and)
    }

    /// Returns whether a violation is one of this property.
    pub(crate) fn counts(&self, violation: &Violation) -> bool {
        let goal = |goal| self.goals.contains(&goal);
        match violation.kind {
            ViolationKind::Unsupported | ViolationKind::Nondeterminism => true,
            ViolationKind::DataRace => self.has_races(),
            ViolationKind::InvalidMemory => goal(Goal::ValidMemory),
            ViolationKind::Leak => self.has_leaks(),
            ViolationKind::UndefinedBehaviour => {
                goal(Goal::NoOverflow) && violation.message.starts_with(OVERFLOW)
            }
            ViolationKind::Assertion => {
                self.error_function().is_some() && violation.message.starts_with(REACHED)
            }
            _ => false,
        }
    }
}

/// Reads one line.
fn goal(line: &str) -> Result<Goal, String> {
    let packed: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let formula = packed.strip_prefix("CHECK(init(main()),LTL(").and_then(|l| l.strip_suffix("))"));
    let Some(formula) = formula else {
        return Err(format!(
            "`{line}` is no property; a line of a property file is `CHECK( init(main()), LTL(…) )`"
        ));
    };
    let called = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"));
    if let Some(name) = called {
        return Ok(Goal::Unreachable(name.to_owned()));
    }
    match formula {
        "G!data-race" => Ok(Goal::NoDataRace),
        "G!overflow" => Ok(Goal::NoOverflow),
        "Gvalid-free" | "Gvalid-deref" => Ok(Goal::ValidMemory),
        "Gvalid-memtrack" => Ok(Goal::Tracked),
        "Gvalid-memcleanup" => Ok(Goal::CleanedUp),
        "Fend" => Err("Mazurka cannot check termination (`F end`): it runs executions up to their \
                       ends, and an execution without an end has none. It reports threads that wait \
                       for ever without a property file"
            .to_owned()),
        _ => Err(format!(
            "`{formula}` is no property that Mazurka knows; it checks unreach-call, no-data-race, \
             no-overflow, valid-memsafety (valid-free, valid-deref, valid-memtrack) and \
             valid-memcleanup"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(formula: &str) -> String {
        format!("CHECK( init(main()), LTL({formula}) )")
    }

    #[test]
    fn properties_of_the_competition_are_read() {
        for formula in ["G valid-free", "G valid-memcleanup", "G ! overflow", "G ! call(f())"] {
            assert!(Property::parse(&line(formula)).is_ok(), "{formula}");
        }
        let property = Property::parse(&line("G ! call(__VERIFIER_error())")).unwrap();
        assert_eq!(property.error_function(), Some("__VERIFIER_error"));
        let wrong = [("F end", "termination"), ("G ! dragons", "unreach-call")];
        for (formula, reason) in wrong {
            let error = Property::parse(&line(formula)).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(Property::parse("int main(void) {}").unwrap_err().contains("is no property"));
        assert!(Property::parse("\n").unwrap_err().contains("has no line"));
    }

    #[test]
    fn a_property_says_what_counts() {
        let violation = |kind, message: &str| Violation::new(kind, message.to_owned());
        let memory = Property::parse(&line("G valid-deref")).unwrap();
        assert!(memory.counts(&violation(ViolationKind::InvalidMemory, "null")));
        assert!(!memory.counts(&violation(ViolationKind::Assertion, REACHED)));
        assert!(memory.counts(&violation(ViolationKind::Unsupported, "fork")));
        let error = Property::parse(&line("G ! call(reach_error())")).unwrap();
        assert!(error.counts(&violation(ViolationKind::Assertion, REACHED)));
        assert!(!error.counts(&violation(ViolationKind::Assertion, "assertion `0` failed")));
        assert!(!error.counts(&violation(ViolationKind::Deadlock, "no thread can go on")));
        assert!(error.allows().contains(Undefined::SignedOverflow));
    }
}
