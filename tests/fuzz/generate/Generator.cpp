//===- Generator.cpp - Random programs that are well defined by construction --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <climits>
#include <iterator>

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

/// A value and a fact that holds for it.
static void assume(ProgramBuilder &builder, const Value &value, const Twine &fact) {
  builder.define(value.type, value.facts, "assume " + fact + ", " + value.name + " : " + value.type.str());
}

/// Its range, as it is known.
static bool assumeBounds(ProgramBuilder &builder) {
  std::optional<Value> value = builder.findLive([](const Value &candidate) {
    return !candidate.type.isPointer && !isFloat(candidate.type.element) && candidate.type.element != Element::I4 &&
           candidate.facts.low > getMinimum(candidate.type.element);
  });
  if (!value)
    return false;
  auto bound = [&](int64_t number) { return builder.random.chance(75) ? std::to_string(number) : std::string("?"); };
  std::string low = bound(value->facts.low);
  assume(builder, *value, "bounded<" + low + ", " + bound(value->facts.high) + ">");
  return true;
}

/// Divisibility by construction: a multiple of a power of two.
static bool assumeMultiple(ProgramBuilder &builder) {
  Type type{builder.random.pick({Element::I32, Element::I64, Element::I16}), builder.pickShape(), false};
  int64_t divisor = int64_t(1) << builder.random.between(1, 5);
  Value factor = builder.operand(type);
  Value product = builder.binary("muli", factor, builder.constant(type, divisor), unknownFacts(type.element));
  assume(builder, product, "div_by<" + Twine(divisor) + ">");
  return true;
}

/// Rows that count up: groups of a power of two begin at a multiple of it.
static bool assumeSteps(ProgramBuilder &builder) {
  Shape shape = builder.pickShape();
  if (shape.empty())
    return false;
  Value rows = builder.rowMajorIota(builder.random.pick({Element::I32, Element::I64}), shape);
  int64_t group = int64_t(1) << builder.random.between(0, llvm::Log2_64(static_cast<uint64_t>(shape.back())));
  assume(builder, rows,
         "div_by<" + Twine(group) + ", every " + Twine(group) + " along " + Twine(shape.size() - 1) + ">");
  return true;
}

/// Equal elements by construction: along the dimensions of a broadcast.
static bool assumeEquals(ProgramBuilder &builder) {
  Shape shape = builder.pickShape(), before = shape;
  std::string groups;
  for (int64_t &size : before) {
    bool isSame = builder.random.chance(60);
    groups += (groups.empty() ? "" : ", ") + std::to_string(isSame ? builder.random.between(0, size) : 1);
    size = isSame ? 1 : size;
  }
  if (shape.empty())
    return false;
  Value source = builder.operand({builder.random.pick<Element>(kArithInts), before, false});
  if (before != shape) {
    Type type = source.type.with(shape);
    source = builder.compute(type, source.facts, "broadcast " + source.name + printTypes(source.type, type));
  }
  assume(builder, source, "same_elements<[" + groups + "]>");
  return true;
}

bool tileiras::fuzz::makeAssumption(ProgramBuilder &builder) {
  switch (builder.random.below(5)) {
  case 0:
    return assumeMultiple(builder);
  case 1:
    return assumeSteps(builder);
  case 2:
    return assumeEquals(builder);
  default:
    return assumeBounds(builder);
  }
}

bool tileiras::fuzz::makeAssertion(ProgramBuilder &builder) {
  Type type{Element::I1, builder.pickShape(), false};
  Value condition = builder.operand(type);
  // True whatever the condition is.
  Value negation = builder.binary("xori", condition, builder.constant(type, -1), unknownFacts(Element::I1));
  Value always = builder.binary("ori", condition, negation, unknownFacts(Element::I1));
  builder.line("assert " + always.name + ", \"never seen\" : " + type.str());
  return true;
}

