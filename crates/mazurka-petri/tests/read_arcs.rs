//! Figure 2 of the unfolding paper: several transitions that read one place, and one that takes its
//! token.

use mazurka_core::explore::Checkable;
use mazurka_core::model::Program;
use mazurka_core::search::{Algorithm, Options, UnfoldingOptions};
use mazurka_core::verdict::Verdict;
use mazurka_petri::{Net, NetProgram, Transition};

/// Returns a net with `readers` transitions that fire once each while the place is marked, and one
/// that unmarks it.
fn net(readers: usize) -> Net {
    let mut net = Net::default();
    let shared = net.add_place("shared", true);
    for reader in 1..=readers {
        let before = net.add_place(format!("before {reader}"), true);
        let after = net.add_place(format!("after {reader}"), false);
        net.add_transition(Transition {
            name: format!("t{reader}"),
            takes: vec![before, shared],
            puts: vec![after, shared],
            ..Transition::default()
        });
    }
    let gone = net.add_place("gone", false);
    let name = format!("t{}", readers + 1);
    net.add_transition(Transition {
        name,
        takes: vec![shared],
        puts: vec![gone],
        ..Transition::default()
    });
    net
}

fn explored(net: Net, algorithm: Algorithm, cut_offs: bool) -> Verdict {
    let unfolding = UnfoldingOptions { cut_offs, ..UnfoldingOptions::default() };
    let options = Options { algorithm, unfolding, keep_going: true, ..Options::default() };
    NetProgram::explore(&mut NetProgram::new(net).start().unwrap(), &options, &mut ())
}

#[test]
fn readers_are_independent() {
    for readers in 0..6 {
        let verdict = explored(net(readers), Algorithm::Unfolding, false);
        let statistics = verdict.unfolding.unwrap();
        // The last transition has one event for each set of readers before it.
        assert_eq!(verdict.executions, 1 << readers, "{readers} readers");
        assert_eq!(statistics.events, readers as u64 + (1 << readers), "{readers} readers");
    }
}

#[test]
fn every_explorer_takes_nets() {
    for algorithm in [Algorithm::Source, Algorithm::Optimal] {
        assert_eq!(explored(net(4), algorithm, true).executions, 16, "{algorithm}");
    }
}

#[test]
fn every_end_is_a_deadlock() {
    let verdict = explored(net(2), Algorithm::Unfolding, true);
    let mut messages: Vec<_> = verdict.violations.iter().map(|v| v.message.as_str()).collect();
    messages.sort_unstable();
    assert_eq!(messages.len(), 4);
    assert!(
        messages[0].starts_with("no transition can fire: tokens are in after 1, after 2, gone")
    );
}
