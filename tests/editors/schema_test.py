#!/usr/bin/env python3
"""schema_test.py TOOL PROFILES: the JSON schema of profiles and their reader agree.

Each shipped profile, and some of our own that have every key together, are taken by both; what is changed value by value is
refused by the reader where the schema refuses it.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

try:
    import jsonschema  # Debian's python3-jsonschema, where it is installed: a second opinion
except ImportError:
    jsonschema = None

TOOL, PROFILES = map(pathlib.Path, sys.argv[1:])
SCHEMA = json.loads(subprocess.run([TOOL, "--print-profile-schema"], check=True, capture_output=True, text=True).stdout)
OWN = [
    {"name": "mine", "description": "d", "inherits": "o3", "plugins": {"require": ["cluster", {"plugin": "async", "when": "ftz"}]},
     "options": {"num-warps": 8, "ftz": True, "pipeline-strategy": "none"}, "scheduler": {"name": "fast"},
     "stage": [{"name": "extra", "produces": "tileas", "anchor": "nv_tileaa.func", "when": "opt-level >= 2", "after": "schedule",
                "passes": ["cse", {"pass": "canonicalize", "options": {"max-iterations": 3}, "when": "ftz"}]}]},
]


KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
WORDS = {"type", "enum", "minimum", "maximum", "properties", "additionalProperties", "required", "items", "anyOf", "$ref"}
TELLING = {"description", "default", "examples", "deprecated", "title", "$schema", "definitions"}


def mistakes(value, schema):
    """What a value has against a schema that uses WORDS only."""
    assert not set(schema) - WORDS - TELLING, set(schema) - WORDS - TELLING
    if "$ref" in schema:
        yield from mistakes(value, SCHEMA["definitions"][schema["$ref"].removeprefix("#/definitions/")])
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, KINDS[kind]) and (kind != "integer" or not isinstance(value, bool)) for kind in kinds):
        yield f"{value!r} is no {' or '.join(kinds)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{value!r} is none of {schema['enum']}"
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{value} is out of its range"
    if "anyOf" in schema and all(any(mistakes(value, each)) for each in schema["anyOf"]):
        yield f"{value!r} is none of the kinds that there are"
    for item in value if isinstance(value, list) and "items" in schema else ():
        yield from mistakes(item, schema["items"])
    if isinstance(value, dict):
        yield from (f"there is no {key}" for key in schema.get("required", []) if key not in value)
        for key, inner in value.items():
            of_others = schema.get("additionalProperties", {})
            found = schema.get("properties", {}).get(key, of_others)
            if found is False:
                yield f"unknown key {key}"
            else:
                yield from mistakes(inner, found)


def is_valid(profile):
    valid = not any(mistakes(profile, SCHEMA))
    assert jsonschema is None or valid == jsonschema.Draft7Validator(SCHEMA).is_valid(profile), profile
    return valid


def spell(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {spell(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(spell, value)) + "]"
    return json.dumps(value)


def is_read(profile, folder):
    file = folder / "profile.toml"
    file.write_text("".join(f"{json.dumps(key)} = {spell(value)}\n" for key, value in profile.items()))
    result = subprocess.run([TOOL, "--print-profile", "--profile", file], capture_output=True, text=True)
    return result.returncode == 0, result.stderr


def changes(profile):
    """Copies in which one value is of another kind, or out of its range, or has an unknown key beside it."""
    def places(value, path=()):
        yield path, value
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            yield from places(inner, (*path, key))

    for path, value in places(profile):
        if isinstance(value, dict):
            changed = copy.deepcopy(profile)
            target = changed
            for key in path:
                target = target[key]
            target["no such key"] = 1
            yield changed
        if path:
            for other in (True, -7, "no such text", [], {}, 1000000):
                changed = copy.deepcopy(profile)
                target = changed
                for key in path[:-1]:
                    target = target[key]
                target[path[-1]] = other
                yield changed


shipped = sorted(PROFILES.glob("*.toml"))
assert len(shipped) > 3
for file in shipped:
    errors = list(mistakes(tomllib.loads(file.read_text()), SCHEMA))
    assert not errors, f"{file.name}: {errors}"
refused = allowed = 0
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    own = [profile for profile in OWN]
    stages = subprocess.run([TOOL, "--print-profile"], capture_output=True, text=True, check=True).stdout
    first = tomllib.loads(stages)["stage"][0]["name"]
    for profile in own:
        profile["stage"][0]["after"] = first
        read, why = is_read(profile, folder)
        assert read and is_valid(profile), why + str(list(mistakes(profile, SCHEMA)))
        for changed in changes(profile):
            if is_valid(changed):
                allowed += 1
                continue
            refused += 1
            read, why = is_read(changed, folder)
            assert not read, f"the schema refuses what is read: {changed}: {next(mistakes(changed, SCHEMA))}"
assert refused > 50, refused
names = set(SCHEMA["properties"]["options"]["properties"])
listed = json.loads(subprocess.run([TOOL, "--print-reference"], check=True, capture_output=True, text=True).stdout)["options"]
assert {option["name"] for option in listed if not option["readOnly"] and "." not in option["name"]} <= names
print(f"{len(shipped)} shipped profiles are valid; {refused} changes are refused by schema and reader, {allowed} are allowed by the schema")
