//! Conversions between atoms, numbers, texts and binaries.

use num_bigint::BigInt;

use crate::term::{Kind, Number, Term, atom, show_float};
use crate::vm::code::Lambda;
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Vm, badarg};

pub(super) const ERLANG: &[Entry] = &[
    ("atom_to_list", 1, |vm, a| {
        let name = vm.atoms.name(a[0].as_atom().ok_or_else(badarg)?).to_owned();
        Ok(vm.heap.string(&name))
    }),
    ("atom_to_binary", 1, atom_to_binary),
    ("atom_to_binary", 2, atom_to_binary),
    ("list_to_atom", 1, |vm, a| to_atom(vm, a[0], true)),
    ("list_to_existing_atom", 1, |vm, a| to_atom(vm, a[0], false)),
    ("binary_to_atom", 1, |vm, a| to_atom(vm, a[0], true)),
    ("binary_to_atom", 2, |vm, a| to_atom(vm, a[0], true)),
    ("binary_to_existing_atom", 1, |vm, a| to_atom(vm, a[0], false)),
    ("binary_to_existing_atom", 2, |vm, a| to_atom(vm, a[0], false)),
    ("integer_to_list", 1, |vm, a| {
        let text = integer_text(vm, a[0], Term::int(10))?;
        Ok(vm.heap.string(&text))
    }),
    ("integer_to_list", 2, |vm, a| {
        let text = integer_text(vm, a[0], a[1])?;
        Ok(vm.heap.string(&text))
    }),
    ("integer_to_binary", 1, |vm, a| {
        let text = integer_text(vm, a[0], Term::int(10))?;
        Ok(vm.heap.binary(text.as_bytes()))
    }),
    ("integer_to_binary", 2, |vm, a| {
        let text = integer_text(vm, a[0], a[1])?;
        Ok(vm.heap.binary(text.as_bytes()))
    }),
    ("list_to_integer", 1, |vm, a| to_integer(vm, a[0], Term::int(10))),
    ("list_to_integer", 2, |vm, a| to_integer(vm, a[0], a[1])),
    ("binary_to_integer", 1, |vm, a| to_integer(vm, a[0], Term::int(10))),
    ("binary_to_integer", 2, |vm, a| to_integer(vm, a[0], a[1])),
    ("float_to_list", 1, |vm, a| {
        let text = float_text(vm, a[0], Term::NIL)?;
        Ok(vm.heap.string(&text))
    }),
    ("float_to_list", 2, |vm, a| {
        let text = float_text(vm, a[0], a[1])?;
        Ok(vm.heap.string(&text))
    }),
    ("float_to_binary", 1, |vm, a| {
        let text = float_text(vm, a[0], Term::NIL)?;
        Ok(vm.heap.binary(text.as_bytes()))
    }),
    ("float_to_binary", 2, |vm, a| {
        let text = float_text(vm, a[0], a[1])?;
        Ok(vm.heap.binary(text.as_bytes()))
    }),
    ("list_to_float", 1, to_float),
    ("binary_to_float", 1, to_float),
    ("list_to_pid", 1, |vm, a| {
        let text = vm.text_of(a[0]).ok_or_else(badarg)?;
        let number = text.strip_prefix("<0.").and_then(|rest| rest.strip_suffix(".0>"));
        let process = number.and_then(|number| number.parse::<u32>().ok()).ok_or_else(badarg)?;
        match (process as usize) < vm.processes.len() {
            true => Ok(Term::pid(process)),
            false => Err(badarg()),
        }
    }),
    ("pid_to_list", 1, |vm, a| {
        let process = a[0].as_pid().ok_or_else(badarg)?;
        Ok(vm.heap.string(&format!("<0.{process}.0>")))
    }),
    ("ref_to_list", 1, |vm, a| {
        let (process, number) = vm.heap.as_ref(a[0]).ok_or_else(badarg)?;
        Ok(vm.heap.string(&format!("#Ref<0.{process}.{number}>")))
    }),
    ("fun_to_list", 1, |vm, a| {
        if let Some(place) = vm.heap.as_kind(a[0], Kind::Fun) {
            let number = vm.heap.word(place + 1).as_small().ok_or_else(badarg)?;
            let Lambda { module, index, unique, .. } = vm.code.lambdas[number as usize];
            let text = format!("#Fun<{}.{index}.{unique}>", vm.atoms.name(module));
            return Ok(vm.heap.string(&text));
        }
        if vm.fun_arity(a[0]).is_none() {
            return Err(badarg());
        }
        let text = vm.show(a[0], 200);
        Ok(vm.heap.string(&text))
    }),
];

