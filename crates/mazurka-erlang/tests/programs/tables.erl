%% Tables of `ets`.
-module(tables).
-export([lost_update/0, counter/0, keys/0, owner/0, insert_new/0, deleted/0, orphaned/0, deleted_by_other/0, given/0]).
-export([same/0, too_late/0, patterns/0, columns/0, other_column/0]).

%% Two processes read a number and write it back increased: one update may be lost.
lost_update() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {x, 0}),
    Me = self(),
    Update = fun() ->
                     [{x, N}] = ets:lookup(Table, x),
                     ets:insert(Table, {x, N + 1}),
                     Me ! done
             end,
    [spawn(Update) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    erlang:display(ets:lookup(Table, x)).

%% A counter loses none.
counter() ->
    Table = ets:new(table, [public, named_table]),
    ets:insert(table, {x, 0}),
    Me = self(),
    [spawn(fun() -> ets:update_counter(table, x, 1), Me ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    erlang:display(ets:lookup(Table, x)).

%% Operations on different keys are independent.
keys() ->
    Table = ets:new(table, [public]),
    Me = self(),
    [spawn(fun() -> ets:insert(Table, {K, K}), Me ! {done, K} end) || K <- [a, b]],
    [receive {done, K} -> ok end || K <- [a, b]],
    erlang:display(lists:sort(ets:tab2list(Table))).

%% A table goes with its owner.
owner() ->
    {Pid, Ref} = spawn_monitor(fun() -> ets:new(table, [public, named_table]) end),
    Seen = (catch ets:member(table, x)),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    erlang:display({is_boolean(Seen), ets:whereis(table)}).

%% One of two is the first.
insert_new() ->
    Table = ets:new(table, [public]),
    Me = self(),
    [spawn(fun() -> Me ! ets:insert_new(Table, {x, I}) end) || I <- [1, 2]],
    Results = [receive R -> R end || _ <- [1, 2]],
    erlang:display({lists:sort(Results), ets:lookup_element(Table, x, 2)}).

%% A table that is deleted cannot be written to any more, though it has no name to be looked up by.
deleted() ->
    Table = ets:new(table, [public]),
    spawn(fun() -> insert(Table) end),
    ets:delete(Table).

insert(Table) ->
    erlang:display(try ets:insert(Table, {x, 1}) catch error:badarg -> badarg end).

%% Neither can one whose owner has ended.
orphaned() ->
    spawn(fun() ->
                  Table = ets:new(table, [public]),
                  spawn(fun() -> insert(Table) end)
          end).

%% Others may delete a table while its owner is there.
deleted_by_other() ->
    Table = ets:new(table, [public]),
    spawn(fun() -> erlang:display(try ets:delete(Table) catch error:badarg -> badarg end) end).

%% Only one who is there can be given a table. It goes with him.
given() ->
    Table = ets:new(table, [public, named_table]),
    Heir = spawn(fun() -> ok end),
    try ets:give_away(Table, Heir, gift) of true -> ok catch error:badarg -> erlang:display(badarg) end,
    erlang:display(ets:whereis(table) =/= undefined).

%% Two processes insert the same object.
same() ->
    Table = ets:new(table, [public]),
    both(fun() -> ets:insert(Table, {ready, true}) end),
    erlang:display(ets:lookup(Table, ready)).

%% Two processes find that there is an object already.
too_late() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {x, 0}),
    both(fun() -> false = ets:insert_new(Table, {x, self()}) end),
    erlang:display(ets:lookup(Table, x)).

%% Patterns with a key access the objects with this key only.
patterns() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, [{a, 1}, {b, 2}, {c, 3}]),
    Me = self(),
    spawn(fun() ->
                  ets:select_delete(Table, [{{a, '_'}, [], [true]}, {{c, '_'}, [], [true]}]),
                  Me ! done
          end),
    Found = ets:match(Table, {b, '$1'}),
    receive done -> ok end,
    erlang:display({Found, ets:tab2list(Table)}).

%% An object that the pattern does not match, and whose key has no object, is independent of the match.
other_column() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {a, 1}),
    Me = self(),
    spawn(fun() -> ets:insert(Table, {b, 2}), Me ! done end),
    Found = ets:match(Table, {'$1', 1}),
    receive done -> ok end,
    erlang:display(Found).

%% An object that the pattern does not match replaces one that it matches.
columns() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {a, 1}),
    Me = self(),
    spawn(fun() -> ets:insert(Table, {a, 2}), Me ! done end),
    Found = ets:select_count(Table, [{{'_', 1}, [], [true]}]),
    receive done -> ok end,
    erlang:display(Found).

%% Two processes call a function, and the caller waits for each of them.
both(Fun) ->
    Me = self(),
    [spawn(fun() -> Fun(), Me ! {done, K} end) || K <- [a, b]],
    [receive {done, K} -> ok end || K <- [a, b]].
