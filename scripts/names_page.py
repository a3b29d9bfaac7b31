"""docs/reference/names.md: who makes and who reads every operation, attribute, pass and option of the internal dialects
and the families, how operations are lowered, and which tests have them. Found in the sources by what they write; what
they do not show is in ELSEWHERE. An empty cell has to be named by a decision: see house/names."""

import collections
import pathlib
import re

SPACES = {"nv_tileaa": "aa", "nv_tileas": "as"}
DECLARATIONS = {"nv_tileaa": "TileAA/TileAADialect.td", "nv_tileas": "TileAS/TileASBase.td"}
DEFINITIONS = ("core/lib/Dialect/", "core/include/tileiras/Dialect/")
LOWERINGS = ("core/lib/Conversion/TileA", "nvidia/lib/", "plugins/sm")
HAND_OFF = "plugins/async/common/HandOff.h"  # what passes of one family tell each other
EMPTY = "| names with nobody at one end |"  # the question of decisions that name them
NOBODY = "—"
MOST = 3  # files in a cell
# Who, where the text of the sources does not show it: (name, column).
ELSEWHERE = {
    ("nv_tileaa.create_queue", "lowered by"): "QueueToPipeline.cpp",
    ("nv_tileaa.execute", "lowered by"): "QueueToPipeline.cpp",
    ("nv_tileaa.mark_for_reuse", "lowered by"): "QueueToPipeline.cpp",
    ("res_attrs", "read by"): "mlir/Interfaces/FunctionInterfaces.h",
}
TEMPLATE = re.compile(r"(\w+)<((?:[\w:]+,\s*)+[\w:]+)>")
ASKS = re.compile(r"isa|cast|Case|IsaPred|^add$|^tuple$|ParentOneOf|getOps|walk")
CREATES = re.compile(r"((?:\w+::)*\w+Op)::create\(|\b(?:create|replaceOpWithNewOp|build|emit\w*)<((?:\w+::)*\w+Op)>"
                     r"|OperationState \w+\([^;]*?((?:\w+::)*\w+Op)::getOperationName\(")


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[_\W]+", name))


def space_of(name, file):
    """The dialect of a class that `file` writes as `name`; null where that is not said."""
    if "::" in name:
        return name.split("::")[-2]
    return "aa" if "/TileAA/" in file else "as" if "/TileAS/" in file else None


