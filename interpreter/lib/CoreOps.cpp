//===- CoreOps.cpp - The grid and the structure of programs ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "TileBlock.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {

static void setTriple(Operation *op, Evaluation &evaluation, const std::array<uint32_t, 3> &triple) {
  for (auto [result, number] : llvm::zip_equal(op->getResults(), triple))
    evaluation.set(result, Tile::scalar(cast<TileType>(result.getType()).getElementType(), number));
}

static LogicalResult evaluate(GetNumTileBlocksOp op, Evaluation &evaluation) {
  setTriple(op, evaluation, evaluation.tileBlock.grid.extents);
  return success();
}

static LogicalResult evaluate(GetTileBlockIdOp op, Evaluation &evaluation) {
  setTriple(op, evaluation, evaluation.tileBlock.id);
  return success();
}

void registerCoreOps(OperationTable &table) {
  table.add<GetNumTileBlocksOp, GetTileBlockIdOp>(OperationTable::kExact);
  // The interpreter places globals and enters entries; tile blocks execute what branches.
  table.addStructure<cuda_tile::ModuleOp, EntryOp, GlobalOp, BreakOp, ContinueOp, ForOp, IfOp, LoopOp, ReturnOp,
                     YieldOp>();
}

OperationTable::OperationTable() {
  registerCoreOps(*this);
  registerIntegerOps(*this);
  registerFloatOps(*this);
  registerMathOps(*this);
  registerConversionOps(*this);
  registerShapeOps(*this);
  registerMmaOps(*this);
  registerAggregateOps(*this);
  registerMemoryOps(*this);
  registerAtomicOps(*this);
  registerViewOps(*this);
  registerPrintOps(*this);
}

const OperationTable &OperationTable::get() {
  static const OperationTable table;
  return table;
}

bool isInterpreted(RegisteredOperationName op) {
  return OperationTable::get().find(op.getTypeID());
}

StringRef getExactness(RegisteredOperationName op) {
  const OperationEntry *entry = OperationTable::get().find(op.getTypeID());
  return entry ? entry->exactness : StringRef();
}

Location getSourceLocation(Operation *op) {
  if (DILocAttr location = DILocAttr::find(op->getLoc()))
    return location.getSourceLoc();
  return op->getLoc();
}

} // namespace tileiras::interpreter
