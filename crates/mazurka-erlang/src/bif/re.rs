//! `re`: regular expressions.
//!
//! A compiled pattern looks like a real one from outside: `{re_pattern, Groups, Unicode, 0, Code}`. Its
//! code is a [mark](MARK), the options and the text of the pattern. A pattern without the mark was
//! compiled by PCRE and is refused.

use std::ops::Range;

use crate::regex::{Flags, Match, Problem, Regex, TooLong, Wanted};
use crate::term::{Term, atom};
use crate::vm::natives::Entry;
use crate::vm::{Out, Stop, Vm, badarg};

pub(super) const RE: &[Entry] = &[
    // Not a version of PCRE: libraries that keep compiled patterns in their modules, as those of
    // Elixir do, compare the versions and compile the pattern again.
    ("version", 0, |vm, _| Ok(vm.heap.binary(b"8.44 mazurka"))),
    ("compile", 1, |vm, a| compile(vm, a[0], Term::NIL)),
    ("compile", 2, |vm, a| compile(vm, a[0], a[1])),
    ("run", 2, |vm, a| run(vm, a[0], a[1], Term::NIL)),
    ("run", 3, |vm, a| run(vm, a[0], a[1], a[2])),
    ("inspect", 2, inspect),
];

/// What the code of patterns that Mazurka has compiled starts with.
const MARK: &[u8] = b"mazurka:";

/// All options, of both compiling and running.
#[derive(Default)]
struct Options {
    flags: Flags,
    wanted: Wanted,
    offset: usize,
    global: bool,
    report_errors: bool,
    capture: Option<Term>,
    /// Whether a capture is shown as text or as a binary, and not as a place.
    capture_type: Option<Term>,
}

fn refuse(vm: &mut Vm, what: &str) -> Stop {
    vm.refuse(format!("a regular expression with {what}, which Mazurka does not support"))
}

fn options(vm: &mut Vm, list: Term) -> Result<Options, Stop> {
    let mut options = Options::default();
    for option in vm.heap.elements_of_list(list).ok_or_else(badarg)? {
        let Some(name) = option.as_atom() else {
            let parts = vm.heap.elements(option).ok_or_else(badarg)?;
            let name = parts.first().and_then(|name| name.as_atom()).ok_or_else(badarg)?;
            match (vm.atoms.name(name), &parts[1..]) {
                ("capture", [what]) => options.capture = Some(*what),
                ("capture", [what, kind]) => {
                    options.capture = Some(*what);
                    let is_index =
                        kind.as_atom().is_some_and(|kind| vm.atoms.name(kind) == "index");
                    options.capture_type = (!is_index).then_some(*kind);
                }
                ("offset", [offset]) => {
                    let offset = offset.as_small().and_then(|n| usize::try_from(n).ok());
                    options.offset = offset.ok_or_else(badarg)?;
                }
                ("newline", [kind]) if kind.as_atom().is_some_and(|k| vm.atoms.name(k) == "lf") => {
                }
                ("match_limit" | "match_limit_recursion", [_]) => {}
                ("newline", _) => return Err(refuse(vm, "the option newline")),
                _ => return Err(badarg()),
            }
            continue;
        };
        let (flags, wanted) = (&mut options.flags, &mut options.wanted);
        let name = vm.atoms.name(name).to_owned();
        match name.as_str() {
            "unicode" => flags.unicode = true,
            "caseless" => flags.caseless = true,
            "multiline" => flags.multiline = true,
            "dotall" => flags.dot_all = true,
            "extended" => flags.extended = true,
            "ungreedy" => flags.ungreedy = true,
            "dollar_endonly" => flags.dollar_end_only = true,
            "no_auto_capture" => flags.no_auto_capture = true,
            "anchored" => wanted.anchored = true,
            "notempty" => wanted.not_empty = true,
            "notempty_atstart" => wanted.not_empty_at_start = true,
            "global" => options.global = true,
            "report_errors" => options.report_errors = true,
            "no_start_optimize" | "bsr_unicode" | "dupnames" | "never_utf" => {}
            "firstline" | "notbol" | "noteol" | "ucp" | "bsr_anycrlf" => {
                return Err(refuse(vm, &format!("the option {name}")));
            }
            _ => return Err(badarg()),
        }
    }
    Ok(options)
}

