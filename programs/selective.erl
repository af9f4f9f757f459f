%% N processes send one message each; the first process receives them in a fixed order, whatever
%% the order in which they come.
-module(selective).
-export([test/1]).

test(N) ->
    R = self(),
    Senders = [spawn(fun() -> R ! {self(), I} end) || I <- lists:seq(1, N)],
    [receive {S, X} -> X end || S <- Senders].
