//===- Combining.h - What reductions and scans share ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_COMBINING_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_COMBINING_H

#include "Conversion/TileASToLLVM/Patterns.h"

namespace tileiras {

/// One scalar for each operand of a reduction or scan: what its body combines.
using Tuple = llvm::SmallVector<mlir::Value, 2>;

/// Emits the body of a reduction or scan, whose arguments are, for one operand after the other, an element and the
/// value accumulated so far.
class Combiner {
public:
  Combiner(Emitter &emit, const LLVMTileTypeConverter &converter, mlir::Region &body);

  /// `first` stands before `second` along the axis.
  Tuple combine(const Tuple &first, const Tuple &second);

  /// The same for operand `index` alone, which nothing but the commutative `op` of the body combines.
  mlir::Value combine(unsigned index, mlir::Operation *op, mlir::Value first, mlir::Value second);

private:
  mlir::Value cast(mlir::Value value, mlir::Type type);
  void map(mlir::IRMapping &arguments, unsigned index, mlir::Value first, mlir::Value second);

  Emitter &emit;
  const LLVMTileTypeConverter &converter;
  mlir::Block &body;
};

/// Pairs of neighbours, then pairs of pairs: short dependence chains, the same order in every run. The first half is
/// finished before the second begins, so that few parts wait for another.
template <typename T, typename Combine>
T combineTree(llvm::ArrayRef<T> values, Combine combine) {
  if (values.size() == 1)
    return values.front();
  const size_t half = values.size() / 2;
  T first = combineTree(values.take_front(half), combine);
  return combine(first, combineTree(values.drop_front(half), combine));
}

/// Chooses between tuples by a scalar condition.
Tuple selectTuple(Emitter &emit, mlir::Value condition, const Tuple &ifTrue, const Tuple &ifFalse);
Tuple shuffleTuple(Emitter &emit, ShuffleKind kind, const Tuple &tuple, mlir::Value lane);

/// How a layout distributes the positions along one dimension.
struct AxisBits {
  /// The bits of each input whose basis steps along the axis, with their step.
  struct Bit {
    unsigned input;
    int64_t step;
  };
  llvm::SmallVector<Bit> registers, lanes, warps; ///< by ascending step
};

/// Null if some bit steps along the axis and along another dimension at once, or if two bits share a step.
std::optional<AxisBits> getAxisBits(const LinearLayout &layout, unsigned axis);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_COMBINING_H
