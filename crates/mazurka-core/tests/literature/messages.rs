//! Programs that pass messages.

use crate::toy::{Do, Process, Toy, run, sequence};
use mazurka_core::search::Algorithm::{self, Dpor, Naive, Observers, Optimal, Source};

fn counts(toy: Toy, algorithm: Algorithm) -> (u64, u64) {
    let verdict = run(toy, algorithm);
    assert!(verdict.is_complete());
    assert_eq!(verdict.violations, []);
    (verdict.executions, verdict.blocked)
}

const ANY: fn(u64, u64) -> bool = |_, _| true;
const IS: fn(u64, u64) -> bool = |value, wanted| value == wanted;

/// Senders of the values from 1 to `n`, and somebody who takes `n` messages.
fn senders(n: u64, take: impl Fn(u64) -> Do) -> Toy {
    let mut processes: Vec<Process> = (1..=n).map(|i| sequence(vec![Do::Send(0, i)])).collect();
    processes.push(sequence((1..=n).map(take).collect()));
    Toy::new(&[], processes)
}

fn not_selective(n: u64) -> Toy {
    senders(n, |_| Do::Take(0, ANY, 0))
}

fn selective(n: u64) -> Toy {
    senders(n, |i| Do::Take(0, IS, i))
}

/// Workers that acquire and release a lock which is a process of its own. Mailbox 0 is the
/// lock's, and takes the numbers of workers, or 0 for a release.
fn lock(n: u64) -> Toy {
    let not_zero: fn(u64, u64) -> bool = |value, _| value != 0;
    let lock: Process = Box::new(move |history: &[u64]| {
        let (round, at) = (history.len() as u64 / 3, history.len() % 3);
        Some(match at {
            0 if round == n => Do::Idle(0),
            0 => Do::Take(0, not_zero, 0),
            1 => Do::Send(history[history.len() - 1] as u32, 1),
            _ => Do::Take(0, IS, 0),
        })
    });
    let worker =
        |i: u64| sequence(vec![Do::Send(0, i), Do::Take(i as u32, ANY, 0), Do::Send(0, 0)]);
    let mut processes = vec![lock];
    processes.extend((1..=n).map(worker));
    Toy::new(&[], processes)
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn any_message_each_time() {
    for n in 2..=5 {
        let expected = (factorial(n), 0);
        assert_eq!(counts(not_selective(n), Optimal), expected, "{n}");
        assert_eq!(counts(not_selective(n), Observers), expected, "{n}");
    }
    assert_eq!(counts(not_selective(3), Source).0, 6);
    assert_eq!(counts(not_selective(3), Dpor).0, 6);
}

#[test]
fn one_message_after_the_other() {
    for n in 2..=6 {
        assert_eq!(counts(selective(n), Optimal), (factorial(n), 0), "{n}");
        assert_eq!(counts(selective(n), Observers), (1, 0), "{n}");
    }
}

#[test]
fn a_lock_is_a_process() {
    for (n, optimal) in [(2, 4), (3, 30), (4, 336), (5, 5040)] {
        assert_eq!(counts(lock(n), Optimal), (optimal, 0), "{n}");
        assert_eq!(counts(lock(n), Observers), (factorial(n), 0), "{n}");
    }
}

#[test]
fn one_receive_from_several_senders() {
    let blocking = |n: u64| {
        let mut processes: Vec<Process> = (1..=n).map(|i| sequence(vec![Do::Send(0, i)])).collect();
        processes.push(sequence(vec![Do::Take(0, ANY, 0)]));
        Toy::new(&[], processes)
    };
    for n in 2..=6 {
        assert_eq!(counts(blocking(n), Observers), (n, 0), "{n}");
    }
    // It may also come before both.
    let polling = || {
        let senders = [1, 2].map(|i| sequence(vec![Do::Send(0, i)]));
        let mut processes: Vec<Process> = senders.into_iter().collect();
        processes.push(sequence(vec![Do::TryTake(0, ANY, 0)]));
        Toy::new(&[], processes)
    };
    assert_eq!(counts(polling(), Observers), (3, 0));
}

/// Section 3.2 of the paper: what the first receive takes decides whether there is a second, and
/// so whether the order of other messages matters.
#[test]
fn a_receive_decides_what_is_observed_later() {
    // Tagged messages: 1x has tag A, 2x has tag B.
    let tag: fn(u64, u64) -> bool = |value, tag| value / 10 == tag;
    let toy = || {
        let p = sequence(vec![Do::Send(0, 20), Do::Send(0, 10)]);
        let q = sequence(vec![Do::Send(0, 11)]);
        let s = sequence(vec![Do::Send(0, 22)]);
        let r: Process = Box::new(move |history: &[u64]| match history {
            [] => Some(Do::Take(0, tag, 1)),
            [10] => Some(Do::Take(0, tag, 2)),
            _ => None,
        });
        Toy::new(&[], vec![p, q, s, r])
    };
    // The message of p first, and then either of those tagged B; or the message of q first.
    assert_eq!(counts(toy(), Observers), (3, 0));
    assert!(counts(toy(), Naive).0 > counts(toy(), Optimal).0);
}
