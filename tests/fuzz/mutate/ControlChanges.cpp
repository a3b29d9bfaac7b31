//===- ControlChanges.cpp - Branches and loops that come, go and change ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Edits.h"
#include "ModuleEditor.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;

//===----------------------------------------------------------------------===//
// Ranges of operations
//===----------------------------------------------------------------------===//

namespace {

/// Neighbours in a block, and what is needed of them after the last.
struct OpRange {
  SmallVector<Operation *> ops; ///< empty: none was found
  SmallVector<Value> results;
};

} // namespace

/// A range without terminator whose results a region may give.
static OpRange pickRange(ModuleEditor &editor) {
  Operation *first = editor.pickOpWhere([](Operation *op) {
    return !op->hasTrait<OpTrait::IsTerminator>() && !isa<ct::EntryOp, ct::GlobalOp>(op) &&
           !isa<ct::ReduceOp, ct::ScanOp>(op->getParentOp());
  });
  if (!first)
    return {};
  OpRange range;
  uint64_t length = 1 + editor.random.below(editor.random.chance(50) ? 4 : 24);
  for (Operation *op = first; op && !op->hasTrait<OpTrait::IsTerminator>() && range.ops.size() < length;
       op = op->getNextNode())
    range.ops.push_back(op);
  for (Operation *op : range.ops)
    for (Value result : op->getResults()) {
      bool isNeeded = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !llvm::is_contained(range.ops, first->getBlock()->findAncestorOpInBlock(*user));
      });
      if (!isNeeded)
        continue;
      if (!isa<ct::TileType, ct::TokenType>(result.getType()))
        return {};
      range.results.push_back(result);
    }
  return range;
}

/// Moves the range to the end of `block`; what is after it uses the results of `user`.
static void moveInto(OpRange &range, Block &block, Operation *user) {
  for (Operation *op : range.ops)
    op->moveBefore(&block, block.end());
  for (auto [inner, outer] : llvm::zip_equal(range.results, user->getResults()))
    inner.replaceUsesWithIf(outer, [&](OpOperand &use) { return !user->isAncestor(use.getOwner()); });
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static Value makeCondition(ModuleEditor &editor, Operation *at) {
  OpBuilder builder(at);
  auto condition = ct::TileType::get({}, builder.getI1Type());
  if (Value value = editor.random.chance(40) ? editor.pickValue(at, condition) : Value())
    return value;
  auto number = ct::TileType::get({}, builder.getI32Type());
  Value lhs = editor.pickValue(at, number);
  if (!lhs)
    return editor.pickOrMakeValue(at, condition);
  auto predicate =
      cast<ct::ComparisonPredicateAttr>(createAttribute(editor.context, "comparison_predicate", editor.random));
  auto signedness = cast<ct::SignednessAttr>(createAttribute(editor.context, "signedness", editor.random));
  return ct::CmpIOp::create(builder, at->getLoc(), condition, predicate, lhs, editor.pickOrMakeValue(at, number),
                            signedness);
}

static bool wrapInIf(ModuleEditor &editor) {
  OpRange range = pickRange(editor);
  if (range.ops.empty())
    return false;
  Operation *first = range.ops.front();
  SmallVector<Value> others;
  for (Value result : range.results)
    others.push_back(editor.pickOrMakeValue(first, result.getType()));
  Value condition = makeCondition(editor, first);
  if (!condition || llvm::is_contained(others, Value()))
    return false;
  OpBuilder builder(first);
  SmallVector<Type> types(ValueRange(range.results).getTypes());
  auto branch = ct::IfOp::create(builder, first->getLoc(), types, condition);
  Block &block = branch.getThenRegion().emplaceBlock();
  moveInto(range, block, branch);
  builder.setInsertionPointToEnd(&block);
  ct::YieldOp::create(builder, first->getLoc(), range.results);
  if (!others.empty() || editor.random.chance(20)) {
    builder.setInsertionPointToEnd(&branch.getElseRegion().emplaceBlock());
    ct::YieldOp::create(builder, first->getLoc(), others);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A bound or step: mostly small, sometimes an edge or any value.
static Value makeBound(ModuleEditor &editor, Operation *at, Type type, int64_t least, int64_t most) {
  if (editor.random.chance(20))
    return editor.pickOrMakeValue(at, type);
  OpBuilder builder(at);
  auto tile = cast<ct::TileType>(type);
  Attribute number = IntegerAttr::get(tile.getElementType(), editor.random.between(least, most));
  return ct::ConstantOp::create(builder, at->getLoc(), tile,
                                cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, number)));
}

/// What a loop carries begins, where it can, with something that is read in its body: each iteration then goes on from
/// what the one before has left.
static Value pickInit(ModuleEditor &editor, const OpRange &range, Type type) {
  SmallVector<Value> read;
  for (Operation *op : range.ops)
    for (Value operand : op->getOperands())
      if (operand.getType() == type && !llvm::is_contained(range.ops, operand.getDefiningOp()))
        read.push_back(operand);
  if (!read.empty() && editor.random.chance(80))
    return read[editor.random.below(read.size())];
  return editor.pickOrMakeValue(range.ops.front(), type);
}

static bool wrapInFor(ModuleEditor &editor) {
  OpRange range = pickRange(editor);
  if (range.ops.empty())
    return false;
  Operation *first = range.ops.front();
  OpBuilder builder(first);
  Type type = ct::TileType::get({}, editor.random.chance(80) ? builder.getI32Type() : builder.getI64Type());
  SmallVector<Value> inits;
  for (Value result : range.results)
    inits.push_back(pickInit(editor, range, result.getType()));
  Value lower = makeBound(editor, first, type, 0, 2), upper = makeBound(editor, first, type, 0, 5);
  Value step = makeBound(editor, first, type, 1, 3);
  if (llvm::is_contained(inits, Value()))
    return false;
  auto loop = ct::ForOp::create(builder, first->getLoc(), lower, upper, step, inits, editor.random.chance(20));
  Block &body = *loop.getBody();
  moveInto(range, body, loop);
  for (auto [init, argument] : llvm::zip_equal(inits, loop.getRegionIterValues()))
    init.replaceUsesWithIf(argument, [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); });
  builder.setInsertionPointToEnd(&body);
  Operation *next = ct::ContinueOp::create(builder, first->getLoc(), range.results);
  // Values may go on as they were, or change places.
  if (next->getNumOperands() > 0 && editor.random.chance(25)) {
    OpOperand &operand = next->getOpOperand(static_cast<unsigned>(editor.random.below(next->getNumOperands())));
    if (Value other = editor.pickValue(next, operand.get().getType()))
      operand.set(other);
  }
  return true;
}

