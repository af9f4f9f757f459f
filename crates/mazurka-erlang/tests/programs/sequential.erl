%% Sequential code, run by the real machine and by Mazurka's: the results must be the same.
-module(sequential).
-export([all/0, run/1]).
-record(point, {x, y = 0}).

%% Prints every result, in a form that does not depend on who prints it.
all() -> [run(Name) || Name <- names()], ok.

names() ->
    [arithmetic, bignums, floats, lists, sorting, strings, tuples, records, maps, bigmaps,
     binaries, bits, utf, comprehensions, exceptions, guards, funs, order, conversions, format,
     sets, queues, dicts, dictionary, json, chunks, arrays, bytes, hyperbolic, times, digests, traces, applies, raises, options, clocks, patterns,
     priorities, callers].

run(Name) ->
    Result = try {ok, test(Name)} catch C:R -> {C, R} end,
    io:format("~w: ~w~n", [Name, Result]).

test(arithmetic) ->
    [{A, B, A + B, A - B, A * B, A div B, A rem B, A band B, A bor B, A bxor B, A bsl 3, A bsr 2,
      bnot A, abs(A), -A}
     || A <- [0, 1, -1, 7, -7, 123456789, -987654321], B <- [1, -1, 3, -3, 1000]];
%% Where a process is that asks for its own place: in a body, in tail calls, and behind `apply`.
test(callers) ->
    Short = fun({_, Trace}) -> [{F, A} || {_, F, A, _} <- lists:sublist(Trace, 2)] end,
    [{element(2, Call(current_function)), Short(Call(current_stacktrace))}
     || Call <- [fun in_body/1, fun in_tail/1, fun in_frame/1, fun by_apply/1]];
test(priorities) ->
    Self = self(),
    Tell = fun() -> Self ! process_info(self(), priority) end,
    spawn_opt(Tell, [{priority, low}]),
    OfChild = receive {priority, Priority} -> Priority end,
    [OfChild, process_flag(priority, high), process_info(Self, priority),
     process_flag(priority, normal), process_info(Self, priority),
     try process_flag(priority, none) catch error:badarg -> bad end,
     try spawn_opt(Tell, [{priority, 3}]) catch error:badarg -> bad end];
test(bignums) ->
    F = fun F(0) -> 1; F(N) -> N * F(N - 1) end,
    X = F(50), Y = F(30),
    [X, Y, X div Y, X rem Y, X + Y, X - Y, -X, X * -Y, X band Y, X bor Y, X bxor Y, bnot X,
     1 bsl 100, (1 bsl 100) bsr 90, -(1 bsl 100) bsr 3, X > Y, X =:= F(50), X == X * 1.0,
     1 bsl 60, 1 bsl 61, (1 bsl 61) - 1, -(1 bsl 60), integer_to_list(X, 36),
     list_to_integer("123456789012345678901234567890"), (1 bsl 64) * (1 bsl 64),
     576460752303423487 + 1, -576460752303423488 - 1, 9223372036854775807 + 1,
     float(1 bsl 70), trunc(1.0e20), round(-1.5e25), X div 3 * 3 + X rem 3 =:= X];
test(chunks) ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{N, N rem 3} || N <- lists:seq(1, 10)]),
    All = fun All('$end_of_table', _) -> [];
              All({L, C}, Next) -> [L | All(Next(C), Next)]
          end,
    M = ets:new(m, [ordered_set]),
    ets:insert(M, [{K} || K <- [3, 1.5, 2, 0.5, a, 7.25, "s"]]),
    B = ets:new(b, [duplicate_bag]),
    ets:insert(B, [{a, N} || N <- lists:seq(1, 5)]),
    [All(ets:select(T, [{{'$1', 1}, [], ['$1']}], 2), fun ets:select/1),
     All(ets:select_reverse(T, [{{'$1', '_'}, [], ['$1']}], 3), fun ets:select_reverse/1),
     All(ets:match(T, {'$1', 0}, 2), fun ets:match/1), ets:match_object(T, {'_', 7}, 1),
     All(ets:match_object(T, {'_', 2}, 10), fun ets:match_object/1),
     ets:tab2list(M), ets:first(M), ets:next(M, 2), ets:prev(M, 2), ets:next(M, 7.25),
     lists:sort(lists:append(All(ets:match(B, {a, '$1'}, 2), fun ets:match/1)))];
