"""Builds a payload: a folder that runs on a machine with the CUDA driver and nothing else of ours."""

import concurrent.futures
import gzip
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import cases
import compiled
import exact

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 80 * 10**6
LIBRARY = "libtileiras-launch.so.0"
TRAP = re.compile(r"error\[(trap|assertion)\]")


def find(given, names):
    """The tool that was given, else the first of these that is there, or None."""
    for name in [given] if given else names:
        path = shutil.which(str(name))
        if path:
            return pathlib.Path(path).resolve()
    return None


def write_case(folder, ptx, target, launch, buffers):
    folder.mkdir(parents=True)
    (folder / "kernel.ptx").write_text(ptx)
    (folder / "target.txt").write_text(target + "\n")
    (folder / "launch.txt").write_text(launch)
    for name, contents in buffers.items():
        (folder / f"buf_{name}.bin").write_bytes(contents)


def write_handwritten(payload):
    for group, (forms, target) in exact.GROUPS.items():
        size = 8 * exact.THREADS * len(forms)
        buffers = {"in": exact.operands(group), "results": bytes(size)}
        # Instructions of sm_80 are the same on every later one; a cubin is not.
        for architecture in ["80", "90", "100", "120"] if target == 80 else ["90", "100", "120"]:
            write_case(payload / f"sm_{architecture}" / f"exact_{group}", exact.ptx(group), architecture,
                       exact.launch(group), buffers)
    for name, make in cases.KERNELS.items():
        target, launch, buffers = make()
        ptx = (HERE.parents[1] / "emulator" / "kernels" / f"{name}.ptx").read_text()
        write_case(payload / f"sm_{target}" / name, ptx, target, launch, buffers)


def copy_case(payload, source):
    ptx = (source / "kernel.ptx").read_text()
    target = re.search(r"^\s*\.target\s+sm_(\w+)", ptx, re.MULTILINE)
    if not target:
        sys.exit(f"error: {source}/kernel.ptx has no .target sm_…; say what it is for")
    target = target.group(1)
    folder = payload / f"sm_{target}" / source.name
    if folder.exists():
        sys.exit(f"error: {source}: the payload has a case sm_{target}/{source.name} already; rename the folder")
    shutil.copytree(source, folder)
    (folder / "target.txt").write_text(target + "\n")


def lines_of(path):
    return [line.split() for line in path.read_text().splitlines() if line.strip()] if path.exists() else []


def emulate(folder, emulator, options=(), must_trap=False):
    """Leaves beside the case what the GPU has to give; None, or why that is not known."""
    done = subprocess.run([emulator, "run", folder / "kernel.ptx", "--case", folder, "--quiet", *options],
                          capture_output=True, text=True, errors="replace")
    if must_trap:
        trap = TRAP.search(done.stderr + done.stdout)
        if done.returncode != 1 or not trap:
            return "the emulator does not trap"
        (folder / "traps.txt").write_text(trap.group(1) + "\n")
        (folder / "compare.txt").unlink(missing_ok=True)
        return None
    if done.returncode != 0:
        return f"ptx-emulator failed\n{done.stderr}"
    reads = [words for words in lines_of(folder / "launch.txt") if words[0] == "read"]
    known = {words[1] for words in lines_of(folder / "compare.txt") if words[0] == "emulator"}
    with open(folder / "compare.txt", "a") as compare:
        for _, name, _, file in reads:
            (folder / file).rename(folder / f"emulator_{name}")
            if name not in known:
                compare.write(f"emulator {name} emulator_{name} u8 0 0\n")
    return None


def finish_handwritten(folder, tools):
    target = (folder / "target.txt").read_text().strip()
    failure = compiled.run([tools.ptxas, f"-arch=sm_{target}", folder / "kernel.ptx", "-o", folder / "kernel.cubin"],
                           compiled.TIMEOUT)
    return f"ptxas: {failure}" if failure else emulate(folder, tools.emulator)


def finish_compiled(kernel, folder, tools):
    stage, reason = compiled.EXPECTATIONS.get(kernel, kernel.gpu)
    failure = compiled.compile_case(kernel, folder, tools.tileiras)
    if failure and stage == "compile":
        shutil.rmtree(folder)
        print(f"{folder.parent.name}/{folder.name}: left out: {reason}")
        return None
    if failure:
        return f"tileiras: {failure}"
    return emulate(folder, tools.emulator, compiled.emulator_options(folder), must_trap=stage == "run")


