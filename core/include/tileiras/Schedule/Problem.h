//===- Problem.h - What a scheduler is asked ---------------------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop body as a modulo scheduling problem: operations with resource footprints, dependences with latency and
// iteration distance, and the units they compete for. Model: B. R. Rau, "Iterative Modulo Scheduling" (1996); the
// split into problem, check() and verify() follows CIRCT.
//
// Text form, one statement a line, `#` starts a comment:
//
//   unit mma capacity 1
//   op load uses tma 8 latency 20          (unit and busy cycles; several `uses`; `+N` delays one, in cycles)
//   op dot uses mma 8 uses tp_mma +2 8 latency 16
//   edge load -> dot latency 20
//   edge dot -> dot latency 16 distance 1
//   buffer a bytes 8192 from load to dot
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_PROBLEM_H
#define TILEIRAS_SCHEDULE_PROBLEM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace tileiras {

/// One kind of functional unit: `capacity` operations may occupy it in the same cycle.
struct ExecutionUnit {
  std::string name;
  uint32_t capacity = 1;
};

/// `unit` is busy in cycles [offset, offset + duration) after the operation starts.
struct ResourceUse {
  unsigned unit = 0; ///< index into ScheduleProblem::units
  uint32_t offset = 0, duration = 1;
};

struct ScheduleOperation {
  std::string name; ///< unique
  llvm::SmallVector<ResourceUse, 2> uses;
  uint32_t latency = 1;          ///< cycles until its results are ready
  mlir::Operation *op = nullptr; ///< what it stands for; null in problems read from text
};

/// start(target) >= start(source) + latency - II * distance.
struct ScheduleDependence {
  unsigned source = 0, target = 0; ///< indices into ScheduleProblem::operations
  uint32_t latency = 0;            ///< cycles
  uint32_t distance = 0;           ///< iterations
};

/// Storage that holds a value from the start of `producer` to the last start of its consumers, once a stage.
struct ScheduleBuffer {
  std::string name;
  uint64_t bytes = 0;
  unsigned producer = 0;
  llvm::SmallVector<unsigned, 2> consumers;
};

class ScheduleProblem {
public:
  std::vector<ExecutionUnit> units;
  std::vector<ScheduleOperation> operations; ///< in program order
  std::vector<ScheduleDependence> dependences;
  std::vector<ScheduleBuffer> buffers;

  std::optional<unsigned> findUnit(llvm::StringRef name) const;
  std::optional<unsigned> findOperation(llvm::StringRef name) const;

  /// Is this a problem at all: names unique, indices in range, capacities positive, no cycle of dependences within one
  /// iteration. Every scheduler may rely on it.
  llvm::Error check() const;

  /// ResMII: the busiest unit's demand over its capacity, rounded up; at least 1. Bounds that do not fit are the
  /// largest number that does.
  uint32_t getResMII() const;
  /// RecMII: the largest latency ÷ distance over all recurrences, rounded up; at least 1. Requires check().
  uint32_t getRecMII() const;
  uint32_t getMinII() const { return std::max(getResMII(), getRecMII()); }

  void print(llvm::raw_ostream &os) const;
  /// Reads the text form. Errors name `source` and the line.
  static llvm::Expected<ScheduleProblem> parse(llvm::StringRef text, llvm::StringRef source = "<problem>");
};

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_PROBLEM_H
