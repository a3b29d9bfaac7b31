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

std::optional<WideCombiner> WideCombiner::find(Emitter &emit, const LoweringContext &lowering, Operation *op) {
  if (std::optional<std::string> opcode = getPackedOpcode(lowering, op))
    return WideCombiner(emit, lowering, *opcode, /*takesThree=*/false);
  if (std::optional<std::string> opcode = getTernaryOpcode(lowering, op))
    return WideCombiner(emit, lowering, *opcode, /*takesThree=*/true);
  return std::nullopt;
}

/// Two registers that a packed instruction has as one operand.
static bool isPair(const RegisterElement &first, const RegisterElement &second) {
  return first.reg % 2 == 0 && second.reg == first.reg + 1;
}

SmallVector<Value> WideCombiner::combine(SmallVector<SmallVector<RegisterElement>> groups) {
  if (takesThree)
    return llvm::map_to_vector(groups, [&](const SmallVector<RegisterElement> &group) { return combineThrees(group); });
  for (SmallVector<RegisterElement> &group : groups)
    llvm::sort(group, [](const RegisterElement &a, const RegisterElement &b) { return a.reg < b.reg; });
  SmallVector<Value> results;
  for (ArrayRef<SmallVector<RegisterElement>> rest = groups; !rest.empty();) {
    const bool hasPartner = rest.size() > 1 && isPair(rest[0].front(), rest[1].front());
    llvm::append_range(results, combinePairs(rest.take_front(hasPartner ? 2 : 1)));
    rest = rest.drop_front(hasPartner ? 2 : 1);
  }
  return results;
}

/// One group, or two whose elements are neighbours one by one: pairs are of two of the first, or of one of each.
SmallVector<Value> WideCombiner::combinePairs(ArrayRef<SmallVector<RegisterElement>> groups) {
  const SmallVector<RegisterElement> &first = groups.front();
  const bool isOfPairs = groups.size() == 1 && first.size() > 1 && isPair(first[0], first[1]);
  SmallVector<SmallVector<Value>> steps(first.size() / (isOfPairs ? 2 : 1));
  for (const SmallVector<RegisterElement> &group : groups)
    for (auto [number, element] : llvm::enumerate(group))
      steps[isOfPairs ? number / 2 : number].push_back(element.value);
  auto combineTwo = [&](const SmallVector<Value> &a, const SmallVector<Value> &b) {
    return emitF32Arithmetic(emit, lowering, opcode, {a, b});
  };
  SmallVector<Value> results = combineTree<SmallVector<Value>>(steps, combineTwo);
  return isOfPairs ? combineTwo({results[0]}, {results[1]}) : results;
}

/// Three neighbours, then three of those; three of a size as soon as there are, so that few wait for others.
Value WideCombiner::combineThrees(ArrayRef<RegisterElement> group) {
  SmallVector<Value> waiting;
  auto combineLast = [&](size_t count) {
    const Value combined = emitPtxInstruction(emit, opcode + ".f32", emit.f32(), ArrayRef(waiting).take_back(count));
    waiting.truncate(waiting.size() - count);
    waiting.push_back(combined);
  };
  for (auto [number, element] : llvm::enumerate(group)) {
    waiting.push_back(element.value);
    for (size_t size = number + 1; size % 3 == 0; size /= 3)
      combineLast(3);
  }
  while (waiting.size() > 1)
    combineLast(std::min<size_t>(waiting.size(), 3));
  return waiting.front();
}

} // namespace tileiras