pub(super) const STRING: &[Entry] = &[
    ("list_to_integer", 1, |vm, a| parse_prefix(vm, a[0], false)),
    ("list_to_float", 1, |vm, a| parse_prefix(vm, a[0], true)),
];

pub(super) const ERTS_INTERNAL: &[Entry] = &[
    // What `string:list_to_integer/1` calls since Erlang/OTP 26, with the base 10. What is wrong comes
    // without a tag.
    ("list_to_integer", 2, |vm, a| {
        a[1].as_small().filter(|base| *base == 10).ok_or_else(badarg)?;
        let result = parse_prefix(vm, a[0], false)?;
        let [first, second] = vm.heap.tuple_of::<2>(result).ok_or_else(badarg)?;
        Ok(if first.is_atom(atom::ERROR) { second } else { result })
    }),
];

/// Reads the number that a list of characters starts with: the number, and the rest.
fn parse_prefix(vm: &mut Vm, list: Term, float: bool) -> Out {
    let tagged = |vm: &mut Vm, what: &str| {
        let what = Term::atom(vm.atoms.intern(what));
        vm.heap.tuple(&[Term::atom(atom::ERROR), what])
    };
    if !list.is_list() {
        return Ok(tagged(vm, "not_a_list"));
    }
    let (mut text, mut rest) = (String::new(), list);
    let mut best: Option<(String, Term)> = None;
    while let Some(cons) = rest.as_cons() {
        let c = vm.heap.head(cons).as_small().and_then(|c| char::from_u32(u32::try_from(c).ok()?));
        let Some(c) = c else { break };
        let last = text.chars().last();
        let belongs = match c {
            '0'..='9' => true,
            '+' | '-' => text.is_empty() || float && matches!(last, Some('e' | 'E')),
            '.' => float && !text.contains(['.', 'e']) && last.is_some_and(|c| c.is_ascii_digit()),
            'e' | 'E' => {
                float
                    && text.contains('.')
                    && !text.contains(['e', 'E'])
                    && last.is_some_and(|c| c.is_ascii_digit())
            }
            _ => false,
        };
        if !belongs {
            break;
        }
        text.push(c);
        rest = vm.heap.tail(cons);
        let is_number = c.is_ascii_digit() && (!float || text.contains('.'));
        if is_number {
            best = Some((text.clone(), rest));
        }
    }
    let Some((number, rest)) = best else {
        return Ok(tagged(vm, if float { "no_float" } else { "no_integer" }));
    };
    let value = match float {
        true => {
            let value = number.parse::<f64>().ok().filter(|value| value.is_finite());
            vm.heap.float(value.ok_or_else(badarg)?)
        }
        false => {
            let value: BigInt = number.trim_start_matches('+').parse().map_err(|_| badarg())?;
            Number::from(value).into_term(&mut vm.heap)
        }
    };
    Ok(vm.heap.tuple(&[value, rest]))
}

