//! The text of inline assembly: constraints, operands, and fences.

use mazurka_core::model::MemoryOrdering;

/// What a constraint says about one operand.
pub(super) struct Constraint<'t> {
    pub(super) is_output: bool,
    /// Whether the operand is memory, and its address is an argument.
    pub(super) is_memory: bool,
    /// The output that it shares its register with.
    pub(super) tied: Option<usize>,
    /// The register (`ax`), or the flag (`@ccz`), that it must be in.
    pub(super) register: Option<&'t str>,
}

pub(super) const NAMES: [&str; 6] = ["ax", "bx", "cx", "dx", "si", "di"];

pub(super) fn constraints(text: &str) -> Vec<Constraint<'_>> {
    let parts = text.split(',').filter(|part| !part.is_empty() && !part.starts_with('~'));
    let one = |part| {
        let is_output = str::starts_with(part, '=');
        let rest = part.trim_start_matches(['=', '&', '%']);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let register = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        Constraint {
            is_output,
            is_memory: rest.starts_with('*'),
            tied: rest[..digits].parse().ok(),
            register,
        }
    };
    parts.map(one).collect()
}

/// Returns the register's name without its width: `%rax` and `eax` are `ax`.
pub(super) fn plain_name(register: &str) -> Option<&'static str> {
    let name = register.trim_start_matches('%').trim_start_matches(['r', 'e']);
    NAMES.into_iter().find(|known| *known == name)
}

/// Returns the ordering of an instruction that is only a fence, or `Some(None)` for one that does not
/// order memory accesses by itself. Knows x86, Arm, RISC-V and Power.
///
/// A fence between stores is a release fence, and one between loads is an acquire fence: so programs use
/// them.
pub(super) fn fence_of(statement: &str) -> Option<Option<MemoryOrdering>> {
    use MemoryOrdering::{AcqRel, Acquire, Release, SeqCst};
    let (name, operand) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
    let operand: String = operand.chars().filter(|c| !c.is_whitespace()).collect();
    let ordering = match (name, &*operand) {
        ("mfence" | "sync" | "hwsync", "") => SeqCst,
        ("sfence" | "eieio", "") => Release,
        ("lfence", "") => Acquire,
        ("lwsync", "") | ("fence.tso", "") => AcqRel,
        ("isb" | "isync" | "fence.i", _) => return Some(None),
        ("dmb" | "dsb", domain) => match domain {
            "" | "sy" | "ish" | "osh" | "nsh" => SeqCst,
            "st" | "ishst" | "oshst" | "nshst" => Release,
            "ld" | "ishld" | "oshld" | "nshld" => Acquire,
            _ => return None,
        },
        ("fence", "") => SeqCst,
        ("fence", sets) => {
            // Input and output of devices (`i` and `o`) are no accesses to memory.
            let (before, after) = sets.split_once(',')?;
            let is_set = |set: &str| !set.is_empty() && set.chars().all(|c| "iorw".contains(c));
            if !is_set(before) || !is_set(after) {
                return None;
            }
            match (
                before.contains('r'),
                before.contains('w'),
                after.contains('r'),
                after.contains('w'),
            ) {
                (true, true, true, true) => SeqCst,
                (_, true, false, true) => Release,
                (true, false, true, _) => Acquire,
                // No ordering of C is as weak as these.
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Some(ordering))
}

/// Splits operands at commas that are not in parentheses.
pub(super) fn split_operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let parts = text.split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

pub(super) fn width_of(letter: &str) -> Option<u8> {
    match letter {
        "b" => Some(8),
        "w" => Some(16),
        "l" | "k" => Some(32),
        "q" => Some(64),
        _ => None,
    }
}
