defmodule Shop.Order do
  @doc "x"
  def total(order, tax \\ 0) do
    order
  end
  defp helper(a), do: a
  defmacro twice(x) do
    x
  end
end
