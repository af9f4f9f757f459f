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

load() ->
    {ok, loaded, Binary} = compile:forms([{attribute, 1, module, loaded}]),
    code:load_binary(loaded, "loaded", Binary).

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
run_(leader_of_other) -> group_leader(self(), waits());
run_(leader_of_dead) -> catch group_leader(self(), gone());
run_(own_leader) -> group_leader(self(), waits()), group_leader();
run_(print) -> group_leader(self(), waits()), io:nl();
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
run_(exit_kill) -> exit(waits(), kill);
run_(trap) -> process_flag(trap_exit, true);
%% Suspensions
run_(suspend) -> erlang:suspend_process(waits());
run_(suspend_again) -> Pid = waits(), erlang:suspend_process(Pid), erlang:suspend_process(Pid);
run_(suspend_dead) -> catch erlang:suspend_process(gone());
run_(resume) -> Pid = waits(), erlang:suspend_process(Pid), erlang:resume_process(Pid);
run_(resume_none) -> catch erlang:resume_process(waits());
run_(info_suspending) -> erlang:suspend_process(waits()), process_info(self(), suspending);
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
run_(match_column) -> ets:match(table({key, 1}), {'$1', 1});
run_(insert_other_column) -> T = table({key, 1}), ets:match(T, {'$1', 1}), ets:insert(T, {other, 2});
run_(insert_from_column) -> T = table({key, 1}), ets:match(T, {'$1', 1}), ets:insert(T, {key, 2});
run_(insert_again) -> T = table({key, 1}), ets:match(T, {'$1', 1}), ets:insert(T, {key, 1});
run_(take_none) -> ets:take(table(), key);
run_(member) -> ets:member(table({key, 1}), key);
run_(lookup_element) -> ets:lookup_element(table({key, 1}), key, 2);
run_(delete_object) -> ets:delete_object(table({key, 1}), {key, 1});
run_(update_element) -> ets:update_element(table({key, 1}), key, {2, 2});
run_(update_no_element) -> ets:update_element(table(), key, {2, 2});
run_(update_no_counter) -> catch ets:update_counter(table(), key, 1);
run_(insert_new_all) -> ets:insert_new(table(), [{key, 1}, {other, 2}]);
run_(insert_old_all) -> ets:insert_new(table({key, 1}), [{key, 1}, {other, 2}]);
run_(select_delete) -> ets:select_delete(table({key, 1}), [{{'_', '_'}, [], [true]}]);
run_(select_delete_key) -> ets:select_delete(table({key, 1}), [{{key, '_'}, [], [true]}]);
run_(match_delete_no_key) -> ets:match_delete(table(), {key, '_'});
run_(next) -> ets:next(table({key, 1}), key);
run_(rename) -> ets:rename(ets:new(table, [named_table]), other);
run_(rename_taken) ->
    ets:new(other, [named_table]),
    catch ets:rename(ets:new(table, [named_table]), other);
run_(setopts) -> ets:setopts(table(), {heir, none});
run_(all_tables) -> ets:all();
run_(info_owner) -> ets:info(table(), owner);
run_(info_lost) -> ets:info(lost(), size);
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
%% Modules that are loaded while the program runs
run_(load) -> load();
run_(delete_code) -> load(), code:delete(loaded);
run_(purge) -> load(), code:purge(loaded);
run_(call) -> load(), loaded:module_info(module);
run_(is_loaded) -> load(), code:is_loaded(loaded);
run_(exported) -> load(), erlang:function_exported(loaded, value, 0);
%% Persistent terms
run_(persistent_get) -> persistent_term:get(key, none);
run_(persistent_put) -> persistent_term:put(key, value);
run_(persistent_erase) -> persistent_term:erase(key);
run_(persistent_all) -> persistent_term:get();
%% Arrays of numbers
run_(atomic_get) -> atomics:get(atomics:new(1, []), 1);
run_(atomic_put) -> atomics:put(atomics:new(1, []), 1, 5);
run_(atomic_add) -> atomics:add(atomics:new(1, []), 1, 5);
run_(atomic_add_get) -> atomics:add_get(atomics:new(1, []), 1, 5);
run_(atomic_exchange) -> atomics:exchange(atomics:new(1, []), 1, 5);
run_(atomic_compare_exchange) -> atomics:compare_exchange(atomics:new(1, []), 1, 0, 5);
run_(atomic_compare_exchange_fails) -> atomics:compare_exchange(atomics:new(1, []), 1, 1, 5);
run_(counter_add) -> counters:add(counters:new(1, []), 1, 5);
run_(counter_get) -> counters:get(counters:new(1, []), 1);
%% What processes find out about each other
run_(info_queue_len) -> process_info(waits(), message_queue_len);
run_(info_monitors) -> process_info(waits(), monitors);
run_(info_monitored_by) -> process_info(waits(), monitored_by);
run_(info_some) -> process_info(waits(), [links, registered_name]);
run_(process_count) -> erlang:system_info(process_count).
