//===- Generator.cpp - Random programs that are well defined by construction --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <iterator>

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

/// A fact that holds.
bool tileiras::fuzz::makeAssumption(ProgramBuilder &builder) {
  std::optional<Value> value = builder.findLive([](const Value &candidate) {
    return !candidate.type.isPointer && !isFloat(candidate.type.element) && candidate.type.element != Element::I4 &&
           candidate.facts.low > getMinimum(candidate.type.element);
  });
  if (!value)
    return false;
  auto bound = [&](int64_t number) { return builder.random.chance(75) ? std::to_string(number) : std::string("?"); };
  std::string low = bound(value->facts.low), high = bound(value->facts.high);
  builder.define(value->type, value->facts,
                 "assume bounded<" + low + ", " + high + ">, " + value->name + " : " + value->type.str());
  return true;
}

/// Divisibility by construction: a multiple of a power of two.
static void makeMultiple(ProgramBuilder &builder) {
  Type type{builder.random.pick({Element::I32, Element::I64, Element::I16}), builder.pickShape(), false};
  int64_t divisor = int64_t(1) << builder.random.between(1, 5);
  Value factor = builder.operand(type);
  Value product = builder.binary("muli", factor, builder.constant(type, divisor), unknownFacts(type.element));
  builder.define(type, product.facts, "assume div_by<" + Twine(divisor) + ">, " + product.name + " : " + type.str());
}

bool tileiras::fuzz::makeQuery(ProgramBuilder &builder) {
  if (builder.random.chance(50)) {
    makeMultiple(builder);
    return true;
  }
  Type type{Element::I1, builder.pickShape(), false};
  Value condition = builder.operand(type);
  // True whatever the condition is.
  Value negation = builder.binary("xori", condition, builder.constant(type, -1), unknownFacts(Element::I1));
  Value always = builder.binary("ori", condition, negation, unknownFacts(Element::I1));
  builder.line("assert " + always.name + ", \"never seen\" : " + type.str());
  return true;
}

bool tileiras::fuzz::makeTokenUse(ProgramBuilder &builder) {
  if (builder.memories.empty())
    return false;
  std::string fresh = builder.freshName(), joined = builder.freshName();
  OwnedMemory &memory = builder.memories[builder.random.below(builder.memories.size())];
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
    {"pointer", 10, "loads, stores and globals through pointers"},
    {"view", 10, "loads and stores through views"},
    {"atomic", 3, "atomics on shared memory"},
    {"control", 9, "if, for, loop, break, continue, return"},
    {"assume", 3, "assume and assert"},
};

constexpr WeightedStep kSteps[] = {
    {"int", 100, makeIntArithmetic},  {"float", 100, makeFloatArithmetic},
    {"math", 100, makeMathFunction},  {"compare", 60, makeComparison},
    {"compare", 40, makeSelect},      {"convert", 60, makeConversion},
    {"convert", 25, makeBitCast},     {"convert", 15, makePacking},
    {"shape", 65, makeShapeChange},   {"shape", 35, makePart},
    {"reduce", 65, makeReduction},    {"reduce", 35, makeScan},
    {"mma", 65, makeMatrixProduct},   {"mma", 35, makeMatrixLoop},
    {"pointer", 40, makePointerLoad}, {"pointer", 40, makeOwnedAccess},
    {"pointer", 10, makeGlobalLoad},  {"pointer", 5, makeAlloca},
    {"pointer", 5, makeTokenUse},     {"view", 50, makeViewLoad},
    {"view", 30, makeViewRoundTrip},  {"view", 20, makeGather},
    {"atomic", 65, makeAtomic},       {"atomic", 35, makeViewAtomic},
    {"control", 40, makeIf},          {"control", 40, makeFor},
    {"control", 20, makeLoop},        {"assume", 60, makeAssumption},
    {"assume", 40, makeQuery},
};

} // namespace

llvm::ArrayRef<Feature> tileiras::fuzz::getFeatures() {
  return kFeatures;
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

GeneratedProgram tileiras::fuzz::generateProgram(const GeneratorOptions &options) {
  ProgramBuilder builder(options);
  while (builder.budget > 0)
    makeStep(builder);
  for (const Value &value : builder.takeUnused(14))
    if (!value.type.isPointer)
      storeResult(builder, value);
  builder.line("return");
  return builder.finish();
}
