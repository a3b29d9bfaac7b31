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
//   edge dot -> load order distance 4      (`order`: keeps no value alive)
//   pipe load -> dot depth 4               (a queue of 4 stages: the edge, and one back for the release; `latency N`)
//   mutex load -> store                    (the same without slack: one side waits for the other)
//   buffer a bytes 8192 from load to dot
//   registers 200                          (a thread has; `registers N` behind an op: its results take)
//   constraint dot gid 1 leader_gid 1 max_depth 2
//
// Constraints are named as the attributes `tileas.schedule.constraint.*` and `tileas.*` are.
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

/// What the attributes of an operation ask of its place. An absent integer is 0, except for the depth.
struct ScheduleConstraints {
  uint32_t group = 0, leaderGroup = 0; ///< joined if they differ; members of a leader's group share a depth (soft)
  std::optional<uint32_t> maxDepth;    ///< largest start ÷ II (hard)
  bool forceSerial = false;            ///< such operations follow each other in program order, iterations, too (hard)
  // The rest is for passes that slice and recompute; a scheduler carries it along.
  uint32_t preferredAtomSize = 0, maxSlicesForNonReduceAxis = 0, maxRecomputations = 0;
  bool enableDefusion = false, recomputable = false;

  bool operator==(const ScheduleConstraints &) const = default;
};

struct ScheduleOperation {
  std::string name; ///< unique
  llvm::SmallVector<ResourceUse, 2> uses;
  uint32_t latency = 1;          ///< cycles until its results are ready
  mlir::Operation *op = nullptr; ///< what it stands for; null in problems read from text
  uint32_t registers = 0;        ///< 32-bit registers a thread needs for the results; 0: none, or not known
  ScheduleConstraints constraints = {};
};

/// start(target) >= start(source) + latency - II * distance.
struct ScheduleDependence {
  unsigned source = 0, target = 0; ///< indices into ScheduleProblem::operations
  uint32_t latency = 0;            ///< cycles
  uint32_t distance = 0;           ///< iterations
  bool isOrder = false;            ///< no value: the target keeps the source's registers no longer
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
  uint32_t registersPerThread = 0; ///< that values may take before some are spilled; 0: not known

  /// A queue of `depth` stages between two operations: a value is there after `latency`, and a stage is free for the
  /// iteration that is `depth` later when `consumer` has finished. Depth 1 is a mutex: no slack.
  void addPipe(unsigned producer, unsigned consumer, uint32_t latency, uint32_t depth);
  /// `dependences`, and those that constraints imply. Schedules are verified against these.
  std::vector<ScheduleDependence> getAllDependences() const;

  std::optional<unsigned> findUnit(llvm::StringRef name) const;
  std::optional<unsigned> findOperation(llvm::StringRef name) const;

  /// Is this a problem at all: names unique, indices in range, capacities positive, no cycle of dependences within one
  /// iteration. Every scheduler may rely on it.
  llvm::Error check() const;

  /// ResMII: the busiest unit's demand over its capacity, rounded up; at least 1. Bounds that do not fit are the
  /// largest number that does.
  uint32_t getResMII() const;
  /// The unit that ResMII is about; nullopt: none is used.
  std::optional<unsigned> getCriticalUnit() const;
  /// The operations of a recurrence that RecMII is about, in order; empty: there is none above 1.
  std::vector<unsigned> getCriticalRecurrence() const;
  /// RecMII: the largest latency ÷ distance over all recurrences, rounded up; at least 1. Requires check().
  uint32_t getRecMII() const;
  /// FineMII: what operations need by themselves whatever the others do: one that keeps a unit of capacity c busy for d
  /// cycles on end meets itself when II < d ÷ c.
  uint32_t getFineMII() const;
  /// DepMII: the longest chain of dependences within an iteration, over the stages that depth constraints leave all
  /// operations; 1 without such constraints.
  uint32_t getDepMII() const;
  uint32_t getMinII() const { return std::max({getResMII(), getRecMII(), getFineMII(), getDepMII()}); }

  void print(llvm::raw_ostream &os) const;
  /// Reads the text form. Errors name `source` and the line.
  static llvm::Expected<ScheduleProblem> parse(llvm::StringRef text, llvm::StringRef source = "<problem>");
};

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_PROBLEM_H
