"""NVIDIA's command line tools, beside what the model and the emulator say: clocks by nvidia-smi, counters by Nsight Compute,
compute-sanitizer over the cases of a payload. What they print is parsed here."""

import concurrent.futures
import csv
import datetime
import io
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ["/usr/local/cuda/bin", "/usr/local/cuda/compute-sanitizer", "/opt/nvidia/nsight-compute"]


def find(name):
    """A tool's path, or None. Nsight Compute lies in a folder of its version."""
    versions = [str(path) for path in sorted(pathlib.Path(FOLDERS[-1]).glob("*"), reverse=True)]
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(FOLDERS + versions))


#===- nvidia-smi -----------------------------------------------------------===#

STATE = ["name", "driver_version", "memory.total", "power.limit", "clocks.max.sm", "clocks.max.mem", "clocks.sm", "clocks.mem",
         "temperature.gpu", "ecc.mode.current"]
SAMPLE = ["timestamp", "clocks.sm", "clocks.mem", "power.draw", "temperature.gpu"]


def query_gpu():
    """{field: text} of the first GPU, or {"missing": why}."""
    tool = find("nvidia-smi")
    if not tool:
        return {"missing": "there is no nvidia-smi"}
    done = subprocess.run([tool, f"--query-gpu={','.join(STATE)}", "--format=csv,noheader,nounits", "-i", "0"],
                          capture_output=True, text=True, timeout=30)
    if done.returncode:
        return {"missing": (done.stdout + done.stderr).strip().splitlines()[0]}
    return parse_state(done.stdout)


def parse_state(text):
    values = [value.strip() for value in text.strip().splitlines()[0].split(",")]
    return dict(zip(STATE, values))


def number(text):
    """None for what the GPU does not tell: [N/A], [Not Supported]."""
    try:
        return float(text)
    except ValueError:
        return None


def parse_samples(text):
    """Of lines of SAMPLE: dictionaries, with seconds since the epoch for the timestamp. A line that breaks off is no sample."""
    samples = []
    for line in text.splitlines():
        values = [value.strip() for value in line.split(",")]
        if len(values) != len(SAMPLE):
            continue
        try:
            moment = datetime.datetime.strptime(values[0], "%Y/%m/%d %H:%M:%S.%f").timestamp()
        except ValueError:
            continue
        samples.append({"time": moment} | dict(zip(("sm_mhz", "memory_mhz", "watt", "celsius"), map(number, values[1:]))))
    return samples


def spread(samples, key):
    """[least, median, most], or None."""
    values = [sample[key] for sample in samples if sample[key] is not None]
    return [min(values), statistics.median(values), max(values)] if values else None


