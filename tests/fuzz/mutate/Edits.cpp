//===- Edits.cpp - Changes of a module that keep it one --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

Value tileiras::fuzz::makeStandIn(OpBuilder &builder, Location loc, mlir::Type type) {
  if (isa<ct::TokenType>(type))
    return ct::MakeTokenOp::create(builder, loc, type);
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile || isa<ct::PointerType>(tile.getElementType()))
    return {};
  mlir::Type element = tile.getElementType();
  Attribute zero;
  if (auto number = dyn_cast<FloatType>(element))
    zero = FloatAttr::get(number, isa<Float8E8M0FNUType>(number) ? 1.0 : 0.0);
  else
    zero = IntegerAttr::get(element, 0);
  auto splat = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, zero));
  return ct::ConstantOp::create(builder, loc, tile, splat);
}

bool tileiras::fuzz::eraseOperation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  OpBuilder builder(op);
  SmallVector<Value> replacements;
  for (Value result : op->getResults()) {
    Value replacement;
    if (result.use_empty()) {
      replacements.push_back(replacement);
      continue;
    }
    if (!isa<ct::ConstantOp, ct::MakeTokenOp>(op))
      replacement = makeStandIn(builder, op->getLoc(), result.getType());
    if (!replacement)
      for (Value operand : op->getOperands())
        if (operand.getType() == result.getType())
          replacement = operand;
    if (!replacement)
      return false;
    replacements.push_back(replacement);
  }
  for (auto [result, replacement] : llvm::zip(op->getResults(), replacements))
    if (replacement)
      result.replaceAllUsesWith(replacement);
  op->erase();
  return true;
}

/// Moves what is in `block` in front of `op`, whose results become the operands of the terminator.
static void inlineBlock(Operation *op, Block &block, ValueRange arguments) {
  Operation *terminator = block.getTerminator();
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations(), block.begin(),
                                         terminator->getIterator());
  op->replaceAllUsesWith(terminator->getOperands());
  op->erase();
}

bool tileiras::fuzz::flattenOperation(Operation *op, bool second) {
  bool jumps = false;
  op->walk([&](Operation *inner) {
    bool leavesHere = inner->getParentOp() == op && inner == inner->getBlock()->getTerminator();
    jumps |= isa<ct::BreakOp, ct::ContinueOp>(inner) && !leavesHere && inner->getParentOfType<ct::LoopOp>() != nullptr;
    jumps |= isa<ct::ReturnOp>(inner);
    jumps |= isa<ct::ContinueOp>(inner) && !leavesHere && isa<ct::ForOp>(op);
  });
  if (jumps)
    return false;
  if (auto branch = dyn_cast<ct::IfOp>(op)) {
    Region &region = second ? branch.getElseRegion() : branch.getThenRegion();
    if (region.empty() || !isa<ct::YieldOp>(region.front().getTerminator()))
      return false;
    inlineBlock(op, region.front(), {});
    return true;
  }
  if (auto loop = dyn_cast<ct::ForOp>(op); loop && !second) {
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitValues());
    inlineBlock(op, *loop.getBody(), arguments);
    return true;
  }
  return false;
}
