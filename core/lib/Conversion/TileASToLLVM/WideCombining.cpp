//===- WideCombining.cpp - More than two elements at a time ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WideCombining.h"
#include "Combining.h"
#include "tileiras/Lowering/PackedArithmetic.h"

using namespace mlir;

namespace tileiras {

std::optional<WideCombiner> WideCombiner::find(Emitter &emit, const LoweringContext &lowering, Region &body) {
  Operation *first = &body.front().front();
  if (!isCommutative(body) || !llvm::hasNItems(body.front(), 2))
    return std::nullopt;
  if (std::optional<std::string> opcode = getPackedOpcode(lowering, first))
    return WideCombiner(emit, lowering, *opcode, /*takesThree=*/false);
  if (std::optional<std::string> opcode = getTernaryOpcode(lowering, first))
    return WideCombiner(emit, lowering, *opcode, /*takesThree=*/true);
  return std::nullopt;
}

SmallVector<Value> WideCombiner::combine(SmallVector<SmallVector<RegisterElement>> groups) {
  if (takesThree)
    return llvm::map_to_vector(groups, [&](const SmallVector<RegisterElement> &group) { return combineThrees(group); });
  while (llvm::any_of(groups, [](const SmallVector<RegisterElement> &group) { return group.size() > 1; }))
    halve(groups);
  return llvm::map_to_vector(groups, [](const SmallVector<RegisterElement> &group) { return group.front().value; });
}

/// Three neighbours, then three of those.
Value WideCombiner::combineThrees(ArrayRef<RegisterElement> group) {
  SmallVector<Value> values = llvm::map_to_vector(group, [](const RegisterElement &element) { return element.value; });
  while (values.size() > 1) {
    SmallVector<Value> next;
    for (ArrayRef<Value> rest = values; !rest.empty();) {
      ArrayRef<Value> some = rest.take_front(3);
      rest = rest.drop_front(some.size());
      next.push_back(some.size() == 1 ? some.front() : emitPtxInstruction(emit, opcode + ".f32", emit.f32(), some));
    }
    values = std::move(next);
  }
  return values.front();
}

/// Adds the second half of each group to its first: neighbours in registers stay neighbours.
void WideCombiner::halve(MutableArrayRef<SmallVector<RegisterElement>> groups) {
  struct Step {
    RegisterElement *into;
    RegisterElement other;
  };
  SmallVector<Step> steps;
  for (SmallVector<RegisterElement> &group : groups) {
    const size_t kept = group.size() - group.size() / 2;
    for (size_t i = kept; i < group.size(); ++i)
      steps.push_back({&group[i - kept], group[i]});
    group.truncate(kept);
  }
  llvm::sort(steps, [](const Step &a, const Step &b) { return a.into->reg < b.into->reg; });
  for (ArrayRef<Step> rest = steps; !rest.empty();) {
    auto isPair = [](unsigned first, unsigned second) { return first % 2 == 0 && second == first + 1; };
    const bool isPacked =
        rest.size() > 1 && isPair(rest[0].into->reg, rest[1].into->reg) && isPair(rest[0].other.reg, rest[1].other.reg);
    ArrayRef<Step> some = rest.take_front(isPacked ? 2 : 1);
    rest = rest.drop_front(some.size());
    const SmallVector<Value> results =
        emitF32Arithmetic(emit, lowering, opcode,
                          {llvm::map_to_vector(some, [](const Step &step) { return step.into->value; }),
                           llvm::map_to_vector(some, [](const Step &step) { return step.other.value; })});
    for (auto [step, result] : llvm::zip_equal(some, results))
      step.into->value = result;
  }
}

} // namespace tileiras
