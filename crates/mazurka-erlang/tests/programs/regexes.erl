%% Regular expressions, run by the real machine and by Mazurka's.
-module(regexes).
-export([all/0]).

all() ->
    [show({run, S, P, O}, fun() -> re:run(S, P, O) end) || {S, P, O} <- runs()],
    [show({split, S, P, O}, fun() -> re:split(S, P, O) end) || {S, P, O} <- splits()],
    [show({replace, S, P, R, O}, fun() -> iolist_to_binary(re:replace(S, P, R, O)) end)
     || {S, P, R, O} <- replacements()],
    [show({compile, P}, fun() -> element(1, re:compile(P)) end)
     || P <- ["a", "(", "a)", "[a", "*a", "(?<=a*)b", "\\", "a{2,1}", "(?<n", "\\1", "a{", "{a}", "[]a]",
              "x{,3}", "[z-a]", "[[:nothing:]]", "(?z)"]],
    {ok, MP} = re:compile("(?<b>x)(?<a>y)", [caseless]),
    show(compiled, fun() -> [re:run("aXY", MP), re:run("aXY", MP, [{capture, all_names, list}]),
                             re:inspect(MP, namelist), element(2, MP)] end),
    ok.

show(What, F) ->
    Result = try F() catch C:R -> {C, R} end,
    io:format("~w: ~w~n", [What, Result]).

runs() ->
    [{S, P, []} || {S, P} <- [
        {"abc", "b"}, {"abc", "x"}, {"", ""}, {"aaa", "a*"}, {"aaa", "a*?"}, {"aab", "(a+)(b?)(c)?"},
        {"foobar", "foo(?=bar)"}, {"foobar", "(?<=foo)bar"}, {"foobar", "foo(?!bar)"}, {"xbar", "(?<!foo)bar"},
        {"abcabc", "(abc)\\1"}, {"abab", "(?<x>ab)\\k<x>"}, {"a.b", "a\\.b"}, {"a1b22", "\\d+"}, {"  x", "\\S"},
        {"hello world", "\\bw\\w+"}, {"line1\nline2", "^line2"}, {"line1\n", "line1$"}, {"a\nb", "a.b"},
        {"2024-01-31", "(\\d{4})-(\\d{2})-(\\d{2})"}, {"aXbX", "(?i)x"}, {"(a)", "\\(([^)]*)\\)"},
        {"key = value", "^\\s*(\\w+)\\s*=\\s*(.*)$"}, {"aaaa", "a{2}"}, {"aaaa", "a{2,}"}, {"aaaa", "a{1,3}?"},
        {"aaab", "a++b"}, {"aaa", "a++a"}, {"aaa", "(?>a+)a"}, {"abcd", "(?:ab|abc)d"}, {"abc", "a|ab|abc"},
        {"ac", "a(b)?c"}, {"b", "(a*)*"}, {"aba", "(a|b)*"}, {"ab", "(a|ab)(c|bcd)?(d*)"}, {"x]", "[]x]+"},
        {"a-b", "[a\\-]+"}, {"tab\there", "\\t"}, {[229], "\\w"}, {"A", "[[:lower:]]"}, {"a_1", "[[:alnum:]_]+"},
        {"a{b", "a{b"}, {"foo.bar@x.org", "[\\w.]+@[\\w.]+"}, {"aa\\bb", "\\\\"}, {"$5", "\\$(\\d)"},
        {"x\r\ny", "x\\Ry"}, {"foobar", "foo\\Kbar"}, {"aaa", "^(a(?=a))*"}, {"abc", "\\Qb\\E"}, {"AbC", "(?i:b)C"},
        {"\x41", "\\x41"}, {"\x01", "\\1"}, {"9", "[^a-z]"}, {"a\n", "a\\Z"}, {"a\n", "a\\z"}, {"", "^$"}]]
    ++ [{"aXbX", "x", [caseless]}, {"aXbX", "x", [caseless, global]}, {"abab", "a(b)", [global, {capture, all, list}]},
        {"abab", "a(b)", [global, {capture, [1], binary}]}, {"abc", "(b)(x)?(c)", [{capture, all, list}]},
        {"abc", "(b)(x)?", [{capture, all, list}]}, {"abc", "(b)(x)?", [{capture, [2, 1, 0, 7], list}]},
        {"abc", "(?<n>b)", [{capture, [n], list}]}, {"abc", "b", [{capture, none}]}, {"abc", "(b)", [{capture, first}]},
        {"abc", "(b)(c)", [{capture, all_but_first, binary}]}, {"a\nb\nc", "^.$", [multiline, global]},
        {"a\nb", "a.b", [dotall]}, {"a b", "a \\ b # text", [extended]}, {"aaa", "a+", [ungreedy]}, {"a\n", "a$", [dollar_endonly]},
        {"xab", "ab", [anchored]}, {"xab", "ab", [{offset, 1}]}, {"abab", "ab", [{offset, 1}]}, {"", "a*", [notempty]},
        {"aab", "a*", [global]}, {"abc", "", [global]}, {"abc", "(?=b)", [global]}, {<<"æøå"/utf8>>, "ø", [unicode]},
        {[16#3b1, 16#3b2], [16#3b2], [unicode]}, {[16#3b1, $b], ".", [unicode, global, {capture, all, list}]},
        {"abc", "(", []}, {"abc", "(", [report_errors]}, {"abc", "b", [nonsense]},
        {"ab12", "(?<l>[a-z]+)(?<d>\\d+)", [{capture, all_names, binary}]}, {"abc", "(a)(b)(c)", [no_auto_capture]}].

splits() ->
    [{"a,b,c", ",", []}, {"a,b,c", ",", [{return, list}]}, {"a,b,,c,,", ",", [{return, list}, trim]},
     {"a1b2c", "(\\d)", [{return, list}]}, {"a1b2c", "(\\d)", [{return, list}, group]}, {"abc", "", [{return, list}]},
     {"a  b c", "\\s+", [{return, list}]}, {"a,b,c", ",", [{parts, 2}, {return, list}]}, {"abc", "x", []},
     {"a\nb\r\nc", "\\R", [{return, list}]}, {"", ",", []}].

replacements() ->
    [{"abc", "b", "X", []}, {"abcb", "b", "X", [global]}, {"abc", "(b)", "<\\1>", []}, {"abc", "b", "<&>", []},
     {"abc", "b", "\\&", []}, {"john smith", "(\\w+) (\\w+)", "\\2 \\1", []}, {"aaa", "a", "bb", [global]},
     {"abc", "", "-", [global]}, {"abc", "x", "y", []}, {"a.b.c", "\\.", "", [global]}, {"abc", "(x)?b", "[\\1]", []},
     {"AbAb", "a", "z", [global, caseless]}, {"abc", "(?<n>b)", "\\g1\\g{1}", []}].
