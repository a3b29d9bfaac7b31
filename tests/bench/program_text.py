"""The text of programs: kernels, views, accesses, reductions."""

SUM = ["(%a: tile<f32>, %b: tile<f32>) {", "  %s = addf %a, %b : tile<f32>", "  yield %s : tile<f32>", "}"]
MAXIMUM = ["(%a: tile<f32>, %b: tile<f32>) {", "  %s = maxf %a, %b : tile<f32>", "  yield %s : tile<f32>", "}"]


def module(*items):
    return "\n".join(["cuda_tile.module @ladder {", *items, "}", ""])


def entry(body, parameters="%p: tile<ptr<f32>>, %n: tile<i32>", name="ladder"):
    return "\n".join([f"  entry @{name}({parameters}) {{", "    %zero = constant <i32: 0> : tile<i32>",
                      "    %one = constant <i32: 1> : tile<i32>", *("    " + line for line in body), "    return", "  }"])


def kernel(body, parameters="%p: tile<ptr<f32>>, %n: tile<i32>"):
    return module(entry(body, parameters))


def view(rows, columns, element="f32"):
    tensor = f"tensor_view<{rows}x{columns}x{element}, strides=[{columns},1]>"
    return tensor, f"partition_view<tile=({rows}x{columns}), {tensor}>"


def make_view(name, rows, columns, element="f32", pointer="%p"):
    tensor, tiles = view(rows, columns, element)
    return [f"%{name}_t = make_tensor_view {pointer}, shape = [{rows}, {columns}], strides = [{columns}, 1] : {tensor}",
            f"%{name}_v = make_partition_view %{name}_t : {tiles}"]


def read(name, of, rows, columns, element="f32", row="%zero", token=""):
    """A tile of the view `of`."""
    _, tiles = view(rows, columns, element)
    return [f"%{name}, %{name}_k = load_view_tko weak %{of}_v[{row}, %zero]{token} : {tiles}, tile<i32> -> "
            f"tile<{rows}x{columns}x{element}>, token"]


def load(name, rows, columns, element="f32", pointer="%p", row="%zero"):
    """A view of its own and a tile of it."""
    return make_view(name, rows, columns, element, pointer) + read(name, name, rows, columns, element, row)


def store(value, name, rows, columns, row="%zero", result="s", token=""):
    _, tiles = view(rows, columns)
    return [f"%{name}_{result} = store_view_tko weak {value}, %{name}_v[{row}, %zero]{token} : "
            f"tile<{rows}x{columns}xf32>, {tiles}, tile<i32> -> token"]


def row_sum(name, of, rows, columns, combine=SUM):
    """%name: the sum of each row, as a column; %name_b: repeated along the row."""
    identity = "0.0" if combine is SUM else "0xFF800000"
    return [f"%{name}_r = reduce {of} dim=1 identities=[{identity} : f32] : tile<{rows}x{columns}xf32> -> tile<{rows}xf32>",
            *combine, f"%{name} = reshape %{name}_r : tile<{rows}xf32> -> tile<{rows}x1xf32>",
            f"%{name}_b = broadcast %{name} : tile<{rows}x1xf32> -> tile<{rows}x{columns}xf32>"]


def condition(name="c", of="%n"):
    return [f"%{name} = cmpi equal %zero, {of}, signed : tile<i32> -> tile<i1>"]


def scatter(index, name, count):
    """Stores ones where `index` says."""
    return [f"%{name}_1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
            f"%{name}_2 = broadcast %{name}_1 : tile<1xptr<f32>> -> tile<{count}xptr<f32>>",
            f"%{name}_3 = offset %{name}_2, {index} : tile<{count}xptr<f32>>, tile<{count}xi32> -> tile<{count}xptr<f32>>",
            f"%{name}_4 = constant <f32: 1.0> : tile<{count}xf32>",
            f"%{name}_5 = store_ptr_tko weak %{name}_3, %{name}_4 : tile<{count}xptr<f32>>, tile<{count}xf32> -> token"]


HALVES = "%p: tile<ptr<f32>>, %q: tile<ptr<f16>>, %n: tile<i32>"


def matrix_view(name, tile, pointer="%q"):
    tensor = "tensor_view<?x?xf16, strides=[?,1]>"
    tiles = f"partition_view<tile=({tile}), {tensor}>"
    return [f"%{name}_e = assume div_by<16>, {pointer} : tile<ptr<f16>>", f"%{name}_n = assume div_by<8>, %n : tile<i32>",
            f"%{name}_t = make_tensor_view %{name}_e, shape = [%{name}_n, %{name}_n], strides = [%{name}_n, 1] : "
            f"tile<i32> -> {tensor}", f"%{name}_v = make_partition_view %{name}_t : {tiles}"], tiles