/// Another bound or step, bounds that change places, another comparison.
static bool changeLoop(ModuleEditor &editor) {
  auto loop = cast_or_null<ct::ForOp>(editor.pickOpOf<ct::ForOp>());
  if (!loop)
    return false;
  uint64_t what = editor.random.below(5);
  if (what == 3) {
    loop.setUnsignedCmp(!loop.getUnsignedCmp());
  } else if (what == 4) {
    Value lower = loop.getLowerBound();
    loop.getLowerBoundMutable().assign(loop.getUpperBound());
    loop.getUpperBoundMutable().assign(lower);
  } else {
    Value bound = makeBound(editor, loop, loop.getStep().getType(), what == 2 ? 1 : -1, 9);
    loop->setOperand(static_cast<unsigned>(what), bound);
  }
  return true;
}

/// An iteration, a branch or a loop hands on another value: an older one, another variable, a constant.
static bool changeCarried(ModuleEditor &editor) {
  Operation *next = editor.pickOpWhere(
      [](Operation *op) { return isa<ct::ContinueOp, ct::YieldOp, ct::BreakOp>(op) && op->getNumOperands() > 0; });
  if (!next)
    return false;
  OpOperand &operand = next->getOpOperand(static_cast<unsigned>(editor.random.below(next->getNumOperands())));
  Value value = editor.pickOrMakeValue(next, operand.get().getType());
  if (!value || value == operand.get())
    return false;
  operand.set(value);
  return true;
}

/// A branch becomes one of its sides, a loop its body.
static bool unwrap(ModuleEditor &editor) {
  Operation *op = editor.pickOpOf<ct::IfOp, ct::ForOp>();
  return op && flattenOperation(op, editor.random.chance(50));
}

llvm::ArrayRef<ChangeKind> tileiras::fuzz::getControlChanges() {
  static constexpr ChangeKind kinds[] = {{"wrap-in-if", 4, wrapInIf},
                                         {"wrap-in-for", 5, wrapInFor},
                                         {"loop-bound", 3, changeLoop},
                                         {"carried-value", 3, changeCarried},
                                         {"unwrap", 2, unwrap}};
  return kinds;
}
