%% Two operations on a table at once, one of which selects objects by an element that is not the key.
-module(selections).
-export([pair/2, run/2]).

pair(First, Second) ->
    Table = ets:new(table, [public, ordered_set]),
    ets:insert(Table, [{1, todo}, {2, done}, {3, todo}, {4, done}]),
    {_, Ref} = spawn_monitor(?MODULE, run, [Table, First]),
    Result = run(Table, Second),
    receive {'DOWN', Ref, process, _, Reason} -> erlang:display({Reason, Result}) end.

%% Returns the result, or its length.
run(Table, Operation) ->
    case operate(Operation, Table) of
        Result when is_list(Result) -> length(Result);
        Result -> Result
    end.

operate({match, What}, T) -> ets:match(T, {'$1', What});
operate({match_key, Key}, T) -> ets:match_object(T, {Key, '_'});
operate({select, What}, T) ->
    Condition = {'andalso', {is_integer, '$1'}, {'=:=', '$2', What}},
    ets:select(T, [{{'$1', '$2'}, [Condition], ['$_']}]);
operate({select_above, Key}, T) -> ets:select(T, [{{'$1', '_'}, [{'>', '$1', Key}], ['$1']}]);
operate({delete_all, What}, T) -> ets:match_delete(T, {'_', What});
operate({select_delete, What}, T) ->
    ets:select_delete(T, [{{'_', '$1'}, [{'=:=', What, '$1'}], [true]}]);
operate({replace, What, By}, T) ->
    ets:select_replace(T, [{{'$1', What}, [], [{{'$1', By}}]}]);
operate({insert, Object}, T) -> ets:insert(T, Object);
operate({set, Key, What}, T) -> ets:update_element(T, Key, {2, What});
operate({delete, Key}, T) -> ets:delete(T, Key);
operate({lookup, Key}, T) -> ets:lookup(T, Key);
operate({next, Key}, T) -> ets:next(T, Key);
operate(list, T) -> ets:tab2list(T).
