%% Processes that suspend and resume each other.
-module(suspensions).
-export([all/0, before_send/0, resumed/0, twice/0, two/0, killed/0, abandoned/0, never/0, each_other/0]).

waits() -> spawn(fun() -> receive stop -> ok end end).

gone() ->
    {Pid, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, Pid, normal} -> Pid end.

sender(Me) -> spawn(fun() -> Me ! hello, receive stop -> ok end end).

look() -> receive hello -> hello after 0 -> nothing end.

%% What it sends comes before the suspension, or not while that lasts.
before_send() ->
    Pid = sender(self()),
    erlang:suspend_process(Pid),
    First = look(),
    erlang:display([First, look()]).

resumed() ->
    Pid = sender(self()),
    erlang:suspend_process(Pid),
    First = look(),
    erlang:resume_process(Pid),
    erlang:display([First, receive hello -> hello after 1000 -> nothing end]).

%% A process that is suspended twice is resumed twice.
twice() ->
    Pid = sender(self()),
    true = erlang:suspend_process(Pid),
    true = erlang:suspend_process(Pid),
    false = erlang:suspend_process(Pid, [unless_suspending]),
    true = erlang:resume_process(Pid),
    erlang:display([look(), look()]).

%% Both suspenders resume the process by their ends.
two() ->
    Me = self(),
    Pid = spawn(fun() -> receive go -> Me ! hello end end),
    Suspend = fun() -> erlang:suspend_process(Pid), Me ! suspended end,
    spawn(Suspend),
    spawn(Suspend),
    [receive suspended -> ok end || _ <- [1, 2]],
    Pid ! go,
    erlang:display(receive hello -> hello end).

%% A signal ends a process that is suspended.
killed() ->
    Pid = waits(),
    Ref = monitor(process, Pid),
    erlang:suspend_process(Pid),
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, Why} -> ok end,
    erlang:display([Why, catch_error(fun() -> erlang:resume_process(Pid) end)]).

%% The suspender ends by a signal.
abandoned() ->
    Me = self(),
    Pid = spawn(fun() -> receive go -> Me ! hello end end),
    Suspender = spawn(fun() -> erlang:suspend_process(Pid), Me ! suspended, receive stop -> ok end end),
    receive suspended -> ok end,
    Pid ! go,
    exit(Suspender, bye),
    erlang:display(receive hello -> hello end).

%% A deadlock.
never() ->
    Pid = waits(),
    erlang:suspend_process(Pid),
    Pid ! stop,
    receive hello -> ok end.

%% The first of the two stops the other one until it ends.
each_other() ->
    Me = self(),
    Pid = spawn(fun() -> catch erlang:suspend_process(Me), Me ! done end),
    catch erlang:suspend_process(Pid),
    erlang:display(look_for_done()).

look_for_done() -> receive done -> done after 0 -> nothing end.

catch_error(Function) -> try Function() catch error:Reason -> Reason end.

%% Compared with the real machine.
all() ->
    [io:format("~w: ~w~n", [Name, catch_error(Function)]) || {Name, Function} <- cases()].

cases() ->
    Pid = waits(),
    Gone = gone(),
    Suspend = fun(Options) -> fun() -> erlang:suspend_process(Pid, Options) end end,
    Suspend_gone = fun(Options) -> fun() -> erlang:suspend_process(Gone, Options) end end,
    Resume = fun() -> erlang:resume_process(Pid) end,
    [{itself, fun() -> erlang:suspend_process(self()) end},
     {itself_soon, fun() -> erlang:suspend_process(self(), [asynchronous]) end},
     {atom, fun() -> erlang:suspend_process(list_to_atom("name")) end},
     {gone, Suspend_gone([])},
     {gone_unless, Suspend_gone([unless_suspending])},
     {gone_soon, Suspend_gone([asynchronous])},
     {gone_answer, Suspend_gone([{asynchronous, gone}])},
     {gone_answered, answer(gone)},
     {resume_gone, fun() -> erlang:resume_process(Gone) end},
     {bad_option, Suspend([list_to_atom("bad")])},
     {bad_list, Suspend([unless_suspending | bad])},
     {no_list, Suspend(bad)},
     {resume_none, Resume},
     {resume_itself, fun() -> erlang:resume_process(self()) end},
     {none, fun suspending/0},
     {suspend, Suspend([])},
     {again, Suspend([])},
     {unless, Suspend([unless_suspending])},
     {unless_answer, Suspend([unless_suspending, {asynchronous, unless}])},
     {unless_answered, answer(unless)},
     {soon, Suspend([asynchronous])},
     {answer, Suspend([asynchronous, {asynchronous, tag}])},
     {answered, answer(tag)},
     {counts, fun suspending/0},
     {resume, Resume},
     {resume, Resume},
     {resume, Resume},
     {counts, fun suspending/0},
     {resume, Resume},
     {resume, Resume},
     {none, fun suspending/0}].

answer(Tag) -> fun() -> receive {Tag, State} -> State end end.

suspending() ->
    {suspending, All} = process_info(self(), suspending),
    [{Active, Outstanding} || {_, Active, Outstanding} <- All].
