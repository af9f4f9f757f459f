%% A server that keeps the balance of an account, and clients that lose an update: they read the balance and
%% write it in two calls.
-module(bank).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).

%% Two deposits at the same time.
test() ->
    {ok, Bank} = gen_server:start_link(?MODULE, 100, []),
    Main = self(),
    [spawn_link(fun() -> deposit(Bank, Amount), Main ! done end) || Amount <- [10, 20]],
    [receive done -> ok end || _ <- [1, 2]],
    Balance = gen_server:call(Bank, read),
    gen_server:stop(Bank),
    130 = Balance.

deposit(Bank, Amount) ->
    Balance = gen_server:call(Bank, read),
    ok = gen_server:call(Bank, {write, Balance + Amount}).

init(Balance) -> {ok, Balance}.

handle_call(read, _From, Balance) -> {reply, Balance, Balance};
handle_call({write, New}, _From, _Balance) -> {reply, ok, New}.

handle_cast(_Message, Balance) -> {noreply, Balance}.
