%% Timers and timeouts.
-module(timers).
-export([fires/0, cancelled/0, two/0]).

fires() ->
    erlang:send_after(100, self(), tick),
    receive tick -> erlang:display(tick) end.

%% A timer that is cancelled in time does not go off.
cancelled() ->
    Ref = erlang:start_timer(100, self(), tick),
    case erlang:cancel_timer(Ref) of
        false -> receive {timeout, Ref, tick} -> erlang:display(too_late) end;
        _ -> receive {timeout, Ref, tick} -> erlang:display(wrong) after 0 -> erlang:display(in_time) end
    end.

%% Two timers go off in any order.
two() ->
    erlang:send_after(1, self(), one),
    erlang:send_after(2, self(), two),
    First = receive X -> X end,
    Second = receive Y -> Y end,
    erlang:display({First, Second}).
