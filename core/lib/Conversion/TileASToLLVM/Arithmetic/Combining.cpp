//===- Combining.cpp - What reductions and scans share --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combining.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

Combiner::Combiner(Emitter &emit, const LLVMTileTypeConverter &converter, Region &region)
    : emit(emit), converter(converter), body(region.front()) {}

/// The body speaks of unconverted types; casts meet in the middle when the clones are lowered themselves.
Value Combiner::cast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(emit.builder, emit.location, type, value).getResult(0);
}

void Combiner::map(IRMapping &arguments, unsigned index, Value first, Value second) {
  BlockArgument element = body.getArgument(2 * index), accumulated = body.getArgument(2 * index + 1);
  arguments.map(element, cast(second, element.getType()));
  arguments.map(accumulated, cast(first, accumulated.getType()));
}

Tuple Combiner::combine(const Tuple &first, const Tuple &second) {
  IRMapping arguments;
  for (unsigned i = 0; i < first.size(); ++i)
    map(arguments, i, first[i], second[i]);
  for (Operation &op : body.without_terminator())
    emit.builder.clone(op, arguments);
  Tuple results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(cast(arguments.lookupOrDefault(value), converter.convertType(value.getType())));
  return results;
}

Value Combiner::combine(unsigned index, Operation *op, Value first, Value second) {
  IRMapping arguments;
  map(arguments, index, first, second);
  return cast(emit.builder.clone(*op, arguments)->getResult(0), first.getType());
}

Tuple selectTuple(Emitter &emit, Value condition, const Tuple &ifTrue, const Tuple &ifFalse) {
  Tuple result;
  for (auto [a, b] : llvm::zip_equal(ifTrue, ifFalse))
    result.push_back(emit.select(condition, a, b));
  return result;
}

Tuple shuffleTuple(Emitter &emit, ShuffleKind kind, const Tuple &tuple, Value lane) {
  Tuple result;
  for (Value value : tuple)
    result.push_back(emitShuffle(emit, kind, value, lane));
  return result;
}

std::optional<AxisBits> getAxisBits(const LinearLayout &layout, unsigned axis) {
  AxisBits bits;
  int64_t seen = 0;
  auto collect = [&](LayoutDim dim, SmallVectorImpl<AxisBits::Bit> &into) {
    for (auto [input, basis] : llvm::enumerate(layout.getBases(dim))) {
      int64_t step = basis[axis];
      if (step == 0)
        continue;
      bool elsewhere = llvm::any_of(llvm::enumerate(basis), [&](auto coordinate) {
        return coordinate.index() != axis && coordinate.value() != 0;
      });
      if (elsewhere || !llvm::isPowerOf2_64(step) || (seen & step))
        return false;
      seen |= step;
      into.push_back({unsigned(input), step});
    }
    llvm::sort(into, [](AxisBits::Bit a, AxisBits::Bit b) { return a.step < b.step; });
    return true;
  };
  if (!collect(LayoutDim::Register, bits.registers) || !collect(LayoutDim::Lane, bits.lanes) ||
      !collect(LayoutDim::Warp, bits.warps))
    return std::nullopt;
  return bits;
}

} // namespace tileiras
