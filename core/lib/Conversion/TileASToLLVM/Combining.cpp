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

/// The operation that combines operand `index`, if it does nothing but that.
static bool combinesCommutatively(Block &body, Value yielded, unsigned index) {
  Operation *op = yielded.getDefiningOp();
  if (!op || op->getNumOperands() != 2 || !op->hasTrait<OpTrait::IsCommutative>())
    return false;
  Value element = body.getArgument(2 * index), accumulated = body.getArgument(2 * index + 1);
  return (op->getOperand(0) == element && op->getOperand(1) == accumulated) ||
         (op->getOperand(1) == element && op->getOperand(0) == accumulated);
}

Combiner::Combiner(Emitter &emit, const LLVMTileTypeConverter &converter, Region &region)
    : emit(emit), converter(converter), body(region.front()) {}

bool isCommutative(Region &region) {
  Block &body = region.front();
  return llvm::all_of(llvm::enumerate(body.getTerminator()->getOperands()),
                      [&](auto yielded) { return combinesCommutatively(body, yielded.value(), yielded.index()); });
}

Tuple Combiner::combine(const Tuple &first, const Tuple &second) {
  // The body speaks of unconverted types; casts meet in the middle when the clones are lowered in turn.
  auto cast = [&](Value value, Type type) -> Value {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(emit.builder, emit.location, type, value).getResult(0);
  };
  IRMapping map;
  for (unsigned i = 0; i < first.size(); ++i) {
    map.map(body.getArgument(2 * i), cast(second[i], body.getArgument(2 * i).getType()));
    map.map(body.getArgument(2 * i + 1), cast(first[i], body.getArgument(2 * i + 1).getType()));
  }
  for (Operation &op : body.without_terminator())
    emit.builder.clone(op, map);
  Tuple results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(cast(map.lookupOrDefault(value), converter.convertType(value.getType())));
  return results;
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
