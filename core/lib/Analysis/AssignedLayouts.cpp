//===- AssignedLayouts.cpp - Putting layouts on a function ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/AssignedLayouts.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

/// The verifier of encodings has seen to tiles that have one.
static LogicalResult verifyTileShape(Operation *op, Type type) {
  if (!isa<TensorType>(type))
    return success();
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !tile.hasStaticShape())
    return op->emitOpError() << "has a tile of unknown extents, " << type << "; tiles have static shapes";
  for (int64_t extent : tile.getShape())
    if (!tile.getEncoding() && !llvm::isPowerOf2_64(extent))
      return op->emitOpError() << "has a tile with an extent of " << extent << ", " << tile
                               << "; extents are powers of two";
  return success();
}

LogicalResult as::verifyTileShapes(Operation *func) {
  WalkResult result = func->walk([](Operation *op) {
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      llvm::append_range(types, region.getArgumentTypes());
    return WalkResult(success(llvm::all_of(types, [&](Type type) { return succeeded(verifyTileShape(op, type)); })));
  });
  return failure(result.wasInterrupted());
}

static bool hasTiles(Operation *op) {
  return llvm::any_of(op->getOperands(), as::isTile) || llvm::any_of(op->getResults(), as::isTile);
}

bool as::isRematerializable(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isTile(value))
    return false;
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  return op->hasTrait<OpTrait::ConstantLike>() || (layoutOp && layoutOp.isRematerializable());
}

Attribute as::getDefaultLayout(RankedTensorType tile, int64_t numWarps) {
  // Not of the element type, so that conversions of elements keep the layout: four elements, a vector of f32, suit
  // most.
  constexpr unsigned kElementBits = 32;
  return encodeBlocked(tile.getContext(), chooseBlockedParameters(tile.getShape(), kElementBits, numWarps));
}

as::LayoutChoice::~LayoutChoice() = default;

//===----------------------------------------------------------------------===//
// What operations have to say
//===----------------------------------------------------------------------===//

/// What a region hands on has the layout of what receives it; what the operation hands in may be converted before.
static void collectControlFlow(RegionBranchOpInterface op, LayoutRelations &relations) {
  RegionBranchSuccessorMapping passed;
  op.getSuccessorOperandInputMapping(passed);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
        SmallVector<Value> tied = {operand.get()};
        llvm::append_range(tied, passed.lookup(&operand));
        relations.tie(tied);
      }
  for (OpOperand &operand : op->getOpOperands())
    for (Value receiver : passed.lookup(&operand))
      if (isa<BlockArgument>(receiver))
        relations.prefer(operand.get(), receiver);
}

static void collectShape(ShapeLayoutOpInterface op, LayoutRelations &relations) {
  if (isMemoryTensor(op->getOperand(0).getType()))
    return;
  relations.tie(op->getOperands());
  for (auto [source, result] : llvm::zip(op->getOperands(), op->getResults()))
    relations.derive(op, source, result);
}

static void collectOp(Operation *op, LayoutRelations &relations) {
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      relations.tie(ValueRange(argument));
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return collectControlFlow(branch, relations);
  for (Value result : op->getResults())
    relations.tie(result);
  if (auto layoutOp = dyn_cast<LayoutOpInterface>(op))
    return layoutOp.collectLayoutRelations(relations);
  if (auto shape = dyn_cast<ShapeLayoutOpInterface>(op))
    return collectShape(shape, relations);
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    SmallVector<Value> tied(op->getOperands());
    llvm::append_range(tied, op->getResults());
    relations.tie(tied);
  }
}

void as::collectLayoutRelations(Operation *func, LayoutRelations &relations) {
  func->walk<WalkOrder::PreOrder>([&](Operation *op) { collectOp(op, relations); });
}

//===----------------------------------------------------------------------===//
// What operations make of their layouts
//===----------------------------------------------------------------------===//

/// Any layout of the source is as good as another, if the result can follow it; else the source follows the result.
static void adaptShape(ShapeLayoutOpInterface op, OpLayouts &layouts) {
  unsigned first = llvm::find(layouts.isFree, false) - layouts.isFree.begin();
  bool isFree = first == layouts.isFree.size();
  if (isFree)
    first = 0;
  LinearLayout source = layouts.getOperandLayout(first);
  Attribute chosen = layouts.operands[first];
  bool isTileResult = isTile(op->getResult(0));
  if (isTileResult &&
      (isFree || (!op.mapRegisters(source, layouts.getResultLayout(0)) && !op.deriveResultLayout(source))))
    if (std::optional<LinearLayout> derived = op.deriveSourceLayout(layouts.getResultLayout(0))) {
      source = *derived;
      chosen = layouts.encode(source);
    }
  llvm::fill(layouts.operands, chosen);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (isTileResult && !op.mapRegisters(source, layouts.getResultLayout(i)))
      if (std::optional<LinearLayout> derived = op.deriveResultLayout(source))
        layouts.results[i] = layouts.encode(*derived);
}

