//===- ControlFlow.cpp - Steps with regions -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

static constexpr unsigned kMaxDepth = 3;

namespace {

/// What a region carries: values of the program, then a token for each memory of the tile block.
struct Carried {
  llvm::SmallVector<Type> types;
  size_t memories;

  std::string printTypes() const {
    llvm::SmallVector<std::string> texts;
    for (const Type &type : types)
      texts.push_back(type.str());
    texts.append(memories, "token");
    return llvm::join(texts, ", ");
  }
  bool empty() const { return types.empty() && memories == 0; }
};

/// Restores what the program knows at the end of a region. Tokens from inside are not visible outside.
class RegionScope {
public:
  explicit RegionScope(ProgramBuilder &builder, bool isLoop = false)
      : builder(builder), isLoop(isLoop), values(builder.mark()), memories(builder.memories) {
    ++builder.depth;
    builder.loopDepth += isLoop;
    builder.indent();
  }
  ~RegionScope() {
    builder.dedent();
    --builder.depth;
    builder.loopDepth -= isLoop;
    builder.release(values);
    builder.memories = memories;
  }

private:
  ProgramBuilder &builder;
  bool isLoop;
  size_t values;
  std::vector<OwnedMemory> memories;
};

} // namespace

/// A value that lives beyond a region has the facts that every way there has: of a loop, any exact ones.
static Facts carriedFacts(Element element) {
  return unknownFacts(element);
}

static Carried pickCarried(ProgramBuilder &builder) {
  static constexpr Element elements[] = {Element::I1,  Element::I8,   Element::I16, Element::I32, Element::I64,
                                         Element::F16, Element::BF16, Element::F32, Element::F64};
  Carried carried{{}, builder.memories.size()};
  for (uint64_t count = builder.random.below(4); count > 0; --count)
    carried.types.push_back({builder.random.pick<Element>(elements), builder.pickShape(), false});
  return carried;
}

/// Operands for a terminator: values of the carried types, and where the memories stand.
static std::string gather(ProgramBuilder &builder, const Carried &carried) {
  llvm::SmallVector<std::string> names;
  for (const Type &type : carried.types)
    names.push_back(builder.operand(type, Need::Exact).name);
  for (size_t i = 0; i < carried.memories; ++i)
    names.push_back(builder.memories[i].token);
  return names.empty() ? "" : " " + llvm::join(names, ", ") + " : " + carried.printTypes();
}

/// Results of an operation with regions; the memories go on from its tokens.
static void publishResults(ProgramBuilder &builder, const std::string &name, const Carried &carried) {
  size_t count = carried.types.size() + carried.memories;
  auto result = [&](size_t i) { return count > 1 ? name + "#" + std::to_string(i) : name; };
  for (auto [i, type] : llvm::enumerate(carried.types))
    builder.publish({result(i), type, carriedFacts(type.element)});
  for (size_t i = 0; i < carried.memories; ++i)
    builder.memories[i].token = result(carried.types.size() + i);
}

static std::string printResults(const std::string &name, const Carried &carried) {
  size_t count = carried.types.size() + carried.memories;
  return count == 0 ? "" : name + (count > 1 ? ":" + std::to_string(count) : "") + " = ";
}

