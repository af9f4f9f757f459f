%% Processes that perform the acts of a script and end with everything that they have seen.
-module(scripts).
-export([run/1, run_alike/3, say/2]).

%% The first script belongs to the first process, which knows all others. Each of the others knows
%% the first process and the processes that were started before it.
run([Script | Scripts]) ->
    Table = ets:new(table, [public, ordered_set]),
    Array = atomics:new(1, []),
    Play = fun(Theirs, Known) -> play(Theirs, Known, Table, Array) end,
    Everybody = lists:foldl(fun(Theirs, Known) ->
                                    Known ++ [spawn(fun() -> Play(Theirs, Known) end)]
                            end, [self()], Scripts),
    Play(Script, Everybody).

%% Groups of processes that were started alike: how many, and what each of them does. They know the first
%% process, which knows all of them or only itself.
run_alike(Knows, Script, Groups) ->
    First = self(),
    Array = atomics:new(1, []),
    Start = fun({Count, Theirs}) ->
                    Alike = fun() -> play(Theirs, [First], none, Array) end,
                    [spawn(Alike) || _ <- lists:seq(1, Count)]
            end,
    All = lists:append([Start(Group) || Group <- Groups]),
    Known = case Knows of all -> [First | All]; first -> [First] end,
    play(Script, Known, none, Array).

play(Script, Known, Table, Array) ->
    put(array, Array),
    exit({seen, [try act(Act, Known, Table)
                 catch throw:Reason -> {thrown, Reason};
                       error:Reason -> Reason
                 end || Act <- Script]}).

say(Whom, What) -> Whom ! What.

act({What, Whom}, Known, Table) when is_integer(Whom) ->
    act(What, lists:nth(Whom rem length(Known) + 1, Known), Table);
%% Messages
act({say, What}, Whom, _) -> Whom ! What;
act(say_self, Whom, _) -> Whom ! self(), said;
act(say_new, Whom, _) -> Whom ! make_ref(), said;
act({apply, What}, Whom, _) -> Call = get_apply(), {said, Call(?MODULE, say, [Whom, What])};
act({name, What}, _, _) -> name ! What;
act({node, What}, _, _) -> {name, node()} ! What;
act({hear, Time}, _, _) -> receive What -> What after time(Time) -> nothing end;
act({hear, Time, What}, _, _) -> receive What -> What after time(Time) -> nothing end;
act(wait, _, _) -> receive after infinity -> ok end;
act({news, Time}, _, _) ->
    receive
        {'DOWN', _, process, Who, Why} -> {down, Who, Why};
        {'EXIT', Who, Why} -> {left, Who, Why}
    after time(Time) -> no_news
    end;
act({flush, What}, _, _) -> flush(What);
act(lead, Whom, _) -> group_leader(self(), Whom);
act(leader, _, _) -> group_leader();
act({spawn_leader, What}, Whom, _) -> spawn(fun() -> Whom ! {What, group_leader()} end), spawned;
%% Links, exits and monitors
act({signal, Why}, Whom, _) -> exit(Whom, Why);
act(link, Whom, _) -> link(Whom);
act(unlink, Whom, _) -> unlink(Whom);
act({trap, Whether}, _, _) -> process_flag(trap_exit, Whether);
act({suspend, Options}, Whom, _) -> erlang:suspend_process(Whom, Options);
act(suspend, Whom, _) -> erlang:suspend_process(Whom);
act(resume, Whom, _) -> erlang:resume_process(Whom);
act(suspending, _, _) -> process_info(self(), suspending);
act(watch, Whom, _) -> put(ref, monitor(process, Whom)), watches;
act(watch_name, _, _) -> put(ref, monitor(process, name)), watches;
act({monitor, Mode}, Whom, _) -> put(ref, monitor(process, Whom, [{alias, Mode}])), monitors;
act(alias, _, _) -> put(ref, alias()), aliased;
act(unalias, _, _) -> unalias(get(ref));
act(share, Whom, _) -> Whom ! {alias, get(ref)}, shared;
act(reply, _, _) -> receive {alias, Alias} -> Alias ! reply, replied after 0 -> none end;
act({demonitor, Options}, _, _) -> demonitor(get(ref), Options);
%% Names
act(register, Whom, _) -> register(name, Whom);
act(unregister, _, _) -> unregister(name);
act(whereis, _, _) -> whereis(name);
act(registered, _, _) -> registered();
act(await_name, Whom, _) -> await_name(Whom);
act(await_free, _, _) -> await_free();
act(await_name_once, Whom, _) -> once(whereis(name) =:= Whom, awaited);
act(await_free_once, _, _) -> once(whereis(name) =:= undefined, awaited);
%% What processes find out about each other
act(is_alive, Whom, _) -> is_process_alive(Whom);
act(processes, _, _) -> length(processes());
act({info, What}, Whom, _) -> process_info(Whom, What);
%% Children
act({spawn, What, Why}, Whom, _) ->
    Child = fun() -> Whom ! What, exit(Why) end,
    spawn(Child), spawned;
