#!/usr/bin/env python3
"""Loops that carry one or two tiles around a matrix product, in every form: what the product adds to, what becomes of
the tiles in the next iteration, what is stored and when. Interpreted, compiled, emulated and compared.

  carried_sums.py --differential FILE [--gpu CHIP[,CHIP]] [--profiles NAME[,NAME]] [--part K/N [--always]] [--only TEXT]
                  [-j N]

Exit code 0 when all agree. `--keep DIR` leaves the programs that do not.
"""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import run

ITERATIONS = 4
# What the product adds to, from the first tile %s, the second one %p and the number of the iteration.
ADDED = {
    "sum": "",
    "half": "%added = mulf %s, %half : {tile}",
    "negated": "%added = negf %s : {tile}",
    "maximum": "%added = maxf %s, %half : {tile}",
    "reset": "%added = select %odds, %zeros, %s : tile<{m}x{n}xi1>, {tile}",
    "other": "%added = mulf %p, %half : {tile}",
    "rows": "%added = mulf %s, %factors : {tile}",
}
# What the first tile is in the next iteration; %d is the product.
NEXT = {
    "product": "",
    "halved": "%next = mulf %d, %half : {tile}",
    "difference": "%next = subf %d, %s : {tile}",
    "reset": "%next = if %odd -> ({tile}) {{ yield %zeros : {tile} }} else {{ yield %d : {tile} }}",
    "stored_reset": "%next = if %odd -> ({tile}) {{\n{stored}      yield %half : {tile} }} else {{ yield %d : {tile} }}",
    "chosen": "%next = if %odd -> ({tile}) {{ yield %s : {tile} }} else {{ yield %d : {tile} }}",
    "old_half": "%next = mulf %p, %half : {tile}",
    "second": "%next = mmaf %y0, %y1, %d : tile<{m}x{k}xf16>, tile<{k}x{n}xf16>, {tile}",
}
# What the second one is.
OTHER = {"product": "%d", "before": "%s", "half": "%half", "added": "%added", "next": "%next"}
STORED = {"nothing": None, "product": "%d", "before": "%s", "other": "%p", "next": "%next", "added": "%added"}
# Those that have been wrong once.
ALWAYS = ("128x32x32-half-product-half-product-odd", "128x32x32-half-product-product-other-odd", "64x64x32-sum-stored_reset-half-nothing",
          "64x64x32-other-old_half-product-nothing", "64x64x32-sum-old_half-product-nothing", "128x64x64-half-halved-product-before")


def list_forms():
    """(shape, added, next, other, stored, whether only in odd iterations)."""
    for form in itertools.product(((64, 64, 32), (128, 32, 32), (128, 64, 64)), ADDED, NEXT, OTHER, STORED, (False, True)):
        _, added, following, other, stored, odd = form
        if stored == "nothing" and odd:
            continue
        yield form


