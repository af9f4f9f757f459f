%% Processes that were started alike, and programs that tell them apart.
-module(alike).
-compile([export_all, nowarn_export_all]).

-define(many(N, Body), [spawn(fun() -> Body end) || _ <- lists:seq(1, N)]).

wait(N) -> [receive Message -> Message end || _ <- lists:seq(1, N)].

%% 6 orders.
senders() -> R = self(), ?many(3, R ! a), wait(3).

by_name() -> R = self(), [spawn(?MODULE, send, [R, {a, 0.0}]) || _ <- lists:seq(1, 3)], wait(3).

send(R, Message) -> R ! Message.

with_options() ->
    R = self(),
    [spawn_opt(fun() -> R ! a end, [{priority, low}]) || _ <- lists:seq(1, 3)],
    wait(3).

%% The pids of the creator are the same in every execution.
compared() ->
    R = self(),
    All = ?many(3, R ! a),
    All = lists:usort(All),
    io:format("~p", [All]),
    persistent_term:put(all, All),
    wait(3).

tickets() -> X = atomics:new(1, []), ?many(3, atomics:add_get(X, 1, 1)).

adders() -> X = counters:new(1, []), ?many(3, counters:add(X, 1, 1)).

readers() -> X = atomics:new(1, []), ?many(3, atomics:get(X, 1)), atomics:put(X, 1, 1).

%% Two processes may lose an update.
updates() ->
    R = self(),
    X = atomics:new(1, []),
    ?many(2, begin Seen = atomics:get(X, 1), atomics:put(X, 1, Seen + 1), R ! done end),
    wait(2),
    2 = atomics:get(X, 1).

%% Processes that differ.
arguments() -> R = self(), [spawn(fun() -> R ! I end) || I <- [1, 2, 3]], wait(3).

zeros() -> R = self(), [spawn(fun() -> R ! Zero end) || Zero <- [0.0, -0.0]], wait(2).

priorities() ->
    R = self(),
    [spawn_opt(fun() -> R ! process_flag(priority, low) end, [{priority, P}]) || P <- [low, high, low]],
    wait(3).

between() ->
    R = self(),
    ?many(1, R ! a),
    R ! b,
    ?many(1, R ! a),
    wait(3).

%% These tell processes apart, and fail in some permutations only.
pids() -> R = self(), [A, _] = ?many(2, R ! self()), A = hd(wait(2)).

order() -> R = self(), ?many(2, R ! self()), [A, B] = wait(2), true = A < B.

references() -> R = self(), ?many(2, R ! make_ref()), [A, B] = wait(2), true = A < B.

integers() -> R = self(), ?many(2, R ! erlang:unique_integer()), [A, B] = wait(2), true = A < B.

addressed() ->
    R = self(),
    [A | _] = ?many(2, receive go -> R ! went after 0 -> R ! stayed end),
    A ! go,
    [went, stayed] = wait(2).

later() ->
    R = self(),
    [A | _] = ?many(2, receive go -> R ! went after 0 -> R ! stayed end),
    erlang:send_after(1, A, go),
    [went, stayed] = wait(2).

children() ->
    R = self(),
    ?many(2, begin Child = spawn(fun() -> ok end), R ! Child end),
    [A, B] = wait(2),
    true = A < B.

timers() ->
    R = self(),
    ?many(2, R ! erlang:send_after(1, R, timer)),
    [A, B] = [receive Timer when is_reference(Timer) -> Timer end || _ <- [1, 2]],
    true = A < B.

monitored() ->
    [{A, _} | _] = [spawn_monitor(fun() -> ok end) || _ <- [1, 2]],
    receive {'DOWN', _, process, Pid, _} -> A = Pid end.

linked() ->
    process_flag(trap_exit, true),
    [A | _] = [spawn_link(fun() -> ok end) || _ <- [1, 2]],
    receive {'EXIT', Pid, _} -> A = Pid end.

alive() ->
    X = atomics:new(1, []),
    [A | _] = ?many(2, atomics:add(X, 1, 1)),
    case {atomics:get(X, 1), is_process_alive(A)} of
        {1, Alive} -> true = Alive;
        _ -> ok
    end.

named() ->
    R = self(),
    ?many(2, begin catch register(name, self()), R ! whereis(name) =:= self() end),
    [true | _] = wait(2).

random() ->
    R = self(),
    ?many(2, R ! rand:uniform(1000000)),
    [A, B] = wait(2),
    true = A < B.
