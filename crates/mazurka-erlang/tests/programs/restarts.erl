%% A supervisor that starts its child again.
-module(restarts).
-behaviour(supervisor).
-export([restart/0, start_child/1, init/1]).

init(Main) ->
    Child = #{id => child, start => {?MODULE, start_child, [Main]}},
    {ok, {#{strategy => one_for_one, intensity => 1, period => 5}, [Child]}}.

start_child(Main) ->
    {ok, proc_lib:spawn_link(fun() -> Main ! {started, self()}, receive crash -> exit(crash) end end)}.

restart() ->
    {ok, _} = supervisor:start_link(?MODULE, self()),
    First = receive {started, P} -> P end,
    First ! crash,
    Second = receive {started, Q} -> Q end,
    erlang:display(First =/= Second).
