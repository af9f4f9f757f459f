# Tests of ExUnit: the first holds in every execution, the second does not.
defmodule CounterTest do
  use ExUnit.Case

  defmodule State do
    defstruct name: "", count: 0
  end

  setup do
    agent = start_supervised!({Agent, fn -> %State{name: "counter"} end})
    %{agent: agent}
  end

  defp increment(agent) do
    state = Agent.get(agent, & &1)
    Agent.update(agent, fn _ -> %{state | count: state.count + 1} end)
  end

  test "counts in one step", %{agent: agent} do
    task = Task.async(fn -> Agent.update(agent, &%{&1 | count: &1.count + 1}) end)
    Agent.update(agent, &%{&1 | count: &1.count + 1})
    Task.await(task)
    assert Agent.get(agent, & &1.count) == 2
  end

  test "counts in two steps", %{agent: agent} do
    task = Task.async(fn -> increment(agent) end)
    increment(agent)
    Task.await(task)
    %State{count: 2} = Agent.get(agent, & &1)
  end
end
