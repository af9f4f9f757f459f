%% N processes send one message each to the first process, which receives N messages, any of them
%% each time.
-module(not_selective).
-export([test/1]).

test(N) ->
    R = self(),
    [spawn(fun() -> R ! {message, I} end) || I <- lists:seq(1, N)],
    [receive {message, X} -> X end || _ <- lists:seq(1, N)].
