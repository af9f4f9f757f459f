%% How long a receive waits.
-module(waits).
-export([zero/0, finite/0, infinity/0, again/0, picky/0, sleep/0, bad/0]).

say(What) ->
    Me = self(),
    spawn(fun() -> Me ! What end).

zero() ->
    say(hello),
    receive hello -> erlang:display(hello) after 0 -> erlang:display(timeout) end.

finite() ->
    say(hello),
    receive hello -> erlang:display(hello) after 1000 -> erlang:display(timeout) end.

infinity() ->
    say(hello),
    receive hello -> erlang:display(hello) after infinity -> erlang:display(timeout) end.

%% It looks twice.
again() ->
    say(hello),
    Look = fun() -> receive hello -> hello after 0 -> nothing end end,
    erlang:display([Look(), Look()]).

%% Of two messages it wants only one.
picky() ->
    say(hello),
    say(noise),
    receive hello -> erlang:display(hello) after 0 -> erlang:display(timeout) end.

%% To sleep is not to look.
sleep() ->
    say(hello),
    receive after 10 -> ok end,
    receive hello -> erlang:display(hello) end.

%% A time that is none is an error, unless the message is there.
bad() ->
    say(hello),
    Time = list_to_atom("soon"),
    erlang:display(try receive hello -> hello after Time -> timeout end catch error:Reason -> Reason end).
