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
#include <optional>

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

/// One of the equal parts that values of a size are used in. Parts are told apart by `number`, one of the model's own.
struct ValuePart {
  int64_t number = 0;
  int64_t count = 1; ///< that the value has
  int64_t size = 0;  ///< of such a value, as the model's `getSize` has it

  bool operator==(const ValuePart &) const = default;
};

/// What a value is only a name for.
struct ValueName {
  mlir::ValueRange values;
  std::optional<ValuePart> part; ///< of those that hold `values` and have its size; nothing: all of them
};

/// What takes room while it is alive.
class PressureModel {
public:
  virtual ~PressureModel() = default;
  /// Of a value; what is made anew for each use should cost nothing.
  virtual int64_t getCost(mlir::Value value) const = 0;
  /// Beside values: of an operation while it works; of one with a region that may run again, as long as that runs.
  virtual int64_t getCost(mlir::Operation *) const { return 0; }
  /// What has to be alive as long as `value` is used, if that is not the value itself. Asked about once or a few times.
  virtual std::optional<ValueName> getName(mlir::Value) const { return std::nullopt; }
  /// Of a value that has no other name, in the unit of `ValuePart::size`.
  virtual int64_t getSize(mlir::Value) const { return 0; }
};

/// Measures a program of structured control flow, in its order. A value that a region uses from outside is alive
/// throughout the region, if that may run again; one that is used in parts takes room for those still to be used. An
/// estimate: the instructions of a tile operation are interleaved with those around it later on. Takes time in
/// proportion to the program, if the model does.
RegisterPressure measureRegisterPressure(mlir::Region &body, const PressureModel &model);
/// Of values alone.
RegisterPressure measureRegisterPressure(mlir::Region &body, llvm::function_ref<int64_t(mlir::Value)> cost);

} // namespace tileiras

namespace tileiras::as {

/// 32-bit registers of a thread for a tile; predicates that stay are packed, some into each byte of a register. 0 for
/// what is no tile of threads.
int64_t countTileRegisters(mlir::Type type);

} // namespace tileiras::as

#endif // TILEIRAS_ANALYSIS_REGISTERPRESSURE_H