/// A subject or pattern, by characters, and where each of them starts among its bytes.
struct Text {
    bytes: Vec<u8>,
    chars: Vec<u32>,
    /// One more than there are characters; none if each is a byte.
    places: Option<Vec<usize>>,
}

impl Text {
    fn of(vm: &mut Vm, term: Term, unicode: bool) -> Result<Text, Stop> {
        let bytes = match unicode {
            true => vm.text_of(term).ok_or_else(badarg)?.into_bytes(),
            false => vm.bytes_in(term)?,
        };
        Text::new(bytes, unicode).ok_or_else(badarg)
    }

    fn new(bytes: Vec<u8>, unicode: bool) -> Option<Text> {
        if !unicode {
            let chars = bytes.iter().map(|byte| u32::from(*byte)).collect();
            return Some(Text { bytes, chars, places: None });
        }
        let text = std::str::from_utf8(&bytes).ok()?;
        let mut places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        places.push(bytes.len());
        let chars = text.chars().map(u32::from).collect();
        Some(Text { bytes, chars, places: Some(places) })
    }

    fn place(&self, char: usize) -> usize {
        self.places.as_ref().map_or(char, |places| places[char])
    }

    fn char_at(&self, place: usize) -> Option<usize> {
        match &self.places {
            Some(places) => places.binary_search(&place).ok(),
            None => (place <= self.bytes.len()).then_some(place),
        }
    }

    fn range(&self, (from, to): (usize, usize)) -> Range<usize> {
        // A look behind may have moved the start beyond the end.
        let (from, to) = (self.place(from), self.place(to));
        from..to.max(from)
    }
}

/// The flags, as a number that is kept with a pattern.
fn pack(options: &Options) -> u8 {
    let flags = &options.flags;
    [
        flags.caseless,
        flags.multiline,
        flags.dot_all,
        flags.extended,
        flags.ungreedy,
        flags.dollar_end_only,
        flags.no_auto_capture,
        options.wanted.anchored,
    ]
    .iter()
    .enumerate()
    .fold(0, |packed, (bit, flag)| packed | u8::from(*flag) << bit)
}

fn unpack(packed: u8, unicode: bool) -> (Flags, bool) {
    let bit = |bit: u8| packed >> bit & 1 == 1;
    let flags = Flags {
        caseless: bit(0),
        multiline: bit(1),
        dot_all: bit(2),
        extended: bit(3),
        ungreedy: bit(4),
        dollar_end_only: bit(5),
        no_auto_capture: bit(6),
        unicode,
    };
    (flags, bit(7))
}

fn compile(vm: &mut Vm, pattern: Term, list: Term) -> Out {
    let options = options(vm, list)?;
    let unicode = options.flags.unicode;
    let text = Text::of(vm, pattern, unicode)?;
    match Regex::new(&text.chars, options.flags) {
        Ok(regex) => {
            let mut code = MARK.to_vec();
            code.push(pack(&options));
            code.extend_from_slice(&text.bytes);
            let code = vm.heap.binary(&code);
            let tag = Term::atom(vm.atoms.intern("re_pattern"));
            let groups = Term::int(regex.groups as i64);
            let parts = [tag, groups, Term::int(unicode.into()), Term::int(0), code];
            let compiled = vm.heap.tuple(&parts);
            Ok(vm.heap.tuple(&[Term::atom(atom::OK), compiled]))
        }
        Err(Problem::Unsupported(what)) => Err(refuse(vm, what)),
        Err(Problem::Wrong(what, at)) => {
            let what = vm.heap.string(what);
            let problem = vm.heap.tuple(&[what, Term::int(at as i64)]);
            Ok(vm.heap.tuple(&[Term::atom(atom::ERROR), problem]))
        }
    }
}

