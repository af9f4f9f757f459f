%% A gen_server: calls and casts.
-module(server).
-behaviour(gen_server).
-export([call/0, cast/0, clients/1, stop/0]).
-export([init/1, handle_call/3, handle_cast/2]).

init(N) -> {ok, N}.

handle_call(get, _From, N) -> {reply, N, N};
handle_call(next, _From, N) -> {reply, N, N + 1};
handle_call(stop, _From, N) -> {stop, normal, ok, N}.

handle_cast({add, M}, N) -> {noreply, N + M}.

%% One call.
call() ->
    {ok, Server} = gen_server:start_link(?MODULE, 42, []),
    erlang:display(gen_server:call(Server, get)).

%% Casts of one process come in order, those of others at any time.
cast() ->
    {ok, Server} = gen_server:start_link(?MODULE, 0, []),
    spawn(fun() -> gen_server:cast(Server, {add, 1}) end),
    gen_server:cast(Server, {add, 10}),
    erlang:display(gen_server:call(Server, get)).

%% Each of the clients gets a number of its own.
clients(N) ->
    {ok, Server} = gen_server:start_link(?MODULE, 1, []),
    Me = self(),
    [spawn(fun() -> Me ! {number, gen_server:call(Server, next)} end) || _ <- lists:seq(1, N)],
    Numbers = [receive {number, I} -> I end || _ <- lists:seq(1, N)],
    erlang:display(lists:sort(Numbers)).

%% A server that stops.
stop() ->
    {ok, Server} = gen_server:start(?MODULE, 0, []),
    ok = gen_server:call(Server, stop),
    erlang:display(catch gen_server:call(Server, get)).
