%% Runs programs on the real machine and prints how their processes ended.
-module(real).
-export([run/1]).

%% Runs the programs in a file, each of which is an argument of scripts:run/1. Prints one line per program.
run(File) ->
    {ok, Programs} = file:consult(File),
    [io:format("~ts~n", [lists:join(" | ", lists:sort(ends(Program)))]) || Program <- Programs].

%% Returns how the processes of a program ended, or that they wait.
ends(Program) ->
    First = spawn(fun() -> receive go -> scripts:run(Program) end end),
    erlang:trace(First, true, [procs, set_on_spawn]),
    First ! go,
    {Family, Ends} = collect(First, []),
    Alive = [Pid || {Pid, _} <- Family, not is_map_key(Pid, Ends)],
    [exit(Pid, kill) || Pid <- Alive],
    [await(Pid) || Pid <- Alive],
    persistent_term:erase(key),
    code:purge(loaded),
    code:delete(loaded),
    code:purge(loaded),
    [[Name, $\s, case Ends of
                     #{Pid := Reason} -> ["ended: ", text(Reason, Family)];
                     #{} -> "waits"
                 end] || {Pid, Name} <- Family].

%% Waits until the program has come to rest: for 25 ms nothing happens, and all of its processes wait. There is one
%% scheduler, so every timer of the program has fired by then.
collect(First, Events) ->
    receive
        Event -> collect(First, [Event | Events])
    after 25 ->
            Family = family(First, "P", lists:reverse(Events)),
            Ends = maps:from_list([{Pid, Reason} || {trace, Pid, exit, Reason} <- Events]),
            Rests = fun({Pid, _}) ->
                            is_map_key(Pid, Ends) orelse
                                process_info(Pid, status) =:= {status, waiting}
                    end,
            case lists:all(Rests, Family) of
                true -> {Family, Ends};
                false -> collect(First, Events)
            end
    end.

%% Names a process and its descendants as Mazurka does: the first child of P is P.1.
family(Pid, Name, Events) ->
    Children = [Child || {trace, Parent, spawn, Child, _} <- Events, Parent =:= Pid],
    Numbered = lists:zip(Children, lists:seq(1, length(Children))),
    [{Pid, Name} | lists:append([family(Child, Name ++ "." ++ integer_to_list(Number), Events)
                                 || {Child, Number} <- Numbered])].

await(Pid) ->
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, _} -> ok end.

text(Reason, Family) ->
    lists:foldl(fun({Pid, Name}, Text) ->
                        string:replace(Text, pid_to_list(Pid), ["<", Name, ">"], all)
                end, io_lib:format("~0tp", [Reason]), Family).
