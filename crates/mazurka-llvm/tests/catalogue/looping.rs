//! Programs that loop for ever: `unfolding` comes to an end with them, since it knows their states.
//! They run with all iterations of their loops, so that there is something to cut off.

use mazurka_core::search::{Algorithm, CutOffOrder, DataRaces, Options, UnfoldingOptions};
use mazurka_core::verdict::ViolationKind;
use mazurka_llvm::LlvmProgram;
use mazurka_llvm::compile::Source;

use crate::{check, load_changed, load_with, source};

/// Their races are meant.
fn options(unfolding: UnfoldingOptions) -> Options<'static> {
    let (algorithm, data_races) = (Algorithm::Unfolding, DataRaces::Ignore);
    Options { algorithm, keep_going: true, data_races, unfolding, ..Options::default() }
}

/// Says how the number of executions with cut-offs in an order differs from what is expected.
pub(crate) fn compare(program: &LlvmProgram, order: &str, expected: u64) -> Option<String> {
    let order = match order {
        "total" => CutOffOrder::Total,
        _ => CutOffOrder::Size,
    };
    let unfolding = UnfoldingOptions { order, ..UnfoldingOptions::default() };
    let verdict = check(program, &options(unfolding));
    let found = (verdict.executions, verdict.blocked, verdict.violations.len());
    match (found == (expected, 0, 0) && verdict.is_complete(), verdict.stopped) {
        (true, _) => None,
        (false, Some(bound)) => Some(bound.to_string()),
        (false, None) => Some(format!("executions {expected}, found {found:?}")),
    }
}

/// Whoever loops, and a change after which it fails.
const PROGRAMS: [(&str, &str, &str); 3] = [
    ("prodcons", "if (count < 6)", "if (count < 7)"),
    ("prodcons_two", "if (count[which] > 0)", "if (count[which] >= 0)"),
    (
        "pgsql",
        "flag[other] = 1;\n        latch[other] = 1;",
        "latch[other] = 1;\n        flag[other] = 1;",
    ),
];

#[test]
fn what_loops_for_ever_is_proved() {
    for (name, _, _) in PROGRAMS {
        let program = load_with(&Source::new([source(name)]), false).unwrap();
        for order in [CutOffOrder::Size, CutOffOrder::Total] {
            let unfolding = UnfoldingOptions { order, ..UnfoldingOptions::default() };
            let verdict = check(&program, &options(unfolding));
            assert!(verdict.violations.is_empty(), "{name}: {}", verdict.violations[0]);
            assert!(verdict.is_complete(), "{name}");
            assert!(verdict.unfolding.is_some_and(|unfolding| unfolding.cut_offs > 0), "{name}");
        }
    }
}

#[test]
fn what_is_wrong_is_found_though_it_loops_for_ever() {
    for (name, right, wrong) in PROGRAMS {
        let program = load_changed(name, right, wrong);
        let verdict = check(&program, &options(UnfoldingOptions::default()));
        let failed = verdict.violations.iter().any(|v| v.kind == ViolationKind::Assertion);
        assert!(failed, "{name}: {:?}", verdict.violations);
    }
}

#[test]
fn with_cut_offs_fewer_executions_are_run() {
    let mut files = Source::new([source("ssb_loop")]);
    files.defines = vec!["N=8".to_owned()];
    let program = load_with(&files, false).unwrap();
    let count = |cut_offs| {
        let unfolding = UnfoldingOptions { cut_offs, ..UnfoldingOptions::default() };
        check(&program, &options(unfolding)).executions
    };
    assert!(count(true) * 4 < count(false));
}

#[test]
fn the_cache_bounds_what_is_remembered() {
    let program = load_with(&Source::new([source("szymanski")]), false).unwrap();
    let most_events = |cache| {
        let unfolding = UnfoldingOptions { cache, ..UnfoldingOptions::default() };
        let verdict = check(&program, &options(unfolding));
        assert!(verdict.violations.is_empty() && verdict.is_complete(), "cache {cache:?}");
        verdict.unfolding.map_or(0, |unfolding| unfolding.most_events)
    };
    // What the current configuration needs, and as many again as the cache holds.
    let needed = most_events(Some(0));
    assert!(needed > 0 && most_events(None) > 10 * needed);
    for cache in [1, 10, 100] {
        let most = most_events(Some(cache));
        assert!(most <= 2 * (needed + cache), "cache {cache}: {most} events, {needed} needed");
    }
}