static void makeBody(ProgramBuilder &builder) {
  for (int64_t steps = builder.random.between(1, 5); steps > 0 && builder.budget > 0; --steps)
    makeStep(builder);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// The whole tile block leaves the kernel or not: what follows is not run by blocks that left.
static bool makeEarlyReturn(ProgramBuilder &builder) {
  Value condition = builder.operand(scalarOf(Element::I1));
  builder.line("if " + condition.name + " {");
  {
    RegionScope scope(builder);
    makeBody(builder);
    builder.line("return");
  }
  builder.line("}");
  return true;
}

bool tileiras::fuzz::makeIf(ProgramBuilder &builder) {
  if (builder.depth >= kMaxDepth)
    return false;
  // Kernels end in ifs only outside of loops.
  if (builder.depth == 0 && builder.random.chance(8))
    return makeEarlyReturn(builder);
  Value condition = builder.operand(scalarOf(Element::I1));
  Carried carried = pickCarried(builder);
  std::string name = builder.freshName();
  builder.line(printResults(name, carried) + "if " + condition.name +
               (carried.empty() ? " {" : " -> (" + carried.printTypes() + ") {"));
  auto branch = [&] {
    RegionScope scope(builder);
    makeBody(builder);
    builder.line("yield" + gather(builder, carried));
  };
  branch();
  if (!carried.empty() || builder.random.chance(50)) {
    builder.line("} else {");
    branch();
  }
  builder.line("}");
  publishResults(builder, name, carried);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// "iter_values(%x = %init, …)", and the names inside.
static std::string printIterValues(ProgramBuilder &builder, const Carried &carried,
                                   llvm::SmallVectorImpl<std::string> &inside) {
  llvm::SmallVector<std::string> texts;
  auto add = [&](const std::string &initial) {
    inside.push_back(builder.freshName());
    texts.push_back(inside.back() + " = " + initial);
  };
  for (const Type &type : carried.types)
    add(builder.operand(type, Need::Exact).name);
  for (size_t i = 0; i < carried.memories; ++i)
    add(builder.memories[i].token);
  return texts.empty() ? "" : " iter_values(" + llvm::join(texts, ", ") + ")";
}

static void enterLoop(ProgramBuilder &builder, const Carried &carried, llvm::ArrayRef<std::string> inside) {
  for (auto [type, name] : llvm::zip(carried.types, inside))
    builder.publish({name, type, carriedFacts(type.element)});
  for (size_t i = 0; i < carried.memories; ++i)
    builder.memories[i].token = inside[carried.types.size() + i];
}

/// `if (…) continue` or `break`, from the middle of a loop.
static void makeJump(ProgramBuilder &builder, const char *mnemonic, const Carried &carried) {
  Value condition = builder.operand(scalarOf(Element::I1));
  builder.line("if " + condition.name + " {");
  {
    RegionScope scope(builder);
    if (builder.random.chance(50))
      makeBody(builder);
    builder.line(mnemonic + gather(builder, carried));
  }
  builder.line("}");
}

bool tileiras::fuzz::makeFor(ProgramBuilder &builder) {
  if (builder.depth >= kMaxDepth)
    return false;
  Carried carried = pickCarried(builder);
  Element element =
      builder.random.chance(75) ? Element::I32 : builder.random.pick({Element::I64, Element::I16, Element::I8});
  bool isUnsigned = builder.random.chance(25);
  int64_t first = isUnsigned ? builder.random.between(0, 4) : builder.random.between(-4, 4);
  int64_t step = builder.random.between(1, 3);
  if (builder.random.chance(12)) // The last step would pass the largest number.
    first = getMaximum(element) - 3 * step - builder.random.between(0, 2);
  // At most three iterations, none now and then; the number may be known only at run time.
  Value iterations = builder.scalarBelow(element, 4);
  Facts facts = rangeFacts(first, first + 3 * step);
  Type type = scalarOf(element);
  Value lower = builder.constant(type, first), stride = builder.constant(type, step);
  Value upper = builder.random.chance(60)
                    ? builder.constant(type, first + step * builder.random.between(0, 3))
                    : builder.binary("addi", builder.binary("muli", iterations, stride, facts), lower, facts);
  std::string name = builder.freshName(), variable = builder.freshName();
  llvm::SmallVector<std::string> inside;
  std::string iterValues = printIterValues(builder, carried, inside);
  builder.line(printResults(name, carried) + "for " + (isUnsigned ? "unsigned " : "") + variable + " in (" +
               lower.name + " to " + upper.name + ", step " + stride.name + ") : " + type.str() + iterValues +
               (carried.empty() ? " {" : " -> (" + carried.printTypes() + ") {"));
  {
    RegionScope scope(builder, /*isLoop=*/true);
    builder.publish({variable, type, facts});
    enterLoop(builder, carried, inside);
    makeBody(builder);
    if (builder.random.chance(25)) {
      makeJump(builder, "continue", carried);
      makeBody(builder);
    }
    builder.line("continue" + gather(builder, carried));
  }
  builder.line("}");
  publishResults(builder, name, carried);
  return true;
}

/// A counter ends the loop, if nothing does before.
bool tileiras::fuzz::makeLoop(ProgramBuilder &builder) {
  if (builder.depth >= kMaxDepth)
    return false;
  Type i32 = scalarOf(Element::I32);
  Carried results = pickCarried(builder), carried = pickCarried(builder);
  Value zero = builder.constant(i32, 0), one = builder.constant(i32, 1);
  Value limit = builder.constant(i32, builder.random.between(1, 4));
  std::string name = builder.freshName(), counter = builder.freshName();
  llvm::SmallVector<std::string> inside;
  std::string iterValues = printIterValues(builder, carried, inside);
  std::string separator = carried.empty() ? "" : ", ";
  std::string list = carried.empty() ? ")" : ", " + iterValues.substr(std::string(" iter_values(").size());
  builder.line(printResults(name, results) + "loop iter_values(" + counter + " = " + zero.name + list + " : " +
               i32.str() + separator + carried.printTypes() +
               (results.empty() ? " {" : " -> " + results.printTypes() + " {"));
  {
    RegionScope scope(builder, /*isLoop=*/true);
    builder.publish({counter, i32, rangeFacts(0, 4)});
    enterLoop(builder, carried, inside);
    makeBody(builder);
    Value next = builder.binary("addi", Value{counter, i32, {}}, one, rangeFacts(1, 5));
    Value isLast = builder.compute(scalarOf(Element::I1), unknownFacts(Element::I1),
                                   "cmpi greater_than_or_equal " + next.name + ", " + limit.name +
                                       ", signed : tile<i32> -> tile<i1>");
    builder.line("if " + isLast.name + " {");
    {
      RegionScope branch(builder);
      builder.line("break" + gather(builder, results));
    }
    builder.line("}");
    if (builder.random.chance(30))
      makeJump(builder, "break", results);
    if (builder.random.chance(50))
      makeBody(builder);
    std::string operands = gather(builder, carried);
    size_t colon = operands.find(" : ");
    builder.line("continue " + next.name + (carried.empty() ? "" : "," + operands.substr(0, colon)) + " : " +
                 i32.str() + separator + carried.printTypes());
  }
  builder.line("}");
  publishResults(builder, name, results);
  return true;
}
