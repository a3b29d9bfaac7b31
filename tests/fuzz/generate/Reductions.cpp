//===- Reductions.cpp - Steps that combine elements along a dimension -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace tileiras::fuzz;
using llvm::Twine;

namespace {

/// An associative operation on one operand, with its neutral element.
struct Combiner {
  const char *mnemonic;
  std::string identity; ///< literal
  const char *suffix = "";
  Facts facts;
};

} // namespace

static Combiner pickIntCombiner(ProgramBuilder &builder, Element element, const Facts &facts) {
  Combiner combiner;
  combiner.facts = unknownFacts(element);
  if (element == Element::I1) {
    combiner.mnemonic = builder.random.pick({"andi", "ori", "xori"});
    combiner.identity = combiner.mnemonic[0] == 'a' ? "-1" : "0";
    return combiner;
  }
  combiner.mnemonic = builder.random.pick({"addi", "muli", "andi", "ori", "xori", "maxi", "mini"});
  switch (combiner.mnemonic[0]) {
  case 'm': {
    if (combiner.mnemonic[1] == 'u') {
      combiner.identity = "1";
      break;
    }
    bool isMax = combiner.mnemonic[1] == 'a', isSigned = builder.random.chance(60);
    combiner.suffix = isSigned ? " signed" : " unsigned";
    int64_t signedEnd = isMax ? getMinimum(element) : getMaximum(element);
    combiner.identity = std::to_string(isSigned ? signedEnd : isMax ? 0 : -1);
    combiner.facts = facts;
    break;
  }
  case 'a':
    combiner.identity = combiner.mnemonic[1] == 'n' ? "-1" : "0";
    break;
  default:
    combiner.identity = "0";
  }
  return combiner;
}

static Combiner pickFloatCombiner(ProgramBuilder &builder, Element element, const Facts &facts, int64_t count) {
  Combiner combiner;
  // In which order is not specified: no order may overflow, and the result is exact only if no order rounds.
  const ElementInfo &info = getInfo(element);
  int growth = static_cast<int>(llvm::Log2_64_Ceil(static_cast<uint64_t>(count))), times = static_cast<int>(count);
  bool isBounded = facts.isFinite() && facts.hasGrid;
  bool canSum = isBounded && facts.magnitude + growth <= info.magnitude;
  bool canMultiply = isBounded && facts.magnitude * times <= info.magnitude && facts.quantum * times >= info.quantum;
  const char *choice = builder.random.pick({"addf", "addf", "mulf", "maxf", "minf"});
  if (choice[0] == 'a' && canSum) {
    combiner.mnemonic = choice;
    combiner.identity = "0.0";
    combiner.facts = gridFacts(facts.quantum, facts.magnitude + growth);
    combiner.facts.exact = fitsGrid(element, facts.quantum, facts.magnitude + growth);
    return combiner;
  }
  if (choice[1] == 'u' && canMultiply) {
    combiner.mnemonic = choice;
    combiner.identity = "1.0";
    combiner.facts.exact = false;
    return combiner;
  }
  combiner.mnemonic = choice[0] == 'a' || choice[1] == 'i' ? "minf" : "maxf";
  bool isMax = combiner.mnemonic[1] == 'a';
  combiner.identity = printLiteral(element, encode(element, isMax ? -INFINITY : INFINITY));
  combiner.suffix = builder.random.chance(40) ? " propagate_nan" : "";
  combiner.facts = facts;
  return combiner;
}

static Combiner pickCombiner(ProgramBuilder &builder, const Value &value, int64_t count) {
  return isFloat(value.type.element) ? pickFloatCombiner(builder, value.type.element, value.facts, count)
                                     : pickIntCombiner(builder, value.type.element, value.facts);
}

static const char *describe(Element element) {
  return getInfo(element).name;
}

namespace {

/// The text of a reduce or scan over several operands, and the values it gives.
struct Aggregate {
  std::string head; ///< "reduce" or "scan" with dimension and direction
  llvm::SmallVector<Value> operands, results;
  llvm::SmallVector<std::string> identities;
};

} // namespace