static LogicalResult adaptOp(Operation *op, OpLayouts &layouts) {
  if (auto layoutOp = dyn_cast<LayoutOpInterface>(op)) {
    layoutOp.adaptLayouts(layouts);
    return success();
  }
  if (auto shape = dyn_cast<ShapeLayoutOpInterface>(op)) {
    adaptShape(shape, layouts);
    return success();
  }
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return op->emitOpError() << "has tiles, but says nothing about their layouts; it has to implement "
                                "LayoutOpInterface or ShapeLayoutOpInterface, itself or by an external model";
  auto chosen = llvm::find_if(layouts.results, [](Attribute layout) { return bool(layout); });
  if (chosen == layouts.results.end())
    chosen = llvm::find_if(layouts.operands, [](Attribute layout) { return bool(layout); });
  layouts.setAll(Attribute(*chosen));
  return success();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

class LayoutRewriter {
public:
  explicit LayoutRewriter(LayoutChoice &choice) : choice(choice) {}

  LogicalResult rewrite(Region &region);
  /// Tiles that were made anew for all of their users.
  void eraseReplaced();

private:
  LogicalResult rewrite(Operation *op);
  LogicalResult rewriteAround(Operation *op);
  void rewritePassed(Operation *op, RegionBranchOpInterface branch);

  /// The tile in a layout; any one, if that is null. `op` is the user.
  Value get(Operation *op, Value tile, Attribute layout);
  Value remake(OpBuilder &builder, Value original, RankedTensorType type);
  void setLayout(Value tile, Attribute layout) {
    auto type = cast<RankedTensorType>(tile.getType());
    tile.setType(type.cloneWithEncoding(layout));
  }

  LayoutChoice &choice;
  DenseMap<std::pair<Value, Attribute>, Value> converted;
  /// Remade tiles serve the block they are in.
  using BlockKey = std::pair<std::pair<Value, Attribute>, Block *>;
  DenseMap<BlockKey, Value> remade;
  SmallVector<Operation *> originals; ///< that remade tiles stand for
};

} // namespace

Value LayoutRewriter::remake(OpBuilder &builder, Value original, RankedTensorType type) {
  Operation *op = original.getDefiningOp();
  if (Attribute constant; matchPattern(op, m_Constant(&constant))) {
    if (auto elements = dyn_cast<DenseElementsAttr>(constant))
      constant = elements.reshape(type);
    if (Operation *now = op->getDialect()->materializeConstant(builder, constant, type, op->getLoc()))
      return now->getResult(0);
  }
  Operation *now = builder.clone(*op);
  Value result = now->getResult(cast<OpResult>(original).getResultNumber());
  result.setType(type);
  return result;
}

Value LayoutRewriter::get(Operation *op, Value tile, Attribute layout) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (isRematerializable(tile)) {
    if (!layout)
      layout = choice.getLayout(tile);
    Value &cached = remade[{{tile, layout}, op->getBlock()}];
    if (!cached) {
      OpBuilder builder(op);
      cached = remake(builder, tile, type.cloneWithEncoding(layout));
    }
    return cached;
  }
  if (!layout || type.getEncoding() == layout)
    return tile;
  Value &cached = converted[{tile, layout}];
  if (!cached) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfterValue(tile);
    cached = ConvertLayoutOp::create(builder, tile.getLoc(), type.cloneWithEncoding(layout), tile);
  }
  return cached;
}

/// What a stage of a pipeline or an entry of a queue holds, where `op` works on it.
static ArrayRef<Type> getEntries(Operation *op) {
  if (auto stage = dyn_cast<PipelineRegionOpInterface>(op))
    return stage.getPayload();
  return isa<aa::QueuePutOp, aa::QueueGetOp>(op) ? cast<aa::QueueType>(op->getOperand(0).getType()).getTypes()
                                                 : ArrayRef<Type>();
}

