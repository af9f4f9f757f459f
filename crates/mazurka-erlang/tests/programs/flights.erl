%% Programs that depend on when messages are delivered.
-module(flights).
-export([triangle/0, pair/0, news/0, reply/0, demonitored/0]).

%% The first message to `To` was sent before the second one, but by another process.
triangle() ->
    To = self(),
    Other = spawn(fun() -> receive go -> To ! second end end),
    spawn(fun() -> To ! first, Other ! go end),
    receive first -> ok; second -> exit(overtaken) end.

%% Messages of one process to another one stay in order.
pair() ->
    To = self(),
    spawn(fun() -> To ! first, To ! second end),
    receive first -> ok; second -> exit(overtaken) end,
    receive second -> ok end.

%% The news of an end comes behind the messages of the process.
news() ->
    To = self(),
    {_, Ref} = spawn_monitor(fun() -> To ! first end),
    receive {'DOWN', Ref, process, _, normal} -> receive first -> ok after 0 -> exit(overtaken) end end.

%% A reply to an alias that is not active any more does not arrive, whenever it was sent.
reply() ->
    Alias = alias(),
    spawn(fun() -> Alias ! late end),
    receive late -> ok after 10 -> ok end,
    unalias(Alias),
    receive late -> ok after 0 -> ok end,
    timer:sleep(1),
    receive late -> exit(late) after 0 -> ok end.

%% After `demonitor`, no news of an end arrives, whenever it was sent.
demonitored() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref, [flush]),
    timer:sleep(1),
    receive {'DOWN', Ref, _, _, _} -> exit(late) after 0 -> ok end.