/// Returns the pattern that a compiled one was made of and whether it is anchored, or `None` if the
/// term is not a compiled pattern.
fn compiled(vm: &mut Vm, term: Term) -> Result<Option<(Regex, bool)>, Stop> {
    let Some([tag, _, unicode, _, code]) = vm.heap.tuple_of::<5>(term) else { return Ok(None) };
    let is_pattern = tag.as_atom().is_some_and(|tag| vm.atoms.name(tag) == "re_pattern");
    let Some(code) = vm.heap.binary_bytes(code).filter(|_| is_pattern) else { return Ok(None) };
    let Some((packed, pattern)) = code.strip_prefix(MARK).and_then(<[u8]>::split_first) else {
        let text = "a regular expression that was compiled by another system, which Mazurka does \
                    not support: compile it with re:compile/2 when the program runs";
        return Err(vm.refuse(text.into()));
    };
    let (flags, anchored) = unpack(*packed, unicode.as_small() == Some(1));
    let text = Text::new(pattern.to_vec(), flags.unicode).ok_or_else(badarg)?;
    let regex = Regex::new(&text.chars, flags).map_err(|_| badarg())?;
    Ok(Some((regex, anchored)))
}

fn inspect(vm: &mut Vm, a: &[Term]) -> Out {
    let (regex, _) = compiled(vm, a[0])?.ok_or_else(badarg)?;
    let names: Vec<Term> = regex.names.iter().map(|(n, _)| vm.heap.binary(n.as_bytes())).collect();
    let names = vm.heap.list(&names);
    match a[1].as_atom().map(|item| vm.atoms.name(item)) {
        Some("namelist") => Ok(vm.heap.tuple(&[a[1], names])),
        _ => Err(badarg()),
    }
}

fn run(vm: &mut Vm, subject: Term, pattern: Term, list: Term) -> Out {
    let mut options = options(vm, list)?;
    let regex = match compiled(vm, pattern)? {
        Some((regex, anchored)) => {
            options.flags.unicode = regex.is_unicode();
            options.wanted.anchored |= anchored;
            regex
        }
        None => {
            let text = Text::of(vm, pattern, options.flags.unicode)?;
            match Regex::new(&text.chars, options.flags) {
                Ok(regex) => regex,
                Err(Problem::Unsupported(what)) => return Err(refuse(vm, what)),
                Err(Problem::Wrong(what, at)) if options.report_errors => {
                    let what = vm.heap.string(what);
                    let problem = vm.heap.tuple(&[what, Term::int(at as i64)]);
                    let kind = Term::atom(vm.atoms.intern("compile"));
                    let problem = vm.heap.tuple(&[kind, problem]);
                    return Ok(vm.heap.tuple(&[Term::atom(atom::ERROR), problem]));
                }
                Err(_) => return Err(badarg()),
            }
        }
    };
    let subject = Text::of(vm, subject, options.flags.unicode)?;
    let start = subject.char_at(options.offset).ok_or_else(badarg)?;
    let Ok(matches) = find(&regex, &subject, start, &options) else {
        return Err(refuse(vm, "so much backtracking"));
    };
    if matches.is_empty() {
        return Ok(Term::atom(vm.atoms.intern("nomatch")));
    }
    let groups = captured_groups(vm, &regex, options.capture)?;
    let tag = Term::atom(vm.atoms.intern("match"));
    let Some(groups) = groups else { return Ok(tag) };
    let mut results = Vec::new();
    for found in &matches {
        results.push(captures(vm, &subject, found, &groups, &options)?);
    }
    let result = if options.global { vm.heap.list(&results) } else { results[0] };
    Ok(vm.heap.tuple(&[tag, result]))
}