static LogicalResult verifyEntries(Operation *func) {
  WalkResult result = func->walk([](Operation *op) -> WalkResult {
    for (Type entry : getEntries(op))
      if (auto tile = dyn_cast<RankedTensorType>(entry); tile && !tile.getEncoding())
        return op->emitOpError() << "works on entries without a layout, " << tile
                                 << ", which convert-tileaa-to-tileas gives them";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Operands of `op`, which is `branch` or a terminator inside of it, take the layouts of what receives them.
void LayoutRewriter::rewritePassed(Operation *op, RegionBranchOpInterface branch) {
  RegionBranchSuccessorMapping passed;
  branch.getSuccessorOperandInputMapping(passed, op == branch.getOperation()
                                                     ? RegionBranchPoint::parent()
                                                     : RegionBranchPoint(cast<RegionBranchTerminatorOpInterface>(op)));
  for (OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()))
      if (auto it = passed.find(&operand); it != passed.end() && !it->second.empty())
        operand.set(get(op, operand.get(), choice.getLayout(it->second.front())));
  // What a producer or a put yields goes into the stage or the queue, whose type says its layout.
  auto stage = dyn_cast<PipelineRegionOpInterface>(branch.getOperation());
  if (op != branch.getOperation() && (stage ? stage.isProducer() : isa<aa::QueuePutOp>(branch)))
    for (auto [operand, entry] : llvm::zip(op->getOpOperands(), getEntries(branch)))
      if (isTile(operand.get()))
        operand.set(get(op, operand.get(), cast<RankedTensorType>(entry).getEncoding()));
}

LogicalResult LayoutRewriter::rewriteAround(Operation *op) {
  OpLayouts layouts(op, choice.encoder);
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (isTile(value)) {
      layouts.operands[i] = choice.getLayout(value);
      layouts.isFree[i] = isRematerializable(value);
    }
  for (auto [i, value] : llvm::enumerate(op->getResults()))
    if (isTile(value))
      layouts.results[i] = choice.getLayout(value);
  choice.choose(op, layouts);
  if (failed(adaptOp(op, layouts)))
    return failure();
  for (auto [operand, layout] : llvm::zip(op->getOpOperands(), layouts.operands))
    if (isTile(operand.get()))
      operand.set(get(op, operand.get(), layout));
  for (auto [result, layout] : llvm::zip(op->getResults(), layouts.results))
    if (layout)
      setLayout(result, layout);
  return success();
}

LogicalResult LayoutRewriter::rewrite(Operation *op) {
  if (op->getNumResults() != 0 && llvm::all_of(op->getResults(), isRematerializable)) {
    originals.push_back(op);
    return success();
  }
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (branch) {
    rewritePassed(op, branch);
    for (Value result : op->getResults())
      if (isTile(result))
        setLayout(result, choice.getLayout(result));
  } else if (auto parent = dyn_cast_if_present<RegionBranchOpInterface>(op->getParentOp());
             parent && isa<RegionBranchTerminatorOpInterface>(op)) {
    rewritePassed(op, parent);
  } else if (hasTiles(op) && failed(rewriteAround(op))) {
    return failure();
  }
  for (Region &region : op->getRegions())
    if (failed(rewrite(region)))
      return failure();
  return success();
}

LogicalResult LayoutRewriter::rewrite(Region &region) {
  for (Block &block : region) {
    // Those of a stage or a queue have the layouts of its type.
    for (BlockArgument argument : block.getArguments())
      if (isTile(argument) && getEntries(region.getParentOp()).empty())
        setLayout(argument, choice.getLayout(argument));
    // What is made on the way has its layout.
    SmallVector<Operation *> ops = llvm::to_vector(llvm::make_pointer_range(block));
    for (Operation *op : ops)
      if (failed(rewrite(op)))
        return failure();
  }
  return success();
}

void LayoutRewriter::eraseReplaced() {
  for (Operation *op : originals)
    if (op->use_empty())
      op->erase();
}

/// Slices in memory have the layout of the tiles that go there, which is one for all.
static void setSliceLayouts(Operation *func, LayoutChoice &choice) {
  func->walk([&](AllocSlicesOp op) {
    auto isLoad = [](Operation *user) { return isa<LoadSliceOp>(user); };
    auto user = llvm::find_if(op->getUsers(), isLoad);
    if (user == op->getUsers().end())
      user = op->getUsers().begin();
    if (user == op->getUsers().end())
      return;
    Value tile = isLoad(*user) ? user->getResult(0) : Value(cast<StoreSliceOp>(*user).getTile());
    op.getResult().setType(op.getType().cloneWithEncoding(choice.getLayout(tile)));
  });
}

/// The signature says the layouts of the tiles that come in and go out.
static void updateSignature(FunctionOpInterface function) {
  if (function.isExternal())
    return;
  SmallVector<Type> results(function.getResultTypes());
  for (Block &block : function.getFunctionBody())
    if (block.mightHaveTerminator() && block.back().hasTrait<OpTrait::ReturnLike>())
      results = llvm::to_vector(block.back().getOperandTypes());
  function.setType(function.cloneTypeWith(function.front().getArgumentTypes(), results));
}

LogicalResult as::applyLayouts(Operation *func, LayoutChoice &choice) {
  if (failed(verifyEntries(func)))
    return failure();
  setSliceLayouts(func, choice);
  LayoutRewriter rewriter(choice);
  for (Region &region : func->getRegions())
    if (failed(rewriter.rewrite(region)))
      return failure();
  rewriter.eraseReplaced();
  if (auto function = dyn_cast<FunctionOpInterface>(func))
    updateSignature(function);
  return success();
}
