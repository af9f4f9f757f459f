//! What processes can do to each other.
//!
//! Every case says how many Mazurkiewicz traces its program has, and why: which steps are in a race,
//! and which of their orders make a difference. That is worked out from the table of dependences in
//! `machine/perform.rs`; `naive` counts the traces among all interleavings, and `optimal` runs each of
//! them once. Where `observers` runs fewer, the case says so too.
//!
//! `docs/erlang-counts.md` tells the same to users.

mod common;

use common::cases::{Case, check};
use common::{outcomes, program};
use mazurka_core::search::Algorithm;

#[test]
fn links() {
    check(&[
        Case::of("links:trapped()", &["bye"])
            .ending_with(&["bye"])
            .counts(1, "the child ends, tells its parent, and that has waited for it"),
        Case::of("links:untrapped()", &["heard", "not_heard"]).ending_with(&["bye"]).counts(5, "the signal of the grandchild ends the child before it sends: 1, the first process hears nothing. \
             It comes between the send and the child's own end, or the child tells the grandchild before \
             that ends: 2, each with the message in time or not: 1 + 2 * 2"),
        Case::of("links:killed()", &["killed"])
            .ending_with(&["killed"])
            .counts(2, "`kill` comes before the child's process_flag, which is then never taken, or after"),
        Case::of("links:normal()", &["done"]).counts(2, "one of the two tells the other, which is alive, of its end, and so is told no more. The \
             message is lost in any case"),
        Case::of("links:race_with_trap()", &["bye", "{trapped,bye}"])
            .ending_with(&["bye", "trapped"])
            .counts(2, "exit/2 and the child's process_flag, in both orders"),
        Case::of("links:unlinked()", &["bye", "nothing"]).ending_with(&["bye"]).counts(2, "`unlink` comes before the child ends, or after that and its news, which are one step"),
        Case::of("links:asked()", &["0", "1", "2"]).counts(9, "the query comes before each `link`, between it and the end of its process, or after this end"),
    ]);
}

#[test]
fn exits() {
    check(&[
        Case::of("exits:caught()", &["{'EXIT',bye}"]).counts(1, "one process that does nothing visible"),
        Case::of("exits:own()", &["bye"])
            .ending_with(&["bye"])
            .counts(1, "the send and the end of its receiver are independent: the message is lost"),
        Case::of("exits:waiting()", &["bye"])
            .ending_with(&["bye"])
            .counts(1, "a process that waits does nothing that could come before the signal"),
        Case::of("exits:working()", &["hello", "nothing"])
            .ending_with(&["bye"])
            .counts(2, "the signal comes before the child's send, or after"),
        Case::of("exits:normal()", &["normal", "{told,normal}"])
            .ending_with(&["told"])
            .counts(2, "`normal` comes before the child's process_flag, and is nothing, or after, and is a message"),
        Case::of("exits:kill_itself()", &["killed"])
            .ending_with(&["killed"])
            .counts(1, "all steps of the child are its own, and its parent waits for the news"),
        Case::of("exits:kill_by_link()", &["kill"])
            .ending_with(&["kill"])
            .counts(1, "as links:trapped()"),
        Case::of("exits:first()", &["one", "two"]).ending_with(&["one", "two"]).counts(2, "either signal is first, and the other one finds a process that has been told to end"),
        Case::of("exits:flag()", &["bye", "{told,bye}"]).ending_with(&["bye", "told"]).counts(
            3,
            "the signal comes before the first process_flag, between the two, or after the second",
        ),
        Case::of("exits:before_spawn()", &["", "hello"])
            .ending_with(&["killed"])
            .counts(2, "`kill` arrives before the child creates a process, or after"),
        Case::of("exits:before_timer()", &["", "hello"])
            .ending_with(&["killed"])
            .counts(2, "`kill` arrives before the child starts a timer, or after"),
        Case::of("exits:cut_short()", &["one", "two"]).ending_with(&["killed"]).counts(
            5,
            "`kill` comes before the send: 1, there is only one message; or between that and the \
             process's own end, or after it, and the messages come in either order: 2 * 2",
        ),
    ]);
}

