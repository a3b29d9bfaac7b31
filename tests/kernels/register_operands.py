#!/usr/bin/env python3
"""Checks that no wgmma's operand A in registers is needed again behind a wgmma with another one there.

  register_operands.py [NAME…]   kernels of this folder, of the tables (see quality.py), of the corpus, and generated programs

That is where ptxas 13.0 may give the registers of the first to the second: seen on an H200 (2026-11-26) where a loop had two
products, the operand of the first being made before the loop and that of the second in it. The PTX is right, and so is what the
emulator makes of it; only the text can be checked. Values that a loop changes, also those that go round it, keep their
registers; what is computed from others by arithmetic counts as these, because it can be moved out of the loop.

Exit code 0 when all of it holds, 77 when there is no corpus and the others pass.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import product_quality
import run

ARITHMETIC = re.compile(r"(mov|cvt|prmt|add|sub|mul|mad|fma|and|or|xor|not|shl|shr|selp|min|max|neg|abs|lop3|shf|bfe|bfi|setp"
                        r"|sqrt|rcp|ex2|lg2)\b")
WITHOUT_RESULT = re.compile(r"(st|red|bar|cp|fence|mbarrier\.arrive|mbarrier\.init|stmatrix|tensormap)\b")
REGISTER = re.compile(r"%[a-z]+\d+\b")
PRODUCT = re.compile(r"wgmma\.mma_async\S* (\{[^}]*\}), (\{[^}]*\})?")
PROFILES = ("o3", "o3-ws", "o3-unspecialized")


class Instruction:
    """A line of PTX. `a`: what a product reads from registers; `target`: the label that a branch goes to; `falls`: whether the
    next one may follow."""

    def __init__(self, line, text):
        self.line, self.results, self.operands, self.a = line, set(), set(), set()
        self.target, self.falls, self.is_arithmetic = None, True, False
        if branch := re.match(r"(@!?%p\d+ )?\s*bra(?:\.uni)?\s+(\$L\w+);", text):
            self.target, self.falls = branch[2], bool(branch[1])
        elif re.match(r"(ret|exit|trap);", text):
            self.falls = False
        elif products := PRODUCT.findall(text):  # all of one, in one line
            for sums, a in products:
                self.results |= set(REGISTER.findall(sums))
                self.a |= set(REGISTER.findall(a))
        elif whole := re.match(r"(@\S+\s+)?([\w.:]+)\s+(\{[^}]*\}|[^,;]*)(.*)", text):
            self.read(whole[2], whole[3], whole[4], is_guarded=bool(whole[1]))

    def read(self, name, first, rest, is_guarded):
        if WITHOUT_RESULT.match(name) or first.startswith("["):
            return
        self.results, self.operands = set(REGISTER.findall(first)), set(REGISTER.findall(rest))
        self.is_arithmetic = bool(ARITHMETIC.match(name)) and not is_guarded


class Function:
    def __init__(self):
        self.code, self.labels, self.makers = [], {}, collections.defaultdict(list)

    def add(self, line, text):
        if label := re.match(r"(\$L\w+):$", text):
            self.labels[label[1]] = len(self.code)
        elif text and not text.startswith(("//", ".")):
            self.code.append(Instruction(line, text))
            for register in self.code[-1].results:
                self.makers[register].append(self.code[-1])

    def find_sources(self, registers):
        """What they are computed from: they change only where one of these does."""
        sources, seen, todo = set(), set(), list(registers)
        while todo:
            register = todo.pop()
            if register in seen:
                continue
            seen.add(register)
            makers = self.makers[register]
            if len(makers) == 1 and makers[0].is_arithmetic:
                todo += makers[0].operands
            else:
                sources.add(register)
        return sources

    def is_needed_behind_others(self, index):
        """The product there is executed again with the same operand, and one with another operand between."""
        product = self.code[index]
        sources = self.find_sources(product.a)
        todo, seen = [(index + 1, False)], set()
        while todo:
            at, met = todo.pop()
            if (at, met) in seen or at >= len(self.code):
                continue
            seen.add((at, met))
            instruction = self.code[at]
            if at == index:
                if met:
                    return True
                continue
            if instruction.results & sources:
                continue
            met |= bool(instruction.a) and instruction.a != product.a
            if instruction.target in self.labels:
                todo.append((self.labels[instruction.target], met))
            if instruction.falls:
                todo.append((at + 1, met))
        return False


def read_functions(text):
    functions = [Function()]
    for line, words in enumerate(text.splitlines(), 1):
        if words == "}":
            functions.append(Function())
        functions[-1].add(line, words.strip())
    return functions


def examine(text):
    """How many products take A from registers, and the lines of those that should not."""
    number, lines = 0, []
    for function in read_functions(text) if "wgmma.mma_async" in text else []:
        products = [index for index, instruction in enumerate(function.code) if instruction.a]
        number += len(products)
        lines += [function.code[index].line for index in products if function.is_needed_behind_others(index)]
    return number, lines


class Program:
    """The generator's."""

    def __init__(self, generator, seed, folder):
        self.name, self.gpu, self.options = f"loops-{seed}", "sm_90", lambda gpu: []
        self.source = folder / f"{self.name}.mlir"
        subprocess.run([generator, "--shapes", "loops", f"--seed={seed}", "-o", str(self.source),
                        "--launch", str(folder / f"{self.name}.json")], check=True)


def compile_kernel(kernel, profile, arguments):
    """Its PTX; empty when the compiler refuses it."""
    done = subprocess.run([arguments.tileiras, str(kernel.source), "--gpu-name", "sm_90", "--profile", profile, "--emit=ptx",
                           *kernel.options("sm_90"), "-o", "-"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def collect(arguments, folder):
    has_corpus = arguments.corpus and arguments.corpus.is_dir()
    kernels = [run.OwnKernel(path.parent) for path in sorted(run.HERE.glob("*/case.py"))]
    kernels += product_quality.collect(folder, None, None)
    if has_corpus:
        tool = run.load_module(arguments.corpus / "cutile_case.py", "cutile_case")
        kernels += [run.CorpusKernel(path.parent, tool) for path in sorted((arguments.corpus / "kernels").glob("*/meta.json"))]
    if arguments.generator:
        kernels += [Program(arguments.generator, seed, folder) for seed in range(arguments.seed, arguments.seed + arguments.programs)]
    return [kernel for kernel in kernels if not arguments.names or kernel.name in arguments.names], has_corpus


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--generator", help="tileiras-generate; without it, no programs are generated")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=900100, help="of the first program")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS") or None)
    parser.add_argument("--part", metavar="K/N", help="every N-th of the compilations; K may be 'commit'")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tileiras-") as folder, concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        kernels, has_corpus = collect(arguments, pathlib.Path(folder))
        jobs = [(kernel, profile) for profile in PROFILES for kernel in kernels]
        jobs = run.choose_part(jobs, arguments.part, "compilations")
        results = list(pool.map(lambda job: examine(compile_kernel(*job, arguments)), jobs))
    bad = 0
    for (kernel, profile), (_, lines) in zip(jobs, results):
        for line in lines:
            print(f"{kernel.name}, {profile}: the operand A of the wgmma in line {line} is needed behind that of another one")
            bad += 1
    number = sum(number for number, _ in results)
    print(f"{len(jobs)} compilations of {len(kernels)} kernels, {number} products with A in registers, {bad} shortcomings")
    if not has_corpus:
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to examine other people's kernels")
    return 1 if bad or not number else 0 if has_corpus else 77


if __name__ == "__main__":
    sys.exit(main())