static void print(ProgramBuilder &builder, Aggregate &aggregate, llvm::StringRef direction, size_t dim,
                  llvm::function_ref<llvm::SmallVector<std::string>(llvm::ArrayRef<std::string>)> makeBody) {
  llvm::SmallVector<std::string> operands, types, results, identities;
  for (auto [operand, result, identity] : llvm::zip(aggregate.operands, aggregate.results, aggregate.identities)) {
    operands.push_back(operand.name);
    types.push_back(operand.type.str());
    results.push_back(result.type.str());
    identities.push_back(identity + " : " + describe(operand.type.element));
  }
  std::string name = builder.freshName();
  size_t count = operands.size();
  builder.line(name + (count > 1 ? ":" + std::to_string(count) : "") + " = " + aggregate.head + " " +
               llvm::join(operands, ", ") + " dim=" + Twine(dim) + direction + " identities=[" +
               llvm::join(identities, ", ") + "] : " + llvm::join(types, ", ") + " -> " + llvm::join(results, ", "));
  llvm::SmallVector<std::string> arguments, signature;
  for (const Value &operand : aggregate.operands)
    for (int side = 0; side < 2; ++side) {
      arguments.push_back(builder.freshName());
      signature.push_back(arguments.back() + ": " + scalarOf(operand.type.element).str());
    }
  builder.line("(" + llvm::join(signature, ", ") + ") {");
  builder.indent();
  llvm::SmallVector<std::string> yields = makeBody(arguments), yieldTypes;
  for (const Value &operand : aggregate.operands)
    yieldTypes.push_back(scalarOf(operand.type.element).str());
  builder.line("yield " + llvm::join(yields, ", ") + " : " + llvm::join(yieldTypes, ", "));
  builder.dedent();
  builder.line("}");
  for (auto [i, result] : llvm::enumerate(aggregate.results)) {
    result.name = count > 1 ? name + "#" + std::to_string(i) : name;
    builder.publish(result);
  }
}

/// Each operand is combined by an operation of its own.
static void makeIndependent(ProgramBuilder &builder, Aggregate &aggregate, llvm::StringRef direction, size_t dim,
                            llvm::ArrayRef<Combiner> combiners) {
  print(builder, aggregate, direction, dim, [&](llvm::ArrayRef<std::string> arguments) {
    llvm::SmallVector<std::string> yields;
    for (auto [i, combiner] : llvm::enumerate(combiners)) {
      Type scalar = scalarOf(aggregate.operands[i].type.element);
      yields.push_back(builder
                           .compute(scalar, {},
                                    Twine(combiner.mnemonic) + " " + arguments[2 * i] + ", " + arguments[2 * i + 1] +
                                        combiner.suffix + " : " + scalar.str())
                           .name);
    }
    return yields;
  });
}

/// The largest (or smallest) number and where it is; of equals the first. Commutative, as a reduction must be.
static void makeArgument(ProgramBuilder &builder, const Value &values, size_t dim) {
  Element element = values.type.element;
  bool floats = isFloat(element), wantsLargest = builder.random.chance(50);
  Shape row(values.type.shape.size(), 1);
  row[dim] = values.type.shape[dim];
  Value numbers = builder.rowMajorIota(Element::I32, row);
  Type indexType = values.type.with(Element::I32);
  if (!(numbers.type == indexType))
    numbers = builder.compute(indexType, numbers.facts,
                              "broadcast " + numbers.name + " : " + numbers.type.str() + " -> " + indexType.str());
  Aggregate aggregate{"reduce", {values, numbers}, {values, numbers}, {}};
  for (Value &result : aggregate.results)
    result.type.shape.erase(result.type.shape.begin() + static_cast<ptrdiff_t>(dim));
  std::string worst = floats ? printLiteral(element, encode(element, wantsLargest ? -INFINITY : INFINITY))
                             : std::to_string(wantsLargest ? getMinimum(element) : getMaximum(element));
  aggregate.identities = {worst, std::to_string(getMaximum(Element::I32))};
  aggregate.results[1].facts = rangeFacts(0, values.type.shape[dim] - 1);
  std::string scalar = scalarOf(element).str(), compare = floats ? "cmpf " : "cmpi ";
  std::string order = floats ? " ordered " : " ", sign = floats ? "" : ", signed";
  print(builder, aggregate, "", dim, [&](llvm::ArrayRef<std::string> arguments) {
    Type bit = scalarOf(Element::I1), i32 = scalarOf(Element::I32);
    std::string pair = arguments[0] + ", " + arguments[1] + sign + " : " + scalar + " -> tile<i1>";
    Value better = builder.compute(bit, {}, compare + (wantsLargest ? "greater_than" : "less_than") + order + pair);
    Value same = builder.compute(bit, {}, compare + "equal" + order + pair);
    Value first = builder.compute(
        bit, {}, "cmpi less_than " + arguments[2] + ", " + arguments[3] + ", signed : tile<i32> -> tile<i1>");
    Value takes = builder.binary("ori", better, builder.binary("andi", same, first, {}), {});
    auto choose = [&](const std::string &lhs, const std::string &rhs, const Type &type) {
      return builder.compute(type, {}, "select " + takes.name + ", " + lhs + ", " + rhs + " : tile<i1>, " + type.str())
          .name;
    };
    return llvm::SmallVector<std::string>{choose(arguments[0], arguments[1], scalarOf(element)),
                                          choose(arguments[2], arguments[3], i32)};
  });
}

