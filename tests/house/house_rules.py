#!/usr/bin/env python3
"""Keeps the house rules of the repository. Each rule is a function; `--self-test` shows that each can fail."""

import argparse
import pathlib
import re
import sys
import tempfile

# Execution units of machine models that are no ordinary words of a compiler; others are read from the plugins.
UNITS = {"alu", "issue", "lsu", "mufu", "sfu", "xu"}
# What machine models and instructions, languages or places in memory call alike.
ORDINARY_WORDS = {"mma", "fma", "global", "tensor", "tma", "tmem", "uniform"}
SOURCE_SUFFIXES = {".h", ".cpp", ".c", ".td", ".txt", ".cmake", ".inc"}
MAX_LINES = 800
# The rooms of the SDK from the lowest to the highest: each includes headers of its own and of lower ones only. "NVIDIA" is
# nvidia/, the others are folders of core/include/tileiras and core/lib.
SDK_ROOMS = ("Support", "Diagnostics", "Layout", "Target", "Work", "Dialect", "Dialect/CudaTile", "Dialect/TileAA", "Dialect/TileAS",
             "Analysis", "Schedule", "Lowering", "Bytecode", "Slicing", "Conversion/CudaTileToTileAA",
             "Conversion/TileAAToTileAS", "Conversion/TileASToLLVM", "NVIDIA", "Profile", "Plugin", "Pipeline", "Codegen",
             "Compiler")
# Folders with sources of our own.
ROOMS = ("core", "nvidia", "plugins", "emulator", "interpreter", "runtime", "tests")


def files(root, *folders):
    """Sources below the folders, in order; build products and data are no sources."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in SOURCE_SUFFIXES:
                yield path


def lines(path):
    return enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)


def plugins(root):
    """The names of all plugins: their folders below plugins/, "async" and "async-loads" of plugins/async/loads."""
    return sorted(name_plugin(root, folder) for folder in plugin_folders(root))


def plugin_folders(root):
    outer = [path for path in (root / "plugins").glob("*") if path.is_dir()]
    return outer + sorted(path.parent for folder in outer for path in folder.glob("*/Plugin.cpp"))


def name_plugin(root, folder):
    return "-".join(folder.relative_to(root / "plugins").parts)


def declared_by_plugins(root):
    """(kind, name) of all that plugins say they add, of the passes in their .td files, and of their machines' units."""
    for path in files(root, "plugins"):
        text = path.read_text(encoding="utf-8")
        for kind, name in re.findall(r'PluginContents::(\w+),\s*"([^"]+)"', text):
            yield kind.lower(), name
        for name in re.findall(r'Pass<"([^"]+)"', text) if path.suffix == ".td" else []:
            yield "pass", name
        for name in re.findall(r'\{"(\w+)",\s*\d+,\s*(?:\d+|schedulers)\b', text):
            yield "unit", name


def core_names_no_chip(root):
    """1. core/ never names a chip or a generation of them, nor compares the number of one."""
    chip = re.compile(r"\bsm_?\d{2,3}[af]?\b|\b(hopper|blackwell|ampere|turing|volta)\b", re.IGNORECASE)
    number = re.compile(r"computeCapability\w*(\(\))? *(<|>|[<>=!]=) *\d")
    for path in files(root, "core"):
        for at, line in lines(path):
            if chip.search(line):
                yield f"{path}:{at}: the core names a chip: {line.strip()}"
            if number.search(line):
                yield f"{path}:{at}: the core compares the number of a chip: {line.strip()}"


def core_names_no_plugin(root):
    """1. core/ names no plugin, and nothing that one adds: no pass, scheduler, option or dialect of a family."""
    # async, cluster and layout are ordinary words: a plugin is named where the text says that it is one.
    families = "|".join(plugins(root))
    patterns = [("a plugin", re.compile(rf"plugins/({families})\b|tileiras-({families})\b|plugin[- ]'?({families})\b|"
                                        rf"tileiras::({families})::|\b({families})'? (plugin|family)\b"))]
    for kind, name in sorted(set(declared_by_plugins(root))):
        # A name of several words says what it is; one of a single word does so as a string of its own.
        spelling = rf"(?<![\w-]){re.escape(name)}(?![\w-])" if "-" in name else f'"{re.escape(name)}"'
        if kind not in ("unit", "target") and name not in plugins(root):
            patterns.append((f"a plugin's {kind}", re.compile(spelling)))
    for path in files(root, "core"):
        for at, line in lines(path):
            for what, pattern in patterns:
                if families and pattern.search(line):
                    yield f"{path}:{at}: the core names {what}: {line.strip()}"