/// Operations that only order others: the chain of a memory's tokens goes through them.
bool tileiras::fuzz::makeTokenUse(ProgramBuilder &builder) {
  if (builder.memories.empty())
    return false;
  OwnedMemory &memory = builder.memories[builder.random.below(builder.memories.size())];
  std::string fresh = builder.freshName();
  if (builder.random.chance(50)) {
    const char *operation =
        builder.random.pick({"memory_fence_alias_tko", "gdc_wait_tko", "gdc_launch_dependents_tko"});
    builder.line(fresh + " = " + operation + " token = " + memory.token + " -> token");
    memory.token = fresh;
    return true;
  }
  std::string joined = builder.freshName();
  builder.line(fresh + " = make_token : token");
  builder.line(joined + " = join_tokens " + fresh + ", " + memory.token + " : token");
  memory.token = joined;
  return true;
}

//===----------------------------------------------------------------------===//
// The steps by weight
//===----------------------------------------------------------------------===//

namespace {

struct WeightedStep {
  const char *feature;
  unsigned share; ///< of the feature's weight, in percent
  Step step;
};

constexpr Feature kFeatures[] = {
    {"int", 14, "integer arithmetic"},
    {"float", 14, "floating-point arithmetic"},
    {"math", 4, "functions: exponentials, roots, trigonometry"},
    {"compare", 7, "comparisons and selections"},
    {"convert", 10, "conversions, bit casts, packing"},
    {"shape", 12, "reshape, permute, broadcast, cat, extract, insert"},
    {"reduce", 6, "reduce and scan"},
    {"mma", 4, "matrix products"},
    {"scaled", 0, "products of blocks with a scale each, which chips before sm_100 refuse"},
    {"pointer", 10, "loads, stores and globals through pointers"},
    {"view", 10, "loads and stores through views"},
    {"atomic", 3, "atomics on shared memory"},
    {"control", 9, "if, for, loop, break, continue, return"},
    {"assume", 3, "assume and assert"},
    {"print", 1, "print"},
    {"loops", 0, "loops of loads and matrix products, as --shapes loops makes them"},
    {"streams", 0, "loops of loads and reductions, as --shapes streams makes them"},
    {"carried", 0, "loops that carry tiles around products, as --shapes carried makes them"},
    {"far", 3, "views with sizes, strides and positions near 2^31 and 2^32"},
};

constexpr WeightedStep kSteps[] = {
    {"int", 100, makeIntArithmetic},    {"float", 100, makeFloatArithmetic},
    {"math", 100, makeMathFunction},    {"compare", 60, makeComparison},
    {"compare", 40, makeSelect},        {"convert", 60, makeConversion},
    {"convert", 25, makeBitCast},       {"convert", 15, makePacking},
    {"shape", 65, makeShapeChange},     {"shape", 35, makePart},
    {"reduce", 65, makeReduction},      {"reduce", 35, makeScan},
    {"mma", 65, makeMatrixProduct},     {"mma", 35, makeMatrixLoop},
    {"scaled", 100, makeScaledProduct}, {"pointer", 40, makePointerLoad},
    {"pointer", 40, makeOwnedAccess},   {"pointer", 10, makeGlobalLoad},
    {"pointer", 5, makeAlloca},         {"pointer", 5, makeTokenUse},
    {"view", 50, makeViewLoad},         {"view", 30, makeViewRoundTrip},
    {"view", 20, makeGather},           {"atomic", 65, makeAtomic},
    {"atomic", 35, makeViewAtomic},     {"control", 40, makeIf},
    {"control", 40, makeFor},           {"control", 20, makeLoop},
    {"assume", 60, makeAssumption},     {"assume", 40, makeAssertion},
    {"print", 100, makePrint},          {"loops", 100, makeProductLoop},
    {"streams", 100, makeStreamLoop},   {"carried", 100, makeCarriedLoop},
    {"far", 100, makeFarAccess},
};

} // namespace

llvm::ArrayRef<Feature> tileiras::fuzz::getFeatures() {
  return kFeatures;
}

llvm::Expected<Weight> tileiras::fuzz::parseWeight(llvm::StringRef text) {
  auto [name, number] = text.split('=');
  const Feature *feature =
      llvm::find_if(getFeatures(), [&, name = name](const Feature &each) { return name == each.name; });
  if (feature == getFeatures().end()) {
    auto names = llvm::map_range(getFeatures(), [](const Feature &each) { return llvm::StringRef(each.name); });
    return llvm::createStringError("'" + text + "': '" + name + "' is no feature; the features are " +
                                   llvm::join(names, ", "));
  }
  unsigned weight = 0;
  if (number.getAsInteger(10, weight))
    return llvm::createStringError("'" + text + "' gives no weight; expected " + name +
                                   "= and a whole number from 0 to " + Twine(UINT_MAX));
  return Weight{feature->name, weight};
}

