//===- StructureControlFlow.cpp - for, loop and if of cuda_tile to scf ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In cuda_tile a branch of an `if` may leave the loop or the kernel around it; in scf every region runs to its end.
// So a block that contains such an `if` is turned inside out: what follows the `if` moves into the branch that falls
// through, and every path to the end of the block yields the same list of values, the block's *exit*: for the body
// of a `for` the next values of its loop-carried variables, for the body of a `loop` the same behind a flag "once
// more" (and the results, when their types differ), for a kernel nothing.
//
// When both branches can fall through, the rest is not duplicated: the `if` yields a flag that says whether it was
// passed, and the rest runs under it.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileiras;

namespace {

/// How a block ends: the types of the values all its paths produce, and the values for each way to leave it.
struct BlockExit {
  SmallVector<Type> types;
  /// The values for `terminator`, created before it; it stays in place.
  std::function<SmallVector<Value>(OpBuilder &, Operation *terminator)> values;
};

class Structurer {
public:
  LogicalResult run(Block &body, const BlockExit &exit, function_ref<void(OpBuilder &, Location, ValueRange)> finish);

private:
  LogicalResult structureOp(Operation *op);
  LogicalResult structureIf(cuda_tile::IfOp op);
  LogicalResult structureFor(cuda_tile::ForOp op);
  LogicalResult structureLoop(cuda_tile::LoopOp op);
  LogicalResult structureEscapingIf(cuda_tile::IfOp op, const BlockExit &exit, SmallVector<Value> &results);
  LogicalResult guardRest(cuda_tile::IfOp op, const BlockExit &exit, SmallVector<Value> &results);
};

} // namespace

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

static bool isEscape(Operation *terminator) {
  return isa<cuda_tile::BreakOp, cuda_tile::ContinueOp, cuda_tile::ReturnOp>(terminator);
}

static SmallVector<Region *, 2> branchesOf(cuda_tile::IfOp op) {
  SmallVector<Region *, 2> branches = {&op.getThenRegion()};
  if (!op.getElseRegion().empty())
    branches.push_back(&op.getElseRegion());
  return branches;
}

/// Whether control may leave `op` for somewhere else than the operation after it.
static bool mayEscape(cuda_tile::IfOp op) {
  return llvm::any_of(branchesOf(op), [](Region *branch) {
    return isEscape(branch->front().getTerminator()) ||
           llvm::any_of(branch->front().getOps<cuda_tile::IfOp>(), mayEscape);
  });
}

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
}

/// The scalar behind a tile of rank 0.
static Value scalarOf(OpBuilder &builder, Location loc, Value tile) {
  return castTo(builder, loc, tile, cast<cuda_tile::TileType>(tile.getType()).getElementType());
}

static Value flag(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// Any value of `type`, for results that nobody reads on this path.
static Value placeholder(OpBuilder &builder, Location loc, Type type) {
  if (isa<cuda_tile::TokenType>(type))
    return cuda_tile::MakeTokenOp::create(builder, loc, type);
  if (!isa<cuda_tile::TileType>(type))
    return flag(builder, loc, false);
  auto tile = cast<cuda_tile::TileType>(type);
  Type element = tile.getElementType();
  bool pointer = isa<cuda_tile::PointerType>(element);
  if (pointer)
    element = builder.getI64Type();
  auto zeroType = cuda_tile::TileType::get(tile.getShape(), element);
  auto zeros = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(zeroType, builder.getZeroAttr(element)));
  Value zero = cuda_tile::ConstantOp::create(builder, loc, zeros);
  return pointer ? cuda_tile::IntToPtrOp::create(builder, loc, type, zero).getResult() : zero;
}

static SmallVector<Value> placeholders(OpBuilder &builder, Location loc, TypeRange types) {
  return llvm::map_to_vector(types, [&](Type type) { return placeholder(builder, loc, type); });
}

static BlockExit yieldExit(TypeRange types) {
  return {SmallVector<Type>(types),
          [](OpBuilder &, Operation *terminator) { return SmallVector<Value>(terminator->getOperands()); }};
}

/// An scf.if with the branches of `op`; each ends with its old terminator, a missing `else` with an empty yield.
static scf::IfOp takeBranches(OpBuilder &builder, cuda_tile::IfOp op, TypeRange types) {
  Location loc = op.getLoc();
  auto replacement = scf::IfOp::create(builder, loc, types, scalarOf(builder, loc, op.getCondition()),
                                       /*addThenBlock=*/false, /*addElseBlock=*/false);
  replacement.getThenRegion().takeBody(op.getThenRegion());
  if (!op.getElseRegion().empty())
    replacement.getElseRegion().takeBody(op.getElseRegion());
  if (replacement.getElseRegion().empty()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&replacement.getElseRegion());
    cuda_tile::YieldOp::create(builder, loc);
  }
  return replacement;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Structures the operations of `body` and ends it with what `finish` makes of the exit's values.