def core_names_no_unit(root):
    """1. core/ names no execution unit: those are the target's to tell."""
    units = UNITS | {name for kind, name in declared_by_plugins(root) if kind == "unit"}
    unit = re.compile("|".join(f'"{name}"' for name in sorted(units - ORDINARY_WORDS)))
    for path in files(root, "core"):
        for at, line in lines(path):
            if unit.search(line):
                yield f"{path}:{at}: the core names an execution unit: {line.strip()}"


def find_room(path):
    """The room of a header or source, by its path below the folder of the rooms; None: none."""
    return max((room for room in SDK_ROOMS if path.startswith(room + "/")), key=len, default=None)


def no_arrow_runs_up(root):
    """A room of the SDK includes headers of lower rooms only."""
    include = re.compile(r'#?include\s+"([^"]+)"')
    for base in ("core/include/tileiras", "core/lib", "nvidia/include/tileiras", "nvidia/lib"):
        for path in files(root, base):
            below = path.relative_to(root / base).as_posix()
            own = "NVIDIA" if base == "nvidia/lib" else find_room(below)
            if not own:
                if "/" in below and path.suffix != ".txt":
                    yield f"{path}: is in no room of SDK_ROOMS"
                continue
            for number, line in lines(path):
                match = include.match(line)
                other = find_room(match.group(1).removeprefix("tileiras/")) if match else None
                if other and SDK_ROOMS.index(other) > SDK_ROOMS.index(own):
                    yield f"{path}:{number}: {own} includes {other}, which is above it"


def the_readme_lists_every_chip(root):
    """The README says which plugin serves which GPU."""
    text = (root / "README.md").read_text(encoding="utf-8")
    for plugin in plugins(root):
        row = next((line for line in text.splitlines() if line.startswith(f"| `{plugin}` |")), "")
        path = root / "plugins" / plugin / "Plugin.cpp"
        source = path.read_text(encoding="utf-8") if path.is_file() else ""
        for chip in re.findall(r'PluginContents::Target,\s*"([^"]+)"', source):
            if not re.search(rf"\b{chip}\b", row):
                yield f"README.md: the row of plugin `{plugin}` lacks {chip}"


def plugins_include_the_sdk_only(root):
    """2. A plugin includes tileiras/… and LLVM/MLIR headers only (its own files, beside or below it, and what the families
    of its folder have in common)."""
    include = re.compile(r'#include\s+"([^"]+)"')
    for path in files(root, "plugins"):
        for number, line in lines(path):
            match = include.match(line)
            if not match:
                continue
            name = match.group(1)
            own = ".." not in name and (path.parent / name).exists() or "/" not in name and name.endswith(".inc")
            own = own or name.startswith("common/") and (path.parent.parent / name).exists()
            if not own and not re.match(r"(tileiras|mlir|llvm)/", name):
                yield f"{path}:{number}: a plugin includes {name}"


def plugins_have_the_same_shape(root):
    """3. Every plugin: CMakeLists.txt, README.md of about ten lines, Plugin.cpp that only registers, one pass a file."""
    for folder in plugin_folders(root):
        for required in ("CMakeLists.txt", "README.md", "Plugin.cpp"):
            if not (folder / required).is_file():
                yield f"{folder}: {required} is missing"
        readme = folder / "README.md"
        if readme.is_file():
            text = readme.read_text(encoding="utf-8")
            if len(text.splitlines()) > 16:
                yield f"{readme}: longer than ten lines or so"
            for word in ("**For**", "**Assumes**", "**Refuses**", "**Status**"):
                if word not in text:
                    yield f"{readme}: does not say {word}"
        plugin = folder / "Plugin.cpp"
        if plugin.is_file() and "runOnOperation" in plugin.read_text(encoding="utf-8"):
            yield f"{plugin}: does more than register"
        for path in files(root, folder.relative_to(root).as_posix()):
            definitions = re.findall(r"#define GEN_PASS_DEF_(\w+)", path.read_text(encoding="utf-8"))
            if len(definitions) > 1:
                yield f"{path}: defines {len(definitions)} passes; one pass, one file"
            if len(definitions) == 1 and path.stem.upper() not in definitions[0]:
                yield f"{path}: is not named after its pass {definitions[0]}"


