%% Chain replication with a repair that loses data.
%%
%% A write goes to the head of a chain of three replicas, and from there to the tail. A manager takes the
%% middle replica out of the chain: it tells the head to send to the tail, and the middle to stop. It does
%% not wait for the head before it tells the middle. If the head passes on a write after the middle has
%% stopped, and before it hears from the manager, the write is lost.
-module(chain).
-export([test/2]).

%% Writes a value during the repair. Afterwards, several clients write some values each.
test(Clients, Writes) ->
    Tail = spawn(fun() -> replica(none, []) end),
    Middle = spawn(fun() -> replica(Tail, []) end),
    Head = spawn(fun() -> replica(Middle, []) end),
    Main = self(),
    spawn(fun() -> repair(Head, Middle, Tail), Main ! repaired end),
    spawn(fun() -> Head ! {store, early}, Main ! written end),
    receive repaired -> ok end,
    receive written -> ok end,
    [spawn(fun() -> write(Head, Client, Writes), Main ! written end)
     || Client <- lists:seq(1, Clients)],
    [receive written -> ok end || _ <- lists:seq(1, Clients)],
    Head ! {read, self()},
    Stored = receive {stored, Values} -> Values end,
    true = lists:member(early, Stored).

%% A replica stores values, and passes them on to the next replica. The last one answers a read,
%% which ends the chain.
replica(Next, Stored) ->
    receive
        {store, Value} ->
            pass_on(Next, {store, Value}),
            replica(Next, [Value | Stored]);
        {read, Reader} when Next =:= none ->
            Reader ! {stored, Stored};
        {read, Reader} ->
            pass_on(Next, {read, Reader});
        {next, New, Manager} ->
            Manager ! done,
            replica(New, Stored);
        {stop, Manager} ->
            Manager ! done
    end.

pass_on(none, _) -> ok;
pass_on(Next, Message) -> Next ! Message.

repair(Head, Middle, Tail) ->
    Head ! {next, Tail, self()},
    Middle ! {stop, self()},
    receive done -> ok end,
    receive done -> ok end.

write(Head, Client, Writes) ->
    [Head ! {store, {Client, Write}} || Write <- lists:seq(1, Writes)].
