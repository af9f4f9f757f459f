%% Programs that go on for ever, but come back to where they were.
-module(forever).
-behaviour(gen_server).
-export([calls/1, requests/0, timers/0, tables/0, counts/0, stale/0, relations/0]).
-export([init/1, handle_call/3, handle_cast/2]).

%% Clients that call a server again and again: every call makes a reference.
calls(N) ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    [spawn(fun() -> client(Server) end) || _ <- lists:seq(1, N)],
    ok.

client(Server) ->
    Turn = gen_server:call(Server, turn),
    true = is_boolean(Turn),
    client(Server).

init([]) -> {ok, false}.

handle_call(turn, _From, Turn) -> {reply, Turn, not Turn}.

handle_cast(_, Turn) -> {noreply, Turn}.

%% A server that makes a process for every request.
requests() ->
    Server = spawn(fun serve/0),
    asks(Server).

serve() ->
    receive
        {Client, Question} ->
            spawn(fun() -> Client ! {answer, Question} end),
            serve()
    end.

asks(Server) ->
    Server ! {self(), make_ref()},
    receive {answer, Ref} when is_reference(Ref) -> asks(Server) end.

%% Somebody who waits with a time limit, as long as it takes.
timers() ->
    Timer = erlang:send_after(10, self(), late),
    receive
        late -> ok
    after 5 ->
        case erlang:cancel_timer(Timer) of
            false -> receive late -> ok end;
            _ -> ok
        end
    end,
    timers().

%% Two processes that switch what is in a table.
tables() ->
    Table = ets:new(table, [public]),
    ets:insert(Table, {switch, off}),
    spawn(fun() -> switch(Table, off, on) end),
    switch(Table, on, off).

switch(Table, From, To) ->
    case ets:lookup(Table, switch) of
        [{switch, From}] -> ets:insert(Table, {switch, To});
        [{switch, To}] -> ok
    end,
    switch(Table, From, To).

%% Somebody who is told to count, and counts too far.
counts() ->
    Counter = spawn(fun() -> count(0) end),
    ticks(Counter).

ticks(Counter) ->
    Counter ! {tick, self()},
    receive counted -> ticks(Counter) end.

count(3) -> exit(too_many);
count(N) -> receive {tick, P} -> P ! counted, count(N + 1) end.

%% What was read before is still in a slot of the frame, but nobody looks at it any more.
stale() ->
    self() ! 0,
    stale(0).

stale(N) ->
    Old = receive M when is_integer(M) -> M end,
    self() ! (Old + N) rem 3,
    receive nothing -> Old after 0 -> ok end,
    stale((N + 1) rem 3).

%% Links and monitors come and go, and so do names.
relations() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> receive stop -> ok end end),
    Monitor = monitor(process, Child),
    Child ! stop,
    receive {'EXIT', Child, normal} -> ok end,
    receive {'DOWN', Monitor, process, Child, normal} -> ok end,
    relations().