# Numbers that nobody would tune, and what fixes them; all others stand in Target/TuningModel.h. A name that says little is
# one of its file alone.
FACTS = {
    "the ISA": {"kLeastColumns", "kMostColumns", "kBytesOfCopy", "kMostRegisters", "kMostThreads", "widestAccess", "kWordBytes",
                "kRowsOfWarpgroup", "kWarpgroupRows", "kWarpRows", "kRegisterBits", "kLanes", "kAnyOrderBits", "kAxes",
                "kWholeRegisters", "kSectorBytes", "kLineBytes", "vectorBytes", "lanesOfWavefront", "kSwizzles", "kLaneBits", "kBitsOfLane",
                "kBitsOfQuarter", "kMaxVectorBytes", "kMaxAccessBytes", "kSliceVectorBytes", "kLongestRun", "kMaxRunBytes",
                "AsyncCopies.cpp:kLeastBytes", "AsyncCopies.cpp:maxBytes", "kMaxColumns", "kAllRegisters", "kMinMemoryBits",
                "kBitsOfMixed", "kElementBits", "bitsOfRegister", "bitsOfAddress", "kAddressRegisters", "kAddressBits",
                "kPointerBytes", "kWord", "kMinRegisters", "kMaxRegisters", "kRegisterUnit", "kMaxRankBits", "kThreadsOfWarp",
                "kTmaGatherRows", "kMaxMulticast", "kMinMulticastBytes", "mapBytes", "kScratchAlignment", "kHeapAlignment",
                "kHeapAddressBytes", "kHostMapAlignment", "kParameterSpaceLimit", "kMostParameterBytes", "kMaxLocalBytes",
                "kReservedBytesOfCTA", "kMaxArguments", "kArrivalsAtLeader", "kModes", "kChunkBytes", "kAtomRowBits",
                "kInstructionBytes", "kRowBytes", "kMaxMatrixBits", "kSegmentBytes", "kClusterLaunchPtx", "newestPtxVersion",
                "kDefaultWarps", "mostWarps", "mostAlignment", "TileASBarrierOps.cpp:warp", "ViewAddressing.cpp:limit",
                "MmaSync.cpp:row", "MmaSync.cpp:column"},
    "the register file, which more warps share": {"kWarpsWithAllRegisters"},
    "the assembler, which refuses less": {"kBesideOperands", "kBesideWideOperand", "FinalizeLLVMKernel.cpp:kFewestRegisters",
                                          "leastOfPtxas"},
    "chips: their atoms say how long they take": {"shuffleLatency", "reduxLatency"},
    "arithmetic": {"kMostFactor", "kMostTerms", "kMostPower", "kExchanged", "kHilbertOrder", "kHilbertSide", "kWhole", "kInParts",
                   "kInHalves", "kInQuarters", "most", "kLeastDividend", "kMostDividend", "kLeastDivisor", "kMostDivisor",
                   "kPolynomial", "mantissaBits", "boundaries", "log2e", "log2MostOperations", "beyondArrays", "kLargest",
                   "unbounded", "kAnywhere", "kExhausted", "kFitting", "kMaxCost", "SplitExponentials.cpp:least",
                   "SplitExponentials.cpp:unit", "SplitExponentials.cpp:bias"},
    "formats and languages": {"kPaddingByte", "kNumSections", "kMaxFields", "kFull", "kNoOverflow", "kSimpleTypes", "kSupported",
                              "machineOffset", "kElements", "kAccessHints", "kMaxWarps", "kMaxTileElements", "maxAlignment",
                              "digits", "PtxInCubin.cpp:kAbi", "PtxInCubin.cpp:kAlignment", "PtxInCubin.cpp:kMetadata",
                              "PtxInCubin.cpp:kStrings", "PtxInCubin.cpp:kLocalSymbols"},
    "another step, which counts on it": {"kLateBytes", "kMostResponses", "kLeastScratch", "leastStages"},
    "data structures": {"kSetGroups", "kSetsPerGroup", "kSets", "kKeptMaps", "kKeyWords", "kStateLane", "kEmptyArrayBytes"},
    "the compiler's own time": {"kMostTokens", "kMostStages", "mostIterations", "mostMoved", "mostHosts", "kMostPending", "kMostSources",
                                "kMostSlices", "kMostSteps", "kMaxDepth", "maxDepth", "mostDepth", "kMaxNesting", "kMaxArithmeticDepth",
                                "kMaxRangeDepth", "kMaxAssumptions", "kLongestChain", "kMaxElementsPerThread", "maxElements",
                                "kMostOperations", "maxLength", "kMaxKeyParts", "kMaxRegionDepth", "kMaxAttributeDepth",
                                "kMaxTypeDepth", "kMaxDebugDepth", "kMaxLocationSize", "kMaxParameters", "kConstantGrowth",
                                "kConstantBaseBytes", "kMostStages", "ReportDifference.cpp:kMostCells", "mostUses", "mostInputBytes",
                                "kMaxLocationDepth", "kMaxLocationParts"},
    "caches and who serves them": {"FolderStore.cpp:defaultBytes", "FolderStore.cpp:share", "RedisStore.cpp:patience",
                                   "patienceForReply", "mostStored", "leastCompressed", "ResultCache.cpp:mostBytes",
                                   "leastRemembered"},
    "people who read": {"kMaxUnrolledElements", "kElementsPerIteration", "kWidth", "kLabelWidth", "kLane", "kTitle", "kAxis", "kGap",
                        "kLetter", "kColours", "maxDistance", "Version.cpp:length", "CompilationReport.cpp:kMostLetters",
                        "ReportDifference.cpp:kContext", "ReportDifference.cpp:kMostLines", "ReportText.cpp:kMostBytes"},
}


