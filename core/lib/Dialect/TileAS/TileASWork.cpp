//===- TileASWork.cpp - What operations make a CTA do ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/WorkCollector.h"

using namespace mlir;

namespace tileiras::as {

//===----------------------------------------------------------------------===//
// Exchanges between threads
//===----------------------------------------------------------------------===//

void ConvertLayoutOp::collectWork(WorkCollector &works, uint64_t times) {
  if (!getRegisterMap(getLinearLayout(getSource().getType()), getLinearLayout(getType())))
    works.addExchange(getSource().getType(), getType(), times);
}

void ExtractOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addExchange(getSource().getType(), getType(), times);
}

void ExtractSliceOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addExchange(getSource().getType(), getType(), times);
}

void InsertSliceOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addExchange(getSource().getType(), getType(), times);
}

void BarrierOp::collectWork(WorkCollector &works, uint64_t times) {
  works.add(WorkKind::Barrier, {}, times);
}

//===----------------------------------------------------------------------===//
// Combinations
//===----------------------------------------------------------------------===//

/// The body on every element, then a step for each bit of the lane along the axis, and an exchange between warps if
/// they share it.
template <typename OpTy>
static void collectCombination(OpTy op, WorkCollector &works, uint64_t times) {
  auto tile = cast<RankedTensorType>(op.getInputs().front().getType());
  works.collectRegions(op, WorkCollector::multiply(times, works.countPerThread(tile)));
  const Type result = op.getResult(0).getType();
  const LinearLayout layout = getLinearLayout(tile);
  auto countSteps = [&](LayoutDim dim) -> uint64_t {
    return llvm::count_if(layout.getBases(dim), [&](const auto &basis) { return basis[op.getAxis()] != 0; });
  };
  if (const uint64_t steps = countSteps(LayoutDim::Lane))
    works.add(WorkKind::Shuffle, tile, WorkCollector::multiply(times, steps * works.countLanes(result)));
  if (countSteps(LayoutDim::Warp))
    works.addExchange(result, result, times);
}

void ReduceOp::collectWork(WorkCollector &works, uint64_t times) {
  collectCombination(*this, works, times);
}

void ScanOp::collectWork(WorkCollector &works, uint64_t times) {
  collectCombination(*this, works, times);
}

/// Each thread runs the body for each of its elements.
void GenerateOp::collectWork(WorkCollector &works, uint64_t times) {
  works.collectRegions(*this, WorkCollector::multiply(times, works.countPerThread(getType())));
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

/// Threads read both operands from shared memory and multiply.
static void collectMultiplications(DotOp op, WorkCollector &works, uint64_t times) {
  works.addExchange(op.getA().getType(), op.getA().getType(), times);
  works.addExchange(op.getB().getType(), op.getB().getType(), times);
  const MmaQuery mma = getMmaQuery(op);
  const WorkKind kind = mma.elementC.isF64()           ? WorkKind::Double
                        : isa<FloatType>(mma.elementC) ? WorkKind::Float
                                                       : WorkKind::Integer;
  works.add(kind, mma.elementC,
            WorkCollector::multiply(WorkCollector::multiply(times, mma.batch * mma.m), mma.n * mma.k));
}

void DotOp::collectWork(WorkCollector &works, uint64_t times) {
  if (isUniversalFma())
    collectMultiplications(*this, works, times);
  else
    works.addProduct(getMmaQuery(*this), getAtom(), times);
}

void AsyncDotOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addProduct(getMmaQuery(*this), getAtom(), times);
}

void BlockScaledMmaOp::collectWork(WorkCollector &works, uint64_t times) {
  RankedTensorType a = getA().getType(), c = getC().getType();
  MmaQuery mma;
  mma.elementA = a.getElementType();
  mma.batch = llvm::product_of(c.getShape().drop_back(2));
  mma.m = c.getShape().drop_back().back();
  mma.n = c.getShape().back();
  mma.k = a.getShape().back() * (getPacked() ? 2 : 1);
  works.addProduct(mma, getAtom(), times);
}

/// Threads write them where the tensor memory's copies come from, and meet.
void StoreScalesOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::SharedWrite, getScaleA().getType(), times);
  works.addBytes(WorkKind::SharedWrite, getScaleB().getType(), times);
  works.add(WorkKind::Barrier, {}, times);
}

void ScaleTensorMemoryOp::collectWork(WorkCollector &works, uint64_t times) {
  const Type scale = getScale().getType(); // laid out as what a thread moves
  works.addBytes(WorkKind::SharedRead, scale, times);
  works.add(WorkKind::Float, scale, WorkCollector::multiply(times, works.countLanes(scale)));
  works.addBytes(WorkKind::SharedWrite, scale, times);
}

void TensorMemoryBarrierOp::collectWork(WorkCollector &works, uint64_t times) {
  works.add(WorkKind::Barrier, {}, times);
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

void TiledLoadOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::GlobalRead, getResult().getType(), times, getAtom());
}

void LoadOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::GlobalRead, getResult().getType(), times, getAtom());
}

void AsyncTiledLoadOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::GlobalRead, getDestination().getType(), times, getAtom());
}

void AsyncLoadOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::GlobalRead, getDestination().getType(), times, getAtom());
}

void AsyncTiledTmaLoadOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::EngineRead, getDestination().getType(), times, getAtom());
}

void AsyncGatherTmaLoadOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::EngineRead, getDestination().getType(), times, getAtom());
}

void TiledStoreOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::GlobalWrite, getValue().getType(), times, getAtom());
}

void StoreOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::GlobalWrite, getValue().getType(), times, getAtom());
}

void AsyncTiledTmaStoreOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::EngineWrite, getSource().getType(), times, getAtom());
}

void AsyncScatterTmaStoreOp::collectWork(WorkCollector &works, uint64_t times) {
  works.addBytes(WorkKind::EngineWrite, getSource().getType(), times, getAtom());
}

static void addAtomics(Value value, WorkCollector &works, uint64_t times) {
  works.add(WorkKind::Atomic, value.getType(), WorkCollector::multiply(times, works.countLanes(value.getType())));
}

void TiledAtomicRMWOp::collectWork(WorkCollector &works, uint64_t times) {
  addAtomics(getValue(), works, times);
}

void AtomicRMWOp::collectWork(WorkCollector &works, uint64_t times) {
  addAtomics(getValue(), works, times);
}

void AtomicCASOp::collectWork(WorkCollector &works, uint64_t times) {
  addAtomics(getValue(), works, times);
}

//===----------------------------------------------------------------------===//
// Shared and local memory
//===----------------------------------------------------------------------===//

void CopyOp::collectWork(WorkCollector &works, uint64_t times) {
  const WorkKind kind = getDestination() ? WorkKind::SharedWrite : WorkKind::SharedRead;
  works.addBytes(kind, getSource().getType(), times, getAtom());
}

/// No kind of work is an access to local memory, which mostly is in the cache: as long as it takes to convert floats,
/// and as an instruction for each other element.
void LoadSliceOp::collectWork(WorkCollector &works, uint64_t times) {
  const Type tile = getTile().getType();
  const bool isFloat = isa<FloatType>(getElementTypeOrSelf(tile));
  works.add(isFloat ? WorkKind::Conversion : WorkKind::Integer, tile,
            WorkCollector::multiply(times, works.countLanes(tile)));
}

} // namespace tileiras::as
