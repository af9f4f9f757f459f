%% N processes send the same message to the first process, which receives N messages.
-module(equal_senders).
-export([test/1]).

test(N) ->
    R = self(),
    [spawn(fun() -> R ! message end) || _ <- lists:seq(1, N)],
    [receive message -> ok end || _ <- lists:seq(1, N)].
