%% Monitors.
-module(monitors).
-export([end_of_child/0, gone/0, demonitored/0, late/0]).

end_of_child() ->
    {Child, Ref} = spawn_monitor(fun() -> exit(bye) end),
    receive {'DOWN', Ref, process, Child, Reason} -> erlang:display(Reason) end.

%% The process ends before it is monitored, or after.
gone() ->
    Child = spawn(fun() -> ok end),
    Ref = monitor(process, Child),
    receive {'DOWN', Ref, process, Child, Reason} -> erlang:display(Reason) end.

%% With `flush` there is no news afterwards.
demonitored() ->
    {Child, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref, [flush]),
    receive {'DOWN', Ref, process, Child, _} -> erlang:display(news)
    after 0 -> erlang:display(no_news)
    end.

%% A reply to an alias that is not active any more is dropped.
late() ->
    Alias = erlang:alias(),
    spawn(fun() -> Alias ! {Alias, reply} end),
    Result = receive {Alias, reply} -> reply after 0 -> timeout end,
    erlang:unalias(Alias),
    Late = receive {Alias, reply} -> late after 0 -> none end,
    erlang:display({Result, Late}).
