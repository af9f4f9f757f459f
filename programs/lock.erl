%% N workers acquire and release a lock that is a process, and that waits for the next request for
%% ever.
-module(lock).
-export([test/1]).

test(N) ->
    L = spawn(fun lock/0),
    [spawn(fun() -> worker(L) end) || _ <- lists:seq(1, N)].

lock() ->
    receive
        {acquire, P} ->
            P ! acquired,
            receive release -> lock() end
    end.

worker(L) ->
    acquire(L),
    release(L).

acquire(L) ->
    L ! {acquire, self()},
    receive acquired -> ok end.

release(L) ->
    L ! release.
