#!/usr/bin/env python3
"""The cache of results, in a folder and in Redis: what is a hit and what is not, that a hit is like a compilation, and
that nothing that happens to a cache makes a compilation fail.

  cache_test.py TILEIRAS [SUBJECT…]
"""

import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTOR_ADD = ROOT / "examples" / "vector_add" / "kernel.mlir"
MATMUL = ROOT / "examples" / "matmul" / "kernel.mlir"
SKIPPED = 77
TILEIRAS = ""


def environment(**changes):
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TILEIR")}
    return {**inherited, **changes}


class Caches(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="tileiras-cache-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.places = str(self.folder / "cache")

    def compile(self, *arguments, places=None, env=None, output="out.ptx"):
        """Exit code, messages, whether it was a hit, and all files that were written."""
        log, work = self.folder / "log", self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        words = [f'"{argument}"' for argument in map(str, arguments)] + ["-o", output]
        result = subprocess.run([TILEIRAS, "--batch=-", f"--batch-log={log}", f"--cache={places or self.places}"],
                                input=" ".join(words), capture_output=True, text=True, cwd=work, timeout=200,
                                env=env or environment(), check=False)
        entry = json.loads(log.read_text())
        self.assertEqual(entry["exit_code"], result.returncode)
        files = {path.name: path.read_bytes() for path in sorted(work.iterdir())}
        return result.returncode, entry["messages"], entry["cached"], files

    def expect(self, is_hit, *arguments, **rest):
        code, messages, cached, files = self.compile(*arguments, **rest)
        self.assertEqual((code, cached), (0, is_hit), f"{arguments}: {messages}")
        return messages, files

    def expect_same(self, *arguments, **rest):
        """A compilation without a cache, one that fills it, and a hit say and make the same."""
        alone = self.expect(False, *arguments, **{**rest, "places": "off"})
        self.assertEqual(self.expect(False, *arguments, **rest), alone)
        self.assertEqual(self.expect(True, *arguments, **rest), alone)
        return alone

    def entries(self):
        return sorted((self.folder / "cache").glob("llvmcache-*"))


class Results(Caches):
    """A hit is like a compilation."""

    def test_products(self):
        for emit in ("ptx", "llvm-ir", "llvm-dialect", "tileas", "tileaa", "cuda_tile", "bytecode"):
            with self.subTest(emit):
                messages, files = self.expect_same(VECTOR_ADD, "--gpu-name=sm_90", f"--emit={emit}", output="out",)
                self.assertEqual((messages, list(files)), ("", ["out"]))

    def test_cubins(self):
        if not (shutil.which("ptxas") or pathlib.Path("/usr/local/cuda/bin/ptxas").exists()):
            self.skipTest("ptxas is not installed")
        _, files = self.expect_same(MATMUL, "--gpu-name=sm_90", "--metadata=m.json", output="out.cubin")
        metadata = json.loads(files["m.json"])
        self.assertGreater(metadata["kernels"][0]["registers"], 16)
        self.expect(False, MATMUL, "--gpu-name=sm_90", "--Xptxas=-v", output="out.cubin")
        # The assembler does not matter for what it does not make.
        self.expect(False, MATMUL, "--gpu-name=sm_90")
        self.expect(True, MATMUL, "--gpu-name=sm_90", "--assembler=ptxas")

    def test_reports(self):
        for options in (["--remarks=all"], ["--remarks=missed", "--remark-policy=all"], ["-O2", "--remarks=all"],
                        ["--remarks=all", "--remark-format=yaml", "--remarks-output-file=r.yaml"],
                        ["--remarks=all", "--remark-format=bitstream", "--remarks-output-file=r.bin"],
                        ["--metadata=m.json"]):
            with self.subTest(options):
                shutil.rmtree(self.places, ignore_errors=True)
                self.expect_same(MATMUL, "--gpu-name=sm_90", *options)

    def test_remarks_of_a_compilation_without(self):
        """Who did not want remarks has left them for who does."""
        alone = self.expect(False, MATMUL, "--gpu-name=sm_90", "--remarks=all", places="off")
        self.assertIn("remark:", alone[0])
        self.expect(False, MATMUL, "--gpu-name=sm_90")
        self.assertEqual(self.expect(True, MATMUL, "--gpu-name=sm_90", "--remarks=all"), alone)
        some, _ = self.expect(True, MATMUL, "--gpu-name=sm_90", "--remarks=analysis")
        self.assertNotIn("[Missed]", some)
        self.assertIn("[Analysis]", some)

    def test_warnings(self):
        source = self.folder / "warned.mlir"
        source.write_text("cuda_tile.module @m {\n}\n")
        messages, _ = self.expect_same(source, "--gpu-name=sm_90", "--set", "ftz=true")
        self.assertIn("-Wempty-module", messages)
        self.assertIn("warned.mlir:1:", messages)
        self.expect(False, source, "--gpu-name=sm_90", "--set", "ftz=true", "-w")
        code, *_ = self.compile(source, "--gpu-name=sm_90", "-Werror")
        self.assertEqual(code, 5)
        code, _, cached, _ = self.compile(source, "--gpu-name=sm_90", "-Werror")
        self.assertEqual((code, cached), (5, False), "failures are not kept")

    def test_other_names(self):
        """A program is the same under another name, unless the product has the name in it."""
        copy = self.folder / "elsewhere" / "copy.mlir"
        copy.parent.mkdir()
        shutil.copy(MATMUL, copy)
        self.expect(False, MATMUL, "--gpu-name=sm_90", "-O2")
        messages, files = self.expect(True, copy, "--gpu-name=sm_90", "-O2", "--remarks=all", "--metadata=m.json")
        self.assertIn(f"{copy}:", messages)
        self.assertNotIn(str(MATMUL), messages)
        self.assertEqual((messages, files), self.expect(False, copy, "--gpu-name=sm_90", "-O2", "--remarks=all",
                                                        "--metadata=m.json", places="off"))
        for name in (MATMUL, copy):
            messages, files = self.expect_same(name, "--gpu-name=sm_90", "--lineinfo")
            self.assertIn(name.name.encode(), files["out.ptx"])
        assertion = ("cuda_tile.module @m {\n  entry @k(%p: tile<i1>) {\n    assert %p, \"as it should\" : tile<i1>\n"
                     "    return\n  }\n}\n")
        for name in ("plain.mlir", "two words.mlir", "k\u00e9rnel.mlir", "quo\u0027te.mlir"):
            shutil.copy(MATMUL, self.folder / name)
            self.expect_same(self.folder / name, "--gpu-name=sm_90", "-O2", "--lineinfo", "--emit=llvm-ir")
        for name in ("first.mlir", "second.mlir"):
            (self.folder / name).write_text(assertion)
            _, files = self.expect_same(self.folder / name, "--gpu-name=sm_90")
            numbers = ", ".join(str(ord(c)) for c in name)
            self.assertIn(numbers.encode(), files["out.ptx"])


class Keys(Caches):
    """What matters for the product is in the key, and nothing else is."""

    def test_misses(self):
        base = [VECTOR_ADD, "--gpu-name=sm_90"]
        self.expect(False, *base)
        self.expect(True, *base)
        for options in (["--gpu-name=sm_80"], ["-O2"], ["--lineinfo"], ["--set", "num-warps=8"], ["--set", "ftz=true"],
                        ["--set", "tuning.access-cost=9"], ["--emit=tileas"], ["--profile=o3-ws"], ["-w"],
                        ["--sanitize=memcheck"]):
            with self.subTest(options):
                self.expect(False, *base, *options)
                self.expect(True, *base, *options)
        self.expect(True, *base)
        changed = self.folder / "changed.mlir"
        changed.write_text(VECTOR_ADD.read_text().replace("128", "256"))
        self.expect(False, changed, "--gpu-name=sm_90")

    def test_hits(self):
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", "-O3")
        for options in (["-O3", "--metadata=m.json"], ["-O3", "--time-limit=100000"], ["-O3", "--verify-each"],
                        ["-O3", "--remarks=all"], ["--profile=o3"]):
            with self.subTest(options):
                self.expect(True, VECTOR_ADD, "--gpu-name=sm_90", *options)

    def test_profiles(self):
        profile = self.folder / "mine.toml"
        profile.write_text('name = "mine"\ninherits = "o3"\noptions.num-warps = 8\n')
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", f"--profile={profile}")
        self.expect(True, VECTOR_ADD, "--gpu-name=sm_90", f"--profile={profile}")
        profile.write_text('name = "mine"\ninherits = "o3"\noptions.num-warps = 4\n')
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", f"--profile={profile}")

    def test_environment(self):
        """Defaults of options, and the toolkit."""
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90")
        prefers = environment(TILEIR_PREFER_TMA_FOR_LOAD_STORE="1")
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", env=prefers)
        self.expect(True, VECTOR_ADD, "--gpu-name=sm_90", env=prefers)
        toolkit = self.folder / "cuda"
        (toolkit / "nvvm" / "libdevice").mkdir(parents=True)
        (toolkit / "nvvm" / "libdevice" / "libdevice.10.bc").write_bytes(b"another one")
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", env=environment(CUDA_ROOT=str(toolkit)))

    def test_what_is_not_kept(self):
        """Compilations that write something besides."""
        for _ in range(2):
            _, files = self.expect(False, MATMUL, "--gpu-name=sm_90", "--set", "schedule-svg=picture.svg")
            self.assertTrue(any(name.startswith("picture") for name in files), files.keys())
        trace = ["--set", "schedule-trace-file=trace.json"]
        for _ in range(2):
            self.expect(False, MATMUL, "--gpu-name=sm_90", *trace)
        # Whoever wants to see passes sees them.
        for _ in range(2):
            shown = subprocess.run([TILEIRAS, MATMUL, "--gpu-name=sm_90", "-o", self.folder / "x.ptx", "--mlir-timing",
                                    f"--cache={self.places}"], capture_output=True, text=True, check=True,
                                   env=environment())
            self.assertIn("CompileNVVM", shown.stdout + shown.stderr)

    def test_where_it_is(self):
        """Off unless somebody says so."""
        home = self.folder / "home"
        for variables, made in (({}, None), ({"TILEIRAS_CACHE": "on"}, home / ".cache" / "tileiras"),
                                ({"TILEIRAS_CACHE": "1", "XDG_CACHE_HOME": str(home / "xdg")}, home / "xdg" / "tileiras"),
                                ({"TILEIRAS_CACHE": str(home / "mine")}, home / "mine"), ({"TILEIRAS_CACHE": "off"}, None)):
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            variables = {name: value for name, value in {**environment(), "HOME": str(home)}.items()
                         if name != "XDG_CACHE_HOME"} | variables
            subprocess.run([TILEIRAS, VECTOR_ADD, "--gpu-name=sm_90", "-o", self.folder / "x.ptx"], check=True,
                           env=variables)
            self.assertEqual([path.parent for path in home.glob("**/llvmcache-*")], [made] if made else [])
        # The command line wins.
        shutil.rmtree(home)
        subprocess.run([TILEIRAS, VECTOR_ADD, "--gpu-name=sm_90", "-o", self.folder / "x.ptx", "--cache=off"],
                       check=True, env=environment(TILEIRAS_CACHE=str(home / "mine")))
        self.assertFalse(home.exists())


class Folders(Caches):
    def test_damage(self):
        """Whatever becomes of an entry, it is a miss or what it was."""
        alone = self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", "--remarks=all", places="off")
        chance = random.Random(54)
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90")
        [entry] = [path for path in self.entries() if path.stat().st_size > 1000]
        whole = entry.read_bytes()
        damages = [b"", whole[:10], whole[:90], whole[:-1], whole + b"x", b"tileiras1rz" + bytes(200)]
        for _ in range(20):
            changed = bytearray(whole)
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
            damages.append(bytes(changed))
        for damage in damages:
            entry.write_bytes(damage)
            self.assertEqual(self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", "--remarks=all"), alone)
            self.assertEqual(self.expect(True, VECTOR_ADD, "--gpu-name=sm_90", "--remarks=all"), alone)
        # An entry under another key.
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_80")
        [other] = [path for path in self.entries() if path.stat().st_size > 1000 and path != entry]
        shutil.copy(entry, other)
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_80")

    def test_bound(self):
        """The folder stays as small as its policy says, and what was used last is what stays."""
        bound = 40_000
        places = f"{self.places}?cache_size_bytes={bound}:prune_interval=0s:prune_after=0s"
        lines = [f"{VECTOR_ADD} -o {n}.ptx --gpu-name=sm_90 --set tuning.access-cost={n + 2}" for n in range(40)]
        sizes = []
        for line in lines:
            subprocess.run([TILEIRAS, *line.split(), f"--cache={places}"], cwd=self.folder, check=True, env=environment())
            sizes.append(sum(path.stat().st_size for path in self.entries()))
        self.assertLessEqual(max(sizes), bound)
        self.assertGreater(min(sizes[20:]), bound // 3)
        one = max(path.stat().st_size for path in self.entries())
        self.assertGreater(len(lines) * one, 2 * bound, "there was something to remove")

    def test_bound_of_one_process(self):
        """Also between the times at which LLVM looks."""
        bound = 40_000
        places = f"{self.places}?cache_size_bytes={bound}:prune_interval=1h:prune_after=1h"
        lines = [f"{VECTOR_ADD} -o {n}.ptx --gpu-name=sm_90 --set tuning.access-cost={n + 2}" for n in range(60)]
        subprocess.run([TILEIRAS, "--batch=-", "-j2", f"--cache={places}"], cwd=self.folder, check=True, text=True,
                       input="\n".join(lines), env=environment())
        self.assertLessEqual(sum(path.stat().st_size for path in self.entries()), bound * 5 // 4)

    def test_processes_at_once(self):
        """Several processes, of several threads, fill and read one folder, which is pruned meanwhile."""
        places = f"{self.places}?cache_size_bytes=60000:prune_interval=0s:prune_after=1h"
        lines = [f"{VECTOR_ADD} --gpu-name=sm_{gpu} --set num-warps={warps}" for gpu in (80, 90, 100) for warps in (4, 8, 16)]
        expected = []
        for line in lines:
            subprocess.run([TILEIRAS, *line.split(), "-o", "alone.ptx"], cwd=self.folder, check=True, env=environment())
            expected.append((self.folder / "alone.ptx").read_bytes())
        processes = []
        for process in range(4):
            work = self.folder / f"process-{process}"
            work.mkdir()
            order = list(range(len(lines))) * 3
            random.Random(process).shuffle(order)
            batch = "\n".join(f"{lines[n]} -o {place}-{n}.ptx" for place, n in enumerate(order))
            processes.append((work, order, subprocess.Popen([TILEIRAS, "--batch=-", "-j2", f"--cache={places}"], cwd=work,
                                                            stdin=subprocess.PIPE, text=True, env=environment())))
            processes[-1][2].stdin.write(batch)
            processes[-1][2].stdin.close()
        for work, order, process in processes:
            self.assertEqual(process.wait(timeout=200), 0)
            for place, number in enumerate(order):
                self.assertEqual((work / f"{place}-{number}.ptx").read_bytes(), expected[number])

    def test_useless_places(self):
        """A warning, and the compilation."""
        (self.folder / "file").write_text("")
        places = {"nonsense": "is no place for a cache", str(self.folder / "file"): "is no folder",
                  f"{self.places}?cache_size_bytes=much": "is no pruning policy",
                  "redis://:x": "is no address of Redis", "unix:": "names no socket"}
        for place, reason in places.items():
            messages, files = self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", places=place)
            if "without hiredis" not in messages:
                self.assertIn("warning: no cache: ", messages, place)
                self.assertIn(reason, messages)
            self.assertEqual(list(files), ["out.ptx"])

    def test_full_disk(self):
        """As `ulimit -f` has it: nothing larger than 4 KiB can be written; PTX goes to a pipe."""
        command = f'ulimit -f 4; "{TILEIRAS}" "{VECTOR_ADD}" --gpu-name=sm_90 --emit=ptx -o - --remarks=all --cache="{self.places}"'
        big = f'ulimit -f 1; "{TILEIRAS}" "{MATMUL}" --gpu-name=sm_90 --emit=ptx -o - --cache="{self.places}"'
        for line, whole in ((command, True), (big, False)):
            result = subprocess.run(["bash", "-c", line], capture_output=True, check=False, env=environment())
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b".visible .entry", result.stdout)
        self.assertEqual([path for path in self.entries() if "new-" in path.name], [])


class RedisServer:
    """Debian's redis-server, on a socket and a port of its own; keeps nothing on disk."""

    def __init__(self, folder, name="redis"):
        self.socket = folder / f"{name}.sock"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", str(self.socket),
                        "--save", "", "--appendonly", "no", "--dir", str(folder)]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                if self.ask("PING") == b"+PONG\r\n":
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("redis-server does not start")

    def ask(self, *words):
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            command = b"*%d\r\n" % len(words)
            for word in words:
                word = word if isinstance(word, bytes) else word.encode()
                command += b"$%d\r\n%s\r\n" % (len(word), word)
            connection.sendall(command)
            return connection.recv(1 << 20)

    def keys(self):
        return [line for line in self.ask("KEYS", "tileiras:*").split(b"\r\n") if line.startswith(b"tileiras:")]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@unittest.skipUnless(shutil.which("redis-server"), "redis-server is not installed")
class Redis(Caches):
    def setUp(self):
        super().setUp()
        self.server = RedisServer(self.folder)
        self.addCleanup(self.server.kill)
        self.places = f"redis://127.0.0.1:{self.server.port}"

    def test_hits(self):
        self.expect_same(MATMUL, "--gpu-name=sm_90", "-O2", "--remarks=all", "--metadata=m.json")
        self.assertGreater(len(self.server.keys()), 0)
        self.expect(True, MATMUL, "--gpu-name=sm_90", "-O2", places=f"unix:{self.server.socket}")
        self.expect(True, MATMUL, "--gpu-name=sm_90", "-O2", places=f"redis://localhost:{self.server.port}/0")
        self.expect(False, MATMUL, "--gpu-name=sm_90", "-O2", places=f"redis://127.0.0.1:{self.server.port}/1")
        seconds = int(self.server.ask("TTL", self.server.keys()[0])[1:])
        self.assertGreater(seconds, 29 * 24 * 3600)

    def test_two_machines(self):
        """A folder each, and one Redis: what one has compiled the other one has, then also in its folder."""
        mine, yours = self.folder / "mine", self.folder / "yours"
        self.expect(False, MATMUL, "--gpu-name=sm_90", places=f"{mine},{self.places}")
        self.expect(True, MATMUL, "--gpu-name=sm_90", places=f"{yours},{self.places}")
        self.server.kill()
        self.expect(True, MATMUL, "--gpu-name=sm_90", places=f"{yours},{self.places}")
        self.expect(True, MATMUL, "--gpu-name=sm_90", places=f"{mine},{self.places}")

    def test_wrong_data(self):
        alone = self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", places="off")
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90")
        keys = self.server.keys()
        for damage in (b"", b"nonsense", b"tileiras1r-" + b"0" * 64, os.urandom(5000)):
            for key in keys:
                self.server.ask("SET", key, damage)
            self.assertEqual(self.expect(False, VECTOR_ADD, "--gpu-name=sm_90"), alone)
            self.assertEqual(self.expect(True, VECTOR_ADD, "--gpu-name=sm_90"), alone)
        for key in keys:  # of another type
            self.server.ask("DEL", key)
            self.server.ask("LPUSH", key, "x")
        self.assertEqual(self.expect(False, VECTOR_ADD, "--gpu-name=sm_90"), alone)

    def test_refused(self):
        """A password that is wrong, and a server that has no memory left."""
        self.server.ask("CONFIG", "SET", "requirepass", "secret")
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90")
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90")
        place = f"redis://:secret@127.0.0.1:{self.server.port}"
        self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", places=place)
        self.expect(True, VECTOR_ADD, "--gpu-name=sm_90", places=place)

    def test_no_memory(self):
        self.server.ask("CONFIG", "SET", "maxmemory", "1")
        for _ in range(2):
            self.expect(False, VECTOR_ADD, "--gpu-name=sm_90")

    def test_killed_in_the_middle(self):
        lines = [f"{MATMUL} -o {n}.ptx --gpu-name=sm_90 --set tuning.access-cost={n + 2}" for n in range(40)]
        log = self.folder / "middle.jsonl"
        process = subprocess.Popen([TILEIRAS, "--batch=-", "-j2", f"--batch-log={log}", f"--cache={self.places}"],
                                   cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment())
        process.stdin.write("\n".join(lines))
        process.stdin.close()
        while not log.exists() or log.read_text().count("\n") < 5:
            time.sleep(0.01)
        self.server.kill()
        self.assertLess(log.read_text().count("\n"), 35, "it was killed in the middle")
        self.assertEqual((process.wait(timeout=100), process.stderr.read()), (0, ""))
        process.stderr.close()
        self.assertEqual(log.read_text().count('"exit_code":0'), len(lines))
        # One that is started again serves again, though it has lost all.
        self.server.start()
        self.expect(False, MATMUL, "--gpu-name=sm_90")
        self.expect(True, MATMUL, "--gpu-name=sm_90")

    def test_started_again(self):
        """A process that has connections to a server that has gone takes new ones."""
        lines = [f"{MATMUL} -o {n}.ptx --gpu-name=sm_90 --set tuning.access-cost={n + 2}" for n in range(60)]
        log = self.folder / "again.jsonl"
        process = subprocess.Popen([TILEIRAS, "--batch=-", "-j1", f"--batch-log={log}", f"--cache={self.places}"],
                                   cwd=self.folder, stdin=subprocess.PIPE, text=True, env=environment())
        process.stdin.write("\n".join(lines))
        process.stdin.close()
        while not log.exists() or log.read_text().count("\n") < 5:
            time.sleep(0.01)
        process.send_signal(signal.SIGSTOP)
        self.server.kill()
        self.server.start()
        process.send_signal(signal.SIGCONT)
        self.assertEqual(process.wait(timeout=100), 0)
        self.assertGreater(len(self.server.keys()), 20)

    def test_silence(self):
        """Who takes connections and never answers costs a second, once."""
        with socket.create_server(("127.0.0.1", 0)) as silent:
            place = f"redis://127.0.0.1:{silent.getsockname()[1]}"
            lines = "\n".join(f"{VECTOR_ADD} -o {n}.ptx --gpu-name=sm_90 --set num-warps={n}" for n in (1, 2, 4, 8))
            start = time.monotonic()
            subprocess.run([TILEIRAS, "--batch=-", "-j1", f"--cache={place}"], input=lines, text=True, check=True,
                           cwd=self.folder, env=environment())
            self.assertLess(time.monotonic() - start, 4)

    def test_nonsense(self):
        """Who answers something else is no server."""
        answers = [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"$-5\r\n", b"$99999999999\r\nx", b"*1\r\n*1\r\n*1\r\n", b"\0" * 100]
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                while True:
                    try:
                        connection, _ = server.accept()
                    except OSError:
                        return
                    with connection:
                        connection.recv(1 << 16)
                        connection.sendall(answers[serve.count % len(answers)])
                        serve.count += 1
            serve.count = 0
            thread = threading.Thread(target=serve, daemon=True)
            thread.start()
            place = f"redis://127.0.0.1:{server.getsockname()[1]}"
            for _ in answers:
                self.expect(False, VECTOR_ADD, "--gpu-name=sm_90", places=place)
            self.assertGreaterEqual(serve.count, len(answers))
            server.shutdown(socket.SHUT_RDWR)


class Machines(Caches):
    """GNU parallel spreads a list over two machines: network namespaces, with a home and a cache each, and one Redis."""

    def test_parallel(self):
        for program in ("parallel", "redis-server", "unshare"):
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed")
        isolate = ["unshare", "--user", "--map-root-user", "--net"]
        if subprocess.run([*isolate, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("the system does not let this user make namespaces")
        server = RedisServer(self.folder)
        self.addCleanup(server.kill)
        # As ssh would be called: HOST COMMAND…; the far side's server sets SHELL, which parallel runs commands with.
        ssh = self.folder / "ssh"
        ssh.write_text(f'#!/bin/sh\nhost=$1\nshift\n[ "$1" != -- ] || shift\nexport SHELL=/bin/sh XDG_CACHE_HOME={self.folder}/$host\nmkdir -p "$XDG_CACHE_HOME"\n'
                       f'echo "$host" >> {self.folder}/hosts\nexec {" ".join(isolate)} sh -c "$*"\n')
        ssh.chmod(0o755)
        lines = [f"{VECTOR_ADD} -o {self.folder}/{n}.ptx --gpu-name=sm_90 --set tuning.access-cost={n + 2}"
                 for n in range(30)]
        cache = f"on,unix:{server.socket}"
        for _ in range(2):
            subprocess.run(["parallel", "--will-cite", "--pipe", "-N", "5", "-S", f"1/{ssh} one,1/{ssh} two",
                            f"{TILEIRAS} --batch=- --cache={cache}"], input="\n".join(lines) + "\n", text=True,
                           check=True, timeout=200, env=environment(HOME=str(self.folder)))
        self.assertEqual(len(list(self.folder.glob("*.ptx"))), 30)
        hosts = (self.folder / "hosts").read_text().split()
        self.assertEqual(set(hosts), {"one", "two"})
        for host in ("one", "two"):
            self.assertGreater(len(list((self.folder / host / "tileiras").glob("llvmcache-*"))), 0)
        # All of it is in Redis: a third machine compiles nothing.
        log = self.folder / "third.jsonl"
        subprocess.run([TILEIRAS, "--batch=-", f"--batch-log={log}", f"--cache=unix:{server.socket}"], check=True,
                       input="\n".join(lines), text=True, env=environment())
        self.assertEqual(log.read_text().count('"cached":true'), 30)


if __name__ == "__main__":
    TILEIRAS = sys.argv[1]
    program = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1, exit=False)
    skipped, run = len(program.result.skipped), program.result.testsRun
    for _, reason in program.result.skipped:
        print(f"skipped: {reason}")
    if not program.result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if run == skipped else 0)
