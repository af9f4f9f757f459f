%% Group leaders: who has which, and where output goes.
-module(leaders).
-export([all/0, own/0, changed/0, inherited/0, printed/0, restored/0]).

%% Answers requests for output, and sends them to a process.
collect(To) ->
    receive
        {io_request, From, Ref, Request} ->
            To ! {printed, Request},
            From ! {io_reply, Ref, ok},
            collect(To);
        stop -> ok
    end.

collector() ->
    Me = self(),
    spawn(fun() -> collect(Me) end).

printed_by(Print) ->
    Print(),
    receive {printed, Request} -> Request after 0 -> nothing end.

%% A process changes its own group leader.
own() ->
    Leader = collector(),
    group_leader(Leader, self()),
    erlang:display({group_leader() =:= Leader, printed_by(fun() -> io:put_chars("text") end)}).

%% The child reads its group leader before it is changed, or after.
changed() ->
    Me = self(),
    Leader = spawn(fun() -> receive stop -> ok end end),
    Child = spawn(fun() -> Me ! group_leader(), receive stop -> ok end end),
    group_leader(Leader, Child),
    erlang:display(receive Found -> Found =:= Leader end).

%% A grandchild has the group leader that the child has when it creates it.
inherited() ->
    Me = self(),
    Leader = spawn(fun() -> receive stop -> ok end end),
    Child = spawn(fun() -> spawn(fun() -> Me ! group_leader() end), receive stop -> ok end end),
    group_leader(Leader, Child),
    erlang:display(receive Found -> Found =:= Leader end).

%% The output of the child goes to the terminal, or to the new group leader.
printed() ->
    Me = self(),
    Leader = collector(),
    Child = spawn(fun() -> io:put_chars("text"), Me ! done, receive stop -> ok end end),
    group_leader(Leader, Child),
    receive done -> ok end,
    erlang:display(receive {printed, Request} -> Request after 0 -> nothing end).

%% A process that gives the group leader back prints to the terminal again.
restored() ->
    Before = group_leader(),
    group_leader(collector(), self()),
    Printed = printed_by(fun() -> io:format("~p", [1]) end),
    group_leader(Before, self()),
    io:format("~p~n", [Printed]).

%% Compared with the real machine.
all() ->
    Terminal = group_leader(),
    Leader = collector(),
    {Gone, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Gone, normal} -> ok end,
    group_leader(Leader, self()),
    Results = [{Name, try Function() catch error:Reason -> Reason end}
               || {Name, Function} <- cases(Leader, Gone)],
    group_leader(Terminal, self()),
    Leader ! stop,
    [io:format("~w: ~0p~n", [Name, Result]) || {Name, Result} <- Results].

cases(Leader, Gone) ->
    [{itself, fun() -> group_leader() =:= Leader end},
     {info, fun() -> process_info(self(), group_leader) =:= {group_leader, Leader} end},
     {child, fun() -> Me = self(), spawn(fun() -> Me ! {leader, group_leader()} end),
                      receive {leader, Found} -> Found =:= Leader end end},
     {gone, fun() -> group_leader(Leader, Gone) end},
     {no_process, fun() -> group_leader(Leader, list_to_atom("name")) end},
     {no_leader, fun() -> group_leader(list_to_atom("name"), self()) end},
     {put_chars, fun() -> printed_by(fun() -> io:put_chars("text") end) end},
     {format, fun() -> printed_by(fun() -> io:format("~p", [1]) end) end},
     {format_alone, fun() -> printed_by(fun() -> io:format("text") end) end},
     {fwrite, fun() -> printed_by(fun() -> io:fwrite("~p", [1]) end) end},
     {nl, fun() -> printed_by(fun() -> io:nl() end) end},
     {device, fun() -> printed_by(fun() -> io:format(Leader, "~p", [1]) end) end},
     {standard_io, fun() -> printed_by(fun() -> io:put_chars(standard_io, "text") end) end},
     {other_device, fun other_device/0}].

other_device() ->
    Other = collector(),
    Printed = printed_by(fun() -> io:nl(Other) end),
    Other ! stop,
    Printed.