pub(super) const UNICODE: &[Entry] = &[
    ("characters_to_list", 1, |vm, a| characters(vm, a[0], Encoding::Utf8, true)),
    ("characters_to_list", 2, |vm, a| {
        let encoding = encoding(a[1])?;
        characters(vm, a[0], encoding, true)
    }),
    ("characters_to_binary", 1, |vm, a| characters(vm, a[0], Encoding::Utf8, false)),
    ("characters_to_binary", 2, |vm, a| {
        let encoding = encoding(a[1])?;
        characters(vm, a[0], encoding, false)
    }),
    ("characters_to_binary", 3, |vm, a| match (encoding(a[1])?, encoding(a[2])?) {
        (from, Encoding::Utf8) => characters(vm, a[0], from, false),
        (from, Encoding::Latin1) => {
            let mut text = Vec::new();
            if !collect(vm, a[0], from, &mut text) {
                return Err(badarg());
            }
            let bytes: Option<Vec<u8>> = text.iter().map(|c| u8::try_from(*c).ok()).collect();
            Ok(vm.heap.binary(&bytes.ok_or_else(badarg)?))
        }
    }),
    ("bin_is_7bit", 1, |vm, a| {
        Ok(Term::bool(vm.heap.binary_bytes(a[0]).is_some_and(|bytes| bytes.is_ascii())))
    }),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Latin1,
}

fn encoding(term: Term) -> Result<Encoding, Stop> {
    match term.as_atom() {
        Some(atom::UTF8 | atom::UNICODE) => Ok(Encoding::Utf8),
        Some(atom::LATIN1) => Ok(Encoding::Latin1),
        _ => Err(badarg()),
    }
}

/// Collects the characters of a deep list of characters and binaries. Whether it is one.
fn collect(vm: &Vm, term: Term, encoding: Encoding, text: &mut Vec<u32>) -> bool {
    let mut rest = term;
    while let Some(cons) = rest.as_cons() {
        let head = vm.heap.head(cons);
        let is_fine = match head.as_small() {
            Some(c) => u32::try_from(c).ok().and_then(char::from_u32).is_some_and(|c| {
                text.push(c as u32);
                true
            }),
            None => collect(vm, head, encoding, text),
        };
        if !is_fine {
            return false;
        }
        rest = vm.heap.tail(cons);
    }
    if rest.is_nil() {
        return true;
    }
    let Some(bytes) = vm.heap.binary_bytes(rest) else { return false };
    match encoding {
        Encoding::Latin1 => text.extend(bytes.into_iter().map(u32::from)),
        Encoding::Utf8 => match std::str::from_utf8(&bytes) {
            Ok(part) => text.extend(part.chars().map(|c| c as u32)),
            Err(_) => return false,
        },
    }
    true
}

fn characters(vm: &mut Vm, term: Term, encoding: Encoding, to_list: bool) -> Out {
    let mut text = Vec::new();
    if !collect(vm, term, encoding, &mut text) {
        let is_data = term.is_list() || vm.heap.as_bits(term).is_some();
        if !is_data {
            return Err(badarg());
        }
        // What could be converted, and all the rest.
        let so_far = if to_list { Term::NIL } else { vm.heap.binary(&[]) };
        return Ok(vm.heap.tuple(&[Term::atom(atom::ERROR), so_far, term]));
    }
    if to_list {
        let list: Vec<Term> = text.into_iter().map(|c| Term::int(c.into())).collect();
        return Ok(vm.heap.list(&list));
    }
    let text: String = text.into_iter().filter_map(char::from_u32).collect();
    Ok(vm.heap.binary(text.as_bytes()))
}

fn atom_to_binary(vm: &mut Vm, a: &[Term]) -> Out {
    let name = vm.atoms.name(a[0].as_atom().ok_or_else(badarg)?).to_owned();
    Ok(vm.heap.binary(name.as_bytes()))
}

fn to_atom(vm: &mut Vm, text: Term, create: bool) -> Out {
    let name = vm.text_of(text).filter(|name| name.chars().count() < 256).ok_or_else(badarg)?;
    match create {
        true => Ok(Term::atom(vm.atoms.intern(&name))),
        false => vm.atoms.find(&name).map(Term::atom).ok_or_else(badarg),
    }
}

