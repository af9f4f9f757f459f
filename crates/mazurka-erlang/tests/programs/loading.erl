%% Modules that the program compiles and loads.
-module(loading).
-export([all/0, replaced/0, deleted/0, two/0, purged/0]).

%% Returns the code of a module with a function that returns a value.
binary(Value) ->
    Functions = [{value, {atom, 1, Value}},
                 {wait, {'receive', 1, [{clause, 1, [{atom, 1, stop}], [], [{atom, 1, Value}]}]}}],
    Forms = [{attribute, 1, module, loaded},
             {attribute, 1, export, [{Name, 0} || {Name, _} <- Functions]} |
             [{function, 1, Name, 0, [{clause, 1, [], [], [Body]}]} || {Name, Body} <- Functions]],
    {ok, loaded, Binary} = compile:forms(Forms),
    Binary.

load(Value) -> {module, loaded} = code:load_binary(loaded, "loaded.erl", binary(Value)).

call() -> try loaded:value() catch error:Reason -> Reason end.

%% The child calls the first version or the second one.
replaced() ->
    Me = self(),
    load(one),
    spawn(fun() -> Me ! call() end),
    load(two),
    erlang:display(receive Value -> Value end).

deleted() ->
    Me = self(),
    load(one),
    spawn(fun() -> Me ! call() end),
    true = code:delete(loaded),
    erlang:display(receive Value -> Value end).

%% Two processes load the module.
two() ->
    Me = self(),
    [spawn(fun() -> load(Value), Me ! done end) || Value <- [one, two]],
    receive done -> ok end,
    receive done -> ok end,
    erlang:display(call()).

%% A process runs the code that is purged.
purged() ->
    load(one),
    spawn(loaded, wait, []),
    load(two),
    load(one).

%% Compared with the real machine.
all() ->
    [io:format("~w: ~0p~n", [Name, attempt(Function)]) || {Name, Function} <- cases()].

attempt(Function) -> try Function() catch error:Reason -> {error, Reason} end.

cases() ->
    [One, Two] = [binary(Value) || Value <- [one, two]],
    Module = list_to_atom("loaded"),
    Load = fun(File, Binary) -> fun() -> code:load_binary(Module, File, Binary) end end,
    [{before, fun call/0},
     {state_before, fun state/0},
     {delete_before, fun() -> [code:delete(Module), erlang:delete_module(Module)] end},
     {purge_before, fun() -> [code:purge(Module), code:soft_purge(Module)] end},
     {load, Load("loaded.erl", One)},
     {state, fun state/0},
     {call, fun call/0},
     {apply, fun() -> apply(Module, value, []) end},
     {function, fun() -> Value = fun loaded:value/0, Value() end},
     {no_function, fun() -> loaded:no_function() end},
     {exports, fun() -> lists:sort(loaded:module_info(exports)) end},
     {load_second, fun() -> erlang:load_module(Module, Two) end},
     {call_second, fun call/0},
     {not_purged, fun() -> erlang:load_module(Module, One) end},
     {delete_not_purged, fun() -> code:delete(Module) end},
     {delete_not_purged, fun() -> erlang:delete_module(Module) end},
     {purge, fun() -> code:purge(Module) end},
     {delete, fun() -> code:delete(Module) end},
     {deleted, fun call/0},
     {state_deleted, fun state/0},
     {soft_purge, fun() -> code:soft_purge(Module) end},
     {state_purged, fun state/0},
     {bad_binary, Load("loaded.erl", <<"bad">>)},
     {bad_load, fun() -> erlang:load_module(Module, <<"bad">>) end},
     {other_module, fun() -> code:load_binary(other, "loaded.erl", One) end},
     {no_binary, fun() -> erlang:load_module(Module, Module) end},
     {sticky, fun() -> code:load_binary(lists, "lists.erl", One) end},
     {load_again, Load("a", One)},
     {load_again, Load("b", Two)},
     {load_again, Load("c", One)},
     {state_again, fun state/0},
     {call_again, fun call/0},
     {spawned, fun spawned/0},
     {bad_forms, fun bad_forms/0}].

state() ->
    [code:is_loaded(loaded), erlang:module_loaded(loaded), erlang:check_old_code(loaded),
     erlang:function_exported(loaded, value, 0), code:ensure_loaded(loaded)].

spawned() ->
    {Pid, Ref} = spawn_monitor(loaded, wait, []),
    Pid ! stop,
    receive {'DOWN', Ref, process, Pid, Why} -> Why end.

bad_forms() ->
    Clause = {clause, 1, [], [], [{var, 1, 'Unbound'}]},
    compile:forms([{attribute, 1, module, bad}, {function, 1, f, 0, [Clause]}], [return]).
