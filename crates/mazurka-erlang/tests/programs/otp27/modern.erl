%% Instructions that compilers emit since Erlang/OTP 26: `update_record`, `bs_match` with all of its
%% commands, sizes of what is left of a bit string, and `executable_line`.
%%
%% `modern.beam` was made from this file by `erlc +deterministic +line_coverage modern.erl` of Erlang/OTP 27.3.
-module(modern).
-export([test/0]).

-record(state, {count = 0, name, rest = []}).

test() ->
    #state{count = 3, name = n, rest = [a, b]} = update(#state{name = old}, 3),
    {number, 258, <<"x">>} = parse(<<"n", 1, 2, "x">>),
    {little, -2, <<>>} = parse(<<"l", 254, 255>>),
    {tagged, 5, <<1, 2>>, <<9>>} = parse(<<"tag", 5:3, 0:5, 1, 2, 9>>),
    {bits, 5, <<1:5>>} = parse(<<5:4, 1:5>>),
    {exactly, 16#abcdef} = parse(<<16#ff, 16#ab, 16#cd, 16#ef>>),
    none = parse(<<"tag", 5:3>>),
    none = parse(atom),
    {3, <<"yz">>} = sizes(<<"xyz">>),
    small = sizes(<<"x">>),
    [{$a, 1}, {$b, 2}] = pairs(<<"a", 1, "b", 2>>),
    Self = self(),
    Server = spawn(fun() -> loop(#state{name = Self}) end),
    Server ! {add, 2},
    Server ! <<"stop", 40:16>>,
    receive {total, 42} -> ok end.

update(State, Count) -> State#state{count = Count, name = n, rest = [a, b]}.

parse(<<"n", N:16, Rest/binary>>) -> {number, N, Rest};
parse(<<"l", N:16/signed-little, Rest/binary>>) -> {little, N, Rest};
parse(<<"tag", N:3, _:5, Two:2/binary, Rest/binary>>) -> {tagged, N, Two, Rest};
parse(<<16#ff, N:24>>) -> {exactly, N};
parse(<<N:4, Rest:5/bits>>) -> {bits, N, Rest};
parse(_) -> none.

sizes(<<_, Rest/binary>> = All) when byte_size(Rest) > 1 -> {byte_size(All), Rest};
sizes(_) -> small.

pairs(<<A, N, Rest/binary>>) -> [{A, N} | pairs(Rest)];
pairs(<<>>) -> [].

loop(State) ->
    receive
        {add, N} -> loop(State#state{count = State#state.count + N});
        <<"stop", N:16>> -> State#state.name ! {total, State#state.count + N}
    end.
