//===- Footprint.h - What an operation costs a machine ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core tells a target what the CTA has to do for an operation, as a list of works one after the other; the target
// answers each with the units it keeps busy and for how long. computeFootprint is the answer that follows from the
// machine model alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_FOOTPRINT_H
#define TILEIRAS_TARGET_FOOTPRINT_H

#include "mlir/IR/Diagnostics.h"
#include "tileiras/Target/Atoms.h"
#include "tileiras/Target/MachineModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tileiras {

/// Work of all warps of a CTA for one operation.
struct WorkQuery {
  WorkKind kind = WorkKind::Integer;
  std::string atom;                        ///< that the operation names; empty where the lowering chooses
  mlir::Type element;                      ///< of what is computed or moved; null for barriers
  uint64_t amount = 0;                     ///< see WorkKind; copies in several threads count
  uint32_t warps = 1;                      ///< that work on it
  uint64_t batch = 1, m = 0, n = 0, k = 0; ///< products only
};

/// Unit `unit` is busy for `duration` cycles, `offset` cycles after the start.
struct UnitUse {
  std::string unit;
  uint32_t offset = 0, duration = 1;
};

struct Footprint {
  llvm::SmallVector<UnitUse, 2> uses;
  uint32_t latency = 1; ///< cycles until the results are ready
};

/// Every unit that does this kind of work does it all, at its rate; of several latencies the longest counts. A product
/// occupies the first unit for products as long as its atom says; an atom for a copy says when data arrives. Work that
/// no unit does is an error.
mlir::FailureOr<Footprint> computeFootprint(const WorkQuery &query, const MachineModel &machine,
                                            const AtomCatalogue &atoms,
                                            llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tileiras

#endif // TILEIRAS_TARGET_FOOTPRINT_H
