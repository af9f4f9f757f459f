//! Every explorer against brute force, on random programs with event loops.
//!
//! `MAZURKA_PROGRAMS` sets the number of programs, and `MAZURKA_SEED` the first seed. For many more
//! programs, see the example `loops`.

use mazurka_core::search::Algorithm;
use mazurka_testkit::loops::{
    Block, Compared, Loops, Statement, Thread, compare, random, random_with_events, report,
};
use mazurka_testkit::setting;

/// Programs with more interleavings are skipped.
const LIMIT: u64 = 2_000;

#[test]
fn explorers_agree_with_brute_force() {
    let (seed, programs) = (setting("MAZURKA_SEED", 1), setting("MAZURKA_PROGRAMS", 300));
    println!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS={programs}");
    let (mut skipped, mut stuck_classes) = (0, 0);
    for seed in (0..programs).map(|i| seed.wrapping_add(i)) {
        let loops = random(seed);
        match compare(&loops, LIMIT, &Algorithm::ALL) {
            Compared::Agreed { stuck, .. } => stuck_classes += stuck,
            Compared::Skipped => skipped += 1,
            Compared::Disagreed(_) => {
                let report = report(&loops, LIMIT, &Algorithm::ALL);
                panic!("MAZURKA_SEED={seed} MAZURKA_PROGRAMS=1:\n{report}");
            }
        }
    }
    println!("{skipped} of {programs} programs have more than {LIMIT} interleavings: skipped");
    assert!(skipped <= programs / 2, "{skipped} of {programs} programs were skipped");
    assert!(programs < 100 || stuck_classes > 0, "no program gets stuck");
}

/// Programs with more events and short handlers.
#[test]
fn the_order_of_many_events() {
    let algorithms = [Algorithm::EmDpor, Algorithm::EventDriven];
    let mut agreed = 0;
    for seed in 1..=40 {
        let loops = random_with_events(seed, 5);
        match compare(&loops, LIMIT, &algorithms) {
            Compared::Agreed { .. } => agreed += 1,
            Compared::Skipped => {}
            Compared::Disagreed(_) => panic!("{seed}:\n{}", report(&loops, LIMIT, &algorithms)),
        }
    }
    assert!(agreed > 10, "only {agreed} programs are small enough");
}

fn thread(code: Block) -> Thread {
    Thread { code, loops: false }
}

fn looper(code: Block) -> Thread {
    Thread { code, loops: true }
}

/// Returns the numbers of traces and classes of a program on which all explorers agree.
fn counts(loops: &Loops) -> (usize, usize) {
    match compare(
        loops,
        1_000_000,
        &[Algorithm::Optimal, Algorithm::EmDpor, Algorithm::EventDriven],
    ) {
        Compared::Agreed { traces, classes, .. } => (traces, classes),
        other => panic!("{other:?}"),
    }
}

/// Two parts with the same events and another last step: only one of them can be run.
#[test]
fn the_last_step_of_a_part_matters() {
    use Statement::{Post, Read, Write};
    let loops = Loops {
        threads: vec![looper(vec![Post(2), Post(1)]), thread(vec![Post(0), Write(2, 1)])],
        handlers: vec![
            (0, vec![Write(0, 1)]),
            (0, vec![Write(2, 1)]),
            (0, vec![Read(2), Write(0, 2)]),
        ],
    };
    counts(&loops);
}

/// A thread with a deadlock in a handler leaves events in its queue, and the class depends on
/// which.
#[test]
fn an_event_may_stay_in_the_queue_for_ever() {
    use Statement::{Locked, Post, Write};
    let crossed = |outer, inner| vec![Locked(outer, vec![Locked(inner, vec![])])];
    let loops = Loops {
        threads: vec![
            looper(vec![]),
            thread(crossed(0, 1)),
            thread(vec![Post(0)]),
            thread(vec![Post(1)]),
        ],
        handlers: vec![(0, crossed(1, 0)), (0, vec![Write(0, 1)])],
    };
    let (_, classes) = counts(&loops);
    // The locks in two orders, and a deadlock with and without the other event.
    assert_eq!(classes, 4);
}

/// A loop that quits handles no more events.
#[test]
fn an_event_may_come_too_late() {
    use Statement::{Post, Quit, Write};
    let loops = Loops {
        threads: vec![looper(vec![]), thread(vec![Post(0)]), thread(vec![Post(1)])],
        handlers: vec![(0, vec![Quit]), (0, vec![Write(0, 1)])],
    };
    assert_eq!(counts(&loops), (2, 2));
}

