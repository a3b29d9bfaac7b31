"""Results as data, lines and tables."""

import statistics

import tools

NO_TIME = "-"


MACHINES = {"H200": "h200-sxm", "H100": "h100-sxm"}


def machine_named(device):
    """The machine model of this GPU, or None: the slower cards of these names are other machines."""
    words = device["name"].split()
    return next((machine for word, machine in MACHINES.items() if word in words and not {"PCIe", "NVL"} & set(words)), None)


def machine_of(device, predictions):
    """The machine model to compare with, of those that there are times of: where it is another one, tables say so."""
    wanted = machine_named(device)
    return wanted if wanted in predictions else next(iter(predictions), None)


def entry_of(row, results, device):
    """A row's results. Of every tile there is what was predicted and what was measured."""
    tiles = []
    for index, variant in enumerate(row["variants"]):
        tile = {"choice": variant["choice"], "predicted": variant["model"], **results[str(index)]}
        machine = machine_of(device, variant["model"])
        if machine:
            tile["machine"], tile["predicted_us"] = machine, variant["model"][machine]["us"]
        if "time" in tile:
            tile["measured_us"] = tile["time"]["us"]
            if machine:
                tile["off"] = round(tile["predicted_us"] / tile["measured_us"] - 1, 4)
        tiles.append(tile)
    return {"name": row["name"], "operation": row["operation"], "flops": row["flops"], "bytes_read": row["bytes_read"],
            "bytes_written": row["bytes_written"], "tiles": tiles, "torch": results["torch"], "triton": results["triton"]}


def is_right(tile):
    return "missing" in tile or "error" not in tile and tile["check"].get("ok", True)


def are_rows_good(rows):
    return all(is_right(tile) for row in rows for tile in row["tiles"])


def is_sanitizer_good(sanitizer):
    """Something could be compared, and nothing disagrees."""
    found = {case.get("agree") for case in sanitizer["cases"]}
    return True in found and False not in found


def are_counters_good(ncu):
    return bool(ncu["kernels"]) and all("error" not in kernel for kernel in ncu["kernels"])


#===- Cells ----------------------------------------------------------------===#

def microseconds(part, key="us"):
    return f"{part['time'][key]:.1f}" if "time" in part else "error" if "error" in part else NO_TIME


def verdict(tile):
    if "missing" in tile:
        return "not run"
    if "error" in tile:
        return "ERROR"
    found = tile["check"]
    if "missing" in found:
        return "not checked"
    return f"ok {found['error']:.0e}" if found["ok"] else "FAIL"


def percent(tile):
    return f"{100 * tile['off']:+.0f} %" if "off" in tile else NO_TIME


def ratio(tile, torch):
    return f"{torch['time']['us'] / tile['time']['us']:.2f}" if "time" in tile and "time" in torch else NO_TIME


def sm_clock(tile):
    found = tile.get("clocks", {}).get("sm_mhz")
    return f"{found[1]:.0f}" if found else NO_TIME


def faster_tile(tiles):
    """The tile that is faster than the model's choice, by more than noise."""
    timed = [tile for tile in tiles if "time" in tile and is_right(tile)]
    if not timed or "time" not in tiles[0]:
        return None
    best = min(timed, key=lambda tile: tile["time"]["us"])
    return best if best["time"]["us"] < 0.97 * tiles[0]["time"]["us"] else None


def notes(entry):
    """What a row's cells do not say."""
    found = [f"tile {tile['choice']}: {tile.get('error') or tile['check']['detail']}" for tile in entry["tiles"]
             if not is_right(tile)]
    if "missing" in entry["tiles"][0]:
        found.append(entry["tiles"][0]["missing"])
    if best := faster_tile(entry["tiles"]):
        found.append(f"tile {best['choice']} is faster: {best['time']['us']:.1f} us")
    for way in ("torch", "triton"):
        part = entry[way]
        if "error" in part or "missing" in part:
            found.append(f"{way}: {part.get('error') or part['missing']}")
        elif not part["check"]["ok"]:
            found.append(f"{way} differs: {part['check']['detail']}")
        else:
            found.append(f"{way}: {part['label']}")
    return "; ".join(dict.fromkeys(found)).replace("|", "/").replace("\n", " ")


COLUMNS = ["kernel", "tile", "measured us", "back to back us", "model us", "off", "torch us", "triton us", "torch / ours", "SM MHz",
           "check", "notes"]


def cells(entry):
    tile = entry["tiles"][0]
    model = f"{tile['predicted_us']:.1f}" if "predicted_us" in tile else NO_TIME
    return [entry["name"], tile["choice"], microseconds(tile), microseconds(tile, "back_to_back_us"), model, percent(tile),
            microseconds(entry["torch"]), microseconds(entry["triton"]), ratio(tile, entry["torch"]), sm_clock(tile), verdict(tile),
            notes(entry)]


def head_of_lines():
    return print_cells(["kernel", "measured", "in a row", "model", "off", "torch", "triton", "ratio", "check", "notes"])


def line_of(entry):
    """For the terminal, while rows are measured."""
    name, _, us, along, model, off, torch, triton, compared, _, check, more = cells(entry)
    return print_cells([name, us, along, model, off, torch, triton, compared, check, more])


def print_cells(values):
    widths = [48, 9, 9, 9, 7, 9, 9, 6, 11]
    return "  ".join(value.ljust(width) if index == 0 else value.rjust(width)
                     for index, (value, width) in enumerate(zip(values, widths))) + "  " + values[-1]


#===- The document ---------------------------------------------------------===#

def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows)


