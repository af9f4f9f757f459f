%% Links and exit signals.
-module(links).
-export([trapped/0, untrapped/0, killed/0, normal/0, race_with_trap/0, unlinked/0, asked/0]).

%% The end of a linked process is a message to who traps exits.
trapped() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> exit(bye) end),
    receive {'EXIT', Child, Reason} -> erlang:display(Reason) end.

%% It ends who does not. The first process may have sent its message by then, or not.
untrapped() ->
    Watcher = self(),
    spawn(fun() ->
                  spawn_link(fun() -> exit(bye) end),
                  Watcher ! still_here
          end),
    receive still_here -> erlang:display(heard)
    after 10 -> erlang:display(not_heard)
    end.

%% Nobody traps `kill`, and the reason is another one for those who are linked.
killed() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> process_flag(trap_exit, true), receive never -> ok end end),
    exit(Child, kill),
    receive {'EXIT', Child, Reason} -> erlang:display(Reason) end.

%% A normal end harms nobody.
normal() ->
    Child = spawn_link(fun() -> ok end),
    Child ! hello,
    erlang:display(done).

%% A signal comes before or after the receiver begins to trap exits.
race_with_trap() ->
    process_flag(trap_exit, true),
    Me = self(),
    Child = spawn_link(fun() ->
                               process_flag(trap_exit, true),
                               receive {'EXIT', Me, Why} -> exit({trapped, Why}) end
                       end),
    exit(Child, bye),
    receive {'EXIT', Child, Reason} -> erlang:display(Reason) end.

%% After `unlink` there is no message, unless it came before.
unlinked() ->
    process_flag(trap_exit, true),
    Child = spawn_link(fun() -> exit(bye) end),
    unlink(Child),
    receive {'EXIT', Child, Reason} -> erlang:display(Reason)
    after 0 -> erlang:display(nothing)
    end.

%% Two processes link to another one and end. The list of its links has those that have not ended.
asked() ->
    Linked = spawn(fun() -> receive never -> ok end end),
    spawn(fun() -> link(Linked) end),
    spawn(fun() -> link(Linked) end),
    {links, Links} = process_info(Linked, links),
    erlang:display(length(Links)).
