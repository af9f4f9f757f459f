%% Monitors.
-module(monitors).
-export([end_of_child/0, gone/0, demonitored/0, late/0, unheard/0, flushed/0, replied/0]).

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

%% Replies to the alias of a process that ends are not seen.
unheard() ->
    Alias = erlang:alias(),
    [spawn(fun() -> Alias ! {Alias, N} end) || N <- [1, 2]],
    erlang:display(done).

%% Whoever asks how many messages there are sees the news come and go.
flushed() ->
    Me = self(),
    spawn(fun() -> erlang:display(process_info(Me, message_queue_len)) end),
    {_, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref, [flush]).

%% A reply to the alias of a monitor ends that, unless the news was faster.
replied() ->
    Server = spawn(fun() -> receive go -> ok end end),
    Ref = monitor(process, Server, [{alias, reply_demonitor}]),
    spawn(fun() -> Ref ! {Ref, reply} end),
    Server ! go,
    receive
        {Ref, reply} -> erlang:display(reply);
        {'DOWN', Ref, process, Server, Why} -> erlang:display(Why)
    end.
