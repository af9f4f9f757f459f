%% What programs ask of the system processes of a node. Each function fails if a value is not the
%% expected one.
-module(system).
-export([applications/0, race/0, environment/0, logging/0, names/0, paths/0, requests/0, timers/0]).
-export([heirs/0, started/1]).
-export([start/2, stop/1, init/1, log/2, adding_handler/1]).
-behaviour(application).
-behaviour(supervisor).

%% Applications

start(normal, []) -> supervisor:start_link({local, system_sup}, ?MODULE, []).

stop(_) -> ok.

init([]) -> {ok, {#{}, []}}.

load() ->
    Spec = {application, system,
            [{description, "a test"}, {vsn, "1"}, {modules, [?MODULE]}, {registered, [system_sup]},
             {applications, [kernel, stdlib]}, {mod, {?MODULE, []}}, {env, [{size, 3}]}]},
    application:load(Spec).

applications() ->
    ok = load(),
    {error, {already_loaded, _}} = load(),
    {ok, [system]} = application:ensure_all_started(system),
    {ok, []} = application:ensure_all_started(system),
    {ok, 3} = application:get_env(system, size),
    {ok, system} = application:get_application(whereis(system_sup)),
    {ok, "1"} = application:get_key(system, vsn),
    [stdlib, kernel] = [App || {App, _, _} <- application:which_applications(), App =/= system],
    ok = application:stop(system),
    undefined = whereis(system_sup),
    {error, {not_started, system}} = application:stop(system),
    {error, {"no such file or directory", "missing.app"}} = application:start(missing).

%% A process that starts an application which is being started waits for the start of the other one.
race() ->
    ok = load(),
    Self = self(),
    spawn(fun() -> Self ! {result, application:start(system)} end),
    Mine = application:start(system),
    receive {result, Theirs} -> ok end,
    case lists:sort([Mine, Theirs]) of
        [ok, ok] -> ok;
        [ok, {error, {already_started, system}}] -> ok
    end.

environment() ->
    undefined = application:get_env(nothing, key),
    {ok, notice} = application:get_env(kernel, logger_level),
    ok = application:set_env(system, key, 1),
    1 = application:get_env(system, key, 2),
    [{key, 1}] = application:get_all_env(system),
    true = os:putenv("MAZURKA_TEST", "1"),
    "1" = os:getenv("MAZURKA_TEST"),
    true = os:unsetenv("MAZURKA_TEST"),
    false = os:getenv("MAZURKA_TEST"),
    "default" = os:getenv("MAZURKA_TEST", "default").

%% Logging

adding_handler(Config) -> {ok, Config}.

log(#{level := Level, msg := {string, Text}}, #{config := To}) -> To ! {Level, Text}.

logging() ->
    ok = logger:add_handler(test, ?MODULE, #{config => self()}),
    true = lists:member(test, logger:get_handler_ids()),
    #{level := notice} = logger:get_primary_config(),
    logger:error("wrong"),
    receive {error, "wrong"} -> ok end,
    logger:info("not shown"),
    ok = logger:set_primary_config(level, info),
    logger:info("shown"),
    receive {info, "shown"} -> ok end,
    ok = logger:remove_handler(test).

%% Global names

names() ->
    yes = global:register_name(one, self()),
    no = global:register_name(one, self()),
    true = self() =:= global:whereis_name(one),
    global:send(one, hello),
    receive hello -> ok end,
    global:unregister_name(one),
    undefined = global:whereis_name(one).

%% Code and files

paths() ->
    {error, bad_name} = code:lib_dir(no_such_application),
    "stdlib" ++ _ = filename:basename(code:lib_dir(stdlib)),
    "kernel.app" = filename:basename(code:where_is_file("kernel.app")),
    {module, lists} = code:ensure_loaded(lists),
    {ok, [[Root]]} = init:get_argument(root),
    Root = code:root_dir(),
    Root = filename:dirname(filename:dirname(code:lib_dir(stdlib))),
    {root, [Root]} = lists:keyfind(root, 1, init:get_arguments()),
    error = init:get_argument(no_such_flag),
    true = lists:member(filename:dirname(code:which(lists)), code:get_path()).

%% Timers of the timer server, which fire in any order

timers() ->
    {ok, _} = timer:apply_after(10, erlang, send, [self(), applied]),
    receive applied -> ok end,
    {ok, Interval} = timer:send_interval(10, again),
    receive again -> ok end,
    receive again -> ok end,
    {ok, cancel} = timer:cancel(Interval),
    {error, badarg} = timer:apply_after(soon, erlang, self, []).

%% What is asked of the machine

requests() ->
    Request = spawn_request(fun() -> ok end),
    receive {spawn_reply, Request, ok, Pid} when is_pid(Pid) -> ok end,
    7 = rpc:call(node(), erlang, '+', [3, 4]),
    {ok, <<"ab">>, <<"c">>} = erlang:decode_packet(1, <<2, "abc">>, []),
    {more, 6} = erlang:decode_packet(2, <<0, 4, "ab">>, []),
    {ok, <<"a\n">>, <<"b">>} = erlang:decode_packet(line, <<"a\nb">>, []),
    <<170, 244, 198, 29, _/binary>> = crypto:hash(sha, "hello"),
    <<44, 242, 77, 186, _/binary>> = crypto:hash(sha256, "hello"),
    <<80, 49, 254, 61, _/binary>> = crypto:mac(hmac, sha256, "key", "data"),
    16 = byte_size(crypto:strong_rand_bytes(16)),
    true = crypto:strong_rand_bytes(8) =/= crypto:strong_rand_bytes(8),
    {Time, done} = timer:tc(fun() -> done end),
    true = is_integer(Time),
    persistent_term:put(key, value),
    [value] = [Value || {key, Value} <- persistent_term:get()],
    Table = ets:new(table, []),
    true = lists:member(Table, ets:all()).

%% Whether the heir lives or not, nobody else has the table.
heirs() ->
    Self = self(),
    {Owner, Ref} = spawn_monitor(fun() ->
                                         ets:new(table, [named_table, {heir, Self, data}]),
                                         ets:insert(table, {key, 1})
                                 end),
    receive {'ETS-TRANSFER', table, Owner, data} -> ok end,
    receive {'DOWN', Ref, process, Owner, normal} -> ok end,
    [{key, 1}] = ets:lookup(table, key),
    true = Self =:= ets:info(table, owner).

%% The applications that run.
started(Expected) ->
    true = Expected =:= [App || {App, _, _} <- application:which_applications()].