void tileiras::fuzz::makeStep(ProgramBuilder &builder) {
  --builder.budget;
  uint64_t total = 0;
  for (const WeightedStep &step : kSteps)
    total += step.share * builder.getWeight(step.feature);
  // A step may find nothing to work on; another then takes its place.
  for (int attempt = 0; attempt < 8 && total > 0; ++attempt) {
    uint64_t draw = builder.random.below(total);
    const WeightedStep *chosen = std::begin(kSteps);
    for (; draw >= chosen->share * builder.getWeight(chosen->feature); ++chosen)
      draw -= chosen->share * builder.getWeight(chosen->feature);
    if (chosen->step(builder))
      return;
  }
}

const char *tileiras::fuzz::describe(ProgramShape shape) {
  static constexpr const char *names[] = {"mixed", "loops", "streams", "carried", "far", "any"};
  return names[static_cast<unsigned>(shape)];
}

ProgramShape tileiras::fuzz::pickShape(uint64_t seed) {
  static constexpr Weighted<ProgramShape> shapes[] = {{ProgramShape::Carried, 45},
                                                      {ProgramShape::Mixed, 20},
                                                      {ProgramShape::Far, 15},
                                                      {ProgramShape::Loops, 10},
                                                      {ProgramShape::Streams, 10}};
  Random random(seed ^ 0x3c6ef372fe94f82b);
  return pickWeighted<ProgramShape>(random, shapes);
}

/// The step that a program of the shape is made around; none of mixed ones.
static Step getMainStep(ProgramShape shape) {
  switch (shape) {
  case ProgramShape::Loops:
    return makeProductLoop;
  case ProgramShape::Streams:
    return makeStreamLoop;
  case ProgramShape::Carried:
    return makeCarriedLoop;
  case ProgramShape::Far:
    return makeFarAccess;
  case ProgramShape::Mixed:
  case ProgramShape::Any:
    return nullptr;
  }
  llvm_unreachable("a shape");
}

static ProgramBuilder::Finished makeKernel(const GeneratorOptions &options, Names &names) {
  ProgramBuilder builder(options, names);
  const Step makeMain = getMainStep(options.shape);
  if (makeMain) {
    // Programs of carried tiles are many and cheap.
    const unsigned most = options.shape == ProgramShape::Carried ? 1 : 4;
    builder.budget = static_cast<int>(builder.random.below(std::min(options.size, most) + 1));
    makeMain(builder);
    if (builder.random.chance(options.shape == ProgramShape::Carried ? 5 : 12))
      makeMain(builder);
  }
  while (builder.budget > 0)
    makeStep(builder);
  for (const Value &value : builder.takeUnused(makeMain ? 4 : 14))
    if (!value.type.isPointer)
      storeResult(builder, value);
  builder.line("return");
  return builder.finish();
}

GeneratedProgram tileiras::fuzz::generateProgram(const GeneratorOptions &asked) {
  GeneratorOptions options = asked;
  if (asked.shape == ProgramShape::Any)
    options.shape = pickShape(asked.seed);
  Names names(options.seed, options.hostileNames);
  ProgramBuilder::Finished kernel = makeKernel(options, names);
  Random random(options.seed ^ 0xa54ff53a5f1d36f1);
  if (random.chance(options.secondKernels)) {
    // It is compiled, and may only not change the first.
    GeneratorOptions small = options;
    small.shape = ProgramShape::Mixed;
    small.size = 3;
    small.seed = ~options.seed;
    ProgramBuilder::Finished second = makeKernel(small, names);
    const bool isFirst = random.chance(50);
    kernel.globals += second.globals;
    kernel.entry = isFirst ? second.entry + kernel.entry : kernel.entry + second.entry;
  }
  GeneratedProgram program;
  program.shape = options.shape;
  program.text = ("// seed " + Twine(options.seed) + ", size " + Twine(options.size) + "\ncuda_tile.module @fuzz {\n" +
                  kernel.globals + kernel.entry + "}\n")
                     .str();
  program.launch = std::move(kernel.launch);
  return program;
}
