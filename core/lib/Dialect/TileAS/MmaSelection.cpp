//===- MmaSelection.cpp - From a product to its instruction ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include <set>

using namespace mlir;
using namespace tileiras;

/// The element types and extents that all forms of a product have.
template <typename OpTy>
static MmaQuery getCommonQuery(OpTy op) {
  auto a = cast<RankedTensorType>(op.getA().getType()), c = cast<RankedTensorType>(op.getC().getType());
  MmaQuery query;
  query.elementA = a.getElementType();
  query.elementB = cast<RankedTensorType>(op.getB().getType()).getElementType();
  query.elementC = c.getElementType();
  query.fastAccumulation = op.getFastAcc();
  query.batch = llvm::product_of(c.getShape().drop_back(2));
  query.m = c.getShape().drop_back().back();
  query.n = c.getShape().back();
  query.k = a.getShape().back();
  return query;
}

/// The elements that packed operands hold.
static void unpackElements(MmaQuery &query) {
  query.elementA = query.elementB = Float4E2M1FNType::get(query.elementA.getContext());
  query.k *= 2;
}

template <typename OpTy>
static MmaQuery getDotQuery(OpTy op) {
  MmaQuery query = getCommonQuery(op);
  query.unsignedA = op.getSignednessA() == aa::Signedness::Unsigned;
  query.unsignedB = op.getSignednessB() == aa::Signedness::Unsigned;
  return query;
}

MmaQuery tileiras::getMmaQuery(aa::DotOp op) {
  return getDotQuery(op);
}
/// Of a product that may be block-scaled.
template <typename OpTy>
static MmaQuery getScaledQuery(OpTy op) {
  MmaQuery query = getDotQuery(op);
  if (op.isBlockScaled()) {
    if (aa::isPacked(op))
      unpackElements(query);
    RankedTensorType scales = op.getScaleA().getType();
    query.elementScale = scales.getElementType();
    query.scaleBlock = query.k / scales.getShape().back();
  }
  return query;
}

MmaQuery tileiras::getMmaQuery(as::DotOp op) {
  return getScaledQuery(op);
}
MmaQuery tileiras::getMmaQuery(as::AsyncDotOp op) {
  return getScaledQuery(op);
}

MmaQuery tileiras::getMmaQuery(aa::MmaBlockScaleOp op) {
  MmaQuery query = getCommonQuery(op);
  if (aa::isPacked(op))
    unpackElements(query);
  // Scales of A are (M, K / block), those of B (K / block, N).
  if (Value scales = op.getSfa()) {
    auto type = cast<RankedTensorType>(scales.getType());
    query.elementScale = type.getElementType();
    query.scaleBlock = query.k / type.getShape().back();
  } else if (Value scales = op.getSfb()) {
    auto type = cast<RankedTensorType>(scales.getType());
    query.elementScale = type.getElementType();
    query.scaleBlock = query.k / type.getShape().drop_back().back();
  }
  return query;
}

/// Of the instructions that read operands in shared memory.
static std::set<int64_t> collectRowsOfWarpgroups(const ChipTarget &target) {
  std::set<int64_t> rows;
  if (target)
    for (const MmaAtom &atom : target.atoms().mma)
      if (atom.hasLowering && atom.spaceB == MemorySpace::Shared)
        rows.insert(atom.m);
  return rows;
}

int64_t tileiras::getRowsOfWarpgroup(const ChipTarget &target, int64_t rows) {
  const std::set<int64_t> all = collectRowsOfWarpgroups(target);
  for (int64_t each : llvm::reverse(all))
    if (rows != 0 && rows % each == 0)
      return each;
  return all.empty() ? 0 : *all.begin();
}

int64_t tileiras::getMostRowsOfWarpgroup(const ChipTarget &target) {
  const std::set<int64_t> all = collectRowsOfWarpgroups(target);
  return all.empty() ? 0 : *all.rbegin();
}

bool tileiras::sumsInParts(const MmaAtom &atom, bool fastAccumulation) {
  return atom.kind == MmaKind::Warpgroup && atom.a.bits == 8 && atom.c.type == "f32" && !fastAccumulation;
}

unsigned tileiras::countPartsInFlight(int64_t accumulatorRegisters, int64_t partRegisters, bool othersMultiply,
                                      const TuningModel &tuning) {
  return othersMultiply && accumulatorRegisters + 2 * partRegisters > tuning.registersOfParts ? 1 : 2;
}

FailureOr<const MmaAtom *> tileiras::chooseMmaCandidate(const MmaCandidates &candidates,
                                                        llvm::function_ref<bool(const MmaAtom &)> canPlace,
                                                        llvm::function_ref<InFlightDiagnostic()> emitError) {
  for (const MmaCandidate &candidate : candidates)
    if (candidate.isOrdinaryArithmetic() || (candidate.atom->hasLowering && canPlace(*candidate.atom)))
      return candidate.atom;
  if (candidates.empty())
    return nullptr;
  InFlightDiagnostic diagnostic = emitError() << "none of the instructions for this MMA can be used yet: ";
  llvm::interleaveComma(candidates, diagnostic, [&](const MmaCandidate &candidate) {
    diagnostic << '"' << candidate.atom->name
               << (candidate.atom->hasLowering ? "\" (no layout for its operands)" : "\" (no lowering)");
  });
  diagnostic.attachNote() << "a smaller MMA, or other element types, may have another instruction";
  return diagnostic;
}
