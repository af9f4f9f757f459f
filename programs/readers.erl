%% One process writes a number, N processes read it.
-module(readers).
-export([test/1]).

test(N) ->
    X = atomics:new(1, []),
    spawn(fun() -> atomics:put(X, 1, 1) end),
    [spawn(fun() -> atomics:get(X, 1) end) || _ <- lists:seq(1, N)].