act({spawn_link, What, Why}, Whom, _) -> spawn_link(fun() -> Whom ! What, exit(Why) end);
act({spawn_monitor, Why}, _, _) ->
    {Child, Ref} = spawn_monitor(fun() -> exit(Why) end),
    put(ref, Ref), Child;
act({spawn_opt, Options, What}, Whom, _) ->
    case spawn_opt(?MODULE, say, [Whom, What], Options) of
        {Child, Ref} -> put(ref, Ref), Child;
        Child -> Child
    end;
%% Timers
act({after_, What}, Whom, _) -> put(timer, erlang:send_after(1, Whom, What)), set;
act({after_name, What}, _, _) -> put(timer, erlang:send_after(1, name, What)), set;
act({start, What}, Whom, _) -> put(timer, erlang:start_timer(1, Whom, What)), started;
act(cancel, _, _) -> erlang:cancel_timer(get(timer)) =/= false;
act(cancel_soon, _, _) -> erlang:cancel_timer(get(timer), [{async, true}, {info, false}]);
act(read, _, _) -> erlang:read_timer(get(timer)) =/= false;
act(share_timer, Whom, _) -> Whom ! {timer, get(timer)}, shared;
act(get_timer, _, _) -> receive {timer, Timer} -> put(timer, Timer), got after 0 -> none end;
%% Tables
act({insert, Key}, _, Table) -> ets:insert(Table, {Key, self()});
act({insert_same, Key}, _, Table) -> ets:insert(Table, {Key, 1});
act({insert_all, Keys}, _, Table) -> ets:insert(Table, [{Key, 7} || Key <- Keys]);
act({insert_new, Key}, _, Table) -> ets:insert_new(Table, {Key, self()});
act({insert_new_all, Keys}, _, Table) -> ets:insert_new(Table, [{Key, 8} || Key <- Keys]);
act({lookup, Key}, _, Table) -> ets:lookup(Table, Key);
act({lookup_element, Key}, _, Table) -> ets:lookup_element(Table, Key, 2);
act({member, Key}, _, Table) -> ets:member(Table, Key);
act({take, Key}, _, Table) -> ets:take(Table, Key);
act({remove, Key}, _, Table) -> ets:delete(Table, Key);
act({remove_object, Key}, _, Table) -> ets:delete_object(Table, {Key, 1});
act({count, Key}, _, Table) -> ets:update_counter(Table, Key, 1, {Key, 0});
act({change, Key}, _, Table) -> ets:update_element(Table, Key, {2, new});
act(select, _, Table) -> ets:select(Table, [{{'$1', '$2'}, [{is_integer, '$2'}], ['$1']}]);
act({select, Key}, _, Table) -> ets:select(Table, [{{Key, '$2'}, [], ['$2']}]);
act(some, _, Table) ->
    case ets:select(Table, [{{'$1', '_'}, [], ['$1']}], 1) of {Some, _} -> Some; End -> End end;
