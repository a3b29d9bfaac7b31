//===- TileAADialect.cpp - The nv_tileaa dialect --------------------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Transforms/InliningUtils.h"
#include "tileiras/Dialect/TileAA/Shifts.h"

using namespace mlir;
using namespace tileiras::aa;

#include "tileiras/Dialect/TileAA/TileAADialect.cpp.inc"

namespace {
/// Functions of this dialect may be inlined anywhere; their operations depend on nothing but their operands.
struct TileAAInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  void handleTerminator(Operation *terminator, ValueRange replacements) const final {
    for (auto [old, replacement] : llvm::zip_equal(replacements, terminator->getOperands()))
      old.replaceAllUsesWith(replacement);
  }
};
} // namespace

void TileAADialect::initialize() {
  registerAttributes();
  registerTypes();
  registerElementwiseOps();
  registerShapeOps();
  registerMemoryOps();
  registerStructureOps();
  registerQueueOps();
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAA/TileAAShiftOps.cpp.inc"
      >();
  addInterfaces<TileAAInlinerInterface>();
}

Operation *TileAADialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
