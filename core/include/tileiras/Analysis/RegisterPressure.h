//===- RegisterPressure.h - How much is alive at once -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_REGISTERPRESSURE_H
#define TILEIRAS_ANALYSIS_REGISTERPRESSURE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras {

/// Bits of registers that one element of a tile takes, spread over the threads: a predicate takes a register, numbers
/// of less than 32 bits share one, a byte each at least; pointers have 64.
int64_t getRegisterBits(mlir::Type element);

/// 32-bit registers of each of `threads` threads that hold a tile of so many elements together.
int64_t countRegisters(int64_t elements, mlir::Type element, int64_t threads);

/// Tiles with more are computed in slices, whatever registers they need and even if products read them in memory:
/// straight-line code for more takes seconds to compile.
inline constexpr int64_t kMaxElementsPerThread = 256;

/// The point of a program where the values alive take most.
struct RegisterPressure {
  int64_t cost = 0;                ///< in the unit of the cost function
  mlir::Operation *peak = nullptr; ///< of the program, just before which they are alive; null in an empty one
};

/// What has to be alive: a value, or one of the equal parts that it is used in. Parts are told apart by `part`, a
/// number of the model's own.
struct Holder {
  mlir::Value value;
  int64_t part = 0;
  int64_t numParts = 1;
};

/// What takes room while it is alive.
class PressureModel {
public:
  virtual ~PressureModel() = default;
  /// Of a value; what is made anew for each use should cost nothing.
  virtual int64_t getCost(mlir::Value value) const = 0;
  /// Beside values: of an operation while it works; of one with a region that may run again, as long as that runs.
  virtual int64_t getCost(mlir::Operation *) const { return 0; }
  /// What has to be alive as long as `value` is used: it is perhaps only a name for others, or for parts of them.
  virtual void collectHolders(mlir::Value value, llvm::SmallVectorImpl<Holder> &holders) const {
    holders.push_back({value});
  }
};

/// Measures a program of structured control flow, in its order. A value that a region uses from outside is alive
/// throughout the region, if that may run again; one that is used in parts takes room for those still to be used. An
/// estimate: the instructions of a tile operation are interleaved with those around it later on.
RegisterPressure measureRegisterPressure(mlir::Region &body, const PressureModel &model);
/// Of values alone.
RegisterPressure measureRegisterPressure(mlir::Region &body, llvm::function_ref<int64_t(mlir::Value)> cost);

} // namespace tileiras

#endif // TILEIRAS_ANALYSIS_REGISTERPRESSURE_H
