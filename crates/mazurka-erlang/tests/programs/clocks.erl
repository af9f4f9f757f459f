%% Time, which never goes backwards along a message, a table or the end of a process.
-module(clocks).
-export([message/0, entry/0, news/0, timer/0, unique/0]).

message() ->
    Me = self(),
    spawn(fun() -> timer:sleep(100), Me ! {sent, now_()} end),
    receive {sent, Then} -> erlang:display(Then =< now_()) end.

entry() ->
    Table = ets:new(table, [public]),
    spawn(fun() -> timer:sleep(100), catch ets:insert(Table, {then, now_()}) end),
    case ets:lookup(Table, then) of
        [] -> erlang:display(true);
        [{then, Then}] -> erlang:display(Then =< now_())
    end.

news() ->
    {_, Ref} = spawn_monitor(fun() -> timer:sleep(100), exit({at, now_()}) end),
    receive {'DOWN', Ref, process, _, {at, Then}} -> erlang:display(Then =< now_()) end.

timer() ->
    Then = now_(),
    erlang:send_after(100, self(), late),
    receive late -> erlang:display(now_() - Then >= 100) end.

unique() ->
    Me = self(),
    spawn(fun() -> Me ! erlang:unique_integer([monotonic]) end),
    receive Number -> erlang:display(Number < erlang:unique_integer([monotonic])) end.

now_() -> erlang:monotonic_time(millisecond).