class Uses:
    """The C++ of compiler and families, the profiles and the lit tests, and which names they write."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.code = self.read(("core", "nvidia", "plugins"), (".cpp", ".h"))
        self.tests = {file: text for file, text in
                      self.read(("tests",), (".mlir", ".test", ".cpp", ".py", ".cmake", ".txt", ".toml")).items()
                      if not file.startswith("tests/fuzz/corpus/")}
        self.profiles = self.read(("config",), (".toml",))
        self.decisions = (self.root / "docs/decisions.md").read_text(encoding="utf-8").splitlines()
        self.words, self.made = collections.defaultdict(set), collections.defaultdict(set)
        for file, text in self.code.items():
            for word in re.findall(r"(?:\b\w+::)*\b\w+\b", text):
                self.words[word.rpartition("::")[2]].add((space_of(word, file), file))
            for name in self.find_made(text):
                self.made[name.rpartition("::")[2]].add((space_of(name, file), file))
        self.in_tests, self.in_profiles = self.index(self.tests), self.index(self.profiles)

    @staticmethod
    def index(texts):
        """The files with each name of an operation, pass or option."""
        words = collections.defaultdict(set)
        for file, text in texts.items():
            for word in set(re.findall(r"\w[\w.-]*\w", text)):
                words[word].add(file)
        return words

    def read(self, folders, suffixes):
        return {str(file.relative_to(self.root)): file.read_text(encoding="utf-8", errors="replace")
                for folder in folders for file in sorted((self.root / folder).rglob("*"))
                if file.suffix in suffixes and file.is_file()}

    @staticmethod
    def find_made(text):
        """Operations that are created, and those that a pattern of several makes of the first one."""
        for found in CREATES.findall(text):
            yield next(filter(None, found))
        for name, arguments in TEMPLATE.findall(text):
            if not ASKS.search(name):
                yield from (item for item in re.split(r",\s*", arguments)[1:] if item.endswith("Op"))

    def of(self, table, word, space=None):
        """Files of `table` that write `word`; of a dialect, if one is said."""
        return {file for where, file in table[word]
                if space is None or where == space or where not in SPACES.values()}

    def containing(self, texts, pattern):
        expression = re.compile(pattern)
        return {file for file, text in texts.items() if expression.search(text)}

    def decided(self, name):
        """The number of the decision that says why somebody is missing for `name`."""
        short = {f"`{part}`" for part in (name, name.split(".", 1)[-1], name.split()[-1])}
        rows = [row for row in self.decisions if EMPTY in row and any(part in row for part in short)]
        return re.match(r"\| ([\w, –]+) \|", rows[0]).group(1) if rows else None


class Page:
    def __init__(self, uses, table, code):
        self.uses, self.table, self.code = uses, table, code
        self.text = "# Who makes and reads what\n\nFound in the sources by what they write; files stand for what is in them.\n"

    def cell(self, name, column, files):
        said = ELSEWHERE.get((name, column))
        files = [said] if said else sorted(files, key=lambda file: (file.startswith(DEFINITIONS), len(file), file))
        if files:
            shown = [self.code(pathlib.Path(file).name) for file in files[:MOST]]
            return ", ".join(dict.fromkeys(shown)) + (", …" if len(files) > MOST else "")
        decision = self.uses.decided(name)
        return f"decision {decision}" if decision else NOBODY

    def section(self, title, columns, rows):
        """`rows`: a name, what stands beside it, and the files of each of the other columns."""
        lines = [[self.code(name), *beside, *(self.cell(name, column, files) for column, files in found.items())]
                 for name, beside, found in rows]
        self.text += f"\n## {title}\n\n" + self.table(columns, lines)


def find_operations(documents):
    """Of both dialects: name, namespace, class and attributes of each operation, from what mlir-tblgen says of them."""
    for dialect in SPACES:
        for part in re.split(r"^### (?=`)", documents[dialect], flags=re.MULTILINE):
            head = re.match(r"`([\w.]+)` \(::tileiras::(\w+)::(\w+)\)", part)
            if head and head.group(1).startswith(dialect + "."):
                yield (*head.groups(), re.findall(r"<tr><td><code>(\w+)</code></td><td>::", part.split("#### Operands")[0]))


def outside(files):
    return {file for file in files if not file.startswith(DEFINITIONS)}


def operation_rows(uses, operations):
    for name, space, kind, _ in operations:
        users = outside(uses.of(uses.words, kind, space))
        makers = uses.of(uses.made, kind, space)
        lowers = {file for file in users if file.startswith(LOWERINGS)}
        yield name, [], {"made by": makers, "lowered by": lowers, "read by others": users - makers - lowers or lowers,
                         "tests": uses.in_tests[name]}


def attribute_rows(uses, operations):
    """One row for a name: attributes that are called the same mean the same."""
    owners = collections.defaultdict(list)
    for operation in operations:
        for attribute in operation[3]:
            owners[attribute].append(operation)
    for attribute, found in sorted(owners.items()):
        getters, setters = ([f"{verb}{camel(attribute)}{end}" for end in ("", "Attr")] for verb in ("get", "set"))
        near = set().union(*(uses.of(uses.words, kind, space) for _, space, kind, _ in found))
        makers = set().union(*(uses.of(uses.made, kind, space) for _, space, kind, _ in found))
        pick = lambda words: set().union(*(uses.of(uses.words, word) for word in words))
        readers = {file for file in pick(getters) if file in near or file.startswith(DEFINITIONS)}
        names = [operation[0] for operation in found]
        beside = names[0] if len(names) == 1 else f"{len(names)} operations, as {names[0]}"
        yield attribute, [beside], {"set by": pick(setters) & near or makers, "read by": outside(readers) or readers}


def find_discardable(uses):
    """Names of discardable attributes, and the constants that the sources write for them."""
    for dialect, file in DECLARATIONS.items():
        text = (uses.root / "core/include/tileiras/Dialect" / file).read_text(encoding="utf-8")
        for name in re.findall(r":\$(\w+)", re.search(r"discardableAttrs = \(ins(.*?)\);", text, re.DOTALL).group(1)):
            helper = camel(name) + "AttrHelper"
            constants = {helper, f"get{camel(name)}AttrName"}
            for text in uses.code.values():
                constants |= set(re.findall(rf"StringLiteral (k\w+) =\s*[\w:]*{helper}\b", text))
            yield f"{dialect}.{name}", constants
    for constant, name in re.findall(r"(k\w+) = \"([\w.]+)\"", uses.code[HAND_OFF]):
        yield name, {constant}


def discardable_rows(uses):
    for name, constants in find_discardable(uses):
        writers, readers = set(), set()
        used = rf"\b(?:{'|'.join(constants)})\b"
        for file in set().union(*(uses.of(uses.words, constant) for constant in constants)):
            text = re.sub(r"StringLiteral [^;]*;|^ *static constexpr [^;]*;", "", uses.code[file])
            written = re.findall(rf"(?:set\w*Attr\w*|append|push_back|NamedAttribute)\([^;]*?{used}", text)
            writers |= {file} if written else set()
            readers |= {file} if len(re.findall(used, text)) > len(written) else set()
        yield name, [], {"written by": writers, "read by": readers, "tests": uses.in_tests[name]}


def find_files(uses, kind):
    """Where the pass is implemented."""
    return uses.of(uses.words, f"GEN_PASS_DEF_{kind.upper()}")


def pass_rows(uses, definitions):
    for name, kind, _ in definitions:
        yield name, [], {"in": find_files(uses, kind), "profiles": uses.in_profiles[name], "tests": uses.in_tests[name]}


def option_rows(uses, definitions):
    """What several passes of one file declare by one name is one option: given to one, it is given to all."""
    given = collections.defaultdict(set)
    rows = []
    for name, kind, options in definitions:
        rooms = {str(pathlib.Path(file).parent) for file in find_files(uses, kind)}
        for option, field in options:
            readers = {file for file in uses.of(uses.words, field) if str(pathlib.Path(file).parent) in rooms}
            key = (option, *sorted(rooms))
            given[key] |= {
                file for texts, words in ((uses.profiles, uses.in_profiles), (uses.tests, uses.in_tests))
                for file in words[name] & words[option] if re.search(rf"{name}\b[^\n]*[ {{=]{option}[= ]", texts[file])}
            rows.append((f"{name} {option}", [], {"read by": readers, "given by": given[key]}))
    return rows


def compilation_rows(uses, options):
    """But for figures of the tuning table, of which each is a field."""
    for option in options:
        name = option["name"]
        if name.startswith("tuning."):
            continue
        declared = rf"(?:flag|text|place|integer|choice|number)\(\"{name}\"|^ *\"{name}\",$"
        readers = {file for file, text in uses.code.items()
                   if f'"{name}"' in text and len(re.findall(declared, text, re.MULTILINE)) < text.count(f'"{name}"')}
        yield name, [], {"read by": readers | uses.in_profiles[name], "tests": uses.in_tests[name]}


def find_passes(root):
    for file in sorted(file for folder in ("core", "nvidia", "plugins") for file in (root / folder).rglob("Passes.td")):
        text = file.read_text(encoding="utf-8")
        shared = {name: pair for name, *pair in
                  re.findall(r"defvar (\w+) =\s*(?:List)?Option<\"(\w+)\",\s*\"([\w-]+)\"", text)}
        for part in re.split(r"^def ", text, flags=re.MULTILINE)[1:]:
            head = re.match(r"(\w+)\s*:\s*\w*Pass\w*<\s*\"([\w-]+)\"", part)
            if not head:
                continue
            options = [(option, field) for field, option in re.findall(r"Option<\"(\w+)\",\s*\"([\w-]+)\"", part)]
            options += [(option, field) for name, (field, option) in shared.items() if re.search(rf"\b{name}\b", part)]
            yield head.group(2), head.group(1), options


def make_page(root, documents, options, table, code):
    uses = Uses(root)
    page = Page(uses, table, code)
    operations = list(find_operations(documents))
    passes = list(find_passes(uses.root))
    page.section("Operations", ["operation", "made by", "lowered by", "read by others", "tests"],
                 operation_rows(uses, operations))
    page.section("Attributes of operations", ["attribute", "of", "set by", "read by"], attribute_rows(uses, operations))
    page.section("Discardable attributes", ["attribute", "written by", "read by", "tests"],
                 discardable_rows(uses))
    page.section("Passes", ["pass", "in", "profiles", "tests"], pass_rows(uses, passes))
    page.section("Options of passes", ["option", "read by", "given by"], option_rows(uses, passes))
    page.section("Options of compilations", ["option", "read by", "tests"], compilation_rows(uses, options))
    return page.text