test(arrays) ->
    A = atomics:new(2, []), U = atomics:new(1, [{signed, false}]), C = counters:new(2, []),
    atomics:put(A, 1, 16#7fffffffffffffff), atomics:add(A, 1, 1), atomics:sub(U, 1, 1),
    counters:add(C, 2, 7), counters:sub(C, 1, 3), #{size := Size, max := Max} = atomics:info(A),
    [atomics:get(A, 1), atomics:get(U, 1), atomics:add_get(A, 2, 5), atomics:exchange(A, 2, 9),
     atomics:compare_exchange(A, 2, 8, 1), atomics:compare_exchange(A, 2, 9, 1), atomics:get(A, 2),
     counters:get(C, 1), counters:get(C, 2), Size, Max,
     [catch element(1, element(2, (catch F()))) ||
         F <- [fun() -> atomics:get(A, 3) end, fun() -> atomics:put(U, 1, -1) end, fun() -> atomics:new(0, []) end]]];
test(bytes) ->
    [binary:encode_unsigned(16#010203, little), binary:encode_unsigned(16#010203, big),
     binary:decode_unsigned(<<1, 2, 3>>, little), binary:decode_unsigned(<<1, 2, 3>>, big),
     binary:encode_unsigned(0, little), binary:decode_unsigned(<<>>, little)];
test(hyperbolic) ->
    [round(X * 1000000) || X <- [math:asinh(1.5), math:acosh(2.5), math:atanh(0.5)]];
test(times) ->
    T = {{2024, 2, 29}, {12, 30, 1}},
    [calendar:day_of_the_week({2024, 2, 29}), erlang:universaltime_to_posixtime(T),
     erlang:posixtime_to_universaltime(1700000000), calendar:datetime_to_gregorian_seconds(T),
     calendar:system_time_to_rfc3339(1700000000, [{offset, "Z"}])];
test(digests) ->
    [erlang:md5(B) || B <- [<<>>, <<"a">>, <<"message digest">>, binary:copy(<<"0123456789">>, 13)]]
    ++ [erlang:md5_final(erlang:md5_update(erlang:md5_update(erlang:md5_init(), "ab"), <<"c">>)),
        erlang:crc32(<<"hello">>), erlang:adler32(<<"hello">>)];
test(traces) ->
    Shorten = fun(Stack) -> [{M, F, A} || {M, F, A, _} <- Stack, M =/= erl_eval, M =/= init] end,
    Trace = fun(F) -> try F() catch C:R:S -> {C, R, [hd(Shorten(S))]} end end,
    Lines = fun(F) -> try F() catch _:_:S -> [proplists:get_value(line, I) || {?MODULE, _, _, I} <- S] end end,
    [Trace(fun() -> lists:nth(7, [a]) end), Trace(fun() -> atom_to_list(1) end),
     Trace(fun() -> exit(bye) end), Trace(fun() -> throw(ball) end),
     Trace(fun() -> error(mine, [1, 2]) end), Trace(fun() -> maps:get(k, #{}) end),
     Trace(fun() -> element(4, {a}) end), Trace(fun() -> (fun(X) -> X end)(1, 2) end),
     Trace(fun() -> undefined_module:f(1) end), Trace(fun() -> #{} = [] end),
     Trace(fun() -> erlang:raise(error, r, [{m, f, 1, []}]) end),
     Trace(fun() -> try error(first) after ok end end), Trace(fun() -> list_to_integer("x") end),
     Trace(fun() -> binary_to_term(<<1>>) end), Trace(fun() -> <<(a)/integer>> end),
     Lines(fun() -> deep(3) end), Lines(fun() -> hd(deep(0)) end)];
test(applies) ->
    %% The functions and arguments are computed, so that the compiler cannot make plain calls of them.
    Apply2 = fun erlang:apply/2, Apply3 = fun erlang:apply/3,
    Sum = [1 + apply(id(lists), id(sum), id([[1, 2, 3]])) | tail],
    [Sum, 1 + Apply2(fun lists:sum/1, [[4, 5]]), [Apply3(lists, reverse, [[1, 2]])],
     1 + Apply3(erlang, apply, [fun(X) -> X * 2 end, [21]]), Apply3(erlang, apply, [erlang, max, [1, 2]]),
     apply(id(erlang), id(apply), id([fun() -> none end, []])), length(lists:map(fun erlang:abs/1, [-1, 2])),
     lists:map(fun(F) -> c(fun() -> Apply2(F, [a]) end) end, [fun erlang:atom_to_list/1, fun erlang:hd/1])];
test(raises) ->
    Trace = [{m, f, 1, []}],
    [c(fun() -> try erlang:raise(Class, why, T) after ok end end) || Class <- [error, exit, throw], T <- [Trace, []]]
    ++ [try erlang:raise(exit, why, Trace) catch _:_:S -> S end,
        %% The process that runs this traps exits under erl, and not under Mazurka.
        begin
            Old = process_flag(trap_exit, true),
            Traps = process_info(self(), trap_exit),
            process_flag(trap_exit, Old),
            Traps
        end,
        element(1, hd(element(2, process_info(self(), current_stacktrace))))];
test(options) ->
    Ref = make_ref(),
    [c(F) || F <- [fun() -> demonitor(Ref, [bad]) end, fun() -> demonitor(Ref, bad) end,
                   fun() -> demonitor(Ref, [flush, info]) end, fun() -> erlang:unique_integer([bad]) end,
                   fun() -> process_flag(min_heap_size, 1000) end, fun() -> process_flag(bad, 1) end,
                   fun() -> erlang:group_leader(self(), bad) end, fun() -> register(user, self()) end,
                   fun() -> code:ensure_modules_loaded([lists, no_such_module]) end]];
test(clocks) ->
    A = erlang:monotonic_time(millisecond), timer:sleep(20), B = erlang:monotonic_time(millisecond),
    receive after 10 -> ok end, C = erlang:monotonic_time(millisecond),
    [M, N] = [erlang:unique_integer([monotonic]) || _ <- [1, 2]],
    {Time, slept} = timer:tc(fun() -> timer:sleep(10), slept end),
    [B - A >= 20, C - B >= 10, M < N, Time >= 10000];
test(patterns) ->
    {ok, Compiled} = re:compile("b(.)d"),
    [re:run("abcd", Compiled, [{capture, all, list}]), re:run("xyz", Compiled)];
test(floats) ->
    [1.5 + 2, 1 / 3, 2.0 * 3.5, 1.0e10, 1.0e22, 1.0e-10, 123456.789, -0.0, 0.1 + 0.2, 5 / 2,
     math:sqrt(2), math:pow(2, 10), trunc(3.7), round(3.5), round(-3.5), floor(-3.2), ceil(3.2),
     float_to_list(3.14159, [{decimals, 3}]), float_to_list(0.1), float_to_list(1.0e100, [short]),
     float_to_list(2.50, [{decimals, 4}, compact]), 1.0 == 1, 1.0 =:= 1, 100000.0, 1234567.0,
     1.0e15, 1.0e16, 1.0e17, 123456789012345680.0, 0.0001, 0.00001, 9007199254740992.0];
test(lists) ->
    L = lists:seq(1, 10),
    [lists:reverse(L), lists:sum(L), lists:map(fun(X) -> X * X end, L), L ++ [a], L -- [3, 4, 99],
     lists:foldl(fun(X, A) -> X - A end, 0, L), lists:foldr(fun(X, A) -> X - A end, 0, L),
     lists:filter(fun(X) -> X rem 2 == 0 end, L), lists:partition(fun(X) -> X > 3 end, L),
     lists:zip([1, 2, 3], [a, b, c]), lists:unzip([{1, a}, {2, b}]), lists:keyfind(b, 2, [{1, a}, {2, b}]),
     lists:keysort(2, [{1, c}, {2, a}, {3, b}]), lists:flatten([1, [2, [3, [], 4]], 5]), lists:nth(3, L),
     lists:last(L), lists:member(4, L), lists:split(3, L), lists:takewhile(fun(X) -> X < 4 end, L),
     lists:dropwhile(fun(X) -> X < 4 end, L), lists:duplicate(3, x), lists:usort([3, 1, 2, 3, 1]),
     lists:max(L), lists:min(L), lists:concat([a, 1, "b", 2.5]), lists:mapfoldl(fun(X, A) -> {X * 2, A + X} end, 0, L),
     lists:nthtail(8, L), lists:sublist(L, 3, 4), lists:append([[1], [2, 3], []]), hd(L), tl(L), length(L),
     [X || X <- L, X > 5], lists:droplast(L), lists:prefix([1, 2], L), lists:search(fun(X) -> X > 3 end, L)];
test(sorting) ->
    L = [3, 1.0, b, "s", {1, 2}, <<"x">>, a, [], #{k => v}, 1, {1}, -5, [1, 2], 1 bsl 70, 2.5],
    [lists:sort(L), lists:sort(fun(X, Y) -> X >= Y end, L), lists:merge([1, 3], [2, 4])];
test(strings) ->
    [string:to_upper("hello"), string:split("a,b,c", ",", all), string:trim("  x  "), string:length("abc"),
     string:tokens("a b  c", " "), string:join(["a", "b"], "-"), string:str("hello", "ll"), string:slice("hello", 1, 3),
     string:pad("x", 5), string:reverse("abc"), string:find("hello world", "o w"), string:equal("a", "a"),
     string:to_integer("42abc"), string:lexemes("a;b;;c", ";"), string:replace("aXbX", "X", "--", all),
     string:uppercase(<<"abc">>), string:prefix("prefix", "pre"), string:is_empty("")];
test(tuples) ->
    T = {a, 1, "x"},
    [element(2, T), setelement(2, T, z), tuple_size(T), tuple_to_list(T), list_to_tuple([1, 2]), erlang:append_element(T, b),
     erlang:make_tuple(3, x), erlang:insert_element(1, T, q), erlang:delete_element(2, T), T < {b}, {1, 2} < {1, 3}];
test(records) ->
    P = #point{x = 1}, Q = P#point{y = 5},
    [P, Q, Q#point.y, is_record(P, point), #point.x];
test(maps) ->
    M = #{a => 1, "k" => [2], {t} => 3.0, 1 => one, 1.0 => onef},
    [M, maps:get(a, M), maps:get(zz, M, none), maps:keys(M), maps:values(M), maps:to_list(M), M#{a := 2, b => 3},
     maps:remove(a, M), maps:merge(M, #{a => x, n => y}), maps:size(M), maps:is_key(1, M), maps:find(q, M),
     maps:fold(fun(_, _, A) -> A + 1 end, 0, M), maps:map(fun(_, V) -> {V} end, M), maps:filter(fun(K, _) -> is_atom(K) end, M),
     maps:from_list([{x, 1}, {y, 2}, {x, 3}]), maps:with([a, 1], M), maps:without([a], M), maps:update_with(a, fun(V) -> V + 1 end, M),
     maps:take(a, M), maps:put(q, w, M), case M of #{a := V} -> V end, c(fun() -> maps:get(nokey, M) end), c(fun() -> maps:update(zz, 1, M) end),
     c(fun() -> (id(notmap))#{a => 1} end), c(fun() -> M#{zz := 1} end), #{1 => a} == #{1.0 => a}, #{a => 1} < #{a => 2}, is_map_key(a, M), map_size(M)];
test(bigmaps) ->
    M = maps:from_list([{I, I * I} || I <- lists:seq(1, 200)]),
    M2 = lists:foldl(fun(I, A) -> maps:remove(I, A) end, M, lists:seq(1, 180)),
    [maps:size(M), maps:get(77, M), maps:get(500, M, none), lists:sort(maps:keys(M2)), lists:sum(maps:values(M)),
     maps:size(maps:merge(M, #{x => y})), M =:= maps:map(fun(_, V) -> V end, M), lists:sort(maps:to_list(M2))];
test(binaries) ->
    B = <<"hello world">>,
    [byte_size(B), binary:split(B, <<" ">>), binary:part(B, 0, 5), binary:match(B, <<"o">>), binary:matches(B, <<"o">>), binary:replace(B, <<"l">>, <<"L">>, [global]),
     <<B/binary, "!">>, binary_to_list(B), list_to_binary([1, [2, <<3>>], 4]), binary:copy(<<"ab">>, 3), split_binary(B, 3),
     iolist_to_binary(["a", <<"b">>, [$c]]), binary:at(B, 4), binary_to_atom(<<"abc">>), atom_to_binary(abc), B < <<"hellp">>,
     binary_part(B, 2, 3), iolist_size(["ab", <<"c">>]), term_to_binary({a, [1, 2.5, "s"], #{k => <<1>>}}),
     binary_to_term(term_to_binary({a, [1, 1 bsl 80, "s", -300], #{k => <<1>>}})), binary:longest_common_prefix([<<"abc">>, <<"abd">>]),
     << <<(X + 1)>> || <<X>> <= B >>];
test(bits) ->
    X = <<5:3, 100:13, -1:8/signed, 1.5:32/float, 16#abcdef:24/little>>,
    <<A:3, C:13, D:8/signed, F:32/float, E:24/little, R/bitstring>> = X,
    <<Y:4, Z/bitstring>> = <<16#f5, 3:5>>,
    Big = <<(1 bsl 90):100>>, <<N:100>> = Big, <<NL:100/little>> = Big,
    [X, A, C, D, F, E, R, Y, Z, bit_size(Z), N, NL, Big, <<300:16/little>>, <<1:1, 0:1, 1:1>>, <<(-2):16>>, <<3.25:64/float-little>>,
     [B || <<B:2>> <= <<27, 5>>], << <<(B * 2):4>> || <<B:3>> <= <<1, 2, 3>> >>, case <<1, 2, 3, 4>> of <<L, Rest:L/binary, T/binary>> -> {L, Rest, T} end,
     case <<1, 2>> of <<_:7, _/binary>> -> y; _ -> n end, <<1.0:16/float>>, <<9:7, "abc">>, bitstring_to_list(<<1, 2, 3:3>>),
     c(fun() -> <<(id(a)):8>> end), (fun(<<Q:16/signed-little, _/binary>>) -> Q end)(<<254, 255, 0>>)];
test(utf) ->
    S = <<"häß€𝄞"/utf8>>,
    [S, byte_size(S), unicode:characters_to_list(S), [C || <<C/utf8>> <= S], << <<C/utf16>> || <<C/utf8>> <= S >>, << <<C/utf32-little>> || <<C/utf8>> <= S >>,
     unicode:characters_to_binary([228, <<"b">>]), string:length(S), case <<255, 1>> of <<_/utf8, _/binary>> -> y; _ -> n end, string:uppercase("äb")];
test(comprehensions) ->
    [[{X, Y} || X <- [1, 2, 3], Y <- [a, b], X /= 2], [X || {X, _} <- [{1, 2}, z, {3, 4}]], [X || X <- lists:seq(1, 20), X rem 3 == 0, X > 5],
     << <<X>> || X <- [1, 2, 3], X > 1 >>, [[Y || Y <- lists:seq(1, X)] || X <- [0, 1, 2]]];
test(exceptions) ->
    T = fun(F) -> try F() of V -> {value, V} catch throw:R -> {throw, R}; error:R -> {error, R}; exit:R -> {exit, R} after ok end end,
    [T(fun() -> throw(x) end), T(fun() -> error(y) end), T(fun() -> exit(z) end), T(fun() -> id(1) + id(a) end), T(fun() -> hd(id([])) end),
     T(fun() -> {a, _} = id({b, 1}) end), T(fun() -> case id(5) of 1 -> ok end end), T(fun() -> One = id(1), if One > 2 -> ok end end), T(fun() -> (id(3))() end),
     T(fun() -> (fun(A) -> A end)(id(1), 2) end), T(fun() -> nomod:nofun(1) end), T(fun() -> clause(5) end), T(fun() -> 1 div id(0) end), T(fun() -> element(9, id({a})) end),
     T(fun() -> list_to_integer("x") end), T(fun() -> atom_to_list(id(1)) end), catch throw(t), (catch exit(e)), element(1, catch error(q)),
     T(fun() -> try throw(inner) catch throw:inner -> throw(outer) end end), T(fun() -> try ok after throw(aft) end end),
     try error(a, [1, 2]) catch error:R1:S1 -> {R1, is_list(S1)} end, try error(deep) catch _:_:S2 -> element(1, hd(S2)) end,
     T(fun() -> erlang:raise(exit, raised, []) end), T(fun() -> try error(x) catch C:R:S -> erlang:raise(C, {again, R}, S) end end),
     T(fun() -> #point{x = X} = id({point, 1}), X end), try id(badrec) of #point{} -> 1; _ -> 2 catch _:_ -> 3 end, T(fun() -> (id(p))#point.x end), T(fun() -> binary_to_term(<<1>>) end)];
test(guards) ->
    G = fun(X) when is_integer(X), X > 10; is_atom(X) -> a; (X) when is_list(X) andalso length(X) > 1 -> b; (X) when is_tuple(X), element(1, X) == q -> c;
           (X) when is_float(X) orelse is_binary(X) -> d; (X) when is_map(X), map_size(X) == 1 -> e; (X) when is_function(X, 1) -> f; (X) when hd(X) == 1 -> g; (_) -> other end,
    [G(V) || V <- [11, 5, foo, [1, 2], [1], [2], {q, 1}, {r}, {}, 1.5, <<"b">>, #{a => 1}, #{}, fun(_) -> ok end, fun() -> ok end, "", true]];
test(funs) ->
    Add = fun(X) -> fun(Y) -> X + Y end end, Fib = fun Fib(N) when N < 2 -> N; Fib(N) -> Fib(N - 1) + Fib(N - 2) end,
    [(Add(3))(4), Fib(15), apply(fun lists:max/1, [[1, 5, 3]]), apply(lists, min, [[4, 2]]), (fun erlang:abs/1)(-5), lists:map(fun erlang:atom_to_list/1, [a, b]),
     fun lists:map/2 =:= fun lists:map/2, is_function(Add), is_function(Add, 2), erlang:fun_info(fun lists:map/2, arity), (id(lists)):reverse([1, 2]), erlang:function_exported(lists, map, 2)];
test(order) ->
    Vs = [1, 1.0, a, b, {}, {a}, [], [1], "ab", <<>>, <<1>>, #{}, #{a => 1}, 1 bsl 80, -1.5, true],
    [[{X < Y, X =< Y, X == Y, X =:= Y, X /= Y, X > Y} || Y <- Vs] || X <- Vs];
test(conversions) ->
    [integer_to_list(-42), integer_to_binary(255, 16), list_to_float("1.5e3"), float_to_binary(1.25, [{decimals, 1}]), atom_to_list('hello world'), list_to_atom("x y"), binary_to_integer(<<"ff">>, 16),
     list_to_existing_atom("ok"), integer_to_list(255, 2), tuple_to_list({1, 2}), c(fun() -> list_to_integer("1x") end), list_to_integer("+7"), c(fun() -> list_to_float("1") end), float(3), round(2.5), trunc(-2.9),
     binary_to_float(<<"2.5">>), list_to_bitstring([<<1:1>>, <<2:3>>])];
test(format) ->
    [lists:flatten(io_lib:format(F, A)) || {F, A} <- [{"~p ~w ~s~n", [{a, "str"}, "str", "str"]}, {"~5w|~-5w|~5.2f", [1, 2, 3.14159]}, {"~.16b ~8.16.0b", [255, 255]}, {"~e ~g", [1.5, 2.5]}, {"~c~c", [$a, 98]},
      {"~p", [lists:seq(1, 40)]}, {"~p", [#{a => [1, 2], b => <<"bin">>}]}, {"~tp ~ts", ["häh", "ü"]}, {"~10s|~-10s|", ["ab", "cd"]}, {"~i~w", [x, y]}, {"~~ ~P", [lists:seq(1, 20), 5]}, {"~w", ['quoted atom']}, {"~p", ['X']}, {"~p", [[{a, 1.0e10}, "x\n\"y\""]]},
      {"~20p", [{abcdefgh, ijklmnop, qrstuvwx, yz}]}, {"~b ~+b", [10, 5]}, {"~w", [<<1, 2, 3:4>>]}, {"~#", [31]} ], F =/= "~#"];
test(sets) ->
    S = sets:from_list([1, 2, 3]), G = gb_sets:from_list([5, 3, 4]), O = ordsets:from_list([c, a, b]),
    [lists:sort(sets:to_list(sets:union(S, sets:from_list([3, 4])))), gb_sets:to_list(gb_sets:add(1, G)), ordsets:intersection(O, [a, c]), sets:is_element(2, S), gb_sets:smallest(G), lists:sort(sets:to_list(sets:from_list([x, y], [{version, 2}])))];
test(queues) ->
    Q = lists:foldl(fun queue:in/2, queue:new(), [1, 2, 3]), {{value, X}, R} = queue:out(Q), A = array:from_list([a, b, c]),
    [X, queue:to_list(R), queue:len(R), queue:peek_r(R), array:to_list(array:set(5, z, A)), array:get(1, A), gb_trees:to_list(gb_trees:insert(k, v, gb_trees:empty()))];
test(dicts) ->
    D = dict:from_list([{a, 1}, {b, 2}]), [dict:fetch(a, D), lists:sort(dict:to_list(dict:store(c, 3, D))), orddict:to_list(orddict:update_counter(x, 5, orddict:new())), proplists:get_value(k, [{k, v}, q]), proplists:get_bool(q, [{k, v}, q])];
test(dictionary) ->
    put(k, 1), A = put(k, 2), B = get(k), C = erase(k), [A, B, C, get(k)];
test(json) ->
    Text = encode(#{<<"a">> => [1, 2.5, true, null, <<"q\"uote">>], <<"b">> => #{}}), {V, <<>>} = decode(iolist_to_binary(Text)), [iolist_to_binary(Text), V].

encode(M) when is_map(M) -> [${, lists:join($,, [[encode(K), $:, encode(V)] || {K, V} <- lists:sort(maps:to_list(M))]), $}];
encode(L) when is_list(L) -> [$[, lists:join($,, [encode(E) || E <- L]), $]];
encode(B) when is_binary(B) -> [$", [case C of $" -> "\\\""; _ -> C end || <<C>> <= B], $"];
encode(A) when is_atom(A) -> atom_to_list(A);
encode(I) when is_integer(I) -> integer_to_list(I);
encode(F) when is_float(F) -> float_to_list(F, [short]).

decode(<<C, R/binary>>) when C == $\s; C == $\n -> decode(R);
decode(<<"true", R/binary>>) -> {true, R};
decode(<<"null", R/binary>>) -> {null, R};
decode(<<$", R/binary>>) -> text(R, <<>>);
decode(<<"[]", R/binary>>) -> {[], R};
decode(<<$[, R/binary>>) -> array(R, []);
decode(<<"{}", R/binary>>) -> {#{}, R};
decode(<<${, R/binary>>) -> object(R, #{});
decode(B) -> {Digits, R} = number(B, []), {case lists:member($., Digits) of true -> list_to_float(Digits); false -> list_to_integer(Digits) end, R}.

text(<<$", R/binary>>, A) -> {A, R};
text(<<$\\, C, R/binary>>, A) -> text(R, <<A/binary, C>>);
text(<<C, R/binary>>, A) -> text(R, <<A/binary, C>>).

array(B, A) -> case decode(B) of {V, <<$,, R/binary>>} -> array(R, [V | A]); {V, <<$], R/binary>>} -> {lists:reverse([V | A]), R} end.

object(B, A) -> {K, <<$:, R/binary>>} = decode(B), case decode(R) of {V, <<$,, T/binary>>} -> object(T, A#{K => V}); {V, <<$}, T/binary>>} -> {A#{K => V}, T} end.

number(<<C, R/binary>>, A) when C >= $0, C =< $9; C == $.; C == $- -> number(R, [C | A]);
number(R, A) -> {lists:reverse(A), R}.

%% How a function fails. Traces of failing built-in functions have details that Mazurka's lack.
c(F) -> try F() catch C:R -> {C, R} end.

clause(1) -> one;
clause(2) -> two.

id(X) -> X.

deep(0) -> none;
deep(1) -> 1 + list_to_atom(7);
deep(N) -> [deep(N - 1)].

in_body(Item) -> Info = process_info(self(), Item), id(Info).
in_tail(Item) -> process_info(self(), Item).
in_frame(Item) -> Same = id(Item), process_info(self(), Same).
by_apply(Item) -> apply(id(erlang), id(process_info), [self(), Item]).