LogicalResult Structurer::run(Block &body, const BlockExit &exit,
                              function_ref<void(OpBuilder &, Location, ValueRange)> finish) {
  for (auto it = body.begin(); it != body.end();) {
    Operation *op = &*it++;
    if (auto branch = dyn_cast<cuda_tile::IfOp>(op); branch && mayEscape(branch)) {
      Location loc = op->getLoc();
      SmallVector<Value> results;
      if (failed(structureEscapingIf(branch, exit, results)))
        return failure();
      OpBuilder builder = OpBuilder::atBlockEnd(&body);
      finish(builder, loc, results);
      return success();
    }
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      OpBuilder builder(op);
      SmallVector<Value> values = exit.values(builder, op);
      finish(builder, op->getLoc(), values);
      op->erase();
      return success();
    }
    if (failed(structureOp(op)))
      return failure();
  }
  return success();
}

static void finishWithYield(OpBuilder &builder, Location loc, ValueRange values) {
  scf::YieldOp::create(builder, loc, values);
}

/// What follows `op` moves into the branch that falls through; `op` becomes the last operation of its block.
LogicalResult Structurer::structureEscapingIf(cuda_tile::IfOp op, const BlockExit &exit, SmallVector<Value> &results) {
  auto fallsThrough = [](Region *branch) { return !isEscape(branch->front().getTerminator()); };
  unsigned ways = llvm::count_if(branchesOf(op), fallsThrough) + (op.getElseRegion().empty() ? 1 : 0);
  if (ways > 1)
    return guardRest(op, exit, results);

  Block *block = op->getBlock();
  OpBuilder builder(op);
  scf::IfOp replacement = takeBranches(builder, op, exit.types);
  Block *target = nullptr;
  for (Region *branch : {&replacement.getThenRegion(), &replacement.getElseRegion()})
    if (fallsThrough(branch))
      target = &branch->front();
  if (target) {
    Operation *yield = target->getTerminator();
    op.getResults().replaceAllUsesWith(yield->getOperands());
    target->getOperations().splice(target->end(), block->getOperations(), std::next(Block::iterator(op)), block->end());
    yield->erase();
  } else {
    // No way leads to the rest.
    while (&block->back() != op) {
      block->back().dropAllUses();
      block->back().erase();
    }
  }
  op.erase();
  for (Region *branch : {&replacement.getThenRegion(), &replacement.getElseRegion()})
    if (failed(run(branch->front(), exit, finishWithYield)))
      return failure();
  results.assign(replacement.result_begin(), replacement.result_end());
  return success();
}