def header(results):
    """What was measured on, and with what."""
    device, state, payload = results["device"], results["nvidia_smi"], results["payload"]
    lines = [f"{results['date']}, {device['name']}, compute capability {device['capability']}, CUDA {device['cuda']}"]
    if "missing" in state:
        lines.append(f"clocks and driver: {state['missing']}")
    else:
        lines.append(f"driver {state['driver_version']}, {state['memory.total']} MiB, power limit {state['power.limit']} W, clocks "
                     f"up to {state['clocks.max.sm']} and {state['clocks.max.mem']} MHz, now {state['clocks.sm']} and "
                     f"{state['clocks.mem']} MHz, {state['temperature.gpu']} °C, ECC {state['ecc.mode.current']}")
    lines.append(f"PyTorch {device.get('torch', 'is not there')}, Triton {device.get('triton', 'is not there')}, Python "
                 f"{results['python']}")
    lines.append(f"payload of commit {payload['commit']}; the model's times: {payload['model']}")
    if "event_us" in device:
        lines.append(f"two events with nothing between them: {device['event_us']} us, part of every time under \"measured us\"")
    return "\n".join(lines)


def clock_line(clocks):
    if "missing" in clocks:
        return f"Clocks while it ran: {clocks['missing']}."
    def text(key, unit):
        return "/".join(f"{value:.0f}" for value in clocks[key]) + f" {unit}" if clocks[key] else f"no {unit}"
    return (f"Clocks while it ran (least/median/most): SM {text('sm_mhz', 'MHz')}, memory {text('memory_mhz', 'MHz')}, "
            f"{text('watt', 'W')}, {text('celsius', '°C')}.")


def model_line(results):
    machines = sorted({tile["machine"] for row in results["rows"] for tile in row["tiles"] if "machine" in tile})
    if not machines:
        return "There are no times of a model."
    other = "" if machines == [machine_named(results["device"])] else ", which this GPU is not: take \"off\" for what it is"
    return f"Model: of {', '.join(machines)}{other}; off: the model against the measured time."


def summary(rows):
    """Sentences about all rows: how far off the model is, how often its tile is the fastest, and how PyTorch compares."""
    first = [(row, row["tiles"][0]) for row in rows if "time" in row["tiles"][0] and is_right(row["tiles"][0])]
    off = sorted((abs(tile["off"]), row["name"]) for row, tile in first if "off" in tile)
    lines = [f"{len(first)} of {len(rows)} rows have a right result and a time."]
    if off:
        lines.append(f"The model is off by {100 * statistics.median(value for value, _ in off):.0f} % in the middle, at worst by "
                     f"{100 * off[-1][0]:.0f} % ({off[-1][1]}).")
    several = [row for row, _ in first if sum("time" in tile for tile in row["tiles"]) > 1]
    if several:
        chosen = sum(faster_tile(row["tiles"]) is None for row in several)
        lines.append(f"No tile is faster than the model's choice in {chosen} of {len(several)} rows with several.")
    ratios = [row["torch"]["time"]["us"] / tile["time"]["us"] for row, tile in first if "time" in row["torch"]]
    if ratios:
        mean = statistics.geometric_mean(ratios)
        lines.append(f"PyTorch takes {mean:.2f} times as long as our kernels (geometric mean of {len(ratios)}).")
    return " ".join(lines)


def rows_section(results):
    return (f"## Kernels\n\nMeasured: the median of single launches whose data is not in the L2 cache; back to back: the mean of "
            f"launches in a row. {model_line(results)} {clock_line(results['clocks'])}\n\n{summary(results['rows'])}\n\n"
            + table(COLUMNS, map(cells, results["rows"])))


def sanitizer_section(sanitizer):
    text = "## compute-sanitizer\n\n"
    if "missing" in sanitizer:
        return text + sanitizer["missing"] + "\n"
    cases = sanitizer["cases"]
    counts = {word: sum(1 for case in cases if case.get("agree", "") is value)
              for word, value in (("agree", True), ("do not", False), ("cannot be compared", None))}
    late = sum("missing" in case for case in cases)
    told = ", ".join(f"{word}: {count}" for word, count in counts.items())
    text += f"{len(cases)} cases: emulator and tools {told}; not run: {late}\n\n"
    shown = [case for case in cases if "missing" not in case and (case["agree"] is not True or case["emulator"] != "clean")]
    return text + table(["case", "emulator", "memcheck", "racecheck", "agree"], (
        [case["name"], case["emulator"], *(tools.finding(case[tool]).replace("|", "/") for tool in tools.SUMMARY),
         {True: "yes", False: "NO", None: "-"}[case["agree"]]] for case in shown))


def counters_section(ncu):
    text = "## Counters\n\n"
    if "missing" in ncu:
        return text + ncu["missing"] + "\n"
    lines = []
    for kernel in ncu["kernels"]:
        if "error" in kernel:
            lines.append([kernel["name"], "", "", "", kernel["error"]])
        for name in dict.fromkeys([*kernel["measured"], *kernel["model"]]):
            measured, model = kernel["measured"].get(name), kernel["model"].get(name)
            compared = f"{100 * (model / measured - 1):+.0f} %" if measured and model is not None else ""
            numbers = ["" if value is None else f"{value:.6g}" for value in (measured, model)]
            lines.append([kernel["name"], name, *numbers, compared])
    return text + table(["kernel", "counter", "Nsight Compute", "model or emulator", "off"], lines)


def markdown(results):
    parts = ["# Measured\n\n" + "\n".join(f"- {line}" for line in header(results).splitlines()) + "\n"]
    for key, section in (("rows", rows_section), ("sanitizer", lambda found: sanitizer_section(found["sanitizer"])),
                         ("ncu", lambda found: counters_section(found["ncu"]))):
        if key in results:
            parts.append(section(results))
    return "\n".join(parts)
