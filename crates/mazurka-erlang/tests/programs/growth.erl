%% Long executions: each function has one execution, and its length grows with N.
-module(growth).
-behaviour(gen_server).
-export([exchange/1, stream/1, calls/1, tasks/1, monitors/1, timers/1, deferred/1, counters/1, names/1]).
-export([tables/1, columns/1]).
-export([polls/1, drains/1]).
-export([init/1, handle_call/3, handle_cast/2]).

%% Two processes answer each other. The counter is in the frame of the receive.
exchange(N) ->
    Me = self(),
    Other = spawn(fun() -> answer(Me, N) end),
    ask(Other, N).

ask(_, 0) -> ok;
ask(Other, N) ->
    Other ! {question, N},
    receive {answer, _} -> ask(Other, N - 1) end.

answer(_, 0) -> ok;
answer(Other, N) ->
    receive {question, K} -> Other ! {answer, K}, answer(Other, N - 1) end.

%% One process sends, the other one takes any message and is never heard of.
stream(N) ->
    Consumer = spawn(fun() -> take(N) end),
    [Consumer ! I || I <- lists:seq(1, N)],
    ok.

take(0) -> ok;
take(N) -> receive _ -> take(N - 1) end.

%% Each call waits for a reference of its own.
calls(N) ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    [ok = gen_server:call(Server, next, infinity) || _ <- lists:seq(1, N)],
    ok.

init([]) -> {ok, 0}.
handle_call(next, _, State) -> {reply, ok, State + 1}.
handle_cast(_, State) -> {noreply, State}.

%% Each receive waits for a process of its own.
tasks(0) -> ok;
tasks(N) ->
    Me = self(),
    Task = spawn(fun() -> Me ! {self(), N * N} end),
    receive {Task, Square} -> Square = N * N end,
    tasks(N - 1).

monitors(0) -> ok;
monitors(N) ->
    {Child, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Child, normal} -> monitors(N - 1) end.

timers(0) -> ok;
timers(N) ->
    Ref = erlang:start_timer(10, self(), tick),
    receive {timeout, Ref, tick} -> timers(N - 1) end.

%% The answer comes from another process than the one that was asked.
deferred(N) ->
    Me = self(),
    Worker = spawn(fun() -> work(N) end),
    Front = spawn(fun() -> forward(Worker, N) end),
    [begin
         Ref = make_ref(),
         Front ! {Me, Ref, I},
         receive {Ref, Result} -> Result = I + 1 end
     end || I <- lists:seq(1, N)],
    ok.

forward(_, 0) -> ok;
forward(Worker, N) ->
    receive {Client, Ref, I} -> Worker ! {self(), Client, Ref, I} end,
    forward(Worker, N - 1).

work(0) -> ok;
work(N) ->
    receive {_, Client, Ref, I} -> Client ! {Ref, I + 1} end,
    work(N - 1).

%% One process sends work. The other one looks for an order to stop after each piece.
polls(N) ->
    Worker = spawn(fun() -> poll(N) end),
    [Worker ! {work, I} || I <- lists:seq(1, N)],
    ok.

poll(0) -> ok;
poll(N) ->
    receive {work, _} -> ok end,
    receive stop -> ok after 0 -> poll(N - 1) end.

%% One process sends work and then notes. The other one takes all work that is there, and then the notes.
drains(N) ->
    Me = self(),
    spawn(fun() ->
                  [Me ! {work, I} || I <- lists:seq(1, N)],
                  Me ! go,
                  [Me ! {note, I} || I <- lists:seq(1, N)]
          end),
    receive go -> N = drain(0) end,
    [receive {note, _} -> ok end || _ <- lists:seq(1, N)],
    ok.

drain(Count) -> receive {work, _} -> drain(Count + 1) after 0 -> Count end.

%% One process takes a name, gets a message by it, and gives it up.
names(0) -> ok;
names(N) ->
    register(name, self()),
    name ! hello,
    receive hello -> unregister(name) end,
    names(N - 1).

%% One process counts in a table and in an array.
counters(N) ->
    Table = ets:new(table, [public]),
    Array = counters:new(1, []),
    [begin
         ets:insert(Table, {key, I}),
         [{key, I}] = ets:lookup(Table, key),
         counters:add(Array, 1, 1)
     end || I <- lists:seq(1, N)],
    N = counters:get(Array, 1),
    ok.

%% One process creates a table with a name, uses it, and deletes it.
tables(0) -> ok;
tables(N) ->
    table = ets:new(table, [public, named_table]),
    ets:insert(table, {key, N}),
    ets:delete(table),
    tables(N - 1).

%% One process selects objects by an element that is not the key, and deletes some of them.
columns(N) ->
    Table = ets:new(table, [public]),
    [begin
         ets:insert(Table, {key, I rem 2}),
         [_ | _] = ets:match(Table, {'$1', I rem 2}),
         ets:match_delete(Table, {'_', (I + 1) rem 2})
     end || I <- lists:seq(1, N)],
    ok.
