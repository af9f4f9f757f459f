%% Two processes send one message each; the first process looks once whether there is a message.
-module(two_senders_polling).
-export([test/0]).

test() ->
    R = self(),
    [spawn(fun() -> R ! {message, I} end) || I <- [1, 2]],
    receive {message, X} -> X after 0 -> none end.