/// More than two handlers, on several threads, may contradict each other.
#[test]
fn handlers_contradict_each_other_across_threads() {
    use Statement::{Post, Write};
    let loops = Loops {
        threads: vec![
            looper(vec![]),
            looper(vec![Post(3), Post(0)]),
            thread(vec![Post(2), Post(1)]),
        ],
        handlers: vec![
            (0, vec![Write(1, 1)]),
            (1, vec![]),
            (0, vec![Write(1, 2)]),
            (1, vec![Write(1, 1)]),
        ],
    };
    assert_eq!(counts(&loops), (9, 6));
}

/// Each of several events may come too late, and so may all of them.
#[test]
fn several_events_may_come_too_late() {
    use Statement::{Locked, Post, Quit, Write};
    let behind_each_other = Loops {
        threads: vec![looper(vec![Post(2), Post(1)]), thread(vec![Post(0)]), thread(vec![Post(3)])],
        handlers: vec![(0, vec![Quit]), (0, vec![]), (0, vec![]), (0, vec![])],
    };
    assert_eq!(counts(&behind_each_other), (12, 6));
    let posted_by_a_handler = Loops {
        threads: vec![looper(vec![Post(0)]), thread(vec![Post(3)]), thread(vec![Post(1)])],
        handlers: vec![(0, vec![Post(2)]), (0, vec![]), (0, vec![]), (0, vec![Quit])],
    };
    assert_eq!(counts(&posted_by_a_handler), (11, 6));
    let crossed = |outer, inner| Locked(outer, vec![Locked(inner, vec![])]);
    let in_a_deadlock = Loops {
        threads: vec![
            looper(vec![Post(2)]),
            thread(vec![Post(1), crossed(0, 1)]),
            thread(vec![Post(0)]),
        ],
        handlers: vec![(0, vec![crossed(1, 0)]), (0, vec![Write(0, 2)]), (0, vec![Write(0, 2)])],
    };
    assert_eq!(counts(&in_a_deadlock), (18, 9));
}

/// The figures of the paper. The catalogue has their counts, too.
#[test]
fn the_figures_of_the_paper() {
    use Statement::{Locked, Post, Read, Spawn, Write};
    let posts = |event| thread(vec![Post(event)]);
    let figure_1 = Loops {
        threads: vec![looper(vec![]), posts(0), posts(1)],
        handlers: vec![(0, vec![Post(2)]), (0, vec![Write(1, 1)]), (0, vec![Write(0, 1)])],
    };
    assert_eq!(counts(&figure_1), (3, 1));
    let figure_3 = Loops {
        threads: vec![looper(vec![]), posts(0), posts(1), thread(vec![Write(0, 1)])],
        handlers: vec![(0, vec![Write(0, 2)]), (0, vec![Spawn(3)])],
    };
    assert_eq!(counts(&figure_3), (3, 2));
    let figure_5 = Loops {
        threads: vec![looper(vec![]), posts(0), posts(1)],
        handlers: vec![
            (0, vec![Post(2), Write(1, 2)]),
            (0, vec![Write(0, 5)]),
            (0, vec![Write(0, 6)]),
        ],
    };
    assert_eq!(counts(&figure_5), (3, 2));
    let figure_13 = Loops {
        threads: vec![looper(vec![]), thread(vec![Read(0)]), posts(0), posts(1)],
        handlers: vec![(0, vec![Read(0)]), (0, vec![Write(0, 1)])],
    };
    assert_eq!(counts(&figure_13), (4, 4));
    let figure_16 = Loops {
        threads: vec![looper(vec![]), thread(vec![Write(0, 1)]), posts(0), posts(1)],
        handlers: vec![(0, vec![Read(0)]), (0, vec![Read(0)])],
    };
    assert_eq!(counts(&figure_16), (6, 4));
    let figure_19 = Loops {
        threads: vec![
            looper(vec![]),
            thread(vec![Locked(0, vec![Write(0, 5), Write(1, 5)])]),
            posts(0),
            posts(1),
        ],
        handlers: vec![
            (0, vec![Locked(0, vec![Write(1, 1)])]),
            (0, vec![Locked(0, vec![Write(0, 1)])]),
        ],
    };
    assert_eq!(counts(&figure_19), (6, 4));
}
