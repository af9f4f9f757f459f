%% One operation each: what it does depends on what was done before it. The operation is the last one of
%% the first process.
-module(accesses).
-export([run/1]).

run(Case) -> run_(Case), ok.

waits() -> spawn(fun() -> receive stop -> ok end end).
trapping() ->
    Me = self(),
    Pid = spawn(fun() -> process_flag(trap_exit, true), Me ! ready, receive stop -> ok end end),
    receive ready -> Pid end.
gone() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, normal} -> Pid end.
table() -> ets:new(table, [public]).
table(Objects) -> Table = table(), ets:insert(Table, Objects), Table.
lost() -> Table = table(), ets:delete(Table), Table.

%% Names
run_(register) -> register(name, waits());
run_(register_dead) -> catch register(name, gone());
run_(register_taken) -> register(name, waits()), catch register(name, waits());
run_(register_named) -> Pid = waits(), register(name, Pid), catch register(other, Pid);
run_(unregister) -> register(name, waits()), unregister(name);
run_(unregister_none) -> catch unregister(name);
run_(whereis) -> register(name, waits()), whereis(name);
run_(whereis_none) -> whereis(name);
run_(registered) -> registered();
run_(send_to_name) -> register(name, waits()), name ! hello;
run_(send_to_no_name) -> catch name ! hello;
%% Information
run_(info_name) -> Pid = waits(), register(name, Pid), process_info(Pid, registered_name);
run_(info_no_name) -> process_info(waits(), registered_name);
run_(info_messages) -> process_info(waits(), messages);
run_(info_links) -> process_info(waits(), links);
run_(info_trap_exit) -> process_info(waits(), trap_exit);
run_(info_leader) -> process_info(waits(), group_leader);
run_(info_dead) -> process_info(gone(), links);
run_(is_alive) -> is_process_alive(waits());
run_(is_not_alive) -> is_process_alive(gone());
run_(processes) -> processes();
run_(leader) -> group_leader(self(), self());
%% Links and exits
run_(link) -> link(waits());
run_(link_itself) -> link(self());
run_(link_dead) -> catch link(gone());
run_(unlink) -> Pid = waits(), link(Pid), unlink(Pid);
run_(unlink_none) -> unlink(waits());
run_(exit) -> exit(waits(), bye);
run_(exit_normal) -> exit(waits(), normal);
run_(exit_trapped) -> exit(trapping(), bye);
run_(exit_dead) -> exit(gone(), bye);
run_(trap) -> process_flag(trap_exit, true);
%% Monitors
run_(monitor) -> monitor(process, waits());
run_(monitor_dead) -> monitor(process, gone());
run_(monitor_name) -> register(name, waits()), monitor(process, name);
run_(monitor_no_name) -> monitor(process, name);
run_(demonitor) -> demonitor(monitor(process, waits()));
run_(demonitor_none) -> demonitor(make_ref());
run_(unalias) -> unalias(alias());
run_(send_to_alias) -> alias() ! hello;
run_(send_to_no_alias) -> Alias = alias(), unalias(Alias), Alias ! hello;
%% Timers
run_(cancel) -> erlang:cancel_timer(erlang:send_after(1, waits(), hello));
run_(read) -> erlang:read_timer(erlang:send_after(1, waits(), hello));
%% Tables
run_(insert) -> ets:insert(table(), {key, 1});
run_(insert_lost) -> catch ets:insert(lost(), {key, 1});
run_(insert_all) -> ets:insert(table(), [{key, 1}, {other, 2}]);
run_(insert_new) -> ets:insert_new(table(), {key, 1});
run_(insert_old) -> ets:insert_new(table({key, 1}), {key, 2});
run_(lookup) -> ets:lookup(table({key, 1}), key);
run_(lookup_none) -> ets:lookup(table(), key);
run_(lookup_lost) -> catch ets:lookup(lost(), key);
run_(update_counter) -> ets:update_counter(table({key, 1}), key, 1);
run_(delete_key) -> ets:delete(table({key, 1}), key);
run_(delete_no_key) -> ets:delete(table(), key);
run_(take) -> ets:take(table({key, 1}), key);
run_(select) -> ets:select(table({key, 1}), [{{'_', '$1'}, [], ['$1']}]);
run_(match_key) -> ets:match(table({key, 1}), {key, '$1'});
run_(tab2list) -> ets:tab2list(table({key, 1}));
run_(first) -> ets:first(table({key, 1}));
run_(delete_all) -> ets:delete_all_objects(table({key, 1}));
run_(delete_table) -> ets:delete(table());
run_(delete_lost) -> catch ets:delete(lost());
run_(give_away) -> ets:give_away(table(), waits(), gift);
run_(give_away_dead) -> catch ets:give_away(table(), gone(), gift);
run_(new_named) -> ets:new(table, [named_table]);
run_(new_taken) -> ets:new(table, [named_table]), catch ets:new(table, [named_table]);
run_(info) -> ets:info(table(), size);
run_(whereis_table) -> ets:whereis(table);
%% Persistent terms
run_(persistent_get) -> persistent_term:get(key, none);
run_(persistent_put) -> persistent_term:put(key, value);
run_(persistent_erase) -> persistent_term:erase(key).
