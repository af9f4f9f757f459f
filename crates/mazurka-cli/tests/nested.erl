%% Processes that create processes, all of which send to one mailbox. Takes some seconds: there are
%% (2 * Pairs + 2 * Singles)! / 2^Pairs orders of the messages.
-module(nested).
-export([test/2]).

test(Pairs, Singles) ->
    Self = self(),
    [spawn(fun() -> pair(Self, I) end) || I <- lists:seq(1, Pairs)],
    [spawn(fun() -> single(Self, I) end) || I <- lists:seq(1, Singles)],
    collect(2 * Pairs + 2 * Singles).

pair(To, I) ->
    To ! {first, I},
    To ! {second, I}.

single(To, I) ->
    spawn(fun() -> To ! {child, I} end),
    To ! {parent, I}.

collect(0) -> ok;
collect(Left) ->
    receive _ -> collect(Left - 1) end.
