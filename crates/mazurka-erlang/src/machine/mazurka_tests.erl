%% Runs one test of EUnit or ExUnit in the process that calls. The servers of these frameworks, which
%% run tests in processes of their own and collect results, would multiply the executions.
-module(mazurka_tests).
-export([eunit/2, exunit/2]).

eunit(Module, Name) ->
    case lists:suffix("_test_", atom_to_list(Name)) of
        true -> run(Module:Name());
        false -> Module:Name()
    end.

run(Test) when is_function(Test, 0) -> Test();
run(Tests) when is_list(Tests) -> lists:foreach(fun run/1, Tests);
run({Line, Test}) when is_integer(Line) -> run(Test);
run({Module, Function}) when is_atom(Module), is_function(Function, 0) -> Function();
run({generator, Generate}) -> run(Generate());
run({generator, Module, Function}) -> run(Module:Function());
run({inorder, Tests}) -> run(Tests);
run({inparallel, Tests}) -> in_parallel(Tests);
run({inparallel, _, Tests}) -> in_parallel(Tests);
run({spawn, Tests}) -> in_parallel([Tests]);
run({timeout, _, Tests}) -> run(Tests);
run({with, Value, Tests}) -> lists:foreach(fun(Test) -> with(Test, Value) end, Tests);
run({setup, Start, Tests}) -> set_up(Start, fun(_) -> ok end, Tests);
run({setup, Start, Stop, Tests}) when is_function(Start) -> set_up(Start, Stop, Tests);
run({setup, local, Start, Tests}) -> set_up(Start, fun(_) -> ok end, Tests);
run({setup, spawn, Start, Tests}) -> in_parallel([{setup, Start, Tests}]);
run({setup, local, Start, Stop, Tests}) -> set_up(Start, Stop, Tests);
run({setup, spawn, Start, Stop, Tests}) -> in_parallel([{setup, Start, Stop, Tests}]);
run({foreach, Start, Tests}) -> each(Start, fun(_) -> ok end, Tests);
run({foreach, Start, Stop, Tests}) when is_function(Start) -> each(Start, Stop, Tests);
run({foreach, local, Start, Stop, Tests}) -> each(Start, Stop, Tests);
run({foreach, spawn, Start, Stop, Tests}) ->
    lists:foreach(fun(Test) -> in_parallel([{setup, Start, Stop, Test}]) end, Tests);
run({Module, Function}) when is_atom(Module), is_atom(Function) -> Module:Function();
run({Title, Tests}) when is_list(Title); is_binary(Title) -> run(Tests);
run(Test) -> error({unknown_eunit_test, Test}).

with({_, Test}, Value) -> with(Test, Value);
with(Test, Value) -> Test(Value).

each(Start, Stop, Tests) -> lists:foreach(fun(Test) -> set_up(Start, Stop, Test) end, Tests).

set_up(Start, Stop, Tests) ->
    Value = Start(),
    try instantiate(Tests, Value) after Stop(Value) end.

instantiate(Tests, Value) when is_function(Tests, 1) -> run(Tests(Value));
instantiate({with, Tests}, Value) -> run({with, Value, Tests});
instantiate(Tests, _) -> run(Tests).

in_parallel(Tests) ->
    Started = [spawn_monitor(fun() -> run(Test) end) || Test <- Tests],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Started],
    ok.

%% The handler has been started before the program.
exunit(Module, Test) ->
    Handler = 'Elixir.ExUnit.OnExitHandler',
    Handler:register(self()),
    Context = #{module => Module, 'case' => Module, test => Test, test_type => test,
                async => false, registered => #{}, describe => nil, describe_line => nil},
    AfterAll = maps:merge(Context, Module:'__ex_unit__'(setup_all, Context)),
    Tagged = maps:merge(AfterAll, tags(Module, Test)),
    Ready = maps:merge(Tagged, Module:'__ex_unit__'(setup, Tagged)),
    Module:Test(Ready),
    stop_supervisor(Handler),
    Handler:run(self(), infinity).

%% Returns the tags of a test: those of its module, of its group and its own. The group decides which
%% `setup` callbacks run.
tags(Module, Test) ->
    case erlang:function_exported(Module, '__ex_unit__', 0) of
        true ->
            #{tests := Tests} = Module:'__ex_unit__'(),
            [Tags] = [Tags || #{name := Name, tags := Tags} <- Tests, Name =:= Test],
            Tags;
        false ->
            #{}
    end.

%% Stops what `start_supervised` has started. ExUnit ends the process of the test for that.
stop_supervisor(Handler) ->
    case Handler:get_supervisor(self()) of
        {ok, Supervisor} when is_pid(Supervisor) ->
            unlink(Supervisor),
            exit(Supervisor, shutdown);
        _ ->
            ok
    end.