act(match, _, Table) -> ets:match(Table, {'$1', 1});
act({match, Key}, _, Table) -> ets:match_object(Table, {Key, '_'});
act(match_delete, _, Table) -> ets:match_delete(Table, {'_', 1});
act(select_delete, _, Table) -> ets:select_delete(Table, [{{'_', 7}, [], [true]}]);
act(select_count, _, Table) -> ets:select_count(Table, [{{'_', 7}, [], [true]}]);
act({match_delete, Key}, _, Table) -> ets:match_delete(Table, {Key, '_'});
act({select_delete, Keys}, _, Table) ->
    ets:select_delete(Table, [{{Key, '_'}, [], [true]} || Key <- Keys]);
act({select_count, Keys}, _, Table) ->
    ets:select_count(Table, [{{Key, '_'}, [], [true]} || Key <- Keys]);
act(type, _, Table) -> ets:info(Table, type);
act(list, _, Table) -> ets:tab2list(Table);
act(first, _, Table) -> ets:first(Table);
act(last, _, Table) -> ets:last(Table);
act({next, Key}, _, Table) -> ets:next(Table, Key);
act({prev, Key}, _, Table) -> ets:prev(Table, Key);
act(size, _, Table) -> ets:info(Table, size);
act(owner, _, Table) -> ets:info(Table, owner);
act(empty, _, Table) -> ets:delete_all_objects(Table);
act(delete, _, Table) -> ets:delete(Table);
act(give, Whom, Table) -> ets:give_away(Table, Whom, gift);
act(give_own, Whom, _) -> ets:give_away(named, Whom, gift);
act(heir, Whom, _) -> ets:new(named, [named_table, public, {heir, Whom, inherited}]);
act(tables, _, _) -> length(ets:all());
act(new, _, _) -> ets:new(named, [named_table, public]);
act(new_private, _, _) -> ets:new(named, [named_table, private]);
act(rename, _, _) -> ets:rename(named, renamed);
act(rename_back, _, _) -> ets:rename(renamed, named);
act(where, _, _) -> ets:whereis(named) =/= undefined;
act({insert_named, Key}, _, _) -> ets:insert(named, {Key, 1});
act({lookup_named, Key}, _, _) -> ets:lookup(named, Key);
act(delete_named, _, _) -> ets:delete(named);
%% Terms and numbers that all processes share
act({keep, What}, _, _) -> persistent_term:put(key, What);
act(all_kept, _, _) -> lists:sort(persistent_term:get());
act(kept, _, _) -> persistent_term:get(key, none);
act(forget, _, _) -> persistent_term:erase(key);
act({set, Number}, _, _) -> atomics:put(get(array), 1, number(Number));
act({add, Number}, _, _) -> atomics:add(get(array), 1, number(Number));
act({add_get, Number}, _, _) -> atomics:add_get(get(array), 1, number(Number));
act({exchange, Number}, _, _) -> atomics:exchange(get(array), 1, number(Number));
act({compare, Number}, _, _) -> atomics:compare_exchange(get(array), 1, number(Number), 2);
act(get_number, _, _) -> atomics:get(get(array), 1);
act({poll, Number}, _, _) -> poll(get(array), number(Number));
act({await, Key}, _, Table) -> await(Table, Key);
act({await_same, Key}, _, Table) -> await_same(Table, Key);
act({await_none, Key}, _, Table) -> await_none(Table, Key);
act({await_element, Key}, _, Table) -> await_element(Table, Key);
act({await_named, Key}, _, _) -> await(named, Key);
act({await_no_name, Key}, _, _) -> await_no_name(Key);
act({await_named_once, Key}, _, _) -> once(ets:member(named, Key), awaited);
act({await_no_name_once, Key}, _, _) -> once(found(Key) =:= no_table, awaited);
act({await_once, Key}, _, Table) -> once(ets:member(Table, Key), awaited);
act({await_same_once, Key}, _, Table) -> once(ets:lookup(Table, Key) =:= [{Key, 1}], awaited);
act({await_none_once, Key}, _, Table) -> once(ets:lookup(Table, Key) =:= [], awaited);
act({await_element_once, Key}, _, Table) -> once(second(Table, Key) =:= 7, awaited);
act({acquire, Number}, _, _) -> acquire(get(array), number(Number));
act({poll_once, Number}, _, _) -> once(atomics:get(get(array), 1) =:= number(Number), polled);
act({acquire_once, Number}, _, _) ->
    once(atomics:compare_exchange(get(array), 1, 0, number(Number)) =:= ok, acquired);