def passes_hold_no_tuning(root):
    """3. What was measured or guessed stands in Target/TuningModel.h with its source; a scheduler's search is its own."""
    known = set().union(*FACTS.values())
    definition = re.compile(r"\bconstexpr\s+(?!llvm::String|char|bool|PluginContents)[\w:<>]+\s+(\w+(?:\[\])?\s*=[^;(]*\d[^;]*);")
    for path in files(root, "core/lib", "nvidia/lib", "plugins/async", "plugins/cluster", "plugins/layout"):
        if path.parent.name == "schedulers":
            continue
        for match in definition.finditer(path.read_text(encoding="utf-8")):
            for name in re.findall(r"(?:^|,\s*)(\w+)(?:\[\])?\s*=", match.group(1)):
                if not known & {name, f"{path.name}:{name}"}:
                    yield f"{path}: {name} is neither in Target/TuningModel.h nor among the FACTS of this rule"


def operations_say_what_they_cost(root):
    """3. Whether a function is dear is one fact, which operations say by WorkOpInterface: nothing else has a list of them."""
    for path in files(root, "core", "nvidia", "plugins"):
        if path.parent == root / "core/lib/Work":
            continue
        for at, line in lines(path):
            if re.search(r"\bisa\w*<(::)?(mlir::)?math::MathDialect>", line):
                yield f"{path}:{at}: guesses what a function costs; getElementWork knows: {line.strip()}"


