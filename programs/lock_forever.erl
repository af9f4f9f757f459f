%% N workers acquire and release a lock that is a process, for ever. Whoever has the lock takes a name,
%% which no two processes can have: so the program fails if two of them have the lock.
%%
%% wrong(N) is the same with workers that give the lock back before the name.
-module(lock_forever).
-export([test/1, wrong/1]).

test(N) ->
    start(N, fun(L) -> unregister(holder), L ! release end).

wrong(N) ->
    start(N, fun(L) -> L ! release, unregister(holder) end).

start(N, GiveBack) ->
    L = spawn(fun lock/0),
    [spawn(fun() -> worker(L, GiveBack) end) || _ <- lists:seq(1, N)].

lock() ->
    receive
        {acquire, P} ->
            P ! acquired,
            receive release -> lock() end
    end.

worker(L, GiveBack) ->
    L ! {acquire, self()},
    receive acquired -> ok end,
    register(holder, self()),
    GiveBack(L),
    worker(L, GiveBack).
