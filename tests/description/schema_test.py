#!/usr/bin/env python3
"""Keeps the JSON schema of launch descriptions and their reader in agreement: schema_test.py SCHEMA READER TESTS

Takes the descriptions below the folder TESTS, and its own, which it changes value by value. What
the reader takes, the schema has to allow. What the schema allows and the reader refuses, the reader has to refuse for a
reason that a schema cannot know: names, files, and sizes that depend on each other.
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("SKIPPED: there is no jsonschema module; Debian's python3-jsonschema has it")
    sys.exit(77)

BEYOND_A_SCHEMA = re.compile(
    r"there is no (buffer|tensor map)|there is another|cannot read|memory|Is a directory|beyond the largest|"
    r"the contents have \d+ bytes already|the expected data has|the field has|a structure has from 1|"
    r"write\[\d+\]\.bytes: expected an integer from 0 to \d+|(stride|box|elementStride): expected \d values|"
    r"the contents are given by 'file' already|expression '|no multiple of|range\[\d\]: expected|range of the generator")

A, B, C = {"name": "A", "file": "a.bin"}, {"name": "B", "type": "f32", "values": [1, -0.0]}, {"name": "C", "bytes": 4096}
MAP = {"name": "M", "buffer": "C", "offset": 16, "type": "f16", "size": [64, 8], "stride": [128], "box": [64, 8],
       "elementStride": [1, 1], "swizzle": 128, "fill": "zero"}
# Together they have every key.
DESCRIPTIONS = [
    {"entry": "k", "grid": [4, 2, 1], "block": [128, 1, 1], "cluster": [2, 1, 1], "dynamicShared": 1024, "bytes": 1000,
     "flops": 2.5e9},
    {"grid": [1], "buffers": [A, B, {"name": "D", "type": "f64", "values": ["nan"], "bytes": 64, "fill": 255}]},
    *({"grid": [1], "buffers": [{"name": "x", "type": kind, "values": [1]}]}
      for kind in ("u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f16", "bf16")),
    {"grid": [1], "buffers": [A],
     "tables": [{"name": "T", "words": [{"buffer": "A", "offset": -8}, {"u64": (1 << 64) - 1}, {"i64": -1}]}],
     "parameters": [{"buffer": "T", "offset": 8}]},
    {"grid": [1], "buffers": [C], "tensorMaps": [MAP], "parameters": [{"tensorMap": "M"}]},
    {"grid": [1], "parameters": [{"f32": "-inf"}, {"i8": -128}, {"u64": 1 << 63}, {"bf16": 0.5}]},
    {"grid": [1], "buffers": [C], "tensorMaps": [MAP],
     "parameters": [{"bytes": 152, "fill": 1, "fields": [{"at": 0, "value": {"tensorMap": "M"}}]},
                    {"type": "u8", "values": [1, 2], "fields": [{"at": 0, "value": {"u8": 7}}]}]},
    {"grid": [1], "buffers": [B, C],
     "expect": [{"buffer": "B", "type": "f32", "values": [1], "bytes": 4, "rtol": 1e-5, "atol": 0},
                {"buffer": "C", "type": "u8", "bytes": 4096, "fill": 0}],
     "write": [{"buffer": "C", "bytes": 16, "file": "out.bin"}], "compare": [{"buffer": "C", "type": "f8E5M2"}]},
    {"//": ["what it is", "and why"],
     "values": {"//": "guesses", "rows": 4, "half": "(rows + 1) / 2", "all": "half*2*rows - 1"},
     "grid": ["half"], "flops": "2*rows",
     "buffers": [{"//": "a", "name": "A", "type": "f16", "bytes": "rows*2", "values": "normal", "seed": 7},
                 {"name": "I", "type": "i32", "bytes": 64, "values": "integers", "range": ["-rows", 5]},
                 {"name": "U", "type": "f32", "bytes": 64, "values": "uniform", "range": [-0.5, 0.5], "seed": "rows"},
                 {"name": "N", "type": "bf16", "bytes": 64, "values": "iota", "range": [1, 5]},
                 {"name": "K", "type": "u8", "bytes": 64, "values": 7}],
     "parameters": [{"//": "%n", "i32": "all"}, {"//": "", "buffer": "A", "offset": "rows"}, {"f32": "rows"}],
     "expect": [{"//": "e", "buffer": "K", "type": "u8", "bytes": 64, "values": 7}],
     "compare": [{"//": "c", "buffer": "N", "type": "bf16"}]},
]
OTHER_VALUES = [None, True, -1, 0, 1, 3, 1.5, 300, 70000, 1 << 31, 1 << 40, 1 << 63, 1 << 64, -(1 << 63) - 1, 1e400, "text",
                "f16", "nan", "", [], [1], [1, 2, 3, 4, 5, 6], {}, {"u32": 1}, {"unknown": 1}]

OTHER_KEYS = [("unknown", 1), ("values", [1]), ("values", "iota"), ("values", 1), ("file", "a.bin"), ("fill", 1), ("bytes", 4),
              ("buffer", "A"), ("seed", 1), ("range", [0, 9]), ("//", "says something"), ("//", 1)]


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in items:
        yield from places(member, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def mutants(description):
    """The description with one value changed, left out or added."""
    for path in places(description):
        if path:
            for other in OTHER_VALUES:
                changed = copy.deepcopy(description)
                at(changed, path[:-1])[path[-1]] = other
                yield changed
            changed = copy.deepcopy(description)
            del at(changed, path[:-1])[path[-1]]
            yield changed
        if isinstance(at(description, path), dict):
            for key, value in OTHER_KEYS:
                changed = copy.deepcopy(description)
                if key not in at(changed, path):
                    at(changed, path)[key] = value
                    yield changed


def own_descriptions(tests):
    for path in sorted(tests.rglob("*.json")):
        try:
            value = json.loads(path.read_text())
        except json.JSONDecodeError:
            continue
        if isinstance(value, dict) and "grid" in value:
            yield path, value


def read_all(reader, files):
    done = subprocess.run([reader], input="".join(f"{file}\n" for file in files), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def problems(schema, reader, descriptions):
    """descriptions: (file, value)."""
    validator = jsonschema.Draft202012Validator(schema)
    answers = read_all(reader, [file for file, _ in descriptions])
    if len(answers) != len(descriptions):
        yield f"{len(answers)} answers to {len(descriptions)} descriptions"
    for (file, value), answer in zip(descriptions, answers):
        complaint = next(iter(validator.iter_errors(value)), None)
        if answer == "ok" and complaint:
            yield f"{file}: the reader takes it, the schema does not: {complaint.json_path}: {complaint.message[:200]}"
        if answer != "ok" and not complaint and not BEYOND_A_SCHEMA.search(answer):
            yield f"{file}: the schema allows it, the reader does not: {answer}"


def write_all(folder, values):
    (folder / "a.bin").write_bytes(bytes(64))
    files = [(folder / f"{number}.json", value) for number, value in enumerate(values)]
    for file, value in files:
        file.write_text(json.dumps(value).replace("Infinity", "1e400"))
    return files


def unnoticed(schema, reader, folder):
    """Schemas that are wrong, and that this test takes for right."""
    samples = write_all(folder, [*DESCRIPTIONS, {"grid": [1], "buffers": [{"name": "b", "bytes": 1, "fill": 300}]}])
    for name, change in (("without a key", lambda s: s["properties"].pop("flops")),
                         ("with a wider limit", lambda s: s["$defs"]["fill"]["anyOf"][0].update(maximum=400))):
        wrong = copy.deepcopy(schema)
        change(wrong)
        if not list(problems(wrong, reader, samples)):
            yield f"a schema {name} is not noticed"


def main():
    schema, reader, tests = json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2], pathlib.Path(sys.argv[3])
    jsonschema.Draft202012Validator.check_schema(schema)
    own = list(own_descriptions(tests))
    with tempfile.TemporaryDirectory(prefix="launch-schema-") as folder:
        folder = pathlib.Path(folder)
        written = write_all(folder, DESCRIPTIONS + [mutant for one in DESCRIPTIONS for mutant in mutants(one)])
        found = [f"{one}: the reader refuses it: {answer}" for one, answer in
                 zip(DESCRIPTIONS, read_all(reader, [file for file, _ in written[:len(DESCRIPTIONS)]])) if answer != "ok"]
        for problem in problems(schema, reader, own + written):
            file = pathlib.Path(problem.split(":")[0])
            found.append(problem + (f"\n    {file.read_text()}" if file.parent == folder else ""))
        found += unnoticed(schema, reader, folder)
    print("\n".join(found[:20]))
    print(f"{len(own)} descriptions of the tests and {len(written)} others: {len(found)} disagreements")
    return 1 if found or not own else 0


if __name__ == "__main__":
    sys.exit(main())
