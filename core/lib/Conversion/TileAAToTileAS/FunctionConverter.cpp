//===- FunctionConverter.cpp - Rewrites one function to nv_tileas ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The walk over the function, control flow, elementwise and shape operations, products and reductions. Memory access is
// in MemoryConverter.cpp.
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"
#include "AnchorLayouts.h"
#include "BlockScale.h"
#include "ModuleTarget.h"
#include "ShapeLayouts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Target/MmaSelection.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

FunctionConverter::FunctionConverter(aa::FuncOp func, LayoutAssignment &layouts, const ChipTarget &target)
    : func(func), layouts(layouts), target(target), values(layouts), builder(func.getContext()) {}

LogicalResult FunctionConverter::convert() {
  for (Type type : func.getArgumentTypes())
    if (isa<RankedTensorType>(type))
      return func.emitOpError() << "takes a tile: only scalars and pointers can be passed to a function";
  Region body;
  if (failed(convertRegion(func.getBody(), body)))
    return failure();
  auto type = FunctionType::get(func.getContext(), body.front().getArgumentTypes(), func.getResultTypes());
  func.setFunctionType(type);
  func.getBody().takeBody(body);
  return success();
}

LinearLayout FunctionConverter::toLinear(Attribute layout, Value tile) const {
  return cast<as::DistributedLayoutAttrInterface>(layout).toLinearLayout(
      cast<RankedTensorType>(tile.getType()).getShape());
}

LogicalResult FunctionConverter::replace(Operation *op, Operation *now) {
  now->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [original, result] : llvm::zip_equal(op->getResults(), now->getResults()))
    values.set(original, result);
  return success();
}

LogicalResult FunctionConverter::convertOp(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp, scf::WhileOp, scf::IfOp>([&](auto) { return convertControlFlow(op); })
      .Case<scf::YieldOp, scf::ConditionOp, aa::YieldOp, aa::ReturnOp>([&](auto) { return convertTerminator(op); })
      .Case<aa::ViewOp, aa::ExpandDimsOp, aa::PermuteOp>([&](auto) { return convertShape(op); })
      .Case([&](aa::BroadcastOp broadcast) { return convertBroadcast(broadcast); })
      .Case<aa::PackOp, aa::UnpackOp>([&](auto) { return convertPacking(op); })
      .Case([&](aa::CatOp cat) { return convertCat(cat); })
      .Case([&](aa::ExtractSliceOp slice) { return convertExtractSlice(slice); })
      .Case([&](aa::InsertSliceOp slice) { return convertInsertSlice(slice); })
      .Case([&](aa::ExtractOp extract) {
        return replace(op, as::ExtractOp::create(builder, op->getLoc(), op->getResult(0).getType(),
                                                 values.getAny(builder, extract.getSource())));
      })
      .Case([&](aa::DotOp dot) { return convertDot(dot); })
      .Case([&](aa::MmaBlockScaleOp dot) { return convertBlockScale(dot); })
      .Case([&](aa::ReduceOp reduce) { return convertReduce(reduce); })
      .Case([&](aa::ScanOp scan) { return convertScan(scan); })
      .Case([&](aa::TiledLoadOp load) { return convertTiledLoad(load); })
      .Case([&](aa::TiledStoreOp store) { return convertTiledStore(store); })
      .Case([&](aa::TiledAtomicRMWOp atomic) { return convertTiledAtomic(atomic); })
      .Case([&](aa::LoadOp load) { return convertLoad(load); })
      .Case([&](aa::StoreOp store) { return convertStore(store); })
      .Case([&](aa::AtomicRMWOp atomic) { return convertAtomicRMW(atomic); })
      .Case([&](aa::AtomicCASOp atomic) { return convertAtomicCAS(atomic); })
      .Case<aa::FenceAliasOp, aa::GdcWaitOp, aa::GdcLaunchDependentsOp>([&](auto) { return convertOrdering(op); })
      .Case([&](aa::PrintOp print) { return convertPrint(print); })
      .Case([&](aa::AssertOp check) {
        return replace(op, as::AssertOp::create(builder, op->getLoc(), values.getAny(builder, check.getCondition()),
                                                check.getMessageAttr()));
      })
      .Case([&](aa::BlockTileOp tiles) {
        return replace(op, as::MakeTiledViewOp::create(builder, op->getLoc(), values.convertType(tiles.getResult()),
                                                       values.get(builder, tiles.getSource())));
      })
      .Case([&](aa::CreateMemTokenOp) { return replace(op, as::CreateNoneOp::create(builder, op->getLoc())); })
      .Case([&](aa::JoinMemTokenOp join) {
        SmallVector<Value> tokens;
        for (Value token : join.getTokens())
          tokens.push_back(values.get(builder, token));
        return replace(op, as::JoinMemTokenOp::create(builder, op->getLoc(), tokens));
      })
      .Default([&](Operation *) { return convertSame(op); });
}