#[test]
fn suspensions() {
    check(&[
        Case::of("suspensions:before_send()", &["[hello,nothing]", "[nothing,nothing]"])
            .counts(2, "the child sends before it is suspended, or after the end of its suspender"),
        Case::of("suspensions:resumed()", &["[hello,nothing]", "[nothing,hello]", "[nothing,nothing]"])
            .counts(3, "the child sends before it is suspended, or after it is resumed: before or after the second receive"),
        Case::of("suspensions:twice()", &["[hello,nothing]", "[nothing,nothing]"])
            .counts(2, "as suspensions:before_send(): only the first call changes whether the child may run"),
        Case::of("suspensions:two()", &["hello"])
            .counts(10, "a suspender and its end are before those of the other one: 2; or both suspend before both end, in \
             any order, and the two messages come in either order: 2 * 2 * 2"),
        Case::of("suspensions:killed()", &["[killed,badarg]"])
            .ending_with(&["killed"])
            .counts(1, "a process that waits does nothing that could come before the signal"),
        Case::of("suspensions:abandoned()", &["hello"])
            .ending_with(&["bye"])
            .counts(1, "the child takes its message once its suspender has ended"),
        Case::of("suspensions:each_other()", &["done", "nothing"])
            .counts(2, "one of the two suspends the other one, which waits for its end"),
    ]);
}

#[test]
fn loading() {
    check(&[
        Case::of("loading:replaced()", &["one", "two"])
            .counts(2, "the call comes before the second version is loaded, or after"),
        Case::of("loading:deleted()", &["one", "undef"])
            .counts(2, "the call comes before the module is deleted, or after"),
        Case::of("loading:two()", &["one", "two"])
            .counts(4, "the loads in either order, and the messages in either order"),
    ]);
}

#[test]
fn group_leaders() {
    check(&[
        Case::of("leaders:own()", &["{true,{put_chars,unicode,<<\"text\">>}}"])
            .counts(1, "the first process waits for the answer of its group leader, which sends the request before"),
        Case::of("leaders:changed()", &["false", "true"])
            .counts(2, "the child reads its group leader before it is changed, or after"),
        Case::of("leaders:inherited()", &["false", "true"])
            .counts(2, "the child creates a process before its group leader is changed, or after"),
        Case::of("leaders:restored()", &["{put_chars,unicode,io_lib,format,[\"~p\",[1]]}"])
            .counts(1, "as leaders:own()"),
    ]);
}

#[test]
fn waits() {
    check(&[
        Case::of("waits:zero()", &["hello", "timeout"]).counts(2, "the send comes before the receive, or after"),
        Case::of("waits:finite()", &["hello", "timeout"])
            .counts(2, "any time may pass before the send: as with 0"),
        Case::of("waits:infinity()", &["hello"]).counts(1, "the receive waits for the send"),
        Case::of("waits:again()", &["[hello,nothing]", "[nothing,hello]", "[nothing,nothing]"])
            .counts(3, "the send comes before the first look, between the two, or after the second"),
        Case::of("waits:picky()", &["hello", "timeout"]).counts_with_observers(5, 2, "`hello` in time: the two messages in either order, 2; too late: the noise comes before the \
             timeout, between that and `hello`, or after, 3. With observers, only `hello` matters: it \
             comes before the timeout or after, 2"),
        Case::of("waits:sleep()", &["hello"]).counts(1, "a receive without patterns looks at no message"),
        Case::of("waits:bad()", &["hello", "timeout_value"]).counts(2, "as waits:zero()"),
    ]);
}

#[test]
fn monitors() {
    check(&[
        Case::of("monitors:end_of_child()", &["bye"])
            .ending_with(&["bye"])
            .counts(1, "the child ends, tells its parent, and that has waited for it"),
        Case::of("monitors:gone()", &["noproc", "normal"])
            .counts(2, "the child ends before it is monitored, or after"),
        Case::of("monitors:demonitored()", &["no_news"]).counts(2, "`demonitor` comes before the child ends, or after that and its news, which it takes away"),
        Case::of("monitors:late()", &["{reply,none}", "{timeout,late}", "{timeout,none}"])
            .counts(3, "the reply comes before the first receive, between that and `unalias`, or after"),
        Case::of("monitors:unheard()", &["done"]).counts_with_observers(
            2,
            1,
            "two messages to one mailbox, in either order; nobody takes them. Whether the owner of \
             the alias has ended by then is no matter",
        ),
        Case::of(
            "monitors:flushed()",
            &["undefined", "{message_queue_len,0}", "{message_queue_len,1}"],
        )
        .counts(6, "`demonitor` before the child ends: the question comes before or after the end of the process \
             asked, 2; or after the end and its news: the question comes before the news, before \
             `demonitor`, before the end, or after all, 4"),
        Case::of("monitors:replied()", &["normal", "reply"]).counts(2, "the reply comes before the server ends and tells of it, or after that, and is dropped"),
    ]);
}

