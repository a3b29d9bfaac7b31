#!/usr/bin/env python3
"""Tests what a program under tileiras-cutile gets, and what its children do not: environment_test.py BUILD [unittest …]"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PACKAGES = pathlib.Path(__file__).resolve().parent / "packages"
LIBRARY = "libtileiras-cutile.so"
# The interpreter that runs this may be anybody's; the tests start the same one.
PYTHON = sys.executable

SHOW = "import json, os, sys; json.dump(dict(os.environ), sys.stdout)"
MAPPED = f"print('{LIBRARY}' in open('/proc/self/maps').read())"
FIND = "from cuda.tile import _compile; print(_compile._find_compiler_bin().path)"


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Case(unittest.TestCase):
    """An installation with a compiler that only says who it is, and other people's compilers."""
    folder_name = "installed"

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.temporary.name).resolve()
        cls.prefix = cls.root / cls.folder_name
        cls.home = cls.prefix / "lib/tileiras/cutile"
        (cls.prefix / "bin").mkdir(parents=True)
        shutil.copy(BUILD / "bin/tileiras-cutile", cls.prefix / "bin")
        shutil.copytree(BUILD / "lib/tileiras/cutile", cls.home, symlinks=True)
        write_program(cls.prefix / "bin/tileiras", "#!/bin/sh\necho 'tileiras: ours'\necho 'version 0.1.0, build 1234'\n")
        cls.ours = str(cls.home / "bin/tileiras")
        cls.theirs = str(write_program(cls.root / "path/tileiras", "#!/bin/sh\necho theirs\n"))
        shutil.copytree(PACKAGES / "pip", cls.root / "pip")
        cls.pip = str(write_program(cls.root / "pip/nvidia/cu13/bin/tileiras", "#!/bin/sh\necho pip\n"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def environment(self, *packages, **changes):
        environment = {"PATH": f"{self.root}/path:/usr/bin:/bin", "HOME": str(self.root), "LANG": "C.UTF-8"}
        if packages:
            environment["PYTHONPATH"] = ":".join(str(package) for package in packages)
        return {**environment, **changes}

    def run_program(self, *command, environment=None, options=()):
        tool = self.prefix / "bin/tileiras-cutile"
        return subprocess.run([tool, *options, *command], env=environment or self.environment(), text=True,
                              capture_output=True, cwd=self.root)

    def output(self, *command, **options):
        result = self.run_program(*command, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.rstrip("\n")


class Programs(Case):
    def test_the_program_is_the_process(self):
        self.assertEqual(self.run_program("sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(self.output("printf", "%s|", "a b", "", "*"), "a b||*|")

    def test_it_finds_our_compiler_on_path_and_its_children_do_not(self):
        self.assertEqual(self.output("sh", "-c", "command -v tileiras; true"), self.ours)
        self.assertEqual(self.output("sh", "-c", "sh -c 'command -v tileiras; true'; true"), self.theirs)

    def test_children_see_the_environment_as_it_was(self):
        for changes in ({}, {"LD_PRELOAD": str(BUILD / "tests/cutile/libcutile-depth.so")}, {"PYTHONPATH": "/a b:/c"},
                        {"LD_LIBRARY_PATH": "/nowhere:/else where"}):
            environment = self.environment(**changes)
            seen = dict(line.split("=", 1) for line in
                        self.output("sh", "-c", "env; true", environment=environment).splitlines())
            for variable in ("_", "PWD", "OLDPWD", "SHLVL"):
                seen.pop(variable, None)
            self.assertEqual(seen, environment)

    def test_an_empty_environment_is_enough(self):
        result = subprocess.run([self.prefix / "bin/tileiras-cutile", "sh", "-c", "command -v tileiras; true"], env={},
                                text=True, capture_output=True)
        self.assertEqual((result.returncode, result.stdout.strip(), result.stderr), (0, self.ours, ""))

    def test_cutile_rs_finds_our_compiler_unless_another_is_named(self):
        """It takes what the variable names, then a toolkit's, and at last what is on PATH."""
        self.assertEqual(self.output("printenv", "CUTILE_TILEIRAS_PATH"), self.ours)
        self.assertEqual(self.output("sh", "-c", "sh -c 'printenv CUTILE_TILEIRAS_PATH'; true"), "")
        environment = self.environment(CUTILE_TILEIRAS_PATH=self.theirs)
        self.assertEqual(self.output("sh", "-c", "sh -c 'printenv CUTILE_TILEIRAS_PATH'", environment=environment), self.theirs)

    def test_flags_for_the_compiler_reach_children(self):
        options = ("--set", "num-warps=8", "--profile=o3 ws", "--set=a='b\\c'")
        self.assertEqual(self.output("sh", "-c", "sh -c 'printenv TILEIRAS_FLAGS'", options=options),
                         "--set=num-warps=8 --profile=o3\\ ws --set=a=\\'b\\\\c\\'")
        environment = self.environment(TILEIRAS_FLAGS="-Wno-all")
        self.assertEqual(self.output("printenv", "TILEIRAS_FLAGS", environment=environment), "-Wno-all")
        self.assertEqual(self.output("printenv", "TILEIRAS_FLAGS", environment=environment, options=options[:2]),
                         "-Wno-all --set=num-warps=8")

    def test_what_was_to_be_loaded_before_still_is(self):
        other = str(BUILD / "tests/cutile/libcutile-depth.so")
        maps = self.output("cat", "/proc/self/maps", environment=self.environment(LD_PRELOAD=other))
        self.assertIn(other, maps)
        self.assertIn(LIBRARY, maps)

    def test_mistakes_are_explained(self):
        for command, code, text in ((["no-such-program"], 127, "no-such-program: No such file or directory"),
                                    ([str(self.root)], 126, "Permission denied"),
                                    ([], 2, "no program to run"),
                                    (["--no-such-option", "true"], 2, "there is no option --no-such-option")):
            result = self.run_program(*command)
            self.assertEqual(result.returncode, code)
            self.assertIn(text, result.stderr)

    def test_a_folder_that_the_loader_cannot_be_told_is_an_error(self):
        strange = self.root / "a:b"
        shutil.copytree(self.prefix, strange, symlinks=True, dirs_exist_ok=True)
        result = subprocess.run([strange / "bin/tileiras-cutile", "true"], text=True, capture_output=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("install tileiras elsewhere", result.stderr)
        shutil.rmtree(strange)

    def test_a_missing_library_is_an_error(self):
        (self.home / LIBRARY).rename(self.home / "away")
        try:
            result = self.run_program("true")
            self.assertEqual(result.returncode, 1)
            self.assertIn("install tileiras again", result.stderr)
        finally:
            (self.home / "away").rename(self.home / LIBRARY)


class Python(Case):
    def test_the_program_sees_the_environment_as_it_was(self):
        import json
        for environment in (self.environment(), self.environment("/x", "/y z")):
            seen = json.loads(self.output(PYTHON, "-c", SHOW, environment=environment))
            seen.pop("LC_CTYPE", None)
            self.assertEqual(seen, environment)
        self.assertEqual(self.output(PYTHON, "-c", MAPPED), "True")
        self.assertNotIn(str(self.prefix), self.output(PYTHON, "-c", "import sys; print(sys.path)"))

    def test_children_know_nothing(self):
        child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {MAPPED!r}])"
        self.assertEqual(self.output(PYTHON, "-c", child), "False")

    def test_children_too_when_asked(self):
        child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {(MAPPED + '; ' + FIND)!r}], check=True)"
        environment = self.environment(PACKAGES / "new", self.root / "pip")
        self.assertEqual(self.output(PYTHON, "-c", child, environment=environment, options=["--children"]),
                         f"True\n{self.ours}")

    def test_our_compiler_wins(self):
        for package in ("new", "old"):
            environment = self.environment(PACKAGES / package, self.root / "pip", CUDA_HOME="/nowhere")
            plain = subprocess.run([PYTHON, "-c", FIND], env=environment, text=True, capture_output=True, check=True)
            self.assertEqual(plain.stdout.strip(), self.pip if package == "new" else self.theirs)
            self.assertEqual(self.output(PYTHON, "-c", FIND, environment=environment), self.ours)

    def test_it_wins_through_env_a_script_and_a_shell(self):
        environment = self.environment(PACKAGES / "new", self.root / "pip")
        script = write_program(self.root / "script", f"#!/usr/bin/env {pathlib.Path(PYTHON).name}\n{FIND}\n")
        environment["PATH"] = f"{pathlib.Path(PYTHON).parent}:{environment['PATH']}"
        for command in ([str(script)], ["env", PYTHON, str(script)], ["sh", "-c", f"exec '{PYTHON}' '{script}'"]):
            self.assertEqual(self.output(*command, environment=environment), self.ours)

    def test_nothing_else_of_the_program_changes(self):
        text = ("import shutil, sys\nfrom cuda.tile import _compile\n"
                "assert shutil.which('tileiras') == sys.argv[1], shutil.which('tileiras')\n"
                "assert _compile.shutil.which('sh') == shutil.which('sh')\n"
                "assert _compile.shutil.rmtree is shutil.rmtree\n"
                "assert not any('Finder' == type(finder).__name__.strip('_') for finder in sys.meta_path)\n"
                "import importlib; importlib.reload(_compile)\n"
                "print(_compile.__spec__.loader.get_source(_compile.__name__) is not None)\n")
        environment = self.environment(PACKAGES / "new", self.root / "pip")
        self.assertEqual(self.output(PYTHON, "-c", text, self.theirs, environment=environment), "True")

    def test_a_way_that_nobody_knows_is_a_warning(self):
        result = self.run_program(PYTHON, "-c", FIND, environment=self.environment(PACKAGES / "unknown"))
        self.assertEqual((result.returncode, result.stdout.strip()), (0, self.ours))
        self.assertIn("in a way that is not known here", result.stderr)

    def test_where_there_is_no_driver_its_functions_are_not_found(self):
        text = ("import ctypes; program = ctypes.CDLL(None); print([hasattr(program, name) for name in "
                "('malloc', 'cuLaunchKernel', 'cuGetProcAddress_v2')])")
        self.assertEqual(self.output(PYTHON, "-c", text), "[True, False, False]")

    def test_a_program_without_cutile_is_not_in_the_way(self):
        result = self.run_program(PYTHON, "-c", "import cuda.tile._compile")
        self.assertEqual(result.returncode, 1)
        self.assertIn("ModuleNotFoundError", result.stderr)
        self.assertNotIn("tileiras", result.stderr)

    def test_a_hidden_sitecustomize_runs(self):
        user = self.root / "user"
        write_program(user / "sitecustomize.py", "import builtins\nbuiltins.was_here = __file__\n")
        text = "import sitecustomize; print(was_here, sitecustomize.__file__); " + FIND
        environment = self.environment(user, PACKAGES / "new", self.root / "pip")
        self.assertEqual(self.output(PYTHON, "-c", text, environment=environment),
                         f"{user}/sitecustomize.py {user}/sitecustomize.py\n{self.ours}")
        # One that fails, fails as it does without us, and stops nothing.
        write_program(user / "sitecustomize.py", "raise RuntimeError('theirs')\n")
        plain = subprocess.run([PYTHON, "-c", "print(1)"], env=environment, text=True, capture_output=True)
        result = self.run_program(PYTHON, "-c", FIND, environment=environment)
        self.assertIn("theirs", result.stderr)
        self.assertEqual(result.stderr, plain.stderr)
        self.assertEqual(result.stdout.strip(), self.ours)

    def test_without_sitecustomize_path_is_what_there_is(self):
        text = f"import sys; sys.path[:0] = sys.argv[1:]; {FIND}"
        for option in ("-I", "-E", "-S"):
            for package, found in (("old", self.ours), ("new", self.pip)):
                folders = [str(PACKAGES / package), str(self.root / "pip")]
                self.assertEqual(self.output(PYTHON, option, "-c", text, *folders), found, (option, package))


class PathsWithSpaces(Python):
    folder_name = "installed here, with spaces"

    def test_the_library_is_loaded(self):
        self.assertIn(LIBRARY, self.output("cat", "/proc/self/maps"))
        self.assertEqual(self.output("sh", "-c", "env | grep -c -e LD_ -e PYTHONPATH -e CUTILE; true"), "0")


class Check(Case):
    def check(self, driver, *command, packages=("new",), **changes):
        folders = [PACKAGES / package for package in packages]
        environment = self.environment(*folders, self.root / "pip", LD_LIBRARY_PATH=str(driver), **changes)
        result = self.run_program(*(command or (PYTHON,)), environment=environment, options=["--check"])
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.driver = BUILD / "tests/launch/recording"
        cls.old_driver = BUILD / "tests/gpu/fake"
        cls.no_driver = cls.root / "none"
        # Stands for none where there is one.
        cls.no_driver.mkdir()
        (cls.no_driver / "libcuda.so.1").write_text("")

    def test_a_launch_would_work(self):
        for command in ([PYTHON], [PYTHON, "app.py", "-I"], [PYTHON, "-W", "ignore", "-m", "app"]):
            code, text = self.check(self.driver, *command)
            self.assertEqual(code, 0, text)
            for part in (f"{self.ours}: version 0.1.0, build 1234", str(self.home / LIBRARY), f"1.6.0: calls {self.ours}",
                         "for CUDA 13.0", "compute capability 9.0: images say their block",
                         "result        a launch would work\n"):
                self.assertIn(part, text)

    def test_other_programs_need_no_python(self):
        code, text = self.check(self.driver, "sh", packages=())
        self.assertEqual(code, 0, text)
        self.assertIn("sh: no Python; finds the compiler if it looks for tileiras on PATH", text)

    def test_reasons(self):
        script = write_program(self.root / "isolated", f"#!{PYTHON} -I\n")
        for reason, arguments, changes in (
                ("there is no CUDA driver, or no GPU", [self.no_driver], {}),
                ("cuTile Python needs a driver for CUDA 13.0 or later, and this one is for 12.8", [self.old_driver], {}),
                ("there is no program no-such-program", [self.driver, "no-such-program"], {}),
                ("cuTile Python is not installed for", [self.driver], {"packages": ()}),
                ("cuTile Python is not installed for", [self.driver, str(script)], {}),
                (f"calls another compiler, {self.pip}", [self.driver, PYTHON, "-S", "app.py"], {})):
            code, text = self.check(*arguments, **changes)
            self.assertEqual(code, 1, text)
            self.assertIn("no launch would work: ", text)
            self.assertIn(reason, text)

    def test_a_compiler_that_does_not_run(self):
        compiler = self.prefix / "bin/tileiras"
        text = compiler.read_text()
        write_program(compiler, "#!/bin/sh\necho 'libMLIR.so is not there' >&2\nexit 1\n")
        try:
            code, output = self.check(self.driver)
            self.assertEqual(code, 1)
            self.assertIn("does not run: libMLIR.so is not there", output)
        finally:
            write_program(compiler, text)


if __name__ == "__main__":
    unittest.main()
