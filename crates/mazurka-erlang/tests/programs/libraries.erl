%% Uses of libraries that Debian has packages of. Each fails if a value is not the expected one.
-module(libraries).
-export([pool/0, full_pool/0, queue/0, server/0, formats/0, settings/0]).
-export([with_files/0, logs/0, without_handlers/0]).
-export([start_link/1, init/1, handle_call/3, handle_cast/2]).

%% A worker that counts its calls.
start_link(_) -> gen_server:start_link(?MODULE, [], []).
init([]) -> {ok, 0}.
handle_call(next, _, N) -> {reply, N, N + 1}.
handle_cast(_, N) -> {noreply, N}.

start_pool() -> poolboy:start_link([{worker_module, ?MODULE}, {size, 1}, {max_overflow, 0}], []).

%% Two processes share one worker.
pool() ->
    {ok, Pool} = start_pool(),
    Self = self(),
    Call = fun(Worker) -> gen_server:call(Worker, next) end,
    spawn(fun() -> Self ! {done, poolboy:transaction(Pool, Call, infinity)} end),
    Mine = poolboy:transaction(Pool, Call, infinity),
    receive {done, Theirs} -> [0, 1] = lists:sort([Mine, Theirs]) end,
    poolboy:stop(Pool).

full_pool() ->
    {ok, Pool} = start_pool(),
    Worker = poolboy:checkout(Pool),
    full = poolboy:checkout(Pool, false),
    poolboy:checkin(Pool, Worker),
    {ready, _, _, _} = poolboy:status(Pool).

queue() ->
    Queue = p1_queue:in(2, p1_queue:in(1, p1_queue:new())),
    {{value, 1}, _} = p1_queue:out(Queue).

server() ->
    {ok, Server} = p1_server:start_link(?MODULE, [], []),
    0 = p1_server:call(Server, next).

formats() ->
    "{a,[1,2]} x" = lists:flatten(lager_format:format("~p ~s", [{a, [1, 2]}, "x"], 100)),
    {Shown, _} = lager_trunc_io:print(lists:seq(1, 50), 20),
    true = length(lists:flatten([Shown])) =< 40.

%% The last of two settings stays.
settings() ->
    Self = self(),
    lager_config:new(),
    spawn(fun() -> lager_config:set(level, 1), Self ! done end),
    lager_config:set(level, 2),
    receive done -> ok end,
    true = lists:member(lager_config:get(level), [1, 2]).

%% Starts the application lager, which opens a file.
with_files() -> {ok, _} = application:ensure_all_started(lager).

%% Two processes log while the application runs.
logs() -> [spawn(fun() -> lager:log(info, self(), "hello ~p", [Number]) end) || Number <- [1, 2]].

%% Starts it without handlers of its own. It replaces the handlers of the system's logger.
without_handlers() -> start_lager([{crash_log, undefined}, {handlers, []}]).

start_lager(Environment) ->
    ok = application:load(lager),
    [application:set_env(lager, Key, Value) || {Key, Value} <- Environment],
    {ok, _} = application:ensure_all_started(lager).