/// Both branches of `op` may fall through: it yields (passed, its own results, the exit's values); the rest runs
/// under the flag.
LogicalResult Structurer::guardRest(cuda_tile::IfOp op, const BlockExit &exit, SmallVector<Value> &results) {
  Block *block = op->getBlock();
  Location loc = op.getLoc();
  OpBuilder builder(op);
  SmallVector<Type> ownTypes(op.getResultTypes());

  BlockExit guarded;
  guarded.types = {builder.getI1Type()};
  llvm::append_range(guarded.types, ownTypes);
  llvm::append_range(guarded.types, exit.types);
  guarded.values = [&](OpBuilder &builder, Operation *terminator) {
    bool passes = !isEscape(terminator);
    SmallVector<Value> values = {flag(builder, loc, passes)};
    llvm::append_range(values,
                       passes ? SmallVector<Value>(terminator->getOperands()) : placeholders(builder, loc, ownTypes));
    llvm::append_range(values, passes ? placeholders(builder, loc, exit.types) : exit.values(builder, terminator));
    return values;
  };
  scf::IfOp first = takeBranches(builder, op, guarded.types);
  for (Region *branch : {&first.getThenRegion(), &first.getElseRegion()})
    if (failed(run(branch->front(), guarded, finishWithYield)))
      return failure();

  op.getResults().replaceAllUsesWith(first.getResults().slice(1, ownTypes.size()));
  auto second = scf::IfOp::create(builder, loc, exit.types, first.getResult(0), /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  Block *rest = second.thenBlock();
  rest->clear();
  rest->getOperations().splice(rest->end(), block->getOperations(), std::next(Block::iterator(op)), block->end());
  op.erase();
  if (failed(run(*rest, exit, finishWithYield)))
    return failure();
  second.elseBlock()->clear();
  builder.setInsertionPointToEnd(second.elseBlock());
  scf::YieldOp::create(builder, loc, first.getResults().take_back(exit.types.size()));
  results.assign(second.result_begin(), second.result_end());
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult Structurer::structureOp(Operation *op) {
  if (auto branch = dyn_cast<cuda_tile::IfOp>(op))
    return structureIf(branch);
  if (auto loop = dyn_cast<cuda_tile::ForOp>(op))
    return structureFor(loop);
  if (auto loop = dyn_cast<cuda_tile::LoopOp>(op))
    return structureLoop(loop);
  // Bodies of reductions and scans keep their terminator.
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : llvm::make_early_inc_range(block.without_terminator()))
        if (failed(structureOp(&inner)))
          return failure();
  return success();
}

LogicalResult Structurer::structureIf(cuda_tile::IfOp op) {
  OpBuilder builder(op);
  BlockExit exit = yieldExit(op.getResultTypes());
  scf::IfOp replacement = takeBranches(builder, op, exit.types);
  for (Region *branch : {&replacement.getThenRegion(), &replacement.getElseRegion()})
    if (failed(run(branch->front(), exit, finishWithYield)))
      return failure();
  op.replaceAllUsesWith(replacement.getResults());
  op.erase();
  return success();
}

/// The number a tile is everywhere, if it is a constant.
static std::optional<APInt> getConstant(Value tile) {
  DenseIntElementsAttr value;
  if (!matchPattern(tile, m_Constant(&value)) || !value.isSplat())
    return std::nullopt;
  return value.getSplatValue<APInt>();
}

/// Whether the variable of a loop in which it is below the upper bound stays in range when the step is added: always
/// with a step of 1, otherwise where constants tell.
static bool staysInRange(cuda_tile::ForOp op) {
  std::optional<APInt> step = getConstant(op.getStep()), upper = getConstant(op.getUpperBound());
  if (!step || step->isOne())
    return step.has_value();
  bool overflows = true;
  if (upper)
    (void)(op.getUnsignedCmp() ? upper->uadd_ov(*step, overflows) : upper->sadd_ov(*step, overflows));
  return !overflows;
}

static bool isKnownNonNegative(Value tile) {
  if (std::optional<APInt> constant = getConstant(tile))
    return constant->isNonNegative();
  if (auto assume = tile.getDefiningOp<cuda_tile::AssumeOp>()) {
    auto bounds = dyn_cast<cuda_tile::BoundedAttr>(assume.getPredicate());
    return (bounds && bounds.getLb().value_or(-1) >= 0) || isKnownNonNegative(assume.getValue());
  }
  return tile.getDefiningOp<cuda_tile::GetTileBlockIdOp>() != nullptr;
}

namespace {
/// How a loop counts: either its variable itself, from `first` by `step` up to `end`, or its iterations from 0 to
/// `end`.
struct LoopCount {
  Value first, end, step;
  bool countsIterations = false;
  bool isUnsigned = false; ///< numbers of iterations may be beyond what is positive with a sign
};
} // namespace

/// scf.for adds the step once more after the last iteration. Where that could wrap around, narrow integers count in 32
/// bits, and wide ones count iterations.
static LoopCount makeLoopCount(OpBuilder &builder, Location loc, cuda_tile::ForOp op) {
  Value lower = scalarOf(builder, loc, op.getLowerBound()), upper = scalarOf(builder, loc, op.getUpperBound()),
        step = scalarOf(builder, loc, op.getStep());
  Type type = lower.getType(), wide = builder.getI32Type();
  if (type.getIntOrFloatBitWidth() < 32) {
    for (Value *bound : {&lower, &upper, &step})
      *bound = op.getUnsignedCmp() ? arith::ExtUIOp::create(builder, loc, wide, *bound).getResult()
                                   : arith::ExtSIOp::create(builder, loc, wide, *bound).getResult();
    return {lower, upper, step, /*countsIterations=*/false, op.getUnsignedCmp()};
  }
  if (staysInRange(op))
    return {lower, upper, step, /*countsIterations=*/false, op.getUnsignedCmp()};
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  auto below = op.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value runs = arith::CmpIOp::create(builder, loc, below, lower, upper);
  Value span = arith::SubIOp::create(builder, loc, upper, lower);
  Value last = arith::SubIOp::create(builder, loc, span, constant(1));
  Value iterations = arith::AddIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, last, step), constant(1));
  return {constant(0), arith::SelectOp::create(builder, loc, runs, iterations, constant(0)), constant(1),
          /*countsIterations=*/true, op.getUnsignedCmp() || !isKnownNonNegative(op.getLowerBound())};
}

