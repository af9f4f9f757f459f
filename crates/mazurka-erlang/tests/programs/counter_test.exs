# Tests of ExUnit: the second does not hold in every execution, the others do.
defmodule CounterTest do
  use ExUnit.Case

  defmodule State do
    defstruct name: "", count: 0
  end

  setup do
    table = :ets.new(:table, [:public])
    :ets.insert(table, {:state, %State{name: "counter"}})
    %{table: table}
  end

  defp state(table), do: :ets.lookup_element(table, :state, 2)

  defp increment(table) do
    state = state(table)
    :ets.insert(table, {:state, %{state | count: state.count + 1}})
  end

  test "counts in one process", %{table: table} do
    increment(table)
    assert state(table).count == 1
  end

  test "counts in two processes", %{table: table} do
    {_, ref} = spawn_monitor(fn -> increment(table) end)
    increment(table)
    receive do: ({:DOWN, ^ref, _, _, _} -> :ok)
    %State{count: 2} = state(table)
  end

  describe "supervised" do
    @describetag size: 3

    setup %{size: size} do
      %{agent: start_supervised!({Agent, fn -> size end}), started: size}
    end

    @tag step: 2
    test "processes end with the test", %{agent: agent, started: 3, step: step} do
      Agent.update(agent, &(&1 + step))
      assert Agent.get(agent, & &1) == 5
    end
  end

  test "waits for a message", %{table: table} do
    test = self()
    spawn(fn -> send(test, :counted) end)
    # The limit is that of the application `ex_unit`.
    try do
      assert_receive :counted
    rescue
      ExUnit.AssertionError -> assert state(table).count == 0
    end
  end

  # As libraries for properties define them.
  name = ExUnit.Case.register_test(__ENV__, :property, "counts from zero", [])
  def unquote(name)(%{table: table}), do: assert(state(table).count == 0)
end
