%% Two processes send one message each; the first process receives one of them.
-module(two_senders_blocking).
-export([test/0]).

test() ->
    R = self(),
    [spawn(fun() -> R ! {message, I} end) || I <- [1, 2]],
    receive {message, X} -> X end.
