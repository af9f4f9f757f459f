%% Processes that do what a script says, each a few things, and end with all that they have seen.
-module(scripts).
-export([run/1]).

%% The first script is that of the first process, which knows all others. Each of these knows the
%% first one and those before it.
run([Script | Scripts]) ->
    Table = ets:new(table, [public]),
    Everybody = lists:foldl(fun(Theirs, Known) ->
                                    Known ++ [spawn(fun() -> play(Theirs, Known, Table) end)]
                            end, [self()], Scripts),
    play(Script, Everybody, Table).

play(Script, Known, Table) ->
    exit({seen, [try act(Act, Known, Table) catch error:Reason -> Reason end || Act <- Script]}).

act({What, Whom}, Known, Table) when is_integer(Whom) ->
    act(What, lists:nth(Whom rem length(Known) + 1, Known), Table);
act({say, What}, Whom, _) -> Whom ! What;
act({signal, Why}, Whom, _) -> exit(Whom, Why);
act(link, Whom, _) -> link(Whom);
act(unlink, Whom, _) -> unlink(Whom);
act(monitor, Whom, _) -> put(ref, monitor(process, Whom, [{alias, reply_demonitor}])), monitors;
act(share, Whom, _) -> Whom ! {alias, get(ref)};
act(is_alive, Whom, _) -> is_process_alive(Whom);
act(messages, Whom, _) -> process_info(Whom, message_queue_len);
act(links, Whom, _) -> process_info(Whom, links);
act(give, Whom, Table) -> ets:give_away(Table, Whom, gift);
act(register, Whom, _) -> register(name, Whom);
act(unregister, _, _) -> unregister(name);
act(whereis, _, _) -> whereis(name);
act(call, _, _) -> name ! called;
act(demonitor, _, _) -> demonitor(get(ref), [flush, info]);
act(reply, _, _) -> receive {alias, Alias} -> Alias ! reply after 0 -> none end;
act({trap, Whether}, _, _) -> process_flag(trap_exit, Whether);
act({hear, Time}, _, _) -> receive What -> What after Time -> nothing end;
act({hear, Time, What}, _, _) -> receive What -> What after Time -> nothing end;
act(insert, _, Table) -> ets:insert(Table, {x, self()});
act(lookup, _, Table) -> ets:lookup(Table, x);
act(delete, _, Table) -> ets:delete(Table);
act({timer, What}, _, _) -> put(timer, erlang:send_after(1, self(), What)), set;
act(cancel, _, _) -> erlang:cancel_timer(get(timer)) =/= false.