class Clocks:
    """Samples clocks and power as long as it is open."""

    def __init__(self, tool=None):
        self.tool, self.samples, self.process = tool or find("nvidia-smi"), [], None

    def __enter__(self):
        if self.tool:
            self.file = tempfile.TemporaryFile("w+")
            self.process = subprocess.Popen([self.tool, f"--query-gpu={','.join(SAMPLE)}", "--format=csv,noheader,nounits",
                                             "-i", "0", "-lms", "100"], stdout=self.file, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.file.seek(0)
            self.samples = parse_samples(self.file.read())
            self.file.close()

    def attach(self, entry):
        """To whatever has a time of measurement in it, the clocks of that time."""
        for part in [entry.get("torch"), entry.get("triton"), *entry.get("tiles", [])]:
            if part and "from" in part:
                inside = [sample for sample in self.samples if part["from"] <= sample["time"] <= part["to"]]
                part["clocks"] = {key: spread(inside, key) for key in ("sm_mhz", "memory_mhz", "watt", "celsius")}

    def summary(self):
        if not self.samples:
            return {"missing": "there is no nvidia-smi" if not self.tool else "nvidia-smi gave no samples"}
        return {key: spread(self.samples, key) for key in ("sm_mhz", "memory_mhz", "watt", "celsius")}


#===- Nsight Compute -------------------------------------------------------===#

# What is asked for, by the name that the model's counterpart has; a chip that lacks a metric says so.
METRICS = {
    "time_us": "gpu__time_duration.sum",
    "cycles": "sm__cycles_elapsed.max",
    "warp_instructions": "smsp__inst_executed.sum",
    "shared_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l2_sectors": "lts__t_sectors.sum",
    "tensor_pipe_percent": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "wgmma_percent": "sm__inst_executed_pipe_tensor_op_gmma.avg.pct_of_peak_sustained_active",
    "l2_to_l1_bytes": "l1tex__m_xbar2l1tex_read_bytes.sum",
    "dram_read_bytes": "dram__bytes_read.sum",
    "dram_write_bytes": "dram__bytes_write.sum",
}
# The model and the emulator tell loads from stores less than these do.
SUMS = {"global_sectors": ("global_load_sectors", "global_store_sectors"), "dram_bytes": ("dram_read_bytes", "dram_write_bytes")}
MICROSECONDS = {"second": 1e6, "msecond": 1e3, "usecond": 1, "nsecond": 1e-3, "s": 1e6, "ms": 1e3, "us": 1, "ns": 1e-3}


def parse_counters(text):
    """{metric: (number, unit)} of the first kernel in a log of `ncu --csv`; lines of other kinds are around the table."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    found = {}
    for line in csv.DictReader(io.StringIO("\n".join(lines))):
        value = number((line.get("Metric Value") or "").replace(",", ""))
        if line.get("Metric Name") and value is not None:
            found.setdefault(line["Metric Name"], (value, line["Metric Unit"]))
    return found


def name_counters(found):
    """{our name: number}, times in microseconds."""
    named = {}
    for name, metric in METRICS.items():
        if metric in found:
            value, unit = found[metric]
            named[name] = value * MICROSECONDS.get(unit, 1) if name == "time_us" else value
    for whole, parts in SUMS.items():
        if all(part in named for part in parts):
            named[whole] = sum(named[part] for part in parts)
    return named


def complaints(text):
    """What ncu says is wrong, but for the metrics that it does not know; and these."""
    errors = re.findall(r"^==ERROR== (.*)$", text, re.MULTILINE)
    unknown = {metric for metric in METRICS.values() for error in errors if metric in error or metric.split(".")[0] + " " in error}
    others = [error for error in errors if not any(metric.split(".")[0] in error for metric in unknown)]
    return others, unknown


def profile(tool, index, metrics, passed_on):
    """The log of one run of ncu over one launch of a row's kernel."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "ncu.csv"
        command = [tool, "--csv", "--print-units", "base", "--clock-control", "none", "--kernel-name-base", "function",
                   "--kernel-name", "kernel", "--launch-skip", "1", "--launch-count", "1", "--metrics", ",".join(metrics),
                   "--log-file", log, sys.executable, HERE / "measure.py", *passed_on, "--profile", str(index)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=80)
        except subprocess.TimeoutExpired:
            return "==ERROR== took more than 80 s"
        text = log.read_text() if log.exists() else ""
        return text + done.stdout + (done.stderr if done.returncode else "")


def count_row(tool, index, row, passed_on):
    wanted, dropped = list(METRICS.values()), set()
    text = profile(tool, index, wanted, passed_on)
    others, unknown = complaints(text)
    if unknown and not parse_counters(text):
        dropped = unknown
        text = profile(tool, index, [metric for metric in wanted if metric not in unknown], passed_on)
        others, _ = complaints(text)
    counters = name_counters(parse_counters(text))
    entry = {"name": row["name"], "choice": row["variants"][0]["choice"], "measured": counters, "model": row["counters"],
             "unknown": sorted(dropped)}
    if not counters:
        entry["error"] = others[0] if others else (text.strip().splitlines() or ["ncu says nothing"])[-1]
    return entry


def count(payload, passed_on, deadline, say):
    """Counters of the rows that have the model's."""
    tool = find("ncu")
    if not tool:
        return {"missing": "there is no ncu", "kernels": []}
    kernels = []
    for index, row in enumerate(payload["rows"]):
        if "counters" in row and time.monotonic() < deadline:
            kernels.append(count_row(tool, index, row, passed_on))
            say(f"{row['name']}: {kernels[-1].get('error') or kernels[-1]['measured']}")
    return {"kernels": kernels}


#===- compute-sanitizer ----------------------------------------------------===#

SUMMARY = {"memcheck": re.compile(r"^========= ERROR SUMMARY: (\d+) errors?", re.MULTILINE),
           "racecheck": re.compile(r"^========= RACECHECK SUMMARY: (\d+) hazards? displayed \((\d+) errors?, (\d+) warnings?\)",
                                   re.MULTILINE)}


def parse_report(tool, text):
    """{"errors", "first"} of a report; without a summary there is an "error" instead: the tool did not get to the end."""
    summary = SUMMARY[tool].search(text)
    lines = [line.removeprefix("=========").strip() for line in text.splitlines() if line.startswith("=========")]
    lines = [line for line in lines if line and "SUMMARY" not in line and line not in ("COMPUTE-SANITIZER", "RACECHECK")]
    if not summary:
        return {"error": lines[0] if lines else "no report"}
    return {"errors": int(summary[1]), "first": lines[0] if lines and int(summary[1]) else ""}


def run_tool(sanitizer, tool, launcher, case, seconds):
    """What a tool says about one case, which runs in the process that the tool follows."""
    with tempfile.TemporaryDirectory() as folder:
        log, results = pathlib.Path(folder) / "log", pathlib.Path(folder) / "results.json"
        command = [sanitizer, "--tool", tool, "--log-file", log, launcher, "--here", case, results]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            return {"error": f"took more than {seconds:.0f} s"}
        report = parse_report(tool, log.read_text(errors="replace") if log.exists() else done.stdout + done.stderr)
        ran = json.loads(results.read_text())["cases"] if results.exists() else []
    # A summary without errors means nothing when the kernel did not run.
    case = ran[0] if ran else {"result": "none", "detail": f"the launcher ended with exit code {done.returncode}"}
    return report | {"case": case["result"], "detail": case["detail"]}


def finding(report):
    """What a tool has to say, and the case when it does not pass."""
    said = report.get("error") or f"{report['errors']} {report['first']}".strip()
    return said if report.get("case", "pass") == "pass" else f"{said}; {report['case']}: {report['detail']}"


def emulator_verdict(case):
    """"clean", "traps", or the kind of the mistake that was planted."""
    if (case / "emulator.txt").exists():
        return (case / "emulator.txt").read_text().strip()
    return "traps" if (case / "traps.txt").exists() else "clean"


# Which tool sees which of the emulator's kinds; nothing is asked of kernels that trap.
SEEN_BY = {"out-of-bounds": "memcheck", "misaligned": "memcheck", "data-race": "racecheck"}


def agree(verdict, reports):
    """True or False; None where the tools did not get to the end, or need not agree."""
    if verdict == "traps" or any("error" in report for report in reports.values()):
        return None
    found = {tool for tool, report in reports.items() if report["errors"]}
    if verdict == "clean":
        return not found and all(report["case"] == "pass" for report in reports.values())
    return SEEN_BY.get(verdict) in found


def runs_on(target, capability):
    """Whether a cubin for sm_TARGET runs: "90a" on exactly 9.0, "80" on 8.0 and later minors of the same major."""
    number, (major, minor) = int(target.rstrip("af")), map(int, capability.split("."))
    return number // 10 == major and (number % 10 == minor if target[-1].isalpha() else number % 10 <= minor)


def cases_of(payload, every, capability):
    """Those with planted mistakes, which come with the lab, and every N-th for this GPU of the payload."""
    planted, given = ([path.parent for path in sorted(found)] for found in
                      (HERE.glob("planted/*/launch.txt"), payload.glob("*/*/launch.txt")))
    return planted + [case for case in given if runs_on((case / "target.txt").read_text().strip(), capability)][::every]


def sanitize(payload, capability, arguments, deadline, say):
    sanitizer, launcher = find("compute-sanitizer"), (payload / "gpu-launcher").resolve()
    if not sanitizer:
        return {"missing": "there is no compute-sanitizer", "cases": []}
    if not launcher.exists():
        sys.exit(f"error: {payload} has no gpu-launcher: make a payload with tests/gpu/run build")

    def work(case):
        verdict, left = emulator_verdict(case), deadline - time.monotonic()
        if left < 0:
            return {"emulator": verdict, "missing": "the time was up"}
        reports = {tool: run_tool(sanitizer, tool, launcher, case.resolve(), min(120, left / 2 + 10)) for tool in SUMMARY}
        return {"emulator": verdict, **reports, "agree": agree(verdict, reports)}
    cases, names = [], cases_of(payload, arguments.every, capability)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for case, result in zip(names, pool.map(work, names)):
            cases.append({"name": f"{case.parent.name}/{case.name}", **result})
            if result.get("agree") is False:
                found = ", ".join(f"{tool}: {finding(result[tool])}" for tool in SUMMARY)
                say(f"{cases[-1]['name']}: emulator: {result['emulator']}, {found}")
    commit = payload / "commit.txt"
    return {"payload": commit.read_text().strip() if commit.exists() else "", "cases": cases}