LogicalResult FunctionConverter::convertSame(Operation *op) {
  auto isTile = [](Value value) { return isa<RankedTensorType>(value.getType()); };
  if (llvm::all_of(op->getResults(), isRematerializable) && op->getNumResults() != 0)
    return success(); // made for each user
  bool hasTiles = llvm::any_of(op->getOperands(), isTile) || llvm::any_of(op->getResults(), isTile);
  bool elementwise = OpTrait::hasElementwiseMappableTraits(op) || isa<aa::AssumeOp>(op);
  if (op->getNumRegions() != 0 || (hasTiles && !elementwise))
    return op->emitOpError() << "cannot be converted to nv_tileas";

  Attribute layout;
  for (Value result : op->getResults())
    if (isTile(result))
      layout = values.getLayout(result);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isTile(operand) && layout ? values.get(builder, operand, layout) : values.get(builder, operand));
  Operation *now = op->cloneWithoutRegions();
  now->setOperands(operands);
  for (auto [original, result] : llvm::zip(op->getResults(), now->getResults()))
    result.setType(values.convertType(original));
  builder.insert(now);
  return replace(op, now);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::convertRegion(Region &from, Region &to) {
  if (from.empty())
    return success();
  if (!from.hasOneBlock())
    return from.getParentOp()->emitOpError() << "has branches between blocks; expects structured control flow";
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&to);
  for (BlockArgument argument : from.front().getArguments())
    values.set(argument, block->addArgument(values.convertType(argument), argument.getLoc()));
  for (Operation &op : from.front())
    if (failed(convertOp(&op)))
      return failure();
  return success();
}

void FunctionConverter::forward(ValueRange passed, ValueRange received, SmallVectorImpl<Value> &operands) {
  for (auto [value, receiver] : llvm::zip_equal(passed, received))
    operands.push_back(isa<RankedTensorType>(value.getType()) ? values.get(builder, value, values.getLayout(receiver))
                                                              : values.get(builder, value));
}

LogicalResult FunctionConverter::convertControlFlow(Operation *op) {
  SmallVector<Value> operands;
  TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) {
        for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
          operands.push_back(values.get(builder, bound));
        forward(loop.getInitArgs(), loop.getRegionIterArgs(), operands);
      })
      .Case([&](scf::WhileOp loop) { forward(loop.getInits(), loop.getBeforeArguments(), operands); })
      .Case([&](scf::IfOp branch) { operands.push_back(values.get(builder, branch.getCondition())); });
  Operation *now = op->cloneWithoutRegions();
  now->setOperands(operands);
  for (auto [original, result] : llvm::zip(op->getResults(), now->getResults()))
    result.setType(values.convertType(original));
  builder.insert(now);
  for (auto [from, to] : llvm::zip(op->getRegions(), now->getRegions()))
    if (failed(convertRegion(from, to)))
      return failure();
  return replace(op, now);
}

LogicalResult FunctionConverter::convertTerminator(Operation *op) {
  SmallVector<Value> operands;
  Operation *parent = op->getParentOp();
  if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    operands.push_back(values.get(builder, condition.getCondition()));
    forward(condition.getArgs(), parent->getResults(), operands);
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    forward(op->getOperands(), loop.getBeforeArguments(), operands);
  } else if (isa<scf::ForOp, scf::IfOp>(parent)) {
    forward(op->getOperands(), parent->getResults(), operands);
  } else {
    for (Value operand : op->getOperands())
      operands.push_back(values.get(builder, operand));
  }
  if (isa<aa::YieldOp>(op))
    return replace(op, as::YieldOp::create(builder, op->getLoc(), operands));
  Operation *now = op->cloneWithoutRegions();
  now->setOperands(operands);
  builder.insert(now);
  return success();
}

