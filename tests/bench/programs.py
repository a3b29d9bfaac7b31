"""Programs of many kinds that grow: each function writes one of a given length, as text.

What repeats in them is written out, so that the compiler sees so many operations, and depends on arguments, so that
nothing of it is computed beforehand. KINDS has them by name, with the length of the shortest that says something.
"""

import functools

from program_text import (HALVES, MAXIMUM, SUM, condition, entry, kernel, load, make_view, matrix_view, module, read,
                          row_sum, scatter, store)

# ---------------------------------------------------------------------------------------------------------------------
# Lines of elementwise operations
# ---------------------------------------------------------------------------------------------------------------------

def elementwise(length):
    """Dependent operations between a load and a store, through a view of unknown extent."""
    tiles = "partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>"
    body = ["%token = make_token : token",
            "%view = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>",
            f"%tiles = make_partition_view %view : {tiles}",
            "%x, %y, %z = get_tile_block_id : tile<i32>",
            f"%v0, %read = load_view_tko weak %tiles[%x] token = %token : {tiles}, tile<i32> -> tile<256xf32>, token",
            *(f"%v{i + 1} = {'addf' if i % 2 else 'mulf'} %v{i}, %v{i // 2} : tile<256xf32>" for i in range(length)),
            f"%done = store_view_tko weak %v{length}, %tiles[%x] token = %read : tile<256xf32>, {tiles}, tile<i32> -> token"]
    return kernel(body)