#[test]
fn names() {
    check(&[
        Case::of("names:race()", &["found", "undefined"])
            .counts(2, "`register` and `whereis`, in both orders"),
        Case::of("names:gone()", &["undefined"]).counts(1, "the name is looked up after the news of the end"),
        Case::of("names:send()", &["badarg", "world"])
            .counts(2, "`register` and the send to the name, in both orders"),
        Case::of("names:twice()", &["[got_it,taken]"]).counts(
            4,
            "either process gets the name, and either tells first: 2 * 2. The receive takes any message",
        ),
        Case::of("names:unregistered()", &["badarg", "true"])
            .counts(2, "`unregister` comes before the process that has the name ends, or after"),
        Case::of("names:asked()", &["[]", "{registered_name,server}"])
            .counts(2, "`register` and `process_info`, in both orders"),
        Case::of("names:renamed()", &["false", "true"]).counts(
            2,
            "the two calls of `register` name one process, so only the first of them succeeds, in \
             either order; the child waits for ever",
        ),
    ]);
}

#[test]
fn timers() {
    check(&[
        Case::of("timers:fires()", &["tick"]).counts(1, "the receive waits for the timer"),
        Case::of("timers:cancelled()", &["in_time", "too_late"])
            .counts(2, "the timer goes off before it is cancelled, or not at all"),
        Case::of("timers:two()", &["{one,two}", "{two,one}"])
            .counts(2, "the two messages, in either order, whatever the times"),
    ]);
}

#[test]
fn clocks() {
    check(&[
        Case::of("clocks:message()", &["true"]).counts(1, "the receive waits for the message"),
        Case::of("clocks:entry()", &["true"]).counts(
            3,
            "the entry is inserted before it is looked up, after that, or not: the table is gone",
        ),
        Case::of("clocks:news()", &["true"])
            .ending_with(&["at"])
            .counts(1, "the receive waits for the news"),
        Case::of("clocks:timer()", &["true"]).counts(1, "the receive waits for the timer"),
        Case::of("clocks:unique()", &["true"]).counts(1, "the receive waits for the number"),
    ]);
}

#[test]
fn tables() {
    check(&[
        Case::of("tables:lost_update()", &["[{x,1}]", "[{x,2}]"]).counts(
            6,
            "one update comes after the other, 2, or both read before either writes, and both write \
             the same, 1; and either process is `done` first: 3 * 2",
        ),
        Case::of("tables:counter()", &["[{x,2}]"]).counts(
            4,
            "each update is told the sum, so their order makes a difference; and either is `done` \
             first: 2 * 2",
        ),
        Case::of("tables:keys()", &["[{a,a},{b,b}]"]).counts_with_observers(
            2,
            1,
            "the inserts are independent; the messages come in either order, but each receive \
             takes its own",
        ),
        Case::of("tables:owner()", &["{false,undefined}", "{true,undefined}"])
            .counts(3, "the lookup comes before the table is made, while it is there, or after its owner has ended"),
        Case::of("tables:insert_new()", &["{[false,true],1}", "{[false,true],2}"]).counts(
            4,
            "either insert is first, and either tells first: 2 * 2",
        ),
        Case::of("tables:deleted()", &["badarg", "true"])
            .counts(2, "the insert comes before the table is deleted, or after"),
        Case::of("tables:orphaned()", &["badarg", "true"])
            .counts(2, "the insert comes before the owner of the table ends, or after"),
        Case::of("tables:deleted_by_other()", &["badarg", "true"])
            .counts(2, "the table is deleted before its owner ends, or has gone with that"),
        Case::of("tables:given()", &["badarg\ntrue", "false", "true"]).counts(
            3,
            "the heir ends before it is given the table, before the table is looked up, or after",
        ),
        Case::of("tables:same()", &["[{ready,true}]"]).counts_with_observers(
            2,
            1,
            "equal inserts commute; the messages come in either order, but each receive takes its own",
        ),
        Case::of("tables:too_late()", &["[{x,0}]"]).counts_with_observers(
            2,
            1,
            "an `insert_new` that fails only reads; the messages are those of tables:same()",
        ),
        Case::of("tables:patterns()", &["{[[2]],[{b,2}]}"])
            .counts(1, "the keys in the patterns differ"),
        Case::of("tables:other_column()", &["[[a]]"])
            .counts(1, "the pattern does not match the object that is inserted"),
        Case::of("tables:columns()", &["0", "1"])
            .counts(2, "the object that is replaced is counted before, or not"),
    ]);
}

