%% Tests of EUnit. Its header is not included, because some systems install it separately.
-module(counting_tests).
-export([fast_test/0, slow_test/0, all_test_/0]).

count(Table) -> ets:update_counter(Table, key, 1).

%% Reads and writes in two steps.
count_slowly(Table) -> ets:insert(Table, {key, ets:lookup_element(Table, key, 2) + 1}).

start() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {key, 0}),
    Table.

in_two_processes(Count) ->
    Table = start(),
    {_, Ref} = spawn_monitor(fun() -> Count(Table) end),
    Count(Table),
    receive {'DOWN', Ref, process, _, normal} -> ok end,
    ets:lookup_element(Table, key, 2).

fast_test() -> 2 = in_two_processes(fun count/1).

slow_test() -> 2 = in_two_processes(fun count_slowly/1).

all_test_() ->
    [{"set up", {setup, fun start/0, fun ets:delete/1,
                 fun(Table) -> [{1, fun() -> 1 = count(Table) end}, fun() -> 2 = count(Table) end] end}},
     {foreach, fun start/0, fun ets:delete/1, [fun(Table) -> fun() -> 1 = count(Table) end end]},
     {timeout, 10, {inparallel, [fun fast_test/0]}},
     {with, 1, [fun(1) -> ok end]}].
