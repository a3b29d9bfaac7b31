"""The loops of a kernel's PTX, by its labels and branches, and what stands in them."""

import re

PRODUCTS = {"mma": "mma.sync", "wgmma": "wgmma.mma_async", "tcgen05": "tcgen05.mma"}
RESULTS = ("st.global", "cp.async.bulk.commit")
WIDTHS = {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}


class Instruction:
    def __init__(self, line, text):
        self.line = line
        self.predicate = ""
        if text.startswith("@"):
            self.predicate, text = text.split(None, 1)
        self.name, *rest = text.split(None, 1)
        self.operands = rest[0].strip() if rest else ""

    def product(self):
        """Its kind, a key of PRODUCTS, or nothing."""
        return next((kind for kind, name in PRODUCTS.items() if self.name.startswith(name)), "")

    def bytes_of_load(self):
        """Of a load of global memory by a thread."""
        if not self.name.startswith("ld.global") and not self.name.startswith("ld.relaxed.gpu.global"):
            return 0
        vector = re.search(r"\.v(\d)", self.name)
        width = re.search(r"\.[a-z]+(\d+)$", self.name)
        return (int(vector[1]) if vector else 1) * WIDTHS[width[1]]

    def results(self):
        """Registers that it writes, which stand first."""
        first = self.operands[1:self.operands.index("}")] if self.operands.startswith("{") else self.operands.split(",")[0]
        return set(re.findall(r"%\w+", first))

    def reads(self, registers):
        """Whether it names one of them, other than to write it."""
        if self.product() or self.name.startswith(("st.", "red.")):
            return any(name in registers for name in re.findall(r"%\w+", self.operands))
        after = self.operands[self.operands.index("}"):] if self.operands.startswith("{") else self.operands.partition(",")[2]
        return any(name in registers for name in re.findall(r"%\w+", after))


class Block:
    def __init__(self):
        self.code, self.next = [], []


def read_blocks(text):
    """The basic blocks of all functions, in their order."""
    blocks, labels, jumps = [Block()], {}, []

    def open_block():
        if blocks[-1].code or blocks[-1] in labels.values():
            before = blocks[-1]
            blocks.append(Block())
            return before
        return None

    falls = True
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("//")[0].strip()
        if label := re.match(r"(\$L\w+):", line):
            before = open_block()
            if before and falls:
                before.next.append(blocks[-1])
            labels[label[1]] = blocks[-1]
            falls = True
            continue
        for statement in line.split(";"):
            statement = statement.strip().lstrip("{").strip()
            if not re.match(r"(@!?[%\w]+\s+)?[a-z]", statement) or statement.startswith((".", "{")):
                continue
            instruction = Instruction(number, statement)
            blocks[-1].code.append(instruction)
            target = re.search(r"\$L\w+", instruction.operands) if instruction.name.startswith("bra") else None
            if target or instruction.name in ("ret", "exit"):
                before, blocks_open = blocks[-1], bool(instruction.predicate)
                if target:
                    jumps.append((before, target[0]))
                blocks.append(Block())
                if blocks_open:
                    before.next.append(blocks[-1])
                falls = blocks_open
            else:
                falls = True
    for block, label in jumps:
        block.next.append(labels[label])
    return blocks


def find_dominators(blocks):
    """For each block a set of numbers, as bits of an integer; of what cannot be reached, all."""
    number = {block: index for index, block in enumerate(blocks)}
    before = [[] for _ in blocks]
    for block in blocks:
        for following in block.next:
            before[number[following]].append(number[block])
    everything = (1 << len(blocks)) - 1
    dominators = [1] + [everything] * (len(blocks) - 1)
    changed = True
    while changed:
        changed = False
        for index in range(1, len(blocks)):
            if not before[index]:
                continue
            now = everything
            for other in before[index]:
                now &= dominators[other]
            now |= 1 << index
            changed |= now != dominators[index]
            dominators[index] = now
    return dominators, before


class Loop:
    def __init__(self, members, blocks):
        self.members = members
        self.code = [instruction for index in sorted(members) for instruction in blocks[index].code]

    def products(self):
        """How many of each kind."""
        kinds = [instruction.product() for instruction in self.code]
        return {kind: kinds.count(kind) for kind in PRODUCTS if kind in kinds}

    def count(self, *names):
        return sum(instruction.name.startswith(names) for instruction in self.code)

    def loads(self):
        return [instruction for instruction in self.code if instruction.bytes_of_load()]


def find_loops(text):
    """Natural loops, each with the loops inside."""
    blocks = read_blocks(text)
    dominators, before = find_dominators(blocks)
    number, loops = {block: index for index, block in enumerate(blocks)}, {}
    for index, block in enumerate(blocks):
        if index and not before[index]:
            continue
        for following in block.next:
            head = number[following]
            if dominators[index] >> head & 1:
                members, todo = loops.setdefault(head, {head}), [index]
                while todo:
                    at = todo.pop()
                    if at not in members:
                        members.add(at)
                        todo += before[at]
    return [Loop(members, blocks) for members in loops.values()]


def find_multiplying(loops):
    """Loops with products that have none with products inside."""
    multiplying = [loop for loop in loops if loop.products()]
    return [loop for loop in multiplying if not any(other.members < loop.members for other in multiplying)]


def find_feeding(loops):
    """Where operands are loaded, whoever loads them: the innermost loops that multiply or copy; not those of warps that only
    store results."""
    innermost = find_multiplying(loops) + [loop for loop in loops if loop.count("cp.async") and not loop.count(*RESULTS)]
    return [loop for loop in loops if not any(other.members < loop.members for other in innermost)
            and (loop.products() or not loop.count(*RESULTS))]


def is_waited_for(loop, load):
    """Whether nothing is multiplied between a load and where its tile is stored or multiplied, in this iteration or the next, in
    the order of the text. Arithmetic does not count as a use: the assembler moves it to where its result is needed."""
    at, registers = loop.code.index(load), load.results()
    if has_products_in_flight(loop, at):
        return False
    for instruction in loop.code[at + 1:] + loop.code[:at]:
        is_read = instruction.reads(registers)
        if is_read and (instruction.product() or instruction.name.startswith("st.")):
            return True
        if instruction.product():
            return False
        if is_read:
            registers = registers | instruction.results()
    return False


def has_products_in_flight(loop, at):
    """Whether products by warpgroups that were issued before are still awaited there; those in tensor memory always are."""
    for instruction in loop.code[:at][::-1] + loop.code[at:][::-1]:
        if instruction.product():
            return instruction.product() != "mma"
        if instruction.name.startswith("wgmma.wait_group"):
            return instruction.operands != "0"
    return False