%% Modules that are loaded while the program runs
act({load, Value}, _, _) -> code:load_binary(loaded, "loaded", binary(Value));
act({load_module, Value}, _, _) -> erlang:load_module(loaded, binary(Value));
act(call, _, _) -> loaded:value();
act(delete_code, _, _) -> code:delete(loaded);
act(purge, _, _) -> code:purge(loaded);
act(soft_purge, _, _) -> code:soft_purge(loaded);
act(has_old_code, _, _) -> erlang:check_old_code(loaded);
act(is_loaded, _, _) -> code:is_loaded(loaded);
act(exported, _, _) -> erlang:function_exported(loaded, value, 0);
%% The dictionary, and exceptions
act({put, What}, _, _) -> put(what, What);
act(get, _, _) -> {get(what), length(get())};
act(erase, _, _) -> erase(what);
act({throw, Why}, _, _) -> throw(Why);
act({crash, Why}, _, _) -> exit(Why);
act({fail, Why}, Whom, _) -> try Whom ! Why, error(Why) after Whom ! after_ end.

%% Numbers stand for processes, so a time limit is an atom, and so are other numbers.
time(now) -> 0;
time(infinity) -> infinity.

number(x) -> 1;
number(y) -> 2.

%% Loops until a number has a value.
poll(Array, Number) -> case atomics:get(Array, 1) of Number -> polled; _ -> poll(Array, Number) end.

acquire(Array, Number) ->
    case atomics:compare_exchange(Array, 1, 0, Number) of ok -> acquired; _ -> acquire(Array, Number) end.

%% Loop until a process has the name, or none.
await_name(Whom) -> case whereis(name) of Whom -> awaited; _ -> await_name(Whom) end.

await_free() -> case whereis(name) of undefined -> awaited; _ -> await_free() end.

%% Loop until the objects of a key are these.
await(Table, Key) -> case ets:member(Table, Key) of true -> awaited; false -> await(Table, Key) end.

await_same(Table, Key) ->
    case ets:lookup(Table, Key) of [{Key, 1}] -> awaited; _ -> await_same(Table, Key) end.

await_none(Table, Key) -> case ets:lookup(Table, Key) of [] -> awaited; _ -> await_none(Table, Key) end.

%% A table without the key fails as a table does that is deleted, in which case the loop never ends.
await_element(Table, Key) -> case second(Table, Key) of 7 -> awaited; _ -> await_element(Table, Key) end.

%% Loops until no table has the name.
await_no_name(Key) -> case found(Key) of no_table -> awaited; _ -> await_no_name(Key) end.

found(Key) -> try ets:lookup(named, Key) catch error:badarg -> no_table end.

second(Table, Key) -> try ets:lookup_element(Table, Key, 2) catch error:badarg -> none end.

once(true, Result) -> Result;
once(false, _) -> exit(gave_up).

get_apply() -> fun erlang:apply/3.

%% Returns the code of a module with a function that returns a value.
binary(Value) ->
    Clause = {clause, 1, [], [], [{atom, 1, Value}]},
    {ok, loaded, Binary} = compile:forms([{attribute, 1, module, loaded}, {attribute, 1, export, [{value, 0}]},
                                          {function, 1, value, 0, [Clause]}]),
    Binary.

%% Receives every message of a kind that is there.
flush(What) -> receive What -> [What | flush(What)] after 0 -> [] end.
