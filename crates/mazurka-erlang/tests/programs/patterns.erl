%% Processes that wait for what never comes.
-module(patterns).
-export([wait/1, crashes/0, crash_and_race/0, port/0]).

wait(atom) -> receive hello -> ok end;
wait(tuple) -> receive {hello, _, [1, X]} -> X; {bye, _} -> ok end;
wait(bound) ->
    Ref = make_ref(),
    Self = self(),
    receive {Ref, Answer} -> Answer; {'DOWN', Ref, process, Self, Reason} -> Reason end;
wait(guard) -> receive {n, N} when is_integer(N), N > 3 -> N; L when length(L) > 2 -> L end;
wait(list) -> receive [] -> none; [H | T] when H =/= x -> T end;
wait(map) -> receive #{key := V} -> V end;
wait(any) -> receive {a, _} -> ok end, receive M -> M end;
wait(ever) -> receive after infinity -> ok end;
wait(same) -> receive {X, X} -> ok end;
wait(number) -> receive {1.5, <<"ab">>, "text"} -> ok; 7 -> ok end;
wait(taken) ->
    self() ! {n, 1},
    self() ! {m, 2},
    receive {m, N} when N > 1 -> N end,
    receive {n, a} -> ok after 10 -> ok end.

%% Two processes end at once.
crashes() ->
    spawn(fun() -> exit(one) end),
    spawn(fun() -> exit(two) end).

%% One process ends at once, beside a race of two others.
crash_and_race() ->
    Self = self(),
    spawn(fun() -> exit(at_once) end),
    spawn(fun() -> Self ! a end),
    spawn(fun() -> Self ! b end),
    receive a -> ok; b -> exit(overtaken) end.

port() ->
    Port = open_port({spawn, "true"}, []),
    {port, Port}.
