%% Programs with a published number of executions; see tests/published.rs.
-module(published).
-export([signals/0, queue/0, kills/0, removal/0, counting/0, both/0, news/0, removed_news/0, quiet/0]).

%% Two signals reach a process that traps exits. Another process looks for a message once.
signals() ->
    process_flag(trap_exit, true),
    Me = self(),
    Looks = spawn(fun() -> receive _ -> heard after 0 -> nothing end end),
    [spawn(fun() -> exit(Me, stop) end) || _ <- [1, 2]],
    Looks ! hello.

%% After the second message, the first one is left.
queue() ->
    Me = self(),
    spawn(fun() -> [Me ! Name || Name <- [first, second]] end),
    receive second -> {message_queue_len, 1} = process_info(Me, message_queue_len) end.

%% Three signals, two of them equal, to a process that waits.
kills() ->
    Waits = spawn(fun() -> receive never -> ok end end),
    [spawn(fun() -> exit(Waits, Why) end) || Why <- [bye, away, bye]].

%% Operations on one key at once.
removal() -> at_once([{remove, k}, {look, k}, {add, k}]).

counting() -> at_once([{remove, k}, {add, k}, {count, k}, {count, k}]).

both() -> at_once([{remove, j}, {remove, k}, {look, j}, {add, k}, {count, k}, {count, k}]).

at_once(Operations) ->
    ets:new(stock, [named_table, public]),
    [spawn(fun() -> catch operate(Operation) end) || Operation <- Operations],
    receive never -> ok end.

operate({remove, Key}) -> ets:delete_object(stock, {Key, 1});
operate({look, Key}) -> ets:lookup(stock, Key);
operate({add, Key}) -> ets:insert(stock, {Key, 2});
operate({count, Key}) -> ets:update_counter(stock, Key, 1).

%% A process looks for the news of an end, and asks whether its monitor was active.
news() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    Heard = receive _ -> true after 0 -> false end,
    case demonitor(Ref, [info]) of
        true -> receive _ -> exit(wrong) after 0 -> ok end;
        false -> Heard orelse receive _ -> true end
    end.

removed_news() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    receive _ -> true after 0 -> false end,
    case demonitor(Ref, [flush, info]) of
        true -> receive _ -> exit(wrong) after 0 -> ok end;
        false -> true
    end.

%% There is never news of the end after the monitor was removed.
quiet() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref, [flush]),
    receive {'DOWN', Ref, process, _, _} -> exit(wrong) after 0 -> ok end.
