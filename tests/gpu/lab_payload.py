"""Builds the payload of the lab: kernels, what their launches need, the model's figures, and the program that measures."""

import concurrent.futures
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import payload
import planted

HERE = pathlib.Path(__file__).resolve().parent
LAB, MEASURE = HERE.parent / "bench" / "lab", HERE / "measure"
sys.path[:0] = [str(LAB), str(MEASURE)]

import buffers  # noqa: E402
import entries  # noqa: E402
import lab  # noqa: E402

GPU, CAPABILITY = "sm_90", "9.0"
# Of these, Nsight Compute's counters are set beside the emulator's: a kernel of each kind.
COUNTED = ("matmul bf16 nn 4096x4096x4096 to f16", "attention 128 64x1x4096", "softmax f32 65536x1024")


def read_table(path=LAB / "LAB.md"):
    """{(row, tile): {machine: {"us", "bound"}}} of the lab's table."""
    text = path.read_text(encoding="utf-8")
    machine = re.search(r"model of ([\w-]+)", text)[1]
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) >= 9 and (time := re.fullmatch(r"([\d.]+) us", cells[2])):
            found[cells[0], cells[1]] = {machine: {"us": float(time[1]), "bound": cells[6]}}
    return found


def check_buffers(entry):
    """The operands that are made where the GPU is are those of the launch."""
    there = {name: buffer.bytes for name, buffer in buffers.describe(entry.operation).items()}
    if there != entry.buffers:
        raise SystemExit(f"error: {entry.name}: the launch has buffers of {entry.buffers} bytes, measure/buffers.py describes "
                         f"{there}")


def compile_entry(entry, folder, name, arguments):
    """The kernel's files in `folder`; what the payload says of it."""
    check_buffers(entry)
    with tempfile.TemporaryDirectory(prefix="gpu-lab-") as temporary:
        work = pathlib.Path(temporary)
        entry.write(work)
        base = [arguments.tileiras, work / "k.mlir", "--gpu-name", GPU, "-O3", *entry.options, *arguments.option]
        lab.run(base + ["-o", folder / f"{name}.cubin"])
        lab.run(base + ["-o", work / "k.ptx"])
        with gzip.GzipFile(folder / f"{name}.ptx.gz", "wb", mtime=0) as compressed:  # for whoever looks into a failure
            compressed.write((work / "k.ptx").read_bytes())
        model = {machine: ask_clock(machine, work, arguments) for machine in arguments.time}
        counters = count(entry, work, arguments) if entry.name in (arguments.count or COUNTED) else None
    return {"choice": entry.choice, "cubin": f"kernels/{name}.cubin", "grid": list(entry.grid), "parameters": entry.parameters(),
            "model": model}, counters


def ask_clock(machine, work, arguments):
    """What the model says of the kernel in `work`."""
    registers = lab.registers(arguments.ptxas, f"{GPU}a", work / "k.ptx", work)
    report = json.loads(lab.run([arguments.emulator, "time", work / "k.ptx", "--launch", work / "k.json", "--machine", machine,
                                 "--json", "-", *registers]))
    return {"us": report["ns"] / 1e3, "launch_us": report["launch_ns"] / 1e3, "bound": report["bound"], "mhz": report["mhz"],
            "units": report["units"], "dram_bytes": report["dram_bytes"], "registers": report["occupancy"]["registers"]}


COUNTERS = {"warp_instructions": r"warp instructions +(\d+)", "shared_conflicts": r"bank conflicts +(\d+)",
            "global_sectors": r"global sectors +(\d+)", "bulk_bytes": r"bytes by bulk copies +(\d+)"}


def count(entry, work, arguments):
    """What the emulator counts of one tile block, times the tile blocks, and the model's DRAM and tensor cores."""
    launch = json.loads((work / "k.json").read_text())
    blocks = entry.grid[0] * entry.grid[1] * entry.grid[2]
    launch["grid"] = [1, 1, 1]
    (work / "one.json").write_text(json.dumps(launch))
    text = lab.run([arguments.emulator, "run", work / "k.ptx", "--launch", work / "one.json", "--counters", "--no-uninit-check",
                    "--no-race-check"])
    counted = {name: int(re.search(pattern, text)[1]) * blocks for name, pattern in COUNTERS.items()}
    return counted | counters_of_model(ask_clock("h100-sxm", work, arguments))


