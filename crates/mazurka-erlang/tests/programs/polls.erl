%% Processes that poll numbers of `atomics` and `counters`, entries of tables, and names.
-module(polls).
-export([last/1, tickets/1, locks/1, counted/0, killed/0, never/0, counting/0, spawning/0, table_last/1, table_never/0,
         table_deleted/0, table_killed/0, table_emptied/0, table_private/0, table_named/1, table_unnamed/0,
         name_given/1, name_taken/0, name_passed_on/0, name_killed/0, name_never/0]).

%% The first process waits for the last of N numbers.
last(N) ->
    Array = atomics:new(1, []),
    spawn(fun() -> [atomics:put(Array, 1, I) || I <- lists:seq(1, N)] end),
    until(fun() -> atomics:get(Array, 1) end, N).

until(Get, Wanted) -> case Get() of Wanted -> ok; _ -> until(Get, Wanted) end.

%% A lock that serves processes in the order in which they have taken a ticket.
tickets(N) ->
    Lock = atomics:new(2, []),
    each(N, fun() ->
                    Ticket = atomics:add_get(Lock, 1, 1),
                    until(fun() -> atomics:get(Lock, 2) end, Ticket - 1),
                    atomics:add(Lock, 2, 1)
            end).

%% A lock that processes try to take again and again.
locks(N) ->
    Lock = atomics:new(1, []),
    Count = counters:new(1, []),
    each(N, fun() ->
                    take(Lock),
                    counters:put(Count, 1, counters:get(Count, 1) + 1),
                    atomics:put(Lock, 1, 0)
            end),
    N = counters:get(Count, 1).

take(Lock) -> case atomics:compare_exchange(Lock, 1, 0, 1) of ok -> ok; _ -> take(Lock) end.

each(N, Fun) ->
    Me = self(),
    Pids = [spawn(fun() -> Fun(), Me ! {done, self()} end) || _ <- lists:seq(1, N)],
    [receive {done, Pid} -> ok end || Pid <- Pids].

%% Two additions, in either order, end the loop.
counted() ->
    Count = counters:new(1, []),
    [spawn(fun() -> counters:add(Count, 1, 1) end) || _ <- [1, 2]],
    until(fun() -> counters:get(Count, 1) end, 2).

%% A signal ends the process that polls, before or after it reads the number.
killed() ->
    Array = atomics:new(1, []),
    Pid = spawn(fun() -> until(fun() -> atomics:get(Array, 1) end, 1) end),
    spawn(fun() -> atomics:put(Array, 1, 1) end),
    exit(Pid, kill).

never() ->
    Array = atomics:new(1, []),
    spawn(fun() -> atomics:put(Array, 1, 1) end),
    until(fun() -> atomics:get(Array, 1) end, 2).

%% The loop counts its iterations, so none of them is pure.
counting() ->
    Array = atomics:new(1, []),
    spawn(fun() -> atomics:put(Array, 1, 1) end),
    count(Array, 3).

count(_, 0) -> late;
count(Array, Left) -> case atomics:get(Array, 1) of 1 -> Left; _ -> count(Array, Left - 1) end.

%% The process creates another one as soon as the loop ends.
spawning() ->
    Array = atomics:new(1, []),
    Me = self(),
    spawn(fun() ->
                  until(fun() -> atomics:get(Array, 1) end, 1),
                  [spawn(fun() -> Me ! I end) || I <- [1, 2]]
          end),
    atomics:put(Array, 1, 1),
    [receive I -> ok end || I <- [1, 2]].

%% The first process waits for the last of N objects.
table_last(N) ->
    Table = ets:new(table, [public]),
    Me = self(),
    spawn(fun() -> [ets:insert(Table, {key, I}) || I <- lists:seq(1, N)], Me ! done end),
    until(fun() -> ets:lookup(Table, key) end, [{key, N}]),
    receive done -> ok end.

table_never() ->
    Table = ets:new(table, [public]),
    Me = self(),
    spawn(fun() -> ets:insert(Table, {key, 1}), Me ! done end),
    until(fun() -> ets:member(Table, other) end, true).

%% A table that is deleted ends the loop by an exception.
table_deleted() ->
    Table = ets:new(table, [public]),
    spawn(fun() -> until(fun() -> catch ets:member(Table, key) =:= true end, true) end),
    spawn(fun() -> ets:insert(Table, {key, 1}) end),
    receive after infinity -> ok end.

%% A signal ends the process that polls, before or after it reads the entry.
table_killed() ->
    Table = ets:new(table, [public]),
    Pid = spawn(fun() -> until(fun() -> ets:member(Table, key) end, true) end),
    spawn(fun() -> ets:insert(Table, {key, 1}) end),
    exit(Pid, kill),
    receive after infinity -> ok end.

%% The loop ends once all objects are deleted.
table_emptied() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {key, 1}),
    spawn(fun() -> ets:delete_all_objects(Table) end),
    until(fun() -> ets:member(Table, key) end, false).

%% The owner reads its own table.
table_private() ->
    Table = ets:new(table, [private]),
    ets:insert(Table, {key, 1}),
    until(fun() -> ets:member(Table, key) end, true).

%% The table is found by its name.
table_named(N) ->
    ets:new(table, [public, named_table]),
    Me = self(),
    spawn(fun() -> [ets:insert(table, {key, I}) || I <- lists:seq(1, N)], Me ! done end),
    until(fun() -> ets:lookup(table, key) end, [{key, N}]),
    receive done -> ok end.

%% The first process waits until there is a table with an object. The owner of the table does not end.
table_unnamed() ->
    Me = self(),
    spawn(fun() ->
              ets:new(table, [named_table]),
              ets:insert(table, {key, 1}),
              receive Me -> ok end
          end),
    until(fun() -> catch ets:member(table, key) end, true).

%% The first process waits until the last of N processes has its name. These wait for each other in the same way.
name_given(N) ->
    [spawn(fun() -> become(I) end) || I <- lists:seq(1, N)],
    until(fun() -> is_pid(whereis(name(N))) end, true),
    name(N) ! stop.

become(1) -> register(name(1), self()), receive stop -> ok end;
become(I) ->
    until(fun() -> is_pid(whereis(name(I - 1))) end, true),
    register(name(I), self()),
    receive stop -> name(I - 1) ! stop end.

name(I) -> lists:nth(I, [one, two, three, four]).

%% The name is free before a process registers it, and after that process has ended.
name_taken() ->
    spawn(fun() -> register(one, self()) end),
    until(fun() -> whereis(one) end, undefined).

%% The loop ends only at the second process that has the name.
name_passed_on() ->
    Me = self(),
    First = spawn(fun() -> register(one, self()), receive stop -> unregister(one), Me ! done end end),
    Second = spawn(fun() -> receive go -> register(one, self()), receive stop -> ok end end end),
    First ! stop,
    receive done -> Second ! go end,
    until(fun() -> whereis(one) end, Second),
    Second ! stop.

%% A signal ends the process that polls, before or after it finds the name.
name_killed() ->
    Pid = spawn(fun() -> until(fun() -> is_pid(whereis(one)) end, true) end),
    spawn(fun() -> register(one, self()), receive stop -> ok end end),
    exit(Pid, kill),
    receive after infinity -> ok end.

name_never() ->
    spawn(fun() -> register(one, self()) end),
    until(fun() -> is_pid(whereis(two)) end, true).
