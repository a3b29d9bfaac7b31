//===- WorkCollector.h - The works of an operation --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `collectWork` of WorkOpInterface adds to. Amounts count all threads of the CTA: an instruction runs in all lanes
// of all warps, and elements that several threads hold are computed by each of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_WORKCOLLECTOR_H
#define TILEIRAS_DIALECT_TILEAS_WORKCOLLECTOR_H

#include "mlir/IR/Operation.h"
#include "tileiras/Target/Footprint.h"
#include "tileiras/Work/WorkInterface.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace tileiras {

struct MmaQuery;

class WorkCollector {
public:
  /// Of a CTA of `warps` warps.
  explicit WorkCollector(uint32_t warps) : warps(warps) {}

  /// What `op` does if it runs `times` times. An operation that says no work is an error, which `take` returns.
  void collect(mlir::Operation *op, uint64_t times);
  /// What stands in the regions of `op`, each of which runs `times` times.
  void collectRegions(mlir::Operation *op, uint64_t times);
  /// What getElementWork says, for each element of the first result of `op`; nothing if `op` has no results.
  void collectElements(mlir::Operation *op, uint64_t times);

  /// `amount`: in the unit of `kind`. `type`: of what is computed or moved, null for barriers. `atom`: that the
  /// operation names; null where it names none.
  void add(WorkKind kind, mlir::Type type, uint64_t amount, as::AtomAttr atom = {});
  /// All bytes of a tile, moved `times` times.
  void addBytes(WorkKind kind, mlir::Type tile, uint64_t times, as::AtomAttr atom = {});
  /// Through shared memory: what is written, a barrier, what is read.
  void addExchange(mlir::Type written, mlir::Type read, uint64_t times);
  /// A matrix product that the atom computes.
  void addProduct(const MmaQuery &product, as::AtomAttr atom, uint64_t times);

  /// Elements of `type` that a thread computes: its registers of a tile with a layout, its share of any other tile, 1
  /// for what is no tile.
  uint64_t countPerThread(mlir::Type type) const;
  /// Those of all threads together.
  uint64_t countLanes(mlir::Type type) const;

  /// a · b, or the largest number where that does not fit: nothing that a program says overflows.
  static uint64_t multiply(uint64_t a, uint64_t b);

  /// All works, in order; failure, after a diagnostic, if an operation said none.
  mlir::FailureOr<llvm::SmallVector<WorkQuery>> take();

private:
  uint32_t warps;
  llvm::SmallVector<WorkQuery> works;
  bool isRefused = false;
};

/// The works of `op` and of what is nested in it, one after the other, of a CTA with the warps of the function around
/// it. None for what costs nothing at run time. An operation that says no work is an error at its location.
mlir::FailureOr<llvm::SmallVector<WorkQuery>> getOperationWork(mlir::Operation *op);

/// Attaches the interface to MLIR's own operations on numbers and to its control flow.
void registerUpstreamWork(mlir::DialectRegistry &registry);

} // namespace tileiras

#endif // TILEIRAS_DIALECT_TILEAS_WORKCOLLECTOR_H