/// "step must be positive" (the public description of cuda_tile.for); one that is read from memory is not known here.
static LogicalResult verifyStep(cuda_tile::ForOp op) {
  std::optional<APInt> step = getConstant(op.getStep());
  if (!step || (op.getUnsignedCmp() ? !step->isZero() : step->isStrictlyPositive()))
    return success();
  SmallString<16> text;
  step->toString(text, /*Radix=*/10, /*Signed=*/!op.getUnsignedCmp());
  return op.emitOpError() << "has a step of " << text << "; steps are positive";
}

LogicalResult Structurer::structureFor(cuda_tile::ForOp op) {
  if (failed(verifyStep(op)))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  LoopCount count = makeLoopCount(builder, loc, op);
  Value lower = scalarOf(builder, loc, op.getLowerBound()), step = scalarOf(builder, loc, op.getStep());
  auto loop = scf::ForOp::create(builder, loc, count.first, count.end, count.step, op.getInitValues(),
                                 /*bodyBuilder=*/nullptr, count.isUnsigned);
  loop.getRegion().takeBody(op.getRegion());
  // The body counts with a tile, scf with a scalar.
  Block &body = loop.getRegion().front();
  Value variable = body.getArgument(0);
  Type tileType = variable.getType();
  variable.setType(count.first.getType());
  builder.setInsertionPointToStart(&body);
  Value counted = variable;
  llvm::SmallPtrSet<Operation *, 4> own;
  auto derive = [&](Value value) {
    own.insert(value.getDefiningOp());
    counted = value;
  };
  if (count.countsIterations) {
    derive(arith::MulIOp::create(builder, loc, counted, step));
    derive(arith::AddIOp::create(builder, loc, lower, counted));
  } else if (counted.getType() != lower.getType()) {
    derive(arith::TruncIOp::create(builder, loc, lower.getType(), counted));
  }
  derive(UnrealizedConversionCastOp::create(builder, loc, tileType, counted).getResult(0));
  variable.replaceUsesWithIf(counted, [&](OpOperand &use) { return !own.contains(use.getOwner()); });

  if (failed(run(body, yieldExit(op.getResultTypes()), finishWithYield)))
    return failure();
  op.replaceAllUsesWith(loop.getResults());
  op.erase();
  return success();
}

/// loop → scf.while whose first region is the whole body and decides whether to go on; the second only hands the
/// values over. Its results are the next loop-carried values, followed by the loop's results unless both have the
/// same types and can share their place.
LogicalResult Structurer::structureLoop(cuda_tile::LoopOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Type> carried(op.getInitValues().getTypes()), own(op.getResultTypes());
  bool shared = carried == own;
  SmallVector<Type> types = carried;
  if (!shared)
    llvm::append_range(types, own);

  auto loop = scf::WhileOp::create(builder, loc, types, op.getInitValues());
  loop.getBefore().takeBody(op.getRegion());
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, SmallVector<Location>(types.size(), loc));
  scf::YieldOp::create(builder, loc, after->getArguments().take_front(carried.size()));

  BlockExit exit;
  exit.types = {builder.getI1Type()};
  llvm::append_range(exit.types, types);
  exit.values = [&](OpBuilder &builder, Operation *terminator) {
    bool more = isa<cuda_tile::ContinueOp>(terminator);
    SmallVector<Value> values = {flag(builder, loc, more)};
    if (!shared && !more)
      llvm::append_range(values, placeholders(builder, loc, carried));
    llvm::append_range(values, terminator->getOperands());
    if (!shared && more)
      llvm::append_range(values, placeholders(builder, loc, own));
    return values;
  };
  auto finish = [](OpBuilder &builder, Location loc, ValueRange values) {
    scf::ConditionOp::create(builder, loc, values.front(), values.drop_front());
  };
  if (failed(run(loop.getBefore().front(), exit, finish)))
    return failure();
  op.replaceAllUsesWith(loop.getResults().take_back(own.size()));
  op.erase();
  return success();
}

LogicalResult cuda_tile_to_aa::structureControlFlow(cuda_tile::EntryOp entry) {
  BlockExit exit = {{}, [](OpBuilder &, Operation *) { return SmallVector<Value>(); }};
  auto finish = [](OpBuilder &builder, Location loc, ValueRange) { cuda_tile::ReturnOp::create(builder, loc); };
  return Structurer().run(entry.getBody().front(), exit, finish);
}
