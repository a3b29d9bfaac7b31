#!/usr/bin/env python3
"""Measures the lab's kernels on this machine's GPU, beside PyTorch's and Triton's, and the times that the model gave.

  measure.py RESULTS.json [NAME…]              rows whose name contains one of these; all in less than nine minutes
  measure.py RESULTS.json --sanitizer PAYLOAD  compute-sanitizer over the cases of a payload of tests/gpu/run
  measure.py RESULTS.json --ncu                counters of three kernels, by Nsight Compute

A table goes beside the results, RESULTS.md; what is not measured anew stays as it was in both. The exit code is 0 when all
that ran is right, 1 when something is not, 77 where there is no GPU for these kernels.
"""

import argparse
import datetime
import json
import os
import pathlib
import sys
import time

import isolation
import report
import rows
import tools

START = time.monotonic()
HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
LATE = {"missing": "the time was up"}
GRACE = 15  # seconds that what was begun may go on when the time is up


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sanitizer", type=pathlib.Path, metavar="PAYLOAD")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of that payload every N-th case only")
    parser.add_argument("-j", dest="jobs", type=int, default=4, help="sanitizers at a time")
    parser.add_argument("--ncu", action="store_true")
    parser.add_argument("--budget", type=float, default=510, metavar="SECONDS", help="after that nothing new is begun")
    parser.add_argument("--stage-limit", type=float, default=60, metavar="SECONDS", help="for one kernel of one row")
    parser.add_argument("--seconds", type=float, default=0.2, help="of the GPU's time for each way of timing a kernel")
    parser.add_argument("--launches", type=int, default=100, help="at most, for the same")
    parser.add_argument("--flush-bytes", type=int, default=256 << 20, help="that are read to flush the L2 cache")
    parser.add_argument("--without-torch", action="store_true", help="as if there were no PyTorch")
    parser.add_argument("--fresh", action="store_true", help="an interpreter for each process, where forked ones fail")
    for internal in ("--channel", "--row", "--stages", "--profile"):
        parser.add_argument(internal, help=argparse.SUPPRESS)
    parser.add_argument("--look", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_intermixed_args()  # names may stand behind options


def options_of(arguments):
    return {"torch": not arguments.without_torch, "flush_bytes": arguments.flush_bytes,
            "effort": {"seconds": arguments.seconds, "least": min(7, arguments.launches), "most": arguments.launches}}


def passed_on(arguments):
    """For an interpreter that measures a row."""
    return ["-", "--seconds", str(arguments.seconds), "--launches", str(arguments.launches), "--flush-bytes",
            str(arguments.flush_bytes)] + ["--without-torch"] * arguments.without_torch


def say(text=""):
    print(text, flush=True)


#===- One row --------------------------------------------------------------===#

def start_look(arguments):
    if arguments.fresh:
        return isolation.fresh(passed_on(arguments) + ["--look"])
    return isolation.fork(lambda send: rows.look(options_of(arguments), send))


def start_row(index, row, stages, arguments):
    if arguments.fresh:
        return isolation.fresh(passed_on(arguments) + ["--row", str(index), "--stages", ",".join(stages)])
    return isolation.fork(lambda send: rows.measure_row(row, stages, options_of(arguments), send))


def measure_row(index, row, arguments, deadline):
    """{stage: result}; a stage that stopped its process has an error, and the others go on in another process."""
    left, results = rows.stages_of(row), {}
    while left:
        if time.monotonic() > deadline:
            results.update(dict.fromkeys(left, LATE))
            break
        current = None
        try:
            for message in isolation.messages(start_row(index, row, left, arguments), arguments.stage_limit, deadline + GRACE):
                current = message["stage"]
                if "result" in message:
                    results[current] = message["result"]
        except isolation.Ended as reason:
            stopped = [current] if current else left  # without a stage, it would end in the same way again
            results.update({stage: {"error": str(reason)} for stage in stopped if stage not in results})
        left = [stage for stage in left if stage not in results]
    return results


def measure_rows(chosen, results, arguments):
    """Into results, whose file is written after each row: whatever happens later, that is there."""
    deadline, results["rows"] = START + arguments.budget, []
    say(report.head_of_lines())
    for index, row in chosen:
        start = time.monotonic()
        entry = report.entry_of(row, measure_row(index, row, arguments, deadline), results["device"])
        entry["seconds"] = round(time.monotonic() - start, 1)
        results["rows"].append(entry)
        say(report.line_of(entry))
        save(results, arguments.results)


def save(results, path):
    path.write_text(json.dumps(results, indent=1) + "\n")


#===- The whole ------------------------------------------------------------===#

def look_at_device(payload, arguments):
    """What there is, or None and why there is nothing to measure on. Where forked processes do not work, fresh ones are
    taken from here on."""
    try:
        found = ask_device(arguments)
    except isolation.Ended as reason:
        if arguments.fresh:
            return None, str(reason)
        arguments.fresh = True
        try:
            found = ask_device(arguments)
        except isolation.Ended as again:
            return None, str(again)
        say(f"note: an interpreter for each process: forked ones fail ({reason})")
    if found["capability"] != payload["capability"]:
        return None, f"the kernels are for compute capability {payload['capability']}, {found['name']} has {found['capability']}"
    if found.pop("torch_without_cuda", False):
        say(f"note: PyTorch {found['torch']} has no CUDA: it is not used")
        arguments.without_torch = True
    return found, None


def ask_device(arguments):
    return [message["device"] for message in isolation.messages(start_look(arguments), 2 * arguments.stage_limit)][0]


def child(arguments, payload):
    """A process that another interpreter of this program started."""
    options = options_of(arguments)
    if arguments.look:
        isolation.child_main(int(arguments.channel), lambda send: rows.look(options, send))
    row = payload["rows"][int(arguments.row)]
    isolation.child_main(int(arguments.channel),
                         lambda send: rows.measure_row(row, arguments.stages.split(","), options, send))


def read_earlier(path, device):
    """Results of the same GPU that are there already."""
    try:
        earlier = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return earlier if earlier.get("device", {}).get("name") == device["name"] else {}


def choose(payload, names):
    return [(index, row) for index, row in enumerate(payload["rows"]) if not names or any(name in row["name"] for name in names)]


def measure(arguments, payload, results):
    """Adds what was asked for to the results, and says whether all of it is right."""
    if arguments.sanitizer:
        results["sanitizer"] = tools.sanitize(arguments.sanitizer, results["device"]["capability"], arguments,
                                              START + arguments.budget, say)
        return report.is_sanitizer_good(results["sanitizer"])
    if arguments.ncu:
        results["ncu"] = tools.count(payload, passed_on(arguments), START + arguments.budget, say)
        return report.are_counters_good(results["ncu"])
    chosen = choose(payload, arguments.names)
    if not chosen:
        sys.exit(f"error: no row is named like {', '.join(arguments.names)}; lab.json has their names")
    with tools.Clocks() as clocks:
        measure_rows(chosen, results, arguments)
    for entry in results["rows"]:
        clocks.attach(entry)
    results["clocks"] = clocks.summary()
    return report.are_rows_good(results["rows"])


def main():
    arguments = parse_arguments()
    payload = json.loads((HERE / "lab.json").read_text())
    if arguments.profile:
        return rows.launch_for_profiler(payload["rows"][int(arguments.profile)], options_of(arguments))
    if arguments.channel:
        child(arguments, payload)
    if not arguments.without_torch and not arguments.fresh:  # for the processes that are forked
        rows.load("torch"), rows.load("triton")
    device, reason = look_at_device(payload, arguments)
    if device is None:
        print(f"SKIPPED: {reason}")
        return SKIPPED
    results = read_earlier(arguments.results, device)
    results |= {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "device": device,
                "nvidia_smi": tools.query_gpu(), "payload": {key: payload[key] for key in payload if key != "rows"},
                "python": sys.version.split()[0], "host": {"cores": os.cpu_count()}}
    say(report.header(results))
    is_good = measure(arguments, payload, results)
    save(results, arguments.results)
    table = arguments.results.with_suffix(".md")
    table.write_text(report.markdown(results))
    say(f"\n{arguments.results} and {table.name} have all of it")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
