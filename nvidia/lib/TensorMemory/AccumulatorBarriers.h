//===- AccumulatorBarriers.h - Who is waited for alone ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait for all products that have been started holds up those that are to go on meanwhile. In loops, and where others
// follow, the products of an accumulator can have a barrier of their own instead: it is told behind each of them, and
// who needs the accumulator waits there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORBARRIERS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORBARRIERS_H

#include "AccumulatorWebs.h"
#include "llvm/ADT/DenseMap.h"

namespace tileiras {
class LoweringContext;

/// A variable in which each thread keeps a parity, `first` in the beginning.
mlir::Value createParity(mlir::OpBuilder &builder, mlir::Location location, int32_t first);

class AccumulatorBarriers {
public:
  /// Finds the webs of `products` that have a barrier: those where the products of one scope read nothing but stages of
  /// pipelines and, in loops, what the loop does not write, so that no other memory is written before they are
  /// complete. `firstNumber`: of their barriers.
  AccumulatorBarriers(const AccumulatorWebs &webs, llvm::ArrayRef<as::AsyncDotOp> products, unsigned firstNumber);

  unsigned getCount() const { return webs.size(); }

  /// The webs have a barrier each; variables of the threads hold the parities.
  void createPhases(mlir::OpBuilder &builder, mlir::Location location);
  /// Tells the barriers, which are at `barriers`, behind each product.
  void commitProducts(mlir::Value barriers);
  /// Emits a wait for the products of web `web` alone, at the builder's place; false where all products have to be
  /// waited for: outside loops, unless further products come before any other use of shared memory.
  bool emitWait(mlir::OpBuilder &builder, mlir::Location location, unsigned web, mlir::Value barriers,
                const LoweringContext &lowering) const;
  /// A parity tells two commits apart, not three: of accumulators whose products may start before the ones before have
  /// been waited for, nobody learns anything, and who waits for them waits for all products, by `emitWait`. Returns how
  /// many barriers are left, which are numbered anew.
  unsigned dropAmbiguous(mlir::Operation *function,
                         llvm::function_ref<void(mlir::OpBuilder &, mlir::Operation *)> emitWait);
  /// The web of the product's accumulator if it has a barrier.
  std::optional<unsigned> findWeb(as::AsyncDotOp product) const;

private:
  struct Web {
    llvm::SmallVector<as::AsyncDotOp> products;
    uint32_t number = 0;
    mlir::Value phase;
  };
  uint32_t firstNumber;
  llvm::MapVector<unsigned, Web> webs; ///< by their places among all webs
};

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_ACCUMULATORBARRIERS_H
