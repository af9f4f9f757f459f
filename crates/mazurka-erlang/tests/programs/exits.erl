%% Ends of processes, exit signals from one to another, and who traps them.
-module(exits).
-export([caught/0, own/0, waiting/0, working/0, normal/0, kill_itself/0, kill_by_link/0, first/0, flag/0, cut_short/0]).
-export([before_spawn/0, before_timer/0]).

down(Pid, Ref) ->
    receive {'DOWN', Ref, process, Pid, Reason} -> erlang:display(Reason) end.

%% exit/1 is an exception.
caught() -> erlang:display(catch exit(bye)).

%% If nobody catches it, it ends the process. What is sent to that is lost.
own() ->
    {Pid, Ref} = spawn_monitor(fun() -> exit(bye) end),
    Pid ! hello,
    down(Pid, Ref).

%% exit/2 ends another process.
waiting() ->
    {Pid, Ref} = spawn_monitor(fun() -> receive never -> ok end end),
    exit(Pid, bye),
    down(Pid, Ref).

%% What that has done before stays done.
working() ->
    Me = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Me ! hello, receive never -> ok end end),
    exit(Pid, bye),
    receive {'DOWN', Ref, process, Pid, bye} -> ok end,
    receive hello -> erlang:display(hello) after 0 -> erlang:display(nothing) end.

%% exit/2 with `normal` is a message to who traps exits, and nothing to others.
normal() ->
    Me = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
                                       process_flag(trap_exit, true),
                                       receive {'EXIT', Me, Why} -> exit({told, Why}); stop -> ok end
                               end),
    exit(Pid, normal),
    Pid ! stop,
    down(Pid, Ref).

%% Nobody traps `kill`, not even from himself.
kill_itself() ->
    {Pid, Ref} = spawn_monitor(fun() -> process_flag(trap_exit, true), exit(self(), kill) end),
    down(Pid, Ref).

%% A linked process that has ended for the reason `kill` is trapped.
kill_by_link() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> exit(kill) end),
    receive {'EXIT', Pid, Reason} -> erlang:display(Reason) end.

%% Of two signals the first one ends the process.
first() ->
    {Pid, Ref} = spawn_monitor(fun() -> receive never -> ok end end),
    [spawn(fun() -> exit(Pid, Reason) end) || Reason <- [one, two]],
    down(Pid, Ref).

%% Exits are trapped for a while.
flag() ->
    {Pid, Ref} = spawn_monitor(fun() ->
                                       process_flag(trap_exit, true),
                                       process_flag(trap_exit, false),
                                       receive {'EXIT', _, Why} -> exit({told, Why}) end
                               end),
    exit(Pid, bye),
    down(Pid, Ref).

%% Of two that send, one may be killed before.
cut_short() ->
    Me = self(),
    Pid = spawn(fun() -> Me ! one end),
    spawn(fun() -> Me ! two end),
    spawn(fun() -> exit(Pid, kill) end),
    receive First -> erlang:display(First) end.

%% A process is killed before it creates another process, or after.
before_spawn() ->
    Me = self(),
    Parent = spawn(fun() -> spawn(fun() -> Me ! hello end), receive never -> ok end end),
    exit(Parent, kill),
    receive hello -> erlang:display(hello) end.

%% A process is killed before it starts a timer, or after.
before_timer() ->
    Me = self(),
    Starter = spawn(fun() -> erlang:send_after(10, Me, hello), receive never -> ok end end),
    exit(Starter, kill),
    receive hello -> erlang:display(hello) end.
