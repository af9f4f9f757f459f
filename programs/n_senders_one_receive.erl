%% N processes send one message each; the first process receives one of them.
-module(n_senders_one_receive).
-export([test/1]).

test(N) ->
    R = self(),
    [spawn(fun() -> R ! {message, I} end) || I <- lists:seq(1, N)],
    receive {message, X} -> X end.