/// All matches, or the first.
fn find(
    regex: &Regex,
    subject: &Text,
    start: usize,
    options: &Options,
) -> Result<Vec<Match>, TooLong> {
    let (mut at, mut wanted, mut matches) = (start, options.wanted, Vec::new());
    loop {
        let found = regex.find(&subject.chars, at, wanted)?;
        let end = found.as_ref().and_then(|found| found[0]);
        match (found, end) {
            (Some(found), Some((from, to))) => {
                matches.push(found);
                if !options.global {
                    return Ok(matches);
                }
                // Behind an empty match there may be one that is not, at the same place.
                let is_empty = from == to;
                at = to;
                wanted.anchored = options.wanted.anchored || is_empty;
                wanted.not_empty_at_start = options.wanted.not_empty_at_start || is_empty;
            }
            _ if wanted.anchored && !options.wanted.anchored && at < subject.chars.len() => {
                at += 1;
                wanted = options.wanted;
            }
            _ => return Ok(matches),
        }
    }
}

/// The groups that are returned: none, all that are set, or a selection.
enum Groups {
    From(usize),
    These(Vec<Option<usize>>),
}

fn captured_groups(vm: &Vm, regex: &Regex, capture: Option<Term>) -> Result<Option<Groups>, Stop> {
    let Some(capture) = capture else { return Ok(Some(Groups::From(0))) };
    if let Some(name) = capture.as_atom() {
        return Ok(match vm.atoms.name(name) {
            "all" => Some(Groups::From(0)),
            "all_but_first" => Some(Groups::From(1)),
            "first" => Some(Groups::These(vec![Some(0)])),
            "all_names" => {
                let groups = regex.names.iter().map(|(_, group)| Some(*group)).collect();
                Some(Groups::These(groups))
            }
            "none" => None,
            _ => return Err(badarg()),
        });
    }
    let mut groups = Vec::new();
    for id in vm.heap.elements_of_list(capture).ok_or_else(badarg)? {
        let name = match (id.as_small(), id.as_atom()) {
            (Some(number), _) => {
                let number = usize::try_from(number).map_err(|_| badarg())?;
                groups.push((number <= regex.groups).then_some(number));
                continue;
            }
            (_, Some(name)) => vm.atoms.name(name).to_owned(),
            _ => vm.text_of(id).ok_or_else(badarg)?,
        };
        let found = regex.names.iter().find(|(known, _)| *known == name);
        groups.push(found.map(|(_, group)| *group));
    }
    Ok(if groups.is_empty() { None } else { Some(Groups::These(groups)) })
}

fn captures(vm: &mut Vm, subject: &Text, found: &Match, groups: &Groups, options: &Options) -> Out {
    let places: Vec<Option<(usize, usize)>> = match groups {
        Groups::From(first) => {
            let last = found.iter().rposition(|group| group.is_some()).map_or(0, |last| last + 1);
            found[(*first).min(last)..last].to_vec()
        }
        Groups::These(groups) => {
            groups.iter().map(|group| group.and_then(|group| found[group])).collect()
        }
    };
    let mut terms = Vec::new();
    for place in places {
        let range = place.map(|place| subject.range(place));
        let bytes = |range: &Option<Range<usize>>| {
            range.clone().map(|range| subject.bytes[range].to_vec()).unwrap_or_default()
        };
        terms.push(match options.capture_type.and_then(|kind| kind.as_atom()) {
            None => {
                let (from, len) = range.map_or((-1, 0), |r| (r.start as i64, r.len() as i64));
                vm.heap.tuple(&[Term::int(from), Term::int(len)])
            }
            Some(kind) => match vm.atoms.name(kind) {
                "binary" => vm.heap.binary(&bytes(&range)),
                "list" if options.flags.unicode => {
                    let text = String::from_utf8_lossy(&bytes(&range)).into_owned();
                    vm.heap.string(&text)
                }
                "list" => {
                    let chars: Vec<Term> =
                        bytes(&range).iter().map(|byte| Term::int((*byte).into())).collect();
                    vm.heap.list(&chars)
                }
                _ => return Err(badarg()),
            },
        });
    }
    Ok(vm.heap.list(&terms))
}