def counters_of_model(figures):
    return {"time_us": figures["us"], "cycles": figures["us"] * figures["mhz"], "dram_bytes": figures["dram_bytes"],
            "tensor_pipe_percent": 100 * figures["units"].get("tensor cores", 0)}


def order(variants):
    """The model's choice first, by a machine that all were timed for, else what LAB.md chose; others as they stand in the
    list."""
    common = [machine for machine in variants[0]["model"] if all(machine in variant["model"] for variant in variants)]
    return sorted(variants, key=lambda variant: variant["model"][common[0]]["us"] if common else not variant["model"])


def build_row(index, choices, folder, table, arguments):
    """The payload's row, and why tiles were left out."""
    variants, refusals, counters = [], [], {}
    for entry in choices:
        name = f"{index:02}-" + re.sub(r"\W+", "-", entry.choice)
        try:
            variant, counted = compile_entry(entry, folder / "kernels", name, arguments)
        except lab.Refused as reason:
            refusals.append(f"{entry.name}, {entry.choice}: {reason}")
            continue
        variant["model"] |= table.get((entry.name, entry.choice), {})
        if counted:
            counters[entry.choice] = counted
        variants.append(variant)
    variants, entry = order(variants) if variants else [], choices[0]
    row = {"name": entry.name, "operation": entry.operation, "flops": entry.flops, "bytes_read": entry.read,
           "bytes_written": entry.written, "variants": variants}
    if variants and counters:
        row["counters"] = counters[variants[0]["choice"]]
    return row, refusals


def choose_rows(arguments):
    rows = entries.ROWS if not arguments.rows else payload.compiled.kernels_run.load_module(arguments.rows, "rows").ROWS
    rows = [row for row in rows if not arguments.names or any(name in row[0].name for name in arguments.names)]
    if not rows:
        raise SystemExit(f"error: no row is named like {', '.join(arguments.names)}")
    return rows


def version(tool):
    lines = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout.splitlines()
    return next((line for line in lines if line.startswith("version")), "unknown")


def build(folder, arguments):
    """True when every row has a kernel and the payload is not too large."""
    chosen = choose_rows(arguments)
    payload.clear(folder)
    (folder / "kernels").mkdir()
    (folder / "commit.txt").write_text(payload.commit() + "\n")
    table, rows, refusals = read_table(), [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for row, refused in pool.map(lambda numbered: build_row(*numbered, folder, table, arguments), enumerate(chosen)):
            rows.append(row)
            refusals += refused
    for refusal in refusals:
        print(refusal, file=sys.stderr)
    missing = [row["name"] for row in rows if not row["variants"]]
    write(folder, [row for row in rows if row["variants"]], arguments)
    planted.write(folder / "planted", arguments)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    kernels = sum(len(row["variants"]) for row in rows)
    print(f"{len(rows) - len(missing)} rows, {kernels} kernels built in {folder}; {size / 1e6:.1f} MB")
    for name in missing:
        print(f"error: {name} has no kernel", file=sys.stderr)
    if size > payload.LIMIT:
        print(f"error: the payload is larger than {payload.LIMIT // 10**6} MB", file=sys.stderr)
    return not missing and size <= payload.LIMIT


def write(folder, rows, arguments):
    timed = f", and timed for {', '.join(arguments.time)} when this was built" if arguments.time else ""
    model = f"tests/bench/lab/LAB.md as of that commit{timed}"
    whole = {"commit": payload.commit(), "gpu": GPU, "capability": CAPABILITY, "options": ["-O3", *arguments.option],
             "compiler": version(arguments.tileiras), "model": model, "rows": rows}
    (folder / "lab.json").write_text(json.dumps(whole, indent=1) + "\n")
    shutil.copy(arguments.launch_library, folder / payload.LIBRARY)
    for source in MEASURE.glob("*.py"):
        shutil.copy(source, folder)
