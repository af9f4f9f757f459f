%% Registered names.
-module(names).
-export([race/0, gone/0, send/0, twice/0, unregistered/0, asked/0, renamed/0]).

%% The name is there when it is looked up, or not yet.
race() ->
    spawn(fun() -> register(server, self()), receive stop -> ok end end),
    case whereis(server) of
        undefined -> erlang:display(undefined);
        Pid -> Pid ! stop, erlang:display(found)
    end.

%% The name goes with the process.
gone() ->
    {Pid, Ref} = spawn_monitor(fun() -> register(server, self()) end),
    receive {'DOWN', Ref, process, Pid, normal} -> ok end,
    erlang:display(whereis(server)).

%% To send to a name that is not there is an error.
send() ->
    Me = self(),
    spawn(fun() -> register(server, self()), receive {From, hello} -> From ! world end end),
    try server ! {Me, hello} of
        _ -> receive world -> erlang:display(world) end
    catch error:badarg -> erlang:display(badarg)
    end.

%% Two processes want the same name.
twice() ->
    Me = self(),
    Try = fun() -> Me ! try register(server, self()) of true -> got_it catch error:badarg -> taken end,
                   receive stop -> ok end
          end,
    Pids = [spawn(Try), spawn(Try)],
    Results = [receive R -> R end || _ <- Pids],
    [Pid ! stop || Pid <- Pids],
    erlang:display(lists:sort(Results)).

%% A name that has gone with its process cannot be taken away.
unregistered() ->
    Me = self(),
    spawn(fun() -> register(server, self()), Me ! ready end),
    receive ready -> ok end,
    erlang:display(try unregister(server) catch error:badarg -> badarg end).

%% A process is asked for its name before it gets one, or after.
asked() ->
    Child = spawn(fun() -> receive stop -> ok end end),
    spawn(fun() -> register(server, Child) end),
    erlang:display(process_info(Child, registered_name)).

%% Two processes give different names to a third one, which can have only one.
renamed() ->
    Child = spawn(fun() -> receive stop -> ok end end),
    spawn(fun() -> catch register(one, Child) end),
    catch register(two, Child),
    erlang:display(whereis(two) =:= Child).
