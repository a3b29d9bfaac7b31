//===- MmaSelection.h - From a product to its instruction -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a target is asked about the products of a program, and how one of its answers is taken.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_MMASELECTION_H
#define TILEIRAS_DIALECT_TILEAS_MMASELECTION_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras {

MmaQuery getMmaQuery(aa::DotOp op);
MmaQuery getMmaQuery(aa::MmaBlockScaleOp op);
MmaQuery getMmaQuery(as::DotOp op);
MmaQuery getMmaQuery(as::AsyncDotOp op);

/// Rows of the chip's instructions that read operands in shared memory: the most of which a multiple is `rows`, or the
/// least that there are; 0 where it has none. `target` may be empty.
int64_t getRowsOfWarpgroup(const ChipTarget &target, int64_t rows = 0);
/// The most rows of such an instruction.
int64_t getMostRowsOfWarpgroup(const ChipTarget &target);

/// Instructions of `atom`, whose operands are floats of 8 bits, keep too few bits of longer sums (arXiv 2412.19437,
/// section 3.3.2): unless that is wanted, sums of a few are added up apart, in registers besides the accumulator's.
bool sumsInParts(const MmaAtom &atom, bool fastAccumulation);
/// Instructions whose sum is one part: what CUTLASS adds up before it promotes.
constexpr unsigned kInstructionsOfPart = 4;
/// Parts under way at once, in registers of their own: two, so that one is added up while the next is computed; one
/// where registers are short and `othersMultiply`, warpgroups that keep the tensor cores busy meanwhile. All in
/// registers of a thread.
unsigned countPartsInFlight(int64_t accumulatorRegisters, int64_t partRegisters, bool othersMultiply,
                            const TuningModel &tuning);

/// The first of `candidates` that has a lowering and whose operands the caller can place; null for ordinary arithmetic.
/// When the target names instructions and none of them will do, that is an error that names them: a product is never
/// computed by ordinary arithmetic against its target's will.
mlir::FailureOr<const MmaAtom *> chooseMmaCandidate(const MmaCandidates &candidates,
                                                    llvm::function_ref<bool(const MmaAtom &)> canPlace,
                                                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace tileiras

#endif // TILEIRAS_DIALECT_TILEAS_MMASELECTION_H