fn base(term: Term) -> Result<u32, Stop> {
    term.as_small().filter(|base| (2..=36).contains(base)).map(|b| b as u32).ok_or_else(badarg)
}

fn integer_text(vm: &Vm, term: Term, radix: Term) -> Result<String, Stop> {
    let value = vm.heap.as_integer(term).ok_or_else(badarg)?;
    Ok(value.to_str_radix(base(radix)?).to_uppercase())
}

fn to_integer(vm: &mut Vm, text: Term, radix: Term) -> Out {
    let text = vm.text_of(text).ok_or_else(badarg)?;
    let radix = base(radix)?;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(&text);
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(badarg());
    }
    let value = BigInt::parse_bytes(text.trim_start_matches('+').as_bytes(), radix);
    Ok(Number::from(value.ok_or_else(badarg)?).into_term(&mut vm.heap))
}

fn to_float(vm: &mut Vm, a: &[Term]) -> Out {
    let text = vm.text_of(a[0]).ok_or_else(badarg)?;
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (&text[..], None),
    };
    let is_digits = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let unsigned = |part: &str| part.strip_prefix(['+', '-']).map(str::to_owned);
    let mantissa = unsigned(mantissa).unwrap_or_else(|| mantissa.to_owned());
    let has_point =
        mantissa.split_once('.').is_some_and(|(whole, part)| is_digits(whole) && is_digits(part));
    let exponent = exponent.map(|e| unsigned(e).unwrap_or_else(|| e.to_owned()));
    if !has_point || exponent.is_some_and(|exponent| !is_digits(&exponent)) {
        return Err(badarg());
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(vm.heap.float(value)),
        _ => Err(badarg()),
    }
}

fn float_text(vm: &Vm, term: Term, options: Term) -> Result<String, Stop> {
    let value = vm.heap.as_float(term).ok_or_else(badarg)?;
    let (mut decimals, mut scientific, mut compact, mut short) = (None, None, false, false);
    for option in vm.heap.elements_of_list(options).ok_or_else(badarg)? {
        match (option.as_atom(), vm.heap.tuple_of::<2>(option)) {
            (Some(atom::COMPACT), _) => compact = true,
            (Some(atom::SHORT), _) => short = true,
            (_, Some([key, count])) => {
                let count = count.as_small().and_then(|count| usize::try_from(count).ok());
                let count = count.filter(|count| *count < 254).ok_or_else(badarg)?;
                match key.as_atom() {
                    Some(atom::DECIMALS) => (decimals, scientific) = (Some(count), None),
                    Some(atom::SCIENTIFIC) => (decimals, scientific) = (None, Some(count)),
                    _ => return Err(badarg()),
                }
            }
            _ => return Err(badarg()),
        }
    }
    if short {
        return Ok(show_float(value));
    }
    if let Some(decimals) = decimals {
        let mut text = with_decimals(value, decimals);
        if compact && text.contains('.') {
            let trimmed = text.trim_end_matches('0');
            text = if trimmed.ends_with('.') { format!("{trimmed}0") } else { trimmed.to_owned() };
        }
        return Ok(text);
    }
    let digits = scientific.unwrap_or(20);
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').ok_or_else(badarg)?;
    let exponent: i32 = exponent.parse().map_err(|_| badarg())?;
    let sign = if exponent < 0 { '-' } else { '+' };
    Ok(format!("{mantissa}e{sign}{:02}", exponent.abs()))
}

/// A float with so many digits behind its point; halves are rounded up, as the real machine does.
fn with_decimals(value: f64, decimals: usize) -> String {
    if value.abs() >= 9e15 || decimals > 15 {
        return format!("{value:.decimals$}");
    }
    let scale = 10u64.pow(decimals as u32);
    let (mut whole, fraction) = (value.abs().trunc() as u64, value.abs().fract());
    let mut digits = (fraction * scale as f64 + 0.5).floor() as u64;
    if digits >= scale {
        (whole, digits) = (whole + 1, digits - scale);
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    match decimals {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{digits:0decimals$}"),
    }
}
