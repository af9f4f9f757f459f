%% What processes share besides tables: arrays of numbers, and which processes there are.
-module(shared).
-export([add/0, lost/0, exchange/0, counted/0, processes/0, rename/0, asked/0]).
-export([asked_elsewhere/0, asked_for_messages/0, asked_for_length/0]).

both(F) ->
    Me = self(),
    [spawn(fun() -> F(N), Me ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]].

%% Sums come out the same in every order.
add() ->
    A = atomics:new(2, []),
    both(fun(N) -> atomics:add(A, 1, N), atomics:sub(A, 2, N) end),
    erlang:display({atomics:get(A, 1), atomics:get(A, 2)}).

%% To read and write is not to add.
lost() ->
    A = atomics:new(1, []),
    both(fun(_) -> atomics:put(A, 1, atomics:get(A, 1) + 1) end),
    erlang:display(atomics:get(A, 1)).

%% One of the two is first.
exchange() ->
    A = atomics:new(1, [{signed, false}]),
    both(fun(N) -> atomics:compare_exchange(A, 1, 0, N) end),
    erlang:display(atomics:get(A, 1)).

counted() ->
    C = counters:new(1, [write_concurrency]),
    both(fun(_) -> counters:add(C, 1, 5) end),
    erlang:display(counters:get(C, 1)).

%% The child may have ended, or not.
processes() ->
    spawn(fun() -> ok end),
    erlang:display(length(erlang:processes())).

%% A table under one name or the other.
rename() ->
    ets:new(old, [named_table, public]),
    Me = self(),
    spawn(fun() -> Me ! {ets:whereis(old) =/= undefined, ets:whereis(new) =/= undefined} end),
    ets:rename(old, new),
    receive Seen -> erlang:display(Seen) end.

%% Two messages to one process, which asks for the messages of another one.
asked_elsewhere() ->
    Me = self(),
    Other = spawn(fun() -> receive never -> ok end end),
    [spawn(fun() -> Me ! {message, N} end) || N <- [1, 2]],
    {messages, []} = process_info(Other, messages),
    [receive {message, N} -> ok end || N <- [1, 2]],
    erlang:display(done).

%% Two messages to a process that is asked for its messages.
asked_for_messages() ->
    Other = spawn(fun() -> receive never -> ok end end),
    [spawn(fun() -> Other ! N end) || N <- [1, 2]],
    erlang:display(element(2, process_info(Other, messages))).

%% Two messages to a process that is asked how many messages it has.
asked_for_length() ->
    Other = spawn(fun() -> receive never -> ok end end),
    [spawn(fun() -> Other ! N end) || N <- [1, 2]],
    erlang:display(element(2, process_info(Other, message_queue_len))).

%% How many messages a process has, while it is there.
asked() ->
    Pid = spawn(fun() -> ok end),
    spawn(fun() -> Pid ! hello end),
    erlang:display(process_info(Pid, message_queue_len)).