//===----------------------------------------------------------------------===//
// Shape operations
//===----------------------------------------------------------------------===//

Type FunctionConverter::getShapeResultType(Operation *op, Value result, Attribute source) {
  LinearLayout linear = toLinear(source, op->getOperand(0));
  Attribute wanted = values.getLayout(result);
  if (!isThreadLocal(op, linear, toLinear(wanted, result)))
    wanted = layouts.encode(*deriveResultLayout(op, linear));
  return TileValues::convertType(result.getType(), wanted);
}

/// view, expand_dims, permute: any layout of the source is as good as another.
LogicalResult FunctionConverter::convertShape(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  Attribute layout = values.getLayout(source);
  if (isRematerializable(source))
    layout = layouts.encode(*deriveSourceLayout(op, toLinear(values.getLayout(result), result)));
  Value operand = values.get(builder, source, layout);
  Type type = getShapeResultType(op, result, layout);
  Location loc = op->getLoc();
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](aa::ViewOp) { return replace(op, as::ViewOp::create(builder, loc, type, operand)); })
      .Case([&](aa::ExpandDimsOp expand) {
        return replace(op, as::ExpandDimsOp::create(builder, loc, type, operand, expand.getAxisAttr()));
      })
      .Case([&](aa::PermuteOp permute) {
        return replace(op, as::PermuteOp::create(builder, loc, type, operand, permute.getPermutationAttr()));
      });
}

/// The result is the larger tile: it keeps its layout, the source adapts.
LogicalResult FunctionConverter::convertBroadcast(aa::BroadcastOp op) {
  Value source = op.getSource();
  Attribute layout = values.getLayout(source);
  LinearLayout result = toLinear(values.getLayout(op.getResult()), op.getResult());
  if (isRematerializable(source) || !isThreadLocal(op, toLinear(layout, source), result))
    layout = layouts.encode(*deriveSourceLayout(op, result));
  return replace(op, as::BroadcastOp::create(builder, op.getLoc(), values.convertType(op.getResult()),
                                             values.get(builder, source, layout)));
}

LogicalResult FunctionConverter::convertPacking(Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  Attribute layout = values.getLayout(source);
  // Elements that share a byte may lie in several threads; bytes that hold several elements never do.
  if (isRematerializable(source) || !deriveResultLayout(op, toLinear(layout, source)))
    if (std::optional<LinearLayout> derived = deriveSourceLayout(op, toLinear(values.getLayout(result), result)))
      layout = layouts.encode(*derived);
  Value operand = values.get(builder, source, layout);
  Type type = getShapeResultType(op, result, layout);
  if (isa<aa::PackOp>(op))
    return replace(op, as::PackOp::create(builder, op->getLoc(), type, operand));
  return replace(op, as::UnpackOp::create(builder, op->getLoc(), type, operand));
}

LogicalResult FunctionConverter::convertCat(aa::CatOp op) {
  Attribute layout = values.getLayout(isRematerializable(op.getLhs()) ? op.getRhs() : op.getLhs());
  return replace(op, as::CatOp::create(builder, op.getLoc(), getShapeResultType(op, op.getResult(), layout),
                                       values.get(builder, op.getLhs(), layout),
                                       values.get(builder, op.getRhs(), layout), op.getAxisAttr()));
}

LogicalResult FunctionConverter::convertExtractSlice(aa::ExtractSliceOp op) {
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(values.get(builder, index));
  return replace(op, as::ExtractSliceOp::create(builder, op.getLoc(), values.convertType(op.getResult()),
                                                values.getAny(builder, op.getSource()), indices));
}

LogicalResult FunctionConverter::convertInsertSlice(aa::InsertSliceOp op) {
  SmallVector<Value> indices;
  for (Value index : op.getIndices())
    indices.push_back(values.get(builder, index));
  Value destination = values.get(builder, op.getDestination(), values.getLayout(op.getResult()));
  return replace(op, as::InsertSliceOp::create(builder, op.getLoc(), values.convertType(op.getResult()),
                                               values.getAny(builder, op.getSource()), destination, indices));
}