def discardable_attributes_are_declared(root):
    """What may stand on any operation is declared by its dialect, whose description says what it means. Sources take the name
    from there (`TileASDialect::RecomputedAttrHelper::getNameStr()`): none of them spells one."""
    spelt = re.compile(r'"nv_tile(?:aa|as)\.\w+"')
    for path in files(root, "core", "plugins", "interpreter", "runtime"):
        text = path.read_text(encoding="utf-8")
        for at, line in lines(path) if path.suffix in {".h", ".cpp", ".inc", ".td"} else []:
            if match := spelt.search(line.split("//")[0]):
                yield f"{path}:{at}: {match.group(0)} is an attribute that no dialect declares, or its declaration is not used"
        for declared in re.findall(r"let discardableAttrs = \(ins(.*?)\);", text, re.DOTALL):
            for name in re.findall(r":\$(\w+)", declared):
                if f"| `{name}` |" not in text:
                    yield f"{path}: the description of the dialect does not say what {name} means"


# What a pass writes instead of asking the target, and what to ask.
ASSUMED = [
    (r"omputeCapability", "the number of a GPU; ask ChipFeatures"),
    (r"tensorMemory\w+\s*(?:==|!=|>)\s*0\b", "a capacity for a capability; ask ChipFeatures::tcgen05"),
    (r"\bIsaLimits::k(?:NamedBarriers|WarpsOfWarpgroup|TensorMemoryColumns|TensorMemoryLanes)\b",
     "a limit of the ISA for that of the chip; ask its MachineModel"),
    (r"\bTensorCopyLimits\s*(?:\(\)|\{\})", "a limit of the ISA for that of the chip; ask TensorCopyRule(target)"),
    (r"\bk?(?:[mM]ost|[mM]ax)?(?:Tma|Box|TensorMap)\w*\s*=\s*(?:5|16|128|256)\b", "a limit of TMA; ask TensorCopyRule"),
]


def passes_ask_the_target(root):
    """3. What a GPU can do, and how much of something it has, its target says."""
    for path in files(root, "plugins/async", "plugins/cluster", "plugins/layout"):
        for at, line in lines(path):
            for pattern, what in ASSUMED:
                if re.search(pattern, line):
                    yield f"{path}:{at}: a pass assumes {what}: {line.strip()}"


def config_holds_data(root):
    """4. config/ holds data."""
    for path in sorted((root / "config").rglob("*")):
        if path.is_file() and path.suffix != ".toml" and path.name != "CMakeLists.txt":
            yield f"{path}: config/ holds pipeline profiles only"