def mixed_line(length):
    body = load("x", 8, 128) + ["%h = constant <f32: 0.5> : tile<8x128xf32>"]
    tile = "tile<8x128xf32>"
    last = "%x"
    for i in range(length // 4):
        body += [f"%f{i} = fma {last}, %h, %x : {tile}", f"%m{i} = maxf %f{i}, %h : {tile}", f"%g{i} = negf %m{i} : {tile}",
                 f"%d{i} = subf %x, %g{i} : {tile}"]
        last = f"%d{i}"
    return kernel(body + store(last, "x", 8, 128))


def doubled(operation, rows=16):
    """Each operation uses the one before twice; from 16-bit numbers, with a sum of the rows in the end."""
    def make(length):
        tile = f"tile<{rows}x256xf32>"
        body = load("h", rows, 256, "f16", "%q") + [f"%v0 = ftof %h : tile<{rows}x256xf16> -> {tile}"]
        body += [f"%v{i + 1} = {operation} %v{i}, %v{i} : {tile}" for i in range(length)]
        body += row_sum("r", f"%v{length}", rows, 256) + [f"%w = subf %v{length}, %r_b : {tile}"]
        return kernel(body + make_view("o", rows, 256) + store("%w", "o", rows, 256),
                      "%p: tile<ptr<f32>>, %q: tile<ptr<f16>>")
    return make


def doubled_shapes(length):
    """With another shape in between: a name for the same registers."""
    body = load("h", 16, 256, "f16", "%q") + ["%v0 = ftof %h : tile<16x256xf16> -> tile<16x256xf32>"]
    for i in range(length // 2):
        shape, other = ("16x256", "16x1x256") if i % 2 == 0 else ("16x1x256", "16x256")
        body += [f"%u{i} = reshape %v{i} : tile<{shape}xf32> -> tile<{other}xf32>",
                 f"%v{i + 1} = addf %u{i}, %u{i} : tile<{other}xf32>"]
    last = f"%v{length // 2}"
    if length // 2 % 2 == 1:
        body += [f"%last = reshape {last} : tile<16x1x256xf32> -> tile<16x256xf32>"]
        last = "%last"
    body += row_sum("r", last, 16, 256) + [f"%w = subf {last}, %r_b : tile<16x256xf32>"]
    return kernel(body + make_view("o", 16, 256) + store("%w", "o", 16, 256), "%p: tile<ptr<f32>>, %q: tile<ptr<f16>>")


def doubled_selects(length):
    tile = "tile<16x256xf32>"
    body = load("h", 16, 256, "f16", "%q") + [f"%v0 = ftof %h : tile<16x256xf16> -> {tile}"]
    for i in range(length // 3):
        body += [f"%n{i} = negf %v{i} : {tile}", f"%c{i} = cmpf less_than ordered %n{i}, %v{i} : {tile} -> tile<16x256xi1>",
                 f"%v{i + 1} = select %c{i}, %n{i}, %v{i} : tile<16x256xi1>, {tile}"]
    last = f"%v{length // 3}"
    body += row_sum("r", last, 16, 256) + [f"%w = subf {last}, %r_b : {tile}"]
    return kernel(body + make_view("o", 16, 256) + store("%w", "o", 16, 256), "%p: tile<ptr<f32>>, %q: tile<ptr<f16>>")


def doubled_integers(length):
    """Over indices of an access: what is known of divisors, bounds and contiguity comes from both operands."""
    tile = "tile<128xi32>"
    body = [f"%v0 = iota : {tile}", f"%k = constant <i32: 3> : {tile}"]
    operations = ["addi", "muli", "maxi", "andi", "ori", "subi"]
    for i in range(length):
        operation = operations[i % len(operations)]
        sign = " signed" if operation == "maxi" else ""
        body.append(f"%v{i + 1} = {operation} %v{i}, %v{i}{sign} : {tile}" if i % 3 else
                    f"%v{i + 1} = {operation} %v{i}, %k{sign} : {tile}")
    return kernel(body + scatter(f"%v{length}", "o", 128))


def scalars(length):
    body = ["%v0 = addi %n, %one : tile<i32>"]
    operations = ["addi", "muli", "xori", "subi"]
    body += [f"%v{i + 1} = {operations[i % 4]} %v{i}, {f'%v{i // 2}' if i % 2 else '%n'} : tile<i32>" for i in range(length)]
    return kernel(body + load("x", 8, 8) + store("%x", "x", 8, 8, row=f"%v{length}"))


def quotients(length):
    body = ["%v0 = addi %n, %one : tile<i32>"]
    for i in range(length // 2):
        body += [f"%q{i} = divi %v{i}, %n signed : tile<i32>", f"%v{i + 1} = remi %q{i}, %m signed : tile<i32>"]
    body += load("x", 8, 8) + store("%x", "x", 8, 8, row=f"%v{length // 2}")
    return kernel(body, "%p: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i32>")


def assumptions(length):
    body = ["%v0 = addi %n, %one : tile<i32>"]
    for i in range(length):
        body.append(f"%v{i + 1} = assume {'div_by<8>' if i % 2 else 'bounded<0, ?>'}, %v{i} : tile<i32>")
    return kernel(body + load("x", 8, 8) + store("%x", "x", 8, 8, row=f"%v{length}"))


def exponentials(length):
    tile = "tile<16x64xf32>"
    body = load("v0", 16, 64)
    for i in range(length):
        body += [f"%e{i} = exp2 %v{i} : {tile}", f"%v{i + 1} = subf %e{i}, %v{i // 2} : {tile}"]
    return kernel(body + store(f"%v{length}", "v0", 16, 64))


def independent_exponentials(length):
    tile = "tile<16x64xf32>"
    body = load("x", 16, 64) + load("s0", 16, 64, pointer="%q")
    for i in range(length):
        body += [f"%c{i} = constant <f32: {i}.5> : {tile}", f"%d{i} = mulf %x, %c{i} : {tile}", f"%e{i} = exp2 %d{i} : {tile}"]
    body += [f"%s{i + 1} = addf %s{i}, %e{i} : {tile}" for i in range(length)]
    return kernel(body + store(f"%s{length}", "x", 16, 64), "%p: tile<ptr<f32>>, %q: tile<ptr<f32>>")


def constants(length):
    tile = "tile<8x32xf32>"
    body = load("v0", 8, 32)
    for i in range(length):
        body += [f"%c{i} = constant <f32: {i}.25> : {tile}", f"%v{i + 1} = addf %v{i}, %c{i} : {tile}"]
    return kernel(body + store(f"%v{length}", "v0", 8, 32))


def tables(length):
    """Constants with a value for each element, which are read from memory."""
    tile = "tile<64xf32>"
    body = load("v0", 1, 64) + [f"%w0 = reshape %v0 : tile<1x64xf32> -> {tile}"]
    for i in range(length):
        values = ", ".join(f"{i}.{j}" for j in range(64))
        body += [f"%c{i} = constant <f32: [{values}]> : {tile}", f"%w{i + 1} = addf %w{i}, %c{i} : {tile}"]
    body.append(f"%y = reshape %w{length} : {tile} -> tile<1x64xf32>")
    return kernel(body + store("%y", "v0", 1, 64))


def shapes(length, rows=8, columns=16):
    shape, turned = f"tile<{rows}x{columns}xf32>", f"tile<{columns}x{rows}xf32>"
    body = load("v0", rows, columns)
    for i in range(length // 3):
        body += [f"%a{i} = reshape %v{i} : {shape} -> {turned}", f"%b{i} = permute %a{i} [1, 0] : {turned} -> {shape}",
                 f"%v{i + 1} = addf %b{i}, %v{i // 2} : {shape}"]
    return kernel(body + store(f"%v{length // 3}", "v0", rows, columns))


def transposed(length):
    """Each through shared memory."""
    body = load("v0", 64, 64)
    for i in range(length):
        body += [f"%a{i} = permute %v{i} [1, 0] : tile<64x64xf32> -> tile<64x64xf32>",
                 f"%v{i + 1} = addf %a{i}, %v{i} : tile<64x64xf32>"]
    return kernel(body + store(f"%v{length}", "v0", 64, 64))


def parts(length, rows=8, columns=16):
    whole, half = f"tile<{rows}x{columns}xf32>", f"tile<{rows}x{columns // 2}xf32>"
    body = load("v0", rows, columns)
    for i in range(length // 3):
        body += [f"%l{i} = extract %v{i}[%zero, %one] : {whole} -> {half}",
                 f"%r{i} = extract %v{i}[%zero, %zero] : {whole} -> {half}",
                 f"%v{i + 1} = cat %l{i}, %r{i} dim = 1 : {half}, {half} -> {whole}"]
    return kernel(body + store(f"%v{length // 3}", "v0", rows, columns))


def wide(length):
    """As many tiles alive at once."""
    body = make_view("x", 16, 16)
    for i in range(length):
        body += [f"%i{i} = constant <i32: {i}> : tile<i32>"] + read(f"x{i}", "x", 16, 16, row=f"%i{i}")
    body += [f"%s{i} = addf %{'s' + str(i - 1) if i else 'x0'}, %x{length - 1 - i} : tile<16x16xf32>" for i in range(length)]
    return kernel(body + store(f"%s{length - 1}", "x", 16, 16))


def sliced_line(length):
    """Of tiles so large that they are computed in slices."""
    tile = "tile<256x256xf32>"
    body = load("v0", 256, 256)
    body += [f"%v{i + 1} = {'addf' if i % 2 else 'mulf'} %v{i}, %v{i // 2} : {tile}" for i in range(length)]
    return kernel(body + store(f"%v{length}", "v0", 256, 256))


def tiles(rows):
    """Not more operations but a larger tile, transposed."""
    columns = 64
    body = load("x", rows, columns) + [f"%y = permute %x [1, 0] : tile<{rows}x{columns}xf32> -> "
                                       f"tile<{columns}x{rows}xf32>", *load("z", columns, rows)]
    return kernel(body + store("%y", "z", columns, rows))


# ---------------------------------------------------------------------------------------------------------------------
# Reductions
# ---------------------------------------------------------------------------------------------------------------------

def reductions(length):
    body = load("x0", 64, 64)
    for i in range(length):
        body += row_sum(f"r{i}", f"%x{i}", 64, 64) + [f"%x{i + 1} = addf %x{i}, %r{i}_b : tile<64x64xf32>"]
    return kernel(body + store(f"%x{length}", "x0", 64, 64))


def layer_norms(length):
    """One after the other, of 16-bit numbers."""
    tile = "tile<16x256xf32>"
    body = load("h", 16, 256, "f16", "%q") + [f"%x0 = ftof %h : tile<16x256xf16> -> {tile}"]
    for i in range(length):
        body += row_sum(f"m{i}", f"%x{i}", 16, 256)
        body += [f"%d{i} = subf %x{i}, %m{i}_b : {tile}", f"%q{i} = mulf %d{i}, %d{i} : {tile}"]
        body += row_sum(f"v{i}", f"%q{i}", 16, 256)
        body += [f"%i{i} = rsqrt %v{i}_b : {tile}", f"%x{i + 1} = mulf %d{i}, %i{i} : {tile}"]
    return kernel(body + make_view("o", 16, 256) + store(f"%x{length}", "o", 16, 256),
                  "%p: tile<ptr<f32>>, %q: tile<ptr<f16>>")


def line_with_reductions(length):
    """A row sum after every 16 operations."""
    tile = "tile<16x64xf32>"
    body = load("v0", 16, 64)
    for i in range(length):
        if i % 16 == 15:
            body += row_sum(f"r{i}", f"%v{i}", 16, 64) + [f"%v{i + 1} = subf %v{i}, %r{i}_b : {tile}"]
        else:
            body.append(f"%v{i + 1} = {'addf' if i % 2 else 'mulf'} %v{i}, %v{i // 2} : {tile}")
    return kernel(body + store(f"%v{length}", "v0", 16, 64))


def reductions_of_one(length):
    """Of the same tile, each scaled by itself: candidates to be merged."""
    body = load("x", 16, 64) + ["%t0 = constant <f32: 0.0> : tile<16x64xf32>"]
    for i in range(length):
        body += [f"%c{i} = constant <f32: {i}.5> : tile<16x64xf32>", f"%y{i} = mulf %x, %c{i} : tile<16x64xf32>"]
        body += row_sum(f"r{i}", f"%y{i}", 16, 64, MAXIMUM if i % 2 else SUM)
        body += [f"%t{i + 1} = addf %t{i}, %r{i}_b : tile<16x64xf32>"]
    return kernel(body + store(f"%t{length}", "x", 16, 64))


def reductions_at_once(length):
    """All rows' sums first, then all that use them."""
    body = load("x", 16, 64) + ["%t0 = constant <f32: 0.0> : tile<16x64xf32>"]
    for i in range(length):
        body += [f"%c{i} = constant <f32: {i}.5> : tile<16x64xf32>", f"%y{i} = mulf %x, %c{i} : tile<16x64xf32>"]
        body += row_sum(f"r{i}", f"%y{i}", 16, 64)
    body += [f"%t{i + 1} = addf %t{i}, %r{i}_b : tile<16x64xf32>" for i in range(length)]
    return kernel(body + store(f"%t{length}", "x", 16, 64))


def reductions_of_halves(length):
    """Sums of rows of one 16-bit tile, all of whose extended elements are used again after each."""
    body = load("h", 16, 256, "f16", "%q") + make_view("o", 16, 256) + ["%x = ftof %h : tile<16x256xf16> -> tile<16x256xf32>"]
    for i in range(length):
        body += [f"%c{i} = constant <f32: {i}.5> : tile<16x256xf32>", f"%y{i} = mulf %x, %c{i} : tile<16x256xf32>"]
        body += row_sum(f"r{i}", f"%y{i}", 16, 256) + [f"%z{i} = subf %y{i}, %r{i}_b : tile<16x256xf32>"]
        body += store(f"%z{i}", "o", 16, 256, result=f"s{i}")
    return kernel(body, "%p: tile<ptr<f32>>, %q: tile<ptr<f16>>")


def scans(length):
    body = load("v0", 8, 32)
    for i in range(length):
        body += [f"%c{i} = scan %v{i} dim=1 reverse=false identities=[0.0 : f32] : tile<8x32xf32> -> tile<8x32xf32>", *SUM,
                 f"%v{i + 1} = addf %c{i}, %v{i // 2} : tile<8x32xf32>"]
    return kernel(body + store(f"%v{length}", "v0", 8, 32))


# ---------------------------------------------------------------------------------------------------------------------
# Memory
# ---------------------------------------------------------------------------------------------------------------------

def memory(length):
    body = []
    for i in range(length):
        body += load(f"x{i}", 16, 16, row="%n") + store(f"%x{i}", f"x{i}", 16, 16, row="%n")
    return kernel(body)


def accesses_of_one_view(length):
    body = make_view("x", 16, 16)
    for i in range(length):
        body += [f"%i{i} = constant <i32: {i}> : tile<i32>", *read(f"x{i}", "x", 16, 16, row=f"%i{i}"),
                 *store(f"%x{i}", "x", 16, 16, row=f"%i{i}", result=f"s{i}")]
    return kernel(body)


def pointers(length):
    body = ["%i = iota : tile<128xi32>", "%p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
            "%p2 = broadcast %p1 : tile<1xptr<f32>> -> tile<128xptr<f32>>",
            "%q0 = offset %p2, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>"]
    for i in range(length):
        body += [f"%v{i}, %t{i} = load_ptr_tko weak %q{i} : tile<128xptr<f32>> -> tile<128xf32>, token",
                 f"%k{i} = constant <i32: {128 * (i + 1)}> : tile<128xi32>",
                 f"%q{i + 1} = offset %q{i}, %k{i} : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>",
                 f"%u{i} = store_ptr_tko weak %q{i + 1}, %v{i} token=%t{i} : tile<128xptr<f32>>, tile<128xf32> -> token"]
    return kernel(body)


def atomics(length):
    body = ["%i = iota : tile<128xi32>", "%p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>",
            "%p2 = broadcast %p1 : tile<1xptr<f32>> -> tile<128xptr<f32>>",
            "%q = offset %p2, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>",
            "%v0 = constant <f32: 1.0> : tile<128xf32>"]
    body += [f"%v{i + 1}, %t{i} = atomic_rmw_tko relaxed device %q, addf, %v{i} : tile<128xptr<f32>>, tile<128xf32> -> "
             "tile<128xf32>, token" for i in range(length)]
    return kernel(body)


def tokens(length):
    """Each access waits for the one before, and every one for all before in the end."""
    body = make_view("x", 16, 16) + ["%k0 = make_token : token"]
    for i in range(length):
        body += read(f"x{i}", "x", 16, 16, token=f" token = %k{i}")
        body += store(f"%x{i}", "x", 16, 16, result=f"w{i}", token=f" token = %x{i}_k")
        body += [f"%k{i + 1} = join_tokens %x_w{i}, %k{i} : token"]
    all_tokens = ", ".join(f"%k{i}" for i in range(length + 1))
    return kernel(body + [f"%all = join_tokens {all_tokens} : token", *read("y", "x", 16, 16, token=" token = %all"),
                          *store("%y", "x", 16, 16, token=" token = %y_k")])


def doubled_tokens(length):
    """What a token waits for is reached along many ways."""
    body = make_view("x", 16, 16) + read("x", "x", 16, 16) + ["%k0 = join_tokens %x_k, %x_k : token"]
    body += [f"%k{i + 1} = join_tokens %k{i}, %k{i} : token" for i in range(length)]
    return kernel(body + store("%x", "x", 16, 16, token=f" token = %k{length}"))


def reads_in_line(length):
    """Each load waits for the one before, which orders nothing."""
    body = make_view("x", 16, 16) + make_view("o", 16, 16) + ["%t0_k = make_token : token"]
    body += ["%s0 = constant <f32: 0.0> : tile<16x16xf32>"]
    for i in range(length):
        body += [f"%i{i} = constant <i32: {i}> : tile<i32>",
                 *read(f"t{i + 1}", "x", 16, 16, row=f"%i{i}", token=f" token = %t{i}_k"),
                 f"%s{i + 1} = addf %s{i}, %t{i + 1} : tile<16x16xf32>"]
    return kernel(body + store(f"%s{length}", "o", 16, 16))


def tokens_in_product_loop(length):
    """Loads of a loop with a product, whose tokens are joined again and again."""
    body, tiles = matrix_view("m", "64x64")
    body += ["%none = constant <f32: 0.0> : tile<64x64xf32>"] + make_view("o", 64, 64)
    body += ["%c = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %none) -> (tile<64x64xf32>) {",
             f"  %a, %k0 = load_view_tko weak %m_v[%zero, %i] : {tiles}, tile<i32> -> tile<64x64xf16>, token",
             *(f"  %k{i + 1} = join_tokens %k{i}, %k{i} : token" for i in range(length)),
             f"  %b, %b_k = load_view_tko weak %m_v[%i, %zero] token = %k{length} : {tiles}, tile<i32> -> "
             "tile<64x64xf16>, token",
             "  %d = mmaf %a, %b, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>",
             "  continue %d : tile<64x64xf32>", "}"]
    return kernel(body + store("%c", "o", 64, 64), HALVES)


def views(length):
    body = []
    for i in range(length):
        body += make_view(f"x{i}", 16, 16)
    body += ["%k = constant <f32: 1.0> : tile<16x16xf32>"]
    for i in range(length):
        body += store("%k", f"x{i}", 16, 16)
    return kernel(body)


def index_spaces(length):
    """Views of unknown extents, their index spaces and tokens that are not used."""
    tensor = "tensor_view<?x?xf32, strides=[?,1]>"
    tiles = f"partition_view<tile=(16x16), {tensor}>"
    body = ["%s0 = addi %n, %one : tile<i32>"]
    for i in range(length):
        body += [f"%t{i} = make_tensor_view %p, shape = [%n, %s{i}], strides = [%n, 1] : tile<i32> -> {tensor}",
                 f"%v{i} = make_partition_view %t{i} : {tiles}",
                 f"%d{i}:2 = get_index_space_shape %v{i} : {tiles} -> tile<i32>",
                 f"%s{i + 1} = addi %d{i}#0, %d{i}#1 : tile<i32>"]
    return kernel(body + load("x", 8, 8) + store("%x", "x", 8, 8, row=f"%s{length}"))


def prints(length):
    body = load("x", 2, 2)
    body += [f'%t{i} = print_tko "line {i}: %f, %d\\0A", %x, %n : tile<2x2xf32>, tile<i32> -> token' for i in range(length)]
    return kernel(body)


def assertions(length):
    body = load("x", 8, 32)
    for i in range(length):
        body += [f"%k{i} = constant <f32: {i}.5> : tile<8x32xf32>",
                 f"%c{i} = cmpf less_than ordered %x, %k{i} : tile<8x32xf32> -> tile<8x32xi1>",
                 f'assert %c{i}, "not below {i}" : tile<8x32xi1>']
    return kernel(body)


# ---------------------------------------------------------------------------------------------------------------------
# Control flow
# ---------------------------------------------------------------------------------------------------------------------

def loops(length, rows=16):
    tile = f"tile<{rows}x{rows}xf32>"
    body = load("x0", rows, rows)
    for i in range(length):
        body += [f"%x{i + 1} = for %i{i} in (%zero to %n, step %one) : tile<i32> iter_values(%y = %x{i}) -> ({tile}) {{",
                 f"  %z = addf %y, %y : {tile}", f"  continue %z : {tile}", "}"]
    return kernel(body + store(f"%x{length}", "x0", rows, rows))


def loops_of_memory(length):
    body = make_view("x", 16, 16)
    for i in range(length):
        body += [f"for %i{i} in (%zero to %n, step %one) : tile<i32> {{", *read("y", "x", 16, 16, row=f"%i{i}"),
                 *store("%y", "x", 16, 16, row=f"%i{i}"), "  continue", "}"]
    return kernel(body)


def branches(length, rows=16):
    tile = f"tile<{rows}x{rows}xf32>"
    body = load("x0", rows, rows) + condition()
    for i in range(length):
        body += [f"%x{i + 1} = if %c -> ({tile}) {{", f"  %z = addf %x{i}, %x{i} : {tile}", f"  yield %z : {tile}",
                 "} else {", f"  yield %x{i} : {tile}", "}"]
    return kernel(body + store(f"%x{length}", "x0", rows, rows))


def branches_of_memory(length):
    body = make_view("x", 16, 16) + condition()
    for i in range(length):
        body += [f"%i{i} = constant <i32: {i}> : tile<i32>", "if %c {", *read(f"y{i}", "x", 16, 16, row=f"%i{i}"),
                 *store(f"%y{i}", "x", 16, 16, row="%n", result=f"s{i}"), "}"]
    return kernel(body)


def nested_branches(depth):
    """A result from each, and a use of what is outside in each."""
    body = load("x", 16, 16)
    for i in range(depth):
        body += [f"%k{i} = constant <i32: {i}> : tile<i32>",
                 f"%c{i} = cmpi less_than %k{i}, %n, signed : tile<i32> -> tile<i1>",
                 f"%r{i} = if %c{i} -> (tile<16x16xf32>) {{"]
    body += [f"%r{depth} = addf %x, %x : tile<16x16xf32>"]
    for i in reversed(range(depth)):
        body += [f"%y{i} = mulf %r{i + 1}, %x : tile<16x16xf32>", f"yield %y{i} : tile<16x16xf32>", "} else {",
                 "  yield %x : tile<16x16xf32>", "}"]
    return kernel(body + store("%r0", "x", 16, 16))


def nested_loops(depth):
    body = load("x", 16, 16)
    last = "%x"
    for i in range(depth):
        body += [f"%r{i} = for %i{i} in (%zero to %n, step %one) : tile<i32> iter_values(%a{i} = {last}) -> "
                 "(tile<16x16xf32>) {"]
        last = f"%a{i}"
    body += [f"%r{depth} = addf {last}, %x : tile<16x16xf32>"]
    for i in reversed(range(depth)):
        body += [f"%y{i} = mulf %r{i + 1}, %x : tile<16x16xf32>", f"continue %y{i} : tile<16x16xf32>", "}"]
    return kernel(body + store("%r0", "x", 16, 16))


def carried(length, rows=8):
    """As many tiles through one loop."""
    tile = f"tile<{rows}x16xf32>"
    body = make_view("x", rows, 16)
    for i in range(length):
        body += [f"%k{i} = constant <i32: {i}> : tile<i32>", *read(f"x{i}", "x", rows, 16, row=f"%k{i}")]
    initial = ", ".join(f"%a{i} = %x{i}" for i in range(length))
    types = ", ".join([tile] * length)
    body += [f"%r:{length} = for %i in (%zero to %n, step %one) : tile<i32> iter_values({initial}) -> ({types}) {{",
             *(f"  %b{i} = addf %a{i}, %a{(i + 1) % length} : {tile}" for i in range(length)),
             f"  continue {', '.join(f'%b{i}' for i in range(length))} : {types}", "}"]
    for i in range(length):
        body += store(f"%r#{i}", "x", rows, 16, row=f"%k{i}", result=f"s{i}")
    return kernel(body)


def carried_indices(length):
    """Indices of accesses that go round a loop, each of which depends on others."""
    tile = "tile<128xi32>"
    body = [f"%b0 = iota : {tile}", *(f"%b{i + 1} = addi %b{i}, %b0 : {tile}" for i in range(length - 1))]
    initial = ", ".join(f"%a{i} = %b{i}" for i in range(length))
    types = ", ".join([tile] * length)
    body += [f"%r:{length} = for %i in (%zero to %n, step %one) : tile<i32> iter_values({initial}) -> ({types}) {{"]
    for i in range(length):
        body += ["  " + line for line in scatter(f"%a{i}", f"o{i}", 128)]
        body += [f"  %c{i} = addi %a{i}, %a{(i + 1) % length} : {tile}"]
    body += [f"  continue {', '.join(f'%c{i}' for i in range(length))} : {types}", "}"]
    return kernel(body)


def chosen(length):
    """As many results of one branch."""
    tile = "tile<8x16xf32>"
    body = make_view("x", 8, 16) + condition()
    for i in range(length):
        body += [f"%k{i} = constant <i32: {i}> : tile<i32>", *read(f"x{i}", "x", 8, 16, row=f"%k{i}")]
    types = ", ".join([tile] * length)
    body += [f"%r:{length} = if %c -> ({types}) {{", *(f"  %b{i} = addf %x{i}, %x{i} : {tile}" for i in range(length)),
             f"  yield {', '.join(f'%b{i}' for i in range(length))} : {types}", "} else {",
             f"  yield {', '.join(f'%x{i}' for i in range(length))} : {types}", "}"]
    for i in range(length):
        body += store(f"%r#{i}", "x", 8, 16, row=f"%k{i}", result=f"s{i}")
    return kernel(body)


def exits(length):
    """A loop with as many ways out."""
    body = ["%r = loop iter_values(%i = %zero) : tile<i32> -> tile<i32> {", "  %j = addi %i, %one : tile<i32>"]
    for i in range(length):
        body += [f"  %k{i} = constant <i32: {3 * i + 1}> : tile<i32>", f"  %m{i} = muli %j, %k{i} : tile<i32>",
                 f"  %c{i} = cmpi greater_than %m{i}, %n, signed : tile<i32> -> tile<i1>",
                 f"  if %c{i} {{", f"    break %m{i} : tile<i32>", "  }"]
    body += ["  continue %j : tile<i32>", "}"]
    return kernel(body + load("x", 8, 8) + store("%x", "x", 8, 8, row="%r"))


# ---------------------------------------------------------------------------------------------------------------------
# Products
# ---------------------------------------------------------------------------------------------------------------------

def products(length):
    body = load("a", 64, 64, "f16", "%q") + load("c0", 64, 64)
    for i in range(length):
        body += [f"%c{i + 1} = mmaf %a, %a, %c{i} : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>"]
    return kernel(body + store(f"%c{length}", "c0", 64, 64), HALVES)


def product_loops(length):
    """Matrix products one after the other, each with a loop over its inner dimension."""
    body, tiles = matrix_view("m", "64x64")
    body += ["%none = constant <f32: 0.0> : tile<64x64xf32>"] + make_view("o", 64, 64)
    for i in range(length):
        body += [f"%c{i} = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %none) -> (tile<64x64xf32>) {{",
                 f"  %a, %a_k = load_view_tko weak %m_v[%zero, %i] : {tiles}, tile<i32> -> tile<64x64xf16>, token",
                 f"  %b, %b_k = load_view_tko weak %m_v[%i, %zero] : {tiles}, tile<i32> -> tile<64x64xf16>, token",
                 "  %d = mmaf %a, %b, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>",
                 "  continue %d : tile<64x64xf32>", "}", *store(f"%c{i}", "o", 64, 64, result=f"s{i}")]
    return kernel(body, HALVES)


def loads_of_a_product(length):
    """In one loop: as many loads, each for a product of its own."""
    body, tiles = matrix_view("m", "16x16")
    body += ["%none = constant <f32: 0.0> : tile<16x16xf32>"] + make_view("o", 16, 16)
    body += ["%c = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s0 = %none) -> (tile<16x16xf32>) {"]
    for i in range(length):
        body += [f"  %j{i} = constant <i32: {i}> : tile<i32>",
                 f"  %a{i}, %k{i} = load_view_tko weak %m_v[%j{i}, %i] : {tiles}, tile<i32> -> tile<16x16xf16>, token",
                 f"  %s{i + 1} = mmaf %a{i}, %a{i}, %s{i} : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>"]
    body += [f"  continue %s{length} : tile<16x16xf32>", "}"]
    return kernel(body + store("%c", "o", 16, 16), HALVES)


def line_in_product_loop(length):
    """Elementwise operations between the two products of a loop, as attention has them."""
    body, tiles = matrix_view("m", "64x64")
    tile = "tile<64x64xf32>"
    product = "tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>"
    body += [f"%none = constant <f32: 0.0> : {tile}"] + make_view("o", 64, 64)
    body += [f"%f, %f_k = load_view_tko weak %m_v[%zero, %zero] : {tiles}, tile<i32> -> tile<64x64xf16>, token",
             f"%c = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%s = %none) -> ({tile}) {{",
             f"  %a, %a_k = load_view_tko weak %m_v[%i, %zero] : {tiles}, tile<i32> -> tile<64x64xf16>, token",
             f"  %b, %b_k = load_view_tko weak %m_v[%zero, %i] : {tiles}, tile<i32> -> tile<64x64xf16>, token",
             f"  %v0 = mmaf %f, %a, %none : {product}",
             *(f"  %v{i + 1} = {'addf' if i % 2 else 'mulf'} %v{i}, %v{i // 2} : {tile}" for i in range(length)),
             f"  %w = ftof %v{length} : {tile} -> tile<64x64xf16>", f"  %d = mmaf %w, %b, %s : {product}",
             f"  continue %d : {tile}", "}"]
    return kernel(body + store("%c", "o", 64, 64), HALVES)


# ---------------------------------------------------------------------------------------------------------------------
# Modules
# ---------------------------------------------------------------------------------------------------------------------

def entries(length):
    parameters = "%p: tile<ptr<f32>>, %n: tile<i32>"
    return module(*(entry(load("x", 8, 8) + store("%x", "x", 8, 8), parameters, f"k{i}") for i in range(length)))


def empty_entries(length):
    return module(*(entry([], name=f"k{i}") for i in range(length)))


def table_globals(length):
    items = [f"  global @g{i} <f32: {i}.0> : tile<1xf32>" for i in range(length)]
    body = make_view("x", 1, 1) + ["%z = constant <f32: 0.0> : tile<f32>"]
    last = "%z"
    for i in range(0, length, 8):
        body += [f"%g{i} = get_global @g{i} : tile<ptr<f32>>",
                 f"%v{i}, %t{i} = load_ptr_tko weak %g{i} : tile<ptr<f32>> -> tile<f32>, token",
                 f"%s{i} = addf {last}, %v{i} : tile<f32>"]
        last = f"%s{i}"
    body += [f"%y = reshape {last} : tile<f32> -> tile<1x1xf32>"]
    return module(*items, entry(body + store("%y", "x", 1, 1)))


def printing_entries(length):
    """Kernels that print, and fail, with texts of their own; and call functions."""
    def body(i):
        return [*load("x", 8, 8), f'%t = print_tko "kernel {i}: %d\\0A", %n : tile<i32> -> token', *condition(),
                f'assert %c, "of kernel {i}" : tile<i1>', "%y = sin %x : tile<8x8xf32>", *store("%y", "x", 8, 8)]
    return module(*(entry(body(i), name=f"k{i}") for i in range(length)))


def exchanging_entries(length):
    """Kernels that need shared memory."""
    body = load("x", 64, 64) + ["%y = permute %x [1, 0] : tile<64x64xf32> -> tile<64x64xf32>"] + store("%y", "x", 64, 64)
    return module(*(entry(body, name=f"k{i}") for i in range(length)))


def parameters(length):
    """A kernel may have 4 KiB or 32 KiB of them: this many pointers are used, in views of their own."""
    body = ["%k = constant <f32: 1.0> : tile<8x8xf32>"]
    for i in range(length):
        body += make_view(f"x{i}", 8, 8, pointer=f"%p{i}") + store("%k", f"x{i}", 8, 8)
    return kernel(body, ", ".join(f"%p{i}: tile<ptr<f32>>" for i in range(length)))


KINDS = {
    "elementwise operations": (elementwise, 500),
    "mixed elementwise operations": (mixed_line, 500),
    "doubled additions": (doubled("addf"), 100),
    "doubled products": (doubled("mulf"), 100),
    "doubled maxima": (doubled("maxf"), 100),
    "doubled selects": (doubled_selects, 150),
    "doubled shapes": (doubled_shapes, 100),
    "doubled integers": (doubled_integers, 200),
    "scalars": (scalars, 500),
    "quotients": (quotients, 200),
    "assumptions": (assumptions, 500),
    "exponentials": (exponentials, 50),
    "independent exponentials": (independent_exponentials, 50),
    "constants": (constants, 200),
    "tables": (tables, 50),
    "shapes": (shapes, 150),
    "transposed tiles": (transposed, 8),
    "parts of tiles": (parts, 60),
    "tiles alive at once": (wide, 50),
    "large tiles": (sliced_line, 50),
    "doubled large tiles": (doubled("addf", 512), 25),
    "shapes of large tiles": (functools.partial(shapes, rows=256, columns=512), 24),
    "parts of large tiles": (functools.partial(parts, rows=256, columns=512), 12),
    "loops of large tiles": (functools.partial(loops, rows=256), 8),
    "branches of large tiles": (functools.partial(branches, rows=256), 8),
    "carried large tiles": (functools.partial(carried, rows=4096), 3),
    "rows of a tile": (tiles, 64),
    "reductions": (reductions, 8),
    "layer norms": (layer_norms, 4),
    "reductions in a line": (line_with_reductions, 200),
    "reductions of one tile": (reductions_of_one, 16),
    "reductions at once": (reductions_at_once, 16),
    "reductions of halves": (reductions_of_halves, 8),
    "scans": (scans, 8),
    "loads and stores": (memory, 50),
    "accesses of one view": (accesses_of_one_view, 50),
    "pointers": (pointers, 50),
    "atomics": (atomics, 50),
    "tokens": (tokens, 50),
    "doubled tokens": (doubled_tokens, 200),
    "reads in line": (reads_in_line, 50),
    "tokens in a product loop": (tokens_in_product_loop, 50),
    "views": (views, 100),
    "index spaces": (index_spaces, 50),
    "prints": (prints, 25),
    "assertions": (assertions, 50),
    "loops": (loops, 50),
    "loops of memory": (loops_of_memory, 25),
    "branches": (branches, 50),
    "branches of memory": (branches_of_memory, 25),
    "nested branches": (nested_branches, 16),
    "nested loops": (nested_loops, 8),
    "carried tiles": (carried, 25),
    "carried indices": (carried_indices, 8),
    "chosen tiles": (chosen, 25),
    "exits": (exits, 16),
    "matrix products": (products, 4),
    "product loops": (product_loops, 3),
    "loads of products": (loads_of_a_product, 8),
    "operations between products": (line_in_product_loop, 25),
    "entries": (entries, 50),
    "empty entries": (empty_entries, 200),
    "printing entries": (printing_entries, 25),
    "exchanging entries": (exchanging_entries, 25),
    "globals": (table_globals, 500),
    "parameters": (parameters, 50),
}