/// Composition of x -> a * x + b, which is associative and not commutative: (a, b) then (c, d) is (a * c, b * c + d).
/// The first argument of each pair is the later element.
static void makeAffineScan(ProgramBuilder &builder, const Value &factor, size_t dim, llvm::StringRef direction) {
  Value summand = builder.operand(factor.type);
  Element element = factor.type.element;
  Type scalar = scalarOf(element);
  Aggregate aggregate{"scan", {factor, summand}, {factor, summand}, {"1", "0"}};
  for (Value &result : aggregate.results)
    result.facts = unknownFacts(element);
  print(builder, aggregate, direction, dim, [&](llvm::ArrayRef<std::string> arguments) {
    auto value = [&](size_t i) { return Value{arguments[i], scalar, {}}; };
    Value product = builder.binary("muli", value(1), value(0), {});
    Value sum = builder.binary("addi", builder.binary("muli", value(3), value(0), {}), value(2), {});
    return llvm::SmallVector<std::string>{product.name, sum.name};
  });
}

/// A value to combine, along which dimension.
static std::optional<Value> pickOperand(ProgramBuilder &builder, size_t &dim) {
  static constexpr Element elements[] = {Element::I1,  Element::I8,   Element::I16, Element::I32, Element::I64,
                                         Element::F16, Element::BF16, Element::F32, Element::F64};
  Shape shape = builder.pickShape();
  if (shape.empty())
    return std::nullopt;
  dim = builder.random.below(shape.size());
  Need need = builder.random.pick({Need::Exact, Need::Finite, Need::Small});
  return builder.operand({builder.random.pick<Element>(elements), shape, false}, need);
}

bool tileiras::fuzz::makeReduction(ProgramBuilder &builder) {
  size_t dim = 0;
  std::optional<Value> first = pickOperand(builder, dim);
  if (!first)
    return false;
  if (first->type.element != Element::I1 && first->facts.isFinite() && builder.random.chance(20)) {
    makeArgument(builder, *first, dim);
    return true;
  }
  Aggregate aggregate{"reduce", {*first}, {}, {}};
  for (unsigned extra = builder.random.chance(25) ? 1 : 0; extra > 0; --extra)
    aggregate.operands.push_back(builder.operand(
        first->type.with(builder.random.pick({Element::I32, Element::F32, Element::I64})), Need::Exact));
  llvm::SmallVector<Combiner> combiners;
  for (const Value &operand : aggregate.operands) {
    combiners.push_back(pickCombiner(builder, operand, operand.type.shape[dim]));
    aggregate.identities.push_back(combiners.back().identity);
    Value result{"", operand.type, combiners.back().facts};
    result.type.shape.erase(result.type.shape.begin() + static_cast<ptrdiff_t>(dim));
    aggregate.results.push_back(result);
  }
  makeIndependent(builder, aggregate, "", dim, combiners);
  return true;
}

bool tileiras::fuzz::makeScan(ProgramBuilder &builder) {
  size_t dim = 0;
  std::optional<Value> first = pickOperand(builder, dim);
  if (!first)
    return false;
  llvm::StringRef direction = builder.random.chance(40) ? " reverse=true" : " reverse=false";
  bool isWideInt = llvm::is_contained(kWideInts, first->type.element);
  if (isWideInt && builder.random.chance(40)) {
    makeAffineScan(builder, *first, dim, direction);
    return true;
  }
  Combiner combiner = pickCombiner(builder, *first, first->type.shape[dim]);
  Aggregate aggregate{"scan", {*first}, {{"", first->type, combiner.facts}}, {combiner.identity}};
  makeIndependent(builder, aggregate, direction, dim, combiner);
  return true;
}