def main_is_a_story(root):
    """5. main.cpp reads as the story of a compilation: main() fits a screen."""
    path = root / "core/tools/tileiras/main.cpp"
    if not path.is_file():
        yield f"{path}: is missing"
        return
    match = re.search(r"^int main\(.*?^}", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if not match:
        yield f"{path}: has no main()"
    elif match.group(0).count("\n") > 60:
        yield f"{path}: main() has {match.group(0).count(chr(10))} lines; one named step a line"


def tests_live_where_their_subject_does(root):
    """6. A test lives where its subject's path says it does."""
    for kind, subjects in (("lit", ("core", "nvidia", "plugins")), ("unit", (".",))):
        for folder in sorted((root / "tests" / kind).glob("*")):
            if folder.is_dir() and kind == "lit" and folder.name not in subjects:
                yield f"{folder}: lit tests mirror core/, nvidia/ and plugins/"
            if folder.is_dir() and kind == "unit" and folder.name not in SDK_ROOMS:
                yield f"{folder}: unit tests mirror the rooms of the SDK"
    for folder in sorted((root / "tests/lit/plugins").glob("**/")):
        if folder.name != "Inputs" and not (root / "plugins" / folder.relative_to(root / "tests/lit/plugins")).is_dir():
            yield f"{folder}: no such plugin"
    for folder in sorted((root / "tests/lit/nvidia").glob("*/")):
        if not (root / "nvidia/lib" / folder.name).is_dir():
            yield f"{folder}: its subject nvidia/lib/{folder.name} does not exist"
    for folder in sorted((root / "tests/lit/core").glob("**/")):
        relative = folder.relative_to(root / "tests/lit/core")
        places = [root / "core" / relative, root / "core/lib" / relative, root / "core/tools" / relative]
        if folder.name != "Inputs" and not any(place.is_dir() for place in places):
            yield f"{folder}: its subject core/…/{relative} does not exist"


WORDS = {"CamelCase": r"[A-Z][A-Za-z0-9]*|[a-z]+", "snake_case": r"_*[a-z0-9]+(_[a-z0-9]+)*_*",
         "kebab-case": r"(sm_)?[a-z0-9]+(-(sm_)?[a-z0-9]+)*"}
# How files of tests are named by their suffix; single words are all of these. Modules of CMake, which others include, have
# names of C++, scripts of it those of Python.
SPELLINGS = {".cpp": ("CamelCase",), ".h": ("CamelCase",), ".td": ("CamelCase",), ".c": ("CamelCase",),
             ".py": ("snake_case",), ".cmake": ("snake_case", "CamelCase"),
             **dict.fromkeys((".mlir", ".test", ".ptx", ".json", ".toml", ".txt", ".sh", ".map"), ("kebab-case",))}


def test_files_are_spelled_alike(root):
    """7. In the folders of tests, C++ is CamelCase, Python snake_case, lit tests and data kebab-case."""
    for folder in ("tests", "emulator/tests", "emulator/clock/tests", "interpreter/tests"):
        for path in sorted((root / folder).rglob("*")):
            spellings = SPELLINGS.get(path.suffix, ()) if path.name != "CMakeLists.txt" and path.is_file() else ()
            if spellings and not any(re.fullmatch(WORDS[spelling], path.name.partition(".")[0]) for spelling in spellings):
                yield f"{path}: a {path.suffix} file of tests is named in {' or '.join(spellings)}"


def files_fit_a_room(root):
    """Files stay small enough to read."""
    for path in files(root, *ROOMS):
        count = len(path.read_text(encoding="utf-8").splitlines())
        if path.suffix != ".txt" and count > MAX_LINES:
            yield f"{path}: {count} lines; redesign the room"


def file_local_names(text):
    """(line, name) of what a source defines for itself at file scope: functions with the types of their parameters."""
    anonymous = False
    for match in re.finditer(r"^(?:namespace \{|\} // namespace\n|.*)", text, re.MULTILINE):
        line = match.group(0)
        if line == "namespace {":
            anonymous = True
        elif line.rstrip() == "} // namespace":
            anonymous = False
        if not anonymous and not line.startswith(("static ", "constexpr ")):
            continue
        number = text.count("\n", 0, match.start()) + 1
        if kind := re.match(r"(?:struct|class|enum class) (\w+)(?! *;)", line):
            yield number, kind.group(1)
        elif function := re.match(r"(?!using|template|//|struct|class|enum|namespace)\w[^=({]*?\b(\w+)\(", line):
            parameters = text[match.start() + function.end():].split(") {", 1)[0]
            types = [re.sub(r"\s*\b\w+(\s*=.*)?$", "", parameter.strip()) for parameter in parameters.split(",")]
            yield number, f"{function.group(1)}({', '.join(types)})"
        elif re.match(r"(?:static )?(?:const|constexpr|thread_local)\b", line):
            statement = text[match.start():].split(";", 1)[0]
            for name in re.findall(r"\b([A-Za-z_]\w*)(?:\[\w*\])* *(?:[={](?!=)|$)", statement):
                yield number, name


def a_folder_compiles_as_one(root):
    """Release builds compile the files of a folder together: their file-local names differ."""
    for folder in sorted({path.parent for path in files(root, "core/lib", "core/tools", "nvidia/lib", "plugins", "runtime/run", "emulator/lib",
                                                     "interpreter/lib")}):
        first = {}
        for path in sorted(folder.glob("*.cpp")):
            text = path.read_text(encoding="utf-8")
            if re.search(r"^using namespace llvm;", text, re.MULTILINE):
                yield f"{path}: using namespace llvm clashes with mlir in the files beside it"
            for number, name in file_local_names(text):
                other = first.setdefault(name, path)
                if other != path:
                    yield f"{path}:{number}: {other} has a {name} too; release builds compile both together"


# Files that may read or write the text of assembly, and why.
READS_ASSEMBLY = {
    "core/lib/Codegen/NamedRegisters.cpp": "gives operands of LLVM's calls other names; what the text does is no matter",
}


def nothing_reads_assembly(root):
    """7. Nothing reads the text of inline assembly to learn what was emitted: what later steps ask is an operation."""
    accessor = re.compile(r"\b[gs]etAsmString(Attr)?\b")
    for path in files(root, "core", "plugins"):
        name = path.relative_to(root).as_posix()
        found = [at for at, line in lines(path) if accessor.search(line)]
        if name not in READS_ASSEMBLY:
            for at in found:
                yield f"{path}:{at}: reads or writes the text of assembly; make what it looks for an operation or attribute"
        elif not found:
            yield f"{path}: is among READS_ASSEMBLY of this rule, and need not be"


def sources_carry_the_licence(root):
    """Every source says its licence."""
    for path in files(root, *ROOMS):
        if path.suffix in {".h", ".cpp", ".c", ".td"} and "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in path.read_text(encoding="utf-8"):
            yield f"{path}: no licence header"


RULES = [
    core_names_no_chip,
    core_names_no_plugin,
    core_names_no_unit,
    no_arrow_runs_up,
    the_readme_lists_every_chip,
    plugins_include_the_sdk_only,
    plugins_have_the_same_shape,
    passes_hold_no_tuning,
    operations_say_what_they_cost,
    discardable_attributes_are_declared,
    passes_ask_the_target,
    config_holds_data,
    main_is_a_story,
    tests_live_where_their_subject_does,
    test_files_are_spelled_alike,
    files_fit_a_room,
    a_folder_compiles_as_one,
    nothing_reads_assembly,
    sources_carry_the_licence,
]

# For each rule, files that break it.
BREAKS = {
    "no_arrow_runs_up": {"core/lib/Layout/X.cpp": '#include "tileiras/Target/Y.h"\n',
                         "core/include/tileiras/Analysis/X.h": '#include "tileiras/NVIDIA/Y.h"\n',
                         "core/lib/Attic/X.cpp": "\n"},
    "core_names_no_chip": {"core/lib/X.cpp": 'auto chip = "sm_90a";\n',
                           "core/lib/Y.cpp": "return chip.computeCapability >= 90;\n",
                           "core/lib/Z.td": "// As Hopper does.\n"},
    "core_names_no_plugin": {"plugins/layout/Plugin.cpp": '{PluginContents::Scheduler, "greedy"},\n'
                                                          '{PluginContents::Option,\n "with-haste", …',
                             "plugins/layout/Passes.td": 'InterfacePass<"tileas-tidy", "mlir::FunctionOpInterface">\n',
                             "core/lib/X.cpp": '// What the layout plugin does.\n',
                             "core/lib/Y.cpp": 'auto name = "greedy";\n',
                             "core/lib/Z.cpp": '// Runs before tileas-tidy.\n',
                             "core/lib/O.cpp": 'getBool("with-haste")\n'},
    "core_names_no_unit": {"plugins/layout/Machine.cpp": 'units = {{"warp_slot", 1, 2, 3}};\n',
                           "core/lib/X.cpp": 'return "lsu";\n', "core/lib/Y.cpp": 'return "warp_slot";\n'},
    "the_readme_lists_every_chip": {"README.md": "| `layout` | sm_1 |\n",
                                    "plugins/layout/Plugin.cpp": '{PluginContents::Target, "sm_11"},\n'},
    "plugins_include_the_sdk_only": {"plugins/layout/X.cpp": '#include "../async/SerialScheduler.h"\n'},
    "plugins_have_the_same_shape": {"plugins/layout/README.md": "# layout\n"},
    "passes_hold_no_tuning": {"plugins/layout/X.cpp": "static constexpr int64_t kLanes = 32, kFewBytes = 4096;\n",
                              "core/lib/Lowering/X.cpp": "static constexpr int64_t kExchangeBytes = 16 * 1024;\n",
                              "core/lib/Target/X.cpp": "constexpr size_t length = 8;\n"},
    "operations_say_what_they_cost": {"core/lib/Schedule/X.cpp": "if (isa<math::MathDialect>(op->getDialect()))\n"},
    "discardable_attributes_are_declared": {
        "core/lib/X.cpp": 'op->setAttr("nv_tileas.forgotten", unit);\n',
        "core/lib/Y.h": 'constexpr llvm::StringLiteral kForgotten = "nv_tileaa.forgotten"; // a hint\n',
        "core/lib/Z.td": 'let description = [{ | `known` | a loop | … }];\n'
                         'let discardableAttrs = (ins "::mlir::UnitAttr":$known,\n  "::mlir::UnitAttr":$forgotten);\n'},
    "passes_ask_the_target": {"plugins/layout/X.cpp": "return spec.getComputeCapability() >= 90;\n",
                              "plugins/layout/Y.cpp": "if (machine.tensorMemoryColumns != 0)\n",
                              "plugins/cluster/X.cpp": "barrier < IsaLimits::kNamedBarriers\n",
                              "plugins/async/loads/X.cpp": "TensorCopyRule rule(TensorCopyLimits{});\n",
                              "plugins/async/loads/Y.cpp": "constexpr int64_t kMaxBoxExtent = 256;\n"},
    "config_holds_data": {"config/tool.py": "print()\n"},
    "main_is_a_story": {"core/tools/tileiras/main.cpp": "int main() {\n" + "  step();\n" * 80 + "}\n"},
    "tests_live_where_their_subject_does": {"tests/lit/core/Nowhere/x.mlir": "// RUN: true\n"},
    "test_files_are_spelled_alike": dict.fromkeys(
        ("tests/unit/my_test.cpp", "tests/unit/my-header.h", "tests/gpu/my-module.py", "tests/gpu/MyModule.py",
         "tests/lit/core/one_test.mlir", "tests/lit/core/OneTest.test", "tests/sdk/two-scripts.cmake",
         "emulator/tests/data/a_kernel.ptx", "interpreter/tests/a_table.txt"), ""),
    "files_fit_a_room": {"core/lib/Long.cpp": "\n" * (MAX_LINES + 1)},
    "a_folder_compiles_as_one": {"core/lib/A/X.cpp": "static int f(int a) {\n}\n",
                                 "core/lib/A/Y.cpp": "static void f(int b) {\n}\n",
                                 "core/lib/B/X.cpp": "namespace {\n\nstruct S {\n};\n} // namespace\n",
                                 "core/lib/B/Y.cpp": "namespace {\nclass S : T {\n};\n} // namespace\n",
                                 "core/lib/C/X.cpp": "namespace {\nconstexpr unsigned kLeast = 0, kMost = 1;\n} // namespace\n",
                                 "core/lib/C/Y.cpp": "static constexpr unsigned kMost = 2;\n",
                                 "core/lib/D/X.cpp": "using namespace llvm;\n"},
    "nothing_reads_assembly": {"core/lib/X.cpp": 'return op.getAsmString().contains("bar.sync");\n',
                               "core/lib/Y.cpp": "op.setAsmString(text);\n",
                               "core/lib/Codegen/NamedRegisters.cpp": "rename(text);\n"},
    "sources_carry_the_licence": {"core/lib/Bare.cpp": "int x;\n"},
}


def self_test():
    ok = True
    for rule in RULES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in BREAKS[rule.__name__].items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            messages = list(rule(root))
            # Every file of the core, of passes, or with a wrong name, that is there to break the rule does; else one message is
            # enough.
            missed = [name for name in BREAKS[rule.__name__]
                      if (name.startswith("core/lib") or rule in (test_files_are_spelled_alike, passes_ask_the_target))
                      and not any(name in message for message in messages)]
        caught = messages and not missed
        print(f"{'caught' if caught else 'MISSED'}: {rule.__name__} {' '.join(missed)}")
        ok = ok and bool(caught)
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).parents[2])
    parser.add_argument("--self-test", action="store_true", help="show that each rule catches what breaks it")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 0 if self_test() else 1
    failures = [message for rule in RULES for message in rule(arguments.root)]
    for message in failures:
        print(message)
    print(f"{len(RULES)} rules, {len(failures)} violations")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