#[test]
fn shared() {
    check(&[
        Case::of("shared:add()", &["{3,-3}"])
            .counts(2, "sums are the same in every order; either process is `done` first"),
        Case::of("shared:lost()", &["1", "2"]).counts(6, "as tables:lost_update()"),
        Case::of("shared:exchange()", &["1", "2"])
            .counts(4, "either exchange is first, and either process is `done` first: 2 * 2"),
        Case::of("shared:counted()", &["10"]).counts(2, "as shared:add()"),
        Case::of("shared:processes()", &["1", "2"])
            .counts(2, "the child ends before the question, or after"),
        Case::of("shared:rename()", &["{false,true}", "{true,false}", "{true,true}"]).counts(
            3,
            "the table is renamed before the first lookup, between the two, or after the second",
        ),
        Case::of(
            "shared:asked()",
            &["undefined", "{message_queue_len,0}", "{message_queue_len,1}"],
        )
        .counts(
            3,
            "the process has ended: 1, whether the message has come or not; or it has not, and the \
             message comes before the question, or after: 2",
        ),
        Case::of("shared:asked_elsewhere()", &["done"]).counts_with_observers(
            2,
            1,
            "the messages arrive in either order, but each receive accepts only one of them; the query \
             is about another mailbox",
        ),
        Case::of("shared:asked_for_messages()", &["[1,2]", "[1]", "[2,1]", "[2]", "[]"]).counts(
            6,
            "the two deliveries and the query, in every order: 3!",
        ),
        Case::of("shared:asked_for_length()", &["0", "1", "2"]).counts_with_observers(
            6,
            4,
            "the two deliveries and the query, in every order: 3!. The query observes only which \
             deliveries came before it: 4",
        ),
    ]);
}

/// Pairs of operations on a table, of which one selects objects by an element, and the number of their
/// orders that matter.
const SELECTIONS: &[(&str, u64)] = &[
    ("{match,done},{insert,{5,done}}", 2),
    ("{match,done},{insert,{5,todo}}", 1),
    ("{match,done},{insert,{2,todo}}", 2),
    ("{match,done},{insert,{1,late}}", 1),
    ("{match,done},{delete,2}", 2),
    ("{match,done},{delete,1}", 1),
    ("{match,done},{set,1,done}", 2),
    ("{match,done},{set,1,late}", 1),
    ("{match,done},{delete_all,done}", 2),
    ("{match,done},{delete_all,todo}", 1),
    ("{match,done},{replace,todo,done}", 2),
    ("{match,done},{replace,todo,late}", 1),
    ("{match,done},{select,done}", 1),
    ("{match_key,1},{select_delete,todo}", 2),
    ("{match_key,1},{select_delete,done}", 1),
    ("{select,done},{insert,{5,done}}", 2),
    ("{select,done},{insert,{5,todo}}", 1),
    ("{select,done},{delete,2}", 2),
    ("{select,done},{delete,1}", 1),
    ("{select,done},{select_delete,done}", 2),
    ("{select,done},{select_delete,todo}", 1),
    ("{select_above,2},{insert,{5,todo}}", 2),
    ("{select_delete,done},{lookup,2}", 2),
    ("{select_delete,done},{lookup,1}", 1),
    ("{select_delete,done},{insert,{5,done}}", 2),
    ("{select_delete,done},{insert,{5,todo}}", 1),
    ("{select_delete,done},{next,1}", 2),
    ("{select_delete,done},list", 2),
    ("{select_delete,late},list", 1),
    ("{select_delete,late},{delete_all,late}", 1),
    ("{select_delete,done},{delete_all,done}", 2),
    ("{select_delete,done},{delete_all,todo}", 1),
];

#[test]
fn selections() {
    for (pair, expected) in SELECTIONS {
        let program = program("selections", &format!("selections:pair({pair})"));
        let (all, _) = outcomes(&program, Algorithm::Naive);
        assert_eq!(all.traces.len() as u64, *expected, "{pair}: traces of naive");
        for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::Unfolding] {
            let (some, verdict) = outcomes(&program, algorithm);
            assert_eq!(some.ends, all.ends, "{pair}: {algorithm}");
            assert_eq!(verdict.executions, *expected, "{pair}: {algorithm}");
        }
    }
}
