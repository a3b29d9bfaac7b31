//===- SharedArena.h - One arena of shared memory ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All shared memory of a kernel (tiles, scratch areas, allocas, barriers) is parts of one arena: what is not in use at
// the same time may lie in the same place. Whoever puts one after the other there also puts a barrier in between
// (`tileas-place-barriers` does).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SHAREDARENA_H
#define TILEIRAS_LOWERING_SHAREDARENA_H

#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace tileiras {
namespace as {
class CreatePipelineOp;
}

/// When something is in use: positions in a ProgramOrder, both inclusive.
struct Lifetime {
  int64_t begin = 0, end = 0;
  bool overlaps(Lifetime other) const { return begin <= other.end && other.begin <= end; }
};

/// The operations of a structured program, numbered in their order.
class ProgramOrder {
public:
  explicit ProgramOrder(mlir::Region &body);

  Lifetime getWhole() const { return {0, numOperations}; }
  /// From the operation to the last one nested in it.
  Lifetime getLifetime(mlir::Operation *op) const { return lifetimes.lookup(op); }
  /// What `op` uses in `lifetime` is its agent's: the others run at the same time. As long as those that have tiles of
  /// their own in memory.
  Lifetime besideOthers(mlir::Operation *op, Lifetime lifetime) const;
  /// As long as the memory that `buffer` names is used. A use in a loop or in an execution scope lasts until the end of
  /// that, if the memory is from outside, and an asynchronous one until its token is waited for; memory that is passed
  /// on to another value is used everywhere. The stages of a pipeline (`buffer` may be the pipeline itself) are in use
  /// from the start of the program to the last use of the pipeline, its iterators and tokens: by then all that was put
  /// in has been taken out.
  Lifetime getLifetime(mlir::Value buffer) const;

private:
  /// Up to the end of `user` and of the loops and execution scopes around it that `home` is outside of.
  void extend(Lifetime &lifetime, mlir::Operation *user, mlir::Block *home) const;
  /// Up to the last use of `first` that are handles, and of those that they are handed on to.
  void followHandles(Lifetime &lifetime, mlir::ValueRange first, mlir::Block *home,
                     llvm::function_ref<bool(mlir::Value)> isHandle) const;
  Lifetime getPipelineLifetime(as::CreatePipelineOp pipeline) const;

  llvm::DenseMap<mlir::Operation *, Lifetime> lifetimes;
  llvm::DenseSet<mlir::Region *> allocating; ///< of agents, those with tiles of their own in memory
  int64_t numOperations = 0;
};

/// Offsets and lifetimes of the parts of an arena, in bytes.
class SharedArena {
public:
  /// The lowest offset, a multiple of `alignment`, at which `bytes` are free during `lifetime`. Looks at the parts that
  /// are in use then, not at all.
  int64_t find(int64_t bytes, int64_t alignment, Lifetime lifetime) const;
  /// Takes them.
  void take(int64_t offset, int64_t bytes, Lifetime lifetime);
  /// find and take.
  int64_t allocate(int64_t bytes, int64_t alignment, Lifetime lifetime);

  /// The end of the last part.
  int64_t getBytes() const { return end; }

private:
  /// Offsets, the second one behind the last byte.
  using Part = std::pair<int64_t, int64_t>;
  /// 2^level positions of the program from a multiple of that on: where a lifetime covers them, but not the twice as
  /// many around them, its part is among those of the span.
  struct Span {
    unsigned level;
    int64_t number;

    Lifetime getLifetime() const { return {number << level, ((number + 1) << level) - 1}; }
    Span getHalf(unsigned which) const { return {level - 1, 2 * number + which}; }
  };
  struct Content {
    llvm::SmallVector<Part, 1> parts;
    bool hasHalves = false; ///< its halves have some
  };
  Content &getContent(Span span) { return spans[{span.level, span.number}]; }
  void insert(Span span, Part part, Lifetime lifetime);
  void collect(Span span, Lifetime lifetime, llvm::SmallVectorImpl<Part> &found) const;

  llvm::DenseMap<std::pair<unsigned, int64_t>, Content> spans;
  unsigned levels = 0; ///< of the span that holds all
  int64_t end = 0;
};

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SHAREDARENA_H