def write_program(form):
    (m, n, k), added, following, other, stored, odd = form
    tile = f"tile<{m}x{n}xf32>"
    a_view = f"tensor_view<{m}x{k * ITERATIONS}xf16, strides=[{k * ITERATIONS},1]>"
    b_view = f"tensor_view<{k * ITERATIONS}x{n}xf16, strides=[{n},1]>"
    c_view = f"tensor_view<{m * (ITERATIONS + 2)}x{n}xf32, strides=[{n},1]>"
    a_part, b_part, c_part = (f"partition_view<tile=({rows}x{columns}), {view}>"
                              for rows, columns, view in ((m, k, a_view), (k, n, b_view), (m, n, c_view)))

    def store(value, name):
        return (f"      %{name} = store_view_tko weak {value}, %cp[%i, %zero] : {tile}, {c_part}, tile<i32> -> token\n")

    names = {"added": "%added" if ADDED[added] else "%s", "next": "%next" if NEXT[following] else "%d"}
    resolve = lambda value: names.get(value[1:], value)
    fill = lambda text: text.format(tile=tile, m=m, n=n, k=k, stored=store("%d", "stored"))
    body = "".join(f"      {fill(text)}\n" for text in (ADDED[added],) if text)
    body += (f"      %d = mmaf %x0, %x1, {names['added']} : tile<{m}x{k}xf16>, tile<{k}x{n}xf16>, {tile}\n")
    if NEXT[following]:
        body += f"      {fill(NEXT[following])}\n"
    if STORED[stored]:
        text = store(resolve(STORED[stored]), "seen")
        body += f"      if %odd {{\n  {text}      }}\n" if odd else text
    second = "" if following != "second" else f"""
      %y0, %u0 = load_view_tko weak %ap[%zero, %last] : {a_part}, tile<i32> -> tile<{m}x{k}xf16>, token
      %y1, %u1 = load_view_tko weak %bp[%last, %zero] : {b_part}, tile<i32> -> tile<{k}x{n}xf16>, token"""
    return f"""cuda_tile.module @carried {{
  entry @sums(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %count: tile<i32>) {{
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %last = constant <i32: {ITERATIONS - 1}> : tile<i32>
    %zeros = constant <f32: 0.0> : {tile}
    %half = constant <f32: 0.5> : {tile}
    %av = make_tensor_view %a, shape = [{m}, {k * ITERATIONS}], strides = [{k * ITERATIONS}, 1] : {a_view}
    %ap = make_partition_view %av : {a_part}
    %bv = make_tensor_view %b, shape = [{k * ITERATIONS}, {n}], strides = [{n}, 1] : {b_view}
    %bp = make_partition_view %bv : {b_part}
    %cv = make_tensor_view %c, shape = [{m * (ITERATIONS + 2)}, {n}], strides = [{n}, 1] : {c_view}
    %cp = make_partition_view %cv : {c_part}
    %r:2 = for %i in (%zero to %count, step %one) : tile<i32> iter_values(%s = %zeros, %p = %half) -> ({tile}, {tile}) {{
      %rest = remi %i, %two signed : tile<i32>
      %odd = cmpi equal %rest, %one, signed : tile<i32> -> tile<i1>
      %odd1 = reshape %odd : tile<i1> -> tile<1x1xi1>
      %odds = broadcast %odd1 : tile<1x1xi1> -> tile<{m}x{n}xi1>
      %q = addi %i, %one : tile<i32>
      %qf = itof %q signed : tile<i32> -> tile<f32>
      %q1 = reshape %qf : tile<f32> -> tile<1x1xf32>
      %factors = broadcast %q1 : tile<1x1xf32> -> tile<{m}x{n}xf32>
      %x0, %t0 = load_view_tko weak %ap[%zero, %i] : {a_part}, tile<i32> -> tile<{m}x{k}xf16>, token
      %x1, %t1 = load_view_tko weak %bp[%i, %zero] : {b_part}, tile<i32> -> tile<{k}x{n}xf16>, token{second}
{body}      continue {names['next']}, {resolve(OTHER[other])} : {tile}, {tile}
    }}
    %e0 = constant <i32: {ITERATIONS}> : tile<i32>
    %e1 = constant <i32: {ITERATIONS + 1}> : tile<i32>
    %w0 = store_view_tko weak %r#0, %cp[%e0, %zero] : {tile}, {c_part}, tile<i32> -> token
    %w1 = store_view_tko weak %r#1, %cp[%e1, %zero] : {tile}, {c_part}, tile<i32> -> token
    return
  }}
}}
"""


def describe_launch(form, folder):
    """The launch; operands are whole numbers, so that sums are exact in any order."""
    (m, n, k), *_ = form
    numbers = [(7 * i) % 5 - 2 for i in range(m * k * ITERATIONS)]
    others = [(5 * i) % 7 - 3 for i in range(n * k * ITERATIONS)]
    size = m * (ITERATIONS + 2) * n * 4
    launch = {"grid": [1, 1, 1],
              "buffers": [{"name": "a", "type": "f16", "values": numbers}, {"name": "b", "type": "f16", "values": others},
                          {"name": "c", "bytes": size}],
              "parameters": [{"buffer": "a"}, {"buffer": "b"}, {"buffer": "c"}, {"i32": ITERATIONS}],
              "compare": [{"buffer": "c", "type": "f32"}]}
    (folder / "launch.json").write_text(json.dumps(launch))
    (folder / "kernel.mlir").write_text(write_program(form))


def name(form):
    (m, n, k), added, following, other, stored, odd = form
    return f"{m}x{n}x{k}-{added}-{following}-{other}-{stored}{'-odd' if odd else ''}"


def check(form, arguments):
    """What is wrong, or nothing."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        describe_launch(form, folder)
        command = [arguments.differential, "--program", str(folder / "kernel.mlir"), "--launch", str(folder / "launch.json"),
                   "--gpu", arguments.gpu, "--profiles", arguments.profiles, "--levels", "3", "--schedules", "2"]
        if arguments.ptxas:
            command += ["--ptxas", arguments.ptxas]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if result.returncode == 0:
            return ""
        if arguments.keep:
            kept = pathlib.Path(arguments.keep) / name(form)
            kept.mkdir(parents=True, exist_ok=True)
            describe_launch(form, kept)
        return (result.stdout + result.stderr).strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--differential", required=True)
    parser.add_argument("--ptxas")
    parser.add_argument("--gpu", default="sm_90,sm_100")
    parser.add_argument("--profiles", default="o3-ws")
    parser.add_argument("--part", metavar="K/N", help="take only a part of the forms, as run.py")
    parser.add_argument("--always", action="store_true", help="and those that have been wrong once")
    parser.add_argument("--only", default="", help="forms whose name has this text")
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    forms = [form for form in list_forms() if arguments.only in name(form)]
    always = [form for form in forms if arguments.always and name(form) in ALWAYS]
    forms = run.choose_part(forms, arguments.part)
    forms = always + [form for form in forms if form not in always]
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for form, text in zip(forms, pool.map(lambda form: check(form, arguments), forms)):
            if text:
                wrong += 1
                print(f"{name(form)}: {text}", flush=True)
    print(f"{len(forms)} forms, {wrong} wrong")
    return 1 if wrong or not forms else 0


if __name__ == "__main__":
    sys.exit(main())
