%% Programs that need what Mazurka does not have.
-module(refused).
-export([run/1]).

run(init) -> init:stop();
run(module) -> no_such_module:function();
run(user) -> gen_server:call(user, hello);
run(table) -> ets:lookup(inet_db, hostname);
run(whereis) -> whereis(code_server);
run(file) -> file:read_file("name");
run(memory) -> erlang:memory();
run(reductions) -> process_info(self(), reductions);
run(regex) -> re:run("a", {re_pattern, 0, 0, 0, <<"ERCP">>});
run(input) -> io:get_line("> ");
run(zlib) -> zlib:compress(<<"text">>);
run(statistics) -> statistics(runtime);
run(compile) -> compile:file("name").
