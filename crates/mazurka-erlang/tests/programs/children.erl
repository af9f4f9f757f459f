%% Two processes that each spawn one.
-module(children).
-export([of_two/0]).

%% Who spawns first is a matter of the schedule; it fails if the second does, and its child ends first.
of_two() ->
    Me = self(),
    Table = ets:new(table, [public]),
    ets:insert(Table, {arrivals, 0}),
    [spawn(fun() ->
                   Arrival = ets:update_counter(Table, arrivals, 1),
                   spawn(fun() -> Me ! {Parent, Arrival} end)
           end) || Parent <- [1, 2]],
    First = receive {_, _} = A -> A end,
    receive {_, _} -> ok end,
    true = First =/= {2, 1}.