//===----------------------------------------------------------------------===//
// Products and reductions
//===----------------------------------------------------------------------===//

LogicalResult FunctionConverter::convertDot(aa::DotOp op) {
  const DotLayouts &chosen = layouts.getDotLayouts(op);
  auto operand = [&](Value tile, Attribute layout) {
    return layout ? values.get(builder, tile, layout) : values.get(builder, tile);
  };
  StringRef atom = chosen.atom ? StringRef(chosen.atom->name) : StringRef(as::DotOp::kUniversalFma);
  return replace(op,
                 as::DotOp::create(builder, op.getLoc(), TileValues::convertType(op.getResult().getType(), chosen.c),
                                   operand(op.getA(), chosen.a), operand(op.getB(), chosen.b),
                                   operand(op.getC(), chosen.c), Value(), Value(), builder.getStringAttr(atom),
                                   op.getSignednessAAttr(), op.getSignednessBAttr(), op.getFastAccAttr()));
}

LogicalResult FunctionConverter::convertBlockScale(aa::MmaBlockScaleOp op) {
  FailureOr<const MmaAtom *> atom = findBlockScaledAtom(op, target);
  if (failed(atom))
    return failure();
  const MmaAtom &mma = **atom;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getC().getType()).getShape();
  MmaWarpGrid grid = chooseWarpGrid(shape, mma.m, mma.n, getNumWarps(func), /*preferRows=*/false);
  SmallVector<int64_t> warps = {grid.m, grid.n};
  if (shape.size() == 3)
    warps.insert(warps.begin(), grid.batch);
  auto encode = [&](as::OperandAxis axis, const LinearLayout &fragment) {
    return as::DotOperandAttr::get(op.getContext(), axis, builder.getStringAttr(mma.name), warps,
                                   fragment.getOutSizes(), as::LinearAttr::get(op.getContext(), fragment));
  };
  auto operand = [&](Value tile, as::OperandAxis axis, const LinearLayout &fragment) {
    return values.get(builder, tile, encode(axis, fragment));
  };
  using enum as::OperandAxis;
  return replace(op, as::DotOp::create(builder, op.getLoc(),
                                       TileValues::convertType(op.getResult().getType(), encode(C, mma.layoutC)),
                                       operand(op.getA(), A, mma.layoutA), operand(op.getB(), B, mma.layoutB),
                                       operand(op.getC(), C, mma.layoutC), operand(op.getSfa(), A, mma.layoutScaleA),
                                       operand(op.getSfb(), B, mma.layoutScaleB), builder.getStringAttr(mma.name),
                                       aa::SignednessAttr(), aa::SignednessAttr(), op.getFastAccAttr()));
}

LogicalResult FunctionConverter::convertReduce(aa::ReduceOp op) {
  auto tile = llvm::find_if_not(op.getOperands(), isRematerializable);
  Attribute layout = values.getLayout(tile == op.getOperands().end() ? op.getOperands().front() : *tile);
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  for (auto [operand, result] : llvm::zip(op.getOperands(), op.getResults())) {
    inputs.push_back(values.get(builder, operand, layout));
    types.push_back(isa<RankedTensorType>(result.getType()) ? getShapeResultType(op, result, layout)
                                                            : result.getType());
  }
  auto now = as::ReduceOp::create(builder, op.getLoc(), types, inputs, op.getAxisAttr(), op.getIdentitiesAttr(),
                                  builder.getStringAttr(as::kUniversalReduce));
  if (failed(convertRegion(op.getBody(), now.getBody())))
    return failure();
  return replace(op, now);
}

LogicalResult FunctionConverter::convertScan(aa::ScanOp op) {
  Attribute layout = values.getLayout(op.getResults().front());
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  for (Value operand : op.getOperands()) {
    inputs.push_back(values.get(builder, operand, layout));
    types.push_back(inputs.back().getType());
  }
  auto now = as::ScanOp::create(builder, op.getLoc(), types, inputs, op.getAxisAttr(), op.getReverseAttr(),
                                op.getIdentitiesAttr(), builder.getStringAttr(as::kUniversalReduce));
  if (failed(convertRegion(op.getBody(), now.getBody())))
    return failure();
  return replace(op, now);
}