def keep_once(payload, contents):
    """Puts contents into the folder that all cases share, and gives their name as a case sees it."""
    name = hashlib.sha256(contents).hexdigest()[:16]
    (payload / "data").mkdir(exist_ok=True)
    (payload / "data" / name).write_bytes(contents)
    return f"../../data/{name}"


def pack(payload, folder):
    """Many cases have the same buffers, and often a GPU has to give exactly the expected data: each is kept once."""
    launch, compare = lines_of(folder / "launch.txt"), lines_of(folder / "compare.txt")
    moved = set()
    for words in launch:
        if words[0] == "buffer":
            moved.add(folder / words[3])
            words[3] = keep_once(payload, (folder / words[3]).read_bytes().rstrip(b"\0"))  # the launcher adds zeros
    for words in compare:
        moved.add(folder / words[2])
        words[2] = keep_once(payload, (folder / words[2]).read_bytes())
    for file in moved:
        file.unlink()
    if (folder / "kernel.json").exists():  # the text is for whoever looks into a failure
        with gzip.GzipFile(folder / "kernel.ptx.gz", "wb", mtime=0) as compressed:
            compressed.write((folder / "kernel.ptx").read_bytes())
        (folder / "kernel.ptx").unlink()
    for path, lines in ((folder / "launch.txt", launch), (folder / "compare.txt", compare)):
        path.write_text("".join(" ".join(words) + "\n" for words in lines))


def commit():
    def git(*arguments):
        done = subprocess.run(["git", "-C", HERE, *arguments], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None
    head = git("rev-parse", "HEAD")
    return "unknown" if not head else head + (" dirty" if git("status", "--porcelain", "--untracked-files=no") else "")


def clear(payload):
    if payload.exists() and any(payload.iterdir()):
        if not (payload / "commit.txt").exists():
            sys.exit(f"error: {payload} exists and is no payload; name another folder")
        shutil.rmtree(payload)
    payload.mkdir(parents=True, exist_ok=True)


def collect(work, tools, corpus, every):
    """(folder of the payload, kernels) for every chip; sources that have to be written go into `work`. Folders for the first
    chip that there was have no name of a chip."""
    groups = []
    for gpu in tools.gpu:
        suffix = "" if gpu == "sm_90" else f"_{gpu}"
        groups.append((f"own{suffix}", compiled.own_kernels(gpu)))
        if suffix:
            groups.append((f"products{suffix}", compiled.product_kernels(work / gpu, gpu)))
        if corpus:
            groups.append((f"corpus{suffix}", compiled.corpus_kernels(corpus, every, gpu)))
    return groups


def build(payload, tools, corpus=None, every=1, given=()):
    """True when every case was built and the payload is not too large."""
    with tempfile.TemporaryDirectory(prefix="gpu-payload-") as work:
        return build_from(payload, tools, pathlib.Path(work), corpus, every, given)


def build_from(payload, tools, sources, corpus, every, given):
    clear(payload)
    (payload / "commit.txt").write_text(commit() + "\n")
    write_handwritten(payload)
    for case in given:
        copy_case(payload, case)
    work = [(path.parent, finish_handwritten, (path.parent, tools)) for path in sorted(payload.glob("*/*/launch.txt"))]
    for group, kernels in collect(sources, tools, corpus, every):
        work += [(payload / group / k.name, finish_compiled, (k, payload / group / k.name, tools)) for k in kernels]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(tools.jobs) as pool:
        futures = [(folder, pool.submit(function, *arguments)) for folder, function, arguments in work]
        for folder, future in futures:
            failure = future.result()
            if failure:
                failures += 1
                shutil.rmtree(folder)
                print(f"{folder.parent.name}/{folder.name}: {failure}", file=sys.stderr)
    shutil.copy(tools.launcher, payload / "gpu-launcher")
    beside, built = tools.launcher.parent / LIBRARY, tools.launcher.parent.parent / "lib" / LIBRARY
    shutil.copy(beside if beside.exists() else built, payload / LIBRARY)
    folders = sorted(path.parent for path in payload.glob("*/*/launch.txt"))
    for folder in folders:
        pack(payload, folder)
    size = sum(path.stat().st_size for path in payload.rglob("*") if path.is_file())
    print(f"{len(folders)} cases built in {payload}, {failures} failed; {size / 10**6:.1f} MB")
    if size > LIMIT:
        print(f"error: the payload is larger than {LIMIT // 10**6} MB", file=sys.stderr)
    return not failures and size <= LIMIT
