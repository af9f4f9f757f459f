# Small programs with what Elixir's library offers. Each fails if a value is not the expected one.
defmodule Counter do
  use GenServer

  def start_link(first), do: GenServer.start_link(__MODULE__, first)
  def next(counter), do: GenServer.call(counter, :next)

  def init(first), do: {:ok, first}
  def handle_call(:next, _from, number), do: {:reply, number, number + 1}
end

defmodule Main do
  def server do
    {:ok, counter} = Counter.start_link(0)
    task = Task.async(fn -> Counter.next(counter) end)
    mine = Counter.next(counter)
    [0, 1] = Enum.sort([mine, Task.await(task)])
  end

  # The task may be first.
  def wrong do
    {:ok, counter} = Counter.start_link(0)
    task = Task.async(fn -> Counter.next(counter) end)
    0 = Counter.next(counter)
    Task.await(task)
  end

  def agent do
    {:ok, agent} = Agent.start_link(fn -> 0 end)
    tasks = for _ <- 1..2, do: Task.async(fn -> Agent.update(agent, &(&1 + 1)) end)
    Enum.each(tasks, &Task.await/1)
    2 = Agent.get(agent, & &1)
  end

  # The list is too long to be shown.
  def long, do: exit({~r/a(b+)\/c/i, %{list: Enum.to_list(1000..1400), tuple: {}}, :last})

  def logs do
    [:logger, :elixir] = for {app, _, _} <- Application.started_applications(), app in [:elixir, :logger], do: app
    {:ok, []} = Application.ensure_all_started(:logger)
    Logger.bare_log(:error, "dropped")
  end

  def configures, do: Logger.configure(level: :error)

  def stream do
    doubled = Task.async_stream([1, 2], fn number -> 2 * number end)
    [ok: 2, ok: 4] = Enum.to_list(doubled)
  end

  def registry do
    {:ok, _} = Registry.start_link(keys: :unique, name: Names)
    {:ok, _} = Registry.register(Names, "key", 1)
    [{_, 1}] = Registry.lookup(Names, "key")
  end

  def supervisor do
    {:ok, supervisor} = Supervisor.start_link([{Counter, 5}], strategy: :one_for_one)
    [{_, counter, _, _}] = Supervisor.which_children(supervisor)
    5 = Counter.next(counter)
  end

  def dynamic do
    {:ok, supervisor} = DynamicSupervisor.start_link(strategy: :one_for_one)
    {:ok, counter} = DynamicSupervisor.start_child(supervisor, {Counter, 5})
    5 = Counter.next(counter)
  end

  def waits do
    receive do
      %URI{port: 4} -> :ok
      %{"key" => _, a: 1} -> :ok
    end
  end

  def raises, do: raise(ArgumentError, "bad")

  def values do
    require Logger
    Logger.info("not shown")
    2024 = DateTime.utc_now().year
    true = Regex.match?(~r/^a+b/, "aab")
    "%{a: \"x\", b: [1, 2]}" = inspect(%{a: "x", b: [1, 2]})
    "1-a" = "#{1}-#{:a}"
    {:ok, device} = StringIO.open("abc")
    "ab" = IO.read(device, 2)
  end

  def unordered do
    doubled = Task.async_stream([1, 2], fn number -> 2 * number end, ordered: false)
    [ok: 2, ok: 4] = Enum.to_list(doubled)
  end
end
